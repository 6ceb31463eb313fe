/* SPDX-License-Identifier: Apache-2.0 */
/* integrator/sins: explicit Euler, and something wrong; parameter `sin` says what. */
#include <math.h>
#include <xmmintrin.h>

#include "scree/sdk.h"

enum {
    NONE,
    ENDLESS,
    NOT_A_NUMBER,
    ROUNDS,
    CRASHES_ON_A_LANE,
    UNKNOWN_ACTION,
    WAITS,
    HANGS,
    NAN_SPIN,
    NAN_VELOCITY,
    ENDLESS_VELOCITY,
    NO_QUATERNION,
    LONG_QUATERNION,
    MOVES_FIXED,
    SPINS_FIXED,
    FAR_STAGE,
    LATE_HISTORY,
    BLOWS_UP,
    BEARS_NAN,
    BEARS_NOTHING,
    FLINGS,
    NAN_DISPLACEMENT,
    STRAYS
};

typedef struct config {
    int32_t sin, reserved;
    int64_t after; // steps
} config;

typedef struct integrator {
    const scree_host *host;
    const config *config;
} integrator;

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    integrator *self = calloc(1, sizeof *self);
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

static int32_t begin(void *instance, const scree_motion *motion)
{
    (void)instance;
    (void)motion;
    return SCREE_OK;
}

static int32_t crash(void *user, uint64_t first, uint64_t last, uint32_t lane)
{
    (void)user;
    (void)lane;
    volatile int *nowhere = NULL;
    if (first <= 1 && last > 1)
        *nowhere = 1;
    return SCREE_OK;
}

static void move(const integrator *self, const scree_motion *m)
{
    for (uint32_t i = 0; i < m->n_free; i++)
        for (int axis = 0; axis < 3; axis++) {
            m->x[axis][i] += m->dt * m->v[axis][i];
            if (m->displacement[axis])
                m->displacement[axis][i] = m->dt * m->v[axis][i];
            if (m->rotation[axis])
                m->rotation[axis][i] = m->dt * m->w[axis][i];
        }
    if (self->config->sin == NAN_DISPLACEMENT && m->step >= (uint64_t)self->config->after)
        m->displacement[1][m->n_free - 1] = (double)NAN;
}

static int32_t stage(void *instance, const scree_motion *m, uint32_t k, scree_stage *out)
{
    const integrator *self = instance;
    const scree_host *host = self->host;
    out->action = k == 0 || self->config->sin == ENDLESS ? SCREE_STAGE_EVALUATE : SCREE_STAGE_DONE;
    out->accepted = k == 0;
    out->offset = m->dt * (self->config->sin == FAR_STAGE      ? -9.0
                           : self->config->sin == LATE_HISTORY ? 1.35
                                                               : 1.0);
    out->accepted = out->accepted && self->config->sin != FAR_STAGE;
    if (k > 0)
        return SCREE_OK;
    if (self->config->sin == BLOWS_UP && m->step >= (uint64_t)self->config->after)
        m->v[0][m->n_free - 1] = 10.0 * m->v[0][m->n_free - 1] + 1.0;
    move(self, m);
    switch (m->step < (uint64_t)self->config->after ? NONE : self->config->sin) {
    case NOT_A_NUMBER:
        m->x[0][0] = (double)NAN;
        break;
    case ROUNDS:
        _mm_setcsr(_mm_getcsr() | 0x8040);
        break;
    case CRASHES_ON_A_LANE:
        return host->parallel_for(host->ctx, 0, 2, 1, crash, NULL);
    case NAN_SPIN:
        m->w[2][m->n_free - 1] = (double)NAN;
        break;
    case NAN_VELOCITY:
        m->v[1][m->n_free - 1] = (double)NAN;
        break;
    case ENDLESS_VELOCITY:
        m->v[1][m->n_free - 1] = HUGE_VAL;
        break;
    case NO_QUATERNION:
        m->q[0][m->n_free - 1] = 0.0;
        break;
    case LONG_QUATERNION:
        m->q[1][m->n_free - 1] = 0.5;
        break;
    case MOVES_FIXED:
        m->x[2][m->n - 1] += 1e-9;
        break;
    case SPINS_FIXED:
        m->w[2][m->n - 1] = 1.0;
        break;
    case FLINGS:
        m->v[0][m->n_free - 1] = 1e200;
        break;
    case STRAYS:
        m->x[1][m->n_free - 1] += 1e-3 * m->radius[m->n_free - 1];
        break;
    case UNKNOWN_ACTION:
        out->action = 77;
        break;
    case HANGS:
        host->log(host->ctx, SCREE_LOG_INFO, "hangs");
        for (;;)
            _mm_pause();
    case WAITS:
        host->log(host->ctx, SCREE_LOG_INFO, "waits");
        while (!host->cancelled(host->ctx))
            _mm_pause();
        return host->fail(host->ctx, SCREE_E_CANCELLED, "told to stop");
    default:
        break;
    }
    return SCREE_OK;
}

