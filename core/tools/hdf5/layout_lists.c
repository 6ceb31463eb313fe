/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a checkpoint about plugins: names, fields, acted entries of the schedule, values
 * that plugins and conditions remember; the identity and the texts of the scene. */
#include "tools/hdf5/layout_lists.h"

#include <inttypes.h>
#include <string.h>

#include "engine/swap_record.h"
#include "tools/hdf5/h5_values.h"
#include "tools/hdf5/h5_write.h"
#include "tools/restart/shape_sum.h"

enum {
    MOST_FIELDS = 1024,
    MOST_PLUGINS = 10000,
    MOST_ENTRIES = 1000000,
    MOST_PARTS = 1000000, /* of an identity */
    MOST_STATES = 100000,
    MOST_NUMBERS = 100000000, /* in conditions */
};

/* ---- lists of structs ---- */

enum { TEXT, NUMBER, COUNT, FLAG };

/** A member of a struct, and its name in the file. */
typedef struct member {
    const char *name;
    uint32_t type;
    size_t at;
    uint64_t most; /* largest NUMBER or COUNT */
} member;

static void transfer_flag(scree_h5 *h5, const char *name, bool *flag)
{
    uint32_t value = *flag;
    scree_h5_u32(h5, name, &value, 1);
    *flag = value;
}

static void transfer_members(scree_h5 *h5, const member *m, void *one)
{
    for (; m->name; m++) {
        void *at = (char *)one + m->at;
        if (m->type == TEXT)
            scree_h5_text(h5, m->name, at);
        else if (m->type == NUMBER)
            scree_h5_u32(h5, m->name, at, (uint32_t)m->most);
        else if (m->type == COUNT)
            scree_h5_count(h5, m->name, at, m->most);
        else
            transfer_flag(h5, m->name, at);
    }
}

/** Transfers the structs of a list in a group, with their number; `rest` or NULL: other data. */
static void transfer_list(scree_h5 *h5, const char *name, uint64_t most, GArray *list,
                          const member *members, void (*rest)(scree_h5 *h5, void *one))
{
    uint64_t n = list->len;
    scree_h5_group(h5, name);
    scree_h5_count(h5, "n", &n, most);
    for (uint64_t i = 0; i < n && !h5->error; i++) {
        g_autofree char *number = g_strdup_printf("%" PRIu64, i);
        if (i >= list->len)
            g_array_set_size(list, (guint)i + 1);
        char *one = list->data + i * g_array_get_element_size(list);
        scree_h5_group(h5, number);
        transfer_members(h5, members, one);
        if (rest)
            rest(h5, one);
        scree_h5_leave(h5);
    }
    scree_h5_leave(h5);
}

#define MEMBER(of, member_, type, most)                                                            \
    {                                                                                              \
#member_, type, offsetof(of, member_), most                                                \
    }
#define PLUGIN(text) MEMBER(scree_saved_plugin, text, TEXT, 0)
static const member plugin_members[] = {PLUGIN(slot),      PLUGIN(kind),  PLUGIN(id),
                                        PLUGIN(version),   PLUGIN(path),  PLUGIN(sha256),
                                        PLUGIN(cpu_level), {.name = NULL}};
static const member entry_members[] = {MEMBER(scree_acted, cause, TEXT, 0),
                                       MEMBER(scree_acted, entry, NUMBER, UINT32_MAX),
                                       MEMBER(scree_acted, refused, FLAG, 0),
                                       {.name = NULL}};
#define STATE(member_, type, most) MEMBER(scree_saved_state, member_, type, most)
#define PART(member_, type) MEMBER(scree_identity_part, member_, type, UINT64_MAX)
static const member part_members[] = {
    PART(name, TEXT),
    PART(sha256, TEXT),
    {"bodies", COUNT, offsetof(scree_identity_part, n), UINT64_MAX},
    {.name = NULL}};
static const member state_members[] = {STATE(slot, TEXT, 0),
                                       STATE(kind, TEXT, 0),
                                       STATE(id, TEXT, 0),
                                       STATE(version, TEXT, 0),
                                       STATE(n, COUNT, SCREE_MAX_STATE_BYTES),
                                       {.name = NULL}};

static void transfer_keeping_laws(scree_h5 *h5, scree_checkpoint *c)
{
    enum { BITS = 8 };
    scree_h5_group(h5, "keepers");
    uint64_t n = h5->writing ? c->keeping->len : 0;
    scree_h5_count(h5, "n", &n, BITS);
    if (!h5->writing)
        g_ptr_array_set_size(c->keeping, (gint)n);
    for (uint64_t i = 0; i < n && !h5->error; i++) {
        g_autofree char *number = g_strdup_printf("%" PRIu64, i);
        char *keeper = c->keeping->pdata[i];
        scree_h5_text(h5, number, &keeper);
        c->keeping->pdata[i] = keeper;
    }
    scree_h5_leave(h5);
}

