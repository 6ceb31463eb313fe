/* SPDX-License-Identifier: Apache-2.0 */
/* The observers of a run: when each is due, its view, its end. */
#include "engine/observers.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/say.h"
#include "base/shortage.h"
#include "engine/contact_list.h"
#include "engine/observer_view.h"
#include "engine/pieces.h"
#include "engine/ranks.h"
#include "engine/shared_fields.h"
#include "engine/sim.h"
#include "plugin/call.h"
#include "plugin/events.h"
#include "plugin/instance.h"
#include "plugin/kinds.h"
#include "plugin/plugin_state.h"
#include "plugin/scalars.h"
#include "plugin/slot.h"
#include "scene/query_service.h"
#include "scene/scene_condition.h"

/** An active observer. */
typedef struct live_observer {
    const scree_timed_choice *timed;
    scree_instance *instance; // NULL: rank 0 has it
    const scree_observer_ops *ops;
    scree_listed wants; // what it needs of view->contacts
    uint64_t seen;      // last step that it was due at, or that it goes on from; UINT64_MAX: none
    double seen_time;   // [s] time of this step
    double seen_wall;   // [s] clock at this step
    uint64_t called;    // last step of a call in this run; UINT64_MAX: none
    uint64_t shown;     // last step of a call in this run or the one before; UINT64_MAX: none
    bool in_pieces;     // each rank shows its own bodies
    bool is_new;        // added by the last commit, or waits for the next
    double *scalars;    // [instance->n_scalars]; NULL: none
} live_observer;

struct scree_observers {
    scree_sim *sim;
    live_observer *live;
    uint32_t n;
    GArray *staged;           // live_observer: all observers after the next commit; NULL: no change
    bool watching;            // some observer sees every step
    bool named;               // only observers in pieces have instances: rank 0 has the others
    scree_shown_piece *piece; // NULL: one rank
};

/** Returns whether an observer sees every step. */
static bool watches(const live_observer *live)
{
    return (live->instance->demands.needs & SCREE_WANTS_EVERY_STEP) != 0;
}

/** Returns whether an observer reads energies and momenta. */
static bool reads_sums(const live_observer *live)
{
    return (live->instance->demands.needs & SCREE_DRAFT_WANTS_SUMS) != 0;
}

/** Adds records that this observer needs. */
static void record_for(scree_records *records, const live_observer *live)
{
    records->contacts |= live->wants != SCREE_LISTED_NONE;
    records->by_law |= live->wants == SCREE_LISTED_BY_LAW;
    records->fields |=
        live->wants == SCREE_LISTED_BY_LAW ||
        (live->wants != SCREE_LISTED_NONE && scree_contact_list_is_used(live->instance));
}

static scree_listed level_of(const scree_records *records)
{
    return records->by_law     ? SCREE_LISTED_BY_LAW
           : records->contacts ? SCREE_LISTED_TOTAL
                               : SCREE_LISTED_NONE;
}

/** Resets the records; `walls`: loads on walls are still recorded. */
static void record_nothing(scree_records *records, bool walls)
{
    records->figures = records->contacts = records->by_law = records->fields = false;
    records->pieces = records->piece_contacts = false;
    records->walls = walls;
}

static void free_observer(live_observer *live)
{
    g_clear_pointer(&live->scalars, scree_scalars_free);
    g_clear_pointer(&live->instance, scree_instance_free);
}

/** Notes that the current state was shown. */
static void note_seen(const scree_sim *sim, live_observer *live)
{
    live->seen = live->shown = sim->step;
    live->seen_time = scree_sim_time(sim);
}

/** Returns whether an observer is shown pieces: not if it reads what only rank 0 has. */
static bool takes_pieces(const scree_instance *one)
{
    const uint64_t whole = SCREE_WANTS_LAWS | SCREE_WANTS_EVERY_STEP | SCREE_DRAFT_WANTS_SUMS;
    return one->in_pieces && !(one->demands.needs & whole) && !one->n_uses && !one->summer.size &&
           !one->has_query;
}

