/* SPDX-License-Identifier: Apache-2.0 */
/* The observers of a run: when each is due, the views they get, how they end. */
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
typedef struct live_observer {
    const scree_hook *hook;
    scree_instance *instance;
    const scree_observer_ops *ops;
    bool wants_contacts;
    uint64_t seen;    // last step that it saw, UINT64_MAX: none
    double seen_wall; // [s] when that was
    bool is_new;      // added by the last commit, or waits for it
} live_observer;

struct scree_observers {
    scree_sim *sim;
    live_observer *live;
    uint32_t n;
    GArray *staged; // of live_observer: all observers after the next commit; NULL: no change
    bool recorded, recorded_walls; // what the last step recorded
    bool watching;                 // somebody watches every step
    uint64_t watched;              // the last step that they saw, UINT64_MAX: none
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

static bool make_observer(scree_observers *observers, const scree_hook *hook, live_observer *live,
                          GError **error)
{
    const scree_slot slot = {.kind = SCREE_KIND_OBSERVER, .name = hook->name};
    *live = (live_observer){.hook = hook, .seen = UINT64_MAX, .seen_wall = scree_now()};
    live->instance = scree_instance_at(&observers->sim->runtime, hook->choice, slot, error);
    if (!live->instance)
        return false;
    live->ops = live->instance->ops;
    if (scree_observer_wants_contacts(live->instance, &live->wants_contacts, error))
        return true;
    g_clear_pointer(&live->instance, scree_instance_free);
    return false;
}

/** Lists those at work in the sim, and notes whether one watches every step. */
static void note_watchers(scree_observers *observers)
{
    observers->watching = false;
    g_ptr_array_set_size(observers->sim->observers, 0);
    for (uint32_t i = 0; i < observers->n; i++) {
        observers->watching = observers->watching || SCREE_HAS(observers->live[i].ops, watch);
        g_ptr_array_add(observers->sim->observers, observers->live[i].instance);
    }
}

scree_observers *scree_observers_new(scree_sim *sim, GError **error)
{
    const GPtrArray *choices = sim->scene->observers;
    g_autoptr(scree_observers) observers = g_new0(scree_observers, 1);
    observers->sim = sim;
    observers->watched = UINT64_MAX;
    observers->live = g_new0(live_observer, choices->len + 1);
    for (guint i = 0; i < choices->len; i++, observers->n++)
        if (!make_observer(observers, choices->pdata[i], &observers->live[i], error))
            return NULL;
    note_watchers(observers);
    return g_steal_pointer(&observers);
}

bool scree_observers_start(scree_observers *observers, GError **error)
{
    scree_sim *sim = observers->sim;
    for (uint32_t i = 0; i < observers->n; i++)
        sim->records.contacts = sim->records.contacts || observers->live[i].wants_contacts;
    sim->records.walls = observers->n > 0;
    observers->recorded = sim->records.contacts;
    observers->recorded_walls = sim->records.walls;
    return scree_sim_start(sim, error);
}

void scree_observers_go_on(scree_observers *observers, const GArray *sums, GPtrArray *notes)
{
    scree_kept_sums_put(sums, &observers->sim->runtime, notes);
    for (uint32_t i = 0; i < observers->n; i++)
        observers->live[i].seen = observers->sim->step;
}

void scree_observers_free(scree_observers *observers)
{
    if (!observers)
        return;
    scree_observers_unstage(observers);
    g_ptr_array_set_size(observers->sim->observers, 0);
    for (uint32_t i = 0; i < observers->n; i++)
        scree_instance_free(observers->live[i].instance);
    g_free(observers->live);
    g_free(observers);
}

/** How many whole intervals of simulated time lie between the run's start and a step; a hair more
 * than the quotient, so that 3 times 0.1 s is 0.3 s. */
static double intervals(const scree_observers *observers, const live_observer *live, uint64_t step)
{
    double time = (double)step * observers->sim->dt;
    return floor(time / live->hook->every_time * (1.0 + 1e-12));
}

/** Whether an observer is due once `step` has been reached. */
static bool is_due(const scree_observers *observers, const live_observer *live, uint64_t step)
{
    const scree_hook *hook = live->hook;
    if (live->seen == UINT64_MAX)
        return true;
    if (hook->every_steps)
        return step % hook->every_steps == 0;
    if (hook->every_time > 0.0)
        return intervals(observers, live, step) > intervals(observers, live, live->seen);
    return hook->every_wall > 0.0 && scree_now() - live->seen_wall >= hook->every_wall;
}

/** Whether it may be due: wall time is not known in advance. */
static bool may_be_due(const scree_observers *observers, const live_observer *live, uint64_t step)
{
    return live->hook->every_wall > 0.0 || is_due(observers, live, step);
}

void scree_observers_prepare(scree_observers *observers, bool last)
{
    scree_sim *sim = observers->sim;
    sim->records.contacts = sim->records.walls = false;
    sim->watched = last || observers->watching;
    for (uint32_t i = 0; i < observers->n; i++) {
        const live_observer *live = &observers->live[i];
        bool due = last || may_be_due(observers, live, sim->step + 1);
        sim->watched = sim->watched || due;
        sim->records.walls = sim->records.walls || due;
        sim->records.contacts = sim->records.contacts || (due && live->wants_contacts);
    }
    observers->recorded = sim->records.contacts;
    observers->recorded_walls = sim->records.walls;
}

bool scree_observers_can_end(const scree_observers *observers)
{
    bool can = true;
    for (uint32_t i = 0; i < observers->n; i++) {
        const live_observer *live = &observers->live[i];
        can =
            can && (live->seen == observers->sim->step ||
                    (observers->recorded_walls && (observers->recorded || !live->wants_contacts)));
    }
    return can;
}

typedef int32_t (*view_fn)(void *instance, const scree_view *view);

static bool show(scree_observers *observers, live_observer *live, const char *name, view_fn fn,
                 const scree_view *view, GError **error)
{
    scree_call call = scree_call_begin(live->instance, SCREE_CALL_STEP, name);
    int32_t code = fn(live->instance->self, view);
    code = scree_call_end(&call, code, SCREE_OK, error);
    if (code >= 0)
        return true;
    // A file name that is taken or invalid is a mistake of the scene, as in create().
    if (live->instance->bad_name && code == SCREE_E_CONFIG && error && *error &&
        (*error)->code == SCREE_EXIT_RUN)
        (*error)->code = SCREE_EXIT_USAGE;
    return false;
}

/** Calls the observers that watch every step, once per state. */
static bool watch(scree_observers *observers, GError **error)
{
    scree_view view;
    bool ok = true;
    if (!observers->watching || observers->watched == observers->sim->step)
        return true;
    scree_view_state(observers->sim, &view);
    observers->watched = observers->sim->step;
    for (uint32_t i = 0; i < observers->n && ok; i++)
        if (SCREE_HAS(observers->live[i].ops, watch))
            ok = show(observers, &observers->live[i], "watch", observers->live[i].ops->watch, &view,
                      error);
    return ok;
}

/** Fills the view of the current state; contacts only if an observer needs them. */
typedef struct sight {
    bool filled, has_contacts;
    scree_view view;
    scree_energy energy;
    scree_contact_list contacts;
} sight;

static void fill_sight(scree_observers *observers, sight *s)
{
    s->has_contacts = observers->recorded;
    scree_view_fill(observers->sim, &s->view, &s->energy, s->has_contacts ? &s->contacts : NULL);
    s->filled = true;
}

bool scree_observers_observe(scree_observers *observers, bool all, GError **error)
{
    sight now = {.filled = false};
    scree_working_on("what observers see");
    if (!observers->n)
        return watch(observers, error);
    scree_phase former = scree_sim_enter(observers->sim, SCREE_PHASE_OBSERVE);
    uint64_t begin = scree_ticks();
    bool ok = watch(observers, error);
    for (uint32_t i = 0; i < observers->n && ok; i++) {
        live_observer *live = &observers->live[i];
        if (live->seen == observers->sim->step ||
            (!all && !is_due(observers, live, observers->sim->step)))
            continue;
        if (!now.filled)
            fill_sight(observers, &now);
        scree_view view = now.view;
        if (!live->wants_contacts)
            view.contacts = NULL;
        ok = show(observers, live, "observe", live->ops->observe, &view, error);
        live->seen = observers->sim->step;
        live->seen_wall = scree_now();
    }
    scree_sim_enter(observers->sim, former);
    observers->sim->counters.ledger.observe_wall += scree_ticks() - begin;
    return ok;
}

static bool finish(const live_observer *live, const scree_view *view, GError **error)
{
    scree_call call = scree_call_begin(live->instance, SCREE_CALL_CONFIG, "finish");
    int32_t code = live->ops->finish(live->instance->self, view);
    return scree_call_end(&call, code, SCREE_OK, error) >= 0;
}

bool scree_observers_finish(scree_observers *observers, GError **error)
{
    scree_view view;
    scree_energy energy;
    bool ok = true;
    if (observers->n)
        scree_view_fill(observers->sim, &view, &energy, NULL);
    for (uint32_t i = 0; i < observers->n && ok; i++)
        ok = finish(&observers->live[i], &view, error);
    return ok && scree_event_log_finish(observers->sim->runtime.events, error);
}

/* ---- observers that come and go in mid-run ---- */

static const scree_hook *find_change(const GPtrArray *changes, const char *name)
{
    for (guint k = 0; k < changes->len; k++)
        if (!strcmp(((const scree_hook *)changes->pdata[k])->name, name))
            return changes->pdata[k];
    return NULL;
}

static live_observer *find_live(const scree_observers *observers, const char *name)
{
    for (uint32_t i = 0; i < observers->n; i++)
        if (!strcmp(observers->live[i].hook->name, name))
            return &observers->live[i];
    return NULL;
}

const scree_choice_of *scree_observers_choice(const scree_observers *observers, const char *name)
{
    const live_observer *live = find_live(observers, name);
    return live ? live->hook->choice : NULL;
}

/** Gives the files of one writer to another name. */
static void rename_writer(scree_observers *observers, const char *from, const char *to)
{
    GHashTableIter all;
    gpointer file, writer;
    if (!observers->sim->runtime.writers)
        return;
    g_hash_table_iter_init(&all, observers->sim->runtime.writers);
    while (g_hash_table_iter_next(&all, &file, &writer))
        if (!strcmp(writer, from))
            g_hash_table_iter_replace(&all, g_strdup(to));
}

/** The files of an observer stay: its successor cannot use the same file name. */
static void retire_writer(scree_observers *observers, const live_observer *live, bool back)
{
    g_autofree char *slot =
        scree_slot_print((scree_slot){.kind = SCREE_KIND_OBSERVER, .name = live->hook->name});
    g_autofree char *earlier =
        g_strdup_printf("%s (until step %" PRIu64 ")", slot, observers->sim->step);
    rename_writer(observers, back ? earlier : slot, back ? slot : earlier);
}

static bool stage_one(scree_observers *observers, const scree_hook *hook, GError **error)
{
    const live_observer *before = find_live(observers, hook->name);
    live_observer made;
    if (!make_observer(observers, hook, &made, error))
        return false;
    made.is_new = true;
    if (before)
        scree_sums_take_over(made.instance, before->instance);
    made.seen = observers->sim->step; // it is due by its interval
    g_array_append_val(observers->staged, made);
    return true;
}

bool scree_observers_stage(scree_observers *observers, const GPtrArray *changes, GError **error)
{
    observers->staged = g_array_new(FALSE, FALSE, sizeof(live_observer));
    bool ok = true;
    for (uint32_t i = 0; i < observers->n && ok; i++) {
        const scree_hook *change = find_change(changes, observers->live[i].hook->name);
        observers->live[i].is_new = false;
        if (!change) {
            g_array_append_val(observers->staged, observers->live[i]);
            continue;
        }
        retire_writer(observers, &observers->live[i], false);
        ok = !change->choice || stage_one(observers, change, error);
    }
    for (guint k = 0; k < changes->len && ok; k++) {
        const scree_hook *change = changes->pdata[k];
        ok = !change->choice || find_live(observers, change->name) ||
             stage_one(observers, change, error);
    }
    if (!ok)
        scree_observers_unstage(observers);
    return ok;
}

static bool is_staged(const scree_observers *observers, const scree_instance *instance)
{
    for (guint k = 0; k < observers->staged->len; k++)
        if (g_array_index(observers->staged, live_observer, k).instance == instance)
            return true;
    return false;
}

void scree_observers_unstage(scree_observers *observers)
{
    if (!observers->staged)
        return;
    for (guint k = 0; k < observers->staged->len; k++) {
        const live_observer *staged = &g_array_index(observers->staged, live_observer, k);
        if (staged->is_new)
            scree_instance_free(staged->instance);
    }
    for (uint32_t i = 0; i < observers->n; i++)
        if (!is_staged(observers, observers->live[i].instance))
            retire_writer(observers, &observers->live[i], true);
    g_clear_pointer(&observers->staged, g_array_unref);
}

bool scree_observers_commit(scree_observers *observers, bool trial, GError **error)
{
    scree_view view;
    scree_energy energy;
    bool ok = true;
    scree_view_fill(observers->sim, &view, &energy, NULL);
    if (!trial)
        for (uint32_t i = 0; i < observers->n; i++) {
            if (is_staged(observers, observers->live[i].instance))
                continue;
            ok = ok && finish(&observers->live[i], &view, error);
            scree_instance_free(observers->live[i].instance);
        }
    g_free(observers->live);
    observers->n = observers->staged->len;
    observers->live = g_new0(live_observer, observers->n + 1);
    if (observers->n)
        memcpy(observers->live, observers->staged->data, observers->n * sizeof *observers->live);
    g_clear_pointer(&observers->staged, g_array_unref);
    note_watchers(observers);
    return ok;
}

void scree_observers_prepare_new(scree_observers *observers)
{
    scree_sim *sim = observers->sim;
    sim->records.contacts = false;
    sim->records.walls = true;
    for (uint32_t i = 0; i < observers->n; i++)
        sim->records.contacts = sim->records.contacts ||
                                (observers->live[i].is_new && observers->live[i].wants_contacts);
}

bool scree_observers_try(scree_observers *observers, GError **error)
{
    sight now = {.filled = false};
    bool ok = true;
    for (uint32_t i = 0; i < observers->n && ok; i++) {
        live_observer *live = &observers->live[i];
        if (!live->is_new)
            continue;
        if (!now.filled) {
            observers->recorded = observers->sim->records.contacts;
            fill_sight(observers, &now);
        }
        scree_view view = now.view;
        if (!live->wants_contacts)
            view.contacts = NULL;
        if (SCREE_HAS(live->ops, watch))
            ok = show(observers, live, "watch", live->ops->watch, &view, error);
        ok = ok && show(observers, live, "observe", live->ops->observe, &view, error);
    }
    return ok;
}

uint32_t scree_observers_count(const scree_observers *observers)
{
    return observers->n;
}

const scree_instance *scree_observers_instance(const scree_observers *observers, uint32_t i)
{
    return observers->live[i].instance;
}
