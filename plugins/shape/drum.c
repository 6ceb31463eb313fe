// SPDX-License-Identifier: Apache-2.0
/*
 * drum: the sides and ends of a cylinder along z, as a wall: a drum, a pipe, a column.
 *
 * Idea     flat facets in the true surface (mesh/round.c); ends may be left out.
 * Limits   a wall has no mass and is never free; a solid in this form is shape/cylinder.
 */
#include "mesh/round.h"

typedef struct config {
    double radius, length, tolerance;
    int64_t sides;
    scree_strings open;
    int32_t facing;
} config;

SCREE_REAL_PARAM(config, radius, "m", SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN, 0, 0, 1e50,
                 "radius of the circle through the vertices");
SCREE_REAL_PARAM(config, length, "m", SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN, 0, 0, 1e50,
                 "length along z, half of it to each side of the origin");
SCREE_INT_PARAM(config, sides, 0, 0, 0, ROUND_MOST_SIDES,
                "sides of the polygon in the circle, 3 or more; 0: 64, or by tolerance");
SCREE_REAL_PARAM(config, tolerance, "m", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0, 1e50,
                 "how far the facets may be inside of the true surface; instead of sides");
SCREE_STRINGS_PARAM(config, open, 0, SCREE_PARAM_OPTIONAL, "ends that are left out: bottom, top");
SCREE_CHOICE_VALUE(inward, ROUND_INWARD, "into it");
SCREE_CHOICE_VALUE(outward, ROUND_OUTWARD, "out of it");
SCREE_CHOICE_PARAM(config, facing, 0, "inward", "where the normals point", &choice_inward,
                   &choice_outward);
static const scree_param *const params[] = {&param_radius,    &param_length, &param_sides,
                                            &param_tolerance, &param_open,   &param_facing};

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    const config *c = given;
    const round_wall wall = {
        {c->radius, c->radius}, c->length, c->tolerance, c->sides, c->open, c->facing};
    return round_create(host, &wall, instance);
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
    .flags = SCREE_CAP_WALL | SCREE_CAP_USES_LIBM,
    .dimensions = SCREE_DIMENSION_3,
    .id = "drum",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "the sides and ends of a cylinder along z, as a wall",
    .summary = "A regular prism whose edges are on the cylinder: a drum, a pipe, a column. Its "
               "facets are the sides "
               "and strips of the ends, which may be left open.",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
