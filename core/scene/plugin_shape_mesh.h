/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the facets of a mesh that a plugin makes: what a search from facet to facet relies on. */
#ifndef CORE_PLUGIN_SHAPE_MESH_H
#define CORE_PLUGIN_SHAPE_MESH_H

#include "plugin/instance_data.h"
#include "scree/shape.h"

/** Corners of a facet, 2 to 4. */
uint32_t scree_mesh_corners(const scree_mesh *mesh, uint32_t facet);
/** Whether `other` names `facet` as a neighbour across an edge of the same two vertices; `flat`: in
 * 2D, across the same vertex. */
bool scree_mesh_knows_back(const scree_mesh *mesh, uint32_t facet, uint32_t edge, uint32_t other,
                           bool flat);
/** Facets of an exact mesh, whose numbers are in range: convex, with an area (2D: a length),
 * neighbours that name each other, edges that are open where there is none. Blames the plugin by
 * name and function (SCREE_EXIT_PLUGIN). */
bool scree_mesh_check(const scree_instance *instance, const scree_mesh *mesh, GError **error);

#endif
