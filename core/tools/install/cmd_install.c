/* SPDX-License-Identifier: Apache-2.0 */
/* `scree install`: checks plugin files and copies them into the user's folder of this ABI.
 *
 * Idea: the bytes are read once, into files that wait next to their places. `scree check` tries these
 *     copies, so what was checked is what is installed. All files move to their places together.
 */
#include "tools/install/cmd_install.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cpu.h"
#include "base/json.h"
#include "base/paths.h"
#include "base/sha256.h"
#include "base/text.h"
#include "cli/cmd.h"
#include "plugin/kinds.h"
#include "plugin/libraries.h"
#include "plugin/registry.h"
#include "tools/install/copies.h"
#include "tools/install/installed.h"
#include "tools/install/tried.h"

#define SUFFIX ".so"
#define TWIN_SUFFIX "." SCREE_CPU_V3 SUFFIX

/** A file to install. */
typedef struct candidate {
    char *source, *twin_source; /* absolute; twin: the build for x86-64-v3, or NULL */
    char *waiting, *twin_waiting;
    scree_tried *tried;
    scree_installed *row;
} candidate;

typedef struct installing {
    char *folder;
    scree_copies copies;
    GPtrArray *installed, *candidates; /* elements: scree_installed; candidate */
    GPtrArray *all;                    /* elements: scree_listing, of all folders */
} installing;

static void free_candidate(void *data)
{
    candidate *c = data;
    char *texts[] = {c->source, c->twin_source, c->waiting, c->twin_waiting};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    scree_tried_free(c->tried);
    if (c->row)
        scree_installed_free(c->row);
    g_free(c);
}

/* The files. */

/** "a/b.so" to "a/b.x86-64-v3.so". New string. */
static char *name_twin(const char *path)
{
    return g_strdup_printf("%.*s" TWIN_SUFFIX, (int)(strlen(path) - strlen(SUFFIX)), path);
}

static bool add_candidate(GPtrArray *candidates, const char *path, GError **error)
{
    if (!g_str_has_suffix(path, SUFFIX) || scree_file_is_twin(path))
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "%s: expected a folder or FILE.so, without \"%s\", which comes with it",
                          path, TWIN_SUFFIX);
    const char *level = scree_cpu_level(error);
    if (!level)
        return false;
    candidate *c = g_new0(candidate, 1);
    g_ptr_array_add(candidates, c);
    c->source = g_canonicalize_filename(path, NULL);
    c->twin_source = name_twin(c->source);
    if (!g_file_test(c->twin_source, G_FILE_TEST_EXISTS))
        g_clear_pointer(&c->twin_source, g_free);
    if (!c->twin_source || g_str_equal(level, SCREE_CPU_V3))
        return true;
    printf("%s: left out, because this CPU cannot try it\n", c->twin_source);
    g_clear_pointer(&c->twin_source, g_free);
    return true;
}

/** Adds the plugin files of a folder, and of its sub-folders that are named by kind. */
static bool add_folder(GPtrArray *candidates, const char *folder, GError **error)
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
    bool good = paths->len > 0 || scree_fail(error, SCREE_EXIT_USAGE,
                                             "%s: expected plugin files (.so) in it, or in "
                                             "sub-folders that are named by kind, got none",
                                             folder);
    for (guint i = 0; i < paths->len && good; i++)
        good = add_candidate(candidates, paths->pdata[i], error);
    return good;
}

/* Each file. */

static char *hash(const char *bytes, size_t n)
{
    scree_sha256 *sum = scree_sha256_new();
    scree_sha256_add(sum, bytes, n);
    return scree_sha256_end(sum);
}

/** Copies a file into the folder of those that wait. Returns its path there, a new string. */
static char *copy(installing *all, const char *source, const char *name, GError **error)
{
    g_autofree char *bytes = NULL;
    g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
    size_t n;
    bytes = scree_paths_read(source, source, &n, problems);
    if (bytes)
        return scree_copies_write(&all->copies, name, bytes, n, error);
    scree_fail(error, SCREE_EXIT_USAGE, "%s", (const char *)problems->pdata[0]);
    return NULL;
}

/** Copies a build of file number i, and checks the copy. NULL: refused. */
static scree_tried *try_copy(installing *all, guint i, const char *source, const char *suffix,
                             char **waiting, GError **error)
{
    g_autofree char *name =
        g_strdup_printf("%s%u%s", g_str_equal(suffix, SUFFIX) ? "" : "twin-", i, suffix);
    *waiting = copy(all, source, name, error);
    if (!*waiting)
        return NULL;
    printf("checking %s\n", source);
    fflush(stdout);
    return scree_tried_run(*waiting, source, error);
}

