/* SPDX-License-Identifier: Apache-2.0 */
/* Runs `scree check --json` in another process: no code of a plugin runs in this one. */
#include "tools/install/tried.h"

#include <json-glib/json-glib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/json.h"
#include "cli/cmd.h"

static void free_plugin(void *data)
{
    scree_tried_plugin *one = data;
    char *texts[] = {one->kind, one->id, one->version, one->licence, one->citation};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    g_free(one);
}

void scree_tried_free(scree_tried *trial)
{
    if (!trial)
        return;
    g_free(trial->sha256);
    g_ptr_array_unref(trial->plugins);
    g_free(trial);
}

bool scree_tried_same(const scree_tried *a, const scree_tried *b)
{
    bool same = a->plugins->len == b->plugins->len;
    for (guint i = 0; i < a->plugins->len && same; i++) {
        const scree_tried_plugin *x = a->plugins->pdata[i], *y = b->plugins->pdata[i];
        same = g_str_equal(x->kind, y->kind) && g_str_equal(x->id, y->id) &&
               g_str_equal(x->version, y->version);
    }
    return same;
}

/** The command line; the options --plugin-path and --trust are those of this process. */
static bool make_command(const char *path, char ***command, GError **error)
{
    g_autofree char *program = g_file_read_link("/proc/self/exe", error);
    if (!program)
        return false;
    g_autofree char *quoted = g_shell_quote(program), *file = g_shell_quote(path);
    g_autoptr(GString) line = g_string_new(quoted);
    g_string_append(line, " check --json");
    scree_cmd_add_globals(line);
    g_string_append_printf(line, " -- %s", file);
    return g_shell_parse_argv(line->str, NULL, command, error);
}

/** A text with `shown` in place of each `path`. New string. */
static char *rename_in(const char *text, const char *path, const char *shown)
{
    g_auto(GStrv) parts = g_strsplit(text ? text : "", path, -1);
    return g_strjoinv(shown, parts);
}

/** The text of a member, borrowed; NULL: null, or missing. */
static const char *text_of(JsonObject *object, const char *name)
{
    JsonNode *node = json_object_get_member(object, name);
    return node && JSON_NODE_HOLDS_VALUE(node) ? json_node_get_string(node) : NULL;
}

/** Appends the failed cases of a plugin. */
static void add_failures(GString *text, JsonObject *plugin)
{
    JsonArray *cases = json_object_get_array_member(plugin, "cases");
    for (guint i = 0; i < json_array_get_length(cases); i++) {
        JsonObject *one = json_array_get_object_element(cases, i);
        if (g_strcmp0(text_of(one, "verdict"), "not ok") != 0)
            continue;
        const char *why = text_of(one, "text");
        g_string_append_printf(text, "\n    %s/%s: not ok %s: %s", text_of(plugin, "kind"),
                               text_of(plugin, "id"), text_of(one, "id"),
                               why ? why : text_of(one, "claim"));
    }
}

static scree_tried_plugin *take_plugin(JsonObject *object)
{
    const scree_tried_plugin one = {
        .kind = g_strdup(text_of(object, "kind")),
        .id = g_strdup(text_of(object, "id")),
        .version = g_strdup(text_of(object, "version")),
        .licence = g_strdup(text_of(object, "licence")),
        .citation = g_strdup(text_of(object, "citation")),
    };
    return g_memdup2(&one, sizeof one);
}

/** Reads the report of `scree check`, which this program has written. */
static scree_tried *read_report(JsonObject *report, GString *failures)
{
    scree_tried *trial = g_new0(scree_tried, 1);
    JsonArray *plugins = json_object_get_array_member(report, "plugins");
    trial->sha256 = g_strdup(text_of(report, "sha256"));
    trial->plugins = g_ptr_array_new_with_free_func(free_plugin);
    trial->ok = (guint)json_object_get_int_member(report, "ok");
    trial->skipped = (guint)json_object_get_int_member(report, "skipped");
    for (guint i = 0; i < json_array_get_length(plugins); i++) {
        JsonObject *one = json_array_get_object_element(plugins, i);
        g_ptr_array_add(trial->plugins, take_plugin(one));
        add_failures(failures, one);
    }
    return trial;
}

scree_tried *scree_tried_run(const char *path, const char *shown, GError **error)
{
    g_auto(GStrv) command = NULL;
    g_autofree char *said = NULL;
    g_autoptr(GError) inner = NULL;
    g_autoptr(GString) failures = g_string_new(NULL);
    int status = 0;
    if (!make_command(path, &command, error) ||
        !g_spawn_sync(NULL, command, NULL, G_SPAWN_DEFAULT, NULL, NULL, &said, NULL, &status,
                      error))
        return NULL;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    g_autoptr(JsonNode) root = scree_json_read(said, strlen(said), &inner);
    JsonObject *report = root && JSON_NODE_HOLDS_OBJECT(root) ? json_node_get_object(root) : NULL;
    const char *refused = report ? text_of(report, "refused") : NULL;
    g_autoptr(scree_tried) trial = NULL;
    if (report && !refused && (code == SCREE_EXIT_OK || code == SCREE_EXIT_PLUGIN))
        trial = read_report(report, failures);
    if (trial && code == SCREE_EXIT_OK)
        return g_steal_pointer(&trial);
    g_autofree char *why = rename_in(refused ? refused : failures->str, path, shown);
    if (refused)
        scree_fail(error, SCREE_EXIT_PLUGIN, "%s", why);
    else if (trial)
        scree_fail(error, SCREE_EXIT_PLUGIN, "%s: scree check fails:%s", shown, why);
    else
        scree_fail(error, SCREE_EXIT_RUN, "%s: scree check did not end: status %d", shown, status);
    return NULL;
}
