/* SPDX-License-Identifier: Apache-2.0 */
/* Reads plugins.json: the results of trials of plugin files (tools/judge/index_write.c writes it).
 *
 * scree reads two of them. The build writes one next to the plugins of this program. The user's, in
 * the cache folder, has all other files, and files that were installed or built since.
 *
 * Format: a JSON object, with a line for each element of its two arrays. A path is relative to the
 * folder of the index if the file is in it.
 *     {"format":3,"scree":version,"abi":digest of the ABI,"files":[
 *     {"file":path,"stat":"INODE SIZE MTIME CTIME","sha256":..,"plugins":in brief},
 *     ],"plugins":[
 *     {"file":path, all that `scree plugins KIND/ID --json` prints}; for other programs, of --index only
 *     ]}
 *
 * Idea: a row replaces a trial and nothing else. Who can write the file and its folders is judged
 * each time. A listing compares `stat`; a file that will be loaded must also have the bytes of
 * `sha256`. A refused file has no row, and neither has a file with libraries, whose bytes count,
 * too. An index is ignored if others can write it, if another version wrote it, or if it is
 * damaged: files are then tried.
 *
 * Cost: a pass over the lines of `files`; only lines about the files in question are parsed.
 */
#include "plugin/index.h"

#include <json-glib/json-glib.h>
#include <stdlib.h>
#include <string.h>

#include "base/paths.h"
#include "plugin/dl.h"
#include "plugin/trial.h"
#include "plugin/trust.h"

enum { LARGEST = 1 << 23, N_SOURCES = 2 };
static bool index_is_open;
static GHashTable *index_rows[N_SOURCES]; /* absolute path -> line; NULL: not read */
const char *scree_index_taken;

void scree_index_clear(scree_index_lines *index)
{
    g_free(index->text);
    g_free(index->folder);
    g_ptr_array_unref(index->files);
}

/** Cuts the text into lines. */
static void take_lines(scree_index_lines *index)
{
    char *at = index->text, *line = strsep(&at, "\n");
    if (strcmp(line, SCREE_INDEX_HEAD) != 0)
        return;
    while ((line = strsep(&at, "\n")) && strcmp(line, SCREE_INDEX_MIDDLE) != 0) {
        const size_t n = strlen(line);
        if (n && line[n - 1] == ',')
            line[n - 1] = '\0';
        if (g_str_has_prefix(line, SCREE_INDEX_FILE))
            g_ptr_array_add(index->files, line);
    }
}

scree_index_lines scree_index_read(const char *path)
{
    scree_index_lines index = {.files = g_ptr_array_new()};
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

bool scree_index_is_plain(const char *text)
{
    for (const char *c = text; *c; c++)
        if (*c == '"' || *c == '\\' || g_ascii_iscntrl(*c))
            return false;
    return g_utf8_validate(text, -1, NULL);
}

char *scree_index_path_of(const char *line, const char *folder)
{
    const char *file = line + strlen(SCREE_INDEX_FILE);
    g_autofree char *name = g_strndup(file, strcspn(file, "\""));
    return scree_path_join(folder, name);
}

/** Reads the lines of an index into a table by absolute paths. */
static GHashTable *open_index(const char *path)
{
    GHashTable *rows = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    scree_index_lines index = scree_index_read(path);
    for (guint i = 0; i < index.files->len; i++) {
        const char *line = index.files->pdata[i];
        g_hash_table_replace(rows, scree_index_path_of(line, index.folder), g_strdup(line));
    }
    scree_index_clear(&index);
    return rows;
}

bool scree_index_is_old(const char *path)
{
    struct stat index, program;
    return stat(path, &index) != 0 || stat("/proc/self/exe", &program) != 0 ||
           index.st_mtim.tv_sec < program.st_mtim.tv_sec ||
           (index.st_mtim.tv_sec == program.st_mtim.tv_sec &&
            index.st_mtim.tv_nsec < program.st_mtim.tv_nsec);
}

static void open_indices(void)
{
    if (index_is_open)
        return;
    index_is_open = true;
    g_autofree char *own = scree_paths_own_plugins(), *users = scree_paths_user_index();
    g_autofree char *path = g_build_filename(own, SCREE_INDEX_NAME, NULL);
    if (!scree_index_taken)
        index_rows[0] = open_index(path);
    else if (!scree_index_is_old(scree_index_taken))
        index_rows[0] = open_index(scree_index_taken);
    if (!scree_index_taken && users)
        index_rows[1] = open_index(users);
}

void scree_index_forget(void)
{
    for (int k = 0; k < N_SOURCES; k++)
        g_clear_pointer(&index_rows[k], g_hash_table_unref);
    index_is_open = false;
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

char *scree_index_stat(const struct stat *is)
{
    return g_strdup_printf("%ju %jd %jd.%09ld %jd.%09ld", (uintmax_t)is->st_ino,
                           (intmax_t)is->st_size, (intmax_t)is->st_mtim.tv_sec, is->st_mtim.tv_nsec,
                           (intmax_t)is->st_ctim.tv_sec, is->st_ctim.tv_nsec);
}

GPtrArray *scree_index_find(scree_held *held, bool bytes)
{
    const char *path = held->opened.path;
    open_indices();
    if (!scree_index_is_plain(path))
        return NULL;
    g_autofree char *stat = scree_index_stat(&held->opened.status);
    g_autoptr(JsonNode) row = find_row(path, "stat", stat);
    if (row && !bytes && held->settled)
        return read_row(row);
    const char *sha256 = scree_held_sha256(held, NULL);
    if (!sha256 || (row && has_text(row, "sha256", sha256)))
        return sha256 ? read_row(row) : NULL;
    g_autoptr(JsonNode) moved = find_row(path, "sha256", sha256);
    GPtrArray *offers = read_row(moved);
    if (offers)
        scree_trials_note(held, offers);
    return offers;
}

bool scree_index_has(const char *path)
{
    open_indices();
    for (int s = 0; s < N_SOURCES; s++)
        if (index_rows[s] && g_hash_table_contains(index_rows[s], path))
            return true;
    return false;
}
