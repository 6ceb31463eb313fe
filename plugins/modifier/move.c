/* SPDX-License-Identifier: Apache-2.0 */
/*
 * move: prescribed motion of walls and other kinematic bodies.
 *
 * Idea     each instance has one motion: translation, rotation about an axis, vibration, or the
 *          surface of a conveyor. Several on one body add up in the order of the scene: a later one
 *          carries the earlier ones along, with their directions, axes and points (world axes).
 * Steps    with s = min(t, end) - start, 0 before the start, the rigid motion is:
 *            translation  x + v s
 *            rotation     turned by rate s about the axis through the point
 *            vibration    x + direction amplitude (sin(2 pi f s + phase) - sin(phase))
 *          and its velocity is the exact derivative, 0 before the start and from the end on. Both
 *          depend only on t, so that nothing drifts and no state is kept. Whole turns and periods
 *          are subtracted before sin and cos. A body begins where the scene puts it, and stays
 *          where the end leaves it.
 *          A conveyor does not move the body: the host adds its velocity, without the part along
 *          the normal, to that of the contact points.
 * Cost     per body and evaluation some 50 operations; sin and cos once.
 * Limits   a start or end gives the body its velocity, or stops it, at once.
 */
#include "keys.h"
#include "scree/force_sdk.h"

enum { TRANSLATION, ROTATION, VIBRATION, CONVEYOR, N_MOTIONS };
enum { WORLD, BODY };
#define ONLY(motion) (1u << (motion))

typedef struct config {
    scree_strings groups;
    scree_reals velocity, axis, point, direction;
    double rate, period, amplitude, frequency, phase, start, end;
    int32_t motion, frame;
} config;

typedef struct mover {
    groups groups;
    int32_t motion, frame;
    double velocity[3], axis[3], point[3]; // [m/s]; [-] unit vector of rotation or direction; [m]
    double rate, frequency;                // [rad/s]; [1/s] turns or periods per second
    double amplitude, phase;               // [m] [rad]
    double start, end;                     // [s]
    uint64_t numbering, n, first, last;    // the moved bodies are in [first, last); n: of all
    int dense;                             // these are all of [first, last)
} mover;

/** The rigid motion at a time: x turned by q about the point, then moved by `by`. */
typedef struct step {
    double by[3], v[3], q[4], w[3], point[3]; // [m] [m/s] [-] [rad/s] [m]
} step;

/** The rotation of a unit quaternion as a matrix. */
typedef struct rows {
    scree_vec x, y, z;
} rows;

static rows rows_of(const double q[4])
{
    const double a = q[0], x = q[1], y = q[2], z = q[3];
    return (rows){
        {1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - a * z), 2.0 * (x * z + a * y)},
        {2.0 * (x * y + a * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - a * x)},
        {2.0 * (x * z - a * y), 2.0 * (y * z + a * x), 1.0 - 2.0 * (x * x + y * y)},
    };
}

static inline scree_vec turned(rows r, scree_vec v)
{
    return scree_vec_of(scree_dot(r.x, v), scree_dot(r.y, v), scree_dot(r.z, v));
}

/** Angle [rad] of a number of turns, without whole turns. */
static double angle_of(double turns)
{
    return 2.0 * M_PI * (turns - floor(turns));
}

/** The motion at `time`, apart from any body. */
static step at(const mover *self, double time)
{
    // Trial states may be before the first step (forest_ruth): a motion that starts with the run is
    // active there.
    int begun = time >= self->start || self->start <= 0.0;
    double s = begun ? fmin(time, self->end) - self->start : 0.0, angle;
    double moves = begun && time < self->end ? 1.0 : 0.0;
    step m = {.q = {1.0}};
    memcpy(m.point, self->point, sizeof m.point);
    switch (self->motion) {
    case TRANSLATION:
        for (int k = 0; k < 3; k++) {
            m.by[k] = self->velocity[k] * s;
            m.v[k] = moves * self->velocity[k];
        }
        break;
    case ROTATION:
        angle = angle_of(self->frequency * s);
        m.q[0] = cos(0.5 * angle);
        for (int k = 0; k < 3; k++) {
            m.q[1 + k] = sin(0.5 * angle) * self->axis[k];
            m.w[k] = moves * self->rate * self->axis[k];
        }
        break;
    case VIBRATION:
        angle = angle_of(self->frequency * s) + self->phase;
        for (int k = 0; k < 3; k++) {
            double a = self->amplitude * self->axis[k];
            m.by[k] = a * (sin(angle) - sin(self->phase));
            m.v[k] = moves * a * 2.0 * M_PI * self->frequency * cos(angle);
        }
        break;
    default: // a conveyor stays at its place
        for (int k = 0; k < 3; k++)
            m.v[k] = moves * self->velocity[k];
    }
    return m;
}

