// SPDX-License-Identifier: Apache-2.0
// Resolver `closest_feature`: polygons, discs, walls and planes in 2D, by overlap or by distance.
/*
 * Sources
 *   [1] A. Schinner, Fast algorithms for the simulation of polygonal particles, Granular Matter 2
 *       (1999) 35, section 4: closest features, tracked.
 *   [2] M. C. Lin, Efficient Collision Detection for Animation and Robotics, PhD thesis, University
 *       of California at Berkeley, 1993.
 *
 * Idea     Two convex outlines that move a little keep their closest features, or the neighbouring
 *          ones become closest. So the search takes a few moves from the features of the last step,
 *          for any number of vertices. Outlines that overlap keep a pair of edges that cross
 *          instead, and their overlap is clipped by walking along both borders from there.
 *
 *              outline - outline   closest_feature/outlines.c, track.c, overlap.c, penetration.c;
 *                                  not convex: general.c
 *              outline - open wall walls.c, wall_gaps.c; wall.c prepares. One that encloses a solid
 *                                  is an outline
 *              outline - plane     planes.c
 *              disc - outline      discs.c
 *
 * Geometry `contact = "overlap"`: area, chord, its middle; a contact for each connected piece. The
 *          normal is that of the resultant, so that d(area) = chord n·dx holds for any number of
 *          crossings. depth = area / chord, but no more than half of the border of the piece and
 *          than the reach of both bodies.
 *          The overlap with an open wall is the smaller part of the body, on the far side of the
 *          facets, between rays that leave the wall's ends at right angles (walls.c). `contact =
 *          "distance"`: the least translation that separates convex outlines, at both ends of sides
 *          that face each other (ends.c); of others each pair of their convex parts that overlap
 *          (parts.c); of a plane each vertex behind it; of discs the closest points; at an open
 *          wall both ends of a side that lies on a facet, and, where no face is at it, each end of
 *          the wall.
 * History  By overlap convex outlines have one contact, feature 0, whichever edges touch; by distance a
 *          contact is named by the vertex that touches. Pieces of others are
 *          named by the lowest edges where a goes into b; a name whose edges are near those of
 *          another goes on with its history (adjoins).
 * One state  All decisions are signs without rounding (exact.h, outline.h), so the features and the
 *          crossings that a search finds depend only on where the bodies are; results are computed
 *          from those in an order that their numbers give. Hints change no bit.
 * Deviations from the paper: track.c.
 * Limits   By distance, edges between convex parts count like others where a part is entered deeply.
 *          A body that reaches through a thin open wall touches each of its sheets. Discs at open
 *          walls are left to resolver/sphere. Vertices that are off the line of their neighbours by
 *          less than 4e-15 of the radius are left out.
 */
#include "closest_feature/parts.h"
#include "closest_feature/resolver.h"

typedef struct config {
    int32_t contact;
} config;

/* Does a shape consist of segments in the plane? */
static int is_wall(const scree_shape *shape)
{
    return shape->flags == SCREE_CAP_WALL && shape->mesh;
}

/* The outline of a shape; *own: its memory, which the caller frees, or NULL. */
static const scree_outline *view_of(const scree_shape *shape, scree_outline **own)
{
    *own = NULL;
    if (is_wall(shape))
        return *own = outline_of_mesh(shape->mesh);
    if (shape->flags != 0 || !shape->flat || !shape->view)
        return NULL;
    return shape->view(shape, SCREE_VIEW_OUTLINE, 0.0);
}

/* Kinds of the outlines of a type of shapes: the last kind that any shape of the type has. */
enum { NO_OUTLINES, CONVEX, ANY, OPEN_WALL };

static int kind_of(const scree_shape_type *type)
{
    int kind = type->n_shapes > 0 ? CONVEX : NO_OUTLINES;
    for (uint32_t k = 0; k < type->n_shapes; k++) {
        scree_outline *own;
        const scree_outline *view = view_of(type->shapes[k], &own);
        if (!view && !is_wall(type->shapes[k]))
            return NO_OUTLINES;
        if (!view)
            kind = OPEN_WALL;
        else if (kind == CONVEX && (!outline_is_convex(view) || own))
            kind = ANY;
        free(own);
    }
    return kind;
}

