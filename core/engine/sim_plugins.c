/* SPDX-License-Identifier: Apache-2.0 */
/* The plugins of a run and all that follows only from them, made at the start and at a swap. */
#include "engine/sim_plugins.h"

#include "plugin/call.h"
#include "plugin/plugin_state.h"
#include "plugin/slot.h"
#include "scene/bonds_rule.h"

#include <stdlib.h>

#include "engine/columns.h"
#include "engine/contacts.h"
#include "engine/lane.h"
#include "engine/ranks.h"
#include "engine/shared_fields.h"
#include "engine/type_pairs.h"
#include "plugin/field_uses.h"
#include "plugin/instance.h"
#include "plugin/kinds.h"
#include "scene/scene_runtime.h"
#include "scree/draft/joined.h"
#include "shape/plugin_shape.h"

/* ---- saved parts ---- */

GPtrArray *scree_plugins_list(const scree_sim *sim)
{
    const scree_plugins *p = &sim->plugins;
    GPtrArray *all = g_ptr_array_new();
    g_ptr_array_add(all, p->gcd);
    g_ptr_array_extend(all, p->contact.resolvers, NULL, NULL);
    for (uint32_t l = 0; l < p->contact.n_laws; l++)
        g_ptr_array_add(all, p->contact.laws[l].instance);
    g_ptr_array_add(all, p->body.integrator);
    g_ptr_array_extend(all, p->body.modifiers, NULL, NULL);
    return all;
}

GPtrArray *scree_states_of(const scree_sim *sim, GError **error)
{
    GPtrArray *states = scree_saved_states_new();
    g_autoptr(GPtrArray) all = scree_plugins_list(sim);
    bool good = true;
    for (guint i = 0; i < all->len && good; i++)
        good = scree_saved_states_save(states, all->pdata[i], error);
    return states;
}

GPtrArray *scree_plugins_shapes(const scree_sim *sim)
{
    const GPtrArray *shapes = sim->scene->shapes;
    GPtrArray *all = g_ptr_array_new();
    for (guint i = 0; i < shapes->len; i++) {
        scree_instance *instance = scree_shape_instance(shapes->pdata[i]);
        if (instance && sim->types.index[i] != UINT8_MAX)
            g_ptr_array_add(all, instance);
    }
    return all;
}

void scree_plugins_exchange(scree_sim *sim, scree_saved_plugins *saved)
{
    const scree_plugins present = sim->plugins;
    sim->plugins = saved->plugins;
    saved->plugins = present;
    if (!saved->has_bodies)
        return;
    if (sim->world)
        scree_world_fields_exchange(sim->world, &saved->body_fields);
    sim->edits.newcomers = sim->edits.entrants = true;
}

/* ---- instances ---- */

/** Gives each law that keeps contacts its own bit: a contact stays while any law keeps it. */
static bool give_keep_bit(scree_contact_plugins *contact, scree_law *law, GError **error)
{
    if (!(law->provides & SCREE_OUT_KEEP))
        return true;
    contact->any_keep = true;
    G_STATIC_ASSERT(SCREE_MAX_KEEPING_LAWS == 8 * sizeof law->keep_bit);
    law->keep_bit = (uint8_t)(1u << contact->n_keeping++);
    if (law->keep_bit)
        return true;
    return scree_fail(error, SCREE_EXIT_USAGE, "%s: more than %d force laws that keep contacts",
                      law->instance->slot, SCREE_MAX_KEEPING_LAWS);
}

/** Counts the components of body fields that the law uses. */
static void count_uses(scree_contact_plugins *contact, scree_law *law)
{
    law->first_read = contact->n_reads;
    law->first_add = contact->n_adds;
    for (uint32_t k = 0; k < law->instance->n_uses; k++) {
        const scree_field_use use = scree_field_uses_at(law->instance->choice, k);
        const uint32_t n = use.scope == SCREE_SCOPE_BODY ? use.components : 0;
        law->n_reads += use.access & SCREE_USE_READ ? n : 0;
        law->n_adds += use.access & SCREE_USE_ADD ? n : 0;
    }
    contact->n_reads += law->n_reads;
    contact->n_adds += law->n_adds;
    contact->read_at = g_renew(uint32_t, contact->read_at, contact->n_reads + 1);
    contact->add_at = g_renew(uint32_t, contact->add_at, contact->n_adds + 1);
    contact->rate_at = g_renew(uint32_t, contact->rate_at, contact->n_adds + 1);
}

