// SPDX-License-Identifier: Apache-2.0
/*
 * Modifier `insert`: makes bodies in a region, at a rate or all at once, where they overlap
 * nothing.
 *
 * Idea: the bodies are numbered; size, place and velocity of number k are pure functions of the
 * scene's seed, the modifier's name and k (and, for places, of the step and the try), so that no
 * number of threads and no broad phase changes a bit. Bodies come in the order of their numbers,
 * and no number is left out. So the inserted bodies are a prefix of one sequence, and their sizes
 * follow the given distribution even in a full region.
 *
 * Steps: 1. Amount due: rate * (time - start), at most the total; without a rate the total at
 * once. When a rate changes in the run, what was due by then stays due, and the new rate
 * counts from there. enter() sets the count, so it is in fields.
 *        2. While the next body fits into what is due: `tries` places, uniform in the region (the
 *           whole bounding ball inside it and inside scene.region), until the host reports that the
 *           body overlaps nothing there (scree.query/1). Each question is about a few places.
 *        3. When no place is left the region is full. This is counted and reported; the body
 *           waits. The amount due stays due (overdue = "carry") or is given up ("drop").
 *
 * By mass the next body is made once its whole mass is due: the inserted mass is less than one body
 * behind the rate. By number it is floor(rate * time).
 *
 * Random orientations are uniform (Shoemake, "Uniform random rotations", Graphics Gems III, 1992,
 * pp. 124-132), one for each body: free places do not select orientations.
 *
 * With a source the source makes the bodies, with their places, up to the number that is due;
 * without a rate and a number, it makes all its bodies in each interval. Its own numbers continue
 * over a restart. When it reports a problem the region counts as full. If the source has not asked
 * for room itself, as sources of files do not, `insert` asks the host about each body. When the
 * body would overlap another one the region is full: it waits with all later bodies ("carry"), or
 * it is given up and the later ones come ("drop"). So the rows of a file are taken in their order,
 * each once. Its ids are dropped: a body gets the next id.
 *
 * Cost: in a call with bodies due, one look at each body, then O(log n) per try. Limits: random
 * places fill a region to a solid fraction of some 0.3 to 0.38 (3D).
 */
#include <math.h>

#include "insert_rate.h"
#include "insert_room.h"
#include "insert_source.h"

enum { CARRY, DROP };
/* Fields: what was done, and the count of the rate. */
enum {
    INSERTED,
    INSERTED_MASS,
    FULL,
    DROPPED,
    DROPPED_MASS,
    MASS_RATE,
    NUMBER_RATE,
    OWED_MASS,
    OWED_NUMBER,
    START,
    SINCE
};
enum { STREAM_SIZE = 1, STREAM_PLACE, STREAM_VELOCITY, STREAM_TURN }; // streams of random numbers
#define PI 3.14159265358979323846

#define MOST_DUE 1e8 // bodies that become due in a step, or at once

enum { DRAWS = 20, MOST_TRIES = 65535, TRY_BITS = 16, DRAW_BITS = 6, BATCH = 16 };

typedef struct insert_config {
    const scree_zone *region;
    const scree_recipe *body;
    double mass_rate, number_rate; // [kg/s], [1/s] NaN: none
    double mass;                   // [kg] NaN: no limit
    double start, stop;            // [s] stop NaN: never
    int64_t number;                // -1: no limit
    int64_t tries;
    const scree_plugin_ref *source; // NULL: bodies by the recipe
    int32_t overdue;
    int32_t reserved;
} insert_config;

typedef struct inserter {
    const scree_host *host;
    const insert_config *config;
    const scree_query *query;
    own_source source;
    uint64_t stream;
    double across[2][3]; // [-] CYLINDER: unit vectors at right angles to its axis
} inserter;

/* Total amount due, and amount dealt with. */
typedef struct debt {
    double number, mass; // HUGE_VAL: not limited by it
} debt;

