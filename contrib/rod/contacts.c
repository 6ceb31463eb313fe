/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Resolver `rod`: capped rods against balls, rods, planes and facets, by closest points of axes.
 *
 * Sources  [1] C. Ericson, Real-Time Collision Detection, 2005, 5.1.9: closest points of segments.
 *          [2] Pournin, Weber, Tsukahara, Ferrez, Ramaioli, Liebling 2005, Granular Matter 7, 119:
 *              spherocylinders by closest points.
 * Idea     depth = r_a + r_b - distance of the axes (a ball's: its centre).
 *            ball - rod    one contact
 *            rod - rod one; parallel rods touch in the middle of the stretch where they are side by
 *            side
 *            rod - plane   one per cap, so that a rod rests on two and keeps the history of each
 *            rod - facets  facets.c: caps on faces, the axis on edges and corners
 *          Each depth is a continuous function of the poses, and each normal its gradient: a law of
 *          depth keeps energy.
 * Curvature  of a cap 1 / r; of the bar the mean of its two curvatures, 1 / (2 r). With Hertz's law
 *          two equal rods at right angles then have the stiffness of the theory of elliptic
 *          contacts. On a plane or face the caps touch, with the curvature of caps. When a touch
 *          slides from a bar onto a cap, its stiffness jumps.
 */
#include "resolver.h"

#define PARALLEL 1e-12 /* part of the squared lengths: sin^2 of the angle */

placed_rod rod_placed(const resolver *self, const scree_bodies *b, uint32_t i, scree_vec origin)
{
    const rod_axis *axis = self->axis[b->shape[i]];
    placed_rod rod;
    for (int e = 0; e < 2; e++) {
        double end[3];
        scree_to_world(b, i, axis->end[e], end);
        rod.end[e] = scree_sum(origin, scree_scaled(b->scale[i], rod_vec(end)));
    }
    rod.radius = b->scale[i] * axis->radius;
    return rod;
}

void rod_put(scree_contacts *out, uint32_t c, uint32_t p, const touch *t, double radius)
{
    out->pair[c] = p;
    out->depth[c] = t->depth;
    scree_vec_put(out->normal, c, t->normal);
    scree_vec_put(out->arm, c, scree_less(t->from, 0.5 * t->depth - radius, t->normal));
    if (out->feature)
        out->feature[c] = t->feature;
    if (out->curvature[0]) {
        out->curvature[0][c] = t->on_cap ? 1.0 / radius : 0.5 / radius;
        out->curvature[1][c] = 0.0;
    }
}

/** Place s in [0, 1] of the point of a segment that is nearest to x. */
static double nearest_on(scree_vec p, scree_vec q, scree_vec x)
{
    scree_vec along = scree_less(q, 1.0, p);
    return rod_clamp(scree_dot(scree_less(x, 1.0, p), along) / scree_dot(along, along));
}

/** [1] Places s on segment a and t on segment b of their closest points; for parallel segments the
 * middle of the closest stretch. */
static void nearest_of(const placed_rod *a, const placed_rod *b, double *s, double *t)
{
    scree_vec u = scree_less(a->end[1], 1.0, a->end[0]), v = scree_less(b->end[1], 1.0, b->end[0]);
    scree_vec w = scree_less(a->end[0], 1.0, b->end[0]);
    double uu = scree_dot(u, u), vv = scree_dot(v, v), uv = scree_dot(u, v);
    double uw = scree_dot(u, w), vw = scree_dot(v, w), square = uu * vv - uv * uv;
    if (square > PARALLEL * uu * vv) {
        *s = rod_clamp((uv * vw - vv * uw) / square);
    } else { /* ends of b, projected onto a */
        double x = rod_clamp(-uw / uu), y = rod_clamp((uv - uw) / uu);
        *s = 0.5 * (x + y);
    }
    *t = (uv * *s + vw) / vv;
    if (*t < 0.0 || *t > 1.0) {
        *t = rod_clamp(*t);
        *s = rod_clamp((uv * *t - uw) / uu);
    }
}

/** Unit vector along d; *length: its length. If it is 0, any vector across `along`. */
static scree_vec unit_of(scree_vec d, scree_vec along, double *length)
{
    *length = sqrt(scree_dot(d, d));
    if (*length > 0.0)
        return scree_scaled(1.0 / *length, d);
    scree_vec across = scree_vec_of(-along.y, along.x, 0.0);
    double square = scree_dot(across, across);
    return square > 0.0 ? scree_scaled(1.0 / sqrt(square), across) : scree_vec_of(1.0, 0.0, 0.0);
}

static int wanted(const scree_candidates *in, uint32_t p, double depth)
{
    return depth >= -in->range || (in->keep && in->keep[p]);
}

/** Resolves ball or rod a with rod b: at most one contact. */
static int32_t resolve_bodies(const resolver *self, const scree_candidates *in, scree_contacts *out,
                              uint32_t *done)
{
    uint32_t n = in->n < out->capacity ? in->n : out->capacity, c = 0;
    const scree_vec none = {0.0, 0.0, 0.0};
    for (uint32_t p = 0; p < n; p++) {
        const scree_bodies *bodies = in->bodies;
        placed_rod a, b = rod_placed(self, bodies, in->b[p], scree_vec_at(in->d, p));
        int ball = !self->axis[bodies->shape[in->a[p]]];
        double s = 0.0, t, distance;
        if (ball) {
            a.end[0] = a.end[1] = none;
            a.radius = in->radius_a[p];
            t = nearest_on(b.end[0], b.end[1], none);
        } else {
            a = rod_placed(self, bodies, in->a[p], none);
            nearest_of(&a, &b, &s, &t);
        }
        touch at = {.from = rod_point(a.end[0], a.end[1], s),
                    .to = rod_point(b.end[0], b.end[1], t)};
        at.normal = unit_of(scree_less(at.to, 1.0, at.from), scree_less(b.end[1], 1.0, b.end[0]),
                            &distance);
        at.depth = a.radius + b.radius - distance;
        at.on_cap = ball || s <= 0.0 || s >= 1.0;
        if (!wanted(in, p, at.depth))
            continue;
        rod_put(out, c, p, &at, a.radius);
        if (out->curvature[0])
            out->curvature[1][c] = t <= 0.0 || t >= 1.0 ? 1.0 / b.radius : 0.5 / b.radius;
        c++;
    }
    out->n = c;
    *done = n;
    return SCREE_OK;
}

/** Resolves rod a with plane b: each cap in range touches; a kept pair has its lower cap at any
 * gap. */
static int32_t resolve_planes(const resolver *self, const scree_candidates *in, scree_contacts *out,
                              uint32_t *done)
{
    const scree_vec none = {0.0, 0.0, 0.0};
    uint32_t c = 0, p = 0;
    for (; p < in->n && c + 2 <= out->capacity; p++) {
        const scree_bodies *bodies = in->bodies;
        placed_rod a = rod_placed(self, bodies, in->a[p], none);
        double outward[3], depth[2];
        scree_to_world(bodies, in->b[p], bodies->shapes[bodies->shape[in->b[p]]]->normal, outward);
        scree_vec n = rod_vec(outward), d = scree_vec_at(in->d, p);
        for (int e = 0; e < 2; e++)
            depth[e] = a.radius - scree_dot(scree_less(a.end[e], 1.0, d), n);
        for (int e = 0; e < 2; e++) {
            touch at = {.from = a.end[e],
                        .normal = scree_scaled(-1.0, n),
                        .depth = depth[e],
                        .feature = (uint64_t)e,
                        .on_cap = 1};
            int kept =
                in->keep && in->keep[p] && (depth[e] > depth[!e] || (depth[0] == depth[1] && !e));
            if (depth[e] >= -in->range || kept)
                rod_put(out, c++, p, &at, a.radius);
        }
    }
    out->n = c;
    *done = p;
    return SCREE_OK;
}

static int32_t resolve(void *instance, const scree_candidates *in, scree_contacts *out,
                       uint32_t *done)
{
    const resolver *self = instance;
    uint32_t flags = in->bodies->types[in->type_b]->flags;
    if (flags & SCREE_CAP_INFINITE)
        return resolve_planes(self, in, out, done);
    if (flags & SCREE_CAP_WALL)
        return rod_resolve_facets(self, in, out, done);
    return resolve_bodies(self, in, out, done);
}

static int is_rod(const scree_shape_type *type)
{
    return strcmp(type->name, "rod") == 0 && !(type->flags & (SCREE_CAP_ROUND | SCREE_CAP_WALL));
}

static int32_t supports(void *instance, scree_pair_support *pair)
{
    (void)instance;
    if (is_rod(pair->b) && (is_rod(pair->a) || (pair->a->flags & SCREE_CAP_ROUND)))
        pair->contacts = SCREE_SUPPORTS_ONE;
    else if (is_rod(pair->a) && (pair->b->flags & (SCREE_CAP_WALL | SCREE_CAP_INFINITE)))
        pair->contacts = SCREE_SUPPORTS_MANY;
    return SCREE_OK;
}

static int grow_shapes(resolver *self, uint32_t n)
{
    uint64_t axes = self->n_shapes, walls = self->n_shapes;
    if (!scree_grow(&self->axis, &axes, n, sizeof(void *)) ||
        !scree_grow(&self->walls, &walls, n, sizeof(void *)))
        return 0;
    for (; self->n_shapes < n; self->n_shapes++) {
        self->axis[self->n_shapes] = NULL;
        self->walls[self->n_shapes] = NULL;
    }
    return 1;
}

static int32_t prepare(void *instance, uint32_t index, const scree_shape *shape)
{
    resolver *self = instance;
    if (index >= self->n_shapes && !grow_shapes(self, index + 1))
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for the shapes");
    self->axis[index] = NULL;
    rod_wall_free(self->walls[index]);
    self->walls[index] = NULL;
    if (shape->flags == 0 && shape->view)
        self->axis[index] = shape->view(shape, ROD_VIEW_AXIS, 0.0);
    if (!(shape->flags & SCREE_CAP_WALL) || !shape->mesh)
        return SCREE_OK;
    self->walls[index] = rod_wall_new(shape->mesh, self->host->dimension);
    return self->walls[index] ? SCREE_OK
                              : self->host->fail(self->host->ctx, SCREE_E_MEMORY,
                                                 "no memory for the edges of a wall");
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    resolver *self = calloc(1, sizeof *self);
    (void)config;
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the resolver");
    self->host = host;
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    resolver *self = instance;
    if (!self)
        return;
    for (uint32_t k = 0; k < self->n_shapes; k++)
        rod_wall_free(self->walls[k]);
    free(self->axis);
    free(self->walls);
    free(self);
}

static uint64_t bytes(void *instance)
{
    const resolver *self = instance;
    uint64_t sum = sizeof *self + (uint64_t)self->n_shapes * 2 * sizeof(void *);
    for (uint32_t k = 0; k < self->n_shapes; k++)
        sum += self->walls[k] ? self->walls[k]->bytes : 0;
    return sum;
}

static int32_t adjoins(void *instance, uint32_t shape_a, uint32_t shape_b, uint64_t feature,
                       uint64_t other)
{
    const resolver *self = instance;
    (void)shape_a;
    const wall *w = shape_b < self->n_shapes ? self->walls[shape_b] : NULL;
    return w && (rod_wall_adjoins(w, feature, other) || rod_wall_adjoins(w, other, feature));
}

static const scree_resolver_ops ops = {.size = sizeof ops,
                                       .create = create,
                                       .destroy = destroy,
                                       .supports = supports,
                                       .prepare = prepare,
                                       .resolve = resolve,
                                       .bytes = bytes,
                                       .adjoins = adjoins};
const scree_plugin rod_resolver = {
    .size = sizeof rod_resolver,
    .kind = SCREE_KIND_RESOLVER,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "rod",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "capped rods against balls, rods, planes and facets",
    .summary =
        "By closest points of axes. A rod rests on a plane or a face by two contacts, one per "
        "cap. Edges and corners of walls touch the bar too.",
    .citation = "Pournin et al. 2005, Granular Matter 7, 119, doi:10.1007/s10035-004-0188-4",
    .provides = SCREE_GIVES_CURVATURE,
    .ops = &ops,
};
