/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of boxes from the GCD, and what they mean in bodies. */
#ifndef CORE_SEARCH_H
#define CORE_SEARCH_H

#include "engine/state.h"

/** A candidate in storage numbers: row the lower one; shift of the column against the row. */
typedef struct scree_found {
    uint32_t row, col, part_row, part_col;
    scree_shift shift;
} scree_found;

void scree_search_prepare(scree_sim *sim);
void scree_search_clear(scree_sim *sim);
/** Fills sim->search.raw with the pairs whose extents overlap, at least one body of them free, and
 * with the list that each belongs to. `all`, `renumbered`: as scree_extent_renew says. */
bool scree_search_run(scree_sim *sim, bool all, bool renumbered, GError **error);
/** Frees the pairs, unless extents are renewed as bodies move, which needs them again. */
void scree_search_drop(scree_sim *sim);
/** Translates slots to bodies; false when the pair cannot be a candidate (both not free, or a
 * body with itself). */
bool scree_search_decode(const scree_sim *sim, scree_pair pair, scree_found *out);
/** An error that names the GCD and a pair of boxes. */
void scree_search_blame(const scree_sim *sim, scree_pair pair, const char *what, GError **error);

#endif