static double draw(const inserter *self, uint64_t stream, uint64_t body, uint64_t number)
{
    return scree_uniform(self->host->random(self->host->ctx, self->stream + stream, body, number));
}

static double draw_scale(const inserter *self, uint64_t body)
{
    return scree_size_draw(self->config->body->sizes, draw(self, STREAM_SIZE, body, 0));
}

/* The fixed orientation, or one by Shoemake 1992; in 2D an angle. */
static void find_orientation(const inserter *self, uint32_t dimension, uint64_t body, double q[4])
{
    const scree_recipe *recipe = self->config->body;
    double u[3];
    for (int k = 0; k < 4; k++)
        q[k] = recipe->q[k];
    if (!recipe->random_orientation)
        return;
    for (uint64_t k = 0; k < 3; k++)
        u[k] = draw(self, STREAM_TURN, body, k);
    if (dimension == 2) {
        q[0] = cos(PI * u[0]); // half of an angle up to 2 pi
        q[3] = sin(PI * u[0]);
        return;
    }
    q[0] = sqrt(u[0]) * cos(2.0 * PI * u[2]);
    q[1] = sqrt(1.0 - u[0]) * sin(2.0 * PI * u[1]);
    q[2] = sqrt(1.0 - u[0]) * cos(2.0 * PI * u[1]);
    q[3] = sqrt(u[0]) * sin(2.0 * PI * u[2]);
}

/* FNV-1a, spread over all bits: two modifiers have independent streams. */
static uint64_t hash_name(const char *name)
{
    uint64_t h = 0xcbf29ce484222325u;
    for (; *name; name++)
        h = (h ^ (uint8_t)*name) * 0x100000001b3u;
    return (h ^ (h >> 31)) << 3;
}

static rate_count get_rate(const double *field)
{
    const int by_mass = field[MASS_RATE] > 0.0;
    return (rate_count){.rate = field[by_mass ? MASS_RATE : NUMBER_RATE],
                        .start = field[START],
                        .since = field[SINCE],
                        .owed = field[by_mass ? OWED_MASS : OWED_NUMBER],
                        .by_mass = by_mass};
}

static void set_rate(double *field, const rate_count *c)
{
    field[MASS_RATE] = c->by_mass ? c->rate : 0.0;
    field[NUMBER_RATE] = c->by_mass ? 0.0 : c->rate;
    field[OWED_MASS] = c->by_mass ? c->owed : 0.0;
    field[OWED_NUMBER] = c->by_mass ? 0.0 : c->owed;
    field[START] = c->start;
    field[SINCE] = c->since;
}

static debt find_due(const inserter *self, const double *field, double time)
{
    const insert_config *c = self->config;
    const rate_count rate = get_rate(field);
    debt due = {HUGE_VAL, HUGE_VAL};
    if (!isnan(c->number_rate)) // 1e-12: a whole number may be missed by rounding
        due.number = floor(rate_due(&rate, time, c->stop) * (1.0 + 1e-12));
    if (!isnan(c->mass_rate))
        due.mass = rate_due(&rate, time, c->stop);
    if (c->number >= 0 && (double)c->number < due.number)
        due.number = (double)c->number;
    if (c->mass < due.mass)
        due.mass = c->mass;
    return due;
}

/* [m] Radius of the ball that holds a body. */
static double reach(const scree_bodies *b, uint32_t shape, double scale)
{
    return scale * b->shapes[shape]->radius;
}

/* Where centres may be along each axis: in the box around the region, and in scene.region. */
static void find_bounds(const scree_zone *z, const scree_bodies *b, double r, double lo[3],
                        double hi[3])
{
    for (uint32_t k = 0; k < 3; k++) {
        double inner = b->cell->lo[k], outer = b->cell->hi[k];
        int bounded = k < b->dimension && outer > inner;
        int spans = bounded && scree_spans(b->cell, z->lo, z->hi, (int)k);
        double margin = spans || k >= b->dimension ? 0.0 : r;
        lo[k] = (bounded && inner > z->lo[k] ? inner : z->lo[k]) + margin;
        hi[k] = (bounded && outer < z->hi[k] ? outer : z->hi[k]) - margin;
    }
}

