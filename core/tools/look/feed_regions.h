/* SPDX-License-Identifier: Apache-2.0 */
/* Regions in which modifiers make bodies, against scene.region and walls. */
#ifndef CORE_FEED_REGIONS_H
#define CORE_FEED_REGIONS_H

#include "scene/scene.h"

/** Notes regions that reach beyond scene.region, and boxes that a wall crosses. */
void scree_note_feed_regions(const scree_scene *scene);

#endif
