/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the steps of a run, ends it, and reads its figures. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "change/schedule.h"
#include "engine/digest.h"
#include "engine/figures.h"
#include "engine/step.h"
#include "lib/visit.h"
#include "plugin/instance.h"

static bool is_cancelled(const sc_run *run)
{
    return __atomic_load_n(&run->cancelled, __ATOMIC_RELAXED);
}

/** Called after each step. */
static void on_step(void *user, const scree_run *r)
{
    sc_run *run = user;
    if (run->lines->len)
        scree_lib_say_rest(run);
    if (run->wall_end > 0.0 && scree_now() >= run->wall_end)
        run->run.pause = true;
    if (!run->progress || r->done % run->progress_every)
        return;
    g_autoptr(GError) error = NULL;
    if (!scree_sim_settle(r->sim, &error)) // the next step fails for the same reason
        return;
    run->shows = true;
    scree_lib_out(run);
    const int32_t ends = run->progress(run->progress_user, run);
    scree_lib_in(run);
    run->shows = false;
    if (ends)
        sc_cancel(run);
}

/** Number of steps until the state has reached a time. */
static uint64_t count_steps(const scree_sim *sim, double time)
{
    const double n = ceil((time - scree_sim_time(sim)) / sim->dt - 1e-12 * time / sim->dt);
    return n < 1.0 ? 0 : n < 0x1p62 ? (uint64_t)n : UINT64_MAX;
}

/** Advances to the limits; `time` again after a step has changed dt. */
static bool advance(sc_run *run, const sc_until *until, GError **error)
{
    scree_run *r = &run->run;
    const uint64_t most = until->steps ? until->steps : UINT64_MAX, first = r->done;
    bool ok = true, more = true;
    while (ok && more && !r->pause && !is_cancelled(run) && r->ended_by < 0) {
        uint64_t n = most - (r->done - first);
        const uint64_t left = until->time > 0.0 ? count_steps(r->sim, until->time) : UINT64_MAX;
        const uint64_t before = r->done;
        n = MIN(n, left);
        ok = scree_run_go(r, n, error);
        more = until->time > 0.0 && r->done > before && r->done < r->steps && left == n;
    }
    return ok && scree_schedule_check_ended(r->sim, error);
}

static int32_t find_end(const sc_run *run)
{
    const scree_run *r = &run->run;
    if (r->ended_by >= 0)
        return SC_ENDED_STOP;
    if (r->done >= r->steps)
        return SC_ENDED_SCENE;
    return is_cancelled(run) ? SC_ENDED_CANCELLED : SC_ENDED_LIMIT;
}

int32_t sc_advance(sc_run *run, const sc_until *until, int32_t *ended)
{
    sc_until limits = {.size = sizeof limits};
    SCREE_LIB_ENTER(run, SCREE_LIB_READY, false);
    if (until && until->size < sizeof limits) {
        scree_fail(&error, SCREE_EXIT_USAGE, "sc_until: expected its size in `size`, got %u",
                   until->size);
        return scree_lib_leave(run, error);
    }
    if (until)
        limits = *until;
    if (!(limits.time >= 0.0) || !(limits.wall >= 0.0)) {
        scree_fail(&error, SCREE_EXIT_USAGE, "sc_until: expected limits that are 0 or above");
        return scree_lib_leave(run, error);
    }
    run->run.plan.stepped = on_step;
    run->run.plan.user = run;
    run->run.pause = false;
    run->wall_end = limits.wall > 0.0 ? scree_now() + limits.wall : 0.0;
    if (!advance(run, &limits, &error))
        run->phase = SCREE_LIB_FAILED;
    if (ended)
        *ended = find_end(run);
    __atomic_store_n(&run->cancelled, 0, __ATOMIC_RELAXED);
    return scree_lib_leave(run, error);
}

int32_t sc_step(sc_run *run, uint64_t n)
{
    const sc_until until = {.size = sizeof until, .steps = n};
    return n || !run ? sc_advance(run, &until, NULL) : SC_OK;
}

void sc_cancel(sc_run *run)
{
    if (run)
        __atomic_store_n(&run->cancelled, 1, __ATOMIC_RELAXED);
}