/** Moves bodies from..to, in the arrays of poses, on by a rotation. */
SCREE_NOT_INLINED void carry(const step *m, uint64_t from, uint64_t to, SCREE_OUT3(x),
                             SCREE_OUT3(v), SCREE_OUT3(w), SCREE_OUT3(s), SCREE_OUT q0,
                             SCREE_OUT q1, SCREE_OUT q2, SCREE_OUT q3)
{
    const double *r = m->q;
    const scree_vec point = scree_vec_of(m->point[0], m->point[1], m->point[2]);
    const scree_vec spin = scree_vec_of(m->w[0], m->w[1], m->w[2]);
    const double r0 = r[0], r1 = r[1], r2 = r[2], r3 = r[3];
    const rows turn = rows_of(r);
    for (uint64_t c = from; c < to; c++) {
        scree_vec arm = turned(turn, scree_less(SCREE_AT(x, c), 1.0, point));
        scree_vec v = scree_sum(turned(turn, SCREE_AT(v, c)), scree_cross(spin, arm));
        scree_vec w = turned(turn, SCREE_AT(w, c)), s = turned(turn, SCREE_AT(s, c));
        double a = q0[c], x = q1[c], y = q2[c], z = q3[c];
        arm = scree_sum(point, arm);
        w = scree_sum(w, spin);
        SCREE_PUT(x, c, arm);
        SCREE_PUT(v, c, v);
        SCREE_PUT(w, c, w);
        SCREE_PUT(s, c, s);
        q0[c] = r0 * a - r1 * x - r2 * y - r3 * z;
        q1[c] = r0 * x + r1 * a + r2 * z - r3 * y;
        q2[c] = r0 * y + r2 * a + r3 * x - r1 * z;
        q3[c] = r0 * z + r3 * a + r1 * y - r2 * x;
    }
}

static void shift(const step *m, const scree_poses *p, uint64_t from, uint64_t to)
{
    for (int k = 0; k < 3; k++)
        for (uint64_t i = from; i < to; i++) {
            p->x[k][i] += m->by[k];
            p->v[k][i] += m->v[k];
        }
}

static void convey(const mover *self, const step *m, const scree_poses *p, uint64_t i)
{
    scree_vec u = scree_vec_of(m->v[0], m->v[1], m->v[2]);
    if (self->frame == BODY) {
        const double q[4] = {p->q[0][i], p->q[1][i], p->q[2][i], p->q[3][i]};
        u = turned(rows_of(q), u);
    }
    p->surface[0][i] += u.x;
    p->surface[1][i] += u.y;
    p->surface[2][i] += u.z;
}

static int moves(const mover *self, const scree_bodies *bodies, uint64_t i)
{
    return bodies->motion[i] == SCREE_MOTION_KINEMATIC &&
           groups_have(&self->groups, bodies->group[i]);
}

/** Finds the moved bodies after they got other numbers. */
static void find_moved(mover *self, const scree_bodies *bodies)
{
    uint64_t n = 0;
    self->numbering = bodies->numbering;
    self->n = bodies->n;
    self->first = self->last = bodies->n_free;
    for (uint64_t i = bodies->n_free; i < bodies->n; i++)
        if (moves(self, bodies, i)) {
            self->first = n++ ? self->first : i;
            self->last = i + 1;
        }
    self->dense = n == self->last - self->first;
}

