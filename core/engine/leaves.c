/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of bodies, which order storage: leaves of free bodies by place, and slots in them. */
#include "engine/leaves.h"

#include <math.h>
#include <string.h>

#include "base/exact_sum.h"

/** Spreads the low 21 bits to every third place. */
static uint64_t spread_bits(uint64_t v)
{
    v &= 0x1fffff;
    v = (v | v << 32) & 0x1f00000000ffffull;
    v = (v | v << 16) & 0x1f0000ff0000ffull;
    v = (v | v << 8) & 0x100f00f00f00f00full;
    v = (v | v << 4) & 0x10c30c30c30c30c3ull;
    return (v | v << 2) & 0x1249249249249249ull;
}

uint64_t scree_leaf_code(const scree_world *w, uint32_t i, double cell)
{
    uint64_t code = 0;
    for (int k = 0; k < 3; k++) {
        double at = floor(w->x[k][i] / cell) + 1048576.0;
        code |= spread_bits((uint64_t)CLAMP(at, 0.0, 2097151.0)) << k;
    }
    return code;
}

/** Returns the code of a body's place. */
static uint64_t place_code(const scree_world *w, uint32_t i)
{
    return w->leaf_cell > 0.0 ? scree_leaf_code(w, i, w->leaf_cell) : 0;
}

/** Returns the leaf of a place: the last one that begins at it or before. */
static uint32_t find_leaf(const scree_world *w, uint64_t code)
{
    uint32_t first = 0, n = w->n_leaves;
    while (n > 1) {
        const uint32_t half = n / 2;
        first += w->leaf[first + half].code <= code ? half : 0;
        n -= half;
    }
    return first;
}

void scree_world_enter_leaf(scree_world *w, uint32_t i)
{
    enum { CROWD = 1024, SHARE = 256 };
    const uint64_t class = scree_world_class(w, i), part = UINT64_C(1) << 32;
    if (!w->leaf) { // numbers before the first order: as added
        w->number[i] = class << 62 | i;
    } else if (class) {
        const uint64_t at = w->n_entered[class]++;
        w->number[i] = class << 62 | at / SCREE_SUM_LEAF * part | at % SCREE_SUM_LEAF;
    } else {
        const uint32_t leaf = find_leaf(w, place_code(w, i));
        w->number[i] = leaf * part | w->leaf[leaf].slots++;
        w->crowded |= w->leaf_cell > 0.0 && w->leaf[leaf].slots > CROWD + w->n_free / SHARE;
    }
}

void scree_world_number(scree_world *w)
{
    const uint32_t n = MAX(1, (w->n_free + SCREE_SUM_LEAF - 1) / SCREE_SUM_LEAF);
    if (n > w->n_leaves)
        w->leaf = g_renew(scree_leaf, w->leaf, n);
    w->n_leaves = n;
    w->leaf[0] = (scree_leaf){0};
    for (uint32_t k = 0; k * SCREE_SUM_LEAF < w->n_free; k++)
        w->leaf[k] = (scree_leaf){.code = k ? place_code(w, k * SCREE_SUM_LEAF) : 0};
    memset(w->n_entered, 0, sizeof w->n_entered);
    for (uint32_t i = 0; i < w->n_free; i++) {
        const uint64_t leaf = i / SCREE_SUM_LEAF;
        w->number[i] = leaf << 32 | w->leaf[leaf].slots++;
    }
    for (uint32_t i = w->n_free; i < w->n; i++)
        scree_world_enter_leaf(w, i);
    w->crowded = false;
}

void scree_world_copy_leaves(scree_world *to, const scree_world *from)
{
    g_free(to->leaf);
    to->leaf = g_memdup2(from->leaf, from->n_leaves * sizeof *from->leaf);
    to->n_leaves = from->n_leaves;
    memcpy(to->n_entered, from->n_entered, sizeof to->n_entered);
    to->leaf_cell = from->leaf_cell;
    to->crowded = from->crowded;
}
