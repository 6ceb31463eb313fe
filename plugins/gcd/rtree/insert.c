/* SPDX-License-Identifier: Apache-2.0 */
/* Enters boxes one by one into an R-tree, and splits full nodes; see ../rtree.c. */
#include "rtree.h"

#define ALL (MOST + 1) /* entries of a node that is to be split */

static double volume(const entry *e, uint32_t axes)
{
    double product = 1.0;
    for (uint32_t k = 0; k < axes; k++)
        product *= (double)e->hi[k] - (double)e->lo[k];
    return product;
}

static double growth(const entry *e, const entry *by, uint32_t axes)
{
    entry both = *e;
    enlarge(&both, by);
    return volume(&both, axes) - volume(e, axes);
}

static double common(const entry *a, const entry *b, uint32_t axes)
{
    double product = 1.0;
    for (uint32_t k = 0; k < axes; k++) {
        const double side = scree_min((double)a->hi[k], (double)b->hi[k]) -
                            scree_max((double)a->lo[k], (double)b->lo[k]);
        product *= scree_max(side, 0.0);
    }
    return product;
}

/* Growth of the overlap of entry k with the others when k takes in e (R*). */
static double more_overlap(const node *p, uint32_t k, const entry *e, uint32_t axes)
{
    const entry is = take(p, k);
    entry grown = is;
    double sum = 0.0;
    enlarge(&grown, e);
    for (uint32_t j = 0; j < p->n; j++) {
        const entry other = take(p, j);
        sum += j == k ? 0.0 : common(&grown, &other, axes) - common(&is, &other, axes);
    }
    return sum;
}

/* Chooses the entry to go down: least growth, then least volume; R* asks for overlap first, just
 * above leaves. */
static uint32_t choose(const rtree *t, const node *p, const entry *e)
{
    const int rstar = t->config->build == BUILD_RSTAR && p->level == 1;
    double best[3] = {0.0, 0.0, 0.0};
    uint32_t chosen = 0;
    for (uint32_t k = 0; k < p->n; k++) {
        const entry one = take(p, k);
        const double cost[3] = {rstar ? more_overlap(p, k, e, t->axes) : 0.0,
                                growth(&one, e, t->axes), volume(&one, t->axes)};
        int less = k == 0;
        for (uint32_t c = 3; c-- > 0;)
            less = cost[c] < best[c] || (cost[c] == best[c] && less);
        if (k == 0 || less) {
            memcpy(best, cost, sizeof best);
            chosen = k;
        }
    }
    return chosen;
}

/* ---- Guttman's splits ---- */

/* Finds the two entries that would waste most room together. */
static void seeds_quadratic(const entry *v, uint32_t axes, uint32_t seed[2])
{
    double most = -HUGE_VAL;
    for (uint32_t i = 0; i < ALL; i++)
        for (uint32_t j = i + 1; j < ALL; j++) {
            const double waste = growth(&v[i], &v[j], axes) - volume(&v[j], axes);
            if (waste > most) {
                most = waste;
                seed[0] = i;
                seed[1] = j;
            }
        }
}

/* Finds the two entries furthest apart on an axis, as a share of the width of all. */
static void seeds_linear(const entry *v, uint32_t axes, uint32_t seed[2])
{
    double most = -HUGE_VAL;
    for (uint32_t k = 0; k < axes; k++) {
        uint32_t low = 0, high = 0;
        double lo = (double)v[0].lo[k], hi = (double)v[0].hi[k];
        for (uint32_t i = 1; i < ALL; i++) {
            low = v[i].hi[k] < v[low].hi[k] ? i : low;
            high = v[i].lo[k] > v[high].lo[k] ? i : high;
            lo = scree_min(lo, (double)v[i].lo[k]);
            hi = scree_max(hi, (double)v[i].hi[k]);
        }
        const double apart = ((double)v[high].lo[k] - (double)v[low].hi[k]) / (hi - lo);
        if (low != high && apart > most) {
            most = apart;
            seed[0] = low;
            seed[1] = high;
        }
    }
}

/* Picks the next entry for a group: any (linear), or the one with the strongest preference
 * (quadratic). */
static uint32_t pick_next(const rtree *t, const entry *v, const int32_t *side, const entry group[2])
{
    double most = -1.0;
    uint32_t next = ALL;
    for (uint32_t i = 0; i < ALL; i++) {
        if (side[i] >= 0)
            continue;
        if (t->config->build == BUILD_LINEAR)
            return i;
        const double d =
            fabs(growth(&group[0], &v[i], t->axes) - growth(&group[1], &v[i], t->axes));
        if (next == ALL || d > most) {
            most = d;
            next = i;
        }
    }
    return next;
}

static int32_t choose_side(const entry *e, const entry group[2], const uint32_t n[2], uint32_t axes)
{
    const double a = growth(&group[0], e, axes), b = growth(&group[1], e, axes);
    if (a != b)
        return b < a;
    const double va = volume(&group[0], axes), vb = volume(&group[1], axes);
    return va != vb ? vb < va : n[1] < n[0];
}

