/* SPDX-License-Identifier: Apache-2.0 */
/*
 * servo: walls that are driven to a force or a pressure.
 *
 * Sources  [1] Itasca, PFC 4.0, Theory and Background: numerical servo-control; u = G (sigma -
 *              sigma_target), G = alpha A / (sum k dt).
 *          [2] Smilauer et al. 2015, YADE documentation: TriaxialStressController.
 * Idea     after each step F is the force of the bodies against `direction`; the walls move with v
 *          = gain (F_target - F + C v_now) / (K dt + C), |v| <= max_speed, K, C: normal stiffness
 *          [N/m] and dashpots [N s/m] of all contacts of the walls. With gain 1 and bodies that do
 *          not yield the target is met in one step. The term of C removes the dashpots' force due
 *          to the walls' own speed; otherwise walls would chatter for C/(K dt) > 1/gain. With C = 0
 *          this is [1].
 * Steps    1. F, K, C: sums over the contacts of the last accepted evaluation, in canonical order.
 *          2. Target: from the lists or the file, pressure times area. Area: the given one, the
 *             current one between two pairs of other walls, or that of scene.region across the
 *             direction.
 *          3. Without contact, and with a target other than 0, the walls search at max_speed. When
 *             no free body is ahead, or all have been passed, the search has failed: this is an
 *             error, or the walls wait.
 *          4. The speed is the walls' own velocity, which is part of the state; other values are
 *             fields.
 * Accuracy at rest, and against bodies that give way at a constant speed, F = F_target up to
 *          round-off.
 * Damping  bodies with a stiffness of eta K together: e' = e - eta (s + gain e), s' = s + MEAN (v -
 *          s) in units of K dt: stable for any eta up to 1, without swings from eta = 4 MEAN/gain =
 *          0.08 on, at eta = 0.01 with a damping ratio of 0.35.
 * Cost     a walk over the contacts of the scene's walls per step.
 * Limits   one direction per servo, and no turning. If the packing is soft compared with K, it
 *          takes correspondingly more steps. Bodies must be nearly at rest: a motion faster than
 *          max_speed is not followed.
 */
#include "keys.h"
#include "table.h"

enum { FAIL, WAIT };
enum { MOST_ACROSS = 4 };
#define NOT_YET -1e300
#define MEAN 0.01 // share of a step in the mean speed
enum {
    TIME,
    FORCE,
    TARGET,
    SPEED,
    STEADY,
    TRAVEL,
    AREA,
    SEARCHES,
    LIMIT,
    REACHED
}; // global fields

typedef struct config {
    scree_strings groups, across;
    scree_reals direction, pressures, forces, times;
    const char *pressure_file, *force_file;
    double pressure, force; // NaN: not given
    double area, gain, max_speed, stiffness, tolerance, start, end;
    int32_t nothing;
} config;

typedef struct servo {
    const scree_host *host;
    const config *config;
    const scree_events *events; // NULL: the host does not count events
    groups groups;
    uint32_t across[MOST_ACROSS]; // groups
    double direction[3];          // unit vector along which it pushes
    table target;
    int32_t is_pressure;
} servo;

/** Forces on the walls. */
typedef struct pressing {
    double force, stiffness, damping; // [N] force against the direction; [N/m]; [N s/m]
    uint32_t contacts, walls;
} pressing;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Vertex number k of body i, in the world. */
static void vertex_of(const scree_bodies *b, uint64_t i, uint32_t k, double out[3])
{
    const scree_shape *s = b->shapes[b->shape[i]];
    double v[3];
    for (int axis = 0; axis < 3; axis++)
        v[axis] = b->scale[i] * s->mesh->vertex[axis][k];
    scree_to_world(b, (uint32_t)i, v, out);
    for (int axis = 0; axis < 3; axis++)
        out[axis] += b->x[axis][i];
}

