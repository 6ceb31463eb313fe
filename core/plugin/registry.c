/* SPDX-License-Identifier: Apache-2.0 */
/* Finds plugins in folders, in order: KIND/ID.so by its name first, otherwise by a scan of all
 * files. */
#include "plugin/registry.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/paths.h"
#include "base/say.h"
#include "base/shortage.h"
#include "base/text.h"
#include "plugin/kinds.h"
#include "plugin/loader.h"
#include "plugin/trial.h"
#include "plugin/trust.h"

typedef struct known_plugin {
    const scree_plugin *plugin;
    const scree_file *file;
    bool pinned, asked;
} known_plugin;

/* Folders. */

static void add_folder(scree_registry *registry, const char *folder, bool first)
{
    if (!*folder)
        return;
    char *absolute = g_canonicalize_filename(folder, NULL);
    for (guint i = 0; i < registry->folders->len; i++)
        if (g_str_equal(registry->folders->pdata[i], absolute)) {
            if (first)
                g_ptr_array_remove_index(registry->folders, i);
            else
                g_clear_pointer(&absolute, g_free);
            break;
        }
    if (absolute)
        g_ptr_array_insert(registry->folders, first ? 0 : -1, absolute);
}

/** Adds the folders of SCREE_PLUGIN_PATH. A relative one would change with the current folder,
 * perhaps that of a downloaded scene. */
static void add_from_environment(scree_registry *registry)
{
    const char *more = g_getenv("SCREE_PLUGIN_PATH");
    g_auto(GStrv) parts = g_strsplit(more ? more : "", ":", -1);
    for (char **part = parts; *part; part++)
        if (g_path_is_absolute(*part))
            add_folder(registry, *part, false);
        else if (**part)
            scree_say(SCREE_SAY_WARNING,
                      "SCREE_PLUGIN_PATH: the relative folder \"%s\" is ignored; "
                      "--plugin-path takes one",
                      *part);
}

scree_registry *scree_registry_new(const char *const *paths, const char *const *trusted)
{
    scree_registry *registry = g_new0(scree_registry, 1);
    registry->folders = g_ptr_array_new_with_free_func(g_free);
    registry->folder_listings = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    registry->trusted = scree_trusted_new(trusted);
    registry->given = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (; paths && *paths; paths++)
        add_folder(registry, *paths, false);
    add_from_environment(registry);
    g_autofree char *user = scree_paths_user_plugins(), *own = scree_paths_own_plugins();
    add_folder(registry, user ? user : "", false);
    add_folder(registry, own, false);
    return registry;
}

static gboolean may_change(gpointer name, gpointer known, gpointer user)
{
    (void)name;
    (void)user;
    return !((const known_plugin *)known)->pinned;
}

static void drop_listing(scree_registry *registry)
{
    g_clear_pointer(&registry->listing, g_ptr_array_unref);
    g_ptr_array_set_size(registry->folder_listings, 0);
    g_hash_table_foreach_remove(registry->given, may_change, NULL);
}

void scree_registry_free(scree_registry *registry)
{
    if (!registry)
        return;
    drop_listing(registry);
    g_ptr_array_unref(registry->folder_listings);
    g_ptr_array_unref(registry->folders);
    g_ptr_array_unref(registry->trusted);
    g_hash_table_unref(registry->given);
    g_free(registry);
}

void scree_registry_prepend(scree_registry *registry, const char *folder)
{
    add_folder(registry, folder, true);
    drop_listing(registry);
}

/* The list of all files. */

static bool same_file(const char *a, const char *b)
{
    char *x = realpath(a, NULL), *y = realpath(b, NULL);
    const bool same = x && y && g_str_equal(x, y);
    free(x);
    free(y);
    return same;
}

GPtrArray *scree_registry_scan(scree_registry *registry)
{
    if (!registry->listing)
        registry->listing = scree_trials_list(registry->folders, registry->trusted);
    return g_ptr_array_ref(registry->listing);
}

/* One plugin. */

/** Finds KIND/ID.so, or ID.so, in one folder. True: *found is the file, or NULL: none, or both hold
 * other plugins. False: a file was refused, or leaves the plugin out. */
