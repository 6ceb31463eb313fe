/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the libraries that a plugin's file needs, before any of their code runs. */
#ifndef CORE_LIBRARIES_H
#define CORE_LIBRARIES_H

#include "plugin/opened.h"

/** Judges the file's headers and note, then the libraries that the linker would take for it, and
 * their libraries. Libraries that the process has already are passed over. *led: some are from
 * folders that are not root's. False: the file or a library was refused. */
bool scree_libraries_judge(const scree_opened *file, const GPtrArray *trusted, bool *led,
                           GError **error);

#endif
