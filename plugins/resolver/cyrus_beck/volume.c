// SPDX-License-Identifier: Apache-2.0
/*
 * volume: volume and growth of the overlap of two convex polyhedra, or of one and a plane.
 *
 * Idea     a is cut by the faces of b (cell.c). Where a moves by dx and turns by dr, the faces that b has cut
 *          stay, and the volume grows by -S·dx - M·dr, with S = integral of n dA over them and M = integral of
 *          x × n dA (../solid/growth.c). The bed: bed.c. Below a plane it is twice the integral of the depth,
 *          whose slope is twice the volume, acting at its centroid.
 */
#include "cell.h"

static const double CLOSED = 1e-12; // [-] part of the size: a vertex so near to a plane is below it

/* Bytes of the cell of a pair, and of the planes; then comes the room for the bed. */
static uint64_t cell_bytes(uint64_t n_faces)
{
    return cyrus_cutter_bytes(n_faces) + n_faces * sizeof(cyrus_half_space);
}

uint64_t cyrus_volume_bytes(const cyrus_polyhedron *a, const cyrus_polyhedron *b, int bed)
{
    const uint64_t n_faces = a->n_faces + (b ? b->n_faces : 1u) + 8ull;
    return cell_bytes(n_faces) + (bed && b ? cyrus_bed_bytes(n_faces) : 0);
}

/* Converts the result from the frame of a, at its scale 1, to the world. */
static int finish(const cyrus_content *of, const solid_bed *bed, const solid_matrix *turn,
                  double scale, scree_vec d, double radius, double reach, solid_overlap *out)
{
    const scree_vec moment = scree_sum(of->moment, scree_cross(of->from, of->area));
    const double square = scale * scale, cube = square * scale;
    const solid_growth growth = {
        .volume = cube * of->volume,
        .gradient = scree_scaled(-square, solid_mul(turn, of->area)),
        .moment = scree_scaled(-cube, solid_mul(turn, moment)),
        .centroid = scree_scaled(scale, solid_mul(turn, scree_sum(of->from, of->centroid))),
        .bed = {square * square * bed->value, scree_scaled(cube, solid_mul(turn, bed->slope)),
                scree_scaled(square * square, solid_mul(turn, bed->turn))},
    };
    return solid_overlap_of(&growth, d, radius, reach, out);
}

static void list_half_spaces(const cyrus_polyhedron *a, cyrus_half_space *of)
{
    for (uint32_t f = 0; f < a->n_faces; f++)
        of[f] = (cyrus_half_space){cyrus_normal(a, f), a->offset[f]};
}

int cyrus_volume_of_pair(cyrus_pair *pair, scree_vec d, double radius, int bed, void *room,
                         solid_overlap *out)
{
    const cyrus_polyhedron *a = pair->a, *b = pair->b;
    const uint64_t n_faces = a->n_faces + b->n_faces + 8ull;
    cyrus_half_space *of = room;
    cyrus_cutter c;
    cyrus_cutter_start(&c, a, a->x, n_faces, of + n_faces);
    for (uint32_t f = 0; f < b->n_faces; f++) {
        const scree_vec n =
            scree_scaled(1.0 / pair->ratio, solid_mul(&pair->m, cyrus_normal(b, f)));
        const double offset = scree_dot(n, pair->t) + pair->ratio * b->offset[f];
        of[a->n_faces + f] = (cyrus_half_space){n, offset};
        pair->tests += c.now.n_vertices;
        if (!cyrus_cutter_cut(&c, n, offset, CLOSED * pair->size))
            return 0;
    }
    const cyrus_content content = cyrus_cutter_measure(&c);
    solid_bed springs = {.value = 0.0};
    if (bed) {
        list_half_spaces(a, of);
        springs = cyrus_bed_of(&c, of, pair->size, (char *)room + cell_bytes(n_faces));
    }
    return finish(&content, &springs, &pair->turn, pair->scale, d, radius, pair->size * pair->scale,
                  out);
}

/* The bed of what is below a plane. */
static solid_bed bed_below(const cyrus_content *of, const cyrus_plane *b)
{
    const scree_vec at = scree_sum(of->from, of->centroid);
    const double twice = 2.0 * of->volume, depth = b->level - scree_dot(b->normal, at);
    return (solid_bed){scree_max(twice * depth, 0.0), scree_scaled(-twice, b->normal),
                       scree_scaled(-twice, scree_cross(at, b->normal))};
}

int cyrus_volume_of_plane(const cyrus_polyhedron *a, const cyrus_plane *b, double radius,
                          void *room, solid_overlap *out)
{
    cyrus_cutter c;
    const scree_vec d = scree_scaled(-1.0, solid_mul(&b->turn, b->normal));
    cyrus_cutter_start(&c, a, a->x, a->n_faces + 9ull, room);
    if (!cyrus_cutter_cut(&c, b->normal, b->level, CLOSED * radius / b->scale))
        return 0;
    const cyrus_content content = cyrus_cutter_measure(&c);
    const solid_bed springs = bed_below(&content, b);
    return finish(&content, &springs, &b->turn, b->scale, d, radius, 2.0 * radius, out);
}
