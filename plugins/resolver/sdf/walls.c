// SPDX-License-Identifier: Apache-2.0
/*
 * walls: solids against facets, which have two sides.
 *
 * Idea     The tree of the wall gives samples of the solid their distance from the closest facet;
 *          samples beyond an open border have none. The field of the solid is sampled at points on
 *          convex edges and on borders; seams and concave edges are left out. A closed wall is met
 *          from outside, an open one on the side of the solid's centroid.
 * Steps    as in pairs.c; all in the frame of the solid, at scale 1.
 * Feature  2 sample; 2 (2^24 (4 facet + edge) + number of the point) + 1.
 * Limits   In a corner of two facets a sample is stopped by the nearer one, other samples by the other. A solid
 *          whose centroid has passed an open wall is pushed out on the other side.
 */
#include "sdf.h"

enum { MOST_POINTS = (1 << 24) - 1 };
static const double FACES =
    0.3; // [-] cosine: an edge that does not face what it touches is left out

typedef struct facet {
    scree_vec corner[4], normal; // [m]; [-] to the side of the solid
    uint32_t n, number;
    int32_t back, reserved; // 1: met from behind its normal
} facet;

typedef struct wall {
    const sdf_resolver *self;
    const sdf_shape *a;
    const solid_surface *surface; // surface of the wall
    const scree_mesh *mesh;
    sdf_pose pose; // pose of the wall in the solid
    solid_matrix turn_wall;
    double facing;             // 1: the solid is on the side of the normals of the wall, else -1
    uint32_t number, reserved; // number of the pair
} wall;

static scree_vec to_wall(const wall *w, scree_vec x)
{
    const scree_vec off = scree_scaled(1.0 / w->pose.ratio, scree_less(x, 1.0, w->pose.shift));
    return solid_mul_back(&w->turn_wall, solid_mul(&w->pose.turn, off));
}

/* The closest point of the wall, the distance and its normal in the frame of the solid, > 0 on its side. */
static solid_foot from_wall(const wall *w, scree_vec x, double limit)
{
    solid_foot foot = solid_tree_closest(w->surface, to_wall(w, x), limit / w->pose.ratio);
    foot.distance *= w->facing * w->pose.ratio;
    foot.normal = solid_mul_back(&w->pose.turn, solid_mul(&w->turn_wall, foot.normal));
    foot.normal = scree_scaled(w->facing, foot.normal);
    return foot;
}

static wall wall_of(const sdf_resolver *self, const scree_candidates *in, uint32_t p)
{
    const scree_bodies *bodies = in->bodies;
    const uint32_t a = in->a[p], b = in->b[p];
    wall w = {.self = self,
              .a = sdf_shape_of(self, bodies, a),
              .surface = &sdf_shape_of(self, bodies, b)->surface,
              .facing = 1.0,
              .mesh = bodies->shapes[bodies->shape[b]]->mesh,
              .number = p};
    w.pose.turn = solid_turn_of(bodies, a);
    w.turn_wall = solid_turn_of(bodies, b);
    w.pose.scale = bodies->scale[a];
    w.pose.ratio = bodies->scale[b] / w.pose.scale;
    w.pose.shift =
        solid_mul_back(&w.pose.turn, scree_scaled(1.0 / w.pose.scale, scree_vec_at(in->d, p)));
    const scree_vec centre = {0.0, 0.0, 0.0};
    if (!w.mesh->closed && from_wall(&w, centre, HUGE_VAL).distance < 0.0)
        w.facing = -1.0;
    return w;
}

static scree_vec corner_of(const wall *w, uint32_t f, uint32_t k)
{
    const scree_vec v = scree_vec_at(w->mesh->vertex, w->mesh->facet[4ull * f + k]);
    const scree_vec turned = solid_mul_back(&w->pose.turn, solid_mul(&w->turn_wall, v));
    return scree_less(w->pose.shift, -w->pose.ratio, turned);
}

static facet facet_of(const wall *w, uint32_t f)
{
    facet out = {.n = w->mesh->facet[4ull * f + 3] == SCREE_NONE ? 3 : 4, .number = f};
    for (uint32_t k = 0; k < out.n; k++)
        out.corner[k] = corner_of(w, f, k);
    out.normal = solid_unit(scree_cross(scree_less(out.corner[1], 1.0, out.corner[0]),
                                        scree_less(out.corner[2], 1.0, out.corner[0])));
    out.back = w->facing < 0.0;
    if (out.back)
        out.normal = scree_scaled(-1.0, out.normal);
    return out;
}

static solid_touch touch_at(const wall *w, scree_vec x, double distance, scree_vec normal,
                            double inward)
{
    const scree_vec middle = scree_less(x, 0.5 * distance, normal);
    const scree_vec world = solid_mul(&w->pose.turn, normal);
    return (solid_touch){
        .depth = -distance * w->pose.scale,
        .normal = scree_scaled(inward, world),
        .at = solid_mul(&w->pose.turn, scree_scaled(w->pose.scale, middle)),
    };
}

