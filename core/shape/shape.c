// SPDX-License-Identifier: Apache-2.0
/*
 * Shapes: geometry that bodies share, with the topology of facets worked out once.
 *
 * Facets given together are one surface. Two vertices with equal coordinates are one vertex, so a
 * triangle soup (STL) closes up; two facets are neighbours when they share both vertices of an edge
 * (in 2D: a vertex). Seen from the side of a facet's normal n, a neighbour that leaves the edge in
 * the direction u (in its own plane, away from the edge) is
 *
 *       concave:  u · n >  FLAT          flat:    |u · n| <= FLAT, leading away from the facet
 *       convex:   u · n < -FLAT          convex:  the same, but folded back under the facet
 *
 * which needs no agreement between the two facets' own orders of vertices. FLAT = 1e-6 rad:
 * coordinates written with seven digits give angles of this size between facets that were meant to
 * be coplanar, and a force error of 1e-6 at such a seam is below all else.
 *
 * Where more than two facets meet in an edge (a T of thin walls) there is no one neighbour: the
 * edge is open for all of them, scree_shape_branching says how often that happened.
 *
 * Refused, by number: vertices that are not numbers or are missing, a facet with a vertex twice or
 * without area, a quad that is not planar (1e-6 of its size) or not convex, one facet given twice.
 */
#include <math.h>
#include <string.h>

#include "shape/shape.h"

#define FLAT 1e-6

typedef struct edge_ref {
    uint32_t lo, hi; // vertices, lo <= hi; equal in 2D
    uint32_t facet, e;
} edge_ref;

/** A facet shape and what hangs on it, freed together. */
typedef struct owned_shape {
    scree_shape shape; // first: the public pointer
    scree_mesh mesh;
    double *vertex[3];
    uint32_t *facet, *neighbour;
    uint8_t *edge;
    uint32_t branching;
} owned_shape;

