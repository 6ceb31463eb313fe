/* SPDX-License-Identifier: Apache-2.0 */
/* Reads checkpoints, after every byte was compared with the checksum of the file. */
#ifndef CORE_CHECKPOINT_READ_H
#define CORE_CHECKPOINT_READ_H

#include "run/checkpoint.h"

/** Reads a file. Refuses it, with the reason, unless every byte and the state's SHA-256 are as they
 * were written. */
scree_checkpoint *scree_checkpoint_read(const char *path, GError **error);
/** Reads the newest good checkpoint of a folder, or the file itself. Prints warnings about bad
 * ones. */
scree_checkpoint *scree_checkpoint_find(const char *path, GError **error);
/** Frees bodies and contacts once a run has them: they take three fifths of a run's own memory. */
void scree_checkpoint_drop_state(scree_checkpoint *checkpoint);
void scree_checkpoint_free(scree_checkpoint *checkpoint);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_checkpoint, scree_checkpoint_free)

#endif
