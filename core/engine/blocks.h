/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of consecutive rows, and the segments of the lists between them. */
#ifndef CORE_BLOCKS_H
#define CORE_BLOCKS_H

#include "engine/state.h"

/** Cuts the free bodies into blocks of about equal work; `weight` [n_free + 1]: cumulative work, or
 * NULL. */
void scree_blocks_cut(scree_sim *sim, const uint64_t *weight);
/** Makes empty segments for this number of blocks; memory is kept. */
void scree_list_resize(scree_list *list, uint32_t n_blocks);

#endif
