/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a checkpoint about plugins: which plugins, their fields, the schedule that put them
 * in place. */
#include "run/checkpoint_plugins.h"

#include <inttypes.h>

#include "change/schedule.h"
#include "engine/columns.h"
#include "engine/sim_plugins.h"
#include "engine/state.h"
#include "plugin/kinds.h"

enum { MOST_FIELDS = 1024 };

static void clear_plugin(void *data)
{
    scree_saved_plugin *plugin = data;
    char *texts[] = {plugin->slot, plugin->kind,   plugin->id,       plugin->version,
                     plugin->path, plugin->sha256, plugin->cpu_level};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
}

GArray *scree_saved_plugins_new(void)
{
    GArray *plugins = g_array_new(FALSE, TRUE, sizeof(scree_saved_plugin));
    g_array_set_clear_func(plugins, clear_plugin);
    return plugins;
}

void scree_saved_plugins_add_of(GArray *plugins, const char *slot, const scree_plugin *plugin,
                                const scree_file *file)
{
    scree_saved_plugin one = {.slot = g_strdup(slot),
                              .kind = g_strdup(scree_kind_name(plugin->kind)),
                              .id = g_strdup(plugin->id),
                              .version = g_strdup(plugin->version),
                              .path = g_strdup(file ? file->path : ""),
                              .sha256 = g_strdup(file ? file->sha256 : ""),
                              .cpu_level = g_strdup(file ? file->cpu_level : "")};
    g_array_append_val(plugins, one);
}

void scree_saved_plugins_add(GArray *plugins, const scree_instance *instance)
{
    scree_saved_plugins_add_of(plugins, instance->slot, instance->plugin, instance->file);
    for (guint i = 0; i < instance->nested->len; i++)
        scree_saved_plugins_add(plugins, instance->nested->pdata[i]);
}

GArray *scree_saved_plugins_of(const scree_sim *sim)
{
    GArray *plugins = scree_saved_plugins_new();
    g_autoptr(GPtrArray) all = scree_plugins_list(sim);
    for (guint i = 0; i < all->len; i++)
        scree_saved_plugins_add(plugins, all->pdata[i]);
    return plugins;
}

GArray *scree_saved_plugins_for_restart(const scree_sim *sim)
{
    GArray *plugins = scree_saved_plugins_of(sim);
    g_autoptr(GPtrArray) shapes = scree_plugins_shapes(sim);
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < shapes->len; i++) {
        const scree_instance *shape = shapes->pdata[i];
        if (g_hash_table_add(seen, (void *)shape->plugin))
            scree_saved_plugins_add(plugins, shape);
    }
    return plugins;
}

GPtrArray *scree_keeping_laws_of(const scree_sim *sim)
{
    GPtrArray *laws = g_ptr_array_new_with_free_func(g_free);
    for (uint32_t l = 0; l < sim->plugins.contact.n_laws; l++) {
        const scree_instance *law = sim->plugins.contact.laws[l].instance;
        if (sim->plugins.contact.laws[l].keep_bit)
            g_ptr_array_add(laws, g_strdup_printf("%s/%s", law->slot, law->plugin->id));
    }
    return laws;
}

static void transfer_keeping_laws(scree_h5 *h5, scree_checkpoint *c)
{
    enum { BITS = 8 };
    h5->io->group(h5, "keepers");
    uint64_t n = h5->writing ? c->keeping->len : 0;
    h5->io->count(h5, "n", &n, BITS);
    if (!h5->writing) {
        c->keeping = g_ptr_array_new_with_free_func(g_free);
        g_ptr_array_set_size(c->keeping, (gint)n);
    }
    for (uint64_t i = 0; i < n && !h5->error; i++) {
        g_autofree char *number = g_strdup_printf("%" PRIu64, i);
        char *keeper = c->keeping->pdata[i];
        h5->io->text(h5, number, &keeper);
        c->keeping->pdata[i] = keeper;
    }
    h5->io->leave(h5);
}

