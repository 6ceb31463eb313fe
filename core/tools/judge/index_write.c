/* SPDX-License-Identifier: Apache-2.0 */
/* Writes plugins.json, the results of trials (plugin/index.c has its format). */
#include "tools/judge/index_write.h"

#include <errno.h>
#include <json-glib/json-glib.h>
#include <stdlib.h>
#include <string.h>

#include "base/paths.h"
#include "plugin/dl.h"
#include "tools/judge/offer_line.h"

#define FOOT "]}"

/** A change of a row that no index has yet. */
typedef struct news {
    char *path, *row; /* row: without `file`; NULL: the file was refused */
} news;

static GPtrArray *index_news; /* elements: news; NULL: none yet */

static void free_news(void *data)
{
    news *one = data;
    g_free(one->path);
    g_free(one->row);
    g_free(one);
}

/** Notes the offers of a file; NULL: it was refused. */
static void add_news(const scree_held *held, const GPtrArray *offers)
{
    news *one = g_new0(news, 1);
    if (!index_news)
        index_news = g_ptr_array_new_with_free_func(free_news);
    g_autofree char *stat = scree_index_stat(&held->opened.status);
    g_autofree char *brief = offers ? scree_offers_line(offers) : NULL;
    one->path = g_strdup(held->opened.path);
    if (brief)
        one->row = g_strdup_printf("\"stat\":\"%s\",\"sha256\":\"%s\",\"plugins\":%s}", stat,
                                   held->sha256, brief);
    g_ptr_array_add(index_news, one);
}

void scree_index_note(scree_held *held, const GPtrArray *offers)
{
    const char *path = held->opened.path;
    if (offers ? !held->led && scree_index_is_plain(path) && scree_held_sha256(held, NULL) != NULL
               : scree_index_has(path))
        add_news(held, offers);
}

static bool has_news(const char *path)
{
    const guint n = index_news ? index_news->len : 0;
    for (guint i = 0; i < n; i++)
        if (g_str_equal(((const news *)index_news->pdata[i])->path, path))
            return true;
    return false;
}

/** Begins a line, after a comma unless it is the first one of its array. */
static void begin_line_after(GString *text)
{
    g_string_append(text, text->str[text->len - 1] == '[' ? "\n" : ",\n");
}

/** Copies each old row once if its file exists and has no news. */
static void keep_old(const scree_index_lines *old, GString *text)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < old->files->len; i++) {
        const char *line = old->files->pdata[i];
        char *path = scree_index_path_of(line, old->folder);
        g_autoptr(JsonNode) sound = scree_json_read(line, strlen(line), NULL);
        if (sound && !has_news(path) && g_file_test(path, G_FILE_TEST_EXISTS) &&
            !g_hash_table_contains(seen, path)) {
            begin_line_after(text);
            g_string_append(text, line);
        }
        g_hash_table_add(seen, path);
    }
}

/** The path of a file as an index of that folder holds it. */
static const char *shorten(const char *path, const char *folder)
{
    const size_t n = strlen(folder);
    return g_str_has_prefix(path, folder) && path[n] == '/' ? path + n + 1 : path;
}

static void put_line(GString *text, const char *path, const char *folder, const char *rest)
{
    begin_line_after(text);
    g_string_append_printf(text, SCREE_INDEX_FILE "%s\",%s", shorten(path, folder), rest);
}

static GString *make_text(const scree_index_lines *old, const char *folder,
                          const GPtrArray *plugins)
{
    GString *text = g_string_new(SCREE_INDEX_HEAD);
    keep_old(old, text);
    const guint n_news = index_news ? index_news->len : 0;
    for (guint i = 0; i < n_news; i++) {
        const news *one = index_news->pdata[i];
        if (one->row)
            put_line(text, one->path, folder, one->row);
    }
    g_string_append(text, "\n" SCREE_INDEX_MIDDLE);
    const guint n = plugins ? plugins->len : 0;
    for (guint i = 0; i + 1 < n; i += 2)
        put_line(text, plugins->pdata[i], folder, (const char *)plugins->pdata[i + 1] + 1);
    return g_string_append(text, "\n" FOOT "\n");
}

static bool write_index(const char *path, const GPtrArray *plugins, GError **error)
{
    g_autofree char *parent = g_path_get_dirname(path);
    g_mkdir_with_parents(parent, 0700); // realpath reports a folder that could not be made
    char *folder = realpath(parent, NULL);
    if (!folder)
        return scree_fail(error, SCREE_EXIT_RUN, "%s: %s", parent, g_strerror(errno));
    scree_index_lines old =
        scree_index_read(scree_index_taken && scree_index_is_old(path) ? "" : path);
    g_autoptr(GString) text = make_text(&old, folder, plugins);
    scree_index_clear(&old);
    free(folder);
    return g_file_set_contents_full(path, text->str, (gssize)text->len,
                                    G_FILE_SET_CONTENTS_CONSISTENT, 0644, error);
}

void scree_index_save(void)
{
    g_autofree char *path = scree_paths_user_index();
    if (scree_index_taken || !index_news || !index_news->len)
        return;
    if (path)
        write_index(path, NULL, NULL);
    g_ptr_array_set_size(index_news, 0);
}

bool scree_index_write(const GPtrArray *plugins, GError **error)
{
    return write_index(scree_index_taken, plugins, error);
}
