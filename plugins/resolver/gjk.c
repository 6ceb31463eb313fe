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
 * Idea     The depth along n is how far b has to move along n to touch a: h_a(n) + h_b(-n) - n·d, with
 *          the support functions h. The contact is where it is least over all n; below 0 it is a gap.
 *
 *              both have faces    gjk/axes.c: all directions that can be the least, so it is exact [3];
 *                                 faces.c: corners and crossings of faces that lie on each other
 *              one has faces, or none  gjk/distance.c [1]: gaps; least.c [2]: a bound from below over
 *                                 all directions; settle.c: Newton's method to the last bits
 *              plane              every corner that is below it; of round bodies the deepest point
 *              wall               gjk/wall.c, facet by facet
 * Bodies   Solids with a support function; those that have an exact mesh, too, have faces.
 * History  A contact with faces is named by the features that touch. Others are the one of their pair.
 * One state  Each pair is searched from where its bodies are: a hint is an axis along which they were
 *          apart, and only saves the search for those that still are, by more than rounding. The first of
 *          two solids is the one that has the other on its positive side, so that exchange
 *          changes no bit.
 * Error    of depths below 1e-12 of the size against other ways to compute it, in tests/conformance/gjk.c,
 *          but for capsules deep in polyhedra, where one of 1 111 pairs was 3.5e-4 off.
 * Why not libccd  Its penetration search allocates at each pair, and is short of the least translation
 *          on some deep ones without notice; tests/bench/gjk_bench.c runs both on the same pairs.
 */
#include "gjk/wall.h"

typedef struct body_shape {
    const scree_support *view;
    polytope *flat;
    wall *wall;
} body_shape;

typedef struct resolver {
    const scree_host *host;
    body_shape *shapes; /* [n] by index of shape */
    uint64_t n, capacity;
} resolver;

typedef struct hint {
    double axis[3]; /* [-] along which the bodies were apart; 0: they were not */
} hint;

/* Memory of one call. */
typedef struct work {
    touches found;
    void *room[2]; /* of bodies a and b */
    void *search;
} work;

/* ---- types ---- */

static const scree_support *support_of(const scree_shape *shape)
{
    if (shape->flags != 0 || shape->flat || !shape->view)
        return NULL;
    return shape->view(shape, SCREE_VIEW_SUPPORT, 0.0);
}

/* Whether all shapes of a type are convex solids; *faces: some have an exact mesh. */
static int is_convex(const scree_shape_type *type, int *faces)
{
    *faces = 0;
    for (uint32_t k = 0; k < type->n_shapes; k++) {
        if (!support_of(type->shapes[k]))
            return 0;
        *faces |= type->shapes[k]->mesh != NULL;
    }
    return type->n_shapes > 0;
}

static int is_ball(const scree_shape_type *type)
{
    return (type->flags & SCREE_CAP_ROUND) && type->n_shapes > 0 && !type->shapes[0]->flat;
}

/* 1: bodies without extent, which pass between the facets of a wall. */
static int is_point(const scree_shape_type *type)
{
    int any = 0;
    for (uint32_t k = 0; k < type->n_shapes; k++)
        any |= type->shapes[k]->plugin && !strcmp(type->shapes[k]->plugin->id, "point");
    return any;
}

static int32_t supports(void *instance, scree_pair_support *pair)
{
    (void)instance;
    int faces_a, faces_b;
    const int a = is_convex(pair->a, &faces_a), b = is_convex(pair->b, &faces_b);
    if (is_ball(pair->a) && b)
        pair->contacts = SCREE_SUPPORTS_ONE;
    else if (a && b)
        pair->contacts = faces_a && faces_b ? SCREE_SUPPORTS_MANY : SCREE_SUPPORTS_ONE;
    else if (a && (pair->b->flags & SCREE_CAP_INFINITE))
        pair->contacts = faces_a ? SCREE_SUPPORTS_MANY : SCREE_SUPPORTS_ONE;
    else if (a && !is_point(pair->a) && (pair->b->flags & SCREE_CAP_WALL))
        pair->contacts = SCREE_SUPPORTS_MANY;
    return SCREE_OK;
}