static void transfer_plugins(scree_h5 *h5, scree_checkpoint *c)
{
    enum { MOST_PLUGINS = 10000 };
    h5->io->group(h5, "plugins");
    uint64_t n = h5->writing ? c->plugins->len : 0;
    h5->io->count(h5, "n", &n, MOST_PLUGINS);
    if (!h5->writing)
        c->plugins = scree_saved_plugins_new();
    for (uint64_t i = 0; i < n && !h5->error; i++) {
        g_autofree char *number = g_strdup_printf("%" PRIu64, i);
        if (!h5->writing)
            g_array_set_size(c->plugins, (guint)i + 1);
        scree_saved_plugin *one = &g_array_index(c->plugins, scree_saved_plugin, i);
        h5->io->group(h5, number);
        h5->io->text(h5, "slot", &one->slot);
        h5->io->text(h5, "kind", &one->kind);
        h5->io->text(h5, "id", &one->id);
        h5->io->text(h5, "version", &one->version);
        h5->io->text(h5, "path", &one->path);
        h5->io->text(h5, "sha256", &one->sha256);
        h5->io->text(h5, "cpu_level", &one->cpu_level);
        h5->io->leave(h5);
    }
    h5->io->leave(h5);
}

static void transfer_flag(scree_h5 *h5, const char *name, bool *flag)
{
    uint32_t value = *flag;
    h5->io->u32(h5, name, &value, 1);
    *flag = value;
}

/** Only of a field that is restored: files of version 0.1 have none. An array, not an attribute:
 * asked for an attribute of a broken file, libhdf5 leaks. */
static void transfer_return(scree_h5 *h5, scree_column *column)
{
    const bool writing = h5->writing;
    uint32_t *value = writing ? &column->on_return : NULL;
    if (writing ? !column->on_return : !h5->io->has(h5, "on_return"))
        return;
    h5->io->array(h5, "on_return", SCREE_H5_U32, 1, 1, &value);
    if (writing)
        return;
    if (!h5->error && *value > SCREE_RETURN_RESTORE)
        h5->io->fail(h5, "on_return: expected 0 or 1, got %u", *value);
    else if (!h5->error)
        column->on_return = *value;
    g_free(value);
}

static void transfer_field(scree_h5 *h5, uint32_t *scope, scree_column *column)
{
    h5->io->u32(h5, "scope", scope, SCREE_SCOPE_GLOBAL);
    h5->io->text(h5, "slot", &column->slot);
    h5->io->text(h5, "name", &column->name);
    h5->io->text(h5, "unit", &column->unit);
    h5->io->u32(h5, "components", &column->components, MOST_FIELDS);
    h5->io->u32(h5, "revision", &column->revision, UINT32_MAX);
    h5->io->u32(h5, "if_missing", &column->if_missing, SCREE_MISSING_FAIL);
    transfer_flag(h5, "dormant", &column->dormant);
    transfer_return(h5, column);
    h5->io->real(h5, "initial", &column->initial);
}

/** Appends a column that was read to those of its scope; columns in use come first. */
static void keep_column(scree_h5 *h5, scree_checkpoint *c, uint32_t scope, scree_column *column)
{
    uint32_t *n[SCREE_SCOPES] = {NULL, &c->snapshot->n_contact_fields, &c->snapshot->n_pair_fields,
                                 &c->n_body_fields, &c->snapshot->n_global_fields};
    if (!c->columns[scope])
        c->columns[scope] = g_ptr_array_new_with_free_func(scree_column_free);
    g_ptr_array_add(c->columns[scope], column);
    bool hashed = !column->dormant || column->on_return == SCREE_RETURN_RESTORE;
    if (!scope || (hashed && *n[scope] > c->snapshot->n_hashed[scope]))
        h5->io->fail(h5, "its fields are out of order");
    else if (scope && *n[scope] + column->components > MOST_FIELDS)
        h5->io->fail(h5, "expected at most %d components, got %u", MOST_FIELDS,
                     *n[scope] + column->components);
    if (h5->error)
        return;
    column->first = *n[scope];
    *n[scope] += column->components;
    if (hashed)
        c->snapshot->n_hashed[scope] = *n[scope];
}

