/* SPDX-License-Identifier: Apache-2.0 */
/* A scene as text, its texts in a checkpoint, and two scenes compared key by key. */
#include "run/scene_stored.h"

#include <inttypes.h>
#include <string.h>

#include "base/paths.h"
#include "config/config.h"
#include "config/config_node.h"
#include "config/config_read.h"
#include "config/config_set.h"
#include "plugin/param_default.h"
#include "scene/scene.h"
#include "scene/scene_keys.h"
#include "scene/scene_schedule.h"

/* ---- as text: what was read, merged and overridden, with the defaults that apply ---- */

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
        const scree_plugin_set_read *set = ((scree_schedule_entry *)scene->schedule->pdata[k])->set;
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

scree_stored_scene *scree_stored_scene_new(void)
{
    scree_stored_scene *stored = g_new0(scree_stored_scene, 1);
    stored->paths = g_ptr_array_new_with_free_func(g_free);
    stored->texts = g_ptr_array_new_with_free_func(g_free);
    stored->overrides = g_ptr_array_new_with_free_func(g_free);
    stored->dirs = g_ptr_array_new_with_free_func(g_free);
    return stored;
}

scree_stored_scene *scree_stored_scene_of(const scree_scene *scene)
{
    const scree_config *config = scene->config;
    scree_stored_scene *stored = scree_stored_scene_new();
    stored->name = g_strdup(scene->name);
    for (guint i = 0; i < config->files->len; i++) {
        const scree_config_file *file = &g_array_index(config->files, scree_config_file, i);
        g_ptr_array_add(stored->paths, g_strdup(file->path));
        g_ptr_array_add(stored->texts, g_strndup(config->text->str + file->start, file->length));
    }
    for (guint i = 0; i < config->overrides->len; i++) {
        const scree_config_override *one =
            &g_array_index(config->overrides, scree_config_override, i);
        g_ptr_array_add(stored->overrides, g_strdup(one->assignment));
        g_ptr_array_add(stored->dirs, g_strdup(one->dir));
    }
    return stored;
}

void scree_stored_scene_free(scree_stored_scene *stored)
{
    if (!stored)
        return;
    g_ptr_array_unref(stored->paths);
    g_ptr_array_unref(stored->texts);
    g_ptr_array_unref(stored->overrides);
    g_ptr_array_unref(stored->dirs);
    g_free(stored->name);
    g_free(stored);
}

/** Transfers two lists side by side: short texts as attributes, `long_texts` as datasets. */
static void transfer_texts(scree_h5 *h5, const char *group, const char *first, GPtrArray *a,
                           const char *second, GPtrArray *b)
{
    enum { MOST = 100000 };
    bool writing = h5->writing;
    uint64_t n = writing ? a->len : 0;
    h5->io->group(h5, group);
    h5->io->count(h5, "n", &n, MOST);
    for (uint64_t i = 0; i < n && !h5->error; i++) {
        g_autofree char *number = g_strdup_printf("%" PRIu64, i);
        char *one = writing ? a->pdata[i] : NULL, *other = writing ? b->pdata[i] : NULL;
        h5->io->group(h5, number);
        h5->io->text(h5, first, &one);
        h5->io->blob(h5, second, &other);
        h5->io->leave(h5);
        if (writing)
            continue;
        g_ptr_array_add(a, one);
        g_ptr_array_add(b, other);
    }
    h5->io->leave(h5);
}

void scree_stored_scene_transfer(scree_h5 *h5, scree_stored_scene **stored)
{
    if (!h5->writing)
        *stored = scree_stored_scene_new();
    scree_stored_scene *to = *stored;
    h5->io->group(h5, "scene");
    h5->io->text(h5, "name", &to->name);
    transfer_texts(h5, "files", "path", to->paths, "text", to->texts);
    transfer_texts(h5, "overrides", "folder", to->dirs, "assignment", to->overrides);
    h5->io->leave(h5);
}

