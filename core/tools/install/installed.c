/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes installed.json.
 *
 * Format: a JSON object, with a line for each element of its array.
 *     {"format":1,"files":[
 *     {"file":"KIND/ID.so","sha256":..,"twin_sha256":.. or null,"source":path,"installed":time,
 *      "scree":version,"plugins":[{"kind","id","version","licence","citation"}, ..]},
 *     ]}
 */
#include "tools/install/installed.h"

#include <json-glib/json-glib.h>
#include <string.h>

#include "base/json.h"
#include "build_config.h"

void scree_installed_free(scree_installed *one)
{
    char *texts[] = {one->file, one->sha256, one->twin_sha256, one->source, one->line};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    g_strfreev(one->plugins);
    g_free(one);
}

char *scree_installed_line(const scree_installed *one, const char *plugins)
{
    g_autoptr(scree_json) json = scree_json_new();
    g_autoptr(GDateTime) now = g_date_time_new_now_utc();
    g_autofree char *time = g_date_time_format(now, "%Y-%m-%dT%H:%M:%SZ");
    scree_json_open_object(json, NULL);
    scree_json_string(json, "file", one->file);
    scree_json_string(json, "sha256", one->sha256);
    scree_json_string(json, "twin_sha256", one->twin_sha256);
    scree_json_string(json, "source", one->source);
    scree_json_string(json, "installed", time);
    scree_json_string(json, "scree", SCREE_VERSION);
    scree_json_close_object(json);
    g_autofree char *line = scree_json_line(json);
    line[strlen(line) - 1] = '\0'; // its brace
    return g_strconcat(line, ",\"plugins\":", plugins, "}", NULL);
}

/** A member of an object that is a text, a new string; NULL: none. */
static char *take_text(JsonObject *object, const char *name)
{
    JsonNode *node = json_object_get_member(object, name);
    const bool is_text = node && JSON_NODE_HOLDS_VALUE(node);
    return is_text ? g_strdup(json_node_get_string(node)) : NULL;
}

/** KIND/ID of each object of an array; NULL: malformed. */
static char **take_names(JsonObject *object)
{
    JsonNode *node = json_object_get_member(object, "plugins");
    JsonArray *list = node && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
    const guint n = list ? json_array_get_length(list) : 0;
    g_auto(GStrv) names = g_new0(char *, n + 1);
    for (guint i = 0; i < n; i++) {
        JsonNode *element = json_array_get_element(list, i);
        if (!JSON_NODE_HOLDS_OBJECT(element))
            return NULL;
        g_autofree char *kind = take_text(json_node_get_object(element), "kind");
        g_autofree char *id = take_text(json_node_get_object(element), "id");
        if (!kind || !id)
            return NULL;
        names[i] = g_strdup_printf("%s/%s", kind, id);
    }
    return n ? g_steal_pointer(&names) : NULL;
}

static scree_installed *take_file(JsonNode *node)
{
    if (!JSON_NODE_HOLDS_OBJECT(node))
        return NULL;
    JsonObject *object = json_node_get_object(node);
    scree_installed *one = g_new0(scree_installed, 1);
    one->file = take_text(object, "file");
    one->sha256 = take_text(object, "sha256");
    one->twin_sha256 = take_text(object, "twin_sha256");
    one->source = take_text(object, "source");
    one->plugins = take_names(object);
    one->line = json_to_string(node, FALSE);
    /* A path that leads out of the folder would be removed by uninstall. */
    if (one->file && !g_path_is_absolute(one->file) && !strstr(one->file, "..") && one->sha256 &&
        one->source && one->plugins)
        return one;
    scree_installed_free(one);
    return NULL;
}

scree_installed *scree_installed_read_line(const char *line)
{
    g_autoptr(JsonNode) node = scree_json_read(line, strlen(line), NULL);
    return node ? take_file(node) : NULL;
}

/** Reads the array of a document. False: malformed. */
static bool take_files(JsonNode *root, GPtrArray *files)
{
    JsonNode *node = JSON_NODE_HOLDS_OBJECT(root)
                         ? json_object_get_member(json_node_get_object(root), "files")
                         : NULL;
    JsonArray *list = node && JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
    bool good = list != NULL;
    for (guint i = 0; good && i < json_array_get_length(list); i++) {
        scree_installed *one = take_file(json_array_get_element(list, i));
        good = one != NULL;
        if (one)
            g_ptr_array_add(files, one);
    }
    return good;
}

GPtrArray *scree_installed_read(const char *folder, GError **error)
{
    g_autofree char *path = g_build_filename(folder, SCREE_INSTALLED_NAME, NULL), *text = NULL;
    g_autoptr(GPtrArray) files =
        g_ptr_array_new_with_free_func((GDestroyNotify)scree_installed_free);
    g_autoptr(GError) inner = NULL;
    size_t n = 0;
    if (!g_file_get_contents(path, &text, &n, &inner)) {
        if (g_error_matches(inner, G_FILE_ERROR, G_FILE_ERROR_NOENT))
            return g_steal_pointer(&files);
        scree_fail(error, SCREE_EXIT_RUN, "%s", inner->message);
        return NULL;
    }
    g_autoptr(JsonNode) root = scree_json_read(text, n, &inner);
    if (root && take_files(root, files))
        return g_steal_pointer(&files);
    scree_fail(error, SCREE_EXIT_RUN,
               "%s is damaged: expected what scree install writes%s%s; after you remove it, scree "
               "takes the files of this folder as files that you have copied yourself",
               path, inner ? ", got " : "", inner ? inner->message : "");
    return NULL;
}

char *scree_installed_text(const GPtrArray *files)
{
    GString *text = g_string_new("{\"format\":1,\"files\":[");
    for (guint i = 0; i < files->len; i++) {
        const scree_installed *one = files->pdata[i];
        g_string_append_printf(text, "%s\n%s", i ? "," : "", one->line);
    }
    g_string_append(text, "\n]}\n");
    return g_string_free(text, FALSE);
}

scree_installed *scree_installed_find(const GPtrArray *files, const char *file)
{
    for (guint i = 0; i < files->len; i++) {
        scree_installed *one = files->pdata[i];
        if (g_str_equal(one->file, file))
            return one;
    }
    return NULL;
}
