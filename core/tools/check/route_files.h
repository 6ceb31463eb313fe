/* SPDX-License-Identifier: Apache-2.0 */
/* Files that observers write in a run, or in the parts of a run that is saved and loaded. */
#ifndef CORE_ROUTE_FILES_H
#define CORE_ROUTE_FILES_H

#include <glib.h>

/** Reads the files of a run's folder that observers have written: name to GBytes. */
GHashTable *scree_route_files_read(const char *folder);
/** Compares the files of two runs; each has a table of scree_route_files_read for each of its
 * parts. Returns the first difference, a new string; NULL: the files are the same. The lines of a
 * table are counted over all parts, but for the lines that each part has as its head and foot. */
char *scree_route_files_compare(const GPtrArray *a, const GPtrArray *b);

#endif
