/* SPDX-License-Identifier: Apache-2.0 */
/* Records of contacts for observers and surveys, and overlaps large enough for a warning. */
#ifndef CORE_CONTACT_RECORD_H
#define CORE_CONTACT_RECORD_H

#include "engine/lane.h"

/** Gives a table room for n records of `width` bytes, and keeps the first `used`. */
void scree_record_table_grow(scree_record_table *table, size_t width, uint64_t n, uint64_t used);
/** Records the n contacts of the lane; the first one has number `at` in the segment's new table. */
void scree_contacts_record(const scree_evaluation *e, const scree_list *list, scree_segment *s,
                           uint64_t at, uint32_t n, const scree_batch_result *result,
                           const scree_lane *lane);
/** Records the quantities for a survey of critical steps. */
void scree_contacts_survey(const scree_sim *sim, const scree_list *list, scree_segment *s,
                           uint64_t at, uint32_t n, const scree_batch_result *result,
                           const scree_lane *lane);
/** Records the results of law l: `batch` after its compute(); NULL: it does not act there. */
void scree_contacts_record_law(const scree_evaluation *e, const scree_list *list, uint32_t l,
                               scree_segment *s, uint64_t at, uint32_t n,
                               const scree_contact_batch *batch, const scree_lane *lane);
/** Notes overlaps of more than `least` of the smaller size (scree_shape_size) among the n contacts
 * of the lane; for a clump, the size is that of the touching ball. */
void scree_overlaps_note(const scree_sim *sim, const scree_list *list, double least, uint32_t n,
                         const scree_lane *lane);

#endif
