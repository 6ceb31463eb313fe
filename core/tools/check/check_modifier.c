/* SPDX-License-Identifier: Apache-2.0 */
/* Promises of all modifiers: the engine calls them, the check asks again and compares. */
#include <math.h>
#include <string.h>

#include "tools/check/check_calls.h"
#include "tools/check/check_recipe.h"
#include "tools/check/check_report.h"
#include "tools/check/check_trip.h"
#include "tools/check/check_vectors.h"

/* Settings of the current run, for messages, and whether its poses have been judged. */
static const char *setting;
static bool posed;

/** Makes a run whose calls are judged. */
static bool go(const scree_route_scene *from, void *user, GError **error)
{
    g_auto(scree_check_trip) trip = {.folder = NULL};
    (void)user;
    setting = from->name;
    posed = false;
    return scree_check_trip_begin(&trip, from, SCREE_CHECK_TRIP_STEPS, error) &&
           scree_run_go(&trip.run, SCREE_CHECK_TRIP_STEPS, error);
}

/* ---- poses of all bodies ---- */

enum { PLACE, TURN = 3, SPEED = 7, SPIN = 10, SURFACE = 13, N_POSE = 16 };

/** A call of pose(), whose time the check changes. */
typedef struct question {
    scree_check *check;
    void *instance;
    const scree_poses *args;
    uint64_t n; /* bodies */
} question;

static void aim(scree_poses *out, double *column, uint64_t n)
{
    for (uint32_t k = 0; k < 4; k++) {
        out->q[k] = column + (TURN + k) * n;
        if (k == 3)
            break;
        out->x[k] = column + (PLACE + k) * n;
        out->v[k] = column + (SPEED + k) * n;
        out->w[k] = column + (SPIN + k) * n;
        out->surface[k] = column + (SURFACE + k) * n;
    }
}

/** Turns body i of `from` on by its spin. */
static void turn_on(const scree_poses *from, const scree_poses *out, uint64_t i, double since)
{
    double q[4] = {from->q[0][i], from->q[1][i], from->q[2][i], from->q[3][i]};
    const double w[3] = {from->w[0][i], from->w[1][i], from->w[2][i]};
    scree_check_turn_on(q, w, since);
    for (int k = 0; k < 4; k++)
        out->q[k][i] = q[k];
}

/** Poses at a time; columns [N_POSE][n], a new array. NULL: the call has failed. */
static double *ask_pose(const question *q, double time)
{
    double *column = g_new(double, N_POSE * q->n);
    const scree_poses *args = q->args;
    scree_poses out = *args;
    out.time = time;
    aim(&out, column, q->n);
    for (int k = 0; k < 3; k++) {
        for (uint64_t i = 0; i < q->n; i++)
            out.x[k][i] = args->x[k][i] + (time - args->time) * args->v[k][i];
        memcpy(out.v[k], args->v[k], q->n * sizeof(double));
        memcpy(out.w[k], args->w[k], q->n * sizeof(double));
        memcpy(out.surface[k], args->surface[k], q->n * sizeof(double));
    }
    for (uint64_t i = 0; i < q->n; i++)
        turn_on(args, &out, i, time - args->time);
    if (scree_check_calls_pose(q->instance, &out) == SCREE_OK)
        return column;
    scree_check_fail(q->check, "%s: pose() fails at %g s", setting, time);
    g_free(column);
    return NULL;
}

enum { TIMES = 24 };

/** Times of interest from before 0 on, ascending. */
static double time_at(int k)
{
    return -0.02 + 0.0137 * k + 0.3 * (k > 20 ? k - 20 : 0);
}

/** Asks for the same times in two orders. */
static void judge_order(const question *q)
{
    double *forth[TIMES];
    for (int k = 0; k < TIMES; k++)
        forth[k] = ask_pose(q, time_at(k));
    for (int k = 0; k < TIMES; k++) { // 7 and 24 have no common divisor
        const int at = (7 * k + 3) % TIMES;
        g_autofree double *back = ask_pose(q, time_at(at));
        if (back && forth[at] && memcmp(back, forth[at], N_POSE * q->n * sizeof *back))
            scree_check_fail(q->check,
                             "%s: asked for times in another order it poses otherwise (time %g s)",
                             setting, time_at(at));
    }
    for (int k = 0; k < TIMES; k++)
        g_free(forth[k]);
}

/** The vector of the small rotation from a to b. */
static void turned(const double *a, const double *b, uint64_t n, double out[3])
{
    double back[4], now[4], turn[4];
    for (uint64_t k = 0; k < 4; k++) {
        back[k] = (k ? -1.0 : 1.0) * a[(TURN + k) * n];
        now[k] = b[(TURN + k) * n];
    }
    scree_rotation_product(now, back, turn);
    for (int k = 0; k < 3; k++)
        out[k] = (turn[0] < 0.0 ? -2.0 : 2.0) * turn[1 + k];
}

