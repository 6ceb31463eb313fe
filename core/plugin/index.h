/* SPDX-License-Identifier: Apache-2.0 */
/* The index of plugins: rows about files that were tried, in plugins.json of this program and in the
 * user's. */
#ifndef CORE_INDEX_H
#define CORE_INDEX_H

#include "plugin/held.h"
#include "plugin/offer.h"

/** Offers of the file, GPtrArray of scree_offer; NULL: no row is about it. `bytes`: its SHA-256 is
 * compared; else that is done only when its times differ, or are so young that they say little. */
GPtrArray *scree_index_find(scree_held *held, bool bytes);
/** Notes what a trial has found. NULL: the file was refused; its row goes. */
void scree_index_note(scree_held *held, const GPtrArray *offers);
/** Writes what was noted into the user's index. A failure is not reported: the files are tried again.
 */
void scree_index_save(void);

/** From now on only the index at `path` is read, unless it is older than this program, and
 * scree_index_save does nothing. */
void scree_index_take(const char *path);
/** Writes the index of scree_index_take, with what was noted. `plugins`: for other programs, the path of a file
 * and an object in JSON about one of its plugins, in turn. */
bool scree_index_write(const GPtrArray *plugins, GError **error);

#endif
