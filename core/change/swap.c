/* SPDX-License-Identifier: Apache-2.0 */
/* Exchanges plugins during a run: all of a set, or none. */
#include "change/swap.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/say.h"
#include "change/apply_settings.h"
#include "change/swap_apply.h"
#include "change/swap_trial.h"
#include "config/config.h"
#include "config/config_node.h"
#include "config/config_problem.h"
#include "engine/diagnostics.h"
#include "engine/lane.h"
#include "engine/ranks.h"
#include "engine/sim_plugins.h"
#include "engine/step.h"
#include "plugin/kinds.h"
#include "scene/schema_scene.h"

/*
 * A swap is tried in a forked child first (swap_trial.c): a crash, hang or refusal there refuses
 * the swap here, without an effect. Otherwise this process applies it (swap_apply.c).
 */

/* ---- present and new plugins ---- */

typedef struct present {
    const scree_sim *sim;
    const scree_observers *observers;
} present;

/** The choice that made the instance in a slot (scree_base_fn). */
static const scree_choice_of *base_of_sim(void *user, scree_slot slot)
{
    const present *p = user;
    if (slot.kind == SCREE_KIND_OBSERVER)
        return p->observers ? scree_observers_choice(p->observers, slot.name) : NULL;
    g_autofree char *name = scree_slot_print(slot);
    g_autoptr(GPtrArray) all = scree_plugins_list(p->sim);
    for (guint i = 0; i < all->len; i++) {
        const scree_instance *one = all->pdata[i];
        if (g_str_equal(one->slot, name))
            return one->choice;
    }
    return NULL;
}

static void note_change(scree_swap *swap, present *now, scree_slot slot, const scree_choice_of *to)
{
    const scree_choice_of *from = base_of_sim(now, slot);
    scree_swap_change change = {scree_slot_print(slot), g_strdup(from ? from->plugin->id : NULL),
                                g_strdup(to ? to->plugin->id : NULL)};
    g_array_append_val(swap->changes, change);
}

static void note_list(scree_swap *swap, present *now, uint32_t kind, const GPtrArray *list)
{
    if (!list)
        return;
    for (guint k = 0;; k++) {
        const scree_slot slot = {.kind = kind, .index = k};
        if (k >= list->len && !base_of_sim(now, slot))
            return;
        note_change(swap, now, slot, k < list->len ? list->pdata[k] : NULL);
    }
}

static void note_slots(scree_swap *swap, present *now, uint32_t kind, const GPtrArray *slots)
{
    if (slots)
        for (guint k = 0; k < slots->len; k++) {
            const scree_timed_choice *timed = slots->pdata[k];
            note_change(swap, now, (scree_slot){.kind = kind, .name = timed->name}, timed->choice);
        }
}

static void note_changes(scree_swap *swap, present *now, const scree_plugin_set *set)
{
    if (set->gcd)
        note_change(swap, now, (scree_slot){.kind = SCREE_KIND_GCD}, set->gcd);
    note_list(swap, now, SCREE_KIND_RESOLVER, set->resolvers);
    note_list(swap, now, SCREE_KIND_FORCE, set->forces);
    if (set->integrator)
        note_change(swap, now, (scree_slot){.kind = SCREE_KIND_INTEGRATOR}, set->integrator);
    note_slots(swap, now, SCREE_KIND_MODIFIER, set->modifiers);
    note_slots(swap, now, SCREE_KIND_OBSERVER, set->observers);
}

/* ---- swap ---- */

bool scree_swap_make(scree_sim *sim, const scree_plugin_set *set, const scree_settings *settings,
                     scree_swap *swap, GError **error)
{
    static const scree_settings none;
    scree_saved_plugins saved;
    GPtrArray *handed = sim->runtime.handed; // it is for the plugins of the start
    sim->runtime.handed = NULL;
    const bool made = scree_plugins_make(sim, set, &saved, error);
    sim->runtime.handed = handed;
    if (!made)
        return false;
    const bool steps = swap && (set->forces || (settings && settings->has_dt));
    const bool done = !steps || scree_settings_step(sim, settings ? settings : &none, &swap->dt,
                                                    &swap->critical, error);
    scree_plugins_exchange(sim, &saved);
    scree_plugins_free(sim, &saved);
    if (saved.has_bodies)
        scree_plugins_place(sim);
    return done;
}

