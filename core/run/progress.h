/* SPDX-License-Identifier: Apache-2.0 */
/* How far a run is, on standard error: a bar on a terminal, a line now and then elsewhere. */
#ifndef CORE_PROGRESS_H
#define CORE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct scree_progress {
    bool on, terminal;
    bool drawn;         /* a bar stands on the line */
    double begin, next; /* [s] of the run; when to say something next */
    double last;        /* [s] when the rate was taken */
    uint64_t last_done;
    double rate; /* [1/s] steps, of the last interval */
} scree_progress;

/** Starts the clock; `on` false: never says anything. */
void scree_progress_begin(scree_progress *progress, bool on);
/** After each step: cheap, and mostly silent. `time`: simulated [s]. */
void scree_progress_step(scree_progress *progress, uint64_t done, uint64_t total, double time);
/** Wipes the bar. */
void scree_progress_end(scree_progress *progress);

#endif
