// SPDX-License-Identifier: Apache-2.0
/*
 * others: a convex polyhedron against a plane, and a ball or a point against one.
 *
 * Idea     a plane is one side: each vertex is tested against it. The centre of a ball is a point:
 *          inside, its distance is that of the closest face; outside, that of the closest facet.
 * Limits   a ball whose centre is as far from two faces is pushed along the one of the lower number.
 */
#include "polyhedra.h"

cyrus_plane cyrus_plane_of(const scree_candidates *in, uint32_t p)
{
    const scree_bodies *bodies = in->bodies;
    const double *n = bodies->shapes[bodies->shape[in->b[p]]]->normal;
    const solid_matrix turn = solid_turn_of(bodies, in->b[p]);
    const scree_vec world = solid_mul(&turn, scree_vec_of(n[0], n[1], n[2]));
    cyrus_plane out = {.scale = bodies->scale[in->a[p]], .turn = solid_turn_of(bodies, in->a[p])};
    out.normal = solid_mul_back(&out.turn, world);
    out.level = scree_dot(world, scree_vec_at(in->d, p)) / out.scale;
    return out;
}

static solid_touch touch_at(const cyrus_plane *b, scree_vec x, uint32_t v)
{
    const double height = scree_dot(b->normal, x) - b->level;
    const scree_vec middle = scree_less(x, 0.5 * height, b->normal);
    return (solid_touch){.depth = -height * b->scale,
                         .normal = scree_scaled(-1.0, solid_mul(&b->turn, b->normal)),
                         .at = solid_mul(&b->turn, scree_scaled(b->scale, middle)),
                         .feature = cyrus_name_vertex(v, 0)};
}

uint32_t cyrus_plane_touches(const cyrus_polyhedron *a, const cyrus_plane *b, solid_touch *out)
{
    uint32_t n = 0;
    for (uint32_t v = 0; v < a->n_vertices; v++) {
        out[n] = touch_at(b, cyrus_vertex(a, v), v);
        n += out[n].depth >= 0.0;
    }
    return n;
}

solid_touch cyrus_plane_gap(const cyrus_polyhedron *a, const cyrus_plane *b)
{
    double least = HUGE_VAL;
    uint32_t at = 0;
    for (uint32_t v = 0; v < a->n_vertices; v++) {
        const double height = scree_dot(b->normal, cyrus_vertex(a, v));
        at = height < least ? v : at;
        least = scree_min(height, least);
    }
    return touch_at(b, cyrus_vertex(a, at), at);
}

/* The highest face under x, and how high it is. */
static double highest_face(const cyrus_polyhedron *b, scree_vec x, uint32_t *face)
{
    double most = -HUGE_VAL;
    for (uint32_t f = 0; f < b->n_faces; f++) {
        const double height = scree_dot(cyrus_normal(b, f), x) - b->offset[f];
        *face = height > most ? f : *face;
        most = scree_max(height, most);
    }
    return most;
}

/* The distance of x from the surface, and its gradient. */
static double distance_of(const cyrus_polyhedron *b, scree_vec x, scree_vec *gradient)
{
    const solid_surface *s = &b->surface;
    uint32_t face = 0, where;
    const double height = highest_face(b, x, &face);
    double best = HUGE_VAL;
    scree_vec foot, off = {0.0, 0.0, 0.0};
    *gradient = cyrus_normal(b, face);
    if (height <= 0.0)
        return height;
    for (uint32_t t = 0; t < s->n_triangles; t++) {
        const uint32_t *c = s->triangle[t];
        const double square = solid_triangle_closest(s->vertex[c[0]], s->vertex[c[1]],
                                                     s->vertex[c[2]], x, &foot, &where);
        off = square < best ? scree_less(x, 1.0, foot) : off;
        best = scree_min(square, best);
    }
    const double distance = sqrt(best);
    if (distance > 1e-9 * s->size) // otherwise the face's normal is as good
        *gradient = scree_scaled(1.0 / distance, off);
    return distance;
}

solid_touch cyrus_ball_touch(const scree_candidates *in, uint32_t p, const cyrus_polyhedron *of,
                             double radius, int turned)
{
    const scree_vec d = scree_vec_at(in->d, p);
    const uint32_t j = turned ? in->a[p] : in->b[p];
    const double scale = in->bodies->scale[j], sign = turned ? 1.0 : -1.0;
    const solid_matrix turn = solid_turn_of(in->bodies, j);
    const scree_vec x = solid_mul_back(&turn, scree_scaled(sign / scale, d));
    scree_vec gradient;
    const double distance = distance_of(of, x, &gradient) * scale;
    solid_touch out = {.depth = radius - distance,
                       .normal = scree_scaled(sign, solid_mul(&turn, gradient))};
    out.at = scree_scaled(radius - 0.5 * out.depth, out.normal);
    if (turned) // from x_a: from the centre of b back to the middle of the overlap
        out.at = scree_less(d, radius - 0.5 * out.depth, out.normal);
    return out;
}
