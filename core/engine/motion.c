/* SPDX-License-Identifier: Apache-2.0 */
/* Checks how plugins have changed the bodies: finite numbers, unit quaternions, plausible speeds
 * and places, and no change of bodies that a plugin may not move.
 *
 * All free bodies are checked when extents are renewed, and after a failure, to find the plugin
 * that caused it. In between, each evaluation checks some of them, all in turn. So the checks cost
 * almost nothing, and in a scene of up to SOME bodies a fault is found in its own step. Bodies that
 * a plugin may not write are compared in the same way.
 *
 * In the step after a refresh some bodies, others each time, show whether an integrator without
 * displacements keeps its promise: a body has moved by v × since. An integrator that commits
 * history within a step is not checked: an edit may move bodies before its next evaluation.
 */
#include "engine/motion.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/aligned.h"
#include "engine/diagnostics.h"
#include "engine/rank_rows.h"
#include "engine/state.h"
#include "plugin/call.h"

enum {
    SOME = 64,  /* number of bodies checked between renewals, */
    SHARE = 64, /* or all divided by this, if that is more */
    KEPT_ARRAYS = 13
};

/* Tolerance of a body's place: shares of its way and of its radius. */
#define PROMISE_SHARE 1e-6
#define PROMISE_SLACK 1e-9

/* A body that moves SCENES times the size of the scene in a step, or RADII of its own radii, is
 * lost to every contact. At ROUGH radii from the origin, doubles cannot separate places a
 * thousandth of a radius apart (2^-10 2^52). Sensible values are orders of magnitude below. */
#define SCENES 1e3
#define RADII 1e6
#define ROUGH 0x1p42

void scree_motion_size(scree_sim *sim)
{
    const scree_world *w = sim->world;
    sim->checks.size = 0.0;
    sim->checks.flung = SCREE_NONE;
    for (uint32_t k = 0; k < w->dimension; k++) {
        double lo = HUGE_VAL, hi = -HUGE_VAL;
        if (isfinite(w->cell.lo[k]) && isfinite(w->cell.hi[k])) {
            lo = w->cell.lo[k];
            hi = w->cell.hi[k];
        }
        for (uint32_t i = 0; i < scree_world_first_plane(w); i++) {
            lo = MIN(lo, w->x[k][i] - w->radius[i]);
            hi = MAX(hi, w->x[k][i] + w->radius[i]);
        }
        if (hi - lo < SCREE_LARGEST)
            sim->checks.size = fmax(sim->checks.size, hi - lo);
    }
}

/** Returns the longest way [m] of a body with this radius in a step. */
static double travel(const scree_sim *sim, double radius)
{
    return fmin(fmax(SCENES * sim->checks.size, RADII * radius), SCREE_LARGEST);
}

static bool numbers_finite(const scree_world *w, uint32_t i)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += 0.0 * w->x[k][i] + 0.0 * w->v[k][i] + 0.0 * w->w[k][i];
    return sum == 0.0;
}

static double unit_error(const scree_world *w, uint32_t i)
{
    double square = 0.0;
    for (int k = 0; k < 4; k++)
        square += w->q[k][i] * w->q[k][i];
    return fabs(square - 1.0);
}

static double length_of(double *const *v, uint32_t i)
{
    return hypot(hypot(v[0][i], v[1][i]), v[2][i]);
}

/** Returns the function of the integrator that moves bodies. */
static const char *moving_call(const scree_sim *sim)
{
    return SCREE_HAS(sim->plugins.body.integrator_ops, move) ? "move" : "stage";
}

/** Blames the integrator if the state of body i is invalid. */
static bool blame_integrator(const scree_sim *sim, uint32_t i, GError **error)
{
    const scree_world *w = sim->world;
    bool finite = numbers_finite(w, i);
    if (finite && unit_error(w, i) <= SCREE_UNIT_TOLERANCE)
        return true;
    g_autofree char *what =
        finite ? g_strdup_printf("turned by (%g, %g, %g, %g), which is not a unit quaternion",
                                 w->q[0][i], w->q[1][i], w->q[2][i], w->q[3][i])
               : g_strdup_printf("with velocity (%g, %g, %g) m/s and spin (%g, %g, %g) rad/s",
                                 w->v[0][i], w->v[1][i], w->v[2][i], w->w[0][i], w->w[1][i],
                                 w->w[2][i]);
    return scree_call_blame(sim->plugins.body.integrator, moving_call(sim),
                            finite ? SCREE_EXIT_PLUGIN : scree_not_finite_status(sim), error,
                            "body %" PRIu64 " is at (%g, %g, %g) m %s%s", w->id[i], w->x[0][i],
                            w->x[1][i], w->x[2][i], what, finite ? "" : scree_not_finite_hint(sim));
}

