// SPDX-License-Identifier: Apache-2.0
/*
 * pieces: connected pieces of the overlap of two strips, at least one of them concave.
 *
 * Idea     where an arc of b's border leaves a, the border of the overlap goes on along a's border,
 *          counterclockwise, up to where the next arc begins. Sorted along a's border, ends and starts of
 *          arcs alternate, and each end is followed by the start that belongs to its piece.
 *          The area of a piece is the sum of what its parts of both borders sweep, seen from one point.
 * Feature  the lowest pair of panels in which the borders of the piece cross, of a, then of b.
 * Limits   where rounding spoils the order, as it can where borders coincide, or the areas do not add up to
 *          that of the whole, the overlap is one contact: it has the right area and resultant.
 */
#include "pieces.h"

/* The place of an end on a's border: on the nearest half or cap. */
static dfr_end end_of(const dfr_strip *a, const dfr_place *p, uint32_t arc, uint32_t is_start)
{
    const uint32_t last = a->n_points - 1;
    const double in = scree_min(scree_max(p->w, 0.0), a->n - 1.0);
    const uint32_t k = (uint32_t)in;
    const double dx = 1.0 / a->panels.per_metre, right = fabs(p->w) * dx;
    const double left = fabs(a->n - p->w) * dx;
    double nearest = fabs(p->above);
    dfr_end end = {p->w - k, k, arc, is_start};
    if (fabs(p->below) < nearest) {
        nearest = fabs(p->below);
        end.side = last - 1 - k;
        end.along = k + 1.0 - p->w;
    }
    if (right < nearest && a->panels.upper[0] > a->panels.lower[0]) {
        nearest = right;
        end.side = last;
        end.along = -p->below;
    }
    if (left < nearest && a->panels.upper[a->n] > a->panels.lower[a->n]) {
        end.side = a->n;
        end.along = -p->above;
    }
    return end;
}

static int is_before(const dfr_end *x, const dfr_end *y)
{
    return x->side != y->side ? x->side < y->side : x->along < y->along;
}

/* Sorts ends and starts along a's border; 0: they do not alternate. */
static int sort_ends(dfr_walk *k)
{
    const uint32_t n = 2 * k->n_arcs;
    for (uint32_t i = 0; i < n; i++) {
        const dfr_arc *arc = &k->arcs[i / 2];
        const dfr_end end = end_of(k->a, i % 2 ? &arc->to : &arc->from, i / 2, i % 2 == 0);
        uint32_t at = i;
        for (; at > 0 && is_before(&end, &k->ends[at - 1]); at--)
            k->ends[at] = k->ends[at - 1];
        k->ends[at] = end;
    }
    for (uint32_t i = 0; i < n; i++)
        if (k->ends[i].is_start == k->ends[(i + 1) % n].is_start)
            return 0;
    return 1;
}

/* Adds a side of the border of the overlap, from the origin of the walk. */
static void add_side(const dfr_walk *k, eccentricity_sums *sums, int of_b, const double p[2],
                     const double q[2])
{
    const double *o = k->origin;
    eccentricity_add_side(sums, of_b, (double[2]){p[0] - o[0], p[1] - o[1]},
                          (double[2]){q[0] - o[0], q[1] - o[1]});
}

static void point_of_b(const dfr_walk *k, const overlap_pose *pose, uint32_t i, double at[2])
{
    for (int r = 0; r < 2; r++)
        at[r] = pose->t[r] + (pose->m[r][0] * k->b->x[i] + pose->m[r][1] * k->b->y[i]);
}

/* Adds an end of an arc: the crossing of a's side `side` with b's side from p->point on. */
static void add_end(const dfr_walk *k, const overlap_pose *pose, eccentricity_sums *sums,
                    double sign, const dfr_place *p, uint32_t side)
{
    const dfr_strip *a = k->a;
    const uint32_t next = side + 1 < a->n_points ? side + 1 : 0;
    const uint32_t end = p->point + 1 < k->b->n_points ? p->point + 1 : 0;
    const double of_a[2] = {a->x[next] - a->x[side], a->y[next] - a->y[side]};
    const double at[2] = {p->at[0] - k->origin[0], p->at[1] - k->origin[1]};
    double tail[2], head[2];
    point_of_b(k, pose, p->point, tail);
    point_of_b(k, pose, end, head);
    eccentricity_add_end(sums, sign, at, of_a, (double[2]){head[0] - tail[0], head[1] - tail[1]});
}

/* Adds an arc, and a's border from its end, number i, to the start of the next arc. */
static void add_arc(const dfr_walk *k, const overlap_pose *pose, eccentricity_sums *sums,
                    const dfr_arc *arc, uint32_t i, const dfr_place *next)
{
    const dfr_strip *a = k->a;
    const dfr_end *from = &k->ends[i], *to = &k->ends[(i + 1) % (2 * k->n_arcs)];
    double last[2] = {arc->from.at[0], arc->from.at[1]}, at[2];
    for (uint32_t j = arc->from.point; j != arc->to.point;) {
        j = j + 1 < k->b->n_points ? j + 1 : 0;
        point_of_b(k, pose, j, at);
        add_side(k, sums, 1, last, at);
        memcpy(last, at, sizeof last);
    }
    add_side(k, sums, 1, last, arc->to.at);
    memcpy(last, arc->to.at, sizeof last);
    add_end(k, pose, sums, 1.0, &arc->to, from->side);
    add_end(k, pose, sums, -1.0, next, to->side);
    if (from->side != to->side || !is_before(from, to))
        for (uint32_t j = from->side;;) {
            j = j + 1 < a->n_points ? j + 1 : 0;
            add_side(k, sums, 0, last, (double[2]){a->x[j], a->y[j]});
            last[0] = a->x[j];
            last[1] = a->y[j];
            if (j == to->side)
                break;
        }
    add_side(k, sums, 0, last, next->at);
}

