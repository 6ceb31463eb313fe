// SPDX-License-Identifier: Apache-2.0
// Resolver `sdf`: solids in space by signed distances on a grid, sampled at the points of the other surface.
/*
 * Sources
 *   [1] R. Kawamoto, E. Ando, G. Viggiani, J. E. Andrade, Level set discrete element method for
 *       three-dimensional computations with triaxial case study, Journal of the Mechanics and Physics of
 *       Solids 91, 2016, 1: points of one grain in the level set of the other.
 *   [2] S. F. Frisken, R. N. Perry, A. P. Rockwood, T. R. Jones, Adaptively sampled distance fields,
 *       SIGGRAPH 2000.
 *   [3] J. A. Baerentzen, H. Aanaes, Signed distance computation using the angle weighted pseudonormal,
 *       IEEE Transactions on Visualization and Computer Graphics 11, 2005, 243.
 *
 * Idea     Each solid has a grid of signed distances around its surface, and samples on it. A sample of one in
 *          the other touches: its depth is the distance of the surface, the normal its gradient [1]. Both are
 *          sampled, so the pair is the same whichever of the two is a.
 *
 *              sdf/shape.c     surface, thickness        sdf/pairs.c      solids and balls
 *              sdf/samples.c   points on it              sdf/planes.c, walls.c
 *              sdf/grid.c      the grid, its signs       sdf/volume.c     contact = "overlap"
 *              solid/          triangles, closest points, winding numbers, implicit functions
 *              solid/manifold.c  few contacts of many touches
 *
 * Distance the grid rejects samples, and says where the search begins; the distance of those that are left is that of
 *          the closest triangle. Its gradient is a unit vector almost everywhere, so a force k depth n has a
 *          potential. A distance between the nodes has none: at edges its gradient is not a unit vector.
 * Error    with the cell h and the curvature k of the surfaces
 *              surface    a mesh: none. An implicit function: 3 h^2 k / 8, between triangles
 *              samples    s^2 k / 4 on smooth bodies, spacing s (`spacing` h): a sample is up to s / sqrt(2) from
 *                         the deepest point. Polyhedra: none at vertices; where two edges cross up to s / 2
 *              distance   of the surface and samples: none
 * Cost     samples / 24 looks into the grid, then some per sample near the other body; memory 12 bytes a node.
 * Deviations from the paper, and why
 *   - [1] adds the force of every sample, so that the stiffness grows with their number. Here patches have a
 *     few points (solid/manifold.c).
 *   - [1] samples one body of the pair only. This misses an edge of b in a flat face of a.
 *   - A sample in a flat face touches only surfaces that face it (samples.c).
 * Energy   each touch has a potential, and begins and ends at depth 0; the choice of a few of them has not. Led along
 *          closed paths with overlaps up to 15 % of their size, ellipsoids leave 10 % of the work that is turned
 *          over, cuboids 12 %, octahedra on the facets of a wall 19 %. A body that comes to rest gains less than
 *          2e-8 of its energy in 100 steps (tests/scenes/test_solids.py).
 *          contact = "overlap" has a potential: sdf/volume.c. tests/resolver/solid/overlap_volume.c measures it.
 * Limits   closed surfaces that do not cross themselves. A plate thinner than the spacing of its samples is refused:
 *          edges would slip between them. Warned of (solid/served.c): a shape of which crossing edges, or corners of a
 *          function, lose more than 1 % of its longest side; contacts deeper than that, when the instance ends: up to 11 %
 *          of the work is left at 1 %, 19 % at 15 %; volumes of overlaps deeper than 10 % (sdf/volume.c). Bodies thinner than twice the depth are pushed to the wrong side, as
 *          with any distance. A ball has one contact, also in a notch.
 */
#include "sdf/sdf.h"

typedef struct config {
    int64_t cells, points;
    double cell, spacing;
    int32_t contact;
} config;

/* 1: the shape has a mesh or a function for its surface; a point has none. */
static int has_surface(const scree_shape *s)
{
    return s->mesh || s->view(s, SCREE_VIEW_IMPLICIT, 0.0) ||
           s->view(s, SCREE_VIEW_MESH, 0.01 * s->radius);
}

