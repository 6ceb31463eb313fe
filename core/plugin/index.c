/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes plugins.json: the results of trials of plugin files.
 *
 * scree reads two of them. The build writes one next to the plugins of this program. The user's, in the
 * cache folder, has all other files, and files that were installed or built since.
 *
 * Format: a JSON object, with a line for each element of its two arrays. A path is relative to the
 * folder of the index if the file is in it.
 *     {"format":2,"scree":version,"abi":digest of the ABI,"files":[
 *     {"file":path,"stat":"INODE SIZE MTIME CTIME","sha256":..,"plugins":in brief},
 *     ],"plugins":[
 *     {"file":path, all that `scree plugins KIND/ID --json` prints}; for other programs, of --index only
 *     ]}
 *
 * Idea: a row replaces a trial and nothing else. The file, its folders and its libraries are judged each time.
 * A listing compares `stat`; a file that will be loaded must also have the bytes of `sha256`. A
 * refused file has no row, and neither has a file with libraries, whose bytes count, too. An index is
 * ignored if others can write it, if another version wrote it, or if it is damaged: files are then
 * tried.
 *
 * Cost: a pass over the lines of `files`; only lines about the files in question are parsed.
 */
#include "plugin/index.h"

#include <errno.h>
#include <json-glib/json-glib.h>
#include <stdlib.h>
#include <string.h>

#include "base/paths.h"
#include "build_config.h"
#include "plugin/dl.h"
#include "plugin/libraries.h"
#include "plugin/trust.h"

enum { LARGEST = 1 << 23, N_SOURCES = 2 };
#define HEAD                                                                                       \
    "{\"format\":2,\"scree\":\"" SCREE_VERSION "\",\"abi\":\"" SCREE_ABI_DIGEST "\",\"files\":["
#define MIDDLE "],\"plugins\":["
#define FOOT "]}"
#define FILE_IS "{\"file\":\""

/** The lines about files of an index, without commas at their ends. */
typedef struct index_lines {
    char *text, *folder; /* folder: of the index, without links */
    GPtrArray *files;
} index_lines;

/** A change of a row that no index has yet. */
typedef struct news {
    char *path, *row; /* row: without `file`; NULL: the file was refused */
} news;

static bool index_is_open;
static GHashTable *index_rows[N_SOURCES]; /* absolute path -> line; NULL: not read */
static GPtrArray *index_news;             /* elements: news */
static char *index_taken;                 /* path given by scree_index_take, or NULL */

/* Reading. */

static void clear_lines(index_lines *index)
{
    g_free(index->text);
    g_free(index->folder);
    g_ptr_array_unref(index->files);
}

/** Cuts the text into lines. */
static void take_lines(index_lines *index)
{
    char *at = index->text, *line = strsep(&at, "\n");
    if (strcmp(line, HEAD) != 0)
        return;
    while ((line = strsep(&at, "\n")) && strcmp(line, MIDDLE) != 0) {
        const size_t n = strlen(line);
        if (n && line[n - 1] == ',')
            line[n - 1] = '\0';
        if (g_str_has_prefix(line, FILE_IS))
            g_ptr_array_add(index->files, line);
    }
}

/** Reads an index; one that cannot be used gives no lines. */
static index_lines read_index(const char *path)
{
    index_lines index = {.files = g_ptr_array_new()};
    scree_opened opened;
    const bool good = scree_opened_init(&opened, path, NULL) && !opened.complaint;
    const uint64_t n =
        good && opened.status.st_size < LARGEST ? (uint64_t)opened.status.st_size : 0;
    g_autofree char *bytes = scree_read_part(opened.fd, 0, n);
    if (bytes) {
        index.text = g_strndup(bytes, n);
        index.folder = g_path_get_dirname(opened.path);
        take_lines(&index);
    }
    scree_opened_clear(&opened);
    return index;
}

/** Whether JSON holds a text as it is, without escapes. */
static bool is_plain(const char *text)
{
    for (const char *c = text; *c; c++)
        if (*c == '"' || *c == '\\' || g_ascii_iscntrl(*c))
            return false;
    return g_utf8_validate(text, -1, NULL);
}

/** The absolute path of a file from its line. New string. */
static char *path_of(const char *line, const char *folder)
{
    const char *file = line + strlen(FILE_IS);
    g_autofree char *name = g_strndup(file, strcspn(file, "\""));
    return scree_path_join(folder, name);
}

/** Reads the lines of an index into a table by absolute paths. */
static GHashTable *open_index(const char *path)
{
    GHashTable *rows = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    index_lines index = read_index(path);
    for (guint i = 0; i < index.files->len; i++) {
        const char *line = index.files->pdata[i];
        g_hash_table_replace(rows, path_of(line, index.folder), g_strdup(line));
    }
    clear_lines(&index);
    return rows;
}

static bool is_older_than_program(const char *path)
{
    struct stat index, program;
    return stat(path, &index) != 0 || stat("/proc/self/exe", &program) != 0 ||
           index.st_mtim.tv_sec < program.st_mtim.tv_sec ||
           (index.st_mtim.tv_sec == program.st_mtim.tv_sec &&
            index.st_mtim.tv_nsec < program.st_mtim.tv_nsec);
}

static void free_news(void *data)
{
    news *one = data;
    g_free(one->path);
    g_free(one->row);
    g_free(one);
}

