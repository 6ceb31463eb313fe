/* SPDX-License-Identifier: Apache-2.0 */
/* Fills a plugin's config struct from a group of the scene, by the parameters that it declares. */
#include "plugin/schema.h"

#include <math.h>
#include <string.h>

#include "base/paths.h"
#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "plugin/kinds.h"
#include "plugin/registry.h"
#include "plugin/schema_fill.h"
#include "plugin/schema_hint.h"
#include "plugin/schema_tables.h"

static const scree_materials no_materials;

void *scree_fill_alloc(scree_fill *fill, size_t n, size_t size)
{
    void *memory = g_malloc0_n(MAX(n, 1), size);
    g_ptr_array_add(fill->choice->memory, memory);
    return memory;
}

const char *scree_fill_user(const scree_fill *fill)
{
    const scree_plugin *plugin = fill->choice->plugin;
    g_autofree char *name = g_strdup_printf("%s/%s", scree_kind_name(plugin->kind), plugin->id);
    char *kept = scree_fill_alloc((scree_fill *)fill, strlen(name) + 1, 1);
    return strcpy(kept, name);
}

/** The range flags of a parameter as those of an accessor. */
static unsigned open_flags(const scree_param *param)
{
    return (param->flags & SCREE_PARAM_MIN_OPEN ? SCREE_KEY_MIN_OPEN : 0) |
           (param->flags & SCREE_PARAM_MAX_OPEN ? SCREE_KEY_MAX_OPEN : 0);
}

bool scree_fill_real(scree_fill *fill, const scree_param *param, const scree_node *node,
                     double *out)
{
    return scree_node_real(fill->config, node, param->unit, param->real_min, param->real_max,
                           open_flags(param), out);
}

/** The setting of a parameter; a problem when it must be there and is not. */
static scree_node *find_setting(scree_fill *fill, const scree_param *param)
{
    scree_node *node = scree_config_child(fill->choice->group, param->name);
    if (!node && (param->flags & SCREE_PARAM_REQUIRED))
        scree_config_problem(fill->config, fill->choice->group, SCREE_KEY_MISSING ": %s (%s)",
                             param->name, param->help, scree_fill_user(fill));
    return node;
}

static void wrong_type(scree_fill *fill, const scree_node *node, const char *expected)
{
    g_autofree char *shown = scree_node_show(node);
    scree_config_problem(fill->config, node, "expected %s, got %s", expected, shown);
}

static int32_t value_of_choice(const scree_param *param, const char *name)
{
    if (name)
        for (uint32_t k = 0; k < param->n_choices; k++)
            if (strcmp(param->choices[k]->name, name) == 0)
                return param->choices[k]->value;
    return 0;
}

static void fill_choice(scree_fill *fill, const scree_param *param, int32_t *out)
{
    g_autofree const char **names = g_new0(const char *, param->n_choices + 1);
    for (uint32_t k = 0; k < param->n_choices; k++)
        names[k] = param->choices[k]->name;
    *out = value_of_choice(param, param->string_default);
    if (!find_setting(fill, param))
        return;
    const int at = scree_config_choice(fill->config, fill->choice->group, param->name, names, -1);
    if (at >= 0)
        *out = param->choices[at]->value;
}

static void fill_bool(scree_fill *fill, const scree_param *param, int32_t *out)
{
    find_setting(fill, param);
    *out =
        scree_config_bool(fill->config, fill->choice->group, param->name, param->int_default != 0);
}

static void fill_int(scree_fill *fill, const scree_param *param, int64_t *out)
{
    const scree_node *node = find_setting(fill, param);
    *out = param->int_default;
    if (node)
        scree_node_int(fill->config, node, param->int_min, param->int_max, out);
}

static void fill_real(scree_fill *fill, const scree_param *param, double *out)
{
    const scree_node *node = find_setting(fill, param);
    *out = param->flags & SCREE_PARAM_OPTIONAL ? (double)NAN : param->real_default;
    if (node)
        scree_fill_real(fill, param, node, out);
}

/** A copy that lives with the choice. */
static const char *keep_string(scree_fill *fill, const char *text)
{
    return strcpy(scree_fill_alloc(fill, strlen(text) + 1, 1), text);
}

static void fill_string(scree_fill *fill, const scree_param *param, const char **out)
{
    const scree_node *node = find_setting(fill, param);
    if (param->string_default && !(param->flags & SCREE_PARAM_OPTIONAL))
        *out = keep_string(fill, param->string_default);
    else if (param->flags & SCREE_PARAM_REQUIRED)
        *out = ""; /* a problem says that it is missing */
    if (node && node->type == SCREE_NODE_STRING) {
        g_autofree char *path = param->flags & SCREE_PARAM_FILE && *node->s
                                    ? scree_path_join(node->dir, node->s)
                                    : NULL;
        *out = keep_string(fill, path ? path : node->s);
    } else if (node)
        wrong_type(fill, node, "text in quotes");
}