static uint64_t count_columns(GPtrArray *const *columns)
{
    uint64_t n = 0;
    for (uint32_t scope = 0; scope < SCREE_SCOPES; scope++)
        n += columns[scope] ? columns[scope]->len : 0;
    return n;
}

static scree_column *column_at(GPtrArray *const *columns, uint64_t i, uint32_t *scope)
{
    for (*scope = 0; !columns[*scope] || i >= columns[*scope]->len; ++*scope)
        i -= columns[*scope] ? columns[*scope]->len : 0;
    return columns[*scope]->pdata[i];
}

static void transfer_fields(scree_h5 *h5, scree_checkpoint *c)
{
    bool writing = h5->writing;
    h5->io->group(h5, "fields");
    uint64_t n = writing ? count_columns(c->columns) : 0;
    h5->io->count(h5, "n", &n, MOST_FIELDS);
    for (uint64_t i = 0; i < n && !h5->error; i++) {
        g_autofree char *number = g_strdup_printf("%" PRIu64, i);
        uint32_t scope = 0;
        scree_column *column = writing ? column_at(c->columns, i, &scope) : g_new0(scree_column, 1);
        h5->io->group(h5, number);
        transfer_field(h5, &scope, column);
        if (!writing)
            keep_column(h5, c, scope, column);
        h5->io->leave(h5);
    }
    h5->io->leave(h5);
}

static void clear_entry(void *data)
{
    g_free(((scree_saved_entry *)data)->cause);
}

static GArray *kept_entries_new(void)
{
    GArray *entries = g_array_new(FALSE, TRUE, sizeof(scree_saved_entry));
    g_array_set_clear_func(entries, clear_entry);
    return entries;
}

GArray *scree_saved_entries_of(const scree_sim *sim)
{
    GArray *entries = kept_entries_new();
    for (guint i = 0; i < sim->swaps.acted->len; i++) {
        const scree_acted *acted = &g_array_index(sim->swaps.acted, scree_acted, i);
        const scree_schedule_entry *entry = sim->scene->schedule->pdata[acted->entry];
        scree_saved_entry one = {g_strdup(entry->cause), acted->entry, acted->refused};
        g_array_append_val(entries, one);
    }
    return entries;
}

static void transfer_entries(scree_h5 *h5, scree_checkpoint *c)
{
    enum { MOST_ENTRIES = 1000000 };
    bool writing = h5->writing;
    h5->io->group(h5, "schedule");
    uint64_t n = writing ? c->acted->len : 0;
    h5->io->count(h5, "n", &n, MOST_ENTRIES);
    if (!writing)
        c->acted = kept_entries_new();
    for (uint64_t i = 0; i < n && !h5->error; i++) {
        g_autofree char *number = g_strdup_printf("%" PRIu64, i);
        if (!writing)
            g_array_set_size(c->acted, (guint)i + 1);
        scree_saved_entry *one = &g_array_index(c->acted, scree_saved_entry, i);
        h5->io->group(h5, number);
        h5->io->text(h5, "cause", &one->cause);
        h5->io->u32(h5, "entry", &one->entry, UINT32_MAX);
        transfer_flag(h5, "refused", &one->refused);
        h5->io->leave(h5);
    }
    h5->io->leave(h5);
}

void scree_checkpoint_plugins(scree_h5 *h5, scree_checkpoint *c)
{
    transfer_plugins(h5, c);
    transfer_keeping_laws(h5, c);
    transfer_fields(h5, c);
    transfer_entries(h5, c);
}