/** Reports that the run has blown up: body i is too fast, or too far away. */
static bool check_sense(scree_sim *sim, uint32_t i, GError **error)
{
    const scree_world *w = sim->world;
    const double speed = length_of(w->v, i), spin = length_of(w->w, i), far = length_of(w->x, i);
    const double most = travel(sim, w->radius[i]),
                 place = i < scree_world_first_plane(w) ? fmin(ROUGH * w->radius[i], SCREE_LARGEST)
                                                        : SCREE_LARGEST; // a plane has no radius
    const bool fast = !(speed * sim->dt <= most), turns = !(spin * w->radius[i] * sim->dt <= most);
    if (!fast && !turns && far <= place)
        return true;
    g_autofree char *what =
        fast ? g_strdup_printf("comes %g m far in a step of %g s, more than %g m, at %g m/s",
                               speed * sim->dt, sim->dt, most, speed)
        : turns
            ? g_strdup_printf("spins at %g rad/s: its surface comes more than %g m far in a step",
                              spin, most)
            : g_strdup_printf("is %g m from the origin, where numbers are too rough for a body "
                              "of radius %g m",
                              far, w->radius[i]);
    const char *why = sim->dt > sim->critical        ? scree_not_finite_hint(sim)
                      : sim->warnings.seeks_overlaps ? " (as the scene starts)" // first evaluation
                      : fast || turns                ? ""
                                      : " (does it fly off, or does a law add energy?)";
    if (fast || turns)
        sim->checks.flung = i;
    return scree_fail(error, SCREE_EXIT_RUN,
                      "the run has blown up at step %" PRIu64 ": body %" PRIu64
                      " at (%g, %g, %g) m %s%s",
                      sim->step, w->id[i], w->x[0][i], w->x[1][i], w->x[2][i], what, why);
}

bool scree_motion_is_sane(const scree_sim *sim, double radius, const double v[3])
{
    return hypot(hypot(v[0], v[1]), v[2]) * sim->dt <= travel(sim, radius);
}

bool scree_motion_sound(const scree_sim *sim, bool strict, uint32_t first, uint32_t last)
{
    const scree_world *w = sim->world;
    const double *const x[3] = {w->x[0] + first, w->x[1] + first, w->x[2] + first};
    const double *const v[3] = {w->v[0] + first, w->v[1] + first, w->v[2] + first};
    const double *const s[3] = {w->w[0] + first, w->w[1] + first, w->w[2] + first};
    const double *const q[4] = {w->q[0] + first, w->q[1] + first, w->q[2] + first, w->q[3] + first};
    return sim->kernels->sound(last - first, x, v, s, q, w->radius + first,
                               strict ? 0.0
                                      : fmin(SCENES * sim->checks.size, SCREE_LARGEST) / sim->dt,
                               (strict ? sim->warnings.thinnest : RADII) / sim->dt, ROUGH) == 0;
}

static bool check_range(scree_sim *sim, bool strict, uint32_t first, uint32_t last, GError **error)
{
    if (first >= last || scree_motion_sound(sim, strict, first, last))
        return true;
    for (uint32_t i = first; i < last; i++) {
        if (!blame_integrator(sim, i, error) || !check_sense(sim, i, error))
            return false;
        if (strict)
            scree_diagnostics_speed(sim, i, length_of(sim->world->v, i));
    }
    return true; // the kernel rounds differently from hypot
}

bool scree_motion_check_body(scree_sim *sim, uint32_t i, GError **error)
{
    return check_range(sim, sim->warnings.diagnostics != NULL, i, i + 1, error);
}

bool scree_motion_check(scree_sim *sim, bool all, GError **error)
{
    const scree_world *w = sim->world;
    const bool strict = sim->warnings.diagnostics != NULL;
    const scree_rows own = scree_ranks_rows(sim);
    if (all ? !check_range(sim, strict, own.first, own.end, error)
            : !scree_motion_check_some(sim, error))
        return false;
    const bool sound = scree_motion_sound(sim, strict, w->n_free, w->first_fixed);
    for (uint32_t i = w->n_free; i < w->first_fixed; i++) {
        if (sound && !scree_shape_is_wall(w->shapes[w->shape[i]])) // a wall has no size
            continue;
        if (!check_sense(sim, i, error))
            return false;
        scree_diagnostics_speed(sim, i, length_of(w->v, i));
    }
    for (uint32_t i = scree_world_first_plane(w); i < w->n; i++) { // moving ones, too
        if (!check_sense(sim, i, error))
            return false;
        scree_diagnostics_speed(sim, i, length_of(w->v, i));
    }
    return true;
}