/** Compares velocities of body i with differences over h; a motion has no derivative where it
 * starts or ends. */
static void compare_rates(const question *q, double *const at[3], uint64_t i, double h, double time)
{
    const double *before = at[0] + i, *now = at[1] + i, *after = at[2] + i;
    double back[3], forth[3];
    turned(before, now, q->n, back);
    turned(now, after, q->n, forth);
    for (uint64_t k = 0; k < 6; k++) {
        const double a = k < 3 ? now[k * q->n] - before[k * q->n] : back[k - 3];
        const double b = k < 3 ? after[k * q->n] - now[k * q->n] : forth[k - 3];
        const double rate = 0.5 * (a + b) / h, bend = fabs(b - a) / h;
        const double said = now[(k < 3 ? SPEED + k : SPIN + k - 3) * q->n];
        const double scale = 1e-6 + fmax(fabs(rate), fabs(said)); // rounding over h is 1e-10
        if (!isfinite(said) || (bend < 1e-3 * scale && fabs(rate - said) > 1e-3 * scale))
            scree_check_fail(q->check,
                             "%s: at %g s body %u has %s %g, but its pose changes by %g per second",
                             setting, time, (uint32_t)i, k < 3 ? "velocity" : "spin", said, rate);
    }
}

static void judge_rates(const question *q)
{
    const double h = 1e-6;
    for (int k = 0; k < TIMES && !q->check->failed; k++) {
        const double time = time_at(k);
        double *at[] = {ask_pose(q, time - h), ask_pose(q, time), ask_pose(q, time + h)};
        for (uint32_t i = 0; i < q->n && at[0] && at[1] && at[2]; i++)
            if (q->args->bodies->motion[i] == SCREE_MOTION_KINEMATIC)
                compare_rates(q, at, i, h, time);
        for (size_t e = 0; e < G_N_ELEMENTS(at); e++)
            g_free(at[e]);
    }
}

/** Judges the first call of a run. */
static int32_t judge_poses(void (*judge)(const question *q), const question *q)
{
    if (!posed)
        judge(q);
    posed = true;
    return scree_check_calls_pose(q->instance, q->args);
}

static int32_t pose_in_order(scree_check *check, void *instance, const scree_poses *args)
{
    const question q = {check, instance, args, args->bodies->n};
    return judge_poses(judge_order, &q);
}

static int32_t pose_with_rates(scree_check *check, void *instance, const scree_poses *args)
{
    const question q = {check, instance, args, args->bodies->n};
    return judge_poses(judge_rates, &q);
}

/* ---- forces ---- */

/** Rates of energy [W] that a call has added for free bodies. */
typedef struct account {
    double work, lost, power, size;
    bool stores;
} account;

static account sum_changes(const scree_forces *args, const double *was, const double *had)
{
    account sum = {.work = 0.0};
    const scree_bodies *b = args->bodies;
    for (uint64_t i = 0; i < b->n_free; i++) {
        const double *now = args->wrench + 8 * i, *old = was + 8 * i;
        for (int k = 0; k < 3; k++) {
            const double by_force = (now[k] - old[k]) * b->v[k][i];
            const double by_couple = (now[4 + k] - old[4 + k]) * b->w[k][i];
            sum.work += by_force + by_couple;
            sum.size += fabs(by_force) + fabs(by_couple);
        }
        sum.lost += now[7] - old[7];
        sum.power += args->power[i] - had[i];
        sum.stores = sum.stores || now[3] != old[3];
    }
    return sum;
}

static int32_t account_for(scree_check *check, void *instance, const scree_forces *args)
{
    const uint64_t each = args->bodies->n * sizeof(double);
    g_autofree double *was = g_memdup2(args->wrench, 8 * each);
    g_autofree double *had = g_memdup2(args->power, each);
    const int32_t code = scree_check_calls_forces(instance, args);
    const account a = sum_changes(args, was, had);
    const double missing = a.work + a.lost - a.power;
    if (a.stores && !check->skipped)
        scree_check_skip(check, "it stores energy, whose rate cannot be seen");
    if (!check->skipped && !(fabs(missing) <= 1e-9 * (a.size + fabs(a.lost) + fabs(a.power))))
        scree_check_fail(check,
                         "%s: forces do %g W on the free bodies, %g W are reported as lost, %g W "
                         "as work from outside: %g W are missing",
                         setting, a.work, a.lost, a.power, missing);
    return code;
}

