/* SPDX-License-Identifier: Apache-2.0 */
/* The plugins of a scene: slots, named observers and modifiers, their needs. */
#include "scene/scene_plugins.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "plugin/kinds.h"
#include "plugin/quantities.h"
#include "plugin/registry.h"
#include "plugin/schema.h"
#include "plugin/schema_tables.h"
#include "scene/scene_body.h"
#include "scene/scene_bonds.h"
#include "scene/scene_keys.h"
#include "scene/scene_resolvers.h"
#include "scene/scene_schedule.h"

enum { NAMES_GROUPS = SCREE_PARAM_GROUP | SCREE_PARAM_KINEMATIC_GROUP };
void scree_build_check_dimension(scree_build *b, const scree_choice_of *choice)
{
    uint32_t bit = b->scene->dimension == 2 ? SCREE_DIMENSION_2 : SCREE_DIMENSION_3;
    if (choice && !(choice->plugin->dimensions & bit))
        scree_config_problem(b->config, choice->group, "%s/%s does not serve %uD",
                             scree_kind_name(choice->plugin->kind), choice->plugin->id,
                             b->scene->dimension);
}

scree_choice_of *scree_build_choice(scree_build *b, scree_node *from, const char *key,
                                    uint32_t kind, const char *otherwise)
{
    scree_node *group = scree_config_child(from, key);
    scree_choice_of *choice = scree_schema_choose(b->config, group, kind, otherwise,
                                                  &b->scene->materials, b->scene->registry);
    scree_build_check_dimension(b, choice);
    return choice;
}

/** Returns whether a node is a word, or a list of words: names of plugins instead of groups. */
static bool holds_words(const scree_node *node)
{
    const guint n = scree_node_count(node);
    bool words = n > 0;
    for (guint i = 0; words && i < n; i++)
        words = scree_node_at(node, i)->type == SCREE_NODE_STRING;
    return words;
}

GPtrArray *scree_build_choices(scree_build *b, scree_node *from, const char *key, uint32_t kind,
                               const char *otherwise)
{
    GPtrArray *choices = g_ptr_array_new_with_free_func((GDestroyNotify)scree_choice_of_free);
    scree_node *node = scree_config_child(from, key);
    guint n = node ? scree_node_count(node) : otherwise != NULL;
    if (node && holds_words(node)) {
        scree_schema_want_plugin(b->config, node, true);
        n = 0;
    }
    for (guint i = 0; i < n; i++) {
        scree_node *group = node ? scree_node_at(node, i) : NULL;
        if (group && group->type != SCREE_NODE_GROUP) {
            scree_schema_want_plugin(b->config, group, true);
            continue;
        }
        if (group)
            group->known = true;
        scree_law_keys keys;
        if (kind == SCREE_KIND_FORCE)
            scree_build_keys(b, group, SCREE_KEYS_LAW, &keys);
        scree_choice_of *choice =
            scree_schema_choose(b->config, group, kind, group ? NULL : otherwise,
                                &b->scene->materials, b->scene->registry);
        scree_build_check_dimension(b, choice);
        if (choice && kind == SCREE_KIND_FORCE) {
            scree_build_bonds(b, keys.bonds, choice);
            scree_build_between(b, keys.between, choice);
        }
        if (choice)
            g_ptr_array_add(choices, choice);
    }
    return choices;
}

uint64_t scree_build_given(const GPtrArray *resolvers)
{
    uint64_t given = 0;
    const guint n = resolvers ? resolvers->len : 0;
    for (guint i = 0; i < n; i++)
        given |= ((scree_choice_of *)resolvers->pdata[i])->plugin->provides;
    return given;
}