static void clear_shape(body_shape *s)
{
    polytope_free(s->flat);
    wall_free(s->wall);
    *s = (body_shape){0};
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
    if ((shape->flags & SCREE_CAP_WALL) && shape->mesh) {
        s->wall = wall_new(shape->mesh);
        return s->wall ? SCREE_OK : self->host->fail(self->host->ctx, code, why);
    }
    s->view = support_of(shape);
    if (!s->view || !shape->mesh)
        return SCREE_OK;
    s->flat = polytope_new(shape->mesh, &why, &code);
    return s->flat ? SCREE_OK : self->host->fail(self->host->ctx, code, why);
}

/* ---- results ---- */

static int is_kept(const scree_candidates *in, uint32_t p)
{
    return in->keep && in->keep[p];
}

static double range_of(const scree_candidates *in, uint32_t p)
{
    return is_kept(in, p) ? (double)INFINITY : in->range;
}

/* The contacts of pair p; 0: there is no room. */
static int put_touches(const touches *t, uint32_t p, scree_contacts *out, uint32_t *done)
{
    if (t->n > out->capacity - out->n) {
        out->n = *done > 0 ? out->n : t->n;
        return 0;
    }
    for (uint32_t k = 0; k < t->n; k++) {
        const touch *at = &t->list[k];
        const uint32_t c = out->n++;
        out->pair[c] = p;
        out->depth[c] = at->depth;
        scree_vec_put(out->normal, c, at->normal);
        scree_vec_put(out->arm, c, at->at);
        if (out->feature)
            out->feature[c] = at->feature;
        if (out->part[0]) {
            out->part[0][c] = 0;
            out->part[1][c] = at->facet;
        }
    }
    *done = p + 1;
    return 1;
}

static convex place(const resolver *self, const scree_bodies *bodies, uint32_t i, scree_vec at,
                    void *room)
{
    const body_shape *s = &self->shapes[bodies->shape[i]];
    return convex_place(bodies, i, s->flat, s->view, at, room);
}

static uint64_t count_features(const resolver *self, const scree_bodies *bodies, uint32_t i)
{
    const polytope *p = self->shapes[bodies->shape[i]].flat;
    return p ? p->n_vertices + p->n_edges : 1;
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
        if (walls) // corners of both and crossings, by facet
            sum = (2 * sum + 8) * (in->first ? in->first[p + 1] - in->first[p] : 1);
        n_touches = sum + 2 > n_touches ? sum + 2 : n_touches;
    }
    const uint64_t search = walls ? wall_bytes() : least_bytes();
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

/* ---- two bodies ---- */

/* Whether the axis of a hint still parts the bodies, by more than the errors of a search. */
static int is_apart(const convex *a, const convex *b, const hint *h, double range)
{
    const scree_vec n = scree_vec_of(h->axis[0], h->axis[1], h->axis[2]);
    const double square = scree_dot(n, n), slack = 1e-9 * (a->radius + b->radius);
    if (!(square > 0.5 && square < 2.0))
        return 0;
    return span_along(a, b, unit_of(n)).depth < -range - slack;
}

static void remember(hint *h, int parted, scree_vec n)
{
    const double by = parted ? 1.0 : 0.0;
    h->axis[0] = by * n.x;
    h->axis[1] = by * n.y;
    h->axis[2] = by * n.z;
}

/* The touches of a and b. */
static void search_pair(const convex *a, const convex *b, double range, hint *h, work *w)
{
    axis best = {.type = AXIS_GAP};
    w->found.n = 0;
    if (h && is_apart(a, b, h, range))
        return;
    const int near = a->flat && b->flat ? axes_least(a, b, range, SCREE_NONE, &best)
                                        : least_span(a, b, range, w->search, &best.span);
    if (h)
        remember(h, !near, best.span.normal);
    if (!near)
        return;
    if (a->flat && b->flat)
        touch_polytopes(a, b, range, &best, &w->found);
    else
        add_touch(&w->found, best.span.normal, best.span.depth, span_point(a, b, &best.span), 0);
}

/* Whether b is on the negative side of a: of each pair of solids one is. */
static int is_negative(scree_vec d)
{
    return d.x != 0.0 ? d.x < 0.0 : d.y != 0.0 ? d.y < 0.0 : d.z < 0.0;
}

