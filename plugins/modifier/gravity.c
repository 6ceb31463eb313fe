/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gravity: weight that changes in time, and the forces of a frame that turns.
 *
 * Sources  Goldstein, Poole, Safko 2002, Classical Mechanics, 3rd ed., section 4.10: the force in a
 *          frame that turns at Omega is -m (2 Omega x v + Omega x (Omega x r) + Omega' x r).
 * Idea     m g(t), added to the scene's gravity or instead of it; and, with a rate, Coriolis',
 *          centrifugal and Euler's force; r begins at a point on the axis. A body's spin is
 *          measured against the frame: its couple is -I (Omega x w + Omega') where its moments I
 *          are equal. Otherwise it follows from d(I (w + Omega))/dt = 0, seen from the frame, with
 *          w x I w in the integrator: -I Omega' - w x I Omega + I (w x Omega) - Omega x I (w +
 *          Omega).
 * Axes     `vector` is given in the axes of the scene, which turn with the frame; with frame =
 *          "inertial" in axes that do not turn and are those of the scene at time 0: in the frame
 *          of a drum that turns, the weight turns the other way.
 * Energy   scene.gravity stays in `gravity`; the work of this modifier is booked as work. With mode
 *          = "replace" it is the work of -m g_scene and of m g(t). Coriolis' force does none.
 * Velocity the velocity of the evaluation: with velocity Verlet that of the half step, so that
 * Coriolis' force
 *          is of first order in dt.
 * Cost     some 40 operations per body and evaluation; sine and cosine once.
 * Limits   drag's buoyancy knows only scene.gravity. A frame that turns is refused where space repeats
 *          across its axis: the force at r differs from that at an image of r.
 */
#include "chunks.h"
#include "keys.h"
#include "table.h"

enum { ADD, REPLACE };
enum { TURNING, INERTIAL };

typedef struct config {
    scree_strings groups;
    scree_reals vector, times, rate, rate_times, axis, point;
    const char *file, *rate_file;
    int32_t mode, frame;
} config;

typedef struct gravity {
    const scree_host *host;
    const config *config;
    groups groups;
    table vector, rate;
    double axis[3], point[3];
} gravity;

/** Accelerations at one time. */
typedef struct moment {
    const gravity *self;
    double g[3];                // [m/s^2] acceleration of all bodies
    double omega[3], change[3]; // [rad/s] [rad/s^2]
    int turns;
} moment;

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/** [rad] The integral of the rate from its first time on. */
static double integral(const table *t, double time)
{
    double sum = (time < t->time[0] ? time - t->time[0] : 0.0) * t->value[0], at;
    for (uint64_t k = 0; k < t->n && time > t->time[k]; k++) {
        double end = k + 1 < t->n && t->time[k + 1] < time ? t->time[k + 1] : time;
        table_at(t, end, &at, NULL);
        sum += 0.5 * (t->value[k] + at) * (end - t->time[k]);
    }
    return sum;
}

/** v turned about the unit axis by an angle. */
static void turn(const double axis[3], double angle, double v[3])
{
    double c = cos(angle), s = sin(angle), along = 0.0, across[3];
    cross(axis, v, across);
    for (int k = 0; k < 3; k++)
        along += axis[k] * v[k];
    for (int k = 0; k < 3; k++)
        v[k] = c * v[k] + s * across[k] + (1.0 - c) * along * axis[k];
}

static moment at(const gravity *self, const scree_bodies *b, double time)
{
    moment m = {.self = self, .turns = self->rate.n > 0};
    double rate = 0.0, change = 0.0;
    if (self->vector.n)
        table_at(&self->vector, time, m.g, NULL);
    if (m.turns)
        table_at(&self->rate, time, &rate, &change);
    if (m.turns && self->config->frame == INERTIAL)
        turn(self->axis, integral(&self->rate, 0.0) - integral(&self->rate, time), m.g);
    for (int k = 0; k < 3; k++) {
        m.g[k] -= self->config->mode == REPLACE ? b->gravity[k] : 0.0;
        m.omega[k] = rate * self->axis[k];
        m.change[k] = change * self->axis[k];
    }
    return m;
}

/** I v, for a body with three moments. */
static void times_inertia(const scree_bodies *b, uint64_t i, const double v[3], double out[3])
{
    const double q[4] = {b->q[0][i], b->q[1][i], b->q[2][i], b->q[3][i]};
    scree_rotate_back(q, v, out);
    for (int k = 0; k < 3; k++)
        out[k] = b->inv_inertia[k][i] > 0.0 ? out[k] / b->inv_inertia[k][i] : 0.0;
    scree_rotate(q, out, out);
}

/** Couple of the frame on a body that spins at w against it. */
static void find_couple(const moment *m, const scree_bodies *b, uint64_t i, const double w[3],
                        double couple[3])
{
    double all[3], of_frame[3], of_all[3], of_turn[3], of_change[3], turn[3], first[3], last[3];
    cross(w, m->omega, turn);
    for (int k = 0; k < 3; k++)
        all[k] = w[k] + m->omega[k];
    times_inertia(b, i, m->omega, of_frame);
    times_inertia(b, i, all, of_all);
    times_inertia(b, i, turn, of_turn);
    times_inertia(b, i, m->change, of_change);
    cross(w, of_frame, first);
    cross(m->omega, of_all, last);
    for (int k = 0; k < 3; k++)
        couple[k] = of_turn[k] - of_change[k] - first[k] - last[k];
}

/** Adds the frame's acceleration of body i to a, and its couple to the line; returns the couple's
 * power. */
static double add_turning(const moment *m, const scree_bodies *b, uint64_t i, double a[3],
                          double *line)
{
    double r[3], v[3], w[3], coriolis[3], swept[3], centre[3], euler[3], spin[3], power = 0.0;
    for (int k = 0; k < 3; k++) {
        r[k] = b->x[k][i] - m->self->point[k];
        v[k] = b->v[k][i];
        w[k] = b->w[k][i];
    }
    cross(m->omega, v, coriolis);
    cross(m->omega, r, swept);
    cross(m->omega, swept, centre);
    cross(m->change, r, euler);
    cross(m->omega, w, spin);
    double inertia = b->inv_inertia[0][i] > 0.0 ? 1.0 / b->inv_inertia[0][i] : 0.0, couple[3];
    for (int k = 0; k < 3; k++)
        couple[k] = -inertia * (spin[k] + m->change[k]);
    if (!(b->shapes[b->shape[i]]->flags & SCREE_CAP_ROUND) && b->dimension == 3)
        find_couple(m, b, i, w, couple);
    for (int k = 0; k < 3; k++) {
        a[k] -= 2.0 * coriolis[k] + centre[k] + euler[k];
        line[4 + k] += couple[k];
        power += couple[k] * w[k];
    }
    return power;
}

static int32_t weigh(const pass *p, uint64_t begin, uint64_t end)
{
    const moment *m = p->self;
    const scree_bodies *b = p->args->bodies;
    for (uint64_t i = begin; i < end; i++) {
        double *line = p->args->wrench + LINE * i, a[3] = {m->g[0], m->g[1], m->g[2]};
        if (!groups_have(&m->self->groups, b->group[i]))
            continue;
        double work = m->turns ? add_turning(m, b, i, a, line) : 0.0;
        for (int k = 0; k < 3; k++) {
            double force = a[k] / b->inv_mass[i];
            line[k] += force;
            work += force * b->v[k][i];
        }
        p->args->power[i] += work;
    }
    return SCREE_OK;
}

static int32_t forces(void *instance, const scree_forces *args)
{
    const gravity *self = instance;
    const moment m = at(self, args->bodies, args->time);
    pass p = {.self = &m, .args = args, .work = weigh};
    return run_pass(self->host, &p);
}

/** Whether the frame turns at some time. */
static int does_turn(const table *rate)
{
    for (uint64_t k = 0; k < rate->n; k++)
        if (rate->value[k] != 0.0)
            return 1;
    return 0;
}

/** Refuses a frame that turns where space repeats in another direction than along its axis. */
static int32_t enter(void *instance, const scree_entry *args)
{
    const gravity *self = instance;
    const scree_cell *cell = args->bodies->cell;
    const uint32_t repeats = does_turn(&self->rate) ? cell->repeats : 0;
    for (uint32_t k = 0; k < 3; k++) {
        double across[3], most = 0.0, length = 0.0;
        if (!(repeats & 1u << k))
            continue;
        cross(self->axis, cell->vector[k], across);
        for (int j = 0; j < 3; j++) {
            most = fmax(most, fabs(across[j]));
            length = fmax(length, fabs(cell->vector[k][j]));
        }
        if (most > 1e-12 * length)
            return scree_failf(
                self->host, SCREE_E_CONFIG,
                "rate: the scene is periodic along %c, across the axis about which "
                "the frame turns; expected a boundary that is periodic only along it",
                'x' + (int)k);
    }
    return SCREE_OK;
}

static void destroy(void *instance)
{
    gravity *self = instance;
    if (!self)
        return;
    table_clear(&self->vector);
    table_clear(&self->rate);
    free(self->groups.index);
    free(self);
}

static int32_t read_tables(const scree_host *host, const config *c, gravity *self)
{
    const table_source vector = {"vector",  "times", "file",         &c->vector,
                                 &c->times, c->file, host->dimension};
    const table_source rate = {
        "rate", "rate_times", "rate_file", &c->rate, &c->rate_times, c->rate_file, 1};
    int32_t code = table_read(host, &vector, &self->vector);
    return code < 0 ? code : table_read(host, &rate, &self->rate);
}

static int32_t read_axis(const scree_host *host, const config *c, gravity *self)
{
    int32_t code = read_vector(host, "point", &c->point, self->point);
    if (code < 0)
        return code;
    if (!self->rate.n && (c->axis.n || c->point.n || c->frame == INERTIAL))
        return host->fail(host->ctx, SCREE_E_CONFIG,
                          "axis, point and frame have no effect without rate or rate_file: take "
                          "them out");
    if (host->dimension == 2) {
        self->axis[2] = 1.0;
        return c->axis.n ? host->fail(host->ctx, SCREE_E_CONFIG,
                                      "axis: in 2D the frame turns about z: take it out")
                         : SCREE_OK;
    }
    if (self->rate.n && !c->axis.n)
        return host->fail(host->ctx, SCREE_E_CONFIG,
                          "the key axis is missing, about which the frame turns");
    return self->rate.n ? read_direction(host, "axis", &c->axis, self->axis) : SCREE_OK;
}

static int32_t set_up(const scree_host *host, const config *c, gravity *self)
{
    int32_t code = read_tables(host, c, self);
    if (code >= 0 && !self->vector.n && !self->rate.n)
        return host->fail(host->ctx, SCREE_E_CONFIG,
                          "it adds nothing: give vector, file, rate or rate_file");
    if (code >= 0 && !self->vector.n && c->mode == REPLACE)
        return host->fail(host->ctx, SCREE_E_CONFIG,
                          "mode = \"replace\" needs vector or file, to take the place");
    if (code >= 0)
        code = read_axis(host, c, self);
    return code < 0 ? code : groups_find(host, &c->groups, &self->groups);
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    gravity *self = *instance = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    self->host = host;
    self->config = config_;
    int32_t code = set_up(host, config_, self);
    if (code < 0)
        destroy(self);
    return code;
}

VECTOR_PARAM(config, vector, "m/s^2", "constant, or one after the other at each of `times`");
VECTOR_PARAM(config, times, "s", "times of the vectors, ascending; linear in between");
TEXT_PARAM(config, file, SCREE_PARAM_FILE,
           "CSV instead of both: time, then the vector, SI, in each line");
SCREE_CHOICE_VALUE(add, ADD, "added to scene.gravity");
SCREE_CHOICE_VALUE(replace, REPLACE, "instead of scene.gravity");
SCREE_CHOICE_PARAM(config, mode, 0, "add", "what the vector is to scene.gravity", &choice_add,
                   &choice_replace);
VECTOR_PARAM(config, rate, "rad/s",
             "rate at which the scene's axes turn; constant, or one for each of `rate_times`");
VECTOR_PARAM(config, rate_times, "s", "times of the rates, ascending; linear in between");
TEXT_PARAM(config, rate_file, SCREE_PARAM_FILE, "CSV instead of both: time, rate in each line");
VECTOR_PARAM(config, axis, "-", "axis of the rotation, right-handed, any length; in 2D it is z");
VECTOR_PARAM(config, point, "m", "a point of that axis; the origin if not given");
SCREE_CHOICE_VALUE(turning, TURNING, "the scene's");
SCREE_CHOICE_VALUE(inertial, INERTIAL, "those that stand still, the scene's at time 0");
SCREE_CHOICE_PARAM(config, frame, 0, "turning", "axes of the vector", &choice_turning,
                   &choice_inertial);
GROUPS_PARAM(config, SCREE_PARAM_GROUP, "groups whose bodies feel it; all if not given");
static const scree_param *const params[] = {
    &param_vector,    &param_times, &param_file,  &param_mode,  &param_rate,  &param_rate_times,
    &param_rate_file, &param_axis,  &param_point, &param_frame, &param_groups};
static const scree_modifier_ops ops = {
    .size = sizeof ops, .create = create, .destroy = destroy, .enter = enter, .forces = forces};
static const scree_plugin gravity_plugin = {
    .size = sizeof gravity_plugin,
    .kind = SCREE_KIND_MODIFIER,
    .flags = SCREE_CAP_USES_LIBM | SCREE_CAP_RANKS,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "gravity",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "weight that changes in time, and the forces of a frame that turns",
    .summary = "Adds m g(t), with g constant, from lists or from a CSV file, to scene.gravity or "
               "takes its place; with a rate also Coriolis', centrifugal and Euler's force and the "
               "couple on spins. Its work is booked.",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};
SCREE_DEFINE_MANIFEST(&gravity_plugin);
