/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of a run: made anew, never reused. */
#include "run_dir.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define RUNS "runs"
enum { MOST_RUNS = 1000000 };

static bool fail(GError **error, int status, const char *what, const char *path, const char *why)
{
    g_set_error(error, SCREE_ERROR, status, "%s %s: %s", what, path, why);
    return false;
}

/** True when the folder is there and empty; false with an error when it cannot be used. */
static bool is_usable(const char *path, GError **error)
{
    g_autoptr(GError) inner = NULL;
    GDir *dir = g_dir_open(path, 0, &inner);
    if (!dir)
        return fail(error, SCREE_EXIT_USAGE, "cannot use", path,
                    g_file_test(path, G_FILE_TEST_IS_DIR) ? inner->message : "it is no folder");
    g_autofree char *first = g_strdup(g_dir_read_name(dir));
    g_dir_close(dir);
    if (!first)
        return true;
    g_autofree char *why = g_strdup_printf("it is not empty (it holds %s), and the folder of a run "
                                           "is never used again; give another to -o",
                                           first);
    return fail(error, SCREE_EXIT_USAGE, "cannot use", path, why);
}

static char *make_wanted(const char *wanted, bool *made, GError **error)
{
    if (g_file_test(wanted, G_FILE_TEST_EXISTS))
        return is_usable(wanted, error) ? g_strdup(wanted) : NULL;
    if (g_mkdir_with_parents(wanted, 0777)) {
        fail(error, SCREE_EXIT_RUN, "cannot make the folder", wanted, g_strerror(errno));
        return NULL;
    }
    *made = true;
    return g_strdup(wanted);
}

char *scree_run_dir_make(const char *wanted, const char *name, bool *made, GError **error)
{
    *made = false;
    if (wanted)
        return make_wanted(wanted, made, error);
    if (g_mkdir_with_parents(RUNS, 0777)) {
        fail(error, SCREE_EXIT_RUN, "cannot make the folder", RUNS, g_strerror(errno));
        return NULL;
    }
    for (int number = 1; number <= MOST_RUNS; number++) {
        g_autofree char *path = g_strdup_printf(RUNS "/%s-%d", name, number);
        if (mkdir(path, 0777) == 0) {
            *made = true;
            return g_steal_pointer(&path);
        }
        if (errno == EEXIST)
            continue;
        fail(error, SCREE_EXIT_RUN, "cannot make the folder", path, g_strerror(errno));
        return NULL;
    }
    g_set_error(error, SCREE_ERROR, SCREE_EXIT_RUN, "%d runs of %s in " RUNS " are too many",
                MOST_RUNS, name);
    return NULL;
}

bool scree_run_dir_set_latest(const char *folder, GError **error)
{
    const char *link = RUNS "/latest";
    g_autofree char *target = g_path_get_basename(folder);
    g_autofree char *fresh = g_strdup_printf(RUNS "/.latest-%s", target);
    if (g_file_test(link, G_FILE_TEST_EXISTS) && !g_file_test(link, G_FILE_TEST_IS_SYMLINK))
        return fail(error, SCREE_EXIT_RUN, "cannot set", link, "it is no symbolic link");
    if (symlink(target, fresh) == 0 && rename(fresh, link) == 0)
        return true;
    fail(error, SCREE_EXIT_RUN, "cannot set", link, g_strerror(errno));
    unlink(fresh);
    return false;
}

bool scree_run_dir_write(const char *folder, const char *name, const char *text, GError **error)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_autoptr(GError) inner = NULL;
    if (g_file_set_contents_full(path, text, -1,
                                 G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, 0666,
                                 &inner))
        return true;
    return fail(error, SCREE_EXIT_RUN, "cannot write", path, inner->message);
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *place)
{
    (void)info;
    (void)type;
    (void)place;
    return remove(path);
}

void scree_run_dir_remove(const char *folder)
{
    enum { OPEN_FOLDERS = 8 };
    if (nftw(folder, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS) != 0)
        g_printerr("scree: note: %s could not be removed\n", folder);
}
