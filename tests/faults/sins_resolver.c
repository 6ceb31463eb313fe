/* SPDX-License-Identifier: Apache-2.0 */
/* resolver/sins: spheres against spheres, and something wrong; parameter `sin` says what. */
#include <math.h>

#include "scree/sdk.h"

enum {
    NONE,
    NOT_A_NUMBER,
    NO_SUCH_PAIR,
    NEVER_DONE,
    LONG_NORMAL,
    TOO_DEEP,
    FAR_ARM,
    FAR_APART,
    FLAT,
    ALWAYS_MORE,
    BACKWARDS,
    OVERDRAWS
};

typedef struct config {
    int32_t sin, reserved;
    double deeper; /* [m] */
} config;

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    (void)host;
    *instance = (void *)(uintptr_t)given;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    (void)instance;
}

static int32_t supports(void *instance, scree_pair_support *pair)
{
    const config *self = instance;
    if (self->sin != FLAT)
        pair->provides = 0;
    if (strcmp(pair->a->name, "sphere") == 0 && strcmp(pair->b->name, "sphere") == 0)
        pair->contacts = SCREE_SUPPORTS_ONE;
    return SCREE_OK;
}

static int32_t resolve(void *instance, const scree_candidates *in, scree_contacts *out,
                       uint32_t *done)
{
    const config *self = instance;
    int32_t sin = NONE;
    out->n = 0;
    for (uint32_t p = 0; p < in->n; p++) {
        double d[3] = {in->d[0][p], in->d[1][p], in->d[2][p]};
        double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        double depth = in->radius_a[p] + in->radius_b[p] - length;
        if (depth < 0.0)
            continue;
        sin = depth < self->deeper ? sin : self->sin;
        uint32_t c = out->n++;
        out->pair[c] = sin == NO_SUCH_PAIR ? in->n + 5 : p;
        out->depth[c] = sin == TOO_DEEP ? 1.0 : sin == FAR_APART ? -1e-4 : depth;
        for (int k = 0; k < 3; k++) {
            out->normal[k][c] = sin == NOT_A_NUMBER  ? (double)NAN
                                : sin == LONG_NORMAL ? 1.01 * d[k] / length
                                                     : d[k] / length;
            out->arm[k][c] = d[k] * (in->radius_a[p] - 0.5 * depth) / length;
            out->arm[k][c] *= sin == FAR_ARM ? 3.0 : 1.0;
        }
        for (int k = 0; k < 2 && out->curvature[k]; k++)
            out->curvature[k][c] = sin == FLAT ? 0.0 : 1.0 / in->radius_a[p];
    }
    *done = sin == NEVER_DONE || sin == ALWAYS_MORE ? 0 : in->n;
    if (sin == ALWAYS_MORE || sin == OVERDRAWS)
        out->n = out->capacity + 1;
    if (sin == BACKWARDS && out->n) { // again
        out->pair[out->n] = out->pair[out->n - 1];
        out->n++;
    }
    return SCREE_OK;
}

SCREE_CHOICE_VALUE(none, NONE, "a sin");
SCREE_CHOICE_VALUE(nan, NOT_A_NUMBER, "a sin");
SCREE_CHOICE_VALUE(no_such_pair, NO_SUCH_PAIR, "a sin");
SCREE_CHOICE_VALUE(never_done, NEVER_DONE, "a sin");
SCREE_CHOICE_VALUE(long_normal, LONG_NORMAL, "a sin");
SCREE_CHOICE_VALUE(too_deep, TOO_DEEP, "a sin");
SCREE_CHOICE_VALUE(far_arm, FAR_ARM, "a sin");
SCREE_CHOICE_VALUE(far_apart, FAR_APART, "a sin");
SCREE_CHOICE_VALUE(flat, FLAT, "a sin");
SCREE_CHOICE_VALUE(always_more, ALWAYS_MORE, "a sin");
SCREE_CHOICE_VALUE(backwards, BACKWARDS, "a sin");
SCREE_CHOICE_VALUE(overdraws, OVERDRAWS, "a sin");
SCREE_CHOICE_PARAM(config, sin, 0, "none", "what it does wrong", &choice_none, &choice_nan,
                   &choice_no_such_pair, &choice_never_done, &choice_long_normal, &choice_too_deep,
                   &choice_far_arm, &choice_far_apart, &choice_flat, &choice_always_more,
                   &choice_backwards, &choice_overdraws);
SCREE_REAL_PARAM(config, deeper, "m", 0, -1.0, -1.0, 1.0, "depth from which on it does wrong");
static const scree_param *const params[] = {&param_sin, &param_deeper};
static const scree_resolver_ops ops = {.size = sizeof(scree_resolver_ops),
                                       .create = create,
                                       .destroy = destroy,
                                       .supports = supports,
                                       .resolve = resolve};
static const scree_plugin sins = {.size = sizeof(scree_plugin),
                                  .kind = SCREE_KIND_RESOLVER,
                                  .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
                                  .id = "sins",
                                  .version = "1.0.0",
                                  .licence = "Apache-2.0",
                                  .help = "does wrong when told to",
                                  .provides = SCREE_GIVES_CURVATURE,
                                  .config_size = sizeof(config),
                                  .n_params = SCREE_COUNT(params),
                                  .params = params,
                                  .ops = &ops};
SCREE_DEFINE_MANIFEST(&sins);