/** Makes the instance of an observer: it may ask for pieces, unless a clock says when it is due. */
static bool make_instance(scree_observers *observers, const scree_timed_choice *timed,
                          live_observer *live, GError **error)
{
    scree_runtime *runtime = &observers->sim->runtime;
    const scree_slot slot = {.kind = SCREE_KIND_OBSERVER, .name = timed->name};
    const scree_pieces *pieces = runtime->pieces;
    if (observers->named && !(timed->choice->plugin->flags & SCREE_CAP_RANKS))
        return true;
    if (timed->every_wall > 0.0)
        runtime->pieces = NULL;
    live->instance = scree_observer_new(runtime, timed->choice, slot, error);
    runtime->pieces = pieces;
    if (!live->instance)
        return false;
    live->in_pieces = takes_pieces(live->instance);
    if (observers->named && !live->in_pieces)
        g_clear_pointer(&live->instance, scree_instance_free);
    return true;
}

static bool make_observer(scree_observers *observers, const scree_timed_choice *timed,
                          live_observer *live, GError **error)
{
    *live = (live_observer){.timed = timed,
                            .seen = UINT64_MAX,
                            .called = UINT64_MAX,
                            .shown = UINT64_MAX,
                            .seen_wall = scree_now()};
    if (!make_instance(observers, timed, live, error))
        return false;
    if (!live->instance)
        return true;
    live->ops = live->instance->ops;
    live->scalars = scree_scalars_room(live->instance);
    live->wants = scree_instance_lists(live->instance);
    if (scree_terms_check(observers->sim->scene, timed->name, live->instance, error))
        return true;
    free_observer(live);
    return false;
}

/** Lists the active observers in the sim, and notes whether one sees every step. */
static void note_watchers(scree_observers *observers)
{
    observers->watching = false;
    g_ptr_array_set_size(observers->sim->observers, 0);
    for (uint32_t i = 0; i < observers->n; i++) {
        if (!observers->live[i].instance)
            continue;
        observers->watching = observers->watching || watches(&observers->live[i]);
        g_ptr_array_add(observers->sim->observers, observers->live[i].instance);
    }
}

scree_observers *scree_observers_new(scree_sim *sim, GError **error)
{
    const GPtrArray *choices = sim->scene->observers;
    g_autoptr(scree_observers) observers = g_new0(scree_observers, 1);
    observers->sim = sim;
    observers->named = !scree_ranks_writes(sim->ranks);
    observers->piece = scree_pieces_new(sim);
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
    const uint32_t n = observers->named ? 0 : observers->n;
    for (uint32_t i = 0; i < n; i++)
        record_for(&sim->records, &observers->live[i]);
    sim->records.walls = n > 0;
    return scree_sim_start(sim, error);
}

void scree_observers_go_on(scree_observers *observers)
{
    const GPtrArray *states = observers->sim->runtime.handed;
    const char *kind = scree_kind_name(SCREE_KIND_OBSERVER);
    for (uint32_t i = 0; i < observers->n; i++) {
        const scree_instance *one = observers->live[i].instance;
        if (!one)
            continue;
        const scree_saved_state *from = scree_saved_states_find(states, one->slot);
        if (one->state && (!from || !from->claimed))
            scree_say(SCREE_SAY_NOTE,
                      "%s: %s/%s begins without a state: the checkpoint has none of it", one->slot,
                      kind, one->plugin->id);
        note_seen(observers->sim, &observers->live[i]);
    }
    const guint n = states ? states->len : 0;
    for (guint i = 0; i < n; i++) {
        const scree_saved_state *from = states->pdata[i];
        if (!from->claimed && !strcmp(from->kind, kind))
            scree_say(SCREE_SAY_NOTE, "%s: the state of %s/%s is dropped", from->slot, from->kind,
                      from->id);
    }
    g_clear_pointer(&observers->sim->runtime.handed, g_ptr_array_unref);
}

void scree_observers_free(scree_observers *observers)
{
    if (!observers)
        return;
    scree_observers_unstage(observers);
    g_ptr_array_set_size(observers->sim->observers, 0);
    for (uint32_t i = 0; i < observers->n; i++)
        free_observer(&observers->live[i]);
    scree_pieces_free(observers->piece);
    g_free(observers->live);
    g_free(observers);
}

