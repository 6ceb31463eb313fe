// SPDX-License-Identifier: Apache-2.0
/*
 * volume: volume and growth of the overlap of two convex polyhedra, or of one and a plane.
 *
 * Idea     a is cut by the faces of b (cell.c). Where a moves by dx and turns by dr, the faces that b has cut
 *          stay, and the volume grows by -S·dx - M·dr, with S = integral of n dA over them and M = integral of
 *          x × n dA (../solid/growth.c).
 */
#include "cell.h"

static const double CLOSED = 1e-12; // [-] part of the size: a vertex so near to a plane is below it

uint64_t cyrus_volume_bytes(const cyrus_polyhedron *a, const cyrus_polyhedron *b)
{
    return cyrus_cutter_bytes(a->n_faces + (b ? b->n_faces : 1u) + 8ull);
}

/* Converts the result from the frame of a, at its scale 1, to the world. */
static int finish(const cyrus_cutter *c, const solid_matrix *turn, double scale, scree_vec d,
                  double radius, double reach, solid_overlap *out)
{
    const cyrus_content of = cyrus_cutter_measure(c);
    const scree_vec moment = scree_sum(of.moment, scree_cross(of.from, of.area));
    const double square = scale * scale, cube = square * scale;
    const solid_growth growth = {
        .volume = cube * of.volume,
        .gradient = scree_scaled(-square, solid_mul(turn, of.area)),
        .moment = scree_scaled(-cube, solid_mul(turn, moment)),
        .centroid = scree_scaled(scale, solid_mul(turn, scree_sum(of.from, of.centroid))),
    };
    return solid_overlap_of(&growth, d, radius, reach, out);
}

int cyrus_volume_of_pair(cyrus_pair *pair, scree_vec d, double radius, void *room,
                         solid_overlap *out)
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
    return finish(&c, &pair->turn, pair->scale, d, radius, pair->size * pair->scale, out);
}

int cyrus_volume_of_plane(const cyrus_polyhedron *a, const cyrus_plane *b, double radius,
                          void *room, solid_overlap *out)
{
    cyrus_cutter c;
    const scree_vec d = scree_scaled(-1.0, solid_mul(&b->turn, b->normal));
    cyrus_cutter_start(&c, a, a->x, a->n_faces + 9ull, room);
    return cyrus_cutter_cut(&c, b->normal, b->level, CLOSED * radius / b->scale) &&
           finish(&c, &b->turn, b->scale, d, radius, 2.0 * radius, out);
}
