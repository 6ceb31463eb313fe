/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the plugins of folders: all files, tried or known; what shadows what. */
#include "tools/judge/listing.h"

#include <stdlib.h>
#include <string.h>

#include "base/shortage.h"
#include "base/text.h"
#include "plugin/kinds.h"
#include "plugin/loader.h"
#include "plugin/registry.h"

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
    const guint n = candidate->offers ? candidate->offers->len : 0;
    if (!candidate->offers) {
        scree_listing *listing = add_listing(out, path);
        listing->refused = g_strdup(candidate->error->message);
        listing->hung = candidate->hung;
    }
    for (guint i = 0; i < n; i++) {
        const scree_offer *offer = candidate->offers->pdata[i];
        scree_listing *listing = add_listing(out, path);
        listing->kind = offer->kind;
        listing->id = g_strdup(offer->id);
        listing->version = g_strdup(offer->version);
        listing->licence = g_strdup(offer->licence);
        listing->help = g_strdup(offer->help);
        listing->material_keys = g_strdupv(offer->material_keys);
        listing->left_out = *offer->left_out != '\0';
        if (listing->left_out)
            listing->refused = g_strdup_printf("%s: %s", path, offer->left_out);
    }
}

/** Tries all files, at most MOST_OPEN at once: each is open meanwhile. */
static void scan_files(const GPtrArray *paths, GPtrArray *trusted, GPtrArray *out)
{
    enum { MOST_OPEN = 64 };
    for (guint done = 0; done < paths->len; done += MOST_OPEN) {
        guint n = MIN(paths->len - done, MOST_OPEN);
        g_autoptr(GPtrArray) candidates =
            g_ptr_array_new_with_free_func((GDestroyNotify)scree_candidate_free);
        for (guint i = 0; i < n; i++)
            g_ptr_array_add(candidates, scree_candidate_new(paths->pdata[done + i], trusted));
        scree_candidates_try(candidates, false);
        for (guint i = 0; i < n; i++)
            list_offers(candidates->pdata[i], paths->pdata[done + i], out);
    }
}

static bool same_file(const char *a, const char *b)
{
    char *x = realpath(a, NULL), *y = realpath(b, NULL);
    const bool same = x && y && g_str_equal(x, y);
    free(x);
    free(y);
    return same;
}

static bool same_plugin(const scree_listing *a, const scree_listing *b)
{
    return a->id && b->id && a->kind == b->kind && g_str_equal(a->id, b->id);
}

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
            a->refused = g_strdup_printf(SCREE_OFFERED_TWICE, a->path, scree_kind_name(a->kind),
                                         a->id, b->path);
            b->refused = g_strdup_printf(SCREE_OFFERED_TWICE, b->path, scree_kind_name(b->kind),
                                         b->id, a->path);
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

/** Lists the files of a folder. */
static void scan_folder(const char *top, GPtrArray *trusted, GPtrArray *out)
{
    const guint first = out->len;
    g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
    for (uint32_t kind = 1; scree_kind_name(kind); kind++) {
        g_autofree char *folder = g_build_filename(top, scree_kind_name(kind), NULL);
        list_files(folder, paths);
    }
    list_files(top, paths);
    scan_files(paths, trusted, out);
    judge_folder(out, first, out->len);
}

GPtrArray *scree_list_folders(const GPtrArray *folders, GPtrArray *trusted)
{
    GPtrArray *all = g_ptr_array_new_with_free_func((GDestroyNotify)scree_listing_free);
    for (guint i = 0; i < folders->len; i++)
        scan_folder(folders->pdata[i], trusted, all);
    mark_shadowed(all);
    return all;
}
