/* SPDX-License-Identifier: Apache-2.0 */
/* Where the files of this program are: in its build tree, or installed and perhaps moved since. */
#ifndef CORE_PATHS_H
#define CORE_PATHS_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/** Path of a file or folder of this program, a new string: `built` in the build tree that made it,
 * otherwise `installed`, the configured path. It follows a prefix that was moved as a whole. */
char *scree_paths_own(const char *built, const char *installed);

/** Path of scree-tools of this installation. New string. */
char *scree_paths_tools(void);
/** Folder with the plugins of this program, filled by the build or by `meson install`. New
 * string. */
char *scree_paths_own_plugins(void);
/** Name of an index of plugins (plugin/index.h) in its folder. */
#define SCREE_INDEX_NAME "plugins.json"
/** Path of the user's index of plugins: $XDG_CACHE_HOME/scree/plugins.json, otherwise in
 * $HOME/.cache. As scree_paths_user_plugins. */
char *scree_paths_user_index(void);

/** The user's folder of plugins of this ABI: $XDG_DATA_HOME/scree/plugins/abi-MAJOR.MINOR, otherwise
 * in $HOME/.local/share. The XDG specification calls a relative path invalid. New string; NULL: the home is relative, too. */
char *scree_paths_user_plugins(void);

/** Reads a whole file that a scene names, with a NUL at its end; NULL with a problem that calls it
 * `shown`. Only regular files of at most `most` bytes (0: any number) are accepted: a pipe without a
 * writer would never end. New array. */
char *scree_paths_read(const char *path, const char *shown, uint64_t most, size_t *length,
                       GPtrArray *problems);

/** "dir/name"; only name when it is absolute or dir is ".". New string. */
char *scree_path_join(const char *dir, const char *name);

#endif
