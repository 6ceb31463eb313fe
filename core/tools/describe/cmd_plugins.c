/* SPDX-License-Identifier: Apache-2.0 */
/* `scree plugins`: lists the plugins, describes one, prints a block to paste into a scene. */
#include "tools/describe/cmd_plugins.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu.h"
#include "base/paths.h"
#include "base/text.h"
#include "cli/cmd.h"
#include "plugin/kinds.h"
#include "plugin/loader.h"
#include "plugin/registry.h"
#include "plugin/trial.h"
#include "scene/scene_keys.h"
#include "tools/describe/describe_json.h"
#include "tools/describe/describe_text.h"
#include "tools/install/installed.h"
#include "tools/judge/index_write.h"

typedef struct listing_query {
    gboolean as_template, as_json, licences, quiet;
    JsonObject *installed; /* rows of installed.json; NULL: none were read */
    char *index;           /* argument of --index */
    scree_registry *registry;
} listing_query;

/* The list. */

static void put_listing(scree_json *json, const scree_listing *listing)
{
    scree_json_open_object(json, NULL);
    scree_json_string(json, "kind", listing->kind ? scree_kind_name(listing->kind) : NULL);
    scree_json_string(json, "id", listing->id);
    scree_json_string(json, "version", listing->version);
    scree_json_string(json, "licence", listing->licence);
    scree_json_string(json, "help", listing->help);
    scree_json_string(json, "file", listing->path);
    scree_json_string(json, "refused", listing->refused);
    scree_json_bool(json, "left_out", listing->left_out);
    scree_json_string(json, "shadowed_by", listing->shadowed_by);
    scree_json_close_object(json);
}

static void print_line(const scree_listing *listing)
{
    /* "PATH: NAME: REASON", where the kind may have no name. */
    const char *why = listing->left_out ? listing->refused + strlen(listing->path) + 2 : NULL;
    g_autofree char *name =
        why ? g_strndup(why, strcspn(why, ":"))
            : g_strdup_printf("%s/%s", scree_kind_name(listing->kind), listing->id);
    printf("%-28s %-8s %s  [%s]", name, listing->version, listing->help, listing->path);
    if (why)
        printf("  (left out%s)", why + strlen(name));
    if (listing->shadowed_by)
        printf("  (shadowed by %s)", listing->shadowed_by);
    putchar('\n');
}

/** Prints id, licence and origin. */
static void print_licence(const listing_query *query, const scree_listing *listing)
{
    g_autofree char *name = g_strdup_printf("%s/%s", scree_kind_name(listing->kind), listing->id);
    g_autofree char *folder = scree_paths_user_plugins();
    const size_t n = folder ? strlen(folder) : 0;
    const bool is_users = n && g_str_has_prefix(listing->path, folder) && listing->path[n] == '/';
    const char *source =
        is_users ? scree_installed_get(query->installed, listing->path + n + 1, "source") : NULL;
    printf("%-28s %-14s ", name, listing->licence);
    if (g_str_equal(scree_origin_of(listing->path), "scree"))
        puts("scree");
    else
        printf("%s%s%s\n", listing->path, source ? ", installed from " : "", source ? source : "");
}

/** Lists all plugins, or those of one kind. A refused file is reported on standard error and by the
 * exit status. */
static int list_plugins(const listing_query *query, uint32_t kind)
{
    g_autoptr(GPtrArray) all = scree_registry_scan(query->registry);
    g_autoptr(scree_json) json = scree_json_new();
    int status = SCREE_EXIT_OK;
    guint shown = 0;
    scree_json_open_object(json, NULL);
    scree_json_open_array(json, "plugins");
    for (guint i = 0; i < all->len; i++) {
        const scree_listing *listing = all->pdata[i];
        if (kind && listing->kind && listing->kind != kind)
            continue;
        shown++;
        if (listing->refused && !listing->left_out) {
            fprintf(stderr, "scree: refused: %s\n", listing->refused);
            status = SCREE_EXIT_PLUGIN;
        }
        if (query->as_json)
            put_listing(json, listing);
        else if (query->licences && !listing->refused)
            print_licence(query, listing);
        else if (!query->licences && (!listing->refused || listing->left_out) && !query->quiet)
            print_line(listing);
    }
    scree_json_close_array(json);
    scree_json_close_object(json);
    if (query->as_json)
        fputs(scree_json_text(json), stdout);
    if (!shown)
        fputs("scree: no plugins found (--plugin-path DIR, SCREE_PLUGIN_PATH)\n", stderr);
    return status;
}

/** The document on one line, without a line break at its end. New string. */
static char *json_line(scree_json *json)
{
    GString *line = g_string_new(NULL);
    for (const char *c = scree_json_text(json); *c; c += strspn(c, "\n ")) {
        const size_t n = strcspn(c, "\n"); // texts hold none: they escape it
        g_string_append_len(line, c, (gssize)n);
        c += n;
    }
    return g_string_free(line, FALSE);
}

