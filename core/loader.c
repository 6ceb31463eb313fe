/* SPDX-License-Identifier: Apache-2.0 */
/* Opens one plugin file and judges it: who can write it, what it does to the process, what it is.
 */
#include <dlfcn.h>
#include <errno.h>
#include <grp.h>
#include <pthread.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cpu.h"
#include "loader.h"
#include "process.h"

#define SUFFIX ".so"
#define TWIN_SUFFIX "." SCREE_CPU_V3 SUFFIX

/* Who can write the file. */

/** True for the group that a user has alone, as systems with a umask of 002 give to each. */
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

/** Refuses what somebody else than root and the user can change. */
static bool check_writers(const char *path, const char *file, GError **error)
{
    struct stat status;
    const char *what = g_str_equal(path, file) ? "" : " its folder";
    if (stat(path, &status) != 0)
        return scree_refuse(error, "%s: %s", file, g_strerror(errno));
    if (status.st_uid != 0 && status.st_uid != geteuid())
        return scree_refuse(error, "%s:%s%s%s belongs to another user (--trust FILE takes it)",
                            file, what, *what ? " " : " the file", *what ? path : "");
    if (others_can_write(&status))
        return scree_refuse(error, "%s:%s%s%s can be written by others (--trust FILE takes it)",
                            file, what, *what ? " " : " the file", *what ? path : "");
    return true;
}

/** The folders above: whoever can write one can put another in its place, unless it is sticky. */
static bool check_ancestors(const char *folder, const char *file, GError **error)
{
    g_autofree char *at = g_strdup(folder);
    while (!g_str_equal(at, "/")) {
        struct stat status;
        g_autofree char *child = g_steal_pointer(&at);
        at = g_path_get_dirname(child);
        if (stat(at, &status) != 0)
            return scree_refuse(error, "%s: %s: %s", file, at, g_strerror(errno));
        if (!(status.st_mode & S_ISVTX) && others_can_write(&status))
            return scree_refuse(error,
                                "%s: the folder %s above it can be written by others (--trust "
                                "FILE takes it)",
                                file, at);
    }
    return true;
}

static bool check_trust(const char *path, GError **error)
{
    g_autofree char *folder = g_path_get_dirname(path);
    return check_writers(path, path, error) && check_writers(folder, path, error) &&
           check_ancestors(folder, path, error);
}

/** Absolute path without links; NULL when there is no such regular file. */
static char *resolve_path(const char *path, GError **error)
{
    struct stat status;
    char *real = realpath(path, NULL);
    if (!real || stat(real, &status) != 0) {
        scree_refuse(error, "%s: %s", path, g_strerror(errno));
        free(real);
        return NULL;
    }
    char *copy = S_ISREG(status.st_mode) ? g_strdup(real) : NULL;
    if (!copy)
        scree_refuse(error, "%s: not a regular file", path);
    free(real);
    return copy;
}

/* What loading does to the process. */

/** dlopen, with the state of the process guarded. The handle is never closed: threads, exit
 * handlers and pointers of a plugin outlive any use of it. */
static void *open_guarded(const char *path, GError **error)
{
    scree_process *before = scree_process_note();
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const char *changed = scree_process_restore(before);
    if (!handle) {
        const char *text = dlerror();
        if (g_str_has_prefix(text, path) && g_str_has_prefix(text + strlen(path), ": "))
            text += strlen(path) + 2;
        scree_refuse(error, "cannot be loaded: %s", text);
        return NULL;
    }
    if (changed) {
        bool rounds = g_str_has_suffix(changed, "environment");
        scree_refuse(error, "changes %s%s when it is loaded", changed,
                     rounds ? " (was it linked with -ffast-math?)" : "");
        return NULL;
    }
    return handle;
}

/** The symbol of our major, or why there is none. */
static const scree_manifest *find_manifest(void *handle, const char *path, GError **error)
{
    const scree_manifest *manifest = (const scree_manifest *)dlsym(handle, SCREE_MANIFEST_SYMBOL);
    for (unsigned major = 0; !manifest && major < 10; major++) {
        g_autofree char *name = g_strdup_printf("scree_plugin_v%u", major);
        if (dlsym(handle, name)) {
            scree_refuse(error, "exports %s: needs ABI %u, this scree has %u.%u", name, major,
                         SCREE_ABI_MAJOR, SCREE_ABI_MINOR);
            return NULL;
        }
    }
    if (!manifest) {
        scree_refuse(error, "no scree plugin: exports no " SCREE_MANIFEST_SYMBOL);
        return NULL;
    }
    /* dlsym looks into the libraries of a file as well. */
    Dl_info info;
    g_autofree char *owner = NULL;
    if (dladdr(manifest, &info) && (owner = resolve_path(info.dli_fname, NULL)) &&
        g_str_equal(owner, path))
        return manifest;
    scree_refuse(error, SCREE_MANIFEST_SYMBOL " is that of %s", owner ? owner : "another file");
    return NULL;
}

