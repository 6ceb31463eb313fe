/* SPDX-License-Identifier: Apache-2.0 */
/* Checksums of a scene's bodies and shapes. */
#include "scene/identity.h"

#include <inttypes.h>
#include <string.h>

#include "base/sha256.h"

static void clear_part(void *data)
{
    scree_identity_part *part = data;
    g_free(part->name);
    g_free(part->sha256);
}

GArray *scree_identity_parts_new(void)
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
    identity->materials = scree_identity_parts_new();
    identity->shapes = scree_identity_parts_new();
    identity->groups = scree_identity_parts_new();
    for (uint32_t m = 0; m < scene->materials.n; m++)
        add_part(identity->materials, scene->materials.names[m], g_strdup(""), 0);
    for (guint s = 0; s < scene->shapes->len; s++)
        add_part(identity->shapes, scene->shape_names->pdata[s], g_strdup(""), 0);
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
