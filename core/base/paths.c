/* SPDX-License-Identifier: Apache-2.0 */
/* Where this program lies: in its build tree, or installed, perhaps moved since; files by name. */
#include "base/paths.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/shortage.h"
#include "build_config.h"

bool scree_paths_uninstalled(void)
{
    g_autofree char *exe = g_file_read_link("/proc/self/exe", NULL);
    char *build = realpath(SCREE_BUILD_DIR, NULL);
    bool inside = exe && build && g_str_has_prefix(exe, build) && exe[strlen(build)] == '/';
    free(build);
    return inside;
}

char *scree_paths_installed(const char *configured)
{
    g_autofree char *exe = g_file_read_link("/proc/self/exe", NULL);
    const char *bin = SCREE_BIN_DIR "/scree", *prefix = SCREE_PREFIX "/";
    size_t skip = strlen(SCREE_PREFIX);
    if (!exe || !g_str_has_prefix(bin, prefix) || !g_str_has_prefix(configured, prefix) ||
        !g_str_has_suffix(exe, bin + skip))
        return g_strdup(configured);
    exe[strlen(exe) - strlen(bin + skip)] = '\0';
    return g_strconcat(exe, configured + skip, NULL);
}

char *scree_paths_user_plugins(void)
{
    const char *data = g_getenv("XDG_DATA_HOME"), *home = g_get_home_dir();
    if (data && g_path_is_absolute(data))
        return g_build_filename(data, "scree", "plugins", NULL);
    return g_path_is_absolute(home)
               ? g_build_filename(home, ".local", "share", "scree", "plugins", NULL)
               : NULL;
}

char *scree_paths_read(const char *path, const char *shown, size_t *length, GPtrArray *problems)
{
    struct stat status;
    g_autoptr(GError) error = NULL;
    char *bytes = NULL, *problem = NULL;
    gsize size = 0;
    if (stat(path, &status) != 0)
        problem = g_strdup_printf("%s: cannot read it: %s", shown, g_strerror(errno));
    else if (!S_ISREG(status.st_mode))
        problem = g_strdup_printf("%s: it is %s; a regular file is wanted", shown,
                                  S_ISDIR(status.st_mode) ? "a folder" : "a pipe or a device");
    else if (!g_file_get_contents(path, &bytes, &size, &error)) {
        scree_check_file_shortage(error, shown);
        problem = g_strdup_printf("%s: %s", shown, error->message);
    }
    if (problem)
        g_ptr_array_add(problems, problem);
    *length = size;
    return bytes;
}
