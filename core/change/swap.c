/* SPDX-License-Identifier: Apache-2.0 */
/* Plugins are put in the place of others in mid-run: all of a set, or nothing. */
#include "change/swap.h"

#include "change/contact_match.h"
#include "change/convert.h"
#include "change/swap_trial.h"
#include "config/config_text.h"
#include "engine/bonds.h"
#include "engine/columns.h"
#include "engine/contacts.h"
#include "engine/evaluate.h"
#include "engine/lane.h"
#include "engine/sim_plugins.h"
#include "engine/step.h"
#include "engine/trial_forces.h"
#include "engine/watch.h"
#include "plugin/slot.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * 1. A forked child does all of what follows and a step after it (swap_trial.c): what crashes,
 * hangs or refuses there is refused here, and nothing has happened.
 * 2. Contacts are taken out by key, the plugins that change are saved, new instances
 *    are made, fields are mapped (columns.c), contacts are put back in with the new fields.
 * 3. Contacts are evaluated once where they are, to know what they store now; forces are state and
 *    stay as they were (determinism.md, S6): a new law acts from the next evaluation on.
 * 4. What was set aside is freed; or, after a failure, put back.
 */

/* ---- what is there, what comes ---- */

typedef struct present {
    const scree_sim *sim;
    const scree_hooks *hooks;
} present;

static const scree_choice_of *modifier_choice(const scree_sim *sim, const char *name)
{
    for (guint m = 0; m < sim->plugins.body.modifiers->len; m++) {
        const scree_hook *hook = sim->plugins.body.modifier_slots->pdata[m];
        if (!strcmp(hook->name, name))
            return hook->choice;
    }
    return NULL;
}