static int is_disc(const scree_shape_type *type)
{
    return (type->flags & SCREE_CAP_ROUND) != 0;
}

static int32_t supports(void *instance, scree_pair_support *pair)
{
    const resolver *self = instance;
    const int a = kind_of(pair->a), b = kind_of(pair->b);
    const int plane = (pair->b->flags & SCREE_CAP_INFINITE) != 0;
    const int kind = is_disc(pair->a) ? b : plane ? a : a > b ? a : b;
    const int body = a == CONVEX || a == ANY;
    const int disc = is_disc(pair->a) && (b == CONVEX || b == ANY);
    if (!disc && !(plane && body) && !(body && b != NO_OUTLINES))
        return SCREE_OK;
    const int one = kind == CONVEX && (disc || self->geometry == GEOMETRY_OVERLAP);
    pair->contacts = one ? SCREE_SUPPORTS_ONE : SCREE_SUPPORTS_MANY;
    if (self->geometry == GEOMETRY_DISTANCE)
        pair->provides &= ~(uint64_t)(SCREE_GIVES_OVERLAP | SCREE_GIVES_AREA | SCREE_GIVES_CHORD |
                                      SCREE_GIVES_TWIST | SCREE_GIVES_ECCENTRICITY);
    else
        pair->provides &= ~(uint64_t)SCREE_GIVES_DISTANCE;
    return SCREE_OK;
}

static int32_t prepare(void *instance, uint32_t index, const scree_shape *shape)
{
    resolver *self = instance;
    scree_outline *own;
    const scree_outline *view = view_of(shape, &own);
    if (!scree_grow(&self->outlines, &self->capacity, index + 1ull, sizeof *self->outlines) ||
        !scree_grow(&self->walls, &self->wall_capacity, index + 1ull, sizeof *self->walls)) {
        free(own);
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for shapes");
    }
    for (; self->n <= index; self->n++) {
        memset(&self->outlines[self->n], 0, sizeof *self->outlines);
        memset(&self->walls[self->n], 0, sizeof *self->walls);
    }
    outline_clear(&self->outlines[index]);
    wall_clear(&self->walls[index]);
    if (!view && is_wall(shape) && !wall_new(shape->mesh, &self->walls[index]))
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a wall");
    if (!view)
        return SCREE_OK;
    outline o = outline_new(view);
    free(own);
    self->outlines[index] = o;
    if (o.n > 0 &&
        (o.convex || self->geometry == GEOMETRY_OVERLAP ||
         outline_parts(&o, &self->outlines[index].parts, &self->outlines[index].n_parts)))
        return SCREE_OK;
    outline_clear(&self->outlines[index]);
    return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for an outline");
}

static int32_t resolve(void *instance, const scree_candidates *in, scree_contacts *out,
                       uint32_t *done)
{
    const resolver *self = instance;
    if (in->bodies->types[in->type_b]->flags & SCREE_CAP_INFINITE)
        return resolve_planes(self, in, out, done);
    if (in->bodies->types[in->type_a]->flags & SCREE_CAP_ROUND)
        return resolve_discs(self, in, out, done);
    return resolve_outlines(self, in, out, done);
}

/* Are two numbers on a ring of n at most n / 8 apart? */
static int near_on_ring(uint64_t x, uint64_t y, uint64_t n)
{
    const uint64_t far = x > y ? x - y : y - x, most = n / 8 > 1 ? n / 8 : 1;
    return far <= most || n - far <= most;
}

/* Features of an outline and an open wall, see walls.c and wall_gaps.c. */
static int adjoins_at_wall(int32_t geometry, const outline *a, uint64_t feature, uint64_t other)
{
    if (geometry == GEOMETRY_DISTANCE) // the same part of a
        return feature >> 33 == other >> 33;
    const uint64_t x = feature >> 1 & 0x7fffffffu, y = other >> 1 & 0x7fffffffu;
    return !((feature ^ other) & 1) && (x > y ? x - y : y - x) <= 2 &&
           near_on_ring(feature >> 32, other >> 32, a->n);
}

/* Do two ends adjoin? They belong to the same pair of parts, or to pairs with one part in common:
 * an end passes from a vertex of a to one of b, or from one vertex of an outline to the next. b
 * NULL: a plane. */
