/* SPDX-License-Identifier: Apache-2.0 */
/* The plugins of a run and everything that follows only from them: made at the start, and at a
 * swap. */
#include "engine/sim_plugins.h"

#include "plugin/call.h"
#include "plugin/slot.h"
#include "scene/bonds_rule.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/columns.h"
#include "engine/contacts.h"
#include "engine/lane.h"
#include "plugin/kinds.h"

/* ---- parts set aside ---- */

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

void scree_plugins_exchange(scree_sim *sim, scree_saved_plugins *saved)
{
    const scree_plugins present = sim->plugins;
    sim->plugins = saved->plugins;
    saved->plugins = present;
    if (!saved->has_bodies)
        return;
    if (sim->world)
        scree_world_fields_exchange(sim->world, &saved->body_fields);
    sim->edits.newcomers = true;
}

/* ---- instances ---- */

static bool check_dimension(const scree_sim *sim, const scree_plugin *plugin, GError **error)
{
    uint32_t wants = sim->scene->dimension == 2 ? SCREE_DIMENSION_2 : SCREE_DIMENSION_3;
    if (plugin->dimensions & wants)
        return true;
    return scree_fail(error, SCREE_EXIT_USAGE, "%s/%s does not support %uD scenes",
                      scree_kind_name(plugin->kind), plugin->id, sim->scene->dimension);
}

/** Scopes of fields that plugins of a kind may have (params.h). */
static bool check_scopes(const scree_plugin *plugin, GError **error)
{
    static const uint32_t allowed[] = {
        [SCREE_KIND_FORCE] = 1u << SCREE_SCOPE_CONTACT | 1u << SCREE_SCOPE_PAIR,
        [SCREE_KIND_RESOLVER] = 1u << SCREE_SCOPE_PAIR,
        [SCREE_KIND_INTEGRATOR] = 1u << SCREE_SCOPE_BODY,
        [SCREE_KIND_MODIFIER] = 1u << SCREE_SCOPE_BODY | 1u << SCREE_SCOPE_GLOBAL};
    for (uint32_t f = 0; f < plugin->n_fields; f++) {
        const scree_field *field = plugin->fields[f];
        if (allowed[plugin->kind] >> field->scope & 1u)
            continue;
        return scree_fail(
            error, SCREE_EXIT_PLUGIN,
            "%s/%s: this host keeps no fields of the scope of %s for a plugin of this kind",
            scree_kind_name(plugin->kind), plugin->id, field->name);
    }
    return true;
}

static scree_instance *make(scree_sim *sim, const scree_choice_of *choice, scree_slot slot,
                            GError **error)
{
    if (!check_dimension(sim, choice->plugin, error) || !check_scopes(choice->plugin, error))
        return NULL;
    return scree_instance_at(&sim->runtime, choice, slot, error);
}

/** Each law that keeps contacts has its own bit: a contact stays while any law keeps it. */
static bool give_keep_bit(scree_sim *sim, scree_law *law, GError **error)
{
    if (!(law->provides & SCREE_OUT_KEEP))
        return true;
    sim->plugins.contact.any_keep = true;
    law->keep_bit = (uint8_t)(1u << sim->plugins.contact.n_keeping++);
    if (law->keep_bit)
        return true;
    return scree_fail(error, SCREE_EXIT_USAGE, "%s: more than 8 force laws that keep contacts",
                      law->instance->slot);
}

/** Takes the masks of the descriptor, or the smaller ones of the instance. */
static bool ask_uses(scree_law *law, GError **error)
{
    const scree_plugin *plugin = law->instance->plugin;
    law->needs = plugin->needs;
    law->provides = plugin->provides;
    if (!SCREE_HAS(law->ops, uses))
        return true;
    scree_call call = scree_call_begin(law->instance, SCREE_CALL_CONFIG, "uses");
    int32_t code = law->ops->uses(law->instance->self, &law->needs, &law->provides);
    code = scree_call_end(&call, code, SCREE_OK, error);
    if (code < 0)
        return false;
    if (!(law->needs & ~plugin->needs) && !(law->provides & ~plugin->provides))
        return true;
    return scree_call_blame(law->instance, "uses", SCREE_EXIT_PLUGIN, error,
                            "it sets bits that its descriptor lacks (needs %#" PRIx64
                            ", provides %#" PRIx64 ")",
                            law->needs & ~plugin->needs, law->provides & ~plugin->provides);
}

