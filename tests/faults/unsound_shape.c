/* SPDX-License-Identifier: Apache-2.0 */
/* A sound shape, an ellipsoid (2D: an ellipse) away from its origin, turned, with a mesh to any
 * tolerance; once per promise that it breaks. */
#include <math.h>

#include "unsound.h"

#define SINS(SIN)                                                                                  \
    SIN(NONE, "none")                                                                              \
    SIN(CONTENT, "content")                                                                        \
    SIN(CENTROID, "centroid")                                                                      \
    SIN(INERTIA, "inertia")                                                                        \
    SIN(NEGATIVE, "negative")                                                                      \
    SIN(TRIANGLE, "triangle")                                                                      \
    SIN(RADIUS, "radius")                                                                          \
    SIN(HOLDS, "holds")                                                                            \
    SIN(TIGHT, "tight")                                                                            \
    SIN(BALL, "ball")                                                                              \
    SIN(BATCHES, "batches")                                                                        \
    SIN(SCALES, "scales")                                                                          \
    SIN(PLACES, "places")                                                                          \
    SIN(TURNS, "turns")                                                                            \
    SIN(GRADIENT, "gradient")                                                                      \
    SIN(MESHES, "meshes")                                                                          \
    SIN(NEIGHBOUR, "neighbour")                                                                    \
    SIN(THIN, "thin")                                                                              \
    SIN(BENT, "bent")                                                                              \
    SIN(SHUT, "shut")                                                                              \
    SIN(HOLLOW, "hollow") /* an edge that it calls concave */                                      \
    SIN(RIDGE, "ridge")   /* one that it calls flat */                                             \
    SIN(LARGE, "large")                                                                            \
    SIN(GROWS, "grows")                                                                            \
    SIN(HEIGHT, "height")                                                                          \
    SIN(ROUND, "round")                                                                            \
    SIN(POINTER, "pointer")                                                                        \
    SIN(BYTES, "bytes")                                                                            \
    SIN(PARTS, "parts")                                                                            \
    SIN(FINITE, "finite")                                                                          \
    SIN(VERTEX, "vertex")                                                                          \
    SIN(FUNCTION, "function")                                                                      \
    SIN(SPACE, "space") /* in 2D it is sound */
enum sin { SINS(UNSOUND_NAME) };

typedef struct drawn drawn;
struct drawn {
    scree_mesh mesh;
    double tolerance, *vertex;
    uint32_t *index; // facets, neighbours
    uint8_t *edge;
    drawn *next;
};

typedef struct ellipsoid {
    enum sin sin;
    const scree_host *host;
    uint32_t dimension;
    int placed;                  // by a frame that is turned
    double half[3], at[3], q[4]; // of its own axes, in the present frame
    drawn *meshes;
    scree_support support;
    scree_implicit implicit;
} ellipsoid;

static void to_world(const ellipsoid *e, const double local[3], double out[3])
{
    scree_rotate(e->q, local, out);
    for (int k = 0; k < 3; k++)
        out[k] += e->at[k];
}

static void turn_back(const ellipsoid *e, const double v[3], double out[3])
{
    const double back[4] = {e->q[0], -e->q[1], -e->q[2], -e->q[3]};
    scree_rotate(back, v, out);
}

/* ---- views ---- */

static void farthest(const void *ctx, uint32_t n, const double *const direction[3],
                     double *const point[3])
{
    const ellipsoid *e = ctx;
    for (uint32_t i = 0; i < n; i++) {
        double d[3] = {direction[0][i], direction[1][i], direction[2][i]}, length = 0.0;
        if (!(e->sin == PLACES && e->placed))
            turn_back(e, d, d);
        for (int k = 0; k < 3; k++)
            length += e->half[k] * e->half[k] * d[k] * d[k];
        for (int k = 0; k < 3; k++)
            d[k] *= e->half[k] * e->half[k] / sqrt(length);
        to_world(e, d, d);
        for (int k = 0; k < 3; k++)
            point[k][i] = d[k];
    }
}

static void value(const void *ctx, uint32_t n, const double *const x[3], double *values,
                  double *const gradient[3])
{
    const ellipsoid *e = ctx;
    for (uint32_t i = 0; i < n; i++) {
        double p[3] = {x[0][i] - e->at[0], x[1][i] - e->at[1], x[2][i] - e->at[2]};
        turn_back(e, p, p);
        values[i] = -1.0;
        for (uint32_t k = 0; k < 3; k++) {
            double share = k < e->dimension ? p[k] / e->half[k] : 0.0;
            values[i] += share * share;
            p[k] = k < e->dimension ? 2.0 * share / e->half[k] : 0.0;
        }
        scree_rotate(e->q, p, p);
        if (gradient)
            for (int k = 0; k < 3; k++)
                gradient[k][i] = p[k] * (e->sin == GRADIENT && k == 1 ? 1.1 : 1.0);
    }
}

