/* SPDX-License-Identifier: Apache-2.0 */
/* The key `schedule` of a scene, and plugins that replace others: reads and checks them. */
#include "scene/scene_schedule.h"

#include <string.h>

#include "config/config.h"
#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "plugin/kinds.h"
#include "plugin/schema.h"
#include "plugin/slot.h"
#include "scene/scene_body.h"
#include "scene/scene_condition.h"
#include "scene/scene_keys.h"
#include "scene/scene_plugins.h"

/** The entries read so far: a later entry finds in a slot the choice of the last one that set
 * it. */
typedef struct entries_read {
    const scree_scene *scene;
    guint n;
} entries_read;

typedef struct set_reader {
    scree_build *build;
    scree_plugin_set *set;
    scree_base_fn base;
    void *user;
} set_reader;

void scree_plugin_set_free(scree_plugin_set *set)
{
    if (!set)
        return;
    scree_choice_of_free(set->gcd);
    scree_choice_of_free(set->integrator);
    GPtrArray *lists[] = {set->resolvers, set->forces, set->modifiers, set->observers};
    for (size_t k = 0; k < G_N_ELEMENTS(lists); k++)
        if (lists[k])
            g_ptr_array_unref(lists[k]);
    scree_config_free(set->config);
    g_free(set);
}

static void free_entry(void *data)
{
    scree_schedule_entry *entry = data;
    scree_plugin_set_free(entry->set);
    scree_condition_free(entry->when);
    scree_node_free(entry->relative);
    if (entry->settings.groups)
        g_array_unref(entry->settings.groups);
    g_free(entry->cause);
    g_free(entry);
}

static const scree_param *find_param(const scree_plugin *plugin, const char *name)
{
    for (uint32_t p = 0; p < plugin->n_params; p++)
        if (!strcmp(plugin->params[p]->name, name))
            return plugin->params[p];
    return NULL;
}

/** Checks that a group without `plugin` changes only live parameters. */
static void check_live(set_reader *r, const scree_node *group, const scree_plugin *plugin)
{
    for (guint k = 0; k < group->children->len; k++) {
        const scree_node *child = group->children->pdata[k];
        const scree_param *param = find_param(plugin, child->name);
        if (param && !(param->flags & SCREE_PARAM_LIVE))
            scree_config_problem(r->build->config, child,
                                 "%s of %s/%s is not live: it may not change in a run; to make "
                                 "the plugin again, name it: plugin = \"%s\"",
                                 param->name, scree_kind_name(plugin->kind), plugin->id,
                                 plugin->id);
    }
}

/** Adds a key that the user has not written, unless the group has it. */
static void add_child(scree_node *group, scree_node *child)
{
    child->implied = true;
    if (!scree_node_add(group, child))
        scree_node_free(child);
}

/** Gives a group without `plugin` the plugin of its slot, and the slot's keys that it lacks. */
static void complete(set_reader *r, scree_node *group, scree_slot slot)
{
    if (group->type != SCREE_NODE_GROUP || scree_node_find(group, "plugin"))
        return;
    const scree_choice_of *base = r->base(r->user, slot);
    if (!base) {
        g_autofree char *text = scree_slot_print(slot);
        scree_config_problem(r->build->config, group,
                             "%s has no plugin whose parameters could change: name one, plugin = "
                             "\"..\"",
                             text);
        return;
    }
    check_live(r, group, base->plugin);
    r->set->relative = true;
    for (guint k = 0; base->group && k < base->group->children->len; k++)
        add_child(group, scree_node_copy(base->group->children->pdata[k]));
    scree_node *plugin = scree_node_new(SCREE_NODE_STRING, group->file, group->dir, group->line);
    plugin->name = g_strdup("plugin");
    plugin->s = g_strdup(base->plugin->id);
    add_child(group, plugin);
}

static scree_choice_of *read_entry_choice(set_reader *r, scree_node *from, uint32_t kind)
{
    const char *key = scree_kinds[kind].key;
    scree_node *group = scree_config_child(from, key);
    if (!group)
        return NULL;
    complete(r, group, (scree_slot){.kind = kind});
    return scree_build_choice(r->build, from, key, kind, NULL);
}

/** Checks that a list with a group without `plugin` leaves out none of the current plugins: such a
 * group changes parameters, and removes nothing. */
