// SPDX-License-Identifier: Apache-2.0
/*
 * samples: points on a surface.
 *
 * Distance the vertices, points on edges except the seams of flat faces, points on faces, at most `spacing`
 *          apart, so that a sharp edge or a small body does not slip between them.
 * Overlap  the nodes of a lattice on each triangle, at most `spacing` apart, with the share of its area that is
 *          theirs: a third of each small triangle around. Nodes on common sides are there twice.
 * Facing   around a sample the normals of the surface lie in a cone. A surface that it touches must
 *          face it, within that cone plus 70 degrees. Otherwise the top of a table would push a box
 *          aside that has sunk in a little. Between solids that holds for samples in flat faces
 *          only: edges and vertices touch all, their depth begins at 0 and is continuous, whatever
 *          the direction.
 */
#include "sdf.h"

static const double COS_WIDER = 0.34202014332566873, SIN_WIDER = 0.93969262078590838; // 70 degrees
static const double FLAT = 1.0 - 1e-9; // cosine between the faces of a seam

typedef struct sampler {
    sdf_shape *shape;
    double spacing;
    int32_t counts_only, overlap; // overlap 1: weighted lattices
} sampler;

/* Takes the point, or counts it. `narrow`: the cosine of the cone's half angle. */
static void take(sampler *w, scree_vec x, scree_vec facing, double narrow)
{
    sdf_shape *s = w->shape;
    const uint32_t i = s->n_samples++;
    const double sine = sqrt(scree_max(1.0 - narrow * narrow, 0.0));
    if (w->counts_only)
        return;
    s->sample[i] = x;
    s->facing[i] = facing;
    s->least[i] = narrow <= -COS_WIDER ? -2.0 : narrow * COS_WIDER - sine * SIN_WIDER;
}

/* [-] For each vertex the least cosine between its normal and those of its faces. */
static double *cones_of(const solid_surface *s)
{
    double *narrow = malloc((s->n_vertices + 1ull) * sizeof *narrow);
    if (!narrow)
        return NULL;
    for (uint32_t v = 0; v < s->n_vertices; v++)
        narrow[v] = 1.0;
    for (uint32_t t = 0; t < s->n_triangles; t++)
        for (int k = 0; k < 3; k++) {
            const uint32_t v = s->triangle[t][k];
            if (scree_dot(s->normal[t], s->normal[t]) > 0.0)
                narrow[v] = scree_min(narrow[v], scree_dot(s->vertex_normal[v], s->normal[t]));
        }
    return narrow;
}

static void sample_edges(sampler *w)
{
    const solid_surface *s = &w->shape->surface;
    for (uint32_t e = 0; e < s->n_edges; e++) {
        const solid_edge *edge = &s->edge[e];
        const scree_vec from = s->vertex[edge->vertex[0]];
        const scree_vec along = scree_less(s->vertex[edge->vertex[1]], 1.0, from);
        const double narrow = scree_dot(s->edge_normal[e], s->normal[edge->triangle[0]]);
        const double n = ceil(solid_length(along) / w->spacing);
        if (narrow >= FLAT)
            continue;
        for (double k = 1.0; k < n; k += 1.0)
            take(w, scree_less(from, -k / n, along), s->edge_normal[e], narrow);
    }
}

