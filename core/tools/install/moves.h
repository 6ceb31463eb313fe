/* SPDX-License-Identifier: Apache-2.0 */
/* Changes files of a folder together: all of them or none. */
#ifndef CORE_MOVES_H
#define CORE_MOVES_H

#include "base/error.h"

/** A plan of moves into a folder, which is locked against other processes. */
typedef struct scree_moves {
    char *folder;
    char *waiting; /* a folder inside it for new files, each named "new-..", until they move */
    int lock;      /* descriptor; -1: not locked */
    GPtrArray *list;
} scree_moves;

/** Makes and locks the folder. scree_moves_end frees `moves` in any case. */
bool scree_moves_begin(scree_moves *moves, const char *folder, GError **error);
/** Writes a waiting file. Returns its path, a new string. */
char *scree_moves_write(const scree_moves *moves, const char *name, const char *bytes, size_t n,
                        GError **error);
/** SHA-256 of a regular file in hexadecimal, a new string; NULL: no such file. */
char *scree_moves_hash(const char *path);
/** Adds a move of a waiting file to `to`, relative to the folder; `from` NULL: `to` is removed, if it
 * exists. False: something is there that has not the SHA-256 `known`; NULL: of nothing. */
bool scree_moves_add(scree_moves *moves, const char *from, const char *to, const char *known,
                     GError **error);
/** Makes the moves in their order. False: each file is as before, or the message names the place of
 * its bytes. */
bool scree_moves_commit(scree_moves *moves, GError **error);
/** Removes waiting files, empty folders and the lock. */
void scree_moves_end(scree_moves *moves);

#endif