/* Draws one point, uniform in the region; 0: none found, with a probability of 0.48^20 for a
 * ball. */
static int draw_point(const inserter *self, const scree_bodies *b, uint64_t body, uint64_t counter,
                      double r, const double lo[3], const double hi[3], double x[3])
{
    const scree_zone *z = self->config->region;
    for (uint64_t d = 0; d < DRAWS; d++) {
        double u[3];
        int inside = 1;
        for (uint32_t k = 0; k < 3; k++)
            u[k] = k < b->dimension ? draw(self, STREAM_PLACE, body, counter + 3 * d + k) : 0.0;
        for (uint32_t k = 0; k < 3; k++)
            x[k] = k < b->dimension ? lo[k] + (hi[k] - lo[k]) * u[k] : 0.0;
        if (z->type == SCREE_ZONE_CYLINDER) {
            double p = 2.0 * u[0] - 1.0, q = 2.0 * u[1] - 1.0, wide = z->radius - r;
            double length2 = 0.0, hole = z->inner > 0.0 ? z->inner + r : 0.0;
            for (int k = 0; k < 3; k++)
                length2 += (z->b[k] - z->a[k]) * (z->b[k] - z->a[k]);
            double length = sqrt(length2), at = (r + (length - 2.0 * r) * u[2]) / length;
            inside = p * p + q * q <= 1.0 && (p * p + q * q) * wide * wide >= hole * hole;
            for (int k = 0; k < 3; k++) {
                x[k] = z->a[k] + at * (z->b[k] - z->a[k]) +
                       wide * (p * self->across[0][k] + q * self->across[1][k]);
                inside &= x[k] >= lo[k] && x[k] <= hi[k];
            }
        } else if (z->type == SCREE_ZONE_BALL) {
            inside = scree_zone_holds(z, x, r);
        }
        if (inside)
            return 1;
    }
    return 0;
}

/* Places of one body to ask about. */
typedef struct batch {
    uint32_t n, shape[BATCH];
    double scale[BATCH], x[3][BATCH], q[4][BATCH];
} batch;

static void add_trial(batch *b, const scree_one_body *spec)
{
    b->shape[b->n] = spec->shape;
    b->scale[b->n] = spec->scale;
    for (int k = 0; k < 4; k++) {
        b->q[k][b->n] = spec->q[k];
        if (k < 3)
            b->x[k][b->n] = spec->x[k];
    }
    b->n++;
}

/* Takes the first place of the batch that is free: 1, else 0, or a negative code. */
static int32_t take_place(const inserter *self, const batch *b, scree_one_body *spec)
{
    scree_new_bodies trials = {
        .size = sizeof trials, .n = b->n, .shape = b->shape, .scale = b->scale};
    uint32_t index = 0, n_free = 0;
    int32_t code;
    for (int k = 0; k < 4; k++) {
        trials.q[k] = b->q[k];
        if (k < 3)
            trials.x[k] = b->x[k];
    }
    code = self->query->find_free(self->query->ctx, &trials, 1, &index, &n_free);
    if (code < 0 || !n_free)
        return code;
    for (int k = 0; k < 3; k++)
        spec->x[k] = b->x[k][index];
    return 1;
}