/* 1: solids of space, which have a surface; NULL shapes do not occur. */
static int is_solid(const scree_shape_type *type)
{
    if (type->flags != 0 || type->n_shapes == 0)
        return 0;
    for (uint32_t k = 0; k < type->n_shapes; k++) {
        const scree_shape *s = type->shapes[k];
        if (s->flat || !has_surface(s))
            return 0;
    }
    return 1;
}

#define OF_OVERLAP                                                                                 \
    ((uint64_t)SCREE_GIVES_OVERLAP | SCREE_GIVES_AREA | SCREE_GIVES_VOLUME | SCREE_GIVES_TWIST |   \
     SCREE_GIVES_BED)

static int32_t supports(void *instance, scree_pair_support *pair)
{
    const sdf_resolver *self = instance;
    const uint32_t others = SCREE_CAP_WALL | SCREE_CAP_INFINITE;
    pair->provides &=
        self->overlap ? OF_OVERLAP : SCREE_GIVES_DISTANCE | (uint64_t)SCREE_GIVES_PARTS;
    if (self->overlap) {
        if (is_solid(pair->a) && (is_solid(pair->b) || pair->b->flags & SCREE_CAP_INFINITE))
            pair->contacts = SCREE_SUPPORTS_ONE;
    } else if (((pair->a->flags & SCREE_CAP_ROUND && !pair->a->shapes[0]->flat) ||
                solid_is_point(pair->a)) &&
               is_solid(pair->b))
        pair->contacts = SCREE_SUPPORTS_ONE;
    else if (is_solid(pair->a) && solid_is_point(pair->b))
        pair->contacts = SCREE_SUPPORTS_ONE;
    else if (is_solid(pair->a) && (is_solid(pair->b) || pair->b->flags & others))
        pair->contacts = SCREE_SUPPORTS_MANY;
    return SCREE_OK;
}

static int32_t prepare(void *instance, uint32_t index, const scree_shape *shape)
{
    sdf_resolver *self = instance;
    const int wall = shape->flags == SCREE_CAP_WALL && shape->mesh && !self->overlap;
    if ((shape->flags != 0 && !wall) || shape->flat || !has_surface(shape))
        return SCREE_OK;
    if (!scree_grow(&self->shapes, &self->capacity, index + 1ull, sizeof *self->shapes))
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for shapes");
    for (; self->n <= index; self->n++)
        memset(&self->shapes[self->n], 0, sizeof *self->shapes);
    sdf_shape_clear(&self->shapes[index]);
    const int32_t status = wall ? sdf_wall_make(self, shape, &self->shapes[index])
                                : sdf_shape_make(self, index, shape, &self->shapes[index]);
    return status == SCREE_OK && !wall
               ? solid_served_add(&self->served, index, self->shapes[index].surface.size)
               : status;
}

static int32_t resolve(void *instance, const scree_candidates *in, scree_contacts *out,
                       uint32_t *done)
{
    const sdf_resolver *self = instance;
    const uint32_t a = in->bodies->types[in->type_a]->flags;
    const uint32_t b = in->bodies->types[in->type_b]->flags;
    if (a & SCREE_CAP_ROUND || solid_is_point(in->bodies->types[in->type_a]) ||
        solid_is_point(in->bodies->types[in->type_b]))
        return sdf_resolve_balls(self, in, out, done);
    const int32_t status = b & SCREE_CAP_INFINITE ? sdf_resolve_planes(self, in, out, done)
                           : b & SCREE_CAP_WALL   ? sdf_resolve_walls(self, in, out, done)
                                                  : sdf_resolve_solids(self, in, out, done);
    const int exact = self->overlap && b & SCREE_CAP_INFINITE;
    if (status == SCREE_OK && *done > 0 && !exact)
        solid_served_note(&self->served, in, out);
    return status;
}

/* Samples of one body adjoin within three spacings, as do points of one edge of a wall; a sample of
 * a and one of b always adjoin. */
