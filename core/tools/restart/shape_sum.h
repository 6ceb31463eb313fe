/* SPDX-License-Identifier: Apache-2.0 */
/* The checksums of shapes: type, parameters, measure, exact views. */
#ifndef CORE_SHAPE_SUM_H
#define CORE_SHAPE_SUM_H

#include "scene/identity.h"

typedef const void *(*scree_find_view_fn)(const scree_shape *shape, const char *name,
                                          double tolerance);

/** Sets the checksums of the shapes in an identity that are still empty: SHA-256 in hex of the
 * plugin's id, the values of its parameters (of a file, only its content in the views), measure,
 * mesh, balls, outline, normal; never a code of a run. `shapes`: scree_shape, first those of the
 * identity; `find_view`: scree_shape_find_view. The module scree-hdf5.so has this function too. */
void scree_identity_sum_shapes(const scree_identity *identity, const GPtrArray *shapes,
                               scree_find_view_fn find_view);

#endif