/** Normal of the first facet of body i, from three of its corners. */
static void facet_normal(const scree_bodies *b, uint64_t i, double n[3])
{
    const uint32_t *facet = b->shapes[b->shape[i]]->mesh->facet;
    double p[3][3] = {{0}}, u[3], v[3];
    for (uint32_t k = 0; k < b->dimension; k++)
        vertex_of(b, i, facet[k], p[k]);
    for (int k = 0; k < 3; k++) {
        u[k] = p[1][k] - p[0][k];
        v[k] = b->dimension == 3 ? p[2][k] - p[0][k] : k == 2;
    }
    n[0] = u[1] * v[2] - u[2] * v[1];
    n[1] = u[2] * v[0] - u[0] * v[2];
    n[2] = u[0] * v[1] - u[1] * v[0];
}

/** Finds a point of wall i and its unit normal. */
static void describe(const scree_bodies *b, uint64_t i, double point[3], double n[3])
{
    const scree_shape *s = b->shapes[b->shape[i]];
    for (int k = 0; k < 3; k++) {
        point[k] = b->x[k][i];
        n[k] = 0.0;
    }
    if (s->flags & SCREE_CAP_INFINITE) {
        scree_to_world(b, (uint32_t)i, s->normal, n);
    } else if (s->flags & SCREE_CAP_WALL) {
        vertex_of(b, i, s->mesh->facet[0], point);
        facet_normal(b, i, n);
    }
    double length = sqrt(dot(n, n));
    if (length > 0.0)
        for (int k = 0; k < 3; k++)
            n[k] /= length;
}

static uint64_t first_of(const scree_bodies *b, uint32_t group)
{
    uint64_t i = b->n_free;
    while (i < b->n && b->group[i] != group)
        i++;
    return i;
}

/** [m] Gap between the first walls of two groups, along the normal of the first; NaN: a wall is
 * missing. */
static double gap_between(const scree_bodies *b, uint32_t group_a, uint32_t group_b)
{
    uint64_t i = first_of(b, group_a), j = first_of(b, group_b);
    double p[3], q[3], n[3], other[3], d[3];
    if (i == b->n || j == b->n)
        return (double)NAN;
    describe(b, i, p, n);
    describe(b, j, q, other);
    for (int k = 0; k < 3; k++)
        d[k] = q[k] - p[k];
    return fabs(dot(d, n));
}

/** [m^2] Area of the region across the direction; NaN: the direction is oblique. */
static double area_of_region(const servo *self, const scree_bodies *b)
{
    double area = b->dimension == 2 ? b->thickness : 1.0;
    int along = 0;
    for (int k = 0; k < (int)b->dimension; k++) {
        along += fabs(self->direction[k]) > 1.0 - 1e-12;
        area *= fabs(self->direction[k]) > 0.5 ? 1.0 : b->cell->hi[k] - b->cell->lo[k];
    }
    return along == 1 ? area : (double)NAN;
}

static double area_now(const servo *self, const scree_bodies *b)
{
    const config *c = self->config;
    double area = b->dimension == 2 ? b->thickness : 1.0;
    if (!isnan(c->area))
        return c->area;
    if (!c->across.n)
        return area_of_region(self, b);
    for (uint64_t k = 0; k < c->across.n; k += 2)
        area *= gap_between(b, self->across[k], self->across[k + 1]);
    return area;
}

/** [m] Distance from the walls to the far end of the last free body ahead; below 0: none is
 * ahead. */
static double depth_ahead(const servo *self, const scree_bodies *b)
{
    double front = -HUGE_VAL, last = -HUGE_VAL;
    for (uint64_t i = b->n_free; i < b->n; i++) {
        double p[3], n[3];
        if (!groups_have(&self->groups, b->group[i]))
            continue;
        describe(b, i, p, n);
        front = fmax(front, dot(p, self->direction));
    }
    for (uint64_t i = 0; i < b->n_free; i++) {
        const double x[3] = {b->x[0][i], b->x[1][i], b->x[2][i]};
        last = fmax(last, dot(x, self->direction) + b->radius[i]);
    }
    return last - front;
}

