/* SPDX-License-Identifier: Apache-2.0 */
/* Promises of all modifiers. */
#include <math.h>
#include <string.h>

#include "tools/check/check_report.h"
#include "tools/check/check_uses.h"
#include "tools/check/check_variants.h"
#include "tools/check/check_world.h"
#include "tools/check/guard_pages.h"

enum { STEPS = 12, MOST_BODIES = 256 };

static const scree_modifier_ops *ops_of(const scree_instance *instance)
{
    return instance->ops;
}

/** Calls forces() on the current wrench; w->power starts from 0. */
static bool ask_forces(scree_check_world *w, bool accepted)
{
    const scree_modifier_ops *ops = ops_of(w->instance);
    const scree_forces forces = {.size = sizeof forces,
                                 .accepted = accepted,
                                 .bodies = &w->bodies,
                                 .step = w->step,
                                 .time = w->time,
                                 .dt = w->dt,
                                 .wrench = w->wrench,
                                 .power = w->power};
    memset(w->power, 0, w->bodies.n * sizeof *w->power);
    if (!SCREE_HAS(ops, forces))
        return true;
    scree_check_world_protect(w, true);
    scree_check_world_protect_fields(w, true);
    scree_check_used_lend(w->used, &w->bodies);
    bool good =
        SCREE_CHECK_CALL(w->check, w->instance, "forces", ops->forces(w->instance->self, &forces));
    good = scree_check_used_take(w->used, w->check, &w->bodies) && good;
    scree_check_world_protect_fields(w, false);
    scree_check_world_protect(w, false);
    return good;
}

static bool ask_edits(scree_check_world *w)
{
    const scree_modifier_ops *ops = ops_of(w->instance);
    const scree_step step = {.size = sizeof step,
                             .bodies = &w->bodies,
                             .edits = &w->edits,
                             .step = w->step,
                             .time = w->time,
                             .dt = w->dt,
                             .body_fields = w->fields,
                             .global_fields = w->global_fields};
    if (!SCREE_HAS(ops, after_step))
        return true;
    const uint64_t next_id = w->next_id; // an inserted body is not there yet
    scree_check_world_enter(w);
    scree_check_world_protect(w, true);
    w->editing = true;
    bool good = SCREE_CHECK_CALL(w->check, w->instance, "after_step",
                                 ops->after_step(w->instance->self, &step));
    w->editing = false;
    scree_check_world_protect(w, false);
    scree_check_world_seen(w, next_id);
    return good;
}

/* Poses of all bodies of a world: x y z, q, v, w, surface. */

enum { PLACE, TURN = 3, SPEED = 7, SPIN = 10, SURFACE = 13, N_POSE = 16 };

typedef struct poses {
    double *column[N_POSE]; // [n]
    uint32_t n;
} poses;

static poses new_poses(const scree_check_world *w)
{
    poses p = {.n = w->bodies.n};
    for (int k = 0; k < N_POSE; k++)
        p.column[k] = scree_check_guarded(MAX((p.n * sizeof(double) + 63) / 64 * 64, 64));
    return p;
}

static void free_poses(poses *p)
{
    for (int k = 0; k < N_POSE; k++)
        scree_check_guarded_free(p->column[k]);
}

/** Poses of the bodies without the modifier, from their own motion. */
static void pose_alone(const scree_check_world *w, double time, poses *p)
{
    for (uint32_t i = 0; i < p->n; i++) {
        double since = w->bodies.motion[i] == SCREE_MOTION_KINEMATIC ? time - w->time : 0.0;
        for (int k = 0; k < 4; k++) {
            p->column[TURN + k][i] = w->bodies.q[k][i];
            if (k == 3)
                break;
            p->column[SPEED + k][i] = w->bodies.v[k][i];
            p->column[PLACE + k][i] = w->bodies.x[k][i] + since * w->bodies.v[k][i];
            p->column[SPIN + k][i] = p->column[SURFACE + k][i] = 0.0;
        }
    }
}

static bool ask_pose(scree_check_world *w, double time, poses *p)
{
    const scree_modifier_ops *ops = ops_of(w->instance);
    scree_poses out = {.size = sizeof out, .bodies = &w->bodies, .time = time, .dt = w->dt};
    pose_alone(w, time, p);
    if (!SCREE_HAS(ops, pose))
        return true;
    for (int k = 0; k < 4; k++) {
        out.q[k] = p->column[TURN + k];
        if (k == 3)
            break;
        out.x[k] = p->column[PLACE + k];
        out.v[k] = p->column[SPEED + k];
        out.w[k] = p->column[SPIN + k];
        out.surface[k] = p->column[SURFACE + k];
    }
    scree_check_world_protect(w, true);
    scree_check_world_protect_fields(w, true);
    bool good = SCREE_CHECK_CALL(w->check, w->instance, "pose", ops->pose(w->instance->self, &out));
    scree_check_world_protect_fields(w, false);
    scree_check_world_protect(w, false);
    return good;
}

