// SPDX-License-Identifier: Apache-2.0
/*
 * disc: a disc about the origin, in 2D.
 *
 * Idea     bodies of this type are discs, whose boxes and contacts the host and the resolvers know
 *          how to compute; this file has their measure and their views.
 * Views    support and implicit function, exact; outline and mesh (segments) to a tolerance: a
 *          regular polygon of 4 * 2^k corners on the circle.
 * Limits   a tolerance below 1e-9 of the radius gets no polygon.
 */
#include "mesh/mesh.h"

enum { FEWEST = 4, MOST = 1 << 17 };

typedef struct config {
    double radius;
} config;

SCREE_REAL_PARAM(config, radius, "m", SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN, 0, 0, HUGE_VAL,
                 "radius of the disc");
static const scree_param *const params[] = {&param_radius};

/** A polygon that was asked for. */
typedef struct polygon {
    double tolerance;
    scree_outline outline;
    double *x, *y;         // [outline.n]
    mesh_surface *surface; // NULL: not asked for yet
} polygon;

typedef struct disc {
    const scree_host *host;
    double radius;
    scree_support support;
    scree_implicit implicit;
    polygon **polygons; // [n] their addresses do not change
    uint64_t n, room;
} disc;

static void farthest(const void *ctx, uint32_t n, const double *const direction[3],
                     double *const point[3])
{
    const disc *self = ctx;
    for (uint32_t i = 0; i < n; i++) {
        double x = direction[0][i], y = direction[1][i], length = sqrt(x * x + y * y);
        point[0][i] = length > 0.0 ? self->radius * x / length : self->radius;
        point[1][i] = length > 0.0 ? self->radius * y / length : 0.0;
        point[2][i] = 0.0;
    }
}

static void value(const void *ctx, uint32_t n, const double *const x[3], double *out,
                  double *const gradient[3])
{
    const disc *self = ctx;
    for (uint32_t i = 0; i < n; i++) {
        double r = sqrt(x[0][i] * x[0][i] + x[1][i] * x[1][i]);
        out[i] = r - self->radius;
        if (!gradient)
            continue;
        gradient[0][i] = r > 0.0 ? x[0][i] / r : 1.0;
        gradient[1][i] = r > 0.0 ? x[1][i] / r : 0.0;
        gradient[2][i] = 0.0;
    }
}

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    const config *c = given;
    disc *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->host = host;
    self->radius = c->radius;
    self->support = (scree_support){sizeof self->support, 0, self, farthest};
    self->implicit = (scree_implicit){sizeof self->implicit, 0, self, value};
    *instance = self;
    return SCREE_OK;
}

static void free_polygon(polygon *p)
{
    if (p)
        mesh_surface_free(p->surface);
    if (p)
        free(p->x);
    free(p);
}

static void destroy(void *instance)
{
    disc *self = instance;
    if (!self)
        return;
    for (uint64_t i = 0; i < self->n; i++)
        free_polygon(self->polygons[i]);
    free(self->polygons);
    free(self);
}

static uint64_t bytes(void *instance)
{
    const disc *self = instance;
    uint64_t sum = sizeof *self + self->room * sizeof *self->polygons;
    for (uint64_t i = 0; i < self->n; i++) {
        const polygon *p = self->polygons[i];
        sum += sizeof *p + 2 * p->outline.n * sizeof *p->x + (p->surface ? p->surface->bytes : 0);
    }
    return sum;
}

static int32_t measure(void *instance, scree_measure *out)
{
    const disc *self = instance;
    const double pi = 3.1415926535897932384626433832795, r = self->radius;
    out->n_parts = 1;
    out->flat = 1;
    out->content = pi * r * r;
    // A disc turns only about z; three equal moments keep it isotropic for integrators.
    out->inertia[0] = out->inertia[1] = out->inertia[2] = 0.5 * r * r;
    out->radius = r;
    return SCREE_OK;
}

/** Adds a corner half-way between every two on the unit circle. */
static void cut(uint32_t n, double *x, double *y)
{
    for (uint32_t i = n; i-- > 0;) {
        x[2 * i] = x[i];
        y[2 * i] = y[i];
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t next = (2 * i + 2) % (2 * n);
        double a = x[2 * i] + x[next], b = y[2 * i] + y[next], length = sqrt(a * a + b * b);
        x[2 * i + 1] = a / length;
        y[2 * i + 1] = b / length;
    }
}

