// SPDX-License-Identifier: Apache-2.0
// Contacts of two outlines: overlap or distance, convex or not.
/*
 * Origin   All positions are relative to the centre of the smaller of the two bodies, so that a
 *          small one keeps its digits next to a large one.
 */
#include "resolver.h"

const outline *outline_of(const resolver *self, const scree_bodies *bodies, uint32_t i)
{
    const uint32_t shape = bodies->shape[i];
    if (shape < self->n && self->outlines[shape].n > 0)
        return &self->outlines[shape];
    scree_failf(self->host, SCREE_E_INTERNAL, "shape %u was not prepared", shape);
    return NULL;
}

static point unit_of(point d)
{
    const double length = sqrt(dot2(d, d));
    return length > 0.0 ? point_of(d.x / length, d.y / length) : point_of(1.0, 0.0);
}

touch touch_of_piece(const piece *one, point between)
{
    const double chord = sqrt(dot2(one->push, one->push));
    touch t = {.normal = unit_of(between),
               .at = one->middle,
               .depth = one->across,
               .area = one->area,
               .chord = chord,
               .turn = one->turn,
               .off = one->off,
               .feature = one->feature};
    if (chord > 0.0) {
        t.normal = point_of(one->push.x / chord, one->push.y / chord);
        if (one->area < chord * one->across)
            t.depth = one->area / chord;
    }
    return t;
}

touch touch_of_gap(const gap *g)
{
    return (touch){.normal = g->normal, .at = g->middle, .depth = -g->length};
}

/* A pair of outlines, placed. */
typedef struct pair {
    placed a, b;
    point origin; /* from x_a to the origin of the search */
    point centre; /* from a's centre to b's */
    uint32_t number;
} pair;

int32_t get_memory(const resolver *self, const scree_candidates *in, uint64_t bytes, memory *m)
{
    if (bytes <= m->bytes)
        return SCREE_OK;
    m->at = self->host->scratch(self->host->ctx, in->lane, bytes);
    m->bytes = m->at ? bytes : 0;
    return m->at ? SCREE_OK
                 : self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for crossings");
}

/* Finds the contacts of convex outlines or parts by distance. */
static void touch_convex(const scree_candidates *in, uint32_t p, const placed *a, const placed *b,
                         const track *t, uint64_t base, end_touches *out)
{
    if (t->state != TRACK_APART) {
        facing where;
        const gap g = convex_penetration(a, b, &where);
        ends_of(a, b, &where, &g, base, out);
    } else {
        gap g = track_gap(a, b, t);
        out->n = 0;
        if (!counts(in, p, -g.length))
            return;
        if (!(g.length > 0.0)) // many features are equally close: choose always the same ones
            g = outlines_gap(a, b);
        ends_across(a, b, &g, base, out);
    }
    ends_keep(in, p, out);
}

/* Convex outlines have at most one contact by overlap, and both ends of sides that face each other
 * by distance. */
static int32_t resolve_convex(const resolver *self, const scree_candidates *in, const pair *p,
                              track *hint, memory *m, end_touches *found)
{
    touch *t = found->list;
    uint32_t *n = &found->n;
    const uint64_t room = 2ull * (p->a.of->n + p->b.of->n) + 8;
    int32_t status = get_memory(self, in, room * sizeof(crossing), m);
    if (status != SCREE_OK)
        return status;
    track_search(&p->a, &p->b, hint);
    if (self->geometry == GEOMETRY_DISTANCE) {
        touch_convex(in, p->number, &p->a, &p->b, hint, ENDS_BASE(0), found);
        return SCREE_OK;
    }
    if (hint->state == TRACK_APART) {
        gap g = track_gap(&p->a, &p->b, hint);
        if (!(g.length > 0.0)) // many features are equally close: choose always the same ones
            g = outlines_gap(&p->a, &p->b);
        *t = touch_of_gap(&g);
        *n = counts(in, p->number, t->depth);
        return SCREE_OK;
    }
    *n = 1;
    piece one;
    if (hint->state == TRACK_CROSSING) {
        const uint32_t crossings =
            overlap_convex(&p->a, &p->b, hint->number[0], hint->number[1], m->at);
        if (crossings == 0)
            return self->host->fail(self->host->ctx, SCREE_E_INTERNAL,
                                    "the borders of two convex outlines do not close");
        one = piece_of(&p->a, &p->b, m->at, crossings);
    } else {
        const placed *inner = hint->state == TRACK_A_IN_B ? &p->a : &p->b;
        one = (piece){.area = inner->scale * inner->scale * inner->of->area,
                      .middle = inner->at,
                      .across = 2.0 * inner->scale * inner->of->radius};
    }
    *t = touch_of_piece(&one, p->centre);
    t->feature = 0;
    return SCREE_OK;
}

