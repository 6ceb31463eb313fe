// SPDX-License-Identifier: Apache-2.0
/*
 * overlap: the common part of two strips.
 *
 * Sources  R. O'Connor 1996, 3.2.2. The rest is ours.
 * Idea     b's border is led over the panels of a. On the part of a side of b over one panel the heights above
 *          a's upper half and below its lower half are linear, so all follows in closed form:
 *            area    the overlap has at each X the length of b's intervals cut to [l, u]. Summed over b's
 *                    sides, counterclockwise, it is - integral of cut(y) dX; cut(y) = u + min(y - u, 0) +
 *                    max(l - y, 0), and u adds up to 0 around b. Nothing depends on where borders cross,
 *                    so that shared sides, points on sides and equal polygons are like all others. The
 *                    mirrored form l + max(y - l, 0) - max(y - u, 0) is taken where b is below a: the terms
 *                    are as small as the overlap.
 *            arcs    where y is between l and u, b's border is inside of a: joined, they are the arcs
 *                    (overlap/overlap.c).
 * Steps    1. dfr_clip: boxes in each other's frame, (3.1) to (3.4)
 *          2. dfr_classify: points of b in that range, (3.5), vectorised
 *          3. take_side: sides of b, cut at the borders of a's panels
 *          4. one piece, or pieces.c
 * Cost     linear in the panels in range: each of b's sides, and each time it crosses a border of a's panels.
 */
#include "pieces.h"

/* ---- clip ---- */

/* The box around the box lo..hi, seen through P = t + m P'. */
static void turn_box(const double (*m)[2], const double t[2], const double lo[2],
                     const double hi[2], double out_lo[2], double out_hi[2])
{
    for (int k = 0; k < 2; k++) {
        const double middle = t[k] + 0.5 * (m[k][0] * (lo[0] + hi[0]) + m[k][1] * (lo[1] + hi[1]));
        const double half =
            0.5 * (fabs(m[k][0]) * (hi[0] - lo[0]) + fabs(m[k][1]) * (hi[1] - lo[1]));
        out_lo[k] = middle - half;
        out_hi[k] = middle + half;
    }
}

/* The range by (3.2) and (3.3), with the last border clamped; 0: out of range. */
static int range_of(const dfr_strip *s, double from, double to, dfr_range *out)
{
    const double lo = scree_max(from, s->left), hi = scree_min(to, s->panels.right);
    if (lo > hi)
        return 0;
    const double start = (s->panels.right - hi) * s->panels.per_metre;
    const double finish = (s->panels.right - lo) * s->panels.per_metre;
    const uint32_t last = s->n - 1;
    out->start = start < last ? (uint32_t)scree_max(start, 0.0) : last;
    out->finish = finish < last ? (uint32_t)scree_max(finish, 0.0) + 1 : s->n;
    return 1;
}

int dfr_clip(const dfr_strip *a, const dfr_strip *b, const overlap_pose *pose, dfr_range *of_a,
             dfr_range *of_b)
{
    const double pad = OVERLAP_JOIN * (a->panels.right - a->left + a->top - a->bottom);
    const double a_lo[2] = {a->left - pad, a->bottom - pad};
    const double a_hi[2] = {a->panels.right + pad, a->top + pad};
    const double b_lo[2] = {b->left, b->bottom}, b_hi[2] = {b->panels.right, b->top};
    double lo[2], hi[2], back_lo[2], back_hi[2], back[2];
    turn_box(pose->m, pose->t, b_lo, b_hi, lo, hi);
    for (int k = 0; k < 2; k++) {
        lo[k] = scree_max(lo[k] - pad, a_lo[k]);
        hi[k] = scree_min(hi[k] + pad, a_hi[k]);
        if (lo[k] > hi[k])
            return 0;
    }
    for (int k = 0; k < 2; k++)
        back[k] = -(pose->inverse[k][0] * pose->t[0] + pose->inverse[k][1] * pose->t[1]);
    turn_box(pose->inverse, back, lo, hi, back_lo, back_hi);
    return back_lo[1] <= b->top && back_hi[1] >= b->bottom && range_of(a, lo[0], hi[0], of_a) &&
           range_of(b, back_lo[0], back_hi[0], of_b);
}

/* ---- a side of b over a panel of a ---- */

/* Integral over [0, 1] of the positive part of the linear function from g0 to g1. */
static double mean_above(double g0, double g1)
{
    const double most = scree_max(g0, g1), least = scree_min(g0, g1);
    if (least >= 0.0)
        return 0.5 * (g0 + g1);
    return most > 0.0 ? 0.5 * most * most / (most - least) : 0.0;
}

