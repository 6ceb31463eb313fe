/* SPDX-License-Identifier: Apache-2.0 */
/* OBJ files (Wavefront): the statements `v` and `f`. */
#ifndef CORE_MESH_OBJ_H
#define CORE_MESH_OBJ_H

#include "shape/mesh.h"

/** OBJ: v and f; planar convex quads stay, larger polygons become triangles. `notes` gets one line
 * on statements that hold geometry which is not read. */
scree_soup *scree_mesh_read_obj(const char *bytes, size_t length, const char *file,
                                GPtrArray *problems, GPtrArray *notes);

#endif