static void check_length(set_reader *r, const scree_node *node, uint32_t kind)
{
    const guint n = scree_node_count(node);
    g_autoptr(GString) now = g_string_new(NULL), write = g_string_new(NULL);
    const scree_choice_of *at;
    guint known = 0;
    bool changes = false;
    for (guint k = 0; k < n; k++) {
        const scree_node *group = scree_node_at(node, k);
        changes |= group->type == SCREE_NODE_GROUP && !scree_node_find(group, "plugin");
    }
    for (; (at = r->base(r->user, (scree_slot){.kind = kind, .index = known})); known++) {
        g_string_append_printf(now, "%s%s", known ? ", " : "", at->plugin->id);
        g_string_append(write, known == 0 ? "{ .. }" : ", { }");
    }
    if (changes && n < known)
        scree_config_problem(r->build->config, node,
                             "%s has %u plugins (%s), and a group without `plugin` keeps them: "
                             "expected a group for each, { } for one that does not change, %s = "
                             "( %s )",
                             node->name, known, now->str, node->name, write->str);
}

static GPtrArray *read_entry_list(set_reader *r, scree_node *from, uint32_t kind)
{
    const char *key = scree_kinds[kind].key;
    scree_node *node = scree_config_child(from, key);
    if (!node)
        return NULL;
    const guint n = scree_node_count(node);
    check_length(r, node, kind);
    for (guint k = 0; k < n; k++)
        complete(r, scree_node_at(node, k), (scree_slot){.kind = kind, .index = k});
    return scree_build_choices(r->build, from, key, kind, NULL);
}

static scree_timed_choice *read_timed(set_reader *r, scree_node *node, uint32_t kind)
{
    const scree_slot slot = {.kind = kind, .name = node->name};
    if (node->type == SCREE_NODE_STRING && !strcmp(node->s, "off")) {
        scree_timed_choice *off = g_new0(scree_timed_choice, 1);
        off->name = node->name;
        g_autofree char *text = scree_slot_print(slot);
        if (!r->base(r->user, slot))
            scree_config_problem(r->build->config, node, "there is no %s to switch off", text);
        return off;
    }
    if (node->type != SCREE_NODE_GROUP) {
        scree_config_expected(r->build->config, node, "\"off\" or a group { plugin = \"..\"; .. }");
        return NULL;
    }
    complete(r, node, slot);
    scree_timed_choice *timed = scree_build_timed(r->build, node, kind);
    if (timed)
        scree_build_check_groups(r->build, timed->choice);
    return timed;
}

static GPtrArray *read_entry_timed(set_reader *r, scree_node *from, uint32_t kind)
{
    scree_node *group = scree_config_child(from, scree_kinds[kind].key);
    if (!group || group->type != SCREE_NODE_GROUP) {
        if (group)
            scree_config_expected(r->build->config, group, "a group { .. }");
        return NULL;
    }
    GPtrArray *chosen = g_ptr_array_new_with_free_func(scree_timed_choice_free);
    for (guint k = 0; k < group->children->len; k++) {
        scree_node *node =
            scree_config_child(group, ((scree_node *)group->children->pdata[k])->name);
        if (kind == SCREE_KIND_MODIFIER)
            scree_build_group_name(r->build, node->name);
        scree_timed_choice *timed = read_timed(r, node, kind);
        if (timed)
            g_ptr_array_add(chosen, timed);
    }
    return chosen;
}

scree_plugin_set *scree_build_set(scree_build *b, scree_node *group, scree_base_fn base, void *user)
{
    scree_plugin_set *set = g_new0(scree_plugin_set, 1);
    set_reader r = {b, set, base, user};
    set->gcd = read_entry_choice(&r, group, SCREE_KIND_GCD);
    set->integrator = read_entry_choice(&r, group, SCREE_KIND_INTEGRATOR);
    set->resolvers = read_entry_list(&r, group, SCREE_KIND_RESOLVER);
    set->forces = read_entry_list(&r, group, SCREE_KIND_FORCE);
    set->modifiers = read_entry_timed(&r, group, SCREE_KIND_MODIFIER);
    set->observers = read_entry_timed(&r, group, SCREE_KIND_OBSERVER);
    scree_config_report_unknown(b->config, group);
    if (!group->children->len)
        scree_config_problem(b->config, group,
                             "it is empty: expected plugins or settings to change");
    return set;
}

/* ---- choices of the scene, and of entries so far ---- */