int32_t sc_on_progress(sc_run *run, uint64_t every, int32_t (*fn)(void *user, sc_run *run),
                       void *user)
{
    if (every && !fn)
        return scree_lib_refuse(run, "sc_on_progress: expected a function, got NULL");
    SCREE_LIB_ENTER(run, SCREE_LIB_OPEN, false);
    run->progress = every ? fn : NULL;
    run->progress_every = every;
    run->progress_user = user;
    return scree_lib_leave(run, error);
}

int32_t sc_finish(sc_run *run, char **json)
{
    g_autofree char *text = NULL, *sha256 = NULL;
    SCREE_LIB_ENTER(run, SCREE_LIB_READY, false);
    run->ends = true;
    bool ok =
        scree_run_finish(&run->run, &error) && scree_run_report(&run->run, &sha256, &text, &error);
    run->phase = ok ? SCREE_LIB_FINISHED : SCREE_LIB_FAILED;
    if (json)
        *json = ok ? g_steal_pointer(&text) : NULL;
    return scree_lib_leave(run, error);
}

int32_t sc_observe(sc_run *run, const char *name)
{
    SCREE_LIB_ENTER(run, SCREE_LIB_READY, false);
    if (!name || !scree_observers_choice(run->run.observers, name))
        scree_fail(&error, SCREE_EXIT_USAGE,
                   "sc_observe: expected the name of an observer of the run, got \"%s\"",
                   name ? name : "");
    else if (!scree_observers_observe(run->run.observers, true, name, &error) &&
             !g_error_matches(error, SCREE_ERROR, SCREE_EXIT_USAGE))
        run->phase = SCREE_LIB_FAILED;
    return scree_lib_leave(run, error);
}

/* ---- numbers ---- */

uint64_t sc_step_count(const sc_run *run)
{
    return run && run->run.sim ? run->run.sim->step : 0;
}

uint64_t sc_last_step(const sc_run *run)
{
    return run && run->run.sim ? run->run.sim->scene->steps : 0;
}

double sc_time(const sc_run *run)
{
    return run && run->run.sim ? scree_sim_time(run->run.sim) : 0.0;
}

double sc_dt(const sc_run *run)
{
    return run && run->run.sim ? run->run.sim->dt : 0.0;
}

const char *sc_folder(const sc_run *run)
{
    return run ? run->run.folder : NULL;
}

int32_t sc_hash(sc_run *run, char hash[65])
{
    if (!hash)
        return scree_lib_refuse(run, "sc_hash: expected a place for 65 characters, got NULL");
    SCREE_LIB_ENTER(run, SCREE_LIB_READY, true);
    g_autofree char *text = scree_state_sha256(run->run.sim);
    g_strlcpy(hash, text, 65);
    return scree_lib_leave(run, error);
}

/** Reads a scalar "OBSERVER.SCALAR". False: no observer has this name, or it has no such scalar. */
static bool read_scalar(sc_run *run, const char *name, double *value, GError **error)
{
    const char *point = strrchr(name, '.');
    g_autofree char *slot = point ? g_strndup(name, (gsize)(point - name)) : NULL;
    const scree_instance *one = NULL;
    const double *values = NULL;
    if (!slot || !run->run.observers || // the start has failed
        !scree_observers_read(run->run.observers, slot, &one, &values, error) || !one)
        return false;
    for (uint32_t k = 0; k < one->n_scalars; k++)
        if (!strcmp(one->kept_scalars[k].name, point + 1)) {
            *value = values[k];
            return true;
        }
    return false;
}

int32_t sc_figure(sc_run *run, const char *name, double *value)
{
    if (!name || !value)
        return scree_lib_refuse(run,
                                "sc_figure: expected a name and a place for the value, got NULL");
    SCREE_LIB_ENTER(run, SCREE_LIB_READY, true);
    const int32_t k = scree_figure_find(name);
    double all[SCREE_MOST_FIGURES];
    if (k >= 0) {
        scree_figures_now(run->run.sim, UINT64_C(1) << k, all);
        *value = all[k];
    } else if (!read_scalar(run, name, value, &error) && !error) {
        const char *names[SCREE_MOST_FIGURES + 1] = {NULL};
        for (uint32_t i = 0; scree_figure_at(i); i++)
            names[i] = scree_figure_at(i)->name;
        g_autofree char *hint = scree_did_you_mean(name, names);
        scree_fail(&error, SCREE_EXIT_USAGE, "expected a figure or OBSERVER.SCALAR, got \"%s\"%s",
                   name, hint);
    }
    return scree_lib_leave(run, error);
}
