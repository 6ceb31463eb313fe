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
#include "base/spelling.h"
#include "base/text.h"
#include "plugin/kinds.h"
#include "plugin/loader.h"
#include "plugin/origin.h"
#include "plugin/trust.h"

struct scree_registry {
    GPtrArray *folders; /* elements: char *, absolute, in search order */
    GPtrArray *trusted; /* elements: char *, absolute, without links */
    GPtrArray *listing; /* elements: scree_listing; NULL until a scan was needed */
    guint n_scanned;    /* number of folders that were scanned */
    GHashTable *given;  /* "kind/id" -> known_plugin, given by scree_registry_get */
    bool lacks;         /* no folder has a plugin that was asked for */
    bool hints_kinds;   /* hints name plugins by KIND/ID */
    bool says_shadowed; /* scree_registry_say_shadowed was called */
};

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

static char *resolve(const char *path)
{
    char *real = realpath(path, NULL), *copy = real ? g_strdup(real) : NULL;
    free(real);
    return copy;
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

static scree_registry *new_empty(const char *const *trusted)
{
    scree_registry *registry = g_new0(scree_registry, 1);
    registry->folders = g_ptr_array_new_with_free_func(g_free);
    registry->trusted = scree_trusted_new(trusted);
    registry->given = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    return registry;
}

scree_registry *scree_registry_new_of(const char *folder)
{
    scree_registry *registry = new_empty(NULL);
    add_folder(registry, folder, false);
    return registry;
}

scree_registry *scree_registry_new(const char *const *paths, const char *const *trusted)
{
    scree_registry *registry = new_empty(trusted);
    for (; paths && *paths; paths++)
        add_folder(registry, *paths, false);
    add_from_environment(registry);
    g_autofree char *user = scree_paths_user_plugins();
    if (user)
        add_folder(registry, user, false);
    g_autofree char *own = scree_paths_own_plugins();
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
    if (registry->listing)
        g_ptr_array_unref(registry->listing);
    registry->listing = NULL;
    registry->n_scanned = 0;
    g_hash_table_foreach_remove(registry->given, may_change, NULL);
}

void scree_registry_free(scree_registry *registry)
{
    if (!registry)
        return;
    drop_listing(registry);
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

/* The scan. */

static void free_listing(scree_listing *listing)
{
    g_free(listing->path);
    g_free(listing->refused);
    g_free(listing->shadowed_by);
    if (listing->offers)
        g_ptr_array_unref(listing->offers);
    g_free(listing);
}

/** Adds the plugin files of `folder`, sorted by name, without its sub-folders. */
static void list_files(const char *folder, GPtrArray *paths)
{
    g_autoptr(GError) inner = NULL;
    g_autoptr(GDir) dir = g_dir_open(folder, 0, &inner); /* it may be missing */
    g_autoptr(GPtrArray) found = g_ptr_array_new();
    const char *name;
    if (!dir)
        scree_check_file_shortage(inner, folder);
    if (dir)
        while ((name = g_dir_read_name(dir))) {
            char *path = g_build_filename(folder, name, NULL);
            if (g_str_has_suffix(name, ".so") && !scree_file_is_twin(name) &&
                !g_file_test(path, G_FILE_TEST_IS_DIR))
                g_ptr_array_add(found, path);
            else
                g_free(path);
        }
    g_ptr_array_sort(found, scree_compare_texts);
    for (guint i = 0; i < found->len; i++)
        g_ptr_array_add(paths, found->pdata[i]);
}

static scree_listing *add_listing(GPtrArray *out, const char *path)
{
    scree_listing *listing = g_new0(scree_listing, 1);
    listing->path = g_strdup(path);
    g_ptr_array_add(out, listing);
    return listing;
}

static void list_offers(const scree_candidate *candidate, const char *path, GPtrArray *out)
{
    const GPtrArray *offers = candidate->offers;
    if (!offers) {
        scree_listing *listing = add_listing(out, path);
        listing->refused = g_strdup(candidate->error->message);
        listing->hung = candidate->hung;
    }
    if (offers)
        for (guint i = 0; i < offers->len; i++) {
            scree_offer *offer = offers->pdata[i];
            scree_listing *listing = add_listing(out, path);
            listing->offers = g_ptr_array_ref(candidate->offers);
            listing->kind = offer->kind;
            listing->id = offer->id;
            listing->version = offer->version;
            listing->licence = offer->licence;
            listing->help = offer->help;
            listing->material_keys = offer->material_keys;
            listing->left_out = *offer->left_out != '\0';
            if (listing->left_out)
                listing->refused = g_strdup_printf("%s: %s", path, offer->left_out);
        }
}

/** Tries all files, at most MOST_OPEN at once: each is open meanwhile. */
static void scan_files(scree_registry *registry, const GPtrArray *paths)
{
    enum { MOST_OPEN = 64 };
    for (guint done = 0; done < paths->len; done += MOST_OPEN) {
        guint n = MIN(paths->len - done, MOST_OPEN);
        g_autoptr(GPtrArray) candidates =
            g_ptr_array_new_with_free_func((GDestroyNotify)scree_candidate_free);
        for (guint i = 0; i < n; i++)
            g_ptr_array_add(candidates,
                            scree_candidate_new(paths->pdata[done + i], registry->trusted));
        scree_candidates_try(candidates, false);
        for (guint i = 0; i < n; i++)
            list_offers(candidates->pdata[i], paths->pdata[done + i], registry->listing);
    }
}

static bool same_file(const char *a, const char *b)
{
    g_autofree char *x = resolve(a), *y = resolve(b);
    return x && y && g_str_equal(x, y);
}

static bool same_plugin(const scree_listing *a, const scree_listing *b)
{
    return a->id && b->id && a->kind == b->kind && g_str_equal(a->id, b->id);
}

#define BOTH "%s: offers %s/%s, and so does %s in the same folder"

/** Refuses listings [first, end), all of one folder, that offer the same plugin. */
static void judge_folder(GPtrArray *all, guint first, guint end)
{
    for (guint i = first; i < end; i++)
        for (guint j = first; j < i; j++) {
            scree_listing *a = all->pdata[j], *b = all->pdata[i];
            if (!same_plugin(a, b) || same_file(a->path, b->path))
                continue;
            g_free(a->refused);
            g_free(b->refused);
            a->refused = g_strdup_printf(BOTH, a->path, scree_kind_name(a->kind), a->id, b->path);
            b->refused = g_strdup_printf(BOTH, b->path, scree_kind_name(b->kind), b->id, a->path);
        }
}

static bool has_own_name(const scree_listing *listing)
{
    g_autofree char *base = g_path_get_basename(listing->path);
    return g_str_has_prefix(base, listing->id) && g_str_equal(base + strlen(listing->id), ".so");
}

/** Marks files that scree_registry_get would not take: it takes the first file named after a plugin,
 * otherwise the first. */
static void mark_shadowed(GPtrArray *all)
{
    for (guint i = 0; i < all->len; i++) {
        scree_listing *listing = all->pdata[i], *winner = NULL;
        for (guint j = 0; j < all->len; j++) {
            scree_listing *other = all->pdata[j];
            if (same_plugin(other, listing) &&
                (!winner || (has_own_name(other) && !has_own_name(winner))))
                winner = other;
        }
        if (winner && winner != listing && !listing->refused)
            listing->shadowed_by = g_strdup(winner->path);
    }
}

/** Lists the files of the next folder. After the last folder it marks shadowed files. */
static void scan_next_folder(scree_registry *registry)
{
    const char *top = registry->folders->pdata[registry->n_scanned];
    const guint first = registry->listing->len;
    g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
    for (uint32_t kind = 1; scree_kind_name(kind); kind++) {
        g_autofree char *folder = g_build_filename(top, scree_kind_name(kind), NULL);
        list_files(folder, paths);
    }
    list_files(top, paths);
    scan_files(registry, paths);
    judge_folder(registry->listing, first, registry->listing->len);
    registry->n_scanned++;
    if (registry->n_scanned == registry->folders->len)
        mark_shadowed(registry->listing);
}

/** Listing number i, in the order of folders; it scans only the folders that it needs. NULL: there
 * are fewer. */
static scree_listing *listing_at(scree_registry *registry, guint i)
{
    if (!registry->listing)
        registry->listing = g_ptr_array_new_with_free_func((GDestroyNotify)free_listing);
    while (i >= registry->listing->len && registry->n_scanned < registry->folders->len)
        scan_next_folder(registry);
    return i < registry->listing->len ? registry->listing->pdata[i] : NULL;
}

GPtrArray *scree_registry_scan(scree_registry *registry)
{
    listing_at(registry, G_MAXUINT); // lists all folders
    return g_ptr_array_ref(registry->listing);
}

/* One plugin. */

static scree_candidate *try_file(scree_registry *registry, const char *path)
{
    g_autoptr(GPtrArray) one = g_ptr_array_new();
    scree_candidate *candidate = scree_candidate_new(path, registry->trusted);
    g_ptr_array_add(one, candidate);
    scree_candidates_try(one, true);
    return candidate;
}

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
        g_autoptr(scree_candidate) one = there ? try_file(registry, paths[i]) : NULL;
        const scree_offer *offer =
            one && one->offers ? scree_offers_find(one->offers, kind, id) : NULL;
        good = !one || one->offers;
        if (!good)
            g_propagate_error(error, g_error_copy(one->error));
        else if (offer && *offer->left_out)
            good = scree_fail(error, SCREE_EXIT_PLUGIN, "%s: %s", paths[i], offer->left_out);
        else if (offer && *found && !same_file(flat, sorted))
            good =
                scree_fail(error, SCREE_EXIT_PLUGIN, BOTH, flat, scree_kind_name(kind), id, sorted);
        else if (offer && !*found)
            *found = g_steal_pointer(&one);
    }
    if (!good)
        g_clear_pointer(found, scree_candidate_free);
    return good;
}