/** Asks first as in a trial, which changes no later result. */
static int32_t ask_twice(scree_check *check, void *instance, const scree_forces *args)
{
    const uint64_t each = args->bodies->n * sizeof(double);
    g_autofree double *was = g_memdup2(args->wrench, 8 * each);
    g_autofree double *had = g_memdup2(args->power, each);
    scree_forces trial = *args;
    trial.accepted = 0;
    int32_t code = scree_check_calls_forces(instance, &trial);
    g_autofree double *first = g_memdup2(args->wrench, 8 * each);
    g_autofree double *power = g_memdup2(args->power, each);
    memcpy(args->wrench, was, 8 * each);
    memcpy(args->power, had, each);
    code = code < 0 ? code : scree_check_calls_forces(instance, args);
    if (memcmp(first, args->wrench, 8 * each) || memcmp(power, args->power, each))
        scree_check_fail(check, "%s: forces asked for twice at one state are not the same",
                         setting);
    return code;
}

/* ---- bodies that it inserts ---- */

static scree_check_made made;
static uint32_t n_made; // in all runs

static void judge_inserted(const scree_body *b, const scree_bodies *among)
{
    if (made.recipe)
        scree_check_made_judge(&made, b, among->shapes[b->shape], among->cell);
}

static bool go_recipe(const scree_route_scene *from, void *user, GError **error)
{
    g_auto(scree_check_trip) trip = {.folder = NULL};
    (void)user;
    made = (scree_check_made){.check = from->check,
                              .setting = from->name,
                              .dimension = from->dimension,
                              .resized = from->settings != NULL};
    if (!scree_check_trip_begin(&trip, from, SCREE_CHECK_TRIP_STEPS, error))
        return false;
    scree_check_made_begin(&made, scree_check_trip_instance(&trip, from->check->plugin)->choice);
    const bool good = scree_run_go(&trip.run, SCREE_CHECK_TRIP_STEPS, error);
    if (good && made.recipe)
        scree_check_made_end(&made);
    n_made += made.n;
    return good;
}

static void check_recipe(scree_check *check)
{
    static const scree_check_judge judge = {.insert = judge_inserted};
    scree_check_calls_watch(check, &judge);
    scree_check_trip_each(check, go_recipe, NULL);
    if (!n_made && !check->failed && !check->skipped)
        scree_check_skip(check, "it inserts no bodies in the scenes of the check");
}

static const char *lacks_pose(const scree_check *check)
{
    return SCREE_HAS((const scree_modifier_ops *)check->plugin->ops, pose) ? NULL
                                                                           : "it poses no bodies";
}

static const char *lacks_forces(const scree_check *check)
{
    return SCREE_HAS((const scree_modifier_ops *)check->plugin->ops, forces) ? NULL
                                                                             : "it adds no forces";
}

static const char *lacks_fields(const scree_check *check)
{
    return check->plugin->n_fields > 0 ? NULL : "it has no fields";
}

static void judged(scree_check *check, const void *row)
{
    scree_check_calls_watch(check, row);
    scree_check_trip_each(check, go, NULL);
}

/** Its fields are finite, and each of them gets another value with some of its settings, but for
 * those that --idle names, which keep theirs. */
static void check_fields(scree_check *check)
{
    g_auto(GStrv) idle = g_strsplit(check->idle ? check->idle : "", ",", -1);
    judged(check, &(const scree_check_judge){.fields = true});
    const uint32_t n = check->idle && !check->skipped ? check->plugin->n_fields : 0;
    for (uint32_t f = 0; f < n; f++) {
        const char *name = check->plugin->fields[f]->name;
        const bool named = g_strv_contains((const char *const *)idle, name);
        if (!named && !scree_check_calls_changed(f))
            scree_check_fail(check, "with none of its settings a value of field %s changes", name);
        if (named && scree_check_calls_changed(f))
            scree_check_fail(check, "--idle names field %s, a value of which changes", name);
    }
}

#define JUDGED(...)                                                                                \
    .by = judged, .row = &(const scree_check_judge)                                                \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static const scree_check_case cases[] = {
    {"poses", "poses of kinematic bodies depend only on time", JUDGED(.pose = pose_in_order),
     .lacks = lacks_pose},
    {"rates", "velocities and spins are the derivatives of poses", JUDGED(.pose = pose_with_rates),
     .lacks = lacks_pose},
    {"account", "the work of forces is reported as lost or as work", JUDGED(.forces = account_for),
     .lacks = lacks_forces},
    {"repeat", "forces asked for again at the same state are the same", JUDGED(.forces = ask_twice),
     .lacks = lacks_forces},
    {"recipe", "bodies that it inserts are as the recipe and the region among its parameters say",
     .run = check_recipe, .lacks = scree_check_made_lacks},
    {"fields", "its fields are finite, and each of them changes in some run", .run = check_fields,
     .lacks = lacks_fields},
    {0}};
const scree_check_suite scree_check_modifier = {SCREE_KIND_MODIFIER, NULL, cases};
