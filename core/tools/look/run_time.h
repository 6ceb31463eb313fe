/* SPDX-License-Identifier: Apache-2.0 */
/* How long a run will take, from its first state and from measured costs. */
#ifndef CORE_RUN_TIME_H
#define CORE_RUN_TIME_H

#include "engine/state.h"

/** Predicts the time [s] of all steps of a run on one thread, with its pictures, by the costs of
 * costs.tsv and the pairs and contacts of its first state. 0: no forecast: the scene does not say
 * how long it runs, has no free body, or a modifier inserts bodies. */
double scree_run_time(const scree_sim *sim);

#endif
