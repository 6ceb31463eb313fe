/* SPDX-License-Identifier: Apache-2.0 */
/* Runs work that may crash, hang or litter in a child process with limits, in an empty folder. */
#ifndef CORE_CHILD_H
#define CORE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/process.h"

/** A piece of work, and its result. */
typedef struct scree_child {
    double limit; /* [s] of its own time */
    double rest;  /* [s] of it asleep, which then does not count with its CPU time; 0: it counts */
    bool by_wall; /* the limit is in time on the clock, even for a child that gets no CPU */
    uint64_t bytes; /* of memory, and of each file; 0: no limit */
    /** Appends to `answer`; called in the child. Its standard output is a file, its current folder
     * is empty. */
    void (*work)(void *user, GString *answer);
    void *user;
    const volatile int *stop; /* not 0: the child is ended at once, as if it hung; or NULL */
    /* Result. */
    GString *answer; /* complete if `answered`; otherwise what has arrived */
    GString *errors; /* what the child wrote to standard error */
    bool answered, hung;
    bool littered;      /* the child left files in its folder */
    int status;         /* from waitpid; set unless answered or hung */
    scree_own_time own; /* set unless by_wall */
    pid_t process;      /* its number */
    char *shortage;     /* what the child ran out of (shortage.h), or NULL */
} scree_child;

/** Runs the work and waits for its end; it removes its descendants and files. False: it could not
 * be started. scree_child_clear frees the child in any case. */
bool scree_child_run(scree_child *child, GError **error);
/** Runs `n` pieces of work side by side, at most `most` at a time. False: one could not be started
 * though none was running; earlier ones have ended. */
bool scree_child_run_all(scree_child *children, size_t n, size_t most, GError **error);
void scree_child_clear(scree_child *child);
/** Whether the child of scree_child_run has written to standard output. */
bool scree_child_printed(void);

#endif