static int32_t feel(const servo *self, const scree_bodies *b, const scree_edits *edits,
                    pressing *sum)
{
    *sum = (pressing){0};
    for (uint64_t i = b->n_free; i < b->n; i++) {
        scree_load load = {.size = sizeof load};
        if (!groups_have(&self->groups, b->group[i]))
            continue;
        int32_t code = edits->load(edits->ctx, b->id[i], &load);
        if (code < 0)
            return code;
        sum->walls++;
        sum->contacts += load.contacts;
        sum->force -= dot(load.force, self->direction);
        sum->stiffness += load.stiffness;
        sum->damping += load.damping;
    }
    if (!isnan(self->config->stiffness))
        sum->stiffness = self->config->stiffness;
    return SCREE_OK;
}

static int32_t report(const servo *self, const scree_bodies *b, const char *name, double value)
{
    uint64_t i = b->n_free;
    while (i < b->n && !groups_have(&self->groups, b->group[i]))
        i++;
    const scree_event event = {.size = sizeof event,
                               .name = name,
                               .id_a = i < b->n ? b->id[i] : SCREE_NO_BODY,
                               .id_b = SCREE_NO_BODY,
                               .value = value};
    return self->events ? self->events->report(self->events->ctx, &event) : SCREE_OK;
}

/** [m/s] Speed while no body touches the walls. */
static int32_t search(const servo *self, const scree_bodies *b, double *field, double *speed)
{
    *speed = self->config->max_speed;
    field[STEADY] = 0.0;
    if (field[LIMIT] >= 0.0 && field[TRAVEL] < field[LIMIT])
        return SCREE_OK;
    double ahead = depth_ahead(self, b);
    int begins = field[LIMIT] < 0.0;
    int32_t code = begins ? report(self, b, "servo_searches", field[TARGET]) : SCREE_OK;
    field[SEARCHES] += begins;
    if (code < 0 || ahead > 0.0) {
        field[LIMIT] = field[TRAVEL] + ahead;
        return code;
    }
    *speed = 0.0;
    if (begins || field[SPEED] != 0.0)
        code = report(self, b, "servo_finds_nothing", field[TRAVEL]);
    field[LIMIT] = field[TRAVEL]; // looks again in the next step
    if (self->config->nothing == WAIT)
        return code;
    return scree_failf(self->host, SCREE_E_NUMERIC,
                       "it finds nothing to press on: no free body is ahead of the walls, which "
                       "have moved by %g m along (%g, %g, %g); expected a body there, or nothing = "
                       "\"wait\"",
                       field[TRAVEL], self->direction[0], self->direction[1], self->direction[2]);
}

static int32_t answer(const servo *self, const pressing *p, double dt, double *field, double *speed)
{
    const config *c = self->config;
    if (!(p->stiffness > 0.0))
        return self->host->fail(self->host->ctx, SCREE_E_CONFIG,
                                "no law of the scene says how stiff it is: give stiffness");
    double off = field[TARGET] - p->force + p->damping * (field[SPEED] - field[STEADY]);
    double v = field[STEADY] + c->gain * off / (p->stiffness * dt + p->damping);
    *speed = fmax(-c->max_speed, fmin(c->max_speed, v));
    field[STEADY] += MEAN * (*speed - field[STEADY]);
    return SCREE_OK;
}

static int32_t set_speed(const servo *self, const scree_step *args, double speed)
{
    const scree_bodies *b = args->bodies;
    const scree_edits *edits = args->edits;
    double v[3] = {speed * self->direction[0], speed * self->direction[1],
                   speed * self->direction[2]};
    scree_body_change change = {.size = sizeof change, .v = v};
    int32_t code = SCREE_OK;
    for (uint64_t i = b->n_free; i < b->n && code >= 0; i++) {
        change.id = b->id[i];
        if (groups_have(&self->groups, b->group[i]))
            code = edits->set(edits->ctx, &change);
    }
    args->global_fields[SPEED] = speed;
    return code;
}

