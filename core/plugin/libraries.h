/* SPDX-License-Identifier: Apache-2.0 */
/* The libraries that a plugin's file needs, judged before any of their code runs. */
#ifndef CORE_LIBRARIES_H
#define CORE_LIBRARIES_H

#include "plugin/opened.h"

/** Opens and judges the libraries that the linker would take for `file`, theirs too: GPtrArray of scree_opened.
 * Without those that the process has. Empty as well when they all come from the folders of the system, which are
 * root's. NULL: one was refused. */
GPtrArray *scree_libraries_open(const scree_opened *file, const GPtrArray *trusted, GError **error);

/** True for "ID.x86-64-v3.so" and the like, which are never plugins of their own. */
bool scree_file_is_twin(const char *name);

#endif