scree_config *scree_stored_scene_config(const scree_stored_scene *stored,
                                        const char *const *overrides, GError **error)
{
    g_autoptr(GHashTable) texts = g_hash_table_new(g_str_hash, g_str_equal);
    if (!stored->paths->len) {
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE, "no text of the scene was kept");
        return NULL;
    }
    for (guint i = 0; i < stored->paths->len; i++)
        g_hash_table_insert(texts, stored->paths->pdata[i], stored->texts->pdata[i]);
    scree_config *config = scree_config_load_stored(stored->paths->pdata[0], texts, error);
    if (config)
        scree_config_set_all(config, stored->overrides->len,
                             (const char *const *)stored->overrides->pdata,
                             (const char *const *)stored->dirs->pdata);
    if (config && overrides)
        scree_config_set_all(config, g_strv_length((char **)overrides), overrides, NULL);
    return config;
}

scree_scene *scree_stored_scene_load(const scree_stored_scene *stored, const char *const *overrides,
                                     scree_registry *registry, GError **error)
{
    scree_config *config = scree_stored_scene_config(stored, overrides, error);
    return config ? scree_scene_new(config, stored->name, registry, error) : NULL;
}

static bool same_value(const scree_node *a, const scree_node *b)
{
    bool numbers = (a->type == SCREE_NODE_INT || a->type == SCREE_NODE_REAL) &&
                   (b->type == SCREE_NODE_INT || b->type == SCREE_NODE_REAL);
    if (numbers)
        return !memcmp(&a->d, &b->d, sizeof a->d) && a->i == b->i;
    if (a->type != b->type)
        return false;
    if (a->type == SCREE_NODE_STRING)
        return !strcmp(a->s, b->s);
    return a->type != SCREE_NODE_BOOL || a->i == b->i;
}

static void add_stored_difference(GPtrArray *all, const scree_node *at, const scree_node *from,
                                  const scree_node *to)
{
    g_autofree char *path = scree_node_path(at);
    g_autofree char *before = from ? scree_node_show(from) : g_strdup("not given");
    g_autofree char *now = to ? scree_node_show(to) : g_strdup("not given");
    g_ptr_array_add(all, g_strdup_printf("%s: %s, now %s", path, before, now));
}

/** Returns whether the key belongs to a plugin that a later text replaced, so it is dropped. */
static bool is_left_over(const scree_node *group, const scree_node *child)
{
    const scree_node *plugin = scree_node_find(group, "plugin");
    plugin = plugin ? plugin : scree_node_find(group, "type");
    return plugin && child->layer < plugin->layer;
}

static void compare(GPtrArray *all, const scree_node *from, const scree_node *to)
{
    if (from->type == SCREE_NODE_GROUP && to->type == SCREE_NODE_GROUP) {
        for (guint i = 0; i < from->children->len; i++) {
            const scree_node *child = from->children->pdata[i];
            const scree_node *other = scree_node_find(to, child->name);
            if (other)
                compare(all, child, other);
            else if (!is_left_over(from, child))
                add_stored_difference(all, child, child, NULL);
        }
        for (guint i = 0; i < to->children->len; i++) {
            const scree_node *child = to->children->pdata[i];
            if (!child->implied && !scree_node_find(from, child->name))
                add_stored_difference(all, child, NULL, child);
        }
    } else if (from->type == SCREE_NODE_LIST && to->type == SCREE_NODE_LIST &&
               from->children->len == to->children->len) {
        for (guint i = 0; i < from->children->len; i++)
            compare(all, from->children->pdata[i], to->children->pdata[i]);
    } else if (from->type == SCREE_NODE_LIST || !same_value(from, to)) {
        add_stored_difference(all, to, from, to);
    }
}

GPtrArray *scree_config_differences(const scree_config *from, const scree_config *to)
{
    GPtrArray *all = g_ptr_array_new_with_free_func(g_free);
    if (from->root && to->root)
        compare(all, from->root, to->root);
    return all;
}
