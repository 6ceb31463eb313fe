/* SPDX-License-Identifier: Apache-2.0 */
/* force/sins: a law that does wrong while a run is on; parameter `sin` says what. */
#include <math.h>
#include <xmmintrin.h>

#include "sins.h"

#define SINS(SIN)                                                                                  \
    SIN(NONE, none)                                                                                \
    SIN(CRASHES, crashes)                                                                          \
    SIN(OVERFLOWS_STACK, overflows_stack)                                                          \
    SIN(ABORTS, aborts)                                                                            \
    SIN(NOT_A_NUMBER, nan)                                                                         \
    SIN(ROUNDS, rounds)                                                                            \
    SIN(SILENT, silent)                                                                            \
    SIN(SAYS_WHY, says_why)                                                                        \
    SIN(GIVES_UP, gives_up)                                                                        \
    SIN(USES_MORE, uses_more)                                                                      \
    SIN(TAKES_BACK, takes_back)                                                                    \
    SIN(ENORMOUS, enormous)                                                                        \
    SIN(STRONG, strong)
enum { SINS(SIN_ENUMERATOR) };

typedef struct config {
    int32_t sin, reserved;
    int64_t after; /* compute calls */
    double deeper; /* [m] */
    int64_t code;
} config;

typedef struct law {
    const scree_host *host;
    const config *config;
    int64_t calls;
} law;

CREATE(law, .host = host, .config = given)

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
    case GIVES_UP:
        return self->host->fail(self->host->ctx, (int32_t)self->config->code, "told to");
    default:
        break;
    }
    return SCREE_OK;
}

static int32_t narrow(void *instance, scree_demands *demands)
{
    const law *self = instance;
    if (self->config->sin == USES_MORE) {
        demands->needs |= SCREE_IN_SPIN;
        demands->provides |= SCREE_OUT_LOST;
    }
    if (self->config->sin == TAKES_BACK)
        demands->flags &= ~SCREE_CAP_USES_LIBM;
    return SCREE_OK;
}

SIN_PARAM;
SCREE_INT_PARAM(config, after, 0, 0, 0, 1000000, "calls that it does right before");
SCREE_REAL_PARAM(config, deeper, "m", 0, -1.0, -1.0, 1.0, "depth from which on it does wrong");
SCREE_INT_PARAM(config, code, 0, -5, -99, -1, "that it gives up with");
static const scree_param *const params[] = {&param_sin, &param_after, &param_deeper, &param_code};
static const scree_force_ops ops = {OPS(force, create, free), .compute = compute, .narrow = narrow};
static const scree_plugin sins = {PLUGIN(FORCE, "sins", "does wrong when told to"), PLUGIN_CONFIG,
                                  .flags = SCREE_CAP_SERIAL | SCREE_CAP_USES_LIBM, .ops = &ops};
SCREE_DEFINE_MANIFEST(&sins);