/** Transfers the return of a restored field: files of version 0.1 have none. It is an array,
 * because libhdf5 leaks when it searches an attribute in a broken file. */
static void transfer_return(scree_h5 *h5, scree_column *column)
{
    const bool writing = h5->writing;
    uint32_t *value = writing ? &column->on_return : NULL;
    if (writing ? !column->on_return : !scree_h5_has(h5, "on_return"))
        return;
    scree_h5_array(h5, "on_return", SCREE_H5_U32, 1, 1, &value);
    if (writing)
        return;
    if (!h5->error && *value > SCREE_RETURN_RESTORE)
        scree_h5_fail(h5, "on_return: expected 0 or 1, got %u", *value);
    else if (!h5->error)
        column->on_return = *value;
    g_free(value);
}

static void transfer_field(scree_h5 *h5, uint32_t *scope, scree_column *column)
{
    scree_h5_u32(h5, "scope", scope, SCREE_SCOPE_GLOBAL);
    scree_h5_text(h5, "slot", &column->slot);
    scree_h5_text(h5, "name", &column->name);
    scree_h5_text(h5, "unit", &column->unit);
    scree_h5_u32(h5, "components", &column->components, MOST_FIELDS);
    scree_h5_u32(h5, "revision", &column->revision, UINT32_MAX);
    scree_h5_u32(h5, "if_missing", &column->if_missing, SCREE_MISSING_FAIL);
    transfer_flag(h5, "dormant", &column->dormant);
    transfer_return(h5, column);
    scree_h5_real(h5, "initial", &column->initial);
}

/** Appends a column that was read to its scope; columns in use come first. */
static void keep_column(scree_h5 *h5, scree_checkpoint *c, uint32_t scope, scree_column *column)
{
    uint32_t *n[SCREE_SCOPES] = {NULL, &c->snapshot->n_contact_fields, &c->snapshot->n_pair_fields,
                                 &c->n_body_fields, &c->snapshot->n_global_fields};
    g_ptr_array_add(c->columns[scope], column);
    bool hashed = !column->dormant || column->on_return == SCREE_RETURN_RESTORE;
    if (!scope || (hashed && *n[scope] > c->snapshot->n_hashed[scope]))
        scree_h5_fail(h5, "its fields are out of order");
    else if (scope && *n[scope] + column->components > MOST_FIELDS)
        scree_h5_fail(h5, "expected at most %d components, got %u", MOST_FIELDS,
                      *n[scope] + column->components);
    if (h5->error)
        return;
    column->first = *n[scope];
    *n[scope] += column->components;
    if (hashed)
        c->snapshot->n_hashed[scope] = *n[scope];
}

static void transfer_fields(scree_h5 *h5, scree_checkpoint *c)
{
    bool writing = h5->writing;
    scree_h5_group(h5, "fields");
    const uint32_t n_scopes = writing ? SCREE_SCOPES : 0;
    uint64_t n = 0;
    for (uint32_t scope = 0; scope < n_scopes; scope++)
        n += c->columns[scope] ? c->columns[scope]->len : 0;
    scree_h5_count(h5, "n", &n, MOST_FIELDS);
    for (uint64_t i = 0; i < n && !h5->error; i++) {
        g_autofree char *number = g_strdup_printf("%" PRIu64, i);
        uint32_t scope = 0;
        scree_column *column =
            writing ? scree_columns_at(c->columns, &scope, i) : g_new0(scree_column, 1);
        scree_h5_group(h5, number);
        transfer_field(h5, &scope, column);
        if (!writing)
            keep_column(h5, c, scope, column);
        scree_h5_leave(h5);
    }
    scree_h5_leave(h5);
}

/* ---- states and conditions ---- */

static void transfer_bytes(scree_h5 *h5, void *one)
{
    scree_saved_state *state = one;
    scree_h5_array(h5, "bytes", SCREE_H5_U8, state->n, 1, &state->bytes);
}

void scree_layout_numbers(scree_h5 *h5, const char *count, const char *name, scree_h5_type type,
                          uint64_t most, GArray *numbers)
{
    uint64_t n = numbers->len;
    void *values = h5->writing ? numbers->data : NULL;
    scree_h5_count(h5, count, &n, most);
    scree_h5_array(h5, name, type, n, 1, &values);
    if (h5->writing)
        return;
    if (!h5->error)
        g_array_append_vals(numbers, values, (guint)n);
    g_free(values);
}