gap outlines_gap(const placed *a, const placed *b)
{
    double least = (double)INFINITY;
    point from = {0, 0}, to = {0, 0}, normal = {1, 0};
    for (int side = 0; side < 2; side++) {
        const placed *p = side ? b : a, *q = side ? a : b;
        for (uint32_t e = 0; e < q->of->n; e++) {
            const point tail = vertex_at(q, e), u = from_to(tail, vertex_at(q, after(q, e)));
            const double inverse = 1.0 / dot2(u, u);
            for (uint32_t v = 0; v < p->of->n; v++) {
                const point at = vertex_at(p, v), w = from_to(tail, at);
                double t = dot2(u, w) * inverse;
                t = t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;
                const point d = moved(w, -t, u);
                const double square = dot2(d, d);
                if (!(square < least))
                    continue;
                least = square;
                from = side ? moved(tail, t, u) : at;
                to = side ? at : moved(tail, t, u);
                normal = normal_at(q, e);
                if (!side)
                    normal = point_of(-normal.x, -normal.y);
            }
        }
    }
    const point d = from_to(from, to);
    gap g = {.length = sqrt(dot2(d, d)), .normal = normal, .middle = moved(from, 0.5, d)};
    if (g.length > 0.0)
        g.normal = point_of(d.x / g.length, d.y / g.length);
    return g;
}

/* Outlines of which one is not convex: each piece of the overlap is a contact. */
static int32_t resolve_any(const resolver *self, const scree_candidates *in, const pair *p,
                           memory *m, pieces *found, touch *across, uint32_t *n)
{
    uint64_t needs;
    while ((needs = overlap_all(&p->a, &p->b, m->at, m->bytes, found)) > 0) {
        const int32_t status = get_memory(self, in, needs, m);
        if (status != SCREE_OK)
            return status;
    }
    *n = found->n;
    if (*n > 0)
        return SCREE_OK;
    if (in->range > 0.0 || (in->keep && in->keep[p->number])) {
        const gap g = outlines_gap(&p->a, &p->b);
        *across = touch_of_gap(&g);
        *n = counts(in, p->number, across->depth);
    }
    return SCREE_OK;
}

/* Part k of an outline, placed. */
static placed part_of(const placed *p, uint32_t k)
{
    placed part = *p;
    part.of = p->of->convex ? p->of : &p->of->parts[k];
    return part;
}

/* By distance, when one is not convex, each pair of convex parts that overlap has contacts. Writes
 * those that fit. */
static uint32_t resolve_parts(const scree_candidates *in, const pair *p, scree_contacts *out)
{
    const uint32_t n_a = parts_of(p->a.of), n_b = parts_of(p->b.of), room = out->capacity - out->n;
    uint32_t n = 0;
    for (uint32_t i = 0; i < n_a; i++)
        for (uint32_t j = 0; j < n_b; j++) {
            const placed a = part_of(&p->a, i), b = part_of(&p->b, j);
            track t = {0};
            track_search(&a, &b, &t);
            if (t.state == TRACK_APART)
                continue;
            end_touches found;
            touch_convex(in, p->number, &a, &b, &t, ENDS_BASE((uint64_t)i * n_b + j), &found);
            for (uint32_t k = 0; k < found.n; k++)
                if (n++ < room)
                    put_touch(in, out, p->number, &found.list[k], p->origin);
        }
    if (n > 0 || !(in->range > 0.0 || (in->keep && in->keep[p->number])))
        return n;
    const gap g = outlines_gap(&p->a, &p->b);
    const touch one = touch_of_gap(&g);
    n = (uint32_t)counts(in, p->number, one.depth);
    if (n > 0 && room > 0)
        put_touch(in, out, p->number, &one, p->origin);
    return n;
}

