// SPDX-License-Identifier: Apache-2.0
// A scene as text again: what was read, merged and overridden, with the defaults that apply.
#include "scene/scene_print.h"

#include <math.h>
#include <string.h>

#include "config/config_node.h"
#include "scene/scene_keys.h"
#include "scene/scene_schedule.h"

typedef struct printer {
    GString *out;
    const scree_scene *scene;
    GHashTable *choices; // group node to scree_choice_of
    bool flat;           // all on one line, without defaults
} printer;

static void indent(printer *p, int depth)
{
    for (int i = 0; i < depth && !p->flat; i++)
        g_string_append(p->out, "    ");
}

/** The shortest decimal that reads back as the same double, and as a real. */
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

/** A relative file name means something else where the print lands; these keys hold file names. */
static bool is_file_name(const scree_node *node)
{
    const scree_node *top = node;
    while (top->parent && top->parent->parent)
        top = top->parent;
    if (!top->name || node->type != SCREE_NODE_STRING || !node->dir || g_path_is_absolute(node->s))
        return false;
    if (strcmp(top->name, "plugin_path") == 0)
        return true;
    if (strcmp(top->name, "modifiers") == 0 && node->parent && node->parent->name &&
        strcmp(node->parent->name, "distribution") == 0)
        return node->name && strcmp(node->name, "file") == 0;
    bool placed = strcmp(top->name, "bodies") == 0 || strcmp(top->name, "generate") == 0;
    return placed && node->name && strcmp(node->name, "file") == 0;
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
        if (is_file_name(node)) {
            g_autofree char *joined = g_build_filename(node->dir, node->s, NULL);
            g_autofree char *path = g_canonicalize_filename(joined, NULL);
            put_string(p, path);
        } else {
            put_string(p, node->s);
        }
        break;
    }
}

/** One plain parameter as it is in the struct that it fills; false: none to print. */
static bool put_parameter(printer *p, const scree_param *param, const void *config)
{
    const char *at = (const char *)config + param->offset;
    uint32_t u32;
    int32_t i32;
    int64_t i64;
    double real;
    const char *text;
    switch (param->type) {
    case SCREE_KEY_COUNT:
        memcpy(&u32, at, sizeof u32);
        put_int(p, u32);
        return true;
    case SCREE_KEY_VECTOR:
        g_string_append(p->out, p->scene->dimension == 2 ? "( 0.0, 0.0 )" : "( 0.0, 0.0, 0.0 )");
        return true; // a vector that has a default is 0
    case SCREE_TYPE_BOOL:
        memcpy(&i32, at, sizeof i32);
        g_string_append(p->out, i32 ? "true" : "false");
        return true;
    case SCREE_TYPE_CHOICE:
    case SCREE_KEY_AXES: // alike on all axes
        memcpy(&i32, at, sizeof i32);
        for (uint32_t i = 0; i < param->n_choices; i++)
            if (param->choices[i]->value == i32) {
                put_string(p, param->choices[i]->name);
                return true;
            }
        return false;
    case SCREE_TYPE_INT:
        memcpy(&i64, at, sizeof i64);
        put_int(p, i64);
        return true;
    case SCREE_TYPE_REAL:
        memcpy(&real, at, sizeof real);
        if (isnan(real) && param->flags & SCREE_KEY_AUTO)
            put_string(p, "auto");
        else if (isnan(real) || isinf(real))
            return false;
        else
            put_real(p, real);
        return true;
    case SCREE_TYPE_STRING:
        memcpy(&text, at, sizeof text);
        if (!text)
            return false;
        put_string(p, text);
        return true;
    default:
        return false; // arrays are given or empty; tables follow from the materials
    }
}

/** A parameter with its value, unless the group names it. */
static void put_missing(printer *p, const scree_node *group, const scree_param *param,
                        const void *config, int depth)
{
    const gsize before = p->out->len;
    if (scree_node_find(group, param->name))
        return;
    indent(p, depth);
    g_string_append_printf(p->out, "%s = ", param->name);
    if (put_parameter(p, param, config))
        g_string_append(p->out, ";\n");
    else
        g_string_truncate(p->out, before);
}

/** Parameters of a plugin that its group does not name. */
static void put_defaults(printer *p, const scree_choice_of *choice, int depth)
{
    const scree_plugin *plugin = choice->plugin;
    if (!scree_node_find(choice->group, "plugin")) {
        indent(p, depth);
        g_string_append_printf(p->out, "plugin = \"%s\";\n", plugin->id);
    }
    for (uint32_t i = 0; choice->config && i < plugin->n_params; i++)
        put_missing(p, choice->group, plugin->params[i], choice->config, depth);
}

/** Defaults of the host's own keys in a group of the top level. */
static void put_host_defaults(printer *p, const scree_node *group, const scree_key_table *table)
{
    const uint32_t none = SCREE_PARAM_REQUIRED | SCREE_PARAM_OPTIONAL | SCREE_KEY_UNSET;
    g_autoptr(GPtrArray) memory = g_ptr_array_new_with_free_func(g_free);
    scree_keys keys = {.to = g_malloc0(table->size), .memory = memory, .dimension = 3};
    for (uint32_t k = 0; k < table->n; k++) {
        const scree_param *row = &table->rows[k];
        if (strcmp(row->name, "title") == 0)
            put_missing(p, group, row, p->scene, 1); // that of the file
        if (!(row->flags & none) && scree_keys_fill(&keys, row))
            put_missing(p, group, row, keys.to, 1);
    }
    g_free(keys.to);
}

static void put_host_group(printer *p, const scree_node *group, const char *name)
{
    for (int t = 0; t < SCREE_KEYS_END; t++)
        if (!g_strcmp0(scree_scene_tables[t].name, name))
            put_host_defaults(p, group, &scree_scene_tables[t]);
}

static void put_members(printer *p, const scree_node *group, int depth)
{
    for (uint32_t i = 0; i < group->children->len; i++) {
        const scree_node *child = group->children->pdata[i];
        if (depth == 0 && strcmp(child->name, "base") == 0)
            continue; // merged
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
        put_host_group(p, group, group->name);
}

static void know_choice(printer *p, scree_choice_of *choice)
{
    if (choice && choice->group)
        g_hash_table_insert(p->choices, choice->group, choice);
}

/** Lists of choices and of timed choices; each may be NULL. */
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

/** A choice that the scene does not mention at all. */
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
        const scree_plugin_set_read *set = ((scree_schedule_entry *)scene->schedule->pdata[k])->set;
        know_choice(&p, set->gcd);
        know_choice(&p, set->integrator);
        know_lists(&p, set->resolvers, set->forces, set->observers, set->modifiers);
    }
    put_members(&p, scene->config->root, 0);
    for (size_t i = 0; i < G_N_ELEMENTS(host_groups); i++)
        if (!scree_node_find(scene->config->root, host_groups[i])) {
            g_string_append_printf(p.out, "%s = {\n", host_groups[i]);
            put_host_group(&p, NULL, host_groups[i]);
            g_string_append(p.out, "};\n");
        }
    put_missing_choice(&p, "gcd", scene->gcd, false);
    put_missing_choice(&p, "resolvers", scene->resolvers->len ? scene->resolvers->pdata[0] : NULL,
                       true);
    put_missing_choice(&p, "integrator", scene->integrator, false);
    g_hash_table_destroy(p.choices);
    return g_string_free(p.out, FALSE);
}
