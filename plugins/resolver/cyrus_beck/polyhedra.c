// SPDX-License-Identifier: Apache-2.0
/*
 * polyhedra: the least translation that parts two convex polyhedra.
 *
 * Sources  [1] M. Cyrus, J. Beck, Generalized two- and three-dimensional clipping, Computers & Graphics 3,
 *              1978, 23: a point is inside when it is behind all planes.
 *          [2] D. Gregorius, The separating axis test between convex polyhedra, Game Developers Conference
 *              2013: which pairs of edges make a face of the Minkowski difference.
 * Idea     Each vertex of one body is tested against each face of the other: a face must be moved
 *          by the depth of the deepest vertex under it. Two edges count where the arcs of the
 *          normals of their faces cross [2]. The smallest of these depths counts; if it is
 *          negative, they do not overlap.
 * Cost     V_a F_b + V_b F_a tests of points, counted, always all; E_a E_b pairs of edges.
 * Ties     a face beats edges unless these are less deep by 1e-9 of the size: their normal is the steadier one.
 */
#include "polyhedra.h"

static const double TIE = 1e-9;

void cyrus_pair_set(const scree_candidates *in, uint32_t p, const cyrus_polyhedron *a,
                    const cyrus_polyhedron *b, double *room, cyrus_pair *out)
{
    const uint32_t i = in->a[p], j = in->b[p];
    const solid_matrix other = solid_turn_of(in->bodies, j);
    *out = (cyrus_pair){.a = a, .b = b, .turn = solid_turn_of(in->bodies, i)};
    out->scale = in->bodies->scale[i];
    out->ratio = in->bodies->scale[j] / out->scale;
    out->size = (in->radius_a[p] + in->radius_b[p]) / out->scale;
    out->t = solid_mul_back(&out->turn, scree_scaled(1.0 / out->scale, scree_vec_at(in->d, p)));
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            double sum = 0.0;
            for (int k = 0; k < 3; k++)
                sum += out->turn.m[k][r] * other.m[k][c];
            out->m.m[r][c] = out->ratio * sum;
        }
    for (int k = 0; k < 3; k++) {
        out->va[k] = room + k * (uint64_t)a->n_vertices;
        out->vb[k] = room + 3ull * a->n_vertices + k * (uint64_t)b->n_vertices;
    }
    out->row = room + 3ull * (a->n_vertices + b->n_vertices);
    for (uint32_t v = 0; v < b->n_vertices; v++)
        scree_vec_put(out->vb, v, scree_sum(out->t, solid_mul(&out->m, cyrus_vertex(b, v))));
    for (uint32_t v = 0; v < a->n_vertices; v++) {
        const scree_vec off = scree_less(cyrus_vertex(a, v), 1.0, out->t);
        const double back = 1.0 / (out->ratio * out->ratio);
        scree_vec_put(out->va, v, scree_scaled(back, solid_mul_back(&out->m, off)));
    }
}

/* ---- faces ---- */

static void test_dot(uint32_t n, double x, double y, double z, SCREE_IN3(n), SCREE_IN offset,
                     SCREE_OUT least)
{
    for (uint32_t f = 0; f < n; f++)
        least[f] = scree_min(least[f], (nx[f] * x + ny[f] * y + nz[f] * z) - offset[f]);
}

/* The distance from a corner of each face: the same distance by other arithmetic. */
static void test_printed(const cyrus_polyhedron *p, double x, double y, double z, double *least)
{
    for (uint32_t f = 0; f < p->n_faces; f++) {
        const scree_vec off = scree_less(scree_vec_of(x, y, z), 1.0, cyrus_vertex(p, p->on[f]));
        least[f] = scree_min(least[f], scree_dot(cyrus_normal(p, f), off));
    }
}

/* The least height of n points over each face of p. */
static void test_points(cyrus_pair *pair, const cyrus_polyhedron *p, uint32_t n, double *const x[3])
{
    for (uint32_t f = 0; f < p->n_faces; f++)
        pair->row[f] = HUGE_VAL;
    for (uint32_t v = 0; v < n; v++) {
        if (pair->printed)
            test_printed(p, x[0][v], x[1][v], x[2][v], pair->row);
        else
            test_dot(p->n_faces, x[0][v], x[1][v], x[2][v], SCREE_XYZ(p->normal), p->offset,
                     pair->row);
    }
    pair->tests += (uint64_t)n * p->n_faces;
}