static pair place_pair(const scree_candidates *in, uint32_t p, const outline *a, const outline *b)
{
    const uint32_t i = in->a[p], j = in->b[p];
    const point d = {in->d[0][p], in->d[1][p]}, none = {0.0, 0.0};
    const double of_a = a->radius * in->bodies->scale[i], of_b = b->radius * in->bodies->scale[j];
    const int at_b = of_b < of_a;
    pair both = {.origin = at_b ? d : none, .centre = d, .number = p};
    both.a = outline_place(a, in->bodies, i, at_b ? point_of(-d.x, -d.y) : none, 0);
    both.b = outline_place(b, in->bodies, j, at_b ? none : d, 1);
    return both;
}

/* Are the balls about both bodies, [m] at scale 1, out of range of each other? */
static int far_apart(const scree_candidates *in, uint32_t p, double of_a, double of_b)
{
    const double x = in->d[0][p], y = in->d[1][p], *scale = in->bodies->scale;
    const double both = of_a * scale[in->a[p]] + of_b * scale[in->b[p]];
    const double reach = both * (1.0 + 1e-12) + in->range;
    return x * x + y * y > reach * reach && !(in->keep && in->keep[p]);
}

/* The contacts of a pair of outlines; those of convex parts are written directly. */
typedef struct found {
    pieces of;
    end_touches few; /* for convex outlines */
    touch one;       /* contact across a gap */
    touch *list;     /* contacts with a wall */
    uint32_t n;
} found;

static int32_t resolve_pair(const resolver *self, const scree_candidates *in, uint32_t p, memory *m,
                            found *f, scree_contacts *out)
{
    const outline *a = outline_of(self, in->bodies, in->a[p]);
    const outline *b = a ? outline_of(self, in->bodies, in->b[p]) : NULL;
    if (!b)
        return SCREE_E_INTERNAL;
    if (far_apart(in, p, a->radius, b->radius))
        return SCREE_OK;
    const uint32_t candidate = in->first ? in->first[p] : p;
    pair both = place_pair(in, p, a, b);
    both.a.plain = !out->eccentricity;
    const uint32_t so_far = out->n;
    int32_t status = SCREE_OK;
    if (a->convex && b->convex)
        status = resolve_convex(self, in, &both, (track *)in->hints + candidate, m, &f->few);
    else if (self->geometry == GEOMETRY_DISTANCE)
        f->n = resolve_parts(in, &both, out);
    else
        status = resolve_any(self, in, &both, m, &f->of, &f->one, &f->n);
    f->n += f->few.n;
    if (status != SCREE_OK || f->n > out->capacity - so_far)
        return status;
    for (uint32_t k = 0; k < f->few.n; k++)
        put_touch(in, out, p, &f->few.list[k], both.origin);
    for (uint32_t k = 0; k < f->of.n; k++) {
        const touch t = touch_of_piece(&f->of.list[k], both.centre);
        put_touch(in, out, p, &t, both.origin);
    }
    if (f->n > f->of.n && out->n == so_far)
        put_touch(in, out, p, &f->one, both.origin);
    return SCREE_OK;
}

static int32_t resolve_with_wall(const resolver *self, const scree_candidates *in, uint32_t p,
                                 const wall *w, memory *m, found *f, scree_contacts *out)
{
    const outline *a = outline_of(self, in->bodies, in->a[p]);
    int32_t status = a ? SCREE_OK : SCREE_E_INTERNAL;
    if (a && !far_apart(in, p, a->radius, w->radius))
        status = resolve_wall(self, in, p, w, !out->eccentricity, m, &f->list, &f->n);
    if (status != SCREE_OK || f->n > out->capacity - out->n)
        return status;
    for (uint32_t k = 0; k < f->n; k++)
        put_touch(in, out, p, &f->list[k], point_of(0.0, 0.0));
    return SCREE_OK;
}

int32_t resolve_outlines(const resolver *self, const scree_candidates *in, scree_contacts *out,
                         uint32_t *done)
{
    memory m = {0};
    out->n = 0;
    *done = 0;
    for (uint32_t p = 0; p < in->n; p++) {
        const uint32_t so_far = out->n;
        const wall *w = wall_of(self, in->bodies, in->b[p]);
        found f; // its touches are many bytes: only the numbers are set
        f.of = (pieces){0};
        f.few.n = f.n = 0;
        const int32_t status = w ? resolve_with_wall(self, in, p, w, &m, &f, out)
                                 : resolve_pair(self, in, p, &m, &f, out);
        if (status != SCREE_OK)
            return status;
        if (f.n > out->capacity - so_far) {
            out->n = *done > 0 ? so_far : f.n;
            return SCREE_OK;
        }
        *done = p + 1;
    }
    return SCREE_OK;
}