/** Adds the path of a file and a JSON object about its plugin, as scree_index_write takes them. */
static bool add_described(GPtrArray *plugins, scree_registry *registry,
                          const scree_listing *listing, GError **error)
{
    char *path = realpath(listing->path, NULL); // the index holds paths without links
    const scree_file *file = scree_file_load(listing->path, registry->trusted, error);
    const uint32_t n = file ? file->manifest->n_plugins : 0;
    for (uint32_t i = 0; i < n; i++) {
        const scree_plugin *plugin = file->manifest->plugins[i];
        if (plugin->kind != listing->kind || !g_str_equal(plugin->id, listing->id))
            continue;
        g_autoptr(scree_json) json = scree_json_new();
        scree_json_open_object(json, NULL);
        scree_describe_json(json, plugin, NULL);
        scree_json_close_object(json);
        g_ptr_array_add(plugins, g_strdup(path));
        g_ptr_array_add(plugins, json_line(json));
    }
    free(path);
    return file != NULL;
}

/** Writes FOLDER/plugins.json. A refused file is reported on standard error and by the exit status.
 */
static int write_index(const char *folder)
{
    g_autofree char *path = g_build_filename(folder, SCREE_INDEX_NAME, NULL);
    g_autoptr(GError) error = NULL;
    listing_query query = {.quiet = true};
    if (!g_file_test(folder, G_FILE_TEST_IS_DIR))
        return scree_cmd_usage("plugins", "--index %s: no such folder", folder);
    scree_index_taken = g_strdup(path);
    g_unsetenv("SCREE_PLUGIN_PATH"); // an index is that of one folder
    const char *const paths[] = {folder, NULL};
    g_autoptr(scree_registry) registry = query.registry = scree_registry_new(paths, NULL);
    g_ptr_array_set_size(registry->folders, 1);
    const int status = list_plugins(&query, 0);
    g_autoptr(GPtrArray) all = scree_registry_scan(registry);
    g_autoptr(GPtrArray) plugins = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < all->len; i++) {
        const scree_listing *listing = all->pdata[i];
        if (!listing->refused && !add_described(plugins, registry, listing, &error))
            return scree_cmd_fail(error);
    }
    return scree_index_write(plugins, &error) ? status : scree_cmd_fail(error);
}

/* The pages. */

static void print_page(const listing_query *query, const scree_plugin *plugin,
                       const scree_file *file)
{
    g_autofree char *page =
        query->as_template ? scree_describe_template(plugin) : scree_describe_text(plugin, file);
    fputs(page, stdout);
}

static int describe_one(const listing_query *query, const char *name, GError **error)
{
    const scree_file *file = NULL;
    const scree_plugin *plugin = NULL;
    const char *id = strchr(name, '/') + 1;
    g_autofree char *kind_name = g_strndup(name, (gsize)(id - name) - 1);
    uint32_t kind = scree_named_kind(kind_name, NULL, error);
    if (kind)
        plugin = scree_registry_get(query->registry, kind, id, &file, error);
    if (!plugin)
        return 1;
    if (!query->as_json) {
        print_page(query, plugin, file);
        return 0;
    }
    g_autoptr(scree_json) json = scree_json_new();
    scree_json_open_object(json, NULL);
    scree_describe_json(json, plugin, file);
    scree_json_close_object(json);
    fputs(scree_json_text(json), stdout);
    return 0;
}

static int describe_file(const listing_query *query, const char *path, GError **error)
{
    const scree_file *file = scree_file_load(path, query->registry->trusted, error);
    if (!file)
        return 1;
    g_autoptr(scree_json) json = scree_json_new();
    scree_json_open_object(json, NULL);
    scree_json_open_array(json, "plugins");
    for (uint32_t i = 0; i < file->manifest->n_plugins; i++) {
        const scree_plugin *plugin = file->manifest->plugins[i];
        if (!query->as_json) {
            fputs(i ? "\n" : "", stdout);
            print_page(query, plugin, file);
            continue;
        }
        scree_json_open_object(json, NULL);
        scree_describe_json(json, plugin, file);
        scree_json_close_object(json);
    }
    scree_json_close_array(json);
    scree_json_open_array(json, "left_out");
    for (guint i = 0; i < file->left_out->len; i++) {
        const scree_offer *one = file->left_out->pdata[i];
        scree_json_string(json, NULL, one->left_out);
        if (!query->as_json)
            printf("%s%s %s (left out)\n    %s\n", i || file->manifest->n_plugins ? "\n" : "",
                   one->left_out, one->version, one->help);
    }
    scree_json_close_array(json);
    scree_json_close_object(json);
    if (query->as_json)
        fputs(scree_json_text(json), stdout);
    return 0;
}