static void subtract(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[k] - b[k];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double norm(const double a[3])
{
    return sqrt(dot(a, a));
}

static void get_vertex(const owned_shape *s, uint32_t v, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = s->vertex[k][v];
}

static uint32_t count_corners(const uint32_t *facet)
{
    uint32_t n = 0;
    while (n < 4 && facet[n] != SCREE_NONE)
        n++;
    return n;
}

void scree_facet_normal(const scree_shape *shape, uint32_t facet, double n[3])
{
    const uint32_t *f = shape->mesh->facet + 4 * (size_t)facet;
    double v[3][3] = {{0}}, a[3], b[3];
    uint32_t corners = count_corners(f);
    for (uint32_t i = 0; i < 3 && i < corners; i++)
        for (int k = 0; k < 3; k++)
            v[i][k] = shape->mesh->vertex[k][f[i]];
    subtract(v[1], v[0], a);
    if (corners == 2) { // turned right
        n[0] = a[1];
        n[1] = -a[0];
        n[2] = 0.0;
    } else {
        subtract(v[2], v[0], b);
        cross(a, b, n);
    }
    double length = norm(n);
    for (int k = 0; k < 3; k++)
        n[k] /= length;
}

static int compare_vertices(const void *pa, const void *pb, void *user)
{
    const double *xyz = user;
    const uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
    for (int k = 0; k < 3; k++) {
        double xa = xyz[3 * (size_t)a + k], xb = xyz[3 * (size_t)b + k];
        if (xa != xb) // equal for -0 and 0
            return xa < xb ? -1 : 1;
    }
    return a < b ? -1 : a > b;
}

/** Copies the vertices, equal ones once; map[i] says where vertex i went. */
static void merge_vertices(owned_shape *s, uint32_t n, const double *xyz, uint32_t *map)
{
    g_autofree uint32_t *order = g_new(uint32_t, n);
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    g_qsort_with_data(order, (int)n, sizeof *order, compare_vertices, (void *)xyz);
    // The first of equal ones (lowest number) stands for all.
    g_autofree uint32_t *first = g_new(uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        const double *x = xyz + 3 * (size_t)order[i];
        const double *y = i ? xyz + 3 * (size_t)order[i - 1] : NULL;
        bool same = y && x[0] == y[0] && x[1] == y[1] && x[2] == y[2];
        first[order[i]] = same ? first[order[i - 1]] : order[i];
    }
    uint32_t kept = 0;
    for (int k = 0; k < 3; k++)
        s->vertex[k] = g_new0(double, n);
    for (uint32_t i = 0; i < n; i++) {
        if (first[i] != i) {
            map[i] = map[first[i]];
            continue;
        }
        for (int k = 0; k < 3; k++)
            s->vertex[k][kept] = xyz[3 * (size_t)i + k] + 0.0; // -0 becomes 0
        map[i] = kept++;
    }
    s->mesh.n_vertices = kept;
}

static bool check_vertices(uint32_t dimension, uint32_t n, const double *xyz, GError **error)
{
    for (uint32_t i = 0; i < n; i++) {
        const double *x = xyz + 3 * (size_t)i;
        if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
            return scree_fail(error, SCREE_EXIT_USAGE, "vertex %u is not finite", i);
        if (dimension == 2 && x[2] != 0.0)
            return scree_fail(error, SCREE_EXIT_USAGE, "vertex %u has z = %g in 2D", i, x[2]);
    }
    return true;
}

/** Planarity and convexity of a quad; its corners are x. */
static bool check_quad(uint32_t facet, double x[4][3], const double n[3], double longest,
                       GError **error)
{
    double edge[4][3], away[3], turn[3];
    subtract(x[3], x[0], away);
    double off = fabs(dot(away, n));
    if (off > FLAT * longest) {
        g_set_error(
            error, SCREE_ERROR, SCREE_EXIT_USAGE,
            "facet %u is not planar: its fourth vertex lies %g m off the plane of the others "
            "(split it into triangles)",
            facet, off);
        return false;
    }
    for (int e = 0; e < 4; e++)
        subtract(x[(e + 1) % 4], x[e], edge[e]);
    for (int e = 0; e < 4; e++) {
        cross(edge[e], edge[(e + 1) % 4], turn);
        if (dot(turn, n) <= 0.0)
            return scree_fail(error, SCREE_EXIT_USAGE,
                              "facet %u is not convex, or its vertices are not in order", facet);
    }
    return true;
}

/** Extent and area of one facet. */
static bool check_facet(const owned_shape *s, uint32_t dimension, uint32_t facet, GError **error)
{
    const uint32_t *f = s->facet + 4 * (size_t)facet;
    uint32_t corners = count_corners(f);
    double x[4][3], d[3], longest = 0.0;
    if (dimension == 2 ? corners != 2 : corners < 3)
        return scree_fail(error, SCREE_EXIT_USAGE, "facet %u has %u vertices, not %s", facet,
                          corners, dimension == 2 ? "2" : "3 or 4");
    for (uint32_t i = 0; i < corners; i++)
        get_vertex(s, f[i], x[i]);
    for (uint32_t i = 0; i < corners; i++) {
        for (uint32_t j = 0; j < i; j++) {
            subtract(x[i], x[j], d);
            longest = fmax(longest, norm(d));
            if (f[i] != f[j])
                continue;
            return scree_fail(error, SCREE_EXIT_USAGE,
                              "facet %u is degenerate: its vertices %u and %u are in one place",
                              facet, j, i);
        }
    }
    if (corners == 2)
        return true;
    double a[3], b[3], n[3];
    subtract(x[1], x[0], a);
    subtract(x[2], x[0], b);
    cross(a, b, n);
    if (!(norm(n) > 1e-12 * longest * longest))
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "facet %u is degenerate: its first three vertices are on a line", facet);
    scree_facet_normal(&s->shape, facet, n);
    return corners == 3 || check_quad(facet, x, n, longest, error);
}

static int compare_edges(const void *pa, const void *pb)
{
    const edge_ref *a = pa, *b = pb;
    if (a->lo != b->lo)
        return a->lo < b->lo ? -1 : 1;
    if (a->hi != b->hi)
        return a->hi < b->hi ? -1 : 1;
    if (a->facet != b->facet)
        return a->facet < b->facet ? -1 : 1;
    return a->e < b->e ? -1 : a->e > b->e;
}

/** Unit direction in which a facet leaves its edge e, in its plane. */
static void edge_inward(const owned_shape *s, uint32_t facet, uint32_t e, double u[3])
{
    const uint32_t *f = s->facet + 4 * (size_t)facet;
    uint32_t corners = count_corners(f);
    double p[3], q[3], n[3], along[3];
    get_vertex(s, f[e], p);
    get_vertex(s, f[(e + 1) % corners], q);
    subtract(q, p, along);
    if (corners == 2) {
        memcpy(u, along, sizeof along);
    } else { // counter-clockwise about n: inside is to the left of the edge
        scree_facet_normal(&s->shape, facet, n);
        cross(n, along, u);
    }
    double length = norm(u);
    for (int k = 0; k < 3; k++)
        u[k] /= length;
}

