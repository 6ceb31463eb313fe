/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters per material and per pair of materials, and the keys of `materials` as a whole. */
#include "plugin/schema_tables.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "plugin/registry.h"
#include "plugin/schema.h"

/** Index of the material that a node names; -1: none has the name, a problem unless config is
 * NULL. */
static int find_material_node(scree_config *config, const scree_materials *materials,
                              const scree_node *name)
{
    if (config)
        return scree_config_name(config, name, "material", materials->names, materials->n);
    const uint32_t n = name->type == SCREE_NODE_STRING ? materials->n : 0;
    for (uint32_t m = 0; m < n; m++)
        if (strcmp(materials->names[m], name->s) == 0)
            return (int)m;
    return -1;
}

/** Reads the two materials of an entry of material_pairs. False: it does not name two. */
static bool read_between(scree_config *config, const scree_materials *materials, scree_node *entry,
                         int pair[2])
{
    static const char two[] = "two materials, as in [\"one\", \"other\"]";
    const bool is_group = entry->type == SCREE_NODE_GROUP;
    const scree_node *between = is_group ? scree_config_child(entry, "between") : NULL;
    if (between && between->type == SCREE_NODE_LIST && between->children->len == 2) {
        for (guint k = 0; k < 2; k++)
            pair[k] = find_material_node(config, materials, between->children->pdata[k]);
        return pair[0] >= 0 && pair[1] >= 0;
    }
    if (config && is_group && !between)
        scree_config_problem(config, entry, SCREE_KEY_MISSING ": %s", "between", two);
    else if (config)
        scree_config_expected(config, between ? between : entry,
                              between ? two : "a group { between = [\"one\", \"other\"]; .. }");
    return false;
}

scree_node **scree_materials_pairs(scree_config *config, const scree_materials *materials)
{
    const size_t n = materials->n;
    scree_node **pair_of = g_new0(scree_node *, MAX(n * n, 1));
    const guint entries = materials->pairs ? materials->pairs->children->len : 0;
    for (guint k = 0; k < entries; k++) {
        scree_node *entry = g_ptr_array_index(materials->pairs->children, k);
        int pair[2];
        if (!read_between(config, materials, entry, pair))
            continue;
        const size_t a = (size_t)pair[0], b = (size_t)pair[1];
        if (!pair_of[a * n + b])
            pair_of[a * n + b] = pair_of[b * n + a] = entry;
        else if (config)
            scree_config_problem(config, entry, "the pair %s and %s is given twice",
                                 materials->names[a], materials->names[b]);
    }
    return pair_of;
}

/** Finds the key in an earlier group of the same list, the nearest: summed laws share properties of
 * materials. NULL: none has it. */
static const scree_node *find_before(const scree_node *group, const char *name)
{
    const scree_node *list = group ? group->parent : NULL, *found = NULL;
    if (list && list->type == SCREE_NODE_LIST)
        for (guint k = 0; k < list->children->len; k++) {
            const scree_node *other = g_ptr_array_index(list->children, k);
            if (other == group)
                break;
            const scree_node *node =
                other->type == SCREE_NODE_GROUP ? scree_node_find(other, name) : NULL;
            found = node ? node : found;
        }
    return found;
}

/** Value for materials without the key: the group's number, that of an earlier group, the default,
 * or NaN. False: a required value is missing. */
static bool read_fallback(scree_fill *fill, const scree_param *param, double *out)
{
    const scree_node *node = scree_config_child(fill->keys.group, param->name);
    if (!node && param->flags & (SCREE_PARAM_REQUIRED | SCREE_PARAM_OPTIONAL))
        node = find_before(fill->keys.group, param->name);
    *out = param->flags & SCREE_PARAM_OPTIONAL ? (double)NAN : param->real_default;
    if (node)
        scree_keys_real(&fill->keys, param, node, out);
    return node || !(param->flags & SCREE_PARAM_REQUIRED);
}

/** Reads the materials' own numbers; `has` says which exist. Marks all these keys as known. */
static void read_materials(scree_fill *fill, const scree_param *param, double *values, bool *has)
{
    for (uint32_t m = 0; m < fill->materials->n; m++) {
        const scree_node *node = scree_config_child(fill->materials->groups[m], param->name);
        has[m] = node && scree_keys_real(&fill->keys, param, node, &values[m]);
        if (node && !has[m]) { /* it counts as read: one problem is enough */
            values[m] = param->real_default;
            has[m] = true;
        }
    }
}