/** Checks that a law that reads the normal force comes after a law that makes it. */
static void check_order(scree_build *b, const GPtrArray *forces)
{
    bool pushes = false;
    if (forces)
        for (uint32_t i = 0; i < forces->len; i++) {
            const scree_choice_of *law = forces->pdata[i];
            bool takes = law->plugin->needs & SCREE_IN_NORMAL_FORCE;
            if (takes && !pushes)
                scree_config_problem(
                    b->config, law->group,
                    "force/%s takes the normal force of the laws before it in `force`, "
                    "and there is none: expected a law that pushes first, linear say",
                    law->plugin->id);
            pushes |= !takes;
        }
}

void scree_build_check_needs(scree_build *b, const GPtrArray *forces, uint64_t given)
{
    check_order(b, forces);
    const guint n_laws = forces ? forces->len : 0;
    for (guint i = 0; i < n_laws; i++) {
        const scree_choice_of *law = forces->pdata[i];
        // An instance may use fewer inputs: sim_plugins.c checks this when it is made.
        const bool may_use_less = SCREE_HAS(scree_vtable_head(law->plugin), narrow);
        uint64_t lacks = may_use_less ? 0 : scree_quantities_required(law->plugin->needs) & ~given;
        for (const scree_quantity *q = scree_quantities; lacks; q++) {
            if (lacks & q->gives)
                scree_config_problem(b->config, law->group,
                                     "force/%s needs `%s` of contacts, which no resolver of this "
                                     "scene provides",
                                     law->plugin->id, q->name);
            lacks &= ~q->gives;
        }
    }
}

/** Gives the names of modifiers to the bodies that they make. */
static void name_modifiers(scree_build *b)
{
    const scree_node *groups = b->top->modifiers;
    if (groups)
        for (uint32_t i = 0; groups->type == SCREE_NODE_GROUP && i < groups->children->len; i++)
            scree_build_group_name(b, ((const scree_node *)groups->children->pdata[i])->name);
}

void scree_timed_choice_free(void *p)
{
    scree_timed_choice *timed = p;
    scree_choice_of_free(timed->choice);
    g_free(timed);
}

/** Returns whether an observer is optional and its plugin not installed: the scene then runs
 * without it. A modifier is never optional, because the trajectory depends on it. */
static bool is_left_out(scree_build *b, scree_node *group, uint32_t kind)
{
    g_autoptr(GError) error = NULL;
    const scree_file *file;
    const scree_node *plugin = scree_node_find(group, "plugin");
    if (kind != SCREE_KIND_OBSERVER) {
        scree_config_problem(b->config, scree_node_find(group, "optional"),
                             "observers may be optional; on a modifier the trajectory depends");
        return false;
    }
    if (!plugin || plugin->type != SCREE_NODE_STRING ||
        scree_registry_get(b->scene->registry, kind, plugin->s, &file, &error) ||
        error->code != SCREE_EXIT_USAGE)
        return false; // reported later, with its choice
    scree_config_note(b->config, plugin, "%s is left out, as it is optional: %s", group->name,
                      error->message);
    return true;
}

/** Refuses a name of files that leaves the folder of the run. */
static void check_output(const scree_build *b, scree_node *group, const scree_choice_of *choice)
{
    for (uint32_t k = 0; k < choice->plugin->n_params; k++) {
        const scree_param *param = choice->plugin->params[k];
        const char *name = NULL;
        if (strcmp(param->name, "file") || param->type != SCREE_TYPE_STRING ||
            param->flags & SCREE_PARAM_FILE)
            continue;
        memcpy(&name, (const char *)choice->config + param->offset, sizeof name);
        g_auto(GStrv) parts = g_strsplit(name ? name : "", "/", -1);
        if (g_path_is_absolute(name ? name : "") ||
            g_strv_contains((const char *const *)parts, ".."))
            scree_config_problem(b->config, scree_node_find(group, "file"),
                                 "\"%.400s\" leaves the run's folder", name);
    }
}

