/* SPDX-License-Identifier: Apache-2.0 */
/* The observers of a run: when each is due, what they are shown, how they end. */
#include "engine/observers.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/shortage.h"
#include "base/ticks.h"
#include "engine/energy.h"
#include "engine/observer_view.h"
#include "plugin/call.h"
#include "plugin/events.h"
#include "plugin/slot.h"
#include "plugin/sums.h"

/** An observer at work. */
typedef struct live_hook {
    const scree_hook *hook;
    scree_instance *instance;
    const scree_observer_ops *ops;
    bool wants_contacts;
    uint64_t seen;    // step that it saw last, UINT64_MAX: none
    double seen_wall; // [s] when that was
    bool is_new;      // came with the last commit, or waits for it
} live_hook;

struct scree_hooks {
    scree_sim *sim;
    live_hook *live;
    uint32_t n;
    GArray *staged;                // of live_hook, all of those to come; NULL: none
    bool recorded, recorded_walls; // what the step before the present state kept
    bool watching;                 // somebody watches every step
    uint64_t watched;              // the step that they saw last, UINT64_MAX: none
};

bool scree_observer_wants_contacts(scree_instance *observer, bool *wants, GError **error)
{
    const scree_observer_ops *ops = observer->ops;
    *wants = false;
    if (!SCREE_HAS(ops, wants_contacts))
        return true;
    scree_call call = scree_call_begin(observer, SCREE_CALL_CONFIG, "wants_contacts");
    int32_t answer = ops->wants_contacts(observer->self);
    answer = scree_call_end(&call, answer, 1, error);
    *wants = answer == 1;
    return answer >= 0;
}

static bool make_hook(scree_hooks *hooks, const scree_hook *hook, live_hook *live, GError **error)
{
    const scree_slot slot = {.kind = SCREE_KIND_OBSERVER, .name = hook->name};
    *live = (live_hook){.hook = hook, .seen = UINT64_MAX, .seen_wall = scree_now()};
    live->instance = scree_instance_at(&hooks->sim->runtime, hook->choice, slot, error);
    if (!live->instance)
        return false;
    live->ops = live->instance->ops;
    if (scree_observer_wants_contacts(live->instance, &live->wants_contacts, error))
        return true;
    g_clear_pointer(&live->instance, scree_instance_free);
    return false;
}

static void note_watchers(scree_hooks *hooks)
{
    hooks->watching = false;
    for (uint32_t i = 0; i < hooks->n; i++)
        hooks->watching = hooks->watching || SCREE_HAS(hooks->live[i].ops, watch);
}

scree_hooks *scree_hooks_new(scree_sim *sim, GError **error)
{
    const GPtrArray *observers = sim->scene->observers;
    g_autoptr(scree_hooks) hooks = g_new0(scree_hooks, 1);
    hooks->sim = sim;
    hooks->watched = UINT64_MAX;
    hooks->live = g_new0(live_hook, observers->len + 1);
    for (guint i = 0; i < observers->len; i++, hooks->n++)
        if (!make_hook(hooks, observers->pdata[i], &hooks->live[i], error))
            return NULL;
    note_watchers(hooks);
    return g_steal_pointer(&hooks);
}

bool scree_hooks_start(scree_hooks *hooks, GError **error)
{
    scree_sim *sim = hooks->sim;
    for (uint32_t i = 0; i < hooks->n; i++)
        sim->records.contacts = sim->records.contacts || hooks->live[i].wants_contacts;
    sim->records.walls = hooks->n > 0;
    hooks->recorded = sim->records.contacts;
    hooks->recorded_walls = sim->records.walls;
    return scree_sim_start(sim, error);
}

void scree_hooks_go_on(scree_hooks *hooks, const GArray *sums, GPtrArray *notes)
{
    scree_kept_sums_put(sums, &hooks->sim->runtime, notes);
    for (uint32_t i = 0; i < hooks->n; i++)
        hooks->live[i].seen = hooks->sim->step;
}

void scree_hooks_free(scree_hooks *hooks)
{
    if (!hooks)
        return;
    scree_hooks_unstage(hooks);
    for (uint32_t i = 0; i < hooks->n; i++)
        scree_instance_free(hooks->live[i].instance);
    g_free(hooks->live);
    g_free(hooks);
}

