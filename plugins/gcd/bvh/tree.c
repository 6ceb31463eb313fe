/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of gcd/bvh: inserting, removing, rotating, building; see ../bvh.c. */
#include <float.h>

#include "../sorting/order.h"
#include "bvh.h"

/* ---- the tree ---- */

static double surface(const double lo[3], const double hi[3], uint32_t axes)
{
    const double x = hi[0] - lo[0], y = hi[1] - lo[1], z = hi[2] - lo[2];
    return axes == 3 ? x * y + y * z + z * x : x + y;
}

static double surface_of_both(const node *a, const node *b, uint32_t axes)
{
    double lo[3], hi[3];
    for (uint32_t k = 0; k < 3; k++) {
        lo[k] = scree_min(a->lo[k], b->lo[k]);
        hi[k] = scree_max(a->hi[k], b->hi[k]);
    }
    return surface(lo, hi, axes);
}

static void refit(bvh *t, uint32_t at)
{
    node *p = &t->nodes[at];
    const node *a = &t->nodes[p->child[0]], *b = &t->nodes[p->child[1]];
    for (uint32_t k = 0; k < 3; k++) {
        p->lo[k] = scree_min(a->lo[k], b->lo[k]);
        p->hi[k] = scree_max(a->hi[k], b->hi[k]);
    }
    p->height = 1 + (a->height > b->height ? a->height : b->height);
}

static void hang(bvh *t, uint32_t at, uint32_t parent, uint32_t side)
{
    t->nodes[at].parent = parent;
    if (parent == SCREE_NONE)
        t->root = at;
    else
        t->nodes[parent].child[side] = at;
}

static uint32_t side_of(const bvh *t, uint32_t parent, uint32_t child)
{
    return parent != SCREE_NONE && t->nodes[parent].child[1] == child;
}

/* A child changes places with a grandchild when that makes the other child smaller [2]. */
static void rotate(bvh *t, uint32_t at)
{
    const node *p = &t->nodes[at];
    uint32_t best_side = 2, best_nephew = 0;
    double gain = 0.0;
    for (uint32_t side = 0; side < 2; side++) {
        const node *x = &t->nodes[p->child[side]], *y = &t->nodes[p->child[!side]];
        if (!y->height)
            continue;
        const double is = surface(y->lo, y->hi, t->axes);
        for (uint32_t w = 0; w < 2; w++) {
            const double less = is - surface_of_both(x, &t->nodes[y->child[!w]], t->axes);
            if (less > gain) {
                gain = less;
                best_side = side;
                best_nephew = w;
            }
        }
    }
    if (best_side == 2)
        return;
    const uint32_t x = p->child[best_side], y = p->child[!best_side];
    const uint32_t w = t->nodes[y].child[best_nephew];
    hang(t, w, at, best_side);
    hang(t, x, y, best_nephew);
    refit(t, y);
    refit(t, at);
}

static void climb(bvh *t, uint32_t at)
{
    for (; at != SCREE_NONE; at = t->nodes[at].parent) {
        refit(t, at);
        if (t->config->rotate)
            rotate(t, at);
    }
}

/* Chooses the node next to which the leaf adds least to the surface, as far as the way down
 * shows. */
static uint32_t choose_sibling(const bvh *t, const node *leaf)
{
    uint32_t at = t->root;
    for (;;) {
        const node *p = &t->nodes[at];
        if (!p->height)
            return at;
        const double both = surface_of_both(p, leaf, t->axes);
        const double inherited = both - surface(p->lo, p->hi, t->axes);
        double cost[2];
        for (uint32_t side = 0; side < 2; side++) {
            const node *c = &t->nodes[p->child[side]];
            cost[side] = inherited + surface_of_both(c, leaf, t->axes);
            if (c->height)
                cost[side] -= surface(c->lo, c->hi, t->axes);
        }
        if (both < cost[0] && both < cost[1])
            return at;
        at = p->child[cost[1] < cost[0]];
    }
}

void scree_bvh_insert(bvh *t, uint32_t leaf)
{
    t->n_leaves++;
    if (t->root == SCREE_NONE) {
        hang(t, leaf, SCREE_NONE, 0);
        return;
    }
    const uint32_t sibling = choose_sibling(t, &t->nodes[leaf]), at = t->unused;
    const uint32_t above = t->nodes[sibling].parent;
    t->unused = t->nodes[at].child[0];
    hang(t, at, above, side_of(t, above, sibling));
    hang(t, sibling, at, 0);
    hang(t, leaf, at, 1);
    climb(t, at);
}

