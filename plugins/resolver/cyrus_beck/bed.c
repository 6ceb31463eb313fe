// SPDX-License-Identifier: Apache-2.0
/*
 * bed: springs next to each other between two convex polyhedra that overlap.
 *
 * Sources  [1] Elandt, Drumwright, Sherman, Ruina, A pressure field model for fast, robust approximation of net
 *              contact force and moment between nominally rigid objects, IROS 2019: pressures that grow inward from
 *              the surfaces, and the surface where those of the two bodies are equal.
 *          The energy, and its gradient by cells, are derived here.
 * Idea     Let g(x) be the distance of x from the nearest of all faces of a and b, and E its integral over the
 *          overlap P. g is 0 on the border of P, so that a border that moves adds nothing; only g changes, and
 *          only in the cell C of those x whose nearest face f moves. With the velocity v + w × x of a
 *
 *              dE/dt = sum over the faces f of a of |C| n·v + |C| (c × n)·w,   c: the centroid of C,
 *
 *          without a derivative of the curve in which the two surfaces cross. The bed is 4 E: two parallel faces
 *          h apart have E = A h^2 / 4, and where h changes over the patch, E is that of its integral of h^2 / 4.
 *          On the border between cells of a and of b both pressures are equal: the force is their integral over
 *          it, as in [1], which is therefore conservative for any two pressure fields.
 * Steps    Each plane of P: P is cut by all planes of points as far from it as from another; volume and
 *          centroid of what is left. The distance from a plane is linear, so that E follows from these.
 * Cost     F^2 cuts for F planes of P, at most.
 * Limits   where faces of a and of b lie in one plane, the lower number has the whole cell: E is smooth on either
 *          side of that, and its slope jumps by the cell's volume, as the slope of the volume by its face.
 */
#include "cell.h"

static const double CLOSED = 1e-15;  // [-] part of the size: vertices so near to a plane stay
static const double PARALLEL = 1e-9; // [-] normals that differ by less are those of parallel planes

uint64_t cyrus_bed_bytes(uint64_t n_faces)
{
    return cyrus_cutter_bytes(2 * n_faces + 8) + n_faces * sizeof(uint32_t) + 8;
}

/* The planes that have a face of the cell, each once. */
static uint32_t list_planes(const cyrus_cell *of, uint32_t *list)
{
    uint32_t n = 0;
    for (uint32_t f = 0; f < of->n_faces; f++) {
        uint32_t k = 0;
        while (k < n && list[k] != of->plane[f])
            k++;
        if (k == n)
            list[n++] = of->plane[f];
    }
    return n;
}

/* Keeps what is nearer to plane f than to plane g. 0: nothing is left. */
static int cut_between(cyrus_cutter *c, const cyrus_half_space *of, uint32_t f, uint32_t g,
                       double closed)
{
    const scree_vec n = scree_less(of[g].normal, 1.0, of[f].normal);
    const double length = solid_length(n), off = of[g].offset - of[f].offset;
    if (length < PARALLEL)
        return off > 0.0 || (off == 0.0 && f < g);
    return cyrus_cutter_cut(c, scree_scaled(1.0 / length, n), off / length, closed);
}

solid_bed cyrus_bed_of(const cyrus_cutter *c, const cyrus_half_space *of, double size, void *room)
{
    const cyrus_cell *whole = &c->now;
    uint32_t *list = room, n = list_planes(whole, list);
    void *cells = (char *)room + (n * sizeof *list + 7) / 8 * 8;
    solid_bed out = {.value = 0.0};
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t f = list[k];
        cyrus_cutter cell;
        int left = 1;
        cyrus_cutter_copy(&cell, whole, whole->n_faces + n + 8ull, cells);
        for (uint32_t m = 0; m < n && left; m++)
            left = m == k || cut_between(&cell, of, f, list[m], CLOSED * size);
        if (!left)
            continue;
        const cyrus_content content = cyrus_cutter_measure(&cell);
        const scree_vec at = scree_sum(content.from, content.centroid), normal = of[f].normal;
        const double four = 4.0 * content.volume;
        out.value += four * (of[f].offset - scree_dot(normal, at));
        if (f >= c->n_own)
            continue;
        out.slope = scree_less(out.slope, -four, normal);
        out.turn = scree_less(out.turn, -four, scree_cross(at, normal));
    }
    out.value = scree_max(out.value, 0.0);
    return out;
}
