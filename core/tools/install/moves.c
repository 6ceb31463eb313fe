/* SPDX-License-Identifier: Apache-2.0 */
/* Changes files of a folder together: all of them or none.
 *
 * Idea: a move swaps two names of one file system, so a reader finds the old or the new file, and the same
 *     swap takes the move back. A file that is replaced waits until all moves are made. Only a file with known
 *     bytes is replaced or removed.
 * Limits: a crash in the middle of the moves leaves each file whole, but maybe not all of them moved. A
 *     process that is killed leaves its waiting folder, which is in nobody's way.
 */
#include "tools/install/moves.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"

typedef struct move {
    char *waiting, *to; /* absolute paths, which swap */
    char *known;        /* SHA-256 of the file at `to`; NULL: none is there */
    bool made;          /* the move has made the folder of `to` */
} move;

static void free_move(void *data)
{
    move *m = data;
    g_free(m->waiting);
    g_free(m->to);
    g_free(m->known);
    g_free(m);
}

static bool fail_at(GError **error, const char *path)
{
    return scree_fail(error, SCREE_EXIT_RUN, "%s: %s", path, g_strerror(errno));
}

static bool exists(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0;
}

/** Replaces a path by that of the folder above. */
static void go_up(char **path)
{
    char *above = g_path_get_dirname(*path);
    g_free(*path);
    *path = above;
}

bool scree_moves_begin(scree_moves *moves, const char *folder, GError **error)
{
    *moves = (scree_moves){.folder = g_strdup(folder),
                           .waiting = g_build_filename(folder, ".waiting-XXXXXX", NULL),
                           .lock = -1,
                           .list = g_ptr_array_new_with_free_func(free_move)};
    g_autofree char *at = g_strdup(folder);
    for (; !exists(at); go_up(&at))
        moves->n_new++;
    if (g_mkdir_with_parents(folder, 0755) != 0 ||
        (moves->lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
        return fail_at(error, folder);
    // Some network file systems have no such locks; there the known bytes must do.
    if (flock(moves->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return scree_fail(error, SCREE_EXIT_RUN,
                          "%s: another scree install or uninstall is at work", folder);
    return g_mkdtemp(moves->waiting) || fail_at(error, folder);
}

char *scree_moves_hash(const char *path)
{
    g_autofree char *bytes = NULL;
    struct stat info;
    size_t n;
    if (lstat(path, &info) != 0 || !S_ISREG(info.st_mode) ||
        !g_file_get_contents(path, &bytes, &n, NULL))
        return NULL;
    return g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)bytes, n);
}

static bool is_known(const char *path, const char *known)
{
    g_autofree char *is = scree_moves_hash(path);
    return known ? g_strcmp0(is, known) == 0 : !exists(path);
}

static bool check_known(const char *path, const char *known, GError **error)
{
    return is_known(path, known) ||
           scree_fail(error, SCREE_EXIT_USAGE, "%s %s", path,
                      known ? "has other bytes than scree install has copied; remove it yourself"
                            : "exists, and scree install has not copied it; remove it first");
}

bool scree_moves_add(scree_moves *moves, const char *name, const char *to, const char *known,
                     GError **error)
{
    g_autofree char *path = g_build_filename(moves->folder, to, NULL);
    known = exists(path) ? known : NULL;
    if (!check_known(path, known, error))
        return false;
    g_autofree char *gone = g_strdup_printf("gone-%u", moves->list->len);
    const move m = {.waiting = g_build_filename(moves->waiting, name ? name : gone, NULL),
                    .to = g_steal_pointer(&path),
                    .known = g_strdup(known)};
    g_ptr_array_add(moves->list, g_memdup2(&m, sizeof m));
    return true;
}

/** Two paths swap their files; one of them may have none. False with errno. */
static bool swap(const char *a, const char *b)
{
    g_autofree char *kept = g_strconcat(a, ".kept", NULL);
    if (!exists(a) || !exists(b))
        return exists(a) ? rename(a, b) == 0 : rename(b, a) == 0;
    if (renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS) // the file system cannot exchange
        return false;
    return link(b, kept) == 0 && rename(a, b) == 0 && rename(kept, a) == 0;
}

static bool make_move(move *m)
{
    g_autofree char *folder = g_path_get_dirname(m->to);
    if (!exists(m->waiting) && !exists(m->to))
        return true; // it was gone before it could be removed
    m->made = !exists(folder);
    return g_mkdir_with_parents(folder, 0755) == 0 && swap(m->waiting, m->to) &&
           (errno = scree_folder_sync(m->to)) == 0;
}

bool scree_moves_commit(scree_moves *moves, GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL);
    move **list = (move **)moves->list->pdata;
    guint n = 0;
    for (; n < moves->list->len; n++)
        if (!check_known(list[n]->to, list[n]->known, error)) // it may have changed since the plan
            return false;
    for (n = 0; n < moves->list->len && make_move(list[n]);)
        n++;
    if (n == moves->list->len)
        return true;
    g_string_printf(text, "%s: %s", list[n]->to, g_strerror(errno));
    for (guint i = n + 1; i-- > 0;) {
        const move *m = list[i];
        if (is_known(m->to, m->known) || (swap(m->waiting, m->to) && is_known(m->to, m->known)))
            continue;
        moves->stuck = true;
        g_string_append_printf(text, "; %s cannot be put back (%s): its file is kept in %s", m->to,
                               g_strerror(errno), moves->waiting);
    }
    return scree_fail(error, SCREE_EXIT_RUN, "%s", text->str);
}

/** Removes a folder with files only. */
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

void scree_moves_end(scree_moves *moves)
{
    if (!moves->stuck)
        remove_folder(moves->waiting);
    for (guint i = moves->list->len; i-- > 0;) {
        const move *m = moves->list->pdata[i];
        g_autofree char *of = g_path_get_dirname(m->to);
        if (m->made || (m->known && !exists(m->to)))
            rmdir(of); // fails, as below, if it holds a file
    }
    for (g_autofree char *at = g_strdup(moves->folder); moves->n_new > 0; moves->n_new--) {
        rmdir(at);
        go_up(&at);
    }
    if (moves->lock >= 0)
        close(moves->lock);
    g_ptr_array_unref(moves->list);
    g_free(moves->folder);
    g_free(moves->waiting);
}