static int32_t adjoins(void *instance, uint32_t shape_a, uint32_t shape_b, uint64_t feature,
                       uint64_t other)
{
    const sdf_resolver *self = instance;
    const uint32_t side = feature & 1u, shape = side ? shape_b : shape_a;
    if ((other & 1u) != side)
        return 1;
    const sdf_shape *s =
        shape < self->n && self->shapes[shape].n_samples ? &self->shapes[shape] : NULL;
    if (!s) // points of an edge of a wall
        return feature >> 25 == other >> 25;
    if (feature / 2 >= s->n_samples || other / 2 >= s->n_samples)
        return 0;
    const scree_vec off = scree_less(s->sample[feature / 2], 1.0, s->sample[other / 2]);
    return solid_length(off) < 3.0 * s->spacing;
}

static void destroy(void *instance)
{
    sdf_resolver *self = instance;
    if (!self)
        return;
    for (uint64_t k = 0; k < self->n; k++)
        sdf_shape_clear(&self->shapes[k]);
    free(self->shapes);
    if (self->overlap)
        solid_served_end(
            &self->served, "the volume of sdf", SOLID_SERVED_VOLUME,
            "of deeper ones it is too small, by half where they are as deep as thick; stiffer "
            "contacts, or of convex solids \"cyrus_beck\", which is exact");
    else
        solid_served_end(
            &self->served, "sdf", SOLID_SERVED,
            "deeper ones can make or take energy; stiffer contacts, or a law of the volume with "
            "contact = \"overlap\", of convex solids by \"cyrus_beck\"; more cells do not help");
    free(self);
}

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    const config *c = given;
    sdf_resolver *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->host = host;
    self->cells = (uint32_t)c->cells;
    self->most = (uint32_t)c->points;
    self->cell = isnan(c->cell) ? 0.0 : c->cell;
    self->spacing = c->spacing;
    self->overlap = c->contact;
    if (solid_served_start(&self->served, host) != SCREE_OK) {
        free(self);
        return SCREE_E_MEMORY;
    }
    *instance = self;
    return SCREE_OK;
}

static uint64_t bytes(void *instance)
{
    const sdf_resolver *self = instance;
    uint64_t sum =
        sizeof *self + self->capacity * sizeof *self->shapes + solid_served_bytes(&self->served);
    for (uint64_t k = 0; k < self->n; k++)
        sum += sdf_shape_bytes(&self->shapes[k]);
    return sum;
}

SCREE_INT_PARAM(config, cells, 0, 24, 4, 64, "cells along the longest side of a body");
SCREE_REAL_PARAM(config, cell, "m", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 0, HUGE_VAL,
                 "edge of a cell at scale 1, instead of `cells`");
SCREE_REAL_PARAM(config, spacing, "-", 0, 1, 0.25, 64,
                 "distance between samples on a surface, in cells");
SCREE_INT_PARAM(config, points, 0, 4, 1, 4, "contacts of a patch, at most");
SCREE_CHOICE_VALUE(distance, 0,
                   "up to four points of a patch, for laws of the depth; not conservative");
SCREE_CHOICE_VALUE(overlap, 1,
                   "one contact, for laws of the volume: conservative; of solids and planes");
SCREE_CHOICE_PARAM(config, contact, 0, "distance", "the geometry of contacts", &choice_distance,
                   &choice_overlap);
static const scree_param *const params[] = {&param_cells, &param_cell, &param_spacing,
                                            &param_points, &param_contact};

static const scree_resolver_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = destroy,
    .bytes = bytes,
    .supports = supports,
    .prepare = prepare,
    .resolve = resolve,
    .adjoins = adjoins,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_RESOLVER,
    .dimensions = SCREE_DIMENSION_3,
    .id = "sdf",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "solids of any closed surface, by signed distances on a grid",
    .summary =
        "Samples the surface of each body in the signed distances of the other one, against balls, "
        "points, "
        "planes and walls too. Serves meshes, also with holes and cavities, and implicit "
        "functions. "
        "By `distance` a patch that touches has up to four contacts, which keep their history; by "
        "`overlap`, of solids and planes, the pair has one, whose force has a potential.",
    .citation =
        "R. Kawamoto, E. Ando, G. Viggiani, J. E. Andrade, Level set discrete element method "
        "for three-dimensional computations with triaxial case study, Journal of the "
        "Mechanics and Physics of Solids 91, 1-20, 2016",
    .provides = SCREE_GIVES_DISTANCE | SCREE_GIVES_PARTS | OF_OVERLAP,
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
