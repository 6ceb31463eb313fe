/* SPDX-License-Identifier: Apache-2.0 */
/* Opens a file once, and reports whether others than root and the user can change it. */
#include "plugin/trust.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/shortage.h"

/*
 * Idea: the path is walked from "/", name by name. Each folder is opened and judged by its
 * descriptor, in which the next name is looked up; links are read and followed here. So the walked
 * folders are the judged ones, and the file at the end stays that inode: after any renaming its
 * descriptor still reads, hashes and loads the same file.
 *
 * Rule: each folder belongs to root or the user, and only they can write it. A folder above may be
 * writable if it is sticky (/tmp): others cannot rename its entries, but they can add names. So an
 * entry that is taken from it, even a link, must belong to root or the user. The folder of the file
 * may not even be sticky: a new file in it could be a build for another CPU, or a library.
 */

/** A folder on the way. */
typedef struct place {
    int fd;
    char *name; /* its name in the folder above; "" for "/" */
    struct stat status;
} place;

typedef struct walk {
    GArray *way;    /* elements: place, from "/" on */
    GQueue pending; /* elements: char *, the names that are left */
    char *noted;    /* the first complaint about a folder or a link above, or NULL */
    int n_links;
} walk;

/* Who can write. */

/** Whether only one user has the group, as systems with a umask of 002 arrange. */
static bool is_private_group(gid_t group, uid_t user)
{
    const struct passwd *owner = getpwuid(user);
    if (!owner || owner->pw_gid != group)
        return false;
    g_autofree char *name = g_strdup(owner->pw_name);
    const struct group *entry = getgrgid(group);
    if (!entry || !g_str_equal(entry->gr_name, name))
        return false;
    for (char **member = entry->gr_mem; *member; member++)
        if (!g_str_equal(*member, name))
            return false;
    return true;
}

static bool others_can_write(const struct stat *status)
{
    if (status->st_mode & S_IWOTH)
        return true;
    return (status->st_mode & S_IWGRP) && !is_private_group(status->st_gid, status->st_uid);
}

/** The fault of owner or mode; NULL: none. */
static const char *find_mode_fault(const struct stat *status, bool may_be_sticky)
{
    if (status->st_uid != 0 && status->st_uid != geteuid())
        return "belongs to another user";
    if (!(may_be_sticky && (status->st_mode & S_ISVTX)) && others_can_write(status))
        return "can be written by others";
    return NULL;
}

/* The walk. */

static void clear_place(void *data)
{
    place *p = data;
    close(p->fd);
    g_free(p->name);
}

static place *last(const walk *w)
{
    return &g_array_index(w->way, place, w->way->len - 1);
}

/** Path of the last folder, or of `name` in it. New string. */
static char *show(const walk *w, const char *name)
{
    GString *path = g_string_new(NULL);
    for (guint i = 1; i < w->way->len; i++)
        g_string_append_printf(path, "/%s", g_array_index(w->way, place, i).name);
    if (name)
        g_string_append_printf(path, "/%s", name);
    if (!path->len)
        g_string_append_c(path, '/');
    return g_string_free(path, FALSE);
}

/** Appends a folder to the way, which then owns the descriptor. */
static void enter(walk *w, int fd, const char *name, const struct stat *status)
{
    const place next = {fd, g_strdup(name), *status};
    g_array_append_val(w->way, next);
    const char *fault = find_mode_fault(status, true);
    if (fault && !w->noted) {
        g_autofree char *path = show(w, NULL);
        w->noted = g_strdup_printf("the folder %s above it %s", path, fault);
    }
}

static bool enter_root(walk *w)
{
    struct stat status;
    int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    g_array_set_size(w->way, 0);
    enter(w, fd, "", &status);
    return true;
}

static void push_names(walk *w, const char *path)
{
    g_auto(GStrv) names = g_strsplit(path, "/", -1);
    for (guint i = g_strv_length(names); i-- > 0;)
        g_queue_push_head(&w->pending, g_strdup(names[i]));
}

/** Continues at the target of a link. */
static bool follow(walk *w, int fd, const char *name, const struct stat *status)
{
    enum { MOST_LINKS = 40 };
    char target[PATH_MAX];
    ssize_t n = readlinkat(fd, "", target, sizeof target - 1);
    if (n < 0)
        return false;
    target[n] = '\0';
    if (++w->n_links > MOST_LINKS) {
        errno = ELOOP;
        return false;
    }
    if (!w->noted && status->st_uid != 0 && status->st_uid != geteuid() &&
        others_can_write(&last(w)->status)) {
        g_autofree char *path = show(w, name);
        w->noted = g_strdup_printf("the link %s on the way to it belongs to another user", path);
    }
    push_names(w, target);
    return *target != '/' || enter_root(w);
}