/* Finds a free place; 0: none after all tries, or a negative code. */
static int32_t find_place(const inserter *self, const scree_bodies *b, uint64_t body, uint64_t step,
                          scree_one_body *spec)
{
    double lo[3], hi[3], r = reach(b, spec->shape, spec->scale);
    const uint64_t tries = (uint64_t)self->config->tries;
    uint64_t ahead = 1;
    int32_t found = 0;
    find_bounds(self->config->region, b, r, lo, hi);
    for (uint32_t k = 0; k < b->dimension; k++)
        if (hi[k] < lo[k])
            return 0;
    for (uint64_t t = 0; t < tries && !found; ahead = ahead < BATCH ? 2 * ahead : BATCH) {
        batch places = {.n = 0};
        for (uint64_t a = 0; a < ahead && t < tries; a++, t++)
            if (draw_point(self, b, body, (step << TRY_BITS | t) << DRAW_BITS, r, lo, hi, spec->x))
                add_trial(&places, spec);
        if (places.n)
            found = take_place(self, &places, spec);
    }
    return found;
}

/* Makes a body, except for its place. */
static scree_one_body make_body(const inserter *self, const scree_bodies *b, uint64_t body,
                                double scale)
{
    const scree_recipe *recipe = self->config->body;
    scree_one_body spec = {.shape = recipe->shape,
                           .material = recipe->material,
                           .motion = recipe->motion,
                           .scale = scale};
    find_orientation(self, b->dimension, body, spec.q);
    for (uint32_t k = 0; k < 3; k++) {
        spec.v[k] = recipe->velocity[k];
        spec.w[k] = recipe->spin[k];
        if (k < b->dimension && recipe->velocity_random > 0.0)
            spec.v[k] += recipe->velocity_random *
                         scree_velocity_spread(recipe->velocity_uniform,
                                               draw(self, STREAM_VELOCITY, body, 2 * k),
                                               draw(self, STREAM_VELOCITY, body, 2 * k + 1));
    }
    return spec;
}

static int is_power_of_ten(double n)
{
    while (n >= 10.0 && fmod(n, 10.0) == 0.0)
        n /= 10.0;
    return n == 1.0;
}

/* The region is full: this is counted, reported at the 1st, 10th, 100th .. time, and settled. */
static void be_full(const inserter *self, const scree_step *args, double scale, debt due)
{
    const insert_config *c = self->config;
    const uint32_t shape = c->body->shape;
    const scree_bodies *b = args->bodies;
    double *field = args->global_fields;
    double number = due.number - field[INSERTED] - field[DROPPED];
    double mass = due.mass - field[INSERTED_MASS] - field[DROPPED_MASS];
    int by_number = !isnan(c->number_rate) || (isnan(c->mass_rate) && c->number >= 0);
    int by_mass = !isnan(c->mass_rate) || (isnan(c->number_rate) && !isnan(c->mass));
    field[FULL] += 1.0;
    if (is_power_of_ten(field[FULL]))
        scree_logf(self->host, SCREE_LOG_WARNING,
                   "step %llu, t = %g s: the region is full: no place for a body of %sradius %g m "
                   "after %lld tries; %g %s %s (event %g; the 1st, 10th, 100th .. are reported)",
                   (unsigned long long)args->step, args->time,
                   b->shapes[shape]->flags & SCREE_CAP_ROUND ? "" : "bounding ",
                   reach(b, shape, scale), (long long)c->tries, by_number ? number : mass,
                   by_number ? "bodies" : "kg", c->overdue == CARRY ? "wait" : "given up",
                   field[FULL]);
    if (c->overdue == DROP && by_number)
        field[DROPPED] += number;
    if (c->overdue == DROP && by_mass)
        field[DROPPED_MASS] += mass;
}

static int is_within(const double *field, debt due, double mass)
{
    return field[INSERTED] + field[DROPPED] + 1.0 <= due.number &&
           field[INSERTED_MASS] + field[DROPPED_MASS] + mass <= due.mass * (1.0 + 1e-12);
}

/* [m] Bounding radius of the largest body. */
static double largest(const inserter *self, const scree_bodies *b)
{
    const scree_recipe *recipe = self->config->body;
    return reach(b, recipe->shape, scree_size_max(recipe->sizes));
}

