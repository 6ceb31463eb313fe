/* SPDX-License-Identifier: Apache-2.0 */
/*
 * velocity_verlet: half kick, drift, forces, half kick.
 *
 * Sources  [1] Swope et al. 1982, J. Chem. Phys. 76, 637: the scheme.
 *          [2] Kruggel-Emden et al. 2008, Chem. Eng. Sci. 63, 1523: as used in DEM.
 *          [3] Groot, Warren 1997, J. Chem. Phys. 107, 4423: velocities predicted for forces of
 *              velocity.
 * Steps    stage 0: v += dt/2 a, x += dt v; evaluation (accepted: its positions are the next
 *          state); stage 1: v += dt/2 a. Forces see the half-step velocity: v dt is exactly the
 *          displacement of a body, so that the host takes slip as v × since.
 * Turning  spheres and discs: w += dt/2 torque / I. Others: the angular momentum L gets the half
 *          kicks; the orientation moves by the angular velocity at mid-step, found from L, which is
 *          constant in world axes (second order, no gyroscopic term to lose).
 * Remedy   for dashpots, velocity = "full_step": the evaluation sees v + dt/2 a, the velocity at
 *          its own time as predicted by the acceleration of the previous step [3, with lambda = 1].
 *          The prediction has an error of dt^2, so the order is 2 with forces of velocity, too.
 *          Slips are still those of the half step. It needs no extra evaluation, but the limit of
 *          the step is that of twice the damping ratio.
 * Cost     one evaluation per step. Order 2 for forces of position, 1 for forces of velocity.
 * Limits   omega dt < 2 for an undamped contact; 2 / (sqrt(1 + zeta^2) + zeta) at a damping ratio
 *          of zeta (the step's matrix has determinant 1 - 2 zeta h, trace 2 - 2 zeta h - h^2).
 */
#include <math.h>

#include "kick.h"
#include "scree/draft/joined.h"

enum { HALF_STEP, FULL_STEP };

typedef struct config {
    int32_t orientation, velocity;
} config;

typedef struct integrator {
    int32_t turn_all, full_step;
    double *halves; // [6 n] v, w of the half step, while an evaluation sees predicted ones
    uint64_t capacity;
} integrator;

/** Half kick of bodies [begin, end), and drift. */
static void advance(const integrator *self, const scree_motion *m, int32_t drifts, uint32_t begin,
                    uint32_t end)
{
    double half = 0.5 * m->dt, drift = drifts ? m->dt : 0.0;
    for (uint32_t first = begin; first < end; first += FEW) {
        uint32_t n = end - first < FEW ? end - first : FEW;
        move_and_turn(m, half, drift, drifts, self->turn_all, first, n);
    }
}

/** After the drift: keeps the velocities of the half step, and gives the host the displacements.
 */
static void keep_halves(integrator *self, const scree_motion *m, uint32_t begin, uint32_t end)
{
    for (uint64_t i = begin; i < end; i++)
        for (uint64_t k = 0; k < 3; k++) {
            double v = m->v[k][i], w = m->w[k][i];
            self->halves[6 * i + k] = v;
            self->halves[6 * i + 3 + k] = w;
            m->displacement[k][i] = m->dt * v;
            m->rotation[k][i] = m->dt * w;
        }
}

static void restore_halves(const integrator *self, const scree_motion *m, uint32_t begin,
                           uint32_t end)
{
    for (uint64_t i = begin; i < end; i++)
        for (uint64_t k = 0; k < 3; k++) {
            m->v[k][i] = self->halves[6 * i + k];
            m->w[k][i] = self->halves[6 * i + 3 + k];
        }
}

static int32_t move(void *instance, const scree_move_range *range)
{
    const scree_motion *m = range->motion;
    const uint32_t k = range->stage, begin = range->begin, end = range->end;
    integrator *self = instance;
    if (self->full_step && k > 0)
        restore_halves(self, m, begin, end);
    advance(self, m, k == 0, begin, end);
    if (!self->full_step || k > 0)
        return SCREE_OK;
    keep_halves(self, m, begin, end);
    advance(self, m, 0, begin, end); // the kick by the previous forces, which is undone
    return SCREE_OK;
}

/** The second kick of a step, the first kick and the drift of the next one; bodies that are not
 * round, and the last few, are moved twice. */
