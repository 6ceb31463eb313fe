/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a plugin file is scree's own, and which of scree's own files it shadows. */
#ifndef CORE_ORIGIN_H
#define CORE_ORIGIN_H

#include <stdint.h>

/** "scree": in the folder of this program's plugins. "user": in the user's folder of plugins. "other":
 * in any other folder. `path` is absolute. A constant. */
const char *scree_origin_of(const char *path);
/** Path of scree's own file of kind/id that the file at `path` shadows, a new string; NULL: none, or
 * the file is scree's own. */
char *scree_origin_shadowed(const char *kind, const char *id, const char *path);

#endif