static void transfer_states(scree_h5 *h5, scree_checkpoint *c)
{
    if (!h5->writing && !scree_h5_has(h5, "states"))
        g_clear_pointer(&c->states, g_ptr_array_unref);
    if (!c->states || (h5->writing && !c->states->len))
        return;
    g_autoptr(GArray) all = g_array_new(FALSE, TRUE, sizeof(scree_saved_state));
    const guint n = h5->writing ? c->states->len : 0;
    for (guint i = 0; i < n; i++)
        g_array_append_vals(all, c->states->pdata[i], 1);
    transfer_list(h5, "states", MOST_STATES, all, state_members, transfer_bytes);
    const guint n_read = h5->writing ? 0 : all->len;
    for (guint i = 0; i < n_read; i++)
        g_ptr_array_add(c->states, g_memdup2(&g_array_index(all, scree_saved_state, i),
                                             sizeof(scree_saved_state)));
}

static void transfer_conditions(scree_h5 *h5, scree_checkpoint *c)
{
    if (!h5->writing && !scree_h5_has(h5, "conditions"))
        g_clear_pointer(&c->conditions, g_array_unref);
    if (!c->conditions || (h5->writing && !c->conditions->len))
        return;
    scree_h5_group(h5, "conditions");
    scree_layout_numbers(h5, "n", "values", SCREE_H5_F64, MOST_NUMBERS, c->conditions);
    scree_h5_leave(h5);
}

void scree_layout_identity(scree_h5 *h5, scree_checkpoint *c)
{
    static const char *const lo[] = {"min_x", "min_y", "min_z"},
                             *const hi[] = {"max_x", "max_y", "max_z"},
                             *const edge[] = {"boundary_x", "boundary_y", "boundary_z"};
    scree_identity *to = c->identity;
    if (h5->writing)
        scree_identity_sum_shapes(to, c->shapes, scree_h5_program->find_view);
    GArray *parts[] = {to->materials, to->shapes, to->groups};
    static const char *const names[] = {"materials", "shapes", "groups"};
    scree_h5_group(h5, "identity");
    scree_h5_u64(h5, "dimension", &to->dimension);
    scree_h5_u64(h5, "has_region", &to->has_region);
    scree_h5_real(h5, "thickness", &to->thickness);
    for (int k = 0; k < 3; k++) {
        scree_h5_u64(h5, edge[k], &to->boundary[k]);
        scree_h5_real(h5, lo[k], &to->region_min[k]);
        scree_h5_real(h5, hi[k], &to->region_max[k]);
    }
    const bool tilted = to->tilt[0] != 0.0 || to->tilt[1] != 0.0 || to->tilt[2] != 0.0;
    if (h5->writing ? tilted : scree_h5_has(h5, "tilt"))
        scree_h5_memory(h5, "tilt", SCREE_H5_F64, 1, 3, to->tilt);
    for (size_t k = 0; k < G_N_ELEMENTS(parts); k++)
        transfer_list(h5, names[k], MOST_PARTS, parts[k], part_members, NULL);
    scree_h5_leave(h5);
}

void scree_layout_plugins(scree_h5 *h5, scree_checkpoint *c)
{
    transfer_list(h5, "plugins", MOST_PLUGINS, c->plugins, plugin_members, NULL);
    transfer_keeping_laws(h5, c);
    transfer_fields(h5, c);
    transfer_list(h5, "schedule", MOST_ENTRIES, c->acted, entry_members, NULL);
}

void scree_layout_memories(scree_h5 *h5, scree_checkpoint *c)
{
    transfer_states(h5, c);
    transfer_conditions(h5, c);
}

/** Transfers two lists side by side: short texts as attributes, `long_texts` as datasets. */
static void transfer_texts(scree_h5 *h5, const char *group, const char *first, GPtrArray *a,
                           const char *second, GPtrArray *b)
{
    enum { MOST = 100000 };
    bool writing = h5->writing;
    uint64_t n = writing ? a->len : 0;
    scree_h5_group(h5, group);
    scree_h5_count(h5, "n", &n, MOST);
    for (uint64_t i = 0; i < n && !h5->error; i++) {
        g_autofree char *number = g_strdup_printf("%" PRIu64, i);
        char *one = writing ? a->pdata[i] : NULL, *other = writing ? b->pdata[i] : NULL;
        scree_h5_group(h5, number);
        scree_h5_text(h5, first, &one);
        scree_h5_blob(h5, second, &other);
        scree_h5_leave(h5);
        if (writing)
            continue;
        g_ptr_array_add(a, one);
        g_ptr_array_add(b, other);
    }
    scree_h5_leave(h5);
}

void scree_layout_scene(scree_h5 *h5, scree_stored_scene *scene)
{
    scree_h5_group(h5, "scene");
    scree_h5_text(h5, "name", &scene->name);
    transfer_texts(h5, "files", "path", scene->paths, "text", scene->texts);
    transfer_texts(h5, "overrides", "folder", scene->dirs, "assignment", scene->overrides);
    scree_h5_leave(h5);
}
