/* SPDX-License-Identifier: Apache-2.0 */
/* Files of a run: they have the name of a part until they are complete. */
#include "base/part_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/folder.h"

bool scree_part_file_open(scree_part_file *file, const char *path, char **text)
{
    g_autoptr(GError) gone = NULL;
    g_autofree char *folder = g_path_get_dirname(path);
    g_autofree char *part = g_strconcat(path, ".part", NULL);
    bool there = scree_folder_check(&gone);
    int fd = there && g_mkdir_with_parents(folder, 0777) == 0
                 ? open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)
                 : -1;
    int number = errno;
    if (fd >= 0) {
        *file = (scree_part_file){fd, g_strdup(path), g_steal_pointer(&part)};
        return true;
    }
    if (there) // the folder may have gone meanwhile
        scree_folder_check(&gone);
    *text = g_strdup_printf("cannot write %s: %s", scree_folder_shown(part),
                            gone ? gone->message : g_strerror(number));
    return false;
}

/** Ends a file. Returns 0, or the errno of the first call that failed; what was written then
 * stays. */
static int end_file(scree_part_file *file, bool keep)
{
    int number = keep ? scree_file_sync(file->fd) : 0;
    if (close(file->fd) && !number)
        number = errno;
    file->fd = -1;
    if (number)
        return number;
    if (keep ? rename(file->part, file->path) : unlink(file->part))
        return errno;
    return scree_folder_sync(file->path);
}

static char *tell_failure(const scree_part_file *file, int number, bool keep)
{
    g_autoptr(GError) gone = NULL;
    const char *path = scree_folder_shown(file->path), *part = scree_folder_shown(file->part);
    if (!scree_folder_check(&gone))
        return g_strdup_printf("cannot write %s: %s", path, gone->message);
    if (!keep || !g_file_test(file->part, G_FILE_TEST_EXISTS))
        return g_strdup_printf("cannot write %s: %s", path, g_strerror(number));
    return g_strdup_printf("cannot write %s: %s; what was written to it is in %s", path,
                           g_strerror(number), part);
}

bool scree_part_file_end(scree_part_file *file, bool keep, char **text)
{
    int number = end_file(file, keep);
    if (number)
        *text = tell_failure(file, number, keep);
    return number == 0;
}

void scree_part_file_clear(scree_part_file *file)
{
    g_clear_pointer(&file->path, g_free);
    g_clear_pointer(&file->part, g_free);
}