/** Notes the first time when the target is met. */
static int32_t note_reached(const servo *self, const scree_bodies *b, double time, double *field)
{
    double off = fabs(field[FORCE] - field[TARGET]);
    if (field[REACHED] >= 0.0 || field[TARGET] == 0.0 ||
        off > self->config->tolerance * fabs(field[TARGET]))
        return SCREE_OK;
    field[REACHED] = time;
    return report(self, b, "servo_reached", field[FORCE]);
}

static int32_t drive(const servo *self, const scree_step *args, double dt)
{
    const scree_bodies *b = args->bodies;
    double *field = args->global_fields, time = args->time, speed = 0.0;
    pressing p;
    int32_t code = feel(self, b, args->edits, &p);
    if (code < 0)
        return code;
    if (!p.walls)
        return self->host->fail(self->host->ctx, SCREE_E_CONFIG,
                                "groups: none of their walls is there any more");
    table_at(&self->target, time, &field[TARGET], NULL);
    field[AREA] = self->is_pressure ? area_now(self, b) : 0.0;
    field[FORCE] = p.force;
    if (self->is_pressure && !(field[AREA] > 0.0 && field[AREA] < HUGE_VAL))
        return scree_failf(self->host, SCREE_E_CONFIG,
                           "pressure needs an area: it is %g m^2; give area, or across, or "
                           "scene.region with direction along an axis",
                           field[AREA]);
    if (self->is_pressure)
        field[TARGET] *= field[AREA];
    code = note_reached(self, b, time, field);
    if (code >= 0 && p.contacts) {
        field[LIMIT] = -1.0;
        code = answer(self, &p, dt, field, &speed);
    } else if (code >= 0 && field[TARGET] != 0.0) {
        code = search(self, b, field, &speed);
    }
    return code < 0 ? code : set_speed(self, args, speed);
}

static int32_t after_step(void *instance, const scree_step *args)
{
    const servo *self = instance;
    double *field = args->global_fields, time = args->time, dt = time - field[TIME];
    field[TIME] = time;
    field[TRAVEL] += field[SPEED] * dt;
    if (time < self->config->start || !(dt > 0.0))
        return SCREE_OK;
    if (time >= self->config->end)
        return field[SPEED] == 0.0 ? SCREE_OK : set_speed(self, args, 0.0);
    return drive(self, args, dt);
}

static int32_t enter(void *instance, const scree_entry *args)
{
    (void)instance;
    if (args->global_fields[TIME] == NOT_YET)
        args->global_fields[TIME] = args->time;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    servo *self = instance;
    if (!self)
        return;
    table_clear(&self->target);
    free(self->groups.index);
    free(self);
}

static int32_t read_target(const scree_host *host, const config *c, servo *self)
{
    int pressures = !isnan(c->pressure) + (c->pressures.n > 0) + (c->pressure_file != NULL);
    int forces = !isnan(c->force) + (c->forces.n > 0) + (c->force_file != NULL);
    double constant = pressures ? c->pressure : c->force;
    const scree_reals single = {1, &constant}, *lists = pressures ? &c->pressures : &c->forces;
    const table_source source = {.name = pressures ? "pressures" : "forces",
                                 .times_name = "times",
                                 .file_name = pressures ? "pressure_file" : "force_file",
                                 .values = isnan(constant) ? lists : &single,
                                 .times = &c->times,
                                 .file = pressures ? c->pressure_file : c->force_file,
                                 .width = 1};
    if (pressures + forces != 1)
        return scree_failf(host, SCREE_E_CONFIG,
                           "expected one of force, forces, force_file, pressure, pressures, "
                           "pressure_file, got %s",
                           pressures + forces ? "more" : "none");
    if (c->times.n && !lists->n)
        return host->fail(host->ctx, SCREE_E_CONFIG,
                          "times has no effect without forces or pressures: take it out");
    self->is_pressure = pressures;
    return table_read(host, &source, &self->target);
}

