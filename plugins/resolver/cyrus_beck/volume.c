// SPDX-License-Identifier: Apache-2.0
/*
 * volume: the overlap of two convex polyhedra, or of one and a plane: its volume and how that changes.
 *
 * Sources  [1] Y. T. Feng, An energy-conserving contact theory for discrete element modelling of arbitrarily shaped
 *              particles: contact volume based model and computational issues, Computer Methods in Applied Mechanics
 *              and Engineering 373, 2021: normal and point from the vector area and its moment.
 * Idea     a is cut by the faces of b (cell.c). Where a moves by dx and turns by dr about x_0, the faces that b
 *          has cut stay, and the volume grows by -S·dx - M·dr, with S = integral of n dA over them and M =
 *          integral of (x - x_0) × n dA. So [1]
 *
 *              area   |S|, normal -S / |S|
 *              point  x_0 + S × M / S^2, moved along the normal to the height of the centroid
 *              twist  M·S / |S|: what no force at a point can do; 0 where the border of S is flat
 * Limits   a body inside of the other has no S: the normal leads from centre to centre. Near that the point is
 *          kept within the radius of a.
 */
#include "cell.h"

static const double CLOSED = 1e-12; // [-] of the size: vertices in a plane are below it

uint64_t cyrus_volume_bytes(const cyrus_polyhedron *a, const cyrus_polyhedron *b)
{
    return cyrus_cutter_bytes(a->n_faces + (b ? b->n_faces : 1u) + 8ull);
}

static void finish_inside(scree_vec d, double reach, const cyrus_content *of, cyrus_overlap *out)
{
    out->area = out->twist = 0.0;
    out->depth = reach;
    out->normal =
        scree_dot(d, d) > 0.0 ? solid_unit(d) : scree_vec_of(1.0, 0.0, 0.0); // any will do
    out->at = scree_sum(of->from, of->centroid);
}

/* All at scale 1 of a, in its frame. d leads to b; `reach` of a and of both. */
static int finish(const cyrus_content *of, scree_vec d, double radius, double reach,
                  cyrus_overlap *out)
{
    const double square = scree_dot(of->area, of->area), area = sqrt(square);
    out->volume = of->volume;
    if (!(of->volume > 0.0))
        return 0;
    if (!(area > CLOSED * reach * reach)) {
        finish_inside(d, reach, of, out);
        return 1;
    }
    const scree_vec about = scree_less(of->moment, 1.0, scree_cross(of->centroid, of->area));
    const scree_vec off = scree_scaled(1.0 / square, scree_cross(of->area, about));
    out->area = area;
    out->depth = scree_min(of->volume / area, reach);
    out->normal = scree_scaled(-1.0 / area, of->area);
    out->twist = scree_dot(about, of->area) / area;
    out->at = scree_sum(scree_sum(of->from, of->centroid), off);
    const double far = solid_length(out->at);
    out->at = scree_scaled(far > radius ? radius / far : 1.0, out->at);
    return 1;
}

static void to_world(const solid_matrix *turn, double scale, cyrus_overlap *out)
{
    out->volume *= scale * scale * scale;
    out->twist *= scale * scale * scale;
    out->area *= scale * scale;
    out->depth *= scale;
    out->normal = solid_mul(turn, out->normal);
    out->at = solid_mul(turn, scree_scaled(scale, out->at));
}

int cyrus_volume_of_pair(cyrus_pair *pair, double radius, void *room, cyrus_overlap *out)
{
    const cyrus_polyhedron *a = pair->a, *b = pair->b;
    cyrus_cutter c;
    cyrus_cutter_start(&c, a, a->x, a->n_faces + b->n_faces + 8ull, room);
    for (uint32_t f = 0; f < b->n_faces; f++) {
        const scree_vec n =
            scree_scaled(1.0 / pair->ratio, solid_mul(&pair->m, cyrus_normal(b, f)));
        const double offset = scree_dot(n, pair->t) + pair->ratio * b->offset[f];
        pair->tests += c.now.n_vertices;
        if (!cyrus_cutter_cut(&c, n, offset, CLOSED * pair->size))
            return 0;
    }
    const cyrus_content of = cyrus_cutter_measure(&c);
    if (!finish(&of, pair->t, radius / pair->scale, pair->size, out))
        return 0;
    to_world(&pair->turn, pair->scale, out);
    return 1;
}

int cyrus_volume_of_plane(const cyrus_polyhedron *a, const cyrus_plane *b, double radius,
                          void *room, cyrus_overlap *out)
{
    cyrus_cutter c;
    const double reach = radius / b->scale;
    cyrus_cutter_start(&c, a, a->x, a->n_faces + 9ull, room);
    if (!cyrus_cutter_cut(&c, b->normal, b->level, CLOSED * reach))
        return 0;
    const cyrus_content of = cyrus_cutter_measure(&c);
    if (!finish(&of, scree_scaled(-1.0, b->normal), reach, 2.0 * reach, out))
        return 0;
    to_world(&b->turn, b->scale, out);
    return 1;
}
