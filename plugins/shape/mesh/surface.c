// SPDX-License-Identifier: Apache-2.0
/*
 * Facets given together are one surface. Two vertices with equal coordinates are one vertex, so a
 * triangle soup (STL) becomes closed; two facets are neighbours when they share both vertices of an edge
 * (in 2D: a vertex). Seen from the side of a facet's normal n, a neighbour that leaves the edge in
 * the direction u (in its own plane, away from the edge) is
 *
 *       concave:  u · n >  FLAT          flat:    |u · n| <= FLAT, leading away from the facet
 *       convex:   u · n < -FLAT          convex:  the same, but folded back under the facet
 *
 * so the two facets' orders of vertices need not agree. FLAT = 1e-6 rad: coordinates with seven
 * digits give angles of this size between facets that should be coplanar, and a force error of 1e-6
 * at such a seam is below all other errors.
 *
 * Where more than two facets meet in an edge (a T of thin walls) a side has no single neighbour: the
 * edge is open for all of them, and `branching` counts such edges.
 *
 * Refused, by number: vertices that are not numbers or are missing, a facet that has a vertex twice
 * or no area, a quad that is not planar (1e-6 of its size) or not convex, one facet given twice.
 */
#include "mesh.h"

#define FLAT 1e-6

typedef struct edge_ref {
    uint32_t lo, hi; // vertices, lo <= hi; equal in 2D
    uint32_t facet, e;
} edge_ref;

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

static void get_vertex(const mesh_surface *s, uint32_t v, double out[3])
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

