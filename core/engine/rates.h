/* SPDX-License-Identifier: Apache-2.0 */
/* Rates of body fields: what laws and modifiers add, summed per body, and the step that follows. */
#ifndef CORE_RATES_H
#define CORE_RATES_H

#include "engine/lane.h"

/** Zeros, before an accepted evaluation. */
void scree_rates_clear(const scree_sim *sim);
/** Shows a law the body fields that it reads, and where it adds, for the n contacts of the lane. */
void scree_rates_fill(const scree_sim *sim, const scree_law *law, uint32_t n, scree_lane *lane,
                      scree_contact_batch *batch);
/** Before the laws of a batch: nothing is added yet. */
void scree_rates_begin(const scree_sim *sim, uint32_t n, scree_lane *lane);
/** Takes what a law has added; false, with blame, when a number of it is not finite. */
bool scree_rates_take(const scree_evaluation *e, const scree_law *law, uint32_t n,
                      scree_lane *lane);
/** Adds that to the rates of the bodies (`local`), or keeps it with the loads that were stored
 * last. */
void scree_rates_deliver(const scree_sim *sim, scree_segment *s, uint32_t n, bool local,
                         const scree_lane *lane);
/** Adds what was kept with the loads of a segment, to the rows or to the columns. */
void scree_rates_add_loads(const scree_sim *sim, const scree_segment *s, bool to_rows);
/** False when a rate of a free body is not finite, which is the fault of the modifier that was
 * called last, or, without one, of the sum. Those of other bodies are 0 again. */
bool scree_rates_check(const scree_sim *sim, const scree_instance *modifier, GError **error);
/** Moves the fields of free bodies on by a step: the integrator does, or the host. */
bool scree_rates_advance(const scree_sim *sim, const scree_motion *motion, GError **error);

#endif
