/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of observers over a run: kept by the host, also over a swap and a restart. */
#include "plugin/sums.h"

#include <string.h>

/* An observer changes nothing, so its sums are not part of the state: a checkpoint holds them
 * outside of its hash. As other fields do, they belong to a slot, "observers.NAME". */

double *scree_sums_new(const scree_plugin *plugin)
{
    GArray *values = g_array_new(FALSE, FALSE, sizeof(double));
    for (uint32_t f = 0; f < plugin->n_fields; f++)
        for (uint32_t k = 0;
             plugin->fields[f]->scope == SCREE_SCOPE_GLOBAL && k < plugin->fields[f]->components;
             k++)
            g_array_append_val(values, plugin->fields[f]->initial);
    return (double *)(void *)g_array_free(values, FALSE);
}

typedef void (*field_fn)(const scree_instance *instance, const scree_field *field, double *values,
                         void *user);

static void each_field(const scree_instance *instance, field_fn fn, void *user)
{
    double *at = instance->sum_values;
    for (uint32_t f = 0; at && f < instance->plugin->n_fields; f++) {
        const scree_field *field = instance->plugin->fields[f];
        if (field->scope != SCREE_SCOPE_GLOBAL)
            continue;
        fn(instance, field, at, user);
        at += field->components;
    }
}

static void clear_sum(void *data)
{
    scree_saved_sum *sum = data;
    g_free(sum->slot);
    g_free(sum->name);
    g_free(sum->unit);
    g_free(sum->values);
}

GArray *scree_saved_sums_new(void)
{
    GArray *sums = g_array_new(FALSE, TRUE, sizeof(scree_saved_sum));
    g_array_set_clear_func(sums, clear_sum);
    return sums;
}

static void keep_field(const scree_instance *instance, const scree_field *field, double *values,
                       void *user)
{
    scree_saved_sum one = {
        .slot = g_strdup(instance->slot),
        .name = g_strdup(field->name),
        .unit = g_strdup(field->unit ? field->unit : ""),
        .components = field->components,
        .revision = field->revision,
        .values = g_memdup2(values, field->components * sizeof *values),
    };
    g_array_append_val((GArray *)user, one);
}

GArray *scree_saved_sums_of(const scree_runtime *runtime)
{
    GArray *sums = scree_saved_sums_new();
    for (guint i = 0; runtime->summing && i < runtime->summing->len; i++)
        each_field(runtime->summing->pdata[i], keep_field, sums);
    return sums;
}

/** Sums to be put into instances. */
typedef struct putting {
    const GArray *sums;
    GPtrArray *notes; /* lines about missing sums; NULL: none are taken */
} putting;

static void put_field_sum(const scree_instance *instance, const scree_field *field, double *values,
                          void *user)
{
    const putting *p = user;
    if (p->sums)
        for (guint i = 0; i < p->sums->len; i++) {
            const scree_saved_sum *sum = &g_array_index(p->sums, scree_saved_sum, i);
            if (strcmp(sum->slot, instance->slot) || strcmp(sum->name, field->name) ||
                sum->components != field->components || sum->revision != field->revision ||
                strcmp(sum->unit, field->unit ? field->unit : ""))
                continue;
            memcpy(values, sum->values, field->components * sizeof *values);
            return;
        }
    if (p->notes)
        g_ptr_array_add(p->notes, g_strdup_printf("%s: %s starts from %g: the checkpoint has none",
                                                  instance->slot, field->name, field->initial));
}

void scree_saved_sums_put(const GArray *sums, const scree_runtime *runtime, GPtrArray *notes)
{
    putting p = {sums, notes};
    for (guint i = 0; runtime->summing && i < runtime->summing->len; i++)
        each_field(runtime->summing->pdata[i], put_field_sum, &p);
}

void scree_sums_take_over(scree_instance *to, const scree_instance *from)
{
    g_autoptr(GArray) sums = scree_saved_sums_new();
    putting p = {sums, NULL};
    each_field(from, keep_field, sums);
    each_field(to, put_field_sum, &p);
}
