// SPDX-License-Identifier: Apache-2.0
// Two convex solids, or a ball and one.
#include "resolver.h"

/* The pair as it is searched. */
typedef struct placed_pair {
    convex a, b;
    int turned; /* 1: a and b are exchanged */
    int swap;   /* 1: b has the lower id */
} placed_pair;

/* Does the axis of a hint still part the bodies, by more than the errors of a search? */
static int is_apart(const convex *a, const convex *b, const hint *h, double range)
{
    const double *at = h->of.axis;
    const scree_vec n = scree_vec_of(at[0], at[1], at[2]);
    const double square = scree_dot(n, n), slack = 1e-9 * (a->radius + b->radius);
    if (h->type != HINT_APART || !(square > 0.5 && square < 2.0))
        return 0;
    const scree_vec u = unit_of(n);
    return convex_height(a, u) + convex_height(b, scree_scaled(-1.0, u)) < -range - slack;
}

static void remember_axis(hint *h, scree_vec n)
{
    h->type = HINT_APART;
    h->of.axis[0] = n.x;
    h->of.axis[1] = n.y;
    h->of.axis[2] = n.z;
}

static void place_all(convex *c)
{
    convex_place_corners(c);
    convex_place_faces(c);
}

/* The axis of the least depth of two polytopes; 0: they are farther apart than the range. */
static int least_axis(convex *a, convex *b, double range, surface *known, void *room, axis *best)
{
    if (cover_serves(a, b)) {
        if (!a->flat->graph)
            convex_place_corners(a);
        if (!b->flat->graph)
            convex_place_corners(b);
        const int state = cover_least(a, b, range, known, room, best);
        if (state != COVER_UNKNOWN)
            return state == COVER_LEAST;
        *best = (axis){.type = AXIS_GAP};
    }
    place_all(a);
    place_all(b);
    return axes_least(a, b, range, SCREE_NONE, room, best);
}

static int least_direction(convex *a, convex *b, double range, void *room, span *best)
{
    place_all(a);
    place_all(b);
    return least_span(a, b, range, room, best);
}

/* The surface of a hint, for the pair as it is or exchanged; the surface of another case is
 * emptied. */
static surface *surface_of(hint *h, int exchanged)
{
    const uint32_t type = exchanged ? HINT_EXCHANGED : HINT_OVERLAP;
    if (!h)
        return NULL;
    if (h->type != type)
        h->of.cover.n_points = 0;
    h->type = type;
    return &h->of.cover;
}

/* Finds the touches of a and b. */
static void search_pair(placed_pair *at, double range, hint *h, work *w)
{
    convex *a = &at->a, *b = &at->b;
    axis best = {.type = AXIS_GAP};
    w->found.n = 0;
    if (h && is_apart(a, b, h, range))
        return;
    const int near = a->flat && b->flat
                         ? least_axis(a, b, range, surface_of(h, at->turned), w->search, &best)
                         : least_direction(a, b, range, w->search, &best.span);
    if (h && !near)
        remember_axis(h, best.span.normal);
    else if (h && !(a->flat && b->flat))
        h->type = HINT_NONE;
    if (!near)
        return;
    if (a->flat && b->flat)
        touch_polytopes(a, b, range, &best, &w->found);
    else if (spread_meets(a, b))
        touch_spread(a, b, range, &best.span, at->swap, &w->found);
    else
        add_touch(&w->found, best.span.normal, best.span.depth, span_point(a, b, &best.span), 0);
}

/* Is b on the negative side of a? In each pair of solids one body is. */
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

/* Turns touches of b and a into those of a and b; d: from a to b. */
static void exchange(touches *t, scree_vec d)
{
    for (uint32_t k = 0; k < t->n; k++) {
        touch *at = &t->list[k];
        at->normal = scree_scaled(-1.0, at->normal);
        at->at = scree_sum(at->at, d);
        at->feature = exchanged(at->feature);
    }
}

static placed_pair place_pair(const resolver *self, const scree_candidates *in, uint32_t p,
                              const work *w)
{
    const scree_vec d = scree_vec_at(in->d, p), none = {0, 0, 0};
    const int turned = !(in->bodies->types[in->type_a]->flags & SCREE_CAP_ROUND) && is_negative(d);
    const uint32_t i = turned ? in->b[p] : in->a[p], j = turned ? in->a[p] : in->b[p];
    placed_pair out = {.turned = turned};
    out.a = frame(self, in->bodies, i, none, w->room[turned]);
    out.b = frame(self, in->bodies, j, turned ? scree_scaled(-1.0, d) : d, w->room[!turned]);
    // the radii of balls of clumps are set per pair
    out.a.radius = turned ? in->radius_b[p] : in->radius_a[p];
    out.b.radius = turned ? in->radius_a[p] : in->radius_b[p];
    out.swap = out.a.spread && out.b.spread && in->bodies->id[j] < in->bodies->id[i];
    return out;
}

int32_t resolve_bodies(const resolver *self, const scree_candidates *in, scree_contacts *out,
                       work *w, uint32_t *done)
{
    for (uint32_t p = 0; p < in->n; p++) {
        const scree_vec d = scree_vec_at(in->d, p);
        const double range = range_of(in, p), reach = in->radius_a[p] + in->radius_b[p] + range;
        hint *h = in->hints && !is_kept(in, p) ? (hint *)in->hints + (in->first ? in->first[p] : p)
                                               : NULL;
        placed_pair at = {0};
        w->found.n = 0;
        if (scree_dot(d, d) <= reach * reach) {
            at = place_pair(self, in, p, w);
            search_pair(&at, range, h, w);
            if (at.turned)
                exchange(&w->found, d);
        }
        tidy(&w->found, in->range);
        if (!put_touches(&w->found, at.turned ? &at.b : &at.a, at.turned ? &at.a : &at.b, p, out,
                         done))
            return SCREE_OK;
    }
    return SCREE_OK;
}