/** Fails when two poses differ in a bit; only bodies that are led count, or (all) all bodies. */
static bool same_poses(scree_check_world *w, const poses *a, const poses *b, bool all,
                       const char *format, double time, const char *setting)
{
    for (uint32_t i = 0; i < a->n; i++)
        for (int k = 0; k < N_POSE; k++) {
            if (!all && w->bodies.motion[i] == SCREE_MOTION_KINEMATIC)
                continue;
            if (!memcmp(&a->column[k][i], &b->column[k][i], sizeof(double)))
                continue;
            scree_check_fail(w->check, "%s: %s (time %g s, body %u, %.17g and %.17g)", setting,
                             format, time, i, a->column[k][i], b->column[k][i]);
            return false;
        }
    return true;
}

static bool has_pose(scree_check *check)
{
    if (SCREE_HAS((const scree_modifier_ops *)check->plugin->ops, pose))
        return true;
    scree_check_skip(check, "it poses no bodies");
    return false;
}

enum { TIMES = 24 };

/** Times of interest from before 0 on, ascending. */
static double time_at(int k)
{
    return -0.02 + 0.0137 * k + 0.3 * (k > 20 ? k - 20 : 0);
}

static void try_pose_order(scree_check *check, scree_instance *instance, const char *setting)
{
    g_autoptr(scree_check_world) w = scree_check_world_new(check, instance, 0);
    if (!w)
        return;
    poses forth[TIMES], back = new_poses(w), alone = new_poses(w);
    bool good = true;
    for (int k = 0; k < TIMES; k++) {
        forth[k] = new_poses(w);
        good = good && ask_pose(w, time_at(k), &forth[k]);
        pose_alone(w, time_at(k), &alone);
        good = good && same_poses(w, &forth[k], &alone, false, "it moved a body that is not led",
                                  time_at(k), setting);
    }
    for (int k = 0; k < TIMES && good; k++) { // 7 and 24 have no common divisor
        int at = (7 * k + 3) % TIMES;
        good =
            ask_pose(w, time_at(at), &back) &&
            same_poses(w, &back, &forth[at], true,
                       "asked for times in another order it poses otherwise", time_at(at), setting);
    }
    for (int k = 0; k < TIMES; k++)
        free_poses(&forth[k]);
    free_poses(&back);
    free_poses(&alone);
}

static void run_pose_order(scree_check *check)
{
    if (has_pose(check))
        scree_check_variants(check, try_pose_order);
}

/** The vector of the small rotation from q1 to q2. */
static void turned(const poses *from, const poses *to, uint32_t i, double out[3])
{
    double a[4], b[4];
    for (int k = 0; k < 4; k++) {
        a[k] = from->column[TURN + k][i];
        b[k] = to->column[TURN + k][i];
    }
    double w = b[0] * a[0] + b[1] * a[1] + b[2] * a[2] + b[3] * a[3], sign = w < 0.0 ? -2.0 : 2.0;
    out[0] = sign * (-b[0] * a[1] + b[1] * a[0] - b[2] * a[3] + b[3] * a[2]);
    out[1] = sign * (-b[0] * a[2] + b[1] * a[3] + b[2] * a[0] - b[3] * a[1]);
    out[2] = sign * (-b[0] * a[3] - b[1] * a[2] + b[2] * a[1] + b[3] * a[0]);
}

/** Compares velocities with differences over h; a motion has no derivative where it starts or
 * ends. */
