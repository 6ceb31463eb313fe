// SPDX-License-Identifier: Apache-2.0
// Resolver `gjk`: convex solids against each other, balls, planes and facets, by their support functions.
/*
 * Sources
 *   [1] E. G. Gilbert, D. W. Johnson, S. S. Keerthi, A fast procedure for computing the distance
 *       between complex objects in three-dimensional space, IEEE J. Robot. Autom. 4 (1988) 193.
 *   [2] G. van den Bergen, Proximity queries and penetration depth computation on 3D game objects,
 *       Game Developers Conference 2001.
 *   [3] D. Gregorius, The separating axis test between convex polyhedra, Game Developers Conference 2013.
 *
 * Idea     The depth along n is the distance that b must move along n until it only touches a:
 *          h_a(n) + h_b(-n) - n·d, with the support functions h. The contact is where it is least
 *          over all n; below 0 it is a gap.
 *
 *              both have faces gjk/axes.c: all directions that can be the least, so the result is
 *              exact [3];
 *                                 cover.c: for overlaps the same with few directions; graph.c: by
 *                                 walks; faces.c: corners and crossings of faces that lie on each
 *                                 other
 *              smooth, with radii of curvature  gjk/roll.c: Newton's method, and a proof by balls that
 *                                 roll inside of both; without a proof as the next
 *              one has faces, or none  gjk/distance.c [1]: gaps; least.c [2]: a bound from below over
 *                                 all directions; settle.c: Newton's method to the last bits
 *              cylinders, capsules  gjk/spread.c: round faces and lines, at several points
 *              point, wall        gjk/points.c
 *              plane              every corner that is below it; of round bodies the deepest point
 *              wall               gjk/wall.c, facet by facet
 * Bodies   Solids with a support function; those that have an exact mesh, too, have faces.
 * History  A contact with faces is named by the features that touch. Other pairs have only one
 *          contact.
 * One state  Each pair is searched from where its bodies are. A hint is an axis along which they were
 *          apart, and saves the search while they still are, by more than rounding; or a surface
 *          that bounds the depth from below (cover.c). The first of two solids is the one that has
 *          the other on its positive side, so that exchange changes no bit.
 * Error    of depths below 1e-12 of the size against other ways to compute it, in tests/resolver/gjk/gjk.c,
 *          test_gjk_smooth.c, and
 *          against qhull's Minkowski differences in gjk_hulls.c,
 *          but for capsules deep in polyhedra, where one of 1 111 pairs was 3.5e-4 off.
 * Why not libccd  Its penetration search allocates at each pair, and misses the least translation
 *          of some deep pairs without notice; tests/bench/gjk_bench.c runs both on the same pairs.
 */
#include "gjk/resolver.h"

/* ---- types ---- */

static const scree_support *support_of(const scree_shape *shape)
{
    if (shape->flags != 0 || shape->flat || !shape->view)
        return NULL;
    return shape->view(shape, SCREE_VIEW_SUPPORT, 0.0);
}

/* Kinds of shapes of a type. */
typedef struct kinds {
    int convex;    /* all are convex solids */
    int faces;     /* some have an exact mesh */
    int spread;    /* some are cylinders or capsules */
    uint32_t flat; /* some have a flat face */
} kinds;

static kinds kinds_of(const scree_shape_type *type)
{
    kinds out = {.convex = type->n_shapes > 0};
    for (uint32_t k = 0; k < type->n_shapes && out.convex; k++) {
        const scree_support *view = support_of(type->shapes[k]);
        out.convex &= view != NULL;
        out.faces |= view && type->shapes[k]->mesh;
        out.flat |= view && type->shapes[k]->mesh;
        if (!view || type->shapes[k]->mesh)
            continue;
        uint32_t flat;
        out.spread |= spread_find(view, &flat).half > 0.0;
        out.flat |= flat;
    }
    return out;
}

static int is_ball(const scree_shape_type *type)
{
    return (type->flags & SCREE_CAP_ROUND) && type->n_shapes > 0 && !type->shapes[0]->flat;
}

