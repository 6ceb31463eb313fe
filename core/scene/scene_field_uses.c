/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of other plugins in a scene: each field that a plugin uses exists exactly once. */
#include "scene/scene_field_uses.h"

#include <math.h>

#include "config/config_node.h"
#include "config/config_problem.h"
#include "config/config_read.h"
#include "plugin/field_uses.h"
#include "plugin/kinds.h"
#include "plugin/slot.h"
#include "scene/scene_keys.h"
#include "scene/scene_schedule.h"

/** A plugin of the scene, and its place. */
typedef struct seat {
    const scree_choice_of *choice;
    char *slot, *plugin;
} seat;

static void clear_seat(void *data)
{
    seat *one = data;
    g_free(one->slot);
    g_free(one->plugin);
}

static void add_seat(GArray *seats, const scree_choice_of *choice, uint32_t index, const char *name)
{
    if (!choice)
        return;
    const scree_slot slot = {choice->plugin->kind, index, name};
    const seat one = {
        choice, scree_slot_print(slot),
        g_strdup_printf("%s/%s", scree_kind_name(choice->plugin->kind), choice->plugin->id)};
    g_array_append_val(seats, one);
}

/** Adds all plugins of a set with fields or uses. */
static void add_set(GArray *seats, const scree_plugin_set *set)
{
    const GPtrArray *lists[] = {set->resolvers, set->forces};
    const GPtrArray *timed_lists[] = {set->modifiers, set->observers};
    add_seat(seats, set->integrator, 0, NULL);
    for (size_t k = 0; k < G_N_ELEMENTS(lists); k++) {
        const guint n = lists[k] ? lists[k]->len : 0;
        for (guint i = 0; i < n; i++)
            add_seat(seats, lists[k]->pdata[i], i, NULL);
    }
    for (size_t k = 0; k < G_N_ELEMENTS(timed_lists); k++) {
        const guint n = timed_lists[k] ? timed_lists[k]->len : 0;
        for (guint i = 0; i < n; i++) {
            const scree_timed_choice *timed = timed_lists[k]->pdata[i];
            add_seat(seats, timed->choice, 0, timed->name);
        }
    }
}

/** Returns all plugins at the start of the scene. */
static GArray *list_seats(const scree_scene *s)
{
    const scree_plugin_set scene = scree_scene_set(s);
    GArray *seats = g_array_new(FALSE, FALSE, sizeof(seat));
    g_array_set_clear_func(seats, clear_seat);
    add_set(seats, &scene);
    return seats;
}

/** Returns the fields that other plugins may use. */
static GArray *list_fields(const GArray *seats)
{
    GArray *fields = g_array_new(FALSE, FALSE, sizeof(scree_field_of));
    for (guint i = 0; i < seats->len; i++) {
        const seat *at = &g_array_index(seats, seat, i);
        const scree_plugin *plugin = at->choice->plugin;
        if (plugin->kind == SCREE_KIND_OBSERVER)
            continue;
        for (uint32_t f = 0; f < plugin->n_fields; f++) {
            const scree_field *field = plugin->fields[f];
            const scree_field_of one = {at->slot,   field->name,  field->unit,
                                        at->plugin, field->scope, field->components};
            g_array_append_val(fields, one);
        }
    }
    return fields;
}

/* ---- plugins of the schedule ---- */

/** Sets an error unless some field suits a use, or may be missing. */
static void find_any(const scree_field_use *use, const char *user, const GArray *fields,
                     GError **error)
{
    const scree_field_of *all = (const scree_field_of *)(const void *)fields->data;
    for (guint i = 0; i < fields->len; i++) {
        if (all[i].scope != use->scope || !scree_field_uses_named(&all[i], use->name))
            continue;
        g_clear_error(error);
        if (scree_field_uses_find(use, user, &all[i], 1, error) >= 0)
            return;
    }
    if (!*error)
        scree_field_uses_find(use, user, all, fields->len, error);
}

/** Checks that other plugins have the fields that a plugin uses. For an entry of the schedule
 * (`cause`), a plugin of the scene or of the schedule may have them: the swap checks those that are
 * then current. */
static void check_user(scree_build *b, const seat *at, const char *cause, const GArray *fields)
{
    g_autofree char *user = cause ? g_strdup_printf("%s (%s)", at->plugin, cause) : NULL;
    const uint32_t n = scree_field_uses_count(at->choice);
    for (uint32_t k = 0; k < n; k++) {
        g_autoptr(GError) error = NULL;
        const scree_field_use use = scree_field_uses_at(at->choice, k);
        if (cause)
            find_any(&use, user, fields, &error);
        else
            scree_field_uses_find(&use, at->plugin,
                                  (const scree_field_of *)(const void *)fields->data, fields->len,
                                  &error);
        if (error)
            scree_config_problem(b->config, use.at ? use.at : at->choice->group, "%s",
                                 error->message);
    }
}

static void check_schedule(scree_build *b)
{
    const GPtrArray *entries = b->scene->schedule;
    const guint n_entries = entries ? entries->len : 0;
    g_autoptr(GArray) seats = list_seats(b->scene);
    for (guint k = 0; k < n_entries; k++)
        add_set(seats, ((const scree_schedule_entry *)entries->pdata[k])->set);
    g_autoptr(GArray) fields = list_fields(seats);
    for (guint k = 0; k < n_entries; k++) {
        const scree_schedule_entry *entry = entries->pdata[k];
        g_autoptr(GArray) of_entry = g_array_new(FALSE, FALSE, sizeof(seat));
        g_array_set_clear_func(of_entry, clear_seat);
        add_set(of_entry, entry->set);
        for (guint i = 0; i < of_entry->len; i++)
            check_user(b, &g_array_index(of_entry, seat, i),
                       entry->cause ? entry->cause : "schedule", fields);
    }
}

