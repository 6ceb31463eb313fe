/* SPDX-License-Identifier: Apache-2.0 */
/* Exchanges the plugins of a run, and maps fields and contacts to those of the new plugins. */
#include "change/swap_apply.h"

#include <math.h>
#include <string.h>

#include "engine/bonds.h"
#include "engine/columns.h"
#include "engine/contacts.h"
#include "engine/energy.h"
#include "engine/evaluate.h"
#include "engine/lane.h"
#include "engine/notify.h"
#include "engine/pose.h"
#include "engine/state.h"
#include "engine/trial_forces.h"
#include "plugin/call.h"
#include "plugin/plugin_state.h"

/*
 * 1. Contacts are exported by key, the plugins that change are saved, new instances are made,
 *    fields are mapped (columns.c), contacts are imported with the new fields.
 * 2. Modifiers set their new fields (enter).
 * 3. Contacts are evaluated once at their places, to find the energy that they store now. Forces
 *    are state and do not change (determinism.md, S6): a new law acts from the next evaluation on.
 * 4. The saved plugins are freed, or restored after a failure.
 */

/* ---- after a swap of resolvers: the history of a contact by its position ---- */

/*
 * Features are a resolver's own names for the contacts of a pair; another resolver may have other
 * names. Both evaluate the same state. For each pair, the two nearest contacts are matched, then
 * the nearest two of the rest, and so on; of equally near ones, equal names come first. History
 * without a match is dropped. Matches and drops are counted; a contact that the previous resolver
 * no longer finds has ended, and is not counted.
 */

/** A contact found by an evaluation. */
typedef struct point {
    scree_contact_key key;
    double arm[3]; /* [m] from the centre of a */
} point;

static int compare_points(const void *a, const void *b)
{
    return scree_contact_key_compare(&((const point *)a)->key, &((const point *)b)->key);
}

static void add_points(const scree_sim *sim, const scree_segment *s, GArray *points)
{
    const scree_table *t = &s->table[1 - sim->contacts.committed];
    const double *arm[3];
    for (int k = 0; k < 3; k++)
        arm[k] = scree_record_column(&s->records, offsetof(scree_record, arm[k]));
    for (uint64_t c = 0; c < t->n; c++) {
        point one = {
            scree_contact_key_of(sim->world, s, t->pair[c], t->feature ? t->feature[c] : 0),
            {arm[0][c], arm[1][c], arm[2][c]}};
        g_array_append_val(points, one);
    }
}

/** Positions of the current contacts, by key; NULL with an error. */
static GArray *find_points(scree_sim *sim, GError **error)
{
    if (!scree_trial_contacts(sim, error))
        return NULL;
    GArray *points = g_array_new(FALSE, FALSE, sizeof(point));
    for (uint32_t k = 0; k < scree_segment_count(sim); k++)
        add_points(sim, scree_segment_at(sim, k), points);
    g_array_sort(points, compare_points);
    return points;
}

static const point *at(const GArray *points, uint64_t i)
{
    return &g_array_index(points, point, i);
}

/** A previous contact, by its row in the store, and a current one of its pair. */
typedef struct match {
    double d2;    /* [m^2] squared distance of the two */
    bool renamed; /* their features differ */
    uint64_t row;
    guint contact;
} match;

static int compare_matches(const void *pa, const void *pb)
{
    const match *a = pa, *b = pb;
    int by = (a->d2 > b->d2) - (a->d2 < b->d2);
    by = by ? by : (int)a->renamed - (int)b->renamed;
    by = by ? by : (a->row > b->row) - (a->row < b->row);
    return by ? by : (a->contact > b->contact) - (a->contact < b->contact);
}

static double distance2(const point *a, const point *b)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += (a->arm[k] - b->arm[k]) * (a->arm[k] - b->arm[k]);
    return sum;
}

/** Lists the possible matches, nearest first. waits[row] = 1: the previous resolver finds the
 * contact. */
