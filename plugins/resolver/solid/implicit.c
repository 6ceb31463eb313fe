// SPDX-License-Identifier: Apache-2.0
/*
 * implicit: triangles of the surface on which a function is 0.
 *
 * Sources  A. Doi, A. Koide, An efficient method of triangulating equi-valued surfaces by using tetrahedral
 *          cells, IEICE Transactions E74, 1991, 214; the cut of a cube into six tetrahedra around its
 *          diagonal: H. W. Kuhn, 1960.
 * Idea     a tetrahedron has one, two or three corners inside: the cut is a triangle or a quad, without the
 *          ambiguous faces of cubes, and the cubes are all cut alike, so the surface is closed. Each vertex
 *          is the root of the function on an edge of the grid, by bisection.
 *          Vertices within 1/20 of an edge from the same node become one, and triangles between them go: no
 *          needles, whose normals are rounding.
 * Error    vertices: rounding. Between them: edges are up to sqrt(3) h long, so a sphere of curvature k is
 *          cut by up to 3 h^2 k / 8.
 * Cost     (2 reach / h)^3 values, once.
 */
#include "surface.h"

/* Kuhn's tetrahedra: corners of the cube as bits x y z, from 0 by one axis after the other to 7. */
static const uint8_t tetrahedra[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                         {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};

typedef struct lattice {
    uint32_t n;     // nodes per axis
    double from, h; // [m]
    double *value;  // [n^3]
    uint32_t *root; // [7 n^3] vertex on the edge from a node to its neighbour 1 to 7, or SCREE_NONE
    uint64_t (*ends)[2]; // [n_vertices] nodes of that edge
    solid_surface *out;
    uint64_t room_vertices, room_triangles;
} lattice;

static scree_vec place(const lattice *l, uint64_t node)
{
    const uint64_t n = l->n;
    return scree_vec_of(l->from + l->h * (double)(node % n),
                        l->from + l->h * (double)(node / n % n),
                        l->from + l->h * (double)(node / n / n));
}

static uint64_t corner(const lattice *l, uint64_t node, uint32_t c)
{
    const uint64_t n = l->n;
    return node + (c & 1u) + (c >> 1 & 1u) * n + (c >> 2 & 1u) * n * n;
}

static int is_inside(const lattice *l, uint64_t node)
{
    return l->value[node] < 0.0;
}

/* The vertex between two corners of the cube at a node; SCREE_NONE without memory. */
static uint32_t vertex_on(lattice *l, uint64_t cube, uint32_t c, uint32_t d)
{
    const uint32_t low = c < d ? c : d, high = c < d ? d : c;
    const uint64_t from = corner(l, cube, low);
    uint32_t *at = &l->root[7 * from + (high - low) - 1]; // corners of an edge differ by bits only
    if (*at != SCREE_NONE)
        return *at;
    if (!scree_grow(&l->ends, &l->room_vertices, l->out->n_vertices + 1ull, sizeof *l->ends))
        return SCREE_NONE;
    l->ends[l->out->n_vertices][0] = from;
    l->ends[l->out->n_vertices][1] = corner(l, cube, high);
    return *at = l->out->n_vertices++;
}

static int add_triangle(lattice *l, uint32_t a, uint32_t b, uint32_t c)
{
    solid_surface *s = l->out;
    if (a == SCREE_NONE || b == SCREE_NONE || c == SCREE_NONE ||
        !scree_grow(&s->triangle, &l->room_triangles, s->n_triangles + 1ull, sizeof *s->triangle))
        return 0;
    s->triangle[s->n_triangles][0] = a;
    s->triangle[s->n_triangles][1] = b;
    s->triangle[s->n_triangles++][2] = c;
    return 1;
}

/* The cut of a tetrahedron whose corners are in right-handed order. */
static int cut(lattice *l, uint64_t cube, const uint8_t t[4])
{
    uint32_t in[4], out[4], n_in = 0, n_out = 0;
    for (uint32_t k = 0; k < 4; k++) {
        if (is_inside(l, corner(l, cube, t[k])))
            in[n_in++] = k;
        else
            out[n_out++] = k;
    }
    if (n_in == 0 || n_out == 0)
        return 1;
    const uint32_t *one = n_in == 1 ? in : out, *rest = n_in == 1 ? out : in;
    uint32_t v[4];
    // An odd permutation (first, second, ..) of the corners reverses the cut.
    const uint32_t p[4] = {n_in == 2 ? in[0] : one[0], n_in == 2 ? in[1] : rest[0],
                           n_in == 2 ? out[0] : rest[1], n_in == 2 ? out[1] : rest[2]};
    int odd = 0;
    for (int i = 0; i < 4; i++)
        for (int j = i + 1; j < 4; j++)
            odd ^= p[i] > p[j];
    if (n_in == 2) {
        const uint32_t pairs[4][2] = {{0, 2}, {0, 3}, {1, 3}, {1, 2}};
        for (int k = 0; k < 4; k++)
            v[k] = vertex_on(l, cube, t[p[pairs[k][0]]], t[p[pairs[k][1]]]);
        return odd ? add_triangle(l, v[2], v[1], v[0]) && add_triangle(l, v[3], v[2], v[0])
                   : add_triangle(l, v[0], v[1], v[2]) && add_triangle(l, v[0], v[2], v[3]);
    }
    for (int k = 0; k < 3; k++)
        v[k] = vertex_on(l, cube, t[p[0]], t[p[k + 1]]);
    return odd == (n_in == 1) ? add_triangle(l, v[2], v[1], v[0])
                              : add_triangle(l, v[0], v[1], v[2]);
}

static int find_triangles(lattice *l)
{
    const uint64_t n = l->n;
    for (uint64_t z = 0; z + 1 < n; z++)
        for (uint64_t y = 0; y + 1 < n; y++)
            for (uint64_t x = 0; x + 1 < n; x++)
                for (int t = 0; t < 6; t++)
                    if (!cut(l, x + n * (y + n * z), tetrahedra[t]))
                        return 0;
    return 1;
}

/* ---- values ---- */

enum { CHUNK = 512, HALVINGS = 60 };

static void values_of(const scree_implicit *f, uint32_t n, const scree_vec *x, double *value)
{
    double at[3][CHUNK];
    for (uint32_t i = 0; i < n; i++) {
        at[0][i] = x[i].x;
        at[1][i] = x[i].y;
        at[2][i] = x[i].z;
    }
    f->value(f->ctx, n, (const double *const[3]){at[0], at[1], at[2]}, value, NULL);
}

static void sample(const scree_implicit *f, lattice *l)
{
    const uint64_t n = (uint64_t)l->n * l->n * l->n;
    scree_vec x[CHUNK];
    for (uint64_t from = 0; from < n; from += CHUNK) {
        const uint32_t m = n - from < CHUNK ? (uint32_t)(n - from) : CHUNK;
        for (uint32_t i = 0; i < m; i++)
            x[i] = place(l, from + i);
        values_of(f, m, x, l->value + from);
    }
}

/* Roots of a chunk of edges by bisection. */
static void find_roots(const scree_implicit *f, const lattice *l, uint32_t from, uint32_t n)
{
    scree_vec in[CHUNK], out[CHUNK], middle[CHUNK];
    double value[CHUNK];
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t *ends = l->ends[from + i];
        const int first = is_inside(l, ends[0]);
        in[i] = place(l, ends[first ? 0 : 1]);
        out[i] = place(l, ends[first ? 1 : 0]);
    }
    for (int step = 0; step <= HALVINGS; step++) {
        for (uint32_t i = 0; i < n; i++)
            middle[i] = scree_scaled(0.5, scree_sum(in[i], out[i]));
        values_of(f, n, middle, value);
        for (uint32_t i = 0; i < n; i++)
            *(value[i] < 0.0 ? &in[i] : &out[i]) = middle[i];
    }
    memcpy(l->out->vertex + from, middle, n * sizeof *middle);
}

