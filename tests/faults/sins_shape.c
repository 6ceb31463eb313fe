/* SPDX-License-Identifier: Apache-2.0 */
/* shape/sins: a ball of radius 5 mm that is a solid by its views, and something wrong after some calls;
 * parameter `sin` says what. */
#include <math.h>

#include "sins.h"

#define SINS(SIN)                                                                                  \
    SIN(NONE, none)                                                                                \
    SIN(NAN_SUPPORT, nan_support)                                                                  \
    SIN(FAR_SUPPORT, far_support)                                                                  \
    SIN(NAN_IMPLICIT, nan_implicit)
enum { SINS(SIN_ENUMERATOR) };
#define RADIUS 0.005

typedef struct config {
    int32_t sin, reserved;
    int64_t after; // points that it does right before
} config;

typedef struct ball {
    const config *config;
    int64_t asked;
    scree_support support;
    scree_implicit implicit;
} ball;

static int32_t sin_of(const void *ctx)
{
    ball *self = (ball *)(uintptr_t)ctx;
    const int64_t asked = __atomic_add_fetch(&self->asked, 1, __ATOMIC_RELAXED);
    return asked > self->config->after ? self->config->sin : NONE;
}

static void farthest(const void *ctx, uint32_t n, const double *const direction[3],
                     double *const point[3])
{
    for (uint32_t i = 0; i < n; i++) {
        const int32_t sin = sin_of(ctx);
        const double d[3] = {direction[0][i], direction[1][i], direction[2][i]};
        const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        for (int k = 0; k < 3; k++)
            point[k][i] = sin == NAN_SUPPORT ? (double)NAN : RADIUS * d[k] / length;
        if (sin == FAR_SUPPORT)
            point[0][i] += 1.0;
    }
}

static void value(const void *ctx, uint32_t n, const double *const x[3], double *values,
                  double *const gradient[3])
{
    for (uint32_t i = 0; i < n; i++) {
        values[i] = -1.0;
        for (int k = 0; k < 3; k++) {
            values[i] += x[k][i] * x[k][i] / (RADIUS * RADIUS);
            if (gradient)
                gradient[k][i] = 2.0 * x[k][i] / (RADIUS * RADIUS);
        }
        if (sin_of(ctx) == NAN_IMPLICIT)
            values[i] = (double)NAN;
    }
}

static int32_t view(void *instance, const char *name, double tolerance, const void **out)
{
    ball *self = instance;
    *out = strcmp(name, SCREE_VIEW_SUPPORT) == 0    ? (const void *)&self->support
           : strcmp(name, SCREE_VIEW_IMPLICIT) == 0 ? (const void *)&self->implicit
                                                    : NULL;
    return SCREE_OK;
}

static int32_t measure(void *instance, scree_measure *m)
{
    m->n_parts = 1;
    m->radius = RADIUS;
    m->content = 4.0 / 3.0 * 3.14159265358979324 * RADIUS * RADIUS * RADIUS;
    for (int k = 0; k < 3; k++)
        m->inertia[k] = 0.4 * RADIUS * RADIUS;
    return SCREE_OK;
}

static int32_t place(void *instance, const scree_frame *frame)
{
    return SCREE_OK;
}

static int32_t boxes(void *instance, const scree_shape_boxes *b)
{
    for (uint32_t i = 0; i < b->n; i++) {
        b->radius[i] = b->scale[i] * RADIUS;
        for (int k = 0; k < 3; k++) {
            b->centre[k][i] = b->x[k][i];
            b->lo[k][i] = b->x[k][i] - b->radius[i];
            b->hi[k][i] = b->x[k][i] + b->radius[i];
        }
    }
    return SCREE_OK;
}

CREATE(ball, .config = given,
       .support = {.size = sizeof(scree_support), .ctx = self, .farthest = farthest},
       .implicit = {.size = sizeof(scree_implicit), .ctx = self, .value = value})

SIN_PARAM;
SCREE_INT_PARAM(config, after, 0, 0, 0, 1000000, "points that it does right before");
static const scree_param *const params[] = {&param_sin, &param_after};
static const scree_shape_ops ops = {OPS(shape, create, free), .measure = measure, .place = place,
                                    .boxes = boxes, .view = view};
static const scree_plugin sins = {
    PLUGIN_OF(SCREE_DIMENSION_3, SHAPE, "sins", "a ball; `sin` chooses what it does wrong"),
    PLUGIN_CONFIG, .ops = &ops};
SCREE_DEFINE_MANIFEST(&sins);