static bool compare_rates(scree_check_world *w, const poses *before, const poses *now,
                          const poses *after, double h, double time, const char *setting)
{
    for (uint32_t i = w->bodies.n_free; i < now->n; i++) {
        if (w->bodies.motion[i] != SCREE_MOTION_KINEMATIC)
            continue;
        double back[3], forth[3], norm = 0.0;
        turned(before, now, i, back);
        turned(now, after, i, forth);
        for (int k = 0; k < 4; k++)
            norm += now->column[TURN + k][i] * now->column[TURN + k][i];
        if (!(fabs(norm - 1.0) < 1e-9)) {
            scree_check_fail(w->check,
                             "%s: at %g s the quaternion of body %u is not a unit quaternion",
                             setting, time, i);
            return false;
        }
        for (int k = 0; k < 6; k++) {
            double a = k < 3 ? now->column[k][i] - before->column[k][i] : back[k - 3];
            double b = k < 3 ? after->column[k][i] - now->column[k][i] : forth[k - 3];
            double rate = 0.5 * (a + b) / h, bend = fabs(b - a) / h;
            double said = now->column[k < 3 ? SPEED + k : SPIN + k - 3][i];
            double scale = 1e-9 + fmax(fabs(rate), fabs(said));
            if (!isfinite(said) || (bend < 1e-3 * scale && fabs(rate - said) > 1e-3 * scale)) {
                scree_check_fail(
                    w->check,
                    "%s: at %g s body %u has %s %g, but its pose changes by %g per second", setting,
                    time, i, k < 3 ? "velocity" : "spin", said, rate);
                return false;
            }
        }
    }
    return true;
}

static void try_pose_rates(scree_check *check, scree_instance *instance, const char *setting)
{
    const double h = 1e-6;
    g_autoptr(scree_check_world) w = scree_check_world_new(check, instance, 0);
    if (!w)
        return;
    poses at[3] = {new_poses(w), new_poses(w), new_poses(w)};
    bool good = true;
    for (int k = 0; k < TIMES && good; k++) {
        double time = time_at(k);
        good = ask_pose(w, time - h, &at[0]) && ask_pose(w, time, &at[1]) &&
               ask_pose(w, time + h, &at[2]) &&
               compare_rates(w, &at[0], &at[1], &at[2], h, time, setting);
    }
    for (int k = 0; k < 3; k++)
        free_poses(&at[k]);
}

static void run_pose_rates(scree_check *check)
{
    if (has_pose(check))
        scree_check_variants(check, try_pose_rates);
}

/* forces */

static bool has_forces(scree_check *check)
{
    if (SCREE_HAS((const scree_modifier_ops *)check->plugin->ops, forces))
        return true;
    scree_check_skip(check, "it adds no forces");
    return false;
}

/** [W] done on free bodies, lost, and [J] stored, compared with the previous wrench. */
static void sum_changes(const scree_check_world *w, const double *was, double *work, double *lost,
                        double *power, double *size, bool *stores)
{
    *work = *lost = *power = *size = 0.0;
    *stores = false;
    for (uint32_t i = 0; i < w->bodies.n; i++) {
        const double *now = w->wrench + 8 * i, *old = was + 8 * i;
        for (int k = 0; k < 3 && w->bodies.motion[i] == SCREE_MOTION_FREE; k++) {
            double by_force = (now[k] - old[k]) * w->bodies.v[k][i];
            double by_couple = (now[4 + k] - old[4 + k]) * w->bodies.w[k][i];
            *work += by_force + by_couple;
            *size += fabs(by_force) + fabs(by_couple);
        }
        *lost += now[7] - old[7];
        *power += i < w->bodies.n_free ? w->power[i] : 0.0;
        *stores = *stores || now[3] != old[3];
    }
}

/** Goes to evaluation number n of a run: the edits of the previous step, and the next step. */
static bool go_on(scree_check_world *w, int n)
{
    return (n < 2 || ask_edits(w)) && (n < 1 || scree_check_world_advance(w));
}

static void try_account(scree_check *check, scree_instance *instance, const char *setting)
{
    g_autoptr(scree_check_world) w = scree_check_world_new(check, instance, 1);
    bool stores = false;
    if (w)
        for (int n = 0; n < STEPS && !check->failed && !stores; n++) {
            double work, lost, size, power;
            if (!go_on(w, n))
                return;
            g_autofree double *was = g_memdup2(w->wrench, w->bodies.n * 8 * sizeof(double));
            if (!ask_forces(w, true))
                return;
            sum_changes(w, was, &work, &lost, &power, &size, &stores);
            if (!stores && !(fabs(work + lost - power) <= 1e-9 * (size + fabs(lost) + fabs(power))))
                scree_check_fail(
                    check,
                    "%s: forces do %g W on the free bodies, %g W are reported as lost, %g W as "
                    "work from outside: %g W are missing",
                    setting, work, lost, power, work + lost - power);
        }
    if (stores)
        scree_check_skip(check, "it stores energy, whose rate cannot be seen");
}

static void run_account(scree_check *check)
{
    if (has_forces(check))
        scree_check_variants(check, try_account);
}