void scree_bvh_remove(bvh *t, uint32_t leaf)
{
    const uint32_t p = t->nodes[leaf].parent;
    t->nodes[leaf].parent = ABSENT;
    t->n_leaves--;
    if (p == SCREE_NONE) {
        t->root = SCREE_NONE;
        return;
    }
    const uint32_t above = t->nodes[p].parent, sibling = t->nodes[p].child[!side_of(t, p, leaf)];
    hang(t, sibling, above, side_of(t, above, p));
    t->nodes[p].child[0] = t->unused;
    t->unused = p;
    climb(t, above);
}

/* ---- building ---- */

static double centre(const void *v, uint32_t axis)
{
    return (double)((const item *)v)->c[axis];
}

static uint32_t split(item *v, uint32_t first, uint32_t last)
{
    float lo[3], hi[3];
    uint32_t axis = 0, mid = first;
    for (uint32_t k = 0; k < 3; k++)
        lo[k] = hi[k] = v[first].c[k];
    for (uint32_t i = first; i < last; i++)
        for (uint32_t k = 0; k < 3; k++) {
            lo[k] = v[i].c[k] < lo[k] ? v[i].c[k] : lo[k];
            hi[k] = v[i].c[k] > hi[k] ? v[i].c[k] : hi[k];
        }
    for (uint32_t k = 1; k < 3; k++)
        axis = hi[k] - lo[k] > hi[axis] - lo[axis] ? k : axis;
    const float half = 0.5f * (lo[axis] + hi[axis]);
    for (uint32_t i = first; i < last; i++) {
        const item x = v[i];
        v[i] = v[mid];
        v[mid] = x;
        mid += x.c[axis] < half;
    }
    const uint32_t least = (last - first) / 8 + ((last - first) / 8 == 0);
    if (mid - first >= least && last - mid >= least)
        return mid;
    mid = first + (last - first) / 2;
    select_at(v, sizeof *v, first, last, mid, centre, axis);
    return mid;
}

void scree_bvh_fatten(bvh *t, uint32_t i)
{
    const scree_boxes *b = &t->boxes;
    node *leaf = &t->nodes[i];
    double by = 0.0;
    for (uint32_t k = 0; k < t->axes; k++)
        by += b->hi[k][i] - b->lo[k][i];
    // Sides may add up to infinity, and infinity times a margin of 0 is not a number.
    by = scree_min(by, DBL_MAX) * (t->config->margin / t->axes);
    for (uint32_t k = 0; k < 3; k++) {
        leaf->lo[k] = b->lo[k][i] - (k < t->axes ? by : 0.0);
        leaf->hi[k] = b->hi[k][i] + (k < t->axes ? by : 0.0);
    }
}

/* Float is enough: it decides where the tree is cut, not what is found. */
static uint32_t fill_items(bvh *t)
{
    const scree_boxes *b = &t->boxes;
    const double far = 1e18;
    double origin[3] = {0.0, 0.0, 0.0};
    uint32_t m = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        t->nodes[i].parent = ABSENT;
        if (!scree_bvh_here(t, i))
            continue;
        for (uint32_t k = 0; k < 3; k++) {
            const double c = 0.5 * b->lo[k][i] + 0.5 * b->hi[k][i];
            origin[k] = m ? origin[k] : c;
            t->items[m].c[k] = (float)scree_max(-far, scree_min(far, c - origin[k]));
        }
        t->items[m++].id = i;
        scree_bvh_fatten(t, i);
    }
    return m;
}

void scree_bvh_build(bvh *t)
{
    struct {
        uint32_t first, last, parent, side;
    } stack[DEEPEST], w;
    uint32_t top = 0, next = t->n;
    t->n_leaves = fill_items(t);
    t->root = t->unused = SCREE_NONE;
    t->changed = 1;
    scree_bvh_forget(t);
    if (t->n_leaves) {
        stack[top].first = stack[top].side = 0;
        stack[top].last = t->n_leaves;
        stack[top++].parent = SCREE_NONE;
    }
    while (top) {
        w = stack[--top];
        const int leaf = w.last - w.first == 1;
        const uint32_t at = leaf ? t->items[w.first].id : next++;
        hang(t, at, w.parent, w.side);
        if (leaf)
            continue;
        const uint32_t mid = split(t->items, w.first, w.last);
        w.parent = at;
        stack[top] = w;
        stack[top].first = mid;
        stack[top++].side = 1;
        stack[top] = w;
        stack[top].last = mid;
        stack[top++].side = 0;
    }
    for (uint32_t at = next; at-- > t->n;)
        refit(t, at);
    for (uint32_t at = next; at + 1 < 2 * t->n; at++) {
        t->nodes[at].child[0] = t->unused;
        t->unused = at;
    }
}
