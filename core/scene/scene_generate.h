/* SPDX-License-Identifier: Apache-2.0 */
/* The `generate` groups of a scene: bodies by number or solid fraction, placed at random or on a
 * lattice. */
#ifndef CORE_SCENE_GENERATE_H
#define CORE_SCENE_GENERATE_H

#include "scene/scene_build.h"

void scree_build_generate(scree_build *build);

#endif
