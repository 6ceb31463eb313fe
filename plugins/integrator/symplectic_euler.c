/* SPDX-License-Identifier: Apache-2.0 */
/*
 * symplectic_euler: kick, then drift; the leap-frog of other programs.
 *
 * Sources  [1] Cundall, Strack 1979, Geotechnique 29, 47: velocities half a step behind the places.
 *          [2] Hairer, Lubich, Wanner 2006, Geometric Numerical Integration, section VI.3.
 * Idea     v += dt a(x), x += dt v. With velocities that start half a step early, v - dt/2 a, the
 *          places are those of velocity Verlet but for rounding. YADE, PFC and UDEC move bodies in
 *          this way, and call it leap-frog or central differences. Their velocities at a time
 *          belong to half a step earlier, as do these.
 * Turning  spheres and discs: w += dt torque / I. Others: the angular momentum gets the kick, the
 *          orientation moves by the angular velocity at mid-step, as in velocity_verlet.
 * Cost     one evaluation, one pass over the bodies per step: less than any other.
 * Order    1 in places and velocities taken at one time; energy is kept to order 1, without drift.
 * Limits   omega dt < 2 / (sqrt(1 + zeta^2) + zeta), as for velocity_verlet, whose step has the
 *          same matrix in another frame.
 */
#include <math.h>

#include "kick.h"

typedef struct config {
    int32_t orientation;
} config;

typedef struct integrator {
    int32_t turn_all;
} integrator;

static int32_t move(void *instance, const scree_move_range *range)
{
    const scree_motion *m = range->motion;
    const uint32_t k = range->stage, begin = range->begin, end = range->end;
    const integrator *self = instance;
    if (k == 0)
        for (uint32_t first = begin; first < end; first += FEW) {
            uint32_t n = end - first < FEW ? end - first : FEW;
            move_and_turn(m, m->dt, m->dt, 1, self->turn_all, first, n);
        }
    return SCREE_OK;
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    integrator *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    self->turn_all = ((const config *)config_)->orientation == ALL;
    *instance = self;
    return SCREE_OK;
}

static int32_t begin(void *instance, const scree_motion *motion)
{
    (void)instance;
    (void)motion;
    return SCREE_OK;
}

static int32_t stage(void *instance, const scree_motion *motion, uint32_t k, scree_stage *out)
{
    (void)instance;
    out->action = k == 0 ? SCREE_STAGE_EVALUATE : SCREE_STAGE_DONE;
    out->accepted = 1;
    out->offset = motion->dt;
    return SCREE_OK;
}

static double limit(const void *config_, double zeta)
{
    (void)config_;
    return 2.0 / (sqrt(1.0 + zeta * zeta) + zeta);
}

static const void *get_extension(const char *name)
{
    static const scree_stability stability = {.size = sizeof stability, .limit = limit};
    static const scree_order order = {.size = sizeof order, .smooth = 1, .damped = 1, .turning = 2};
    if (strcmp(name, SCREE_EXTENSION_STABILITY) == 0)
        return &stability;
    return strcmp(name, SCREE_EXTENSION_ORDER) == 0 ? &order : NULL;
}

SCREE_CHOICE_VALUE(needed, NEEDED, "orientations that have an effect");
SCREE_CHOICE_VALUE(all, ALL, "orientations of spheres and discs, too");
SCREE_CHOICE_PARAM(config, orientation, 0, "needed", "which orientations are followed",
                   &choice_needed, &choice_all);
static const scree_param *const params[] = {&param_orientation};
static const scree_integrator_ops ops = {.size = sizeof(scree_integrator_ops),
                                         .create = create,
                                         .destroy = free,
                                         .begin = begin,
                                         .stage = stage,
                                         .move = move};
static const scree_plugin symplectic_euler = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_INTEGRATOR,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "symplectic_euler",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "kick, drift: the leap-frog of YADE and PFC; first order, one evaluation per step",
    .summary = "Places are those of velocity_verlet for velocities that start half a step early; "
               "taken at one time places and velocities are of first order. Undamped contacts need "
               "omega dt < 2.",
    .citation = "Cundall, Strack 1979, Geotechnique 29, 47, doi:10.1680/geot.1979.29.1.47",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
    .get_extension = get_extension};
SCREE_DEFINE_MANIFEST(&symplectic_euler);
