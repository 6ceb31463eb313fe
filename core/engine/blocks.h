/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of consecutive rows, and the segments of the lists between them. */
#ifndef CORE_BLOCKS_H
#define CORE_BLOCKS_H

#include "engine/state.h"

/** Returns the number of blocks that the next cut makes. */
uint32_t scree_blocks_wanted(const scree_sim *sim);
/** Cuts the free bodies into blocks of about equal work, at pages of 2^bits rows; `weight` [pages +
 * 1]: work before a page, or NULL. */
void scree_blocks_cut(scree_sim *sim, const uint64_t *weight, uint32_t bits);
/** Makes empty segments for this number of blocks; memory is kept. */
void scree_list_resize(scree_list *list, uint32_t n_blocks);
/** Counts the candidates in all lists. */
uint64_t scree_lists_candidates(const scree_sim *sim);

#endif
