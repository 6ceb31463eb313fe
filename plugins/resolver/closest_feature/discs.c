// SPDX-License-Identifier: Apache-2.0
// Contacts of discs with outlines.
/*
 * Idea     overlap pieces have arcs of the outline and of the circle in turn. The area is that of
 *                     the polygon of crossings and vertices, and the caps of the circle; the chords
 *                     are those of the arcs of the outline
 *          distance   centre outside: the nearest point of each edge, and vertex between two edges,
 *                     from which the outline goes away to both sides. Centre inside: the nearest
 *                     point of all, and beyond it the radius
 *          All places count from the centre of the disc.
 * Cost     n; nothing is tracked.
 */
#include "../../plane.h"
#include "resolver.h"

#define PI 3.14159265358979323846

/* A crossing of the outline and the circle. */
typedef struct cut {
    point at;      /* [m] */
    uint32_t edge; /* edge that crosses the circle */
    int32_t in;    /* 1: the outline goes into the disc */
    int32_t used, reserved;
} cut;

typedef struct work {
    placed body;
    double radius;
    cut *cuts;       /* [2 n + 1] around the outline */
    uint32_t *round; /* [2 n + 1] numbers of the cuts, counterclockwise around the circle */
    touch *list;     /* [2 n + 1] */
    uint32_t n_cuts, n;
} work;

/* Area of the part of a disc of radius r beyond a line, `height` deep, by Gauss and Legendre as in
 * the resolver `sphere`: kernels call no arc cosine. */
static double cap_area(double r, double height)
{
    static const double node[8] = {0.0950125098376374, 0.2816035507792589, 0.4580167776572274,
                                   0.6178762444026438, 0.7554044083550030, 0.8656312023878318,
                                   0.9445750230732326, 0.9894009349916499};
    static const double weight[8] = {0.1894506104550685, 0.1826034150449236, 0.1691565193950025,
                                     0.1495959888165767, 0.1246289712555339, 0.0951585116824928,
                                     0.0622535239386479, 0.0271524594117541};
    const double disc = PI * r * r, low = height > r ? 2.0 * r - height : height;
    double sum = 0.0;
    if (low <= 0.0)
        return height > r ? disc : 0.0;
    for (int k = 0; k < 8; k++) {
        const double square = node[k] * node[k];
        sum += weight[k] * square * sqrt(2.0 * r - low * square);
    }
    sum *= 4.0 * low * sqrt(low);
    return height > r ? disc - sum : sum;
}

/* ---- overlap ---- */

/* Puts x on the circle. */
static point on_circle(point x, double r)
{
    const double length = sqrt(dot2(x, x));
    return length > 0.0 ? point_of(x.x * (r / length), x.y * (r / length)) : point_of(r, 0.0);
}

static void find_cuts(work *w)
{
    const double r2 = w->radius * w->radius;
    point tail = vertex_at(&w->body, 0);
    int tail_in = dot2(tail, tail) < r2;
    w->n_cuts = 0;
    for (uint32_t e = 0; e < w->body.of->n; e++) {
        const point head = vertex_at(&w->body, after(&w->body, e)), u = from_to(tail, head);
        const int head_in = dot2(head, head) < r2;
        const double length2 = dot2(u, u), middle = -dot2(tail, u) / length2;
        const double off = cross2(tail, u), rest = r2 * length2 - off * off;
        const double half = sqrt(scree_max(rest, 0.0)) / length2;
        const int both = !tail_in && !head_in && rest > 0.0 && middle > 0.0 && middle < 1.0;
        if (both || (!tail_in && head_in))
            w->cuts[w->n_cuts++] = (cut){
                on_circle(moved(tail, scree_max(middle - half, 0.0), u), w->radius), e, 1, 0, 0};
        if (both || (tail_in && !head_in))
            w->cuts[w->n_cuts++] = (cut){
                on_circle(moved(tail, scree_min(middle + half, 1.0), u), w->radius), e, 0, 0, 0};
        tail = head;
        tail_in = head_in;
    }
}

static double turn_of(point x)
{
    return plane_heading(x.x, x.y);
}

static void sort_round(work *w)
{
    for (uint32_t k = 0; k < w->n_cuts; k++) {
        const double turn = turn_of(w->cuts[k].at);
        uint32_t at = k;
        for (; at > 0 && turn_of(w->cuts[w->round[at - 1]].at) > turn; at--)
            w->round[at] = w->round[at - 1];
        w->round[at] = k;
    }
}

/* The next cut around the circle, from number k on, where the outline goes in. */
static uint32_t next_in(const work *w, uint32_t k)
{
    uint32_t at = 0;
    while (w->round[at] != k)
        at++;
    for (uint32_t step = 1; step < w->n_cuts; step++) {
        const uint32_t next = w->round[(at + step) % w->n_cuts];
        if (w->cuts[next].in)
            return next;
    }
    return k;
}

/* The cap over an arc of the circle, counterclockwise. */
static double cap_over(const work *w, point from, point to)
{
    const point chord = from_to(from, to), sum = moved(from, 1.0, to);
    const double off = 0.5 * sqrt(dot2(sum, sum)), quarter = 0.25 * dot2(chord, chord);
    const double height = quarter / (w->radius + off);
    return cap_area(w->radius, cross2(from, to) >= 0.0 ? height : w->radius + off);
}