/** Finds the bodies [*first, *last) that are checked next. */
static void find_some(const scree_sim *sim, uint32_t *first, uint32_t *last)
{
    const uint32_t n = sim->world->n_free,
                   some = scree_break_on ? n : MAX((uint32_t)SOME, n / SHARE);
    *first = sim->checks.next < n ? sim->checks.next : 0;
    *last = MIN(n, *first + MIN(n, some));
}

bool scree_motion_some_sound(const scree_sim *sim, uint32_t first, uint32_t end)
{
    uint32_t from, to;
    find_some(sim, &from, &to);
    from = MAX(from, first);
    to = MIN(to, end);
    return from >= to || scree_motion_sound(sim, scree_diagnostics_seeks_crossing(sim), from, to);
}

bool scree_motion_check_some(scree_sim *sim, GError **error)
{
    uint32_t first, last;
    find_some(sim, &first, &last);
    sim->checks.next = last;
    return check_range(sim, scree_diagnostics_seeks_crossing(sim), first, last, error);
}

/** Blames the integrator for a displacement that is not finite. */
static bool check_moved(const scree_sim *sim, uint32_t first, uint32_t last, GError **error)
{
    const scree_displacements *d = &sim->displacements;
    uint64_t bad = 0;
    for (int k = 0; k < 3; k++)
        bad += sim->kernels->not_finite(last - first, d->moved[k] + first) +
               sim->kernels->not_finite(last - first, d->turned[k] + first);
    if (!bad)
        return true;
    for (uint32_t i = first; i < last; i++) {
        const double at[6] = {d->moved[0][i],  d->moved[1][i],  d->moved[2][i],
                              d->turned[0][i], d->turned[1][i], d->turned[2][i]};
        if (!sim->kernels->not_finite(6, at))
            continue;
        return scree_call_blame(
            sim->plugins.body.integrator, moving_call(sim), scree_not_finite_status(sim), error,
            "body %" PRIu64 " is displaced by (%g, %g, %g) m and (%g, %g, %g) rad%s",
            sim->world->id[i], at[0], at[1], at[2], at[3], at[4], at[5],
            scree_not_finite_hint(sim));
    }
    return true;
}

bool scree_motion_check_moved(const scree_sim *sim, bool all, GError **error)
{
    const uint32_t n = sim->world->n_free, some = MIN(n, MAX((uint32_t)SOME, n / SHARE));
    const uint32_t first = all || sim->checks.next >= n ? 0 : sim->checks.next;
    return check_moved(sim, first, all ? n : MIN(n, first + some), error);
}

/* ---- how far bodies move ---- */

bool scree_motion_samples(const scree_sim *sim)
{
    return !sim->displacements.current && sim->lag == 0.0 &&
           sim->checks.refresh != sim->counters.gcd_calls;
}

void scree_motion_sample(scree_sim *sim)
{
    sim->checks.samples = scree_motion_samples(sim);
    sim->checks.refresh = sim->counters.gcd_calls;
    sim->checks.own = scree_ranks_rows(sim);
    if (sim->checks.samples)
        scree_motion_keep_some(sim, &sim->checks.sampled);
}

bool scree_motion_check_sample(scree_sim *sim, double since, bool accepted, GError **error)
{
    const scree_world *w = sim->world;
    const scree_body_copy *kept = &sim->checks.sampled;
    const uint32_t n = kept->last - kept->first;
    if (!sim->checks.samples)
        return true;
    sim->checks.samples = !accepted;
    const scree_rows *then = &sim->checks.own, now = scree_ranks_rows(sim);
    const uint32_t first = MAX(kept->first, MAX(then->first, now.first));
    const uint32_t last = MIN(kept->last, MIN(then->end, now.end));
    for (uint32_t i = first; i < last; i++) {
        double moved[3], said[3], off = 0.0, slack = PROMISE_SLACK * w->radius[i];
        for (uint32_t k = 0; k < 3; k++) {
            const double was = kept->values[(uint64_t)(SCREE_KEPT_PLACE + k) * n + i - kept->first];
            moved[k] = w->x[k][i] - was;
            said[k] = w->v[k][i] * since;
            off = fmax(off, fabs(moved[k] - said[k]));
            slack += PROMISE_SHARE * fabs(said[k]) + 1e-14 * (fabs(was) + fabs(moved[k]));
        }
        if (off > slack)
            return scree_call_blame(
                sim->plugins.body.integrator, moving_call(sim), SCREE_EXIT_PLUGIN, error,
                "body %" PRIu64 " has moved by (%g, %g, %g) m in %g s; expected v × since = "
                "(%g, %g, %g) m, as it gives no displacements of its own",
                w->id[i], moved[0], moved[1], moved[2], since, said[0], said[1], said[2]);
    }
    return true;
}

