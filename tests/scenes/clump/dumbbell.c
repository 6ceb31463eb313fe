// SPDX-License-Identifier: Apache-2.0
/* shape/dumbbell: two balls fixed together, the first at the origin, the second at `distance` on x. */
#include "../../plugin.h"

typedef struct config {
    double radius, other, distance; /* [m] */
} config;

SCREE_REAL_PARAM(config, radius, "m", SCREE_PARAM_REQUIRED, 0, 0, HUGE_VAL, "of the first ball");
SCREE_REAL_PARAM(config, other, "m", SCREE_PARAM_REQUIRED, 0, 0, HUGE_VAL, "radius of the second");
SCREE_REAL_PARAM(config, distance, "m", SCREE_PARAM_REQUIRED, 0, 0, HUGE_VAL,
                 "between the centres");
static const scree_param *const params[] = {&param_radius, &param_other, &param_distance};

typedef struct dumbbell {
    uint32_t dimension;
    double centre[3][2], radius[2];
    scree_balls balls;
} dumbbell;

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    const config *c = given;
    dumbbell *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    if (c->distance < c->radius + c->other) {
        free(self);
        return host->fail(host->ctx, SCREE_E_CONFIG, "distance: the balls overlap");
    }
    self->radius[0] = c->radius;
    self->radius[1] = c->other;
    self->centre[0][1] = c->distance;
    self->balls = (scree_balls){.size = sizeof self->balls,
                                .n = 2,
                                .centre = {self->centre[0], self->centre[1], self->centre[2]},
                                .radius = self->radius};
    *instance = self;
    return SCREE_OK;
}

static uint64_t bytes(void *instance)
{
    return sizeof(dumbbell);
}

/* Sums over balls, with the theorem of parallel axes. */
static int32_t measure(void *instance, scree_measure *m)
{
    const dumbbell *self = instance;
    const double pi = 3.14159265358979323846;
    const int flat = m->dimension == 2;
    double volume[2], tensor[6] = {0.0};
    for (int p = 0; p < 2; p++) {
        const double r = self->radius[p];
        volume[p] = flat ? pi * r * r : 4.0 / 3.0 * pi * r * r * r;
        m->content += volume[p];
    }
    for (int k = 0; k < 3; k++)
        for (int p = 0; p < 2; p++)
            m->centroid[k] += volume[p] / m->content * self->centre[k][p];
    for (int p = 0; p < 2; p++) {
        static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
        const double share = volume[p] / m->content, r = self->radius[p];
        double d[3], square = 0.0, far;
        for (int k = 0; k < 3; k++) {
            d[k] = self->centre[k][p] - m->centroid[k];
            square += d[k] * d[k];
        }
        far = sqrt(square) + r;
        m->radius = far > m->radius ? far : m->radius;
        for (int i = 0; i < 6; i++)
            tensor[i] += share * ((i < 3 ? (flat ? 0.5 : 0.4) * r * r + square : 0.0) -
                                  d[row[i]] * d[column[i]]);
    }
    memcpy(m->inertia, tensor, sizeof tensor);
    m->n_parts = 2;
    m->flat = (uint32_t)flat;
    return SCREE_OK;
}

static int32_t place(void *instance, const scree_frame *frame)
{
    dumbbell *self = instance;
    for (int p = 0; p < 2; p++) {
        double at[3];
        for (int k = 0; k < 3; k++)
            at[k] = self->centre[k][p] - frame->shift[k];
        scree_rotate_back(frame->q, at, at);
        for (int k = 0; k < 3; k++)
            self->centre[k][p] = at[k];
    }
    return SCREE_OK;
}

static int32_t view(void *instance, const char *name, double tolerance, const void **out)
{
    const dumbbell *self = instance;
    *out = strcmp(name, SCREE_VIEW_BALLS) == 0 ? &self->balls : NULL;
    return SCREE_OK;
}

static const scree_shape_ops ops = {OPS(shape, create, free), .bytes = bytes, .measure = measure,
                                    .place = place, .view = view};

static const scree_plugin plugin = {
    PLUGIN(SHAPE, "dumbbell", "two balls fixed together, of the tests"), PLUGIN_CONFIG,
    .flags = SCREE_CAP_BALLS, .ops = &ops};

SCREE_DEFINE_MANIFEST(&plugin);
