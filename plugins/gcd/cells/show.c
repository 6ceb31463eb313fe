/* SPDX-License-Identifier: Apache-2.0 */
/* The cells of gcd/grid and gcd/hgrid for pictures (draft.layout/1). */
#include "cells.h"

/* The cell of a box on an axis [cells], before folding. */
static int64_t place_of(const cells *g, const level *v, uint32_t axis, uint32_t i)
{
    return to_units(g->boxes.lo[axis][i], g->origin[axis], v->scale) >> BITS;
}

/* The cell in which a box begins. A cell of a torus stands for several places: boxes of other
 * places are cells of their own. */
static void cell_of(const cells *g, const level *v, uint32_t i, scree_layout_cell *c)
{
    for (uint32_t k = 0; k < 3; k++) {
        const double side = UNIT / v->scale,
                     first = k < g->axes ? (double)place_of(g, v, k, i) : 0.0;
        c->lo[k] = k < g->axes ? g->origin[k] + first * side : 0.0;
        c->hi[k] = k < g->axes ? g->origin[k] + (first + 1.0) * side : 0.0;
    }
}

static int is_same(const scree_layout_cell *a, const scree_layout_cell *b)
{
    return memcmp(a->lo, b->lo, sizeof a->lo) == 0;
}

static int32_t show_cells(void *instance, const scree_layout_sink *sink)
{
    const cells *g = instance;
    int32_t status = SCREE_OK;
    for (uint32_t l = 0; l < g->n_levels; l++) {
        const level *v = &g->level[l];
        scree_layout_cell now = {.kind = SCREE_LAYOUT_CELL, .level = g->n_levels - 1 - l};
        for (uint32_t at = v->begin; at < v->end && status == SCREE_OK; at++) {
            scree_layout_cell next = {.kind = SCREE_LAYOUT_CELL, .level = now.level, .n = 1};
            cell_of(g, v, g->ids[at], &next);
            if (now.n && is_same(&now, &next)) {
                now.n++;
                continue;
            }
            status = now.n ? sink->put(sink->ctx, &now, 1) : SCREE_OK;
            now = next;
        }
        status = status == SCREE_OK && now.n ? sink->put(sink->ctx, &now, 1) : status;
    }
    return status;
}

static const scree_layout layout = {.size = sizeof(scree_layout), .cells = show_cells};

const void *scree_cells_extension(const char *name)
{
    return strcmp(name, SCREE_DRAFT_LAYOUT) == 0 ? &layout : NULL;
}
