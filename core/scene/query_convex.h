/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a convex solid, known by its support function, meets a box or a ball. */
#ifndef CORE_QUERY_CONVEX_H
#define CORE_QUERY_CONVEX_H

#include <stdbool.h>

#include "base/error.h"
#include "scene/scene.h"

/** A solid nearer than 1e-9 of its size touches the region. False with an error: the
 * support function gave what is not finite. */
bool scree_query_convex_meets(const scree_shape *shape, const scree_support *support,
                              const scree_body *body, uint32_t dimension,
                              const scree_region *region, bool *meets, GError **error);

#endif
