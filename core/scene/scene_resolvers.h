/* SPDX-License-Identifier: Apache-2.0 */
/* Resolvers of a scene that names none. */
#ifndef CORE_SCENE_RESOLVERS_H
#define CORE_SCENE_RESOLVERS_H

#include "scene/scene_build.h"

/** Writes `resolvers` into the scene's config if it has shapes that the default does not serve. The
 * shapes are known, bodies and laws are not read yet. */
void scree_build_choose_resolvers(scree_build *build);

#endif
