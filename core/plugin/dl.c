/* SPDX-License-Identifier: Apache-2.0 */
/* Loads a plugin file from the descriptor that was judged, and compares the process before and
 * after.
 *
 * Options weighed: dlopen by path loads any file that is there by then. A sealed copy in memory
 * (memfd_create) has exactly the bytes of the hash, but valgrind, perf, sanitizers and gcov find no
 * symbols in it, and authors of plugins need these. So the linker opens the descriptor through
 * /proc. Its bytes are compared before and after: a file that was written to in between is refused.
 * By /proc/PID/fd/N a debugger finds the file. N stays open for good, because the linker compares
 * names before files. A file with libraries of its own is loaded by its path, from which the linker
 * takes $ORIGIN.
 */
#include "plugin/dl.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/sha256.h"
#include "base/shortage.h"
#include "plugin/guard.h"
#include "plugin/process_state.h"
#include "plugin/trust.h"

#define WRITTEN_TO "was written to while it was"
#define AGAIN "run again when it is complete"

/* The file. */

/** SHA-256 of a file in hexadecimal, a new string; NULL with errno. */
static char *hash_file(int fd)
{
    scree_sha256 *sum = scree_sha256_new();
    guchar buffer[1 << 15];
    off_t at = 0;
    ssize_t n;
    while ((n = pread(fd, buffer, sizeof buffer, at)) > 0) {
        scree_sha256_add(sum, buffer, (size_t)n);
        at += n;
    }
    char *text = scree_sha256_end(sum);
    if (n < 0)
        g_clear_pointer(&text, g_free);
    return text;
}

/** Whether the file was changed so long ago that any later change shows in its times. */
static bool is_settled(const struct stat *status)
{
    enum { TICK = 2 }; // [s] coarser than the clock of any file system
    struct timespec now;
    const struct timespec *changed = &status->st_ctim;
    return clock_gettime(CLOCK_REALTIME, &now) == 0 && changed->tv_sec + TICK < now.tv_sec;
}

static bool has_hash(scree_held *held, GError **error)
{
    if (!held->sha256 && !(held->sha256 = hash_file(held->opened.fd))) {
        scree_check_shortage(held->opened.path);
        return scree_fail(error, SCREE_EXIT_PLUGIN, "%s: %s", held->opened.path, g_strerror(errno));
    }
    return true;
}

scree_held *scree_held_new(const char *path, GPtrArray *trusted, GError **error)
{
    scree_held *held = g_new0(scree_held, 1);
    held->trusted = trusted ? g_ptr_array_ref(trusted) : NULL;
    if (scree_opened_init(&held->opened, path, error) &&
        scree_opened_judge(&held->opened, trusted, error) &&
        ((held->settled = is_settled(&held->opened.status)) || has_hash(held, error)))
        return held;
    scree_held_free(held);
    return NULL;
}

void scree_held_free(scree_held *held)
{
    if (!held)
        return;
    if (held->for_good)
        held->opened.fd = -1;
    if (held->trusted)
        g_ptr_array_unref(held->trusted);
    scree_opened_clear(&held->opened);
    g_free(held->sha256);
    g_free(held);
}

static bool same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

bool scree_held_is_same(const scree_held *held)
{
    const struct stat *was = &held->opened.status;
    struct stat is;
    if (fstat(held->opened.fd, &is) != 0 || is.st_size != was->st_size)
        return false;
    if (held->settled && same_time(is.st_mtim, was->st_mtim) && same_time(is.st_ctim, was->st_ctim))
        return true;
    g_autofree char *now = held->sha256 ? hash_file(held->opened.fd) : NULL;
    return now && g_str_equal(now, held->sha256);
}

const char *scree_held_sha256(scree_held *held, GError **error)
{
    if (!has_hash(held, error))
        return NULL;
    if (scree_held_is_same(held))
        return held->sha256;
    scree_fail(error, SCREE_EXIT_PLUGIN, "%s: " WRITTEN_TO " looked at; " AGAIN, held->opened.path);
    return NULL;
}

/* The linker. */

/** The errno of a shortage that the dynamic linker reports in words; 0: it reports none. */
static int find_shortage(const char *text)
{
    static const int numbers[] = {ENOMEM, EMFILE, ENFILE, EAGAIN};
    for (size_t k = 0; k < G_N_ELEMENTS(numbers); k++)
        if (strstr(text, strerror(numbers[k])))
            return numbers[k];
    static const char *const words[] = {"cannot allocate memory", "out of memory",
                                        "failed to map segment", "cannot create shared object",
                                        "cannot map pages"};
    for (size_t k = 0; k < G_N_ELEMENTS(words); k++)
        if (strstr(text, words[k]))
            return ENOMEM;
    return 0;
}

/** Calls dlopen. NULL: with an error without the name. The handle is never closed: threads, exit
 * handlers and pointers of a plugin outlive any use of it. */
