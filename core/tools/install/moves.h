/* SPDX-License-Identifier: Apache-2.0 */
/* Changes files of a folder together: all of them or none. */
#ifndef CORE_MOVES_H
#define CORE_MOVES_H

#include "base/error.h"

/** A plan of moves into a folder, which is locked against other processes. */
typedef struct scree_moves {
    char *folder, *waiting; /* waiting: a folder inside it for new files, then for replaced ones */
    int lock;               /* descriptor; -1: not locked */
    guint n_new;            /* number of folders on the way to `folder` that did not exist */
    GPtrArray *list;
    bool stuck; /* `waiting` holds a file that could not be put back */
} scree_moves;

/** Makes and locks the folder. scree_moves_end frees `moves` in any case. */
bool scree_moves_begin(scree_moves *moves, const char *folder, GError **error);
/** SHA-256 of a regular file in hexadecimal, a new string; NULL: no such file. */
char *scree_moves_hash(const char *path);
/** Adds a move of a file of the waiting folder to `to`, relative to the folder. `name` NULL, or no such
 * file: what is at `to` is removed. False: something else is there than the file with the SHA-256
 * `known`, or (NULL) than nothing. */
bool scree_moves_add(scree_moves *moves, const char *name, const char *to, const char *known,
                     GError **error);
/** Makes the moves in their order. False: each file is as before, or the message names it. */
bool scree_moves_commit(scree_moves *moves, GError **error);
/** Removes waiting files, and empty folders that are new or have lost a file. */
void scree_moves_end(scree_moves *moves);

#endif
