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
#include "build_config.h"
#include "cli/cmd.h"
#include "cli/signals.h"
#include "plugin/kinds.h"
#include "plugin/libraries.h"
#include "plugin/origin.h"
#include "plugin/registry.h"
#include "tools/install/installed.h"
#include "tools/install/moves.h"

#define SUFFIX ".so"
#define TWIN_SUFFIX "." SCREE_CPU_V3 SUFFIX

/** A file to install. Its build for x86-64-v3, its twin, comes next in the list. */
typedef struct candidate {
    char *source;    /* absolute */
    char *waiting;   /* its copy */
    JsonObject *row; /* of installed.json; NULL until the copy has passed all cases */
    bool is_twin;
} candidate;

typedef struct installing {
    scree_moves moves;
    JsonArray *rows;    /* of installed.json */
    GPtrArray *files;   /* elements: candidate */
    GPtrArray *listing; /* elements: scree_listing, of all folders */
} installing;

static volatile sig_atomic_t stopped;

/** Stops before the moves; the check under way gets the signal of a terminal, too. */
static void stop(int number, bool again)
{
    (void)number;
    (void)again;
    stopped = 1;
}

static const char *text_of(JsonObject *object, const char *name)
{
    return json_object_get_string_member_with_default(object, name, NULL);
}

/* The files. */

static void free_candidate(void *data)
{
    candidate *c = data;
    g_free(c->source);
    g_free(c->waiting);
    g_clear_pointer(&c->row, json_object_unref);
    g_free(c);
}

/** "a/b.so" to "a/b.x86-64-v3.so". New string. */
static char *name_twin(const char *path)
{
    return g_strdup_printf("%.*s" TWIN_SUFFIX, (int)(strlen(path) - strlen(SUFFIX)), path);
}

static void add_candidate(GPtrArray *files, const char *path, bool is_twin)
{
    const candidate c = {.source = g_canonicalize_filename(path, NULL), .is_twin = is_twin};
    g_ptr_array_add(files, g_memdup2(&c, sizeof c));
}

/** Adds a file and its twin. */
static bool add_file(GPtrArray *files, const char *path, GError **error)
{
    const char *level = scree_cpu_level(error);
    if (!level)
        return false;
    if (!g_str_has_suffix(path, SUFFIX) || scree_file_is_twin(path))
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "%s: expected a folder or FILE.so, without \"%s\", which comes with it",
                          path, TWIN_SUFFIX);
    g_autofree char *twin = name_twin(path);
    add_candidate(files, path, false);
    if (!g_file_test(twin, G_FILE_TEST_EXISTS))
        return true;
    if (g_str_equal(level, SCREE_CPU_V3))
        add_candidate(files, twin, true);
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
        for (const char *name; dir && (name = g_dir_read_name(dir));)
            if (g_str_has_suffix(name, SUFFIX) && !scree_file_is_twin(name))
                g_ptr_array_add(paths, g_build_filename(at, name, NULL));
    }
    g_ptr_array_sort(paths, scree_compare_texts);
    bool good = paths->len > 0 || scree_fail(error, SCREE_EXIT_USAGE,
                                             "%s: expected plugin files (.so) in it, or in "
                                             "sub-folders that are named by kind, got none",
                                             folder);
    for (guint i = 0; i < paths->len && good; i++)
        good = add_file(files, paths->pdata[i], error);
    return good;
}

/* Each file. */

/** Copies a file. It waits under a number: under its own name the host would load its twin. */
static bool copy_file(const installing *all, candidate *c, guint number, GError **error)
{
    g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *name = g_strdup_printf("%u" SUFFIX, number);
    size_t n;
    g_autofree char *bytes = scree_paths_read(c->source, c->source, &n, problems);
    if (!bytes)
        return scree_fail(error, SCREE_EXIT_USAGE, "%s", (const char *)problems->pdata[0]);
    c->waiting = scree_moves_write(&all->moves, name, bytes, n, error);
    return c->waiting != NULL;
}

