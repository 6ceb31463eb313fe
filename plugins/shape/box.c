// SPDX-License-Identifier: Apache-2.0
/*
 * box: the sides of a box around the origin, as a wall.
 *
 * Idea     one surface of 6 quads, in 2D of 4 segments (mesh/surface.c); sides may be left out.
 * Limits   a wall has no mass and is never free.
 */
#include "mesh/mesh.h"

enum { INWARD, OUTWARD };

#define THINNEST 1e-9 // least side over the longest one: thinner facets have no area in doubles

typedef struct config {
    scree_reals size;
    scree_strings open;
    int32_t facing;
} config;

SCREE_REALS_PARAM(config, size, 0, "m", SCREE_PARAM_REQUIRED, 0, -HUGE_VAL, HUGE_VAL,
                  "length of the sides, as many as the scene has dimensions, > 0");
SCREE_CHOICE_VALUE(inward, INWARD, "into the box");
SCREE_CHOICE_VALUE(outward, OUTWARD, "out of it");
SCREE_CHOICE_PARAM(config, facing, 0, "inward", "where the normals point", &choice_inward,
                   &choice_outward);
SCREE_STRINGS_PARAM(
    config, open, 0, SCREE_PARAM_OPTIONAL,
    "sides that are left out: left right front back bottom top, in 2D left right bottom top");
static const scree_param *const params[] = {&param_size, &param_facing, &param_open};

/* Sides: vertex numbers have bit k set at the upper end of axis k; normals point outward. */
typedef struct box_side {
    const char *name;
    uint32_t corner[4];
} box_side;
static const box_side sides_3d[] = {
    {"left", {0, 4, 6, 2}}, {"right", {1, 3, 7, 5}},  {"front", {0, 1, 5, 4}},
    {"back", {2, 6, 7, 3}}, {"bottom", {0, 2, 3, 1}}, {"top", {4, 5, 7, 6}},
};
static const box_side sides_2d[] = {
    {"left", {2, 0, SCREE_NONE, SCREE_NONE}},
    {"right", {1, 3, SCREE_NONE, SCREE_NONE}},
    {"bottom", {0, 1, SCREE_NONE, SCREE_NONE}},
    {"top", {3, 2, SCREE_NONE, SCREE_NONE}},
};

/** A bit for each side in `open`; a word that is not a side is a problem. */
static uint32_t read_open(const config *c, const box_side *sides, uint32_t n, mesh_lines *problems)
{
    uint32_t open = 0;
    for (uint64_t i = 0; i < c->open.n; i++) {
        uint32_t s = 0;
        while (s < n && strcmp(c->open.v[i], sides[s].name) != 0)
            s++;
        if (s < n)
            open |= 1u << s;
        else
            mesh_say(problems, "open = \"%s\" is not a side of a box, which are %s", c->open.v[i],
                     n == 4 ? "left, right, bottom, top" : "left, right, front, back, bottom, top");
    }
    if (open == (1u << n) - 1u)
        mesh_say(problems, "a box with all sides open has none left");
    return open;
}

/** One length per axis; a third one is 0 in 2D. */
static void check_size(const config *c, uint32_t dimension, mesh_lines *problems)
{
    uint64_t n = c->size.n;
    int flat = dimension == 2 && n == 3 && c->size.v[2] == 0.0;
    double longest = 0.0;
    if (n != dimension && !flat)
        mesh_say(problems, "size: expected a list of %u, got %llu", dimension,
                 (unsigned long long)n);
    for (uint32_t k = 0; k < dimension && k < n; k++)
        longest = scree_max(longest, c->size.v[k]);
    for (uint32_t k = 0; k < dimension && k < n; k++)
        if (!(c->size.v[k] > 0.0))
            mesh_say(problems, "size: expected sides > 0, got %g m", c->size.v[k]);
        else if (c->size.v[k] < THINNEST * longest)
            mesh_say(problems, "size[%u]: expected %g <= value m, 1e-9 of the longest side, got %g",
                     k, THINNEST * longest, c->size.v[k]);
}

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    const config *c = given;
    int flat = host->dimension == 2;
    const box_side *sides = flat ? sides_2d : sides_3d;
    uint32_t n = flat ? 4 : 6, n_vertices = flat ? 4 : 8, n_corners = flat ? 2 : 4, n_facets = 0;
    double xyz[8 * 3] = {0};
    uint32_t facet[6 * 4];
    mesh_notes notes = {0};
    mesh_surface *surface = NULL;
    uint32_t open = read_open(c, sides, n, &notes.problems);
    check_size(c, host->dimension, &notes.problems);
    if (notes.problems.n == 0) {
        for (uint32_t v = 0; v < n_vertices; v++)
            for (uint32_t k = 0; k < host->dimension; k++)
                xyz[3 * v + k] = (v >> k & 1u ? 0.5 : -0.5) * c->size.v[k];
        for (uint32_t s = 0; s < n; s++) {
            if (open >> s & 1u)
                continue;
            uint32_t *to = facet + 4 * n_facets++;
            for (uint32_t k = 0; k < 4; k++)
                to[k] = SCREE_NONE;
            for (uint32_t k = 0; k < n_corners; k++) // inward: reversed order
                to[k] = sides[s].corner[c->facing == INWARD ? n_corners - 1 - k : k];
        }
        surface =
            mesh_surface_new(host->dimension, n_vertices, xyz, n_facets, facet, &notes.problems);
    }
    return mesh_wall_new(host, surface, &notes, instance);
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
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "box",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "the sides of a box around the origin, as a wall",
    .summary =
        "Six quads, in 2D four segments, of one surface around the origin. Sides may be left open.",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
