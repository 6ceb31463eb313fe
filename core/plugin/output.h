/* SPDX-License-Identifier: Apache-2.0 */
/* Names of files that plugins write into the folder of a run. */
#ifndef CORE_OUTPUT_H
#define CORE_OUTPUT_H

#include <glib.h>

/** The one form of a file name that a plugin gives: "a//b" and "./a/b" are "a/b". NULL: the name
 * leaves the folder, is a folder's or the host's; *why, a new string, says which. */
char *scree_output_name(const char *given, char **why);

#endif
