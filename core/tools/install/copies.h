/* SPDX-License-Identifier: Apache-2.0 */
/* Copies files next to their places, and moves them there together: all of them or none. */
#ifndef CORE_COPIES_H
#define CORE_COPIES_H

#include "base/error.h"

/** A folder in which copies wait, and the moves to make. It is locked against other processes. */
typedef struct scree_copies {
    char *folder, *waiting; /* of plugins; of the copies, inside it */
    int lock;               /* descriptor of `folder`; -1: none */
    GPtrArray *moves;
    bool is_new; /* `folder` did not exist before */
} scree_copies;

/** Makes and locks the folder. scree_copies_end frees `copies` in any case. */
bool scree_copies_begin(scree_copies *copies, const char *folder, GError **error);
/** Writes a waiting file, synced. Returns its path, a new string. */
char *scree_copies_write(scree_copies *copies, const char *name, const char *bytes, size_t n,
                         GError **error);
/** Adds a move of a waiting file to `to`, relative to the folder; `from` NULL: `to` is removed. */
void scree_copies_move(scree_copies *copies, const char *from, const char *to);
/** Makes the moves in their order. Each file that is replaced or removed is kept until the last
 * move. False: each file is as before. */
bool scree_copies_commit(scree_copies *copies, GError **error);
/** Removes what waits. */
void scree_copies_end(scree_copies *copies);

#endif