static bool find_in_folder(scree_registry *registry, const char *folder, uint32_t kind,
                           const char *id, scree_candidate **found, GError **error)
{
    g_autofree char *name = g_strconcat(id, ".so", NULL);
    g_autofree char *sorted = g_build_filename(folder, scree_kind_name(kind), name, NULL),
                    *flat = g_build_filename(folder, name, NULL);
    const char *const paths[] = {sorted, flat};
    bool good = true;
    *found = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(paths) && good; i++) {
        const bool there = g_file_test(paths[i], G_FILE_TEST_EXISTS);
        g_autoptr(scree_candidate) one =
            there ? scree_candidate_tried(paths[i], registry->trusted) : NULL;
        const scree_offer *offer =
            one && one->offers ? scree_offers_find(one->offers, kind, id) : NULL;
        good = !one || one->offers;
        if (!good)
            g_propagate_error(error, g_error_copy(one->error));
        else if (offer && *offer->left_out)
            good = scree_fail(error, SCREE_EXIT_PLUGIN, "%s: %s", paths[i], offer->left_out);
        else if (offer && *found && !same_file(flat, sorted))
            good = scree_fail(error, SCREE_EXIT_PLUGIN, SCREE_OFFERED_TWICE, flat,
                              scree_kind_name(kind), id, sorted);
        else if (offer && !*found)
            *found = g_steal_pointer(&one);
    }
    if (!good)
        g_clear_pointer(found, scree_candidate_free);
    return good;
}

/** The hint in a message about an unknown id. New string. */
static char *hint_of(const scree_registry *registry, uint32_t kind, const char *id,
                     const GPtrArray *names)
{
    const char *word = strrchr(id, '/') ? strrchr(id, '/') + 1 : id;
    const char *nearest = scree_nearest_word(word, (const char *const *)names->pdata);
    const char *kind_name = registry->hints_kinds ? scree_kind_name(kind) : "";
    return nearest ? g_strdup_printf("; did you mean \"%s%s%s\"?", kind_name, *kind_name ? "/" : "",
                                     nearest)
                   : g_strdup("");
}

/** The list of folder number f; it lists only the folders up to there. */
static const GPtrArray *list_folder(scree_registry *registry, guint f)
{
    GPtrArray *all = registry->folder_listings;
    while (all->len <= f) {
        g_autoptr(GPtrArray) one = g_ptr_array_new();
        g_ptr_array_add(one, registry->folders->pdata[all->len]);
        g_ptr_array_add(all, scree_trials_list(one, registry->trusted));
    }
    return all->pdata[f];
}

/** Finds kind/id in the list of a folder; adds other ids of the kind to `names`. *refused: the
 * first file of all folders that was refused. */
static const scree_listing *find_listed(const GPtrArray *all, uint32_t kind, const char *id,
                                        GPtrArray *names, const scree_listing **refused)
{
    for (guint i = 0; i < all->len; i++) {
        scree_listing *listing = all->pdata[i];
        if (listing->hung) // warns once: it takes its time at each start
            scree_say(SCREE_SAY_WARNING, "%s", listing->refused);
        listing->hung = false;
        if (listing->kind == kind && g_str_equal(listing->id, id))
            return listing;
        if (listing->refused && !*refused)
            *refused = listing;
        else if (listing->kind == kind &&
                 !g_ptr_array_find_with_equal_func(names, listing->id, g_str_equal, NULL))
            g_ptr_array_add(names, listing->id);
    }
    return NULL;
}

/** Path of the file that offers kind/id, a new string; NULL: with the reason. */
static char *find_by_scan(scree_registry *registry, uint32_t kind, const char *id, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    const scree_listing *found = NULL, *refused = NULL;
    for (guint f = 0; f < registry->folders->len && !found; f++)
        found = find_listed(list_folder(registry, f), kind, id, names, &refused);
    if (found && found->refused)
        scree_fail(error, SCREE_EXIT_PLUGIN, "%s", found->refused);
    if (found)
        return found->refused ? NULL : g_strdup(found->path);
    g_ptr_array_sort(names, scree_compare_texts);
    g_ptr_array_add(names, NULL);
    g_autofree char *hint = hint_of(registry, kind, id, names);
    registry->lacks = true;
    const bool lists = names->len > 1 && (kind == SCREE_KIND_SHAPE || !*hint); // shapes are few
    g_autofree char *all = lists ? g_strjoinv(", ", (char **)names->pdata) : g_strdup("");
    scree_fail(error, SCREE_EXIT_USAGE, "no plugin %s/%s%s%s%s%s%s", scree_kind_name(kind), id,
               hint, lists ? "; installed: " : "", all, refused ? "; refused: " : "",
               refused ? refused->refused : "");
    return NULL;
}

void scree_registry_give(scree_registry *registry, const scree_file *file, bool pinned)
{
    for (uint32_t i = 0; i < file->manifest->n_plugins; i++) {
        const known_plugin known = {file->manifest->plugins[i], file, pinned, false};
        g_hash_table_insert(
            registry->given,
            g_strdup_printf("%s/%s", scree_kind_name(known.plugin->kind), known.plugin->id),
            g_memdup2(&known, sizeof known));
    }
}