/** Returns whether an observer is due once `step` is reached. */
static bool is_due_observer(const scree_observers *observers, const live_observer *live,
                            uint64_t step)
{
    const scree_timed_choice *timed = live->timed;
    if (live->seen == UINT64_MAX)
        return true;
    if (timed->every_steps)
        return step % timed->every_steps == 0;
    if (timed->every_time > 0.0)
        return scree_interval_ends(timed->every_time, live->seen_time,
                                   scree_sim_time_at(observers->sim, step));
    return timed->every_wall > 0.0 && scree_now() - live->seen_wall >= timed->every_wall;
}

void scree_observers_prepare(scree_observers *observers, bool last)
{
    scree_sim *sim = observers->sim;
    record_nothing(&sim->records, false);
    sim->watched = last || observers->watching;
    for (uint32_t i = 0; i < observers->n; i++) {
        const live_observer *live = &observers->live[i];
        if (!live->instance)
            continue;
        if (live->in_pieces && !last) {
            const bool due = is_due_observer(observers, live, sim->step + 1);
            sim->records.pieces |= due;
            sim->records.piece_contacts |= due && live->wants != SCREE_LISTED_NONE;
            continue;
        }
        const bool due = last || live->timed->every_wall > 0.0 || // which is unknown in advance
                         is_due_observer(observers, live, sim->step + 1);
        sim->watched = sim->watched || due;
        sim->records.walls = sim->records.walls || due;
        if (due || watches(live))
            record_for(&sim->records, live);
    }
}

bool scree_observers_can_end(const scree_observers *observers)
{
    const scree_records *records = &observers->sim->records; // of the last step
    bool can = true;
    for (uint32_t i = 0; i < observers->n; i++) {
        const live_observer *live = &observers->live[i];
        can = can && (live->seen == observers->sim->step ||
                      (records->walls && level_of(records) >= live->wants));
    }
    return can;
}

typedef int32_t (*view_fn)(void *instance, const scree_view *view);

/** Shows a state by `fn`; NULL: reads the scalars. */
static bool show(scree_observers *observers, live_observer *live, const char *name, view_fn fn,
                 const scree_view *view, GError **error)
{
    scree_sim *sim = observers->sim;
    GError *failed = NULL;
    if (live->in_pieces && !scree_ranks_apart(sim))
        scree_pieces_whole(observers->piece);
    scree_shared_fields_show(sim, live->instance, &sim->shared, &sim->view);
    scree_query_service_open(sim->asked.service, sim->plugins.contact.resolvers);
    scree_call call = scree_call_begin(live->instance, SCREE_CALL_STEP, name);
    observers->sim->runtime.summed.contacts = view->contacts;
    int32_t code = fn ? fn(live->instance->self, view)
                      : live->instance->scalars->read(live->instance->self, view, live->scalars);
    observers->sim->runtime.summed.contacts = NULL;
    code = scree_call_end(&call, code, SCREE_OK, error);
    scree_shared_fields_hide(&sim->view);
    if (scree_query_service_close(sim->asked.service, &failed)) {
        if (error)
            g_clear_error(error);
        g_propagate_error(error, failed);
        return false;
    }
    if (code >= 0)
        return true;
    // A file name that is taken or invalid is a mistake of the scene, as in create().
    if (live->instance->bad_name && code == SCREE_E_CONFIG && error && *error &&
        (*error)->code == SCREE_EXIT_RUN)
        (*error)->code = SCREE_EXIT_USAGE;
    return false;
}

/** Views of the current state, made for the first observer that needs them. */
typedef struct sight {
    scree_view due, bare; // size 0: not made yet
    scree_energy energy;
    scree_contact_list contacts; // of both; size 0: not listed yet
} sight;