static int32_t read_across(const scree_host *host, const config *c, servo *self)
{
    const scree_names *names = host->get_service(host->ctx, SCREE_SERVICE_NAMES);
    uint64_t want = 2 * ((uint64_t)host->dimension - 1);
    if (!c->across.n)
        return SCREE_OK;
    if (!names)
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED, "this host names no groups of bodies");
    if (c->across.n != want)
        return scree_failf(host, SCREE_E_CONFIG,
                           "across: expected %u groups, two by two the walls next to these, got %u",
                           (unsigned)want, (unsigned)c->across.n);
    if (!self->is_pressure || !isnan(c->area))
        return scree_failf(host, SCREE_E_CONFIG, "across has no effect %s: take it out",
                           self->is_pressure ? "together with area" : "on a force");
    for (uint64_t k = 0; k < want; k++)
        self->across[k] = names->group(names->ctx, c->across.v[k]);
    return SCREE_OK;
}

static int32_t set_up(const scree_host *host, const config *c, servo *self)
{
    int32_t code = read_direction(host, "direction", &c->direction, self->direction);
    if (code >= 0)
        code = read_target(host, c, self);
    if (code >= 0 && !self->is_pressure && !isnan(c->area))
        return host->fail(host->ctx, SCREE_E_CONFIG, "area has no effect on a force: take it out");
    if (code >= 0 && c->end <= c->start)
        return scree_failf(host, SCREE_E_CONFIG, "end = %g s is not after start = %g s", c->end,
                           c->start);
    if (code >= 0)
        code = read_across(host, c, self);
    return code < 0 ? code : groups_find(host, &c->groups, &self->groups);
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    servo *self = *instance = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    self->host = host;
    self->config = config_;
    self->events = host->get_service(host->ctx, SCREE_SERVICE_EVENTS);
    int32_t code = set_up(host, config_, self);
    if (code < 0)
        destroy(self);
    return code;
}

// clang-format off
#define REAL(id, unit, flags, min, help) SCREE_REAL_PARAM(config, id, unit, (flags) | SCREE_PARAM_OPTIONAL, 0, min, HUGE_VAL, help)
SCREE_STRINGS_PARAM(config, groups, 0, SCREE_PARAM_KINEMATIC_GROUP | SCREE_PARAM_REQUIRED, "walls that move as one; bodies.NAME.motion must be \"kinematic\"");
SCREE_STRINGS_PARAM(config, across, 0, SCREE_PARAM_GROUP | SCREE_PARAM_OPTIONAL, "area between walls: of two pairs of groups (2D: one), as they are now");
SCREE_REALS_PARAM(config, direction, 0, "-", SCREE_PARAM_REQUIRED, 0, -HUGE_VAL, HUGE_VAL, "direction in which the walls push, towards the bodies; any length");
REAL(force, "N", SCREE_PARAM_LIVE, -HUGE_VAL, "target, constant, of all walls together; > 0 pushes");
REAL(pressure, "Pa", SCREE_PARAM_LIVE, -HUGE_VAL, "target, constant");
VECTOR_PARAM(config, forces, "N", "targets at each of `times`");
VECTOR_PARAM(config, pressures, "Pa", "targets at each of `times`");
VECTOR_PARAM(config, times, "s", "times of the targets, ascending; linear in between");
TEXT_PARAM(config, force_file, SCREE_PARAM_FILE, "CSV instead: time, force in each line");
TEXT_PARAM(config, pressure_file, SCREE_PARAM_FILE, "CSV instead: time, pressure in each line");
REAL(area, "m^2", SCREE_PARAM_MIN_OPEN, 0, "area on which the pressure acts; without it and across: that of scene.region");
SCREE_REAL_PARAM(config, gain, "-", SCREE_PARAM_MIN_OPEN | SCREE_PARAM_LIVE, 0.5, 0, 1, "share of the error that a step takes off stiff bodies");
SCREE_REAL_PARAM(config, max_speed, "m/s", SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN | SCREE_PARAM_LIVE, 0, 0, HUGE_VAL, "largest speed of the walls");
REAL(stiffness, "N/m", SCREE_PARAM_MIN_OPEN, 0, "stiffness of all contacts of the walls; without it that of the laws");
SCREE_REAL_PARAM(config, tolerance, "-", SCREE_PARAM_MIN_OPEN | SCREE_PARAM_LIVE, 1e-3, 0, HUGE_VAL, "relative error at which the target counts as reached");
SCREE_REAL_PARAM(config, start, "s", 0, 0, -HUGE_VAL, HUGE_VAL, "time at which it begins to act");
REAL(end, "s", 0, -HUGE_VAL, "time at which the walls stop; never if not given");
SCREE_CHOICE_VALUE(fail, FAIL, "the run ends with an error");
SCREE_CHOICE_VALUE(wait, WAIT, "the walls wait until some body is ahead");
SCREE_CHOICE_PARAM(config, nothing, 0, "fail", "what the walls do while no free body is ahead of them", &choice_fail, &choice_wait);
static const scree_param *const params[] = {&param_groups, &param_direction, &param_force,
    &param_pressure, &param_forces, &param_pressures, &param_times, &param_force_file,
    &param_pressure_file, &param_area, &param_across,
    &param_gain, &param_max_speed, &param_stiffness, &param_tolerance, &param_start, &param_end,
    &param_nothing};
