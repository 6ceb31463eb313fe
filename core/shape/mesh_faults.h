/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of the facets of a mesh, each by its name: without area, repeated, inside out. */
#ifndef CORE_MESH_FAULTS_H
#define CORE_MESH_FAULTS_H

#include "shape/mesh.h"

/** Names facets without area (two corners in one vertex, or a height within `tolerance` [m] of 0)
 * and facets that are there twice; errors go to problems, what was dropped to notes. */
bool scree_mesh_check(scree_soup *mesh, double tolerance, scree_mesh_policy degenerate,
                      scree_mesh_policy duplicate, GPtrArray *problems, GPtrArray *notes);
/** The shape of a checked mesh. `inside_out` facets have an order of corners against that of most
 * of the surface they belong to. */
scree_shape *scree_mesh_shape(scree_soup *mesh, scree_mesh_policy inside_out, GPtrArray *problems,
                              GPtrArray *notes);

#endif
