/* SPDX-License-Identifier: Apache-2.0 */
/* `scree install`: checks plugin files and copies them into the user's folder of this ABI.
 *
 * Idea: the bytes are read once, into files that wait next to their places. `scree check` tries these
 *     copies in another process, so what was checked is what is installed, and no code of a plugin runs in
 *     this one. All files move to their places together.
 */
#include "tools/install/cmd_install.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cpu.h"
#include "base/json.h"
#include "base/paths.h"
#include "base/text.h"
#include "cli/cmd.h"
#include "cli/signals.h"
#include "plugin/kinds.h"
#include "plugin/loader.h"
#include "plugin/registry.h"
#include "tools/install/installed.h"
#include "tools/install/moves.h"

#define SUFFIX ".so"
#define TWIN_SUFFIX "." SCREE_CPU_V3 SUFFIX
#define COPY "%u" SUFFIX /* name of a copy that waits, after the number of its file */

typedef struct installing {
    scree_moves moves;
    JsonObject *rows;   /* of installed.json */
    GPtrArray *files;   /* absolute paths; a build for x86-64-v3, a twin, comes after its file */
    GPtrArray *checked; /* rows of the files that have passed all cases, in their order */
    GPtrArray *listing; /* elements: scree_listing, of all folders */
    GHashTable *owners; /* from KIND/ID to the source of the file that offers it */
} installing;

static volatile sig_atomic_t stopped;

/** Stops before the moves. A check under way gets the signal of a terminal, too. */
static void stop(int number, bool again)
{
    (void)number;
    (void)again;
    stopped = 1;
}

/* The files. */

/** "a/b.so" to "a/b.x86-64-v3.so". New string. */
static char *name_twin(const char *path)
{
    return g_strdup_printf("%.*s" TWIN_SUFFIX, (int)(strlen(path) - strlen(SUFFIX)), path);
}

/** Adds a file and its twin. */
static bool add_file(GPtrArray *files, const char *path, GError **error)
{
    g_autofree char *twin = name_twin(path);
    const char *level = scree_cpu_level(error);
    if (!level)
        return false;
    if (!g_str_has_suffix(path, SUFFIX) || scree_file_is_twin(path))
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "%s: expected a folder or FILE.so, without \"%s\", which comes with it",
                          path, TWIN_SUFFIX);
    g_ptr_array_add(files, g_canonicalize_filename(path, NULL));
    if (!g_file_test(twin, G_FILE_TEST_EXISTS))
        return true;
    if (g_str_equal(level, SCREE_CPU_V3))
        g_ptr_array_add(files, g_canonicalize_filename(twin, NULL));
    else
        printf("%s: left out, because this CPU cannot try it\n", twin);
    return true;
}

/** Adds the plugin files of a folder, and of its sub-folders that are named by kind. */
static bool add_folder(GPtrArray *files, const char *folder, GError **error)
{
    g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
    for (uint32_t kind = 0; !kind || scree_kind_name(kind); kind++) {
        g_autofree char *at = g_build_filename(folder, kind ? scree_kind_name(kind) : NULL, NULL);
        g_autoptr(GDir) dir = g_dir_open(at, 0, NULL);
        if (!dir)
            continue;
        for (const char *name; (name = g_dir_read_name(dir));)
            if (g_str_has_suffix(name, SUFFIX) && !scree_file_is_twin(name))
                g_ptr_array_add(paths, g_build_filename(at, name, NULL));
    }
    g_ptr_array_sort(paths, scree_compare_texts);
    bool good =
        paths->len > 0 ||
        scree_fail(error, SCREE_EXIT_USAGE,
                   "%s: expected plugin files (.so) in it or in sub-folders named by kind", folder);
    for (guint i = 0; i < paths->len && good; i++)
        good = add_file(files, paths->pdata[i], error);
    return good;
}

/* Each file. */

/** Writes a file that waits. Returns its path, a new string. */
static char *write_waiting(const installing *all, const char *name, const char *bytes, size_t n,
                           GError **error)
{
    g_autofree char *path = g_build_filename(all->moves.waiting, name, NULL);
    const bool good = g_file_set_contents_full(
        path, bytes, (gssize)n, G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, 0644,
        error);
    return good ? g_steal_pointer(&path) : NULL;
}

