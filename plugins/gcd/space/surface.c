/* SPDX-License-Identifier: Apache-2.0 */
/* Surfaces, which are entered only into the leaves that they come near; see space.h. */
#include <float.h>

#include "space.h"

#define SPARE 1.25 /* reach over the largest side: boxes may grow a little */

static double largest_side(const space *s, uint32_t i)
{
    double side = 0.0;
    for (uint32_t k = 0; k < s->axes; k++) {
        const double by = s->boxes.hi[k][i] - s->boxes.lo[k][i];
        side = side > by ? side : by;
    }
    return side;
}

static int is_known(const space *s, uint32_t i)
{
    return s->conformal && s->service->knows(s->service->ctx, i);
}

void scree_space_mark_surface(space *s, uint32_t i)
{
    s->n_surfaces -= s->surface[i];
    s->surface[i] = i < s->boxes.n && is_known(s, i) && largest_side(s, i) > s->reach;
    s->n_surfaces += s->surface[i];
}

void scree_space_mark_surfaces(space *s)
{
    double side = 0.0;
    if (!s->conformal)
        return;
    for (uint32_t i = 0; i < s->boxes.n; i++)
        if (!scree_box_empty(&s->boxes, i) && !is_known(s, i)) {
            const double by = largest_side(s, i);
            side = side > by ? side : by;
        }
    s->reach = SPARE * side;
    for (uint32_t i = 0; i < s->slots; i++)
        scree_space_mark_surface(s, i);
}

int scree_space_outreached(const space *s)
{
    int out = 0;
    for (uint32_t m = 0; m < s->n_moved && s->conformal && !out; m++) {
        const uint32_t i = s->moved[m];
        out = largest_side(s, i) > s->reach && !is_known(s, i);
    }
    return out;
}

/* ---- the leaves that a surface comes near ---- */

typedef struct block { // block of children of a split, [a, b] per axis
    const space_split *split;
    uint32_t first[3], a[3], b[3]; // first: the child where the surface's box begins
    uint32_t mask;                 // mask of the split cell
    double lo[3], hi[3];           // [m] bounds of the split cell
} block;

typedef struct near {
    const space *s;
    uint32_t slot;
    const double *lo, *hi; // [m] corners of the surface's box
    space_take_fn take;
    void *user;
} near;

/* Bounds of a child; they are infinite where the child is outermost and those of the split cell are
 * infinite. */
static void bounds_of(const space *s, const space_split *p, const uint32_t a[3],
                      const uint32_t b[3], double lo[3], double hi[3])
{
    for (uint32_t k = 0; k < s->axes; k++) {
        if (!(p->inv[k] > 0.0))
            continue;
        if (a[k] > 0)
            lo[k] = p->x0[k] + a[k] / p->inv[k];
        if (b[k] + 1 < p->n[k])
            hi[k] = p->x0[k] + (b[k] + 1) / p->inv[k];
    }
}

/* The place of a wall is known up to this rounding. */
static double rounding(const space *s, const space_split *p)
{
    double most = 0.0;
    for (uint32_t k = 0; k < s->axes; k++)
        if (p->inv[k] > 0.0) {
            const double at = fabs(p->x0[k]) + p->n[k] / p->inv[k];
            most = most > at ? most : at;
        }
    return 16.0 * DBL_EPSILON * most;
}

static block enter(const near *w, const space_split *p, uint32_t mask, const double lo[3],
                   const double hi[3])
{
    block v = {.split = p, .mask = mask};
    scree_space_range(w->s, p, w->lo, w->hi, v.a, v.b);
    memcpy(v.first, v.a, sizeof v.first);
    memcpy(v.lo, lo, sizeof v.lo);
    memcpy(v.hi, hi, sizeof v.hi);
    return v;
}

/* A block far from the surface is dropped as a whole, the others are halved: the cost follows the
 * number of near leaves. */
static int32_t visit_block(const near *w, const block *v)
{
    const space *s = w->s;
    const space_split *p = v->split;
    double lo[3], hi[3];
    uint32_t axis = 0;
    memcpy(lo, v->lo, sizeof lo);
    memcpy(hi, v->hi, sizeof hi);
    bounds_of(s, p, v->a, v->b, lo, hi);
    if (!s->service->comes_within(s->service->ctx, w->slot, lo, hi, s->reach + rounding(s, p)))
        return SCREE_OK;
    for (uint32_t k = 1; k < 3; k++)
        axis = v->b[k] - v->a[k] > v->b[axis] - v->a[axis] ? k : axis;
    if (v->b[axis] > v->a[axis]) {
        block half = *v;
        half.b[axis] = v->a[axis] + (v->b[axis] - v->a[axis]) / 2;
        const int32_t status = visit_block(w, &half);
        half.a[axis] = half.b[axis] + 1;
        half.b[axis] = v->b[axis];
        return status == SCREE_OK ? visit_block(w, &half) : status;
    }
    const uint32_t child = p->first + v->a[0] + p->n[0] * (v->a[1] + p->n[1] * v->a[2]);
    uint32_t mask = v->mask;
    for (uint32_t k = 0; k < 3; k++)
        mask |= (uint32_t)(v->a[k] > v->first[k]) << k;
    if (s->cells[child].split == SCREE_NONE)
        return w->take(w->user, child, mask);
    const block below = enter(w, &s->splits[s->cells[child].split], mask, lo, hi);
    return visit_block(w, &below);
}

/* Finds bounds and mask of a cell from its parents. */
static uint32_t look_up(const space *s, uint32_t cell, const double box_lo[3],
                        const double box_hi[3], double lo[3], double hi[3])
{
    uint32_t chain[SPACE_DEEPEST], depth = 0, mask = 0, a[3], b[3];
    for (; s->cells[cell].up != SCREE_NONE && depth < SPACE_DEEPEST; cell = s->cells[cell].up)
        chain[depth++] = cell;
    for (uint32_t k = 0; k < 3; k++) {
        lo[k] = -HUGE_VAL;
        hi[k] = HUGE_VAL;
    }
    while (depth-- > 0) {
        const space_split *p = &s->splits[s->cells[s->cells[chain[depth]].up].split];
        const uint32_t at = chain[depth] - p->first;
        const uint32_t place[3] = {at % p->n[0], at / p->n[0] % p->n[1], at / p->n[0] / p->n[1]};
        bounds_of(s, p, place, place, lo, hi);
        scree_space_range(s, p, box_lo, box_hi, a, b);
        for (uint32_t k = 0; k < 3; k++)
            mask |= (uint32_t)(place[k] > a[k]) << k;
    }
    return mask;
}

uint32_t scree_space_mask(const space *s, uint32_t cell, const double lo[3], const double hi[3])
{
    double cell_lo[3], cell_hi[3];
    return look_up(s, cell, lo, hi, cell_lo, cell_hi);
}

int32_t scree_space_each_near(const space *s, uint32_t i, const double lo[3], const double hi[3],
                              uint32_t cell, space_take_fn take, void *user)
{
    const near w = {s, i, lo, hi, take, user};
    double cell_lo[3], cell_hi[3];
    const uint32_t mask = look_up(s, cell, lo, hi, cell_lo, cell_hi);
    if (s->cells[cell].split == SCREE_NONE)
        return take(user, cell, mask);
    const block all = enter(&w, &s->splits[s->cells[cell].split], mask, cell_lo, cell_hi);
    return visit_block(&w, &all);
}
