// SPDX-License-Identifier: Apache-2.0
// The sides of a surface: facets that are inside out, and whether it encloses a solid.
#include "mesh.h"

static uint32_t count_corners(const uint32_t *f)
{
    return f[2] == SCREE_NONE ? 2 : f[3] == SCREE_NONE ? 3 : 4;
}

/** Do facets f (at its edge e) and g run along their edge in the same direction? In 2D: do both
 * start, or both end, in their vertex? */
static int same_way(const mesh_surface *s, uint32_t f, uint32_t e, uint32_t g)
{
    const uint32_t *cf = s->facet + 4 * (size_t)f, *cg = s->facet + 4 * (size_t)g;
    uint32_t nf = count_corners(cf), ng = count_corners(cg);
    if (nf == 2)
        return cg[e] == cf[e];
    for (uint32_t k = 0; k < ng; k++)
        if (cg[k] == cf[e] && cg[(k + 1) % ng] == cf[(e + 1) % nf])
            return 1;
    return 0;
}

/** Walks through the part of `first`; side[f] is 1 or 2. Returns the number of facets of the part,
 * which are in queue. */
static uint32_t walk_part(const mesh_surface *s, uint32_t first, uint8_t *side, uint32_t *queue,
                          uint64_t *conflicts)
{
    uint32_t n = 1;
    queue[0] = first;
    side[first] = 1;
    for (uint32_t at = 0; at < n; at++) {
        uint32_t f = queue[at];
        for (uint32_t e = 0; e < 4; e++) {
            uint32_t g = s->neighbour[4 * (size_t)f + e];
            if (g == SCREE_NONE)
                continue;
            uint8_t wanted = (uint8_t)(same_way(s, f, e, g) ? 3 - side[f] : side[f]);
            if (!side[g]) {
                side[g] = wanted;
                queue[n++] = g;
            } else {
                *conflicts += side[g] != wanted;
            }
        }
    }
    return n;
}

int mesh_find_turned(const mesh_surface *s, uint8_t *marked, uint64_t *conflicts)
{
    uint32_t n_facets = s->view.n_facets;
    uint32_t *queue = malloc(((size_t)n_facets + 1) * sizeof *queue);
    uint8_t *side = calloc((size_t)n_facets + 1, 1);
    uint64_t found = 0;
    int ok = queue && side;
    uint32_t n_seen = ok ? n_facets : 0;
    for (uint32_t i = 0; i < n_seen; i++) {
        if (side[i])
            continue;
        uint32_t n = walk_part(s, i, side, queue, &found), other = 0;
        for (uint32_t k = 0; k < n; k++)
            other += side[queue[k]] == 2;
        uint8_t wrong = other > n - other ? 1 : 2;
        for (uint32_t k = 0; k < n; k++)
            marked[queue[k]] = side[queue[k]] == wrong;
    }
    *conflicts = found / 2; // each edge was seen from both sides
    free(queue);
    free(side);
    return ok;
}

/** Six times the volume (2D: twice the area) that a facet adds, seen from a point. */
static double volume_of(const mesh_surface *s, uint32_t facet, const double from[3])
{
    const uint32_t *f = s->facet + 4 * (size_t)facet;
    uint32_t corners = count_corners(f);
    double x[4][3], sum = 0.0;
    for (uint32_t i = 0; i < corners; i++)
        for (int k = 0; k < 3; k++)
            x[i][k] = s->vertex[k][f[i]] - from[k];
    if (corners == 2)
        return x[0][0] * x[1][1] - x[0][1] * x[1][0];
    for (uint32_t t = 1; t + 1 < corners; t++)
        for (int k = 0; k < 3; k++) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            sum += x[0][k] * (x[t][l] * x[t + 1][m] - x[t][m] * x[t + 1][l]);
        }
    return sum;
}

/** Is there no open edge, and do all facets have one orientation? -1: no memory. */
static int is_oriented(const mesh_surface *s, uint8_t *marked)
{
    uint64_t conflicts;
    uint32_t n = s->view.n_facets;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t e = 0; e < count_corners(s->facet + 4 * (size_t)i); e++)
            if (s->neighbour[4 * (size_t)i + e] == SCREE_NONE)
                return 0;
    if (!mesh_find_turned(s, marked, &conflicts))
        return -1;
    return conflicts == 0 && !memchr(marked, 1, n);
}

int mesh_is_closed(const mesh_surface *s)
{
    uint32_t n = s->view.n_facets;
    uint8_t *side = calloc((size_t)n + 1, 1);
    uint32_t *queue = malloc(((size_t)n + 1) * sizeof *queue);
    int closed = side && queue ? is_oriented(s, side) : -1;
    uint64_t conflicts = 0;
    for (uint32_t i = 0; closed > 0 && i < n; i++) {
        double volume = 0.0, from[3];
        if (side[i])
            continue;
        for (int k = 0; k < 3; k++)
            from[k] = s->vertex[k][s->facet[4 * (size_t)i]];
        uint32_t count = walk_part(s, i, side, queue, &conflicts);
        for (uint32_t at = 0; at < count; at++)
            volume += volume_of(s, queue[at], from);
        closed = volume > 0.0;
    }
    free(side);
    free(queue);
    return closed;
}
