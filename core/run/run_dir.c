/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of a run: each run makes its own. */
#include "run/run_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/context.h"
#include "base/escape.h"
#include "base/folder.h"
#include "base/say.h"

#define RUNS "runs"
#define NFS_LOCK SCREE_FOLDER_LOCK
enum { MOST_RUNS = 1000000 };

static bool fail_path(GError **error, int status, const char *what, const char *path,
                      const char *why)
{
    return scree_fail(error, status, "%s %s: %s", what, path, why);
}

/*
 * A folder belongs to the run that holds its lock: flock of the folder itself, which ends with the
 * process, even if that is killed. Some network file systems have no such locks; there the run
 * makes the file NFS_LOCK, which only one process can make, and which a killed run leaves behind.
 */

/** Returns whether the folder holds only the lock; false with an error: it cannot be used. */
static bool is_usable(const char *path, GError **error)
{
    g_autoptr(GError) inner = NULL;
    g_autofree char *first = NULL;
    GDir *dir = g_dir_open(path, 0, &inner);
    if (!dir)
        return fail_path(error, SCREE_EXIT_USAGE, "cannot use", scree_folder_shown(path),
                         g_file_test(path, G_FILE_TEST_IS_DIR) ? inner->message
                                                               : "expected a folder");
    for (const char *name; !first && (name = g_dir_read_name(dir));)
        first = strcmp(name, SCREE_FOLDER_LOCK) ? g_strdup(name) : NULL;
    g_dir_close(dir);
    if (!first)
        return true;
    g_autofree char *why = g_strdup_printf("it is not empty (it holds %s), and the folder of a run "
                                           "is never used again; give another to -o",
                                           first);
    return fail_path(error, SCREE_EXIT_USAGE, "cannot use", scree_folder_shown(path), why);
}

/** Takes the lock of a folder: a descriptor, or -1 with errno; EWOULDBLOCK: another run has it. */
static int lock_folder(const char *folder)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
    int number = errno;
    close(fd);
    errno = number;
    if (number == EWOULDBLOCK)
        return -1;
    g_autofree char *path = g_build_filename(folder, NFS_LOCK, NULL);
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    scree_context_now->lock_is_file = fd >= 0;
    if (fd < 0 && errno == EEXIST)
        errno = EWOULDBLOCK;
    return fd;
}

/** Takes the folder for this process. */
static bool take(const char *folder, GError **error)
{
    struct stat info;
    int fd = stat(folder, &info) ? -1 : lock_folder(folder);
    if (fd < 0 && errno == EWOULDBLOCK)
        return fail_path(error, SCREE_EXIT_USAGE, "cannot use", scree_folder_shown(folder),
                         "another run is writing to it; give another folder to -o");
    if (fd < 0)
        return fail_path(error, SCREE_EXIT_RUN, "cannot use", scree_folder_shown(folder),
                         g_strerror(errno));
    scree_context_now->lock = fd;
    scree_folder_hold(folder, &info);
    if (is_usable(folder, error)) // another run may have used it since is_usable
        return true;
    scree_run_dir_release();
    return false;
}

void scree_run_dir_release(void)
{
    scree_context *c = scree_context_now;
    if (!c->lock)
        return;
    g_autofree char *path = g_build_filename(c->held, NFS_LOCK, NULL);
    if (c->lock_is_file)
        unlink(path);
    close(c->lock);
    c->lock = 0;
    c->lock_is_file = false;
    scree_folder_drop();
}

/** Makes a folder and its parents. True: it exists. */
static bool make_folder(const char *path, GError **error)
{
    return g_mkdir_with_parents(path, 0777) == 0 ||
           fail_path(error, SCREE_EXIT_RUN, "cannot make the folder", scree_folder_shown(path),
                     g_strerror(errno));
}

static char *make_wanted(const char *wanted, bool *made, GError **error)
{
    g_autofree char *bad = scree_plain_refuse_name(wanted);
    if (bad || !*wanted) {
        scree_fail(error, SCREE_EXIT_USAGE, "-o %s", bad ? bad : "\"\": expected a folder");
        return NULL;
    }
    scree_folder_show_absolute(g_path_is_absolute(wanted));
    g_autofree char *path = g_canonicalize_filename(wanted, scree_folder_start());
    bool there = g_file_test(path, G_FILE_TEST_EXISTS);
    if ((there && !is_usable(path, error)) || (!there && !make_folder(path, error)) ||
        !take(path, error))
        return NULL;
    *made = !there;
    return g_steal_pointer(&path);
}

char *scree_run_dir_make(const char *wanted, const char *name, bool *made, GError **error)
{
    *made = false;
    if (wanted)
        return make_wanted(wanted, made, error);
    g_autofree char *runs = g_canonicalize_filename(RUNS, scree_folder_start());
    if (!make_folder(runs, error))
        return NULL;
    for (int number = 1; number <= MOST_RUNS; number++) {
        g_autofree char *path = g_strdup_printf("%s/%s-%d", runs, name, number);
        if (mkdir(path, 0777) == 0) {
            *made = take(path, error);
            return *made ? g_steal_pointer(&path) : NULL;
        }
        if (errno == EEXIST)
            continue;
        fail_path(error, SCREE_EXIT_RUN, "cannot make the folder", scree_folder_shown(path),
                  g_strerror(errno));
        return NULL;
    }
    g_set_error(error, SCREE_ERROR, SCREE_EXIT_RUN, "expected at most %d runs of %s in " RUNS,
                MOST_RUNS, name);
    return NULL;
}

bool scree_run_dir_set_latest(const char *folder, GError **error)
{
    g_autofree char *target = g_path_get_basename(folder), *runs = g_path_get_dirname(folder);
    g_autofree char *link = g_build_filename(runs, "latest", NULL);
    g_autofree char *fresh = g_strdup_printf("%s/.latest-%s", runs, target);
    const char *shown = scree_folder_shown(link);
    if (g_file_test(link, G_FILE_TEST_EXISTS) && !g_file_test(link, G_FILE_TEST_IS_SYMLINK))
        return fail_path(error, SCREE_EXIT_RUN, "cannot set", shown, "it is not a symbolic link");
    int number = symlink(target, fresh) || rename(fresh, link) ? errno : scree_folder_sync(link);
    if (!number)
        return true;
    fail_path(error, SCREE_EXIT_RUN, "cannot set", shown, g_strerror(number));
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
    return fail_path(error, SCREE_EXIT_RUN, "cannot write", scree_folder_shown(path),
                     inner->message);
}