/** Returns the view for one observer; `own`: memory for its list of contacts. */
static scree_view view_of(const scree_sim *sim, const live_observer *live, const scree_view *all,
                          scree_contact_list *own)
{
    scree_view view = *all;
    if (!reads_sums(live)) {
        view.energy = NULL;
        memset(view.momentum, 0, sizeof view.momentum);
        memset(view.angular_momentum, 0, sizeof view.angular_momentum);
    }
    if (live->wants == SCREE_LISTED_NONE || !view.contacts) {
        view.contacts = NULL;
        return view;
    }
    *own = *view.contacts;
    if (live->wants != SCREE_LISTED_BY_LAW) {
        own->n_laws = 0;
        own->laws = NULL;
    }
    scree_contact_copy_show(sim, sim->records.kept, live->instance, own);
    view.contacts = own;
    return view;
}

/** Returns whether an observer gets the contacts that it wants. They are listed once, because a new
 * list frees the arrays of the previous one. A state that was put back has no list before its next
 * evaluation. */
static bool has_contacts(const scree_observers *observers, const live_observer *live, sight *s)
{
    return live->wants == SCREE_LISTED_NONE || s->contacts.size ||
           scree_record_list(observers->sim, &s->contacts);
}

/** Returns the view for an observer; not `due`: without energies. */
static const scree_view *sight_of(scree_observers *observers, const live_observer *live, bool due,
                                  sight *s)
{
    scree_view *view = due ? &s->due : &s->bare;
    if (due && (!view->size || (reads_sums(live) && !view->energy)))
        scree_view_fill(observers->sim, view, reads_sums(live) ? &s->energy : NULL);
    else if (!view->size)
        scree_view_state(observers->sim, view);
    if (live->wants != SCREE_LISTED_NONE && has_contacts(observers, live, s))
        view->contacts = &s->contacts;
    return view;
}

/** Calls observe() with the current state. */
static bool observe(scree_observers *observers, live_observer *live, bool due, sight *s,
                    GError **error)
{
    scree_sim *sim = observers->sim;
    scree_contact_list own;
    scree_view view = view_of(sim, live, sight_of(observers, live, due, s), &own);
    view.again = live->shown == sim->step;
    const bool ok = show(observers, live, "observe", live->ops->observe, &view, error);
    live->called = live->shown = sim->step;
    if (due) {
        note_seen(sim, live);
        live->seen_wall = scree_now();
    }
    return ok;
}

/** Notes that another rank shows the state to an observer that is due. */
static void note_due(const scree_observers *observers, live_observer *live, bool due)
{
    if (due)
        note_seen(observers->sim, live);
}

bool scree_observers_meet(scree_observers *observers, bool *meets, GError **error)
{
    const scree_sim *sim = observers->sim;
    *meets = false;
    for (uint32_t i = 0; i < observers->n && scree_ranks_apart(sim); i++)
        *meets = *meets || (observers->live[i].in_pieces && observers->live[i].seen != sim->step &&
                            is_due_observer(observers, &observers->live[i], sim->step));
    return !*meets || scree_pieces_meet(observers->piece, error);
}

bool scree_observers_observe(scree_observers *observers, bool all, const char *only, GError **error)
{
    const uint64_t step = observers->sim->step;
    sight now = {.due = {.size = 0}};
    scree_working_on("what observers see");
    scree_query_service_forget(observers->sim->asked.service);
    if (!observers->n)
        return true;
    scree_phase former = scree_sim_enter(observers->sim, SCREE_PHASE_OBSERVE);
    uint64_t begin = scree_ticks();
    bool ok = true;
    for (uint32_t i = 0; i < observers->n && ok; i++) {
        live_observer *live = &observers->live[i];
        const bool due = (only ? live->shown : live->seen) != step &&
                         (all || is_due_observer(observers, live, step));
        if (!live->instance || (only && strcmp(only, live->timed->name)))
            continue;
        if (observers->named && !scree_ranks_apart(observers->sim))
            note_due(observers, live, due); // rank 0 shows all
        else if (due && !has_contacts(observers, live, &now))
            ok = !only || scree_fail(error, SCREE_EXIT_USAGE,
                                     "observers.%s needs contacts: expected a step after the state "
                                     "was put back, got none",
                                     only);
        else if (due || (watches(live) && live->called != step))
            ok = observe(observers, live, due, &now, error);
    }
    scree_sim_enter(observers->sim, former);
    observers->sim->counters.ledger.observe_wall += scree_ticks() - begin;
    return ok;
}