static void *open_name(const scree_opened *file, const char *name, GError **error)
{
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    const char *text = handle ? NULL : dlerror();
    if (handle)
        return handle;
    errno = find_shortage(text);
    scree_check_shortage(file->path);
    if (g_str_has_prefix(text, name) && g_str_has_prefix(text + strlen(name), ": "))
        text += strlen(name) + 2;
    scree_fail(error, SCREE_EXIT_PLUGIN, "cannot be loaded: %s", text);
    return NULL;
}

/** Gives the path of the file to the linker's entry, for debuggers, dladdr and backtraces. */
static void name_map(void *handle, const char *path)
{
    struct link_map *map = NULL;
    if (handle && dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && !g_str_equal(map->l_name, path))
        map->l_name = g_strdup(path);
}

/** Loads the file that the descriptor holds, whatever is at its path by now. */
static void *open_descriptor(const scree_opened *file, GError **error)
{
    g_autofree char *self = g_file_read_link("/proc/self", NULL),
                    *name = g_strdup_printf("/proc/%s/fd/%d", self, file->fd);
    void *handle = self ? open_name(file, name, error) : NULL;
    if (!self)
        scree_fail(error, SCREE_EXIT_PLUGIN,
                   "cannot be loaded: no /proc, through which scree loads plugins");
    name_map(handle, file->path);
    return handle;
}

static bool is_at_its_path(const scree_opened *file)
{
    struct stat is;
    return stat(file->path, &is) == 0 && is.st_dev == file->status.st_dev &&
           is.st_ino == file->status.st_ino;
}

/** Loads a file by its descriptor; by its path if it has libraries, which $ORIGIN may lead to. */
static void *link_file(const scree_held *held, GError **error)
{
    const scree_opened *file = &held->opened;
    if (!held->led)
        return open_descriptor(file, error);
    const bool before = is_at_its_path(file);
    void *handle = before ? open_name(file, file->path, error) : NULL;
    if (before && (!handle || is_at_its_path(file)))
        return handle;
    scree_fail(error, SCREE_EXIT_PLUGIN, "was replaced while it was loaded; " AGAIN);
    return NULL;
}

static int count_one(struct dl_phdr_info *info, size_t size, void *paths)
{
    (void)size;
    g_ptr_array_add(paths, g_strdup(info->dlpi_name));
    return 0;
}

/** Paths of all files that the linker has loaded, in the order of loading. New array. */
static GPtrArray *list_loaded(void)
{
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
    dl_iterate_phdr(count_one, paths);
    return paths;
}

/** Judges the libraries that came with the file, those of its constructors, too: LD_LIBRARY_PATH
 * may lead a known file to others than those of its trial. */
static bool judge_others(const scree_held *held, guint before, GError **error)
{
    g_autoptr(GPtrArray) now = list_loaded();
    bool good = true;
    for (guint i = before; good && i < now->len; i++) {
        const char *path = now->pdata[i];
        scree_opened other = {.fd = -1};
        if (!strchr(path, '/') || g_str_equal(path, held->opened.path)) // the kernel's, or judged
            continue;
        if (!g_path_is_absolute(path))
            return scree_fail(error, SCREE_EXIT_PLUGIN,
                              "loads %s, which LD_LIBRARY_PATH or the plugin takes from a folder "
                              "relative to the current one: expected an absolute folder",
                              path);
        good = !scree_opened_init(&other, path, NULL) ||
               scree_opened_judge(&other, held->trusted, error);
        scree_opened_clear(&other);
    }
    return good || (g_prefix_error(error, "loads a library that is not to be trusted: "), false);
}

static void *open_guarded(scree_held *held, GError **error)
{
    g_autoptr(GPtrArray) known = list_loaded();
    scree_process *before = scree_process_note();
    const char *outer = scree_guard_here()->loading; // a constructor may load another file
    scree_guard_here()->loading = scree_shared_text(held->opened.path);
    void *handle = link_file(held, error);
    scree_guard_here()->loading = outer;
    const char *changed = scree_process_restore(before);
    held->for_good = true; // even a refused file may have started threads
    if (handle && changed) {
        bool rounds = g_str_has_suffix(changed, "environment");
        scree_fail(error, SCREE_EXIT_PLUGIN, "changes %s%s when it is loaded", changed,
                   rounds ? " (was it linked with -ffast-math?)" : "");
        return NULL;
    }
    return handle && judge_others(held, known->len, error) ? handle : NULL;
}

void *scree_held_load(scree_held *held, GError **error)
{
    if (!scree_held_is_same(held)) {
        scree_fail(error, SCREE_EXIT_PLUGIN, WRITTEN_TO " looked at; " AGAIN);
        return NULL;
    }
    void *handle = open_guarded(held, error);
    if (!handle || scree_held_is_same(held))
        return handle;
    scree_fail(error, SCREE_EXIT_PLUGIN, WRITTEN_TO " loaded; " AGAIN);
    return NULL;
}
