/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the libraries that a plugin's file needs, before any of their code runs. */
#ifndef CORE_LIBRARIES_H
#define CORE_LIBRARIES_H

#include "plugin/opened.h"

/** Opens and judges the libraries that the linker would take for `file`, and their libraries:
 * GPtrArray of scree_opened. Libraries that the process has already are left out. All from root's
 * folders of the system: the array is empty. NULL: one was refused. */
GPtrArray *scree_libraries_open(const scree_opened *file, const GPtrArray *trusted, GError **error);

/** Whether this is a build for another CPU ("ID.x86-64-v3.so"), which is never a plugin of its
 * own. */
bool scree_file_is_twin(const char *name);

#endif
