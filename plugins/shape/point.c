// SPDX-License-Identifier: Apache-2.0
/*
 * point: a body without extent, with a mass.
 *
 * Sources  R. M. O'Connor, A distributed discrete element modeling environment, 1996, table 4.1: points
 *          against solids.
 * Idea     a solid of one part, with a box of size 0. Its mass follows from `volume`. Moment of
 *          inertia and size, which `diameter`, drag and generators need, are those of a ball of
 *          this volume. Its contacts have no lever: only couples turn the body.
 * Views    scree.support/1: the place itself.
 */
#include "solid/solid.h"

typedef struct config {
    double volume;
} config;

SCREE_REAL_PARAM(config, volume, "m^3", SCREE_PARAM_REQUIRED, 0, 1e-150, 1e150,
                 "mass over density");
static const scree_param *const params[] = {&param_volume};

typedef struct point {
    const scree_host *host;
    double volume, radius; // [m^3]; [m] radius of the ball with that volume
    double place[3];       // [m] its place in the current frame
    scree_support support;
} point;

static void farthest(const void *ctx, uint32_t n, const double *const direction[3],
                     double *const at[3])
{
    const point *self = ctx;
    (void)direction;
    for (int k = 0; k < 3; k++)
        for (uint32_t i = 0; i < n; i++)
            at[k][i] = self->place[k];
}

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    const config *c = given;
    point *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->host = host;
    self->volume = c->volume;
    self->radius = 1.0 / scree_inverse_cbrt(0.75 / SOLID_PI * c->volume);
    self->support = (scree_support){sizeof self->support, 0, self, farthest};
    *instance = self;
    return SCREE_OK;
}

static uint64_t bytes(void *instance)
{
    (void)instance;
    return sizeof(point);
}

static int32_t measure(void *instance, scree_measure *out)
{
    const point *self = instance;
    out->n_parts = 1;
    out->content = self->volume;
    out->radius = self->radius;
    memcpy(out->centroid, self->place, sizeof out->centroid);
    for (int k = 0; k < 3; k++)
        out->inertia[k] = 0.4 * self->radius * self->radius;
    return SCREE_OK;
}

static int32_t place(void *instance, const scree_frame *frame)
{
    point *self = instance;
    for (int k = 0; k < 3; k++)
        self->place[k] -= frame->shift[k];
    scree_rotate_back(frame->q, self->place, self->place);
    return SCREE_OK;
}

static int32_t boxes(void *instance, const scree_shape_boxes *b)
{
    const point *self = instance;
    for (uint32_t i = 0; i < b->n; i++) {
        const double q[4] = {b->q[0][i], b->q[1][i], b->q[2][i], b->q[3][i]};
        double at[3];
        scree_rotate(q, self->place, at);
        for (uint32_t k = 0; k < 3; k++)
            b->lo[k][i] = b->hi[k][i] = b->centre[k][i] = b->x[k][i] + b->scale[i] * at[k];
        b->radius[i] = 0.0;
    }
    return SCREE_OK;
}

static int32_t view(void *instance, const char *name, double tolerance, const void **out)
{
    point *self = instance;
    (void)tolerance;
    *out = strcmp(name, SCREE_VIEW_SUPPORT) == 0 ? &self->support : NULL;
    return SCREE_OK;
}

static const scree_shape_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = free,
    .bytes = bytes,
    .measure = measure,
    .place = place,
    .boxes = boxes,
    .view = view,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_SHAPE,
    .dimensions = SCREE_DIMENSION_3,
    .id = "point",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "a body without extent",
    .summary =
        "Its mass is density times volume, and its moment that of a ball of this volume; it is "
        "at one place. Points do not meet each other, only what has an extent.",
    .citation = "O'Connor 1996, A distributed discrete element modeling environment, thesis, MIT, "
                "table 4.1",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
