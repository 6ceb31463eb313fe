/* SPDX-License-Identifier: Apache-2.0 */
/* What a run holds in memory: counted from its arrays, and foretold from its scene. */
#ifndef CORE_MEMORY_USE_H
#define CORE_MEMORY_USE_H

#include "engine/sim.h"

/** Some arrays of a run, and the bytes in them that have been written: the system gives pages when
 * they are, so that room for more costs nothing. */
typedef struct scree_memory_line {
    const char *what;
    uint64_t bytes;
} scree_memory_line;

enum { SCREE_MEMORY_LINES = 9 };

/** All that grows with the scene, in between two refreshes; a refresh works in the same memory. */
void scree_memory_count(const scree_sim *sim, scree_memory_line lines[SCREE_MEMORY_LINES]);

/** What observers ask for. */
typedef struct scree_memory_observers {
    bool any, want_contacts;
} scree_memory_observers;

/** Peak [bytes] of a run of this scene on one thread once its bodies lie as in a settled bed. A gas
 * needs less. */
double scree_memory_forecast(const scree_scene *scene, scree_memory_observers observers);

#endif
