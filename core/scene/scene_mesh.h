/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes from mesh files: the keys of a `mesh` with a `file`, in the order that the user wrote
 * them. */
#ifndef CORE_SCENE_MESH_H
#define CORE_SCENE_MESH_H

#include "scene/scene_build.h"

/** The shape of a `mesh` with a `file`; NULL with problems. */
scree_shape *scree_build_mesh(scree_build *build, scree_node *group);

#endif
