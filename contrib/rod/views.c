/* SPDX-License-Identifier: Apache-2.0 */
/* Surfaces of a rod within a tolerance: rings of vertices about the axis, arcs in 2D. */
/*
 * Vertices are on the surface, so that facets lie inside it: by r (1 - cos^2(pi / n)) at most, with
 * n vertices in a ring and n / 2 steps from pole to pole; in an arc it is r (1 - cos(pi / n)).
 */
#include "rod.h"

#define PI 3.14159265358979323846

/** Even number of steps around the axis. */
static uint32_t count_steps(double radius, double tolerance)
{
    double share = tolerance < radius ? tolerance / radius : 1.0;
    double n = PI / asin(sqrt(share));
    return n < 6.0 ? 6u : n > 2048.0 ? 2048u : 2u * (uint32_t)(0.5 * n + 1.0);
}

/** Sets the axes of the rod: along, and two across. */
static void set_axes(const rod_axis *axis, scree_vec u[3])
{
    scree_vec along = scree_less(rod_vec(axis->end[1]), 1.0, rod_vec(axis->end[0]));
    u[0] = scree_scaled(1.0 / sqrt(scree_dot(along, along)), along);
    u[1] = fabs(u[0].z) < 0.9 ? scree_vec_of(-u[0].y, u[0].x, 0.0)
                              : scree_vec_of(0.0, -u[0].z, u[0].y);
    u[1] = scree_scaled(1.0 / sqrt(scree_dot(u[1], u[1])), u[1]);
    u[2] = scree_cross(u[0], u[1]);
}

static void put(double *const vertex[3], uint32_t at, scree_vec p)
{
    vertex[0][at] = p.x;
    vertex[1][at] = p.y;
    vertex[2][at] = p.z;
}

/** Writes the vertices of the outline, counterclockwise from the lower end of the cap at end[1]: n
 * / 2 steps round each cap. */
static void put_arcs(const rod_axis *axis, uint32_t n, double *const vertex[3])
{
    scree_vec u[3];
    set_axes(axis, u);
    for (uint32_t i = 0; i < n + 2; i++) {
        uint32_t cap = i > n / 2, step = cap ? i - n / 2 - 1 : i;
        double angle = PI * (2.0 * step / n - 0.5 + cap);
        scree_vec c = rod_vec(axis->end[cap ? 0 : 1]);
        c = scree_sum(c, scree_scaled(axis->radius * cos(angle), u[0]));
        put(vertex, i, scree_sum(c, scree_scaled(axis->radius * sin(angle), u[1])));
    }
}

/** Memory for a struct, three arrays of doubles, two of indices and one of bytes. */
static void *new_view(uint64_t head, uint64_t n_vertices, uint64_t n_facets, double *vertex[3],
                      uint32_t *index[2], uint8_t **edge, uint64_t *bytes)
{
    uint64_t size = head + 24 * n_vertices + 36 * n_facets;
    char *all = calloc(1, size);
    char *at = all + head;
    if (!all)
        return NULL;
    for (int k = 0; k < 3; k++, at += 8 * n_vertices)
        vertex[k] = (double *)(void *)at;
    for (int k = 0; k < 2; k++, at += 16 * n_facets)
        index[k] = (uint32_t *)(void *)at;
    *edge = (uint8_t *)at;
    *bytes = size;
    return all;
}

scree_outline *rod_outline_new(const rod_axis *axis, double tolerance, uint64_t *bytes)
{
    uint32_t n = count_steps(axis->radius, tolerance), *index[2];
    double *vertex[3];
    uint8_t *edge;
    scree_outline *o = new_view(sizeof *o, n + 2, 0, vertex, index, &edge, bytes);
    if (!o)
        return NULL;
    put_arcs(axis, n, vertex);
    o->size = sizeof *o;
    o->n = n + 2;
    o->vertex[0] = vertex[0];
    o->vertex[1] = vertex[1];
    return o;
}