static int32_t pose(void *instance, const scree_poses *p)
{
    mover *self = instance;
    const scree_bodies *bodies = p->bodies;
    const step m = at(self, p->time);
    if (self->numbering != bodies->numbering || self->n != bodies->n)
        find_moved(self, bodies);
    for (uint64_t i = self->first, to; i < self->last; i = to + 1) {
        to = self->dense ? self->last : i;
        while (to < self->last && moves(self, bodies, to))
            to++;
        for (uint64_t k = i; self->motion == CONVEYOR && k < to; k++)
            convey(self, &m, p, k);
        if (self->motion == TRANSLATION || self->motion == VIBRATION)
            shift(&m, p, i, to);
        if (self->motion == ROTATION)
            carry(&m, i, to, SCREE_XYZ(p->x), SCREE_XYZ(p->v), SCREE_XYZ(p->w),
                  SCREE_XYZ(p->surface), p->q[0], p->q[1], p->q[2], p->q[3]);
    }
    return SCREE_OK;
}

static void destroy(void *instance)
{
    mover *self = instance;
    if (self)
        free(self->groups.index);
    free(self);
}

static const char *const motions[N_MOTIONS] = {"translation", "rotation", "vibration", "conveyor"};

/** Each key belongs to some motions: a `needed` key must be given there, and other motions refuse
 * it. */
static int32_t check_keys(const scree_host *host, const config *c)
{
    int turns = !isnan(c->rate) || !isnan(c->period), flat = host->dimension == 2;
    const struct {
        const char *name;
        int given, needed;
        uint32_t motions;
    } keys[] = {
        {"velocity", c->velocity.n > 0, 1, ONLY(TRANSLATION) | ONLY(CONVEYOR)},
        {"axis", c->axis.n > 0, !flat, ONLY(ROTATION)},
        {"point", c->point.n > 0, 0, ONLY(ROTATION)},
        {"rate (or period)", turns, 1, ONLY(ROTATION)},
        {"direction", c->direction.n > 0, 1, ONLY(VIBRATION)},
        {"amplitude", !isnan(c->amplitude), 1, ONLY(VIBRATION)},
        {"frequency", !isnan(c->frequency), 1, ONLY(VIBRATION)},
        {"phase", !isnan(c->phase), 0, ONLY(VIBRATION)},
        {"frame", c->frame != WORLD, 0, ONLY(CONVEYOR)},
    };
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        int belongs = (keys[k].motions & ONLY(c->motion)) != 0;
        if (belongs && keys[k].needed && !keys[k].given)
            return scree_failf(host, SCREE_E_CONFIG, "the key %s is missing, which a %s needs",
                               keys[k].name, motions[c->motion]);
        if (!belongs && keys[k].given)
            return scree_failf(host, SCREE_E_CONFIG, "%s has no effect on a %s: take it out",
                               keys[k].name, motions[c->motion]);
    }
    if (flat && c->axis.n)
        return host->fail(host->ctx, SCREE_E_CONFIG,
                          "axis: in 2D a rotation is about z: take it out; a negative rate turns "
                          "clockwise");
    if (!isnan(c->rate) && !isnan(c->period))
        return host->fail(host->ctx, SCREE_E_CONFIG, "give rate or period, not both");
    if (c->end <= c->start)
        return scree_failf(host, SCREE_E_CONFIG, "end = %g s is not after start = %g s", c->end,
                           c->start);
    return SCREE_OK;
}

static int32_t set_up(const scree_host *host, const config *c, mover *self)
{
    static const double z[3] = {0.0, 0.0, 1.0};
    const scree_reals flat_axis = {3, z};
    int32_t code = check_keys(host, c);
    self->n = UINT64_MAX; // the moved bodies are unknown
    self->motion = c->motion;
    self->frame = c->frame;
    self->start = c->start;
    self->end = isnan(c->end) ? HUGE_VAL : c->end;
    if (code >= 0)
        code = read_vector(host, "velocity", &c->velocity, self->velocity);
    if (code >= 0)
        code = read_vector(host, "point", &c->point, self->point);
    if (code >= 0 && c->motion == VIBRATION) {
        self->amplitude = c->amplitude;
        self->frequency = c->frequency;
        self->phase = isnan(c->phase) ? 0.0 : c->phase;
        code = read_direction(host, "direction", &c->direction, self->axis);
    }
    if (code >= 0 && c->motion == ROTATION) {
        self->frequency = isnan(c->period) ? c->rate / (2.0 * M_PI) : 1.0 / c->period;
        self->rate = isnan(c->period) ? c->rate : 2.0 * M_PI / c->period;
        if (host->dimension == 2)
            memcpy(self->axis, flat_axis.v, sizeof self->axis);
        else
            code = read_direction(host, "axis", &c->axis, self->axis);
    }
    return code < 0 ? code : groups_find(host, &c->groups, &self->groups);
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    mover *self = *instance = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    int32_t code = set_up(host, config_, self);
    if (code < 0)
        destroy(self);
    return code;
}