/** 1 less the distance of a polygon's side from the centre: 2 sin^2 of a quarter of the side's
 * angle. */
static double sag(const double *x, const double *y)
{
    double a = 0.5 * (x[1] - x[0]), b = 0.5 * (y[1] - y[0]), half2 = a * a + b * b;
    return half2 / (1.0 + sqrt(1.0 - half2));
}

/** The polygon within a tolerance; *out NULL: it would be too fine. */
static int32_t find_polygon(disc *self, double tolerance, polygon **out)
{
    static const double x4[] = {1, 0, -1, 0}, y4[] = {0, 1, 0, -1};
    *out = NULL;
    for (uint64_t i = 0; i < self->n; i++)
        if (self->polygons[i]->tolerance == tolerance) {
            *out = self->polygons[i];
            return SCREE_OK;
        }
    uint32_t n = FEWEST;
    double *x = malloc(2 * MOST * sizeof *x), *y = x + MOST;
    polygon *p = calloc(1, sizeof *p);
    if (!x || !p)
        goto fail;
    memcpy(x, x4, sizeof x4);
    memcpy(y, y4, sizeof y4);
    for (; n < MOST && sag(x, y) * self->radius > tolerance; n *= 2)
        cut(n, x, y);
    if (sag(x, y) * self->radius > tolerance) {
        free(x);
        free(p);
        return SCREE_OK;
    }
    p->x = malloc(2 * (size_t)n * sizeof *p->x);
    if (!p->x || !scree_grow(&self->polygons, &self->room, self->n + 1, sizeof *self->polygons))
        goto fail;
    p->y = p->x + n;
    for (uint32_t i = 0; i < n; i++) {
        p->x[i] = self->radius * x[i];
        p->y[i] = self->radius * y[i];
    }
    free(x);
    p->tolerance = tolerance;
    p->outline = (scree_outline){sizeof p->outline, n, {p->x, p->y}};
    *out = self->polygons[self->n++] = p;
    return SCREE_OK;
fail:
    free_polygon(p);
    free(x);
    return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a polygon");
}

/** The segments of a polygon. */
static int32_t make_segments(const disc *self, polygon *p)
{
    uint32_t n = p->outline.n;
    double *xyz = calloc(n, 3 * sizeof *xyz);
    uint32_t *facet = malloc(n * 4 * sizeof *facet);
    mesh_lines problems = {0};
    if (xyz && facet) {
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t segment[4] = {i, (i + 1) % n, SCREE_NONE, SCREE_NONE};
            memcpy(facet + 4 * (size_t)i, segment, sizeof segment);
            xyz[3 * (size_t)i] = p->x[i];
            xyz[3 * (size_t)i + 1] = p->y[i];
        }
        p->surface = mesh_surface_new(2, n, xyz, n, facet, &problems);
    }
    free(xyz);
    free(facet);
    mesh_lines_clear(&problems);
    return p->surface ? SCREE_OK
                      : self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a mesh");
}

static int32_t view(void *instance, const char *name, double tolerance, const void **out)
{
    disc *self = instance;
    int outline = strcmp(name, SCREE_VIEW_OUTLINE) == 0, mesh = strcmp(name, SCREE_VIEW_MESH) == 0;
    polygon *p;
    *out = strcmp(name, SCREE_VIEW_SUPPORT) == 0    ? (const void *)&self->support
           : strcmp(name, SCREE_VIEW_IMPLICIT) == 0 ? (const void *)&self->implicit
                                                    : NULL;
    if ((!outline && !mesh) || !(tolerance > 0.0))
        return SCREE_OK;
    int32_t code = find_polygon(self, tolerance, &p);
    if (code == SCREE_OK && p && mesh && !p->surface)
        code = make_segments(self, p);
    if (code == SCREE_OK && p)
        *out = mesh ? (const void *)&p->surface->view : (const void *)&p->outline;
    return code;
}

static const scree_shape_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = destroy,
    .bytes = bytes,
    .measure = measure,
    .view = view,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_SHAPE,
    .flags = SCREE_CAP_ROUND,
    .dimensions = SCREE_DIMENSION_2,
    .id = "disc",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "a disc, as thick as the scene",
    .summary =
        "Every scene in 2D has a shape of this name; each body gives its own radius or diameter.",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