/** "; installed: box, disc": the names of a list. New string. */
static char *list_names(const GPtrArray *names)
{
    g_autofree char *all = g_strjoinv(", ", (char **)names->pdata);
    return *all ? g_strconcat("; installed: ", all, NULL) : g_strdup("");
}

/** The hint in a message about an unknown id. New string. */
static char *hint_of(const scree_registry *registry, uint32_t kind, const char *id,
                     const GPtrArray *names)
{
    const char *word = strrchr(id, '/') ? strrchr(id, '/') + 1 : id;
    const char *nearest = scree_nearest_word(word, (const char *const *)names->pdata);
    g_autofree char *whole = g_strdup_printf("%s/%s", scree_kind_name(kind), nearest);
    const char *const names_of_it[] = {registry->hints_kinds ? whole : nearest, NULL};
    return nearest ? scree_did_you_mean(names_of_it[0], names_of_it) : g_strdup("");
}

/** Path of the file that offers kind/id, a new string; NULL: with the reason. */
static char *find_by_scan(scree_registry *registry, uint32_t kind, const char *id, GError **error)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    scree_listing *listing;
    const scree_listing *refused = NULL;
    for (guint i = 0; (listing = listing_at(registry, i)); i++) {
        if (listing->hung) // warns once: it takes its time at each start
            scree_say(SCREE_SAY_WARNING, "%s", listing->refused);
        listing->hung = false;
        if (listing->kind == kind && g_str_equal(listing->id, id)) {
            if (!listing->refused)
                return g_strdup(listing->path);
            scree_fail(error, SCREE_EXIT_PLUGIN, "%s", listing->refused);
            return NULL;
        }
        if (listing->refused && !refused)
            refused = listing;
        else if (listing->kind == kind &&
                 !g_ptr_array_find_with_equal_func(names, listing->id, g_str_equal, NULL))
            g_ptr_array_add(names, (char *)listing->id);
    }
    g_ptr_array_sort(names, scree_compare_texts);
    g_ptr_array_add(names, NULL);
    g_autofree char *hint = hint_of(registry, kind, id, names);
    registry->lacks = true;
    const bool lists =
        kind == SCREE_KIND_SHAPE || !*hint; // shapes are few; otherwise only if no name is
                                            // near
    g_autofree char *installed = lists ? list_names(names) : g_strdup("");
    g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE, "no plugin %s/%s%s%s%s%s",
                scree_kind_name(kind), id, hint, installed, refused ? "; refused: " : "",
                refused ? refused->refused : "");
    return NULL;
}