/** Whether an unknown key of the plugin's group is nearest to `param`: that key has its own
 * problem. */
static bool is_misspelt(const scree_fill *fill, const scree_param *param)
{
    const scree_plugin *plugin = fill->plugin;
    const scree_node *group = fill->keys.group;
    g_autofree const char **names = g_new0(const char *, plugin->n_params + 2);
    for (uint32_t p = 0; p < plugin->n_params; p++)
        names[p] = plugin->params[p]->name;
    names[plugin->n_params] = "plugin";
    if (group)
        for (guint k = 0; k < group->children->len; k++) {
            const char *key = ((const scree_node *)group->children->pdata[k])->name;
            const char *nearest =
                g_strv_contains(names, key) ? NULL : scree_nearest_word(key, names);
            if (nearest && g_str_equal(nearest, param->name))
                return true;
        }
    return false;
}

void scree_fill_per_material(scree_fill *fill, const scree_param *param, scree_reals *out)
{
    const uint32_t n = fill->materials->n;
    double fallback;
    double *v = scree_keys_alloc(&fill->keys, n, sizeof *v);
    g_autofree bool *has = g_new0(bool, MAX(n, 1));
    const bool complete = read_fallback(fill, param, &fallback);
    read_materials(fill, param, v, has);
    for (uint32_t m = 0; m < n; m++) {
        if (has[m])
            continue;
        v[m] = fallback;
        if (!complete && !is_misspelt(fill, param))
            scree_config_problem(fill->keys.config, fill->materials->groups[m],
                                 SCREE_KEY_MISSING ": %s (%s)", param->name, param->help,
                                 fill->keys.user);
    }
    *out = (scree_reals){n, v};
}

static double mix(uint32_t rule, double a, double b)
{
    switch (rule) {
    case SCREE_MIX_MEAN:
        return 0.5 * a + 0.5 * b;
    case SCREE_MIX_GEOMETRIC:
        return sqrt(a * b);
    case SCREE_MIX_HARMONIC:
        return a + b != 0 ? 2 * a * b / (a + b) : 0;
    case SCREE_MIX_MIN:
        return fmin(a, b);
    default:
        return fmax(a, b);
    }
}

/** Mixes the values of two materials. False: one of them lacks the key. */
static bool mix_pair(scree_fill *fill, const scree_param *param, const double *values,
                     const bool *has, uint32_t a, uint32_t b, double *out)
{
    if (param->mixing == SCREE_MIX_NONE || !has[a] || !has[b])
        return false;
    *out = a == b ? values[a] : mix(param->mixing, values[a], values[b]);
    if (!isfinite(*out)) {
        scree_config_problem(fill->keys.config, fill->materials->groups[a],
                             "the %s of %s and %s cannot be mixed; name the pair in material_pairs",
                             param->name, fill->materials->names[a], fill->materials->names[b]);
        *out = param->real_default;
    }
    return true;
}

static void missing_pair(scree_fill *fill, const scree_param *param, uint32_t a, uint32_t b)
{
    const scree_materials *m = fill->materials;
    const char *rule = param->mixing == SCREE_MIX_NONE ? "give it in material_pairs"
                                                       : "give it in both materials, or in "
                                                         "material_pairs";
    if (is_misspelt(fill, param))
        return;
    scree_config_problem(fill->keys.config, m->groups[a],
                         SCREE_PAIR_MISSING " %s and %s: %s; %s, or in %s itself", param->name,
                         m->names[a], m->names[b], param->help, rule, fill->keys.user);
}

/** Reports a key of `materials` that has no mixing rule. */
static void refuse_unmixed(scree_fill *fill, const scree_param *param)
{
    for (uint32_t m = 0; m < fill->materials->n; m++) {
        const scree_node *node = scree_config_child(fill->materials->groups[m], param->name);
        if (node)
            scree_config_problem(fill->keys.config, node,
                                 "%s has no rule to mix this from two materials; it belongs into "
                                 "material_pairs",
                                 fill->keys.user);
    }
}