/** A law that stays when others are exchanged. */
static scree_law copy_law(const scree_law *old)
{
    return (scree_law){.instance = old->instance,
                       .needs = old->needs,
                       .provides = old->provides,
                       .asked = old->asked};
}

/** Sets up law number l from its instance: fields, inputs. */
static bool seat_law(scree_sim *sim, scree_law *law, GError **error)
{
    const scree_plugin *plugin = law->instance->plugin;
    law->ops = plugin->ops;
    law->first_contact_field = sim->plugins.contact.n_fields;
    law->n_contact_fields =
        scree_columns_add(sim, law->instance->slot, plugin, SCREE_SCOPE_CONTACT);
    law->first_pair_field = sim->plugins.contact.n_pair_fields;
    law->n_pair_fields = scree_columns_add(sim, law->instance->slot, plugin, SCREE_SCOPE_PAIR);
    law->bonds =
        law->provides & SCREE_OUT_KEEP ? scree_call_extension(plugin, SCREE_EXTENSION_BONDS) : NULL;
    const GPtrArray *rules = law->bonds ? law->instance->choice->bonds : NULL;
    law->bonds_due = law->bonds_due && rules;
    if (rules)
        for (guint k = 0; k < rules->len; k++)
            law->bonds_touching |=
                ((const scree_bond_rule *)rules->pdata[k])->how == SCREE_BONDS_TOUCHING;
    sim->plugins.contact.needs |= law->needs;
    sim->plugins.contact.any_stored |= (law->provides & SCREE_OUT_STORED) != 0;
    sim->plugins.contact.any_heat |= (law->provides & SCREE_OUT_HEAT) != 0;
    sim->plugins.contact.serial |= (plugin->flags & SCREE_CAP_SERIAL) != 0;
    return give_keep_bit(sim, law, error);
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
            *law = copy_law(&old->contact.laws[l]);
        else
            law->instance = make(sim, choices->pdata[l], slot, error);
        if (!law->instance)
            return false;
        sim->plugins.contact.n_laws++;
        law->ops = law->instance->ops;
        if (choices && !ask_uses(law, error))
            return false;
        law->bonds_due = choices != NULL;
        if (!seat_law(sim, law, error))
            return false;
    }
    return true;
}

/** The type of the scene that has this code. */
static const scree_shape_type *type_of(const scree_sim *sim, uint32_t code)
{
    return sim->scene->shape_types->pdata[code];
}

/** Whether bodies of a type may be free: some are, or a modifier may insert or release them. */
static bool may_be_free(const scree_sim *sim, uint32_t code, bool modified)
{
    const scree_scene *scene = sim->scene;
    const GArray *all[] = {scene->bodies, scene->to_come};
    bool any = modified || type_of(sim, code)->flags & SCREE_CAP_ROUND;
    for (size_t k = 0; k < G_N_ELEMENTS(all); k++)
        for (guint i = 0; i < all[k]->len; i++) {
            const scree_body *body = &g_array_index(all[k], scree_body, i);
            any |= body->motion == SCREE_MOTION_FREE &&
                   ((const scree_shape *)scene->shapes->pdata[body->shape])->type == code;
        }
    return any && !(type_of(sim, code)->flags & (SCREE_CAP_WALL | SCREE_CAP_INFINITE));
}