/** Checks a swap without an effect, and finds the step. False: it is refused. */
static bool check_swap(scree_sim *sim, scree_observers *observers, const scree_plugin_set *set,
                       const scree_settings *settings, bool plugins, scree_swap *swap,
                       GError **error)
{
    if (settings && !scree_settings_check(sim, settings, error))
        return false;
    if (!plugins)
        return !settings || !settings->has_dt ||
               scree_settings_step(sim, settings, &swap->dt, &swap->critical, error);
    return sim->swaps.trusted ? scree_swap_make(sim, set, settings, swap, error)
                              : scree_swap_try(sim, observers, set, settings, swap, error);
}

/** On several ranks: takes what rank 0 has found in its check. False: the run cannot continue. */
static bool take_verdict(const scree_sim *sim, bool *good, scree_swap *swap, GError **why,
                         GError **error)
{
    double verdict[3] = {*good, swap->dt, swap->critical};
    if (!sim->ranks)
        return true;
    if (!scree_ranks_send(sim->ranks, verdict, sizeof verdict, error))
        return false;
    *good = verdict[0] > 0.0;
    swap->dt = verdict[1];
    swap->critical = verdict[2];
    return *good || scree_ranks_writes(sim->ranks) ||
           !scree_fail(why, SCREE_EXIT_RUN, "rank 0 refuses it");
}

/** Tries a swap, then applies it; *refused: it had no effect. False with an error: the run cannot
 * continue. */
static bool exchange(scree_sim *sim, scree_observers *observers, const scree_plugin_set *set,
                     const scree_settings *settings, scree_swap *swap, GError **why, GError **error)
{
    const bool plugins = set->gcd || set->integrator || set->resolvers || set->forces ||
                         set->modifiers || set->observers;
    bool good = scree_ranks_writes(sim->ranks) &&
                check_swap(sim, observers, set, settings, plugins, swap, why);
    if (!take_verdict(sim, &good, swap, why, error))
        return false;
    good = good && (!plugins || scree_swap_apply(sim, observers, set, swap, false, why));
    if (!good)
        swap->refused = g_strdup(*why ? (*why)->message : "no reason given");
    return !sim->ranks || scree_ranks_agree(sim->ranks, swap->refused, error);
}

/** Tries a swap. True: done, or refused with a reason in the swap. False with an error: the run
 * cannot continue, because a removed observer could not finish its files, or ranks differ. */
static bool attempt(scree_sim *sim, scree_observers *observers, const scree_plugin_set *set,
                    const scree_settings *settings, scree_swap *swap, GError **error)
{
    g_autoptr(GError) why = NULL;
    present now = {sim, observers};
    note_changes(swap, &now, set);
    swap->dt = sim->dt;
    if (!exchange(sim, observers, set, settings, swap, &why, error))
        return false;
    if (swap->refused) {
        if (settings && !swap->changes->len)
            scree_settings_note(sim, settings, settings->dt, swap);
        return true;
    }
    if (settings && !scree_settings_change(sim, settings, swap->dt, swap, error))
        return false;
    if (swap->critical > 0.0) {
        sim->critical = swap->critical;
        scree_diagnostics_swapped(sim);
    }
    return !set->observers || !set->observers->len ||
           scree_observers_commit(observers, false, error);
}

const scree_swap *scree_swap_run(scree_sim *sim, scree_observers *observers,
                                 const scree_plugin_set *set, const scree_settings *settings,
                                 const char *cause, GError **error)
{
    if (!scree_sim_settle(sim, error))
        return NULL;
    scree_swap *swap = scree_swap_new(sim->step, scree_sim_time(sim), cause);
    g_ptr_array_add(sim->swaps.all, swap);
    return attempt(sim, observers, set, settings, swap, error) ? swap : NULL;
}

/** Reads the root of a config, which it owns, as `set` of a schedule; NULL with an error.
 * `settings` NULL: only plugins. */
