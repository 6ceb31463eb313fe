/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a plugin file is scree's own, and which of scree's own files it shadows. */
#include "plugin/origin.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/paths.h"

/** Whether a file is below the folder; its path may be with or without the links of the folder. */
static bool is_in(const char *path, const char *folder)
{
    char *real = folder ? realpath(folder, NULL) : NULL;
    const char *names[] = {folder, real};
    bool in = false;
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        in = in || (names[i] && g_str_has_prefix(path, names[i]) && path[strlen(names[i])] == '/');
    free(real);
    return in;
}

const char *scree_origin_of(const char *path)
{
    g_autofree char *own = scree_paths_own_plugins(), *user = scree_paths_user_plugins();
    return is_in(path, own) ? "scree" : is_in(path, user) ? "user" : "other";
}

char *scree_origin_shadowed(const char *kind, const char *id, const char *path)
{
    g_autofree char *own = scree_paths_own_plugins(), *name = g_strconcat(id, ".so", NULL);
    g_autofree char *file = g_build_filename(own, kind, name, NULL);
    if (is_in(path, own) || !g_file_test(file, G_FILE_TEST_EXISTS))
        return NULL;
    return g_steal_pointer(&file);
}
