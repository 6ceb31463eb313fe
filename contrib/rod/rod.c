/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rod: a capped rod: all points within `radius` of a segment (spherocylinder; 2D: a stadium).
 *
 * Idea     with L the length between the centres of the caps and r the radius:
 *            V = pi r^2 L + 4/3 pi r^3;  per mass, shares c of the cylinder and s of the caps:
 *            axial   c r^2 / 2 + s 2/5 r^2
 *            across  c (L^2 / 12 + r^2 / 4) + s (2/5 r^2 + L^2 / 4 + 3/8 L r)
 *            2D: A = 2 r L + pi r^2;  c (L^2 + 4 r^2) / 12 + s (r^2 / 2 + L^2 / 4 + 4 L r / (3 pi))
 *          The axis is x of the user's frame.
 * Boxes    half the sides: L/2 |axis| + r.
 * Views    scree.support/1, scree.implicit/1 (the distance), exact; scree.mesh/1, in 2D
 *          scree.outline/1 too, by tolerance; rod.axis/1 for the resolver of this file (contacts.c).
 */
#include "rod.h"

#define PI 3.14159265358979323846

typedef struct config {
    double length, radius; /* [m] */
} config;

typedef struct kept_view {
    struct kept_view *next;
    void *view;
    double tolerance;
    int outline;
} kept_view;

typedef struct rod {
    const scree_host *host;
    double length; /* [m] */
    rod_axis axis; /* axis in the current frame */
    double middle[3], along[3];
    scree_support support;
    scree_implicit implicit;
    kept_view *views;
    uint64_t bytes;
} rod;

static void set_middle(rod *self)
{
    for (int k = 0; k < 3; k++) {
        self->middle[k] = 0.5 * (self->axis.end[0][k] + self->axis.end[1][k]);
        self->along[k] = 0.5 * (self->axis.end[1][k] - self->axis.end[0][k]);
    }
}

static void farthest(const void *ctx, uint32_t n, const double *const direction[3],
                     double *const point[3])
{
    const rod *self = ctx;
    for (uint32_t i = 0; i < n; i++) {
        const scree_vec d = scree_vec_at(direction, i), along = rod_vec(self->along);
        double most = scree_max(fabs(d.x), scree_max(fabs(d.y), fabs(d.z)));
        scree_vec u = scree_scaled(1.0 / (most > 0.0 ? most : 1.0), d); /* so that no square
                                                                         * overflows */
        double by = self->axis.radius / sqrt(scree_max(scree_dot(u, u), 1.0));
        double side = scree_dot(u, along) < 0.0 ? -1.0 : 1.0;
        scree_vec p = scree_sum(rod_vec(self->middle), scree_scaled(side, along));
        scree_vec_put(point, i, scree_sum(p, scree_scaled(by, u)));
    }
}

static void value(const void *ctx, uint32_t n, const double *const x[3], double *out,
                  double *const gradient[3])
{
    const rod *self = ctx;
    const scree_vec p = rod_vec(self->axis.end[0]), q = rod_vec(self->axis.end[1]);
    const scree_vec along = scree_less(q, 1.0, p);
    for (uint32_t i = 0; i < n; i++) {
        scree_vec at = scree_vec_at(x, i);
        double s = rod_clamp(scree_dot(scree_less(at, 1.0, p), along) / scree_dot(along, along));
        scree_vec off = scree_less(at, 1.0, rod_point(p, q, s));
        double distance = sqrt(scree_dot(off, off));
        out[i] = distance - self->axis.radius;
        if (gradient && distance > 0.0)
            scree_vec_put(gradient, i, scree_scaled(1.0 / distance, off));
        else if (gradient) /* on the axis: any direction across */
            scree_vec_put(gradient, i,
                          along.x != 0.0 || along.y != 0.0 ? scree_vec_of(-along.y, along.x, 0.0)
                                                           : scree_vec_of(1.0, 0.0, 0.0));
    }
}

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    const config *c = given;
    rod *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for a shape");
    self->host = host;
    self->length = c->length;
    self->axis.size = sizeof self->axis;
    self->axis.radius = c->radius;
    self->axis.end[0][0] = -0.5 * c->length;
    self->axis.end[1][0] = 0.5 * c->length;
    self->support.size = sizeof self->support;
    self->support.ctx = self;
    self->support.farthest = farthest;
    self->implicit.size = sizeof self->implicit;
    self->implicit.ctx = self;
    self->implicit.value = value;
    self->bytes = sizeof *self;
    set_middle(self);
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    rod *self = instance;
    if (!self)
        return;
    while (self->views) {
        kept_view *next = self->views->next;
        free(self->views->view);
        free(self->views);
        self->views = next;
    }
    free(self);
}

static uint64_t bytes(void *instance)
{
    return ((const rod *)instance)->bytes;
}

