/* SPDX-License-Identifier: Apache-2.0 */
/* Commands that are programs scree-NAME of this installation or on PATH, as git finds its commands. */
#include "tools/external.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/paths.h"
#include "build_config.h"
#include "cli/program.h"
#include "cli/signals.h"

#define PREFIX "scree-"
#define SUMMARY ".summary"

enum { LONGEST_SUMMARY = 72 }; // characters of a summary that fit on the line of a terminal

/** Whether a name has only letters, digits, - and _, and does not begin with -: it is neither an
 * option nor a path. */
static bool is_command_name(const char *name)
{
    return *name && *name != '-' &&
           !name[strspn(name, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-_")];
}

static bool is_program(const char *path)
{
    return g_file_test(path, G_FILE_TEST_IS_REGULAR) && access(path, X_OK) == 0;
}

/** The folder with the commands of this installation; others of its programs have no summary. */
static char *own_folder(void)
{
    return scree_paths_own(SCREE_BUILD_DIR "/contrib/python/commands", SCREE_COMMAND_DIR);
}

/** The folders of PATH. New array. */
static GStrv path_folders(void)
{
    const char *path = g_getenv("PATH");
    return g_strsplit(path ? path : "", ":", -1);
}

/** The path that a command would have in a folder. New string. */
static char *path_in(const char *folder, const char *name)
{
    g_autofree char *file = g_strconcat(PREFIX, name, NULL);
    return g_build_filename(folder, file, NULL);
}

char *scree_external_find(const char *name, bool blocked)
{
    g_auto(GStrv) folders = path_folders();
    g_autofree char *own = own_folder(), *first = path_in(own, name);
    g_autofree char *summary = g_strconcat(first, SUMMARY, NULL);
    if (!is_command_name(name))
        return NULL;
    if (g_file_test(summary, G_FILE_TEST_EXISTS) && is_program(first) != blocked)
        return g_steal_pointer(&first);
    for (char **folder = folders; *folder; folder++) {
        g_autofree char *path = path_in(*folder, name);
        if (g_path_is_absolute(path) && g_file_test(path, G_FILE_TEST_IS_REGULAR) &&
            is_program(path) != blocked)
            return g_steal_pointer(&path);
    }
    return NULL;
}

/* ---- lists ---- */

static void free_external(void *data)
{
    scree_external *e = data;
    g_free(e->name);
    g_free(e->summary);
    g_free(e);
}

/** The first line of the file PATH.summary, a new string; NULL: the file is missing. */
static char *read_summary(const char *path)
{
    g_autofree char *file = g_strconcat(path, SUMMARY, NULL);
    char text[4 * LONGEST_SUMMARY + 1] = "";
    struct stat status;
    int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t n = fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode)
                    ? read(fd, text, sizeof text - 1)
                    : 0;
    if (fd >= 0)
        close(fd);
    text[MAX(n, 0)] = '\0';
    text[strcspn(text, "\n")] = '\0';
    return *text ? scree_plain(text, LONGEST_SUMMARY) : NULL;
}

static bool has_name(const GPtrArray *externals, const char *name)
{
    for (guint i = 0; i < externals->len; i++)
        if (g_str_equal(((const scree_external *)externals->pdata[i])->name, name))
            return true;
    return false;
}

static int compare_names(const void *a, const void *b)
{
    const scree_external *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

/** Adds the commands of a folder, except names that the list already has. */
static void add_folder(GPtrArray *externals, const char *folder, bool own)
{
    g_autoptr(GDir) dir = g_path_is_absolute(folder) ? g_dir_open(folder, 0, NULL) : NULL;
    if (!dir) // a folder of PATH may be missing
        return;
    for (const char *file; (file = g_dir_read_name(dir));) {
        const char *name = file + strlen(PREFIX);
        if (!g_str_has_prefix(file, PREFIX) || !is_command_name(name) || has_name(externals, name))
            continue;
        g_autofree char *path = path_in(folder, name);
        g_autofree char *summary = is_program(path) ? read_summary(path) : NULL;
        if (!is_program(path) || (own && !summary))
            continue;
        scree_external *e = g_new0(scree_external, 1);
        *e = (scree_external){g_strdup(name), g_steal_pointer(&summary), own};
        g_ptr_array_add(externals, e);
    }
}

GPtrArray *scree_external_list(void)
{
    g_auto(GStrv) folders = path_folders();
    g_autofree char *own = own_folder();
    GPtrArray *externals = g_ptr_array_new_with_free_func(free_external);
    add_folder(externals, own, true);
    for (char **folder = folders; *folder; folder++)
        add_folder(externals, *folder, false);
    g_ptr_array_sort(externals, compare_names);
    return externals;
}

/* ---- the program runs ---- */

/** Blocks the signals that end a command. Python sets its handlers late: command.py of our own
 * commands unblocks them when it has its own. */
static void block_stops(void)
{
    sigset_t stops;
    sigemptyset(&stops);
    sigaddset(&stops, SIGINT);
    sigaddset(&stops, SIGTERM);
    sigaddset(&stops, SIGHUP);
    sigprocmask(SIG_BLOCK, &stops, NULL);
}

int scree_external_run(const char *path, int at, int argc, char **argv)
{
    g_autofree char *scree = scree_paths_own(SCREE_BUILD_DIR "/core/scree", SCREE_BIN_DIR "/scree");
    g_autofree char *own = own_folder(), *folder = g_path_get_dirname(path);
    g_autofree char **words = g_new0(char *, (size_t)argc + 1); // elements are borrowed
    int n = 0;
    for (int i = 0; i < argc; i++)
        if (i != at)
            words[n++] = argv[i];
    words[0] = (char *)path;
    g_setenv("SCREE_PROGRAM", scree, TRUE);
    scree_signals_release();
    if (g_str_equal(folder, own))
        block_stops();
    return scree_become(path, words);
}
