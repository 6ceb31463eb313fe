/* SPDX-License-Identifier: Apache-2.0 */
/* A scene as text: what was read, merged and overridden, with the defaults that apply. */
#ifndef CORE_SCENE_PRINT_H
#define CORE_SCENE_PRINT_H

#include "scene/scene_build.h"

/** Writes the scene with all its defaults, in the syntax of scenes. */
char *scree_scene_print(const scree_scene *scene);
/** Returns a setting on one line, as given: "gcd = { plugin = "grid"; };". New string. */
char *scree_node_line(const scree_node *node);

#endif