void scree_registry_hint_kinds(scree_registry *registry)
{
    registry->hints_kinds = true;
}

void scree_registry_say_shadowed(scree_registry *registry)
{
    registry->says_shadowed = true;
}

bool scree_registry_lacks(const scree_registry *registry)
{
    return registry->lacks;
}

const scree_file *scree_registry_load(scree_registry *registry, const char *path, GError **error)
{
    return scree_file_load(path, registry->trusted, error);
}

static void give(scree_registry *registry, const scree_file *file, bool pinned)
{
    for (uint32_t i = 0; i < file->manifest->n_plugins; i++) {
        const known_plugin known = {file->manifest->plugins[i], file, pinned, false};
        g_hash_table_insert(
            registry->given,
            g_strdup_printf("%s/%s", scree_kind_name(known.plugin->kind), known.plugin->id),
            g_memdup2(&known, sizeof known));
    }
}

void scree_registry_give(scree_registry *registry, const scree_file *file)
{
    give(registry, file, false);
}

void scree_registry_pin(scree_registry *registry, const scree_file *file)
{
    give(registry, file, true);
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
    return path ? try_file(registry, path) : found;
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
    if (!scree_kind_name(kind)) {
        g_set_error(error, SCREE_ERROR, SCREE_EXIT_USAGE, "unknown kind %u", kind);
        return NULL;
    }
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
