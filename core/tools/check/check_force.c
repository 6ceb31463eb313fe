/* SPDX-License-Identifier: Apache-2.0 */
/* Cases for all force laws, whatever their equations (scree/force.h). */
#include <math.h>
#include <string.h>

#include "tools/check/check_contacts.h"
#include "tools/check/check_force_cycle.h"
#include "tools/check/check_pairs.h"
#include "tools/check/check_report.h"
#include "tools/check/check_stiffness.h"
#include "tools/check/check_touch.h"
#include "tools/check/check_vectors.h"
#include "tools/check/guard_pages.h"

enum { CONTACTS = 512, STEPS = 12, AGAIN = 3 };
static const double step = 1e-6; // [s]

/** Makes random contacts, at rest in time. */
static scree_check_contacts *begin(scree_check *check, scree_instance *instance, uint32_t n)
{
    uint64_t state = 20;
    scree_check_contacts *c = scree_check_contacts_new(check, instance, n);
    if (!c)
        return NULL;
    c->since = step;
    scree_check_touch_random(c, &state);
    return c;
}

static void move_on(scree_check_contacts *c)
{
    for (uint32_t i = 0; i < c->n; i++)
        scree_check_touch_move(&c->touch[i], c->since);
}

/** Evaluates one step later. */
static bool advance(scree_check_contacts *c)
{
    if (c->time > 0.0)
        move_on(c);
    return scree_check_advance(c);
}

/* batches */

/** Copies all results. */
static double *copy_results(const scree_check_contacts *c)
{
    double *copy = g_new(double, (gsize)c->n * c->n_columns);
    for (uint32_t k = 0; k < c->n_columns; k++)
        memcpy(copy + (gsize)k * c->n, c->result[k], c->n * sizeof(double));
    return copy;
}

/** Fails when results differ from a copy in a bit. */
static bool compare_bits(scree_check_contacts *c, const double *copy, const char *setting,
                         const char *what)
{
    for (uint32_t k = 0; k < c->n_columns; k++)
        for (uint32_t i = 0; i < c->n; i++) {
            const double *want = &copy[(gsize)k * c->n + i];
            if (!memcmp(want, &c->result[k][i], sizeof *want))
                continue;
            g_autofree char *name = scree_check_column_name(c, k);
            scree_check_fail(c->check, "%s: %s of contact %u is %.17g %s, %.17g in one batch of %u",
                             setting, name, i, c->result[k][i], what, *want, c->n);
            return false;
        }
    return true;
}

static bool run_in_pieces(scree_check_contacts *c, const uint32_t *order, uint32_t first_length,
                          uint32_t growth)
{
    for (uint32_t first = 0, n = first_length; first < c->n; first += n, n += growth) {
        n = MIN(n, c->n - first);
        if (!scree_check_evaluate(c, order + first, n))
            return false;
    }
    return true;
}

static void try_batches(scree_check *check, scree_instance *instance, const char *setting)
{
    g_autoptr(scree_check_contacts) c = begin(check, instance, SCREE_CHECK_BATCH);
    uint32_t order[SCREE_CHECK_BATCH];
    uint64_t state = 7;
    for (uint32_t i = 0; i < SCREE_CHECK_BATCH; i++)
        order[i] = i;
    if (!c || !advance(c) || !advance(c))
        return;
    move_on(c);
    if (!scree_check_evaluate(c, order, c->n))
        return;
    g_autofree double *whole = copy_results(c);
    // lengths of batches: 1, 2, 3, ..; one length, not a multiple of a vector's; one by one
    if (!run_in_pieces(c, order, 1, 1) ||
        !compare_bits(c, whole, setting, "in pieces of 1, 2, 3") ||
        !run_in_pieces(c, order, 13, 0) || !compare_bits(c, whole, setting, "in pieces of 13") ||
        !run_in_pieces(c, order, 1, 0) || !compare_bits(c, whole, setting, "alone"))
        return;
    scree_check_shuffle(&state, order, c->n);
    if (scree_check_evaluate(c, order, c->n) &&
        compare_bits(c, whole, setting, "in another order") && run_in_pieces(c, order, 1, 2))
        compare_bits(c, whole, setting, "in another order and in pieces");
}

/* third-law and frame: the same contacts, seen in two ways */

/** Difference of two results, relative to the largest of their kind. */
typedef struct gap {
    double worst;
    uint32_t column, contact;
} gap;

