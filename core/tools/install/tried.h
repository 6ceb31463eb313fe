/* SPDX-License-Identifier: Apache-2.0 */
/* Runs `scree check` on a file in another process, and reads what it finds. */
#ifndef CORE_TRIED_H
#define CORE_TRIED_H

#include "base/error.h"

/** A plugin of a file that was checked. */
typedef struct scree_tried_plugin {
    char *kind, *id, *version, *licence, *citation; /* citation: NULL if it has none */
} scree_tried_plugin;

/** A file that has passed all cases. */
typedef struct scree_tried {
    char *sha256;
    GPtrArray *plugins; /* elements: scree_tried_plugin; at least one */
    guint ok, skipped;  /* counts of cases */
} scree_tried;

void scree_tried_free(scree_tried *trial);
/** Whether two files offer the same plugins in the same versions. */
bool scree_tried_same(const scree_tried *a, const scree_tried *b);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_tried, scree_tried_free)
/** Checks the file at `path`, which messages call `shown`. NULL: it was refused, or a case has failed.
 */
scree_tried *scree_tried_run(const char *path, const char *shown, GError **error);

#endif
