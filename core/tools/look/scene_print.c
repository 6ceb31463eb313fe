// SPDX-License-Identifier: Apache-2.0
// A scene as text: what was read, merged and overridden, with the defaults that apply.
#include "tools/look/scene_print.h"

#include <math.h>
#include <string.h>

#include "base/paths.h"
#include "config/config_node.h"
#include "scene/scene_keys.h"
#include "scene/scene_schedule.h"
#include "tools/describe/param_default.h"

typedef struct printer {
    GString *out;
    const scree_scene *scene;
    GHashTable *choices; // node of a group to scree_choice_of
    bool flat;           // on one line, without defaults
} printer;

static void indent(printer *p, int depth)
{
    for (int i = 0; i < depth && !p->flat; i++)
        g_string_append(p->out, "    ");
}

/** Writes the shortest decimal from which the same double is read, written as a real. */
static void put_real(printer *p, double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    static const char *const formats[] = {"%.15g", "%.16g", "%.17g"};
    for (size_t i = 0; i < G_N_ELEMENTS(formats); i++) {
        g_ascii_formatd(text, sizeof text, formats[i], value);
        if (g_ascii_strtod(text, NULL) == value)
            break;
    }
    g_string_append(p->out, text);
    if (!strpbrk(text, ".e"))
        g_string_append(p->out, ".0");
}

static void put_int(printer *p, int64_t value)
{
    g_string_append_printf(p->out, "%" G_GINT64_FORMAT "%s", value,
                           value > INT32_MAX || value < INT32_MIN ? "L" : "");
}

static void put_string(printer *p, const char *text)
{
    g_string_append_c(p->out, '"');
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            g_string_append_printf(p->out, "\\%c", *c);
        else if ((unsigned char)*c < 0x20)
            g_string_append_printf(p->out, "\\x%02x", (unsigned)(unsigned char)*c);
        else
            g_string_append_c(p->out, *c);
    }
    g_string_append_c(p->out, '"');
}

static void put_members(printer *p, const scree_node *group, int depth);

static void put_value(printer *p, const scree_node *node, int depth)
{
    switch (node->type) {
    case SCREE_NODE_GROUP:
        g_string_append(p->out, p->flat ? "{ " : "{\n");
        put_members(p, node, depth + 1);
        indent(p, depth);
        g_string_append_c(p->out, '}');
        break;
    case SCREE_NODE_LIST:
        g_string_append_c(p->out, '(');
        for (uint32_t i = 0; i < node->children->len; i++) {
            g_string_append(p->out, i ? ", " : " ");
            put_value(p, node->children->pdata[i], depth);
        }
        g_string_append(p->out, " )");
        break;
    case SCREE_NODE_INT:
        put_int(p, node->i);
        break;
    case SCREE_NODE_REAL:
        put_real(p, node->d);
        break;
    case SCREE_NODE_BOOL:
        g_string_append(p->out, node->i ? "true" : "false");
        break;
    case SCREE_NODE_STRING:
        if (node->is_path) { // a relative path would mean another file elsewhere
            g_autofree char *path = scree_path_join(node->dir, node->s);
            g_autofree char *absolute = g_canonicalize_filename(path, NULL);
            put_string(p, absolute);
        } else {
            put_string(p, node->s);
        }
        break;
    }
}

/** Writes the default of a parameter, unless its group has the key; not a table by materials. */
static void put_default(printer *p, const scree_node *group, const scree_param *param, int depth)
{
    const bool table = param->type == SCREE_TYPE_PER_MATERIAL || param->type == SCREE_TYPE_PER_PAIR;
    g_autofree char *value = table ? NULL : scree_param_default(param, true, p->scene->dimension);
    if (!value || scree_node_find(group, param->name))
        return;
    indent(p, depth);
    if (param->type != SCREE_TYPE_PLUGIN) {
        g_string_append_printf(p->out, "%s = %s;\n", param->name, value);
        return;
    }
    g_string_append_printf(p->out, "%s = {\n", param->name); // as put_value writes a group
    indent(p, depth + 1);
    g_string_append_printf(p->out, "plugin = \"%s\";\n", param->string_default);
    indent(p, depth);
    g_string_append(p->out, "};\n");
}

/** Writes defaults of a plugin's parameters. */
static void put_defaults(printer *p, const scree_choice_of *choice, int depth)
{
    const scree_plugin *plugin = choice->plugin;
    if (!scree_node_find(choice->group, "plugin")) {
        indent(p, depth);
        g_string_append_printf(p->out, "plugin = \"%s\";\n", plugin->id);
    }
    for (uint32_t i = 0; i < plugin->n_params; i++)
        put_default(p, choice->group, plugin->params[i], depth);
}

