// SPDX-License-Identifier: Apache-2.0
/* A surface as a whole: area, volume, parts, holes, facets that are inside out. */
#include "tools/look/shape_survey.h"

#include <math.h>
#include <string.h>

static uint32_t count_facet_corners(const uint32_t *f)
{
    return f[2] == SCREE_NONE ? 2 : f[3] == SCREE_NONE ? 3 : 4;
}

/** Whether facets f (at its edge e) and g run along their common edge in one direction. */
static bool same_way(const scree_shape *s, uint32_t f, uint32_t e, uint32_t g)
{
    const uint32_t *cf = s->mesh->facet + 4 * (size_t)f, *cg = s->mesh->facet + 4 * (size_t)g;
    uint32_t nf = count_facet_corners(cf), ng = count_facet_corners(cg);
    for (uint32_t k = 0; k < ng; k++)
        if (cg[k] == cf[e] && cg[(k + 1) % ng] == cf[(e + 1) % nf])
            return true;
    return false;
}

/** Visits the part that holds `first`; side[f] becomes 1 or 2. Returns the number of its facets,
 * which are in `queue`. */
static uint32_t walk_part(const scree_shape *s, uint32_t first, uint8_t *side, uint32_t *queue)
{
    uint32_t n = 1;
    queue[0] = first;
    side[first] = 1;
    for (uint32_t at = 0; at < n; at++) {
        uint32_t f = queue[at];
        for (uint32_t e = 0; e < 4; e++) {
            uint32_t g = s->mesh->neighbour[4 * (size_t)f + e];
            if (g == SCREE_NONE)
                continue;
            if (side[g])
                continue;
            side[g] = same_way(s, f, e, g) ? 3 - side[f] : side[f];
            queue[n++] = g;
        }
    }
    return n;
}

/** Counts connected parts, and facets whose order of corners differs from most of their part. */
static void walk_parts(const scree_shape *s, scree_survey *survey)
{
    g_autofree uint32_t *queue = g_new(uint32_t, (size_t)s->mesh->n_facets + 1);
    g_autofree uint8_t *side = g_new0(uint8_t, (size_t)s->mesh->n_facets + 1);
    for (uint32_t i = 0; i < s->mesh->n_facets; i++) {
        if (side[i])
            continue;
        const uint32_t n = walk_part(s, i, side, queue);
        uint32_t other = 0;
        for (uint32_t k = 0; k < n; k++)
            other += side[queue[k]] == 2;
        survey->turned += MIN(other, n - other);
        survey->n_parts++;
    }
}

/** Computes the area, and the volume from tetrahedra between the facets and the first vertex. */
static void measure(const scree_shape *s, scree_survey *survey)
{
    double area = 0.0, volume = 0.0;
    for (uint32_t i = 0; i < s->mesh->n_facets; i++) {
        const uint32_t *f = s->mesh->facet + 4 * (size_t)i;
        for (uint32_t t = 1; t + 1 < count_facet_corners(f); t++) {
            double u[3], v[3], c[3], along = 0.0, square = 0.0;
            for (int k = 0; k < 3; k++) {
                u[k] = s->mesh->vertex[k][f[t]] - s->mesh->vertex[k][f[0]];
                v[k] = s->mesh->vertex[k][f[t + 1]] - s->mesh->vertex[k][f[0]];
            }
            for (int k = 0; k < 3; k++) {
                c[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
                along += c[k] * (s->mesh->vertex[k][f[0]] - s->mesh->vertex[k][0]);
                square += c[k] * c[k];
            }
            area += 0.5 * sqrt(square);
            volume += along / 6.0;
        }
    }
    survey->area = area;
    survey->volume = volume;
}

typedef struct side {
    uint32_t lo, hi; // vertices
} side;

static int compare_sides(const void *pa, const void *pb)
{
    const side *a = pa, *b = pb;
    if (a->lo != b->lo)
        return a->lo < b->lo ? -1 : 1;
    return a->hi < b->hi ? -1 : a->hi > b->hi;
}

static uint32_t find_root(uint32_t *up, uint32_t v)
{
    while (up[v] != v)
        v = up[v] = up[up[v]];
    return v;
}

/** Counts sides without a neighbour: one without others of its kind is open; several form an edge
 * with branches. */
static void count_edges(const scree_shape *s, scree_survey *survey)
{
    GArray *sides = g_array_new(FALSE, FALSE, sizeof(side));
    uint32_t *up = g_new(uint32_t, (size_t)s->mesh->n_vertices + 1);
    for (uint32_t i = 0; i < s->mesh->n_facets; i++) {
        const uint32_t *f = s->mesh->facet + 4 * (size_t)i;
        uint32_t n = count_facet_corners(f);
        for (uint32_t e = 0; e < n; e++) {
            uint32_t p = f[e], q = f[(e + 1) % n];
            if (s->mesh->neighbour[4 * (size_t)i + e] != SCREE_NONE)
                continue;
            const side one = {MIN(p, q), MAX(p, q)};
            g_array_append_val(sides, one);
        }
    }
    g_array_sort(sides, compare_sides);
    for (uint32_t v = 0; v < s->mesh->n_vertices; v++)
        up[v] = v;
    for (guint i = 0, end; i < sides->len; i = end) {
        const side *at = &g_array_index(sides, side, i);
        for (end = i + 1; end < sides->len && compare_sides(at, at + (end - i)) == 0;)
            end++;
        survey->branching += end - i > 1;
        if (end - i > 1)
            continue;
        // Joins open edges over their ends: each union of two makes one loop.
        uint32_t a = find_root(up, at->lo), b = find_root(up, at->hi);
        survey->open_edges++;
        up[MAX(a, b)] = MIN(a, b);
    }
    // A loop counts at its lowest vertex that ends an open edge.
    uint8_t *ends = g_new0(uint8_t, (size_t)s->mesh->n_vertices + 1);
    for (guint i = 0; i < sides->len; i++) {
        const side *at = &g_array_index(sides, side, i);
        bool alone = (i == 0 || compare_sides(at, at - 1) != 0) &&
                     (i + 1 == sides->len || compare_sides(at, at + 1) != 0);
        uint32_t root = find_root(up, at->lo);
        if (alone && !ends[root]) {
            ends[root] = 1;
            survey->n_holes++;
        }
    }
    g_free(ends);
    g_free(up);
    g_array_free(sides, TRUE);
}

void scree_shape_extents(const scree_shape *shape, double lo[3], double hi[3])
{
    for (int k = 0; k < 3; k++) {
        lo[k] = HUGE_VAL;
        hi[k] = -HUGE_VAL;
        for (uint32_t v = 0; v < shape->mesh->n_vertices; v++) {
            lo[k] = fmin(lo[k], shape->mesh->vertex[k][v]);
            hi[k] = fmax(hi[k], shape->mesh->vertex[k][v]);
        }
    }
}

void scree_shape_survey(const scree_shape *shape, scree_survey *survey)
{
    *survey = (scree_survey){0};
    scree_shape_extents(shape, survey->lo, survey->hi);
    measure(shape, survey);
    walk_parts(shape, survey);
    count_edges(shape, survey);
}