scree_timed_choice *scree_build_timed(scree_build *b, scree_node *group, uint32_t kind)
{
    scree_config *c = b->config;
    scree_timed_choice *timed = g_new0(scree_timed_choice, 1);
    const int given = scree_build_interval(b, group);
    scree_build_keys(b, group, SCREE_KEYS_TIMED, timed);
    timed->name = group->name;
    if (kind == SCREE_KIND_MODIFIER && timed->every_wall > 0.0)
        scree_config_problem(c, scree_node_find(group, "every_wall"),
                             "a modifier changes the trajectory, which may not depend on the "
                             "clock; every_steps and every_time are possible");
    if (!timed->optional || !is_left_out(b, group, kind))
        timed->choice =
            scree_schema_choose(c, group, kind, NULL, &b->scene->materials, b->scene->registry);
    scree_build_check_dimension(b, timed->choice);
    if (kind == SCREE_KIND_OBSERVER && timed->choice)
        check_output(b, group, timed->choice);
    if (given && timed->choice && !scree_kind_has_intervals(timed->choice->plugin))
        scree_config_problem(c, group,
                             "modifier/%s acts at every evaluation: every_steps and every_time "
                             "have no effect on it; take them out",
                             timed->choice->plugin->id);
    if (timed->choice)
        return timed;
    g_free(timed);
    return NULL;
}

static GPtrArray *read_timed_choices(scree_build *b, const char *key, uint32_t kind)
{
    GPtrArray *chosen = g_ptr_array_new_with_free_func(scree_timed_choice_free);
    g_autoptr(GPtrArray) groups = scree_build_groups(b, key);
    if (groups)
        for (uint32_t i = 0; i < groups->len; i++) {
            scree_timed_choice *timed = scree_build_timed(b, groups->pdata[i], kind);
            if (timed)
                g_ptr_array_add(chosen, timed);
        }
    return chosen;
}

/** Returns whether the text has such a group of bodies; another problem may have dropped it. */
static bool is_written(const scree_build *b, const char *name)
{
    const scree_node *root = b->config->root;
    return scree_node_find(scree_node_find(root, "bodies"), name) ||
           scree_node_find(scree_node_find(root, "generate"), name);
}

/** Checks the name of a group that a plugin asks for. */
static void check_moved_group(scree_build *b, const scree_node *at, bool kinematic)
{
    const scree_scene *s = b->scene;
    if (at->type != SCREE_NODE_STRING)
        return; // already reported
    const uint32_t group = scree_scene_group(s, at->s);
    if (group == SCREE_NONE) {
        g_autofree char *hint = scree_build_group_hint(b, at->s);
        if (!b->config->problems->len || !is_written(b, at->s)) // otherwise reported already
            scree_config_problem(b->config, at, "no group \"%s\" in bodies or generate%s", at->s,
                                 hint);
        return;
    }
    if (kinematic)
        for (guint i = 0; i < s->bodies->len; i++) {
            const scree_body *body = &g_array_index(s->bodies, scree_body, i);
            if (body->group != group || body->motion == SCREE_MOTION_KINEMATIC)
                continue;
            scree_config_problem(b->config, at,
                                 "expected kinematic bodies in group \"%s\", got body %" PRIu64
                                 ", which is %s: give the group motion = \"kinematic\"",
                                 at->s, body->id,
                                 scree_keys_word(SCREE_KEYS_BODY, "motion", (int32_t)body->motion));
            return;
        }
}

/** Notes that a plugin with forces names a group without free bodies: no force can act there. */
static void note_idle_group(scree_build *b, const scree_node *at, const scree_plugin *plugin)
{
    const scree_scene *s = b->scene;
    bool any = false, free = false;
    if (at->type == SCREE_NODE_STRING)
        for (guint i = 0; i < s->bodies->len; i++) {
            const scree_body *body = &g_array_index(s->bodies, scree_body, i);
            bool here = !strcmp(s->group_names->pdata[body->group], at->s);
            any |= here;
            free |= here && body->motion == SCREE_MOTION_FREE;
        }
    if (any && !free)
        scree_config_note(b->config, at,
                          "no body of group '%s' is free: modifier/%s, which acts on free bodies, "
                          "does nothing to it",
                          at->s, plugin->id);
}

