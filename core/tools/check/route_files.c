/* SPDX-License-Identifier: Apache-2.0 */
/* Files that observers write in a run, or in the parts of a run that is saved and loaded. */
#include "tools/check/route_files.h"

#include <string.h>

#include "base/text.h"

static void read_files(const char *folder, const char *below, GHashTable *files)
{
    g_autofree char *here = g_build_filename(folder, below, NULL);
    g_autoptr(GDir) dir = g_dir_open(here, 0, NULL);
    const char *name;
    if (!dir)
        return;
    while ((name = g_dir_read_name(dir))) {
        g_autofree char *inner = *below ? g_build_filename(below, name, NULL) : g_strdup(name);
        g_autofree char *path = g_build_filename(folder, inner, NULL);
        char *bytes = NULL;
        gsize length = 0;
        if (g_file_test(path, G_FILE_TEST_IS_DIR))
            read_files(folder, inner, files);
        else if (strcmp(inner, "scene.cfg") && !g_str_has_prefix(inner, "checkpoint-") &&
                 g_file_get_contents(path, &bytes, &length, NULL))
            g_hash_table_insert(files, g_steal_pointer(&inner), g_bytes_new_take(bytes, length));
    }
}

GHashTable *scree_route_files_read(const char *folder)
{
    GHashTable *files = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
                                              (GDestroyNotify)(void (*)(void))g_bytes_unref);
    read_files(folder, "", files);
    return files;
}

/** Names of all files of all parts, sorted. */
static GPtrArray *list_names(const GPtrArray *of)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    GPtrArray *names = g_ptr_array_new();
    for (guint p = 0; p < of->len; p++) {
        GHashTableIter iter;
        void *name;
        g_hash_table_iter_init(&iter, of->pdata[p]);
        while (g_hash_table_iter_next(&iter, &name, NULL))
            if (g_hash_table_add(seen, name))
                g_ptr_array_add(names, name);
    }
    g_ptr_array_sort(names, scree_compare_texts);
    return names;
}

/** The file in each part that has it. */
static GPtrArray *list_parts(const GPtrArray *of, const char *name)
{
    GPtrArray *all = g_ptr_array_new();
    for (guint p = 0; p < of->len; p++) {
        void *bytes = g_hash_table_lookup(of->pdata[p], name);
        if (bytes)
            g_ptr_array_add(all, bytes);
    }
    return all;
}

static bool is_text(GBytes *bytes)
{
    gsize n;
    const char *text = g_bytes_get_data(bytes, &n);
    return !n || g_utf8_validate_len(text, n, NULL);
}

/** Counts lines of a table over its parts. */
static GHashTable *count_lines(const GPtrArray *parts)
{
    GHashTable *counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint p = 0; p < parts->len; p++) {
        gsize n;
        const char *text = g_bytes_get_data(parts->pdata[p], &n);
        g_autofree char *all = g_strndup(text ? text : "", n);
        g_auto(GStrv) lines = g_strsplit(all, "\n", -1);
        for (char **line = lines; *line; line++) {
            void *key = NULL, *value = NULL;
            if (!**line)
                continue;
            g_hash_table_lookup_extended(counts, *line, &key, &value);
            g_hash_table_insert(counts, g_strdup(*line),
                                GUINT_TO_POINTER(GPOINTER_TO_UINT(value) + 1));
        }
    }
    return counts;
}

/** A line that is not as often in both, without the lines of each part's head and foot. New
 * string; NULL: none. */
static char *find_other_line(const GPtrArray *whole, const GPtrArray *parts)
{
    g_autoptr(GHashTable) a = count_lines(whole), b = count_lines(parts);
    for (int turn = 0; turn < 2; turn++) {
        GHashTableIter iter;
        void *line, *count;
        g_hash_table_iter_init(&iter, turn ? a : b);
        while (g_hash_table_iter_next(&iter, &line, &count)) {
            const guint n_a = GPOINTER_TO_UINT(g_hash_table_lookup(a, line));
            const guint n_b = GPOINTER_TO_UINT(g_hash_table_lookup(b, line));
            if (n_a != n_b && n_b != parts->len)
                return g_strdup_printf(
                    "line \"%s\" is %u times in one run and %u times in %u parts",
                    (const char *)line, n_a, n_b, parts->len);
        }
    }
    return NULL;
}

static char *compare_file(const char *name, const GPtrArray *a, const GPtrArray *b)
{
    if (!a->len || !b->len)
        return g_strdup_printf("file %s is missing", name);
    if (a->len == 1 && b->len == 1)
        return g_bytes_equal(a->pdata[0], b->pdata[0]) ? NULL
                                                       : g_strdup_printf("file %s differs", name);
    for (guint p = 0; p < b->len; p++)
        if (!is_text(b->pdata[p])) // a part of a binary file cannot be compared
            return NULL;
    g_autofree char *line = is_text(a->pdata[0]) ? find_other_line(a, b) : NULL;
    return line ? g_strdup_printf("file %s: %s", name, line) : NULL;
}

char *scree_route_files_compare(const GPtrArray *a, const GPtrArray *b)
{
    g_autoptr(GPtrArray) names = list_names(a), others = list_names(b);
    g_ptr_array_extend(names, others, NULL, NULL);
    char *found = NULL;
    for (guint k = 0; k < names->len && !found; k++) {
        g_autoptr(GPtrArray) of_a = list_parts(a, names->pdata[k]);
        g_autoptr(GPtrArray) of_b = list_parts(b, names->pdata[k]);
        found = compare_file(names->pdata[k], of_a, of_b);
    }
    return found;
}
