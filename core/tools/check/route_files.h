/* SPDX-License-Identifier: Apache-2.0 */
/* Files that observers write in a run, or in the parts of a run that is saved and loaded. */
#ifndef CORE_ROUTE_FILES_H
#define CORE_ROUTE_FILES_H

#include <stdbool.h>

#include <glib.h>

/** Reads the files of a run's folder that observers have written: name to GBytes. */
GHashTable *scree_route_files_read(const char *folder);
/** Compares the files of two runs; each has a table of scree_route_files_read for each of its
 * parts. Returns the first difference, a new string; NULL: the files are the same. The lines of a
 * table are counted over all parts, but for those that each part has as its head. */
char *scree_route_files_compare(const GPtrArray *a, const GPtrArray *b);
/** Compares the numbers in the tables of two runs of one part, to rounding, and the names of all
 * files. In a lattice of period 1 m a place may be in another cell. `mixed`: the same numbers may
 * be in other columns and rows. `arrays`: reals in XML of VTK, too, each array in whatever order.
 * Returns the first difference, a new string; NULL: none. */
char *scree_route_files_differ(GHashTable *a, GHashTable *b, bool lattice, bool mixed, bool arrays);
/** Judges files by their suffix and first letter: a table has a name for each column, XML is
 * well-formed. Returns the first fault, a new string; NULL: none. */
char *scree_route_files_judge(GHashTable *files);

#endif