/** Kind of the edge between facet (at its edge e) and `other`, seen from facet's side. */
static uint8_t classify_edge(const owned_shape *s, edge_ref facet, edge_ref other)
{
    double n[3], u[3], mine[3];
    scree_facet_normal(&s->shape, facet.facet, n);
    edge_inward(s, other.facet, other.e, u);
    edge_inward(s, facet.facet, facet.e, mine);
    double rise = dot(u, n);
    if (rise > FLAT)
        return SCREE_EDGE_CONCAVE;
    if (rise < -FLAT)
        return SCREE_EDGE_CONVEX;
    return dot(u, mine) < 0.0 ? SCREE_EDGE_FLAT : SCREE_EDGE_CONVEX;
}

static void link_edges(owned_shape *s, edge_ref a, edge_ref b)
{
    size_t ia = 4 * (size_t)a.facet + a.e, ib = 4 * (size_t)b.facet + b.e;
    s->neighbour[ia] = b.facet;
    s->neighbour[ib] = a.facet;
    s->edge[ia] = classify_edge(s, a, b);
    s->edge[ib] = classify_edge(s, b, a);
}

/** Finds the facets that share an edge. */
static void find_neighbours(owned_shape *s, uint32_t dimension)
{
    uint32_t n = s->mesh.n_facets;
    g_autofree edge_ref *edges = g_new(edge_ref, 4 * (size_t)n);
    size_t count = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t *f = s->facet + 4 * (size_t)i;
        uint32_t corners = count_corners(f);
        for (uint32_t e = 0; e < corners; e++) {
            uint32_t p = f[e], q = dimension == 2 ? f[e] : f[(e + 1) % corners];
            edges[count++] = (edge_ref){MIN(p, q), MAX(p, q), i, e};
        }
    }
    qsort(edges, count, sizeof *edges, compare_edges);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1;
             end < count && edges[end].lo == edges[i].lo && edges[end].hi == edges[i].hi;)
            end++;
        if (end - i == 2)
            link_edges(s, edges[i], edges[i + 1]);
        s->branching += end - i > 2;
    }
}

/** Sorts the four vertex numbers of a facet, so that equal facets compare equal. */
static void sort_corners(const uint32_t *facet, uint32_t out[5], uint32_t number)
{
    memcpy(out, facet, 4 * sizeof *out);
    out[4] = number;
    for (int i = 1; i < 4; i++)
        for (int j = i; j > 0 && out[j] < out[j - 1]; j--) {
            uint32_t t = out[j];
            out[j] = out[j - 1];
            out[j - 1] = t;
        }
}

