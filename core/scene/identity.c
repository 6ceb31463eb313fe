/* SPDX-License-Identifier: Apache-2.0 */
/* Checksums of a scene's bodies and shapes, compared with those of a stored scene. */
#include "scene/identity.h"

#include <inttypes.h>
#include <string.h>

#include "base/sha256.h"
#include "shape/shape_sum.h"

static void clear_part(void *data)
{
    scree_identity_part *part = data;
    g_free(part->name);
    g_free(part->sha256);
}

static GArray *new_parts(void)
{
    GArray *parts = g_array_new(FALSE, TRUE, sizeof(scree_identity_part));
    g_array_set_clear_func(parts, clear_part);
    return parts;
}

/** Adds a part, and takes its sum. */
static void add_part(GArray *parts, const char *name, char *sha256, uint64_t n)
{
    const scree_identity_part part = {.name = g_strdup(name), .sha256 = sha256, .n = n};
    g_array_append_val(parts, part);
}

static void add_body_identity(scree_sha256 *sum, const scree_body *body)
{
    const uint32_t numbers[3] = {body->shape, body->material, body->motion};
    const struct {
        const void *from;
        size_t n;
    } parts[] = {{&body->id, sizeof body->id},       {numbers, sizeof numbers},
                 {&body->scale, sizeof body->scale}, {body->x, sizeof body->x},
                 {body->q, sizeof body->q},          {body->v, sizeof body->v},
                 {body->w, sizeof body->w}};
    guchar all[sizeof *body];
    size_t n = 0;
    for (size_t k = 0; k < G_N_ELEMENTS(parts); n += parts[k++].n)
        memcpy(all + n, parts[k].from, parts[k].n);
    scree_sha256_add(sum, all, n);
}

static void add_groups(scree_identity *identity, const scree_scene *scene)
{
    uint32_t n = scene->group_names->len;
    g_autofree scree_sha256 **sums = g_new0(scree_sha256 *, n + 1);
    g_autofree uint64_t *counts = g_new0(uint64_t, n + 1);
    for (guint i = 0; i < scene->bodies->len; i++) {
        const scree_body *body = &g_array_index(scene->bodies, scree_body, i);
        if (!sums[body->group])
            sums[body->group] = scree_sha256_new();
        add_body_identity(sums[body->group], body);
        counts[body->group]++;
    }
    for (uint32_t g = 0; g < n; g++)
        add_part(identity->groups, scene->group_names->pdata[g],
                 sums[g] ? scree_sha256_end(sums[g]) : g_strdup(""), counts[g]);
}

scree_identity *scree_identity_of(const scree_scene *scene)
{
    scree_identity *identity = g_new0(scree_identity, 1);
    identity->dimension = scene->dimension;
    identity->has_region = scene->has_region;
    identity->thickness = scene->thickness;
    for (uint32_t k = 0; k < 3; k++) {
        identity->boundary[k] = scene->boundary[k];
        identity->region_min[k] = scene->has_region ? scene->region_min[k] : 0.0;
        identity->region_max[k] = scene->has_region ? scene->region_max[k] : 0.0;
        identity->tilt[k] = scene->tilt[k];
    }
    identity->materials = new_parts();
    identity->shapes = new_parts();
    identity->groups = new_parts();
    for (uint32_t m = 0; m < scene->materials.n; m++)
        add_part(identity->materials, scene->materials.names[m], g_strdup(""), 0);
    for (guint s = 0; s < scene->shapes->len; s++)
        add_part(identity->shapes, scene->shape_names->pdata[s],
                 scree_shape_sum(scene->shapes->pdata[s]), 0);
    add_groups(identity, scene);
    return identity;
}

void scree_identity_free(scree_identity *identity)
{
    if (!identity)
        return;
    GArray *all[] = {identity->materials, identity->shapes, identity->groups};
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
        if (all[i])
            g_array_unref(all[i]);
    g_free(identity);
}

static void transfer_parts(scree_h5 *h5, const char *name, GArray **parts)
{
    enum { MOST_PARTS = 1000000 };
    h5->io->group(h5, name);
    uint64_t n = h5->writing ? (*parts)->len : 0;
    h5->io->count(h5, "n", &n, MOST_PARTS);
    if (!h5->writing)
        *parts = new_parts();
    for (uint64_t i = 0; i < n && !h5->error; i++) {
        g_autofree char *number = g_strdup_printf("%" PRIu64, i);
        if (!h5->writing)
            g_array_set_size(*parts, (guint)i + 1);
        scree_identity_part *part = &g_array_index(*parts, scree_identity_part, i);
        h5->io->group(h5, number);
        h5->io->text(h5, "name", &part->name);
        h5->io->text(h5, "sha256", &part->sha256);
        h5->io->u64(h5, "bodies", &part->n);
        h5->io->leave(h5);
    }
    h5->io->leave(h5);
}

void scree_identity_transfer(scree_h5 *h5, scree_identity **identity)
{
    static const char *const lo[] = {"min_x", "min_y", "min_z"},
                             *const hi[] = {"max_x", "max_y", "max_z"},
                             *const edge[] = {"boundary_x", "boundary_y", "boundary_z"};
    if (!h5->writing)
        *identity = g_new0(scree_identity, 1);
    scree_identity *to = *identity;
    h5->io->group(h5, "identity");
    h5->io->u64(h5, "dimension", &to->dimension);
    h5->io->u64(h5, "has_region", &to->has_region);
    h5->io->real(h5, "thickness", &to->thickness);
    for (int k = 0; k < 3; k++) {
        h5->io->u64(h5, edge[k], &to->boundary[k]);
        h5->io->real(h5, lo[k], &to->region_min[k]);
        h5->io->real(h5, hi[k], &to->region_max[k]);
    }
    const bool tilted = to->tilt[0] != 0.0 || to->tilt[1] != 0.0 || to->tilt[2] != 0.0;
    if (h5->writing ? tilted : h5->io->has(h5, "tilt"))
        h5->io->memory(h5, "tilt", SCREE_H5_F64, 1, 3, to->tilt);
    transfer_parts(h5, "materials", &to->materials);
    transfer_parts(h5, "shapes", &to->shapes);
    transfer_parts(h5, "groups", &to->groups);
    h5->io->leave(h5);
}

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
