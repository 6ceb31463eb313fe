/* SPDX-License-Identifier: Apache-2.0 */
/* Shows the progress of a run on standard error: a bar on a terminal, otherwise a line now and
 * then. */
#ifndef CORE_PROGRESS_H
#define CORE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct scree_progress {
    bool on, terminal;
    int drawn;          /* 1: the line holds a bar; any thread may remove it */
    double begin, next; /* [s] at the start of the run; at the next bar or line */
    double last;        /* [s] at the last measurement of the rate */
    uint64_t last_done;
    double rate; /* [1/s] steps in the last interval */
} scree_progress;

/** Starts the clock. `on` false: it prints nothing. */
void scree_progress_begin(scree_progress *progress, bool on);
/** Called after each step; prints at intervals. `first`: steps of the state that the run
 * continues, which are shown as done, but do not count for the speed. `time`: simulated [s]. */
void scree_progress_step(scree_progress *progress, uint64_t done, uint64_t total, uint64_t first,
                         double time);
/** Removes the bar. Any thread may call it. */
void scree_progress_end(scree_progress *progress);

#endif
