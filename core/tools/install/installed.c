/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes installed.json.
 *
 * Format: {"format": 1, "files": [row, ..]}. A row is the report of `scree check --json` without its
 *     cases; `file` is KIND/ID.so, or its build for newer CPUs, and it has `source` (absolute path),
 *     `installed` (time) and `scree` (version) as well.
 */
#include "tools/install/installed.h"

#include <string.h>

#include "base/json.h"
#include "plugin/kinds.h"

enum { FORMAT = 1 };

/** Whether the root of a document, or element i of an array, is an object with these texts. */
static bool has_texts(JsonNode *node, const char *const *names)
{
    if (!JSON_NODE_HOLDS_OBJECT(node))
        return false;
    for (; *names; names++) {
        JsonNode *text = json_object_get_member(json_node_get_object(node), *names);
        if (!text || json_node_get_value_type(text) != G_TYPE_STRING)
            return false;
    }
    return true;
}

/** A member of a node that is an array, borrowed; NULL: none. */
static JsonArray *take_array(JsonNode *node, const char *name)
{
    JsonNode *array = JSON_NODE_HOLDS_OBJECT(node)
                          ? json_object_get_member(json_node_get_object(node), name)
                          : NULL;
    return array && JSON_NODE_HOLDS_ARRAY(array) ? json_node_get_array(array) : NULL;
}

/** Whether a path is KIND/NAME.so: uninstall removes what it names. */
static bool is_place(const char *file)
{
    g_auto(GStrv) parts = g_strsplit(file, "/", -1);
    return g_strv_length(parts) == 2 && scree_kind_from_name(parts[0]) &&
           g_str_has_suffix(parts[1], ".so");
}

static bool is_row(JsonNode *node)
{
    static const char *const texts[] = {"file", "sha256", "source", NULL};
    static const char *const names[] = {"kind", "id", NULL};
    JsonArray *plugins = has_texts(node, texts) ? take_array(node, "plugins") : NULL;
    bool good =
        plugins && is_place(json_object_get_string_member(json_node_get_object(node), "file"));
    for (guint i = 0; good && i < json_array_get_length(plugins); i++)
        good = has_texts(json_array_get_element(plugins, i), names);
    return good;
}

JsonArray *scree_installed_read(const char *folder, GError **error)
{
    g_autofree char *path = g_build_filename(folder, SCREE_INSTALLED_NAME, NULL), *text = NULL;
    g_autoptr(GError) inner = NULL;
    size_t n = 0;
    if (!g_file_get_contents(path, &text, &n, &inner)) {
        if (g_error_matches(inner, G_FILE_ERROR, G_FILE_ERROR_NOENT))
            return json_array_new();
        scree_fail(error, SCREE_EXIT_RUN, "%s", inner->message);
        return NULL;
    }
    g_autoptr(JsonNode) root = scree_json_read(text, n, &inner);
    JsonArray *rows = root ? take_array(root, "files") : NULL;
    for (guint i = 0; rows && i < json_array_get_length(rows); i++)
        if (!is_row(json_array_get_element(rows, i)))
            rows = NULL;
    if (rows)
        return json_array_ref(rows);
    scree_fail(error, SCREE_EXIT_RUN,
               "%s is damaged: expected what scree install writes%s%s; after you remove it, scree "
               "takes the files of this folder as files that you have copied yourself",
               path, inner ? ", got " : "", inner ? inner->message : "");
    return NULL;
}

char *scree_installed_text(JsonArray *rows)
{
    g_autoptr(JsonNode) root = json_node_alloc();
    g_autoptr(JsonObject) top = json_object_new();
    json_object_set_int_member(top, "format", FORMAT);
    json_object_set_array_member(top, "files", json_array_ref(rows));
    json_node_init_object(root, top);
    return json_to_string(root, TRUE);
}

GStrv scree_installed_names(JsonObject *row)
{
    JsonArray *plugins = json_object_get_array_member(row, "plugins");
    const guint n = json_array_get_length(plugins);
    GStrv names = g_new0(char *, n + 1);
    for (guint i = 0; i < n; i++) {
        JsonObject *one = json_array_get_object_element(plugins, i);
        names[i] = g_strdup_printf("%s/%s", json_object_get_string_member(one, "kind"),
                                   json_object_get_string_member(one, "id"));
    }
    return names;
}

/** The number of a row; the number of rows: none. */
static guint find(JsonArray *rows, const char *name)
{
    for (guint i = 0; i < json_array_get_length(rows); i++) {
        JsonObject *row = json_array_get_object_element(rows, i);
        g_auto(GStrv) names = scree_installed_names(row);
        if (g_str_equal(json_object_get_string_member(row, "file"), name) ||
            g_strv_contains((const char *const *)names, name))
            return i;
    }
    return json_array_get_length(rows);
}

JsonObject *scree_installed_find(JsonArray *rows, const char *name)
{
    const guint i = find(rows, name);
    return i < json_array_get_length(rows) ? json_array_get_object_element(rows, i) : NULL;
}

JsonObject *scree_installed_take(JsonArray *rows, const char *name)
{
    JsonObject *row = scree_installed_find(rows, name);
    if (row) {
        json_object_ref(row);
        json_array_remove_element(rows, find(rows, name));
    }
    return row;
}