static int compare_corners(const void *pa, const void *pb)
{
    const uint32_t *a = pa, *b = pb;
    for (int k = 0; k < 5; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

static bool check_twice(const owned_shape *s, GError **error)
{
    uint32_t n = s->mesh.n_facets;
    g_autofree uint32_t *keys = g_new(uint32_t, 5 * (size_t)n);
    for (uint32_t i = 0; i < n; i++)
        sort_corners(s->facet + 4 * (size_t)i, keys + 5 * (size_t)i, i);
    qsort(keys, n, 5 * sizeof *keys, compare_corners);
    for (uint32_t i = 1; i < n; i++) {
        const uint32_t *a = keys + 5 * (size_t)(i - 1), *b = keys + 5 * (size_t)i;
        if (memcmp(a, b, 4 * sizeof *a) != 0)
            continue;
        return scree_fail(error, SCREE_EXIT_USAGE, "facets %u and %u are the same", a[4], b[4]);
    }
    return true;
}

/** Copies the facets with merged vertices. */
static bool take_facets(owned_shape *s, uint32_t n_vertices, const uint32_t *map, uint32_t n_facets,
                        const uint32_t *facets, GError **error)
{
    size_t places = 4 * (size_t)n_facets;
    s->mesh.n_facets = n_facets;
    s->facet = g_new(uint32_t, places);
    s->neighbour = g_new(uint32_t, places);
    s->edge = g_new0(uint8_t, places);
    for (size_t i = 0; i < places; i++) {
        s->neighbour[i] = SCREE_NONE;
        s->facet[i] = SCREE_NONE;
        if (facets[i] == SCREE_NONE)
            continue;
        if (facets[i] >= n_vertices)
            return scree_fail(error, SCREE_EXIT_USAGE,
                              "facet %u names vertex %u, there are %u (counted from 0)",
                              (unsigned)(i / 4), facets[i], n_vertices);
        s->facet[i] = map[facets[i]];
    }
    return true;
}

/** A shape of the host's own has no views by name. */
static const void *find_no_view(const scree_shape *shape, const char *name, double tolerance)
{
    (void)shape;
    (void)name;
    (void)tolerance;
    return NULL;
}

static void publish(owned_shape *s)
{
    double largest = 0.0;
    for (uint32_t i = 0; i < s->mesh.n_vertices; i++) {
        double x[3];
        get_vertex(s, i, x);
        largest = fmax(largest, norm(x));
    }
    s->shape.size = sizeof s->shape;
    s->shape.view = find_no_view;
    s->shape.flags = SCREE_CAP_WALL;
    s->shape.n_parts = s->mesh.n_facets;
    s->shape.radius = largest;
    s->shape.mesh = &s->mesh;
    s->mesh.size = sizeof s->mesh;
    for (int k = 0; k < 3; k++)
        s->mesh.vertex[k] = s->vertex[k];
    s->mesh.facet = s->facet;
    s->mesh.neighbour = s->neighbour;
    s->mesh.edge = s->edge;
}

scree_shape *scree_shape_new_facets(uint32_t dimension, uint32_t n_vertices, const double *xyz,
                                    uint32_t n_facets, const uint32_t *facets, GError **error)
{
    if (n_vertices == 0 || n_facets == 0) {
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE, "a shape needs a facet and its vertices");
        return NULL;
    }
    if (!check_vertices(dimension, n_vertices, xyz, error))
        return NULL;
    owned_shape *s = g_new0(owned_shape, 1);
    g_autofree uint32_t *map = g_new(uint32_t, n_vertices);
    merge_vertices(s, n_vertices, xyz, map);
    if (!take_facets(s, n_vertices, map, n_facets, facets, error))
        goto fail;
    publish(s);
    for (uint32_t i = 0; i < n_facets; i++)
        if (!check_facet(s, dimension, i, error))
            goto fail;
    if (!check_twice(s, error))
        goto fail;
    find_neighbours(s, dimension);
    return &s->shape;
fail:
    scree_shape_free(&s->shape);
    return NULL;
}

uint32_t scree_shape_branching(const scree_shape *shape)
{
    return shape->flags & SCREE_CAP_WALL ? ((const owned_shape *)shape)->branching : 0;
}

scree_shape *scree_shape_new_round(bool flat)
{
    owned_shape *s = g_new0(owned_shape, 1);
    s->shape.size = sizeof s->shape;
    s->shape.view = find_no_view;
    s->shape.flags = SCREE_CAP_ROUND;
    s->shape.n_parts = 1;
    s->shape.flat = flat;
    s->shape.radius = 1.0;
    s->shape.volume = flat ? G_PI : 4.0 / 3.0 * G_PI;
    for (int k = 0; k < 3; k++)
        s->shape.inertia[k] = flat ? 0.5 : 0.4;
    return &s->shape;
}

scree_shape *scree_shape_new_plane(const double normal[3])
{
    owned_shape *s = g_new0(owned_shape, 1);
    double length = norm(normal);
    s->shape.size = sizeof s->shape;
    s->shape.view = find_no_view;
    s->shape.flags = SCREE_CAP_INFINITE;
    for (int k = 0; k < 3; k++)
        s->shape.normal[k] = normal[k] / length;
    return &s->shape;
}

void scree_shape_free(scree_shape *shape)
{
    if (!shape)
        return;
    owned_shape *s = (owned_shape *)shape;
    for (int k = 0; k < 3; k++)
        g_free(s->vertex[k]);
    g_free(s->facet);
    g_free(s->neighbour);
    g_free(s->edge);
    g_free(s);
}

double scree_shape_equal_radius(const scree_shape *shape)
{
    if (scree_shape_is_round(shape))
        return shape->radius;
    return shape->flat ? sqrt(shape->volume / G_PI) : cbrt(0.75 * shape->volume / G_PI);
}

double scree_shape_volume(const scree_shape *shape, double scale, double thickness)
{
    double area = shape->volume * scale * scale;
    return shape->flat ? area * thickness : area * scale;
}

void scree_shape_mass(const scree_shape *shape, double scale, double density, double thickness,
                      double *mass, double inertia[3])
{
    double m = density * scree_shape_volume(shape, scale, thickness);
    *mass = m;
    for (int k = 0; k < 3; k++)
        inertia[k] = shape->inertia[k] * m * scale * scale;
}

bool scree_shape_mass_moves(double mass, const double inertia[3])
{
    return isnormal(mass) && isnormal(inertia[0]) && isfinite(1.0 / inertia[0]);
}
