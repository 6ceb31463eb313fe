// SPDX-License-Identifier: Apache-2.0
/*
 * cone: the sides and ends of a frustum about z, as a wall: a hopper, a funnel, a heap's mould.
 *
 * Idea     flat facets in the true surface (mesh/round.c); ends may be left out.
 * Limits   a wall has no mass and is never free.
 */
#include "mesh/round.h"

typedef struct config {
    scree_reals radii;
    double length, tolerance;
    int64_t sides;
    scree_strings open;
    int32_t facing;
} config;

SCREE_REALS_PARAM(config, radii, 2, "m", SCREE_PARAM_REQUIRED, 0, 0, 1e50,
                  "radii of the circles at the bottom and at the top; one may be 0");
SCREE_REAL_PARAM(config, length, "m", SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN, 0, 0, 1e50,
                 "length from bottom to top along z, half of it to each side of the origin");
SCREE_INT_PARAM(config, sides, 0, 0, 0, ROUND_MOST_SIDES,
                "sides of the polygon in the circle, 3 or more; 0: 64, or by tolerance");
SCREE_REAL_PARAM(config, tolerance, "m", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0, 1e50,
                 "how far the facets may be inside of the true surface; instead of sides");
SCREE_STRINGS_PARAM(config, open, 0, SCREE_PARAM_OPTIONAL, "ends that are left out: bottom, top");
SCREE_CHOICE_VALUE(inward, ROUND_INWARD, "into it");
SCREE_CHOICE_VALUE(outward, ROUND_OUTWARD, "out of it");
SCREE_CHOICE_PARAM(config, facing, 0, "inward", "where the normals point", &choice_inward,
                   &choice_outward);
static const scree_param *const params[] = {&param_radii,     &param_length, &param_sides,
                                            &param_tolerance, &param_open,   &param_facing};

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    const config *c = given;
    const round_wall wall = {
        {c->radii.v[0], c->radii.v[1]}, c->length, c->tolerance, c->sides, c->open, c->facing};
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
    .id = "cone",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "the sides and ends of a cone or frustum about z, as a wall",
    .summary = "Facets whose vertices are on two circles: a hopper with open = (\"bottom\", "
               "\"top\"), a funnel. One of "
               "the radii may be 0.",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
