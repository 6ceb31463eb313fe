// SPDX-License-Identifier: Apache-2.0
/* shape/raft: columns x rows balls side by side in a plane, the first one at the origin. */
#include "balls.h"

typedef struct config {
    int64_t columns, rows;
    double radius, pitch; /* [m] */
} config;

SCREE_INT_PARAM(config, columns, 0, 8, 1, 1000, "along x");
SCREE_INT_PARAM(config, rows, 0, 8, 1, 1000, "along y");
SCREE_REAL_PARAM(config, radius, "m", SCREE_PARAM_REQUIRED, 0, 0, HUGE_VAL, "of each ball");
SCREE_REAL_PARAM(config, pitch, "m", SCREE_PARAM_REQUIRED, 0, 0, HUGE_VAL, "between centres");
static const scree_param *const params[] = {&param_columns, &param_rows, &param_radius,
                                            &param_pitch};

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    const config *c = given;
    cluster *self = balls_new(host, (uint32_t)(c->columns * c->rows));
    if (!self)
        return SCREE_E_MEMORY;
    for (uint32_t p = 0; p < self->balls.n; p++) {
        self->radius[p] = c->radius;
        self->centre[0][p] = c->pitch * (double)(p % c->columns);
        self->centre[1][p] = c->pitch * (double)(p / c->columns);
    }
    *instance = self;
    return SCREE_OK;
}

static const scree_shape_ops ops = {BALLS_OPS};
static const scree_plugin plugin = {
    PLUGIN_OF(SCREE_DIMENSION_3, SHAPE, "raft", "balls side by side in a plane, of the tests"),
    PLUGIN_CONFIG, .flags = SCREE_CAP_BALLS, .ops = &ops};

SCREE_DEFINE_MANIFEST(&plugin);