/** Why a file was refused: its fault, or its failed cases. New string; empty: the check did not end. */
static char *list_faults(JsonObject *report, const candidate *c)
{
    const char *refused = report ? text_of(report, "refused") : NULL;
    GString *text = g_string_new(refused);
    const bool whole = report && !refused && json_object_has_member(report, "failed");
    JsonArray *plugins = whole ? json_object_get_array_member(report, "plugins") : NULL;
    if (whole)
        g_string_append_printf(text, "%s: scree check fails:", c->waiting);
    for (guint i = 0; whole && i < json_array_get_length(plugins); i++) {
        JsonObject *one = json_array_get_object_element(plugins, i);
        JsonArray *cases = json_object_get_array_member(one, "cases");
        for (guint k = 0; k < json_array_get_length(cases); k++) {
            JsonObject *its = json_array_get_object_element(cases, k);
            const char *why = text_of(its, "text");
            if (g_str_equal(text_of(its, "verdict"), "not ok"))
                g_string_append_printf(text, "\n    %s/%s: not ok %s: %s", text_of(one, "kind"),
                                       text_of(one, "id"), text_of(its, "id"),
                                       why ? why : text_of(its, "claim"));
        }
    }
    g_auto(GStrv) parts = g_strsplit(text->str, c->waiting, -1);
    g_string_free(text, TRUE);
    return g_strjoinv(c->source, parts);
}

/** Runs `scree check` on the copy, with the options --plugin-path and --trust of this process. Its
 * report is the row. */
static bool check_file(candidate *c, GError **error)
{
    g_autofree char *program = g_file_read_link("/proc/self/exe", error), *said = NULL;
    int status = 0;
    if (!program)
        return false;
    g_autofree char *quoted = g_shell_quote(program), *file = g_shell_quote(c->waiting);
    g_autoptr(GString) line = g_string_new(quoted);
    g_string_append(line, " check --json");
    scree_cmd_add_globals(line);
    g_string_append_printf(line, " -- %s", file);
    printf("checking %s\n", c->source);
    fflush(stdout);
    if (!g_spawn_command_line_sync(line->str, &said, NULL, &status, error))
        return false;
    g_autoptr(JsonNode) root = scree_json_read(said, strlen(said), NULL);
    JsonObject *report = root && JSON_NODE_HOLDS_OBJECT(root) ? json_node_get_object(root) : NULL;
    if (report && status == 0) {
        c->row = json_object_ref(report);
        return true;
    }
    g_autofree char *faults = list_faults(report, c);
    if (*faults)
        return scree_fail(error, SCREE_EXIT_PLUGIN, "%s", faults);
    return scree_fail(error, SCREE_EXIT_RUN, "%s: scree check did not end: status %d", c->source,
                      status);
}

/** Completes the row; `file`: place of the file. */
static void fill_row(candidate *c, const char *file)
{
    g_autoptr(GDateTime) now = g_date_time_new_now_utc();
    g_autofree char *time = g_date_time_format(now, "%Y-%m-%dT%H:%M:%SZ"),
                    *source = g_utf8_make_valid(c->source, -1);
    JsonArray *plugins = json_object_get_array_member(c->row, "plugins");
    for (guint i = 0; i < json_array_get_length(plugins); i++)
        json_object_remove_member(json_array_get_object_element(plugins, i), "cases");
    json_object_remove_member(c->row, "install");
    json_object_set_string_member(c->row, "file", file);
    json_object_set_string_member(c->row, "source", source);
    json_object_set_string_member(c->row, "installed", time);
    json_object_set_string_member(c->row, "scree", SCREE_VERSION);
}

/** Copies and checks file number i. */
static bool try_file(installing *all, guint i, GError **error)
{
    candidate *c = all->files->pdata[i];
    if (!copy_file(all, c, i, error) || !check_file(c, error))
        return false;
    g_autofree char *hash = scree_moves_hash(c->waiting);
    if (g_strcmp0(hash, text_of(c->row, "sha256")) != 0)
        return scree_fail(error, SCREE_EXIT_RUN, "%s: its copy %s has changed during the check",
                          c->source, c->waiting);
    JsonObject *base = c->is_twin ? ((const candidate *)all->files->pdata[i - 1])->row : c->row;
    g_auto(GStrv) names = scree_installed_names(c->row);
    g_autofree char *file = g_strconcat(names[0], SUFFIX, NULL), *twin = name_twin(file);
    fill_row(c, c->is_twin ? twin : file);
    return !base ||
           json_node_equal(json_object_get_member(base, "plugins"),
                           json_object_get_member(c->row, "plugins")) ||
           scree_fail(error, SCREE_EXIT_PLUGIN,
                      "%s: offers other plugins or versions than its twin", c->source);
}

