// SPDX-License-Identifier: Apache-2.0
/* facets: the other name of shape/mesh. */
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
    .id = "facets",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "a wall of facets, as shape/mesh",
    .summary = "The other name of shape/mesh, which says more.",
    .config_size = sizeof(mesh_config),
    .n_params = MESH_N_PARAMS,
    .params = mesh_params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