static int32_t supports(void *instance, scree_pair_support *pair)
{
    (void)instance;
    const kinds a = kinds_of(pair->a), b = kinds_of(pair->b);
    const int plane = (pair->b->flags & SCREE_CAP_INFINITE) != 0;
    const int facets = (pair->b->flags & SCREE_CAP_WALL) != 0;
    if (is_ball(pair->a) && b.convex)
        pair->contacts = SCREE_SUPPORTS_ONE;
    else if (a.convex && b.convex)
        pair->contacts =
            (a.faces | a.spread) && (b.faces | b.spread) ? SCREE_SUPPORTS_MANY : SCREE_SUPPORTS_ONE;
    else if (a.convex && plane)
        pair->contacts = a.faces | a.spread ? SCREE_SUPPORTS_MANY : SCREE_SUPPORTS_ONE;
    else if (a.convex && facets)
        pair->contacts = SCREE_SUPPORTS_MANY;
    if (a.flat && (b.flat || plane || facets))
        pair->provides &= ~(uint64_t)SCREE_GIVES_CURVATURE;
    return SCREE_OK;
}

/* Reach of a smooth shape along a direction [m]. */
static double reach_of(const smooth_view *view, const scree_vec way)
{
    const scree_vec t = across(way), u = scree_cross(way, t);
    const double ways[3][3] = {{way.x, way.y, way.z}, {t.x, t.y, t.z}, {u.x, u.y, u.z}};
    double p[3], radii[3];
    view->farthest(view->ctx, ways, p, radii);
    return way.x * p[0] + way.y * p[1] + way.z * p[2];
}

/* Takes the smooth surface of a shape, if it has one. Only ellipsoids need no implicit function. */
static void take_smooth(const scree_shape *shape, body_shape *s)
{
    const scree_vec askew = unit_of(scree_vec_of(1.0, 2.0, 3.0));
    const double part[3] = {askew.x, askew.y, askew.z};
    double square = 0.0;
    s->smooth = shape->view(shape, SMOOTH_VIEW, 0.0);
    if (!s->smooth)
        return;
    for (int k = 0; k < 3; k++) {
        s->half[k] = reach_of(s->smooth, scree_vec_of(k == 0, k == 1, k == 2));
        square += s->half[k] * s->half[k] * part[k] * part[k];
    }
    const double reach = reach_of(s->smooth, askew);
    if (!(fabs(reach * reach - square) <= 1e-12 * square))
        s->implicit = shape->view(shape, SCREE_VIEW_IMPLICIT, 0.0);
}

static void clear_shape(body_shape *s)
{
    polytope_free(s->flat);
    wall_free(s->wall);
    *s = (body_shape){0};
}

/* Warns once of points and facets, because laws of an overlap do not act between them. */
static void note_point(resolver *self, uint32_t index, const scree_shape *shape)
{
    const int both = self->point && self->facets;
    if ((shape->flags & SCREE_CAP_WALL) && !self->facets)
        self->facets = solid_name_of(self->host, index);
    else if (shape->plugin && !strcmp(shape->plugin->id, "point") && !self->point)
        self->point = solid_name_of(self->host, index);
    if (!both && self->point && self->facets)
        scree_logf(
            self->host, SCREE_LOG_WARNING,
            "shape \"%s\" has no extent: it passes through the facets of shape \"%s\" unless "
            "a law acts across a gap; solids and planes hold it",
            self->point, self->facets);
}

static int32_t prepare(void *instance, uint32_t index, const scree_shape *shape)
{
    resolver *self = instance;
    const char *why = "no memory for the shapes";
    int32_t code = SCREE_E_MEMORY;
    if (!scree_grow(&self->shapes, &self->capacity, index + 1ull, sizeof *self->shapes))
        return self->host->fail(self->host->ctx, code, why);
    for (; self->n <= index; self->n++)
        self->shapes[self->n] = (body_shape){0};
    body_shape *s = &self->shapes[index];
    clear_shape(s);
    note_point(self, index, shape);
    if ((shape->flags & SCREE_CAP_WALL) && shape->mesh) {
        s->wall = wall_new(shape->mesh);
        return s->wall ? SCREE_OK : self->host->fail(self->host->ctx, code, why);
    }
    s->view = support_of(shape);
    if (s->view && !shape->mesh) {
        uint32_t flat;
        s->spread = spread_find(s->view, &flat);
        take_smooth(shape, s);
    }
    if (!s->view || !shape->mesh)
        return SCREE_OK;
    s->flat = polytope_new(shape->mesh, &why, &code);
    return s->flat ? SCREE_OK : self->host->fail(self->host->ctx, code, why);
}

/* ---- calls ---- */

static uint64_t count_features(const resolver *self, const scree_bodies *bodies, uint32_t i)
{
    const polytope *p = self->shapes[bodies->shape[i]].flat;
    return p ? p->n_vertices + p->n_edges : SPREAD_POINTS;
}