/** Shape types in use, in the order of their codes. */
static void list_types(scree_sim *sim)
{
    const scree_scene *scene = sim->scene;
    bool modified = scene->modifiers->len || scene->modifiers_later;
    g_autofree bool *used = g_new0(bool, scene->shapes->len + 1);
    uint32_t n = 0;
    for (guint i = 0; i < scene->bodies->len; i++)
        used[g_array_index(scene->bodies, scree_body, i).shape] = true;
    for (guint i = 0; i < scene->to_come->len; i++)
        used[g_array_index(scene->to_come, scree_body, i).shape] = true;
    bool any_round = false;
    for (uint32_t i = 0; i < scene->shapes->len; i++)
        any_round |=
            used[i] && ((const scree_shape *)scene->shapes->pdata[i])->flags & SCREE_CAP_ROUND;
    if (modified)
        for (uint32_t i = 2; i < scene->shapes->len; i++)
            used[i] = true; // a modifier may insert it
    if (modified && !any_round)
        used[scene->dimension == 2] = true; // the host's own sphere, or disc
    sim->types.index = g_new0(uint8_t, scene->shapes->len + 1);
    for (uint32_t code = 0; code < scene->shape_types->len; code++) {
        bool any = false;
        for (uint32_t i = 0; i < scene->shapes->len; i++)
            any |= used[i] && ((const scree_shape *)scene->shapes->pdata[i])->type == code;
        for (uint32_t i = 0; i < scene->shapes->len; i++)
            if (((const scree_shape *)scene->shapes->pdata[i])->type == code)
                sim->types.index[i] = any ? (uint8_t)n : UINT8_MAX;
        if (!any)
            continue;
        sim->types.free[n] = may_be_free(sim, code, modified);
        sim->types.code[n++] = code;
    }
    sim->types.n = n;
}

static bool prepare_shapes(scree_sim *sim, scree_instance *instance, GError **error)
{
    const GPtrArray *shapes = sim->scene->shapes;
    const scree_resolver_ops *ops = instance->ops;
    for (uint32_t i = 0; SCREE_HAS(ops, prepare) && i < shapes->len; i++) {
        scree_call call = scree_call_begin(instance, SCREE_CALL_CONFIG, "prepare");
        int32_t code = ops->prepare(instance->self, i, shapes->pdata[i]);
        code = scree_call_end(&call, code, SCREE_OK, error);
        if (code < 0)
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
            choices ? make(sim, choices->pdata[r], slot, error) : old->contact.resolvers->pdata[r];
        if (!instance)
            return false;
        g_ptr_array_add(sim->plugins.contact.resolvers, instance);
        sim->plugins.contact.serial |= (instance->plugin->flags & SCREE_CAP_SERIAL) != 0;
        if (choices && !prepare_shapes(sim, instance, error))
            return false;
    }
    return true;
}

/** The results that laws need from a resolver. */
static uint64_t wanted(const scree_sim *sim)
{
    uint64_t wants = 0;
    if (sim->plugins.contact.needs & SCREE_IN_CURVATURE)
        wants |= SCREE_GIVES_CURVATURE;
    if (sim->plugins.contact.needs & SCREE_IN_AREA)
        wants |= SCREE_GIVES_AREA;
    if (sim->plugins.contact.needs & SCREE_IN_CHORD)
        wants |= SCREE_GIVES_CHORD;
    return wants;
}

/** Name of the first body of that shape type, for a message. */
static const char *group_with(const scree_scene *scene, uint32_t type)
{
    for (guint i = 0; i < scene->bodies->len; i++) {
        const scree_body *b = &g_array_index(scene->bodies, scree_body, i);
        if (((const scree_shape *)scene->shapes->pdata[b->shape])->type == type)
            return scene->group_names->pdata[b->group];
    }
    return scene->bodies->len ? "that modifiers may insert" : "of the run";
}

static char *list_resolvers(const scree_sim *sim)
{
    GString *names = g_string_new(NULL);
    for (guint r = 0; r < sim->plugins.contact.resolvers->len; r++)
        g_string_append_printf(
            names, "%s%s", r ? ", " : "",
            ((const scree_instance *)sim->plugins.contact.resolvers->pdata[r])->plugin->id);
    return g_string_free(names, FALSE);
}

