// SPDX-License-Identifier: Apache-2.0
/*
 * mesh: a wall of triangles and quads, from the scene or from an STL or OBJ file.
 *
 * Sources  the STL format of 3D Systems (1988); the OBJ format of Wavefront (appendix B1).
 * Idea     facets given together are one surface. Its neighbours and kinds of edges are found once,
 *          so that a resolver can distinguish a seam from an edge (mesh/surface.c).
 * Steps    a file is read (mesh/stl.c, mesh/obj.c), moved (mesh/placing.c), its vertices welded
 *          (mesh/soup.c), its faults are reported (mesh/faults.c); facets listed in the scene go
 *          directly to mesh/surface.c.
 * Cost     time n log n for n facets, once; 100 bytes a facet.
 * Limits   2^29 facets; a wall has no mass and is never free.
 */
#include "mesh/mesh_params.h"

static const scree_shape_ops ops = {
    .size = sizeof ops,
    .create = mesh_create,
    .destroy = mesh_wall_destroy,
    .bytes = mesh_wall_bytes,
    .measure = mesh_wall_measure,
    .boxes = mesh_wall_boxes,
    .view = mesh_wall_view,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_SHAPE,
    .flags = SCREE_CAP_WALL | SCREE_CAP_USES_LIBM,
    .dimensions = SCREE_DIMENSION_3,
    .id = "mesh",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "a wall of facets, from the scene or from an STL or OBJ file",
    .summary =
        "Triangles and planar convex quads, in the order v0 v1 v2 with the normal (v1 - v0) x (v2 "
        "- "
        "v0). Vertices at one place are one; facets that share an edge are neighbours, and a ball "
        "that crosses the seam of two coplanar ones feels no bump. Mistakes name facets and "
        "vertices by number, from 0, and in text files the line. STL is binary when its length "
        "fits its count, whatever its header says, and its stored normals are ignored. From OBJ "
        "the statements v and f are read; polygons become triangles where they must.",
    .config_size = sizeof(mesh_config),
    .n_params = MESH_N_PARAMS,
    .params = mesh_params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
