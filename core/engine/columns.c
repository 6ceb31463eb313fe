/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions of field components, and the sources of their values when plugins are swapped. */
#include "engine/columns.h"

#include <inttypes.h>
#include <string.h>

#include "base/aligned.h"
#include "engine/body_index.h"
#include "engine/state.h"

/*
 * A field belongs to its slot: "force[0]/shear_spring". At a swap the fields of the new plugins
 * take their values from previous fields with the same slot, name, components, unit and revision,
 * whether these were in use or dormant. A previous field that no plugin takes is dropped, unless it
 * is to be restored: it is then dormant, and stays in the hash until its plugin returns.
 */

static uint32_t *column_count(scree_plugins *plugins, uint32_t scope)
{
    uint32_t *const counts[SCREE_SCOPES] = {
        NULL, &plugins->contact.n_fields, &plugins->contact.n_pair_fields, &plugins->body.n_fields,
        &plugins->body.n_global_fields};
    return counts[scope];
}

uint32_t scree_columns_count(const scree_sim *sim, uint32_t scope)
{
    return *column_count((scree_plugins *)&sim->plugins, scope);
}

void scree_column_free(void *data)
{
    scree_column *column = data;
    g_free(column->slot);
    g_free(column->name);
    g_free(column->unit);
    g_free(column);
}

static void append_column(scree_plugins *plugins, uint32_t scope, const scree_column *like)
{
    uint32_t *n = column_count(plugins, scope);
    scree_column *column = g_memdup2(like, sizeof *like);
    column->slot = g_strdup(like->slot);
    column->name = g_strdup(like->name);
    column->unit = g_strdup(like->unit);
    column->first = *n;
    *n += like->components;
    if (!plugins->columns[scope])
        plugins->columns[scope] = g_ptr_array_new_with_free_func(scree_column_free);
    g_ptr_array_add(plugins->columns[scope], column);
}

uint32_t scree_columns_add(scree_plugins *plugins, const char *slot, const scree_plugin *plugin,
                           uint32_t scope)
{
    uint32_t before = *column_count(plugins, scope);
    for (uint32_t f = 0; f < plugin->n_fields; f++) {
        const scree_field *field = plugin->fields[f];
        const scree_column column = {.slot = (char *)slot,
                                     .name = (char *)field->name,
                                     .unit = (char *)field->unit,
                                     .components = field->components,
                                     .revision = field->revision,
                                     .if_missing = field->if_missing,
                                     .on_return = field->on_return,
                                     .initial = field->initial};
        if (field->scope == scope)
            append_column(plugins, scope, &column);
    }
    plugins->n_live[scope] = *column_count(plugins, scope);
    return plugins->n_live[scope] - before;
}

void scree_columns_add_rate(scree_plugins *plugins, const scree_column *of)
{
    const bool plain = !of->unit || !*of->unit || !strcmp(of->unit, "-");
    g_autofree char *name = g_strdup_printf("%s.rate", of->name);
    g_autofree char *unit = g_strdup_printf("%s/s", plain ? "1" : of->unit);
    const scree_column column = {.slot = of->slot,
                                 .name = name,
                                 .unit = unit,
                                 .components = of->components,
                                 .revision = of->revision};
    append_column(plugins, SCREE_SCOPE_BODY, &column);
    plugins->n_live[SCREE_SCOPE_BODY] = *column_count(plugins, SCREE_SCOPE_BODY);
}

static bool is_same(const scree_column *a, const scree_column *b)
{
    return !strcmp(a->slot, b->slot) && !strcmp(a->name, b->name) &&
           a->components == b->components && a->revision == b->revision &&
           !g_strcmp0(a->unit, b->unit);
}

/** Returns whether the field was dropped at a swap; checkpoints of version 0.1 still hold it. */
static bool is_dropped(const scree_column *column)
{
    return column->dormant && column->on_return != SCREE_RETURN_RESTORE;
}

static const scree_column *find_same(const GPtrArray *columns, const scree_column *like)
{
    if (columns)
        for (guint k = 0; k < columns->len; k++)
            if (is_same(columns->pdata[k], like) && !is_dropped(columns->pdata[k]))
                return columns->pdata[k];
    return NULL;
}

