// SPDX-License-Identifier: Apache-2.0
/*
 * cylinder: a solid cylinder along z with flat ends.
 *
 * Idea     V = pi r^2 L; per mass r^2 / 2 about the axis and L^2 / 12 + r^2 / 4 across it.
 * Boxes    half the sides: L/2 |axis| + r sqrt(1 - axis^2).
 * Views    scree.support/1, exact: in the direction of the axis the middle of an end, at right
 *          angles to it the upper end. scree.implicit/1, the signed distance, exact: from the
 *          nearest end or mantle inside, and outside also from the rim. scree.mesh/1 by tolerance.
 */
#include "solid/solid.h"

typedef struct config {
    double length, radius;
} config;

/** The cylinder in its own axes. */
typedef struct cylinder {
    double half, radius; // [m] half the length
} cylinder;

/* ---- kernels ---- */

static void farthest(const void *self, uint32_t n, SCREE_IN3(d), SCREE_OUT3(p))
{
    const cylinder *c = self;
    const double r = c->radius, half = c->half;
    for (uint32_t i = 0; i < n; i++) {
        const double across = sqrt(dx[i] * dx[i] + dy[i] * dy[i]);
        const double by = across > 0.0 ? r / across : 0.0;
        px[i] = by * dx[i];
        py[i] = by * dy[i];
        pz[i] = dz[i] < 0.0 ? -half : half;
    }
}

static void reach(const void *self, uint32_t n, SCREE_IN3(d), SCREE_OUT h)
{
    const cylinder *c = self;
    const double r = c->radius, half = c->half;
    for (uint32_t i = 0; i < n; i++)
        h[i] = r * sqrt(dx[i] * dx[i] + dy[i] * dy[i]) + half * fabs(dz[i]);
}

/** u and w are the distances beyond mantle and ends. Inside the value is the larger one; outside it
 * is the length of their positive parts. On the axis the gradient is along x where the mantle
 * decides. */
static void value(const void *self, uint32_t n, SCREE_IN3(x), SCREE_OUT out, SCREE_OUT3(g))
{
    const cylinder *c = self;
    const double r = c->radius, half = c->half;
    for (uint32_t i = 0; i < n; i++) {
        const double across = sqrt(xx[i] * xx[i] + xy[i] * xy[i]);
        const double u = across - r, w = fabs(xz[i]) - half;
        const double up = u > 0.0 ? u : 0.0, wp = w > 0.0 ? w : 0.0;
        const double far = sqrt(up * up + wp * wp);
        const int outside = far > 0.0, mantle = u >= w;
        const double su = outside ? up / (outside ? far : 1.0) : (mantle ? 1.0 : 0.0);
        const double sw = outside ? wp / (outside ? far : 1.0) : (mantle ? 0.0 : 1.0);
        const double by = across > 0.0 ? su / across : 0.0;
        out[i] = outside ? far : (mantle ? u : w);
        gx[i] = across > 0.0 ? by * xx[i] : su;
        gy[i] = by * xy[i];
        gz[i] = xz[i] < 0.0 ? -sw : sw;
    }
}

/* ---- mesh ---- */

static int make_mesh(const void *self, const solid_frame *frame, double tolerance,
                     mesh_surface **surface)
{
    const cylinder *c = self;
    solid_curve profile = {0};
    *surface = NULL;
    int code = solid_curve_add(&profile, 0.0, -c->half) &&
               solid_curve_add(&profile, 1.0, -c->half) &&
               solid_curve_add(&profile, 1.0, c->half) && solid_curve_add(&profile, 0.0, c->half);
    if (code)
        code = solid_revolve(c->radius, tolerance, &profile, frame, surface);
    solid_curve_clear(&profile);
    return code;
}

static const solid_kind kind = {farthest, reach, value, make_mesh, NULL, NULL};

/* ---- instances ---- */

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    const config *c = given;
    const double l = c->length, r = c->radius, across = l * l / 12.0 + r * r / 4.0;
    const solid_mass mass = {
        SOLID_PI * r * r * l, {across, across, 0.5 * r * r}, sqrt(0.25 * l * l + r * r)};
    cylinder *form = malloc(sizeof *form);
    if (form)
        *form = (cylinder){0.5 * l, r};
    return solid_new(host, &kind, form, sizeof *form, &mass, 1, instance);
}

SCREE_REAL_PARAM(config, length, "m", SCREE_PARAM_REQUIRED, 0, 1e-50, 1e50, "length along z");
SCREE_REAL_PARAM(config, radius, "m", SCREE_PARAM_REQUIRED, 0, 1e-50, 1e50, "radius of the ends");
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
    .id = "cylinder",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "a solid cylinder along z",
    .summary = "A body with flat ends, about the origin; its signed distance is exact. A wall in "
               "this form is "
               "shape/drum.",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
