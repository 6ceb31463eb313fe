/* SPDX-License-Identifier: Apache-2.0 */
/* Rates of body fields: laws and modifiers add to them, and the fields move on by their sums. */
#ifndef CORE_RATES_H
#define CORE_RATES_H

#include "engine/lane.h"

/** Zeroes the rates before an accepted evaluation. */
void scree_rates_clear(const scree_sim *sim);
/** Shows a law the body fields that it reads, and its sums of rates, for the lane's n contacts. */
void scree_rates_fill(const scree_sim *sim, const scree_law *law, uint32_t n, scree_lane *lane,
                      scree_contact_batch *batch);
/** Zeroes the sums before the laws of a batch. */
void scree_rates_begin(const scree_sim *sim, uint32_t n, scree_lane *lane);
/** Takes a law's additions. False, with blame: one is not finite. */
bool scree_rates_take(const scree_evaluation *e, const scree_law *law, uint32_t n,
                      scree_lane *lane);
/** Adds the sums to the rates of the bodies (`local`), or keeps them with the loads that were
 * stored last. */
void scree_rates_deliver(const scree_sim *sim, scree_segment *s, uint32_t n, bool local,
                         const scree_lane *lane);
/** Adds the sums kept with the loads of a segment, to the rows or to the columns. */
void scree_rates_add_loads(const scree_sim *sim, const scree_segment *s, bool to_rows);
/** Checks the rates of free bodies; zeroes those of others. False: one is not finite, by the last
 * called modifier, or, if NULL, by the sum. */
bool scree_rates_check(const scree_sim *sim, const scree_instance *modifier, GError **error);
/** Moves the fields of free bodies on by a step, by the integrator or the host. */
bool scree_rates_advance(const scree_sim *sim, const scree_motion *motion, GError **error);

#endif
