/* SPDX-License-Identifier: Apache-2.0 */
/* Work that may crash, hang or litter: in a child process with limits, in an empty folder. */
#ifndef CORE_CHILD_H
#define CORE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/** The own time of a process: CPU time, and time in which all its threads were asleep. A slow machine, or one that has
 * stopped it, is not its fault. */
typedef struct scree_own_time {
    double cpu, asleep; /* [s] when it was looked at last */
    int64_t looked;     /* [us] g_get_monotonic_time() of that, at first of its start */
} scree_own_time;

enum { SCREE_LOOK_MS = 50 /* [ms] from one look at a process to the next */ };

/** Looks at a child process again, if the last look was long enough ago. */
void scree_own_time_look(scree_own_time *own, pid_t process);

/** A piece of work, and its result. */
typedef struct scree_child {
    double limit;   /* [s] of its own time, CPU and asleep */
    bool by_wall;   /* the limit is one of time on the clock, also of a child that is not served */
    uint64_t bytes; /* of memory and of a file that it may use; 0: no limit */
    /** In the child: appends to `answer`. Standard output is a file of its own; the current folder
     * is empty. */
    void (*work)(void *user, GString *answer);
    void *user;
    const volatile int *stop; /* not 0: it is ended at once, as if it hung; or NULL */
    /* Result. */
    GString *answer; /* whole when `answered`, else what has arrived of it */
    GString *errors; /* what was written to standard error */
    bool answered, hung;
    bool littered;      /* files were left in the folder */
    int status;         /* of waitpid, when not answered and not hung */
    scree_own_time own; /* not by_wall */
    pid_t process;      /* its number */
    char *shortage;     /* what the system has run out of in it (shortage.h), or NULL */
} scree_child;

/** Runs it and waits for its end; whatever it has started and left in its folder is removed. False:
 * it could not be started. Free with scree_child_clear in any case. */
bool scree_child_run(scree_child *child, GError **error);
/** The same for `n` children side by side, at most `most` at a time. False: one could not be
 * started though no other was running; those before it have ended. */
bool scree_child_run_all(scree_child *children, size_t n, size_t most, GError **error);
void scree_child_clear(scree_child *child);
/** fork() of the host: a call into a plugin may be under way, which may not fork itself. */
pid_t scree_fork(void);
/** Whether the calling thread is in it. */
bool scree_forks(void);

/** True in a child of scree_child_run when something was written to standard output. */
bool scree_child_printed(void);

#endif
