// SPDX-License-Identifier: Apache-2.0
// All pieces in which any two outlines overlap, by a walk along all their crossings.
/*
 * Idea     Crossings along an outline lead into and out of the other in turn. A piece starts at a
 *          crossing where a goes into b. It follows a to the next crossing along a, then b to the
 *          next along b, and so on until it returns. Pieces have no holes, because the outlines
 *          have none.
 * Steps    1. edges of each whose box meets the box of the other outline
 *          2. of those, pairs whose boxes meet and which cross (outline.h: exact, never a tie)
 *          3. sorted along a and along b. Places on one edge are rounded, so neighbours that come
 *             in the wrong order are exchanged: the directions of crossings must alternate
 *          4. pieces, each from its lowest crossing where a goes into b, which names it
 *          b may be a line (OUTLINE_LINE) whose ends are outside of a: the overlap is the part of a
 *          to the left of the line. A piece that meets only the rays of b is left out.
 * Cost     the product of the numbers of edges that step 1 leaves; nothing is tracked.
 */
#include "overlap.h"

enum { LEAST_ROOM = 64 }; /* crossings */

typedef struct box {
    point low, high;
} box;

typedef struct room {
    uint32_t *edges[2];
    crossing *crossings;
    crossing *cycle;
    uint32_t *order[2]; /* crossings along a, and along b */
    piece *list;
    uint64_t capacity; /* room for crossings */
} room;

static box box_of(point p, point q)
{
    return (box){{scree_min(p.x, q.x), scree_min(p.y, q.y)},
                 {scree_max(p.x, q.x), scree_max(p.y, q.y)}};
}

static int boxes_meet(box p, box q)
{
    return p.low.x <= q.high.x && q.low.x <= p.high.x && p.low.y <= q.high.y && q.low.y <= p.high.y;
}

static box edge_box(const placed *p, uint32_t e)
{
    return box_of(vertex_at(p, e), vertex_at(p, after(p, e)));
}

static box outline_box(const placed *p)
{
    box all = edge_box(p, 0);
    for (uint32_t k = 1; k < p->of->n; k++) {
        const point v = vertex_at(p, k);
        all.low = point_of(scree_min(all.low.x, v.x), scree_min(all.low.y, v.y));
        all.high = point_of(scree_max(all.high.x, v.x), scree_max(all.high.y, v.y));
    }
    return all;
}

static uint32_t edges_in(const placed *p, box of_other, uint32_t *out)
{
    uint32_t n = 0;
    for (uint32_t e = 0; e < edges_of(p->of); e++) {
        out[n] = e;
        n += boxes_meet(edge_box(p, e), of_other);
    }
    return n;
}

/* Steps 1 and 2: returns the number of crossings and writes those that fit. */
static uint64_t find_all(const placed *a, const placed *b, const room *r)
{
    const box of_a = outline_box(a), of_b = outline_box(b);
    uint64_t n = 0;
    if (!boxes_meet(of_a, of_b))
        return 0;
    const uint32_t n_a = edges_in(a, of_b, r->edges[0]), n_b = edges_in(b, of_a, r->edges[1]);
    for (uint32_t k = 0; k < n_a; k++) {
        const uint32_t i = r->edges[0][k];
        const box at = edge_box(a, i);
        for (uint32_t l = 0; l < n_b; l++) {
            const uint32_t j = r->edges[1][l];
            if (!boxes_meet(at, edge_box(b, j)) || !edges_cross(a, i, b, j))
                continue;
            if (n < r->capacity) {
                crossing *c = &r->crossings[n];
                *c = (crossing){.edge = {i, j}};
                c->in = side_of(b, j, after(b, j), vertex_at(a, after(a, i))) > 0 ? 0 : 1;
                crossing_at(a, i, b, j, c->t);
            }
            n++;
        }
    }
    return n;
}

static int comes_before(const crossing *list, uint32_t x, uint32_t y, int side)
{
    const crossing *p = &list[x], *q = &list[y];
    if (p->edge[side] != q->edge[side])
        return p->edge[side] < q->edge[side];
    if (p->t[side] != q->t[side])
        return p->t[side] < q->t[side];
    return p->edge[1 - side] < q->edge[1 - side];
}

/* Step 3: sorts with Shell's gaps, because the numbers are small. */
static void sort_along(const crossing *list, uint32_t n, int side, uint32_t *order)
{
    uint32_t step = 1;
    for (uint32_t k = 0; k < n; k++)
        order[k] = k;
    while (step < n / 3)
        step = 3 * step + 1;
    for (; step > 0; step /= 3)
        for (uint32_t k = step; k < n; k++) {
            const uint32_t one = order[k];
            uint32_t at = k;
            for (; at >= step && comes_before(list, one, order[at - step], side); at -= step)
                order[at] = order[at - step];
            order[at] = one;
        }
    // The directions of crossings must alternate. If two in sequence have the same direction, the
    // next crossing of the other direction on that edge is put between them.
    for (uint32_t k = 1; k + 1 < n; k++) {
        uint32_t l = k;
        while (l < n && list[order[l]].in == list[order[k - 1]].in &&
               list[order[l]].edge[side] == list[order[k]].edge[side])
            l++;
        if (l == k || l == n || list[order[l]].edge[side] != list[order[k]].edge[side])
            continue;
        const uint32_t one = order[l];
        memmove(order + k + 1, order + k, (l - k) * sizeof *order);
        order[k] = one;
    }
}

/* For each crossing sets the next one along the outline that goes in there, and the vertices up to
 * it. */
