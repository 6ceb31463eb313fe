/* SPDX-License-Identifier: Apache-2.0 */
/* resolver/sins: spheres against spheres, and something wrong; parameter `sin` says what. */
#include <math.h>

#include "sins.h"

#define SINS(SIN)                                                                                  \
    SIN(NONE, none)                                                                                \
    SIN(NOT_A_NUMBER, nan)                                                                         \
    SIN(NO_SUCH_PAIR, no_such_pair)                                                                \
    SIN(NEVER_DONE, never_done)                                                                    \
    SIN(LONG_NORMAL, long_normal)                                                                  \
    SIN(TOO_DEEP, too_deep)                                                                        \
    SIN(FAR_ARM, far_arm)                                                                          \
    SIN(FAR_APART, far_apart)                                                                      \
    SIN(FLAT, flat)                                                                                \
    SIN(ALWAYS_MORE, always_more)                                                                  \
    SIN(BACKWARDS, backwards)                                                                      \
    SIN(OVERDRAWS, overdraws)
enum { SINS(SIN_ENUMERATOR) };

typedef struct config {
    int32_t sin, reserved;
    double deeper; /* [m] */
} config;

static int32_t supports(void *instance, scree_pair_support *pair)
{
    const config *self = instance;
    if (self->sin != FLAT)
        pair->provides = 0;
    if (strcmp(pair->a->name, "sphere") == 0 && strcmp(pair->b->name, "sphere") == 0)
        pair->contacts = self->sin == ALWAYS_MORE ? SCREE_SUPPORTS_MANY : SCREE_SUPPORTS_ONE;
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

SIN_PARAM;
SCREE_REAL_PARAM(config, deeper, "m", 0, -1.0, -1.0, 1.0, "depth from which on it does wrong");
static const scree_param *const params[] = {&param_sin, &param_deeper};
static const scree_resolver_ops ops = {OPS(resolver, plain_create, plain_destroy),
                                       .supports = supports, .resolve = resolve};
static const scree_plugin sins = {PLUGIN(RESOLVER, "sins", "does wrong when told to"),
                                  PLUGIN_CONFIG, .provides = SCREE_GIVES_CURVATURE, .ops = &ops};
SCREE_DEFINE_MANIFEST(&sins);