/** Opens the file for reading by its descriptor of O_PATH: no name is looked up again. */
static bool take_walked_file(walk *w, int fd, const char *name, const struct stat *status,
                             scree_opened *opened)
{
    char self[64];
    g_snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
    opened->fd = open(self, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (opened->fd < 0)
        return false;
    opened->status = *status;
    opened->path = show(w, name);
    const place *folder = last(w);
    const char *fault = find_mode_fault(status, false),
               *around = find_mode_fault(&folder->status, false);
    g_autofree char *above = show(w, NULL);
    if (fault)
        opened->complaint = g_strdup_printf("the file %s", fault);
    else if (around)
        opened->complaint = g_strdup_printf("its folder %s %s", above, around);
    else
        opened->complaint = g_strdup(w->noted);
    return true;
}

/** Follows one name. False, with errno: it leads nowhere; EINVAL: it leads to something other than
 * a regular file. */
static bool advance(walk *w, const char *name, scree_opened *opened)
{
    struct stat status;
    if (!*name || g_str_equal(name, "."))
        return true;
    if (g_str_equal(name, "..")) {
        if (w->way->len > 1)
            g_array_set_size(w->way, w->way->len - 1);
        return true;
    }
    int fd = openat(last(w)->fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool good = fstat(fd, &status) == 0, is_end = g_queue_is_empty(&w->pending);
    if (good && S_ISDIR(status.st_mode)) {
        enter(w, fd, name, &status);
        return true;
    }
    if (good && S_ISLNK(status.st_mode)) {
        good = follow(w, fd, name, &status);
    } else if (good && is_end && S_ISREG(status.st_mode)) {
        good = take_walked_file(w, fd, name, &status, opened);
    } else if (good) {
        errno = is_end ? EINVAL : ENOTDIR;
        good = false;
    }
    int why = errno;
    close(fd);
    errno = why;
    return good;
}

bool scree_opened_init(scree_opened *opened, const char *path, GError **error)
{
    g_autofree char *bad = scree_plain_refuse_name(path);
    *opened = (scree_opened){.fd = -1};
    if (bad)
        return scree_fail(error, SCREE_EXIT_PLUGIN, "%s", bad);
    walk w = {.way = g_array_new(FALSE, FALSE, sizeof(place))};
    g_array_set_clear_func(w.way, clear_place);
    g_queue_init(&w.pending);
    char *here = *path == '/' ? NULL : getcwd(NULL, 0);
    push_names(&w, path);
    if (here)
        push_names(&w, here);
    bool good = (*path == '/' || here) && enter_root(&w);
    while (good && opened->fd < 0 && !g_queue_is_empty(&w.pending)) {
        g_autofree char *name = g_queue_pop_head(&w.pending);
        good = advance(&w, name, opened);
    }
    if (!good)
        scree_check_shortage(path);
    if (!good && errno != EINVAL)
        scree_fail(error, SCREE_EXIT_PLUGIN, "%s: %s", path, g_strerror(errno));
    else if (opened->fd < 0)
        good = scree_fail(error, SCREE_EXIT_PLUGIN, "%s: not a regular file", path);
    free(here);
    g_queue_clear_full(&w.pending, g_free);
    g_array_unref(w.way);
    g_free(w.noted);
    return good;
}

void scree_opened_clear(scree_opened *opened)
{
    if (opened->fd >= 0)
        close(opened->fd);
    g_free(opened->path);
    g_free(opened->complaint);
    *opened = (scree_opened){.fd = -1};
}

void *scree_read_part(int fd, uint64_t offset, uint64_t size)
{
    struct stat status;
    if (!size || fstat(fd, &status) || offset > (uint64_t)status.st_size ||
        size > (uint64_t)status.st_size - offset)
        return NULL;
    char *bytes = g_try_malloc(size);
    for (uint64_t n = 0; bytes && n < size;) {
        ssize_t got = pread(fd, bytes + n, size - n, (off_t)(offset + n));
        if (got <= 0)
            g_clear_pointer(&bytes, g_free);
        n += got > 0 ? (uint64_t)got : 0;
    }
    return bytes;
}

/* Files that the user vouches for. */

GPtrArray *scree_trusted_new(const char *const *files)
{
    GPtrArray *trusted = g_ptr_array_new_with_free_func(g_free);
    for (; files && *files; files++) {
        char *real = realpath(*files, NULL);
        if (real) /* a missing file cannot be loaded either */
            g_ptr_array_add(trusted, g_strdup(real));
        free(real);
    }
    return trusted;
}

bool scree_opened_judge(const scree_opened *opened, const GPtrArray *trusted, GError **error)
{
    if (opened->complaint && trusted)
        for (guint i = 0; i < trusted->len; i++)
            if (g_str_equal(trusted->pdata[i], opened->path))
                return true;
    return !opened->complaint ||
           scree_fail(error, SCREE_EXIT_PLUGIN, "%s: %s (--trust FILE takes it)", opened->path,
                      opened->complaint);
}
