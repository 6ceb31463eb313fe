/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of a state in memory, and checkpoints. */
#include "change/condition_state.h"
#include "engine/sim_plugins.h"
#include "engine/snapshot.h"
#include "engine/wall_samples.h"
#include "lib/visit.h"
#include "plugin/guard.h"

/* Everything of a run that a step changes and a restart gives back. The rest (lists, boxes, candidates)
 * follows from it. */
struct sc_state {
    uint64_t run; /* number of the run */
    scree_snapshot *snapshot;
    GArray *conditions;
    guint n_swaps; /* with the entries of the schedule that have acted */
    /* parts of the account and of the loop that the snapshot does not have */
    scree_exact_sum lost_ended, wall_power, wall_work; /* [J], [W], [J] */
    double particle_steps;
    uint64_t steps, done;
    int ended_by;
};

void sc_state_free(sc_state *state)
{
    if (!state)
        return;
    g_array_unref(state->conditions);
    scree_snapshot_free(state->snapshot);
    g_free(state);
}

static void fill_state(const sc_run *run, sc_state *s)
{
    const scree_run *r = &run->run;
    const scree_sim *sim = r->sim;
    s->run = run->number;
    s->conditions = scree_conditions_keep(sim);
    s->n_swaps = sim->swaps.all->len;
    s->lost_ended = sim->account.lost_ended;
    s->wall_power = sim->account.wall_power;
    s->wall_work = sim->account.wall_work;
    s->particle_steps = r->particle_steps;
    s->steps = r->steps;
    s->done = r->done;
    s->ended_by = r->ended_by;
}

int32_t sc_state_take(sc_run *run, sc_state **state)
{
    GError *error = NULL;
    if (!state || !scree_lib_enter(run, SCREE_LIB_READY, false))
        return SC_E_USE;
    if (*state && (*state)->run != run->number) {
        scree_fail(&error, SCREE_EXIT_USAGE, "sc_state_take: the older copy is of another run");
        return scree_lib_leave(run, error);
    }
    sc_state *s = *state ? *state : g_new0(sc_state, 1);
    g_clear_pointer(&s->conditions, g_array_unref);
    s->snapshot = scree_snapshot_quick(s->snapshot, run->run.sim);
    scree_snapshot_sort(s->snapshot);
    fill_state(run, s);
    *state = s;
    scree_snapshot_check(s->snapshot, &error);
    return scree_lib_leave(run, error);
}

/** Puts the state in. False with an error: the run cannot continue. */
static bool put_in(sc_run *run, const sc_state *s, GError **error)
{
    scree_run *r = &run->run;
    scree_sim *sim = r->sim;
    if (s->snapshot->states->len && !scree_plugins_renew(sim, s->snapshot->states, error))
        return false;
    scree_snapshot_restore(sim, s->snapshot);
    sim->displacements.current = false; // they led to another state
    sim->account.lost_ended = s->lost_ended;
    sim->account.wall_power = s->wall_power;
    sim->account.wall_work = s->wall_work;
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    scree_conditions_restore(sim, s->conditions, notes);
    scree_wall_samples_back(sim);
    scree_guard_name_step(sim->step);
    r->particle_steps = s->particle_steps;
    r->steps = s->steps;
    r->done = s->done;
    r->ended_by = s->ended_by;
    r->complete = false;
    return true;
}

int32_t sc_state_put(sc_run *run, const sc_state *state)
{
    GError *error = NULL;
    if (!state || !scree_lib_enter(run, SCREE_LIB_READY, false))
        return SC_E_USE;
    if (state->run != run->number)
        scree_fail(&error, SCREE_EXIT_USAGE, "sc_state_put: the state is of another run");
    else if (state->n_swaps != run->run.sim->swaps.all->len)
        scree_fail(&error, SCREE_EXIT_USAGE,
                   "sc_state_put: plugins or settings were swapped since the state was taken");
    else if (!put_in(run, state, &error))
        run->phase = SCREE_LIB_FAILED;
    return scree_lib_leave(run, error);
}

int32_t sc_save(sc_run *run, const char *path)
{
    GError *error = NULL;
    if (!scree_lib_enter(run, SCREE_LIB_READY, true))
        return SC_E_USE;
    if (path)
        scree_checkpoint_write(run->run.sim, NULL, path, &error);
    else
        scree_fail(&error, SCREE_EXIT_USAGE, "sc_save: expected a path, got NULL");
    return scree_lib_leave(run, error);
}
