// SPDX-License-Identifier: Apache-2.0
/*
 * segments: a wall of line segments in 2D.
 *
 * Idea     like shape/mesh: segments that share a vertex are neighbours, and each end is open,
 *          flat, convex or concave as seen from the side of the normal (mesh/surface.c).
 * Cost     time n log n for n segments, once; 100 bytes a segment.
 * Limits   a wall has no mass and is never free.
 */
#include "mesh/mesh_params.h"

typedef struct config {
    const scree_real_rows *vertices;
    const scree_int_rows *segments;
} config;

SCREE_REAL_ROWS_PARAM(config, vertices, 2, "m", SCREE_PARAM_REQUIRED, -HUGE_VAL, HUGE_VAL,
                      "points");
SCREE_INT_ROWS_PARAM(config, segments, 2, SCREE_PARAM_REQUIRED, 0, UINT32_MAX - 1,
                     "2 vertices each, by number from 0; the normal is v1 - v0 turned right");
static const scree_param *const params[] = {&param_vertices, &param_segments};

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    const config *c = given;
    return mesh_create_listed(host, c->vertices, "segments", c->segments, NULL, instance);
}

static const scree_shape_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = mesh_wall_destroy,
    .bytes = mesh_wall_bytes,
    .measure = mesh_wall_measure,
    .boxes = mesh_wall_boxes,
    .view = mesh_wall_view,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_SHAPE,
    .flags = SCREE_CAP_WALL,
    .dimensions = SCREE_DIMENSION_2,
    .id = "segments",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "a wall of line segments",
    .summary =
        "Segments v0 v1 with the normal v1 - v0 turned right. Vertices at one place are one; "
        "segments that share one are neighbours.",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
