/* SPDX-License-Identifier: Apache-2.0 */
/* A rank of MPI: its notices and its transfers (mpi.c). */
#ifndef DOMAIN_MPI_RANK_H
#define DOMAIN_MPI_RANK_H

#include <mpi.h>
#include <stdbool.h>

#include "scree/draft/domain.h"
#include "scree/sdk.h"

enum { NO_RANK = -1, TEXT = 600 };
enum { FAILED = 1, LEFT, ASKS, HERE, N_NOTICES };

/** Word from one rank to another. */
typedef struct notice {
    uint32_t what; /* FAILED, LEFT, .. */
    char text[TEXT];
} notice;

/** A message to or from a rank. */
typedef struct flow {
    uint64_t n, done; /* [bytes] */
    const unsigned char *out;
    unsigned char *in;
    bool open, headed;   /* bytes are missing; the length has passed */
    MPI_Request request; /* of `busy` bytes; MPI_REQUEST_NULL: none */
    uint64_t busy;
} flow;

/** A rank. */
typedef struct mpi {
    const scree_host *host;
    MPI_Comm bytes, notices; /* MPI_COMM_NULL: this process is not a rank */
    uint32_t rank, ranks;
    double limit;
    bool failed, begun; /* this rank or another one has failed; an exchange is open */
    bool stuck;     /* transfers are open whose memory the host may free: MPI is not called again */
    flow *out, *in; /* [ranks] by rank */
    uint32_t n_values;
    int64_t *values, *own; /* [n_values] of the host; those that MPI writes */
    uint64_t own_capacity;
    MPI_Request reduction, listening;
    notice heard, said[N_NOTICES]; /* [what] stay as they are while they are sent */
    char text[TEXT];               /* of the rank that has failed; "": none is known */
    bool *left, *here;             /* [ranks] has left; has answered */
} mpi;

/** Time in which nothing moved and this process was not stopped. */
typedef struct idling {
    uint64_t idle;       /* turns */
    double waited, last; /* [s] since the last move; clock at the last look */
    double left, asked;  /* [s] of `waited` when a rank had left, all were asked; 0: not yet */
} idling;

/** Sends a notice to another rank, which takes it when it waits. */
void rank_notify(mpi *self, uint32_t to, uint32_t what);
void rank_notify_all(mpi *self, uint32_t what);
/** Says to all ranks that this one has failed, unless one has done so; does not wait. */
void rank_abort(mpi *self, const char *text);
/** Stops all ranks, unless one has done so; answers with the text that counts. */
int32_t rank_stop(mpi *self, const char *format, uint64_t a, uint64_t b, uint64_t c);
/** Stops all ranks because a function of MPI has failed. */
int32_t rank_stop_by(mpi *self, int code);
/** Takes the notices that have come. Returns an error code of MPI, or MPI_SUCCESS. */
int rank_take_notices(mpi *self);
/** Takes notices; an error when a rank has failed. */
int32_t rank_hear(mpi *self);

/** Opens a flow of n bytes to or from another rank; nothing moves before the next call. */
void rank_open_out(mpi *self, uint32_t to, const void *bytes, uint64_t n);
void rank_open_in(mpi *self, uint32_t from, void *bytes, uint64_t n);
/** Moves what can be moved without waiting. *moved: anything did; *open: transfers are missing,
 * *awaited: one of them from or to this rank; NO_RANK: none but a reduction. */
int32_t rank_move_some(mpi *self, bool *moved, bool *open, int *awaited);
/** After an error: lets MPI end the transfers that have begun, from and to memory of the host. */
void rank_settle(mpi *self);
/** Moves all that is open, and waits for others. */
int32_t rank_carry(mpi *self, bool limited);
/** Counts a turn of a wait. */
void rank_count_turn(idling *w, bool moved);
/** Gives the CPU to others; `idle`: turns in which nothing moved. */
void rank_pause(uint64_t idle);

#endif