static bool is_meshed(const scree_sim *sim, uint32_t type)
{
    return type_of(sim, type)->flags & SCREE_CAP_WALL;
}

/** Whether parts of bodies of a type are told apart in candidates. */
static bool has_parts(const scree_sim *sim, uint32_t type)
{
    const scree_shape_type *of = type_of(sim, type);
    bool many = is_meshed(sim, type);
    for (uint32_t i = 0; i < of->n_shapes; i++)
        many |= of->shapes[i]->n_parts > 1;
    return many;
}

/** Name of a type in the slot of a pair's fields. */
static const char *slot_name(const scree_sim *sim, uint32_t type)
{
    return is_meshed(sim, type) ? "facets"
                                : type_of(sim, type)->name; // as before: the hash holds it
}

/** Asks a resolver about a pair of types; answer.contacts: SCREE_SUPPORTS_*. */
static bool ask_supports(const scree_sim *sim, scree_instance *instance, uint32_t type_a,
                         uint32_t type_b, scree_pair_support *answer, GError **error)
{
    const scree_resolver_ops *ops = instance->ops;
    *answer = (scree_pair_support){.size = sizeof *answer,
                                   .a = type_of(sim, type_a),
                                   .b = type_of(sim, type_b),
                                   .provides = instance->plugin->provides};
    scree_call call = scree_call_begin(instance, SCREE_CALL_CONFIG, "supports");
    int32_t code = ops->supports(instance->self, answer);
    if (scree_call_end(&call, code, SCREE_OK, error) < 0)
        return false;
    if (answer->contacts <= SCREE_SUPPORTS_ONE && !(answer->provides & ~instance->plugin->provides))
        return true;
    return scree_call_blame(instance, "supports", SCREE_EXIT_PLUGIN, error,
                            "expected contacts 0 to %d and no bits beyond provides %#" PRIx64
                            " of the descriptor, got %u and %#" PRIx64,
                            SCREE_SUPPORTS_ONE, instance->plugin->provides, answer->contacts,
                            answer->provides);
}

static bool make_list(scree_sim *sim, uint32_t type_a, uint32_t type_b, GError **error)
{
    scree_list *list = &sim->plugins.contact.lists[sim->plugins.contact.n_lists];
    uint64_t wants = wanted(sim);
    const char *lacks = "";
    for (guint r = 0; r < sim->plugins.contact.resolvers->len; r++) {
        scree_instance *instance = sim->plugins.contact.resolvers->pdata[r];
        const scree_resolver_ops *ops = instance->ops;
        scree_pair_support answer;
        if (!ask_supports(sim, instance, type_a, type_b, &answer, error))
            return false;
        if (answer.contacts == SCREE_SUPPORTS_NOT)
            continue;
        if (wants & ~answer.provides) {
            lacks = " that provides the curvature, area or chord that a force law needs";
            continue;
        }
        g_autofree char *slot = g_strdup_printf("%s/%s-%s", instance->slot, slot_name(sim, type_a),
                                                slot_name(sim, type_b));
        *list = (scree_list){.type_a = type_a,
                             .type_b = type_b,
                             .resolver = instance,
                             .ops = ops,
                             .single = answer.contacts == SCREE_SUPPORTS_ONE,
                             .has_parts = has_parts(sim, type_a) || has_parts(sim, type_b),
                             .is_flat = type_of(sim, type_b)->flags &
                                        (SCREE_CAP_WALL | SCREE_CAP_INFINITE),
                             .has_planes = type_of(sim, type_b)->flags & SCREE_CAP_INFINITE,
                             .hint_bytes = ops->hint_bytes,
                             .wants = wants,
                             .first_pair_field = sim->plugins.contact.n_pair_fields};
        list->n_pair_fields = scree_columns_add(sim, slot, instance->plugin, SCREE_SCOPE_PAIR);
        sim->plugins.contact.n_lists++;
        return true;
    }
    g_autofree char *names = list_resolvers(sim);
    return scree_fail(error, SCREE_EXIT_USAGE,
                      "no resolver of the scene (%s) supports %s (%s) against %s (%s)%s", names,
                      slot_name(sim, type_a), group_with(sim->scene, type_a),
                      slot_name(sim, type_b), group_with(sim->scene, type_b), lacks);
}