static void set_vertex(const ellipsoid *e, drawn *d, uint32_t v, double z, double turn)
{
    double grown = e->sin == MESHES ? 1.02 : 1.0, ring = sqrt(1.0 - z * z);
    double local[3] = {grown * e->half[0] * ring * cos(turn), grown * e->half[1] * ring * sin(turn),
                       grown * e->half[2] * z};
    to_world(e, local, local);
    for (int k = 0; k < 3; k++)
        d->vertex[(uint32_t)k * d->mesh.n_vertices + v] = local[k];
}

/** Corners and neighbours of a facet. */
static void set_facet(drawn *d, uint32_t f, uint32_t n, const uint32_t corner[4],
                      const uint32_t neighbour[4])
{
    for (uint32_t k = 0; k < 4; k++) {
        d->index[4 * f + k] = k < n ? corner[k] : SCREE_NONE;
        d->index[4 * (d->mesh.n_facets + f) + k] = k < n ? neighbour[k] : SCREE_NONE;
        d->edge[4 * f + k] = k < n ? SCREE_EDGE_CONVEX : SCREE_EDGE_OPEN;
    }
}

/** Bands of facets around z; ring r has the vertices from 2 + (r - 1) sectors. */
static void draw_solid(const ellipsoid *e, drawn *d, uint32_t bands)
{
    const uint32_t n = 2 * bands, last = bands - 1;
    set_vertex(e, d, 0, 1.0, 0.0);
    set_vertex(e, d, 1, -1.0, 0.0);
    for (uint32_t r = 1; r < bands; r++)
        for (uint32_t j = 0; j < n; j++)
            set_vertex(e, d, 2 + (r - 1) * n + j, cos(3.14159265358979324 * r / bands),
                       2.0 * 3.14159265358979324 * j / n);
    for (uint32_t i = 0; i < bands; i++)
        for (uint32_t j = 0; j < n; j++) {
            const uint32_t f = i * n + j, to = (j + 1) % n, from = (j + n - 1) % n;
            const uint32_t up = 2 + (i - 1) * n, down = 2 + i * n, left = i * n + from;
            const uint32_t right = i * n + to;
            if (i == 0)
                set_facet(d, f, 3, (const uint32_t[4]){0, down + j, down + to},
                          (const uint32_t[4]){left, f + n, right});
            else if (i == last)
                set_facet(d, f, 3, (const uint32_t[4]){up + j, 1, up + to},
                          (const uint32_t[4]){left, right, f - n});
            else
                set_facet(d, f, 4, (const uint32_t[4]){up + j, down + j, down + to, up + to},
                          (const uint32_t[4]){left, f + n, right, f - n});
        }
}

/** A polygon; neighbours are across vertices. */
static void draw_flat(const ellipsoid *e, drawn *d)
{
    const uint32_t n = d->mesh.n_facets;
    for (uint32_t i = 0; i < n; i++) {
        set_vertex(e, d, i, 0.0, 2.0 * 3.14159265358979324 * i / n);
        set_facet(d, i, 2, (const uint32_t[4]){i, (i + 1) % n},
                  (const uint32_t[4]){(i + n - 1) % n, (i + 1) % n});
    }
}

static drawn *find(const ellipsoid *e, double tolerance)
{
    for (drawn *d = e->sin == POINTER ? NULL : e->meshes; d; d = d->next)
        if (d->tolerance == tolerance)
            return d;
    return NULL;
}

