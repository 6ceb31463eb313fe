/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters about the scene: a part of space, recipes of bodies, names. */
#ifndef CORE_SCHEMA_SCENE_H
#define CORE_SCHEMA_SCENE_H

#include "plugin/choice.h"
#include "scene/scene_build.h"

/** Fills a parameter about the scene: SCREE_TYPE_ZONE, SCREE_TYPE_RECIPE or SCREE_TYPE_MATERIALS.
 * `node` is its setting, or NULL. */
void scree_schema_fill_scene(struct scree_fill *fill, const scree_param *param, scree_node *node,
                             void *at);

#endif