static GArray *list_matches(const scree_contact_store *store, const GArray *before,
                            const GArray *now, uint8_t *waits)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(match));
    guint found, first = 0;
    for (uint64_t i = 0; i < store->n; i++) {
        const point wanted = {.key = store->key[i]};
        waits[i] = g_array_binary_search((GArray *)before, &wanted, compare_points, &found);
        while (first < now->len &&
               scree_contact_key_compare_pair(&at(now, first)->key, &wanted.key) < 0)
            first++;
        const guint end = waits[i] ? now->len : 0;
        for (guint k = first;
             k < end && scree_contact_key_compare_pair(&at(now, k)->key, &wanted.key) == 0; k++) {
            const match one = {distance2(at(before, found), at(now, k)),
                               at(now, k)->key.feature != wanted.key.feature, i, k};
            g_array_append_val(all, one);
        }
    }
    g_array_sort(all, compare_matches);
    return all;
}

/** Replaces the features of the previous resolver by those of the new one, by the positions of
 * contacts that both find. *carried: number of matched rows. Returns the number of rows that were
 * dropped. */
static uint64_t match_contacts(scree_contact_store *store, uint32_t n_fields,
                               uint32_t n_pair_fields, const GArray *before, const GArray *now,
                               uint64_t *carried)
{
    g_autofree uint8_t *waits = g_new0(uint8_t, store->n + 1);
    g_autofree uint8_t *taken = g_new0(uint8_t, now->len + 1);
    g_autoptr(GArray) all = list_matches(store, before, now, waits);
    uint64_t dropped = 0;
    *carried = 0;
    for (guint k = 0; k < all->len; k++) {
        const match *one = &g_array_index(all, match, k);
        if (!waits[one->row] || taken[one->contact])
            continue;
        waits[one->row] = 0;
        taken[one->contact] = 1;
        store->key[one->row].feature = at(now, one->contact)->key.feature;
        ++*carried;
    }
    for (uint64_t i = 0; i < store->n; i++) {
        dropped += waits[i];
        store->key[i].id_a = waits[i] ? UINT64_MAX : store->key[i].id_a; // after all others
    }
    scree_contact_store_sort(store, n_fields, n_pair_fields);
    store->n -= dropped;
    return dropped;
}

/* ---- fields ---- */

void scree_swap_mark_newcomers(const scree_sim *sim)
{
    const GPtrArray *columns = sim->plugins.columns[SCREE_SCOPE_CONTACT];
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++)
        if (columns)
            for (guint k = 0; k < columns->len; k++) {
                const scree_column *column = columns->pdata[k];
                if (column->fresh &&
                    !strcmp(column->slot, sim->plugins.contact.laws[l].instance->slot))
                    sim->plugins.contact.laws[l].newcomer = true;
            }
}

/** Finds the bits of keep masks: a law keeps the contacts of the previous law in its slot, if it has
 * their fields. */
static void map_keep(const scree_sim *sim, const scree_saved_plugins *old, uint8_t to[8])
{
    const scree_contact_plugins *now = &sim->plugins.contact, *was = &old->plugins.contact;
    memset(to, 0, 8);
    for (uint32_t l = 0; l < MIN(now->n_laws, was->n_laws); l++)
        if (was->laws[l].keep_bit && !now->laws[l].newcomer)
            to[g_bit_nth_lsf(was->laws[l].keep_bit, -1)] = now->laws[l].keep_bit;
}

/** Imports contacts after a swap of resolvers: history goes to the nearest contact. */
static bool import_nearest(scree_sim *sim, scree_contact_store *store, const GArray *before,
                           scree_swap *swap, GError **error)
{
    scree_contacts_import(sim, store);
    g_autoptr(GArray) now = find_points(sim, error);
    if (!now)
        return false;
    swap->dropped = match_contacts(store, sim->plugins.contact.n_fields,
                                   sim->plugins.contact.n_pair_fields, before, now, &swap->carried);
    scree_contacts_import(sim, store);
    return true;
}

