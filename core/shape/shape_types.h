/* SPDX-License-Identifier: Apache-2.0 */
/* The types of a scene's shapes, and the codes that decide which body of a contact is a. */
#ifndef CORE_SHAPE_TYPES_H
#define CORE_SHAPE_TYPES_H

#include "shape/shape.h"

/** Gives the n shapes their codes (types.h). Returns an array of scree_shape_type that points into
 * `shapes`, and must be freed with them. NULL: more than SCREE_MAX_TYPES types. */
GPtrArray *scree_shape_types_new(scree_shape *const *shapes, uint32_t n, GError **error);

#endif