/* ---- samples behind the wall ---- */

static uint32_t collect_samples(const wall *w, solid_touch *touches)
{
    const sdf_shape *a = w->a;
    uint32_t n = 0;
    for (uint32_t k = 0; k < a->n_buckets; k++) {
        const sdf_bucket *b = &a->bucket[k];
        const solid_foot middle = from_wall(w, b->centre, a->surface.size);
        if (!middle.found || middle.distance > b->radius)
            continue;
        const double limit = (fabs(middle.distance) + b->radius) * (1.0 + 1e-9);
        for (uint32_t i = b->first; i < b->first + b->n; i++) {
            const solid_foot foot = from_wall(w, a->sample[i], limit);
            if (foot.distance > 0.0 || foot.border || !sdf_faces(a, i, foot.normal))
                continue;
            touches[n] = touch_at(w, a->sample[i], foot.distance, foot.normal, -1.0);
            touches[n].feature = 2ull * i;
            touches[n++].part = foot.facet;
        }
    }
    return n;
}

/* ---- edges in the field ---- */

/* Points of an edge that may be in the solid: number `from` to `to` of n + 1. */
typedef struct points {
    scree_vec start, end, along;
    double n;
    uint32_t from, to;
} points;

static points points_of(const wall *w, const facet *f, uint32_t e, double reach)
{
    const scree_vec start = f->corner[e], end = f->corner[e + 1 < f->n ? e + 1 : 0];
    points p = {.start = start, .end = end, .along = scree_less(end, 1.0, start)};
    const double square = scree_dot(p.along, p.along), length = sqrt(square);
    const double middle = square > 0.0 ? -scree_dot(start, p.along) / square : 0.0;
    const scree_vec nearest = scree_less(start, -middle, p.along);
    const double off = scree_dot(nearest, nearest);
    p.n = scree_min(scree_max(ceil(length / w->a->spacing), 1.0), (double)MOST_POINTS);
    if (off > reach * reach || !(square > 0.0)) {
        p.from = 1;
        return p;
    }
    const double half = sqrt((reach * reach - off) / square);
    p.from = (uint32_t)scree_max(0.0, floor((middle - half) * p.n));
    const double last = ceil((middle + half) * p.n);
    p.to = last < 0.0 ? 0 : (uint32_t)scree_min(last, p.n);
    p.from = last < 0.0 ? 1 : p.from;
    return p;
}

/* The ends equal those of the facet, bit by bit. Edges that meet give the same point, and the
 * lowest number stays. */
static scree_vec point_at(const points *p, uint32_t k)
{
    return k == (uint32_t)p->n ? p->end : scree_less(p->start, -(double)k / p->n, p->along);
}

/* 1: the edge is convex on the side from which the facet is met, and this facet samples it. */
static int sticks_out(const wall *w, const facet *f, uint32_t e)
{
    const uint8_t kind = w->mesh->edge[4ull * f->number + e];
    const uint32_t next = w->mesh->neighbour[4ull * f->number + e];
    return kind == SCREE_EDGE_OPEN ||
           (kind == (f->back ? SCREE_EDGE_CONCAVE : SCREE_EDGE_CONVEX) && f->number < next);
}

static scree_vec normal_beyond(const wall *w, const facet *f, uint32_t e)
{
    const uint32_t next = w->mesh->neighbour[4ull * f->number + e];
    if (next == SCREE_NONE)
        return f->normal;
    const scree_vec a = corner_of(w, next, 0);
    const scree_vec n = solid_unit(scree_cross(scree_less(corner_of(w, next, 1), 1.0, a),
                                               scree_less(corner_of(w, next, 2), 1.0, a)));
    return scree_scaled(f->back ? -1.0 : 1.0, n);
}

static uint64_t name_of(const facet *f, uint32_t e, uint32_t point)
{
    return 2 * ((4ull * f->number + e) << 24 | point) + 1;
}

static uint32_t collect_edges(const wall *w, const facet *f, double reach, solid_touch *touches,
                              uint32_t n)
{
    for (uint32_t e = 0; e < f->n; e++) {
        const points p = points_of(w, f, e, reach);
        if (!sticks_out(w, f, e))
            continue;
        const scree_vec beyond = normal_beyond(w, f, e);
        const int open = w->mesh->edge[4ull * f->number + e] == SCREE_EDGE_OPEN;
        for (uint32_t k = p.from; k <= p.to; k++) {
            const scree_vec x = point_at(&p, k);
            if (sdf_lower(w->a, x) > 0.0)
                continue;
            const solid_foot foot = sdf_distance(w->a, x, 0.0);
            const double faces =
                -scree_min(scree_dot(foot.normal, f->normal), scree_dot(foot.normal, beyond));
            if (!foot.found || (!open && faces < FACES))
                continue;
            touches[n] = touch_at(w, x, foot.distance, foot.normal, 1.0);
            touches[n].feature = name_of(f, e, k);
            touches[n++].part = f->number;
        }
    }
    return n;
}

