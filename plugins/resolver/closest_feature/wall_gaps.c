// SPDX-License-Identifier: Apache-2.0
// Contacts by distance of convex outlines with the facets of an open wall.
/*
 * Idea     A facet is a convex outline of two edges, there and back: of all edges of both the one
 *          with the least overlap separates them (penetration.c). An edge of the facet is a touch
 *          of its face, on either side; an edge of the body one of an end of the facet.
 * Reduced  in their pair (resolver.h): of the faces of a flat patch the deepest. An end is a touch
 *          only where no face of the facets at it is one, and of two facets once.
 */
#include "walls.h"

/* Kinds of features: bit 32; their numbers are below, the number of the body's part above. */
#define OF_END (1ull << 32)
#define NAME_OF(part, kind, number) (((uint64_t)(part) + 1) << 33 | (kind) | (number))

/* The least overlap so far. */
typedef struct best {
    double depth;
    point normal, at;
    uint32_t end;
    int32_t face;
} best;

/* The part of the body's edge between vertices v and w along the facet: its middle. */
static double middle_along(const placed *facet, point line, point v, point w)
{
    const point tail = vertex_at(facet, 0);
    const double length = dot2(line, from_to(tail, vertex_at(facet, 1)));
    const double one = dot2(line, from_to(tail, v)), two = dot2(line, from_to(tail, w));
    const double low = scree_max(scree_min(one, two), 0.0);
    const double high = scree_min(scree_max(one, two), length);
    return 0.5 * (low + high) - one;
}

/* Out of the face on this side: 0 along the normal, 1 against it. */
static void try_face(const placed *body, const placed *facet, uint32_t side, best *out)
{
    const point n = normal_at(facet, side), tail = vertex_at(facet, 0), head = vertex_at(facet, 1);
    double least = (double)INFINITY;
    uint32_t deep = 0;
    for (uint32_t v = 0; v < body->of->n; v++) {
        const double above = dot2(n, from_to(tail, vertex_at(body, v)));
        deep = above < least ? v : deep;
        least = above < least ? above : least;
    }
    if (!(-least < out->depth))
        return;
    const point at = vertex_at(body, deep), line = {n.y, -n.x};
    point foot = moved(at, -0.5 * least, n);
    const uint32_t other[2] = {after(body, deep), before(body, deep)};
    for (int k = 0; k < 2; k++)
        if (turns(tail, head, at, vertex_at(body, other[k])) == 0) {
            const double sign = side ? -1.0 : 1.0; // `line` runs from tail to head, or back
            const point ahead = {-sign * line.x, -sign * line.y};
            foot = moved(foot, middle_along(facet, ahead, at, vertex_at(body, other[k])), ahead);
            break;
        }
    *out = (best){.depth = -least, .normal = {-n.x, -n.y}, .at = foot, .face = 1};
}

/* Out of the body by its edge e; less by `margin` than what a face needs. */
static void try_edge(const placed *body, const placed *facet, uint32_t e, double margin, best *out)
{
    const point n = normal_at(body, e), tail = vertex_at(body, e);
    const double first = dot2(n, from_to(tail, vertex_at(facet, 0)));
    const double second = dot2(n, from_to(tail, vertex_at(facet, 1)));
    const uint32_t end = second < first;
    const double least = end ? second : first;
    if (!(-least < out->depth - (out->face ? margin : 0.0)))
        return;
    const point at = moved(vertex_at(facet, end), -0.5 * least, n);
    *out = (best){.depth = -least, .normal = n, .at = at, .end = end};
}

/* A part of the body and a facet that have a point in common. */
static touch penetrate(const wall_work *k, const placed *body, uint32_t part, uint32_t bar)
{
    wall_segment of;
    const placed facet = wall_segment_of(k, bar, &of);
    const wall_bar *p = &k->w->bars[bar];
    best least = {.depth = (double)INFINITY};
    for (uint32_t side = 0; side < 2; side++)
        try_face(body, &facet, side, &least);
    for (uint32_t e = 0; e < body->of->n; e++)
        try_edge(body, &facet, e, 1e-12 * body->of->radius * body->scale, &least);
    const uint64_t name =
        least.face ? NAME_OF(part, 0, p->patch) : NAME_OF(part, OF_END, p->end[least.end]);
    return (touch){.normal = least.normal, .at = least.at, .depth = least.depth, .feature = name};
}

/* Puts a touch in the list from `first` on: one of each name, the deepest of faces, of ends the least. */
static void take_touch(wall_work *k, uint32_t first, touch t)
{
    const int deeper = !(t.feature & OF_END);
    for (uint32_t i = first; i < k->n; i++)
        if (k->list[i].feature == t.feature) {
            if (deeper ? t.depth > k->list[i].depth : t.depth < k->list[i].depth)
                k->list[i] = t;
            return;
        }
    k->list[k->n++] = t;
}

/* Whether a facet at this end, among those in reach, is a touch by its face. */
static int has_face(const wall_work *k, uint32_t first, uint32_t part, uint32_t end)
{
    for (uint32_t i = 0; i < k->n_bars; i++) {
        const wall_bar *p = &k->w->bars[k->bars[i]];
        if (p->end[0] != end && p->end[1] != end)
            continue;
        for (uint32_t t = first; t < k->n; t++)
            if (k->list[t].feature == NAME_OF(part, 0, p->patch))
                return 1;
    }
    return 0;
}

static void drop_ends(wall_work *k, uint32_t first, uint32_t part)
{
    uint32_t kept = first;
    for (uint32_t i = first; i < k->n; i++) {
        const uint64_t name = k->list[i].feature;
        if (!(name & OF_END) || !has_face(k, first, part, (uint32_t)name))
            k->list[kept++] = k->list[i];
    }
    k->n = kept;
}

void wall_penetrations(wall_work *k)
{
    const uint32_t n_parts = parts_of(k->body.of);
    for (uint32_t part = 0; part < n_parts; part++) {
        const uint32_t first = k->n;
        placed body = k->body;
        body.of = k->body.of->convex ? k->body.of : &k->body.of->parts[part];
        for (uint32_t i = 0; i < k->n_bars; i++) {
            const wall_bar *p = &k->w->bars[k->bars[i]];
            const placed line = line_of(k, p->line);
            if (wall_meets(&body, &line, p->edge))
                take_touch(k, first, penetrate(k, &body, part, k->bars[i]));
        }
        drop_ends(k, first, part);
    }
}

touch wall_gap(const wall_work *k)
{
    gap least = {.length = (double)INFINITY, .normal = {1.0, 0.0}};
    for (uint32_t i = 0; i < k->n_bars; i++) {
        wall_segment of;
        const placed facet = wall_segment_of(k, k->bars[i], &of);
        const gap g = outlines_gap(&k->body, &facet);
        least = g.length < least.length ? g : least;
    }
    // Without any depth the side of the body is that of its centre.
    if (least.length == 0.0 && dot2(least.normal, from_to(k->body.at, least.middle)) < 0.0)
        least.normal = point_of(-least.normal.x, -least.normal.y);
    return touch_of_gap(&least);
}