/* Cuts [*from, *to] to the part in which the linear function from g0 to g1 is not above 0. */
static void cut(double g0, double g1, double *from, double *to)
{
    if (g0 > 0.0 && g1 > 0.0)
        *to = -1.0;
    else if (g0 > 0.0)
        *from = scree_max(*from, g0 / (g0 - g1));
    else if (g1 > 0.0)
        *to = scree_min(*to, g0 / (g0 - g1));
}

static dfr_place between(const dfr_place *p, const dfr_place *q, double t)
{
    if (t <= 0.0)
        return *p;
    if (t >= 1.0)
        return *q;
    return (dfr_place){{p->at[0] + t * (q->at[0] - p->at[0]), p->at[1] + t * (q->at[1] - p->at[1])},
                       p->w + t * (q->w - p->w),
                       p->above + t * (q->above - p->above),
                       p->below + t * (q->below - p->below),
                       p->point};
}

static void add_arc_part(dfr_walk *k, const dfr_place *from, const dfr_place *to)
{
    dfr_arc *arc = k->n_arcs ? &k->arcs[k->n_arcs - 1] : NULL;
    const double *o = k->origin;
    const double swept = 0.5 * ((from->at[0] - o[0]) * (to->at[1] - o[1]) -
                                (to->at[0] - o[0]) * (from->at[1] - o[1]));
    if (arc && fabs(from->at[0] - arc->to.at[0]) <= k->join &&
        fabs(from->at[1] - arc->to.at[1]) <= k->join) {
        arc->to = *to;
        arc->swept += swept;
    } else {
        if (k->n_arcs == k->room) { // sums need no list: all but the first and the last one
            k->is_full = 1;
            k->n_arcs--;
            overlap_add_arc(&k->folded, k->arcs[k->n_arcs - 1].from.at,
                            k->arcs[k->n_arcs - 1].to.at);
            k->arcs[k->n_arcs - 1] = k->arcs[k->n_arcs];
        }
        k->arcs[k->n_arcs++] = (dfr_arc){*from, *to, swept, 0};
    }
}

static void take_part(dfr_walk *k, const dfr_place *p, const dfr_place *q)
{
    double from = 0.0, to = 1.0;
    if (k->is_from_above)
        k->area += (q->at[0] - p->at[0]) *
                   (mean_above(-p->above, -q->above) - mean_above(p->below, q->below));
    else
        k->area += (q->at[0] - p->at[0]) *
                   (mean_above(p->above, q->above) - mean_above(-p->below, -q->below));
    cut(p->above - k->closed, q->above - k->closed, &from, &to);
    cut(p->below - k->closed, q->below - k->closed, &from, &to);
    if (!(to > from))
        return;
    const dfr_place first = between(p, q, from), last = between(p, q, to);
    add_arc_part(k, &first, &last);
}

/* The point of side p-q over border b of a's panels. */
static dfr_place at_border(const dfr_strip *a, const dfr_place *p, const dfr_place *q, uint32_t b)
{
    const double t = (b - p->w) / (q->w - p->w), y = p->at[1] + t * (q->at[1] - p->at[1]);
    return (dfr_place){{p->at[0] + t * (q->at[0] - p->at[0]), y},
                       b,
                       y - a->panels.upper[b],
                       a->panels.lower[b] - y,
                       p->point};
}

/* A side of b, cut at the borders of the panels of a in range. */
static void take_side(dfr_walk *k, const dfr_place *p, const dfr_place *q)
{
    const dfr_strip *a = k->a;
    const double first = k->range.start, last = k->range.finish;
    const int is_up = q->w > p->w;
    dfr_place here = *p, end = *q;
    if ((p->w < first && q->w < first) || (p->w > last && q->w > last) ||
        (p->at[0] == q->at[0] && p->at[1] == q->at[1]))
        return;
    if (p->w < first)
        here = at_border(a, p, q, k->range.start);
    else if (p->w > last)
        here = at_border(a, p, q, k->range.finish);
    if (q->w < first)
        end = at_border(a, p, q, k->range.start);
    else if (q->w > last)
        end = at_border(a, p, q, k->range.finish);
    for (;;) {
        const double floor_w = (double)(int32_t)here.w; // w >= 0
        double next = is_up ? floor_w + 1.0 : floor_w;
        if (!is_up && next == here.w)
            next -= 1.0;
        if (is_up ? next >= end.w : next <= end.w)
            break;
        const dfr_place border = at_border(a, p, q, (uint32_t)next);
        take_part(k, &here, &border);
        here = border;
    }
    take_part(k, &here, &end);
}

/* ---- the whole ---- */

