/* SPDX-License-Identifier: Apache-2.0 */
/* Changes files of a folder together: all of them or none.
 *
 * Idea: new files wait in a folder of the same file system, so a move is a rename, and a reader finds the
 *     old or the new file. A second link keeps each file that is replaced, until all moves are made. A
 *     failure takes the moves back, last one first. Only a file with known bytes is replaced or removed.
 * Limits: a crash in the middle of the moves leaves each file whole, but maybe not all of them moved.
 */
#include "tools/install/moves.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/say.h"

#define WAITING ".waiting-"
#define NEW "new-"
#define LOCK ".lock"

typedef struct move {
    char *from, *to; /* absolute; from NULL: `to` is removed */
    char *known;     /* SHA-256 of the file that may be there; NULL: none */
    char *kept;      /* path for what is there */
    bool keeps, moved;
} move;

static void free_move(void *data)
{
    move *m = data;
    char *texts[] = {m->from, m->to, m->known, m->kept};
    for (size_t i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    g_free(m);
}

static bool fail_at(GError **error, const char *path, int number)
{
    return scree_fail(error, SCREE_EXIT_RUN, "%s: %s", path, g_strerror(number));
}

/** Removes the waiting folders with their new files, even those of processes that were killed. A file
 * in them that was replaced may be the only one with its bytes: it stays. */
static void remove_waiting(const char *folder)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    for (const char *name; dir && (name = g_dir_read_name(dir));) {
        g_autofree char *path = g_build_filename(folder, name, NULL);
        struct stat info;
        if (!g_str_has_prefix(name, WAITING) || lstat(path, &info) != 0 || !S_ISDIR(info.st_mode))
            continue;
        g_autoptr(GDir) inner = g_dir_open(path, 0, NULL);
        for (const char *file; inner && (file = g_dir_read_name(inner));) {
            g_autofree char *new = g_build_filename(path, file, NULL);
            if (g_str_has_prefix(file, NEW))
                unlink(new);
        }
        if (rmdir(path) != 0)
            scree_say(SCREE_SAY_NOTE, "%s stays (%s): look for files that were replaced", path,
                      g_strerror(errno));
    }
}

/** Takes the lock. A file that is open for writing can be locked on network file systems, too. */
static bool lock(scree_moves *moves, GError **error)
{
    g_autofree char *path = g_build_filename(moves->folder, LOCK, NULL);
    struct stat info = {0};
    const int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    const bool locked = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &info) == 0;
    const int why = locked ? EWOULDBLOCK : errno;
    moves->lock = fd;
    if (locked && info.st_nlink) // the process that had it before has not removed it
        return true;
    moves->lock = -1;
    if (fd >= 0)
        close(fd);
    return why != EWOULDBLOCK
               ? fail_at(error, path, why)
               : scree_fail(error, SCREE_EXIT_RUN,
                            "%s: another scree install or uninstall is at work", moves->folder);
}

bool scree_moves_begin(scree_moves *moves, const char *folder, GError **error)
{
    *moves = (scree_moves){.folder = g_strdup(folder),
                           .waiting = g_build_filename(folder, WAITING "XXXXXX", NULL),
                           .lock = -1,
                           .list = g_ptr_array_new_with_free_func(free_move)};
    if (g_mkdir_with_parents(folder, 0755) != 0)
        return fail_at(error, folder, errno);
    if (!lock(moves, error))
        return false;
    remove_waiting(folder);
    return g_mkdtemp(moves->waiting) || fail_at(error, folder, errno);
}

char *scree_moves_write(const scree_moves *moves, const char *name, const char *bytes, size_t n,
                        GError **error)
{
    g_autofree char *file = g_strconcat(NEW, name, NULL),
                    *path = g_build_filename(moves->waiting, file, NULL);
    const bool good = g_file_set_contents_full(
        path, bytes, (gssize)n, G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, 0644,
        error);
    return good ? g_steal_pointer(&path) : NULL;
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

/** Refuses what is at `path` unless it has the known bytes. `shown`: its place. */
static bool check_known(const char *path, const char *known, const char *shown, GError **error)
{
    g_autofree char *is = scree_moves_hash(path);
    if (!known)
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "%s exists, and scree install has not copied it; remove it first", shown);
    return g_strcmp0(is, known) == 0 ||
           scree_fail(error, SCREE_EXIT_USAGE,
                      "%s: expected the bytes that were installed, got others; remove it yourself",
                      shown);
}

