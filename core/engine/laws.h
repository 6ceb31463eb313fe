/* SPDX-License-Identifier: Apache-2.0 */
/* Force laws on one batch of contacts. */
#ifndef CORE_LAWS_H
#define CORE_LAWS_H

#include "engine/lane.h"

/** Call it once for an evaluation, before any batch. */
void scree_laws_prepare(const scree_evaluation *e);
/** The same for one lane, whose arrays are others now. */
void scree_laws_prepare_lane(const scree_evaluation *e, scree_lane *lane);
/** Gathers the inputs of all laws for the n contacts of the lane, of this list. */
void scree_laws_gather(const scree_evaluation *e, const scree_list *list, uint32_t n,
                       scree_lane *lane);
/** Runs those that act on the contacts of a list; new fields go to the new table of the segment
 * from its end on. Whether the results are finite is checked here when there are several laws, else
 * by the caller with scree_laws_check. */
bool scree_laws_run(const scree_evaluation *e, const scree_list *list, scree_segment *s, uint32_t n,
                    scree_lane *lane, scree_batch_result *result);
/** False, with blame, when a result of the only law for the n contacts is not finite. */
bool scree_laws_check(const scree_evaluation *e, const scree_batch_result *result, uint32_t n,
                      scree_lane *lane);
/** *lost [J]: energy that the contact of the lane loses as it opens, by each law that acts on the list. `depth`: at
 * which it opened, for laws that do not follow it further. */
bool scree_laws_part(const scree_evaluation *e, const scree_list *list, scree_table *out,
                     double depth, scree_lane *lane, double *lost);

#endif