/** 2D: writes the sides of the outline. */
static void put_sides(uint32_t n, uint32_t *facet, uint32_t *neighbour, uint8_t *edge)
{
    for (uint32_t f = 0; f < n; f++) {
        const uint32_t next = (f + 1) % n, before = (f + n - 1) % n;
        const uint32_t vertices[4] = {f, next, SCREE_NONE, SCREE_NONE};
        const uint32_t others[4] = {before, next, SCREE_NONE, SCREE_NONE};
        for (uint32_t k = 0; k < 4; k++) {
            facet[4 * f + k] = vertices[k];
            neighbour[4 * f + k] = others[k];
            edge[4 * f + k] = k < 2 ? SCREE_EDGE_CONVEX : SCREE_EDGE_OPEN;
        }
    }
}

/** 3D: writes a pole, n / 2 rings of n vertices (n / 4 or one more on each cap), and a pole. Facet
 * (ring, step) is below ring `ring`, from step to step + 1. */
static void put_rings(const rod_axis *axis, uint32_t n, uint32_t rings, double *const vertex[3])
{
    scree_vec u[3];
    set_axes(axis, u);
    put(vertex, 0, scree_less(rod_vec(axis->end[0]), axis->radius, u[0]));
    put(vertex, 1 + rings * n, scree_less(rod_vec(axis->end[1]), -axis->radius, u[0]));
    for (uint32_t ring = 0; ring < rings; ring++) {
        uint32_t half = rings / 2, cap = ring >= half;
        double up =
            0.5 * PI * (cap ? (double)(ring - half) / half : (double)(ring + 1) / half - 1.0);
        for (uint32_t i = 0; i < n; i++) {
            double round = axis->radius * cos(up), angle = 2.0 * PI * i / n;
            scree_vec c = scree_less(rod_vec(axis->end[cap]), -axis->radius * sin(up), u[0]);
            c = scree_sum(c, scree_scaled(round * cos(angle), u[1]));
            put(vertex, 1 + ring * n + i, scree_sum(c, scree_scaled(round * sin(angle), u[2])));
        }
    }
}

static void put_bands(uint32_t n, uint32_t rings, uint32_t *facet, uint32_t *neighbour,
                      uint8_t *edge)
{
    for (uint32_t ring = 0; ring <= rings; ring++)
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t f = ring * n + i, j = (i + 1) % n, low = 1 + (ring - 1) * n;
            const uint32_t high = 1 + ring * n, left = ring * n + (i + n - 1) % n,
                           right = ring * n + j;
            const uint32_t below = f - n, above = f + n;
            const uint32_t first[8] = {0,     high + j, high + i, SCREE_NONE,
                                       right, above,    left,     SCREE_NONE};
            const uint32_t last[8] = {low + i, low + j, high, SCREE_NONE,
                                      below,   right,   left, SCREE_NONE};
            const uint32_t quad[8] = {low + i, low + j, high + j, high + i,
                                      below,   right,   above,    left};
            const uint32_t *from = ring == 0 ? first : ring == rings ? last : quad;
            for (uint32_t k = 0; k < 4; k++) {
                facet[4 * f + k] = from[k];
                neighbour[4 * f + k] = from[4 + k];
                edge[4 * f + k] = from[k] == SCREE_NONE ? SCREE_EDGE_OPEN : SCREE_EDGE_CONVEX;
            }
        }
}

scree_mesh *rod_mesh_new(const rod_axis *axis, uint32_t dimension, double tolerance,
                         uint64_t *bytes)
{
    uint32_t n = count_steps(axis->radius, tolerance), rings = 2 * ((n + 3) / 4), *index[2];
    uint32_t n_vertices = dimension == 2 ? n + 2 : 2 + rings * n;
    uint32_t n_facets = dimension == 2 ? n + 2 : (rings + 1) * n;
    double *vertex[3];
    uint8_t *edge;
    scree_mesh *m = new_view(sizeof *m, n_vertices, n_facets, vertex, index, &edge, bytes);
    if (!m)
        return NULL;
    if (dimension == 2) {
        put_arcs(axis, n, vertex);
        put_sides(n + 2, index[0], index[1], edge);
    } else {
        put_rings(axis, n, rings, vertex);
        put_bands(n, rings, index[0], index[1], edge);
    }
    m->size = sizeof *m;
    m->closed = 1;
    m->n_vertices = n_vertices;
    m->n_facets = n_facets;
    for (int k = 0; k < 3; k++)
        m->vertex[k] = vertex[k];
    m->facet = index[0];
    m->neighbour = index[1];
    m->edge = edge;
    return m;
}