/** How many whole intervals of simulated time lie between the run's start and a step; a hair more
 * than the quotient, so that 3 times 0.1 s is 0.3 s. */
static double intervals(const scree_hooks *hooks, const live_hook *live, uint64_t step)
{
    double time = (double)step * hooks->sim->dt;
    return floor(time / live->hook->every_time * (1.0 + 1e-12));
}

/** Whether an observer is due once `step` has been reached. */
static bool is_due(const scree_hooks *hooks, const live_hook *live, uint64_t step)
{
    const scree_hook *hook = live->hook;
    if (live->seen == UINT64_MAX)
        return true;
    if (hook->every_steps)
        return step % hook->every_steps == 0;
    if (hook->every_time > 0.0)
        return intervals(hooks, live, step) > intervals(hooks, live, live->seen);
    return hook->every_wall > 0.0 && scree_now() - live->seen_wall >= hook->every_wall;
}

/** Whether it may be: what the clock on the wall will say is not known before. */
static bool may_be_due(const scree_hooks *hooks, const live_hook *live, uint64_t step)
{
    return live->hook->every_wall > 0.0 || is_due(hooks, live, step);
}

void scree_hooks_prepare(scree_hooks *hooks, bool last)
{
    scree_sim *sim = hooks->sim;
    sim->records.contacts = sim->records.walls = false;
    sim->watched = last || hooks->watching;
    for (uint32_t i = 0; i < hooks->n; i++) {
        const live_hook *live = &hooks->live[i];
        bool due = last || may_be_due(hooks, live, sim->step + 1);
        sim->watched = sim->watched || due;
        sim->records.walls = sim->records.walls || due;
        sim->records.contacts = sim->records.contacts || (due && live->wants_contacts);
    }
    hooks->recorded = sim->records.contacts;
    hooks->recorded_walls = sim->records.walls;
}

bool scree_hooks_can_end(const scree_hooks *hooks)
{
    bool can = true;
    for (uint32_t i = 0; i < hooks->n; i++) {
        const live_hook *live = &hooks->live[i];
        can = can && (live->seen == hooks->sim->step ||
                      (hooks->recorded_walls && (hooks->recorded || !live->wants_contacts)));
    }
    return can;
}

typedef int32_t (*view_fn)(void *instance, const scree_view *view);

static bool show(scree_hooks *hooks, live_hook *live, const char *name, view_fn fn,
                 const scree_view *view, GError **error)
{
    scree_call call = scree_call_begin(live->instance, SCREE_CALL_STEP, name);
    int32_t code = fn(live->instance->self, view);
    code = scree_call_end(&call, code, SCREE_OK, error);
    if (code >= 0)
        return true;
    // A name of a file that is taken or bad is the scene's mistake, as in create().
    if (live->instance->bad_name && code == SCREE_E_CONFIG && error && *error &&
        (*error)->code == SCREE_EXIT_RUN)
        (*error)->code = SCREE_EXIT_USAGE;
    return false;
}

/** Those who watch see the present state, once. */
static bool watch(scree_hooks *hooks, GError **error)
{
    scree_view view;
    bool ok = true;
    if (!hooks->watching || hooks->watched == hooks->sim->step)
        return true;
    scree_view_state(hooks->sim, &view);
    hooks->watched = hooks->sim->step;
    for (uint32_t i = 0; i < hooks->n && ok; i++)
        if (SCREE_HAS(hooks->live[i].ops, watch))
            ok = show(hooks, &hooks->live[i], "watch", hooks->live[i].ops->watch, &view, error);
    return ok;
}

/** The present state as an observer sees it; contacts only if somebody wants them. */
typedef struct sight {
    bool filled, has_contacts;
    scree_view view;
    scree_energy energy;
    scree_contact_list contacts;
} sight;

static void fill_sight(scree_hooks *hooks, sight *s)
{
    s->has_contacts = hooks->recorded;
    scree_view_fill(hooks->sim, &s->view, &s->energy, s->has_contacts ? &s->contacts : NULL);
    s->filled = true;
}