/* ---- start values ---- */

/** Start values of a group, for a row of scene->starts. They are read once the plugins have given
 * the units. */
typedef struct scree_start_row {
    const scree_node
        *node; /* { NAME = value; .. } or ( { field = "SLOT/NAME"; value = ..; }, .. ) */
    uint32_t start;
} scree_start_row;

static uint32_t add_row(scree_build *b, uint32_t start)
{
    const scree_start_row row = {b->start_node, start};
    if (!b->start_rows)
        b->start_rows = g_array_new(FALSE, FALSE, sizeof(scree_start_row));
    g_array_append_val(b->start_rows, row);
    return start;
}

void scree_build_start_from(scree_build *b, const scree_node *fields)
{
    b->start_node = fields;
    b->start_row = 0;
}

uint32_t scree_build_start_of(scree_build *b, uint32_t start)
{
    if (!b->start_node)
        return start;
    if (start) // the source also gave values
        return add_row(b, start);
    if (!b->start_row)
        b->start_row = add_row(b, scree_start_values_row(&b->scene->starts));
    return b->start_row;
}

/** Returns the field of a start value; NULL with a problem. */
static const scree_field_of *find_start(scree_build *b, const scree_node *at, const char *name,
                                        const GArray *fields)
{
    g_autoptr(GError) error = NULL;
    const scree_field_use use = {.scope = SCREE_SCOPE_BODY, .by_param = true, .name = name};
    const int32_t found = scree_field_uses_find(&use, "a start value",
                                                (const scree_field_of *)(const void *)fields->data,
                                                fields->len, &error);
    if (found >= 0)
        return &g_array_index(fields, scree_field_of, found);
    scree_config_problem(b->config, at, "%s", error->message);
    return NULL;
}

/** Reads the start value of a field: a number, or a list with one per component. */
static void read_start(scree_build *b, const scree_node *value, const char *name, uint32_t start,
                       const GArray *fields)
{
    const scree_field_of *field = find_start(b, value, name, fields);
    const uint32_t n = scree_node_count(value);
    double v[SCREE_MAX_COMPONENTS];
    if (!field)
        return;
    if (n != field->components) {
        scree_config_problem(b->config, value, "expected %u components of %s/%s, got %u",
                             field->components, field->slot, field->name, n);
        return;
    }
    for (uint32_t k = 0; k < n; k++)
        if (!scree_node_real(b->config, scree_node_at(value, k), field->unit, -HUGE_VAL, HUGE_VAL,
                             0, &v[k]))
            return;
    scree_start_values_set(&b->scene->starts, start, name, n, v);
}

/** Reads an item of a list, which names its field with its slot. */
static void read_named(scree_build *b, scree_node *item, uint32_t start, const GArray *fields)
{
    scree_start_keys keys = {.field = NULL};
    const guint before = b->config->problems->len;
    if (item->type == SCREE_NODE_GROUP)
        scree_build_group(b, item, SCREE_KEYS_START, &keys);
    else
        scree_config_expected(b->config, item,
                              "{ field = \"SLOT/NAME\"; value = ..; } of a body field");
    if (b->config->problems->len == before)
        read_start(b, keys.value, keys.field, start, fields);
}

static void read_row(scree_build *b, const scree_start_row *row, const GArray *fields)
{
    const scree_node *node = row->node;
    const bool list = node->type == SCREE_NODE_LIST;
    if (!list && node->type != SCREE_NODE_GROUP) {
        scree_config_problem(b->config, node, "expected { NAME = value; .. } of body fields");
        return;
    }
    for (guint k = 0; k < node->children->len; k++) {
        scree_node *item = node->children->pdata[k];
        item->known = true;
        if (list)
            read_named(b, item, row->start, fields);
        else
            read_start(b, item, item->name, row->start, fields);
    }
}

/** Checks the values from sources. */
static void check_columns(scree_build *b, const GArray *fields)
{
    const GPtrArray *columns = b->scene->starts.columns;
    const guint n = columns ? columns->len : 0;
    for (guint c = 0; c < n; c++) {
        const scree_start_column *column = columns->pdata[c];
        const scree_field_of *field = find_start(b, NULL, column->name, fields);
        if (field && field->components != column->components)
            scree_config_problem(b->config, NULL,
                                 "start values of %s: expected %u components, got %u from a source",
                                 column->name, field->components, column->components);
    }
}

void scree_build_fields(scree_build *b)
{
    g_autoptr(GArray) seats = list_seats(b->scene);
    g_autoptr(GArray) fields = list_fields(seats);
    const guint n = b->start_rows ? b->start_rows->len : 0;
    for (guint i = 0; i < seats->len; i++)
        check_user(b, &g_array_index(seats, seat, i), NULL, fields);
    check_schedule(b);
    check_columns(b, fields);
    for (guint k = 0; k < n; k++)
        read_row(b, &g_array_index(b->start_rows, scree_start_row, k), fields);
}