static void divide_guttman(const rtree *t, const entry *v, int32_t *side)
{
    uint32_t seed[2] = {0, 1}, n[2] = {1, 1};
    if (t->config->build == BUILD_LINEAR)
        seeds_linear(v, t->axes, seed);
    else
        seeds_quadratic(v, t->axes, seed);
    entry group[2] = {v[seed[0]], v[seed[1]]};
    for (uint32_t i = 0; i < ALL; i++)
        side[i] = i == seed[0] ? 0 : i == seed[1] ? 1 : -1;
    for (uint32_t left = ALL - 2; left; left--) {
        const uint32_t i = pick_next(t, v, side, group);
        int32_t to = choose_side(&v[i], group, n, t->axes);
        to = n[0] + left <= LEAST ? 0 : n[1] + left <= LEAST ? 1 : to;
        side[i] = to;
        n[to]++;
        enlarge(&group[to], &v[i]);
    }
}

/* ---- the split of R* ---- */

static coord corner_of(const entry *e, uint32_t axis, int end)
{
    return end ? e->hi[axis] : e->lo[axis];
}

/* Orders by lower (end 0) or upper corners. */
static void order_by(const entry *v, uint32_t axis, int end, uint32_t *order)
{
    for (uint32_t i = 0; i < ALL; i++) {
        const coord x = corner_of(&v[i], axis, end);
        uint32_t at = i;
        for (; at && corner_of(&v[order[at - 1]], axis, end) > x; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

typedef struct division {
    double margin;        // sum over the distributions of an order
    double overlap, size; // values of the best distribution
    uint32_t first;       // size of the first group
    uint32_t order[ALL];
} division;

static double margin_of(const entry *e, uint32_t axes)
{
    double sum = 0.0;
    for (uint32_t k = 0; k < axes; k++)
        sum += (double)e->hi[k] - (double)e->lo[k];
    return sum;
}

static void try_order(const entry *v, uint32_t axes, division *d)
{
    entry head[ALL], tail[ALL];
    head[0] = v[d->order[0]];
    tail[ALL - 1] = v[d->order[ALL - 1]];
    for (uint32_t i = 1; i < ALL; i++) {
        head[i] = head[i - 1];
        enlarge(&head[i], &v[d->order[i]]);
        tail[ALL - 1 - i] = tail[ALL - i];
        enlarge(&tail[ALL - 1 - i], &v[d->order[ALL - 1 - i]]);
    }
    d->margin = 0.0;
    d->first = 0;
    for (uint32_t first = LEAST; first <= ALL - LEAST; first++) {
        const entry *a = &head[first - 1], *b = &tail[first];
        const double overlap = common(a, b, axes), size = volume(a, axes) + volume(b, axes);
        d->margin += margin_of(a, axes) + margin_of(b, axes);
        if (!d->first || overlap < d->overlap || (overlap == d->overlap && size < d->size)) {
            d->overlap = overlap;
            d->size = size;
            d->first = first;
        }
    }
}

static void divide_rstar(const rtree *t, const entry *v, int32_t *side)
{
    division best = {.margin = 0.0}, d[2];
    double least = HUGE_VAL;
    for (uint32_t axis = 0; axis < t->axes; axis++) {
        for (int end = 0; end < 2; end++) {
            order_by(v, axis, end, d[end].order);
            try_order(v, t->axes, &d[end]);
        }
        const int upper =
            d[1].overlap < d[0].overlap || (d[1].overlap == d[0].overlap && d[1].size < d[0].size);
        if (axis == 0 || d[0].margin + d[1].margin < least) {
            least = d[0].margin + d[1].margin;
            best = d[upper];
        }
    }
    for (uint32_t i = 0; i < ALL; i++)
        side[best.order[i]] = i >= best.first;
}

/* ---- entering ---- */

/* Splits a full node and e; returns the new node's entry. */
static entry split(rtree *t, uint32_t at, const entry *e)
{
    node *p = &t->nodes[at];
    const uint32_t other = new_node(t, p->level);
    node *q = &t->nodes[other];
    const entry none = no_entry();
    entry v[ALL];
    int32_t side[ALL];
    for (uint32_t i = 0; i < MOST; i++)
        v[i] = take(p, i);
    v[MOST] = *e;
    if (t->config->build == BUILD_RSTAR)
        divide_rstar(t, v, side);
    else
        divide_guttman(t, v, side);
    p->n = 0;
    for (uint32_t i = 0; i < ALL; i++) {
        node *to = side[i] ? q : p;
        put(to, to->n++, &v[i]);
    }
    for (uint32_t i = p->n; i < MOST; i++)
        put(p, i, &none);
    return bounds_of(t, other);
}

void scree_rtree_insert(rtree *t, uint32_t box)
{
    entry e = box_entry(t, box);
    uint32_t path[HIGHEST], slot[HIGHEST], depth = 0, at = t->root;
    while (t->nodes[at].level) {
        node *p = &t->nodes[at];
        const uint32_t k = choose(t, p, &e);
        entry grown = take(p, k);
        enlarge(&grown, &e);
        put(p, k, &grown);
        path[depth] = at;
        slot[depth++] = k;
        at = p->id[k];
    }
    while (t->nodes[at].n == MOST) {
        e = split(t, at, &e);
        const entry kept = bounds_of(t, at);
        if (depth == 0) {
            t->root = new_node(t, t->nodes[at].level + 1);
            put(&t->nodes[t->root], 0, &kept);
            t->nodes[t->root].n = 1;
            at = t->root;
            break;
        }
        at = path[--depth];
        put(&t->nodes[at], slot[depth], &kept);
    }
    put(&t->nodes[at], t->nodes[at].n++, &e);
}
