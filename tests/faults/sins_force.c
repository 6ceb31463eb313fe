/* SPDX-License-Identifier: Apache-2.0 */
/* force/sins: a law that does wrong while a run is on; parameter `sin` says what. */
#include <math.h>
#include <xmmintrin.h>

#include "scree/sdk.h"

enum { NONE, CRASHES, OVERFLOWS_STACK, ABORTS, NOT_A_NUMBER, ROUNDS, SILENT, SAYS_WHY };

typedef struct config {
    int32_t sin, reserved;
    int64_t after; /* compute calls */
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
    if (self->calls++ < self->config->after)
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

#define CHOICE(name, value, text)                                                                  \
    static const scree_choice name = {sizeof(scree_choice), value, text, text}
CHOICE(none, NONE, "none");
CHOICE(crashes, CRASHES, "crashes");
CHOICE(overflows, OVERFLOWS_STACK, "overflows_stack");
CHOICE(aborts, ABORTS, "aborts");
CHOICE(nan_, NOT_A_NUMBER, "nan");
CHOICE(rounds, ROUNDS, "rounds");
CHOICE(silent, SILENT, "silent");
CHOICE(says_why, SAYS_WHY, "says_why");
static const scree_choice *const choices[] = {&none, &crashes, &overflows, &aborts,
                                              &nan_, &rounds,  &silent,    &says_why};
static const scree_param param_sin = {.size = sizeof(scree_param),
                                      .type = SCREE_CHOICE,
                                      .offset = offsetof(config, sin),
                                      .name = "sin",
                                      .help = "what it does wrong",
                                      .string_default = "none",
                                      .choices = choices,
                                      .n_choices = SCREE_COUNT(choices)};
static const scree_param param_after = {.size = sizeof(scree_param),
                                        .type = SCREE_INT,
                                        .offset = offsetof(config, after),
                                        .name = "after",
                                        .help = "calls that it does right before",
                                        .int_min = 0,
                                        .int_max = 1000000};
static const scree_param *const params[] = {&param_sin, &param_after};
static const scree_force_ops ops = {
    .size = sizeof(scree_force_ops), .create = create, .destroy = destroy, .compute = compute};
static const scree_plugin sins = {.size = sizeof(scree_plugin),
                                  .kind = SCREE_KIND_FORCE,
                                  .flags = SCREE_SERIAL,
                                  .dimensions = SCREE_2D | SCREE_3D,
                                  .id = "sins",
                                  .version = "1.0.0",
                                  .licence = "Apache-2.0",
                                  .help = "does wrong when told to",
                                  .config_size = sizeof(config),
                                  .n_params = SCREE_COUNT(params),
                                  .params = params,
                                  .ops = &ops};
SCREE_DEFINE_MANIFEST(&sins);