static scree_vec to_a(const cyrus_pair *pair, scree_vec direction)
{
    return scree_scaled(1.0 / pair->ratio, solid_mul(&pair->m, direction));
}

static void try_faces(cyrus_pair *pair, uint32_t kind, cyrus_axis *best)
{
    const cyrus_polyhedron *p = kind ? pair->b : pair->a;
    const double unit = kind ? pair->ratio : 1.0;
    test_points(pair, p, kind ? pair->a->n_vertices : pair->b->n_vertices,
                kind ? pair->va : pair->vb);
    for (uint32_t f = 0; f < p->n_faces; f++) {
        const double depth = -pair->row[f] * unit;
        if (!(depth < best->depth))
            continue;
        *best = (cyrus_axis){.depth = depth, .kind = kind, .first = f};
        best->normal =
            kind ? scree_scaled(-1.0, to_a(pair, cyrus_normal(p, f))) : cyrus_normal(p, f);
    }
}

/* ---- edges ---- */

/* Do the arcs between the normals at both edges cross? Then the edges make a face of the Minkowski
 * difference [2]. c and d are the reversed normals at the edge of b. */
static int arcs_cross(scree_vec a, scree_vec b, scree_vec c, scree_vec d, scree_vec along_a,
                      scree_vec along_b)
{
    const double cba = scree_dot(c, along_a), dba = scree_dot(d, along_a);
    const double adc = scree_dot(a, along_b), bdc = scree_dot(b, along_b);
    return cba * dba < 0.0 && adc * bdc < 0.0 && cba * bdc > 0.0;
}

static void try_edges_of(const cyrus_pair *pair, uint32_t e, cyrus_axis *best)
{
    const cyrus_polyhedron *a = pair->a, *b = pair->b;
    const uint32_t *ea = a->edge[e];
    const scree_vec na = cyrus_normal(a, ea[2]), nb = cyrus_normal(a, ea[3]);
    const scree_vec across_a = scree_cross(nb, na), from = cyrus_vertex(a, ea[0]);
    const scree_vec u = scree_less(cyrus_vertex(a, ea[1]), 1.0, from);
    for (uint32_t f = 0; f < b->n_edges; f++) {
        const uint32_t *eb = b->edge[f];
        const scree_vec nc = scree_scaled(-1.0, to_a(pair, cyrus_normal(b, eb[2])));
        const scree_vec nd = scree_scaled(-1.0, to_a(pair, cyrus_normal(b, eb[3])));
        if (!arcs_cross(na, nb, nc, nd, across_a, scree_cross(nd, nc)))
            continue;
        const scree_vec to = scree_vec_at((const double *const *)pair->vb, eb[0]);
        const scree_vec v =
            scree_less(scree_vec_at((const double *const *)pair->vb, eb[1]), 1.0, to);
        const scree_vec cross = scree_cross(u, v);
        const double length = solid_length(cross);
        if (!(length > 1e-9 * solid_length(u) * solid_length(v)))
            continue;
        const double outward = scree_dot(cross, scree_sum(na, nb)) < 0.0 ? -1.0 : 1.0;
        const scree_vec n = scree_scaled(outward / length, cross);
        const double depth = -scree_dot(n, scree_less(to, 1.0, from));
        const double least = best->kind == 2 ? best->depth : best->depth - TIE * pair->size;
        if (depth < least)
            *best = (cyrus_axis){depth, n, 2, e, f};
    }
}

cyrus_axis cyrus_least_axis(cyrus_pair *pair)
{
    cyrus_axis best = {.depth = HUGE_VAL};
    try_faces(pair, 0, &best);
    try_faces(pair, 1, &best);
    for (uint32_t e = 0; e < pair->a->n_edges; e++)
        try_edges_of(pair, e, &best);
    return best;
}