/** Notes "force[0]/shear_spring: dropped, 12 contacts"; `n` UINT64_MAX: no number. */
static void note_fate(GPtrArray *notes, const scree_column *column, const char *what,
                      uint32_t scope, uint64_t n)
{
    static const char *const elements[] = {"", "contact", "pair", "body", ""};
    GString *text = g_string_new(NULL);
    g_string_printf(text, "%s/%s: %s", column->slot, column->name, what);
    if (scope != SCREE_SCOPE_GLOBAL && n != UINT64_MAX)
        g_string_append_printf(text, ", %" PRIu64 " %s", n,
                               n == 1                      ? elements[scope]
                               : scope == SCREE_SCOPE_BODY ? "bodies"
                               : scope == SCREE_SCOPE_PAIR ? "pairs"
                                                           : "contacts");
    g_ptr_array_add(notes, g_string_free(text, FALSE));
}

static void add_sources(GArray *from, const scree_column *source, uint32_t components)
{
    for (uint32_t k = 0; k < components; k++) {
        int32_t component = source ? (int32_t)(source->first + k) : -1;
        g_array_append_val(from, component);
    }
}

/** Counts the n values of a column that are set; elements begun during dormancy are not. */
static uint64_t count_values(const scree_column *column, uint64_t n, const double *rows,
                             uint32_t stride)
{
    uint64_t unset = 0;
    for (uint64_t i = 0, m = rows ? n : 0; i < m; i++)
        unset += scree_is_unset(rows[i * stride + column->first]);
    return n - unset;
}

/** Finds the source of one column of the new plugins. */
static void find_source(scree_column *column, const scree_column *source, uint32_t scope,
                        uint64_t n, const double *rows, uint32_t stride, GArray *from,
                        GPtrArray *notes)
{
    add_sources(from, source, column->components);
    column->fresh = !source;
    column->fresh_from = source ? source->fresh_from : 0;
    if (source) {
        bool back = source->dormant;
        n = back ? count_values(source, n, rows, stride) : UINT64_MAX;
        note_fate(notes, column, back ? "restored" : "kept", scope, n);
        return;
    }
    g_autofree char *text = g_strdup_printf("starts from %g", column->initial);
    note_fate(notes, column, text, scope, UINT64_MAX);
}