/** Refuses a file with the fault, or the failed cases, of its report. */
static void refuse(JsonNode *report, const char *path, const char *source, GError **error)
{
    const char *refused = scree_text_of(json_node_get_object(report), "refused");
    g_autoptr(GString) text = g_string_new(refused);
    g_autoptr(JsonNode) found = json_path_query("$.plugins[*].cases[*]", report, NULL);
    JsonArray *cases = json_node_get_array(found);
    if (!refused)
        g_string_append_printf(text, "%s: scree check fails:", path);
    for (guint i = 0; i < json_array_get_length(cases); i++) {
        JsonObject *one = json_array_get_object_element(cases, i);
        const char *why = scree_text_of(one, "text");
        if (g_str_equal(scree_text_of(one, "verdict"), "not ok"))
            g_string_append_printf(text, "\n    not ok %s: %s", scree_text_of(one, "id"),
                                   why ? why : scree_text_of(one, "claim"));
    }
    g_auto(GStrv) parts = g_strsplit(text->str, path, -1);
    g_autofree char *shown = g_strjoinv(source, parts);
    scree_fail(error, SCREE_EXIT_PLUGIN, "%s", shown);
}

/** Runs `scree check` on a copy, with the options --plugin-path and --trust of this process. Returns its
 * report, a new reference. */
static JsonObject *check_file(const char *path, const char *source, GError **error)
{
    g_autoptr(GString) line = g_string_new("/proc/self/exe check --json");
    g_autofree char *file = g_shell_quote(path), *said = NULL;
    int status = 0;
    scree_cmd_add_globals(line);
    g_string_append_printf(line, " -- %s", file);
    printf("checking %s\n", source);
    fflush(stdout);
    if (stopped || !g_spawn_command_line_sync(line->str, &said, NULL, &status, error))
        return NULL;
    g_autoptr(JsonNode) report = scree_json_read(said, strlen(said), NULL);
    if (report && status == 0)
        return json_node_dup_object(report);
    if (report)
        refuse(report, path, source, error);
    else
        scree_fail(error, SCREE_EXIT_PLUGIN, "%s: scree check did not end", source);
    return NULL;
}

/** Makes the report of a check a row. */
static void make_row(JsonObject *row, const char *source)
{
    JsonArray *plugins = json_object_get_array_member(row, "plugins");
    g_auto(GStrv) names = scree_installed_names(row);
    const char *end = scree_file_is_twin(source) ? TWIN_SUFFIX : SUFFIX;
    g_autofree char *file = g_strconcat(names[0], end, NULL),
                    *shown = g_utf8_make_valid(source, -1);
    for (guint i = 0; names[i]; i++)
        json_object_remove_member(json_array_get_object_element(plugins, i), "cases");
    json_object_remove_member(row, "install");
    json_object_set_string_member(row, "file", file);
    json_object_set_string_member(row, "source", shown);
}

/** Copies and checks file number i. The copy has a number for a name: under its own name the host would
 * load its twin. */
static bool try_file(installing *all, guint i, GError **error)
{
    const char *source = all->files->pdata[i];
    g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *name = g_strdup_printf(COPY, i);
    size_t n;
    g_autofree char *bytes = scree_paths_read(source, source, 0, &n, problems);
    if (!bytes)
        return scree_fail(error, SCREE_EXIT_USAGE, "%s", (const char *)problems->pdata[0]);
    g_autofree char *path = write_waiting(all, name, bytes, n, error);
    JsonObject *row = path ? check_file(path, source, error) : NULL;
    if (!row)
        return false;
    make_row(row, source);
    g_ptr_array_add(all->checked, row);
    JsonObject *base = scree_file_is_twin(source) && all->checked->len == i + 1
                           ? all->checked->pdata[i - 1]
                           : row; // the base has failed
    return json_node_equal(json_object_get_member(base, "plugins"),
                           json_object_get_member(row, "plugins")) ||
           scree_fail(error, SCREE_EXIT_PLUGIN, "%s: offers other plugins or versions than %s",
                      source, (const char *)all->files->pdata[i - 1]);
}

/* The plan, which the user sees. */

/** Prints which files a plugin stands in for, and which stand in for it. Folders of options and of
 * SCREE_PLUGIN_PATH come before the user's, scree's own after it; a file that is named after its
 * plugin comes first. False: another file of the user's folder offers the plugin. */
static bool print_others(const installing *all, JsonObject *row, const char *name, GError **error)
{
    const char *file = scree_text_of(row, "file");
    g_autofree char *to = g_build_filename(all->moves.folder, file, NULL),
                    *end = g_strconcat(strchr(name, '/'), SUFFIX, NULL);
    for (guint i = 0; i < all->listing->len; i++) {
        const scree_listing *l = all->listing->pdata[i];
        const char *origin = scree_origin_of(l->path), *kind = scree_kind_name(l->kind);
        g_autofree char *its = g_strdup_printf("%s/%s", kind ? kind : "", l->id ? l->id : "");
        if (!g_str_equal(its, name) || g_str_equal(l->path, to))
            continue;
        if (g_str_equal(origin, "user"))
            return scree_fail(error, SCREE_EXIT_USAGE, "%s offers %s, and so does %s",
                              scree_text_of(row, "source"), name, l->path);
        const bool is_own = g_str_equal(origin, "scree"), named = g_str_has_suffix(to, end);
        const bool wins = named == g_str_has_suffix(l->path, end) ? is_own : named;
        printf("    %s %s%s\n", wins ? "shadows  " : "shadowed by", l->path,
               is_own ? ", which is scree's own" : "");
    }
    return true;
}