/** The elements of an array: a list, or one value as a list of one. Their number; the node of the
 * k-th by element_at. 0 when there is no setting, or when its length is wrong, which is a problem.
 */
static uint32_t count_elements(scree_fill *fill, const scree_param *param, const scree_node *node)
{
    if (!node)
        return 0;
    const uint32_t n = node->type == SCREE_NODE_LIST ? node->children->len : 1;
    if (param->length == 0 || n == param->length)
        return n;
    g_autofree char *expected = g_strdup_printf("a list of %u", param->length);
    wrong_type(fill, node, expected);
    return 0;
}

static const scree_node *element_at(const scree_node *node, uint32_t k)
{
    return node->type == SCREE_NODE_LIST ? g_ptr_array_index(node->children, k) : node;
}

/** How many defaults an array without a setting has. */
static uint32_t count_defaults(const scree_param *param)
{
    return param->flags & SCREE_PARAM_OPTIONAL ? 0 : param->length;
}

static void fill_ints(scree_fill *fill, const scree_param *param, scree_ints *out)
{
    const scree_node *node = find_setting(fill, param);
    const uint32_t given = count_elements(fill, param, node);
    const uint32_t n = given > 0 || node ? given : count_defaults(param);
    int64_t *v = scree_fill_alloc(fill, n, sizeof *v);
    for (uint32_t k = 0; k < n; k++) {
        v[k] = param->int_default;
        if (given > 0)
            scree_node_int(fill->config, element_at(node, k), param->int_min, param->int_max,
                           &v[k]);
    }
    *out = (scree_ints){n, v};
}

static void fill_reals(scree_fill *fill, const scree_param *param, scree_reals *out)
{
    const scree_node *node = find_setting(fill, param);
    const uint32_t given = count_elements(fill, param, node);
    const uint32_t n = given > 0 || node ? given : count_defaults(param);
    double *v = scree_fill_alloc(fill, n, sizeof *v);
    for (uint32_t k = 0; k < n; k++) {
        v[k] = param->real_default;
        if (given > 0)
            scree_fill_real(fill, param, element_at(node, k), &v[k]);
    }
    *out = (scree_reals){n, v};
}

static void fill_strings(scree_fill *fill, const scree_param *param, scree_strings *out)
{
    const scree_node *node = find_setting(fill, param);
    const uint32_t n = count_elements(fill, param, node);
    const char **v = scree_fill_alloc(fill, n, sizeof *v);
    for (uint32_t k = 0; k < n; k++) {
        const scree_node *element = element_at(node, k);
        v[k] = element->type == SCREE_NODE_STRING ? keep_string(fill, element->s) : "";
        if (element->type != SCREE_NODE_STRING)
            wrong_type(fill, element, "text in quotes");
    }
    *out = (scree_strings){n, v};
}

/** Returns where each row of a list of lists begins among the elements of all, [*n + 1]; *n is 0
 * without a setting. A row that does not hold a list, or has a wrong length, is a problem and empty. */
static uint64_t *find_rows(scree_fill *fill, const scree_param *param, const scree_node *node,
                           uint64_t *n)
{
    const bool is_list = node && node->type == SCREE_NODE_LIST;
    g_autofree char *expected =
        param->length ? g_strdup_printf("a list of %u", param->length) : g_strdup("a list");
    *n = is_list ? node->children->len : 0;
    uint64_t *first = scree_fill_alloc(fill, *n + 1, sizeof *first);
    if (node && !is_list)
        wrong_type(fill, node, "a list of lists");
    for (uint64_t k = 0; k < *n; k++) {
        const scree_node *row = g_ptr_array_index(node->children, k);
        const bool fits = row->type == SCREE_NODE_LIST &&
                          (param->length == 0 || row->children->len == param->length);
        if (!fits)
            wrong_type(fill, row, expected);
        first[k + 1] = first[k] + (fits ? row->children->len : 0);
    }
    return first;
}

/** Element e of row k. */
static const scree_node *cell_at(const scree_node *node, uint64_t k, uint64_t e)
{
    return g_ptr_array_index(((scree_node *)g_ptr_array_index(node->children, k))->children, e);
}