static void note_gap(gap *worst, double got, double want, double scale, uint32_t column, uint32_t i)
{
    double off = isfinite(got) && isfinite(want) ? fabs(got - want) / scale : HUGE_VAL;
    // the case `finite` looks for values that are not numbers
    if (got == want || (isnan(got) && isnan(want)) || off <= worst->worst)
        return;
    *worst = (gap){off, column, i};
}

static void judge_gap(const scree_check_contacts *c, const gap *worst, const char *setting,
                      const char *how)
{
    const double tolerance = 1e-9; // rounding: forces may be differences of large numbers
    g_autofree char *name = scree_check_column_name(c, worst->column);
    if (worst->worst > tolerance)
        scree_check_fail(c->check, "%s: %s, %s of contact %u is off by %.2g of the largest",
                         setting, how, name, worst->contact, worst->worst);
}

static double scale_of(const scree_check_contacts *c, uint32_t first, uint32_t n)
{
    return fmax(scree_check_largest(c, first, n), 1e-300);
}

/** Scale of couples: one as small as the rounding error of force times lever counts as 0. */
static double couple_scale(const scree_check_contacts *c)
{
    const double lever = 1e-6; // [m] far below a radius
    return fmax(scale_of(c, SCREE_CHECK_COUPLE, 6), lever * scale_of(c, SCREE_CHECK_FORCE, 3));
}

/** The couple on b: minus that on a if the law gives none. */
static double couple_on_b(const scree_check_contacts *c, uint32_t k, uint32_t i)
{
    return c->provides & SCREE_OUT_COUPLE_B ? c->result[SCREE_CHECK_COUPLE_B + k][i]
                                            : -c->result[SCREE_CHECK_COUPLE + k][i];
}

static void swap_bodies(scree_check_touch *t)
{
    scree_check_touch was = *t;
    for (int side = 0; side < 2; side++) {
        t->radius[side] = was.radius[1 - side];
        t->mass[side] = was.mass[1 - side];
        t->material[side] = was.material[1 - side];
        t->used[side] = was.used[1 - side];
        memcpy(t->q[side], was.q[1 - side], sizeof t->q[side]);
        for (int k = 0; k < 3; k++) {
            t->v[side][k] = was.v[1 - side][k];
            t->w[side][k] = was.w[1 - side][k];
        }
    }
    for (int k = 0; k < 3; k++)
        t->normal[k] = -was.normal[k];
}

static void try_third_law(scree_check *check, scree_instance *instance, const char *setting)
{
    g_autoptr(scree_check_contacts) c = begin(check, instance, CONTACTS);
    g_autoptr(scree_check_contacts) back = begin(check, instance, CONTACTS);
    gap worst = {0};
    for (uint32_t i = 0; back && i < back->n; i++)
        if (back->touch[i].radius[1] > 0.0) // a wall is always b
            swap_bodies(&back->touch[i]);
    if (c && back)
        for (int turn = 0; turn < STEPS; turn++) {
            if (!advance(c) || !advance(back))
                return;
            double force = scale_of(c, SCREE_CHECK_FORCE, 3), couple = couple_scale(c);
            for (uint32_t i = 0; i < c->n; i++) {
                if (c->touch[i].radius[1] == 0.0)
                    continue;
                for (uint32_t k = 0; k < 3; k++) {
                    note_gap(&worst, back->result[k][i], -c->result[k][i], force, k, i);
                    note_gap(&worst, back->result[SCREE_CHECK_COUPLE + k][i], couple_on_b(c, k, i),
                             couple, SCREE_CHECK_COUPLE + k, i);
                    note_gap(&worst, couple_on_b(back, k, i), c->result[SCREE_CHECK_COUPLE + k][i],
                             couple, SCREE_CHECK_COUPLE_B + k, i);
                }
                for (uint32_t k = SCREE_CHECK_STORED; k <= SCREE_CHECK_KEEP; k++)
                    note_gap(&worst, back->result[k][i], c->result[k][i], scale_of(c, k, 1), k, i);
                for (uint32_t k = SCREE_CHECK_FIELDS + c->n_fields; k < c->n_columns; k += 2) {
                    note_gap(&worst, back->result[k][i], c->result[k + 1][i], scale_of(c, k + 1, 1),
                             k, i);
                    note_gap(&worst, back->result[k + 1][i], c->result[k][i], scale_of(c, k, 1),
                             k + 1, i);
                }
            }
        }
    if (c && back)
        judge_gap(c, &worst, setting, "with a and b exchanged");
}

/** A rotation by 1 rad, about z in 2D. */
static void fill_quaternion(uint32_t dimension, double q[4])
{
    const double length = sqrt(14.0), s = sin(0.5);
    q[0] = cos(0.5);
    q[1] = dimension == 2 ? 0.0 : s / length;
    q[2] = dimension == 2 ? 0.0 : 2.0 * s / length;
    q[3] = dimension == 2 ? s : 3.0 * s / length;
}

