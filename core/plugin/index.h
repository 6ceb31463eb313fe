/* SPDX-License-Identifier: Apache-2.0 */
/* The index of plugins: results of trials, in plugins.json of this program and in that of the
 * user. */
#ifndef CORE_INDEX_H
#define CORE_INDEX_H

#include "plugin/held.h"
#include "plugin/offer.h"

/** Offers of the file, GPtrArray of scree_offer; NULL: no row fits. With `bytes` the SHA-256 must
 * fit; without, a SHA-256 is computed only for a file whose times differ or are too young. */
GPtrArray *scree_index_find(scree_held *held, bool bytes);
/** Notes the result of a trial; NULL: the file was refused, and its row is dropped. */
void scree_index_note(scree_held *held, const GPtrArray *offers);
/** Writes the notes into the user's index. A failure is not reported: the files are tried again. */
void scree_index_save(void);

/** Takes the index at `path` as the only one, unless it is older than this program.
 * scree_index_save then does nothing. */
void scree_index_take(const char *path);
/** Writes the index of scree_index_take with the notes. `plugins`: pairs of texts for other
 * programs, the path of a file and a JSON object about one of its plugins. */
bool scree_index_write(const GPtrArray *plugins, GError **error);

#endif
