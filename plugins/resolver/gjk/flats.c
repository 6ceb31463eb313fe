// SPDX-License-Identifier: Apache-2.0
// Convex solids on planes and walls.
#include "resolver.h"

/* ---- planes ---- */

static void touch_plane(const convex *a, scree_vec up, scree_vec on, double range, touches *t)
{
    const scree_vec down = scree_scaled(-1.0, up);
    t->n = 0;
    if (a->spread) {
        scree_vec points[SPREAD_POINTS];
        uint32_t numbers[SPREAD_POINTS];
        const uint32_t n = spread_points(a, down, scree_dot(down, on), points, numbers);
        for (uint32_t k = 0; k < n; k++) {
            const double depth = scree_dot(up, scree_less(on, 1.0, points[k]));
            if (depth >= -range)
                add_touch(t, down, depth, scree_less(points[k], -0.5 * depth, up),
                          feature_of(TOUCH_SPREAD, numbers[k], 0));
        }
        return;
    }
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

int32_t resolve_planes(const resolver *self, const scree_candidates *in, scree_contacts *out,
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
        if (!put_touches(&w->found, &a, NULL, p, out, done))
            return SCREE_OK;
    }
    return SCREE_OK;
}

/* ---- walls ---- */

static placed_wall place_wall(const resolver *self, const scree_candidates *in, uint32_t p)
{
    const scree_bodies *bodies = in->bodies;
    const convex frame = convex_frame(bodies, in->b[p], NULL, NULL, scree_vec_at(in->d, p), NULL);
    placed_wall w = {.of = self->shapes[bodies->shape[in->b[p]]].wall,
                     .origin = frame.centre,
                     .scale = frame.scale};
    memcpy(w.axis, frame.axis, sizeof w.axis);
    return w;
}

/* a NULL: a point. */
static void touch_wall(const convex *a, const placed_wall *facets, const scree_candidates *in,
                       uint32_t p, work *w)
{
    const uint32_t first = in->first ? in->first[p] : p,
                   last = in->first ? in->first[p + 1] : p + 1;
    w->found.n = 0;
    for (int any = 0; any < 2; any++) {
        for (uint32_t k = first; k < last; k++) {
            const uint32_t facet = in->part_b ? in->part_b[k] : 0;
            if (a)
                touch_facet(a, facets, facet, range_of(in, p), any, w->search, &w->found);
            else
                touch_point(facets, facet, range_of(in, p), any, &w->found);
        }
        if (w->found.n || !is_kept(in, p))
            break;
    }
    reduce_touches(facets->of, &w->found);
    tidy(&w->found, in->range);
}

int32_t resolve_walls(const resolver *self, const scree_candidates *in, scree_contacts *out,
                      work *w, uint32_t *done)
{
    const scree_vec none = {0, 0, 0};
    const int point = solid_is_point(in->bodies->types[in->type_a]);
    for (uint32_t p = 0; p < in->n; p++) {
        const convex a = place(self, in->bodies, in->a[p], none, w->room[0]);
        const placed_wall facets = place_wall(self, in, p);
        touch_wall(point ? NULL : &a, &facets, in, p, w);
        if (!put_touches(&w->found, &a, NULL, p, out, done))
            return SCREE_OK;
    }
    return SCREE_OK;
}
