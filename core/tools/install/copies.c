/* SPDX-License-Identifier: Apache-2.0 */
/* Copies files next to their places, and moves them there together: all of them or none.
 *
 * Idea: copies wait in a folder of the same file system, so a move is a rename, and a reader finds the
 *     old or the new file. A second link keeps each file that is replaced, until all moves are made. A
 *     failure takes the moves back, last one first.
 * Limits: a crash in the middle of the moves leaves each file whole, but maybe not all of them moved.
 */
#include "tools/install/copies.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/text.h"

#define WAITING ".waiting"

/** A file that is moved to its place, and what was there. */
typedef struct move {
    char *from, *to, *kept; /* absolute; from NULL: `to` is removed; kept NULL: nothing was there */
} move;

static void free_move(void *data)
{
    move *m = data;
    g_free(m->from);
    g_free(m->to);
    g_free(m->kept);
    g_free(m);
}

static bool fail_at(GError **error, const char *path)
{
    return scree_fail(error, SCREE_EXIT_RUN, "%s: %s", path, g_strerror(errno));
}

/** Removes the files of a folder that has no folders, and the folder. */
static void remove_folder(const char *folder)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    if (!dir)
        return;
    for (const char *name; (name = g_dir_read_name(dir));) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        unlink(path);
    }
    rmdir(folder);
}

bool scree_copies_begin(scree_copies *copies, const char *folder, GError **error)
{
    *copies = (scree_copies){.folder = g_strdup(folder),
                             .waiting = g_build_filename(folder, WAITING, NULL),
                             .lock = -1,
                             .moves = g_ptr_array_new_with_free_func(free_move),
                             .is_new = !g_file_test(folder, G_FILE_TEST_EXISTS)};
    if (g_mkdir_with_parents(folder, 0755) != 0 ||
        (copies->lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
        return fail_at(error, folder);
    if (flock(copies->lock, LOCK_EX | LOCK_NB) != 0) {
        close(copies->lock);
        copies->lock = -1;
        return errno == EWOULDBLOCK
                   ? scree_fail(error, SCREE_EXIT_RUN,
                                "%s: another scree install or uninstall is at work", folder)
                   : fail_at(error, folder);
    }
    remove_folder(copies->waiting); // of an earlier process that was killed
    return mkdir(copies->waiting, 0755) == 0 || fail_at(error, copies->waiting);
}

char *scree_copies_write(scree_copies *copies, const char *name, const char *bytes, size_t n,
                         GError **error)
{
    g_autofree char *path = g_build_filename(copies->waiting, name, NULL);
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    bool good = fd >= 0 && scree_write_all(fd, bytes, n) && fsync(fd) == 0;
    const int why = errno;
    if (fd >= 0 && close(fd) != 0 && good)
        good = false;
    else
        errno = why;
    if (!good)
        fail_at(error, path);
    return good ? g_steal_pointer(&path) : NULL;
}

void scree_copies_move(scree_copies *copies, const char *from, const char *to)
{
    move *m = g_new0(move, 1);
    m->from = g_strdup(from);
    m->to = g_build_filename(copies->folder, to, NULL);
    g_ptr_array_add(copies->moves, m);
}

/** Makes a move; `kept`: path for what was there. False with errno. */
static bool make_move(move *m, const char *kept)
{
    g_autofree char *folder = g_path_get_dirname(m->to);
    struct stat info;
    if (g_mkdir_with_parents(folder, 0755) != 0)
        return false;
    if (lstat(m->to, &info) == 0) {
        if ((m->from ? link(m->to, kept) : rename(m->to, kept)) != 0)
            return false;
        m->kept = g_strdup(kept);
    }
    if (m->from && rename(m->from, m->to) != 0)
        return false;
    return (errno = scree_folder_sync(m->to)) == 0;
}

/** Takes a move back, even one that has failed half way. */
static void undo_move(const move *m)
{
    if (m->kept)
        rename(m->kept, m->to);
    else if (m->from && !g_file_test(m->from, G_FILE_TEST_EXISTS))
        rename(m->to, m->from);
}

/** Removes folders of moves that are empty. */
static void remove_empty(const scree_copies *copies)
{
    for (guint i = 0; i < copies->moves->len; i++) {
        g_autofree char *folder = g_path_get_dirname(((const move *)copies->moves->pdata[i])->to);
        if (!g_str_equal(folder, copies->folder))
            rmdir(folder);
    }
}

bool scree_copies_commit(scree_copies *copies, GError **error)
{
    for (guint i = 0; i < copies->moves->len; i++) {
        move *m = copies->moves->pdata[i];
        g_autofree char *name = g_strdup_printf("kept-%u", i),
                        *kept = g_build_filename(copies->waiting, name, NULL);
        if (make_move(m, kept))
            continue;
        fail_at(error, m->to);
        for (guint k = i + 1; k-- > 0;)
            undo_move(copies->moves->pdata[k]);
        return false;
    }
    return true;
}

void scree_copies_end(scree_copies *copies)
{
    if (copies->lock >= 0) {
        remove_folder(copies->waiting);
        remove_empty(copies);
        if (copies->is_new)
            rmdir(copies->folder); // fails if something was installed
        close(copies->lock);
    }
    g_ptr_array_unref(copies->moves);
    g_free(copies->folder);
    g_free(copies->waiting);
}
