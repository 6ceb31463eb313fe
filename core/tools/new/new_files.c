/* SPDX-License-Identifier: Apache-2.0 */
/* Writes new files and folders, completely or not at all; it replaces nothing. */
#include "tools/new/new_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/folder.h"
#include "base/text.h"

/** Renames without replacing anything. A file system that cannot do so gives a file a second link;
 * a folder then replaces at most an empty one. */
static bool rename_new(const char *from, const char *to, bool folder)
{
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    return folder ? rename(from, to) == 0 : link(from, to) == 0 && unlink(from) == 0;
}

/** Writes and closes the file. */
static bool write_whole(int fd, const char *text)
{
    bool written = scree_write_all(fd, text, strlen(text)) && fsync(fd) == 0;
    int why = errno;
    bool closed = close(fd) == 0;
    errno = written ? errno : why;
    return written && closed;
}

static mode_t present_mask(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return mask;
}

/** Whether something has this path; errno is then EEXIST. */
static bool exists(const char *path)
{
    struct stat info;
    bool there = lstat(path, &info) == 0;
    errno = there ? EEXIST : errno;
    return there;
}

/** Writes a file of a folder. False with errno. */
static bool write_file(const char *path, const char *text)
{
    g_autofree char *beside = g_strconcat(path, ".XXXXXX", NULL);
    int fd = exists(path) ? -1 : g_mkstemp_full(beside, O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    if (write_whole(fd, text) && chmod(beside, 0666 & ~present_mask()) == 0 &&
        rename_new(beside, path, false) && (errno = scree_folder_sync(path)) == 0)
        return true;
    int why = errno;
    unlink(beside);
    errno = why;
    return false;
}

/** Writes the files into a folder, up to the first failure. False with errno. */
static bool fill_folder(const char *folder, const scree_new_text *files, size_t n)
{
    bool good = true;
    for (size_t i = 0; i < n && good; i++) {
        g_autofree char *path = g_build_filename(folder, files[i].name, NULL);
        good = write_file(path, files[i].text);
    }
    return good;
}

/** Writes a new file. False with errno. */
static bool write_folder(const char *path, const scree_new_text *files, size_t n)
{
    g_autofree char *beside = g_strconcat(path, ".XXXXXX", NULL);
    if (exists(path) || !g_mkdtemp_full(beside, 0777))
        return false;
    if (fill_folder(beside, files, n) && rename_new(beside, path, true) &&
        (errno = scree_folder_sync(path)) == 0)
        return true;
    int why = errno;
    for (size_t i = 0; i < n; i++) {
        g_autofree char *file = g_build_filename(beside, files[i].name, NULL);
        unlink(file);
    }
    rmdir(beside);
    errno = why;
    return false;
}

/** The first missing folder on the way to `dir`, a new string; NULL: none is missing. */
static char *first_missing(const char *dir)
{
    char *missing = NULL;
    for (char *at = dir ? g_canonicalize_filename(dir, NULL) : NULL; at;) {
        if (g_file_test(at, G_FILE_TEST_EXISTS)) {
            g_free(at);
            break;
        }
        g_free(missing);
        missing = at;
        at = g_path_get_dirname(missing);
    }
    return missing;
}

/** Removes `dir` and the folders above it, up to `first`, which this process has made. */
static void remove_made(const char *dir, const char *first)
{
    char *at = first ? g_canonicalize_filename(dir, NULL) : NULL;
    while (at && g_str_has_prefix(at, first) && rmdir(at) == 0) {
        char *above = g_path_get_dirname(at);
        g_free(at);
        at = above;
    }
    g_free(at);
}

/** Writes one file, or (`folder`) a folder of files. */
static bool write_new(const char *dir, const char *name, const scree_new_text *files, size_t n,
                      bool folder, char **path, GError **error)
{
    g_autofree char *first = first_missing(dir), *bad = dir ? scree_plain_refuse_name(dir) : NULL;
    if (bad)
        return scree_fail(error, SCREE_EXIT_USAGE, "%s", bad);
    *path = dir ? g_build_filename(dir, name, NULL) : g_strdup(name);
    if (dir && g_mkdir_with_parents(dir, 0777) != 0) {
        scree_fail(error, SCREE_EXIT_RUN, "cannot make the folder %s: %s", dir, g_strerror(errno));
        remove_made(dir, first);
        return false;
    }
    if (folder ? write_folder(*path, files, n) : write_file(*path, files->text))
        return true;
    int why = errno;
    remove_made(dir, first);
    if (why == EEXIST || why == ENOTEMPTY)
        return scree_fail(error, SCREE_EXIT_USAGE,
                          "%s exists and stays as it is; choose another NAME", *path);
    return scree_fail(error, SCREE_EXIT_RUN, "cannot write %s: %s", *path, g_strerror(why));
}

bool scree_new_file(const char *dir, const scree_new_text *file, char **path, GError **error)
{
    return write_new(dir, file->name, file, 1, false, path, error);
}

bool scree_new_folder(const char *dir, const char *name, const scree_new_text *files, size_t n,
                      char **path, GError **error)
{
    return write_new(dir, name, files, n, true, path, error);
}

char *scree_new_quoted(const char *path)
{
    return strpbrk(path, " '\"\\$`&|;<>()*?[]#~!{}\t\n") ? g_shell_quote(path) : g_strdup(path);
}
