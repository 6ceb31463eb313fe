/* SPDX-License-Identifier: MIT */
/* A draft (README.md): domains, plugins through which the processes of one run exchange bytes. */
#ifndef SCREE_DRAFT_DOMAIN_H
#define SCREE_DRAFT_DOMAIN_H

#include "../host.h"

/*
 * A run on several ranks is several processes with one scene. A domain connects them: it says which
 * rank a process is, and moves bytes between ranks. It knows nothing about bodies.
 *
 *     create()     once, in the process that read the scene
 *     processes()  how many processes the host forks; 0: a launcher has started them, and each has
 *                  read the scene and called create()
 *     join()       in each process, before bodies are made: from now on it is a rank
 *     begin(), test(), finish(), gather(), broadcast()     any number of times
 *     destroy()    in each process
 *
 * All calls come from the main thread. begin(), finish(), gather() and broadcast() are collective:
 * all ranks call them in the same order, each with the arguments that match those of the others. A
 * function that waits gives the CPU to others while it waits. It ends with an error and a text if
 *   - a rank has called abort(): SCREE_E_CANCELLED, the text has the rank and its text;
 *   - a rank has ended, was killed, or has called destroy();
 *   - nothing has arrived for the time `limit`, in which this process was not stopped itself: the
 *     text names a rank that did not come. broadcast() has no limit: other ranks may wait for what
 *     the root does between two steps;
 *   - a rank sends another number of bytes than expected: the text has both numbers.
 * After an error the host calls only abort() and destroy(). test() finds these errors, too, or leaves
 * them to finish().
 * If the host forks the processes, an integer parameter `ranks` gives their number.
 */

/** Kind of the descriptor. A host without domains leaves the descriptor out. */
#define SCREE_DRAFT_KIND_DOMAIN 9u /* scree_domain_ops */

/** At most so many ranks. */
#define SCREE_DOMAIN_MAX_RANKS 65536u

/** All ranks, in place of the number of one. */
#define SCREE_DOMAIN_ALL UINT32_MAX

/* Reductions of 64-bit integers. Floating-point numbers are never reduced: their sum would depend
 * on the order. */
#define SCREE_REDUCE_SUM 0u /* modulo 2^64 */
#define SCREE_REDUCE_MAX 1u /* of signed integers */
#define SCREE_REDUCE_OR 2u  /* of bits */

/** Arguments of join(). */
typedef struct scree_domain_join {
    uint32_t size;
    uint32_t process; /* number of this process among those that the host has forked; 0 is the
                         process that read the scene. 0 in each that a launcher has started */
    double limit;     /* [s] longest wait for other ranks, above 0 */
    /* Written by join(). */
    uint32_t rank;  /* this rank: below `ranks`, another one in each process */
    uint32_t ranks; /* number of ranks, 1 to SCREE_DOMAIN_MAX_RANKS, the same in each process */
} scree_domain_join;

/** Bytes to and from another rank. The struct never changes. */
typedef struct scree_message {
    uint32_t rank;     /* the other one */
    uint32_t reserved; /* 0 */
    uint64_t n_out;    /* [bytes] to send; may be 0 */
    uint64_t n_in;     /* [bytes] to receive: what the other one sends; may be 0 */
    const void *out;   /* [n_out] */
    void *in;          /* [n_in] */
} scree_message;

/** Arguments of begin(): messages and a reduction that start together. */
typedef struct scree_exchange {
    uint32_t size;
    uint32_t n_messages; /* at most one for each other rank; a rank that has a message for another
                            one is in a message of that one, too */
    const scree_message *messages; /* [n_messages] */
    uint32_t reduction;            /* SCREE_REDUCE_* */
    uint32_t n_values;             /* integers to reduce, the same number on all ranks; 0: none */
    int64_t *values;               /* [n_values] of this rank; finish() writes those of all */
} scree_exchange;

/** Vtable of a domain. */
typedef struct scree_domain_ops {
    uint32_t size;
    uint32_t reserved; /* 0 */
    int32_t (*create)(const scree_host *host, const void *config, void **instance);
    void (*destroy)(void *instance);
    uint64_t (*bytes)(void *instance);
    int32_t (*narrow)(void *instance, scree_demands *demands);

    /** [config] Sets *n to the number of ranks, each of which is a process that the host forks; the
     * first one is the process that calls. 0: a launcher has started all processes. The host calls
     * it once, right after create(). */
    int32_t (*processes)(void *instance, uint32_t *n);

    /** [config] Makes this process a rank. Returns when all are ranks, or with an error. */
    int32_t (*join)(void *instance, scree_domain_join *join);

    /** [step] Starts an exchange, and does not wait. The messages are copied. The arrays they point
     * to, and the values, belong to the domain until finish() has returned. */
    int32_t (*begin)(void *instance, const scree_exchange *exchange);

    /** [step] Waits until the exchange that begin() started is done. */
    int32_t (*finish)(void *instance);

    /** [step] Puts the bytes of all ranks behind each other, in the order of ranks, into `all` of
     * rank `root`, or of each rank (SCREE_DOMAIN_ALL). bytes[r] is the number of rank r, which all
     * know. On other ranks `all` may be NULL. `mine` may be its own place in `all`. */
    int32_t (*gather)(void *instance, uint32_t root, const void *mine, const uint64_t *bytes,
                      void *all);

    /** [step] Copies n bytes of rank `root` to all. */
    int32_t (*broadcast)(void *instance, uint32_t root, void *data, uint64_t n);

    /** [step] Ends what the others wait for, with this text, of which 500 bytes count. It does not
     * wait. If several ranks call it, one text counts for all. */
    int32_t (*abort)(void *instance, const char *text);

    /** [step] Sets *done to 1 if finish() would not wait, else to 0. It moves what can be moved, and
     * does not wait. The host may call it between begin() and finish(), while it computes what needs
     * no bytes of other ranks. NULL: it calls finish() at once. */
    int32_t (*test)(void *instance, uint32_t *done);
} scree_domain_ops;

#endif