/** One list per type pair that can meet: at least one of the two types is free somewhere. */
static bool make_lists(scree_sim *sim, GError **error)
{
    const uint32_t *types = sim->types.code, n = sim->types.n;
    memset(sim->plugins.contact.list_of, 0xff, sizeof sim->plugins.contact.list_of);
    sim->plugins.contact.lists = g_new0(scree_list, SCREE_MAX_TYPES * SCREE_MAX_TYPES);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i; j < n; j++) {
            if (!sim->types.free[i] && !sim->types.free[j])
                continue;
            if (sim->plugins.contact.n_lists == UINT8_MAX)
                return scree_fail(
                    error, SCREE_EXIT_USAGE,
                    "expected at most %d pairs of shape types that can meet, got more, "
                    "of %u types of shapes",
                    UINT8_MAX, n);
            sim->plugins.contact.list_of[i][j] = sim->plugins.contact.list_of[j][i] =
                (uint8_t)sim->plugins.contact.n_lists;
            if (!make_list(sim, types[i], types[j], error))
                return false;
        }
    if (sim->plugins.contact.n_pair_fields <= SCREE_MAX_PAIR_FIELDS)
        return true;
    return scree_fail(error, SCREE_EXIT_USAGE, "more than %d components of pair fields",
                      SCREE_MAX_PAIR_FIELDS);
}

/* ---- integrator and modifiers ---- */

void scree_plugins_place(scree_sim *sim)
{
    uint32_t at[SCREE_SCOPES] = {0};
    scree_instance *none[] = {sim->plugins.body.integrator};
    for (guint m = 0; m <= sim->plugins.body.modifiers->len; m++) {
        scree_instance *one = m ? sim->plugins.body.modifiers->pdata[m - 1] : none[0];
        one->first_body_field = at[SCREE_SCOPE_BODY];
        one->first_global_field = at[SCREE_SCOPE_GLOBAL];
        for (uint32_t f = 0; f < one->plugin->n_fields; f++)
            at[one->plugin->fields[f]->scope] += one->plugin->fields[f]->components;
    }
}

static const scree_hook *find_hook(const GPtrArray *hooks, const char *name)
{
    if (hooks)
        for (guint i = 0; i < hooks->len; i++)
            if (!strcmp(((const scree_hook *)hooks->pdata[i])->name, name))
                return hooks->pdata[i];
    return NULL;
}

static bool add_modifier(scree_sim *sim, const scree_hook *hook, scree_instance *instance,
                         GError **error)
{
    const scree_slot slot = {.kind = SCREE_KIND_MODIFIER, .name = hook->name};
    if (!instance)
        instance = make(sim, hook->choice, slot, error);
    if (!instance)
        return false;
    g_ptr_array_add(sim->plugins.body.modifiers, instance);
    g_ptr_array_add(sim->plugins.body.modifier_slots, (void *)hook);
    return true;
}

/** Keeps or replaces the present modifiers, then adds new ones. */
static bool make_modifiers(scree_sim *sim, const GPtrArray *hooks, const scree_plugins *old,
                           GError **error)
{
    guint n_old = old->body.modifiers ? old->body.modifiers->len : 0;
    sim->plugins.body.modifiers = g_ptr_array_new();
    sim->plugins.body.modifier_slots = g_ptr_array_new();
    for (guint m = 0; m < n_old; m++) {
        const scree_hook *was = old->body.modifier_slots->pdata[m],
                         *now = find_hook(hooks, was->name);
        if (now && !now->choice)
            continue;
        if (!add_modifier(sim, now ? now : was, now ? NULL : old->body.modifiers->pdata[m], error))
            return false;
    }
    if (hooks)
        for (guint m = 0; m < hooks->len; m++) {
            const scree_hook *hook = hooks->pdata[m];
            if (hook->choice && !find_hook(old->body.modifier_slots, hook->name) &&
                !add_modifier(sim, hook, NULL, error))
                return false;
        }
    return true;
}