/* The source could not make all bodies that are due. */
static void source_is_full(const inserter *self, const scree_step *args, const source_call *call,
                           double number)
{
    double *field = args->global_fields;
    field[FULL] += 1.0;
    if (self->config->overdue == DROP)
        field[DROPPED] += call->short_of && number < HUGE_VAL ? number - (double)call->made
                                                              : (double)call->passed;
    if (is_power_of_ten(field[FULL]))
        scree_logf(self->host, SCREE_LOG_WARNING,
                   "step %llu, t = %g s: the source has made %llu bodies: %s; %s (event %g; the "
                   "1st, 10th, 100th .. are reported)",
                   (unsigned long long)args->step, args->time, (unsigned long long)call->made,
                   call->reason, self->config->overdue == CARRY ? "the rest waits" : "given up",
                   field[FULL]);
}

static int32_t insert_from_source(inserter *self, const scree_step *args)
{
    const insert_config *c = self->config;
    double *field = args->global_fields;
    const double number =
        find_due(self, field, args->time).number - field[INSERTED] - field[DROPPED];
    source_call call = {.host = self->host,
                        .query = self->query,
                        .args = args,
                        .most = UINT64_MAX,
                        .drops = c->overdue == DROP};
    if (args->time < c->start || (isnan(c->number_rate) && args->time > c->stop) ||
        !(number >= 1.0))
        return SCREE_OK;
    if (number < HUGE_VAL)
        call.most = (uint64_t)number;
    int32_t code = source_make(&self->source, &call, (uint64_t)(field[INSERTED] + field[DROPPED]));
    field[INSERTED] += (double)call.made;
    field[INSERTED_MASS] += call.mass;
    if (code >= 0 && call.full)
        source_is_full(self, args, &call, number);
    return code;
}

/* Refuses a region that is not the scene's, the default. */
static int32_t refuse_region(const inserter *self, const scree_bodies *b)
{
    const scree_zone *z = self->config->region;
    int own = z->type == SCREE_ZONE_BALL || z->type == SCREE_ZONE_CYLINDER;
    const uint32_t axes = z->type == SCREE_ZONE_BOX ? b->dimension : 0;
    for (uint32_t k = 0; k < axes; k++)
        own |= z->lo[k] != b->cell->lo[k] || z->hi[k] != b->cell->hi[k];
    return own ? self->host->fail(self->host->ctx, SCREE_E_CONFIG,
                                  "region: the source has its own; expected it in source = { .. }")
               : SCREE_OK;
}

/* [kg] Mass of the largest body. */
static double heaviest(const inserter *self, const scree_bodies *b)
{
    const scree_recipe *recipe = self->config->body;
    return scree_body_mass(b, recipe->shape, recipe->material, scree_size_max(recipe->sizes));
}

/* Refuses a rate, or a total without a rate, that can only be a mistake; by mass, the largest body
 * counts. */
static int32_t refuse_due(const inserter *self, const scree_entry *args)
{
    const insert_config *c = self->config;
    const int by_rate = !isnan(c->number_rate) || !isnan(c->mass_rate);
    const double span = by_rate ? args->dt : 1.0;
    const double number = by_rate ? c->number_rate : c->number >= 0 ? (double)c->number : HUGE_VAL;
    const double mass = by_rate ? c->mass_rate : c->mass;
    double due = HUGE_VAL;
    if (!isnan(number))
        due = number * span;
    if (!isnan(mass) && !self->source.ops) // the number from a source is not known
        due = fmin(due, mass * span / heaviest(self, args->bodies));
    if (!(due > MOST_DUE) || (self->source.ops && !by_rate)) // that takes all that the source has
        return SCREE_OK;
    return scree_failf(self->host, SCREE_E_CONFIG,
                       "%.3g bodies become due %s: expected %g at most; give a smaller %s", due,
                       by_rate ? "in each step" : "at once", MOST_DUE,
                       !isnan(c->number_rate) ? "number_rate"
                       : !isnan(c->mass_rate) ? "mass_rate"
                       : c->number >= 0       ? "number"
                                              : "mass");
}