/** Sets up a law from its instance: fields, inputs. */
static bool seat_law(scree_sim *sim, scree_law *law, GError **error)
{
    const scree_plugin *plugin = law->instance->plugin;
    law->ops = plugin->ops;
    law->first_contact_field = sim->plugins.contact.n_fields;
    law->n_contact_fields =
        scree_columns_add(&sim->plugins, law->instance->slot, plugin, SCREE_SCOPE_CONTACT);
    law->first_pair_field = sim->plugins.contact.n_pair_fields;
    law->n_pair_fields =
        scree_columns_add(&sim->plugins, law->instance->slot, plugin, SCREE_SCOPE_PAIR);
    law->bonds =
        law->provides & SCREE_OUT_KEEP ? scree_call_extension(plugin, SCREE_EXTENSION_BONDS) : NULL;
    const GPtrArray *rules = law->bonds ? law->instance->choice->bonds : NULL;
    law->bonds_due = law->bonds_due && rules;
    if (rules)
        for (guint k = 0; k < rules->len; k++)
            law->bonds_touching |=
                ((const scree_bond_rule *)rules->pdata[k])->how == SCREE_BONDS_TOUCHING;
    count_uses(&sim->plugins.contact, law);
    sim->plugins.contact.needs |= law->needs;
    if (law->needs & SCREE_IN_LEVER_RADIUS)
        sim->plugins.contact.far_needs |= law->needs;
    else
        sim->plugins.contact.near_needs |= law->needs;
    sim->plugins.contact.any_stored |= (law->provides & SCREE_OUT_STORED) != 0;
    sim->plugins.contact.any_heat |= (law->provides & SCREE_OUT_HEAT) != 0;
    sim->plugins.contact.any_after_step |= SCREE_HAS(law->ops, after_step) != 0;
    sim->plugins.contact.serial |= (law->instance->demands.flags & SCREE_CAP_SERIAL) != 0;
    return give_keep_bit(&sim->plugins.contact, law, error);
}

static bool make_laws(scree_sim *sim, const GPtrArray *choices, const scree_plugins *old,
                      GError **error)
{
    uint32_t n = choices ? choices->len : old->contact.n_laws;
    sim->plugins.contact.laws = g_new0(scree_law, n + 1);
    for (uint32_t l = 0; l < n; l++) {
        scree_law *law = &sim->plugins.contact.laws[l];
        const scree_slot slot = {.kind = SCREE_KIND_FORCE, .index = l};
        if (!choices)
            *law = (scree_law){.instance = old->contact.laws[l].instance,
                               .asked = old->contact.laws[l].asked};
        else
            law->instance = scree_instance_at(&sim->runtime, choices->pdata[l], slot, error);
        if (!law->instance)
            return false;
        sim->plugins.contact.n_laws++;
        law->ops = law->instance->ops;
        law->needs = law->instance->demands.needs;
        law->provides = law->instance->demands.provides;
        law->bonds_due = choices != NULL;
        if (!seat_law(sim, law, error))
            return false;
    }
    return true;
}

static bool make_resolvers(scree_sim *sim, const GPtrArray *choices, const scree_plugins *old,
                           GError **error)
{
    sim->plugins.contact.resolvers = g_ptr_array_new();
    const guint n = choices ? choices->len : old->contact.resolvers->len;
    for (guint r = 0; r < n; r++) {
        const scree_slot slot = {.kind = SCREE_KIND_RESOLVER, .index = r};
        scree_instance *instance =
            choices ? scree_instance_at(&sim->runtime, choices->pdata[r], slot, error)
                    : old->contact.resolvers->pdata[r];
        if (!instance)
            return false;
        g_ptr_array_add(sim->plugins.contact.resolvers, instance);
        sim->plugins.contact.serial |= (instance->demands.flags & SCREE_CAP_SERIAL) != 0;
        if (choices && !scree_prepare_shapes(sim->scene->shapes, instance, error))
            return false;
    }
    return true;
}

