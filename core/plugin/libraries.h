/* SPDX-License-Identifier: Apache-2.0 */
/* The libraries that a plugin's file needs: found as the linker finds them, judged before it does.
 */
#ifndef CORE_LIBRARIES_H
#define CORE_LIBRARIES_H

#include "plugin/trust.h"

/** A library that the linker would take from a folder which the file or the user names. */
typedef struct scree_library {
    scree_opened opened;
    char *name; /* as the file that needs it names it */
} scree_library;

/** Opens and judges the libraries that `file` needs, theirs too, in the order in which they are to
 * be loaded: GPtrArray of scree_library. Not in it: those that the process has, and those that
 * the linker finds in the folders of the system, which are root's. NULL: one was refused. */
GPtrArray *scree_libraries_open(const scree_opened *file, const GPtrArray *trusted, GError **error);

/** True for "ID.x86-64-v3.so" and the like, which are never plugins of their own. */
bool scree_file_is_twin(const char *name);

#endif
