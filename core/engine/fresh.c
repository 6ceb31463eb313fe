/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of bodies and of the run that still hold `initial`, as plugins see them. */
#include "engine/fresh.h"
#include "engine/body_index.h"

#include <string.h>

#include "base/aligned.h"

/*
 * Ids ascend and are never used again. So one number per column gives the bodies without values:
 * those with the id `fresh_from` or a higher one. It is 0 for a column that begins, and the next id
 * once its plugin could write all of them. Then inserted bodies are fresh, and bodies that were
 * inserted while a restored column was dormant. For a global field it is 0, or not.
 */

/** Returns the lowest `fresh_from` of the plugin's columns; UINT64_MAX: none in this scope. */
static uint64_t lowest(const scree_sim *sim, const scree_instance *instance, uint32_t scope)
{
    const GPtrArray *columns = sim->plugins.columns[scope];
    uint64_t from = UINT64_MAX;
    if (!columns)
        return from;
    for (guint k = 0; k < columns->len; k++) {
        const scree_column *column = columns->pdata[k];
        if (!column->dormant && column->fresh_from < from && !strcmp(column->slot, instance->slot))
            from = column->fresh_from;
    }
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

void scree_fresh_hide(scree_sim *sim)
{
    sim->view.fresh = NULL;
    sim->view.global_fresh = 0;
}

/** Notes that the owners of columns could write all bodies: those whose slot begins with `slot`. */
static void set_seen(const scree_sim *sim, uint32_t scope, const char *slot, size_t length)
{
    const GPtrArray *columns = sim->plugins.columns[scope];
    const guint n = columns ? columns->len : 0;
    for (guint k = 0; k < n; k++) {
        scree_column *column = columns->pdata[k];
        if (!column->dormant && !strncmp(column->slot, slot, length))
            column->fresh_from = MAX(sim->world->next_id, 1);
    }
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
