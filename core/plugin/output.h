/* SPDX-License-Identifier: Apache-2.0 */
/* Names of files that plugins write into the folder of a run. */
#ifndef CORE_OUTPUT_H
#define CORE_OUTPUT_H

#include "plugin/instance_data.h"

/** The one form of a file name that a plugin gives: "a//b" and "./a/b" are "a/b". NULL: the name
 * leaves the folder, is a folder's or the host's; *why, a new string, says which. */
char *scree_output_name(const char *given, char **why);
/** The other slot that writes this file, or the slot that writes a file in place of one of its
 * folders; NULL: none, and the file belongs to `owner` from now on. */
const char *scree_output_claim(scree_runtime *runtime, const char *name, const char *owner);

#endif