static void link_crossings(const placed *p, crossing *list, uint32_t n, int side,
                           const uint32_t *order)
{
    for (uint32_t k = 0; k < n; k++) {
        crossing *from = &list[order[k]];
        const uint32_t next = order[k + 1 < n ? k + 1 : 0];
        const uint32_t here = from->edge[side], there = list[next].edge[side];
        if (from->in != side)
            continue;
        from->next = next;
        from->steps = there >= here ? there - here : there + p->of->n - here;
        if (k + 1 == n && there == here && n > 1)
            from->steps = p->of->n; // all the way around
    }
}

/* Do all crossings along an outline lead in and out in turn? They do not for the turns of a spiral. */
static int alternates(const crossing *list, uint32_t n, const uint32_t *order)
{
    int good = n % 2 == 0;
    for (uint32_t k = 1; k < n; k++)
        good = good && list[order[k]].in != list[order[k - 1]].in;
    return good;
}

static uint64_t name_of(const crossing *c)
{
    return ((uint64_t)c->edge[0] + 1) << 32 | ((uint64_t)c->edge[1] + 1);
}

static void insert_piece(pieces *out, piece one)
{
    uint32_t at = out->n++;
    for (; at > 0 && out->list[at - 1].feature > one.feature; at--)
        out->list[at] = out->list[at - 1];
    out->list[at] = one;
}

/* Does the border of a piece have a part of b that is not a ray? */
static int meets_line(const placed *b, const crossing *cycle, uint32_t n)
{
    const uint32_t kind = b->of->kind, last = b->of->n - 2;
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t e = cycle[k].edge[1];
        const int on_ray =
            (e == 0 && kind & OUTLINE_RAY_FIRST) || (e == last && kind & OUTLINE_RAY_LAST);
        if (cycle[k].in && !(on_ray && cycle[k].steps == 0))
            return 1;
    }
    return 0;
}

/* Step 4. A used crossing has the steps SCREE_NONE. */
static void gather_pieces(const placed *a, const placed *b, const room *r, uint32_t n, pieces *out)
{
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t start = r->order[0][k];
        uint32_t length = 0, at = start, low = 0;
        if (r->crossings[start].in || r->crossings[start].steps == SCREE_NONE)
            continue;
        do {
            crossing *c = &r->crossings[at];
            r->cycle[length] = *c;
            if (!c->in && name_of(c) < name_of(&r->cycle[low]))
                low = length;
            length++;
            c->steps = SCREE_NONE;
            at = c->next;
        } while (r->crossings[at].steps != SCREE_NONE && length < n);
        if (low > 0) {
            memcpy(r->cycle + length, r->cycle, low * sizeof *r->cycle);
            memmove(r->cycle, r->cycle + low, length * sizeof *r->cycle);
        }
        if (b->of->kind & OUTLINE_LINE && !meets_line(b, r->cycle, length))
            continue;
        piece one = piece_of(a, b, r->cycle, length);
        one.feature = name_of(&r->cycle[0]);
        insert_piece(out, one);
    }
}

/* One outline is inside of the other: this gives no force. */
static void find_inside(const placed *a, const placed *b, pieces *out)
{
    const placed *in = NULL;
    if (outline_holds(b, vertex_at(a, 0)))
        in = a;
    else if (outline_holds(a, vertex_at(b, 0)))
        in = b;
    if (!in)
        return;
    out->list[0] = (piece){.area = in->scale * in->scale * in->of->area,
                           .middle = in->at,
                           .across = 2.0 * in->scale * in->of->radius};
    out->n = 1;
}

static uint64_t bytes_for(const placed *a, const placed *b, uint64_t capacity)
{
    const uint64_t n = a->of->n + b->of->n + 2ull;
    return 3 * capacity * sizeof(crossing) + (capacity / 2 + 1) * sizeof(piece) +
           (2 * capacity + n) * sizeof(uint32_t);
}

static room lay_out(const placed *a, void *memory, uint64_t capacity)
{
    room r = {.capacity = capacity, .crossings = memory};
    r.cycle = r.crossings + capacity;
    r.list = (piece *)(void *)(r.cycle + 2 * capacity);
    r.order[0] = (uint32_t *)(void *)(r.list + capacity / 2 + 1);
    r.order[1] = r.order[0] + capacity;
    r.edges[0] = r.order[1] + capacity;
    r.edges[1] = r.edges[0] + a->of->n + 1;
    return r;
}

uint64_t overlap_all(const placed *a, const placed *b, void *memory, uint64_t bytes, pieces *out)
{
    uint64_t capacity = LEAST_ROOM, n;
    if (bytes_for(a, b, capacity) > bytes)
        return bytes_for(a, b, capacity);
    while (bytes_for(a, b, 2 * capacity) <= bytes)
        capacity *= 2;
    room r = lay_out(a, memory, capacity);
    n = find_all(a, b, &r);
    if (n > capacity)
        return bytes_for(a, b, 2 * n);
    *out = (pieces){.list = r.list};
    if (n == 0) {
        if (!(b->of->kind & OUTLINE_LINE))
            find_inside(a, b, out);
        return 0;
    }
    for (int side = 0; side < 2; side++) {
        sort_along(r.crossings, (uint32_t)n, side, r.order[side]);
        link_crossings(side ? b : a, r.crossings, (uint32_t)n, side, r.order[side]);
    }
    out->tangled = !alternates(r.crossings, (uint32_t)n, r.order[0]);
    gather_pieces(a, b, &r, (uint32_t)n, out);
    return 0;
}