/* ---- scalars, for conditions ---- */

static live_observer *find_live(const scree_observers *observers, const char *name)
{
    for (uint32_t i = 0; i < observers->n; i++)
        if (!strcmp(observers->live[i].timed->name, name))
            return &observers->live[i];
    return NULL;
}

void scree_observers_want(scree_observers *observers, const char *name)
{
    scree_sim *sim = observers->sim;
    const live_observer *live = find_live(observers, name);
    if (!live || !live->instance)
        return;
    sim->watched = sim->records.walls = true;
    record_for(&sim->records, live);
}

bool scree_observers_read(scree_observers *observers, const char *name,
                          const scree_instance **instance, const double **value, GError **error)
{
    const scree_sim *sim = observers->sim;
    live_observer *live = find_live(observers, name);
    sight now = {.due = {.size = 0}};
    scree_contact_list own;
    *instance = live ? live->instance : NULL;
    *value = live ? live->scalars : NULL;
    if (!live || !live->instance || !live->instance->scalars)
        return true;
    scree_view view = view_of(sim, live, sight_of(observers, live, true, &now), &own);
    view.again = live->shown == sim->step;
    scree_scalars_clear(live->instance, live->scalars);
    return show(observers, live, "read", NULL, &view, error) &&
           scree_scalars_check(live->instance, live->scalars, error);
}

static bool finish_observer(scree_sim *sim, const live_observer *live, const scree_view *view,
                            GError **error)
{
    scree_shared_fields_show(sim, live->instance, &sim->shared, &sim->view);
    scree_call call = scree_call_begin(live->instance, SCREE_CALL_CONFIG, "finish");
    int32_t code = live->ops->finish(live->instance->self, view);
    code = scree_call_end(&call, code, SCREE_OK, error);
    scree_shared_fields_hide(&sim->view);
    return code >= 0;
}

bool scree_observers_leave(scree_observers *observers, GError **error)
{
    scree_view view;
    bool ok = true;
    scree_view_state(observers->sim, &view);
    for (uint32_t i = 0; i < observers->n && ok && observers->named; i++)
        ok = !observers->live[i].instance ||
             finish_observer(observers->sim, &observers->live[i], &view, error);
    return ok;
}

bool scree_observers_share(const scree_observers *observers)
{
    bool any = false;
    for (uint32_t i = 0; i < observers->n; i++)
        any = any || observers->live[i].in_pieces;
    return any;
}

bool scree_observers_finish(scree_observers *observers, GError **error)
{
    scree_view view;
    const scree_instance *one;
    const double *value;
    bool ok = true;
    for (uint32_t i = 0; i < observers->n && ok; i++)
        ok = scree_observers_read(observers, observers->live[i].timed->name, &one, &value, error);
    scree_view_state(observers->sim, &view);
    for (uint32_t i = 0; i < observers->n && ok; i++)
        ok = finish_observer(observers->sim, &observers->live[i], &view, error);
    return ok && scree_event_log_finish(observers->sim->runtime.events, error);
}

/* ---- observers exchanged during a run ---- */

const scree_choice_of *scree_observers_choice(const scree_observers *observers, const char *name)
{
    const live_observer *live = find_live(observers, name);
    return live ? live->timed->choice : NULL;
}

/** Gives the files of a writer another name. */
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

/** Keeps an observer's files: its successor cannot use the same name. */
static void retire_writer(scree_observers *observers, const live_observer *live, bool back)
{
    g_autofree char *slot =
        scree_slot_print((scree_slot){.kind = SCREE_KIND_OBSERVER, .name = live->timed->name});
    g_autofree char *earlier =
        g_strdup_printf("%s (until step %" PRIu64 ")", slot, observers->sim->step);
    rename_writer(observers, back ? earlier : slot, back ? slot : earlier);
}

