/* SPDX-License-Identifier: Apache-2.0 */
/* The bodies, shapes and names of a scene, compared with those of a checkpoint. */
#include "tools/restart/identity_match.h"

#include <inttypes.h>
#include <string.h>

uint32_t scree_identity_find(const GArray *parts, const char *name)
{
    for (guint i = 0; i < parts->len; i++)
        if (!strcmp(g_array_index(parts, scree_identity_part, i).name, name))
            return i;
    return SCREE_NONE;
}

#define add_difference(all, ...) g_string_append_printf(all, "\n  " __VA_ARGS__)

/** Compares parts whose numbers the state holds: expects the same names in the same order. */
static void match_list(const char *what, const GArray *stored, const GArray *given, GString *all)
{
    for (guint i = 0; i < MAX(stored->len, given->len); i++) {
        const scree_identity_part *a =
            i < stored->len ? &g_array_index(stored, scree_identity_part, i) : NULL;
        const scree_identity_part *b =
            i < given->len ? &g_array_index(given, scree_identity_part, i) : NULL;
        if (!a || !b || strcmp(a->name, b->name))
            add_difference(all, "%s %u is %s in the checkpoint, %s in the scene", what, i,
                           a ? a->name : "missing", b ? b->name : "missing");
        else if (strcmp(a->sha256, b->sha256))
            add_difference(all, "%s %s is another one", what, a->name);
    }
}

static void match_groups(const GArray *stored, const GArray *given, GString *all)
{
    for (guint i = 0; i < stored->len; i++) {
        const scree_identity_part *a = &g_array_index(stored, scree_identity_part, i), *b;
        uint32_t at = scree_identity_find(given, a->name);
        b = at == SCREE_NONE ? NULL : &g_array_index(given, scree_identity_part, at);
        if (!b && a->n)
            add_difference(all, "group %s with %" PRIu64 " bodies is missing in the scene", a->name,
                           a->n);
        else if (b && a->n != b->n)
            add_difference(all,
                           "group %s starts with %" PRIu64 " bodies, with %" PRIu64 " in the scene",
                           a->name, a->n, b->n);
        else if (b && strcmp(a->sha256, b->sha256))
            add_difference(all, "the bodies of group %s are others", a->name);
    }
    for (guint i = 0; i < given->len; i++) {
        const scree_identity_part *b = &g_array_index(given, scree_identity_part, i);
        if (b->n && scree_identity_find(stored, b->name) == SCREE_NONE)
            add_difference(all, "group %s with %" PRIu64 " bodies is not in the checkpoint",
                           b->name, b->n);
    }
}

static void match_space(const scree_identity *stored, const scree_identity *given, GString *all)
{
    bool region = stored->has_region == given->has_region;
    for (int k = 0; k < 3; k++) {
        region = region && !memcmp(&stored->region_min[k], &given->region_min[k], sizeof(double)) &&
                 !memcmp(&stored->region_max[k], &given->region_max[k], sizeof(double)) &&
                 stored->tilt[k] == given->tilt[k];
        if (stored->boundary[k] != given->boundary[k])
            add_difference(all, "scene.boundary differs along %c", "xyz"[k]);
    }
    if (!region)
        add_difference(all, "scene.region differs");
    if (stored->dimension != given->dimension)
        add_difference(all,
                       "scene.dimension is %" PRIu64 " in the checkpoint, %" PRIu64 " in the scene",
                       stored->dimension, given->dimension);
    if (memcmp(&stored->thickness, &given->thickness, sizeof(double)))
        add_difference(all, "scene.thickness is %.9g m in the checkpoint, %.9g m in the scene",
                       stored->thickness, given->thickness);
}

bool scree_identity_match(const scree_identity *stored, const scree_identity *given, GError **error)
{
    g_autoptr(GString) all = g_string_new(NULL);
    match_space(stored, given, all);
    match_list("material", stored->materials, given->materials, all);
    match_list("shape", stored->shapes, given->shapes, all);
    match_groups(stored->groups, given->groups, all);
    if (!all->len)
        return true;
    return scree_fail(error, SCREE_EXIT_USAGE,
                      "the scene is not that of the checkpoint; dt, gravity, plugins, observers, "
                      "modifiers and schedule may differ, but:%s",
                      all->str);
}