/** Evaluations that are not accepted change no later result. */
static void try_repeat(scree_check *check, scree_instance *instance, const char *setting)
{
    g_autoptr(scree_check_world) w = scree_check_world_new(check, instance, 1);
    if (w)
        for (int n = 0; n < STEPS && !check->failed; n++) {
            if (!go_on(w, n))
                return;
            uint64_t each = w->bodies.n * sizeof(double), bytes = 8 * each;
            g_autofree double *was = g_memdup2(w->wrench, bytes);
            if (!ask_forces(w, false))
                return;
            g_autofree double *first = g_memdup2(w->wrench, bytes);
            g_autofree double *power = g_memdup2(w->power, each);
            memcpy(w->wrench, was, bytes);
            if (!ask_forces(w, true))
                return;
            if (memcmp(first, w->wrench, bytes) || memcmp(power, w->power, each))
                scree_check_fail(check, "%s: forces asked for twice at one state are not the same",
                                 setting);
        }
}

static void run_repeat(scree_check *check)
{
    if (has_forces(check))
        scree_check_variants(check, try_repeat);
}

/* edits */

/** The evaluation before the first step, or a step up to its edits, as in a run. */
static bool ask_step(scree_check_world *w)
{
    bool first = !w->begun;
    w->begun = true;
    return (first || scree_check_world_advance(w)) && ask_forces(w, true) &&
           (first || ask_edits(w));
}

static void try_edits(scree_check *check, scree_instance *instance, const char *setting)
{
    g_autoptr(scree_check_world) w = scree_check_world_new(check, instance, 1);
    if (w)
        for (int n = 0; n < STEPS && !check->failed && w->bodies.n <= MOST_BODIES; n++) {
            bool good = ask_step(w);
            if (w->refused)
                scree_check_fail(check, "%s: an edit that the host refuses: %s", setting,
                                 w->refused);
            if (!good || !scree_check_world_judge_fields(w, setting))
                return;
        }
}

static void run_edits(scree_check *check)
{
    if (!SCREE_HAS((const scree_modifier_ops *)check->plugin->ops, after_step))
        scree_check_skip(check, "it edits nothing");
    else
        scree_check_variants(check, try_edits);
}

/* the exercise */

/** The poses and forces of an evaluation. */
static bool exercise_evaluation(scree_check_world *w, GChecksum *bits)
{
    poses p = new_poses(w);
    bool good = ask_pose(w, w->time, &p) && ask_forces(w, true);
    if (good) {
        for (int k = 0; k < N_POSE; k++)
            g_checksum_update(bits, (const guchar *)p.column[k], (gssize)(p.n * sizeof(double)));
        g_checksum_update(bits, (const guchar *)w->wrench, (gssize)(w->bodies.n * 64));
        g_checksum_update(bits, (const guchar *)w->power, (gssize)(w->bodies.n * 8));
    }
    free_poses(&p);
    return good;
}

/** The evaluation before the first step of a run, or a step. */
static bool exercise_once(scree_check_world *w, GChecksum *bits)
{
    bool first = !w->begun;
    w->begun = true;
    bool good = (first || scree_check_world_advance(w)) && exercise_evaluation(w, bits) &&
                (first || ask_edits(w));
    if (good)
        scree_check_world_digest(w, bits);
    return good;
}

/** An instance gets one run of bodies, as in a scene. */
static void *exercise_begin(scree_check *check, scree_instance *instance)
{
    scree_check_world *w = scree_check_world_new(check, instance, 0);
    if (w)
        w->strict = true;
    return w;
}

static void exercise_turn(void *user, uint32_t turn, GChecksum *bits)
{
    scree_check_world *w = user;
    (void)turn;
    for (uint32_t n = 0; n < 3 && w->bodies.n < MOST_BODIES && exercise_once(w, bits);)
        n++;
}

static void exercise_end(void *user)
{
    scree_check_world_free(user);
}

static const scree_check_exercise exercise = {exercise_begin, exercise_turn, exercise_end};
static const scree_check_case cases[] = {
    {"poses", "poses of kinematic bodies depend only on time", .run = run_pose_order},
    {"rates", "velocities and spins are the derivatives of poses", .run = run_pose_rates},
    {"account", "the work of forces is reported as lost or as work", .run = run_account},
    {"repeat", "forces asked for again at the same state are the same", .run = run_repeat},
    {"edits", "each edit is one that the host can make", .run = run_edits},
    {0}};
const scree_check_suite scree_check_modifier = {SCREE_KIND_MODIFIER, &exercise, cases};