static void fill_real_rows(scree_fill *fill, const scree_param *param, const scree_real_rows **out)
{
    const scree_node *node = find_setting(fill, param);
    scree_real_rows *rows = scree_fill_alloc(fill, 1, sizeof *rows);
    rows->size = sizeof *rows;
    const uint64_t *first = rows->first = find_rows(fill, param, node, &rows->n);
    double *v = scree_fill_alloc(fill, first[rows->n], sizeof *v);
    for (uint64_t k = 0; k < rows->n; k++)
        for (uint64_t e = first[k]; e < first[k + 1]; e++)
            scree_fill_real(fill, param, cell_at(node, k, e - first[k]), &v[e]);
    rows->v = v;
    *out = rows;
}

static void fill_int_rows(scree_fill *fill, const scree_param *param, const scree_int_rows **out)
{
    const scree_node *node = find_setting(fill, param);
    scree_int_rows *rows = scree_fill_alloc(fill, 1, sizeof *rows);
    rows->size = sizeof *rows;
    const uint64_t *first = rows->first = find_rows(fill, param, node, &rows->n);
    int64_t *v = scree_fill_alloc(fill, first[rows->n], sizeof *v);
    for (uint64_t k = 0; k < rows->n; k++)
        for (uint64_t e = first[k]; e < first[k + 1]; e++)
            scree_node_int(fill->config, cell_at(node, k, e - first[k]), param->int_min,
                           param->int_max, &v[e]);
    rows->v = v;
    *out = rows;
}

static scree_choice_of *choose(scree_config *config, scree_node *group, uint32_t kind,
                               const char *otherwise, const char *const *further,
                               const scree_materials *materials, scree_registry *registry,
                               int depth);

static void fill_plugin(scree_fill *fill, const scree_param *param, scree_registry *registry,
                        int depth, const scree_plugin_ref **out)
{
    scree_node *node = find_setting(fill, param);
    if (!node && (param->flags & (SCREE_PARAM_OPTIONAL | SCREE_PARAM_REQUIRED)))
        return;
    if (node && node->type != SCREE_NODE_GROUP) {
        scree_schema_want_plugin(fill->config, node, false);
        return;
    }
    const char *otherwise =
        param->flags & (SCREE_PARAM_OPTIONAL | SCREE_PARAM_REQUIRED) ? NULL : param->string_default;
    *out = (const scree_plugin_ref *)choose(fill->config, node, param->kind, otherwise, NULL,
                                            fill->materials, registry, depth + 1);
}

/** Parameters about the scene are filled by a function of the scene. */
static void fill_of_scene(scree_fill *fill, const scree_param *param, void *at)
{
    const bool is_inline = param->flags & SCREE_PARAM_INLINE;
    scree_node *node = is_inline                           ? fill->choice->group
                       : param->type == SCREE_TYPE_PLACING ? NULL
                                                           : find_setting(fill, param);
    if (fill->materials->fill)
        fill->materials->fill(fill, param, node, at);
    else if (param->type != SCREE_TYPE_PLACING || !(param->flags & SCREE_PARAM_OPTIONAL))
        scree_config_problem(fill->config, node ? node : fill->choice->group,
                             "%s of %s needs a scene around it", param->name,
                             scree_fill_user(fill));
}

static void fill_param(scree_fill *fill, const scree_param *param, scree_registry *registry,
                       int depth)
{
    void *at = (char *)fill->choice->config + param->offset;
    switch (param->type) {
    case SCREE_TYPE_BOOL:
        fill_bool(fill, param, at);
        break;
    case SCREE_TYPE_CHOICE:
        fill_choice(fill, param, at);
        break;
    case SCREE_TYPE_INT:
        fill_int(fill, param, at);
        break;
    case SCREE_TYPE_REAL:
        fill_real(fill, param, at);
        break;
    case SCREE_TYPE_STRING:
        fill_string(fill, param, at);
        break;
    case SCREE_TYPE_INT_ARRAY:
        fill_ints(fill, param, at);
        break;
    case SCREE_TYPE_REAL_ARRAY:
        fill_reals(fill, param, at);
        break;
    case SCREE_TYPE_STRING_ARRAY:
        fill_strings(fill, param, at);
        break;
    case SCREE_TYPE_REAL_ROWS:
        fill_real_rows(fill, param, at);
        break;
    case SCREE_TYPE_INT_ROWS:
        fill_int_rows(fill, param, at);
        break;
    case SCREE_TYPE_PER_MATERIAL:
        scree_fill_per_material(fill, param, at);
        break;
    case SCREE_TYPE_PER_PAIR:
        scree_fill_per_pair(fill, param, at);
        break;
    case SCREE_TYPE_ZONE:
    case SCREE_TYPE_RECIPE:
    case SCREE_TYPE_MATERIALS:
    case SCREE_TYPE_PLACING:
        fill_of_scene(fill, param, at);
        break;
    case SCREE_TYPE_PLUGIN:
        fill_plugin(fill, param, registry, depth, at);
        break;
    default:
        g_assert_not_reached(); /* scree_schema_check lets no other pass */
    }
}

