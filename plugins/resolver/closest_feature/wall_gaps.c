// SPDX-License-Identifier: Apache-2.0
// Contacts by distance of convex outlines with the facets of an open wall.
/*
 * Idea     A facet is a convex outline of two edges, forth and back: the edge with the least
 *          overlap, on either body, separates them (penetration.c). If this is an edge of the
 *          facet, the body touches its face; if it is an edge of the body, it touches an end of the
 *          facet. Where a side of the body lies on the facet both ends of the stretch are contacts
 *          (ends.c), and across a gap too.
 * Reduced  in their pair (resolver.h): an end touches an edge of the body only when the body does
 *          not touch a face of the facets at that end; an end of two facets counts once.
 */
#include "walls.h"

/* Kinds of contacts: a vertex of the body on a face; an end of a facet below an edge of the body. Names hold the
 * patch or the end, the kind, and the vertex or the part of the body. */
enum { ON_FACE, AT_END };
#define NAME_OF(of, kind, number)                                                                  \
    (((uint64_t)(of) + 1) << 33 | (uint64_t)(kind) << 32 | (uint64_t)(number))

/* Marks of bars in wall_work: the bar touches with its face, or with an end at an edge of the
 * body. */
#define FACED (1u << 31)
#define ENDED (1u << 30)
#define MARKS (FACED | ENDED)

/* The least overlap so far. */
typedef struct best {
    double depth;
    point normal, at;
    facing where;
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

/* Tries the direction out of the face on this side: 0 along the normal, 1 against it. */
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
    *out = (best){-least, {-n.x, -n.y}, foot, {side, deep, 1}, 1};
}

/* Tries the direction out of the body by its edge e; the overlap must be less by `margin` than that
 * of a face. */
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
    *out = (best){-least, n, at, {e, end, 0}, 0};
}

/* Does the wall continue straight where a bar ends, in a bar of the same patch? */
static int is_joint(const wall *w, uint32_t bar, uint32_t end)
{
    const wall_bar *at = &w->bars[bar];
    const uint32_t first = bar - at->edge, last = first + edges_of(&w->lines[at->line]) - 1;
    const uint32_t other = end ? first : last;
    return w->around[at->line] && bar == (end ? last : first) && other != bar &&
           w->bars[other].patch == at->patch;
}

/* Puts a touch in the list from `first` on. A name occurs once: faces keep the deepest touch, ends
 * the shallowest. */
static void take_touch(wall_work *k, uint32_t first, touch t)
{
    const int deeper = !(t.feature >> 32 & 1);
    for (uint32_t i = first; i < k->n; i++)
        if (k->list[i].feature == t.feature) {
            if (deeper ? t.depth > k->list[i].depth : t.depth < k->list[i].depth)
                k->list[i] = t;
            return;
        }
    k->list[k->n++] = t;
}

/* A convex part of the body, whose vertices count from `corner` on; its contacts are in the list from
 * `first` on. */
typedef struct body_part {
    placed of;
    uint32_t part, corner, first;
} body_part;

static void take_ends(wall_work *k, const body_part *b, uint32_t bar, end_touches *e)
{
    const wall_bar *p = &k->w->bars[bar];
    ends_keep(k->in, k->number, e);
    for (uint32_t i = 0; i < e->n; i++) {
        touch t = e->list[i];
        const uint32_t vertex = ends_vertex(t.feature);
        const int end = ends_of_b(t.feature);
        if (end && e->n > 1 && is_joint(k->w, bar, vertex))
            continue;
        t.feature = end ? NAME_OF(b->part, AT_END, p->end[vertex])
                        : NAME_OF(b->corner + vertex, ON_FACE, p->patch);
        take_touch(k, b->first, t);
    }
}

/* Does a facet at this end, among those in reach, touch with its face? */
static int has_face(const wall_work *k, uint32_t end)
{
    for (uint32_t i = 0; i < k->n_bars; i++) {
        const wall_bar *p = &k->w->bars[k->bars[i] & ~MARKS];
        if (k->bars[i] & FACED && (p->end[0] == end || p->end[1] == end))
            return 1;
    }
    return 0;
}

/* Takes the contacts of a part of the body and a facet that have a point in common; returns the
 * mark of the bar. Ends count only with `ends`, and only where no facet at the end touches with its
 * face. */
static uint32_t penetrate(wall_work *k, const body_part *b, uint32_t bar, int ends)
{
    const placed *body = &b->of;
    wall_segment of;
    const placed facet = wall_segment_of(k, bar, &of);
    best least = {.depth = (double)INFINITY};
    end_touches found;
    for (uint32_t side = 0; side < 2; side++)
        try_face(body, &facet, side, &least);
    for (uint32_t e = 0; e < body->of->n; e++)
        try_edge(body, &facet, e, 1e-12 * body->of->radius * body->scale, &least);
    if (!least.face && (!ends || has_face(k, k->w->bars[bar].end[least.where.vertex])))
        return ENDED;
    const gap g = {.length = -least.depth, .normal = least.normal, .middle = least.at};
    ends_of(body, &facet, &least.where, &g, 0, &found);
    take_ends(k, b, bar, &found);
    return least.face ? FACED : ENDED;
}

static void penetrate_all(wall_work *k, const body_part *b)
{
    for (uint32_t i = 0; i < k->n_bars; i++) {
        const wall_bar *p = &k->w->bars[k->bars[i]];
        const placed line = line_of(k, p->line);
        if (wall_meets(&b->of, &line, p->edge))
            k->bars[i] |= penetrate(k, b, k->bars[i], 0);
    }
    for (uint32_t i = 0; i < k->n_bars; i++)
        if (k->bars[i] & ENDED)
            penetrate(k, b, k->bars[i] & ~MARKS, 1);
    for (uint32_t i = 0; i < k->n_bars; i++)
        k->bars[i] &= ~MARKS;
}

void wall_penetrations(wall_work *k)
{
    const uint32_t n_parts = parts_of(k->body.of);
    body_part b = {.of = k->body};
    for (b.part = 0; b.part < n_parts; b.part++, b.corner += b.of.of->n) {
        b.of.of = k->body.of->convex ? k->body.of : &k->body.of->parts[b.part];
        b.first = k->n;
        penetrate_all(k, &b);
    }
}

void wall_gap(wall_work *k, int both_ends)
{
    gap least = {.length = (double)INFINITY, .normal = {1.0, 0.0}};
    uint32_t nearest = 0;
    end_touches ends = {.n = 1};
    for (uint32_t i = 0; i < k->n_bars; i++) {
        wall_segment of;
        const placed facet = wall_segment_of(k, k->bars[i], &of);
        const gap g = outlines_gap(&k->body, &facet);
        nearest = g.length < least.length ? k->bars[i] : nearest;
        least = g.length < least.length ? g : least;
    }
    // Without any depth, the centre decides on which side the body is.
    if (least.length == 0.0 && dot2(least.normal, from_to(k->body.at, least.middle)) < 0.0)
        least.normal = point_of(-least.normal.x, -least.normal.y);
    if (!counts(k->in, k->number, -least.length))
        return;
    if (both_ends && k->body.of->convex && k->n_bars > 0) {
        wall_segment of;
        const placed facet = wall_segment_of(k, nearest, &of);
        ends_across(&k->body, &facet, &least, 0, &ends);
        take_ends(k, &(body_part){.of = k->body}, nearest, &ends);
        return;
    }
    k->list[k->n++] = touch_of_gap(&least);
}