static bool exists(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0;
}

bool scree_moves_add(scree_moves *moves, const char *from, const char *to, const char *known,
                     GError **error)
{
    g_autofree char *path = g_build_filename(moves->folder, to, NULL);
    g_autofree char *name = g_strdup_printf("kept-%u", moves->list->len);
    if (exists(path) && !check_known(path, known, path, error))
        return false;
    const move m = {.from = g_strdup(from),
                    .to = g_steal_pointer(&path),
                    .known = g_strdup(known),
                    .kept = g_build_filename(moves->waiting, name, NULL)};
    g_ptr_array_add(moves->list, g_memdup2(&m, sizeof m));
    return true;
}

static bool make_move(move *m, GError **error)
{
    g_autofree char *folder = g_path_get_dirname(m->to);
    if (m->from && g_mkdir_with_parents(folder, 0755) != 0)
        return fail_at(error, m->to, errno);
    if (exists(m->to)) {
        // not all file systems have links; a rename leaves a moment without the file
        m->keeps = (m->from && link(m->to, m->kept) == 0) || rename(m->to, m->kept) == 0;
        if (!m->keeps)
            return fail_at(error, m->to, errno);
        if (!check_known(m->kept, m->known, m->to, error)) // it may have changed since the plan
            return false;
    }
    m->moved = m->from && rename(m->from, m->to) == 0;
    if (m->from && !m->moved)
        return fail_at(error, m->to, errno);
    const int why = m->keeps || m->moved ? scree_folder_sync(m->to) : 0;
    return !why || fail_at(error, m->to, why);
}

/** Takes a move back, even one that has failed half way. Appends what it could not do to `text`. */
static void undo_move(const move *m, GString *text)
{
    if (m->keeps && rename(m->kept, m->to) != 0)
        g_string_append_printf(text, "; %s cannot be put back (%s), and is kept as %s", m->to,
                               g_strerror(errno), m->kept);
    else if (m->keeps)
        unlink(m->kept); // rename does nothing for two links of one file
    else if (m->moved && unlink(m->to) != 0)
        g_string_append_printf(text, "; %s stays: %s", m->to, g_strerror(errno));
}

bool scree_moves_commit(scree_moves *moves, GError **error)
{
    g_autoptr(GError) why = NULL;
    g_autoptr(GString) text = g_string_new(NULL);
    guint n = 0;
    while (n < moves->list->len && !why)
        make_move(moves->list->pdata[n++], &why);
    while (n-- > 0) {
        const move *m = moves->list->pdata[n];
        if (why)
            undo_move(m, text);
        else if (m->keeps)
            unlink(m->kept);
    }
    return !why || scree_fail(error, why->code, "%s%s", why->message, text->str);
}

void scree_moves_end(scree_moves *moves)
{
    // FOLDER/scree/plugins/abi-MAJOR.MINOR
    g_autofree char *plugins = g_path_get_dirname(moves->folder),
                    *scree = g_path_get_dirname(plugins),
                    *locked = g_build_filename(moves->folder, LOCK, NULL);
    for (guint i = 0; i < moves->list->len; i++) {
        g_autofree char *of = g_path_get_dirname(((const move *)moves->list->pdata[i])->to);
        rmdir(of); // fails, as below, if it holds a file
    }
    if (moves->lock >= 0) {
        remove_waiting(moves->folder);
        unlink(locked);
    }
    rmdir(moves->folder);
    rmdir(plugins);
    rmdir(scree);
    if (moves->lock >= 0)
        close(moves->lock);
    g_ptr_array_unref(moves->list);
    g_free(moves->folder);
    g_free(moves->waiting);
}
