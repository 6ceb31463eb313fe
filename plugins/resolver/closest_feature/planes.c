// SPDX-License-Identifier: Apache-2.0
// Contacts of outlines with planes, which are solid behind their normal.
/*
 * Idea     overlap    the outline is cut by the line; along it the solid inside the outline comes in
 *                     stretches, which are the chords. Pieces: as in general.c
 *          distance   every vertex that is behind it, by its own name
 * Cost     n products; nothing is tracked.
 */
#include "resolver.h"

typedef struct cut {
    double along;  /* [m] on the line, solid to its left */
    uint32_t edge; /* edge that crosses the line */
    uint32_t used;
    int32_t goes_in, reserved; /* 1: the outline goes into the solid */
} cut;

typedef struct work {
    placed body;
    point normal, line, on; /* [-] normal out of the solid; [-] direction of the line; [m] a point
                             * on it */
    double *height;         /* [n] [m] heights of the vertices */
    cut *cuts;              /* [n + 1] */
    uint32_t n_cuts;
    int32_t geometry;
} work;

static point cut_at(const work *w, uint32_t e)
{
    const uint32_t f = after(&w->body, e);
    const point tail = vertex_at(&w->body, e), u = from_to(tail, vertex_at(&w->body, f));
    return moved(tail, w->height[e] / (w->height[e] - w->height[f]), u);
}

/* The cuts, ascending along the line. */
static void find_cuts(work *w)
{
    w->n_cuts = 0;
    for (uint32_t e = 0; e < w->body.of->n; e++) {
        const int in = w->height[e] < 0.0, next = w->height[after(&w->body, e)] < 0.0;
        if (in == next)
            continue;
        const double along = dot2(w->line, from_to(w->on, cut_at(w, e)));
        uint32_t at = w->n_cuts++;
        for (; at > 0 && w->cuts[at - 1].along > along; at--)
            w->cuts[at] = w->cuts[at - 1];
        w->cuts[at] = (cut){.along = along, .edge = e, .goes_in = next};
    }
}

/* The next cut around the outline after number k: there the outline comes out again. */
static uint32_t next_out(const work *w, uint32_t k)
{
    uint32_t best = SCREE_NONE, steps = SCREE_NONE;
    for (uint32_t l = 0; l < w->n_cuts; l++) {
        const uint32_t n = w->body.of->n;
        const uint32_t far = (w->cuts[l].edge + n - w->cuts[k].edge) % n;
        if (w->cuts[l].goes_in || far >= steps)
            continue;
        steps = far;
        best = l;
    }
    return best;
}

/* The nearest cut above or below number k along the line where the outline goes in. */
static uint32_t partner(const work *w, uint32_t k)
{
    for (uint32_t l = k + 1; l < w->n_cuts; l++)
        if (w->cuts[l].goes_in)
            return l;
    for (uint32_t l = k; l-- > 0;)
        if (w->cuts[l].goes_in)
            return l;
    return k;
}

typedef struct lowest {
    double height;
    uint32_t first, last; /* vertices */
} lowest;

static void try_vertex(const work *w, uint32_t v, lowest *low)
{
    if (w->height[v] < low->height)
        *low = (lowest){w->height[v], v, v};
    else if (w->height[v] == low->height && w->height[v] < (double)INFINITY)
        low->last = v;
}

static touch touch_of_lowest(const work *w, const lowest *low)
{
    const point p = vertex_at(&w->body, low->first), q = vertex_at(&w->body, low->last);
    const point v = moved(p, 0.5, from_to(p, q));
    return (touch){.normal = {-w->normal.x, -w->normal.y},
                   .at = moved(v, -0.5 * low->height, w->normal),
                   .depth = -low->height};
}

static touch touch_of_vertex(const work *w, uint32_t v)
{
    return (touch){.normal = {-w->normal.x, -w->normal.y},
                   .at = moved(vertex_at(&w->body, v), -0.5 * w->height[v], w->normal),
                   .depth = -w->height[v],
                   .feature = ENDS_BASE(0) | (uint64_t)v << 1};
}

static void add_end(eccentricity_sums *sums, const work *w, const cut *c, point at)
{
    const point u =
        from_to(vertex_at(&w->body, c->edge), vertex_at(&w->body, after(&w->body, c->edge)));
    eccentricity_add_end(sums, c->goes_in ? -1.0 : 1.0, (double[2]){at.x, at.y},
                         (double[2]){w->line.x, w->line.y}, (double[2]){u.x, u.y});
}

static void add_side(eccentricity_sums *sums, int of_body, point p, point q)
{
    eccentricity_add_side(sums, of_body, (double[2]){p.x, p.y}, (double[2]){q.x, q.y});
}