/** The key that names a plugin of this kind. */
static const char *naming_key(uint32_t kind)
{
    return kind == SCREE_KIND_SHAPE ? "type" : "plugin";
}

/** Keys that were there for another plugin, before `plugin` was changed further up (by an override
 * or a scene on top of its base), are dropped, each with a note. */
static void drop_leftovers(scree_fill *fill, const char *const *further)
{
    scree_node *group = fill->choice->group;
    const char *key = naming_key(fill->choice->plugin->kind);
    const scree_node *plugin = scree_node_find(group, key);
    if (!plugin)
        return;
    for (guint k = group->children->len; k-- > 0;) {
        scree_node *child = g_ptr_array_index(group->children, k);
        if (child->known || child->layer >= plugin->layer ||
            (further && g_strv_contains(further, child->name)))
            continue;
        g_autofree char *where = child->line > 0
                                     ? g_strdup_printf("%s:%d", child->file, child->line)
                                     : g_strdup(child->file);
        scree_config_note(fill->config, plugin, "%s has no parameter %s: that of %s is dropped",
                          scree_fill_user(fill), child->name, where);
        scree_node_remove(child);
    }
}

/** The plugin that the group or the host's default names; NULL with a problem. */
static const scree_plugin *find_plugin(scree_config *config, scree_node *group, uint32_t kind,
                                       const char *otherwise, scree_registry *registry,
                                       const scree_file **file)
{
    g_autoptr(GError) error = NULL;
    const char *key = naming_key(kind);
    const char *id = scree_config_string(config, group, key, otherwise, 0);
    if (!id) {
        if (!scree_node_find(group, key))
            scree_config_problem(config, group, SCREE_KEY_MISSING ": it names the %s to use", key,
                                 scree_kind_name(kind));
        return NULL;
    }
    const scree_plugin *plugin = scree_registry_get(registry, kind, id, file, &error);
    if (plugin)
        return plugin;
    const scree_node *at = scree_node_find(group, key);
    scree_config_problem(config, at ? at : group, "%s", error->message);
    if (error->code == SCREE_EXIT_PLUGIN)
        config->refused = true;
    return NULL;
}

static scree_choice_of *choose(scree_config *config, scree_node *group, uint32_t kind,
                               const char *otherwise, const char *const *further,
                               const scree_materials *materials, scree_registry *registry,
                               int depth)
{
    const scree_file *file = NULL;
    if (depth > SCREE_MAX_NESTED) {
        scree_config_problem(config, group, "plugins own each other more than %d deep",
                             SCREE_MAX_NESTED);
        return NULL;
    }
    const scree_plugin *plugin = find_plugin(config, group, kind, otherwise, registry, &file);
    if (!plugin)
        return NULL;
    scree_plugin_ref *ref = g_new0(scree_plugin_ref, 1);
    ref->choice = (scree_choice_of){.plugin = plugin, .file = file, .group = group};
    ref->choice.memory = g_ptr_array_new_with_free_func(g_free);
    scree_fill fill = {config, &ref->choice, materials ? materials : &no_materials, NULL};
    if (plugin->config_size > 0)
        ref->choice.config = scree_fill_alloc(&fill, 1, plugin->config_size);
    for (uint32_t k = 0; k < plugin->n_params; k++)
        fill_param(&fill, plugin->params[k], registry, depth);
    g_free(fill.pair_of);
    drop_leftovers(&fill, further);
    scree_config_report_unknown(config, group, further);
    return &ref->choice;
}

scree_choice_of *scree_schema_choose(scree_config *config, scree_node *group, uint32_t kind,
                                     const char *otherwise, const char *const *further,
                                     const scree_materials *materials, scree_registry *registry)
{
    if (group && group->type != SCREE_NODE_GROUP) {
        scree_schema_want_plugin(config, group, false);
        return NULL;
    }
    return choose(config, group, kind, otherwise, further, materials, registry, 0);
}

void scree_choice_of_free(scree_choice_of *choice)
{
    if (!choice)
        return;
    for (uint32_t k = 0; k < choice->plugin->n_params; k++) {
        const scree_param *param = choice->plugin->params[k];
        scree_plugin_ref *nested = NULL;
        if (param->type != SCREE_TYPE_PLUGIN)
            continue;
        memcpy(&nested, (char *)choice->config + param->offset, sizeof nested);
        scree_choice_of_free(nested ? &nested->choice : NULL);
    }
    g_ptr_array_unref(choice->memory);
    if (choice->bonds)
        g_ptr_array_unref(choice->bonds);
    if (choice->between)
        g_array_unref(choice->between);
    g_free((scree_plugin_ref *)choice); /* it is the first member of its handle */
}
