/* SPDX-License-Identifier: Apache-2.0 */
/* force/sins: a law that does wrong while a run is on; parameter `sin` says what. */
#include <math.h>
#include <xmmintrin.h>

#include "scree/sdk.h"

enum {
    NONE,
    CRASHES,
    OVERFLOWS_STACK,
    ABORTS,
    NOT_A_NUMBER,
    ROUNDS,
    SILENT,
    SAYS_WHY,
    USES_MORE,
    ENORMOUS,
    STRONG
};

typedef struct config {
    int32_t sin, reserved;
    int64_t after; /* compute calls */
    double deeper; /* [m] */
} config;

typedef struct law {
    const scree_host *host;
    const config *config;
    int64_t calls;
} law;

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    law *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    self->host = host;
    self->config = given;
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    free(instance);
}

static double dig(volatile double *above, uint64_t depth)
{
    volatile double here[512];
    here[0] = above ? above[0] : 0.0;
    return depth ? dig(here, depth - 1) + here[0] : here[0];
}

static int32_t compute(void *instance, const scree_contact_batch *batch)
{
    law *self = instance;
    volatile int *nowhere = NULL;
    for (uint32_t c = 0; c < batch->n; c++)
        for (int k = 0; k < 3; k++)
            batch->f[k][c] = -1e5 * batch->depth[c] * batch->normal[k][c];
    double deepest = -1.0;
    for (uint32_t c = 0; c < batch->n; c++)
        deepest = batch->depth[c] > deepest ? batch->depth[c] : deepest;
    if (self->calls++ < self->config->after || deepest < self->config->deeper)
        return SCREE_OK;
    switch (self->config->sin) {
    case CRASHES:
        *nowhere = 1;
        break;
    case OVERFLOWS_STACK:
        batch->f[0][0] += dig(NULL, UINT64_MAX);
        break;
    case ABORTS:
        abort();
    case NOT_A_NUMBER:
        batch->f[1][batch->n - 1] = (double)NAN;
        break;
    case ENORMOUS:
        batch->f[0][batch->n - 1] = 1e300;
        break;
    case STRONG:
        batch->f[0][batch->n - 1] = 1e20;
        break;
    case ROUNDS:
        _mm_setcsr(_mm_getcsr() | 0x8040);
        break;
    case SILENT:
        return SCREE_E_NUMERIC;
    case SAYS_WHY:
        return self->host->fail(self->host->ctx, SCREE_E_NUMERIC, "the sky is too low");
    default:
        break;
    }
    return SCREE_OK;
}

static int32_t uses(void *instance, uint64_t *needs, uint64_t *provides)
{
    const law *self = instance;
    if (self->config->sin == USES_MORE) {
        *needs |= SCREE_IN_SPIN;
        *provides |= SCREE_OUT_LOST;
    }
    return SCREE_OK;
}

SCREE_CHOICE_VALUE(none, NONE, "a sin");
SCREE_CHOICE_VALUE(crashes, CRASHES, "a sin");
SCREE_CHOICE_VALUE(overflows_stack, OVERFLOWS_STACK, "a sin");
SCREE_CHOICE_VALUE(aborts, ABORTS, "a sin");
SCREE_CHOICE_VALUE(nan, NOT_A_NUMBER, "a sin");
SCREE_CHOICE_VALUE(rounds, ROUNDS, "a sin");
SCREE_CHOICE_VALUE(silent, SILENT, "a sin");
SCREE_CHOICE_VALUE(says_why, SAYS_WHY, "a sin");
SCREE_CHOICE_VALUE(uses_more, USES_MORE, "a sin");
SCREE_CHOICE_VALUE(enormous, ENORMOUS, "a sin");
SCREE_CHOICE_VALUE(strong, STRONG, "a sin");
SCREE_CHOICE_PARAM(config, sin, 0, "none", "what it does wrong", &choice_none, &choice_crashes,
                   &choice_overflows_stack, &choice_aborts, &choice_nan, &choice_rounds,
                   &choice_silent, &choice_says_why, &choice_uses_more, &choice_enormous,
                   &choice_strong);
SCREE_INT_PARAM(config, after, 0, 0, 0, 1000000, "calls that it does right before");
SCREE_REAL_PARAM(config, deeper, "m", 0, -1.0, -1.0, 1.0, "depth from which on it does wrong");
static const scree_param *const params[] = {&param_sin, &param_after, &param_deeper};
static const scree_force_ops ops = {.size = sizeof(scree_force_ops),
                                    .create = create,
                                    .destroy = destroy,
                                    .compute = compute,
                                    .uses = uses};
static const scree_plugin sins = {.size = sizeof(scree_plugin),
                                  .kind = SCREE_KIND_FORCE,
                                  .flags = SCREE_CAP_SERIAL,
                                  .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
                                  .id = "sins",
                                  .version = "1.0.0",
                                  .licence = "Apache-2.0",
                                  .help = "does wrong when told to",
                                  .config_size = sizeof(config),
                                  .n_params = SCREE_COUNT(params),
                                  .params = params,
                                  .ops = &ops};
SCREE_DEFINE_MANIFEST(&sins);
