/* SPDX-License-Identifier: Apache-2.0 */
/* Start values of body fields, by name, until the run takes them. */
#include "scene/start_values.h"
#include "plugin/struct_size.h"

#include <math.h>
#include <string.h>

const char *scree_start_values_check(const scree_new_bodies *bodies)
{
    for (uint32_t f = 0; f < bodies->n_fields; f++) {
        const scree_start_field *field = bodies->fields[f];
        if (!field || field->size < SCREE_SIZE_TO(scree_start_field, v))
            return "a field is NULL, or its struct is too short";
        if (!field->name || !*field->name || strlen(field->name) > 4 * SCREE_MAX_NAME)
            return "a field has no name, or one that is too long";
        if (!field->components || field->components > SCREE_MAX_COMPONENTS || !field->v)
            return "a field has no components, too many, or no values";
        for (uint32_t k = 0; k < field->components; k++)
            for (uint32_t i = 0; i < bodies->n; i++)
                if (!field->v[k] || !isfinite(field->v[k][i]))
                    return "a value of a field is missing, or not finite";
    }
    return NULL;
}

static scree_start_column *find_column(scree_start_values *values, const char *name,
                                       uint32_t components)
{
    if (!values->columns)
        values->columns = g_ptr_array_new();
    for (guint c = 0; c < values->columns->len; c++) {
        scree_start_column *column = values->columns->pdata[c];
        if (column->components == components && !strcmp(column->name, name))
            return column;
    }
    scree_start_column *column = g_new0(scree_start_column, 1);
    *column =
        (scree_start_column){g_strdup(name), components, g_array_new(FALSE, FALSE, sizeof(double))};
    g_ptr_array_add(values->columns, column);
    return column;
}

/** Finds a column, with NaN for the rows before n that it lacks. */
static scree_start_column *fill_column(scree_start_values *values, const char *name,
                                       uint32_t components, uint32_t n)
{
    const double none = (double)NAN;
    scree_start_column *column = find_column(values, name, components);
    while (column->v->len < n * components)
        g_array_append_val(column->v, none);
    return column;
}

uint32_t scree_start_values_take(scree_start_values *values, const scree_new_bodies *bodies,
                                 uint32_t i)
{
    if (!bodies->n_fields)
        return 0;
    for (uint32_t f = 0; f < bodies->n_fields; f++) {
        const scree_start_field *field = bodies->fields[f];
        scree_start_column *column = fill_column(values, field->name, field->components, values->n);
        for (uint32_t k = 0; k < field->components; k++)
            g_array_append_val(column->v, field->v[k][i]);
    }
    return ++values->n;
}

uint32_t scree_start_values_row(scree_start_values *values)
{
    return ++values->n;
}

void scree_start_values_set(scree_start_values *values, uint32_t start, const char *name,
                            uint32_t components, const double *v)
{
    scree_start_column *column = fill_column(values, name, components, start);
    for (uint32_t k = 0; k < components; k++)
        g_array_index(column->v, double, (start - 1) * components + k) = v[k];
}

const double *scree_start_column_row(const scree_start_column *column, uint32_t start)
{
    const guint end = start * column->components;
    if (!start || end > column->v->len)
        return NULL;
    const double *row = &g_array_index(column->v, double, end - column->components);
    return isnan(row[0]) ? NULL : row;
}

void scree_start_values_clear(scree_start_values *values)
{
    const guint n = values->columns ? values->columns->len : 0;
    for (guint c = 0; c < n; c++) {
        scree_start_column *column = values->columns->pdata[c];
        g_array_unref(column->v);
        g_free(column->name);
        g_free(column);
    }
    if (values->columns)
        g_ptr_array_unref(values->columns);
    *values = (scree_start_values){0};
}
