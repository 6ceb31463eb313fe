/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks of a domain under test: a child process each, or processes of a launcher. */
#ifndef CORE_CHECK_RANKS_H
#define CORE_CHECK_RANKS_H

#include <stdatomic.h>

#include "scree/draft/domain.h"
#include "tools/check/check.h"

enum { SCREE_CHECK_RANK_TEXT = 600, SCREE_CHECK_RANK_TURNS = 3 };

/** Memory that a rank shares with the check and the other ranks. */
typedef struct scree_check_seat {
    _Atomic uint32_t joined; /* 1: join() has returned */
    _Atomic uint32_t judged; /* 1: its work is done */
    _Atomic uint32_t done;   /* 1: destroy() has returned, too */
    _Atomic uint32_t failed; /* its order among those that failed, from 1 */
    _Atomic uint32_t at;     /* how far it has come, for others; 0 at first */
    uint32_t refused;        /* it failed because a call returned an error with a text */
    uint64_t bits[SCREE_CHECK_RANK_TURNS]; /* results of each turn */
    char text[SCREE_CHECK_RANK_TEXT];
} scree_check_seat;

/** A rank at work, in its own process. */
typedef struct scree_check_rank {
    scree_check *check;
    scree_instance *instance;
    const scree_domain_ops *ops;
    uint32_t rank, ranks;
    bool launched;           /* a launcher has started it */
    double limit;            /* [s] longest wait */
    scree_check_seat *seats; /* [ranks] by process, which may be another number than the rank */
    uint32_t process;
} scree_check_rank;

/** The work of ranks. */
typedef struct scree_check_crew {
    void (*fn)(scree_check_rank *rank); /* in each process, after join() */
    double limit;                       /* [s] longest wait */
    uint32_t least;                     /* fewer ranks do nothing */
    bool owns;                          /* the instance is freed as soon as ranks have copies, which
                                              are then the only ones */
    bool kills;                         /* the last process ends by SIGKILL */
    bool fails;        /* ranks end with an error: a launcher may then end others */
    uint32_t launched; /* number of ranks that a launcher starts; 0: 3 */
    uint64_t bits[SCREE_CHECK_RANK_TURNS]; /* gets the results of all ranks in each turn */
} scree_check_crew;

/** Starts the processes of the domain; the first rank that failed fails the check. Returns the number
 * of ranks; 0: none, the check has failed, is skipped, or has too few. It does not return in a
 * process that a launcher has started for this call. */
uint32_t scree_check_ranks(scree_check *check, scree_instance *instance, scree_check_crew *crew);
/** test(); *done: finish() would not wait. False: the check has failed. */
bool scree_check_rank_test(scree_check_rank *rank, bool *done);
/** begin() and finish(), on every second rank with calls of test() between them, until that says
 * that all has come. False: the check has failed. */
bool scree_check_rank_exchange(scree_check_rank *rank, const scree_exchange *exchange);
/** Waits until rank process `other` has come to `at`, 5 s at most. False: it has not. */
bool scree_check_rank_await(const scree_check_rank *rank, uint32_t other, uint32_t at);

#endif
