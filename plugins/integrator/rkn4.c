/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rkn4: Runge-Kutta-Nystroem's classical scheme, four evaluations per step, order 4.
 *
 * Sources  [1] O'Connor 1996, PhD thesis, MIT, section 5.1, table 5.1, eqs. (5.5)-(5.14).
 *          [2] Kreyszig 1993, Advanced Engineering Mathematics, section 20.3: the same.
 *          [3] Whittaker 1937, Analytical Dynamics: Euler's equations.
 * Idea     with k = dt/2 and f the acceleration [1]
 *            A = k f(t, u, u'),  B = k f(t + k, u + k (u' + A/2), u' + A),
 *            C = k f(t + k, u + k (u' + A/2), u' + B),  D = k f(t + dt, u + dt (u' + C), u' + 2C),
 *            u += dt (u' + (A + B + C)/3),  u' += (A + 2B + 2C + D)/3.
 * Steps    the last evaluation of a step is at its final state. It is accepted, and gives A of the
 *          next step. Trials are at dt/2, dt/2, dt, where walls are posed. Slips are counted from
 *          the accepted state to the trial state, so that springs with a memory keep order 4;
 *          counted from the last trial they would have order 1 or 2. In the first step and after
 *          edits A is missing, and one more trial is at the start.
 * Turning  spheres and discs: w as u'. Others: w in body axes by Euler's equations, I w' = t - w x
 *          I w; the orientation as u = q with q'' = q w'/2 - |w|^2 q/4 [3], made a unit one at each
 *          stage.
 * Cost     four evaluations per step, and 12 to 34 more numbers per body.
 * Order    4, with forces of velocity and springs with a memory too; at most 2 when a contact
 *          begins or ends within a step, as for any scheme with fixed steps.
 * Limits   omega dt < 2.587 undamped, 1.863 at a damping ratio of 0.7, 1.331 at 1. Undamped motion
 *          loses energy: 0.21 % per period of 10 steps, 0.0067 % of 20.
 * Differs  from [1]: eq. (5.2) lacks w x I w and any treatment of finite turns. dt <= T / pi of
 *          (5.14) is the limit of central differences: here it loses 55 % of the energy per period
 *          undamped, and is unstable with much damping.
 */
#include <math.h>

#include "kick.h"
#include "stability.h"

enum { TRIAL, FIRST, SECOND, THIRD, LAST, DONE }; // stages; TRIAL: at the start, where needed
static const double offsets[DONE] = {0.0, 0.5, 0.5, 1.0, 1.0};

/** One component u over a step. */
typedef struct component {
    double rate, sum_u, sum_v; // u' at the start; A + B + C and A + 2B + 2C + D, each over k
} component;

typedef struct body {
    component move[3], turn[3]; // place; rotation, world axes
    component q[4], w[3];       // not round: quaternion; w in body axes, `rate`: w at the start
    double x[3], q_start[4];
} body;

typedef struct config {
    int32_t orientation;
} config;

typedef struct integrator {
    const scree_host *host;
    body *bodies;
    uint64_t capacity, step;
    int32_t turn_all;
    uint32_t trials; // 1: this step begins with TRIAL
} integrator;

/** u - u(0) at stage s, from u'' = a of the previous evaluation; *rate: u' there. */
static inline double advance(component *c, uint32_t s, double h, double a, double *rate)
{
    static const double weight[DONE] = {0.0, 1.0, 2.0, 2.0, 1.0};
    c->sum_v += weight[s] * a;
    c->sum_u += s < LAST ? a : 0.0;
    *rate = c->rate + (s < THIRD ? 0.5 * h * a : s == THIRD ? h * a : h / 6.0 * c->sum_v);
    if (s == SECOND) // the place of FIRST: sum_u then held only that a
        return 0.5 * h * c->rate + 0.125 * h * h * (c->sum_u - a);
    return s == FIRST   ? 0.5 * h * c->rate + 0.125 * h * h * a
           : s == THIRD ? h * c->rate + 0.5 * h * h * a
                        : h * c->rate + h * h / 6.0 * c->sum_u;
}

static inline component from(double rate)
{
    return (component){rate, 0.0, 0.0};
}

static void start_body(body *b, const scree_motion *m, uint64_t i, int general)
{
    for (int k = 0; k < 3; k++) {
        b->x[k] = m->x[k][i];
        b->move[k] = from(m->v[k][i]);
        b->turn[k] = from(m->w[k][i]);
    }
    if (!general)
        return;
    double q[4], inverse[3], w[3], rate[4];
    const double world[3] = {m->w[0][i], m->w[1][i], m->w[2][i]};
    pose_of(m, i, q, inverse);
    scree_rotate_back(q, world, w);
    quaternion_rate(q, w, rate);
    for (int k = 0; k < 4; k++) {
        b->q_start[k] = q[k];
        b->q[k] = from(rate[k]);
        if (k < 3)
            b->w[k] = from(w[k]);
    }
}

static void move_body(body *b, const scree_motion *m, uint64_t i, uint32_t s)
{
    const double *force = m->wrench + 8 * i;
    for (int k = 0; k < 3; k++) {
        double moved = advance(&b->move[k], s, m->dt, m->inv_mass[i] * force[k], &m->v[k][i]);
        m->x[k][i] = b->x[k] + moved;
        m->displacement[k][i] = moved;
    }
}

static void turn_ball(body *b, const scree_motion *m, uint64_t i, uint32_t s)
{
    const double *torque = m->wrench + 8 * i + 4;
    double by = m->inv_inertia[0][i];
    for (int k = 0; k < 3; k++)
        m->rotation[k][i] = advance(&b->turn[k], s, m->dt, by * torque[k], &m->w[k][i]);
}

static void turn_body(body *b, const scree_motion *m, uint64_t i, uint32_t s)
{
    double q[4], inverse[3], w[3], torque[3], rate[3], world[3], bend[4], none, spin[3];
    const double in_world[3] = {m->w[0][i], m->w[1][i], m->w[2][i]};
    pose_of(m, i, q, inverse);
    scree_rotate_back(q, in_world, w);
    scree_rotate_back(q, m->wrench + 8 * i + 4, torque);
    spin_rate(inverse, w, torque, rate);
    quaternion_bend(q, w, rate, bend);
    scree_rotate(q, rate, world);
    for (int k = 0; k < 4; k++)
        q[k] = b->q_start[k] + advance(&b->q[k], s, m->dt, bend[k], &none);
    put_quaternion(m, i, q);
    for (int k = 0; k < 3; k++) {
        m->rotation[k][i] = advance(&b->turn[k], s, m->dt, world[k], &none);
        advance(&b->w[k], s, m->dt, rate[k], &spin[k]);
    }
    pose_of(m, i, q, inverse);
    scree_rotate(q, spin, world);
    for (int k = 0; k < 3; k++)
        m->w[k][i] = world[k];
}

static int32_t move(void *instance, const scree_move_range *range)
{
    const scree_motion *m = range->motion;
    const uint32_t k = range->stage, begin = range->begin, end = range->end;
    const integrator *self = instance;
    uint32_t s = k + 1 - self->trials;
    if (m->step != self->step || s >= DONE) // work left from the previous step is void
        return SCREE_OK;
    for (uint64_t i = begin; i < end; i++) {
        body *b = &self->bodies[i];
        int general = !m->isotropic[i] || self->turn_all;
        if (s == TRIAL)
            for (int a = 0; a < 3; a++)
                m->displacement[a][i] = m->rotation[a][i] = 0.0;
        if (s == TRIAL)
            continue;
        if (s == FIRST)
            start_body(b, m, i, general);
        move_body(b, m, i, s);
        if (general)
            turn_body(b, m, i, s);
        else
            turn_ball(b, m, i, s);
        m->fields[0][i] = 1.0;
    }
    return SCREE_OK;
}

/** A is known when the last evaluation was at the start state of this step. */
static int32_t begin(void *instance, const scree_motion *m)
{
    integrator *self = instance;
    if (!scree_grow(&self->bodies, &self->capacity, m->n_free, sizeof *self->bodies))
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for the stages");
    self->step = m->step;
    self->trials = SCREE_HAS(m, fresh) && memchr(m->fresh, 1, m->n_free);
    return SCREE_OK;
}

static int32_t stage(void *instance, const scree_motion *m, uint32_t k, scree_stage *out)
{
    const integrator *self = instance;
    uint32_t s = k + 1 - self->trials;
    out->action = s < DONE ? SCREE_STAGE_EVALUATE : SCREE_STAGE_DONE;
    out->accepted = s == LAST;
    out->offset = s < DONE ? offsets[s] * m->dt : m->dt;
    return SCREE_OK;
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    integrator *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    self->host = host;
    self->turn_all = ((const config *)config_)->orientation == ALL;
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    if (instance)
        free(((integrator *)instance)->bodies);
    free(instance);
}

static uint64_t bytes(void *instance)
{
    const integrator *self = instance;
    return sizeof *self + self->capacity * sizeof *self->bodies;
}

/** The step on x, v, in units of omega. */
static void step_oscillator(const void *scheme, double h, double zeta, double *y)
{
    component c = from(y[1]);
    double x = y[0], now = x, v = y[1];
    (void)scheme;
    for (uint32_t s = FIRST; s < DONE; s++)
        now = x + advance(&c, s, h, -now - 2.0 * zeta * v, &v);
    y[0] = now;
    y[1] = v;
}

static double limit(const void *config_, double zeta)
{
    (void)config_;
    return stability_limit(2, step_oscillator, NULL, zeta);
}

static const void *get_extension(const char *name)
{
    static const scree_stability stability = {.size = sizeof stability, .limit = limit};
    static const scree_order order = {.size = sizeof order, .smooth = 4, .damped = 4, .turning = 4};
    if (strcmp(name, SCREE_EXTENSION_STABILITY) == 0)
        return &stability;
    return strcmp(name, SCREE_EXTENSION_ORDER) == 0 ? &order : NULL;
}

SCREE_CHOICE_VALUE(needed, NEEDED, "orientations that have an effect");
SCREE_CHOICE_VALUE(all, ALL, "orientations of spheres and discs, too");
SCREE_CHOICE_PARAM(config, orientation, 0, "needed", "which orientations are followed",
                   &choice_needed, &choice_all);
static const scree_param *const params[] = {&param_orientation};
SCREE_FIELD(ready, BODY, 1, 1, "-", 0, "1: the last evaluation was at its present state");
static const scree_field *const fields[] = {&field_ready};
static const scree_integrator_ops ops = {.size = sizeof(scree_integrator_ops),
                                         .create = create,
                                         .destroy = destroy,
                                         .begin = begin,
                                         .stage = stage,
                                         .bytes = bytes,
                                         .move = move};
static const scree_plugin rkn4 = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_INTEGRATOR,
    .flags = SCREE_CAP_DISPLACEMENT,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "rkn4",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "Runge-Kutta-Nystroem; fourth order with any forces, four evaluations per step",
    .summary = "Fourth order for forces of places and of velocities, springs with a memory, and "
               "bodies with three moments of inertia. omega dt < 2.587 undamped, 1.331 at critical "
               "damping; undamped motion loses 0.21 % of its energy per period of 10 steps.",
    .citation = "O'Connor 1996, PhD thesis, MIT, section 5.1, table 5.1",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .n_fields = SCREE_COUNT(fields),
    .fields = fields,
    .ops = &ops,
    .get_extension = get_extension};
SCREE_DEFINE_MANIFEST(&rkn4);