static int32_t move_both(void *instance, const scree_move_range *first,
                         const scree_move_range *second)
{
    const integrator *self = instance;
    const scree_motion *m = second->motion;
    const uint32_t n = second->end - second->begin;
    scree_move_range rest[] = {*first, *second};
    if (!self->full_step && !self->turn_all && first->stage == 1 && second->stage == 0 &&
        !memchr(m->isotropic + second->begin, 0, n))
        rest[0].begin = rest[1].begin +=
            move_fours(m, 1, 0.5 * first->motion->dt, 0.5 * m->dt, m->dt, 1, second->begin, n);
    move(instance, &rest[0]);
    return move(instance, &rest[1]);
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    const config *c = config_;
    integrator *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    *self = (integrator){.turn_all = c->orientation == ALL, .full_step = c->velocity == FULL_STEP};
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    if (instance)
        free(((integrator *)instance)->halves);
    free(instance);
}

static int32_t narrow(void *instance, scree_demands *demands)
{
    if (!((const integrator *)instance)->full_step)
        demands->flags &= ~SCREE_CAP_DISPLACEMENT;
    return SCREE_OK;
}

static int32_t begin(void *instance, const scree_motion *m)
{
    integrator *self = instance;
    uint64_t n = self->full_step ? 6ull * m->n_free : 0;
    return scree_grow(&self->halves, &self->capacity, n, sizeof(double)) ? SCREE_OK
                                                                         : SCREE_E_MEMORY;
}

static uint64_t bytes(void *instance)
{
    const integrator *self = instance;
    return sizeof *self + self->capacity * sizeof(double);
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
    double z = ((const config *)config_)->velocity == FULL_STEP ? 2.0 * zeta : zeta;
    return 2.0 / (sqrt(1.0 + z * z) + z);
}

static void claim(const void *config_, scree_order *order)
{
    if (((const config *)config_)->velocity == FULL_STEP)
        order->damped = 2;
}

static const void *get_extension(const char *name)
{
    static const scree_stability stability = {.size = sizeof stability, .limit = limit};
    static const scree_order order = {.size = sizeof order,
                                      .smooth = 2,
                                      .damped = 1,
                                      .turning = 2,
                                      .reversible = 1,
                                      .with = claim};
    static const scree_joined joined = {.size = sizeof joined, .move_both = move_both};
    if (strcmp(name, SCREE_EXTENSION_STABILITY) == 0)
        return &stability;
    if (strcmp(name, SCREE_DRAFT_JOINED) == 0)
        return &joined;
    return strcmp(name, SCREE_EXTENSION_ORDER) == 0 ? &order : NULL;
}

SCREE_CHOICE_VALUE(needed, NEEDED, "orientations that have an effect");
SCREE_CHOICE_VALUE(all, ALL, "orientations of spheres and discs, too");
SCREE_CHOICE_PARAM(config, orientation, 0, "needed", "which orientations are followed",
                   &choice_needed, &choice_all);
SCREE_CHOICE_VALUE(half_step, HALF_STEP, "that of half a step ago: order 1 with dashpots");
SCREE_CHOICE_VALUE(full_step, FULL_STEP,
                   "predicted for the end of the step: order 2; a smaller step with much damping");
SCREE_CHOICE_PARAM(config, velocity, 0, "half_step", "which velocity forces see", &choice_half_step,
                   &choice_full_step);
static const scree_param *const params[] = {&param_orientation, &param_velocity};
static const scree_integrator_ops ops = {.size = sizeof(scree_integrator_ops),
                                         .create = create,
                                         .destroy = destroy,
                                         .begin = begin,
                                         .stage = stage,
                                         .bytes = bytes,
                                         .move = move,
                                         .narrow = narrow};
static const scree_plugin velocity_verlet = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_INTEGRATOR,
    .flags = SCREE_CAP_DISPLACEMENT | SCREE_CAP_RANKS,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "velocity_verlet",
    .version = "1.1.0",
    .licence = "Apache-2.0",
    .help = "half kick, drift, half kick; second order, one evaluation per step",
    .summary = "Second order for forces that depend on places, first for those that depend on "
               "velocities, second with velocity = \"full_step\". Undamped contacts need omega dt "
               "< 2. Bodies with three moments of inertia are turned by their angular momentum.",
    .citation =
        "Swope, Andersen, Berens, Wilson 1982, J. Chem. Phys. 76, 637, doi:10.1063/1.442716",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
    .get_extension = get_extension};
SCREE_DEFINE_MANIFEST(&velocity_verlet);
