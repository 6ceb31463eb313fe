/* SPDX-License-Identifier: Apache-2.0 */
/* Storage numbers of bodies by id. */
#ifndef CORE_BODY_INDEX_H
#define CORE_BODY_INDEX_H

#include "engine/world.h"

/** Returns the storage numbers in the order of ids; new array. */
uint32_t *scree_body_index_new(const scree_world *world);
/** Fills the caller's memory with them. `table`: memory of scree_body_table_length; NULL for 0. */
void scree_body_index_fill(const scree_world *world, uint32_t *by_id, uint32_t *table);
/** Returns the storage number of an id in `by_id` of scree_body_index_new, or SCREE_NONE. */
uint32_t scree_body_index_find(const scree_world *world, const uint32_t *by_id, uint64_t id);

/** Returns [next_id + 1] storage numbers by id, SCREE_NONE: the body is gone. NULL: too few ids are left,
 * and scree_body_index_find must be used. */
uint32_t *scree_body_table_new(const scree_world *w);
/** Returns the length of this table; 0: too few ids are left. */
uint64_t scree_body_table_length(const scree_world *w);

#endif