/* The plan, which the user sees. */

/** Prints which files a plugin stands in for, and which stand in for it. Folders of options and of
 * SCREE_PLUGIN_PATH come before the user's, scree's own after it; a file that is named after its
 * plugin comes first. False: another file of the user's folder offers the plugin. */
static bool print_others(const installing *all, const candidate *c, const char *name, bool named,
                         GError **error)
{
    g_autofree char *to = g_build_filename(all->moves.folder, text_of(c->row, "file"), NULL),
                    *end = g_strconcat(strchr(name, '/'), SUFFIX, NULL);
    for (guint i = 0; i < all->listing->len; i++) {
        const scree_listing *l = all->listing->pdata[i];
        const char *origin = scree_origin_of(l->path), *kind = scree_kind_name(l->kind);
        g_autofree char *its = g_strdup_printf("%s/%s", kind ? kind : "", l->id ? l->id : "");
        if (!g_str_equal(its, name) || g_str_equal(l->path, to))
            continue;
        if (g_str_equal(origin, "user"))
            return scree_fail(error, SCREE_EXIT_USAGE, "%s offers %s, and so does %s; remove one",
                              c->source, name, l->path);
        const bool is_own = g_str_equal(origin, "scree");
        const bool wins = named == g_str_has_suffix(l->path, end) ? is_own : named;
        printf("    %s %s%s\n", wins ? "shadows  " : "shadowed by", l->path,
               is_own ? ", which is scree's own" : "");
    }
    return true;
}

static bool print_plugins(const installing *all, guint number, GError **error)
{
    const candidate *c = all->files->pdata[number];
    g_auto(GStrv) names = scree_installed_names(c->row);
    for (guint i = 0; names[i] && !c->is_twin; i++) {
        JsonObject *one =
            json_array_get_object_element(json_object_get_array_member(c->row, "plugins"), i);
        const char *citation = text_of(one, "citation");
        for (guint k = 0; k < number; k++) {
            const candidate *other = all->files->pdata[k];
            g_auto(GStrv) its = scree_installed_names(other->row);
            if (g_strv_contains((const char *const *)its, names[i]))
                return scree_fail(error, SCREE_EXIT_USAGE, "%s offers %s, and so does %s",
                                  c->source, names[i], other->source);
        }
        printf("  %s %s\n    licence   %s\n", names[i], text_of(one, "version"),
               text_of(one, "licence"));
        if (citation)
            printf("    cite      %s\n", citation);
        if (!print_others(all, c, names[i], i == 0, error))
            return false;
    }
    return true;
}

/** Adds a move, if what is there is as it was installed. */
static bool plan(installing *all, const char *from, const char *to, GError **error)
{
    JsonObject *row = scree_installed_find(all->rows, to);
    return scree_moves_add(&all->moves, from, to, row ? text_of(row, "sha256") : NULL, error);
}

/** Prints file number i, and plans its moves: at each moment the twin is that of the file, or
 * missing. */
static bool plan_file(installing *all, guint i, GError **error)
{
    const candidate *c = all->files->pdata[i];
    const char *to = text_of(c->row, "file");
    g_autofree char *twin = name_twin(to);
    puts(c->source);
    if (!print_plugins(all, i, error))
        return false;
    printf("  sha256      %s\n  checked     %d ok, %d skipped\n  to          %s/%s%s\n",
           text_of(c->row, "sha256"), (int)json_object_get_int_member(c->row, "ok"),
           (int)json_object_get_int_member(c->row, "skipped"), all->moves.folder, to,
           scree_installed_find(all->rows, to) ? ", which it replaces" : "");
    return (c->is_twin || plan(all, NULL, twin, error)) && plan(all, c->waiting, to, error);
}