/* Adds an end of an arc of the disc, which moves. */
static void add_end(eccentricity_sums *sums, const work *w, const cut *c)
{
    const point e =
        from_to(vertex_at(&w->body, c->edge), vertex_at(&w->body, after(&w->body, c->edge)));
    eccentricity_add_end(sums, c->in ? 1.0 : -1.0, (double[2]){c->at.x, c->at.y},
                         (double[2]){e.x, e.y}, (double[2]){-c->at.y, c->at.x});
}

/* How the chord changes; a disc that turns changes nothing, so that no bed resists: its eccentricity counts as 0. */
static eccentricity chord_of(eccentricity_sums *sums, point middle)
{
    sums->area = 1.0; // any
    eccentricity off = eccentricity_of(sums, (double[2]){middle.x, middle.y});
    off.value = off.turn = off.slope[0] = off.slope[1] = 0.0;
    return off;
}

/* Follows the piece that begins at cut k, where the outline goes in. */
static piece follow(work *w, uint32_t k)
{
    const point origin = w->cuts[k].at;
    piece one = {.feature = ~0ull, .across = 2.0 * w->radius};
    chords all = {0};
    eccentricity_sums sums = {.plain = w->body.plain};
    point last = {0, 0};
    double area2 = 0.0, caps = 0.0;
    for (uint32_t at = k; !w->cuts[at].used;) {
        const uint32_t out = at + 1 < w->n_cuts ? at + 1 : 0, in = next_in(w, out);
        const point from = w->cuts[at].at, to = w->cuts[out].at;
        const uint32_t first = w->cuts[at].edge, end = w->cuts[out].edge;
        // Leaves by the edge by which it entered: at once, or around the circle from the last cut
        // to the first.
        int around = first == end && out < at;
        w->cuts[at].used = 1;
        one.feature = first < one.feature ? first : one.feature;
        for (uint32_t v = first; v != end || around; around = 0) {
            v = after(&w->body, v);
            const point p = from_to(origin, vertex_at(&w->body, v));
            area2 += cross2(last, p);
            last = p;
        }
        const point p = from_to(origin, to), q = from_to(origin, w->cuts[in].at);
        area2 += cross2(last, p) + cross2(p, q);
        last = q;
        caps += cap_over(w, to, w->cuts[in].at);
        add_end(&sums, w, &w->cuts[out]);
        add_end(&sums, w, &w->cuts[in]);
        add_chord(&all, to, from); // the chord of the disc's arc, which runs the other way
        at = in;
    }
    one.area = scree_max(0.5 * area2 + caps, 0.0);
    push_piece(&one, &all, (point){0.0, 0.0}, (point[2]){{0.0, 0.0}, w->body.at},
               (double[2]){w->radius, w->body.scale * w->body.of->radius});
    one.off = chord_of(&sums, one.middle);
    one.feature = w->body.of->convex ? 0 : one.feature + 1;
    return one;
}

static void insert_touch(work *w, touch t)
{
    uint32_t at = w->n++;
    for (; at > 0 && w->list[at - 1].feature > t.feature; at--)
        w->list[at] = w->list[at - 1];
    w->list[at] = t;
}

/* ---- distance ---- */

/* The nearest point of the outline; `inside`: the centre is inside the outline. */
static touch nearest_of_all(const work *w, int inside)
{
    double least = (double)INFINITY;
    touch t = {.normal = {1.0, 0.0}};
    for (uint32_t e = 0; e < w->body.of->n; e++) {
        const point tail = vertex_at(&w->body, e), n = normal_at(&w->body, e);
        const point u = from_to(tail, vertex_at(&w->body, after(&w->body, e)));
        const double s = -dot2(tail, u) / dot2(u, u), height = -dot2(n, tail);
        const int foot = s > 0.0 && s < 1.0;
        const point d =
            foot ? point_of(-height * n.x, -height * n.y) : moved(tail, s > 0.0 ? 1.0 : 0.0, u);
        const double distance = foot ? fabs(height) : sqrt(dot2(d, d)), sign = inside ? -1.0 : 1.0;
        if (!(distance < least))
            continue;
        least = distance;
        t.normal = foot || !(distance > 0.0)
                       ? point_of(-n.x, -n.y)
                       : point_of(sign * d.x / distance, sign * d.y / distance);
        t.depth = w->radius - sign * distance;
        t.feature = foot ? 2ull * e + 2 : 2ull * (s > 0.0 ? after(&w->body, e) : e) + 1;
    }
    const double arm = w->radius - 0.5 * t.depth;
    t.at = point_of(arm * t.normal.x, arm * t.normal.y);
    return t;
}

/* Finds touches from outside of an outline that is not convex: edges with a foot, and corners from
 * which both edges lead away. */
