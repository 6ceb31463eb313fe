/* SPDX-License-Identifier: Apache-2.0 */
/* integrator/sins: explicit Euler, and something wrong; parameter `sin` says what. */
#include <math.h>
#include <xmmintrin.h>

#include "sins.h"

#define SINS(SIN)                                                                                  \
    SIN(NONE, none)                                                                                \
    SIN(ENDLESS, endless)                                                                          \
    SIN(NOT_A_NUMBER, nan)                                                                         \
    SIN(ROUNDS, rounds)                                                                            \
    SIN(CRASHES_ON_A_LANE, crashes_on_a_lane)                                                      \
    SIN(UNKNOWN_ACTION, unknown_action)                                                            \
    SIN(WAITS, waits)                                                                              \
    SIN(HANGS, hangs)                                                                              \
    SIN(NAN_SPIN, nan_spin)                                                                        \
    SIN(NAN_VELOCITY, nan_velocity)                                                                \
    SIN(ENDLESS_VELOCITY, endless_velocity)                                                        \
    SIN(NO_QUATERNION, no_quaternion)                                                              \
    SIN(LONG_QUATERNION, long_quaternion)                                                          \
    SIN(MOVES_FIXED, moves_fixed)                                                                  \
    SIN(SPINS_FIXED, spins_fixed)                                                                  \
    SIN(FAR_STAGE, far_stage)                                                                      \
    SIN(LATE_HISTORY, late_history)                                                                \
    SIN(BLOWS_UP, blows_up)                                                                        \
    SIN(BEARS_NAN, bears_nan)                                                                      \
    SIN(BEARS_NOTHING, bears_nothing)                                                              \
    SIN(FLINGS, flings)                                                                            \
    SIN(NAN_DISPLACEMENT, nan_displacement)                                                        \
    SIN(STRAYS, strays)
enum { SINS(SIN_ENUMERATOR) };

typedef struct config {
    int32_t sin, reserved;
    int64_t after; // steps
} config;

typedef struct integrator {
    const scree_host *host;
    const config *config;
} integrator;

CREATE(integrator, .host = host, .config = given)

static int32_t begin(void *instance, const scree_motion *motion)
{
    return SCREE_OK;
}

static int32_t crash(void *user, uint64_t first, uint64_t last, uint32_t lane)
{
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
    return sin == BEARS_NAN ? (double)NAN : sin == BEARS_NOTHING ? 0.0 : 2.0;
}

static const void *get_extension(const char *name)
{
    static const scree_stability stability = {.size = sizeof stability, .limit = limit};
    return strcmp(name, SCREE_EXTENSION_STABILITY) == 0 ? &stability : NULL;
}

SIN_PARAM;
SCREE_INT_PARAM(config, after, 0, 0, 0, 1000, "steps before it does wrong");
static const scree_param *const params[] = {&param_sin, &param_after};
static const scree_integrator_ops ops = {OPS(integrator, create, free), .begin = begin,
                                         .stage = stage};
static const scree_plugin sins = {PLUGIN(INTEGRATOR, "sins", "does wrong when told to"),
                                  PLUGIN_CONFIG, .ops = &ops, .get_extension = get_extension};
static const scree_plugin sins_displaced = {
    PLUGIN(INTEGRATOR, "sins_displaced", "the same, with displacements of its own"), PLUGIN_CONFIG,
    .flags = SCREE_CAP_DISPLACEMENT, .ops = &ops, .get_extension = get_extension};
SCREE_DEFINE_MANIFEST(&sins, &sins_displaced);