void mesh_normal(const mesh_surface *s, uint32_t facet, double n[3])
{
    const uint32_t *f = s->facet + 4 * (size_t)facet;
    double v[3][3] = {{0}}, a[3], b[3];
    uint32_t corners = count_corners(f);
    for (uint32_t i = 0; i < 3 && i < corners; i++)
        get_vertex(s, f[i], v[i]);
    subtract(v[1], v[0], a);
    if (corners == 2) { // the normal is the segment turned right
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

typedef struct vertex_key {
    double x[3];
    uint32_t number;
} vertex_key;

static int compare_vertices(const void *pa, const void *pb)
{
    const vertex_key *a = pa, *b = pb;
    for (int k = 0; k < 3; k++)
        if (a->x[k] != b->x[k]) // equal for -0 and 0
            return a->x[k] < b->x[k] ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/** Copies the vertices, equal ones once; map[i] is the new number of vertex i. 0: no memory. */
static int merge_vertices(mesh_surface *s, uint32_t n, const double *xyz, uint32_t *map)
{
    vertex_key *order = malloc(n * sizeof *order);
    uint32_t *first = malloc(n * sizeof *first), kept = 0;
    if (order && first) {
        for (uint32_t i = 0; i < n; i++) {
            memcpy(order[i].x, xyz + 3 * (size_t)i, sizeof order[i].x);
            order[i].number = i;
        }
        qsort(order, n, sizeof *order, compare_vertices);
        // The first of equal vertices (lowest number) replaces all.
        for (uint32_t i = 0; i < n; i++) {
            const double *x = order[i].x, *y = i ? order[i - 1].x : NULL;
            int same = y && x[0] == y[0] && x[1] == y[1] && x[2] == y[2];
            first[order[i].number] = same ? first[order[i - 1].number] : order[i].number;
        }
        for (uint32_t i = 0; i < n; i++) {
            if (first[i] != i) {
                map[i] = map[first[i]];
                continue;
            }
            for (int k = 0; k < 3; k++)
                s->vertex[k][kept] = xyz[3 * (size_t)i + k] + 0.0; // -0 becomes 0
            map[i] = kept++;
        }
    }
    int ok = order && first;
    s->view.n_vertices = kept;
    free(order);
    free(first);
    return ok;
}

static int check_vertices(uint32_t dimension, uint64_t n, const double *xyz, mesh_lines *problems)
{
    for (uint64_t i = 0; i < n; i++) {
        const double *x = xyz + 3 * i;
        if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
            return mesh_say(problems, "vertex %llu is not finite", (unsigned long long)i);
        if (dimension == 2 && x[2] != 0.0)
            return mesh_say(problems, "vertex %llu has z = %g in 2D", (unsigned long long)i, x[2]);
    }
    return 1;
}

/** Checks planarity and convexity of a quad with the corners x. */
static int check_quad(uint32_t facet, double x[4][3], const double n[3], double longest,
                      mesh_lines *problems)
{
    double edge[4][3], away[3], turn[3];
    subtract(x[3], x[0], away);
    double off = fabs(dot(away, n));
    if (off > FLAT * longest)
        return mesh_say(problems,
                        "facet %u is not planar: its fourth vertex lies %g m off the plane of the "
                        "others (split it into triangles)",
                        facet, off);
    for (int e = 0; e < 4; e++)
        subtract(x[(e + 1) % 4], x[e], edge[e]);
    for (int e = 0; e < 4; e++) {
        cross(edge[e], edge[(e + 1) % 4], turn);
        if (dot(turn, n) <= 0.0)
            return mesh_say(problems, "facet %u is not convex, or its vertices are not in order",
                            facet);
    }
    return 1;
}

/** Checks extent and area of one facet. */
static int check_facet(const mesh_surface *s, uint32_t dimension, uint32_t facet,
                       mesh_lines *problems)
{
    const uint32_t *f = s->facet + 4 * (size_t)facet;
    uint32_t corners = count_corners(f);
    double x[4][3], a[3], b[3], d[3], n[3], longest = 0.0;
    if (dimension == 2 ? corners != 2 : corners < 3)
        return mesh_say(problems, "facet %u has %u vertices, not %s", facet, corners,
                        dimension == 2 ? "2" : "3 or 4");
    for (uint32_t i = 0; i < corners; i++)
        get_vertex(s, f[i], x[i]);
    for (uint32_t i = 0; i < corners; i++)
        for (uint32_t j = 0; j < i; j++) {
            subtract(x[i], x[j], d);
            longest = fmax(longest, norm(d));
            if (f[i] == f[j])
                return mesh_say(problems,
                                "facet %u is degenerate: its vertices %u and %u are in one place",
                                facet, j, i);
        }
    if (corners == 2)
        return 1;
    subtract(x[1], x[0], a);
    subtract(x[2], x[0], b);
    cross(a, b, n);
    if (!(norm(n) > 1e-12 * longest * longest))
        return mesh_say(problems, "facet %u is degenerate: its first three vertices are on a line",
                        facet);
    mesh_normal(s, facet, n);
    return corners == 3 || check_quad(facet, x, n, longest, problems);
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
static void edge_inward(const mesh_surface *s, uint32_t facet, uint32_t e, double u[3])
{
    const uint32_t *f = s->facet + 4 * (size_t)facet;
    uint32_t corners = count_corners(f);
    double p[3], q[3], n[3], along[3];
    get_vertex(s, f[e], p);
    get_vertex(s, f[(e + 1) % corners], q);
    subtract(q, p, along);
    if (corners == 2) {
        memcpy(u, along, sizeof along);
    } else { // counter-clockwise about n: the inside is left of the edge
        mesh_normal(s, facet, n);
        cross(n, along, u);
    }
    double length = norm(u);
    for (int k = 0; k < 3; k++)
        u[k] /= length;
}

/** Kind of the edge between `facet` (at its edge e) and `other`, seen from the side of `facet`. */
static uint8_t classify_edge(const mesh_surface *s, edge_ref facet, edge_ref other)
{
    double n[3], u[3], mine[3];
    mesh_normal(s, facet.facet, n);
    edge_inward(s, other.facet, other.e, u);
    edge_inward(s, facet.facet, facet.e, mine);
    double rise = dot(u, n);
    if (rise > FLAT)
        return SCREE_EDGE_CONCAVE;
    if (rise < -FLAT)
        return SCREE_EDGE_CONVEX;
    return dot(u, mine) < 0.0 ? SCREE_EDGE_FLAT : SCREE_EDGE_CONVEX;
}

static void link_edges(mesh_surface *s, edge_ref a, edge_ref b)
{
    size_t ia = 4 * (size_t)a.facet + a.e, ib = 4 * (size_t)b.facet + b.e;
    s->neighbour[ia] = b.facet;
    s->neighbour[ib] = a.facet;
    s->edge[ia] = classify_edge(s, a, b);
    s->edge[ib] = classify_edge(s, b, a);
}

/** Finds the facets that share an edge. 0: no memory. */
static int find_neighbours(mesh_surface *s, uint32_t dimension)
{
    uint32_t n = s->view.n_facets;
    edge_ref *edges = malloc(4 * (size_t)n * sizeof *edges);
    size_t count = 0;
    if (!edges)
        return 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t *f = s->facet + 4 * (size_t)i;
        uint32_t corners = count_corners(f);
        for (uint32_t e = 0; e < corners; e++) {
            uint32_t p = f[e], q = dimension == 2 ? f[e] : f[(e + 1) % corners];
            edges[count++] = (edge_ref){p < q ? p : q, p < q ? q : p, i, e};
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
    free(edges);
    return 1;
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

static int no_memory(uint64_t n_facets, mesh_lines *problems)
{
    return mesh_say(problems, "no memory for a surface of %llu facets",
                    (unsigned long long)n_facets);
}

static int check_twice(const mesh_surface *s, mesh_lines *problems)
{
    uint32_t n = s->view.n_facets, twice = 0;
    uint32_t *keys = malloc(5 * (size_t)n * sizeof *keys);
    if (!keys)
        return no_memory(n, problems);
    for (uint32_t i = 0; i < n; i++)
        sort_corners(s->facet + 4 * (size_t)i, keys + 5 * (size_t)i, i);
    qsort(keys, n, 5 * sizeof *keys, compare_corners);
    for (uint32_t i = 1; i < n && !twice; i++) {
        const uint32_t *a = keys + 5 * (size_t)(i - 1), *b = keys + 5 * (size_t)i;
        twice = memcmp(a, b, 4 * sizeof *a) == 0;
        if (twice)
            mesh_say(problems, "facets %u and %u are the same", a[4], b[4]);
    }
    free(keys);
    return !twice;
}

/** Copies the facets with merged vertices. */
static int take_facets(mesh_surface *s, uint64_t n_vertices, const uint32_t *map,
                       const uint32_t *facets, mesh_lines *problems)
{
    for (size_t i = 0; i < 4 * (size_t)s->view.n_facets; i++) {
        s->neighbour[i] = SCREE_NONE;
        s->facet[i] = SCREE_NONE;
        if (facets[i] == SCREE_NONE)
            continue;
        if (facets[i] >= n_vertices)
            return mesh_say(problems, "facet %u names vertex %u, there are %llu (counted from 0)",
                            (unsigned)(i / 4), facets[i], (unsigned long long)n_vertices);
        s->facet[i] = map[facets[i]];
    }
    return 1;
}

/** Makes room for all arrays; 0: no memory. */
static int allocate(mesh_surface *s, uint64_t n_vertices, uint64_t n_facets)
{
    size_t places = 4 * (size_t)n_facets;
    int ok = 1;
    for (int k = 0; k < 3; k++) {
        s->vertex[k] = malloc(n_vertices * sizeof(double));
        ok &= s->vertex[k] != NULL;
    }
    s->facet = malloc(places * sizeof *s->facet);
    s->neighbour = malloc(places * sizeof *s->neighbour);
    s->edge = calloc(places, sizeof *s->edge);
    s->bytes = sizeof *s + 3 * n_vertices * sizeof(double) +
               places * (sizeof *s->facet + sizeof *s->neighbour + sizeof *s->edge);
    return ok && s->facet && s->neighbour && s->edge;
}

/** Builds all but the numbers of the view. */
static int build(mesh_surface *s, uint32_t dimension, uint64_t n_vertices, const double *xyz,
                 const uint32_t *facets, uint32_t *map, mesh_lines *problems)
{
    uint32_t n_facets = s->view.n_facets;
    if (!map || !allocate(s, n_vertices, n_facets) ||
        !merge_vertices(s, (uint32_t)n_vertices, xyz, map))
        return no_memory(n_facets, problems);
    if (!take_facets(s, n_vertices, map, facets, problems))
        return 0;
    for (uint32_t i = 0; i < n_facets; i++)
        if (!check_facet(s, dimension, i, problems))
            return 0;
    if (!check_twice(s, problems))
        return 0;
    int closed = find_neighbours(s, dimension) ? mesh_is_closed(s) : -1;
    s->view.closed = closed > 0;
    return closed >= 0 ? 1 : no_memory(n_facets, problems);
}

mesh_surface *mesh_surface_new(uint32_t dimension, uint64_t n_vertices, const double *xyz,
                               uint64_t n_facets, const uint32_t *facets, mesh_lines *problems)
{
    if (n_vertices == 0 || n_facets == 0) {
        mesh_say(problems, "a shape needs a facet and its vertices");
        return NULL;
    }
    if (n_facets > MESH_MOST_FACETS || n_vertices > 3 * MESH_MOST_FACETS) {
        mesh_say(problems, "more than %llu facets, or three times as many vertices",
                 (unsigned long long)MESH_MOST_FACETS);
        return NULL;
    }
    if (!check_vertices(dimension, n_vertices, xyz, problems))
        return NULL;
    mesh_surface *s = calloc(1, sizeof *s);
    uint32_t *map = malloc(n_vertices * sizeof *map);
    if (s)
        s->view.n_facets = (uint32_t)n_facets;
    else
        no_memory(n_facets, problems);
    int ok = s && build(s, dimension, n_vertices, xyz, facets, map, problems);
    free(map);
    if (!ok) {
        mesh_surface_free(s);
        return NULL;
    }
    s->view.size = sizeof s->view;
    for (int k = 0; k < 3; k++)
        s->view.vertex[k] = s->vertex[k];
    s->view.facet = s->facet;
    s->view.neighbour = s->neighbour;
    s->view.edge = s->edge;
    return s;
}

void mesh_surface_free(mesh_surface *s)
{
    if (!s)
        return;
    for (int k = 0; k < 3; k++)
        free(s->vertex[k]);
    free(s->facet);
    free(s->neighbour);
    free(s->edge);
    free(s);
}