/** Describes the host's own keys: those of groups with that name, or (NULL) of all groups. */
static int describe_host(const listing_query *query, const char *group)
{
    g_autoptr(scree_json) json = scree_json_new();
    g_autoptr(GString) page = g_string_new(NULL);
    const char *names[SCREE_KEYS_END + 1] = {NULL};
    int n = 0;
    scree_json_open_object(json, NULL);
    scree_json_open_array(json, "groups");
    for (int t = 0; t < SCREE_KEYS_END; t++) {
        const scree_key_table *table = &scree_scene_tables[t];
        if (!table->name)
            continue;
        if (!n || strcmp(names[n - 1], table->name))
            names[n++] = table->name;
        if (group && strcmp(table->name, group))
            continue;
        scree_describe_keys(page, table);
        scree_describe_keys_json(json, table);
    }
    scree_json_close_array(json);
    scree_json_close_object(json);
    g_autofree char *hint = group ? scree_did_you_mean(group, names) : NULL,
                    *list = g_strjoinv(", ", (char **)names);
    if (!page->len)
        return scree_cmd_usage("plugins", "no group \"%s\" of a scene%s%s", group,
                               *hint ? hint : "; expected one of ", *hint ? "" : list);
    fputs(query->as_json ? scree_json_text(json) : page->str, stdout);
    return SCREE_EXIT_OK;
}

static int serve(const listing_query *query, const char *what)
{
    g_autoptr(GError) error = NULL;
    uint32_t kind = 0;
    int failed = 0;
    bool is_file = what && g_str_has_suffix(what, ".so"), is_one = what && strchr(what, '/');
    const bool is_host = what && (!strcmp(what, "scene") || g_str_has_prefix(what, "scene/"));
    if (is_host && !query->as_template)
        return describe_host(query, is_one ? what + strlen("scene/") : NULL);
    if (query->as_template && (is_host || (!is_file && !is_one)))
        return scree_cmd_usage("plugins", "--template: expected KIND/ID or FILE.so, got %s",
                               what ? what : "none");
    if (what && !is_file && g_file_test(what, G_FILE_TEST_EXISTS) && is_one) {
        g_set_error(&error, SCREE_ERROR, SCREE_EXIT_USAGE,
                    "expected KIND, KIND/ID or FILE.so, got \"%s\"", what);
        failed = 1;
    } else if (is_file)
        failed = describe_file(query, what, &error);
    else if (is_one)
        failed = describe_one(query, what, &error);
    else if (what)
        failed = (kind = scree_named_kind(what, NULL, &error)) == 0;
    if (failed)
        return scree_cmd_fail(error);
    return is_file || is_one ? SCREE_EXIT_OK : list_plugins(query, kind);
}

static JsonObject *read_installed(GError **error)
{
    g_autofree char *folder = scree_paths_user_plugins();
    return scree_installed_read(folder ? folder : "/nonexistent", error);
}

int scree_cmd_plugins(int argc, char **argv)
{
    listing_query query = {0};
    const GOptionEntry entries[] = {
        {"template", 0, 0, G_OPTION_ARG_NONE, &query.as_template,
         "Print a block to paste into a scene", NULL},
        {"json", 0, 0, G_OPTION_ARG_NONE, &query.as_json, "Print one JSON object", NULL},
        {"licences", 0, 0, G_OPTION_ARG_NONE, &query.licences,
         "List id, licence and origin of each plugin", NULL},
        {"index", 0, 0, G_OPTION_ARG_FILENAME, &query.index,
         "Write FOLDER/plugins.json: what the files of FOLDER offer", "FOLDER"},
        G_OPTION_ENTRY_NULL,
    };
    int status;
    if (!scree_cmd_parse(&argc, &argv, entries, "[KIND | KIND/ID | FILE.so | scene | scene/GROUP]",
                         "Lists the plugins, or describes one.", &status))
        return status;
    if (argc > 2)
        return scree_cmd_usage("plugins", "expected one KIND, KIND/ID or FILE.so, got \"%s\" too",
                               argv[2]);
    if (query.as_template && query.as_json)
        return scree_cmd_usage("plugins", "expected one of --template and --json, got both");
    if (query.licences && (query.as_template || query.as_json || query.index))
        return scree_cmd_usage("plugins", "--licences: expected no other option with it");
    if (query.licences && argc > 1 && strpbrk(argv[1], "/."))
        return scree_cmd_usage("plugins", "--licences: expected a KIND or nothing, got \"%s\"",
                               argv[1]);
    if (query.index && (query.as_template || query.as_json || argc > 1))
        return scree_cmd_usage("plugins", "--index FOLDER: expected nothing else with it");
    g_autoptr(GError) error = NULL;
    if (!scree_cpu_level(&error))
        return scree_cmd_fail(error);
    if (query.index)
        return write_index(query.index);
    g_autoptr(JsonObject) installed = NULL;
    if (query.licences && !(query.installed = installed = read_installed(&error)))
        return scree_cmd_fail(error);
    query.registry = scree_cmd_registry_new();
    query.registry->hints_kinds = true;
    status = serve(&query, argc > 1 ? argv[1] : NULL);
    scree_registry_free(query.registry);
    return status;
}