/* Takes a rate that has changed. Refuses a region that does not hold the largest body; the radius of
 * a shape is known only here. */
static int32_t enter(void *instance, const scree_entry *args)
{
    const inserter *self = instance;
    const insert_config *c = self->config;
    const int32_t code = refuse_due(self, args);
    if (code < 0)
        return code;
    rate_count rate = get_rate(args->global_fields);
    rate_change(&rate, rate_begin(c->mass_rate, c->number_rate, c->start), args->time, c->stop);
    set_rate(args->global_fields, &rate);
    if (self->source.ops)
        return refuse_region(self, args->bodies);
    return check_room(self->host, self->config->region, largest(self, args->bodies), "bounding ");
}

static int32_t after_step(void *instance, const scree_step *args)
{
    inserter *self = instance;
    const insert_config *c = self->config;
    const scree_bodies *b = args->bodies;
    const scree_recipe *recipe = c->body;
    double *field = args->global_fields;
    if (self->source.ops)
        return insert_from_source(self, args);
    debt due = find_due(self, field, args->time);
    if (args->time < c->start)
        return SCREE_OK;
    for (;;) {
        uint64_t body = (uint64_t)field[INSERTED];
        double scale = draw_scale(self, body);
        double mass = scree_body_mass(b, recipe->shape, recipe->material, scale);
        scree_one_body spec;
        int32_t code;
        if (!is_within(field, due, mass))
            return SCREE_OK;
        spec = make_body(self, b, body, scale);
        code = find_place(self, b, body, args->step, &spec);
        if (code == 0) {
            be_full(self, args, scale, due);
            return SCREE_OK;
        }
        if (code > 0)
            code = scree_insert_one(args->edits, &spec, NULL);
        if (code < 0)
            return code;
        field[INSERTED] += 1.0;
        field[INSERTED_MASS] += mass;
    }
}

static void destroy(void *instance)
{
    inserter *self = instance;
    if (self)
        source_end(&self->source);
    free(self);
}

/* Two unit vectors at right angles to the axis of a cylinder. */
static void find_across(inserter *self)
{
    const scree_zone *z = self->config->region;
    double axis[3], length2 = 0.0, *p = self->across[0], *q = self->across[1], n2 = 0.0;
    int least = 0;
    for (int k = 0; k < 3; k++) {
        axis[k] = z->b[k] - z->a[k];
        length2 += axis[k] * axis[k];
    }
    for (int k = 0; k < 3; k++) {
        axis[k] /= sqrt(length2);
        least = fabs(axis[k]) < fabs(axis[least]) ? k : least;
    }
    for (int k = 0; k < 3; k++) {
        p[k] = (k == least) - axis[least] * axis[k];
        n2 += p[k] * p[k];
    }
    for (int k = 0; k < 3; k++)
        p[k] /= sqrt(n2);
    for (int k = 0; k < 3; k++)
        q[k] = axis[(k + 1) % 3] * p[(k + 2) % 3] - axis[(k + 2) % 3] * p[(k + 1) % 3];
}

/* Settings with a source; -1 and 1000 are the defaults. */
static int32_t check_source(const scree_host *host, const insert_config *c)
{
    const char *key = !isnan(c->mass_rate) ? "mass_rate"
                      : !isnan(c->mass)    ? "mass"
                      : c->tries != 1000   ? "tries"
                                           : NULL;
    if (key)
        return scree_failf(host, SCREE_E_CONFIG,
                           "%s is not for a source, which is asked for a number of bodies", key);
    if (c->stop <= c->start)
        return scree_failf(host, SCREE_E_CONFIG, "stop %g s is not after start %g s", c->stop,
                           c->start);
    return SCREE_OK;
}