static void find_nearest(const scree_candidates *in, uint32_t p, work *w)
{
    for (uint32_t e = 0; e < w->body.of->n; e++) {
        const point at = vertex_at(&w->body, e), n = normal_at(&w->body, e), none = {0.0, 0.0};
        const point next = vertex_at(&w->body, after(&w->body, e));
        const point last = vertex_at(&w->body, before(&w->body, e)), u = from_to(at, next);
        const double s = -dot2(at, u) / dot2(u, u), height = -dot2(n, at);
        if (s > 0.0 && s < 1.0 && height >= 0.0 && counts(in, p, w->radius - height)) {
            const double arm = 0.5 * (w->radius + height);
            insert_touch(w, (touch){.normal = {-n.x, -n.y},
                                    .at = {-arm * n.x, -arm * n.y},
                                    .depth = w->radius - height,
                                    .feature = 2ull * e + 2});
        }
        if (along(at, none, at, next) > 0 || along(at, none, at, last) > 0 ||
            orient(last, at, next) <= 0)
            continue;
        const double distance = sqrt(dot2(at, at)), arm = 0.5 * (w->radius + distance);
        const point d =
            distance > 0.0 ? point_of(at.x / distance, at.y / distance) : point_of(-n.x, -n.y);
        if (counts(in, p, w->radius - distance))
            insert_touch(w, (touch){.normal = d,
                                    .at = {arm * d.x, arm * d.y},
                                    .depth = w->radius - distance,
                                    .feature = 2ull * e + 1});
    }
}

/* ---- pairs ---- */

/* Contact of a disc and an outline whose borders do not cross. */
static void whole(const scree_candidates *in, uint32_t p, work *w, int inside)
{
    const point v = vertex_at(&w->body, 0);
    piece one = {.area = PI * w->radius * w->radius, .across = 2.0 * w->radius};
    if (dot2(v, v) < w->radius * w->radius) {
        one.area = w->body.scale * w->body.scale * w->body.of->area;
        one.across = 2.0 * w->body.scale * w->body.of->radius;
        one.middle = w->body.at;
    } else if (!inside) {
        touch t = nearest_of_all(w, 0);
        t.feature = 0;
        if (counts(in, p, t.depth))
            insert_touch(w, t);
        return;
    }
    insert_touch(w, touch_of_piece(&one, w->body.at));
}

static void find_touches(const resolver *self, const scree_candidates *in, uint32_t p, work *w)
{
    const int inside = outline_holds(&w->body, point_of(0.0, 0.0));
    w->n = 0;
    if (self->geometry == GEOMETRY_DISTANCE) {
        if (!inside && !w->body.of->convex)
            find_nearest(in, p, w);
        if (w->n > 0)
            return;
        touch t = nearest_of_all(w, inside);
        t.feature = w->body.of->convex ? 0 : t.feature;
        if (counts(in, p, t.depth))
            insert_touch(w, t);
        return;
    }
    find_cuts(w);
    if (w->n_cuts < 2) {
        whole(in, p, w, inside);
        return;
    }
    sort_round(w);
    for (uint32_t k = 0; k < w->n_cuts; k++) {
        if (!w->cuts[k].in || w->cuts[k].used)
            continue;
        const piece one = follow(w, k);
        insert_touch(w, touch_of_piece(&one, w->body.at));
    }
}

static int32_t get_work(const resolver *self, const scree_candidates *in, work *w)
{
    uint64_t most = 0;
    for (uint32_t p = 0; p < in->n; p++) {
        const outline *o = outline_of(self, in->bodies, in->b[p]);
        if (!o)
            return SCREE_E_INTERNAL;
        most = 2ull * o->n + 2 > most ? 2ull * o->n + 2 : most;
    }
    w->list = self->host->scratch(self->host->ctx, in->lane,
                                  most * (sizeof(touch) + sizeof(cut) + sizeof(uint32_t)));
    if (!w->list)
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a disc");
    w->cuts = (cut *)(void *)(w->list + most);
    w->round = (uint32_t *)(void *)(w->cuts + most);
    return SCREE_OK;
}

int32_t resolve_discs(const resolver *self, const scree_candidates *in, scree_contacts *out,
                      uint32_t *done)
{
    const point none = {0.0, 0.0};
    work w = {0};
    out->n = 0;
    *done = 0;
    const int32_t status = get_work(self, in, &w);
    if (status != SCREE_OK)
        return status;
    for (uint32_t p = 0; p < in->n; p++) {
        const point d = {in->d[0][p], in->d[1][p]};
        const outline *o = outline_of(self, in->bodies, in->b[p]);
        const double both = in->radius_a[p] + o->radius * in->bodies->scale[in->b[p]];
        const double reach = both * (1.0 + 1e-12) + in->range;
        w.body = outline_place(o, in->bodies, in->b[p], d, 1);
        w.body.plain = !out->eccentricity;
        w.radius = in->radius_a[p];
        w.n = 0;
        if (dot2(d, d) <= reach * reach || (in->keep && in->keep[p]))
            find_touches(self, in, p, &w);
        if (w.n > out->capacity - out->n) {
            out->n = *done > 0 ? out->n : w.n;
            return SCREE_OK;
        }
        for (uint32_t k = 0; k < w.n; k++)
            put_touch(in, out, p, &w.list[k], none);
        *done = p + 1;
    }
    return SCREE_OK;
}
