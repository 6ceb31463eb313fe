/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of a run: counted from its arrays, or predicted from its scene. */
#ifndef CORE_MEMORY_USE_H
#define CORE_MEMORY_USE_H

#include "engine/state.h"
#include "plugin/instance.h"

/** Arrays of a run, and how many of their bytes were written. The system gives pages at the first
 * write: unused capacity costs nothing. */
typedef struct scree_memory_line {
    const char *what;
    uint64_t bytes;
} scree_memory_line;

enum { SCREE_MEMORY_LINES = 10 };

/** Counts all memory that grows with the scene, between two refreshes; a refresh uses the same
 * memory. */
void scree_memory_count(const scree_sim *sim, scree_memory_line lines[SCREE_MEMORY_LINES]);

/** Whether a run has observers, and whether one needs contacts. */
typedef struct scree_memory_observers {
    bool any;
    scree_listed want; /* the most that one needs of its contacts */
} scree_memory_observers;

/** Predicts the peak [bytes] of a run on one thread with its bodies settled in a bed. A gas needs
 * less. */
double scree_memory_forecast(const scree_scene *scene, scree_memory_observers observers);

/** Per body, in a settled bed of equal spheres, in 2D discs, with a list that reaches 0.2 r
 * farther. */
typedef struct scree_settled_bed {
    double pairs, contacts; /* [-] */
} scree_settled_bed;

scree_settled_bed scree_settled_bed_of(uint32_t dimension);

#endif