static bool print_plugins(installing *all, JsonObject *row, GError **error)
{
    JsonArray *plugins = json_object_get_array_member(row, "plugins");
    g_auto(GStrv) names = scree_installed_names(row);
    const char *source = scree_text_of(row, "source");
    for (guint i = 0; names[i]; i++) {
        JsonObject *one = json_array_get_object_element(plugins, i);
        const char *citation = scree_text_of(one, "citation"),
                   *other = g_hash_table_lookup(all->owners, names[i]);
        if (other)
            return scree_fail(error, SCREE_EXIT_USAGE, "%s offers %s, and so does %s", source,
                              names[i], other);
        g_hash_table_insert(all->owners, g_strdup(names[i]), (char *)source);
        printf("  %s %s\n    licence   %s\n", names[i], scree_text_of(one, "version"),
               scree_text_of(one, "licence"));
        if (citation)
            printf("    cite      %s\n", citation);
        if (!print_others(all, row, names[i], error))
            return false;
    }
    return true;
}

/** Plans a move, or a removal (`name` NULL), of a file that is as it was installed, and its row. */
static bool plan(installing *all, const char *name, const char *to, JsonObject *row, GError **error)
{
    if (!scree_moves_add(&all->moves, name, to, scree_installed_get(all->rows, to, "sha256"),
                         error))
        return false;
    if (row)
        json_object_set_object_member(all->rows, to, json_object_ref(row));
    else
        json_object_remove_member(all->rows, to);
    return true;
}

/** Prints file number i, and plans its moves. */
static bool plan_file(installing *all, guint i, GError **error)
{
    JsonObject *row = all->checked->pdata[i];
    const char *to = scree_text_of(row, "file");
    const bool is_twin = scree_file_is_twin(to),
               has_twin = i + 1 < all->files->len && scree_file_is_twin(all->files->pdata[i + 1]);
    g_autofree char *twin = name_twin(to), *name = g_strdup_printf(COPY, i);
    puts(scree_text_of(row, "source"));
    if (!is_twin && !print_plugins(all, row, error))
        return false;
    printf("  sha256      %s\n  checked     %d ok, %d skipped\n  to          %s/%s%s\n",
           scree_text_of(row, "sha256"), (int)json_object_get_int_member(row, "ok"),
           (int)json_object_get_int_member(row, "skipped"), all->moves.folder, to,
           json_object_has_member(all->rows, to) ? ", which it replaces" : "");
    return plan(all, name, to, row, error) &&
           (is_twin || has_twin || plan(all, NULL, twin, NULL, error));
}

/* The commands. */

/** Opens the user's folder. installed.json moves first, so that no file is there without its row. */
static bool open_folder(installing *all, GError **error)
{
    g_autofree char *folder = scree_paths_user_plugins();
    if (!folder)
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "expected an absolute XDG_DATA_HOME or HOME, got none");
    scree_signals_heed_stop(stop);
    if (!scree_moves_begin(&all->moves, folder, error))
        return false;
    g_autofree char *list = g_build_filename(folder, SCREE_INSTALLED_NAME, NULL),
                    *sha256 = scree_moves_hash(list);
    all->rows = scree_installed_read(folder, error);
    return all->rows &&
           scree_moves_add(&all->moves, SCREE_INSTALLED_NAME, SCREE_INSTALLED_NAME, sha256, error);
}

static void close_folder(installing *all)
{
    if (all->moves.list)
        scree_moves_end(&all->moves);
    g_clear_pointer(&all->rows, json_object_unref);
    g_clear_pointer(&all->files, g_ptr_array_unref);
    g_clear_pointer(&all->checked, g_ptr_array_unref);
    g_clear_pointer(&all->listing, g_ptr_array_unref);
    g_clear_pointer(&all->owners, g_hash_table_unref);
}

/** Makes the moves. Without rows installed.json is removed. */
static bool commit(installing *all, GError **error)
{
    g_autofree char *text = scree_installed_text(all->rows), *path = NULL;
    if (json_object_get_size(all->rows) > 0 &&
        !(path = write_waiting(all, SCREE_INSTALLED_NAME, text, strlen(text), error)))
        return false;
    return scree_moves_commit(&all->moves, error);
}

