/* SPDX-License-Identifier: Apache-2.0 */
/* The bodies in a region. */
#ifndef CORE_QUERY_FIND_H
#define CORE_QUERY_FIND_H

#include "scene/query_space.h"

/** Appends the numbers (uint32_t) of bodies that overlap a region or touch it, ascending, each once.
 * The region is valid (scree_space_check_region). */
bool scree_space_find(scree_space *space, const scree_region *region, GArray *numbers,
                      GError **error);
/** Why a region cannot be asked about, to be freed; NULL: it can. */
char *scree_space_check_region(const scree_scene *scene, const scree_region *region);

#endif