static scree_plugin_set *read_set(const scree_sim *sim, scree_observers *observers,
                                  scree_config *config, scree_settings *settings, GError **error)
{
    present now = {sim, observers};
    scree_materials *materials = &sim->scene->materials;
    scree_build build = {
        .scene = sim->scene, .config = config, .shape_names = sim->scene->shape_names_known};
    materials->build = &build;
    materials->fill = scree_schema_fill_scene;
    if (settings && config->root)
        scree_build_set_settings(&build, config->root, settings);
    scree_plugin_set *set = config->root ? scree_build_set(&build, config->root, base_of_sim, &now)
                                         : g_new0(scree_plugin_set, 1);
    materials->build = NULL;
    materials->fill = NULL;
    set->config = config;
    if (!scree_config_failed(config, error))
        return set;
    scree_plugin_set_free(set);
    return NULL;
}

/** Swaps the plugins of a set that was read; NULL: `why` has the mistakes, which refuse the
 * swap. */
static const scree_swap *swap_set(scree_sim *sim, scree_observers *observers, scree_plugin_set *set,
                                  const scree_settings *settings, const GError *why,
                                  const char *cause, GError **error)
{
    if (set) {
        g_ptr_array_add(sim->swaps.adopted, set);
        return scree_swap_run(sim, observers, set, settings, cause, error);
    }
    scree_swap *swap = scree_swap_new(sim->step, scree_sim_time(sim), cause);
    swap->refused = g_strdup(why->message);
    g_ptr_array_add(sim->swaps.all, swap);
    return swap;
}

const scree_swap *scree_swap_group(scree_sim *sim, scree_observers *observers,
                                   const scree_node *group, const scree_settings *settings,
                                   const char *cause, GError **error)
{
    g_autoptr(GError) why = NULL;
    scree_config *config = scree_config_new();
    config->root = scree_node_copy(group);
    scree_plugin_set *set = read_set(sim, observers, config, NULL, &why);
    return swap_set(sim, observers, set, settings, why, cause, error);
}

const scree_swap *scree_swap_config(scree_sim *sim, scree_observers *observers,
                                    scree_config *config, const char *cause, GError **error)
{
    g_autoptr(GError) why = NULL;
    scree_settings settings = {.groups = NULL};
    scree_plugin_set *set = read_set(sim, observers, config, &settings, &why);
    const scree_swap *swap = swap_set(
        sim, observers, set, scree_settings_any(&settings) ? &settings : NULL, why, cause, error);
    if (settings.groups)
        g_array_unref(settings.groups);
    return swap;
}

/* ---- results of swaps, for people (lines) and for programs (JSON) ---- */

/** "gcd a -> b, force[0] none -> c"; new string. */
static char *list_changes(const scree_swap *swap)
{
    GString *list = g_string_new(NULL);
    for (guint k = 0; k < swap->changes->len; k++) {
        const scree_swap_change *change = &g_array_index(swap->changes, scree_swap_change, k);
        g_string_append_printf(list, "%s%s %s -> %s", k ? ", " : "", change->slot,
                               change->from ? change->from : "none",
                               change->to ? change->to : "off");
    }
    return g_string_free(list, FALSE);
}

static void say_differences(const scree_swap *swap)
{
    if (swap->candidates)
        scree_say(SCREE_SAY_NEWS, "  candidates: %" PRIu64 " before, %" PRIu64 " more",
                  swap->candidates, swap->extra);
    if (swap->difference > 0.0)
        scree_say(SCREE_SAY_NEWS,
                  "  forces differ by up to %.4g N (body %" PRIu64
                  "; the largest before is %.4g N)",
                  swap->difference, swap->body, swap->largest);
    else if (swap->compared)
        scree_say(SCREE_SAY_NEWS, "  forces are the same");
    if (swap->gravity_work > 0.0 || swap->gravity_work < 0.0)
        scree_say(SCREE_SAY_NEWS, "  potential energy changes by %.6g J, booked as work",
                  swap->gravity_work);
    if (swap->work > 0.0 || swap->work < 0.0)
        scree_say(SCREE_SAY_NEWS, "  stored energy changes by %.6g J, booked as work", swap->work);
    if (swap->critical > 0.0 && swap->dt > swap->critical)
        scree_say(SCREE_SAY_WARNING,
                  "dt = %g s is above the critical step of the laws, %g s: bodies "
                  "with many contacts may gain energy",
                  swap->dt, swap->critical);
    if (swap->dropped || swap->carried)
        scree_say(SCREE_SAY_NEWS,
                  "  %" PRIu64 " contacts keep their history, %" PRIu64 " lost theirs",
                  swap->carried, swap->dropped);
}