/* ---- gaps ---- */

static void find_gap_of_samples(const wall *w, solid_touch *best)
{
    const sdf_shape *a = w->a;
    for (uint32_t k = 0; k < a->n_buckets; k++) {
        const sdf_bucket *b = &a->bucket[k];
        if (!from_wall(w, b->centre, b->radius - best->depth / w->pose.scale).found)
            continue;
        for (uint32_t i = b->first; i < b->first + b->n; i++) {
            const double limit = -best->depth / w->pose.scale;
            const solid_foot foot = from_wall(w, a->sample[i], limit);
            const double distance = fabs(foot.distance); // behind it beyond a border
            if (!foot.found || !(distance > 0.0) || distance >= limit)
                continue;
            const double side = foot.distance < 0.0 ? -1.0 : 1.0;
            *best = touch_at(w, a->sample[i], distance, scree_scaled(side, foot.normal), -1.0);
            best->feature = 2ull * i;
            best->part = foot.facet;
        }
    }
}

static void find_gap_of_edges(const wall *w, const facet *f, double reach, solid_touch *best)
{
    for (uint32_t e = 0; e < f->n; e++) {
        const points p = points_of(w, f, e, reach);
        for (uint32_t k = p.from; k <= p.to && sticks_out(w, f, e); k++) {
            const scree_vec x = point_at(&p, k);
            const double limit = -best->depth / w->pose.scale;
            if (sdf_lower(w->a, x) > limit)
                continue;
            const solid_foot foot = sdf_distance(w->a, x, limit);
            if (!foot.found || foot.distance <= 0.0 || foot.distance >= limit)
                continue;
            *best = touch_at(w, x, foot.distance, foot.normal, 1.0);
            best->feature = name_of(f, e, k);
            best->part = f->number;
        }
    }
}

/* ---- pairs ---- */

static uint32_t part_of(const scree_candidates *in, uint32_t candidate)
{
    return in->first ? in->part_b[candidate] : 0;
}

static void range_of(const scree_candidates *in, uint32_t p, uint32_t *from, uint32_t *to)
{
    *from = in->first ? in->first[p] : p;
    *to = in->first ? in->first[p + 1] : p + 1;
}

static uint32_t touches_of(const wall *w, const scree_candidates *in, solid_touch *touches)
{
    uint32_t from, to, n = collect_samples(w, touches);
    const uint32_t p = w->number;
    const double reach = in->radius_a[p] / w->pose.scale;
    const double range = sdf_keeps(in, p) ? (double)HUGE_VAL : in->range;
    range_of(in, p, &from, &to);
    for (uint32_t c = from; c < to; c++) {
        const facet f = facet_of(w, part_of(in, c));
        n = collect_edges(w, &f, reach, touches, n);
    }
    if (n > 0)
        return solid_reduce(touches, n, w->self->most, 1.5 * w->a->spacing * w->pose.scale);
    if (!(range > 0.0))
        return 0;
    *touches = (solid_touch){.depth = -range};
    find_gap_of_samples(w, touches);
    for (uint32_t c = from; c < to; c++) {
        const facet f = facet_of(w, part_of(in, c));
        find_gap_of_edges(w, &f, reach + scree_min(range, 1e150) / w->pose.scale, touches);
    }
    return touches->depth > -range;
}

/* Room for the touches of a pair before they are reduced. */
static uint64_t room_for(const wall *w, const scree_candidates *in)
{
    uint32_t from, to;
    uint64_t n = w->a->n_samples + 1ull;
    range_of(in, w->number, &from, &to);
    for (uint32_t c = from; c < to; c++) {
        const facet f = facet_of(w, part_of(in, c));
        for (uint32_t e = 0; e < f.n; e++) {
            const points p = points_of(w, &f, e, in->radius_a[w->number] / w->pose.scale);
            n += p.to >= p.from ? p.to - p.from + 1u : 0;
        }
    }
    return n;
}

int32_t sdf_resolve_walls(const sdf_resolver *self, const scree_candidates *in, scree_contacts *out,
                          uint32_t *done)
{
    out->n = *done = 0;
    for (uint32_t p = 0; p < in->n; p++) {
        const wall w = wall_of(self, in, p);
        solid_touch *touches =
            self->host->scratch(self->host->ctx, in->lane, room_for(&w, in) * sizeof *touches);
        if (!touches)
            return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a wall");
        const uint32_t n = touches_of(&w, in, touches);
        if (n > out->capacity - out->n) {
            out->n = *done > 0 ? out->n : n;
            return SCREE_OK;
        }
        solid_put(out, p, touches, n);
        *done = p + 1;
    }
    return SCREE_OK;
}
