/* SPDX-License-Identifier: Apache-2.0 */
/* Forks for the host, and the own time of a child process. */
#ifndef CORE_PROCESS_H
#define CORE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/** Forks for the host. A plugin may not fork, even if a call into it is under way. */
pid_t scree_fork(void);
/** Whether the calling thread is in scree_fork. */
bool scree_forks(void);

/** A process's own time: CPU time, and time in which all its threads sleep. A slow machine, or one
 * that has stopped the process, does not count. */
typedef struct scree_own_time {
    double cpu, asleep; /* [s] at the last look */
    int64_t looked;     /* [us] g_get_monotonic_time() at the last look; at first, at its start */
} scree_own_time;

enum { SCREE_LOOK_MS = 50 /* [ms] between two looks at a process */ };

/** Looks at a child process again, unless the last look was a moment ago. */
void scree_own_time_look(scree_own_time *own, pid_t process);

#endif