static bool make_integrator(scree_sim *sim, const scree_choice_of *choice, const scree_plugins *old,
                            GError **error)
{
    const scree_slot slot = {.kind = SCREE_KIND_INTEGRATOR};
    sim->plugins.body.integrator = choice ? make(sim, choice, slot, error) : old->body.integrator;
    if (!sim->plugins.body.integrator)
        return false;
    sim->plugins.body.integrator_ops = sim->plugins.body.integrator->ops;
    return true;
}

static void add_body_columns(scree_sim *sim)
{
    static const uint32_t scopes[] = {SCREE_SCOPE_BODY, SCREE_SCOPE_GLOBAL};
    for (size_t k = 0; k < G_N_ELEMENTS(scopes); k++) {
        scree_columns_add(sim, sim->plugins.body.integrator->slot,
                          sim->plugins.body.integrator->plugin, scopes[k]);
        for (guint m = 0; m < sim->plugins.body.modifiers->len; m++) {
            const scree_instance *modifier = sim->plugins.body.modifiers->pdata[m];
            scree_columns_add(sim, modifier->slot, modifier->plugin, scopes[k]);
        }
    }
    scree_plugins_place(sim);
}

/* ---- the whole ---- */

static bool make_parts(scree_sim *sim, const scree_plugin_set *set,
                       const scree_saved_plugins *saved, GError **error)
{
    const scree_plugins *old = &saved->plugins;
    if (saved->has_gcd) {
        sim->plugins.gcd = make(sim, set->gcd, (scree_slot){.kind = SCREE_KIND_GCD}, error);
        if (!sim->plugins.gcd)
            return false;
        sim->plugins.gcd_ops = sim->plugins.gcd->ops;
    }
    if (!sim->types.index)
        list_types(sim);
    if (saved->has_contacts &&
        (!make_laws(sim, set->forces, old, error) ||
         !make_resolvers(sim, set->resolvers, old, error) || !make_lists(sim, error)))
        return false;
    if (!saved->has_bodies)
        return true;
    if (!make_integrator(sim, set->integrator, old, error) ||
        !make_modifiers(sim, set->modifiers, old, error))
        return false;
    add_body_columns(sim);
    return true;
}

static void clear_columns(scree_plugins *plugins, uint32_t scope)
{
    plugins->columns[scope] = NULL;
    plugins->n_live[scope] = 0;
}

/** The plugins without the parts that are made. */
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

bool scree_plugins_make(scree_sim *sim, const scree_plugin_set *set, scree_saved_plugins *saved,
                        GError **error)
{
    *saved = (scree_saved_plugins){.has_gcd = set->gcd != NULL,
                                   .has_contacts = set->forces || set->resolvers,
                                   .has_bodies = set->integrator || set->modifiers};
    saved->plugins = without_parts(&sim->plugins, saved);
    scree_plugins_exchange(sim, saved);
    if (make_parts(sim, set, saved, error))
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

/** Frees an array and those of its instances that the other array does not have. */
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
    sim->plugins = *saved; // lists and lanes were allocated by the numbers of its fields
    scree_evaluate_clear(sim);
    scree_lists_free(sim);
    *saved = sim->plugins;
    sim->plugins = present;
    free_laws(&saved->contact, &present.contact);
    free_others(saved->contact.resolvers, present.contact.resolvers);
    g_free(saved->contact.initial);
    g_free(saved->contact.pair_initial);
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