static int ends_adjoin(const outline *a, const outline *b, uint64_t feature, uint64_t other)
{
    const uint64_t x = ends_pair(feature), y = ends_pair(other), n = b ? parts_of(b) : 1;
    const outline *o = ends_of_b(feature) ? b : a;
    if (x / n != y / n && x % n != y % n)
        return 0;
    return ends_of_b(feature) != ends_of_b(other) || !o || !o->convex ||
           near_on_ring(ends_vertex(feature), ends_vertex(other), o->n);
}

static int32_t adjoins(void *instance, uint32_t shape_a, uint32_t shape_b, uint64_t feature,
                       uint64_t other)
{
    const resolver *self = instance;
    const outline *a =
        shape_a < self->n && self->outlines[shape_a].n ? &self->outlines[shape_a] : NULL;
    const outline *b =
        shape_b < self->n && self->outlines[shape_b].n ? &self->outlines[shape_b] : NULL;
    if (feature == 0 || other == 0) // one is across a gap, or inside the other
        return 1;
    if (a && shape_b < self->n && self->walls[shape_b].n_lines > 0)
        return adjoins_at_wall(self->geometry, a, feature, other);
    if (a && self->geometry == GEOMETRY_DISTANCE)
        return ends_adjoin(a, b, feature, other);
    if (!a) // a disc: by distance 2 k + 1 of vertex k, 2 k + 2 of edge k
        return b && near_on_ring(feature, other,
                                 self->geometry == GEOMETRY_DISTANCE ? 2ull * b->n : b->n);
    return near_on_ring(feature >> 32, other >> 32, a->n) &&
           (!b || near_on_ring(feature & 0xffffffffu, other & 0xffffffffu, b->n));
}

static void destroy(void *instance)
{
    resolver *self = instance;
    if (!self)
        return;
    for (uint64_t k = 0; k < self->n; k++) {
        outline_clear(&self->outlines[k]);
        wall_clear(&self->walls[k]);
    }
    free(self->outlines);
    free(self->walls);
    free(self);
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    const config *c = config_;
    resolver *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->host = host;
    self->geometry = c->contact;
    *instance = self;
    return SCREE_OK;
}

static uint64_t bytes(void *instance)
{
    const resolver *self = instance;
    uint64_t sum = sizeof *self + self->capacity * sizeof *self->outlines +
                   self->wall_capacity * sizeof *self->walls;
    for (uint64_t k = 0; k < self->n; k++)
        sum += outline_bytes(&self->outlines[k]) + wall_bytes(&self->walls[k]);
    return sum;
}

SCREE_CHOICE_VALUE(overlap, GEOMETRY_OVERLAP, "area, chord and its middle, for laws of area");
SCREE_CHOICE_VALUE(
    distance, GEOMETRY_DISTANCE,
    "least translation that separates, for laws of depth; others than convex outlines by "
    "convex parts");
SCREE_CHOICE_PARAM(config, contact, 0, "overlap", "the geometry of contacts", &choice_overlap,
                   &choice_distance);
static const scree_param *const params[] = {&param_contact};

static const scree_resolver_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = destroy,
    .bytes = bytes,
    .hint_bytes = sizeof(track),
    .supports = supports,
    .prepare = prepare,
    .resolve = resolve,
    .adjoins = adjoins,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_RESOLVER,
    .dimensions = SCREE_DIMENSION_2,
    .id = "closest_feature",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "polygons against each other, discs, walls and planes, by tracked closest features",
    .summary =
        "Tracks the closest features of convex outlines, or a crossing of edges, from step to "
        "step: the cost does not grow with the number of vertices. Contacts are the connected "
        "pieces of the overlap, or of convex ones the penetration distance, at both ends of sides "
        "that "
        "face each other.",
    .citation = "A. Schinner, Fast algorithms for the simulation of polygonal particles, Granular "
                "Matter 2, 35 (1999)",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .provides = SCREE_GIVES_OVERLAP | SCREE_GIVES_DISTANCE | SCREE_GIVES_AREA | SCREE_GIVES_CHORD |
                SCREE_GIVES_TWIST | SCREE_GIVES_ECCENTRICITY,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
