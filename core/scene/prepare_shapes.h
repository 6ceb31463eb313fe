/* SPDX-License-Identifier: Apache-2.0 */
/* Questions to a resolver before its first pair: it prepares shapes, and says which types it serves. */
#ifndef CORE_PREPARE_SHAPES_H
#define CORE_PREPARE_SHAPES_H

#include "plugin/instance_data.h"

/** Calls prepare() of a resolver for each of these shapes (of scree_shape). A shape that it refuses
 * is a mistake of the scene: the error has the status of one and names the shape's file and line. */
bool scree_prepare_shapes(const GPtrArray *shapes, scree_instance *resolver, GError **error);
/** Asks supports() of a resolver. The caller has set `a` and `b` of the answer. */
bool scree_ask_supports(scree_instance *resolver, scree_pair_support *answer, GError **error);

#endif