/** Calls a function for each file, and prints each error. Returns the exit status. */
static int for_each(installing *all, bool (*fn)(installing *all, guint i, GError **error))
{
    int status = SCREE_EXIT_OK;
    for (guint i = 0; i < all->files->len && !stopped; i++) {
        g_autoptr(GError) error = NULL;
        if (!fn(all, i, &error) && !stopped)
            status = scree_cmd_fail(error);
    }
    return stopped ? SCREE_EXIT_STOPPED : status;
}

/** Asks on the terminal. */
static bool ask(guint n)
{
    enum { LOOK_MS = 100 };
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    char answer[16] = "";
    printf("install %u file%s? [y/N] ", n, n == 1 ? "" : "s");
    fflush(stdout);
    while (!stopped && poll(&input, 1, LOOK_MS) < 1) {
    }
    return !stopped && fgets(answer, sizeof answer, stdin) && (*answer == 'y' || *answer == 'Y');
}

static int install(installing *all, const char *what, bool yes)
{
    g_autoptr(GError) error = NULL;
    const bool is_folder = g_file_test(what, G_FILE_TEST_IS_DIR);
    if (!(is_folder ? add_folder : add_file)(all->files, what, &error) || !open_folder(all, &error))
        return scree_cmd_fail(error);
    int status = for_each(all, try_file);
    if (status != SCREE_EXIT_OK)
        return status;
    g_autoptr(scree_registry) registry = scree_cmd_registry_new();
    all->listing = scree_registry_scan(registry);
    status = for_each(all, plan_file);
    if (status != SCREE_EXIT_OK)
        return status;
    if (!yes && !ask(all->files->len))
        return SCREE_EXIT_STOPPED;
    if (!commit(all, &error))
        return scree_cmd_fail(error);
    for (guint i = 0; i < all->files->len; i++)
        printf("installed %s/%s\n", all->moves.folder,
               scree_text_of(all->checked->pdata[i], "file"));
    return SCREE_EXIT_OK;
}

int scree_cmd_install(int argc, char **argv)
{
    gboolean yes = FALSE;
    const GOptionEntry entries[] = {
        {"yes", 'y', 0, G_OPTION_ARG_NONE, &yes, "Install without a question", NULL},
        G_OPTION_ENTRY_NULL};
    int status;
    if (!scree_cmd_parse(
            &argc, &argv, entries, "FILE.so|FOLDER",
            "Checks plugin files as `scree check` does, shows what they are, asks, and "
            "copies them into your\nfolder of plugins for this ABI: all files, or "
            "none. A build FILE." SCREE_CPU_V3 ".so comes with FILE.so.",
            &status))
        return status;
    if (argc != 2)
        return scree_cmd_operands("install", "FILE.so or FOLDER", argc - 1);
    if (!yes && !isatty(STDIN_FILENO))
        return scree_cmd_usage("install", "expected a terminal, which can answer, or --yes");
    installing all = {
        .files = g_ptr_array_new_with_free_func(g_free),
        .checked = g_ptr_array_new_with_free_func((GDestroyNotify)json_object_unref),
        .owners = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
    };
    status = install(&all, argv[1], yes);
    if (status != SCREE_EXIT_OK)
        puts("nothing is installed");
    close_folder(&all);
    return status;
}

static bool uninstall(installing *all, const char *name, GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL);
    if (!open_folder(all, error))
        return false;
    g_autoptr(GList) files = json_object_get_members(all->rows);
    for (const GList *f = files; f; f = f->next) {
        g_autofree char *file = g_strdup(f->data);
        g_auto(GStrv) names = scree_installed_names(json_object_get_object_member(all->rows, file));
        g_autofree char *shown = g_strjoinv(", ", names);
        if (!g_strv_contains((const char *const *)names, name))
            continue;
        if (!plan(all, NULL, file, NULL, error))
            return false;
        g_string_append_printf(text, "removed %s/%s: %s\n", all->moves.folder, file, shown);
    }
    if (!text->len)
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "%s: scree install has not installed it (%s/" SCREE_INSTALLED_NAME ")",
                          name, all->moves.folder);
    if (!commit(all, error))
        return false;
    fputs(text->str, stdout);
    return true;
}

int scree_cmd_uninstall(int argc, char **argv)
{
    const GOptionEntry entries[] = {G_OPTION_ENTRY_NULL};
    g_autoptr(GError) error = NULL;
    int status;
    if (!scree_cmd_parse(&argc, &argv, entries, "KIND/ID",
                         "Removes the file that offers this plugin, with all its plugins. Only "
                         "files that `scree install`\nhas copied are removed.",
                         &status))
        return status;
    if (argc != 2)
        return scree_cmd_operands("uninstall", "KIND/ID", argc - 1);
    installing all = {0};
    status = uninstall(&all, argv[1], &error) ? SCREE_EXIT_OK : scree_cmd_fail(error);
    close_folder(&all);
    return status;
}