bool scree_registry_asked(const scree_registry *registry, const scree_file *file)
{
    GHashTableIter iter;
    gpointer known;
    g_hash_table_iter_init(&iter, registry->given);
    while (g_hash_table_iter_next(&iter, NULL, &known))
        if (((const known_plugin *)known)->file == file && ((const known_plugin *)known)->asked)
            return true;
    return false;
}

/** The first file with that name, otherwise the first of a scan; NULL: none, or one was refused. */
static scree_candidate *find_candidate(scree_registry *registry, uint32_t kind, const char *id,
                                       GError **error)
{
    scree_candidate *found = NULL;
    if (!strchr(id, '/'))
        for (guint i = 0; i < registry->folders->len && !found; i++)
            if (!find_in_folder(registry, registry->folders->pdata[i], kind, id, &found, error))
                return NULL;
    g_autofree char *path = found ? NULL : find_by_scan(registry, kind, id, error);
    return path ? scree_candidate_tried(path, registry->trusted) : found;
}

/** Finds and loads a plugin for the first time. */
static const scree_plugin *find(scree_registry *registry, uint32_t kind, const char *id,
                                const scree_file **file, GError **error)
{
    g_autoptr(scree_candidate) candidate = find_candidate(registry, kind, id, error);
    if (!candidate)
        return NULL;
    *file = scree_candidate_load(candidate, error);
    for (uint32_t i = 0; *file && i < (*file)->manifest->n_plugins; i++) {
        const scree_plugin *plugin = (*file)->manifest->plugins[i];
        if (plugin->kind == kind && g_str_equal(plugin->id, id))
            return plugin;
    }
    if (*file)
        scree_fail(error, SCREE_EXIT_PLUGIN, "%s: no longer offers %s/%s", (*file)->path,
                   scree_kind_name(kind), id);
    return NULL;
}

/** Whether a file is below the folder; its path may be with or without the links of the folder. */
static bool is_in(const char *path, const char *folder)
{
    char *real = folder ? realpath(folder, NULL) : NULL;
    const char *names[] = {folder, real};
    bool in = false;
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        in = in || (names[i] && g_str_has_prefix(path, names[i]) && path[strlen(names[i])] == '/');
    free(real);
    return in;
}

const char *scree_origin_of(const char *path)
{
    g_autofree char *own = scree_paths_own_plugins(), *user = scree_paths_user_plugins();
    return is_in(path, own) ? "scree" : is_in(path, user) ? "user" : "other";
}

char *scree_origin_shadowed(const char *kind, const char *id, const char *path)
{
    g_autofree char *own = scree_paths_own_plugins(), *name = g_strconcat(id, ".so", NULL);
    g_autofree char *file = g_build_filename(own, kind, name, NULL);
    if (is_in(path, own) || !g_file_test(file, G_FILE_TEST_EXISTS))
        return NULL;
    return g_steal_pointer(&file);
}

static void say_shadowed(const char *name, const known_plugin *known)
{
    const scree_plugin *plugin = known->plugin;
    const char *path = known->file->path;
    g_autofree char *own = scree_origin_shadowed(scree_kind_name(plugin->kind), plugin->id, path);
    if (own)
        scree_say(SCREE_SAY_NOTE, "%s: %s of %s shadows %s", name, path, plugin->licence, own);
}

/* A plugin that was given once is given again without a look at its file: it stays loaded, and a
 * trial may take two child processes. */
const scree_plugin *scree_registry_get(scree_registry *registry, uint32_t kind, const char *id,
                                       const scree_file **file, GError **error)
{
    if (!scree_kind_name(kind))
        return scree_fail(error, SCREE_EXIT_USAGE, "unknown kind %u", kind), NULL;
    g_autofree char *name = g_strdup_printf("%s/%s", scree_kind_name(kind), id);
    known_plugin *known = g_hash_table_lookup(registry->given, name);
    if (!known) {
        known_plugin found = {0};
        found.plugin = find(registry, kind, id, &found.file, error);
        if (!found.plugin)
            return NULL;
        g_hash_table_insert(registry->given, g_strdup(name), g_memdup2(&found, sizeof found));
        known = g_hash_table_lookup(registry->given, name);
        if (registry->says_shadowed)
            say_shadowed(name, known);
    }
    known->asked = true;
    if (file)
        *file = known->file;
    return known->plugin;
}