uint64_t dfr_scratch_bytes(uint32_t n)
{
    const uint64_t n_points = 2 * (n + 9ull), n_arcs = n_points + 16;
    return 5 * n_points * sizeof(double) + n_arcs * (sizeof(dfr_arc) + 2 * sizeof(dfr_end));
}

static dfr_place place_at(const double *const *points, uint32_t i)
{
    return (dfr_place){{points[0][i], points[1][i]}, points[2][i], points[3][i], points[4][i], i};
}

/* Leads the border of b, in its range, over a. points: five arrays of scratch. */
static void lead(dfr_walk *k, const dfr_strip *b, dfr_range of_b, const overlap_pose *pose,
                 double *const *points)
{
    const dfr_panels *a = &k->a->panels;
    const uint32_t m = of_b.finish - of_b.start + 1, lowest = b->n_points - 1 - of_b.finish;
    for (uint32_t half = 0; half < 2; half++) {
        const uint32_t from = half ? lowest : of_b.start, at = half * m;
        dfr_classify(m, b->x + from, b->y + from, pose->m, pose->t, a->right, a->per_metre, a->n,
                     a->upper, a->rise_u, a->lower, a->rise_l, points[0] + at, points[1] + at,
                     points[2] + at, points[3] + at, points[4] + at);
    }
    dfr_place here = place_at((const double *const *)points, 0), first = here;
    for (uint32_t i = 1; i <= 2 * m; i++) {
        dfr_place next = i < 2 * m ? place_at((const double *const *)points, i) : first;
        here.point = i - 1 < m ? of_b.start + i - 1 : lowest + i - 1 - m;
        take_side(k, &here, &next);
        here = next;
    }
    if (k->n_arcs > 0) { // the last arc may continue in the first
        dfr_arc *arc = k->arcs, *end = &k->arcs[k->n_arcs - 1];
        const int joined = fabs(arc->from.at[0] - end->to.at[0]) <= k->join &&
                           fabs(arc->from.at[1] - end->to.at[1]) <= k->join;
        if (joined && k->n_arcs == 1)
            k->is_inside = 1;
        else if (joined) {
            arc->from = end->from;
            arc->swept += end->swept;
            k->n_arcs--;
        }
    }
}

/* Takes all arcs as one piece; 0: no arcs. */
static uint32_t take_as_one(dfr_walk *k, const dfr_strip *b, const overlap_pose *pose,
                            overlap_piece *out)
{
    const double of_b =
        b->area * pose->m[0][0] * pose->m[0][0] + b->area * pose->m[0][1] * pose->m[0][1];
    overlap_arcs arcs = k->folded;
    memset(out, 0, sizeof *out);
    if (!k->is_inside)
        for (uint32_t i = 0; i < k->n_arcs; i++)
            overlap_add_arc(&arcs, k->arcs[i].from.at, k->arcs[i].to.at);
    if (!(k->area > 0.0) || (arcs.n_ends == 0.0 && k->area < 0.5 * scree_min(k->a->area, of_b)))
        return 0;
    overlap_finish(&arcs, k->area, pose, out);
    dfr_find_off(k, pose, out);
    return 1;
}

uint32_t dfr_overlap(const dfr_strip *a, const dfr_strip *b, const overlap_pose *pose,
                     void *scratch, overlap_piece *out, uint32_t room)
{
    const uint32_t n = a->n > b->n ? a->n : b->n, n_points = 2 * (n + 9);
    const double size = a->panels.right - a->left;
    double *points[5];
    dfr_range of_b;
    dfr_walk k = {.a = a, .b = b, .join = OVERLAP_JOIN * size, .closed = OVERLAP_CLOSED * size};
    if (!dfr_clip(a, b, pose, &k.range, &of_b))
        return 0;
    for (int i = 0; i < 5; i++)
        points[i] = (double *)scratch + i * (uint64_t)n_points;
    k.arcs = (dfr_arc *)(points[4] + n_points);
    k.room = n_points + 16;
    k.ends = (dfr_end *)(k.arcs + k.room);
    k.is_from_above = pose->t[1] >= 0.0;
    k.origin[0] = 0.5 * pose->t[0];
    k.origin[1] = 0.5 * pose->t[1];
    lead(&k, b, of_b, pose, points);
    if (k.n_arcs > 0 && !k.is_inside && !(a->is_convex && b->is_convex)) {
        const uint32_t n_pieces = dfr_find_pieces(&k, pose, out, room);
        if (n_pieces > 0)
            return n_pieces;
    }
    if (room == 0)
        return 1;
    return take_as_one(&k, b, pose, out);
}
