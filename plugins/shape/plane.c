// SPDX-License-Identifier: Apache-2.0
/*
 * plane: a half-space through the origin, solid behind its normal.
 *
 * Idea     bodies of this type are infinite: they have no box, and the host makes each of them a
 *          candidate with all bodies near it. The normal is the gradient of the implicit function.
 * Limits   a plane has no mass and is never free.
 */
#include "scree/sdk.h"

typedef struct config {
    scree_reals normal;
} config;

SCREE_REALS_PARAM(
    config, normal, 0, NULL, SCREE_PARAM_REQUIRED, 0, -HUGE_VAL, HUGE_VAL,
    "normal out of the solid, as many numbers as the scene has dimensions; any length but 0");
static const scree_param *const params[] = {&param_normal};

typedef struct plane {
    double normal[3]; /* unit */
    scree_implicit implicit;
} plane;

static void value(const void *ctx, uint32_t n, const double *const x[3], double *out,
                  double *const gradient[3])
{
    const double *normal = ((const plane *)ctx)->normal;
    const int n_axes = gradient ? 3 : 0;
    for (uint32_t i = 0; i < n; i++) {
        out[i] = normal[0] * x[0][i] + normal[1] * x[1][i] + normal[2] * x[2][i];
        for (int k = 0; k < n_axes; k++)
            gradient[k][i] = normal[k];
    }
}

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    const config *c = given;
    double a[3] = {0.0, 0.0, 0.0};
    uint64_t n = c->normal.n;
    if (n != host->dimension && n != 3)
        return scree_failf(host, SCREE_E_CONFIG, "normal: expected a list of %u, got %llu",
                           host->dimension, (unsigned long long)n);
    for (uint64_t k = 0; k < n; k++)
        a[k] = c->normal.v[k];
    double length = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    if (host->dimension == 2 && a[2] != 0.0)
        return scree_failf(host, SCREE_E_CONFIG, "normal: its third component is 0 in 2D, got %g",
                           a[2]);
    if (!(length > 0.0) || !isfinite(length))
        return scree_failf(host, SCREE_E_CONFIG, "normal: its length is %g; expected > 0", length);
    plane *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    for (int k = 0; k < 3; k++)
        self->normal[k] = a[k] / length;
    self->implicit = (scree_implicit){sizeof self->implicit, 0, self, value};
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    free(instance);
}

static uint64_t bytes(void *instance)
{
    const plane *self = instance;
    return sizeof *self;
}

static int32_t measure(void *instance, scree_measure *out)
{
    (void)instance; // a half-space has no size
    out->n_parts = 0;
    return SCREE_OK;
}

static int32_t view(void *instance, const char *name, double tolerance, const void **out)
{
    const plane *self = instance;
    (void)tolerance; // the view is exact
    *out = strcmp(name, SCREE_VIEW_IMPLICIT) == 0 ? &self->implicit : NULL;
    return SCREE_OK;
}

static const scree_shape_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = destroy,
    .bytes = bytes,
    .measure = measure,
    .view = view,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_SHAPE,
    .flags = SCREE_CAP_INFINITE,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "plane",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "a half-space, as an infinite wall",
    .summary = "It is solid on the side that the normal points away from; the body's position is a "
               "point of its surface.",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
