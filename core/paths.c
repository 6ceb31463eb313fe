/* SPDX-License-Identifier: Apache-2.0 */
/* Where this program lies: in its build tree, or installed, perhaps moved since. */
#include "paths.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

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
