/* SPDX-License-Identifier: Apache-2.0 */
/* Keys that move the coordinates of a shape: unit, scale, rotate, move. */
#ifndef CORE_SCENE_PLACING_H
#define CORE_SCENE_PLACING_H

#include "plugin/choice.h"

/** Fills a parameter of type SCREE_TYPE_PLACING from the keys of the plugin's group. */
void scree_fill_placing(scree_fill *fill, const scree_placing **out);

#endif
