/* SPDX-License-Identifier: Apache-2.0 */
/* Where the files of this program are: in its build tree, or installed, perhaps moved since. */
#ifndef CORE_PATHS_H
#define CORE_PATHS_H

#include <glib.h>
#include <stdbool.h>

/** A file or folder of this program: `built` in the build tree that made it, else `installed`,
 * which is the path that was configured. When the program was moved together with all that was
 * installed (a staged or copied prefix), the path follows. New string. */
char *scree_paths_own(const char *built, const char *installed);

/** The folder of the plugins of this program, where the build or `meson install` has put them. New
 * string. */
char *scree_paths_own_plugins(void);
/** The name of an index of plugins (plugin/index.h) in its folder. */
#define SCREE_INDEX_NAME "plugins.json"
/** The user's index of plugins: $XDG_CACHE_HOME/scree/plugins.json, or that of $HOME/.cache. As
 * scree_paths_user_plugins. */
char *scree_paths_user_index(void);

/** The user's folder of plugins: $XDG_DATA_HOME/scree/plugins, or that of $HOME/.local/share when
 * the variable is not set or relative, which the XDG specification calls invalid. New string; NULL
 * when the home is relative too. */
char *scree_paths_user_plugins(void);

/** A whole file that a scene names, zero byte appended; NULL with a problem that calls it `shown`.
 * Only regular files are accepted: a pipe that nobody writes to would never end. New. */
char *scree_paths_read(const char *path, const char *shown, size_t *length, GPtrArray *problems);

/** "dir/name", or name when it is absolute or dir is ".". */
char *scree_path_join(const char *dir, const char *name);

#endif
