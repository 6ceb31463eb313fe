/* SPDX-License-Identifier: Apache-2.0 */
/* Round shapes, meshes and batches of balls, for the tests of the resolver `sphere`. */
#ifndef TEST_SPHERE_SCENE_H
#define TEST_SPHERE_SCENE_H

#include "../meshes.h"

#define MAX_PAIRS MOST_PAIRS
#define MAX_PARTS MOST_PARTS
#define MAX_BODIES 64u

/* Codes of the types in the tests. */
enum { TEST_SPHERE, TEST_DISC, TEST_MESH, TEST_PLANE, TEST_TYPES };
static const scree_shape test_sphere = {
    .size = sizeof(scree_shape), .flags = SCREE_CAP_ROUND, .n_parts = 1, .radius = 1.0};
static const scree_shape test_disc = {.size = sizeof(scree_shape),
                                      .type = TEST_DISC,
                                      .flags = SCREE_CAP_ROUND,
                                      .n_parts = 1,
                                      .flat = 1,
                                      .radius = 1.0};
static const scree_shape *const test_round[] = {&test_sphere, &test_disc};
#define TEST_TYPE(code_, flags_, name_, n_, shapes_)                                               \
    {                                                                                              \
        .size = sizeof(scree_shape_type), .code = code_, .flags = flags_, .n_shapes = n_,          \
        .name = name_, .shapes = shapes_                                                           \
    }
static const scree_shape_type test_type[TEST_TYPES] = {
    TEST_TYPE(TEST_SPHERE, SCREE_CAP_ROUND, "sphere", 1, test_round),
    TEST_TYPE(TEST_DISC, SCREE_CAP_ROUND, "disc", 1, test_round + 1),
    TEST_TYPE(TEST_MESH, SCREE_CAP_WALL, "mesh", 0, NULL),
    TEST_TYPE(TEST_PLANE, SCREE_CAP_INFINITE, "plane", 0, NULL)};
static const scree_shape_type *const test_types[TEST_TYPES] = {&test_type[0], &test_type[1],
                                                               &test_type[2], &test_type[3]};

