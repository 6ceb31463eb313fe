/* SPDX-License-Identifier: Apache-2.0 */
/* A scene as text again: what was read, merged and overridden, with the defaults that apply. */
#ifndef CORE_SCENE_PRINT_H
#define CORE_SCENE_PRINT_H

#include "scene/scene_build.h"

/** Writes the scene with all that followed from defaults, in the syntax it was read in. */
char *scree_scene_print(const scree_scene *scene);
/** "gcd = { plugin = "grid"; };": one setting on one line, as it was given. New string. */
char *scree_node_line(const scree_node *node);

#endif
