/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints: HDF5 data after a head with a checksum of the rest. */
#include "run/checkpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/folder.h"
#include "base/say.h"
#include "base/shortage.h"
#include "build_config.h"
#include "change/condition_state.h"
#include "change/schedule.h"
#include "config/config_tree.h"
#include "engine/columns.h"
#include "engine/contacts.h"
#include "engine/digest.h"
#include "engine/sim_plugins.h"
#include "engine/state.h"
#include "plugin/kinds.h"
#include "run/h5_module.h"

#define SUFFIX ".h5"
#define PREFIX "checkpoint-"

/* ---- plugins ---- */

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
                              .cpu_level = g_strdup(file ? file->cpu_level : ""),
                              .plugin = plugin,
                              .file = file};
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

/* ---- the file ---- */

/** Writes under another name first, so that an older file of this name stays complete. */
static bool write_file(scree_checkpoint *c, const char *path, GError **error)
{
    g_autofree char *part = g_strconcat(path, ".part", NULL);
    g_autoptr(GError) inner = NULL;
    int number = 0;
    if (scree_h5_transfer(c, part, true, &inner))
        number = rename(part, path) ? errno : scree_folder_sync(path);
    if (!inner && !number)
        return true;
    unlink(part);
    return scree_fail(error, SCREE_EXIT_RUN, "cannot write %s: %s", scree_folder_shown(path),
                      inner ? inner->message : g_strerror(number));
}

/** Adds the states of a snapshot; with `now`, those of observers too, which `own` then owns. */
static bool list_states(const scree_sim *sim, const scree_snapshot *snapshot, bool now,
                        GPtrArray *all, GPtrArray *own, GError **error)
{
    bool good = scree_snapshot_check(snapshot, error);
    const guint n = now ? sim->observers->len : 0;
    for (guint i = 0; i < n && good; i++)
        good = scree_saved_states_save(own, sim->observers->pdata[i], error);
    if (snapshot->states)
        g_ptr_array_extend(all, snapshot->states, NULL, NULL);
    g_ptr_array_extend(all, own, NULL, NULL);
    return good;
}

bool scree_checkpoint_write(const scree_sim *sim, const scree_earlier *earlier, const char *path,
                            GError **error)
{
    scree_working_on("a checkpoint");
    scree_contact_order order;
    scree_snapshot *own = earlier ? NULL : scree_snapshot_borrow(sim);
    scree_checkpoint c = {.snapshot = own ? own : earlier->snapshot,
                          .acted = sim->swaps.acted,
                          .plugins = scree_saved_plugins_for_restart(sim),
                          .keeping = scree_keeping_laws_of(sim),
                          .conditions =
                              own ? scree_conditions_keep(sim) : g_array_ref(earlier->conditions),
                          .identity = sim->scene->identity,
                          .shapes = sim->scene->shapes,
                          .scene = sim->scene->config->parts,
                          .host = (char *)SCREE_VERSION,
                          .seed = sim->scene->seed};
    g_assert(!own || !sim->moves.n);
    memcpy(c.columns, sim->plugins.columns, sizeof c.columns);
    g_autoptr(GPtrArray) states = scree_saved_states_new();
    c.states = g_ptr_array_new();
    const bool good = list_states(sim, c.snapshot, own != NULL, c.states, states, error);
    if (own)
        scree_contact_order_begin(sim, &order);
    c.order = own ? &order : NULL;
    c.state_sha256 = own ? scree_state_sha256_of(sim, &order) : scree_snapshot_sha256(c.snapshot);
    bool written = good && write_file(&c, path, error);
    if (own)
        scree_contact_order_end(&order);
    g_clear_pointer(&c.conditions, g_array_unref);
    g_array_unref(c.plugins);
    g_ptr_array_unref(c.keeping);
    g_ptr_array_unref(c.states);
    g_free(c.state_sha256);
    scree_snapshot_free(own);
    return written;
}

/* ---- files of a folder ---- */

char *scree_checkpoint_path(const char *folder, uint64_t step)
{
    g_autofree char *name = g_strdup_printf(PREFIX "%" PRIu64 SUFFIX, step);
    return g_build_filename(folder, name, NULL);
}

bool scree_checkpoint_step(const char *path, uint64_t *step)
{
    g_autofree char *name = g_path_get_basename(path);
    if (!g_str_has_prefix(name, PREFIX) || !g_str_has_suffix(name, SUFFIX))
        return false;
    name[strlen(name) - strlen(SUFFIX)] = '\0';
    return g_ascii_string_to_unsigned(name + strlen(PREFIX), 10, 0, UINT64_MAX, step, NULL);
}

bool scree_checkpoint_newest(const char *folder, uint64_t *step)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    bool any = false;
    if (!dir)
        return false;
    for (const char *name; (name = g_dir_read_name(dir));) {
        uint64_t one;
        if (!scree_checkpoint_step(name, &one))
            continue;
        *step = any ? MAX(*step, one) : one;
        any = true;
    }
    return any;
}
