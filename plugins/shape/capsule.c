// SPDX-License-Identifier: Apache-2.0
/*
 * capsule: the points within a radius of a segment along z: a cylinder with a half ball on each end.
 *
 * Idea     with L the length between the centres of the caps and r the radius:
 *            V = pi r^2 L + 4/3 pi r^3; per mass, shares c of the cylinder and s of the caps:
 *            axial   c r^2 / 2 + s 2/5 r^2
 *            across  c (L^2 / 12 + r^2 / 4) + s (2/5 r^2 + L^2 / 4 + 3/8 L r)
 * Boxes    half the sides: L/2 |axis| + r.
 * Views    scree.support/1 and scree.implicit/1, the distance, exact; scree.mesh/1 by tolerance.
 */
#include "solid/solid.h"

typedef struct config {
    double length, radius;
} config;

/** The capsule in its own axes. */
typedef struct capsule {
    double half, radius; // [m] half the length between the centres of the caps
} capsule;

/* ---- kernels ---- */

static void farthest(const void *self, uint32_t n, SCREE_IN3(d), SCREE_OUT3(p))
{
    const capsule *c = self;
    const double r = c->radius, half = c->half;
    for (uint32_t i = 0; i < n; i++) {
        const double by = r / sqrt(dx[i] * dx[i] + dy[i] * dy[i] + dz[i] * dz[i]);
        px[i] = by * dx[i];
        py[i] = by * dy[i];
        pz[i] = by * dz[i] + (dz[i] < 0.0 ? -half : half);
    }
}

static void reach(const void *self, uint32_t n, SCREE_IN3(d), SCREE_OUT h)
{
    const capsule *c = self;
    const double r = c->radius, half = c->half;
    for (uint32_t i = 0; i < n; i++)
        h[i] = r * sqrt(dx[i] * dx[i] + dy[i] * dy[i] + dz[i] * dz[i]) + half * fabs(dz[i]);
}

/** The distance from the segment less the radius; on the segment the gradient is along x. */
static void value(const void *self, uint32_t n, SCREE_IN3(x), SCREE_OUT out, SCREE_OUT3(g))
{
    const capsule *c = self;
    const double r = c->radius, half = c->half;
    for (uint32_t i = 0; i < n; i++) {
        const double low = xz[i] > -half ? xz[i] : -half, near = low < half ? low : half;
        const double z = xz[i] - near;
        const double far = sqrt(xx[i] * xx[i] + xy[i] * xy[i] + z * z);
        const double by = far > 0.0 ? 1.0 / far : 0.0;
        out[i] = far - r;
        gx[i] = far > 0.0 ? xx[i] * by : 1.0;
        gy[i] = xy[i] * by;
        gz[i] = z * by;
    }
}

/* ---- mesh ---- */

static int make_mesh(const void *self, const solid_frame *frame, double tolerance,
                     mesh_surface **surface)
{
    const capsule *c = self;
    solid_curve cap = {0}, profile = {0};
    *surface = NULL;
    int code = solid_quarter(2.0, c->radius, c->radius, 0.5 * tolerance, &cap);
    for (uint32_t i = cap.n; code > 0 && i-- > 0;)
        code = solid_curve_add(&profile, cap.u[i] / c->radius, -cap.v[i] - c->half);
    for (uint32_t i = 0; code > 0 && i < cap.n; i++)
        code = solid_curve_add(&profile, cap.u[i] / c->radius, cap.v[i] + c->half);
    if (code > 0)
        code = solid_revolve(c->radius, 0.5 * tolerance, &profile, frame, surface);
    solid_curve_clear(&cap);
    solid_curve_clear(&profile);
    return code != 0;
}

static const solid_kind kind = {farthest, reach, value, make_mesh, NULL, NULL};

/* ---- instances ---- */

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    const config *c = given;
    const double l = c->length, r = c->radius, bar = SOLID_PI * r * r * l;
    const double caps = 4.0 / 3.0 * SOLID_PI * r * r * r, volume = bar + caps;
    const double across =
        (bar * (l * l / 12.0 + r * r / 4.0) + caps * (0.4 * r * r + l * l / 4.0 + 0.375 * l * r)) /
        volume;
    const double axial = (0.5 * bar + 0.4 * caps) * r * r / volume;
    const solid_mass mass = {volume, {across, across, axial}, 0.5 * l + r};
    capsule *form = malloc(sizeof *form);
    if (form)
        *form = (capsule){0.5 * l, r};
    return solid_new(host, &kind, form, sizeof *form, &mass, 1, instance);
}

SCREE_REAL_PARAM(config, length, "m", SCREE_PARAM_REQUIRED, 0, 1e-50, 1e50,
                 "distance between the centres of the caps");
SCREE_REAL_PARAM(config, radius, "m", SCREE_PARAM_REQUIRED, 0, 1e-50, 1e50,
                 "radius of caps and bar");
static const scree_param *const params[] = {&param_length, &param_radius};

static const scree_shape_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = solid_destroy,
    .bytes = solid_bytes,
    .measure = solid_measure,
    .place = solid_place,
    .boxes = solid_find_boxes,
    .view = solid_view,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_SHAPE,
    .dimensions = SCREE_DIMENSION_3,
    .id = "capsule",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "a cylinder with a half ball on each end, along z",
    .summary = "All points within a radius of a segment of the given length along z "
               "(spherocylinder). Its distance "
               "function is exact.",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
