/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the pairs of blocks to their segments. */
#ifndef CORE_ROW_WRITER_H
#define CORE_ROW_WRITER_H

#include "engine/state.h"

/** Writes the segments of blocks [begin, end) from the buckets of the last search and the planes;
 * `user`: scree_sim. Notes pairs that the GCD emitted twice (scree_search_check). */
int32_t scree_write_blocks(void *user, uint64_t begin, uint64_t end, uint32_t lane);

#endif
