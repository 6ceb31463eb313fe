// SPDX-License-Identifier: Apache-2.0
/*
 * pairs: two solids, and a ball and a solid.
 *
 * Steps    1. buckets of a's samples that may be in b, by the grid; their samples, by the grid; those that are
 *             left get their distance. The same for b's samples in a.
 *          2. touches are reduced to few (solid/manifold.c)
 *          3. no touch, and a law acts across gaps: the one closest sample of both
 * Feature  2 sample + 0 of a's, 1 of b's.
 */
#include "sdf.h"

double sdf_lower(const sdf_shape *f, scree_vec x)
{
    if (sdf_grid_holds(&f->grid, x))
        return sdf_grid_at(&f->grid, x, NULL) - 0.8660254037844387 * f->grid.h;
    const double at[3] = {x.x, x.y, x.z};
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        const double off =
            scree_max(scree_max(f->surface.lo[k] - at[k], at[k] - f->surface.hi[k]), 0.0);
        sum += off * off;
    }
    return sqrt(sum);
}

solid_foot sdf_distance(const sdf_shape *f, scree_vec x, double limit)
{
    const int inside = sdf_grid_holds(&f->grid, x);
    double reach = scree_max(limit, 0.0) * (1.0 + 1e-12) + 1e-12 * f->surface.size;
    uint32_t likely[8];
    double linear = 0.0;
    if (inside && sdf_grid_lower(&f->grid, x) > limit)
        return (solid_foot){.distance = HUGE_VAL};
    if (inside) { // it may be deep: the triangles of the nodes say how far to look
        linear = sdf_grid_at(&f->grid, x, NULL);
        reach = HUGE_VAL;
        sdf_grid_likely(&f->grid, x, likely);
    }
    solid_foot foot = solid_tree_closest_of(&f->surface, x, reach, inside ? 8 : 0, likely);
    if (fabs(linear) > f->grid.h && (linear < 0.0) != (foot.distance < 0.0)) {
        foot.distance = -foot.distance; // a cell away from the surface the winding number decides
        foot.normal = scree_scaled(-1.0, foot.normal);
    }
    foot.found = foot.found && foot.distance <= limit;
    return foot;
}

/* ---- two solids ---- */

typedef sdf_side side;

side sdf_side_of(const sdf_resolver *self, const scree_candidates *in, uint32_t p, uint32_t bit)
{
    const uint32_t body[2] = {in->a[p], in->b[p]}, o = body[bit], f = body[!bit];
    const scree_vec d = scree_vec_at(in->d, p), none = {0.0, 0.0, 0.0};
    const solid_matrix turn = solid_turn_of(in->bodies, o);
    side s = {.owner = sdf_shape_of(self, in->bodies, o),
              .field = sdf_shape_of(self, in->bodies, f),
              .origin = bit ? none : d,
              .sign = bit ? 1.0 : -1.0,
              .bit = bit};
    s.pose.turn = solid_turn_of(in->bodies, f);
    s.pose.scale = in->bodies->scale[f];
    s.pose.ratio = in->bodies->scale[o] / s.pose.scale;
    s.pose.shift = solid_mul_back(&s.pose.turn, scree_scaled((bit ? 1.0 : -1.0) / s.pose.scale, d));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = 0.0;
            for (int k = 0; k < 3; k++)
                sum += s.pose.turn.m[k][i] * turn.m[k][j];
            s.pose.m.m[i][j] = s.pose.ratio * sum;
        }
    return s;
}

static scree_vec to_field(const sdf_pose *pose, scree_vec x)
{
    return scree_sum(pose->shift, solid_mul(&pose->m, x));
}

/* Tests sample i, at x in the frame of the field. 1: it touches, or is within the limit. */
static int touch_of(const side *s, uint32_t i, scree_vec x, double limit, solid_touch *out)
{
    if (sdf_lower(s->field, x) > limit)
        return 0;
    const solid_foot foot = sdf_distance(s->field, x, limit);
    if (!foot.found)
        return 0;
    const scree_vec back =
        scree_scaled(1.0 / s->pose.ratio, solid_mul_back(&s->pose.m, foot.normal));
    if (foot.distance <= 0.0 && !sdf_faces_flatly(s->owner, i, back))
        return 0;
    const scree_vec middle = scree_less(x, 0.5 * foot.distance, foot.normal);
    const scree_vec world = solid_mul(&s->pose.turn, scree_scaled(s->pose.scale, middle));
    *out = (solid_touch){.depth = -foot.distance * s->pose.scale,
                         .normal = scree_scaled(s->sign, solid_mul(&s->pose.turn, foot.normal)),
                         .at = scree_sum(s->origin, world),
                         .feature = 2ull * i + s->bit};
    return 1;
}

/* Appends the touches of the owner's samples in the field. */
static uint32_t collect(const side *s, solid_touch *touches, uint32_t n)
{
    for (uint32_t k = 0; k < s->owner->n_buckets; k++) {
        const sdf_bucket *b = &s->owner->bucket[k];
        if (sdf_lower(s->field, to_field(&s->pose, b->centre)) > b->radius * s->pose.ratio)
            continue;
        for (uint32_t i = b->first; i < b->first + b->n; i++)
            n +=
                (uint32_t)touch_of(s, i, to_field(&s->pose, s->owner->sample[i]), 0.0, &touches[n]);
    }
    return n;
}

