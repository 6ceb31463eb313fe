/* SPDX-License-Identifier: Apache-2.0 */
/* Lets entries of the schedule act: at a step, at a time, or when a condition holds. */
#include "change/schedule.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "change/condition_state.h"
#include "change/swap.h"
#include "engine/sim_plugins.h"

/* ---- entries ---- */

/** Whether an entry acts, because `step` is reached or its condition holds. */
static bool may_act(scree_sim *sim, guint k, uint64_t step)
{
    const scree_schedule_entry *entry = sim->scene->schedule->pdata[k];
    if (sim->swaps.schedule_done[k])
        return false;
    if (entry->at_step)
        return step >= entry->step;
    if (entry->at_time) // with a tolerance: 3 times 0.1 s is 0.3 s
        return scree_sim_time_at(sim, step) >= entry->time * (1.0 - 1e-12);
    return scree_condition_of_entry(sim, k)->due;
}

bool scree_schedule_check(scree_sim *sim, GError **error)
{
    const GPtrArray *entries = sim->scene->schedule;
    scree_plugin_set all = {.gcd = NULL};
    for (guint k = 0; k < entries->len; k++) {
        const scree_schedule_entry *entry = entries->pdata[k];
        if (sim->swaps.schedule_done[k] || !(entry->set->resolvers || entry->set->forces))
            continue;
        all.resolvers = entry->set->resolvers ? entry->set->resolvers : all.resolvers;
        all.forces = entry->set->forces ? entry->set->forces : all.forces;
        g_autofree char *place = scree_schedule_place(entry);
        if (scree_swap_make(sim, &all, NULL, NULL, error))
            continue;
        g_prefix_error(error, "%s: schedule[%u] (%s): ", place, k, entry->cause);
        return false;
    }
    return true;
}

/** Whether an entry can act before the step after `last`. A changed dt makes times uncertain. */
static bool can_act(const scree_sim *sim, const scree_schedule_entry *entry, uint64_t last,
                    bool same_dt)
{
    const double time = same_dt ? scree_sim_time_at(sim, last) * (1.0 + 1e-12) : HUGE_VAL;
    if (entry->at_step)
        return entry->step <= last + entry->by_hand;
    if (entry->at_time)
        return entry->time <= time;
    return scree_condition_is_possible(entry->when->terms, (double)last, time);
}

bool scree_schedule_check_end(const scree_sim *sim, uint64_t end, GError **error)
{
    const GPtrArray *entries = sim->scene->schedule;
    bool same_dt = true;
    for (guint k = 0; k < entries->len; k++)
        same_dt = same_dt && !((const scree_schedule_entry *)entries->pdata[k])->settings.has_dt;
    const guint n = end ? entries->len : 0;
    for (guint k = 0; k < n; k++) {
        const scree_schedule_entry *entry = entries->pdata[k];
        if (sim->swaps.schedule_done[k] || can_act(sim, entry, end - 1, same_dt))
            continue;
        g_autofree char *place = scree_schedule_place(entry);
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "%s: schedule[%u] (%s): it can never act: the last step of the scene "
                          "begins at step %" PRIu64 ", %.9g s (scene.steps = %" PRIu64 ")",
                          place, k, entry->cause, end - 1, scree_sim_time_at(sim, end - 1), end);
    }
    return true;
}

void scree_schedule_pass(scree_sim *sim)
{
    for (guint k = 0; sim->step && k < sim->scene->schedule->len; k++) {
        const scree_schedule_entry *entry = sim->scene->schedule->pdata[k];
        if ((entry->at_step || entry->at_time) && may_act(sim, k, sim->step - 1))
            sim->swaps.schedule_done[k] = 1;
    }
}

void scree_schedule_prepare(scree_sim *sim, scree_observers *observers)
{
    for (guint k = 0; k < sim->scene->schedule->len && !sim->watched; k++)
        sim->watched = may_act(sim, k, sim->step + 1);
    scree_conditions_prepare(sim, observers);
}

static bool run_entries(scree_sim *sim, scree_observers *observers, bool by_hand, GError **error)
{
    const GPtrArray *entries = sim->scene->schedule;
    for (guint k = 0; k < entries->len && !sim->swaps.ended_by; k++) {
        const scree_schedule_entry *entry = entries->pdata[k];
        if (entry->by_hand != by_hand || !may_act(sim, k, sim->step))
            continue;
        sim->swaps.schedule_done[k] = 1;
        const scree_settings *settings =
            scree_settings_any(&entry->settings) ? &entry->settings : NULL;
        const scree_swap *swap =
            entry->relative
                ? scree_swap_group(sim, observers, entry->relative, settings, entry->cause, error)
                : scree_swap_run(sim, observers, entry->set, settings, entry->cause, error);
        if (!swap)
            return false;
        scree_acted acted = {k, swap->refused != NULL, entry->cause};
        g_array_append_val(sim->swaps.acted, acted);
        scree_swap_say(swap);
        if (swap->refused && !entry->goes_on)
            sim->swaps.ended_by = k + 1;
    }
    return true;
}

bool scree_schedule_check_ended(const scree_sim *sim, GError **error)
{
    const guint k = sim->swaps.ended_by;
    if (!k)
        return true;
    const scree_schedule_entry *entry = sim->scene->schedule->pdata[k - 1];
    g_autofree char *place = scree_schedule_place(entry);
    return scree_fail(error, SCREE_EXIT_RUN,
                      "%s: schedule[%u] (%s) was refused, which ended the run: with if_refused = "
                      "\"go_on\" it goes on with the previous plugins",
                      place, k - 1, entry->cause);
}

bool scree_schedule_run(scree_sim *sim, scree_observers *observers, bool last, GError **error)
{
    if (!sim->scene->schedule->len)
        return true;
    scree_phase former = scree_sim_enter(sim, SCREE_PHASE_EDIT);
    bool done = run_entries(sim, observers, true, error) &&
                (last || run_entries(sim, observers, false, error));
    scree_sim_enter(sim, former);
    return done;
}
