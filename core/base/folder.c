/* SPDX-License-Identifier: Apache-2.0 */
/* The folder into which this process writes: whether it still exists, and how paths are shown. */
#include "base/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/context.h"

void scree_folder_begin(void)
{
    g_free(scree_context_now->start);
    scree_context_now->start = g_get_current_dir();
}

const char *scree_folder_start(void)
{
    return scree_context_now->start;
}

void scree_folder_show_absolute(bool absolute)
{
    scree_context_now->show_absolute = absolute;
}

const char *scree_folder_shown(const char *path)
{
    size_t n = scree_context_now->start && !scree_context_now->show_absolute
                   ? strlen(scree_context_now->start)
                   : 0;
    return n > 1 && !strncmp(path, scree_context_now->start, n) && path[n] == '/' ? path + n + 1
                                                                                  : path;
}

void scree_folder_spare_syncs(void)
{
    scree_context_now->spares_syncs = true;
}

int scree_file_sync(int fd)
{
    return scree_context_now->spares_syncs || !fsync(fd) ? 0 : errno;
}

int scree_folder_sync(const char *path)
{
    g_autofree char *above = g_path_get_dirname(path);
    int fd = open(above, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int number = fd < 0 ? errno : scree_file_sync(fd);
    if (fd >= 0)
        close(fd);
    return number == EINVAL || number == EACCES ? 0 : number;
}

void scree_folder_hold(const char *path, const struct stat *info)
{
    g_free(scree_context_now->held);
    scree_context_now->held = g_strdup(path);
    scree_context_now->device = info->st_dev;
    scree_context_now->inode = info->st_ino;
}

void scree_folder_drop(void)
{
    g_clear_pointer(&scree_context_now->held, g_free);
}

bool scree_folder_check(GError **error)
{
    struct stat info;
    if (!scree_context_now->held)
        return true;
    if (stat(scree_context_now->held, &info))
        return scree_fail(
            error, SCREE_EXIT_RUN,
            "the folder of the run is gone: %s: %s; it was there when the run started",
            scree_folder_shown(scree_context_now->held), g_strerror(errno));
    if (info.st_dev == scree_context_now->device && info.st_ino == scree_context_now->inode)
        return true;
    return scree_fail(
        error, SCREE_EXIT_RUN,
        "the folder of the run is gone: %s is another folder than when the run started",
        scree_folder_shown(scree_context_now->held));
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *walk)
{
    return remove(path);
}

bool scree_folder_remove(const char *path)
{
    enum { OPEN_FOLDERS = 8 };
    return nftw(path, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS) == 0;
}