static double limit(const void *given, double zeta)
{
    const int32_t sin = ((const config *)given)->sin;
    (void)zeta;
    return sin == BEARS_NAN ? (double)NAN : sin == BEARS_NOTHING ? 0.0 : 2.0;
}

static const void *get_extension(const char *name)
{
    static const scree_stability stability = {.size = sizeof stability, .limit = limit};
    return strcmp(name, SCREE_EXTENSION_STABILITY) == 0 ? &stability : NULL;
}

SCREE_CHOICE_VALUE(none, NONE, "a sin");
SCREE_CHOICE_VALUE(endless, ENDLESS, "a sin");
SCREE_CHOICE_VALUE(nan, NOT_A_NUMBER, "a sin");
SCREE_CHOICE_VALUE(rounds, ROUNDS, "a sin");
SCREE_CHOICE_VALUE(crashes_on_a_lane, CRASHES_ON_A_LANE, "a sin");
SCREE_CHOICE_VALUE(unknown_action, UNKNOWN_ACTION, "a sin");
SCREE_CHOICE_VALUE(waits, WAITS, "a sin");
SCREE_CHOICE_VALUE(hangs, HANGS, "a sin");
SCREE_CHOICE_VALUE(nan_spin, NAN_SPIN, "a sin");
SCREE_CHOICE_VALUE(nan_velocity, NAN_VELOCITY, "a sin");
SCREE_CHOICE_VALUE(endless_velocity, ENDLESS_VELOCITY, "a sin");
SCREE_CHOICE_VALUE(no_quaternion, NO_QUATERNION, "a sin");
SCREE_CHOICE_VALUE(long_quaternion, LONG_QUATERNION, "a sin");
SCREE_CHOICE_VALUE(moves_fixed, MOVES_FIXED, "a sin");
SCREE_CHOICE_VALUE(spins_fixed, SPINS_FIXED, "a sin");
SCREE_CHOICE_VALUE(far_stage, FAR_STAGE, "a sin");
SCREE_CHOICE_VALUE(late_history, LATE_HISTORY, "a sin");
SCREE_CHOICE_VALUE(blows_up, BLOWS_UP, "a sin");
SCREE_CHOICE_VALUE(bears_nan, BEARS_NAN, "a sin");
SCREE_CHOICE_VALUE(bears_nothing, BEARS_NOTHING, "a sin");
SCREE_CHOICE_VALUE(flings, FLINGS, "a sin");
SCREE_CHOICE_VALUE(nan_displacement, NAN_DISPLACEMENT, "a sin");
SCREE_CHOICE_VALUE(strays, STRAYS, "a sin");
SCREE_CHOICE_PARAM(config, sin, 0, "none", "what it does wrong", &choice_none, &choice_endless,
                   &choice_nan, &choice_rounds, &choice_crashes_on_a_lane, &choice_unknown_action,
                   &choice_waits, &choice_hangs, &choice_nan_spin, &choice_nan_velocity,
                   &choice_endless_velocity, &choice_no_quaternion, &choice_long_quaternion,
                   &choice_moves_fixed, &choice_spins_fixed, &choice_far_stage,
                   &choice_late_history, &choice_blows_up, &choice_bears_nan, &choice_bears_nothing,
                   &choice_flings, &choice_nan_displacement, &choice_strays);
SCREE_INT_PARAM(config, after, 0, 0, 0, 1000, "steps before it does wrong");
static const scree_param *const params[] = {&param_sin, &param_after};
static const scree_integrator_ops ops = {.size = sizeof(scree_integrator_ops),
                                         .create = create,
                                         .destroy = destroy,
                                         .begin = begin,
                                         .stage = stage};
static const scree_plugin sins = {.size = sizeof(scree_plugin),
                                  .kind = SCREE_KIND_INTEGRATOR,
                                  .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
                                  .id = "sins",
                                  .version = "1.0.0",
                                  .licence = "Apache-2.0",
                                  .help = "does wrong when told to",
                                  .config_size = sizeof(config),
                                  .n_params = SCREE_COUNT(params),
                                  .params = params,
                                  .ops = &ops,
                                  .get_extension = get_extension};
static const scree_plugin sins_displaced = {.size = sizeof(scree_plugin),
                                            .kind = SCREE_KIND_INTEGRATOR,
                                            .flags = SCREE_CAP_DISPLACEMENT,
                                            .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
                                            .id = "sins_displaced",
                                            .version = "1.0.0",
                                            .licence = "Apache-2.0",
                                            .help = "the same, with displacements of its own",
                                            .config_size = sizeof(config),
                                            .n_params = SCREE_COUNT(params),
                                            .params = params,
                                            .ops = &ops,
                                            .get_extension = get_extension};
SCREE_DEFINE_MANIFEST(&sins, &sins_displaced);