void scree_swap_say(const scree_swap *swap)
{
    g_autofree char *changes = list_changes(swap);
    if (swap->refused) {
        scree_say(SCREE_SAY_WARNING, "step %" PRIu64 " (%s): %s%srefused, nothing has changed: %s",
                  swap->step, swap->cause, changes, *changes ? " " : "", swap->refused);
        return;
    }
    scree_say(SCREE_SAY_NEWS, "step %" PRIu64 " (%s): %s", swap->step, swap->cause, changes);
    for (guint k = 0; k < swap->fields->len; k++)
        scree_say(SCREE_SAY_NEWS, "  %s", (const char *)swap->fields->pdata[k]);
    say_differences(swap);
}

void scree_swap_json(const scree_swap *swap, scree_json *json)
{
    scree_json_open_object(json, NULL);
    scree_json_uint(json, "step", swap->step);
    scree_json_real(json, "time", swap->time);
    scree_json_string(json, "cause", swap->cause);
    scree_json_bool(json, "done", !swap->refused);
    scree_json_string(json, "refused", swap->refused);
    scree_json_open_array(json, "changes");
    for (guint k = 0; k < swap->changes->len; k++) {
        const scree_swap_change *change = &g_array_index(swap->changes, scree_swap_change, k);
        scree_json_open_object(json, NULL);
        scree_json_string(json, "slot", change->slot);
        scree_json_string(json, "from", change->from);
        scree_json_string(json, "to", change->to);
        scree_json_close_object(json);
    }
    scree_json_close_array(json);
    scree_json_open_array(json, "fields");
    for (guint k = 0; !swap->refused && k < swap->fields->len; k++)
        scree_json_string(json, NULL, swap->fields->pdata[k]);
    scree_json_close_array(json);
    scree_json_real(json, "force_difference", swap->difference);
    scree_json_real(json, "largest_force", swap->largest);
    scree_json_uint(json, "candidates", swap->candidates);
    scree_json_uint(json, "missing", swap->missing);
    scree_json_uint(json, "extra", swap->extra);
    scree_json_real(json, "work", swap->work);
    scree_json_real(json, "gravity_work", swap->gravity_work);
    scree_json_uint(json, "pasts_carried", swap->carried);
    scree_json_uint(json, "pasts_dropped", swap->dropped);
    scree_json_close_object(json);
}

/** Whether an entry with a step or time has not acted, also because a continued run began after it.
 * condition_state.c reports the others. */
static bool is_idle(const scree_sim *sim, guint k)
{
    bool acted = ((const scree_schedule_entry *)sim->scene->schedule->pdata[k])->when != NULL;
    for (guint i = 0; i < sim->swaps.acted->len; i++)
        acted = acted || g_array_index(sim->swaps.acted, scree_acted, i).entry == k;
    return !acted;
}

/** Writes the causes, or the places, of entries that have not acted. */
static void write_idle(const scree_sim *sim, const char *key, scree_json *json)
{
    scree_json_open_array(json, key);
    for (guint k = 0; k < sim->scene->schedule->len; k++) {
        const scree_schedule_entry *entry = sim->scene->schedule->pdata[k];
        g_autofree char *place = scree_schedule_place(entry);
        if (is_idle(sim, k))
            scree_json_string(json, NULL, g_str_has_suffix(key, "_at") ? place : entry->cause);
    }
    scree_json_close_array(json);
}

void scree_swaps_json(const scree_sim *sim, scree_json *json)
{
    scree_json_open_array(json, "swaps");
    for (guint k = 0; k < sim->swaps.all->len; k++)
        scree_swap_json(sim->swaps.all->pdata[k], json);
    scree_json_close_array(json);
    if (sim->swaps.ended_by)
        scree_json_uint(json, "ended_by_entry", sim->swaps.ended_by - 1);
    else
        scree_json_null(json, "ended_by_entry");
    write_idle(sim, "never_acted", json);
    write_idle(sim, "never_acted_at", json);
}