void scree_columns_map(scree_plugins *plugins, uint32_t scope, const GPtrArray *before, uint64_t n,
                       const double *rows, uint32_t stride, GArray **from, GPtrArray *notes)
{
    guint n_now = plugins->columns[scope] ? plugins->columns[scope]->len : 0;
    *from = g_array_new(FALSE, FALSE, sizeof(int32_t));
    for (guint k = 0; k < n_now; k++) {
        scree_column *column = plugins->columns[scope]->pdata[k];
        find_source(column, find_same(before, column), scope, n, rows, stride, *from, notes);
    }
    if (before)
        for (guint k = 0; k < before->len; k++) {
            scree_column *old = before->pdata[k], sleeper = *old;
            bool stays = old->on_return == SCREE_RETURN_RESTORE;
            if (!is_dropped(old) && find_same(plugins->columns[scope], old))
                continue;
            if (!old->dormant || !stays)
                note_fate(notes, old, stays ? "dormant until its plugin returns" : "dropped", scope,
                          n);
            if (!stays)
                continue;
            sleeper.dormant = true;
            sleeper.fresh = false;
            sleeper.rate = 0;
            append_column(plugins, scope, &sleeper);
            add_sources(*from, old, old->components);
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
        scree_columns_row(from, old + row * n_old, initial, now + row * from->len);
    return now;
}

void scree_columns_row(const GArray *from, const double *old, const double *initial, double *now)
{
    for (guint f = 0; f < from->len; f++) {
        int32_t at = g_array_index(from, int32_t, f);
        now[f] = at >= 0 ? old[at] : initial ? initial[f] : scree_unset();
    }
}

double **scree_columns_find(const scree_sim *sim, const char *name, uint32_t components,
                            GError **error)
{
    const uint32_t scope = SCREE_SCOPE_BODY;
    const scree_column *found = NULL, *column;
    uint32_t n_found = 0;
    for (guint c = 0; (column = scree_column_in_use(sim->plugins.columns, scope, &c)); c++) {
        const size_t n = strlen(column->slot);
        const bool whole = !strncmp(name, column->slot, n) && name[n] == '/';
        if (strcmp(name, column->name) && !(whole && !strcmp(name + n + 1, column->name)))
            continue;
        found = column;
        n_found++;
    }
    if (n_found == 1 && found->components == components)
        return sim->world->field + found->first;
    if (n_found == 1)
        scree_fail(error, SCREE_EXIT_USAGE,
                   "start values of the body field %s: expected %u components, got %u", name,
                   found->components, components);
    else
        scree_fail(error, SCREE_EXIT_USAGE,
                   n_found ? "start values of the body field %s: %u plugins of the scene have one "
                             "of that name; expected SLOT/NAME"
                           : "start values of the body field %s: expected a field of a plugin of "
                             "the scene, got one of %u plugins",
                   name, n_found);
    return NULL;
}

bool scree_columns_start(const scree_sim *sim, const scree_start_values *starts,
                         const GArray *bodies, uint32_t first, GError **error)
{
    const guint n = starts->columns ? starts->columns->len : 0;
    for (guint c = 0; c < n; c++) {
        const scree_start_column *column = starts->columns->pdata[c];
        double **field = scree_columns_find(sim, column->name, column->components, error);
        if (!field)
            return false;
        for (guint i = 0; i < bodies->len; i++) {
            const double *row =
                scree_start_column_row(column, g_array_index(bodies, scree_body, i).start);
            const uint32_t n_given = row ? column->components : 0;
            for (uint32_t k = 0; k < n_given; k++)
                field[k][first + i] = row[k];
        }
    }
    return true;
}

double *scree_columns_initial(const scree_sim *sim, uint32_t scope)
{
    uint32_t n = *column_count((scree_plugins *)&sim->plugins, scope), at = 0;
    double *initial = g_new0(double, n + 1);
    if (sim->plugins.columns[scope])
        for (guint k = 0; k < sim->plugins.columns[scope]->len; k++) {
            const scree_column *column = sim->plugins.columns[scope]->pdata[k];
            bool open = column->dormant && scope <= SCREE_SCOPE_PAIR;
            for (uint32_t i = 0; i < column->components; i++)
                initial[at++] = open ? scree_unset() : column->initial;
        }
    return initial;
}

GArray *scree_columns_fresh(GPtrArray *const *columns)
{
    GArray *from = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    uint32_t scope = SCREE_SCOPE_BODY;
    const scree_column *column;
    for (; (column = scree_columns_at(columns, &scope, from->len)); scope = SCREE_SCOPE_BODY)
        g_array_append_val(from, column->fresh_from);
    return from;
}

/* ---- fields of bodies and of the run that still hold `initial`, as plugins see them ---- */

/*
 * Ids ascend and are never used again. So one number per column gives the bodies without values:
 * those with the id `fresh_from` or a higher one. It is 0 for a column that begins, and the next id
 * once its plugin could write all of them. Then inserted bodies are fresh, and bodies that were
 * inserted while a restored column was dormant. For a global field it is 0, or not.
 */

/** Returns the lowest `fresh_from` of the plugin's columns; UINT64_MAX: none in this scope. */
static uint64_t lowest(const scree_sim *sim, const scree_instance *instance, uint32_t scope)
{
    const scree_column *column;
    uint64_t from = UINT64_MAX;
    for (guint k = 0; (column = scree_column_in_use(sim->plugins.columns, scope, &k)); k++)
        if (column->fresh_from < from && !strcmp(column->slot, instance->slot))
            from = column->fresh_from;
    return from;
}

/** Marks the bodies with the id `from` or a higher one. */
static uint8_t *mark(const scree_world *w, uint64_t from, uint8_t **marks, uint64_t *capacity)
{
    scree_aligned_grow(marks, capacity, (uint64_t)w->n + 1, 0, 1);
    for (uint32_t i = 0; i < w->n; i++)
        (*marks)[i] = w->id[i] >= from;
    return *marks;
}

const uint8_t *scree_fresh_motion(scree_sim *sim)
{
    const scree_world *w = sim->world;
    const GArray *edited = sim->edits.edited;
    const uint64_t from = lowest(sim, sim->plugins.body.integrator, SCREE_SCOPE_BODY);
    if (from >= w->next_id && !edited->len)
        return NULL;
    uint8_t *marks = mark(w, from, &sim->edits.marks, &sim->edits.marks_capacity);
    g_autofree uint32_t *by_id = scree_body_index_new(w);
    for (guint k = 0; k < edited->len; k++) {
        uint32_t i = scree_body_index_find(w, by_id, g_array_index(edited, uint64_t, k));
        if (i != SCREE_NONE)
            marks[i] = 1;
    }
    return marks;
}

bool scree_fresh_holds(const scree_world *w, const scree_column *column, uint32_t i)
{
    bool fresh = w->id[i] >= column->fresh_from;
    for (uint32_t k = 0; fresh && k < column->components; k++)
        fresh = w->field[column->first + k][i] == column->initial;
    return fresh;
}

/** Removes the mark of each body for which the scene gives start values to all fields of the
 * modifier. */
static void unmark_started(const scree_sim *sim, const scree_instance *modifier, uint8_t *marks)
{
    const scree_world *w = sim->world;
    const GPtrArray *columns = sim->plugins.columns[SCREE_SCOPE_BODY];
    for (uint32_t i = 0; i < w->n; i++) {
        bool fresh = false;
        for (guint k = 0; marks[i] && !fresh && k < columns->len; k++) {
            const scree_column *column = columns->pdata[k];
            fresh = !column->dormant && !strcmp(column->slot, modifier->slot) &&
                    scree_fresh_holds(w, column, i);
        }
        marks[i] = fresh;
    }
}

uint32_t scree_fresh_global(const scree_sim *sim, const scree_instance *instance)
{
    return lowest(sim, instance, SCREE_SCOPE_GLOBAL) == 0;
}

void scree_fresh_show(scree_sim *sim, const scree_instance *modifier)
{
    const uint64_t from = lowest(sim, modifier, SCREE_SCOPE_BODY);
    sim->view.global_fresh = scree_fresh_global(sim, modifier);
    if (from >= sim->world->next_id)
        return;
    uint8_t *marks =
        mark(sim->world, from, &sim->edits.view_marks, &sim->edits.view_marks_capacity);
    unmark_started(sim, modifier, marks);
    sim->view.fresh = marks;
}

/** Notes that the owners of columns could write all bodies: those whose slot begins with `slot`. */
static void set_seen(const scree_sim *sim, uint32_t scope, const char *slot, size_t length)
{
    scree_column *column;
    for (guint k = 0; (column = scree_column_in_use(sim->plugins.columns, scope, &k)); k++)
        if (!strncmp(column->slot, slot, length))
            column->fresh_from = MAX(sim->world->next_id, 1);
}

void scree_fresh_seen(const scree_sim *sim, const scree_instance *instance)
{
    const size_t whole = strlen(instance->slot) + 1;
    set_seen(sim, SCREE_SCOPE_BODY, instance->slot, whole);
    set_seen(sim, SCREE_SCOPE_GLOBAL, instance->slot, whole);
}

void scree_fresh_seen_laws(const scree_sim *sim)
{
    static const char of_law[] = "force[";
    set_seen(sim, SCREE_SCOPE_BODY, of_law, strlen(of_law));
}

void scree_fresh_forget(const scree_sim *sim, uint32_t i)
{
    const scree_instance *integrator = sim->plugins.body.integrator;
    uint32_t f = integrator->first_body_field;
    for (uint32_t k = 0; k < integrator->plugin->n_fields; k++) {
        const scree_field *field = integrator->plugin->fields[k];
        const uint32_t n = field->scope == SCREE_SCOPE_BODY ? field->components : 0;
        for (uint32_t c = 0; c < n; c++, f++)
            sim->world->field[f][i] = sim->world->field_initial[f];
    }
}