/** Writes defaults of the host's own keys in a group at the top level. */
static void put_host_defaults(printer *p, const scree_node *group, const char *name)
{
    for (int t = 0; t < SCREE_KEYS_END; t++) {
        const scree_key_table *table = &scree_scene_tables[t];
        const uint32_t n = g_strcmp0(table->name, name) ? 0 : table->n;
        for (uint32_t k = 0; k < n; k++)
            put_default(p, group, &table->rows[k], 1);
    }
    if (strcmp(name, "scene") || scree_node_find(group, "title"))
        return;
    g_string_append(p->out, "    title = ");
    put_string(p, p->scene->title);
    g_string_append(p->out, ";\n");
}

static void put_members(printer *p, const scree_node *group, int depth)
{
    for (uint32_t i = 0; i < group->children->len; i++) {
        const scree_node *child = group->children->pdata[i];
        if (depth == 0 && strcmp(child->name, "base") == 0)
            continue; // it was merged
        indent(p, depth);
        g_string_append_printf(p->out, "%s = ", child->name);
        put_value(p, child, depth);
        g_string_append(p->out, p->flat ? "; " : ";\n");
    }
    if (p->flat)
        return;
    const scree_choice_of *choice = g_hash_table_lookup(p->choices, group);
    if (choice)
        put_defaults(p, choice, depth);
    if (depth == 1 && group->parent && !group->parent->parent)
        put_host_defaults(p, group, group->name);
}

static void know_choice(printer *p, scree_choice_of *choice)
{
    if (choice && choice->group)
        g_hash_table_insert(p->choices, choice->group, choice);
}

/** Notes lists of choices and of timed choices; each may be NULL. */
static void know_lists(printer *p, const GPtrArray *resolvers, const GPtrArray *forces,
                       const GPtrArray *observers, const GPtrArray *modifiers)
{
    const GPtrArray *lists[] = {resolvers, forces}, *timed_lists[] = {observers, modifiers};
    for (size_t l = 0; l < G_N_ELEMENTS(lists); l++)
        for (uint32_t i = 0; lists[l] && i < lists[l]->len; i++)
            know_choice(p, lists[l]->pdata[i]);
    for (size_t l = 0; l < G_N_ELEMENTS(timed_lists); l++)
        for (uint32_t i = 0; timed_lists[l] && i < timed_lists[l]->len; i++)
            know_choice(p, ((scree_timed_choice *)timed_lists[l]->pdata[i])->choice);
}

/** Writes a choice that the scene does not mention. */
static void put_missing_choice(printer *p, const char *key, const scree_choice_of *choice,
                               bool list)
{
    if (!choice || choice->group || scree_node_find(p->scene->config->root, key))
        return;
    g_string_append_printf(p->out, "%s = %s{\n", key, list ? "( " : "");
    put_defaults(p, choice, 1);
    g_string_append(p->out, list ? "} );\n" : "};\n");
}

char *scree_node_line(const scree_node *node)
{
    printer p = {.out = g_string_new(NULL), .flat = true};
    g_string_append_printf(p.out, "%s = ", node->name);
    put_value(&p, node, 0);
    g_string_append_c(p.out, ';');
    return g_string_free(p.out, FALSE);
}

char *scree_scene_print(const scree_scene *scene)
{
    static const char *const host_groups[] = {"scene", "extent", "renumber", "guard"};
    printer p = {.out = g_string_new(NULL), .scene = scene};
    p.choices = g_hash_table_new(g_direct_hash, g_direct_equal);
    know_choice(&p, scene->gcd);
    know_choice(&p, scene->integrator);
    know_lists(&p, scene->resolvers, scene->forces, scene->observers, scene->modifiers);
    for (guint k = 0; k < scene->sources->len; k++)
        know_choice(&p, scene->sources->pdata[k]);
    for (guint k = 0; k < scene->schedule->len; k++) {
        const scree_plugin_set *set = ((scree_schedule_entry *)scene->schedule->pdata[k])->set;
        know_choice(&p, set->gcd);
        know_choice(&p, set->integrator);
        know_lists(&p, set->resolvers, set->forces, set->observers, set->modifiers);
    }
    put_members(&p, scene->config->root, 0);
    for (size_t i = 0; i < G_N_ELEMENTS(host_groups); i++)
        if (!scree_node_find(scene->config->root, host_groups[i])) {
            g_string_append_printf(p.out, "%s = {\n", host_groups[i]);
            put_host_defaults(&p, NULL, host_groups[i]);
            g_string_append(p.out, "};\n");
        }
    put_missing_choice(&p, "gcd", scene->gcd, false);
    put_missing_choice(&p, "resolvers", scene->resolvers->len ? scene->resolvers->pdata[0] : NULL,
                       true);
    put_missing_choice(&p, "integrator", scene->integrator, false);
    g_hash_table_destroy(p.choices);
    return g_string_free(p.out, FALSE);
}
