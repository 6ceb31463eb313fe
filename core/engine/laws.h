/* SPDX-License-Identifier: Apache-2.0 */
/* Force laws on one batch of contacts. */
#ifndef CORE_LAWS_H
#define CORE_LAWS_H

#include "engine/lane.h"

/** Once for an evaluation, before any batch of it. */
void scree_laws_prepare(const scree_evaluation *e);
/** Gathers the inputs of all laws for the n contacts of the lane. */
void scree_laws_gather(const scree_evaluation *e, uint32_t n, scree_lane *lane);
/** Runs them; new fields go to `out` from its end on. Whether the results are finite is checked
 * here when there are several laws, else by the caller with scree_laws_check. */
bool scree_laws_run(const scree_evaluation *e, scree_table *out, uint32_t n, scree_lane *lane,
                    scree_batch_result *result);
/** Keeps what law `l` was given for the n contacts of the lane, unless another call was kept. */
void scree_laws_blame(const scree_evaluation *e, uint32_t l, const scree_table *out, uint32_t n,
                      scree_lane *lane);
/** False, and blamed, when something that the only law gave for the n contacts is not finite. */
bool scree_laws_check(const scree_evaluation *e, const scree_batch_result *result, uint32_t n,
                      scree_lane *lane);
/** [J] that the contact of the lane, which has opened, loses by that, as each law says. `depth`: at
 * the gap at which it has opened, for laws that do not follow it beyond. */
bool scree_laws_part(const scree_evaluation *e, scree_table *out, double depth, scree_lane *lane,
                     double *lost);

#endif