static void note_turned(gap *worst, const scree_check_contacts *c,
                        const scree_check_contacts *turned, const double q[4], uint32_t column,
                        double scale)
{
    for (uint32_t i = 0; i < c->n; i++) {
        double v[3] = {c->result[column][i], c->result[column + 1][i], c->result[column + 2][i]};
        scree_rotate(q, v, v);
        for (uint32_t k = 0; k < 3; k++)
            note_gap(worst, turned->result[column + k][i], v[k], scale, column + k, i);
    }
}

static void try_frame(scree_check *check, scree_instance *instance, const char *setting)
{
    g_autoptr(scree_check_contacts) c = begin(check, instance, CONTACTS);
    g_autoptr(scree_check_contacts) turned = begin(check, instance, CONTACTS);
    uint32_t dimension = instance->host.dimension;
    double q[4];
    gap worst = {0};
    fill_quaternion(dimension, q);
    for (uint32_t i = 0; turned && i < turned->n; i++) {
        scree_check_touch *t = &turned->touch[i];
        scree_rotate(q, t->normal, t->normal);
        for (int side = 0; side < 2; side++) {
            scree_rotate(q, t->v[side], t->v[side]);
            scree_rotate(q, t->w[side], t->w[side]);
            memcpy(t->q[side], q, sizeof q);
        }
        for (uint32_t k = 0; k < dimension; k++) {
            t->from[k] = 1.0 + 2.0 * k;
            t->drift[k] = 2.0 - k;
        }
    }
    if (c && turned)
        for (int turn = 0; turn < STEPS; turn++) {
            if (!advance(c) || !advance(turned))
                return;
            double couple = couple_scale(c);
            note_turned(&worst, c, turned, q, SCREE_CHECK_FORCE, scale_of(c, SCREE_CHECK_FORCE, 3));
            note_turned(&worst, c, turned, q, SCREE_CHECK_COUPLE, couple);
            note_turned(&worst, c, turned, q, SCREE_CHECK_COUPLE_B, couple);
            for (uint32_t k = SCREE_CHECK_STORED; k <= SCREE_CHECK_KEEP; k++) {
                // losses by sliding are differences of spring energies
                const double scale = (k == SCREE_CHECK_LOST ? 4.0 : 1.0) * scale_of(c, k, 1);
                for (uint32_t i = 0; i < c->n; i++)
                    note_gap(&worst, turned->result[k][i], c->result[k][i], scale, k, i);
            }
        }
    if (c && turned)
        judge_gap(c, &worst, setting, "seen from a frame that is turned, elsewhere and moving");
}

/* range */

/** The range between balls, or between a ball and a wall. */
static double range_at(scree_check_contacts *c, scree_check_touch t, double ra, double rb)
{
    t.radius[0] = ra;
    t.radius[1] = t.radius[1] > 0.0 ? rb : 0.0;
    return scree_check_range(c, &t);
}

/** The host asks only at the ends of a span of radii: no range between them may be larger. */
static void try_range(scree_check *check, scree_instance *instance, const char *setting)
{
    g_autoptr(scree_check_contacts) c = begin(check, instance, CONTACTS);
    uint64_t state = 5;
    for (uint32_t i = 0; c && i < c->n; i++) {
        scree_check_touch *t = &c->touch[i];
        double lo[2], hi[2], r[2], most = 0.0;
        for (int k = 0; k < 2; k++) {
            lo[k] = pow(10.0, scree_check_uniform(&state, -6.0, -1.0));
            hi[k] = lo[k] * scree_check_uniform(&state, 1.0, 20.0);
            r[k] = scree_check_uniform(&state, lo[k], hi[k]);
        }
        for (int k = 0; k < 4; k++)
            most = fmax(most, range_at(c, *t, k & 1 ? lo[0] : hi[0], k & 2 ? lo[1] : hi[1]));
        double range = range_at(c, *t, r[0], r[1]);
        if (range > most * (1.0 + 1e-12)) {
            scree_check_fail(
                check,
                "%s: the range of radii %g and %g m is %g m, at the ends of their spans "
                "(%g to %g, %g to %g m) at most %g m",
                setting, r[0], t->radius[1] > 0.0 ? r[1] : 0.0, range, lo[0], hi[0], lo[1], hi[1],
                most);
            return;
        }
    }
}

/* gap and parted */