void scree_fill_per_pair(scree_fill *fill, const scree_param *param, scree_reals *out)
{
    const uint32_t n = fill->materials->n;
    double fallback;
    double *v = scree_keys_alloc(&fill->keys, (size_t)n * n, sizeof *v);
    g_autofree double *values = g_new0(double, MAX(n, 1));
    g_autofree bool *has = g_new0(bool, MAX(n, 1));
    const bool complete = read_fallback(fill, param, &fallback);
    if (!fill->pair_of)
        fill->pair_of = scree_materials_pairs(NULL, fill->materials);
    if (param->mixing == SCREE_MIX_NONE)
        refuse_unmixed(fill, param);
    else
        read_materials(fill, param, values, has);
    for (uint32_t a = 0; a < n; a++) {
        for (uint32_t b = a; b < n; b++) {
            double *value = &v[(size_t)a * n + b];
            const scree_node *node =
                scree_config_child(fill->pair_of[(size_t)a * n + b], param->name);
            if (node) {
                *value = param->real_default;
                scree_keys_real(&fill->keys, param, node, value);
            } else if (!mix_pair(fill, param, values, has, a, b, value)) {
                *value = fallback;
                if (!complete)
                    missing_pair(fill, param, a, b);
            }
            v[(size_t)b * n + a] = *value;
        }
    }
    *out = (scree_reals){(uint64_t)n * n, v};
}

/* --- the keys of all materials ---------------------------------------------------------------- */

/** Names of all parameters of materials, of installed plugins and of the host; ends in NULL. They
 * live as long as the registry's listing. */
static GPtrArray *list_material_keys(const scree_key_table *own, scree_registry *registry)
{
    g_autoptr(GPtrArray) listings = scree_registry_scan(registry);
    GPtrArray *keys = g_ptr_array_new();
    for (uint32_t k = 0; k < own->n; k++)
        g_ptr_array_add(keys, (gpointer)own->rows[k].name);
    for (guint k = 0; k < listings->len; k++) {
        const scree_listing *listing = g_ptr_array_index(listings, k);
        /* A refused file declares nothing; `scree plugins` gives the reason. */
        char *const *key = listing->refused || listing->shadowed_by ? NULL : listing->material_keys;
        for (; key && *key; key++)
            g_ptr_array_add(keys, *key);
    }
    g_ptr_array_add(keys, NULL);
    return keys;
}

/** Keys that this scene has not used. */
typedef struct leftovers {
    scree_config *config;
    GPtrArray *declared; /* NULL until it is needed: it lists all installed plugins */
    GString *unused;
    const scree_key_table *own;
    scree_registry *registry;
} leftovers;

static void check_keys(leftovers *l, const scree_node *group)
{
    for (guint k = 0; group->type == SCREE_NODE_GROUP && k < group->children->len; k++) {
        scree_node *child = g_ptr_array_index(group->children, k);
        if (child->known)
            continue;
        child->known = true;
        if (!l->declared)
            l->declared = list_material_keys(l->own, l->registry);
        const char *const *declared = (const char *const *)l->declared->pdata;
        if (g_strv_contains(declared, child->name)) {
            g_autofree char *path = scree_node_path(child);
            g_string_append_printf(l->unused, "%s%s", l->unused->len > 0 ? ", " : "", path);
            continue;
        }
        const char *nearest = scree_nearest_word(child->name, declared);
        if (nearest)
            scree_config_found(l->config, group, nearest);
        unsigned n;
        g_autofree char *hint = nearest ? scree_did_you_mean(child->name, declared)
                                        : scree_config_home(l->config, child, &n);
        scree_config_problem(l->config, child, "no installed plugin knows this material key%s",
                             hint);
    }
}

void scree_schema_check_material_keys(scree_config *config, const scree_materials *materials,
                                      const scree_key_table *own, scree_registry *registry)
{
    g_autoptr(GString) unused = g_string_new(NULL);
    leftovers l = {config, NULL, unused, own, registry};
    for (uint32_t m = 0; m < materials->n; m++)
        check_keys(&l, materials->groups[m]);
    for (guint k = 0; materials->pairs && k < materials->pairs->children->len; k++)
        check_keys(&l, g_ptr_array_index(materials->pairs->children, k));
    if (unused->len > 0)
        scree_config_note(config, NULL, "known, but not used by the plugins of this scene: %s",
                          unused->str);
    if (l.declared)
        g_ptr_array_unref(l.declared);
}
