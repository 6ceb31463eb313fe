// SPDX-License-Identifier: Apache-2.0
// Contacts of outlines with open walls: lines of facets that enclose nothing, with two sides.
/*
 * Idea     overlap A line cuts the body in two. Two rays leave the ends of the line at right
 *                     angles. On each side the overlap is the part of the body between these rays:
 *                     a solid behind the facets, as wide as they are. The body is on the side with
 *                     its larger part, and overlaps the other side.
 *
 *                          +-------------+
 *                          |    body     |
 *                   o------|------o      |     o: ends of the wall
 *                   :      +######:------+     #: overlap
 *                   ray           ray
 *
 *                     This solid stays where the wall is, so that d(area) = chord n·dx holds, past
 *                     an end too; and the smaller of two areas has no jump where they are equal. At
 *                     a bend the line goes on: the contact is the connected piece, as of a closed wall,
 *                     also where the bend has gone through the body and both its sides cross the body.
 *                     Past an end the chord has a part along the ray: it pushes the body off the end.
 *          distance   wall_gaps.c
 * Steps    1. bars of the wall that the candidates name (wall.h), those that the body meets
 *          2. runs: bars that continue each other inside of the body; the line from its first run to its
 *             last one
 *          3. both sides of that line, by general.c; the side with less counts. Turns of a spiral have no
 *             side in common: each run by itself
 * Order    A run depends on what the body meets, so that more candidates change nothing.
 * Cost     vertices of the body times bars in reach, and those between two runs.
 * Limits   At its end a line should not bend back within the size of a body: the ray would cross it. The
 *          ray of an end that enters a body which the line crosses elsewhere cuts off what is past the end.
 *          Where more than two facets meet, or walls of two bodies, the lines end: a body that slides
 *          over such a place has a contact with each, and sinks in deeper there.
 */
#include "walls.h"

enum { LEAST_TOUCHES = 16 };

placed wall_segment_of(const wall_work *k, uint32_t bar, wall_segment *out)
{
    const wall_bar *at = &k->w->bars[bar];
    placed p = line_of(k, at->line);
    const point tail = p.of->vertex[at->edge], head = p.of->vertex[at->edge + 1];
    const point u = from_to(tail, head);
    const double length = sqrt(dot2(u, u));
    out->vertex[0] = tail;
    out->vertex[1] = head;
    out->normal[0] = point_of(u.y / length, -u.x / length);
    out->normal[1] = point_of(-out->normal[0].x, -out->normal[0].y);
    out->of = (outline){.n = 2, .vertex = out->vertex, .normal = out->normal};
    p.of = &out->of;
    return p;
}

int wall_meets(const placed *body, const placed *line, uint32_t edge)
{
    const point tail = vertex_at(line, edge), head = vertex_at(line, edge + 1);
    const double far = body->of->radius * body->scale * (1.0 + 1e-12);
    const point at = body->at;
    if (scree_min(tail.x, head.x) > at.x + far || scree_max(tail.x, head.x) < at.x - far ||
        scree_min(tail.y, head.y) > at.y + far || scree_max(tail.y, head.y) < at.y - far)
        return 0;
    for (uint32_t i = 0; i < body->of->n; i++)
        if (edges_cross(body, i, line, edge))
            return 1;
    return outline_holds(body, tail);
}

/* ---- runs ---- */

/* Edges `first` to first + n - 1 of a line; past the last vertex it continues with the first. */
typedef struct run {
    uint32_t line, first, n;
    uint32_t base;        /* number of the line's first bar */
    int32_t begins, ends; /* 1: at an end of the line */
} run;

static uint32_t vertex_of(const outline *line, uint32_t k)
{
    return k < line->n ? k : k - (line->n - 1);
}

/* The run that begins with a bar; n = 0: it continues the previous bar. */
static run run_from(const wall_work *k, uint32_t bar)
{
    const wall_bar *at = &k->w->bars[bar];
    const placed line = line_of(k, at->line);
    const uint32_t edges = edges_of(line.of);
    const int around = k->w->around[at->line];
    run r = {.line = at->line, .first = at->edge, .base = bar - at->edge};
    r.begins = at->edge == 0 && !around;
    if (!r.begins && outline_holds(&k->body, vertex_at(&line, at->edge)))
        return r;
    for (r.n = 1; r.n < edges; r.n++) {
        const uint32_t end = vertex_of(line.of, r.first + r.n);
        if ((!around && end + 1 == line.of->n) || !outline_holds(&k->body, vertex_at(&line, end)))
            break;
    }
    r.ends = !around && r.first + r.n == edges;
    return r;
}

/* ---- sides ---- */

