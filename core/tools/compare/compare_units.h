/* SPDX-License-Identifier: Apache-2.0 */
/* The unit of a varied setting, for the axes of figures. */
#ifndef CORE_COMPARE_UNITS_H
#define CORE_COMPARE_UNITS_H

#include "scene/scene_data.h"

/** Unit of the setting at a path of the scene, "-" if it has none; NULL: no schema has the key.
 * Borrowed from a schema. */
const char *scree_path_unit(const scree_scene *scene, const char *path);

#endif