static int32_t check(const scree_host *host, const insert_config *c)
{
    if (!c->source == !c->body)
        return scree_failf(host, SCREE_E_CONFIG, "expected one of body and source, got %s",
                           c->source ? "both" : "none");
    if (c->source)
        return check_source(host, c);
    if (c->region->type == SCREE_ZONE_ALL)
        return host->fail(host->ctx, SCREE_E_CONFIG,
                          "region is missing, and the scene has none either");
    // 0 and 1 are the unit sphere and disc; enter() knows the radius of other shapes.
    if (c->body->shape < 2) {
        const int32_t code = check_room(host, c->region, scree_size_max(c->body->sizes), "");
        if (code < 0)
            return code;
    }
    if (!isnan(c->mass_rate) && !isnan(c->number_rate))
        return host->fail(host->ctx, SCREE_E_CONFIG, "expected mass_rate or number_rate, got both");
    if (isnan(c->mass_rate) && isnan(c->number_rate) && c->number < 0 && isnan(c->mass))
        return host->fail(host->ctx, SCREE_E_CONFIG,
                          "how many? give mass_rate or number_rate, or mass or number for all at "
                          "once");
    if (c->stop <= c->start)
        return scree_failf(host, SCREE_E_CONFIG, "stop %g s is not after start %g s", c->stop,
                           c->start);
    return SCREE_OK;
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    const insert_config *c = config;
    inserter *self;
    int32_t code = check(host, c);
    if (code < 0)
        return code;
    self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->host = host;
    self->config = c;
    self->query = host->get_service(host->ctx, SCREE_SERVICE_QUERY);
    if (!self->query) {
        free(self);
        return host->fail(host->ctx, SCREE_E_UNSUPPORTED, "this host answers no scree.query/1");
    }
    code = source_begin(&self->source, host, c->source);
    if (code < 0) {
        free(self);
        return code;
    }
    self->stream = hash_name(SCREE_HAS(host, slot) ? host->slot : "");
    if (c->region->type == SCREE_ZONE_CYLINDER)
        find_across(self);
    *instance = self;
    return SCREE_OK;
}

#define RATE (SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN | SCREE_PARAM_LIVE)

SCREE_ZONE_PARAM(insert_config, region, SCREE_PARAM_OPTIONAL,
                 "where: box, sphere or cylinder; absent: scene.region");
SCREE_PLUGIN_PARAM(
    insert_config, source, SOURCE, SCREE_PARAM_OPTIONAL, NULL,
    "makes the bodies, in place of body: a source as in generate, { plugin = \"lattice\"; "
    ".. }; a "
    "body of a file waits while it would overlap others, or is given up, as overdue says; "
    "it gets "
    "the next id, and its size does not count for dt = \"auto\"");
SCREE_RECIPE_PARAM(
    insert_config, body, SCREE_PARAM_OPTIONAL,
    "what: shape (any with a volume), material, radius or diameter or scale or "
    "distribution, orientation, velocity, velocity_random, spin, as in generate; radii of what is "
    "not round are those of the sphere (2D: disc) of equal volume");
SCREE_REAL_PARAM(insert_config, mass_rate, "kg/s", RATE, 0, 0, HUGE_VAL, "mass per time");
SCREE_REAL_PARAM(insert_config, number_rate, "1/s", RATE, 0, 0, HUGE_VAL, "bodies per time");
SCREE_REAL_PARAM(insert_config, mass, "kg", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0,
                 HUGE_VAL, "no more than this in all; without a rate: this at once");
SCREE_INT_PARAM(insert_config, number, 0, -1, -1, INT64_C(1) << 53,
                "no more than this in all; without a rate: this at once; -1: no limit");
SCREE_REAL_PARAM(insert_config, start, "s", 0, 0, -HUGE_VAL, HUGE_VAL,
                 "rates count from this time");
