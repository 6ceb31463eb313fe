/* SPDX-License-Identifier: Apache-2.0 */
/* Where this program lies: in its build tree, or installed, perhaps moved since; files by name. */
#ifndef CORE_PATHS_H
#define CORE_PATHS_H

#include <glib.h>
#include <stdbool.h>

/** True in a program of the build tree that made it. */
bool scree_paths_uninstalled(void);

/** A folder of the installation, `configured` at build time; when the program was moved with all
 * that was installed beside it (a staged or copied prefix), the one beside it. New string. */
char *scree_paths_installed(const char *configured);

/** The user's folder of plugins: $XDG_DATA_HOME/scree/plugins, or that of $HOME/.local/share when
 * the variable is not set or relative, which the XDG specification calls invalid. New string; NULL
 * when the home is relative too. */
char *scree_paths_user_plugins(void);

/** A whole file that a scene names, zero byte appended; NULL with a problem that calls it `shown`.
 * What is no regular file is refused: a pipe that nobody writes to would never end. New. */
char *scree_paths_read(const char *path, const char *shown, size_t *length, GPtrArray *problems);

#endif
