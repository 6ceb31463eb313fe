// SPDX-License-Identifier: Apache-2.0
/*
 * gaps: the least distance of two convex polyhedra that do not overlap.
 *
 * Idea     Tries each vertex with each facet of the other body, and each edge with each edge: for
 *          laws that act across a gap, which are rare with polyhedra.
 */
#include "polyhedra.h"

typedef struct closest {
    double square; // [m^2]
    scree_vec on_a, on_b;
    uint64_t feature;
} closest;

static void try_pair(closest *best, scree_vec on_a, scree_vec on_b, uint64_t feature)
{
    const scree_vec off = scree_less(on_b, 1.0, on_a);
    const double square = scree_dot(off, off);
    if (square < best->square)
        *best = (closest){square, on_a, on_b, feature};
}

static scree_vec place(const cyrus_pair *pair, uint32_t side, uint32_t v)
{
    return side ? scree_vec_at((const double *const *)pair->vb, v) : cyrus_vertex(pair->a, v);
}

static void try_facets(const cyrus_pair *pair, uint32_t side, closest *best)
{
    const cyrus_polyhedron *of = side ? pair->b : pair->a, *other = side ? pair->a : pair->b;
    const solid_surface *s = &other->surface;
    for (uint32_t t = 0; t < s->n_triangles; t++) {
        const uint32_t *c = s->triangle[t];
        for (uint32_t v = 0; v < of->n_vertices; v++) {
            const scree_vec x = place(pair, side, v);
            scree_vec foot;
            uint32_t where;
            solid_triangle_closest(place(pair, !side, c[0]), place(pair, !side, c[1]),
                                   place(pair, !side, c[2]), x, &foot, &where);
            try_pair(best, side ? foot : x, side ? x : foot, cyrus_name_vertex(v, side));
        }
    }
}

static double clamp(double t)
{
    return scree_max(scree_min(t, 1.0), 0.0);
}

/* Only inner points of both edges count: their ends are closest to a facet, too. */
static void try_edges(const cyrus_pair *pair, closest *best)
{
    for (uint32_t e = 0; e < pair->a->n_edges; e++) {
        const uint32_t *ea = pair->a->edge[e];
        const scree_vec p = place(pair, 0, ea[0]), u = scree_less(place(pair, 0, ea[1]), 1.0, p);
        for (uint32_t f = 0; f < pair->b->n_edges; f++) {
            const uint32_t *eb = pair->b->edge[f];
            const scree_vec q = place(pair, 1, eb[0]);
            const scree_vec v = scree_less(place(pair, 1, eb[1]), 1.0, q);
            const scree_vec w = scree_less(q, 1.0, p);
            const double uu = scree_dot(u, u), vv = scree_dot(v, v), uv = scree_dot(u, v);
            const double square = uu * vv - uv * uv;
            if (!(square > 1e-18 * uu * vv))
                continue;
            const double s = (scree_dot(w, u) * vv - scree_dot(w, v) * uv) / square;
            const double t = (scree_dot(w, u) * uv - scree_dot(w, v) * uu) / square;
            if (s == clamp(s) && t == clamp(t))
                try_pair(best, scree_less(p, -s, u), scree_less(q, -t, v),
                         cyrus_name_edges(pair->b, e, f));
        }
    }
}

solid_touch cyrus_gap(cyrus_pair *pair)
{
    closest best = {.square = HUGE_VAL};
    try_facets(pair, 0, &best);
    try_facets(pair, 1, &best);
    try_edges(pair, &best);
    const scree_vec off = scree_less(best.on_b, 1.0, best.on_a);
    const double distance = solid_length(off);
    const scree_vec normal = distance > 0.0 ? solid_unit(off) : scree_vec_of(1.0, 0.0, 0.0);
    const scree_vec middle = scree_scaled(0.5, scree_sum(best.on_a, best.on_b));
    return (solid_touch){.depth = -distance * pair->scale,
                         .normal = solid_mul(&pair->turn, normal),
                         .at = solid_mul(&pair->turn, scree_scaled(pair->scale, middle)),
                         .feature = best.feature};
}