/* ---- integrator and modifiers ---- */

/** Returns the plugins with fields of bodies and of the run, in the order of these fields:
 * integrator, laws, modifiers; a new array. */
static GPtrArray *list_owners(const scree_sim *sim)
{
    GPtrArray *owners = g_ptr_array_new();
    g_ptr_array_add(owners, sim->plugins.body.integrator);
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++)
        g_ptr_array_add(owners, sim->plugins.contact.laws[l].instance);
    g_ptr_array_extend(owners, sim->plugins.body.modifiers, NULL, NULL);
    return owners;
}

void scree_plugins_place(scree_sim *sim)
{
    uint32_t at[SCREE_SCOPES] = {0};
    g_autoptr(GPtrArray) owners = list_owners(sim);
    for (guint k = 0; k < owners->len; k++) {
        scree_instance *one = owners->pdata[k];
        one->first_body_field = at[SCREE_SCOPE_BODY];
        one->first_global_field = at[SCREE_SCOPE_GLOBAL];
        for (uint32_t f = 0; f < one->plugin->n_fields; f++)
            at[one->plugin->fields[f]->scope] += one->plugin->fields[f]->components;
    }
    scree_shared_fields_place(sim);
}

static bool add_modifier(scree_sim *sim, const scree_timed_choice *timed, scree_instance *instance,
                         GError **error)
{
    const scree_slot slot = {.kind = SCREE_KIND_MODIFIER, .name = timed->name};
    if (!instance)
        instance = scree_instance_at(&sim->runtime, timed->choice, slot, error);
    if (!instance)
        return false;
    g_ptr_array_add(sim->plugins.body.modifiers, instance);
    g_ptr_array_add(sim->plugins.body.modifier_slots, (void *)timed);
    return true;
}

/** Keeps or replaces the current modifiers, then adds new ones. */
static bool make_modifiers(scree_sim *sim, const GPtrArray *chosen, const scree_plugins *old,
                           GError **error)
{
    guint n_old = old->body.modifiers ? old->body.modifiers->len : 0;
    sim->plugins.body.modifiers = g_ptr_array_new();
    sim->plugins.body.modifier_slots = g_ptr_array_new();
    for (guint m = 0; m < n_old; m++) {
        const scree_timed_choice *was = old->body.modifier_slots->pdata[m],
                                 *now = scree_timed_find(chosen, was->name);
        if (now && !now->choice)
            continue;
        if (!add_modifier(sim, now ? now : was, now ? NULL : old->body.modifiers->pdata[m], error))
            return false;
    }
    if (chosen)
        for (guint m = 0; m < chosen->len; m++) {
            const scree_timed_choice *timed = chosen->pdata[m];
            if (timed->choice && !scree_timed_find(old->body.modifier_slots, timed->name) &&
                !add_modifier(sim, timed, NULL, error))
                return false;
        }
    return true;
}

static bool make_integrator(scree_sim *sim, const scree_choice_of *choice, const scree_plugins *old,
                            GError **error)
{
    const scree_slot slot = {.kind = SCREE_KIND_INTEGRATOR};
    sim->plugins.body.integrator =
        choice ? scree_instance_at(&sim->runtime, choice, slot, error) : old->body.integrator;
    if (!sim->plugins.body.integrator)
        return false;
    sim->plugins.body.integrator_ops = sim->plugins.body.integrator->ops;
    const scree_joined *joined =
        scree_call_extension(sim->plugins.body.integrator->plugin, SCREE_DRAFT_JOINED);
    sim->plugins.body.joined = joined && SCREE_HAS(joined, move_both) ? joined : NULL;
    return true;
}

static void add_body_columns(scree_sim *sim)
{
    static const uint32_t scopes[] = {SCREE_SCOPE_BODY, SCREE_SCOPE_GLOBAL};
    g_autoptr(GPtrArray) owners = list_owners(sim);
    for (size_t k = 0; k < G_N_ELEMENTS(scopes); k++)
        for (guint i = 0; i < owners->len; i++) {
            const scree_instance *one = owners->pdata[i];
            scree_columns_add(&sim->plugins, one->slot, one->plugin, scopes[k]);
        }
    scree_shared_fields_add_rates(sim);
    scree_plugins_place(sim);
}