/* A ray from p, left of the way from `from` to `to`. */
static point ray_from(point p, point from, point to, double length)
{
    const point u = from_to(from, to);
    return moved(p, length / sqrt(dot2(u, u)), point_of(-u.y, u.x));
}

/* The line of a run in the wall's axes, with its rays. Side 0, behind the normals, is to the left
 * of the line; for side 1 the line runs from its end to its start. */
static outline side_of_run(const wall_work *k, const run *r, int side)
{
    const outline *line = &k->w->lines[r->line];
    const double scale = k->in->bodies->scale[k->in->b[k->number]];
    const double length = 4.0 * k->body.of->radius * k->body.scale / scale;
    const int rays[2] = {side ? r->ends : r->begins, side ? r->begins : r->ends};
    outline o = {.vertex = k->line, .radius = line->radius, .kind = OUTLINE_LINE};
    point *v = k->line + rays[0];
    for (uint32_t i = 0; i <= r->n; i++)
        v[i] = line->vertex[vertex_of(line, r->first + (side ? r->n - i : i))];
    o.n = r->n + 1;
    if (rays[0]) {
        k->line[0] = ray_from(v[0], v[0], v[1], length);
        o.kind |= OUTLINE_RAY_FIRST;
        o.n++;
    }
    if (rays[1]) {
        v[r->n + 1] = ray_from(v[r->n], v[r->n - 1], v[r->n], length);
        o.kind |= OUTLINE_RAY_LAST;
        o.n++;
    }
    return o;
}

/* The lasting name of a piece: the edge of the body, the vertex 2 k or bar 2 k + 1 of the wall, the
 * side. */
static uint64_t name_of(const wall_work *k, const run *r, int side, uint64_t feature)
{
    const int64_t ray = side ? r->ends : r->begins, n = r->n;
    const int64_t edge = (int64_t)(feature & 0xffffffffu) - 1 - ray;
    const int64_t at = side ? n - 1 - edge : edge;
    const uint32_t edges = edges_of(&k->w->lines[r->line]);
    const int64_t on = at < 0 ? 0 : at < n ? at : n - 1;
    const uint64_t bar = r->base + (r->first + (uint64_t)on) % edges;
    const uint64_t place = 2 * bar + (at < 0 ? 0 : at < n ? 1 : 2);
    return (feature >> 32 << 32) | place << 1 | (uint64_t)side;
}

/* Adds the contacts of one side of a run; returns their area. */
static double add_side(wall_work *k, const run *r, int side, uint64_t *needs, int *tangled)
{
    const outline of = side_of_run(k, r, side);
    placed line = line_of(k, r->line);
    const point between = {k->in->d[0][k->number], k->in->d[1][k->number]};
    pieces found = {0};
    double area = 0.0;
    line.of = &of;
    *needs = overlap_all(&k->body, &line, k->rest, k->rest_bytes, &found);
    if (*needs == 0 && found.n > k->capacity - k->n)
        *needs = 2 * k->rest_bytes;
    for (uint32_t i = 0; *needs == 0 && i < found.n; i++) {
        touch t = touch_of_piece(&found.list[i], between);
        t.feature = name_of(k, r, side, t.feature);
        area += t.area;
        k->list[k->n++] = t;
    }
    *tangled |= found.tangled;
    return area;
}

/* Adds the contacts of the side of a run with less area. */
static uint64_t add_run(wall_work *k, const run *r, int *tangled)
{
    uint64_t needs;
    const uint32_t first = k->n;
    const double behind = add_side(k, r, 0, &needs, tangled);
    const uint32_t second = k->n;
    const double before = needs == 0 ? add_side(k, r, 1, &needs, tangled) : 0.0;
    if (needs == 0 && before < behind) {
        memmove(k->list + first, k->list + second, (k->n - second) * sizeof *k->list);
        k->n -= second - first;
    } else if (needs == 0) {
        k->n = second;
    }
    return needs;
}

/* Finds the run that begins with number i of the bars; 0: none does. */
static int find_run(const wall_work *k, uint32_t i, run *out)
{
    const wall_bar *at = &k->w->bars[k->bars[i]];
    const placed line = line_of(k, at->line);
    if (!wall_meets(&k->body, &line, at->edge))
        return 0;
    *out = run_from(k, k->bars[i]);
    return out->n > 0;
}

