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
/** Fills the buckets of sim->search with pairs whose extents overlap and that have a free body;
 * they stay until scree_scratch_end. `all`, `renumbered`: from scree_extent_renew.
 * sim->search.listed: only pairs with a box that moved were sought. */
bool scree_search_run(scree_sim *sim, bool all, bool renumbered, GError **error);
/** Returns the number of entries in the buckets of a page. */
uint64_t scree_search_count(const scree_sim *sim, uint32_t page);
/** A walk over the chunks in the buckets of a page. */
typedef struct scree_chunks {
    const scree_sim *sim;
    uint32_t page, lane;
    const scree_bucket *bucket;
    const scree_chunk *next;
} scree_chunks;
static inline scree_chunks scree_search_chunks(const scree_sim *sim, uint32_t page)
{
    return (scree_chunks){.sim = sim, .page = page};
}
/** Returns the *n words of the next chunk; NULL: no chunk is left. */
const uint64_t *scree_chunks_next(scree_chunks *walk, uint32_t *n);
/** Finds the shape types of all bodies, in scratch memory, for the lists. */
void scree_search_type(scree_sim *sim);
/** Writes a candidate as an entry. `slots`: lower << 32 | higher. */
void scree_search_entry(const scree_sim *sim, const scree_found *found, uint64_t slots,
                        uint64_t *entry);
/** Adds a candidate of the host to the buckets, between searches. */
void scree_search_put(const scree_sim *sim, const scree_found *found);
/** Returns part j of all parts of a segment's pairs, which belongs to pair p, as a candidate. */
static inline scree_found scree_pair_found(const scree_segment *s, uint32_t p, uint32_t j)
{
    const uint32_t of_a = s->first ? s->part_a[j] : 0, of_b = s->first ? s->part_b[j] : 0;
    const bool row_is_a = s->a[p] <= s->b[p];
    return (scree_found){scree_pair_row(s, p), scree_pair_column(s, p), row_is_a ? of_a : of_b,
                         row_is_a ? of_b : of_a, s->shift ? s->shift[p] : SCREE_SHIFT_ZERO};
}
/** Returns whether a candidate's column is a: the lower shape type, then the lower id. */
static inline bool scree_column_is_a(const scree_sim *sim, uint32_t row, uint32_t col)
{
    const uint8_t type = scree_body_type(sim, row), other = scree_body_type(sim, col);
    return type != other ? other < type : sim->world->id[col] < sim->world->id[row];
}
/** Notes, on any lane, a pair that the GCD may not emit; `fault` is a constant. */
void scree_search_fault(const scree_sim *sim, uint32_t lane, scree_pair pair, const char *fault);
/** Returns whether no such pair was noted; otherwise blames the GCD. */
bool scree_search_check(const scree_sim *sim, GError **error);
/** Returns whether extents overlap: `spheres`, `corners`: bounding spheres and boxes count. */
static inline bool scree_search_overlap(const scree_boxes *b, uint32_t i, uint32_t j, bool spheres,
                                        bool corners)
{
    double dx = b->centre[0][i] - b->centre[0][j], dy = b->centre[1][i] - b->centre[1][j];
    double dz = b->centre[2][i] - b->centre[2][j], reach = b->radius[i] + b->radius[j];
    bool near = !spheres | (dx * dx + dy * dy + dz * dz <= reach * reach);
    if (corners)
        near &= (b->lo[0][i] <= b->hi[0][j]) & (b->lo[0][j] <= b->hi[0][i]) &
                (b->lo[1][i] <= b->hi[1][j]) & (b->lo[1][j] <= b->hi[1][i]) &
                (b->lo[2][i] <= b->hi[2][j]) & (b->lo[2][j] <= b->hi[2][i]);
    return near;
}

/** Returns whether a body of a pair is one of the rows that are sought: a free body of this
 * rank. */
static inline bool scree_search_has_row(scree_row_range own, uint32_t i, uint32_t j)
{
    return (i - own.first < own.n) | (j - own.first < own.n);
}

/** Blames the GCD for a pair. */
void scree_search_blame(const scree_sim *sim, scree_pair pair, const char *what, GError **error);
/** Checks that the cells from body i to body j can be packed (shift.h). */
bool scree_search_check_cells(const scree_sim *sim, uint32_t i, uint32_t j, const int32_t cells[3],
                              GError **error);

#endif
