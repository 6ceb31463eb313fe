/* SPDX-License-Identifier: Apache-2.0 */
/* guard.sample: searches for the pairs of some boxes, each against all others. */
#ifndef CORE_SEARCH_SAMPLE_H
#define CORE_SEARCH_SAMPLE_H

#include "engine/state.h"

/** guard.sample: checks that all pairs with each of `n` boxes were found: other boxes in each step,
 * the same ones in a repeated step; after an incremental search only boxes that have moved. */
bool scree_search_check_sample(const scree_sim *sim, uint32_t n, GError **error);

#endif
