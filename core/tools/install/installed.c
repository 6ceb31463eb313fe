/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes installed.json.
 *
 * Format: {"format": 1, "files": {"KIND/ID.so": row, ..}}. A row is the report of `scree check --json`
 *     without its cases; `source` is the absolute path of the file that was copied.
 */
#include "tools/install/installed.h"

#include <string.h>

#include "base/json.h"
#include "plugin/kinds.h"

enum { FORMAT = 1 };

const char *scree_text_of(JsonObject *object, const char *name)
{
    return json_object_get_string_member_with_default(object, name, NULL);
}

static JsonObject *take_object(JsonNode *node)
{
    return node && JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

/** Whether a member of the rows is what this program writes; uninstall removes the file that it names. */
static bool is_row(const char *file, JsonNode *node)
{
    g_auto(GStrv) parts = g_strsplit(file, "/", -1);
    JsonObject *row = take_object(node);
    JsonNode *plugins = row ? json_object_get_member(row, "plugins") : NULL;
    bool good = g_strv_length(parts) == 2 && scree_kind_from_name(parts[0]) &&
                g_str_has_suffix(parts[1], ".so") && plugins && JSON_NODE_HOLDS_ARRAY(plugins) &&
                scree_text_of(row, "sha256") && scree_text_of(row, "source");
    JsonArray *list = good ? json_node_get_array(plugins) : NULL;
    for (guint i = 0; good && i < json_array_get_length(list); i++) {
        JsonObject *one = take_object(json_array_get_element(list, i));
        good = one && scree_text_of(one, "kind") && scree_text_of(one, "id");
    }
    return good;
}

JsonObject *scree_installed_read(const char *folder, GError **error)
{
    g_autofree char *path = g_build_filename(folder, SCREE_INSTALLED_NAME, NULL), *text = NULL;
    g_autoptr(GError) inner = NULL;
    size_t n = 0;
    if (!g_file_get_contents(path, &text, &n, &inner)) {
        if (g_error_matches(inner, G_FILE_ERROR, G_FILE_ERROR_NOENT))
            return json_object_new();
        scree_fail(error, SCREE_EXIT_RUN, "%s", inner->message);
        return NULL;
    }
    g_autoptr(JsonNode) root = scree_json_read(text, n, &inner);
    JsonObject *top = take_object(root);
    JsonNode *format = top ? json_object_get_member(top, "format") : NULL;
    JsonObject *rows = format && json_node_get_value_type(format) == G_TYPE_INT64 &&
                               json_node_get_int(format) == FORMAT
                           ? take_object(json_object_get_member(top, "files"))
                           : NULL;
    g_autoptr(GList) files = rows ? json_object_get_members(rows) : NULL;
    for (const GList *f = files; f && rows; f = f->next)
        rows = is_row(f->data, json_object_get_member(rows, f->data)) ? rows : NULL;
    if (rows)
        return json_object_ref(rows);
    scree_fail(error, SCREE_EXIT_RUN,
               "%s is damaged: expected what scree install writes%s%s; after you remove it, scree "
               "takes the files of this folder as files that you have copied yourself",
               path, inner ? ", got " : "", inner ? inner->message : "");
    return NULL;
}

char *scree_installed_text(JsonObject *rows)
{
    g_autoptr(JsonNode) root = json_node_alloc();
    g_autoptr(JsonObject) top = json_object_new();
    json_object_set_int_member(top, "format", FORMAT);
    json_object_set_object_member(top, "files", json_object_ref(rows));
    json_node_init_object(root, top);
    return json_to_string(root, TRUE);
}

const char *scree_installed_get(JsonObject *rows, const char *file, const char *name)
{
    JsonObject *row = take_object(json_object_get_member(rows, file));
    return row ? scree_text_of(row, name) : NULL;
}

GStrv scree_installed_names(JsonObject *row)
{
    JsonArray *plugins = json_object_get_array_member(row, "plugins");
    const guint n = json_array_get_length(plugins);
    GStrv names = g_new0(char *, n + 1);
    for (guint i = 0; i < n; i++) {
        JsonObject *one = json_array_get_object_element(plugins, i);
        names[i] = g_strdup_printf("%s/%s", scree_text_of(one, "kind"), scree_text_of(one, "id"));
    }
    return names;
}