static bool stage_one(scree_observers *observers, const scree_timed_choice *timed, GPtrArray *notes,
                      GError **error)
{
    const live_observer *before = find_live(observers, timed->name);
    live_observer made;
    scree_runtime *runtime = &observers->sim->runtime;
    g_autoptr(GPtrArray) states = scree_saved_states_new();
    if (before && before->instance && !scree_saved_states_save(states, before->instance, error))
        return false;
    GPtrArray *handed = runtime->handed;
    runtime->handed = states;
    runtime->handed_lax = true;
    const bool is_made = make_observer(observers, timed, &made, error);
    runtime->handed = handed;
    if (!is_made)
        return false;
    for (guint k = 0; k < states->len; k++)
        scree_saved_state_note(states->pdata[k], notes);
    made.is_new = true;
    note_seen(observers->sim, &made); // due by its interval only
    made.shown = before ? before->shown : UINT64_MAX;
    made.called = observers->sim->step;
    g_array_append_val(observers->staged, made);
    return true;
}

bool scree_observers_stage(scree_observers *observers, const GPtrArray *changes, GPtrArray *notes,
                           GError **error)
{
    observers->staged = g_array_new(FALSE, FALSE, sizeof(live_observer));
    bool ok = true;
    for (uint32_t i = 0; i < observers->n && ok; i++) {
        const scree_timed_choice *change =
            scree_timed_find(changes, observers->live[i].timed->name);
        observers->live[i].is_new = false;
        if (!change) {
            g_array_append_val(observers->staged, observers->live[i]);
            continue;
        }
        retire_writer(observers, &observers->live[i], false);
        ok = !change->choice || stage_one(observers, change, notes, error);
    }
    for (guint k = 0; k < changes->len && ok; k++) {
        const scree_timed_choice *change = changes->pdata[k];
        ok = !change->choice || find_live(observers, change->name) ||
             stage_one(observers, change, notes, error);
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
        live_observer *staged = &g_array_index(observers->staged, live_observer, k);
        if (staged->is_new)
            free_observer(staged);
    }
    for (uint32_t i = 0; i < observers->n; i++)
        if (!is_staged(observers, observers->live[i].instance))
            retire_writer(observers, &observers->live[i], true);
    g_clear_pointer(&observers->staged, g_array_unref);
}

bool scree_observers_check_uses(const scree_observers *observers, GError **error)
{
    const live_observer *all = observers->staged
                                   ? (const live_observer *)(void *)observers->staged->data
                                   : observers->live;
    const uint32_t n = observers->staged ? observers->staged->len : observers->n;
    for (uint32_t i = 0; i < n; i++)
        if (all[i].instance && !scree_shared_fields_check(observers->sim, all[i].instance, error))
            return false;
    return true;
}

bool scree_observers_commit(scree_observers *observers, bool trial, GError **error)
{
    scree_view view;
    bool ok = true;
    scree_view_state(observers->sim, &view);
    if (!trial)
        for (uint32_t i = 0; i < observers->n; i++) {
            const scree_instance *one = observers->live[i].instance;
            if (!one || is_staged(observers, one))
                continue;
            ok = ok && finish_observer(observers->sim, &observers->live[i], &view, error);
            free_observer(&observers->live[i]);
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
    record_nothing(&sim->records, true);
    for (uint32_t i = 0; i < observers->n; i++)
        if (observers->live[i].is_new)
            record_for(&sim->records, &observers->live[i]);
}

bool scree_observers_try(scree_observers *observers, GError **error)
{
    sight now = {.due = {.size = 0}};
    bool ok = true;
    for (uint32_t i = 0; i < observers->n && ok; i++)
        if (observers->live[i].is_new && !observers->named)
            ok = observe(observers, &observers->live[i], true, &now, error);
    return ok;
}

uint32_t scree_observers_count(const scree_observers *observers)
{
    return observers ? observers->n : 0;
}

const scree_instance *scree_observers_instance(const scree_observers *observers, uint32_t i)
{
    return observers->live[i].instance;
}

const double *scree_observers_scalars(const scree_observers *observers, uint32_t i)
{
    return observers->live[i].scalars;
}