/** Whether the law is new in its slot, or is back with fields that were dormant. */
static bool is_new_in_slot(const scree_sim *sim, const scree_saved_plugins *old, uint32_t l)
{
    return sim->plugins.contact.laws[l].newcomer || l >= old->plugins.contact.n_laws ||
           strcmp(sim->plugins.contact.laws[l].instance->plugin->id,
                  old->plugins.contact.laws[l].instance->plugin->id) != 0;
}

/** Maps contacts; `points`: positions by the previous resolvers, NULL if these stay. */
static bool map_contacts(scree_sim *sim, const scree_saved_plugins *old,
                         const scree_contact_store *store, const GArray *points, scree_swap *swap,
                         GError **error)
{
    g_autoptr(GArray) contact = NULL;
    g_autoptr(GArray) pair = NULL;
    scree_columns_map(&sim->plugins, SCREE_SCOPE_CONTACT, old->plugins.columns[SCREE_SCOPE_CONTACT],
                      store->n, store->field, old->plugins.contact.n_fields, &contact,
                      swap->fields);
    scree_columns_map(&sim->plugins, SCREE_SCOPE_PAIR, old->plugins.columns[SCREE_SCOPE_PAIR],
                      store->n_pairs, store->pair_field, old->plugins.contact.n_pair_fields, &pair,
                      swap->fields);
    if (sim->plugins.contact.n_pair_fields > SCREE_MAX_PAIR_FIELDS)
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "more than %d components of pair fields, dormant ones included",
                          SCREE_MAX_PAIR_FIELDS);
    sim->plugins.contact.initial = scree_columns_initial(sim, SCREE_SCOPE_CONTACT);
    sim->plugins.contact.pair_initial = scree_columns_initial(sim, SCREE_SCOPE_PAIR);
    scree_swap_mark_newcomers(sim);
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++)
        sim->plugins.contact.laws[l].bonds_due =
            sim->plugins.contact.laws[l].bonds_due && is_new_in_slot(sim, old, l);
    scree_evaluate_init(sim);
    uint8_t keep[8];
    map_keep(sim, old, keep);
    scree_contact_store *mapped =
        scree_contact_store_map(store, contact, old->plugins.contact.n_fields, pair,
                                old->plugins.contact.n_pair_fields, keep);
    bool done = scree_columns_check(sim, SCREE_SCOPE_CONTACT, error) &&
                scree_columns_check(sim, SCREE_SCOPE_PAIR, error);
    if (done && points)
        done = import_nearest(sim, mapped, points, swap, error);
    else if (done)
        scree_contacts_import(sim, mapped);
    scree_contact_store_free(mapped);
    return done;
}

static bool map_bodies(scree_sim *sim, const scree_saved_plugins *old, scree_swap *swap,
                       GError **error)
{
    g_autoptr(GArray) body = NULL;
    g_autoptr(GArray) global = NULL;
    scree_columns_map(&sim->plugins, SCREE_SCOPE_BODY, old->plugins.columns[SCREE_SCOPE_BODY],
                      sim->world->n, NULL, 0, &body, swap->fields);
    scree_columns_map(&sim->plugins, SCREE_SCOPE_GLOBAL, old->plugins.columns[SCREE_SCOPE_GLOBAL],
                      1, NULL, 0, &global, swap->fields);
    if (!scree_columns_check(sim, SCREE_SCOPE_BODY, error) ||
        !scree_columns_check(sim, SCREE_SCOPE_GLOBAL, error))
        return false;
    g_autofree double *initial = scree_columns_initial(sim, SCREE_SCOPE_BODY);
    scree_body_fields fields =
        scree_world_fields_new(sim->world, &old->body_fields, body->len,
                               (const int32_t *)(const void *)body->data, initial);
    scree_world_fields_exchange(sim->world, &fields);
    scree_body_fields_clear(&fields);
    sim->plugins.body.global_field = scree_columns_initial(sim, SCREE_SCOPE_GLOBAL);
    scree_columns_row(global, old->plugins.body.global_field, sim->plugins.body.global_field,
                      sim->plugins.body.global_field);
    return true;
}