/* Adds the contacts with a line, whose bars have the numbers from to to - 1. */
static uint64_t add_line(wall_work *k, uint32_t from, uint32_t to)
{
    const uint32_t first = k->n;
    uint32_t n = 0;
    int tangled = 0;
    run all, one;
    for (uint32_t i = from; i < to; i++) {
        if (!find_run(k, i, &one))
            continue;
        if (n++ == 0)
            all = one;
        all.n = one.first + one.n - all.first;
        all.ends = one.ends;
    }
    uint64_t needs = n > 0 ? add_run(k, &all, &tangled) : 0;
    if (needs > 0 || n < 2 || !tangled)
        return needs;
    k->n = first; // the line turns around the body: each run by itself
    for (uint32_t i = from; i < to && needs == 0; i++)
        if (find_run(k, i, &one))
            needs = add_run(k, &one, &tangled);
    return needs;
}

uint64_t wall_overlaps(wall_work *k)
{
    uint64_t needs = 0;
    for (uint32_t i = 0, end; i < k->n_bars && needs == 0; i = end) {
        const uint32_t line = k->w->bars[k->bars[i]].line;
        for (end = i + 1; end < k->n_bars && k->w->bars[k->bars[end]].line == line;)
            end++;
        needs = add_line(k, i, end);
    }
    return needs;
}

/* ---- pairs ---- */

/* The bars of the pair's candidates, each once. */
static void gather_bars(wall_work *k, uint32_t from, uint32_t to)
{
    const scree_candidates *in = k->in;
    for (uint32_t c = from; c < to; c++) {
        const uint32_t bar = k->w->bar_of[in->part_b ? in->part_b[c] : 0];
        uint32_t at = k->n_bars;
        while (at > 0 && k->bars[at - 1] > bar)
            at--;
        if (at > 0 && k->bars[at - 1] == bar)
            continue;
        memmove(k->bars + at + 1, k->bars + at, (k->n_bars - at) * sizeof *k->bars);
        k->bars[at] = bar;
        k->n_bars++;
    }
}

static void sort_touches(wall_work *k)
{
    for (uint32_t i = 1; i < k->n; i++) {
        const touch t = k->list[i];
        uint32_t at = i;
        for (; at > 0 && k->list[at - 1].feature > t.feature; at--)
            k->list[at] = k->list[at - 1];
        k->list[at] = t;
    }
}

/* Bytes used before `rest` for these candidates. */
static uint64_t lay_out(wall_work *k, const memory *m, uint32_t n_candidates)
{
    uint64_t vertices = 0;
    for (uint32_t l = 0; l < k->w->n_lines; l++)
        vertices = k->w->lines[l].n > vertices ? k->w->lines[l].n : vertices;
    const uint64_t parts = k->body.of->convex ? 1 : k->body.of->n_parts;
    const uint64_t touches = LEAST_TOUCHES + MOST_ENDS * parts * n_candidates + m->bytes / 4096;
    k->list = m->at;
    k->line = (point *)(void *)(k->list + touches);
    k->bars = (uint32_t *)(void *)(k->line + vertices + 2);
    const uint64_t ends = touches * sizeof *k->list + (vertices + 2) * sizeof *k->line +
                          (n_candidates + 2ull) / 2 * 2 * sizeof *k->bars;
    k->capacity = (uint32_t)touches;
    k->rest = m->bytes > ends ? (char *)m->at + ends : NULL;
    k->rest_bytes = m->bytes > ends ? m->bytes - ends : 0;
    k->n = k->n_bars = 0;
    return ends;
}

int32_t resolve_wall(const resolver *self, const scree_candidates *in, uint32_t p, const wall *w,
                     int plain, memory *m, touch **list, uint32_t *n)
{
    const uint32_t from = in->first ? in->first[p] : p, to = in->first ? in->first[p + 1] : p + 1;
    const outline *body = outline_of(self, in->bodies, in->a[p]);
    if (!body)
        return SCREE_E_INTERNAL;
    wall_work k = {.in = in, .w = w, .number = p};
    k.body = outline_place(body, in->bodies, in->a[p], point_of(0.0, 0.0), 0);
    k.body.plain = plain;
    for (uint64_t needs = 1; needs > 0;) {
        const uint64_t before = lay_out(&k, m, to - from);
        const int32_t status =
            get_memory(self, in, before + needs > m->bytes ? 2 * (before + needs) : 0, m);
        if (status != SCREE_OK)
            return status;
        lay_out(&k, m, to - from);
        gather_bars(&k, from, to);
        needs = 0;
        if (self->geometry == GEOMETRY_OVERLAP)
            needs = wall_overlaps(&k);
        else
            wall_penetrations(&k);
    }
    if (k.n == 0 &&
        (in->range > 0.0 || self->geometry == GEOMETRY_DISTANCE || (in->keep && in->keep[p])))
        wall_gap(&k, self->geometry == GEOMETRY_DISTANCE);
    sort_touches(&k);
    *list = k.list;
    *n = k.n;
    return SCREE_OK;
}