/* Points inside of a triangle, on a lattice of n parts of each side. */
static void sample_faces(sampler *w)
{
    const solid_surface *s = &w->shape->surface;
    for (uint32_t t = 0; t < s->n_triangles; t++) {
        const scree_vec a = s->vertex[s->triangle[t][0]];
        const scree_vec u = scree_less(s->vertex[s->triangle[t][1]], 1.0, a);
        const scree_vec v = scree_less(s->vertex[s->triangle[t][2]], 1.0, a);
        const scree_vec side = scree_less(v, 1.0, u);
        const double longest =
            sqrt(scree_max(scree_max(scree_dot(u, u), scree_dot(v, v)), scree_dot(side, side)));
        const double n = ceil(longest / w->spacing);
        for (double i = 1.0; i < n; i += 1.0)
            for (double j = 1.0; i + j < n; j += 1.0)
                take(w, scree_less(scree_less(a, -i / n, u), -j / n, v), s->normal[t], 1.0);
        // The face of the lower number samples the seam of two flat faces.
        for (int k = 0; k < 3; k++) {
            const solid_edge *e = &s->edge[s->side[t][k]];
            const scree_vec from = s->vertex[e->vertex[0]];
            const scree_vec along = scree_less(s->vertex[e->vertex[1]], 1.0, from);
            const double m = ceil(solid_length(along) / w->spacing);
            const int seam =
                scree_dot(s->edge_normal[s->side[t][k]], s->normal[e->triangle[0]]) >= FLAT;
            if (!seam || e->triangle[0] != t)
                continue;
            for (double i = 1.0; i < m; i += 1.0)
                take(w, scree_less(from, -i / m, along), s->normal[t], 1.0);
        }
    }
}

/* The lattice of a triangle, with weights. */
static void sample_lattice(sampler *w, uint32_t t)
{
    const solid_surface *s = &w->shape->surface;
    const scree_vec a = s->vertex[s->triangle[t][0]];
    const scree_vec u = scree_less(s->vertex[s->triangle[t][1]], 1.0, a);
    const scree_vec v = scree_less(s->vertex[s->triangle[t][2]], 1.0, a);
    const scree_vec side = scree_less(v, 1.0, u);
    const double longest =
        sqrt(scree_max(scree_max(scree_dot(u, u), scree_dot(v, v)), scree_dot(side, side)));
    const double n = ceil(longest / w->spacing), small = solid_length(scree_cross(u, v)) / (n * n);
    for (double i = 0.0; i <= n; i += 1.0)
        for (double j = 0.0; i + j <= n; j += 1.0) {
            const int on = (i == 0.0) + (j == 0.0) + (i + j == n); // number of sides that it is on
            const double around = on == 2 ? 1.0 : on == 1 ? 3.0 : 6.0;
            if (!w->counts_only)
                w->shape->weight[w->shape->n_samples] = around * small / 6.0;
            take(w, scree_less(scree_less(a, -i / n, u), -j / n, v), s->normal[t], 1.0);
        }
}

static int take_all(sampler *w)
{
    const solid_surface *s = &w->shape->surface;
    w->shape->n_samples = 0;
    for (uint32_t t = 0; w->overlap && t < s->n_triangles; t++)
        if (scree_dot(s->normal[t], s->normal[t]) > 0.0)
            sample_lattice(w, t);
    if (w->overlap)
        return 1;
    double *narrow = cones_of(s);
    if (!narrow)
        return 0;
    for (uint32_t v = 0; v < s->n_vertices; v++)
        if (scree_dot(s->vertex_normal[v], s->vertex_normal[v]) > 0.0)
            take(w, s->vertex[v], s->vertex_normal[v], narrow[v]);
    free(narrow);
    sample_edges(w);
    sample_faces(w);
    return 1;
}

/* ---- buckets ---- */

enum { IN_BUCKET = 24 };

typedef struct sorter {
    const sdf_shape *shape;
    uint32_t *order;
    sdf_bucket *bucket;
    uint32_t n;
} sorter;