/* Follows the piece that begins at cut k, where the outline goes in. */
static touch follow(work *w, uint32_t k)
{
    const point origin = cut_at(w, w->cuts[k].edge);
    lowest low = {.height = (double)INFINITY};
    point last = {0, 0}, weighed = {0, 0};
    double area2 = 0.0, chord = 0.0;
    uint64_t name = ~0ull;
    eccentricity_sums sums = {.plain = w->body.plain};
    for (uint32_t at = k; !w->cuts[at].used;) {
        const uint32_t out = next_out(w, at), in = partner(w, out);
        w->cuts[at].used = 1;
        add_end(&sums, w, &w->cuts[at], last);
        name = w->cuts[at].edge < name ? w->cuts[at].edge : name;
        for (uint32_t v = w->cuts[at].edge; v != w->cuts[out].edge;) {
            v = after(&w->body, v);
            const point p = from_to(origin, vertex_at(&w->body, v));
            area2 += cross2(last, p);
            add_side(&sums, 1, last, p);
            last = p;
            try_vertex(w, v, &low);
        }
        const point from = from_to(origin, cut_at(w, w->cuts[out].edge));
        const point to = from_to(origin, cut_at(w, w->cuts[in].edge));
        const double length = fabs(w->cuts[in].along - w->cuts[out].along);
        area2 += cross2(last, from) + cross2(from, to);
        add_side(&sums, 1, last, from);
        add_end(&sums, w, &w->cuts[out], from);
        add_side(&sums, 0, from, to);
        weighed = moved(weighed, 0.5 * length, moved(from, 1.0, to));
        chord += length;
        last = to;
        at = in;
    }
    touch t = touch_of_lowest(w, &low);
    t.feature = w->body.of->convex ? 0 : (name + 1) << 32 | 1;
    t.area = scree_max(0.5 * area2, 0.0);
    t.chord = chord;
    t.depth = t.area < chord * t.depth ? t.area / chord : t.depth;
    t.at = moved(origin, chord > 0.0 ? 1.0 / chord : 0.0, weighed);
    const point middle = from_to(origin, t.at);
    t.off = eccentricity_of(&sums, (double[2]){middle.x, middle.y});
    return t;
}

/* Touch of a body that is wholly behind or before the plane. */
static touch touch_of_whole(const work *w)
{
    lowest low = {.height = (double)INFINITY};
    for (uint32_t v = 0; v < w->body.of->n; v++)
        try_vertex(w, v, &low);
    touch t = touch_of_lowest(w, &low);
    if (low.height < 0.0) {
        t.area = w->body.scale * w->body.scale * w->body.of->area;
        t.at = w->body.at;
    }
    return t;
}

/* Writes the vertices that count by distance; a kept pair has at least the lowest one. */
static uint32_t touch_vertices(const scree_candidates *in, uint32_t p, const work *w, touch *list)
{
    uint32_t n = 0, low = 0;
    for (uint32_t v = 0; v < w->body.of->n; v++) {
        low = w->height[v] < w->height[low] ? v : low;
        if (-w->height[v] >= -in->range)
            list[n++] = touch_of_vertex(w, v);
    }
    if (n == 0 && counts(in, p, -w->height[low]))
        list[n++] = touch_of_vertex(w, low);
    return n;
}

/* Writes up to `most` contacts of pair p; returns their number. */
static uint32_t touches_of(const resolver *self, const scree_candidates *in, uint32_t p, work *w,
                           touch *list)
{
    const scree_bodies *bodies = in->bodies;
    const uint32_t n_vertices = w->body.of->n, plane = in->b[p];
    double q[4], normal[3];
    for (int k = 0; k < 4; k++)
        q[k] = bodies->q[k][plane];
    scree_rotate(q, bodies->shapes[bodies->shape[plane]]->normal, normal);
    w->normal = point_of(normal[0], normal[1]);
    w->line = point_of(-normal[1], normal[0]);
    w->on = point_of(in->d[0][p], in->d[1][p]);
    w->geometry = self->geometry;
    const double level = dot2(w->normal, w->on);
    if (-level - in->radius_a[p] > in->range && !(in->keep && in->keep[p]))
        return 0;
    for (uint32_t k = 0; k < n_vertices; k++)
        w->height[k] = dot2(w->normal, vertex_at(&w->body, k)) - level;
    if (w->geometry == GEOMETRY_DISTANCE)
        return touch_vertices(in, p, w, list);
    find_cuts(w);
    if (w->n_cuts == 0) {
        list[0] = touch_of_whole(w);
        return (uint32_t)counts(in, p, list[0].depth);
    }
    uint32_t n = 0;
    for (uint32_t k = 0; k < w->n_cuts; k++) {
        if (!w->cuts[k].goes_in || w->cuts[k].used)
            continue;
        const touch t = follow(w, k);
        uint32_t at = n++;
        for (; at > 0 && list[at - 1].feature > t.feature; at--)
            list[at] = list[at - 1];
        list[at] = t;
    }
    return n;
}

int32_t resolve_planes(const resolver *self, const scree_candidates *in, scree_contacts *out,
                       uint32_t *done)
{
    uint64_t most = 0;
    out->n = 0;
    *done = 0;
    for (uint32_t p = 0; p < in->n; p++) {
        const outline *o = outline_of(self, in->bodies, in->a[p]);
        if (!o)
            return SCREE_E_INTERNAL;
        most = o->n > most ? o->n : most;
    }
    work w = {0};
    touch *list = self->host->scratch(self->host->ctx, in->lane,
                                      (most + 1) * (sizeof(touch) + sizeof(cut) + sizeof(double)));
    if (!list)
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a plane");
    w.height = (double *)(void *)(list + most + 1);
    w.cuts = (cut *)(void *)(w.height + most + 1);
    for (uint32_t p = 0; p < in->n; p++) {
        w.body = outline_place(outline_of(self, in->bodies, in->a[p]), in->bodies, in->a[p],
                               point_of(0.0, 0.0), 0);
        w.body.plain = !out->eccentricity;
        const uint32_t n = touches_of(self, in, p, &w, list);
        if (n > out->capacity - out->n) {
            out->n = *done > 0 ? out->n : n;
            return SCREE_OK;
        }
        for (uint32_t k = 0; k < n; k++)
            put_touch(in, out, p, &list[k], point_of(0.0, 0.0));
        *done = p + 1;
    }
    return SCREE_OK;
}
