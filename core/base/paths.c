/* SPDX-License-Identifier: Apache-2.0 */
/* Where the files of this program are: in its build tree, or installed and perhaps moved since. */
#include "base/paths.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/shortage.h"
#include "build_config.h"
#include "scree/abi.h"

#define SCREE_LIBRARY "libscree.so"

/** Whether the program is in the build tree that made it. */
static bool is_uninstalled(const char *exe)
{
    char *build = realpath(SCREE_BUILD_DIR, NULL);
    bool inside = build && g_str_has_prefix(exe, build) && exe[strlen(build)] == '/';
    free(build);
    return inside;
}

/** Path where a program of this name is installed. New string. */
static char *configured_place(const char *name)
{
    const char *folder = g_str_equal(name, "scree")              ? SCREE_BIN_DIR
                         : g_str_has_prefix(name, SCREE_LIBRARY) ? SCREE_LIB_DIR
                                                                 : SCREE_COMMAND_DIR;
    return g_build_filename(folder, name, NULL);
}

/** The present prefix of this program, a new string: all that was installed may have been moved
 * together. NULL: it is not at its place below a prefix. */
static char *find_prefix(const char *exe)
{
    g_autofree char *name = g_path_get_basename(exe), *place = configured_place(name);
    const char *below = place + strlen(SCREE_PREFIX);
    if (!g_str_has_prefix(place, SCREE_PREFIX "/") || !g_str_has_suffix(exe, below))
        return NULL;
    return g_strndup(exe, strlen(exe) - strlen(below));
}

/** Path of the file with this code, a new string: the program, or the library that another program
 * has loaded. NULL: unknown. */
static char *find_own_file(void)
{
    static const char here;
    Dl_info info;
    if (!dladdr(&here, &info) || !strstr(info.dli_fname, SCREE_LIBRARY))
        return g_file_read_link("/proc/self/exe", NULL);
    char *real = realpath(info.dli_fname, NULL), *path = g_strdup(real);
    free(real);
    return path;
}

char *scree_paths_own(const char *built, const char *installed)
{
    g_autofree char *exe = find_own_file();
    if (exe && is_uninstalled(exe))
        return g_strdup(built);
    g_autofree char *prefix = exe ? find_prefix(exe) : NULL;
    if (!prefix || !g_str_has_prefix(installed, SCREE_PREFIX "/"))
        return g_strdup(installed);
    return g_strconcat(prefix, installed + strlen(SCREE_PREFIX), NULL);
}

char *scree_paths_tools(void)
{
    g_autofree char *folder = scree_paths_own(SCREE_BUILD_DIR "/core", SCREE_COMMAND_DIR);
    return g_build_filename(folder, "scree-tools", NULL);
}

char *scree_paths_own_plugins(void)
{
    return scree_paths_own(SCREE_BUILD_DIR "/plugins", SCREE_PLUGIN_DIR);
}

/** Path of scree/NAME in a folder of the user: that of the variable, otherwise `usual` in the home
 * folder. New string; NULL: neither is absolute. */
static char *user_place(const char *variable, const char *usual, const char *name)
{
    const char *folder = g_getenv(variable), *home = g_get_home_dir();
    if (folder && g_path_is_absolute(folder))
        return g_build_filename(folder, "scree", name, NULL);
    return g_path_is_absolute(home) ? g_build_filename(home, usual, "scree", name, NULL) : NULL;
}

char *scree_paths_user_plugins(void)
{
    g_autofree char *name = g_strdup_printf("plugins/abi-%u.%u", SCREE_ABI_MAJOR, SCREE_ABI_MINOR);
    return user_place("XDG_DATA_HOME", ".local/share", name);
}

char *scree_paths_user_index(void)
{
    return user_place("XDG_CACHE_HOME", ".cache", SCREE_INDEX_NAME);
}

char *scree_paths_read(const char *path, const char *shown, uint64_t most, size_t *length,
                       GPtrArray *problems)
{
    struct stat status;
    g_autoptr(GError) error = NULL;
    char *bytes = NULL, *problem = NULL;
    gsize size = 0;
    if (stat(path, &status) != 0)
        problem = g_strdup_printf("%s: %s", shown, g_strerror(errno));
    else if (!S_ISREG(status.st_mode))
        problem = g_strdup_printf("%s: expected a regular file, got %s", shown,
                                  S_ISDIR(status.st_mode) ? "a folder" : "a pipe or a device");
    else if (most && (uint64_t)status.st_size > most)
        problem = g_strdup_printf("%s: expected at most %" PRIu64
                                  " MiB, got more; put data into a CSV file",
                                  shown, most >> 20);
    else if (!g_file_get_contents(path, &bytes, &size, &error)) {
        scree_check_file_shortage(error, shown);
        problem = g_strdup_printf("%s: %s", shown, error->message);
    }
    if (problem)
        g_ptr_array_add(problems, problem);
    *length = size;
    return bytes;
}

char *scree_path_join(const char *dir, const char *name)
{
    if (g_path_is_absolute(name) || strcmp(dir, ".") == 0)
        return g_strdup(name);
    return g_build_filename(dir, name, NULL);
}