/** Plans a new installed.json, or its removal when no row is left. */
static bool plan_list(installing *all, GError **error)
{
    g_autofree char *old = g_build_filename(all->moves.folder, SCREE_INSTALLED_NAME, NULL),
                    *known = scree_moves_hash(old), *text = scree_installed_text(all->rows);
    g_autofree char *path =
        scree_moves_write(&all->moves, SCREE_INSTALLED_NAME, text, strlen(text), error);
    const bool is_empty = json_array_get_length(all->rows) == 0;
    return path &&
           scree_moves_add(&all->moves, is_empty ? NULL : path, SCREE_INSTALLED_NAME, known, error);
}

/* The commands. */

static bool open_folder(installing *all, GError **error)
{
    g_autofree char *folder = scree_paths_user_plugins();
    if (!folder)
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "expected an absolute XDG_DATA_HOME or HOME, got none");
    scree_signals_heed_stop(stop);
    if (!scree_moves_begin(&all->moves, folder, error))
        return false;
    all->rows = scree_installed_read(folder, error);
    return all->rows != NULL;
}

static void close_folder(installing *all)
{
    if (all->moves.list)
        scree_moves_end(&all->moves);
    g_clear_pointer(&all->rows, json_array_unref);
    g_clear_pointer(&all->files, g_ptr_array_unref);
    g_clear_pointer(&all->listing, g_ptr_array_unref);
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

/** Checks all files, and plans their moves. Returns the exit status. */
static int prepare(installing *all, const char *what)
{
    g_autoptr(GError) error = NULL;
    const bool is_folder = g_file_test(what, G_FILE_TEST_IS_DIR);
    if (!g_file_test(what, G_FILE_TEST_EXISTS))
        scree_fail(&error, SCREE_EXIT_USAGE, "%s: no such file or folder", what);
    if (error || !(is_folder ? add_folder : add_file)(all->files, what, &error) ||
        !open_folder(all, &error))
        return scree_cmd_fail(error);
    const int status = for_each(all, try_file);
    if (status != SCREE_EXIT_OK)
        return status;
    g_autoptr(scree_registry) registry = scree_cmd_registry_new();
    all->listing = scree_registry_scan(registry);
    return for_each(all, plan_file);
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

static int commit(installing *all)
{
    g_autoptr(GError) error = NULL;
    for (guint i = 0; i < all->files->len; i++) {
        const candidate *c = all->files->pdata[i];
        g_autofree char *twin = name_twin(text_of(c->row, "file"));
        g_autoptr(JsonObject) old = scree_installed_take(all->rows, text_of(c->row, "file"));
        g_autoptr(JsonObject) old_twin = scree_installed_take(all->rows, twin);
        json_array_add_object_element(all->rows, json_object_ref(c->row));
    }
    if (!plan_list(all, &error) || !scree_moves_commit(&all->moves, &error))
        return scree_cmd_fail(error);
    for (guint i = 0; i < all->files->len; i++)
        printf("installed %s/%s\n", all->moves.folder,
               text_of(((const candidate *)all->files->pdata[i])->row, "file"));
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
    installing all = {.files = g_ptr_array_new_with_free_func(free_candidate)};
    status = prepare(&all, argv[1]);
    if (status == SCREE_EXIT_OK)
        status = yes || ask(all.files->len) ? commit(&all) : SCREE_EXIT_STOPPED;
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
    for (;;) {
        g_autoptr(JsonObject) row = scree_installed_take(all->rows, name);
        if (!row)
            break;
        g_auto(GStrv) names = scree_installed_names(row);
        g_autofree char *shown = g_strjoinv(", ", names);
        if (!scree_moves_add(&all->moves, NULL, text_of(row, "file"), text_of(row, "sha256"),
                             error))
            return false;
        g_string_append_printf(text, "removed %s/%s: %s\n", all->moves.folder, text_of(row, "file"),
                               shown);
    }
    if (!text->len)
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "%s: scree install has not installed it (%s/" SCREE_INSTALLED_NAME ")",
                          name, all->moves.folder);
    if (!plan_list(all, error) || !scree_moves_commit(&all->moves, error))
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