/** Moments per mass, axial and across; in 2D the second is about z. */
static double measure_moments(const rod *self, uint32_t dimension, double *axial, double *across)
{
    const double l = self->length, r = self->axis.radius;
    double bar = dimension == 3 ? PI * r * r * l : 2.0 * r * l;
    double caps = dimension == 3 ? 4.0 / 3.0 * PI * r * r * r : PI * r * r;
    double c = bar / (bar + caps), s = caps / (bar + caps);
    *axial = c * r * r / 2.0 + s * 0.4 * r * r;
    if (dimension == 3)
        *across =
            c * (l * l / 12.0 + r * r / 4.0) + s * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r);
    else
        *across = c * (l * l + 4.0 * r * r) / 12.0 +
                  s * (0.5 * r * r + 0.25 * l * l + 4.0 / (3.0 * PI) * l * r);
    return bar + caps;
}

static int32_t measure(void *instance, scree_measure *out)
{
    const rod *self = instance;
    double axial, across, half = 0.5 * self->length;
    out->content = measure_moments(self, out->dimension, &axial, &across);
    out->n_parts = 1;
    out->flat = out->dimension == 2;
    out->radius = half + self->axis.radius;
    for (int k = 0; k < 3; k++)
        out->centroid[k] = self->middle[k];
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++) {
            double u2 = half > 0.0 ? self->along[i] * self->along[j] / (half * half) : 0.0;
            int at = i == j ? i : i + j + 2; /* xy, xz, yz: 3, 4, 5 */
            out->inertia[at] = (i == j ? across : 0.0) + (axial - across) * u2;
        }
    if (out->dimension == 2)
        out->inertia[2] = across;
    return SCREE_OK;
}

static int32_t place(void *instance, const scree_frame *frame)
{
    rod *self = instance;
    for (int e = 0; e < 2; e++) {
        double moved[3];
        for (int k = 0; k < 3; k++)
            moved[k] = self->axis.end[e][k] - frame->shift[k];
        scree_rotate_back(frame->q, moved, self->axis.end[e]);
    }
    set_middle(self);
    return SCREE_OK;
}

static int32_t boxes(void *instance, const scree_shape_boxes *b)
{
    const rod *self = instance;
    for (uint32_t i = 0; i < b->n; i++) {
        const double q[4] = {b->q[0][i], b->q[1][i], b->q[2][i], b->q[3][i]}, scale = b->scale[i];
        double along[3], middle[3];
        scree_rotate(q, self->along, along);
        scree_rotate(q, self->middle, middle);
        for (int k = 0; k < 3; k++) {
            int flat = k == 2 && b->dimension == 2;
            double x = b->x[k][i] + scale * middle[k];
            double half = flat ? 0.0 : scale * (fabs(along[k]) + self->axis.radius);
            b->centre[k][i] = x;
            b->lo[k][i] = x - half;
            b->hi[k][i] = x + half;
        }
        b->radius[i] = scale * (0.5 * self->length + self->axis.radius);
    }
    return SCREE_OK;
}

/** Makes a surface within a tolerance, at the first request. */
static int32_t surface(rod *self, int outline, double tolerance, const void **view)
{
    uint64_t size = 0;
    for (const kept_view *v = self->views; v; v = v->next)
        if (v->tolerance == tolerance && v->outline == outline) {
            *view = v->view;
            return SCREE_OK;
        }
    kept_view *made = calloc(1, sizeof *made);
    if (made)
        made->view = outline ? (void *)rod_outline_new(&self->axis, tolerance, &size)
                             : rod_mesh_new(&self->axis, self->host->dimension, tolerance, &size);
    if (!made || !made->view) {
        free(made);
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a surface");
    }
    made->tolerance = tolerance;
    made->outline = outline;
    made->next = self->views;
    self->views = made;
    self->bytes += size + sizeof *made;
    *view = made->view;
    return SCREE_OK;
}

static int32_t view(void *instance, const char *name, double tolerance, const void **out)
{
    rod *self = instance;
    int outline = strcmp(name, SCREE_VIEW_OUTLINE) == 0 && self->host->dimension == 2;
    *out = NULL;
    if (strcmp(name, SCREE_VIEW_SUPPORT) == 0)
        *out = &self->support;
    else if (strcmp(name, SCREE_VIEW_IMPLICIT) == 0)
        *out = &self->implicit;
    else if (strcmp(name, ROD_VIEW_AXIS) == 0)
        *out = &self->axis;
    else if (tolerance > 0.0 && (outline || strcmp(name, SCREE_VIEW_MESH) == 0))
        return surface(self, outline, tolerance, out);
    return SCREE_OK;
}

SCREE_REAL_PARAM(config, length, "m", SCREE_PARAM_REQUIRED, 0, 1e-50, 1e50,
                 "between the centres of the caps");
SCREE_REAL_PARAM(config, radius, "m", SCREE_PARAM_REQUIRED, 0, 1e-50, 1e50, "of caps and bar");
static const scree_param *const params[] = {&param_length, &param_radius};
static const scree_shape_ops ops = {.size = sizeof ops,
                                    .create = create,
                                    .destroy = destroy,
                                    .bytes = bytes,
                                    .measure = measure,
                                    .place = place,
                                    .boxes = boxes,
                                    .view = view};
static const scree_plugin rod_shape = {
    .size = sizeof rod_shape,
    .kind = SCREE_KIND_SHAPE,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "rod",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "a capped rod: all within a radius of a segment along x",
    .summary = "A spherocylinder, in 2D a stadium. Its contacts come from resolver/rod.",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};
SCREE_DEFINE_MANIFEST(&rod_shape, &rod_resolver);