SCREE_REAL_PARAM(insert_config, stop, "s", SCREE_PARAM_OPTIONAL, 0, -HUGE_VAL, HUGE_VAL,
                 "nothing more becomes due after this; absent: no end");
SCREE_INT_PARAM(insert_config, tries, 0, 1000, 1, MOST_TRIES,
                "places tried for a body before the region counts as full");
SCREE_CHOICE_VALUE(carry, CARRY, "it stays due and is tried again at the next interval");
SCREE_CHOICE_VALUE(drop, DROP, "it is given up, counted, and counts towards mass and number");
SCREE_CHOICE_PARAM(insert_config, overdue, 0, "carry", "what is due when the region is full",
                   &choice_carry, &choice_drop);
static const scree_param *const params[] = {
    &param_region, &param_body,  &param_source, &param_mass_rate, &param_number_rate, &param_mass,
    &param_number, &param_start, &param_stop,   &param_tries,     &param_overdue};

SCREE_FIELD_RESTORE(inserted, GLOBAL, 1, 1, "-", 0.0, "bodies inserted so far");
SCREE_FIELD_RESTORE(inserted_mass, GLOBAL, 1, 1, "kg", 0.0, "their mass");
SCREE_FIELD_RESTORE(full, GLOBAL, 1, 1, "-", 0.0, "calls in which the region was full");
SCREE_FIELD_RESTORE(dropped, GLOBAL, 1, 1, "-", 0.0, "bodies given up, by number");
SCREE_FIELD_RESTORE(dropped_mass, GLOBAL, 1, 1, "kg", 0.0, "mass given up, by mass");
SCREE_FIELD_RESTORE(mass_rate, GLOBAL, 1, 1, "kg/s", 0.0, "the rate that counts; 0: none by mass");
SCREE_FIELD_RESTORE(number_rate, GLOBAL, 1, 1, "1/s", 0.0,
                    "the rate that counts; 0: none by number");
SCREE_FIELD_RESTORE(owed_mass, GLOBAL, 1, 1, "kg", 0.0, "due before the last change of the rate");
SCREE_FIELD_RESTORE(owed_number, GLOBAL, 1, 1, "-", 0.0, "due before the last change of the rate");
SCREE_FIELD_RESTORE(start, GLOBAL, 1, 1, "s", 0.0, "start of the first rate");
SCREE_FIELD_RESTORE(since, GLOBAL, 1, 1, "s", 0.0, "the rate counts from this time");
static const scree_field *const fields[] = {
    &field_inserted,     &field_inserted_mass, &field_full,        &field_dropped,
    &field_dropped_mass, &field_mass_rate,     &field_number_rate, &field_owed_mass,
    &field_owed_number,  &field_start,         &field_since};

static const scree_modifier_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = destroy,
    .after_step = after_step,
    .enter = enter,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_MODIFIER,
    .flags = SCREE_CAP_USES_LIBM,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "insert",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "makes bodies in a region, at a rate or all at once, where they overlap nothing",
    .summary =
        "At each interval (every_steps or every_time; else each step) what is due is inserted: "
        "rate times time since start, up to mass or number; without a rate all of it at the first "
        "interval. When a rate changes in the run, what was due by then stays due. Bodies come one "
        "by one in a fixed random order of sizes. Each is put where its "
        "bounding ball lies in the region and it overlaps no body, wall or plane. When `tries` "
        "places "
        "are taken the region is full: this is reported, counted and in the final table; the body "
        "waits for the next interval, so that sizes keep to the distribution. With a source the "
        "places are those of the source: a row of a file that would overlap others waits with all "
        "after it, or with overdue = \"drop\" is given up. The bodies carry the modifier's name.",
    .config_size = sizeof(insert_config),
    .n_params = SCREE_COUNT(params),
    .n_fields = SCREE_COUNT(fields),
    .params = params,
    .fields = fields,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
