/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of a run: the columns of the world, fields of plugins, contacts. */
#include <stddef.h>
#include <string.h>

#include "base/text.h"
#include "engine/evaluate.h"
#include "engine/observer_view.h"
#include "engine/plugins.h"
#include "lib/arrays.h"

/** A column of the world, or consecutive ones. */
typedef struct world_row {
    const char *name, *unit;
    size_t offset; /* of the first pointer in scree_world */
    uint8_t code, bits;
    uint32_t columns;
} world_row;

#define REAL(name, unit, member, columns)                                                          \
    {                                                                                              \
        name, unit, offsetof(scree_world, member), SC_TYPE_FLOAT, 64, columns                      \
    }
#define COUNT(name, member, bits)                                                                  \
    {                                                                                              \
        name, "-", offsetof(scree_world, member), SC_TYPE_UINT, bits, 1                            \
    }
static const world_row world_rows[] = {
    COUNT("id", id, 64),
    COUNT("shape", shape, 32),
    COUNT("material", material, 32),
    COUNT("group", group, 32),
    COUNT("motion", motion, 32),
    REAL("x", "m", x, 3),
    REAL("q", "-", q, 4),
    REAL("v", "m/s", v, 3),
    REAL("w", "rad/s", w, 3),
    REAL("radius", "m", radius, 1),
    REAL("scale", "-", scale, 1),
    REAL("mass", "kg", mass, 1),
};

/** Three columns of a wrench, from number `first` on. */
typedef struct wrench_row {
    const char *name, *unit;
    uint32_t first;
} wrench_row;
static const wrench_row wrench_rows[] = {{"force", "N", 0}, {"torque", "N m", 4}};

/** A column of the list of contacts, or consecutive ones. */
typedef struct contact_row {
    const char *name, *unit;
    size_t offset; /* of the first pointer in scree_contact_list; 0: made here */
    uint32_t columns;
} contact_row;
#define CONTACT(name, unit, member, columns)                                                       \
    {                                                                                              \
        "contacts." name, unit, offsetof(scree_contact_list, member), columns                      \
    }
static const contact_row contact_rows[] = {
    {"contacts.a", "-", 0, 1},       {"contacts.b", "-", 0, 1},
    {"contacts.point", "m", 0, 3},   CONTACT("normal", "-", normal, 3),
    CONTACT("depth", "m", depth, 1), CONTACT("force", "N", f, 3),
};

void scree_lib_look_at_arrays(sc_run *run)
{
    const scree_sim *sim = run->run.sim;
    const scree_world *w = sim->world;
    const void *now[] = {w, w->x[0], w->field, w->n_fields ? w->field[0] : NULL};
    if (!memcmp(now, run->seen, sizeof now) && run->seen_numbering == w->numbering &&
        run->seen_swaps == sim->swaps.all->len &&
        !(run->wants_contacts && run->seen_step != sim->step))
        return;
    memcpy(run->seen, now, sizeof now);
    run->seen_numbering = w->numbering;
    run->seen_swaps = sim->swaps.all->len;
    run->seen_step = sim->step;
    run->generation++;
}

uint64_t sc_generation(const sc_run *run)
{
    return run ? run->generation : 0;
}

/* ---- names ---- */

/** The field of a body column, as users name it: "modifiers.fluid.velocity". New string. */
static char *name_field(const scree_column *column)
{
    return g_strconcat(column->slot, ".", column->name, NULL);
}

/** Body column k that is in use; NULL: k is beyond the last. */
static const scree_column *field_at(const scree_sim *sim, guint k)
{
    const GPtrArray *columns = sim->plugins.columns[SCREE_SCOPE_BODY];
    return columns && k < columns->len ? columns->pdata[k] : NULL;
}

static GPtrArray *list_names(const sc_run *run)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    const scree_column *column;
    for (size_t k = 0; k < G_N_ELEMENTS(world_rows); k++)
        g_ptr_array_add(names, g_strdup(world_rows[k].name));
    for (size_t k = 0; k < G_N_ELEMENTS(wrench_rows); k++)
        g_ptr_array_add(names, g_strdup(wrench_rows[k].name));
    for (guint k = 0; (column = field_at(run->run.sim, k)); k++)
        if (!column->dormant)
            g_ptr_array_add(names, name_field(column));
    const size_t n_contacts = run->wants_contacts ? G_N_ELEMENTS(contact_rows) : 0;
    for (size_t k = 0; k < n_contacts; k++)
        g_ptr_array_add(names, g_strdup(contact_rows[k].name));
    g_ptr_array_add(names, NULL);
    return names;
}

const char *const *sc_array_names(sc_run *run)
{
    static const char *const none[] = {NULL};
    if (!scree_lib_enter(run, SCREE_LIB_OPEN, true))
        return none;
    g_clear_pointer(&run->names, g_ptr_array_unref);
    run->names = list_names(run);
    scree_lib_leave(run, NULL);
    return (const char *const *)run->names->pdata;
}

/* ---- arrays ---- */