/* ---- needles ---- */

static const double NEAR_NODE = 0.05; // [-] part of h

/* Joins the vertices near a node; returns the number left. *as[v]: their new numbers. */
static uint32_t join_vertices(lattice *l, uint32_t *as)
{
    solid_surface *s = l->out;
    uint32_t n = 0;
    memset(l->root, 0xff, (uint64_t)l->n * l->n * l->n * sizeof *l->root); // now by node
    for (uint32_t v = 0; v < s->n_vertices; v++) {
        uint32_t *first = NULL;
        for (int k = 0; k < 2; k++) {
            const uint64_t node = l->ends[v][k];
            const scree_vec off = scree_less(s->vertex[v], 1.0, place(l, node));
            if (solid_length(off) < NEAR_NODE * l->h)
                first = &l->root[node];
        }
        as[v] = first && *first != SCREE_NONE ? *first : n++;
        if (first)
            *first = as[v];
        if (as[v] + 1 == n)
            s->vertex[as[v]] = s->vertex[v];
    }
    return n;
}

static int remove_needles(lattice *l)
{
    solid_surface *s = l->out;
    uint32_t *as = malloc((s->n_vertices + 1ull) * sizeof *as), n = 0;
    if (!as)
        return 0;
    s->n_vertices = join_vertices(l, as);
    for (uint32_t t = 0; t < s->n_triangles; t++) {
        const uint32_t a = as[s->triangle[t][0]], b = as[s->triangle[t][1]],
                       c = as[s->triangle[t][2]];
        if (a == b || b == c || c == a)
            continue;
        s->triangle[n][0] = a;
        s->triangle[n][1] = b;
        s->triangle[n++][2] = c;
    }
    s->n_triangles = n;
    free(as);
    return 1;
}

static int build(const scree_implicit *f, lattice *l)
{
    const uint64_t n = (uint64_t)l->n * l->n * l->n;
    l->value = malloc(n * sizeof *l->value);
    l->root = malloc(7 * n * sizeof *l->root);
    if (!l->value || !l->root)
        return 0;
    memset(l->root, 0xff, 7 * n * sizeof *l->root);
    sample(f, l);
    if (!find_triangles(l))
        return 0;
    l->out->vertex = malloc((l->out->n_vertices + 1ull) * sizeof *l->out->vertex);
    if (!l->out->vertex)
        return 0;
    for (uint32_t from = 0; from < l->out->n_vertices; from += CHUNK)
        find_roots(f, l, from,
                   l->out->n_vertices - from < CHUNK ? l->out->n_vertices - from : CHUNK);
    return remove_needles(l);
}

int32_t solid_surface_of_implicit(const scree_implicit *f, double reach, double h,
                                  solid_surface *out)
{
    // The lattice is off the origin by an odd part of a cell: symmetric bodies have no vertex at a node.
    lattice l = {.n = (uint32_t)(2.0 * reach / h) + 4, .h = h, .out = out};
    memset(out, 0, sizeof *out);
    l.from = -0.5 * h * (l.n - 1) + 0.03125 * h;
    const int fine = build(f, &l);
    free(l.value);
    free(l.root);
    free(l.ends);
    if (!fine)
        return SCREE_E_MEMORY;
    out->n_facets = out->n_triangles;
    return solid_surface_finish(out);
}
