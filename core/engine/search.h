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
/** Fills the buckets of sim->search with pairs whose extents overlap and that have a free body; they
 * stay until scree_scratch_end. `all`, `renumbered`: from scree_extent_renew. sim->search.listed:
 * only pairs with a box that moved were sought. */
bool scree_search_run(scree_sim *sim, bool all, bool renumbered, GError **error);
/** Returns the number of entries in the buckets of a page. */
uint64_t scree_search_count(const scree_sim *sim, uint32_t page);
/** Finds the shape types of all bodies, in scratch memory, for the lists. */
void scree_search_type(scree_sim *sim);
/** Adds an entry to them, between searches; `extra`: index of the extra pair. */
void scree_search_put(scree_sim *sim, uint32_t row, uint32_t col, uint32_t extra);
/** Translates slots to bodies. False: the pair cannot be a candidate (both not free, or one
 * body). */
bool scree_search_decode(const scree_sim *sim, scree_pair pair, scree_found *out);
/** Notes, on any lane, a pair that the GCD may not emit; `fault` is a constant. */
void scree_search_fault(scree_sim *sim, uint32_t lane, scree_pair pair, const char *fault);
/** Returns whether no such pair was noted; otherwise blames the GCD. */
bool scree_search_check(const scree_sim *sim, GError **error);
/** Checks that the cells from body i to body j can be packed (shift.h). */
bool scree_search_check_cells(const scree_sim *sim, uint32_t i, uint32_t j, const int32_t cells[3],
                              GError **error);
/** Sets an error that names the GCD and a pair of boxes. */
void scree_search_blame(const scree_sim *sim, scree_pair pair, const char *what, GError **error);

#endif