/** Moves all contacts without `keep` beyond the range, some of them by very little. */
static void part(scree_check_contacts *c)
{
    uint64_t state = 3;
    for (uint32_t i = 0; i < c->n; i++) {
        double range = scree_check_range(c, &c->touch[i]), beyond = pow(10.0, -(double)(i % 12));
        c->touch[i].depth = -(range + 1e-5 * beyond + 1e-12 * range);
        if (i % 3 == 0)
            c->touch[i].depth = -(range + scree_check_uniform(&state, 1e-6, 1e-3));
    }
}

/** Fails when a contact across a gap has a force, or another value in columns [first, last). */
static bool find_nothing(scree_check_contacts *c, const char *setting, bool lost_too)
{
    for (uint32_t k = 0; k < c->n_columns; k++)
        for (uint32_t i = 0; i < c->n; i++) {
            double value = c->result[k][i];
            bool free = k == SCREE_CHECK_KEEP ||
                        (k >= SCREE_CHECK_FIELDS && k < SCREE_CHECK_FIELDS + c->n_fields) ||
                        ((k == SCREE_CHECK_LOST || k == SCREE_CHECK_HEAT) && !lost_too);
            if (c->result[SCREE_CHECK_KEEP][i] > 0.0 || (free ? isfinite(value) : value == 0.0))
                continue;
            g_autofree char *name = scree_check_column_name(c, k);
            scree_check_fail(c->check, "%s: across a gap of %g m, %s is %g", setting,
                             -c->touch[i].depth, name, value);
            return false;
        }
    return true;
}

static void try_gap(scree_check *check, scree_instance *instance, const char *setting)
{
    g_autoptr(scree_check_contacts) c = begin(check, instance, CONTACTS);
    if (!c)
        return;
    part(c); // they never touched
    if (!scree_check_advance(c) || !find_nothing(c, setting, true))
        return;
    scree_check_contacts_free(c);
    c = begin(check, instance, CONTACTS);
    for (int turn = 0; turn < 4; turn++)
        if (!advance(c))
            return;
    part(c); // a released spring may be reported as lost once
    if (scree_check_advance(c) && find_nothing(c, setting, false) && scree_check_advance(c))
        find_nothing(c, setting, true);
}

/** Contacts touch, part, and touch again as if for the first time. The energy lost may differ: a
 * new contact is weighed by `fresh`, which is 0 here. */
static void try_parted(scree_check *check, scree_instance *instance, const char *setting)
{
    g_autoptr(scree_check_contacts) c = begin(check, instance, CONTACTS);
    g_autoptr(scree_check_contacts) first = begin(check, instance, CONTACTS);
    gap worst = {0};
    if (!c || !first)
        return;
    if (c->n_fields > c->n_contact_fields) {
        scree_check_skip(check, "the law remembers pairs that do not touch (pair fields)");
        return;
    }
    for (int turn = 0; turn < 4; turn++)
        if (!advance(c))
            return;
    part(c);
    if (!scree_check_advance(c) || !scree_check_advance(c))
        return;
    first->time = c->time;
    memcpy(c->touch, first->touch, c->n * sizeof *c->touch);
    memset(first->keep, 0, first->n); // a broken bond is not made again
    g_autofree uint8_t *kept = g_memdup2(c->keep, c->n);
    for (int turn = 0; turn < AGAIN; turn++) {
        if (!advance(c) || !advance(first))
            return;
        for (uint32_t k = 0; k < c->n_columns; k++)
            for (uint32_t i = 0; i < c->n; i++)
                if (!kept[i] && !(k == SCREE_CHECK_LOST && c->provides & SCREE_OUT_PARTED))
                    note_gap(&worst, c->result[k][i], first->result[k][i], scale_of(first, k, 1), k,
                             i);
    }
    judge_gap(c, &worst, setting, "touching again after a gap, against a first touch");
}

/* finite */

static void fill_extremes(scree_check_contacts *c)
{
    static const double depths[] = {0.0, -0.0, 5e-324, 1e-300, 1e-15, 1e-6, 0.1, 1.0, 1.9};
    static const double speeds[] = {0.0, 1e-300, 1e-9, 1.0, 1e4};
    for (uint32_t i = 0; i < c->n; i++) {
        scree_check_touch *t = &c->touch[i];
        double r = fmin(t->radius[0], t->radius[1] > 0.0 ? t->radius[1] : t->radius[0]);
        double share = depths[i % G_N_ELEMENTS(depths)],
               speed = speeds[i / 9 % G_N_ELEMENTS(speeds)];
        t->depth = share * r;
        for (int side = 0; side < 2; side++)
            for (int k = 0; k < 3; k++) {
                t->v[side][k] *= speed;
                t->w[side][k] *= speed;
            }
    }
}