/** Returns the choice for a slot in a set; *found: the set has this slot. */
static const scree_choice_of *look_up(scree_slot slot, const scree_plugin_set *in, bool *found)
{
    const scree_choice_of *one = slot.kind == SCREE_KIND_GCD ? in->gcd : in->integrator;
    const GPtrArray *named = slot.kind == SCREE_KIND_MODIFIER ? in->modifiers : in->observers;
    const scree_timed_choice *timed;
    const GPtrArray *list = slot.kind == SCREE_KIND_RESOLVER ? in->resolvers : in->forces;
    switch (scree_kinds[slot.kind].form) {
    case SCREE_SLOT_ONE:
        *found = one != NULL;
        return one;
    case SCREE_SLOT_NAMED:
        timed = scree_timed_find(named, slot.name);
        *found = timed != NULL;
        return timed ? timed->choice : NULL;
    default:
        *found = list != NULL;
        return list && slot.index < list->len ? list->pdata[slot.index] : NULL;
    }
}

static const scree_choice_of *base_in_schedule(void *user, scree_slot slot)
{
    const entries_read *c = user;
    bool found = false;
    for (guint k = c->n; k-- > 0;) {
        const scree_schedule_entry *entry = c->scene->schedule->pdata[k];
        const scree_choice_of *choice = look_up(slot, entry->set, &found);
        if (found)
            return choice;
    }
    const scree_plugin_set scene = scree_scene_set(c->scene);
    return look_up(slot, &scene, &found);
}

/* ---- entries ---- */

static void read_moment(scree_build *b, scree_node *group, const scree_entry_keys *keys,
                        scree_schedule_entry *entry)
{
    const scree_node *step = scree_node_find(group, "at_step"),
                     *time = scree_node_find(group, "at_time");
    const int given = (step != NULL) + (time != NULL) + (keys->when != NULL);
    if (given != 1) {
        scree_config_problem(b->config, group, "expected one of at_step, at_time, when, got %s",
                             given ? "more than one" : "none");
        return;
    }
    entry->at_step = step != NULL;
    entry->at_time = time != NULL;
    entry->step = (uint64_t)keys->at_step;
    entry->time = keys->at_time;
    if (keys->when)
        entry->when = scree_build_condition(b, group);
    if (step)
        entry->cause = g_strdup_printf("at_step %" G_GUINT64_FORMAT, entry->step);
    else if (time)
        entry->cause = g_strdup_printf("at_time %.9g s", entry->time);
    else
        entry->cause = g_strdup(entry->when ? entry->when->text : "");
}

/** Returns a copy of a group without `scene` and `bodies`. */
static scree_node *copy_plugins(const scree_node *set)
{
    static const char *const others[] = {"scene", "bodies"};
    scree_node *copy = scree_node_copy(set);
    for (size_t k = 0; k < G_N_ELEMENTS(others); k++) {
        scree_node *child = scree_node_find(copy, others[k]);
        if (child)
            scree_node_remove(child);
    }
    return copy;
}

/** Returns whether the integrator makes the bodies and has its own step. */
static bool has_own_step(const scree_scene *s)
{
    bool own = false;
    for (guint k = 0; k < s->sources->len; k++)
        own = own || ((const scree_choice_of *)s->sources->pdata[k])->file == s->integrator->file;
    return own && s->integrator->file;
}

void scree_build_set_settings(scree_build *b, scree_node *set, scree_settings *settings)
{
    scree_set_keys what;
    scree_build_keys(b, set, SCREE_KEYS_SET, &what);
    scree_node *group = what.scene;
    scree_build_settings(b, group, settings);
    if (group && !group->children->len)
        scree_config_problem(b->config, group,
                             "it is empty: expected dt, gravity, region, boundary");
    scree_config_report_unknown(b->config, group);
    if (settings->has_dt && b->scene->integrator && has_own_step(b->scene))
        scree_config_problem(b->config, scree_node_find(group, "dt"),
                             "integrator/%s brings the bodies, with motions per step: dt may not "
                             "change in its runs",
                             b->scene->integrator->plugin->id);
    if (what.bodies)
        scree_build_group_changes(b, what.bodies, settings);
}

char *scree_schedule_place(const scree_schedule_entry *entry)
{
    return scree_node_place(&(scree_node){.file = entry->file, .line = entry->line});
}

/** Checks the observers of the last entry against all that still write: no two may write one
 * file. */
static void check_files(scree_build *b)
{
    const scree_scene *s = b->scene;
    entries_read all = {s, s->schedule->len};
    const GPtrArray *last = scree_scene_observers(s, s->schedule->len);
    const guint n = last ? last->len : 0;
    for (guint i = 0; i < n; i++)
        for (guint k = 0; k <= s->schedule->len; k++) {
            const scree_timed_choice *one = last->pdata[i];
            const GPtrArray *others = scree_scene_observers(s, k);
            const guint n_others = others && one->choice ? others->len : 0;
            for (guint j = 0; j < n_others && others->pdata[j] != one; j++) {
                const scree_timed_choice *other = others->pdata[j];
                const scree_slot slot = {.kind = SCREE_KIND_OBSERVER, .name = other->name};
                if (other->choice && strcmp(other->name, one->name) &&
                    base_in_schedule(&all, slot) == other->choice)
                    scree_build_compare_files(b, one, other);
            }
        }
}

