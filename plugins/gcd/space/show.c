/* SPDX-License-Identifier: Apache-2.0 */
/* The leaves of a space for pictures (draft.layout/1). */
#include "space.h"

/* Narrows the bounds of a split cell to those of a child. Outermost children have the bounds of
 * their parent. */
static void narrow(const space *s, const space_split *p, const uint32_t at[3],
                   scree_layout_cell *child)
{
    for (uint32_t k = 0; k < s->axes; k++) {
        const double *cuts = s->cuts + p->cuts[k];
        if (p->kind == SPACE_CUTS && at[k] > 0)
            child->lo[k] = cuts[at[k] - 1];
        if (p->kind == SPACE_CUTS && at[k] + 1 < p->n[k])
            child->hi[k] = cuts[at[k]];
        if (p->kind != SPACE_GRID || !(p->inv[k] > 0.0))
            continue;
        if (at[k] > 0)
            child->lo[k] = p->x0[k] + at[k] / p->inv[k];
        if (at[k] + 1 < p->n[k])
            child->hi[k] = p->x0[k] + (at[k] + 1) / p->inv[k];
    }
}

static int32_t show(const space *s, uint32_t cell, scree_layout_cell bounds,
                    const scree_layout_sink *sink)
{
    const space_cell *c = &s->cells[cell];
    int32_t status = SCREE_OK;
    bounds.level = c->depth;
    bounds.n = c->count;
    if (c->split == SCREE_NONE)
        return c->count ? sink->put(sink->ctx, &bounds, 1) : SCREE_OK;
    const space_split *p = &s->splits[c->split];
    const uint32_t n = p->n[0] * p->n[1] * p->n[2];
    for (uint32_t m = 0; m < n && status == SCREE_OK; m++) {
        const uint32_t at[3] = {m % p->n[0], m / p->n[0] % p->n[1], m / p->n[0] / p->n[1]};
        scree_layout_cell child = bounds;
        narrow(s, p, at, &child);
        status = show(s, p->first + m, child, sink); // no deeper than SPACE_DEEPEST
    }
    return status;
}

static int32_t show_leaves(void *instance, const scree_layout_sink *sink)
{
    const space *s = instance;
    scree_layout_cell all = {.kind = SCREE_LAYOUT_CELL};
    for (uint32_t k = 0; k < s->axes; k++) {
        all.lo[k] = -HUGE_VAL;
        all.hi[k] = HUGE_VAL;
    }
    return s->n_cells ? show(s, 0, all, sink) : SCREE_OK;
}

static const scree_layout layout = {.size = sizeof(scree_layout), .cells = show_leaves};

const void *scree_space_extension(const char *name)
{
    return strcmp(name, SCREE_DRAFT_LAYOUT) == 0 ? &layout : NULL;
}