bool scree_hooks_observe(scree_hooks *hooks, bool all, GError **error)
{
    sight now = {.filled = false};
    scree_working_on("what observers see");
    if (!hooks->n)
        return watch(hooks, error);
    scree_phase former = scree_sim_enter(hooks->sim, SCREE_PHASE_OBSERVE);
    uint64_t begin = scree_ticks();
    bool ok = watch(hooks, error);
    for (uint32_t i = 0; i < hooks->n && ok; i++) {
        live_hook *live = &hooks->live[i];
        if (live->seen == hooks->sim->step || (!all && !is_due(hooks, live, hooks->sim->step)))
            continue;
        if (!now.filled)
            fill_sight(hooks, &now);
        scree_view view = now.view;
        if (!live->wants_contacts)
            view.contacts = NULL;
        ok = show(hooks, live, "observe", live->ops->observe, &view, error);
        live->seen = hooks->sim->step;
        live->seen_wall = scree_now();
    }
    scree_sim_enter(hooks->sim, former);
    hooks->sim->counters.ledger.observe_wall += scree_ticks() - begin;
    return ok;
}

static bool finish(const live_hook *live, const scree_view *view, GError **error)
{
    scree_call call = scree_call_begin(live->instance, SCREE_CALL_CONFIG, "finish");
    int32_t code = live->ops->finish(live->instance->self, view);
    return scree_call_end(&call, code, SCREE_OK, error) >= 0;
}

bool scree_hooks_finish(scree_hooks *hooks, GError **error)
{
    scree_view view;
    scree_energy energy;
    bool ok = true;
    if (hooks->n)
        scree_view_fill(hooks->sim, &view, &energy, NULL);
    for (uint32_t i = 0; i < hooks->n && ok; i++)
        ok = finish(&hooks->live[i], &view, error);
    return ok && scree_event_log_finish(hooks->sim->runtime.events, error);
}

/* ---- observers that come and go in mid-run ---- */

static const scree_hook *find_change(const GPtrArray *changes, const char *name)
{
    for (guint k = 0; k < changes->len; k++)
        if (!strcmp(((const scree_hook *)changes->pdata[k])->name, name))
            return changes->pdata[k];
    return NULL;
}

static live_hook *find_live(const scree_hooks *hooks, const char *name)
{
    for (uint32_t i = 0; i < hooks->n; i++)
        if (!strcmp(hooks->live[i].hook->name, name))
            return &hooks->live[i];
    return NULL;
}

const scree_choice_of *scree_hooks_choice(const scree_hooks *hooks, const char *name)
{
    const live_hook *live = find_live(hooks, name);
    return live ? live->hook->choice : NULL;
}

/** Files that were written under one name are another's from now on. */
static void rename_writer(scree_hooks *hooks, const char *from, const char *to)
{
    GHashTableIter all;
    gpointer file, writer;
    if (!hooks->sim->runtime.writers)
        return;
    g_hash_table_iter_init(&all, hooks->sim->runtime.writers);
    while (g_hash_table_iter_next(&all, &file, &writer))
        if (!strcmp(writer, from))
            g_hash_table_iter_replace(&all, g_strdup(to));
}

/** What an observer has written stays as it is: who takes its place cannot have the name of its
 * file. */
static void retire_writer(scree_hooks *hooks, const live_hook *live, bool back)
{
    g_autofree char *slot =
        scree_slot_print((scree_slot){.kind = SCREE_KIND_OBSERVER, .name = live->hook->name});
    g_autofree char *past = g_strdup_printf("%s (until step %" PRIu64 ")", slot, hooks->sim->step);
    rename_writer(hooks, back ? past : slot, back ? slot : past);
}

static bool stage_one(scree_hooks *hooks, const scree_hook *hook, GError **error)
{
    const live_hook *before = find_live(hooks, hook->name);
    live_hook made;
    if (!make_hook(hooks, hook, &made, error))
        return false;
    made.is_new = true;
    if (before)
        scree_sums_take_over(made.instance, before->instance);
    made.seen = hooks->sim->step; // its turn comes with its interval
    g_array_append_val(hooks->staged, made);
    return true;
}

