/* SPDX-License-Identifier: Apache-2.0 */
/* The unit of a varied setting, for the axes of figures. */
#include "tools/compare/compare_units.h"

#include <string.h>

#include "config/config_node.h"
#include "scene/scene_keys.h"
#include "shape/plugin_shape.h"

/** The key at a path such as "force.0.kn" or "force[0].kn": of an element without a name the list
 * that holds it. NULL: the scene has no such setting. */
static const scree_node *find_node(const scree_node *node, const char *path)
{
    g_auto(GStrv) steps = g_strsplit_set(path, ".[]", -1);
    for (char **step = steps; node && *step; step++) {
        if (!**step)
            continue;
        if (node->type != SCREE_NODE_LIST) {
            node = scree_node_find(node, *step);
            continue;
        }
        const guint64 index = g_ascii_strtoull(*step, NULL, 10);
        node = index < node->children->len ? node->children->pdata[index] : NULL;
    }
    while (node && node->parent && !node->name)
        node = node->parent;
    return node;
}

static const char *shown(const char *unit)
{
    return unit && *unit ? unit : "-";
}

/** Unit of a key in the group of a plugin, or of a key of materials that it reads. */
static const char *unit_by(const scree_choice_of *choice, const scree_node *at)
{
    const uint32_t n = choice ? choice->plugin->n_params : 0;
    for (uint32_t p = 0; p < n; p++) {
        const scree_param *param = choice->plugin->params[p];
        const bool tabled =
            param->type == SCREE_TYPE_PER_MATERIAL || param->type == SCREE_TYPE_PER_PAIR;
        if ((tabled || choice->group == at->parent) && !strcmp(param->name, at->name))
            return shown(param->unit);
    }
    return NULL;
}

static const char *unit_by_plugins(const scree_scene *s, const scree_node *at)
{
    const GPtrArray *lists[] = {s->resolvers, s->forces, s->sources};
    const GPtrArray *timed[] = {s->modifiers, s->observers};
    const char *unit = unit_by(s->gcd, at);
    unit = unit ? unit : unit_by(s->integrator, at);
    for (size_t l = 0; l < G_N_ELEMENTS(lists); l++)
        for (guint k = 0; !unit && k < lists[l]->len; k++)
            unit = unit_by(lists[l]->pdata[k], at);
    for (size_t l = 0; l < G_N_ELEMENTS(timed); l++)
        for (guint k = 0; !unit && k < timed[l]->len; k++)
            unit = unit_by(((const scree_timed_choice *)timed[l]->pdata[k])->choice, at);
    for (guint k = 0; !unit && k < s->shapes->len; k++)
        unit = unit_by(scree_shape_choice(s->shapes->pdata[k]), at);
    return unit;
}

/** Returns the unit of the host's key. NULL: no key has this name, or several with different units. */
static const char *unit_by_host(const char *key)
{
    const char *unit = NULL;
    for (int t = 0; t < SCREE_KEYS_END; t++)
        for (uint32_t k = 0; k < scree_scene_tables[t].n; k++) {
            const scree_param *row = &scree_scene_tables[t].rows[k];
            if (strcmp(row->name, key))
                continue;
            if (unit && strcmp(unit, shown(row->unit)))
                return NULL;
            unit = shown(row->unit);
        }
    return unit;
}

const char *scree_path_unit(const scree_scene *scene, const char *path)
{
    const scree_node *at = find_node(scene->config->root, path);
    const char *unit = at && at->name ? unit_by_plugins(scene, at) : NULL;
    return unit || !at || !at->name ? unit : unit_by_host(at->name);
}
