/* SPDX-License-Identifier: Apache-2.0 */
/* Storage numbers of bodies by their ids. */
#ifndef CORE_BODY_INDEX_H
#define CORE_BODY_INDEX_H

#include "engine/world.h"

/** Storage numbers in the order of ids; new array. */
uint32_t *scree_body_index_new(const scree_world *world);
/** The same in the caller's memory. `table`: scree_body_table_length for work; NULL where that is 0. */
void scree_body_index_fill(const scree_world *world, uint32_t *by_id, uint32_t *table);
/** Storage number of an id, or SCREE_NONE: binary search over `by_id` of scree_body_index_new. */
uint32_t scree_body_index_find(const scree_world *world, const uint32_t *by_id, uint64_t id);

/** [next_id + 1] storage number by id, SCREE_NONE: it has gone; NULL: too few of the ids are left.
 * With scree_body_index_find for that case. */
uint32_t *scree_body_table_new(const scree_world *w);
/** How long it is; 0: too few of the ids are left. */
uint64_t scree_body_table_length(const scree_world *w);

#endif