static void read_entry(scree_build *b, scree_node *group)
{
    scree_scene *s = b->scene;
    entries_read so_far = {s, s->schedule->len};
    if (group->type != SCREE_NODE_GROUP) {
        scree_config_expected(b->config, group, "a group { at_step = ..; set = { .. }; }");
        return;
    }
    scree_entry_keys keys;
    scree_schedule_entry *entry = g_new0(scree_schedule_entry, 1);
    entry->file = group->file;
    entry->line = group->line;
    scree_build_keys(b, group, SCREE_KEYS_ENTRY, &keys);
    entry->goes_on = keys.if_refused == SCREE_REFUSED_GO_ON;
    entry->by_hand = keys.by_hand;
    read_moment(b, group, &keys, entry);
    scree_config_report_unknown(b->config, group);
    scree_node *set = keys.set;
    if (!set) {
        free_entry(entry);
        return;
    }
    entry->relative = copy_plugins(set);
    scree_build_set_settings(b, set, &entry->settings);
    entry->set = scree_build_set(b, set, base_in_schedule, &so_far);
    if (!entry->set->relative)
        g_clear_pointer(&entry->relative, scree_node_free);
    s->modifiers_later |= entry->set->modifiers != NULL;
    s->observers_later |= entry->set->observers != NULL;
    g_ptr_array_add(s->schedule, entry);
    if (!entry->by_hand) // what was done by hand was checked then
        check_files(b);
}

/** Checks that a resolver of the scene or of the schedule gives the needs of each law. The swap
 * checks the resolver that is then current. */
static void check_needs(scree_build *b)
{
    const GPtrArray *entries = b->scene->schedule;
    uint64_t given = scree_build_given(b->scene->resolvers);
    for (guint k = 0; k < entries->len; k++)
        given |= scree_build_given(((scree_schedule_entry *)entries->pdata[k])->set->resolvers);
    for (guint k = 0; k < entries->len; k++)
        scree_build_check_needs(b, ((scree_schedule_entry *)entries->pdata[k])->set->forces, given);
}

/** Checks that no changed parameter has its value in the materials: they override the plugin's
 * group. */
static void check_tables(scree_build *b, const scree_choice_of *choice)
{
    if (choice)
        for (uint32_t p = 0; choice->group && p < choice->plugin->n_params; p++) {
            const scree_param *param = choice->plugin->params[p];
            const scree_node *at = scree_node_find(choice->group, param->name);
            if (!at || at->implied ||
                (param->type != SCREE_TYPE_PER_MATERIAL && param->type != SCREE_TYPE_PER_PAIR))
                continue;
            const scree_node *first = scree_materials_overriding(b->scene, param->name);
            g_autofree char *path = first ? scree_node_path(first) : NULL,
                            *place = first ? scree_node_place(first) : NULL;
            if (first)
                scree_config_problem(b->config, at,
                                     "%s (%s) comes before this, which has no effect: give the "
                                     "scene's own %s there as well, in the group of the plugin",
                                     path, place, param->name);
        }
}

/** Checks the values of all entries, once all bodies are known that modifiers of the schedule
 * make. */
static void check_values(scree_build *b)
{
    for (guint k = 0; k < b->scene->schedule->len; k++) {
        const scree_schedule_entry *entry = b->scene->schedule->pdata[k];
        const scree_plugin_set *set = entry->set;
        const guint n_laws = set->forces && !entry->by_hand ? set->forces->len : 0,
                    n_modifiers = set->modifiers && !entry->by_hand ? set->modifiers->len : 0;
        for (guint i = 0; i < n_laws; i++)
            check_tables(b, set->forces->pdata[i]);
        for (guint i = 0; i < n_modifiers; i++)
            check_tables(b, ((const scree_timed_choice *)set->modifiers->pdata[i])->choice);
    }
}

void scree_build_schedule(scree_build *b)
{
    scree_node *list = b->top->schedule;
    b->scene->schedule = g_ptr_array_new_with_free_func(free_entry);
    if (list)
        for (guint k = 0; k < list->children->len; k++)
            read_entry(b, list->children->pdata[k]);
    check_needs(b);
    check_values(b);
}