/** Refuses bodies and laws that a plugin with SCREE_CAP_ROUND_ONLY does not suit. */
static bool check_round_only(const scree_sim *sim, GError **error)
{
    const scree_instance *one = sim->plugins.body.integrator;
    const scree_shape_type *other = NULL;
    if (!(one->plugin->flags & SCREE_CAP_ROUND_ONLY))
        return true;
    for (uint32_t k = 0; k < sim->types.n && !other; k++) {
        const scree_shape_type *type = sim->scene->shape_types->pdata[sim->types.code[k]];
        if (sim->types.free[k] && !(type->flags & SCREE_CAP_ROUND))
            other = type;
    }
    if (other)
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "%s turns no bodies (SCREE_CAP_ROUND_ONLY); expected only spheres or "
                          "discs that are free, and one of type \"%s\" may be",
                          one->shown, other->name);
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++)
        if (sim->plugins.contact.laws[l].needs & SCREE_IN_ORIENTATION)
            return scree_fail(error, SCREE_EXIT_USAGE,
                              "%s turns no bodies (SCREE_CAP_ROUND_ONLY), and %s reads their "
                              "orientations",
                              one->shown, sim->plugins.contact.laws[l].instance->shown);
    return true;
}

/* ---- all plugins ---- */

static bool make_parts(scree_sim *sim, const scree_plugin_set *set,
                       const scree_saved_plugins *saved, GError **error)
{
    const scree_plugins *old = &saved->plugins;
    if (saved->has_gcd) {
        sim->plugins.gcd =
            scree_instance_at(&sim->runtime, set->gcd, (scree_slot){.kind = SCREE_KIND_GCD}, error);
        if (!sim->plugins.gcd)
            return false;
        sim->plugins.gcd_ops = sim->plugins.gcd->ops;
    }
    if (!sim->types.index)
        scree_type_pairs_types(sim);
    if (saved->has_contacts &&
        (!make_laws(sim, set->forces, old, error) ||
         !make_resolvers(sim, set->resolvers, old, error) || !scree_type_pairs_make(sim, error)))
        return false;
    if (!saved->has_bodies) {
        scree_shared_fields_place(sim);
        return check_round_only(sim, error) && scree_shared_fields_check_all(sim, error);
    }
    if (!make_integrator(sim, set->integrator, old, error) ||
        !make_modifiers(sim, set->modifiers, old, error))
        return false;
    add_body_columns(sim);
    return check_round_only(sim, error) && scree_shared_fields_check_all(sim, error);
}

static void clear_columns(scree_plugins *plugins, uint32_t scope)
{
    plugins->columns[scope] = NULL;
    plugins->n_live[scope] = 0;
}

/** Returns the plugins without the parts that will be made. */
static scree_plugins without_parts(const scree_plugins *present, const scree_saved_plugins *saved)
{
    scree_plugins plugins = *present;
    if (saved->has_gcd) {
        plugins.gcd = NULL;
        plugins.gcd_ops = NULL;
    }
    if (saved->has_contacts) {
        plugins.contact = (scree_contact_plugins){0};
        clear_columns(&plugins, SCREE_SCOPE_CONTACT);
        clear_columns(&plugins, SCREE_SCOPE_PAIR);
    }
    if (saved->has_bodies) {
        plugins.body = (scree_body_plugins){0};
        clear_columns(&plugins, SCREE_SCOPE_BODY);
        clear_columns(&plugins, SCREE_SCOPE_GLOBAL);
    }
    return plugins;
}

/** Returns whether a plugin has or uses fields of bodies or of the run. */
static bool touches_bodies(const scree_plugin *plugin)
{
    bool any = plugin->n_uses > 0;
    for (uint32_t f = 0; f < plugin->n_fields; f++)
        any = any || plugin->fields[f]->scope >= SCREE_SCOPE_BODY;
    return any;
}

/** Returns whether the columns of bodies and of the run change with the laws. */
static bool laws_touch_bodies(const scree_sim *sim, const GPtrArray *forces)
{
    bool any = false;
    if (!forces)
        return false;
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++)
        any = any || touches_bodies(sim->plugins.contact.laws[l].instance->plugin);
    for (guint l = 0; l < forces->len; l++)
        any = any || touches_bodies(((const scree_choice_of *)forces->pdata[l])->plugin);
    return any;
}

