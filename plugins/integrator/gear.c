/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gear: predictor and corrector with derivatives as a memory; one evaluation per step.
 *
 * Sources  [1] Gear 1971, Numerical Initial Value Problems in Ordinary Differential Equations.
 *          [2] Allen, Tildesley 1987, Computer Simulation of Liquids, appendix E: coefficients.
 *          [3] Schinner 1999, Granular Matter 2, 35, section 5: in DEM; it reads and writes a body
 *              only.
 * Idea     u, u', u'', .. are predicted by Taylor's series over dt. The forces there give the error
 *          of u'', delta = dt^2/2 (f - u''), and each derivative is corrected by its share: u^(j)
 *          += c_j delta j! / dt^j.
 * Values   c of 4, 5, 6 values (u, u', .. u^(3..5)) [2]; c_0 depends on the forces: 1/6, 19/120,
 *          3/20 if they depend on places only, 1/6, 19/90, 3/16 if on velocities too. Contacts are
 *          evaluated at the predicted place: slips count from one such place to the next, the last
 *          correction included.
 * Start    from one evaluation the derivatives are unknown, and a run that starts from zeros keeps
 *          order 2. So they are found for each new body: u'' at five times of the step, 0 to dt, is
 *          interpolated and integrated twice, in three rounds that start from u''(0) (Picard's
 *          iteration); that takes 13 trial evaluations. Meanwhile bodies with a memory move by it.
 *          All bodies are new at the start of a run and after a swap to this scheme, because a swap
 *          away from it drops the memory. Later a body is new when a modifier inserts, frees or
 *          moves it, or when its velocity was changed (a reflecting boundary). With `fill` the
 *          later ones, or all, start from zeros.
 * Turning  spheres and discs: w as u'. Others: the quaternion as u, q'' from Euler's equations.
 * Cost     one evaluation per step, 37 numbers of memory per body.
 * Order    values - 1. With forces of places and their c_0, phase and amplitude of an oscillation
 *          are of order `values` (4, 5, 6); velocities within a period are one order lower.
 * Limits   a contact that begins or ends is not a smooth force: the memory is then wrong for some
 *          steps, and the order 1 to 2. omega dt < 1.41, 0.39, 0.45 (4, 5, 6 values, undamped,
 *          places only), 0.26, 0.15, 0.08 at critical damping: more values take smaller steps. With
 *          5 and 6 values undamped motion gains energy, 2e-5 and 4e-6 of its amplitude per step of
 *          0.3 / omega.
 */
#include <math.h>

#include "kick.h"
#include "stability.h"

enum { PLACE = 3, ALL_OF = 7, MEMORY = 3, NODES = 5, SWEEPS = 3 }; // 7: x y z, turn or quaternion
enum { POSITION, VELOCITY };
enum { ALWAYS, START, NEVER };
enum {
    DERIVATIVES,
    BEND = DERIVATIVES + ALL_OF * MEMORY,
    SPEED = BEND + 4,
    CORRECTION = SPEED + 6
}; // columns of fields
enum { FILLS = 1 + SWEEPS * (NODES - 1) };

typedef struct config {
    int64_t values;
    int32_t orientation, forces, fill, reserved;
} config;

/** A body within a step. */
typedef struct body {
    double x[3], q[4], v[3], w[3];                          // state at the start
    double rate[ALL_OF], bend[ALL_OF];                      // u', u'' at the start
    double later[ALL_OF][MEMORY + 1];                       // u''' .. u^(6) at the start
    double moved[ALL_OF], rate_to[ALL_OF], bend_to[ALL_OF]; // predicted values
    double node[NODES][ALL_OF];                             // u'' at k dt / 4
    int32_t fresh, general;
} body;

typedef struct integrator {
    const scree_host *host;
    body *bodies;
    uint64_t capacity;
    double share[6]; // c_j
    int32_t values, fill, turn_all;
    uint32_t fills; // trial evaluations at the start of this step
} integrator;

static void coefficients(const config *c, double share[6])
{
    static const double sets[3][6] = {
        {1.0 / 6.0, 5.0 / 6.0, 1.0, 1.0 / 3.0},
        {19.0 / 120.0, 3.0 / 4.0, 1.0, 1.0 / 2.0, 1.0 / 12.0},
        {3.0 / 20.0, 251.0 / 360.0, 1.0, 11.0 / 18.0, 1.0 / 6.0, 1.0 / 60.0}};
    static const double first[3] = {1.0 / 6.0, 19.0 / 90.0, 3.0 / 16.0};
    memcpy(share, sets[c->values - 4], sizeof sets[0]);
    if (c->forces == VELOCITY)
        share[0] = first[c->values - 4];
}

/* ---- one body ---- */

static int n_of(const body *b)
{
    return PLACE + (b->general ? 4 : 3);
}

/** Finds the current u'' from the forces. */
static void bend_now(const body *b, const scree_motion *m, uint64_t i, double bend[ALL_OF])
{
    const double *force = m->wrench + 8 * i, *torque = force + 4;
    double q[4], inverse[3], w[3], t[3], rate[3];
    for (int k = 0; k < 3; k++) {
        bend[k] = m->inv_mass[i] * force[k];
        bend[PLACE + k] = m->inv_inertia[k][i] * torque[k];
    }
    if (!b->general)
        return;
    const double world[3] = {m->w[0][i], m->w[1][i], m->w[2][i]};
    pose_of(m, i, q, inverse);
    scree_rotate_back(q, world, w);
    scree_rotate_back(q, torque, t);
    spin_rate(inverse, w, t, rate);
    quaternion_bend(q, w, rate, bend + PLACE);
}

/** Loads the state at the start of a step. */
static void load(const integrator *self, body *b, const scree_motion *m, uint64_t i)
{
    double spin[3];
    for (int k = 0; k < 3; k++) {
        b->x[k] = m->x[k][i];
        b->rate[k] = b->v[k] = m->v[k][i];
        b->rate[PLACE + k] = b->w[k] = m->w[k][i];
    }
    for (int k = 0; k < 4; k++)
        b->q[k] = m->q[k][i];
    bend_now(b, m, i, b->bend);
    if (b->general) {
        scree_rotate_back(b->q, b->w, spin);
        quaternion_rate(b->q, spin, b->rate + PLACE);
    }
    for (int k = 0; b->general && !b->fresh && k < 4; k++)
        b->bend[PLACE + k] = m->fields[BEND + k][i];
    for (int c = 0; c < n_of(b); c++)
        for (int j = 0; j <= MEMORY; j++)
            b->later[c][j] = b->fresh || j >= self->values - 3
                                 ? 0.0
                                 : m->fields[DERIVATIVES + c * MEMORY + j][i];
}

/** Taylor's series of component c over `time`. */
static void predict(body *b, int c, double t)
{
    const double *d = b->later[c];
    double bend = b->bend[c];
    b->moved[c] =
        t * (b->rate[c] +
             t / 2.0 *
                 (bend + t / 3.0 * (d[0] + t / 4.0 * (d[1] + t / 5.0 * (d[2] + t / 6.0 * d[3])))));
    b->rate_to[c] =
        b->rate[c] +
        t * (bend + t / 2.0 * (d[0] + t / 3.0 * (d[1] + t / 4.0 * (d[2] + t / 5.0 * d[3]))));
    b->bend_to[c] = bend + t * (d[0] + t / 2.0 * (d[1] + t / 3.0 * (d[2] + t / 4.0 * d[3])));
}

/** The rotation vector that takes one direction to another, for turns of less than a radian. */
static void rotation_between(const double from[4], const double to[4], double out[3])
{
    double d[4], by = 1.0 / sqrt(quaternion_square(from) * quaternion_square(to));
    d[1] = to[1] * from[0] - to[0] * from[1] - to[2] * from[3] + to[3] * from[2];
    d[2] = to[2] * from[0] - to[0] * from[2] - to[3] * from[1] + to[1] * from[3];
    d[3] = to[3] * from[0] - to[0] * from[3] - to[1] * from[2] + to[2] * from[1];
    double s = by * by * (d[1] * d[1] + d[2] * d[2] + d[3] * d[3]); // asin(sqrt s) / sqrt s
    double arc = 1.0 + s * (1.0 / 6.0 + s * (3.0 / 40.0 + s * (15.0 / 336.0 + s * 105.0 / 3456.0)));
    for (int k = 0; k < 3; k++)
        out[k] = 2.0 * by * arc * d[1 + k];
}

/** Puts body i at b->moved. */
static void place(const body *b, const scree_motion *m, uint64_t i)
{
    double turned[3], q[4], spin[3], world[3];
    for (int k = 0; k < 3; k++) {
        m->x[k][i] = b->x[k] + b->moved[k];
        m->v[k][i] = b->rate_to[k];
        world[k] = b->rate_to[PLACE + k];
        turned[k] = b->moved[PLACE + k];
    }
    for (int k = 0; k < 4; k++)
        q[k] = b->q[k] + (b->general ? b->moved[PLACE + k] : 0.0);
    if (b->general) {
        spin_from(q, b->rate_to + PLACE, spin);
        rotation_between(b->q, q, turned);
        put_quaternion(m, i, q);
        for (int k = 0; k < 4; k++)
            q[k] = m->q[k][i];
        scree_rotate(q, spin, world);
    }
    for (int k = 0; k < 3; k++) {
        m->w[k][i] = world[k];
        m->displacement[k][i] = m->fields[CORRECTION + k][i] + b->moved[k];
        m->rotation[k][i] = m->fields[CORRECTION + 3 + k][i] + turned[k];
    }
}

/** Corrects the predicted values, by the forces there. */
static void correct(const integrator *self, body *b, const scree_motion *m, uint64_t i)
{
    double now[ALL_OF], q[4], was[4], by[3] = {0.0}, h = m->dt, spin[3];
    bend_now(b, m, i, now);
    for (int k = 0; k < 4; k++)
        was[k] = b->q[k] + (b->general ? b->moved[PLACE + k] : 0.0);
    for (int c = 0; c < n_of(b); c++) {
        double delta = 0.5 * h * h * (now[c] - b->bend_to[c]), scale = delta * 6.0 / (h * h * h);
        const double *d = b->later[c];
        double to[MEMORY] = {d[0] + h * (d[1] + 0.5 * h * d[2]), d[1] + h * d[2], d[2]};
        for (int j = 0; j < MEMORY; scale *= (j + 4) / h, j++)
            m->fields[DERIVATIVES + c * MEMORY + j][i] = to[j] + self->share[3 + j] * scale;
        b->moved[c] += self->share[0] * delta;
        b->rate_to[c] += self->share[1] * delta / h;
        if (c < PLACE + 3 && (c < PLACE || !b->general))
            m->fields[CORRECTION + c][i] = self->share[0] * delta;
        if (b->general && c >= PLACE)
            m->fields[BEND + c - PLACE][i] = now[c];
    }
    for (int k = 0; k < 3; k++) {
        m->x[k][i] = b->x[k] + b->moved[k];
        m->v[k][i] = b->rate_to[k];
        m->w[k][i] = b->rate_to[PLACE + k];
    }
    if (!b->general)
        return;
    for (int k = 0; k < 4; k++)
        q[k] = b->q[k] + b->moved[PLACE + k];
    spin_from(q, b->rate_to + PLACE, spin);
    rotation_between(was, q, by);
    put_quaternion(m, i, q);
    for (int k = 0; k < 4; k++)
        q[k] = m->q[k][i];
    scree_rotate(q, spin, was);
    for (int k = 0; k < 3; k++) {
        m->w[k][i] = was[k];
        m->fields[CORRECTION + 3 + k][i] = by[k];
    }
}

/* ---- filling the memory ---- */

/** Finds u''' .. at the start from u'' at the nodes 0 to `last`, by forward differences. */
static void interpolate(body *b, int c, int last, double dt)
{
    double d[NODES] = {0.0}, by = (NODES - 1) / dt;
    for (int k = 0; k <= last; k++)
        d[k] = b->node[k][c];
    for (int order = 1; order <= last; order++)
        for (int k = last; k >= order; k--)
            d[k] -= d[k - 1];
    b->bend[c] = b->node[0][c];
    b->later[c][0] = by * (d[1] - d[2] / 2.0 + d[3] / 3.0 - d[4] / 4.0);
    b->later[c][1] = by * by * (d[2] - d[3] + 11.0 / 12.0 * d[4]);
    b->later[c][2] = by * by * by * (d[3] - 1.5 * d[4]);
    b->later[c][3] = by * by * by * by * d[4];
}

/** Number of the node of trial k: 0, then 1 to 4 in each round. */
static int node_of(uint32_t k)
{
    return k == 0 ? 0 : 1 + (int)((k - 1) % (NODES - 1));
}

/** Trial k, after the results of the previous one. */
static void try_at(const integrator *self, body *b, const scree_motion *m, uint64_t i, uint32_t k)
{
    double t = m->dt * node_of(k) / (NODES - 1);
    int last = k < NODES ? node_of(k) - 1 : NODES - 1;
    if (k == 0)
        load(self, b, m, i);
    else if (b->fresh)
        bend_now(b, m, i, b->node[node_of(k - 1)]);
    for (int c = 0; c < n_of(b); c++) {
        if (b->fresh && k > 0)
            interpolate(b, c, last, m->dt);
        predict(b, c, t);
    }
    place(b, m, i);
}

/** After the trials restores the state of the start, with its derivatives. */
static void end_trials(const integrator *self, body *b, const scree_motion *m, uint64_t i)
{
    if (b->fresh)
        bend_now(b, m, i, b->node[NODES - 1]);
    for (int k = 0; k < 4; k++)
        m->q[k][i] = b->q[k];
    for (int c = 0; b->fresh && c < n_of(b); c++) {
        interpolate(b, c, NODES - 1, m->dt);
        for (int j = self->values - 3; j <= MEMORY; j++)
            b->later[c][j] = 0.0;
    }
}

/* ---- a step ---- */

/** A stage for some bodies. */
typedef struct job {
    integrator *self;
    const scree_motion *m;
    uint32_t k;
} job;

static int32_t work(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const job *j = user;
    const integrator *self = j->self;
    (void)lane;
    for (uint64_t i = begin; i < end; i++) {
        body *b = &j->self->bodies[i];
        if (j->k > self->fills) {
            correct(self, b, j->m, i);
            for (int c = 0; c < 3; c++) {
                j->m->fields[SPEED + c][i] = j->m->v[c][i];
                j->m->fields[SPEED + 3 + c][i] = j->m->w[c][i];
            }
        } else if (j->k < self->fills) {
            try_at(self, b, j->m, i, j->k);
        } else {
            if (self->fills)
                end_trials(self, b, j->m, i);
            else
                load(self, b, j->m, i);
            for (int c = 0; c < n_of(b); c++)
                predict(b, c, j->m->dt);
            place(b, j->m, i);
        }
    }
    return SCREE_OK;
}

/** Is the memory of body i useless? */
static int is_fresh(const scree_motion *m, uint32_t i)
{
    int fresh = SCREE_HAS(m, fresh) && m->fresh[i];
    for (int k = 0; k < 3; k++)
        fresh |= m->fields[SPEED + k][i] != m->v[k][i] || m->fields[SPEED + 3 + k][i] != m->w[k][i];
    return fresh;
}

static int32_t begin(void *instance, const scree_motion *m)
{
    integrator *self = instance;
    uint32_t n_fresh = 0, n_early = 0;
    if (!scree_grow(&self->bodies, &self->capacity, m->n_free, sizeof *self->bodies))
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for the stages");
    for (uint32_t i = 0; i < m->n_free; i++) {
        body *b = &self->bodies[i];
        b->fresh = is_fresh(m, i);
        b->general = !m->isotropic[i] || self->turn_all;
        n_fresh += b->fresh != 0;
        n_early += SCREE_HAS(m, fresh) && m->fresh[i];
        if (b->fresh)
            for (int k = 0; k < 6; k++)
                m->fields[CORRECTION + k][i] = 0.0;
    }
    int fills = self->fill == ALWAYS ? n_fresh > 0 : self->fill == START && n_early == m->n_free;
    self->fills = fills && m->n_free ? FILLS : 0;
    return SCREE_OK;
}

static int32_t stage(void *instance, const scree_motion *m, uint32_t k, scree_stage *out)
{
    integrator *self = instance;
    job j = {self, m, k};
    int trial = k < self->fills;
    out->action = k <= self->fills ? SCREE_STAGE_EVALUATE : SCREE_STAGE_DONE;
    out->accepted = !trial;
    out->offset = trial ? m->dt * node_of(k) / (NODES - 1) : m->dt;
    return self->host->parallel_for(self->host->ctx, 0, m->n_free, 1024, work, &j);
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    const config *c = config_;
    integrator *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    *self = (integrator){.host = host,
                         .values = (int32_t)c->values,
                         .fill = c->fill,
                         .turn_all = c->orientation == ALL};
    coefficients(c, self->share);
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

/* ---- its order and limits ---- */

/** The step on u^(j) dt^j / j!, in units of omega. */
static void step_oscillator(const void *scheme, double h, double zeta, double *y)
{
    const config *c = scheme;
    double share[6];
    coefficients(c, share);
    for (int64_t j = 1; j < c->values; j++) // Pascal's triangle
        for (int64_t k = c->values - 2; k >= j - 1; k--)
            y[k] += y[k + 1];
    double delta = -0.5 * h * h * y[0] - zeta * h * y[1] - y[2];
    for (int64_t j = 0; j < c->values; j++)
        y[j] += share[j] * delta;
}

static double limit(const void *config_, double zeta)
{
    return stability_limit((uint32_t)((const config *)config_)->values, step_oscillator, config_,
                           zeta);
}

static void claim(const void *config_, scree_order *order)
{
    const config *c = config_;
    uint32_t values = (uint32_t)c->values;
    order->smooth = order->damped = c->fill == NEVER ? 2 : values - 1;
    order->turning = order->damped < 4 ? order->damped : 4; // 6 values: 4.8 at practical steps
}

static const void *get_extension(const char *name)
{
    static const scree_stability stability = {.size = sizeof stability, .limit = limit};
    static const scree_order order = {
        .size = sizeof order, .smooth = 4, .damped = 4, .turning = 4, .with = claim};
    if (strcmp(name, SCREE_EXTENSION_STABILITY) == 0)
        return &stability;
    return strcmp(name, SCREE_EXTENSION_ORDER) == 0 ? &order : NULL;
}

SCREE_INT_PARAM(config, values, 0, 5, 4, 6, "place, velocity and derivatives that are kept");
SCREE_CHOICE_VALUE(position, POSITION, "places only: c0 = 1/6, 19/120, 3/20");
SCREE_CHOICE_VALUE(velocity, VELOCITY, "velocities too: c0 = 1/6, 19/90, 3/16");
SCREE_CHOICE_PARAM(config, forces, 0, "velocity", "what forces depend on", &choice_position,
                   &choice_velocity);
SCREE_CHOICE_VALUE(always, ALWAYS,
                   "of every body that is new, by 13 evaluations more in that step");
SCREE_CHOICE_VALUE(start, START, "when all bodies are new; of later ones they start from zeros");
SCREE_CHOICE_VALUE(never, NEVER, "from zeros: order 2 for good");
SCREE_CHOICE_PARAM(config, fill, 0, "always", "which derivatives are found before they are used",
                   &choice_always, &choice_start, &choice_never);
SCREE_CHOICE_VALUE(needed, NEEDED, "orientations that have an effect");
SCREE_CHOICE_VALUE(all, ALL, "orientations of spheres and discs, too");
SCREE_CHOICE_PARAM(config, orientation, 0, "needed", "which orientations are followed",
                   &choice_needed, &choice_all);
static const scree_param *const params[] = {&param_values, &param_forces, &param_fill,
                                            &param_orientation};
SCREE_FIELD(derivatives, BODY, ALL_OF *MEMORY, 1, "-", 0,
            "third to fifth, each, of x y z and turn or quaternion; SI");
SCREE_FIELD(bend, BODY, 4, 1, "1/s^2", 0, "second derivative of the quaternion");
SCREE_FIELD(speed, BODY, 6, 1, "-", 0, "velocity and spin that it was left with");
SCREE_FIELD(correction, BODY, 6, 1, "-", 0, "place and turn that the last correction changed");
static const scree_field *const fields[] = {&field_derivatives, &field_bend, &field_speed,
                                            &field_correction};
static const scree_integrator_ops ops = {.size = sizeof(scree_integrator_ops),
                                         .create = create,
                                         .destroy = destroy,
                                         .begin = begin,
                                         .stage = stage,
                                         .bytes = bytes};
static const scree_plugin gear = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_INTEGRATOR,
    .flags = SCREE_CAP_DISPLACEMENT,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "gear",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "predictor and corrector with 4, 5 or 6 values; order 3 to 6, one evaluation per step",
    .summary = "Order values - 1; values in phase and amplitude with forces of places only. The "
               "derivatives of a start are found by trial evaluations. It takes smaller steps the "
               "more values it keeps, and pays where forces are smooth.",
    .citation = "Gear 1971, Numerical Initial Value Problems in Ordinary Differential Equations; "
                "Allen, Tildesley 1987, Computer Simulation of Liquids, appendix E",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .n_fields = SCREE_COUNT(fields),
    .fields = fields,
    .ops = &ops,
    .get_extension = get_extension};
SCREE_DEFINE_MANIFEST(&gear);
