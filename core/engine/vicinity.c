/* SPDX-License-Identifier: Apache-2.0 */
/* Takes boxes that are far from all own rows out of contact detection. */
#include "engine/vicinity.h"

#include <math.h>
#include <string.h>

#include "engine/conformal.h"
#include "engine/rank_rows.h"
#include "scree/sdk.h"

/*
 * The room around the boxes of own rows is cut into cells, with a bit for each cell that one of
 * these boxes meets. A box of another body that meets no such cell can meet none of them. Cells are
 * as wide as the mean box or wider, so that most boxes meet a few of them.
 */

enum { MOST_CELLS = 1 << 18 };

typedef struct vicinity {
    const scree_box_set *set;
    double lo[3], hi[3]; /* of all boxes of own rows */
    double per_length[3];
    int32_t n[3];
    uint64_t *bits; /* scratch memory */
} vicinity;

/** A range of cells along each axis. */
typedef struct cell_range {
    int32_t first[3], last[3];
} cell_range;

static bool is_of_row(const scree_box_set *set, uint32_t slot, scree_rows own)
{
    return scree_box_body(set, slot) - own.first < own.end - own.first &&
           !scree_box_empty(&set->view, slot);
}

/** Finds the room around the boxes of own rows. Returns their number; *side: their mean side. */
static uint32_t find_room(vicinity *v, scree_rows own, double *side)
{
    const scree_box_set *set = v->set;
    uint32_t n = 0;
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        v->lo[k] = (double)INFINITY;
        v->hi[k] = -(double)INFINITY;
    }
    for (uint32_t s = 0; s < set->view.n; s++) {
        if (!is_of_row(set, s, own))
            continue;
        for (int k = 0; k < 3; k++) {
            v->lo[k] = fmin(v->lo[k], set->lo[k][s]);
            v->hi[k] = fmax(v->hi[k], set->hi[k][s]);
        }
        sum += set->hi[0][s] - set->lo[0][s];
        n++;
    }
    *side = sum / fmax(n, 1.0);
    return n;
}

/** Cuts the room into cells. */
static void cut_room(const scree_sim *sim, vicinity *v, double side)
{
    double volume = 1.0;
    const uint32_t axes = sim->world->dimension;
    for (uint32_t k = 0; k < axes; k++)
        volume *= v->hi[k] - v->lo[k];
    side = fmax(side, pow(volume / MOST_CELLS, 1.0 / axes));
    size_t n = 1;
    for (uint32_t k = 0; k < 3; k++) {
        const double most = cbrt(MOST_CELLS), want = (v->hi[k] - v->lo[k]) / side;
        v->n[k] = k < axes && want > 1.0 ? (int32_t)fmin(want, axes == 2 ? 512.0 : most) : 1;
        v->per_length[k] = v->n[k] > 1 ? v->n[k] / (v->hi[k] - v->lo[k]) : 0.0;
        n *= (size_t)v->n[k];
    }
    const size_t bytes = (n / 64 + 1) * sizeof *v->bits;
    v->bits = memset(scree_scratch_take(sim->scratch, bytes), 0, bytes);
}

/** Finds the cells that a box may meet. Returns whether it meets the room. */
static bool find_range(const vicinity *v, uint32_t slot, cell_range *c)
{
    const scree_box_set *set = v->set;
    for (int k = 0; k < 3; k++) {
        const double lo = set->lo[k][slot], hi = set->hi[k][slot];
        if (!(lo <= v->hi[k] && hi >= v->lo[k]))
            return false;
        const double last = v->n[k] - 1; // rounding is monotone: boxes that meet share a cell
        c->first[k] = (int32_t)fmin(fmax((lo - v->lo[k]) * v->per_length[k], 0.0), last);
        c->last[k] = (int32_t)fmin(fmax((hi - v->lo[k]) * v->per_length[k], 0.0), last);
    }
    return true;
}

/** Marks cells, or (!marks) looks for a mark. Returns whether it has found one. */
static bool walk_cells(const vicinity *v, const cell_range *c, bool marks)
{
    for (int32_t z = c->first[2]; z <= c->last[2]; z++)
        for (int32_t y = c->first[1]; y <= c->last[1]; y++)
            for (int32_t x = c->first[0]; x <= c->last[0]; x++) {
                const size_t at = ((size_t)z * v->n[1] + y) * v->n[0] + x;
                if (marks)
                    v->bits[at / 64] |= (uint64_t)1 << at % 64;
                else if (v->bits[at / 64] >> at % 64 & 1)
                    return true;
            }
    return false;
}

/** Empties a box; its other data stay. */
static void empty_box(const scree_box_set *set, uint32_t slot)
{
    for (int k = 0; k < 3; k++) {
        set->lo[k][slot] = (double)INFINITY;
        set->hi[k][slot] = -(double)INFINITY;
    }
}

/** Marks the cells that boxes of own rows meet. */
static void mark_rows(const vicinity *v, scree_rows own)
{
    cell_range c;
    for (uint32_t s = 0; s < v->set->view.n; s++)
        if (is_of_row(v->set, s, own) && find_range(v, s, &c))
            walk_cells(v, &c, true);
}

void scree_vicinity_pick(const scree_sim *sim, scree_box_set *set)
{
    const scree_rows own = scree_ranks_rows(sim);
    const uint32_t end = scree_conformal_offered(sim) ? sim->world->n_free : sim->world->n;
    vicinity v = {.set = set};
    double side;
    cell_range c;
    const bool any = find_room(&v, own, &side) > 0;
    if (any) {
        cut_room(sim, &v, side);
        mark_rows(&v, own);
    }
    for (uint32_t s = 0; s < set->view.n; s++) {
        const uint32_t body = scree_box_body(set, s);
        if (body >= end || body - own.first < own.end - own.first)
            continue;
        if (!any || !find_range(&v, s, &c) || !walk_cells(&v, &c, false))
            empty_box(set, s);
    }
    scree_scratch_give(sim->scratch, v.bits);
}