bool scree_plugins_make(scree_sim *sim, const scree_plugin_set *set, scree_saved_plugins *saved,
                        GError **error)
{
    *saved = (scree_saved_plugins){.has_gcd = set->gcd != NULL,
                                   .has_contacts = set->forces || set->resolvers,
                                   .has_bodies = set->integrator || set->modifiers ||
                                                 laws_touch_bodies(sim, set->forces)};
    saved->plugins = without_parts(&sim->plugins, saved);
    scree_plugins_exchange(sim, saved);
    if (make_parts(sim, set, saved, error) && (!sim->ranks || scree_ranks_check(sim, error)))
        return true;
    scree_plugins_exchange(sim, saved);
    scree_plugins_free(sim, saved);
    if (saved->has_bodies && sim->plugins.body.integrator)
        scree_plugins_place(sim);
    return false;
}

static bool holds(const GPtrArray *instances, const scree_instance *one)
{
    return instances && g_ptr_array_find((GPtrArray *)instances, one, NULL);
}

/** Frees an array, and its instances that the other array lacks. */
static void free_others(GPtrArray *instances, const GPtrArray *kept)
{
    if (!instances)
        return;
    for (guint i = 0; i < instances->len; i++)
        if (!holds(kept, instances->pdata[i]))
            scree_instance_free(instances->pdata[i]);
    g_ptr_array_unref(instances);
}

static void free_laws(scree_contact_plugins *saved, const scree_contact_plugins *present)
{
    for (uint32_t l = 0; l < saved->n_laws; l++) {
        bool kept = false;
        scree_fields_view_clear(&saved->laws[l].shared);
        for (uint32_t k = 0; k < present->n_laws; k++)
            kept |= present->laws[k].instance == saved->laws[l].instance;
        if (!kept)
            scree_instance_free(saved->laws[l].instance);
    }
    g_free(saved->laws);
}

static void free_contact_plugins(scree_sim *sim, scree_plugins *saved)
{
    const scree_plugins present = sim->plugins;
    sim->plugins = *saved; // lists and lanes were allocated for its fields
    scree_evaluate_clear(sim);
    scree_lists_free(sim);
    *saved = sim->plugins;
    sim->plugins = present;
    free_laws(&saved->contact, &present.contact);
    free_others(saved->contact.resolvers, present.contact.resolvers);
    g_free(saved->contact.initial);
    g_free(saved->contact.pair_initial);
    g_free(saved->contact.read_at);
    g_free(saved->contact.add_at);
    g_free(saved->contact.rate_at);
    g_free(saved->contact.gap);
    g_free(saved->contact.spans);
    g_clear_pointer(&saved->columns[SCREE_SCOPE_CONTACT], g_ptr_array_unref);
    g_clear_pointer(&saved->columns[SCREE_SCOPE_PAIR], g_ptr_array_unref);
}

static void free_body_plugins(const scree_sim *sim, scree_plugins *saved)
{
    if (saved->body.integrator != sim->plugins.body.integrator)
        scree_instance_free(saved->body.integrator);
    free_others(saved->body.modifiers, sim->plugins.body.modifiers);
    g_clear_pointer(&saved->body.modifier_slots, g_ptr_array_unref);
    g_free(saved->body.global_field);
    g_clear_pointer(&saved->columns[SCREE_SCOPE_BODY], g_ptr_array_unref);
    g_clear_pointer(&saved->columns[SCREE_SCOPE_GLOBAL], g_ptr_array_unref);
}

void scree_plugins_free(scree_sim *sim, scree_saved_plugins *saved)
{
    if (saved->has_gcd && saved->plugins.gcd != sim->plugins.gcd)
        scree_instance_free(saved->plugins.gcd);
    if (saved->has_contacts)
        free_contact_plugins(sim, &saved->plugins);
    if (saved->has_bodies)
        free_body_plugins(sim, &saved->plugins);
    scree_body_fields_clear(&saved->body_fields);
    saved->plugins = (scree_plugins){0};
}