static uint64_t exchanged(uint64_t feature)
{
    const uint32_t type = feature_type(feature), i = feature_first(feature),
                   j = feature_second(feature);
    if (type == TOUCH_CORNER)
        return feature_of(TOUCH_OTHER_CORNER, i, j);
    if (type == TOUCH_OTHER_CORNER)
        return feature_of(TOUCH_CORNER, i, j);
    return feature_of(type, j, i);
}

/* Touches of b and a become those of a and b; d: from a to b. */
static void exchange(touches *t, scree_vec d)
{
    for (uint32_t k = 0; k < t->n; k++) {
        touch *at = &t->list[k];
        at->normal = scree_scaled(-1.0, at->normal);
        at->at = scree_sum(at->at, d);
        at->feature = exchanged(at->feature);
    }
}

static int32_t resolve_bodies(const resolver *self, const scree_candidates *in, scree_contacts *out,
                              work *w, uint32_t *done)
{
    const scree_vec none = {0, 0, 0};
    for (uint32_t p = 0; p < in->n; p++) {
        const scree_vec d = scree_vec_at(in->d, p);
        const double range = range_of(in, p), reach = in->radius_a[p] + in->radius_b[p] + range;
        hint *h = in->hints && !is_kept(in, p) ? (hint *)in->hints + (in->first ? in->first[p] : p)
                                               : NULL;
        const int turned =
            !(in->bodies->types[in->type_a]->flags & SCREE_CAP_ROUND) && is_negative(d);
        w->found.n = 0;
        if (scree_dot(d, d) <= reach * reach) {
            const uint32_t i = turned ? in->b[p] : in->a[p], j = turned ? in->a[p] : in->b[p];
            convex a = place(self, in->bodies, i, none, w->room[turned]);
            convex b =
                place(self, in->bodies, j, turned ? scree_scaled(-1.0, d) : d, w->room[!turned]);
            if (turned) { // radii of clumps' balls are those of the pair
                a.radius = in->radius_b[p];
                b.radius = in->radius_a[p];
            } else {
                a.radius = in->radius_a[p];
                b.radius = in->radius_b[p];
            }
            search_pair(&a, &b, range, h, w);
            if (turned)
                exchange(&w->found, d);
        }
        tidy(&w->found, in->range);
        if (!put_touches(&w->found, p, out, done))
            return SCREE_OK;
    }
    return SCREE_OK;
}

/* ---- planes ---- */

static void touch_plane(const convex *a, scree_vec up, scree_vec on, double range, touches *t)
{
    const scree_vec down = scree_scaled(-1.0, up);
    t->n = 0;
    if (!a->flat) {
        const scree_vec p = convex_farthest(a, down, NULL);
        const double depth = scree_dot(up, scree_less(on, 1.0, p));
        if (depth >= -range)
            add_touch(t, down, depth, scree_less(p, -0.5 * depth, up), 0);
        return;
    }
    for (uint32_t v = 0; v < a->flat->n_vertices; v++) {
        const scree_vec p = corner(a, v);
        const double depth = scree_dot(up, scree_less(on, 1.0, p));
        if (depth >= -range)
            add_touch(t, down, depth, scree_less(p, -0.5 * depth, up),
                      feature_of(TOUCH_CORNER, 0, v));
    }
}

static int32_t resolve_planes(const resolver *self, const scree_candidates *in, scree_contacts *out,
                              work *w, uint32_t *done)
{
    const scree_vec none = {0, 0, 0};
    const scree_bodies *bodies = in->bodies;
    for (uint32_t p = 0; p < in->n; p++) {
        double up[3];
        scree_to_world(bodies, in->b[p], bodies->shapes[bodies->shape[in->b[p]]]->normal, up);
        const convex a = place(self, bodies, in->a[p], none, w->room[0]);
        touch_plane(&a, scree_vec_of(up[0], up[1], up[2]), scree_vec_at(in->d, p), range_of(in, p),
                    &w->found);
        tidy(&w->found, in->range);
        if (!put_touches(&w->found, p, out, done))
            return SCREE_OK;
    }
    return SCREE_OK;
}

/* ---- walls ---- */

