/* SPDX-License-Identifier: Apache-2.0 */
/* Size distributions of generated bodies: read from the scene, drawn by number. */
#ifndef CORE_SCENE_SIZES_H
#define CORE_SCENE_SIZES_H

#include "scene/scene_build.h"

typedef struct scree_sizes scree_sizes;

/** Reads a `distribution` group; NULL with a problem. A body's volume grows with its radius to this
 * `power`: 2 for discs, 3 for spheres. */
scree_sizes *scree_sizes_read(scree_build *build, scree_node *group, int power);
/** Returns a single size. */
scree_sizes *scree_sizes_new_single(double radius);
void scree_sizes_free(scree_sizes *sizes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_sizes, scree_sizes_free)

/** Divides all sizes: lengths become scales of a shape whose own length is `unit` [m]. */
void scree_sizes_divide(scree_sizes *sizes, double unit);
/** Fills the table that plugins see (scree_size_draw and scree_size_max of sdk.h); borrowed. */
void scree_sizes_table(const scree_sizes *sizes, scree_size_table *table);

#endif