static drawn *draw(ellipsoid *e, double tolerance)
{
    double share = sqrt(fmin(0.25, tolerance / e->half[0]));
    uint32_t bands = (uint32_t)ceil(1.5707963267948966 / asin(share)) + 1;
    drawn *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    scree_mesh *m = &d->mesh;
    *m = (scree_mesh){.size = sizeof *m, .closed = 1};
    m->n_facets = e->dimension == 2 ? 4 * bands : 2 * bands * bands;
    m->n_vertices = e->dimension == 2 ? 4 * bands : 2 + 2 * bands * (bands - 1);
    d->tolerance = tolerance;
    d->vertex = calloc(3ull * m->n_vertices, sizeof(double));
    d->index = calloc(8ull * m->n_facets, sizeof(uint32_t));
    d->edge = calloc(4ull * m->n_facets, 1);
    d->next = e->meshes;
    e->meshes = d;
    if (!d->vertex || !d->index || !d->edge)
        return NULL;
    if (e->dimension == 2)
        draw_flat(e, d);
    else
        draw_solid(e, d, bands);
    if (e->sin == NEIGHBOUR)
        d->index[4ull * (m->n_facets + 7)] = 3;
    if (e->sin == THIN)
        d->index[4 * 7] = d->index[4 * 7 + 1];
    if (e->sin == BENT && e->dimension == 3) { // two corners of a quad exchanged
        uint32_t *corner = d->index + 4ull * (m->n_facets / 2), first = corner[0];
        corner[0] = corner[1];
        corner[1] = first;
    }
    if (e->sin == VERTEX)
        d->index[4 * 7 + 1] = m->n_vertices;
    if (e->sin == SHUT)
        d->edge[4 * 7] = SCREE_EDGE_OPEN;
    if (e->sin == HOLLOW)
        d->edge[4 * 7 + 1] = SCREE_EDGE_CONCAVE;
    if (e->sin == RIDGE)
        d->edge[4 * 7 + 1] = SCREE_EDGE_FLAT;
    for (uint32_t k = 0; k < 3; k++)
        m->vertex[k] = d->vertex + k * m->n_vertices;
    m->facet = d->index;
    m->neighbour = d->index + 4ull * m->n_facets;
    m->edge = d->edge;
    return d;
}

static int32_t view(void *instance, const char *name, double tolerance, const void **out)
{
    ellipsoid *e = instance;
    if (strcmp(name, SCREE_VIEW_SUPPORT) == 0)
        *out = &e->support;
    else if (strcmp(name, SCREE_VIEW_IMPLICIT) == 0)
        *out = &e->implicit;
    else
        *out = NULL;
    if (strcmp(name, SCREE_VIEW_MESH) != 0 || !(tolerance > 0.0))
        return SCREE_OK;
    drawn *d = find(e, tolerance);
    if (!d)
        d = draw(e, tolerance);
    *out = d ? &d->mesh : NULL;
    return d ? SCREE_OK : e->host->fail(e->host->ctx, SCREE_E_MEMORY, "no memory for a mesh");
}

/* ---- measure, frame, boxes ---- */

static int32_t measure(void *instance, scree_measure *m)
{
    const ellipsoid *e = instance;
    const double *a = e->half;
    double own[3], axis[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    m->n_parts = e->sin == PARTS ? 0 : 1;
    m->flat = e->dimension == 2;
    m->content = 3.14159265358979324 * a[0] * a[1] * (m->flat ? 1.0 : 4.0 / 3.0 * a[2]);
    m->content *= e->sin == CONTENT ? 1.02 : e->sin == NEGATIVE ? -1.0 : 1.0;
    m->content *= e->sin == LARGE ? 100.0 : e->sin == GROWS && e->placed ? 1.01 : 1.0;
    m->radius = a[0] * (e->sin == RADIUS ? 0.995 : 1.0);
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        own[k] = (a[i] * a[i] + a[j] * a[j]) / (m->flat ? 4.0 : 5.0);
        own[k] *= e->sin == INERTIA ? 1.04 : 1.0;
        scree_rotate(e->q, axis[k], axis[k]);
    }
    for (int k = 0; k < 3; k++)
        m->centroid[k] = e->at[k] + (e->sin == CENTROID ? 0.02 * a[0] * axis[0][k] : 0.0);
    m->centroid[0] += e->sin == ROUND ? 1e-6 : 0.0;
    m->centroid[2] += e->sin == HEIGHT && m->flat ? 1e-6 : 0.0;
    if (e->sin == FINITE)
        m->centroid[1] = (double)NAN;
    if (e->sin == TRIANGLE)
        own[0] = own[1] + 1.1 * own[2];
    for (int n = 0; n < 6; n++) {
        static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
        for (int k = 0; k < 3; k++)
            m->inertia[n] += own[k] * axis[k][row[n]] * axis[k][column[n]];
    }
    return SCREE_OK;
}

static int32_t place(void *instance, const scree_frame *f)
{
    ellipsoid *e = instance;
    const double back[4] = {f->q[0], -f->q[1], -f->q[2], -f->q[3]}, *b = e->q;
    e->placed = fabs(f->q[0]) < 1.0;
    for (int k = 0; k < 3; k++)
        e->at[k] -= f->shift[k];
    scree_rotate(back, e->at, e->at);
    if (e->sin == TURNS)
        return SCREE_OK;
    const double q[4] = {back[0] * b[0] - back[1] * b[1] - back[2] * b[2] - back[3] * b[3],
                         back[0] * b[1] + back[1] * b[0] + back[2] * b[3] - back[3] * b[2],
                         back[0] * b[2] - back[1] * b[3] + back[2] * b[0] + back[3] * b[1],
                         back[0] * b[3] + back[1] * b[2] - back[2] * b[1] + back[3] * b[0]};
    memcpy(e->q, q, sizeof q);
    return SCREE_OK;
}