void scree_build_check_groups(scree_build *b, const scree_choice_of *choice)
{
    const scree_plugin *plugin = choice->plugin;
    bool pushes = plugin->kind == SCREE_KIND_MODIFIER &&
                  SCREE_HAS((const scree_modifier_ops *)plugin->ops, forces);
    for (uint32_t p = 0; p < choice->plugin->n_params; p++) {
        const scree_param *param = choice->plugin->params[p];
        const scree_node *node = choice->group && (param->flags & NAMES_GROUPS)
                                     ? scree_config_child(choice->group, param->name)
                                     : NULL;
        const bool kinematic = param->flags & SCREE_PARAM_KINEMATIC_GROUP;
        const guint n = scree_node_count(node);
        for (guint k = 0; k < n; k++) {
            const scree_node *at = scree_node_at(node, k);
            check_moved_group(b, at, kinematic);
            if (pushes && !kinematic)
                note_idle_group(b, at, plugin);
        }
    }
}

static void check_all_groups(scree_build *b)
{
    const GPtrArray *timed_lists[] = {b->scene->observers, b->scene->modifiers};
    for (size_t i = 0; i < G_N_ELEMENTS(timed_lists); i++)
        for (guint k = 0; k < timed_lists[i]->len; k++)
            scree_build_check_groups(
                b, ((const scree_timed_choice *)timed_lists[i]->pdata[k])->choice);
}

void scree_build_integrator(scree_build *b)
{
    b->scene->integrator = scree_build_choice(b, b->config->root, "integrator",
                                              SCREE_KIND_INTEGRATOR, "velocity_verlet");
    // Sources of its file are found through it.
    if (b->scene->integrator && b->scene->integrator->file)
        scree_registry_give(b->scene->registry, b->scene->integrator->file, false);
}

/** Returns an observer's parameter `file`, from the scene or by default; NULL: it has none. */
static const char *file_of(const scree_choice_of *choice)
{
    const char *file = NULL;
    for (uint32_t p = 0; p < choice->plugin->n_params; p++) {
        const scree_param *param = choice->plugin->params[p];
        if (!strcmp(param->name, "file") && param->type == SCREE_TYPE_STRING)
            memcpy(&file, (const char *)choice->config + param->offset, sizeof file);
    }
    return file;
}

void scree_build_compare_files(scree_build *b, const scree_timed_choice *one,
                               const scree_timed_choice *other)
{
    const char *file = file_of(one->choice);
    if (one->choice->plugin == other->choice->plugin && file &&
        !g_strcmp0(file, file_of(other->choice)))
        scree_config_problem(b->config, one->choice->group,
                             "observers.%s writes file = \"%s\" already: give one of them another "
                             "file",
                             other->name, file);
}

/* default of `query` */
#define QUERY_GCD "hgrid"

void scree_build_query(scree_build *b)
{
    scree_query_keys keys;
    if (!b->top->query)
        return;
    scree_build_group(b, b->top->query, SCREE_KEYS_QUERY, &keys);
    b->scene->query->gcd = scree_build_choice(b, b->top->query, "gcd", SCREE_KIND_GCD, QUERY_GCD);
}

const scree_choice_of *scree_scene_query_gcd(const scree_scene *s, GError **error)
{
    const scree_file *file;
    if (s->query->gcd)
        return s->query->gcd;
    if (!scree_registry_get(s->registry, SCREE_KIND_GCD, QUERY_GCD, &file, error)) {
        g_prefix_error(error, "query.gcd: ");
        return NULL;
    }
    s->query->gcd =
        scree_schema_choose(s->config, NULL, SCREE_KIND_GCD, QUERY_GCD, &s->materials, s->registry);
    if (!s->query->gcd)
        scree_fail(error, SCREE_EXIT_USAGE, "query.gcd: the plugin gcd/" QUERY_GCD " is missing");
    return s->query->gcd;
}

