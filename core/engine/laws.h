/* SPDX-License-Identifier: Apache-2.0 */
/* Force laws on one batch of contacts. */
#ifndef CORE_LAWS_H
#define CORE_LAWS_H

#include "engine/lane.h"

/** Called once in an evaluation, before any batch. */
void scree_laws_prepare(const scree_evaluation *e);
/** Called for one lane whose arrays have moved. */
void scree_laws_prepare_lane(const scree_evaluation *e, scree_lane *lane);
/** Gathers the inputs of all laws for the lane's n contacts, which are in this list. */
void scree_laws_gather(const scree_evaluation *e, const scree_list *list, uint32_t n,
                       scree_lane *lane);
/** Runs the laws that act on the contacts of a list; new fields are appended to the segment's new
 * table. With several laws, results are checked to be finite; otherwise the caller does it with
 * scree_laws_check. */
bool scree_laws_run(const scree_evaluation *e, const scree_list *list, scree_segment *s, uint32_t n,
                    scree_lane *lane, scree_batch_result *result);
/** Checks the results of the only law for the n contacts. False, with blame: one is not finite. */
bool scree_laws_check(const scree_evaluation *e, const scree_batch_result *result, uint32_t n,
                      scree_lane *lane);
enum { SCREE_MOST_PARTED = 64 };
/** Writes lost [J], the energies that the lane's n <= SCREE_MOST_PARTED contacts lose as they open, by all
 * laws that act on the list. `closed`: depths at which they opened, for laws that follow them no further. */
bool scree_laws_part(const scree_evaluation *e, const scree_list *list, scree_table *out,
                     uint32_t n, const double *closed, scree_lane *lane, double *lost);

#endif
