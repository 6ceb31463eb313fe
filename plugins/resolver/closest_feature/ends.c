// SPDX-License-Identifier: Apache-2.0
// Contacts by distance of two convex outlines: both ends of edges that face each other.
/*
 * Idea     The least overlap, or gap, is along the normal of an edge, at a vertex of the other
 *          outline. When one of the two edges at that vertex is parallel to the edge within 18.2
 *          degrees, the two edges touch along a stretch, and each end of the stretch is a contact:
 *
 *                 q   ______________        an end is a vertex of one outline over the
 *                    |1             |       edge of the other: 1 of q, 2 of p
 *               _____x______________x  2
 *                 p                 |
 *
 *          The depth of a contact is that of the vertex below the edge, a function of the poses
 *          whose gradient is the normal. A body that rocks has one contact less where an end lifts
 *          off, at depth 0: no force jumps, as it would if the one contact of the least overlap
 *          went from corner to corner.
 * Names    the vertex, so that a contact that slides over edges keeps its history (closest_feature.c).
 * Limits   An end comes or goes at that angle, at the depth that it has there: below 0, without a force, where the
 *          least overlap is below 0.3 of the stretch. Two pentagons that are led round turning by 17 degrees leave
 *          less than 1e-5 of the work at up to a quarter of their side; with 5.7 degrees for 18.2 they left 1 to 6 % from
 *          a twentieth of it on. Where an end passes from a vertex of one to one of the other, as a body slides off, its
 *          normal turns by the angle of the edges. Each contact has the stiffness of the law: a side on a side
 *          is twice as stiff as a corner on it. No contact is deeper than the least overlap; one that would
 *          be counts there.
 */
#include "resolver.h"

#define ALIGNED 0.95 /* cosine of 18.2 degrees */
#define DEEPER 1e-12 /* part of depth plus size: rounding */

/* The edge (of p) and the vertex (of q) that have the least overlap. */
typedef struct meeting {
    const placed *p, *q;
    double sign;   /* 1: p is a */
    uint64_t base; /* first name of the ends */
    uint32_t own;  /* 1 in names of vertices of p when p is b */
    uint32_t edge;
    point n;
} meeting;

static void add_end(const meeting *m, int of_p, uint32_t v, uint32_t edge, end_touches *out)
{
    const placed *of = of_p ? m->p : m->q, *other = of_p ? m->q : m->p;
    const point n = normal_at(other, edge), x = vertex_at(of, v);
    const double depth = -dot2(n, from_to(vertex_at(other, edge), x));
    const double sign = of_p ? -m->sign : m->sign;
    const touch t = {.normal = {sign * n.x, sign * n.y},
                     .at = moved(x, 0.5 * depth, n),
                     .depth = depth,
                     .feature = m->base | (uint64_t)v << 1 | (of_p ? m->own : 1 - m->own)};
    for (uint32_t k = 0; k < out->n; k++)
        if (out->list[k].feature == t.feature)
            return;
    out->list[out->n++] = t;
}

/* Adds the ends of the stretch that the edge shares with edge f of q. */
static void add_stretch(const meeting *m, uint32_t f, end_touches *out)
{
    const uint32_t next = after(m->q, f), to = after(m->p, m->edge);
    const point tail = vertex_at(m->p, m->edge), line = {-m->n.y, m->n.x};
    if (dot2(m->n, normal_at(m->q, f)) > -ALIGNED)
        return;
    // q runs the other way round: its edge comes from the far end
    const double length = dot2(line, from_to(tail, vertex_at(m->p, to)));
    const double far = dot2(line, from_to(tail, vertex_at(m->q, f)));
    const double near = dot2(line, from_to(tail, vertex_at(m->q, next)));
    if (near > length || far < 0.0)
        return;
    if (near >= 0.0)
        add_end(m, 0, next, m->edge, out);
    else
        add_end(m, 1, m->edge, f, out);
    if (far <= length)
        add_end(m, 0, f, m->edge, out);
    else
        add_end(m, 1, to, f, out);
}

static uint32_t deepest_of(const end_touches *e)
{
    uint32_t best = 0;
    for (uint32_t k = 1; k < e->n; k++)
        best = e->list[k].depth > e->list[best].depth ? k : best;
    return best;
}

void ends_of(const placed *a, const placed *b, const facing *f, const gap *least, uint64_t base,
             end_touches *out)
{
    const placed *p = f->of_b ? b : a, *q = f->of_b ? a : b;
    const meeting m = {.p = p,
                       .q = q,
                       .sign = f->of_b ? -1.0 : 1.0,
                       .base = base,
                       .own = f->of_b,
                       .edge = f->edge,
                       .n = normal_at(p, f->edge)};
    const double depth = -least->length;
    const double slack =
        DEEPER * (fabs(depth) + scree_min(a->scale * a->of->radius, b->scale * b->of->radius));
    out->n = 0;
    add_stretch(&m, f->vertex, out);
    add_stretch(&m, before(q, f->vertex), out);
    if (out->n == 0) {
        out->list[out->n++] = touch_of_gap(least);
        out->list[0].feature = base | (uint64_t)f->vertex << 1 | (1 - m.own);
    }
    for (uint32_t k = 0; k < out->n; k++)
        if (out->list[k].depth > depth + slack) {
            const uint64_t name = out->list[k].feature;
            out->list[k] = touch_of_gap(least);
            out->list[k].feature = name;
        }
}

void ends_across(const placed *a, const placed *b, const gap *across, uint64_t base,
                 end_touches *out)
{
    facing where;
    const gap axis = convex_penetration(a, b, &where);
    const double size = scree_min(a->scale * a->of->radius, b->scale * b->of->radius);
    if (across->length - axis.length <= DEEPER * (across->length + size)) { // along that normal
        ends_of(a, b, &where, across, base, out);
        return;
    }
    out->n = 1; // the touch goes from corner to corner
    out->list[0] = touch_of_gap(across);
    out->list[0].feature = base | (uint64_t)where.vertex << 1 | (1 - where.of_b);
}

void ends_keep(const scree_candidates *in, uint32_t p, end_touches *e)
{
    const touch deepest = e->list[deepest_of(e)];
    uint32_t n = 0;
    for (uint32_t k = 0; k < e->n; k++)
        if (e->list[k].depth >= -in->range)
            e->list[n++] = e->list[k];
    e->n = n;
    if (n == 0 && counts(in, p, deepest.depth))
        e->list[e->n++] = deepest;
    for (uint32_t k = 1; k < e->n; k++) { // sorted by feature
        const touch one = e->list[k];
        uint32_t at = k;
        for (; at > 0 && e->list[at - 1].feature > one.feature; at--)
            e->list[at] = e->list[at - 1];
        e->list[at] = one;
    }
}