/* ---- stored energy ---- */

/** Books the change of the contacts' stored energy as work; `before`: by the previous plugins, in
 * the same trial. The account is not compared: it has the last accepted evaluation, with other
 * velocities and so other sliding springs, a difference that the swap has not caused. Both have the
 * heat of springs that slide at once, by a lower friction say: the next step books it as lost. */
static bool book_stored(scree_sim *sim, double before, scree_swap *swap, GError **error)
{
    double stored;
    if (!scree_trial_energy(sim, &stored, error))
        return false;
    swap->work = stored - before;
    if (swap->work > 0.0 || swap->work < 0.0)
        scree_trial_take_stored(sim);
    scree_energy_book(&sim->account, swap->work, swap->work);
    return true;
}

/** Books the change of the modifiers' stored energy as work; `before`: by the previous ones. */
static bool book_held(scree_sim *sim, double before, scree_swap *swap, GError **error)
{
    double held;
    if (!scree_modifiers_store(sim, NULL, &held, error))
        return false;
    swap->work = held - before;
    scree_energy_book(&sim->account, swap->work, swap->work);
    return true;
}

/* ---- swap ---- */

/** Makes extents, boxes and candidates invalid. */
static void drop_candidates(scree_sim *sim, const scree_saved_plugins *old)
{
    if (!old->has_gcd && !old->has_contacts)
        return;
    sim->boxes.valid = sim->boxes.numbered = false;
    sim->contacts.stale = true;
}

/** State that a failed swap restores. */
typedef struct previous {
    scree_saved_plugins plugins;
    scree_contact_store *store;
    GPtrArray *states; /* elements: states of all plugins but observers (scree.state/1) */
    GPtrArray *all;    /* elements: scree_instance, these plugins */
    GArray *points;    /* positions of contacts, when resolvers change */
    scree_exact_sum stored, work; /* [J] */
    double tried; /* [J] stored by contacts in a trial, when laws or resolvers change */
    double held;  /* [J] stored by modifiers, when only these change */
    bool holds;
    double *poses; /* set when modifiers change; or NULL */
} previous;

static void previous_clear(previous *was)
{
    if (was->points)
        g_array_unref(was->points);
    g_clear_pointer(&was->states, g_ptr_array_unref);
    g_clear_pointer(&was->all, g_ptr_array_unref);
    scree_contact_store_free(was->store);
    g_free(was->poses);
}

/** Saves the state before a swap. False with an error: nothing has changed. */
static bool save_previous(scree_sim *sim, const scree_plugin_set *set, previous *was,
                          GError **error)
{
    g_autoptr(GError) why = NULL;
    *was = (previous){.stored = sim->account.stored, .work = sim->account.work};
    was->all = scree_plugins_list(sim);
    was->states = scree_states_of(sim, &why);
    if (why) {
        g_propagate_error(error, g_steal_pointer(&why));
        return false;
    }
    was->poses = set->modifiers ? scree_poses_copy(sim) : NULL;
    was->holds = set->modifiers && !set->forces && !set->resolvers;
    if (was->holds && !scree_modifiers_store(sim, NULL, &was->held, error))
        return false;
    if (set->resolvers && !(was->points = find_points(sim, error)))
        return false;
    if (!set->forces && !set->resolvers)
        return true;
    was->store = scree_contacts_export(sim);
    return scree_trial_energy(sim, &was->tried, error);
}