bool scree_hooks_stage(scree_hooks *hooks, const GPtrArray *changes, GError **error)
{
    hooks->staged = g_array_new(FALSE, FALSE, sizeof(live_hook));
    bool ok = true;
    for (uint32_t i = 0; i < hooks->n && ok; i++) {
        const scree_hook *change = find_change(changes, hooks->live[i].hook->name);
        hooks->live[i].is_new = false;
        if (!change) {
            g_array_append_val(hooks->staged, hooks->live[i]);
            continue;
        }
        retire_writer(hooks, &hooks->live[i], false);
        ok = !change->choice || stage_one(hooks, change, error);
    }
    for (guint k = 0; k < changes->len && ok; k++) {
        const scree_hook *change = changes->pdata[k];
        ok = !change->choice || find_live(hooks, change->name) || stage_one(hooks, change, error);
    }
    if (!ok)
        scree_hooks_unstage(hooks);
    return ok;
}

static bool is_staged(const scree_hooks *hooks, const scree_instance *instance)
{
    for (guint k = 0; k < hooks->staged->len; k++)
        if (g_array_index(hooks->staged, live_hook, k).instance == instance)
            return true;
    return false;
}

void scree_hooks_unstage(scree_hooks *hooks)
{
    if (!hooks->staged)
        return;
    for (guint k = 0; k < hooks->staged->len; k++) {
        const live_hook *staged = &g_array_index(hooks->staged, live_hook, k);
        if (staged->is_new)
            scree_instance_free(staged->instance);
    }
    for (uint32_t i = 0; i < hooks->n; i++)
        if (!is_staged(hooks, hooks->live[i].instance))
            retire_writer(hooks, &hooks->live[i], true);
    g_clear_pointer(&hooks->staged, g_array_unref);
}

bool scree_hooks_commit(scree_hooks *hooks, bool trial, GError **error)
{
    scree_view view;
    scree_energy energy;
    bool ok = true;
    scree_view_fill(hooks->sim, &view, &energy, NULL);
    if (!trial)
        for (uint32_t i = 0; i < hooks->n; i++) {
            if (is_staged(hooks, hooks->live[i].instance))
                continue;
            ok = ok && finish(&hooks->live[i], &view, error);
            scree_instance_free(hooks->live[i].instance);
        }
    g_free(hooks->live);
    hooks->n = hooks->staged->len;
    hooks->live = g_new0(live_hook, hooks->n + 1);
    if (hooks->n)
        memcpy(hooks->live, hooks->staged->data, hooks->n * sizeof *hooks->live);
    g_clear_pointer(&hooks->staged, g_array_unref);
    note_watchers(hooks);
    return ok;
}

void scree_hooks_prepare_new(scree_hooks *hooks)
{
    scree_sim *sim = hooks->sim;
    sim->records.contacts = false;
    sim->records.walls = true;
    for (uint32_t i = 0; i < hooks->n; i++)
        sim->records.contacts =
            sim->records.contacts || (hooks->live[i].is_new && hooks->live[i].wants_contacts);
}

bool scree_hooks_try(scree_hooks *hooks, GError **error)
{
    sight now = {.filled = false};
    bool ok = true;
    for (uint32_t i = 0; i < hooks->n && ok; i++) {
        live_hook *live = &hooks->live[i];
        if (!live->is_new)
            continue;
        if (!now.filled) {
            hooks->recorded = hooks->sim->records.contacts;
            fill_sight(hooks, &now);
        }
        scree_view view = now.view;
        if (!live->wants_contacts)
            view.contacts = NULL;
        if (SCREE_HAS(live->ops, watch))
            ok = show(hooks, live, "watch", live->ops->watch, &view, error);
        ok = ok && show(hooks, live, "observe", live->ops->observe, &view, error);
    }
    return ok;
}

uint32_t scree_hooks_count(const scree_hooks *hooks)
{
    return hooks->n;
}

const scree_instance *scree_hooks_instance(const scree_hooks *hooks, uint32_t i)
{
    return hooks->live[i].instance;
}
