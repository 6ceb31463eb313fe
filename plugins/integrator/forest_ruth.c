/* SPDX-License-Identifier: Apache-2.0 */
/*
 * forest_ruth: three leap-frogs of other lengths in one step, symplectic and of order 4.
 *
 * Sources  [1] Forest, Ruth 1990, Physica D 43, 105: the coefficients.
 *          [2] Yoshida 1990, Phys. Lett. A 150, 262: as a composition of any symmetric scheme.
 *          [3] Dullweber, Leimkuhler, McLachlan 1997, J. Chem. Phys. 107, 5840: turns about one
 *              axis after the other.
 * Idea     velocity Verlet over theta dt, (1 - 2 theta) dt, theta dt with theta = 1 / (2 - 2^(1/3))
 *          = 1.3512: the errors of third order cancel. The stages are at 1.35, -0.35 and 1 dt; the
 *          last one, which is accepted, is at the places that the step ends in.
 * Steps    v += theta/2 dt a, x += theta dt v, trial; v += (1 - theta)/2 dt a, x += (1 - 2 theta)
 *          dt v, trial; v += (1 - theta)/2 dt a, x += theta dt v, evaluation; v += theta/2 dt a.
 * Turning  spheres and discs: w as v. Others: angular momentum as v; a drift turns about the body's
 *          axes x, y, z, y, x in turn, symmetric in time [3], each turn by Cayley's rational angle,
 *          which needs no sine.
 * Cost     three evaluations per step.
 * Order    4 for forces of position, also with memory from accepted states. Forces of velocity see
 *          the velocity before the kick: order 1. It keeps energy without drift: for long undamped
 *          motion.
 * Limits   omega dt < 1.5734 undamped, per evaluation a quarter of velocity Verlet's. Trial states
 *          are up to a third of a step ahead: there a contact may act before it exists in an
 *          accepted state.
 */
#include <math.h>

#include "kick.h"
#include "stability.h"

#define THETA 1.3512071919596578 // 1 / (2 - 2^(1/3))
static const double kicks[4] = {0.5 * THETA, 0.5 * (1.0 - THETA), 0.5 * (1.0 - THETA), 0.5 * THETA};
static const double drifts[4] = {THETA, 1.0 - 2.0 * THETA, THETA, 0.0};
static const double offsets[3] = {THETA, 1.0 - THETA, 1.0};

typedef struct config {
    int32_t orientation;
} config;

typedef struct integrator {
    int32_t turn_all;
} integrator;

/** Turns q about body axis k for a time, at the spin l_k / I_k. */
static void turn_axis(int k, double time, const double inverse[3], const double l[3], double q[4])
{
    double body[3], r[4] = {1.0, 0.0, 0.0, 0.0}, p[4] = {q[0], q[1], q[2], q[3]};
    scree_rotate_back(q, l, body);
    r[1 + k] = 0.5 * time * inverse[k] * body[k];
    q[0] = p[0] - p[1] * r[1] - p[2] * r[2] - p[3] * r[3];
    q[1] = p[1] + p[0] * r[1] + p[2] * r[3] - p[3] * r[2];
    q[2] = p[2] + p[0] * r[2] + p[3] * r[1] - p[1] * r[3];
    q[3] = p[3] + p[0] * r[3] + p[1] * r[2] - p[2] * r[1];
    double norm = 1.0 / sqrt(quaternion_square(q));
    for (int i = 0; i < 4; i++)
        q[i] *= norm;
}

/** Kicks the angular momentum of body i, which is not round, and turns it. `turned` [rad]: earlier
 * turns. */
