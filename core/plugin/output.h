/* SPDX-License-Identifier: Apache-2.0 */
/* Names of files that plugins write into the folder of a run. */
#ifndef CORE_OUTPUT_H
#define CORE_OUTPUT_H

#include <glib.h>

/** The one form of a name that a plugin gives: "a//b" and "./a/b" are "a/b". NULL with *why, a new
 * string, when no plugin may write it: it leaves the folder, is a folder's, or the host's own. */
char *scree_output_name(const char *given, char **why);

#endif
