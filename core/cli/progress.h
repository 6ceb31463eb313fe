/* SPDX-License-Identifier: Apache-2.0 */
/* Shows on standard error how far a run is: a bar on a terminal, a line now and then elsewhere. */
#ifndef CORE_PROGRESS_H
#define CORE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct scree_progress {
    bool on, terminal;
    int drawn;          /* 1: a bar is on the line; a line of another thread may remove it */
    double begin, next; /* [s] of the run; of the next bar or line */
    double last;        /* [s] when the rate was taken */
    uint64_t last_done;
    double rate; /* [1/s] steps, of the last interval */
} scree_progress;

/** Starts the clock; `on` false: prints nothing. */
void scree_progress_begin(scree_progress *progress, bool on);
/** Call it after each step: prints at intervals. `time`: simulated [s]. */
void scree_progress_step(scree_progress *progress, uint64_t done, uint64_t total, double time);
/** Removes the bar; from any thread. */
void scree_progress_end(scree_progress *progress);

#endif
