// SPDX-License-Identifier: Apache-2.0
/* shape/lump: a cube about the origin that offers no view. */
#include "../plugin.h"

typedef struct config {
    double side; /* [m] */
} config;

SCREE_REAL_PARAM(config, side, "m", SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN, 0, 0, 1e100,
                 "of the cube");
static const scree_param *const params[] = {&param_side};

typedef struct lump {
    double side;
} lump;

CREATE(lump, .side = ((const config *)given)->side)

static double reach(const lump *self)
{
    return self->side * 0.86602540378443865;
}

static int32_t measure(void *instance, scree_measure *out)
{
    const lump *self = instance;
    out->n_parts = 1;
    out->content = self->side * self->side * self->side;
    out->radius = reach(self);
    for (int k = 0; k < 3; k++)
        out->inertia[k] = self->side * self->side / 6.0;
    return SCREE_OK;
}

/* The centre is the centroid, and any axes are principal. */
static int32_t place(void *instance, const scree_frame *frame)
{
    return SCREE_OK;
}

static int32_t boxes(void *instance, const scree_shape_boxes *b)
{
    const lump *self = instance;
    for (uint32_t i = 0; i < b->n; i++) {
        b->radius[i] = b->scale[i] * reach(self);
        for (int k = 0; k < 3; k++) {
            b->centre[k][i] = b->x[k][i];
            b->lo[k][i] = b->x[k][i] - b->radius[i];
            b->hi[k][i] = b->x[k][i] + b->radius[i];
        }
    }
    return SCREE_OK;
}

static const scree_shape_ops ops = {OPS(shape, create, free), .measure = measure, .place = place,
                                    .boxes = boxes};
static const scree_plugin plugin = {
    PLUGIN_OF(SCREE_DIMENSION_3, SHAPE, "lump", "a cube without views, of the tests"),
    PLUGIN_CONFIG, .ops = &ops};
SCREE_DEFINE_MANIFEST(&plugin);