const scree_manifest *scree_file_open(const char *path, GError **error)
{
    void *handle = open_guarded(path, error);
    const scree_manifest *manifest = handle ? find_manifest(handle, path, error) : NULL;
    return manifest && scree_manifest_check(manifest, error) ? manifest : NULL;
}

/* One algorithm, two builds. */

bool scree_file_is_twin(const char *name)
{
    return g_str_has_suffix(name, TWIN_SUFFIX);
}

/** Path of the twin that this CPU should take; NULL when there is none. */
static char *find_twin(const char *path, const char *level)
{
    if (!g_str_equal(level, SCREE_CPU_V3) || scree_file_is_twin(path) ||
        !g_str_has_suffix(path, SUFFIX))
        return NULL;
    char *twin = g_strdup_printf("%.*s" TWIN_SUFFIX, (int)(strlen(path) - strlen(SUFFIX)), path);
    if (!g_file_test(twin, G_FILE_TEST_EXISTS))
        g_clear_pointer(&twin, g_free);
    return twin;
}

static bool same_offers(const GPtrArray *a, const GPtrArray *b)
{
    if (a->len != b->len)
        return false;
    for (guint i = 0; i < a->len; i++) {
        const scree_offer *x = a->pdata[i], *y = b->pdata[i];
        if (x->kind != y->kind || !g_str_equal(x->id, y->id) ||
            !g_str_equal(x->version, y->version))
            return false;
    }
    return true;
}

/** Checks the twin and that it is one. */
static bool check_twin(const char *path, const char *twin, const GPtrArray *offers, bool trusted,
                       GError **error)
{
    if (!trusted && !check_trust(twin, error))
        return false;
    g_autoptr(GPtrArray) other = scree_probe(twin, error);
    if (!other)
        return false;
    if (same_offers(offers, other))
        return true;
    return scree_refuse(error,
                        "%s: offers other plugins or versions than %s, whose build for %s it is",
                        twin, path, SCREE_CPU_V3);
}

GPtrArray *scree_file_offers(const char *path, bool trusted, char **taken, GError **error)
{
    const char *level = scree_cpu_level(error);
    g_autofree char *real = level ? resolve_path(path, error) : NULL;
    if (!real || (!trusted && !check_trust(real, error)))
        return NULL;
    g_autoptr(GPtrArray) offers = scree_probe(real, error);
    g_autofree char *twin = offers ? find_twin(real, level) : NULL;
    if (!offers || (twin && !check_twin(real, twin, offers, trusted, error)))
        return NULL;
    *taken = twin ? g_steal_pointer(&twin) : g_steal_pointer(&real);
    return g_steal_pointer(&offers);
}

/* Files that are in. */

static pthread_mutex_t files_mutex = PTHREAD_MUTEX_INITIALIZER;
static GPtrArray *files; /* of scree_file; as long-lived as the code that they point to */

static scree_file *find_file(const char *path)
{
    for (guint i = 0; files && i < files->len; i++) {
        scree_file *file = files->pdata[i];
        if (g_str_equal(file->path, path))
            return file;
    }
    return NULL;
}

static char *hash_file(const char *path, GError **error)
{
    g_autofree char *content = NULL;
    gsize length;
    g_autoptr(GError) inner = NULL;
    if (!g_file_get_contents(path, &content, &length, &inner)) {
        scree_refuse(error, "%s: %s", path, inner->message);
        return NULL;
    }
    return g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)content, length);
}

/** Opens the file that was probed, once per process. */
static scree_file *take_file(const char *path, GError **error)
{
    scree_file *file = find_file(path);
    if (file)
        return file;
    g_autofree char *sha256 = hash_file(path, error);
    if (!sha256)
        return NULL;
    const scree_manifest *manifest = scree_file_open(path, error);
    if (!manifest) {
        g_prefix_error(error, "%s: ", path);
        return NULL;
    }
    file = g_new0(scree_file, 1);
    file->path = g_strdup(path);
    file->sha256 = g_steal_pointer(&sha256);
    file->manifest = manifest;
    file->cpu_level = scree_file_is_twin(path) ? SCREE_CPU_V3 : SCREE_CPU_BASELINE;
    if (!files)
        files = g_ptr_array_new();
    g_ptr_array_add(files, file);
    return file;
}

const scree_file *scree_file_load(const char *path, bool trusted, GError **error)
{
    g_autofree char *taken = NULL;
    g_autoptr(GPtrArray) offers = scree_file_offers(path, trusted, &taken, error);
    if (!offers)
        return NULL;
    pthread_mutex_lock(&files_mutex);
    scree_file *file = take_file(taken, error);
    pthread_mutex_unlock(&files_mutex);
    return file;
}

const char *scree_file_sha256(const scree_file *file)
{
    return file->sha256;
}