static void turn_body(const scree_motion *m, uint64_t i, uint32_t stage, const double turned[3])
{
    double q[4], inverse[3], w[3], l[3], after[3], time = drifts[stage] * m->dt;
    pose_of(m, i, q, inverse);
    for (int k = 0; k < 3; k++)
        w[k] = m->w[k][i];
    momentum_of(q, inverse, w, l);
    for (int k = 0; k < 3; k++)
        l[k] += kicks[stage] * m->dt * m->wrench[8 * i + 4 + (uint64_t)k];
    spin_of(q, inverse, l, w);
    if (time != 0.0)
        for (int a = 0; a < 5; a++)
            turn_axis(a < 3 ? a : 4 - a, a == 2 ? time : 0.5 * time, inverse, l, q);
    spin_of(q, inverse, l, after);
    for (int k = 0; k < 3; k++) {
        m->w[k][i] = after[k];
        m->rotation[k][i] = turned[k] + 0.5 * time * (w[k] + after[k]);
    }
    if (time != 0.0)
        for (int k = 0; k < 4; k++)
            m->q[k][i] = q[k];
}

/** sum = (first ? 0 : sum) + time v */
static inline void add(uint32_t n, int first, double time, SCREE_IN v, SCREE_OUT sum)
{
    for (uint32_t i = 0; i < n; i++)
        sum[i] = (first ? 0.0 : sum[i]) + time * v[i];
}

static int32_t move(void *instance, const scree_move_range *range)
{
    const scree_motion *m = range->motion;
    const uint32_t k = range->stage, begin = range->begin, end = range->end;
    const integrator *self = instance;
    double drift = drifts[k] * m->dt, turned[3][FEW] = {{0.0}};
    for (uint32_t first = begin; first < end; first += FEW) {
        uint32_t n = end - first < FEW ? end - first : FEW;
        int others = move_few(m, kicks[k] * m->dt, drift, k < 3, first, n);
        for (int a = 0; a < 3; a++) {
            if (others && k > 0)
                memcpy(turned[a], m->rotation[a] + first, n * sizeof(double));
            add(n, k == 0, drift, m->v[a] + first, m->displacement[a] + first);
            add(n, k == 0, drift, m->w[a] + first, m->rotation[a] + first);
        }
        if (others || self->turn_all)
            for (uint64_t i = first; i < first + n; i++) {
                const double before[3] = {turned[0][i - first], turned[1][i - first],
                                          turned[2][i - first]};
                if (!m->isotropic[i])
                    turn_body(m, i, k, before);
                else if (self->turn_all && k < 3)
                    turn_round(m, i, drift);
            }
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
    out->action = k < 3 ? SCREE_STAGE_EVALUATE : SCREE_STAGE_DONE;
    out->accepted = k == 2;
    out->offset = k < 3 ? offsets[k] * motion->dt : motion->dt;
    return SCREE_OK;
}

/** The step on x, v, a, in units of omega. */
static void step_oscillator(const void *scheme, double h, double zeta, double *y)
{
    (void)scheme;
    for (int k = 0; k < 4; k++) {
        y[1] += kicks[k] * h * y[2];
        y[0] += drifts[k] * h * y[1];
        y[2] = k < 3 ? -y[0] - 2.0 * zeta * y[1] : y[2];
    }
}

static double limit(const void *config_, double zeta)
{
    (void)config_;
    return stability_limit(3, step_oscillator, NULL, zeta);
}

static const void *get_extension(const char *name)
{
    static const scree_stability stability = {.size = sizeof stability, .limit = limit};
    static const scree_order order = {
        .size = sizeof order, .smooth = 4, .damped = 1, .turning = 4, .reversible = 1};
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
static const scree_plugin forest_ruth = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_INTEGRATOR,
    .flags = SCREE_CAP_DISPLACEMENT,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "forest_ruth",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "three leap-frogs in a step; symplectic, fourth order, three evaluations per step",
    .summary = "Fourth order for forces that depend on places, with energy kept over any time; "
               "first for those that depend on velocities. Undamped contacts need omega dt < 1.57. "
               "Trial states are up to 1.35 steps ahead.",
    .citation = "Forest, Ruth 1990, Physica D 43, 105, doi:10.1016/0167-2789(90)90019-L",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
    .get_extension = get_extension};
SCREE_DEFINE_MANIFEST(&forest_ruth);
