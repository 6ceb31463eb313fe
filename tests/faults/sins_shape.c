/* SPDX-License-Identifier: Apache-2.0 */
/* shape/sins: a ball of radius 5 mm that is a solid by its views, and something wrong after some calls;
 * parameter `sin` says what. */
#include <math.h>

#include "scree/sdk.h"

enum { NONE, NAN_SUPPORT, FAR_SUPPORT, NAN_IMPLICIT, SHORT_BOX, TURNED_BOX, SMALL_BALL };
#define RADIUS 0.005

typedef struct config {
    int32_t sin, reserved;
    int64_t after; // points or boxes that it does right before
} config;

typedef struct ball {
    const config *config;
    int64_t asked, boxed;
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
    (void)tolerance;
    *out = strcmp(name, SCREE_VIEW_SUPPORT) == 0    ? (const void *)&self->support
           : strcmp(name, SCREE_VIEW_IMPLICIT) == 0 ? (const void *)&self->implicit
                                                    : NULL;
    return SCREE_OK;
}

static int32_t measure(void *instance, scree_measure *m)
{
    (void)instance;
    m->n_parts = 1;
    m->radius = RADIUS;
    m->content = 4.0 / 3.0 * 3.14159265358979324 * RADIUS * RADIUS * RADIUS;
    for (int k = 0; k < 3; k++)
        m->inertia[k] = 0.4 * RADIUS * RADIUS;
    return SCREE_OK;
}

static int32_t place(void *instance, const scree_frame *frame)
{
    (void)instance;
    (void)frame;
    return SCREE_OK;
}

static int32_t boxes(void *instance, const scree_shape_boxes *b)
{
    ball *self = instance;
    for (uint32_t i = 0; i < b->n; i++) {
        const int64_t boxed = __atomic_add_fetch(&self->boxed, 1, __ATOMIC_RELAXED);
        const int32_t sin = boxed > self->config->after ? self->config->sin : NONE;
        b->radius[i] = b->scale[i] * RADIUS;
        for (int k = 0; k < 3; k++) {
            b->centre[k][i] = b->x[k][i];
            b->lo[k][i] = b->x[k][i] - b->radius[i];
            b->hi[k][i] = b->x[k][i] + b->radius[i];
        }
        if (sin == SHORT_BOX || (sin == TURNED_BOX && fabs(b->q[0][i]) < 0.9))
            b->hi[2][i] -= 0.5 * b->radius[i];
        if (sin == SMALL_BALL)
            b->radius[i] *= 0.5;
    }
    return SCREE_OK;
}

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    ball *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    *self = (ball){.config = given,
                   .support = {.size = sizeof(scree_support), .ctx = self, .farthest = farthest},
                   .implicit = {.size = sizeof(scree_implicit), .ctx = self, .value = value}};
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    free(instance);
}

SCREE_CHOICE_VALUE(none, NONE, "a sin");
SCREE_CHOICE_VALUE(nan_support, NAN_SUPPORT, "a sin");
SCREE_CHOICE_VALUE(far_support, FAR_SUPPORT, "a sin");
SCREE_CHOICE_VALUE(nan_implicit, NAN_IMPLICIT, "a sin");
SCREE_CHOICE_VALUE(short_box, SHORT_BOX, "a sin");
SCREE_CHOICE_VALUE(turned_box, TURNED_BOX, "a sin");
SCREE_CHOICE_VALUE(small_ball, SMALL_BALL, "a sin");
SCREE_CHOICE_PARAM(config, sin, 0, "none", "what it does wrong", &choice_none, &choice_nan_support,
                   &choice_far_support, &choice_nan_implicit, &choice_short_box, &choice_turned_box,
                   &choice_small_ball);
SCREE_INT_PARAM(config, after, 0, 0, 0, 1000000, "points or boxes that it does right before");
static const scree_param *const params[] = {&param_sin, &param_after};
static const scree_shape_ops ops = {.size = sizeof(scree_shape_ops),
                                    .create = create,
                                    .destroy = destroy,
                                    .measure = measure,
                                    .place = place,
                                    .boxes = boxes,
                                    .view = view};
static const scree_plugin sins = {.size = sizeof(scree_plugin),
                                  .kind = SCREE_KIND_SHAPE,
                                  .dimensions = SCREE_DIMENSION_3,
                                  .id = "sins",
                                  .version = "1.0.0",
                                  .licence = "Apache-2.0",
                                  .help = "a ball; `sin` chooses what it does wrong",
                                  .config_size = sizeof(config),
                                  .n_params = SCREE_COUNT(params),
                                  .params = params,
                                  .ops = &ops};
SCREE_DEFINE_MANIFEST(&sins);
