// SPDX-License-Identifier: Apache-2.0
/* shape/dumbbell: two balls fixed together, the first at the origin, the second at `distance` on x. */
#include "balls.h"

typedef struct config {
    double radius, other, distance; /* [m] */
} config;

SCREE_REAL_PARAM(config, radius, "m", SCREE_PARAM_REQUIRED, 0, 0, HUGE_VAL, "of the first ball");
SCREE_REAL_PARAM(config, other, "m", SCREE_PARAM_REQUIRED, 0, 0, HUGE_VAL, "radius of the second");
SCREE_REAL_PARAM(config, distance, "m", SCREE_PARAM_REQUIRED, 0, 0, HUGE_VAL,
                 "between the centres");
static const scree_param *const params[] = {&param_radius, &param_other, &param_distance};

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    const config *c = given;
    if (c->distance < c->radius + c->other)
        return host->fail(host->ctx, SCREE_E_CONFIG, "distance: the balls overlap");
    cluster *self = balls_new(host, 2);
    if (!self)
        return SCREE_E_MEMORY;
    self->radius[0] = c->radius;
    self->radius[1] = c->other;
    self->centre[0][1] = c->distance;
    *instance = self;
    return SCREE_OK;
}

static const scree_shape_ops ops = {BALLS_OPS};
static const scree_plugin plugin = {
    PLUGIN(SHAPE, "dumbbell", "two balls fixed together, of the tests"), PLUGIN_CONFIG,
    .flags = SCREE_CAP_BALLS, .ops = &ops};

SCREE_DEFINE_MANIFEST(&plugin);