/** Copies and checks file number i and its twin. The twin waits under another name: the file is
 * loaded itself. */
static bool try_candidate(installing *all, guint i, GError **error)
{
    candidate *c = all->candidates->pdata[i];
    g_autoptr(scree_tried) twin = NULL;
    c->tried = try_copy(all, i, c->source, SUFFIX, &c->waiting, error);
    if (c->tried && c->twin_source)
        twin = try_copy(all, i, c->twin_source, TWIN_SUFFIX, &c->twin_waiting, error);
    if (!c->tried || (c->twin_source && !twin))
        return false;
    if (twin && !scree_tried_same(c->tried, twin))
        return scree_fail(error, SCREE_EXIT_PLUGIN, "%s: offers other plugins or versions than %s",
                          c->twin_source, c->source);
    const scree_tried_plugin *first = c->tried->plugins->pdata[0];
    c->row = g_new0(scree_installed, 1);
    c->row->file = g_strdup_printf("%s/%s" SUFFIX, first->kind, first->id);
    c->row->sha256 = g_strdup(c->tried->sha256);
    c->row->twin_sha256 = twin ? g_strdup(twin->sha256) : NULL;
    c->row->source = g_strdup(c->source);
    return true;
}

/** The plugins of a file as an array in JSON, and their names in the row. New string. */
static char *list_plugins(candidate *c)
{
    g_autoptr(scree_json) json = scree_json_new();
    const GPtrArray *plugins = c->tried->plugins;
    c->row->plugins = g_new0(char *, plugins->len + 1);
    scree_json_open_array(json, NULL);
    for (guint i = 0; i < plugins->len; i++) {
        const scree_tried_plugin *one = plugins->pdata[i];
        c->row->plugins[i] = g_strdup_printf("%s/%s", one->kind, one->id);
        scree_json_open_object(json, NULL);
        scree_json_string(json, "kind", one->kind);
        scree_json_string(json, "id", one->id);
        scree_json_string(json, "version", one->version);
        scree_json_string(json, "licence", one->licence);
        scree_json_string(json, "citation", one->citation);
        scree_json_close_object(json);
    }
    scree_json_close_array(json);
    return scree_json_line(json);
}

/** The file of the user's folder at this path, relative to it; NULL: it is in another folder. */
static const char *in_folder(const installing *all, const char *path)
{
    const size_t n = strlen(all->folder);
    return g_str_has_prefix(path, all->folder) && path[n] == '/' ? path + n + 1 : NULL;
}

/** Whether one of the files replaces this one of the user's folder. */
static bool is_replaced(const installing *all, const char *file)
{
    for (guint i = 0; i < all->candidates->len; i++)
        if (g_str_equal(((const candidate *)all->candidates->pdata[i])->row->file, file))
            return true;
    return false;
}

/** Refuses a file that would be at the place of another one, or offers a plugin of another one. */
static bool check_place(const installing *all, guint number, GError **error)
{
    const candidate *c = all->candidates->pdata[number];
    g_autofree char *to = g_build_filename(all->folder, c->row->file, NULL);
    if (g_file_test(to, G_FILE_TEST_EXISTS) && !scree_installed_find(all->installed, c->row->file))
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "%s exists, and scree install has not copied it; remove it first", to);
    for (char **name = c->row->plugins; *name; name++) {
        for (guint i = 0; i < number; i++) {
            const candidate *other = all->candidates->pdata[i];
            if (g_strv_contains((const char *const *)other->row->plugins, *name))
                return scree_fail(error, SCREE_EXIT_USAGE, "%s offers %s, and so does %s",
                                  c->source, *name, other->source);
        }
        for (guint i = 0; i < all->all->len; i++) {
            const scree_listing *l = all->all->pdata[i];
            const char *file = in_folder(all, l->path);
            if (!l->id || !scree_kind_name(l->kind) || !file || is_replaced(all, file))
                continue;
            g_autofree char *its = g_strdup_printf("%s/%s", scree_kind_name(l->kind), l->id);
            if (g_str_equal(its, *name))
                return scree_fail(error, SCREE_EXIT_USAGE,
                                  "%s offers %s, and so does %s; remove that one first", c->source,
                                  *name, l->path);
        }
    }
    return true;
}

/* The page that the user sees. */

/** Whether `path` is named after its plugin; a file with another name is found after all those. */
static bool has_name(const char *path, const char *id)
{
    g_autofree char *base = g_path_get_basename(path), *name = g_strconcat(id, SUFFIX, NULL);
    return g_str_equal(base, name);
}

