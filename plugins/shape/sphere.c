// SPDX-License-Identifier: Apache-2.0
/*
 * sphere: a ball about the origin.
 *
 * Idea     bodies of this type are balls, whose boxes and contacts the host and the resolvers know
 *          how to compute; this file has their measure and their views.
 * Views    support and implicit function, exact; a mesh to a tolerance: an icosahedron whose
 *          triangles are cut in four, all vertices on the sphere, until no facet is farther inside
 *          than the tolerance.
 * Cost     a mesh of 20 * 4^k facets, k < 8; 200 bytes each.
 * Limits   a tolerance below 2e-5 of the radius gets no mesh.
 */
#include "mesh/mesh.h"

enum { MOST_CUTS = 7 };

typedef struct config {
    double radius;
} config;

SCREE_REAL_PARAM(config, radius, "m", SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN, 0, 0, HUGE_VAL,
                 "radius of the ball");
static const scree_param *const params[] = {&param_radius};

/** A mesh that was asked for. */
typedef struct ball_mesh {
    double tolerance;
    mesh_surface *surface;
} ball_mesh;

typedef struct ball {
    const scree_host *host;
    double radius;
    scree_support support;
    scree_implicit implicit;
    ball_mesh **meshes; /* [n] their addresses do not change */
    uint64_t n, room;
} ball;

static void farthest(const void *ctx, uint32_t n, const double *const direction[3],
                     double *const point[3])
{
    const ball *self = ctx;
    for (uint32_t i = 0; i < n; i++) {
        double x = direction[0][i], y = direction[1][i], z = direction[2][i];
        double by = self->radius / sqrt(x * x + y * y + z * z);
        point[0][i] = by * x;
        point[1][i] = by * y;
        point[2][i] = by * z;
    }
}

static void value(const void *ctx, uint32_t n, const double *const x[3], double *out,
                  double *const gradient[3])
{
    const ball *self = ctx;
    const int n_axes = gradient ? 3 : 0;
    for (uint32_t i = 0; i < n; i++) {
        double r = sqrt(x[0][i] * x[0][i] + x[1][i] * x[1][i] + x[2][i] * x[2][i]);
        out[i] = r - self->radius;
        for (int k = 0; k < n_axes; k++)
            gradient[k][i] = r > 0.0 ? x[k][i] / r : k == 0;
    }
}

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    const config *c = given;
    ball *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->host = host;
    self->radius = c->radius;
    self->support = (scree_support){sizeof self->support, 0, self, farthest};
    self->implicit = (scree_implicit){sizeof self->implicit, 0, self, value};
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    ball *self = instance;
    if (!self)
        return;
    for (uint64_t i = 0; i < self->n; i++) {
        mesh_surface_free(self->meshes[i]->surface);
        free(self->meshes[i]);
    }
    free(self->meshes);
    free(self);
}

static uint64_t bytes(void *instance)
{
    const ball *self = instance;
    uint64_t sum = sizeof *self + self->room * sizeof *self->meshes;
    for (uint64_t i = 0; i < self->n; i++)
        sum += sizeof *self->meshes[i] +
               (self->meshes[i]->surface ? self->meshes[i]->surface->bytes : 0);
    return sum;
}

static int32_t measure(void *instance, scree_measure *out)
{
    const ball *self = instance;
    const double pi = 3.1415926535897932384626433832795, r = self->radius;
    out->n_parts = 1;
    out->content = 4.0 / 3.0 * pi * r * r * r;
    out->inertia[0] = out->inertia[1] = out->inertia[2] = 0.4 * r * r;
    out->radius = r;
    return SCREE_OK;
}

