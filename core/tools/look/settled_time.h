/* SPDX-License-Identifier: Apache-2.0 */
/* How long a step of a settled bed takes, by the times of steps with fewer contacts. */
#ifndef CORE_SETTLED_TIME_H
#define CORE_SETTLED_TIME_H

#include "engine/sim.h"

/** The counters before the timed steps. */
typedef struct scree_timed_from {
    uint64_t evaluations, candidates, contacts;
} scree_timed_from;

/** Opens the account of the phases, and notes the counters. */
scree_timed_from scree_settled_begin(scree_sim *sim);
/** Prints what a settled bed of the scene would take, if the `n` steps since `from`, in `wall`
 * seconds, had less than half of its contacts. */
void scree_settled_print(const scree_sim *sim, scree_timed_from from, int n, double wall);

#endif