static void open_indices(void)
{
    if (index_is_open)
        return;
    index_is_open = true;
    index_news = g_ptr_array_new_with_free_func(free_news);
    g_autofree char *own = scree_paths_own_plugins(), *users = scree_paths_user_index();
    g_autofree char *path = g_build_filename(own, SCREE_INDEX_NAME, NULL);
    if (!index_taken)
        index_rows[0] = open_index(path);
    else if (!is_older_than_program(index_taken))
        index_rows[0] = open_index(index_taken);
    if (!index_taken && users)
        index_rows[1] = open_index(users);
}

/** Whether a row has this text. */
static bool has_text(JsonNode *row, const char *member, const char *text)
{
    JsonNode *node = json_object_get_member(json_node_get_object(row), member);
    return node && JSON_NODE_HOLDS_VALUE(node) && g_strcmp0(json_node_get_string(node), text) == 0;
}

/** The row about a file that has this text; NULL: none. Free with json_node_unref. */
static JsonNode *find_row(const char *path, const char *member, const char *text)
{
    for (int s = 0; s < N_SOURCES; s++) {
        const char *line = index_rows[s] ? g_hash_table_lookup(index_rows[s], path) : NULL;
        g_autoptr(JsonNode) row = line ? scree_json_read(line, strlen(line), NULL) : NULL;
        if (row && JSON_NODE_HOLDS_OBJECT(row) && has_text(row, member, text))
            return g_steal_pointer(&row);
    }
    return NULL;
}

static GPtrArray *read_row(JsonNode *row)
{
    JsonNode *brief = row ? json_object_get_member(json_node_get_object(row), "plugins") : NULL;
    return brief ? scree_offers_read(brief) : NULL;
}

static char *describe_stat(const struct stat *is)
{
    return g_strdup_printf("%ju %jd %jd.%09ld %jd.%09ld", (uintmax_t)is->st_ino,
                           (intmax_t)is->st_size, (intmax_t)is->st_mtim.tv_sec, is->st_mtim.tv_nsec,
                           (intmax_t)is->st_ctim.tv_sec, is->st_ctim.tv_nsec);
}

/** Notes the offers of a file; NULL: it was refused. */
static void add_news(const scree_held *held, const GPtrArray *offers)
{
    news *one = g_new0(news, 1);
    g_autofree char *stat = describe_stat(&held->opened.status);
    g_autofree char *brief = offers ? scree_offers_line(offers) : NULL;
    one->path = g_strdup(held->opened.path);
    if (brief)
        one->row = g_strdup_printf("\"stat\":\"%s\",\"sha256\":\"%s\",\"plugins\":%s}", stat,
                                   held->sha256, brief);
    g_ptr_array_add(index_news, one);
}

GPtrArray *scree_index_find(scree_held *held, bool bytes)
{
    const char *path = held->opened.path;
    open_indices();
    if (held->libraries->len || !is_plain(path))
        return NULL;
    g_autofree char *stat = describe_stat(&held->opened.status);
    g_autoptr(JsonNode) row = find_row(path, "stat", stat);
    if (row && !bytes && held->settled)
        return read_row(row);
    const char *sha256 = scree_held_sha256(held, NULL);
    if (!sha256 || (row && has_text(row, "sha256", sha256)))
        return sha256 ? read_row(row) : NULL;
    g_autoptr(JsonNode) moved = find_row(path, "sha256", sha256);
    GPtrArray *offers = read_row(moved);
    if (offers)
        add_news(held, offers);
    return offers;
}

/** Whether an index has a row about the file. */
static bool has_row(const char *path)
{
    for (int s = 0; s < N_SOURCES; s++)
        if (index_rows[s] && g_hash_table_contains(index_rows[s], path))
            return true;
    return false;
}

void scree_index_note(scree_held *held, const GPtrArray *offers)
{
    const char *path = held->opened.path;
    open_indices();
    if (offers ? !held->libraries->len && is_plain(path) && scree_held_sha256(held, NULL) != NULL
               : has_row(path))
        add_news(held, offers);
}

/* Writing. */

static bool has_news(const char *path)
{
    for (guint i = 0; i < index_news->len; i++)
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
static void keep_old(const index_lines *old, GString *text)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < old->files->len; i++) {
        const char *line = old->files->pdata[i];
        char *path = path_of(line, old->folder);
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
    g_string_append_printf(text, FILE_IS "%s\",%s", shorten(path, folder), rest);
}

static GString *make_text(const index_lines *old, const char *folder, const GPtrArray *plugins)
{
    GString *text = g_string_new(HEAD);
    keep_old(old, text);
    for (guint i = 0; i < index_news->len; i++) {
        const news *one = index_news->pdata[i];
        if (one->row)
            put_line(text, one->path, folder, one->row);
    }
    g_string_append(text, "\n" MIDDLE);
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
    index_lines old = read_index(index_taken && is_older_than_program(path) ? "" : path);
    g_autoptr(GString) text = make_text(&old, folder, plugins);
    clear_lines(&old);
    free(folder);
    return g_file_set_contents_full(path, text->str, (gssize)text->len,
                                    G_FILE_SET_CONTENTS_CONSISTENT, 0644, error);
}

void scree_index_save(void)
{
    g_autofree char *path = scree_paths_user_index();
    if (index_taken || !index_news || !index_news->len)
        return;
    if (path)
        write_index(path, NULL, NULL);
    g_ptr_array_set_size(index_news, 0);
}

void scree_index_take(const char *path)
{
    index_taken = g_strdup(path);
}

bool scree_index_write(const GPtrArray *plugins, GError **error)
{
    open_indices();
    return write_index(index_taken, plugins, error);
}