static bool map_all(scree_sim *sim, const previous *was, scree_swap *swap, GError **error)
{
    const scree_saved_plugins *old = &was->plugins;
    g_ptr_array_set_size(swap->fields, 0);
    drop_candidates(sim, old);
    return (!old->has_contacts || map_contacts(sim, old, was->store, was->points, swap, error)) &&
           (!old->has_bodies ||
            (map_bodies(sim, old, swap, error) && scree_modifiers_enter(sim, error))) &&
           (!was->poses || scree_poses_continue(sim, was->poses, error)) &&
           (!old->has_contacts || book_stored(sim, was->tried, swap, error)) &&
           (!was->holds || book_held(sim, was->held, swap, error));
}

/** Notes a line for each replaced plugin with a state. */
static void note_states(const scree_sim *sim, const previous *was, scree_swap *swap)
{
    g_autoptr(GPtrArray) now = scree_plugins_list(sim);
    for (guint i = 0; i < was->all->len; i++) {
        const scree_instance *one = was->all->pdata[i];
        const scree_saved_state *state = scree_saved_states_find(was->states, one->slot);
        if (state && !g_ptr_array_find(now, one, NULL))
            scree_saved_state_note(state, swap->fields);
    }
}

/** After a failure: blames a plugin whose state has changed in a call that was not accepted. */
static void check_states(const scree_sim *sim, const previous *was)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) now = scree_states_of(sim, &error);
    for (guint i = 0; i < now->len && !error; i++) {
        const scree_saved_state *a = was->states->pdata[i], *b = now->pdata[i];
        if (a->n != b->n || (a->n && memcmp(a->bytes, b->bytes, a->n)))
            scree_fail(&error, SCREE_EXIT_PLUGIN,
                       "%s/%s (%s) misbehaved: its state has changed in a swap that failed, in a "
                       "call that was not accepted",
                       b->kind, b->id, b->slot);
    }
    if (error)
        scree_call_report(error);
}

static void roll_back(scree_sim *sim, previous *was)
{
    scree_plugins_exchange(sim, &was->plugins);
    scree_plugins_free(sim, &was->plugins);
    if (was->plugins.has_bodies)
        scree_plugins_place(sim);
    if (was->poses)
        scree_poses_restore(sim, was->poses);
    if (was->plugins.has_contacts)
        scree_contacts_import(sim, was->store);
    drop_candidates(sim, &was->plugins);
    sim->account.stored = was->stored;
    sim->account.work = was->work;
    check_states(sim, was);
}

/** Changes all plugins but the observers. */
static bool change_plugins(scree_sim *sim, const scree_observers *observers,
                           const scree_plugin_set *set, scree_swap *swap, bool trial,
                           GError **error)
{
    previous was;
    bool made = save_previous(sim, set, &was, error);
    GPtrArray *handed = sim->runtime.handed;
    sim->runtime.handed = was.states;
    sim->runtime.handed_lax = true;
    made = made && scree_plugins_make(sim, set, &was.plugins, error);
    sim->runtime.handed = handed;
    bool done = made && (!observers || scree_observers_check_uses(observers, error)) &&
                map_all(sim, &was, swap, error) && scree_bonds_make(sim, error);
    if (made && !done)
        roll_back(sim, &was);
    if (done)
        note_states(sim, &was, swap);
    if (done && !trial)
        scree_plugins_free(sim, &was.plugins);
    previous_clear(&was);
    return done;
}

bool scree_swap_apply(scree_sim *sim, scree_observers *observers, const scree_plugin_set *set,
                      scree_swap *swap, bool trial, GError **error)
{
    bool has_observers = set->observers && set->observers->len;
    if (has_observers && !observers)
        return scree_fail(error, SCREE_EXIT_USAGE, "this run has no observers");
    g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
    if (has_observers && !scree_observers_stage(observers, set->observers, notes, error))
        return false;
    bool done = change_plugins(sim, observers, set, swap, trial, error);
    const guint n_notes = done ? notes->len : 0;
    for (guint k = 0; k < n_notes; k++)
        g_ptr_array_add(swap->fields, g_strdup(notes->pdata[k]));
    if (!done && has_observers)
        scree_observers_unstage(observers);
    return done && (!has_observers || !trial || scree_observers_commit(observers, trial, error));
}
