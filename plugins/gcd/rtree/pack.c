/* SPDX-License-Identifier: Apache-2.0 */
/* Packs an R-tree level by level, sort-tile-recursive; see ../rtree.c. */
#include "../sorting/order.h"
#include "rtree.h"

/* Twice the centre, in ranks: a whole number below 2^53. */
static double centre(const void *item, uint32_t axis)
{
    const entry *e = item;
#ifdef RTREE_RANKS
    return (double)e->lo[axis] + e->hi[axis];
#else
    return 0.5 * e->lo[axis] + 0.5 * e->hi[axis];
#endif
}

/* Cuts [first, last) into pieces of `size` by their centres: sorts only as far as tiles need. */
static void cut(entry *v, uint32_t first, uint32_t last, uint64_t size, uint32_t axis)
{
    while (last - first > size) {
        const uint64_t pieces = (last - first + size - 1) / size;
        const uint32_t mid = first + (uint32_t)(pieces / 2 * size);
        select_at(v, sizeof *v, first, last, mid, centre, axis);
        cut(v, first, mid, size, axis);
        first = mid;
    }
}

static uint64_t power(uint64_t s, uint32_t exponent)
{
    uint64_t product = 1;
    for (uint32_t k = 0; k < exponent; k++)
        product *= s;
    return product;
}

/* Cuts tiles: S slabs on x, S columns on y in each slab, runs of one node on z in each column; 2D
 * has no z. */
static void tile(entry *v, uint32_t n, uint32_t axes)
{
    const uint64_t nodes = ((uint64_t)n + MOST - 1) / MOST;
    uint64_t s = 1, size = MOST, outer = n;
    while (power(s, axes) < nodes)
        s++;
    for (uint32_t k = 1; k < axes; k++)
        size *= s;
    for (uint32_t axis = 0; axis < axes; axis++) {
        for (uint64_t first = 0; first < n; first += outer)
            cut(v, (uint32_t)first, (uint32_t)(first + outer < n ? first + outer : n), size, axis);
        outer = size;
        size /= s;
    }
}

void scree_rtree_pack(rtree *t, uint32_t n)
{
    entry *v = t->entries;
    for (uint32_t level = 0; n > 1 || level == 0; level++) {
        uint32_t m = 0;
        tile(v, n, t->axes);
        for (uint32_t first = 0; first < n; first += MOST) {
            const uint32_t at = new_node(t, level);
            node *p = &t->nodes[at];
            p->n = n - first < MOST ? n - first : MOST;
            for (uint32_t e = 0; e < p->n; e++)
                put(p, e, &v[first + e]);
            v[m++] = bounds_of(t, at);
        }
        n = m;
    }
    t->root = t->n_nodes - 1;
}