static int32_t boxes(void *instance, const scree_shape_boxes *b)
{
    const ellipsoid *e = instance;
    for (uint32_t i = 0; i < b->n; i++) {
        const double q[4] = {b->q[0][i], b->q[1][i], b->q[2][i], b->q[3][i]};
        double s = b->scale[i], centre[3], square[3] = {0.0};
        if (e->sin == SCALES && s > 100.0)
            s = 100.0;
        scree_rotate(q, e->at, centre);
        for (uint32_t k = 0; k < b->dimension; k++) {
            double axis[3] = {k == 0 ? e->half[0] : 0.0, k == 1 ? e->half[1] : 0.0,
                              k == 2 ? e->half[2] : 0.0};
            scree_rotate(e->q, axis, axis);
            scree_rotate(q, axis, axis);
            for (int j = 0; j < 3; j++)
                square[j] += axis[j] * axis[j];
        }
        for (uint32_t k = 0; k < 3; k++) {
            double middle = b->x[k][i] + s * centre[k], half = s * sqrt(square[k]);
            b->lo[k][i] = middle - half * (e->sin == HOLDS ? 0.999 : 1.0);
            b->hi[k][i] = middle + half * (e->sin == TIGHT ? 1.01 : 1.0);
            b->centre[k][i] = middle;
        }
        b->radius[i] = s * e->half[0] * (e->sin == BALL ? 0.9 : 1.0);
        if (e->sin == BATCHES && i % 4 == 3)
            b->hi[0][i] = nextafter(b->hi[0][i], HUGE_VAL);
    }
    return SCREE_OK;
}

static uint64_t bytes(void *instance)
{
    const ellipsoid *e = instance;
    uint64_t sum = sizeof *e;
    for (const drawn *d = e->sin == BYTES ? NULL : e->meshes; d; d = d->next)
        sum += sizeof *d + 24ull * d->mesh.n_vertices + 36ull * d->mesh.n_facets;
    return sum;
}

static void destroy(void *instance)
{
    ellipsoid *e = instance;
    if (!e)
        return;
    while (e->meshes) {
        drawn *d = e->meshes;
        e->meshes = d->next;
        free(d->vertex);
        free(d->index);
        free(d->edge);
        free(d);
    }
    free(e);
}

static int32_t create(enum sin sin, const scree_host *host, const void *config, void **instance)
{
    ellipsoid *e = calloc(1, sizeof *e);
    if (!e)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    const int flat = host->dimension == 2;
    if (sin == SPACE && !flat) {
        free(e);
        return host->fail(host->ctx, SCREE_E_INTERNAL, "it is lost in space");
    }
    *e = (ellipsoid){.sin = sin,
                     .host = host,
                     .dimension = host->dimension,
                     .half = {0.010, 0.007, flat ? 0.0 : 0.005},
                     .at = {0.004, -0.002, flat ? 0.0 : 0.001},
                     .q = {0.8, 0.0, flat ? 0.0 : 0.36, flat ? 0.6 : 0.48},
                     .support = {.size = sizeof(scree_support), .farthest = farthest},
                     .implicit = {.size = sizeof(scree_implicit), .value = value}};
    if (sin == ROUND)
        for (uint32_t k = 0; k < e->dimension; k++) {
            e->half[k] = 0.010;
            e->at[k] = 0.0;
        }
    e->support.ctx = e->implicit.ctx = e;
    e->support.farthest = e->sin == FUNCTION ? NULL : farthest;
    *instance = e;
    return SCREE_OK;
}

typedef struct config {
    scree_reals sizes; // which it does not use
} config;
SCREE_REALS_PARAM(config, sizes, 2, "-", SCREE_PARAM_OPTIONAL, 0, 0, HUGE_VAL, "any numbers");
static const scree_param *const params[] = {&param_sizes};
#define VTABLE(NAME, ID)                                                                           \
    [NAME] = {OPS(shape, create_##NAME, destroy),                                                  \
              .bytes = bytes,                                                                      \
              .measure = measure,                                                                  \
              .place = place,                                                                      \
              .boxes = boxes,                                                                      \
              .view = view},
#define DESCRIPTOR(NAME, ID)                                                                       \
    [NAME] = {PLUGIN(SHAPE, ID, "an ellipsoid that breaks one promise"),                           \
              .flags = NAME == ROUND ? SCREE_CAP_ROUND : 0,                                        \
              .config_size = NAME == SPACE ? sizeof(config) : 0,                                   \
              .n_params = NAME == SPACE,                                                           \
              .params = params,                                                                    \
              .ops = &ops[NAME]},
UNSOUND(shape)
SCREE_DEFINE_MANIFEST(UNSOUND_LIST);
