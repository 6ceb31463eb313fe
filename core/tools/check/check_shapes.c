/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check` for resolvers: shapes of facets. */
#include "tools/check/check_shapes.h"

#include <math.h>
#include <string.h>

#include "shape/plugin_shape.h"
#include "tools/check/check_mesh.h"
#include "tools/check/check_vectors.h"

enum { MOST_FACETS = 128, PLACES = 4 * MOST_FACETS };

/** A shape of facets with its arrays. */
typedef struct sketch {
    scree_shape shape; /* first member: the pointer that is freed */
    scree_mesh mesh;
    double vertex[3][PLACES];
    uint32_t facet[PLACES], neighbour[PLACES];
    uint8_t edge[PLACES];
} sketch;

/** The number of a vertex; facets share vertices. */
static uint32_t take_vertex(sketch *s, const double x[3])
{
    uint32_t i = 0;
    while (i < s->mesh.n_vertices &&
           (s->vertex[0][i] != x[0] || s->vertex[1][i] != x[1] || s->vertex[2][i] != x[2]))
        i++;
    for (int k = 0; k < 3; k++)
        s->vertex[k][i] = x[k];
    s->mesh.n_vertices = MAX(s->mesh.n_vertices, i + 1);
    return i;
}

static void add_facet(sketch *s, uint32_t n, double (*corner)[3])
{
    g_assert(s->mesh.n_facets < MOST_FACETS);
    for (uint32_t c = 0; c < 4; c++) {
        s->facet[4 * s->mesh.n_facets + c] = c < n ? take_vertex(s, corner[c]) : SCREE_NONE;
        s->neighbour[4 * s->mesh.n_facets + c] = SCREE_NONE;
    }
    s->mesh.n_facets++;
}

/** The vector from one corner of a facet to another. */
static void find_side(const sketch *s, uint32_t facet, uint32_t from, uint32_t to, double out[3])
{
    const uint32_t *f = s->facet + 4 * facet;
    for (int k = 0; k < 3; k++)
        out[k] = s->vertex[k][f[to]] - s->vertex[k][f[from]];
}

/** The normal of a facet, and the direction from its edge e into the facet, both of any length. */
static void find_axes(const sketch *s, uint32_t facet, uint32_t e, double normal[3],
                      double inward[3])
{
    const uint32_t corners = scree_mesh_corners(&s->mesh, facet);
    double a[3], b[3];
    find_side(s, facet, e, (e + 1) % corners, inward);
    find_side(s, facet, 0, 1, a);
    if (corners == 2) {
        normal[0] = a[1];
        normal[1] = -a[0];
        normal[2] = 0.0;
        return;
    }
    find_side(s, facet, 0, 2, b);
    scree_check_cross(a, b, normal);
    memcpy(a, inward, sizeof a);
    scree_check_cross(normal, a, inward);
}

/** The kind of edge e of a facet, whose neighbour `other` has it as edge k. */
static uint8_t classify_edge(const sketch *s, uint32_t facet, uint32_t e, uint32_t other,
                             uint32_t k)
{
    double normal[3], mine[3], others[3], its[3];
    find_axes(s, facet, e, normal, mine);
    find_axes(s, other, k, others, its);
    const double rise = scree_check_dot(its, normal) /
                        sqrt(scree_check_dot(its, its) * scree_check_dot(normal, normal));
    return rise > 1e-6 ? SCREE_EDGE_CONCAVE : rise < -1e-6 ? SCREE_EDGE_CONVEX : SCREE_EDGE_FLAT;
}

/** Makes two facets neighbours at a common edge; in 2D, at a common vertex. */
static void link_facets(sketch *s, uint32_t i, uint32_t j)
{
    const uint32_t n = scree_mesh_corners(&s->mesh, i), m = scree_mesh_corners(&s->mesh, j);
    for (uint32_t e = 0; e < n; e++)
        for (uint32_t k = 0; k < m; k++) {
            const uint32_t *f = s->facet + 4 * i, *g = s->facet + 4 * j;
            const uint32_t p = f[e], q = n == 2 ? p : f[(e + 1) % n];
            const uint32_t r = g[k], t = n == 2 ? r : g[(k + 1) % m];
            if ((p != r || q != t) && (p != t || q != r))
                continue;
            s->neighbour[4 * i + e] = j;
            s->neighbour[4 * j + k] = i;
            s->edge[4 * i + e] = classify_edge(s, i, e, j, k);
            s->edge[4 * j + k] = classify_edge(s, j, k, i, e);
        }
}

/** Facets of this file: none is degenerate or folded back, and no three share an edge. */
static scree_shape *finish_sketch(sketch *s)
{
    for (uint32_t i = 0; i < s->mesh.n_facets; i++)
        for (uint32_t j = i + 1; j < s->mesh.n_facets; j++)
            link_facets(s, i, j);
    s->shape = (scree_shape){.size = sizeof s->shape,
                             .flags = SCREE_CAP_WALL,
                             .n_parts = s->mesh.n_facets,
                             .mesh = &s->mesh,
                             .view = scree_shape_find_view};
    for (uint32_t i = 0; i < s->mesh.n_vertices; i++) {
        const double x[3] = {s->vertex[0][i], s->vertex[1][i], s->vertex[2][i]};
        s->shape.radius = fmax(s->shape.radius, sqrt(scree_check_dot(x, x)));
    }
    return &s->shape;
}

static sketch *new_sketch(void)
{
    sketch *s = g_new0(sketch, 1);
    s->mesh = (scree_mesh){.size = sizeof s->mesh,
                           .vertex = {s->vertex[0], s->vertex[1], s->vertex[2]},
                           .facet = s->facet,
                           .neighbour = s->neighbour,
                           .edge = s->edge};
    return s;
}

/** Adds one quad of a face of the cube, whole or as two triangles. */
static void add_quad(sketch *s, double (*corner)[3], bool whole)
{
    double half[3][3];
    memcpy(half, corner, 3 * sizeof *half);
    add_facet(s, whole ? 4 : 3, whole ? corner : half);
    memcpy(half[1], corner[2], 2 * sizeof *half);
    if (!whole)
        add_facet(s, 3, half);
}

static void add_cube(sketch *s, uint32_t dimension, uint32_t cut, const double centre[3])
{
    const uint32_t n_corners = dimension == 3 ? 4 : 2;
    const uint32_t n_pieces = dimension == 3 ? cut * cut : cut;
    for (uint32_t face = 0; face < 2 * dimension; face++)
        for (uint32_t at = 0; at < n_pieces; at++) {
            const uint32_t axis = face / 2, i = at % cut, j = at / cut;
            double corner[4][3] = {{0}};
            for (uint32_t c = 0; c < n_corners; c++) {
                corner[c][axis] = face % 2 ? 1.0 : -1.0;
                corner[c][(axis + 1) % dimension] = -1 + 2.0 * (i + (c == 1 || c == 2)) / cut;
                if (dimension == 3)
                    corner[c][(axis + 2) % 3] = -1 + 2.0 * (j + (c > 1)) / cut;
                for (uint32_t k = 0; k < dimension; k++)
                    corner[c][k] += centre[k];
            }
            if (dimension == 2)
                add_facet(s, 2, corner);
            else
                add_quad(s, corner, (i + j) % 2);
        }
}

scree_shape *scree_check_cubes(uint32_t dimension, uint32_t cut, const double away[3])
{
    static const double here[3] = {0.0};
    sketch *s = new_sketch();
    add_cube(s, dimension, cut, here);
    if (away)
        add_cube(s, dimension, cut, away);
    return finish_sketch(s);
}

scree_shape *scree_check_cube(uint32_t dimension, uint32_t cut)
{
    return scree_check_cubes(dimension, cut, NULL);
}

scree_shape *scree_check_plane(const double normal[3])
{
    scree_shape *s = g_new0(scree_shape, 1);
    const double length = sqrt(scree_check_dot(normal, normal));
    *s = (scree_shape){
        .size = sizeof *s, .flags = SCREE_CAP_INFINITE, .view = scree_shape_find_view};
    for (int k = 0; k < 3; k++)
        s->normal[k] = normal[k] / length;
    return s;
}

scree_shape *scree_check_fan(uint32_t dimension, uint32_t spokes)
{
    sketch *s = new_sketch();
    for (uint32_t i = 0; i < spokes; i++) {
        double corner[3][3] = {{0.1, 0.2, 0.0}};
        for (uint32_t c = 0; c < 2; c++) {
            double angle = 2 * G_PI * ((i + c) % spokes) / spokes;
            corner[1 + c][0] = cos(angle);
            corner[1 + c][1] = sin(angle);
            if (dimension == 2) {
                corner[c][0] = -1.0 + 2.0 * (i + c) / spokes;
                corner[c][1] = 0.0;
            }
        }
        add_facet(s, dimension == 2 ? 2 : 3, corner);
    }
    return finish_sketch(s);
}

scree_shape *scree_check_corner(uint32_t dimension)
{
    const uint32_t n_corners = dimension == 3 ? 4 : 2;
    sketch *s = new_sketch();
    for (uint32_t axis = 0; axis < dimension; axis++) {
        double corner[4][3] = {{0}};
        for (uint32_t c = 0; c < n_corners; c++) {
            corner[c][(axis + 1) % dimension] = c == 1 || c == 2;
            if (dimension == 3)
                corner[c][(axis + 2) % 3] = c > 1;
        }
        add_facet(s, n_corners, corner);
    }
    return finish_sketch(s);
}