/** The point of the unit sphere half-way between two others, independent of their order. */
static void half_way(const double a[3], const double b[3], double out[3])
{
    double sum[3] = {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
    double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    for (int k = 0; k < 3; k++)
        out[k] = sum[k] / length;
}

/** Cuts each triangle into four. `to` may not overlap `from`. */
static void cut(uint64_t n, double (*from)[3][3], double (*to)[3][3])
{
    for (uint64_t i = 0; i < n; i++) {
        double mid[3][3];
        for (int c = 0; c < 3; c++)
            half_way(from[i][c], from[i][(c + 1) % 3], mid[c]);
        for (int c = 0; c < 3; c++) { // at corner c
            memcpy(to[4 * i + c][0], from[i][c], sizeof mid[0]);
            memcpy(to[4 * i + c][1], mid[c], sizeof mid[0]);
            memcpy(to[4 * i + c][2], mid[(c + 2) % 3], sizeof mid[0]);
        }
        memcpy(to[4 * i + 3], mid, sizeof mid);
    }
}

/** The largest distance of a facet from the unit sphere, which it has at its centre. */
static double sag(uint64_t n, double (*t)[3][3])
{
    double nearest = 1.0;
    for (uint64_t i = 0; i < n; i++) {
        double normal[3], length = 0.0, along = 0.0;
        for (int k = 0; k < 3; k++) {
            int l = (k + 1) % 3, m = (k + 2) % 3;
            normal[k] = (t[i][1][l] - t[i][0][l]) * (t[i][2][m] - t[i][0][m]) -
                        (t[i][1][m] - t[i][0][m]) * (t[i][2][l] - t[i][0][l]);
            length += normal[k] * normal[k];
            along += normal[k] * t[i][0][k];
        }
        nearest = fmin(nearest, along / sqrt(length));
    }
    return 1.0 - nearest;
}

/** The 20 triangles of an icosahedron in the unit sphere, normals outward. */
static void icosahedron(double (*t)[3][3])
{
    static const uint32_t face[20][3] = {
        {0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
        {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
        {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    const double phi = 0.5 * (1.0 + sqrt(5.0)), length = sqrt(1.0 + phi * phi);
    const double s = 1.0 / length, l = phi / length;
    const double at[12][3] = {{-s, l, 0}, {s, l, 0}, {-s, -l, 0}, {s, -l, 0},
                              {0, -s, l}, {0, s, l}, {0, -s, -l}, {0, s, -l},
                              {l, 0, -s}, {l, 0, s}, {-l, 0, -s}, {-l, 0, s}};
    for (int f = 0; f < 20; f++)
        for (int c = 0; c < 3; c++)
            memcpy(t[f][c], at[face[f][c]], sizeof at[0]);
}

/** Makes a surface of n triangles of the unit sphere. */
static mesh_surface *make_surface(uint64_t n, double (*t)[3][3], double radius,
                                  mesh_lines *problems)
{
    double *xyz = malloc(n * 9 * sizeof *xyz);
    uint32_t *facet = malloc(n * 4 * sizeof *facet);
    mesh_surface *surface = NULL;
    if (xyz && facet) {
        for (uint64_t i = 0; i < 9 * n; i++)
            xyz[i] = radius * t[i / 9][i / 3 % 3][i % 3];
        for (uint64_t i = 0; i < 4 * n; i++)
            facet[i] = i % 4 == 3 ? SCREE_NONE : (uint32_t)(3 * (i / 4) + i % 4);
        surface = mesh_surface_new(3, 3 * n, xyz, n, facet, problems);
    }
    free(xyz);
    free(facet);
    return surface;
}

/** Makes a mesh within the tolerance; *surface NULL: it would be too fine. */
static int32_t make_mesh(const ball *self, double tolerance, mesh_surface **surface)
{
    uint64_t n = 20;
    double(*t)[3][3] = malloc(n * sizeof *t);
    mesh_lines problems = {0};
    *surface = NULL;
    if (t)
        icosahedron(t);
    for (int cuts = 0; t && cuts < MOST_CUTS && sag(n, t) * self->radius > tolerance; cuts++) {
        double(*finer)[3][3] = malloc(4 * n * sizeof *finer);
        if (finer)
            cut(n, t, finer);
        free(t);
        t = finer;
        n *= 4;
    }
    int fine = t && sag(n, t) * self->radius <= tolerance;
    if (fine)
        *surface = make_surface(n, t, self->radius, &problems);
    int failed = !t || (fine && !*surface);
    free(t);
    mesh_lines_clear(&problems);
    return failed ? self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a mesh")
                  : SCREE_OK;
}

static int32_t view_mesh(ball *self, double tolerance, const void **view)
{
    ball_mesh *mesh = NULL;
    for (uint64_t i = 0; i < self->n && !mesh; i++)
        if (self->meshes[i]->tolerance == tolerance)
            mesh = self->meshes[i];
    if (!mesh) {
        mesh_surface *surface;
        int32_t code = make_mesh(self, tolerance, &surface);
        if (code != SCREE_OK)
            return code;
        mesh = malloc(sizeof *mesh);
        if (!mesh || !scree_grow(&self->meshes, &self->room, self->n + 1, sizeof *self->meshes)) {
            mesh_surface_free(surface);
            free(mesh);
            return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a mesh");
        }
        *mesh = (ball_mesh){tolerance, surface};
        self->meshes[self->n++] = mesh;
    }
    *view = mesh->surface ? &mesh->surface->view : NULL;
    return SCREE_OK;
}

static int32_t view(void *instance, const char *name, double tolerance, const void **out)
{
    ball *self = instance;
    *out = strcmp(name, SCREE_VIEW_SUPPORT) == 0    ? (const void *)&self->support
           : strcmp(name, SCREE_VIEW_IMPLICIT) == 0 ? (const void *)&self->implicit
                                                    : NULL;
    if (strcmp(name, SCREE_VIEW_MESH) == 0 && tolerance > 0.0 && self->host->dimension == 3)
        return view_mesh(self, tolerance, out);
    return SCREE_OK;
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
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "sphere",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "a ball",
    .summary =
        "The shape of this name always exists, in the size that the body gives. In 2D too it "
        "has the volume 4/3 pi r^3 and the moment 2/5 m r^2 of a ball.",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