/** The choice that the instance in a slot was made of (scree_base_fn). */
static const scree_choice_of *base_of_sim(void *user, scree_slot slot)
{
    const present *p = user;
    const scree_sim *sim = p->sim;
    const scree_instance *one = NULL;
    switch (slot.kind) {
    case SCREE_KIND_GCD:
        one = sim->plugins.gcd;
        break;
    case SCREE_KIND_INTEGRATOR:
        one = sim->plugins.body.integrator;
        break;
    case SCREE_KIND_FORCE:
        one = slot.index < sim->plugins.contact.n_laws
                  ? sim->plugins.contact.laws[slot.index].instance
                  : NULL;
        break;
    case SCREE_KIND_RESOLVER:
        one = slot.index < sim->plugins.contact.resolvers->len
                  ? sim->plugins.contact.resolvers->pdata[slot.index]
                  : NULL;
        break;
    case SCREE_KIND_MODIFIER:
        return modifier_choice(sim, slot.name);
    default:
        return p->hooks ? scree_hooks_choice(p->hooks, slot.name) : NULL;
    }
    return one ? one->choice : NULL;
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

static void note_hooks(scree_swap *swap, present *now, uint32_t kind, const GPtrArray *hooks)
{
    if (hooks)
        for (guint k = 0; k < hooks->len; k++) {
            const scree_hook *hook = hooks->pdata[k];
            note_change(swap, now, (scree_slot){.kind = kind, .name = hook->name}, hook->choice);
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
    note_hooks(swap, now, SCREE_KIND_MODIFIER, set->modifiers);
    note_hooks(swap, now, SCREE_KIND_OBSERVER, set->observers);
}

/* ---- fields ---- */

/** Laws whose fields start anew see all contacts as fresh. */
void scree_swap_mark_newcomers(scree_sim *sim)
{
    const GPtrArray *columns = sim->plugins.columns[SCREE_SCOPE_CONTACT];
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++)
        if (columns)
            for (guint k = 0; k < columns->len; k++) {
                const scree_column *column = columns->pdata[k];
                if (column->fresh &&
                    !strcmp(column->slot, sim->plugins.contact.laws[l].instance->slot))
                    sim->plugins.contact.laws[l].newcomer = sim->plugins.contact.any_newcomer =
                        true;
            }
}

/** A law that keeps contacts keeps those that were kept in its slot, if it knows their past. */
static uint8_t map_keep(const scree_sim *sim, const scree_saved_plugins *old, uint8_t keep)
{
    uint8_t now = 0;
    if (keep)
        for (uint32_t l = 0; l < sim->plugins.contact.n_laws && l < old->plugins.contact.n_laws;
             l++)
            if ((keep & old->plugins.contact.laws[l].keep_bit) &&
                !sim->plugins.contact.laws[l].newcomer)
                now |= sim->plugins.contact.laws[l].keep_bit;
    return now;
}

/** n values of a row from another one. */
static void map_row(const GArray *from, const double *old, const double *initial, double *now)
{
    for (guint f = 0; f < from->len; f++) {
        int32_t at = g_array_index(from, int32_t, f);
        now[f] = at >= 0 ? old[at] : initial[f];
    }
}

static scree_contact_store *map_store(const scree_sim *sim, const scree_saved_plugins *old,
                                      const scree_contact_store *from, const GArray *contact,
                                      const GArray *pair)
{
    scree_contact_store *to = g_new0(scree_contact_store, 1);
    size_t n_fields = sim->plugins.contact.n_fields,
           n_pair_fields = sim->plugins.contact.n_pair_fields;
    to->n = from->n;
    to->n_pairs = n_pair_fields ? from->n_pairs : 0;
    to->key = g_memdup2(from->key, (from->n + 1) * sizeof *from->key);
    to->keep = g_new0(uint8_t, from->n + 1);
    to->stored = g_memdup2(from->stored, (from->n + 1) * sizeof *from->stored);
    to->field = g_new(double, from->n *n_fields + 1);
    to->pair_key = g_memdup2(from->pair_key, (from->n_pairs + 1) * sizeof *from->pair_key);
    to->pair_field = g_new(double, from->n_pairs *n_pair_fields + 1);
    for (uint64_t i = 0; i < to->n; i++) {
        to->keep[i] = map_keep(sim, old, from->keep[i]);
        map_row(contact, from->field + i * old->plugins.contact.n_fields,
                sim->plugins.contact.initial, to->field + i * n_fields);
    }
    for (uint64_t i = 0; i < to->n_pairs; i++)
        map_row(pair, from->pair_field + i * old->plugins.contact.n_pair_fields,
                sim->plugins.contact.pair_initial, to->pair_field + i * n_pair_fields);
    return to;
}

/** Under another resolver a past belongs to the contact that is nearest to where it was. */
static bool import_nearest(scree_sim *sim, scree_contact_store *store, const GArray *before,
                           scree_swap *swap, GError **error)
{
    scree_contacts_import(sim, store);
    g_autoptr(GArray) now = scree_nearest_points(sim, error);
    if (!now)
        return false;
    swap->dropped = scree_nearest_match(store, sim->plugins.contact.n_fields, before, now);
    scree_contacts_import(sim, store);
    return true;
}

/** The law was not in its slot: it is new there, or is back, with fields that were dormant. */
static bool has_come(const scree_sim *sim, const scree_saved_plugins *old, uint32_t l)
{
    return sim->plugins.contact.laws[l].newcomer || l >= old->plugins.contact.n_laws ||
           strcmp(sim->plugins.contact.laws[l].instance->plugin->id,
                  old->plugins.contact.laws[l].instance->plugin->id) != 0;
}

/** `points`: of contacts under the resolvers of before, or NULL: these stay. */
static bool map_contacts(scree_sim *sim, const scree_saved_plugins *old,
                         const scree_contact_store *store, const GArray *points, scree_swap *swap,
                         GError **error)
{
    g_autoptr(GArray) contact = NULL;
    g_autoptr(GArray) pair = NULL;
    scree_columns_map(sim, SCREE_SCOPE_CONTACT, old->plugins.columns[SCREE_SCOPE_CONTACT], &contact,
                      swap->fields);
    scree_columns_map(sim, SCREE_SCOPE_PAIR, old->plugins.columns[SCREE_SCOPE_PAIR], &pair,
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
            sim->plugins.contact.laws[l].bonds_due && has_come(sim, old, l);
    scree_evaluate_init(sim);
    scree_contact_store *mapped = map_store(sim, old, store, contact, pair);
    bool done = scree_convert_fields(sim, old, store, mapped, swap->fields, error) &&
                scree_columns_check(sim, SCREE_SCOPE_CONTACT, error) &&
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
    scree_columns_map(sim, SCREE_SCOPE_BODY, old->plugins.columns[SCREE_SCOPE_BODY], &body,
                      swap->fields);
    scree_columns_map(sim, SCREE_SCOPE_GLOBAL, old->plugins.columns[SCREE_SCOPE_GLOBAL], &global,
                      swap->fields);
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
    map_row(global, old->plugins.body.global_field, sim->plugins.body.global_field,
            sim->plugins.body.global_field);
    return true;
}

/* ---- what contacts store ---- */

/** Whether contact k of one table is before contact c of another, in the order of tables. */
static bool is_before(const scree_table *a, uint64_t k, const scree_table *b, uint64_t c)
{
    return a->pair[k] < b->pair[c] ||
           (a->pair[k] == b->pair[c] && b->feature && a->feature[k] < b->feature[c]);
}

/** The stored energies of an evaluation that was not accepted become those of the committed
 * contacts; of one that it did not see, 0. */
static void take_stored(const scree_sim *sim, scree_segment *s)
{
    scree_table *old = &s->table[sim->contacts.committed];
    const scree_table *now = &s->table[1 - sim->contacts.committed];
    uint64_t k = 0;
    for (uint64_t c = 0; old->stored && c < old->n; c++) {
        while (k < now->n && is_before(now, k, old, c))
            k++;
        bool same = k < now->n && now->pair[k] == old->pair[c] &&
                    (!old->feature || now->feature[k] == old->feature[c]);
        old->stored[c] = same ? now->stored[k] : 0.0;
    }
}

/** Books what contacts store more, or less, than before as work. */
static bool book_stored(scree_sim *sim, scree_swap *swap, GError **error)
{
    double stored;
    g_autofree double *wrench = g_new(double, (size_t)sim->world->n *SCREE_WRENCH + 1);
    if (!scree_trial_forces(sim, wrench, &stored, error))
        return false;
    for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++)
        for (uint32_t k = 0; k < sim->contacts.n_blocks * (sim->contacts.n_blocks + 1); k++)
            take_stored(sim, &sim->plugins.contact.lists[l].segments[k]);
    swap->work = stored - sim->account.stored;
    sim->account.work += swap->work;
    sim->account.stored = stored;
    return true;
}

/** The same of what modifiers store, `before` under the former ones. */
static bool book_held(scree_sim *sim, double before, scree_swap *swap, GError **error)
{
    double held;
    if (!scree_modifiers_store(sim, NULL, &held, error))
        return false;
    swap->work = held - before;
    sim->account.work += swap->work;
    sim->account.stored += swap->work;
    return true;
}

/* ---- the whole ---- */

/** Extents, boxes and candidates are to be made anew. */
static void forget_candidates(scree_sim *sim, const scree_saved_plugins *old)
{
    if (!old->has_gcd && !old->has_contacts)
        return;
    sim->boxes.valid = sim->boxes.numbered = false;
    sim->contacts.stale = true;
}

/** What was there before, taken out of the sim. */
typedef struct past {
    scree_saved_plugins plugins;
    scree_contact_store *store;
    GArray *points;      /* of contacts, when resolvers change */
    double stored, work; /* [J] */
    double held;         /* [J] by modifiers, when these alone change what is stored */
    bool holds;
} past;

static void past_clear(past *was)
{
    if (was->points)
        g_array_unref(was->points);
    scree_contact_store_free(was->store);
}

/** False with an error: nothing has changed. */
static bool take_past(scree_sim *sim, const scree_plugin_set *set, past *was, GError **error)
{
    *was = (past){.stored = sim->account.stored, .work = sim->account.work};
    was->holds = set->modifiers && !set->forces && !set->resolvers;
    if (was->holds && !scree_modifiers_store(sim, NULL, &was->held, error))
        return false;
    if (set->resolvers && !(was->points = scree_nearest_points(sim, error)))
        return false;
    if (set->forces || set->resolvers)
        was->store = scree_contacts_export(sim);
    return true;
}

static bool map_all(scree_sim *sim, const past *was, scree_swap *swap, GError **error)
{
    const scree_saved_plugins *old = &was->plugins;
    g_ptr_array_set_size(swap->fields, 0);
    forget_candidates(sim, old);
    return (!old->has_contacts || map_contacts(sim, old, was->store, was->points, swap, error)) &&
           (!old->has_bodies || map_bodies(sim, old, swap, error)) &&
           (!old->has_contacts || book_stored(sim, swap, error)) &&
           (!was->holds || book_held(sim, was->held, swap, error));
}

/** All is as it was. */
static void roll_back(scree_sim *sim, past *was)
{
    scree_plugins_exchange(sim, &was->plugins);
    scree_plugins_free(sim, &was->plugins);
    if (was->plugins.has_bodies)
        scree_plugins_place(sim);
    if (was->plugins.has_contacts)
        scree_contacts_import(sim, was->store);
    forget_candidates(sim, &was->plugins);
    sim->account.stored = was->stored;
    sim->account.work = was->work;
}

/** All but the observers. */
static bool change_plugins(scree_sim *sim, const scree_plugin_set *set, scree_swap *swap,
                           bool trial, GError **error)
{
    past was;
    bool made =
        take_past(sim, set, &was, error) && scree_plugins_make(sim, set, &was.plugins, error);
    bool done = made && map_all(sim, &was, swap, error) && scree_bonds_make(sim, error);
    if (made && !done)
        roll_back(sim, &was);
    if (done && !trial)
        scree_plugins_free(sim, &was.plugins);
    past_clear(&was);
    return done;
}

bool scree_swap_carry_out(scree_sim *sim, scree_hooks *hooks, const scree_plugin_set *set,
                          scree_swap *swap, bool trial, GError **error)
{
    bool observers = set->observers && set->observers->len;
    if (observers && !hooks)
        return scree_fail(error, SCREE_EXIT_USAGE, "this run has no observers");
    if (observers && !scree_hooks_stage(hooks, set->observers, error))
        return false;
    bool done = change_plugins(sim, set, swap, trial, error);
    if (!done && observers)
        scree_hooks_unstage(hooks);
    return done && (!observers || !trial || scree_hooks_commit(hooks, trial, error));
}

/** True: done, or refused with a reason in the swap. False with an error: the run cannot go on, for
 * an observer that went could not finish its files. */
static bool attempt(scree_sim *sim, scree_hooks *hooks, const scree_plugin_set_read *read,
                    scree_swap *swap, GError **error)
{
    g_autoptr(GError) why = NULL;
    present now = {sim, hooks};
    double critical = 0.0;
    const scree_plugin_set set = {.gcd = read->gcd,
                                  .integrator = read->integrator,
                                  .resolvers = read->resolvers,
                                  .forces = read->forces,
                                  .modifiers = read->modifiers,
                                  .observers = read->observers};
    note_changes(swap, &now, &set);
    if (scree_shadow_try(sim, hooks, &set, swap, &critical, &why) &&
        scree_swap_carry_out(sim, hooks, &set, swap, false, &why)) {
        swap->dt = sim->dt;
        swap->critical = critical;
        if (critical > 0.0) {
            sim->critical = critical;
            scree_watch_swapped(sim);
        }
        return !set.observers || !set.observers->len || scree_hooks_commit(hooks, false, error);
    }
    swap->refused = g_strdup(why ? why->message : "no reason given");
    return true;
}

const scree_swap *scree_swap_run(scree_sim *sim, scree_hooks *hooks,
                                 const scree_plugin_set_read *set, const char *cause,
                                 GError **error)
{
    if (!scree_sim_settle(sim, error))
        return NULL;
    scree_swap *swap = scree_swap_new(sim->step, scree_sim_time(sim), cause);
    g_ptr_array_add(sim->swaps.all, swap);
    return attempt(sim, hooks, set, swap, error) ? swap : NULL;
}

/** Reads the root of a config, which it takes, as `set` of a schedule; NULL with an error. */
static scree_plugin_set_read *read_set(scree_sim *sim, scree_hooks *hooks, scree_config *config,
                                       GError **error)
{
    present now = {sim, hooks};
    scree_materials *materials = &sim->scene->materials;
    scree_build build = {
        .scene = sim->scene, .config = config, .shape_names = sim->scene->shape_names_known};
    if (!config->root || config->broken) {
        if (!scree_config_failed(config, error))
            g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE, "it is empty");
        scree_config_free(config);
        return NULL;
    }
    materials->build = &build;
    materials->fill = scree_schema_fill_scene;
    scree_plugin_set_read *set = scree_build_set(&build, config->root, base_of_sim, &now);
    materials->build = NULL;
    materials->fill = NULL;
    set->config = config;
    if (!scree_config_failed(config, error))
        return set;
    scree_plugin_set_free(set);
    return NULL;
}

/** Takes the config. */
static const scree_swap *swap_config(scree_sim *sim, scree_hooks *hooks, scree_config *config,
                                     const char *cause, GError **error)
{
    g_autoptr(GError) why = NULL;
    scree_plugin_set_read *set = read_set(sim, hooks, config, &why);
    if (set) {
        g_ptr_array_add(sim->swaps.adopted, set);
        return scree_swap_run(sim, hooks, set, cause, error);
    }
    scree_swap *swap = scree_swap_new(sim->step, scree_sim_time(sim), cause);
    swap->refused = g_strdup(why->message);
    g_ptr_array_add(sim->swaps.all, swap);
    return swap;
}

const scree_swap *scree_swap_text(scree_sim *sim, scree_hooks *hooks, const char *text,
                                  const char *name, const char *cause, GError **error)
{
    return swap_config(sim, hooks, scree_config_parse(text, name, "."), cause, error);
}

const scree_swap *scree_swap_group(scree_sim *sim, scree_hooks *hooks, const scree_node *group,
                                   const char *cause, GError **error)
{
    scree_config *config = scree_config_new();
    config->root = scree_node_copy(group);
    return swap_config(sim, hooks, config, cause, error);
}
