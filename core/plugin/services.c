/* SPDX-License-Identifier: Apache-2.0 */
/* Services without a state of their own: scree.names/1 finds names in the lists of the scene, which
 * the runtime borrows; scree.sum/1 sums over bodies and contacts. */
#include "plugin/services.h"

#include <math.h>
#include <string.h>

#include "base/exact_sum.h"
#include "base/text.h"
#include "plugin/guard.h"

/* ---- names ---- */

static const scree_runtime *runtime_of(void *ctx)
{
    return ((const scree_instance *)ctx)->runtime;
}

static uint32_t find_in(const char *const *names, uint32_t n, const char *name)
{
    n = names && name ? n : 0;
    for (uint32_t i = 0; i < n; i++)
        if (!strcmp(names[i], name))
            return i;
    return SCREE_NONE;
}

static uint32_t find_group(void *ctx, const char *name)
{
    const GPtrArray *names = runtime_of(ctx)->group_names;
    return find_in((const char *const *)names->pdata, names->len, name);
}

static uint32_t find_material_name(void *ctx, const char *name)
{
    return find_in(runtime_of(ctx)->material_names, runtime_of(ctx)->n_materials, name);
}

static const scree_shape_name *look_shape_up(void *ctx, const char *name)
{
    GHashTable *known = runtime_of(ctx)->shapes_by_name;
    return known && name ? g_hash_table_lookup(known, name) : NULL;
}

static uint32_t find_shape(void *ctx, const char *name)
{
    const scree_shape_name *found = look_shape_up(ctx, name);
    return found ? found->index : SCREE_NONE;
}

static double find_shape_scale(void *ctx, const char *name)
{
    const scree_shape_name *found = look_shape_up(ctx, name);
    return found && found->sized ? found->scale : (double)NAN;
}

static const char *entry(const GPtrArray *names, uint32_t index)
{
    return names && index < names->len ? names->pdata[index] : NULL;
}

static const char *name_material(void *ctx, uint32_t index)
{
    const scree_runtime *r = runtime_of(ctx);
    return r->material_names && index < r->n_materials ? r->material_names[index] : NULL;
}

static const char *name_shape(void *ctx, uint32_t index)
{
    return entry(runtime_of(ctx)->shape_names, index);
}

static const char *name_group(void *ctx, uint32_t index)
{
    return entry(runtime_of(ctx)->group_names, index);
}

const scree_names *scree_names_give(scree_instance *instance)
{
    if (!instance->runtime->group_names)
        return NULL;
    instance->names = (scree_names){.size = sizeof(scree_names),
                                    .ctx = instance,
                                    .group = find_group,
                                    .material = find_material_name,
                                    .shape = find_shape,
                                    .material_name = name_material,
                                    .shape_name = name_shape,
                                    .group_name = name_group,
                                    .shape_scale = find_shape_scale};
    return &instance->names;
}

char *scree_names_hint(const scree_instance *instance, bool material, const char *word)
{
    const scree_runtime *r = instance->runtime;
    if (!material) {
        g_autofree gpointer *keys =
            r->shapes_by_name ? g_hash_table_get_keys_as_array(r->shapes_by_name, NULL) : NULL;
        return scree_did_you_mean(word, (const char *const *)keys);
    }
    const guint n = r->material_names ? r->n_materials : 0;
    g_autofree const char **names = g_new0(const char *, n + 1);
    for (guint i = 0; i < n; i++)
        names[i] = r->material_names[i];
    return scree_did_you_mean(word, names);
}

/* ---- sums ---- */

static int32_t sum_bodies(void *ctx, uint32_t components, const double *const *v, double *sum)
{
    const scree_runtime *runtime = ctx;
    const scree_bodies *bodies = runtime->summed.bodies;
    const char *call = scree_guard_here()->now.call;
    if (!bodies || (call && !strcmp(call, "create")))
        return SCREE_E_UNSUPPORTED;
    for (uint32_t k = 0; k < components; k++)
        sum[k] = v[k] ? scree_leaf_sum(bodies->number, v[k], bodies->n) : 0.0;
    return SCREE_OK;
}

static int32_t sum_contacts(void *ctx, uint32_t components, const double *const *v, double *sum)
{
    const scree_runtime *runtime = ctx;
    if (!runtime->summed.contacts)
        return SCREE_E_UNSUPPORTED;
    for (uint32_t k = 0; k < components; k++)
        sum[k] = v[k] ? scree_exact_sum_of(v[k], runtime->summed.contacts->n, 1) : 0.0;
    return SCREE_OK;
}

const scree_summer *scree_summer_give(scree_instance *instance)
{
    const uint32_t kind = instance->plugin->kind;
    if (kind != SCREE_KIND_MODIFIER && kind != SCREE_KIND_OBSERVER)
        return NULL;
    instance->summer = (scree_summer){.size = sizeof(scree_summer),
                                      .ctx = instance->runtime,
                                      .bodies = sum_bodies,
                                      .contacts = sum_contacts};
    return &instance->summer;
}