/* Memory for all pairs of a call. */
static int32_t get_work(const resolver *self, const scree_candidates *in, work *w)
{
    const int walls = (in->bodies->types[in->type_b]->flags & SCREE_CAP_WALL) != 0;
    const int solid = !walls && !(in->bodies->types[in->type_b]->flags & SCREE_CAP_INFINITE);
    uint64_t most[2] = {0, 0}, n_touches = 0;
    for (uint32_t p = 0; p < in->n; p++) {
        const uint32_t body[2] = {in->a[p], in->b[p]};
        uint64_t sum = 0;
        for (int k = 0; k < 1 + solid; k++) {
            const polytope *flat = self->shapes[in->bodies->shape[body[k]]].flat;
            const uint64_t bytes = convex_bytes(flat);
            most[k] = bytes > most[k] ? bytes : most[k];
            sum += count_features(self, in->bodies, body[k]);
        }
        if (walls) // corners of both bodies and crossings, by facet
            sum = (2 * sum + 8) * (in->first ? in->first[p + 1] - in->first[p] : 1);
        n_touches = sum + 2 > n_touches ? sum + 2 : n_touches;
    }
    const uint64_t least = least_bytes() > cover_bytes() ? least_bytes() : cover_bytes();
    const uint64_t search = walls ? wall_bytes() : least;
    char *memory = self->host->scratch(self->host->ctx, in->lane,
                                       search + most[0] + most[1] + n_touches * sizeof(touch));
    if (!memory || n_touches > UINT32_MAX)
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a pair");
    w->search = memory;
    w->room[0] = memory + search;
    w->room[1] = memory + search + most[0];
    w->found = (touches){.list = (touch *)(void *)(memory + search + most[0] + most[1]),
                         .capacity = (uint32_t)n_touches};
    return SCREE_OK;
}

static int32_t resolve(void *instance, const scree_candidates *in, scree_contacts *out,
                       uint32_t *done)
{
    const resolver *self = instance;
    const uint32_t flags = in->bodies->types[in->type_b]->flags;
    work w;
    out->n = 0;
    *done = 0;
    const int32_t status = get_work(self, in, &w);
    if (status != SCREE_OK)
        return status;
    if (flags & SCREE_CAP_INFINITE)
        return resolve_planes(self, in, out, &w, done);
    if (flags & SCREE_CAP_WALL)
        return resolve_walls(self, in, out, &w, done);
    return resolve_bodies(self, in, out, &w, done);
}

static int32_t adjoins(void *instance, uint32_t shape_a, uint32_t shape_b, uint64_t feature,
                       uint64_t other)
{
    const resolver *self = instance;
    if (shape_a >= self->n || shape_b >= self->n)
        return 0;
    return touches_adjoin(&self->shapes[shape_a], &self->shapes[shape_b], feature, other);
}

/* ---- the instance ---- */

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    resolver *self = calloc(1, sizeof *self);
    (void)config;
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->host = host;
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    resolver *self = instance;
    if (!self)
        return;
    for (uint64_t k = 0; k < self->n; k++)
        clear_shape(&self->shapes[k]);
    free(self->shapes);
    free(self);
}

static uint64_t bytes(void *instance)
{
    const resolver *self = instance;
    uint64_t sum = sizeof *self + self->capacity * sizeof *self->shapes;
    for (uint64_t k = 0; k < self->n; k++) {
        const polytope *flat = self->shapes[k].flat;
        sum += flat ? flat->bytes : 0;
        sum += flat && flat->graph ? flat->graph->bytes : 0;
        sum += self->shapes[k].wall ? self->shapes[k].wall->bytes : 0;
    }
    return sum;
}

static const scree_resolver_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = destroy,
    .bytes = bytes,
    .hint_bytes = sizeof(hint),
    .supports = supports,
    .prepare = prepare,
    .resolve = resolve,
    .adjoins = adjoins,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_RESOLVER,
    .dimensions = SCREE_DIMENSION_3,
    .id = "gjk",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "convex solids against each other, balls, planes and facets",
    .summary =
        "The least translation that parts two convex solids, from their support functions and, "
        "of polyhedra, from their faces. A face that lies on a face has a contact at each "
        "corner of what they share; cylinders and capsules touch at four points of a rim, or at "
        "both ends of a line. "
        "Round bodies have a mean curvature.",
    .citation =
        "E. G. Gilbert, D. W. Johnson, S. S. Keerthi, A fast procedure for computing the "
        "distance between complex objects in three-dimensional space, IEEE J. Robot. Autom. "
        "4, 193 (1988)",
    .provides = SCREE_GIVES_DISTANCE | SCREE_GIVES_PARTS | SCREE_GIVES_CURVATURE,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