/** Prints which files the plugin of a file stands in for, and which stand in for it. Folders of
 * options and of SCREE_PLUGIN_PATH come before the user's, scree's own after it. */
static void print_shadows(const installing *all, const candidate *c, const scree_tried_plugin *one)
{
    g_autofree char *own = scree_paths_own_plugins();
    const bool named = has_name(c->row->file, one->id);
    for (guint i = 0; i < all->all->len; i++) {
        const scree_listing *l = all->all->pdata[i];
        if (!l->id || in_folder(all, l->path) || !g_str_equal(l->id, one->id) ||
            g_strcmp0(scree_kind_name(l->kind), one->kind) != 0)
            continue;
        const bool is_own = g_str_has_prefix(l->path, own), other = has_name(l->path, one->id);
        const bool wins = named == other ? is_own : named;
        printf("    %s %s%s\n", wins ? "shadows  " : "shadowed by", l->path,
               is_own ? ", which is scree's own" : "");
    }
}

static void print_candidate(const installing *all, const candidate *c)
{
    const scree_installed *before = scree_installed_find(all->installed, c->row->file);
    printf("%s%s\n", c->source, c->twin_source ? ", with its build for " SCREE_CPU_V3 : "");
    for (guint i = 0; i < c->tried->plugins->len; i++) {
        const scree_tried_plugin *one = c->tried->plugins->pdata[i];
        printf("  %s/%s %s\n    licence   %s\n", one->kind, one->id, one->version, one->licence);
        if (one->citation)
            printf("    cite      %s\n", one->citation);
        print_shadows(all, c, one);
    }
    printf("  sha256      %s\n", c->row->sha256);
    if (c->row->twin_sha256)
        printf("  of its twin %s\n", c->row->twin_sha256);
    printf("  checked     %u ok, %u skipped\n  to          %s/%s%s\n", c->tried->ok,
           c->tried->skipped, all->folder, c->row->file, before ? ", which it replaces" : "");
}

/** Asks on the terminal. */
static bool ask(guint n)
{
    char answer[16] = "";
    printf("install %u file%s? [y/N] ", n, n == 1 ? "" : "s");
    fflush(stdout);
    return fgets(answer, sizeof answer, stdin) && (*answer == 'y' || *answer == 'Y');
}

/* The moves. */

/** Plans the moves of a file and its twin: at each moment the twin is that of the file, or
 * missing. */
static void plan_moves(installing *all, const candidate *c)
{
    g_autofree char *twin = name_twin(c->row->file),
                    *there = g_build_filename(all->folder, twin, NULL);
    if (g_file_test(there, G_FILE_TEST_EXISTS))
        scree_copies_move(&all->copies, NULL, twin);
    scree_copies_move(&all->copies, c->waiting, c->row->file);
    if (c->twin_waiting)
        scree_copies_move(&all->copies, c->twin_waiting, twin);
}

/** Replaces the former row of a file. */
static void take_row(installing *all, candidate *c)
{
    const scree_installed *before = scree_installed_find(all->installed, c->row->file);
    if (before)
        g_ptr_array_remove(all->installed, (void *)before);
    g_ptr_array_add(all->installed, g_steal_pointer(&c->row));
}

/** Plans the move of a new installed.json. */
static bool plan_list(installing *all, GError **error)
{
    g_autofree char *text = scree_installed_text(all->installed);
    g_autofree char *path =
        scree_copies_write(&all->copies, SCREE_INSTALLED_NAME, text, strlen(text), error);
    if (path)
        scree_copies_move(&all->copies, path, SCREE_INSTALLED_NAME);
    return path != NULL;
}

/* installed.json moves first: after a crash no copy is there that it does not name. */
static bool move_all(installing *all, GError **error)
{
    const guint n = all->candidates->len;
    g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < n; i++)
        g_ptr_array_add(files, g_strdup(((candidate *)all->candidates->pdata[i])->row->file));
    GPtrArray *plans = all->copies.moves;
    for (guint i = 0; i < n; i++)
        plan_moves(all, all->candidates->pdata[i]);
    for (guint i = 0; i < n; i++)
        take_row(all, all->candidates->pdata[i]);
    if (!plan_list(all, error))
        return false;
    g_ptr_array_insert(plans, 0, g_ptr_array_steal_index(plans, plans->len - 1));
    if (!scree_copies_commit(&all->copies, error))
        return false;
    for (guint i = 0; i < n; i++)
        printf("installed %s/%s\n", all->folder, (const char *)files->pdata[i]);
    return true;
}

/* The commands. */

