/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions of field components, and where values come from when plugins are swapped. */
#include "engine/columns.h"

#include "engine/sim.h"

#include <string.h>

/*
 * A field belongs to its slot: "force[0]/shear_spring". At a swap the fields of the new plugins
 * take their values from previous fields with the same slot, name, components, unit and revision,
 * whether these were in use or dormant. A previous field that no plugin takes becomes dormant, so
 * that it is there when its plugin returns.
 */

static uint32_t *count_of(scree_sim *sim, uint32_t scope)
{
    uint32_t *const counts[SCREE_SCOPES] = {
        NULL, &sim->plugins.contact.n_fields, &sim->plugins.contact.n_pair_fields,
        &sim->plugins.body.n_fields, &sim->plugins.body.n_global_fields};
    return counts[scope];
}

void scree_column_free(void *data)
{
    scree_column *column = data;
    g_free(column->slot);
    g_free(column->name);
    g_free(column->unit);
    g_free(column);
}

static void append(scree_sim *sim, uint32_t scope, const scree_column *like)
{
    uint32_t *n = count_of(sim, scope);
    scree_column *column = g_memdup2(like, sizeof *like);
    column->slot = g_strdup(like->slot);
    column->name = g_strdup(like->name);
    column->unit = g_strdup(like->unit);
    column->first = *n;
    *n += like->components;
    if (!sim->plugins.columns[scope])
        sim->plugins.columns[scope] = g_ptr_array_new_with_free_func(scree_column_free);
    g_ptr_array_add(sim->plugins.columns[scope], column);
}

uint32_t scree_columns_add(scree_sim *sim, const char *slot, const scree_plugin *plugin,
                           uint32_t scope)
{
    uint32_t before = *count_of(sim, scope);
    for (uint32_t f = 0; f < plugin->n_fields; f++) {
        const scree_field *field = plugin->fields[f];
        const scree_column column = {.slot = (char *)slot,
                                     .name = (char *)field->name,
                                     .unit = (char *)field->unit,
                                     .components = field->components,
                                     .revision = field->revision,
                                     .if_missing = field->if_missing,
                                     .initial = field->initial};
        if (field->scope == scope)
            append(sim, scope, &column);
    }
    sim->plugins.n_live[scope] = *count_of(sim, scope);
    return sim->plugins.n_live[scope] - before;
}

static bool is_same(const scree_column *a, const scree_column *b)
{
    return !strcmp(a->slot, b->slot) && !strcmp(a->name, b->name) &&
           a->components == b->components && a->revision == b->revision &&
           !g_strcmp0(a->unit, b->unit);
}

static const scree_column *find_same(const GPtrArray *columns, const scree_column *like)
{
    if (columns)
        for (guint k = 0; k < columns->len; k++)
            if (is_same(columns->pdata[k], like))
                return columns->pdata[k];
    return NULL;
}

static void note(GPtrArray *notes, const scree_column *column, const char *what)
{
    g_ptr_array_add(notes, g_strdup_printf("%s/%s: %s", column->slot, column->name, what));
}

static void add_sources(GArray *from, const scree_column *source, uint32_t components)
{
    for (uint32_t k = 0; k < components; k++) {
        int32_t component = source ? (int32_t)(source->first + k) : -1;
        g_array_append_val(from, component);
    }
}

/** One column of the new plugins. */
static void find_source(scree_column *column, const scree_column *source, GArray *from,
                        GPtrArray *notes)
{
    add_sources(from, source, column->components);
    column->fresh = !source;
    if (source) {
        note(notes, column, source->dormant ? "restored" : "kept");
        return;
    }
    g_autofree char *text = g_strdup_printf("starts from %g", column->initial);
    note(notes, column, text);
}

void scree_columns_map(scree_sim *sim, uint32_t scope, const GPtrArray *before, GArray **from,
                       GPtrArray *notes)
{
    guint n_now = sim->plugins.columns[scope] ? sim->plugins.columns[scope]->len : 0;
    *from = g_array_new(FALSE, FALSE, sizeof(int32_t));
    for (guint k = 0; k < n_now; k++) {
        scree_column *column = sim->plugins.columns[scope]->pdata[k];
        find_source(column, find_same(before, column), *from, notes);
    }
    if (before)
        for (guint k = 0; k < before->len; k++) {
            scree_column *old = before->pdata[k], sleeper = *old;
            if (find_same(sim->plugins.columns[scope], old))
                continue;
            sleeper.dormant = true;
            sleeper.fresh = false;
            append(sim, scope, &sleeper);
            add_sources(*from, old, old->components);
            if (!old->dormant)
                note(notes, old, "dormant until its plugin returns");
        }
}

bool scree_columns_check(const scree_sim *sim, uint32_t scope, GError **error)
{
    if (sim->plugins.columns[scope])
        for (guint k = 0; k < sim->plugins.columns[scope]->len; k++) {
            const scree_column *column = sim->plugins.columns[scope]->pdata[k];
            if (!column->fresh || column->if_missing != SCREE_MISSING_FAIL)
                continue;
            g_set_error(
                error, SCREE_ERROR, SCREE_EXIT_USAGE,
                "the field %s of %s needs previous values, and no previous field matches it",
                column->name, column->slot);
            return false;
        }
    return true;
}

double *scree_columns_rows(const GArray *from, uint64_t rows, uint32_t n_old, const double *old,
                           const double *initial)
{
    double *now = g_new(double, rows * from->len + 1);
    for (uint64_t row = 0; row < rows; row++)
        for (guint f = 0; f < from->len; f++) {
            int32_t at = g_array_index(from, int32_t, f);
            now[row * from->len + f] = at >= 0 ? old[row * n_old + (uint32_t)at] : initial[f];
        }
    return now;
}

double *scree_columns_initial(const scree_sim *sim, uint32_t scope)
{
    uint32_t n = *count_of((scree_sim *)sim, scope), at = 0;
    double *initial = g_new0(double, n + 1);
    if (sim->plugins.columns[scope])
        for (guint k = 0; k < sim->plugins.columns[scope]->len; k++) {
            const scree_column *column = sim->plugins.columns[scope]->pdata[k];
            for (uint32_t i = 0; i < column->components; i++)
                initial[at++] = column->initial;
        }
    return initial;
}