static inline void turn(const double q[4], const double v[3], double out[3])
{
    /* Rotation matrix, written out: not the formula that the plugin uses. */
    double w = q[0], x = q[1], y = q[2], z = q[3];
    double m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                      {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                      {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    for (int k = 0; k < 3; k++)
        out[k] = m[k][0] * v[0] + m[k][1] * v[1] + m[k][2] * v[2];
}

static inline void vertex_of(const test_solid *s, uint32_t v, double x[3])
{
    for (int k = 0; k < 3; k++)
        x[k] = s->x[k][v];
}

static inline uint32_t corners_of(const test_solid *s, uint32_t f)
{
    uint32_t n = 0;
    while (n < 4 && s->facet[4 * f + n] != SCREE_NONE)
        n++;
    return n;
}

static inline void normal_of(const test_solid *s, int dimension, uint32_t f, double n[3])
{
    double p[3][3] = {{0}}, u[3], v[3] = {0}, length;
    for (int c = 0; c < dimension; c++)
        vertex_of(s, s->facet[4 * f + c], p[c]);
    for (int k = 0; k < 3; k++) {
        u[k] = p[1][k] - p[0][k];
        v[k] = dimension == 3 ? p[2][k] - p[0][k] : k == 2;
    }
    n[0] = u[1] * v[2] - u[2] * v[1];
    n[1] = u[2] * v[0] - u[0] * v[2];
    n[2] = u[0] * v[1] - u[1] * v[0];
    length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3; k++)
        n[k] /= length;
}

/* Fills neighbour and edge by looking at every pair of facets; coplanar is flat, all else convex
 * (that is enough for a resolver of balls). */
static inline void link_facets(test_solid *s, int dimension)
{
    for (uint32_t i = 0; i < 4 * s->mesh.n_facets; i++) {
        s->neighbour[i] = SCREE_NONE;
        s->edge[i] = SCREE_EDGE_OPEN;
    }
    for (uint32_t f = 0; f < s->mesh.n_facets; f++)
        for (uint32_t g = 0; g < s->mesh.n_facets; g++) {
            uint32_t nf = corners_of(s, f), ng = corners_of(s, g);
            double u[3], v[3];
            normal_of(s, dimension, f, u);
            normal_of(s, dimension, g, v);
            if (f != g)
                for (uint32_t i = 0; i < nf; i++)
                    for (uint32_t j = 0; j < ng; j++) {
                        uint32_t f0 = s->facet[4 * f + i], f1 = s->facet[4 * f + (i + 1) % nf];
                        uint32_t g0 = s->facet[4 * g + j], g1 = s->facet[4 * g + (j + 1) % ng];
                        int met = dimension == 2 ? f0 == g0
                                                 : (f0 == g0 && f1 == g1) || (f0 == g1 && f1 == g0);
                        if (!met)
                            continue;
                        s->neighbour[4 * f + i] = g;
                        s->edge[4 * f + i] =
                            fabs(u[0] * v[0] + u[1] * v[1] + u[2] * v[2]) > 1 - 1e-12
                                ? SCREE_EDGE_FLAT
                                : SCREE_EDGE_CONVEX;
                    }
        }
}

static inline void finish_shape(test_solid *s, int dimension)
{
    s->mesh.size = sizeof s->mesh;
    solid_finish(s);
    s->shape.type = TEST_MESH;
    s->shape.flags = SCREE_CAP_WALL;
    s->shape.n_parts = s->mesh.n_facets;
    s->shape.view = NULL;
    link_facets(s, dimension);
}

/* The number of the vertex at x, a new one if there is none yet. */
static inline uint32_t add_vertex(test_solid *s, double x, double y, double z)
{
    for (uint32_t v = 0; v < s->mesh.n_vertices; v++)
        if (s->x[0][v] == x && s->x[1][v] == y && s->x[2][v] == z)
            return v;
    return solid_vertex(s, x, y, z);
}

/* One more pair: ball at `centre` with body b of the world; all its facets are candidates. */
static inline void add_ball(test_batch *t, const test_world *w, uint32_t b, const double centre[3],
                            double radius)
{
    uint32_t p = t->in.n++, c = t->first[p];
    if (p >= MAX_PAIRS || c + w->bodies.shapes[0]->n_parts > MAX_PARTS)
        bail_out("the batch is full");
    t->b[p] = b;
    t->radius_a[p] = radius;
    for (int k = 0; k < 3; k++)
        t->d[k][p] = w->x[k][b] - centre[k];
    for (uint32_t f = 0; f < w->bodies.shapes[0]->n_parts; f++)
        t->part_b[c++] = f;
    t->first[p + 1] = c;
}

static inline void init_contacts(test_touches *c, uint32_t capacity, int features, int extras)
{
    memset(c, 0xa5, sizeof *c);
    clear_touches(c);
    c->out.capacity = capacity;
    if (!features)
        c->out.feature = c->out.continues = NULL;
    if (extras) {
        c->out.curvature[0] = c->curvature[0];
        c->out.curvature[1] = c->curvature[1];
        c->out.area = c->area;
        c->out.chord = c->chord;
    }
}

/* ---- what the claims work on ---- */

static test_solid shape;
static test_world world;
static test_batch batch;
static test_touches contacts, other, part;

/* Bodies of the shape, none of them turned, and no pair yet. */
static inline void start_batch(uint32_t dimension, uint32_t type_a, uint32_t type_b)
{
    static const scree_shape *shapes[1] = {&shape.shape};
    init_world(&world, dimension, MAX_BODIES, shapes, 1, test_types, TEST_TYPES);
    init_batch(&batch, &world, type_a, type_b, type_b == TEST_MESH);
}

static inline void prepare(subject *s, uint32_t dimension)
{
    finish_shape(&shape, (int)dimension);
    start_batch(dimension, TEST_SPHERE, TEST_MESH);
    prepare_shape(s, 0, &shape.shape);
}

static inline void clear_shape(void)
{
    memset(&shape, 0, sizeof shape);
}

static inline void append(test_touches *all, const test_touches *more, uint32_t first_pair)
{
    for (uint32_t i = 0; i < more->out.n; i++) {
        uint32_t c = all->out.n++;
        all->pair[c] = more->pair[i] + first_pair;
        all->depth[c] = more->depth[i];
        all->feature[c] = more->out.feature ? more->feature[i] : 0;
        for (int k = 0; k < 3; k++) {
            all->normal[k][c] = more->normal[k][i];
            all->arm[k][c] = more->arm[k][i];
        }
    }
}

/* Resolves the batch in pieces of at most `chunk` pairs and `capacity` contacts, as a host does. */
static inline int run(subject *s, uint32_t chunk, uint32_t capacity, test_touches *all)
{
    int features = batch.in.type_b == TEST_MESH, calls = 0;
    init_contacts(all, MAX_PARTS, features, 0);
    for (uint32_t p = 0; p < batch.in.n; calls++) {
        scree_candidates piece = batch.in;
        uint32_t done = 0;
        piece.n = batch.in.n - p < chunk ? batch.in.n - p : chunk;
        piece.a += p;
        piece.b += p;
        piece.radius_a += p;
        piece.radius_b += p;
        piece.first = features ? piece.first + p : NULL;
        piece.keep = piece.keep ? piece.keep + p : NULL;
        for (int k = 0; k < 3; k++)
            piece.d[k] += p;
        init_contacts(&part, capacity, features, 0);
        if (s->ops->resolve(s->self, &piece, &part.out, &done) != SCREE_OK || done == 0)
            return 0;
        append(all, &part, p);
        p += done;
    }
    return calls;
}

static inline int same_bits(const test_touches *l, const test_touches *r)
{
    size_t n = l->out.n * sizeof(double);
    int same = l->out.n == r->out.n && l->out.n > 0 && memcmp(l->depth, r->depth, n) == 0 &&
               memcmp(l->pair, r->pair, n / 2) == 0 && memcmp(l->feature, r->feature, n) == 0;
    for (int k = 0; same && k < 3; k++)
        same = memcmp(l->normal[k], r->normal[k], n) == 0 && memcmp(l->arm[k], r->arm[k], n) == 0;
    return same;
}

static inline double max_difference(const test_touches *c, uint32_t i, const double normal[3],
                                    double depth)
{
    double most = fabs(c->depth[i] - depth);
    for (int k = 0; k < 3; k++)
        most = fmax(most, fabs(c->normal[k][i] - normal[k]));
    return most;
}

#endif