static bool find_in_world(const scree_world *w, const char *name, sc_array *a)
{
    for (size_t k = 0; k < G_N_ELEMENTS(world_rows); k++) {
        const world_row *row = &world_rows[k];
        if (strcmp(row->name, name))
            continue;
        a->type_code = row->code;
        a->type_bits = row->bits;
        a->n_columns = row->columns;
        a->unit = row->unit;
        memcpy(a->column, (const char *)w + row->offset, row->columns * sizeof(void *));
        return true;
    }
    for (size_t k = 0; k < G_N_ELEMENTS(wrench_rows); k++) {
        if (strcmp(wrench_rows[k].name, name))
            continue;
        a->n_columns = 3;
        a->stride = SCREE_WRENCH;
        a->unit = wrench_rows[k].unit;
        for (uint32_t i = 0; i < 3; i++)
            a->column[i] = w->wrench + wrench_rows[k].first + i;
        return true;
    }
    return false;
}

static bool find_field(const scree_sim *sim, const char *name, sc_array *a)
{
    const scree_column *column, *found = NULL;
    for (guint k = 0; (column = field_at(sim, k)); k++) {
        g_autofree char *full = name_field(column);
        if (!column->dormant && (!strcmp(full, name) || (!found && !strcmp(column->name, name))))
            found = column;
    }
    if (!found || found->components > G_N_ELEMENTS(a->column))
        return false;
    a->n_columns = found->components;
    a->writable = 1;
    a->unit = found->unit && *found->unit ? found->unit : "-";
    for (uint32_t k = 0; k < found->components; k++)
        a->column[k] = sim->world->field[found->first + k];
    return true;
}

/** Memory of the run for a column of contacts. */
static void *take_column(sc_run *run, uint32_t k, uint64_t n)
{
    g_free(run->contact_columns[k]);
    run->contact_columns[k] = g_malloc((gsize)(n + 1) * sizeof(double));
    return run->contact_columns[k];
}

/** Lists the ids of one side of the contacts. */
static void list_ids(sc_run *run, const scree_contact_list *list, bool second, sc_array *a)
{
    const uint32_t *number = second ? list->b : list->a;
    uint64_t *ids = take_column(run, second, list->n);
    for (uint64_t c = 0; c < list->n; c++)
        ids[c] = run->run.sim->world->id[number[c]];
    a->type_code = SC_TYPE_UINT;
    a->column[0] = ids;
}

static void list_points(sc_run *run, const scree_contact_list *list, sc_array *a)
{
    for (uint32_t k = 0; k < 3; k++) {
        const double *x = run->run.sim->world->x[k];
        double *at = take_column(run, 2 + k, list->n);
        for (uint64_t c = 0; c < list->n; c++)
            at[c] = x[list->a[c]] + list->arm[k][c];
        a->column[k] = at;
    }
}

/** Finds an array of contacts. False: `name` is not one. */
static bool find_contacts(sc_run *run, const char *name, sc_array *a, GError **error)
{
    scree_contact_list list;
    for (size_t k = 0; k < G_N_ELEMENTS(contact_rows); k++) {
        const contact_row *row = &contact_rows[k];
        if (strcmp(row->name, name))
            continue;
        if (!scree_record_list(run->run.sim, &list)) {
            scree_fail(error, SCREE_EXIT_USAGE,
                       "%s: no contacts are recorded: call sc_want(run, \"contacts\") before an "
                       "advance",
                       name);
            return true;
        }
        a->n = list.n;
        a->n_columns = row->columns;
        a->unit = row->unit;
        if (row->offset)
            memcpy(a->column, (const char *)&list + row->offset, row->columns * sizeof(void *));
        else if (row->columns == 1)
            list_ids(run, &list, name[strlen(name) - 1] == 'b', a);
        else
            list_points(run, &list, a);
        return true;
    }
    return false;
}

static void refuse_name(sc_run *run, const char *name, GError **error)
{
    g_autoptr(GPtrArray) names = list_names(run);
    g_autofree char *hint = scree_did_you_mean(name, (const char *const *)names->pdata);
    scree_fail(error, SCREE_EXIT_USAGE, "expected an array of the run, got \"%s\"%s", name, hint);
}

int32_t sc_array_get(sc_run *run, const char *name, sc_array *array)
{
    if (!array)
        return scree_lib_refuse(run, "sc_array_get: expected a struct for the array, got NULL");
    SCREE_LIB_ENTER(run, SCREE_LIB_OPEN, true);
    scree_sim *sim = run->run.sim;
    if (!name || array->size < sizeof *array) {
        scree_fail(&error, SCREE_EXIT_USAGE,
                   "sc_array_get: expected a name, and the size of sc_array in `size`");
        return scree_lib_leave(run, error);
    }
    sc_array found = {.size = sizeof found,
                      .device_type = SC_DEVICE_CPU,
                      .type_code = SC_TYPE_FLOAT,
                      .type_bits = 64,
                      .type_lanes = 1,
                      .n = sim->world->n,
                      .stride = 1};
    scree_lib_look_at_arrays(run);
    found.generation = run->generation;
    if (find_in_world(sim->world, name, &found) || find_field(sim, name, &found) ||
        find_contacts(run, name, &found, &error)) {
        if (!error)
            *array = found;
    } else {
        refuse_name(run, name, &error);
    }
    return scree_lib_leave(run, error);
}

int32_t sc_want(sc_run *run, const char *name)
{
    SCREE_LIB_ENTER(run, SCREE_LIB_OPEN, false);
    if (g_strcmp0(name, "contacts"))
        scree_fail(&error, SCREE_EXIT_USAGE, "sc_want: expected \"contacts\", got \"%s\"",
                   name ? name : "");
    else
        run->wants_contacts = run->run.wants_contacts = true;
    return scree_lib_leave(run, error);
}
