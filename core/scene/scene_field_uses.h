/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of other plugins in a scene: each field that a plugin uses exists exactly once. */
#ifndef CORE_SCENE_FIELD_USES_H
#define CORE_SCENE_FIELD_USES_H

#include "scene/scene_build.h"

/** Gives the start values `fields` (NULL: none) to the bodies that are added from now on. */
void scree_build_start_from(scree_build *build, const scree_node *fields);
/** Returns the row of start values for a body with row `start` of its source (0: none). */
uint32_t scree_build_start_of(scree_build *build, uint32_t start);
/** After all plugins: adds problems for uses and start values that match no field, or several;
 * reads the numbers of the other start values. */
void scree_build_fields(scree_build *build);

#endif