static placed_wall place_wall(const resolver *self, const scree_candidates *in, uint32_t p)
{
    const scree_bodies *bodies = in->bodies;
    const convex frame = convex_place(bodies, in->b[p], NULL, NULL, scree_vec_at(in->d, p), NULL);
    placed_wall w = {.of = self->shapes[bodies->shape[in->b[p]]].wall,
                     .origin = frame.centre,
                     .scale = frame.scale};
    memcpy(w.axis, frame.axis, sizeof w.axis);
    return w;
}

static void touch_wall(const convex *a, const placed_wall *facets, const scree_candidates *in,
                       uint32_t p, work *w)
{
    const uint32_t first = in->first ? in->first[p] : p,
                   last = in->first ? in->first[p + 1] : p + 1;
    w->found.n = 0;
    for (int any = 0; any < 2; any++) {
        for (uint32_t k = first; k < last; k++)
            touch_facet(a, facets, in->part_b ? in->part_b[k] : 0, range_of(in, p), any, w->search,
                        &w->found);
        if (w->found.n || !is_kept(in, p))
            break;
    }
    reduce_touches(facets->of, &w->found);
    tidy(&w->found, in->range);
}

static int32_t resolve_walls(const resolver *self, const scree_candidates *in, scree_contacts *out,
                             work *w, uint32_t *done)
{
    const scree_vec none = {0, 0, 0};
    for (uint32_t p = 0; p < in->n; p++) {
        const convex a = place(self, in->bodies, in->a[p], none, w->room[0]);
        const placed_wall facets = place_wall(self, in, p);
        touch_wall(&a, &facets, in, p, w);
        if (!put_touches(&w->found, p, out, done))
            return SCREE_OK;
    }
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

/* ---- history ---- */

/* A part of a polytope that a feature names. */
typedef struct part {
    enum { PART_CORNER, PART_EDGE, PART_FACE } type;
    uint32_t number;
} part;

static part part_of(uint64_t feature, int of_b)
{
    const uint32_t number[2] = {feature_first(feature), feature_second(feature)};
    switch (feature_type(feature)) {
    case TOUCH_CORNER: // face of b, corner of a
        return of_b ? (part){PART_FACE, number[0]} : (part){PART_CORNER, number[1]};
    case TOUCH_OTHER_CORNER:
        return of_b ? (part){PART_CORNER, number[1]} : (part){PART_FACE, number[0]};
    case TOUCH_CROSSING:
        return (part){PART_EDGE, number[of_b]};
    default:
        return (part){PART_CORNER, number[of_b]};
    }
}

static int has_corner(const polytope *p, part x, uint32_t v)
{
    if (x.type == PART_CORNER)
        return x.number == v;
    if (x.type == PART_EDGE)
        return x.number < p->n_edges &&
               (p->edges[x.number].from == v || p->edges[x.number].to == v);
    if (x.number >= p->n_faces)
        return 0;
    for (uint32_t k = p->first[x.number]; k < p->first[x.number + 1]; k++)
        if (p->ring[k] == v)
            return 1;
    return 0;
}

static int share_corner(const polytope *p, part x, part y)
{
    for (uint32_t v = 0; v < p->n_vertices; v++)
        if (has_corner(p, x, v) && has_corner(p, y, v))
            return 1;
    return 0;
}

static int32_t adjoins(void *instance, uint32_t shape_a, uint32_t shape_b, uint64_t feature,
                       uint64_t other)
{
    const resolver *self = instance;
    if (shape_a >= self->n || shape_b >= self->n)
        return 0;
    const body_shape *a = &self->shapes[shape_a], *b = &self->shapes[shape_b];
    if (b->wall)
        return wall_adjoins(b->wall, feature, other);
    if (!a->flat || !b->flat) // a plane: each corner has its own
        return 0;
    return share_corner(a->flat, part_of(feature, 0), part_of(other, 0)) &&
           share_corner(b->flat, part_of(feature, 1), part_of(other, 1));
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
        sum += self->shapes[k].flat ? self->shapes[k].flat->bytes : 0;
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
        "corner of what they share.",
    .citation =
        "E. G. Gilbert, D. W. Johnson, S. S. Keerthi, A fast procedure for computing the "
        "distance between complex objects in three-dimensional space, IEEE J. Robot. Autom. "
        "4, 193 (1988)",
    .provides = SCREE_GIVES_DISTANCE | SCREE_GIVES_PARTS,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
