/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the index of plugins. */
#ifndef CORE_INDEX_WRITE_H
#define CORE_INDEX_WRITE_H

#include "plugin/index.h"

/** Notes the result of a trial; NULL: the file was refused, and its row is dropped. */
void scree_index_note(scree_held *held, const GPtrArray *offers);
/** Writes the notes into the user's index, unless one was taken. A failure is not reported: the
 * files are tried again. */
void scree_index_save(void);
/** Writes the index at scree_index_taken with the notes. `plugins`: pairs of texts for other
 * programs, the path of a file and a JSON object about one of its plugins. */
bool scree_index_write(const GPtrArray *plugins, GError **error);

#endif