SCREE_FIELD(time, GLOBAL, 1, 1, "s", NOT_YET, "time of the last measurement");
SCREE_FIELD(force, GLOBAL, 1, 1, "N", 0.0, "force of the bodies at that time");
SCREE_FIELD(target, GLOBAL, 1, 1, "N", 0.0, "target of the force at that time");
SCREE_FIELD(speed, GLOBAL, 1, 1, "m/s", 0.0, "speed of the walls along direction");
SCREE_FIELD(steady, GLOBAL, 1, 1, "m/s", 0.0, "recent mean of the speed");
SCREE_FIELD(travel, GLOBAL, 1, 1, "m", 0.0, "distance that the walls have moved");
SCREE_FIELD(area, GLOBAL, 1, 1, "m^2", 0.0, "area on which the pressure acts");
SCREE_FIELD(searches, GLOBAL, 1, 1, "-", 0.0, "how often nothing touched the walls");
SCREE_FIELD(limit, GLOBAL, 1, 1, "m", -1.0, "limit of travel in this search; -1: there is no search");
SCREE_FIELD(reached, GLOBAL, 1, 1, "s", -1.0, "time at which the target was first met; -1: not yet");
static const scree_field *const fields[] = {&field_time, &field_force, &field_target, &field_speed,
    &field_steady, &field_travel, &field_area, &field_searches, &field_limit, &field_reached};
static const scree_modifier_ops ops = {.size = sizeof ops, .create = create, .destroy = destroy,
    .after_step = after_step, .enter = enter};
static const scree_plugin servo_plugin = {.size = sizeof servo_plugin, .kind = SCREE_KIND_MODIFIER,
    .needs = SCREE_WANTS_LOADS, .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3, .id = "servo", .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "drives walls to a force or a pressure by a time table",
    .summary = "The walls move along `direction` at the speed that takes the error off, as stiff as "
        "their contacts are, at most at max_speed; without a contact they search at that speed. "
        "Force, target, speed, area and travel are in the final table; events servo_searches, "
        "servo_finds_nothing and servo_reached are counted there. The walls are kinematic "
        "planes or facets; modifier/move may move them on, on top of this.",
    .citation = "Itasca 2008, PFC3D 4.0, Theory and Background",
    .config_size = sizeof(config), .n_params = SCREE_COUNT(params), .params = params,
    .n_fields = SCREE_COUNT(fields), .fields = fields, .ops = &ops};
// clang-format on
SCREE_DEFINE_MANIFEST(&servo_plugin);
