/* SPDX-License-Identifier: MIT */
/*
 * kick_drift: symplectic Euler. Forces change the velocities, then velocities move the bodies.
 *
 * Source   Hairer, Lubich, Wanner 2006, Geometric Numerical Integration, section VI.3.
 * Idea     v += dt F / m, then x += dt v; the same for angular momentum and orientation.
 * Order    1; the energy of springs swings, and does not drift.
 * Limits   omega dt < 2 for an undamped contact, as all schemes of one evaluation per step.
 *
 * This is the smallest integrator: copy it. plugins/integrator/velocity_verlet.c of the sources is
 * of second order, plugins/integrator/rkn4.c has several evaluations in a step.
 */
#include <scree/sdk.h>

/** It keeps nothing: the instance is only an address that is not NULL. */
static int32_t create(const scree_host *host, const void *config, void **instance)
{
    (void)config;
    *instance = malloc(1);
    return *instance ? SCREE_OK : host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
}

/** Before each step. Body numbers and their count may have changed. */
static int32_t begin(void *instance, const scree_motion *motion)
{
    (void)instance;
    (void)motion;
    return SCREE_OK;
}

/** Stage 0: after `move`, evaluate the forces at the end of the step, whose state is one of the
 * trajectory. Stage 1: the step is done. */
static int32_t stage(void *instance, const scree_motion *motion, uint32_t k, scree_stage *out)
{
    (void)instance;
    out->action = k == 0 ? SCREE_STAGE_EVALUATE : SCREE_STAGE_DONE;
    out->accepted = 1;
    out->offset = motion->dt;
    return SCREE_OK;
}

/** Angular velocity of angular momentum l at orientation q: R I^-1 R^T l. */
static void spin_of(const double q[4], const double inverse[3], const double l[3], double w[3])
{
    double body[3];
    scree_rotate_back(q, l, body);
    for (int k = 0; k < 3; k++)
        body[k] *= inverse[k];
    scree_rotate(q, body, w);
}

/** q <- unit(q + dt/2 w q) */
static void turn(double q[4], const double w[3], double dt)
{
    const double h = 0.5 * dt, a = q[0], b = q[1], c = q[2], d = q[3];
    q[0] = a - h * (w[0] * b + w[1] * c + w[2] * d);
    q[1] = b + h * (w[0] * a + w[1] * d - w[2] * c);
    q[2] = c + h * (w[1] * a + w[2] * b - w[0] * d);
    q[3] = d + h * (w[2] * a + w[0] * c - w[1] * b);
    const double norm = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; k++)
        q[k] *= norm;
}

/** Body i that is not round: the angular momentum l = R I R^T w gets the kick; then the orientation
 * moves, and with it the moments of inertia. */
static void turn_body(const scree_motion *m, uint32_t i, const double torque[3])
{
    double q[4], w[3], l[3], inverse[3];
    for (int k = 0; k < 4; k++)
        q[k] = m->q[k][i];
    for (int k = 0; k < 3; k++) {
        w[k] = m->w[k][i];
        inverse[k] = m->inv_inertia[k][i];
    }
    scree_rotate_back(q, w, l);
    for (int k = 0; k < 3; k++)
        l[k] = inverse[k] > 0.0 ? l[k] / inverse[k] : 0.0;
    scree_rotate(q, l, l);
    for (int k = 0; k < 3; k++)
        l[k] += m->dt * torque[k];
    spin_of(q, inverse, l, w);
    turn(q, w, m->dt);
    spin_of(q, inverse, l, w);
    for (int k = 0; k < 4; k++)
        m->q[k][i] = q[k];
    for (int k = 0; k < 3; k++)
        m->w[k][i] = w[k];
}

/** The work of a stage on some bodies, all of them free. Several threads call it at the same time
 * with ranges of their own. */
static int32_t move(void *instance, const scree_move_range *range)
{
    const scree_motion *m = range->motion;
    (void)instance;
    if (range->stage != 0) /* nothing moves after the evaluation */
        return SCREE_OK;
    for (uint32_t i = range->begin; i < range->end; i++) {
        const double *force = m->wrench + 8 * (uint64_t)i, *torque = force + 4;
        for (int c = 0; c < 3; c++) {
            m->v[c][i] += m->dt * m->inv_mass[i] * force[c];
            m->x[c][i] += m->dt * m->v[c][i];
        }
        if (!m->isotropic[i])
            turn_body(m, i, torque);
        else
            for (int c = 0; c < 3; c++)
                m->w[c][i] += m->dt * m->inv_inertia[0][i] * torque[c];
    }
    return SCREE_OK;
}

/** The largest omega dt of a damped oscillator that does not grow: what dt = "auto" goes by. */
static double limit(const void *config, double zeta)
{
    (void)config;
    return 2.0 / (sqrt(1.0 + zeta * zeta) + zeta);
}

/** Claims order and stability; `scree check` measures both, the critical step uses the limit. */
static const void *get_extension(const char *name)
{
    static const scree_stability stability = {.size = sizeof stability, .limit = limit};
    static const scree_order order = {.size = sizeof order, .smooth = 1, .damped = 1, .turning = 1};
    if (strcmp(name, SCREE_EXTENSION_STABILITY) == 0)
        return &stability;
    return strcmp(name, SCREE_EXTENSION_ORDER) == 0 ? &order : NULL;
}

static const scree_integrator_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = free,
    .begin = begin,
    .stage = stage,
    .move = move,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_INTEGRATOR,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "kick_drift",
    .version = "0.1.0",
    .licence = "MIT",
    .help = "symplectic Euler: kick, then drift",
    .summary = "One evaluation per step, first order; the energy of springs does not drift.",
    .citation = "Hairer, Lubich, Wanner 2006, Geometric Numerical Integration, section VI.3",
    .ops = &ops,
    .get_extension = get_extension,
};

SCREE_DEFINE_MANIFEST(&plugin);