void scree_build_resolvers(scree_build *b)
{
    const guint before = b->config->problems->len;
    if (b->scene->resolvers && b->top->resolvers)
        return; // the user's
    scree_build_choose_resolvers(b);
    g_clear_pointer(&b->scene->resolvers, g_ptr_array_unref);
    b->scene->resolvers =
        scree_build_choices(b, b->config->root, "resolvers", SCREE_KIND_RESOLVER, "sphere");
    if (!b->scene->resolvers->len && b->config->problems->len == before)
        scree_config_problem(b->config, scree_node_find(b->config->root, "resolvers"),
                             "expected a resolver or more, got none");
    b->resolvers_good = b->config->problems->len == before;
}

void scree_build_plugins(scree_build *b)
{
    scree_scene *s = b->scene;
    scree_node *root = b->config->root;
    name_modifiers(b);
    s->gcd = scree_build_choice(b, root, "gcd", SCREE_KIND_GCD, "auto");
    s->forces = scree_build_choices(b, root, "force", SCREE_KIND_FORCE, NULL);
    if (b->top->domain)
        s->domain = scree_build_choice(b, root, "domain", SCREE_DRAFT_KIND_DOMAIN, NULL);
    s->observers = read_timed_choices(b, "observers", SCREE_KIND_OBSERVER);
    for (guint k = 0; k < s->observers->len; k++)
        for (guint m = 0; m < k; m++)
            scree_build_compare_files(b, s->observers->pdata[k], s->observers->pdata[m]);
    s->modifiers = read_timed_choices(b, "modifiers", SCREE_KIND_MODIFIER);
    if (b->resolvers_good) // otherwise a wrong resolver may be the one that a law needs
        scree_build_check_needs(b, s->forces, scree_build_given(s->resolvers));
    check_all_groups(b);
    scree_build_schedule(b);
    if (!b->top->force)
        scree_config_note(b->config, NULL, "no force law: bodies pass through each other");
    scree_schema_check_material_keys(b->config, &s->materials,
                                     &scree_scene_tables[SCREE_KEYS_MATERIAL], s->registry);
}

/* ---- values of materials ---- */

/** Counts bodies of each material, [n_materials], and the free ones; 2 count as many. */
static void count_bodies(const scree_scene *s, const GArray *bodies, uint8_t *all, uint8_t *free)
{
    for (guint i = 0; i < bodies->len; i++) {
        const scree_body *body = &g_array_index(bodies, scree_body, i);
        const bool comes = body->id == SCREE_ID_NONE, any = isnan(body->scale); // any material
        for (uint32_t m = 0; m < s->materials.n; m++) {
            const uint8_t n = any || m == body->material ? (comes ? 2 : 1) : 0;
            all[m] = (uint8_t)MIN(all[m] + n, 2);
            free[m] |= n && body->motion == SCREE_MOTION_FREE;
        }
    }
}

const scree_node *scree_materials_overriding(const scree_scene *s, const char *name)
{
    const scree_materials *m = &s->materials;
    const scree_node *first = NULL;
    for (uint32_t k = 0; k < m->n && !first; k++)
        first = scree_node_find(m->groups[k], name);
    if (first || !m->pairs)
        return first;
    g_autofree uint8_t *all = g_new0(uint8_t, m->n + 1), *free = g_new0(uint8_t, m->n + 1);
    g_autofree scree_node **pair_of = scree_materials_pairs(NULL, m);
    count_bodies(s, s->bodies, all, free);
    count_bodies(s, s->to_come, all, free);
    for (uint32_t a = 0; a < m->n; a++)
        for (uint32_t b = a; b < m->n; b++) {
            const bool meet =
                a == b ? free[a] && all[a] > 1 : (free[a] && all[b]) || (all[a] && free[b]);
            const scree_node *pair = pair_of[(size_t)a * m->n + b],
                             *at = pair ? scree_node_find(pair, name) : NULL;
            if (!at && meet)
                return NULL;
            first = first ? first : at;
        }
    return first;
}