/* Finds the sample of least distance, below -best->depth. */
static int find_closest(const side *s, solid_touch *best)
{
    int found = 0;
    for (uint32_t k = 0; k < s->owner->n_buckets; k++) {
        const sdf_bucket *b = &s->owner->bucket[k];
        const double limit = -best->depth / s->pose.scale;
        if (sdf_lower(s->field, to_field(&s->pose, b->centre)) - b->radius * s->pose.ratio > limit)
            continue;
        for (uint32_t i = b->first; i < b->first + b->n; i++) {
            solid_touch touch;
            if (!touch_of(s, i, to_field(&s->pose, s->owner->sample[i]),
                          -best->depth / s->pose.scale, &touch) ||
                touch.depth <= best->depth)
                continue;
            *best = touch;
            found = 1;
        }
    }
    return found;
}

static uint32_t touches_of(const sdf_resolver *self, const scree_candidates *in, uint32_t p,
                           solid_touch *touches)
{
    const side s[2] = {sdf_side_of(self, in, p, 0), sdf_side_of(self, in, p, 1)};
    uint32_t n = self->overlap ? 0 : collect(&s[0], touches, 0);
    n = self->overlap ? 0 : collect(&s[1], touches, n);
    const double apart = 1.5 * scree_min(s[0].owner->spacing * s[1].pose.scale,
                                         s[1].owner->spacing * s[0].pose.scale);
    if (n > 0)
        return solid_reduce(touches, n, self->most, apart);
    const double range = sdf_keeps(in, p) ? (double)HUGE_VAL : in->range;
    if (!(range > 0.0))
        return 0;
    *touches = (solid_touch){.depth = -range};
    const int first = find_closest(&s[0], touches);
    const int found = find_closest(&s[1], touches) || first;
    // The interpolated field missed an overlap (volume.c): use the smallest possible gap.
    if (self->overlap)
        touches->depth = scree_min(touches->depth, -1e-12 * s[0].owner->surface.size);
    return (uint32_t)found;
}

int32_t sdf_resolve_solids(const sdf_resolver *self, const scree_candidates *in,
                           scree_contacts *out, uint32_t *done)
{
    uint64_t most = 0;
    for (uint32_t p = 0; p < in->n; p++) {
        const uint64_t n = (uint64_t)sdf_shape_of(self, in->bodies, in->a[p])->n_samples +
                           sdf_shape_of(self, in->bodies, in->b[p])->n_samples;
        most = n > most ? n : most;
    }
    solid_touch *touches =
        self->host->scratch(self->host->ctx, in->lane, (most + 1) * sizeof *touches);
    if (!touches)
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a pair");
    out->n = *done = 0;
    for (uint32_t p = 0; p < in->n; p++) {
        solid_overlap overlap;
        const int has_volume =
            self->overlap && sdf_volume_of_pair(self, in, p, out->bed != NULL, &overlap);
        const uint32_t n = has_volume ? 1 : touches_of(self, in, p, touches);
        if (n > out->capacity - out->n) {
            out->n = *done > 0 ? out->n : n;
            return SCREE_OK;
        }
        if (has_volume)
            solid_put_overlap(out, p, &overlap);
        else if (self->overlap && n > 0)
            solid_put_gap(out, p, touches);
        else
            solid_put(out, p, touches, n);
        *done = p + 1;
    }
    return SCREE_OK;
}

/* ---- balls ---- */

/* Finds the touch of a ball or point from the signed distance of its centre in the field of the other
 * body. `b`: b is the point, else a is the ball or point. */
static int touch_ball(const sdf_resolver *self, const scree_candidates *in, uint32_t p, int b,
                      solid_touch *out)
{
    const uint32_t body = b ? in->a[p] : in->b[p];
    const int point = b || solid_is_point(in->bodies->types[in->type_a]);
    const sdf_shape *f = sdf_shape_of(self, in->bodies, body);
    const double scale = in->bodies->scale[body], radius = point ? 0.0 : in->radius_a[p];
    const double reach = (radius + in->range) / scale;
    const solid_matrix turn = solid_turn_of(in->bodies, body);
    const scree_vec to = scree_scaled((b ? 1.0 : -1.0) / scale, scree_vec_at(in->d, p));
    const scree_vec x = solid_mul_back(&turn, to);
    const int keep = sdf_keeps(in, p);
    if (!keep && sdf_lower(f, x) > reach)
        return 0;
    const solid_foot foot = sdf_distance(f, x, keep ? (double)HUGE_VAL : reach);
    *out = (solid_touch){.depth = radius - foot.distance * scale,
                         .normal = scree_scaled(b ? 1.0 : -1.0, solid_mul(&turn, foot.normal))};
    out->at = scree_scaled(radius - 0.5 * out->depth, out->normal);
    if (b) // from x_a, half-way from the point out to the surface
        out->at = scree_less(scree_vec_at(in->d, p), -0.5 * out->depth, out->normal);
    return foot.found && (keep || out->depth >= -in->range);
}

int32_t sdf_resolve_balls(const sdf_resolver *self, const scree_candidates *in, scree_contacts *out,
                          uint32_t *done)
{
    const uint32_t n = in->n < out->capacity ? in->n : out->capacity;
    const int b_is_point = solid_is_point(in->bodies->types[in->type_b]);
    out->n = 0;
    for (uint32_t p = 0; p < n; p++) {
        solid_touch touch;
        if (touch_ball(self, in, p, b_is_point, &touch))
            solid_put(out, p, &touch, 1);
    }
    *done = n;
    return SCREE_OK;
}
