/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of boxes from the GCD, and their bodies. */
#ifndef CORE_SEARCH_H
#define CORE_SEARCH_H

#include "engine/state.h"

/** A candidate in storage numbers: row is the lower one; shift from row to column. */
typedef struct scree_found {
    uint32_t row, col, part_row, part_col;
    scree_cells shift;
} scree_found;

void scree_search_prepare(scree_sim *sim);
void scree_search_clear(scree_sim *sim);
/** Fills sim->search.raw with pairs whose extents overlap and that have a free body, and with their
 * lists. `all`, `renumbered`: from scree_extent_renew. */
bool scree_search_run(scree_sim *sim, bool all, bool renumbered, GError **error);
/** Frees the pairs, unless extents are renewed as bodies move: they are then needed again. */
void scree_search_drop(scree_sim *sim);
/** Translates slots to bodies. False: the pair cannot be a candidate (both not free, or one
 * body). */
bool scree_search_decode(const scree_sim *sim, scree_pair pair, scree_found *out);
/** Checks that the cells from body i to body j can be packed (shift.h). */
bool scree_search_check_cells(const scree_sim *sim, uint32_t i, uint32_t j, const int32_t cells[3],
                              GError **error);
/** Sets an error that names the GCD and a pair of boxes. */
void scree_search_blame(const scree_sim *sim, scree_pair pair, const char *what, GError **error);

#endif