static bool find_finite(scree_check_contacts *c, const char *setting)
{
    for (uint32_t k = 0; k < c->n_columns; k++)
        for (uint32_t i = 0; i < c->n; i++) {
            if (isfinite(c->result[k][i]))
                continue;
            double v[3], arm[2][3];
            g_autofree char *name = scree_check_column_name(c, k);
            scree_check_velocity(c, i, v, arm);
            scree_check_fail(c->check,
                             "%s: %s is %g at depth %g m of radius %g m, velocity (%g, %g, %g) m/s",
                             setting, name, c->result[k][i], c->touch[i].depth,
                             c->touch[i].radius[0], v[0], v[1], v[2]);
            return false;
        }
    return true;
}

static void try_finite(scree_check *check, scree_instance *instance, const char *setting)
{
    g_autoptr(scree_check_contacts) c = begin(check, instance, CONTACTS);
    if (!c)
        return;
    fill_extremes(c);
    for (int turn = 0; turn < 3; turn++) // the bodies stay at one place: slips add up
        if (!scree_check_advance(c) || !find_finite(c, setting))
            return;
    for (uint32_t i = 0; i < c->n; i++)
        c->touch[i].depth = c->touch[(i + 1) % c->n].depth;
    if (scree_check_advance(c))
        find_finite(c, setting);
}

/* the exercise */

enum { GROUPS = 8, IN_GROUP = 45 };

typedef struct work {
    scree_instance *instance;
    scree_check_contacts *group[GROUPS];
    uint32_t turn;
} work;

static void exercise_end(void *user)
{
    work *w = user;
    for (uint32_t g = 0; g < GROUPS; g++)
        scree_check_contacts_free(w->group[g]);
    g_free(w);
}

static void *exercise_begin(scree_check *check, scree_instance *instance)
{
    work *w = g_new0(work, 1);
    w->instance = instance;
    for (uint32_t g = 0; g < GROUPS; g++) {
        w->group[g] = begin(check, instance, IN_GROUP);
        if (!w->group[g]) {
            exercise_end(w);
            return NULL;
        }
        w->group[g]->strict = true;
    }
    return w;
}

static int32_t run_groups(void *user, uint64_t first, uint64_t end, uint32_t lane)
{
    const work *w = user;
    for (uint64_t g = first; g < end; g++) {
        scree_check_contacts *c = w->group[g];
        uint64_t state = w->turn * GROUPS + g;
        c->lane = lane;
        scree_check_contacts_restart(c);
        scree_check_touch_random(c, &state);
        for (int k = 0; k < 3; k++)
            if (!advance(c))
                return SCREE_E_INTERNAL;
    }
    return SCREE_OK;
}

static void exercise_turn(void *user, uint32_t turn, GChecksum *bits)
{
    work *w = user;
    w->turn = turn;
    if (w->instance->demands.flags & SCREE_CAP_SERIAL)
        run_groups(w, 0, GROUPS, 0);
    else // the check has the reason
        scree_pool_for(w->instance->runtime->pool, 0, GROUPS, 1, run_groups, w);
    for (uint32_t g = 0; g < GROUPS; g++)
        for (uint32_t k = 0; k < w->group[g]->n_columns; k++)
            g_checksum_update(bits, (const guchar *)w->group[g]->result[k],
                              (gssize)(IN_GROUP * sizeof(double)));
}

static const scree_check_exercise exercise = {exercise_begin, exercise_turn, exercise_end};
static const scree_check_case cases[] = {
    {"batches", "a contact's result has the same bits in any batch", .each = try_batches},
    {"third-law", "with a and b exchanged the forces are the opposite, the energies the same",
     .each = try_third_law},
    {"frame", "forces turn with the frame, and know no place nor speed of it", .each = try_frame,
     .one_choice = true},
    {"range", "the range is largest at the smallest or the largest radii", .each = try_range},
    {"gap", "beyond its range the law does nothing", .each = try_gap},
    {"parted", "a contact that parted is new when it touches again", .each = try_parted},
    {"cycle", "work on closed paths is stored or lost as reported, and never gained",
     .run = scree_check_force_cycle},
    {"stiffness", "what it states as its stiffness is no less than the slope of its force",
     .run = scree_check_stiffness},
    {"pairs", "each pair of materials has its own values", .run = scree_check_pairs},
    {"finite", "results are finite at extreme depths and velocities", .each = try_finite},
    {0}};
const scree_check_suite scree_check_force = {SCREE_KIND_FORCE, &exercise, cases};