// clang-format off
#define REAL(id, unit, flags, min, help) SCREE_REAL_PARAM(config, id, unit, (flags) | SCREE_PARAM_OPTIONAL, 0, min, HUGE_VAL, help)
SCREE_STRINGS_PARAM(config, groups, 0, SCREE_PARAM_KINEMATIC_GROUP | SCREE_PARAM_REQUIRED, "groups whose bodies are moved; bodies.NAME.motion must be \"kinematic\"");
SCREE_CHOICE_VALUE(translation, TRANSLATION, "keys velocity");
SCREE_CHOICE_VALUE(rotation, ROTATION, "keys axis (3D), point, rate or period");
SCREE_CHOICE_VALUE(vibration, VIBRATION, "keys direction, amplitude, frequency, phase");
SCREE_CHOICE_VALUE(conveyor, CONVEYOR, "keys velocity, frame: the surface runs, the body stays");
SCREE_CHOICE_PARAM(config, motion, SCREE_PARAM_REQUIRED, NULL, "kind of motion",
    &choice_translation, &choice_rotation, &choice_vibration, &choice_conveyor);
VECTOR_PARAM(config, velocity, "m/s", "velocity of a translation, or of a conveyor's surface");
VECTOR_PARAM(config, axis, "-", "axis of a rotation, right-handed, any length; in 2D it is z");
VECTOR_PARAM(config, point, "m", "a point of the axis of a rotation; the origin if not given");
REAL(rate, "rad/s", 0, -HUGE_VAL, "rate of a rotation; \"30 rpm\" is valid, too");
REAL(period, "s", SCREE_PARAM_MIN_OPEN, 0, "time of a turn, instead of rate: exact after whole turns");
VECTOR_PARAM(config, direction, "-", "direction of a vibration, any length");
REAL(amplitude, "m", 0, 0, "amplitude of a vibration, half of its way");
REAL(frequency, "1/s", SCREE_PARAM_MIN_OPEN, 0, "frequency of a vibration");
REAL(phase, "rad", 0, -HUGE_VAL, "phase of a vibration at its start; 0 if not given");
SCREE_CHOICE_VALUE(world, WORLD, "as given, however the body turns");
SCREE_CHOICE_VALUE(body, BODY, "turns with the body");
SCREE_CHOICE_PARAM(config, frame, 0, "world", "axes of a conveyor's velocity", &choice_world, &choice_body);
SCREE_REAL_PARAM(config, start, "s", 0, 0, -HUGE_VAL, HUGE_VAL, "time at which it begins to move");
REAL(end, "s", 0, -HUGE_VAL, "time at which it stops; never if not given");
static const scree_param *const params[] = {&param_motion, &param_groups, &param_velocity,
    &param_axis, &param_point, &param_rate, &param_period, &param_direction, &param_amplitude,
    &param_frequency, &param_phase, &param_frame, &param_start, &param_end};
static const scree_modifier_ops ops = {.size = sizeof ops, .create = create, .destroy = destroy,
    .pose = pose};
static const scree_plugin move = {.size = sizeof move, .kind = SCREE_KIND_MODIFIER,
    .flags = SCREE_CAP_USES_LIBM | SCREE_CAP_RANKS, .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3, .id = "move", .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "moves walls: translation, rotation, vibration, and surfaces that run like belts",
    .summary = "A body begins where the scene puts it at `start` and stays where it is from `end` "
        "on. Several on one body add up in the order of the scene, and a later one carries the "
        "earlier ones along: rotation, then vibration is a turning drum that is shaken; the other "
        "way round the direction of the shaking turns as well. A velocity or spin that the body has in the "
        "scene comes first. The work of walls on bodies is booked.",
    .config_size = sizeof(config), .n_params = SCREE_COUNT(params), .params = params, .ops = &ops};
// clang-format on
SCREE_DEFINE_MANIFEST(&move);
