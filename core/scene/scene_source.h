/* SPDX-License-Identifier: Apache-2.0 */
/* A group of `generate`: a source that makes its bodies, and the shapes that they need. */
#ifndef CORE_SCENE_SOURCE_H
#define CORE_SCENE_SOURCE_H

#include "scene/scene_build.h"

/** Reads a group, makes an instance of its source, and takes what it makes. `otherwise`: the source
 * of a group that names it by `method`, or NULL. */
void scree_build_source(scree_build *build, scree_node *group, const char *otherwise);

#endif
