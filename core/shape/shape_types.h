/* SPDX-License-Identifier: Apache-2.0 */
/* The types of the shapes of a scene, and the codes that decide which body of a contact is a. */
#ifndef CORE_SHAPE_TYPES_H
#define CORE_SHAPE_TYPES_H

#include "shape/shape.h"

/** Gives the n shapes their codes (types.h). Array of scree_shape_type, which points into `shapes`;
 * to be freed with them. NULL: more than SCREE_MAX_TYPES. */
GPtrArray *scree_shape_types_new(scree_shape *const *shapes, uint32_t n, GError **error);

#endif
