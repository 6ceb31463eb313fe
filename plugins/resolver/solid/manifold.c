// SPDX-License-Identifier: Apache-2.0
/*
 * manifold: few points for many.
 *
 * Idea     Touches whose normals are within 25 degrees of that of the deepest are a patch, and so on with those
 *          that are left. A patch keeps the deepest, the farthest from it, the farthest from the line
 *          through both, and the farthest on the other side of it: a face rests on a face by the corners of
 *          their common part, an edge by its ends, a ball by one point. Points closer than `apart` are one.
 * Energy   a point leaves at the border of the patch, at depth 0; one that a farther point
 *          displaces loses the energy of its depth: a share of the spacing of the samples, where a
 *          curved patch is entered deeply.
 * Ties     a later point must be farther by 1e-9: the lower feature stays.
 * Limits   16 patches: the ones that are left out are the shallowest.
 */
#include "manifold.h"

enum { LEFT, IN_PATCH, STAYS, DROPPED, MOST_PATCHES = 16 };
static const double SAME_PATCH = 0.90630778703664996, FARTHER = 1.0 + 1e-9; // cosine of 25 degrees

static uint32_t deepest_left(const solid_touch *t, uint32_t n)
{
    uint32_t best = SCREE_NONE;
    for (uint32_t i = 0; i < n; i++)
        if (t[i].state == LEFT && (best == SCREE_NONE || t[i].depth > t[best].depth ||
                                   (t[i].depth == t[best].depth && t[i].feature < t[best].feature)))
            best = i;
    return best;
}

/* The touch with the largest measure `far`. */
typedef struct farthest {
    double far;
    uint32_t at;
} farthest;

static void try_farther(farthest *best, const solid_touch *t, uint32_t i, double far)
{
    const int more = far > best->far * FARTHER;
    const int tie =
        best->at != SCREE_NONE && far * FARTHER >= best->far && t[i].feature < t[best->at].feature;
    if (!more && !tie)
        return;
    best->far = more ? far : best->far;
    best->at = i;
}

/* Measures: the squared distance from a point; the distance from a line, on one side of it. */
static uint32_t farthest_from(const solid_touch *t, uint32_t n, scree_vec from, double apart)
{
    farthest best = {-1.0, SCREE_NONE};
    for (uint32_t i = 0; i < n; i++) {
        const scree_vec off = scree_less(t[i].at, 1.0, from);
        if (t[i].state == IN_PATCH && scree_dot(off, off) > apart * apart)
            try_farther(&best, t, i, scree_dot(off, off));
    }
    return best.at;
}

static uint32_t farthest_beside(const solid_touch *t, uint32_t n, scree_vec from, scree_vec across,
                                double apart)
{
    farthest best = {-1.0, SCREE_NONE};
    for (uint32_t i = 0; i < n; i++) {
        const double off = scree_dot(scree_less(t[i].at, 1.0, from), across);
        if (t[i].state == IN_PATCH && off > apart)
            try_farther(&best, t, i, off);
    }
    return best.at;
}

static void reduce_patch(solid_touch *t, uint32_t n, uint32_t seed, uint32_t most, double apart)
{
    t[seed].state = STAYS;
    const uint32_t second = most > 1 ? farthest_from(t, n, t[seed].at, apart) : SCREE_NONE;
    if (second != SCREE_NONE) {
        t[second].state = STAYS;
        const scree_vec line = scree_less(t[second].at, 1.0, t[seed].at);
        const scree_vec across = solid_unit(scree_cross(t[seed].normal, line));
        const uint32_t third =
            most > 2 ? farthest_beside(t, n, t[seed].at, across, apart) : SCREE_NONE;
        const uint32_t fourth =
            most > 2 ? farthest_beside(t, n, t[seed].at, scree_scaled(-1.0, across), apart)
                     : SCREE_NONE;
        if (third != SCREE_NONE)
            t[third].state = STAYS;
        if (fourth != SCREE_NONE && (most > 3 || third == SCREE_NONE))
            t[fourth].state = STAYS;
    }
    for (uint32_t i = 0; i < n; i++)
        t[i].state = t[i].state == IN_PATCH ? DROPPED : t[i].state;
}

uint32_t solid_reduce(solid_touch *t, uint32_t n, uint32_t most, double apart)
{
    uint32_t m = 0;
    for (uint32_t i = 0; i < n; i++)
        t[i].state = LEFT;
    for (int patch = 0; patch < MOST_PATCHES; patch++) {
        const uint32_t seed = deepest_left(t, n);
        if (seed == SCREE_NONE)
            break;
        for (uint32_t i = 0; i < n; i++)
            if (t[i].state == LEFT && scree_dot(t[i].normal, t[seed].normal) > SAME_PATCH)
                t[i].state = IN_PATCH;
        reduce_patch(t, n, seed, most, apart);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (t[i].state != STAYS)
            continue;
        const solid_touch keep = t[i];
        uint32_t at = m++;
        for (; at > 0 && t[at - 1].feature > keep.feature; at--)
            t[at] = t[at - 1];
        t[at] = keep;
    }
    return m;
}
