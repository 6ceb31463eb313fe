/* SPDX-License-Identifier: Apache-2.0 */
/* Records of contacts for observers and surveys, and overlaps that are worth a warning. */
#ifndef CORE_CONTACT_RECORD_H
#define CORE_CONTACT_RECORD_H

#include "engine/lane.h"

/** Gives a table room for n records of `width` bytes, and keeps `used` of them. */
void scree_record_table_grow(scree_record_table *table, size_t width, uint64_t n, uint64_t used);
/** Keeps the n contacts of the lane; the first is number `at` of the segment's new table. */
void scree_contacts_record(const scree_evaluation *e, const scree_list *list, scree_segment *s,
                           uint64_t at, uint32_t n, const scree_batch_result *result,
                           const scree_lane *lane);
/** Keeps what a survey of critical steps takes of them. */
void scree_contacts_survey(const scree_sim *sim, const scree_list *list, scree_segment *s,
                           uint64_t at, uint32_t n, const scree_batch_result *result,
                           const scree_lane *lane);
/** Keeps what law l has done to them: `batch` after its compute(), NULL: it does not act there. */
void scree_contacts_record_law(const scree_evaluation *e, const scree_list *list, uint32_t l,
                               scree_segment *s, uint64_t at, uint32_t n,
                               const scree_contact_batch *batch, const scree_lane *lane);
/** Notes overlaps of more than `least` of the smaller size (scree_shape_size) among the n contacts
 * of the lane; of a clump the ball that touches counts. */
void scree_overlaps_note(const scree_sim *sim, const scree_list *list, double least, uint32_t n,
                         const scree_lane *lane);

#endif
