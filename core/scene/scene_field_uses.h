/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of others in a scene: each one that a plugin uses is there, once. */
#ifndef CORE_SCENE_FIELD_USES_H
#define CORE_SCENE_FIELD_USES_H

#include "scene/scene_build.h"

/** The bodies that are added from now on have the start values of `fields`, or none (NULL). */
void scree_build_start_from(scree_build *build, const scree_node *fields);
/** The row of start values for a body that a source has given row `start` (0: none). */
uint32_t scree_build_start_of(scree_build *build, uint32_t start);
/** After all plugins: adds problems for uses and start values that fit none of their fields, or
 * several; reads the numbers of the other start values. */
void scree_build_fields(scree_build *build);

#endif