/* ---- bodies that a plugin may not write ---- */

static void list_arrays(const scree_world *w, const double *arrays[KEPT_ARRAYS])
{
    for (int k = 0; k < 4; k++)
        arrays[k] = w->q[k];
    for (int k = 0; k < 3; k++) {
        arrays[SCREE_KEPT_PLACE + k] = w->x[k];
        arrays[7 + k] = w->v[k];
        arrays[10 + k] = w->w[k];
    }
}

void scree_motion_keep(const scree_sim *sim, scree_body_copy *kept, uint32_t first, uint32_t last)
{
    const double *arrays[KEPT_ARRAYS];
    kept->first = first;
    kept->last = MAX(first, last);
    uint64_t n = kept->last - first;
    if (!n)
        return;
    scree_aligned_grow(&kept->values, &kept->capacity, n * KEPT_ARRAYS, 0, sizeof(double));
    list_arrays(sim->world, arrays);
    for (uint64_t k = 0; k < KEPT_ARRAYS; k++)
        memcpy(kept->values + k * n, arrays[k] + first, n * sizeof(double));
}

void scree_motion_keep_some(const scree_sim *sim, scree_body_copy *kept)
{
    const uint32_t n = sim->world->n_free, some = MIN(n, MAX((uint32_t)SOME, n / SHARE));
    const uint32_t first = kept->last < n ? kept->last : 0;
    scree_motion_keep(sim, kept, first, MIN(n, first + some));
}

void scree_motion_keep_walls(const scree_sim *sim, scree_body_copy *kept)
{
    const scree_world *w = sim->world;
    const uint32_t n = w->n - w->n_free, some = scree_break_on ? n : MAX((uint32_t)SOME, n / SHARE);
    const uint32_t first = n ? w->n_free + sim->step % ((n + some - 1) / some) * some : w->n;
    scree_motion_keep(sim, kept, first, MIN(w->n, first + some));
}

void scree_motion_forget(scree_body_copy *kept)
{
    free(kept->values);
    *kept = (scree_body_copy){0};
}

uint32_t scree_motion_changed(const scree_sim *sim, const scree_body_copy *kept, uint32_t first)
{
    const double *arrays[KEPT_ARRAYS];
    const uint64_t n = kept->last - kept->first;
    first = MAX(first, kept->first);
    list_arrays(sim->world, arrays);
    if (first < kept->last)
        for (uint64_t k = 0; k < KEPT_ARRAYS; k++) {
            const double *was = kept->values + k * n - kept->first;
            if (!memcmp(was + first, arrays[k] + first, (kept->last - first) * sizeof(double)))
                continue;
            for (uint32_t i = first; i < kept->last; i++)
                if (memcmp(was + i, arrays[k] + i, sizeof(double)) != 0)
                    return i;
        }
    return SCREE_NONE;
}

uint32_t scree_motion_changed_fixed(const scree_sim *sim, const scree_body_copy *kept)
{
    const scree_world *w = sim->world; // planes are last; moving ones are among fixed ones
    uint32_t i = scree_motion_changed(sim, kept, w->first_fixed);
    while (i != SCREE_NONE && w->motion[i] != SCREE_MOTION_FIXED)
        i = scree_motion_changed(sim, kept, i + 1);
    return i;
}

bool scree_motion_check_writes(const scree_sim *sim, const scree_instance *plugin, const char *call,
                               uint32_t i, GError **error)
{
    static const char *const names[] = {"free", "kinematic", "fixed"};
    const scree_world *w = sim->world;
    return i == SCREE_NONE ||
           scree_call_blame(
               plugin, call, SCREE_EXIT_PLUGIN, error,
               "it wrote to body %" PRIu64
               ", which is %s: now at (%g, %g, %g) m with velocity (%g, %g, %g) m/s and spin (%g, "
               "%g, %g) rad/s",
               w->id[i], names[w->motion[i]], w->x[0][i], w->x[1][i], w->x[2][i], w->v[0][i],
               w->v[1][i], w->v[2][i], w->w[0][i], w->w[1][i], w->w[2][i]);
}

bool scree_motion_check_kept(const scree_sim *sim, bool fixed, const char *call, GError **error)
{
    const uint32_t i = fixed ? scree_motion_changed_fixed(sim, &sim->checks.copy)
                             : scree_motion_changed(sim, &sim->checks.copy, sim->world->n_free);
    return scree_motion_check_writes(sim, sim->plugins.body.integrator, call, i, error);
}