/* [m^2] swept by a's border from end i, at the arc's point p, to the next end, at q. */
static double sweep(const dfr_walk *k, uint32_t i, const dfr_place *p, const dfr_place *q)
{
    const dfr_strip *a = k->a;
    const dfr_end *from = &k->ends[i], *to = &k->ends[(i + 1) % (2 * k->n_arcs)];
    double x = p->at[0] - k->origin[0], y = p->at[1] - k->origin[1], sum = 0.0;
    if (from->side != to->side || !is_before(from, to))
        for (uint32_t j = from->side;;) {
            j = j + 1 < a->n_points ? j + 1 : 0;
            const double to_x = a->x[j] - k->origin[0], to_y = a->y[j] - k->origin[1];
            sum += x * to_y - to_x * y;
            x = to_x;
            y = to_y;
            if (j == to->side)
                break;
        }
    return 0.5 * (sum + x * (q->at[1] - k->origin[1]) - (q->at[0] - k->origin[0]) * y);
}

/* Panels of a and b at an end. */
static uint64_t panels_at(const dfr_walk *k, const dfr_place *p)
{
    const uint32_t last = k->b->n_points - 1, i = p->point;
    const uint64_t of_a = (uint64_t)scree_min(scree_max(p->w, 0.0), k->a->n - 1.0);
    const uint64_t of_b = i < k->b->n              ? i
                          : i < k->b->n_points / 2 ? k->b->n - 1
                          : i < last               ? last - 1 - i
                                                   : 0;
    return of_a << 36 | of_b << 8;
}

/* Finds the place in ends[] of an arc's end by search, because arcs are few. */
static uint32_t find_end(const dfr_walk *k, uint32_t arc)
{
    uint32_t i = 0;
    while (k->ends[i].arc != arc || k->ends[i].is_start)
        i++;
    return i;
}

static eccentricity off_from(const dfr_walk *k, const eccentricity_sums *border,
                             const overlap_piece *piece)
{
    return eccentricity_of(
        border, (double[2]){piece->middle[0] - k->origin[0], piece->middle[1] - k->origin[1]});
}

/* Takes the piece of an arc, and marks all arcs of the piece. */
static void take_piece(dfr_walk *k, uint32_t arc, const overlap_pose *pose, overlap_piece *out)
{
    overlap_arcs sums = {.n_ends = 0.0};
    eccentricity_sums border = {.plain = pose->plain};
    uint64_t feature = UINT64_MAX;
    double area = 0.0;
    while (!k->arcs[arc].piece) {
        dfr_arc *here = &k->arcs[arc];
        const uint32_t end = find_end(k, arc);
        const uint64_t first = panels_at(k, &here->from), last = panels_at(k, &here->to);
        const uint64_t low = first < last ? first : last;
        here->piece = 1;
        overlap_add_arc(&sums, here->from.at, here->to.at);
        feature = low < feature ? low : feature;
        arc = k->ends[(end + 1) % (2 * k->n_arcs)].arc;
        area += here->swept + sweep(k, end, &here->to, &k->arcs[arc].from);
        if (!pose->plain)
            add_arc(k, pose, &border, here, end, &k->arcs[arc].from);
    }
    memset(out, 0, sizeof *out);
    overlap_finish(&sums, area, pose, out);
    out->off = off_from(k, &border, out);
    out->feature = feature;
}

/* Keeps out[0 .. n) ascending, with features that differ. */
static void insert_piece(overlap_piece *out, uint32_t n, const overlap_piece *piece)
{
    uint32_t at = n;
    for (; at > 0 && out[at - 1].feature > piece->feature; at--)
        out[at] = out[at - 1];
    out[at] = *piece;
}

void dfr_find_off(dfr_walk *k, const overlap_pose *pose, overlap_piece *piece)
{
    eccentricity_sums border = {.plain = pose->plain};
    if (pose->plain || k->is_full || k->is_inside || k->n_arcs == 0 || !sort_ends(k))
        return;
    for (uint32_t arc = 0; arc < k->n_arcs; arc++) {
        const uint32_t end = find_end(k, arc);
        const uint32_t next = k->ends[(end + 1) % (2 * k->n_arcs)].arc;
        add_arc(k, pose, &border, &k->arcs[arc], end, &k->arcs[next].from);
    }
    piece->off = off_from(k, &border, piece);
}

uint32_t dfr_find_pieces(dfr_walk *k, const overlap_pose *pose, overlap_piece *out, uint32_t room)
{
    const double near = 1e-10 * k->a->area;
    uint32_t n = 0;
    double sum = 0.0;
    if (k->is_full || !sort_ends(k))
        return 0;
    for (uint32_t i = 0; i < k->n_arcs; i++) {
        overlap_piece piece;
        if (k->arcs[i].piece)
            continue;
        take_piece(k, i, pose, &piece);
        if (!(piece.area > -near))
            return 0;
        sum += piece.area;
        if (!(piece.area > 0.0))
            continue;
        if (n < room)
            insert_piece(out, n, &piece);
        n++;
    }
    if (!(fabs(sum - k->area) <= near))
        return 0;
    for (uint32_t i = 1; i < n && i < room; i++)
        if (out[i].feature <= out[i - 1].feature)
            out[i].feature = out[i - 1].feature + 1;
    return n;
}