static double along(scree_vec v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static int before(const sorter *w, int axis, uint32_t i, uint32_t j)
{
    const double x = along(w->shape->sample[i], axis), y = along(w->shape->sample[j], axis);
    return x < y || (x == y && i < j);
}

/* Sorts by gaps: once per shape. */
static void sort_along(const sorter *w, uint32_t *order, uint32_t n, int axis)
{
    uint32_t gap = 1;
    while (gap < n / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (uint32_t i = gap; i < n; i++) {
            const uint32_t keep = order[i];
            uint32_t at = i;
            for (; at >= gap && before(w, axis, keep, order[at - gap]); at -= gap)
                order[at] = order[at - gap];
            order[at] = keep;
        }
}

static void group(sorter *w, uint32_t first, uint32_t n)
{
    const scree_vec *x = w->shape->sample;
    scree_vec lo = x[w->order[first]], hi = lo;
    for (uint32_t i = first; i < first + n; i++) {
        const scree_vec v = x[w->order[i]];
        lo = scree_vec_of(scree_min(lo.x, v.x), scree_min(lo.y, v.y), scree_min(lo.z, v.z));
        hi = scree_vec_of(scree_max(hi.x, v.x), scree_max(hi.y, v.y), scree_max(hi.z, v.z));
    }
    const scree_vec span = scree_less(hi, 1.0, lo);
    if (n > IN_BUCKET) {
        const int axis = span.x >= span.y && span.x >= span.z ? 0 : span.y >= span.z ? 1 : 2;
        sort_along(w, w->order + first, n, axis);
        group(w, first, n / 2);
        group(w, first + n / 2, n - n / 2);
        return;
    }
    sdf_bucket *b = &w->bucket[w->n++];
    *b = (sdf_bucket){scree_scaled(0.5, scree_sum(lo, hi)), 0.0, first, n};
    for (uint32_t i = first; i < first + n; i++)
        b->radius = scree_max(b->radius, solid_length(scree_less(x[w->order[i]], 1.0, b->centre)));
    b->radius *= 1.0 + 1e-12;
}

static int reorder(sdf_shape *s, const uint32_t *order)
{
    const uint64_t n = s->n_samples;
    scree_vec *moved = malloc(n * sizeof *moved);
    double *least = malloc(n * sizeof *least);
    if (moved && least) {
        for (uint64_t i = 0; i < n; i++)
            moved[i] = s->sample[order[i]];
        memcpy(s->sample, moved, n * sizeof *moved);
        for (uint64_t i = 0; i < n; i++)
            moved[i] = s->facing[order[i]];
        memcpy(s->facing, moved, n * sizeof *moved);
        for (uint64_t i = 0; i < n; i++)
            least[i] = s->least[order[i]];
        memcpy(s->least, least, n * sizeof *least);
        for (uint64_t i = 0; i < n; i++)
            least[i] = s->weight[order[i]];
        memcpy(s->weight, least, n * sizeof *least);
    }
    const int fine = moved && least;
    free(moved);
    free(least);
    return fine;
}

int32_t sdf_shape_sample(sdf_shape *shape, double spacing, int overlap)
{
    sampler w = {shape, spacing, 1, overlap};
    if (!take_all(&w))
        return SCREE_E_MEMORY;
    const uint64_t n = shape->n_samples;
    shape->spacing = spacing;
    shape->sample = malloc(n * sizeof *shape->sample);
    shape->facing = malloc(n * sizeof *shape->facing);
    shape->least = malloc(n * sizeof *shape->least);
    shape->weight = calloc(n, sizeof *shape->weight);
    shape->bucket = malloc((2 * n / IN_BUCKET + 2) * sizeof *shape->bucket);
    uint32_t *order = malloc(n * sizeof *order);
    w.counts_only = 0;
    int fine =
        shape->sample && shape->facing && shape->least && shape->weight && shape->bucket && order;
    fine = fine && take_all(&w);
    if (fine) {
        sorter by = {shape, order, shape->bucket, 0};
        for (uint32_t i = 0; i < n; i++)
            order[i] = i;
        group(&by, 0, (uint32_t)n);
        shape->n_buckets = by.n;
        fine = reorder(shape, order);
    }
    free(order);
    return fine ? SCREE_OK : SCREE_E_MEMORY;
}

int sdf_faces(const sdf_shape *s, uint32_t i, scree_vec normal)
{
    return -scree_dot(s->facing[i], normal) >= s->least[i];
}

int sdf_faces_flatly(const sdf_shape *s, uint32_t i, scree_vec normal)
{
    return s->least[i] < COS_WIDER * FLAT || sdf_faces(s, i, normal);
}