static bool open_folder(installing *all, GError **error)
{
    all->folder = scree_paths_user_plugins();
    if (!all->folder)
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "expected an absolute XDG_DATA_HOME or HOME, got none");
    if (!scree_copies_begin(&all->copies, all->folder, error))
        return false;
    all->installed = scree_installed_read(all->folder, error);
    return all->installed != NULL;
}

static void close_folder(installing *all)
{
    if (all->copies.moves)
        scree_copies_end(&all->copies);
    if (all->installed)
        g_ptr_array_unref(all->installed);
    if (all->all)
        g_ptr_array_unref(all->all);
    g_ptr_array_unref(all->candidates);
    g_free(all->folder);
}

static bool prepare(installing *all, const char *what, GError **error)
{
    struct stat info;
    if (stat(what, &info) != 0)
        return scree_fail(error, SCREE_EXIT_USAGE, "%s: no such file or folder", what);
    if (!(S_ISDIR(info.st_mode) ? add_folder(all->candidates, what, error)
                                : add_candidate(all->candidates, what, error)) ||
        !open_folder(all, error))
        return false;
    const guint n = all->candidates->len;
    for (guint i = 0; i < n; i++)
        if (!try_candidate(all, i, error))
            return false;
    g_autoptr(scree_registry) registry = scree_cmd_registry_new();
    all->all = scree_registry_scan(registry);
    for (guint i = 0; i < n; i++) {
        candidate *c = all->candidates->pdata[i];
        g_autofree char *plugins = list_plugins(c);
        c->row->line = scree_installed_line(c->row, plugins);
    }
    for (guint i = 0; i < n; i++)
        if (!check_place(all, i, error))
            return false;
    return true;
}

static int install(const char *what, bool yes)
{
    installing all = {.candidates = g_ptr_array_new_with_free_func(free_candidate)};
    g_autoptr(GError) error = NULL;
    int status = SCREE_EXIT_OK;
    if (!prepare(&all, what, &error)) {
        fputs("nothing is installed\n", stdout);
        status = scree_cmd_fail(error);
    } else {
        for (guint i = 0; i < all.candidates->len; i++)
            print_candidate(&all, all.candidates->pdata[i]);
        if (!yes && !ask(all.candidates->len)) {
            fputs("nothing is installed\n", stdout);
            status = SCREE_EXIT_STOPPED;
        } else if (!move_all(&all, &error))
            status = scree_cmd_fail(error);
    }
    close_folder(&all);
    return status;
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
    return install(argv[1], yes);
}

/** Whether a file of the user's folder still has these bytes; *there: whether it exists. */
static bool has_bytes(const char *folder, const char *file, const char *sha256, bool *there)
{
    g_autofree char *path = g_build_filename(folder, file, NULL), *bytes = NULL, *is = NULL;
    size_t n = 0;
    *there = g_file_test(path, G_FILE_TEST_EXISTS);
    if (*there && g_file_get_contents(path, &bytes, &n, NULL))
        is = hash(bytes, n);
    return g_strcmp0(is, sha256) == 0;
}

/** Plans the removal of one file; a file that is missing already needs none. */
static bool plan_removal(installing *all, const char *file, const char *sha256, GError **error)
{
    bool there;
    const bool same = has_bytes(all->folder, file, sha256, &there);
    if (there && !same)
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "%s/%s: expected the bytes that were installed, got others; remove it "
                          "yourself",
                          all->folder, file);
    if (there)
        scree_copies_move(&all->copies, NULL, file);
    return true;
}

static bool uninstall(installing *all, const char *name, GError **error)
{
    scree_installed *row = NULL;
    if (!open_folder(all, error))
        return false;
    for (guint i = 0; i < all->installed->len && !row; i++) {
        scree_installed *one = all->installed->pdata[i];
        row = g_strv_contains((const char *const *)one->plugins, name) ? one : NULL;
    }
    if (!row)
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "%s: scree install has not installed it (%s/" SCREE_INSTALLED_NAME ")",
                          name, all->folder);
    g_autofree char *twin = name_twin(row->file), *names = g_strjoinv(", ", row->plugins);
    if ((row->twin_sha256 && !plan_removal(all, twin, row->twin_sha256, error)) ||
        !plan_removal(all, row->file, row->sha256, error))
        return false;
    g_autofree char *said = g_strdup_printf("%s/%s: %s", all->folder, row->file, names);
    g_ptr_array_remove(all->installed, row);
    if (!plan_list(all, error) || !scree_copies_commit(&all->copies, error))
        return false;
    printf("removed %s\n", said);
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
    installing all = {.candidates = g_ptr_array_new_with_free_func(free_candidate)};
    status = uninstall(&all, argv[1], &error) ? SCREE_EXIT_OK : scree_cmd_fail(error);
    close_folder(&all);
    return status;
}
