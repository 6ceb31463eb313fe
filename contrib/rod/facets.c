/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rods against facets, which have two sides.
 *
 * Idea     faces a cap whose centre is over a facet; per cap only the deepest of a flat patch
 *          ridges an edge (2D: a vertex) that is not flat, by the closest points of edge and axis.
 *                   If the axis's point is the centre of a cap, the edge counts only if the cap is
 *                   over neither facet; if it is on the bar, the edge counts unless the bar is
 *                   inside both
 *          corners a vertex (3D), if the closest point of the axis is not over any of its edges A
 *          rod that lies on a box and extends beyond it rests on one cap and on the edge; when its
 *          other cap reaches the face, the cap replaces the edge at the same depth.
 * Limits   a pair has at most 64 touches; the shallowest are dropped.
 */
#include "resolver.h"

enum { MOST = 64 };
#define BESIDE 1e-9 /* part of the radius: a foot outside of a facet by less is inside */

/* ---- walls ---- */

static scree_vec vertex_of(const scree_mesh *m, uint32_t v)
{
    return scree_vec_of(m->vertex[0][v], m->vertex[1][v], m->vertex[2][v]);
}

static uint32_t count_vertices(const scree_mesh *m, uint32_t f)
{
    uint32_t n = 0;
    while (n < 4 && m->facet[4 * f + n] != SCREE_NONE)
        n++;
    return n;
}

static scree_vec unit(scree_vec v)
{
    double square = scree_dot(v, v);
    return scree_scaled(square > 0.0 ? 1.0 / sqrt(square) : 0.0, v);
}

static scree_vec normal_of(const scree_mesh *m, uint32_t f, uint32_t n)
{
    const uint32_t *v = m->facet + 4 * (uint64_t)f;
    scree_vec a = vertex_of(m, v[0]), side = scree_less(vertex_of(m, v[1]), 1.0, a);
    if (n == 2)
        return unit(scree_vec_of(side.y, -side.x, 0.0));
    return unit(scree_cross(side, scree_less(vertex_of(m, v[2]), 1.0, a)));
}

/** Direction from edge e of facet f into the facet. */
static scree_vec inward_of(const wall *w, uint32_t f, uint32_t e, uint32_t n)
{
    const uint32_t *v = w->mesh->facet + 4 * (uint64_t)f;
    scree_vec along = scree_less(vertex_of(w->mesh, v[(e + 1) % n]), 1.0, vertex_of(w->mesh, v[e]));
    if (n == 2)
        return unit(along); /* from vertex e to the other one */
    return unit(scree_cross(w->normal[f], along));
}

static uint32_t edge_towards(const scree_mesh *m, uint32_t f, uint32_t other, uint32_t from,
                             uint32_t to)
{
    for (uint32_t e = 0; e < 4; e++) {
        const uint32_t *v = m->facet + 4 * (uint64_t)f;
        uint32_t n = count_vertices(m, f);
        if (e < n && m->neighbour[4 * (uint64_t)f + e] == other &&
            (n == 2 ? v[e] == from : v[e] == to && v[(e + 1) % n] == from))
            return e;
    }
    return SCREE_NONE;
}

/** Adds the ridge of edge e of facet f, unless a lower facet has made it. */
static void add_ridge(wall *w, uint32_t f, uint32_t e, uint32_t n)
{
    const scree_mesh *m = w->mesh;
    const uint64_t at = 4 * (uint64_t)f + e;
    uint32_t from = m->facet[at], to = n == 2 ? from : m->facet[4 * (uint64_t)f + (e + 1) % n];
    uint32_t other = m->neighbour[at];
    uint32_t back = other == SCREE_NONE ? SCREE_NONE : edge_towards(m, other, f, from, to);
    if (w->ridge_of[at] != SCREE_NONE)
        return;
    ridge *r = &w->ridges[w->n_ridges];
    *r = (ridge){.from = from, .to = to, .facet = {f, SCREE_NONE}};
    r->flat = m->edge[at] == SCREE_EDGE_FLAT;
    r->inward[0] = inward_of(w, f, e, n);
    if (back != SCREE_NONE) {
        r->facet[1] = other;
        r->inward[1] = inward_of(w, other, back, count_vertices(m, other));
        w->ridge_of[4 * (uint64_t)other + back] = w->n_ridges;
    }
    w->ridge_of[at] = w->n_ridges++;
}

/** The lowest facet known of a patch; halves the path to it. */
static uint32_t root_of(uint32_t *patch, uint32_t f)
{
    for (; patch[f] != f; f = patch[f])
        patch[f] = patch[patch[f]];
    return f;
}

/** Finds the lowest facet of each flat patch: union and find. */
static void find_patches(wall *w)
{
    for (uint32_t f = 0; f < w->mesh->n_facets; f++)
        w->patch[f] = f;
    for (uint32_t k = 0; k < w->n_ridges; k++) {
        const ridge *r = &w->ridges[k];
        if (!r->flat || r->facet[1] == SCREE_NONE)
            continue;
        uint32_t a = root_of(w->patch, r->facet[0]), b = root_of(w->patch, r->facet[1]);
        w->patch[a > b ? a : b] = a < b ? a : b;
    }
    for (uint32_t f = 0; f < w->mesh->n_facets; f++)
        w->patch[f] = root_of(w->patch, f);
}

static void list_around(wall *w)
{
    uint32_t n = w->mesh->n_vertices;
    for (uint32_t k = 0; k < w->n_ridges; k++) {
        w->first[w->ridges[k].from + 1]++;
        w->first[w->ridges[k].to + 1]++;
    }
    for (uint32_t v = 0; v < n; v++)
        w->first[v + 1] += w->first[v];
    for (uint32_t k = 0; k < w->n_ridges; k++) {
        w->around[w->first[w->ridges[k].from]++] = k;
        w->around[w->first[w->ridges[k].to]++] = k;
    }
    for (uint32_t v = n; v > 0; v--)
        w->first[v] = w->first[v - 1];
    w->first[0] = 0;
}

wall *rod_wall_new(const scree_mesh *mesh, uint32_t dimension)
{
    uint64_t f = mesh->n_facets, sides = 4 * f;
    wall *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->mesh = mesh;
    w->normal = calloc(f + 1, sizeof *w->normal);
    w->patch = calloc(f + 1, sizeof *w->patch);
    w->ridge_of = malloc((sides + 1) * sizeof *w->ridge_of);
    w->ridges = calloc(sides + 1, sizeof *w->ridges);
    w->first = calloc((uint64_t)mesh->n_vertices + 2, sizeof *w->first);
    w->around = calloc(2 * sides + 1, sizeof *w->around);
    w->bytes = sizeof *w + f * (sizeof *w->normal + 4) + sides * (4 + sizeof(ridge) + 8) +
               4 * (uint64_t)mesh->n_vertices;
    if (!w->normal || !w->patch || !w->ridge_of || !w->ridges || !w->first || !w->around) {
        rod_wall_free(w);
        return NULL;
    }
    memset(w->ridge_of, 0xff, sides * sizeof *w->ridge_of);
    for (uint32_t i = 0; i < f; i++)
        w->normal[i] = normal_of(mesh, i, count_vertices(mesh, i));
    for (uint32_t i = 0; i < f; i++)
        for (uint32_t e = 0, n = count_vertices(mesh, i); e < n; e++)
            add_ridge(w, i, e, n);
    find_patches(w);
    if (dimension == 3)
        list_around(w);
    return w;
}

void rod_wall_free(wall *w)
{
    if (!w)
        return;
    free(w->normal);
    free(w->patch);
    free(w->ridge_of);
    free(w->ridges);
    free(w->first);
    free(w->around);
    free(w);
}

int rod_wall_adjoins(const wall *w, uint64_t feature, uint64_t other)
{
    uint64_t kind = feature >> 40, next = other >> 40;
    uint32_t number = (uint32_t)feature, second = (uint32_t)other;
    if (kind == ROD_FACE && next == ROD_RIDGE && second < w->n_ridges) {
        const ridge *r = &w->ridges[second];
        return w->patch[r->facet[0]] == number ||
               (r->facet[1] != SCREE_NONE && w->patch[r->facet[1]] == number);
    }
    if (kind == ROD_RIDGE && next == ROD_CORNER && number < w->n_ridges)
        return w->ridges[number].from == second || w->ridges[number].to == second;
    return 0;
}

/* ---- touches of one pair, in the axes of the wall, at its scale ---- */

typedef struct search {
    const wall *wall;
    placed_rod rod; /* the rod in the wall's axes */
    double range, scale;
    uint32_t n;
    touch touches[MOST];
} search;

static scree_vec corner_at(const search *s, uint32_t v)
{
    return scree_scaled(s->scale, vertex_of(s->wall->mesh, v));
}

/** Adds a touch. It replaces a shallower one of the same name, or, without room, the shallowest of
 * all. */
static void add(search *s, uint64_t feature, scree_vec from, scree_vec to, scree_vec fallback,
                int cap)
{
    scree_vec d = scree_less(to, 1.0, from);
    double length = sqrt(scree_dot(d, d)), depth = s->rod.radius - length;
    uint32_t at = s->n, least = 0;
    for (uint32_t k = 0; k < s->n; k++) {
        at = s->touches[k].feature == feature ? k : at;
        least = s->touches[k].depth < s->touches[least].depth ? k : least;
    }
    if (depth < -s->range || (at < s->n && s->touches[at].depth >= depth))
        return;
    if (at == MOST && s->touches[at = least].depth >= depth)
        return;
    s->n += at == s->n;
    s->touches[at] = (touch){
        from, to, length > 0.0 ? scree_scaled(1.0 / length, d) : fallback, depth, feature, cap};
}

/** Tries caps over facet f. */
static void try_face(search *s, uint32_t f)
{
    const wall *w = s->wall;
    uint32_t n = count_vertices(w->mesh, f);
    scree_vec normal = w->normal[f], at = corner_at(s, w->mesh->facet[4 * (uint64_t)f]);
    for (uint32_t e = 0; e < 2; e++) {
        scree_vec c = s->rod.end[e];
        double height = scree_dot(scree_less(c, 1.0, at), normal);
        int inside = fabs(height) <= s->rod.radius + s->range;
        for (uint32_t k = 0; k < n && inside; k++) {
            scree_vec v = corner_at(s, w->mesh->facet[4 * (uint64_t)f + k]);
            inside =
                scree_dot(scree_less(c, 1.0, v), inward_of(w, f, k, n)) >= -BESIDE * s->rod.radius;
        }
        if (inside)
            add(s, rod_feature(ROD_FACE, e, w->patch[f]), c, scree_less(c, height, normal),
                scree_scaled(-1.0, normal), 1);
    }
}

/** Closest points: x on the axis, t on the segment p to q (a point: t = 0). */
static void nearest(const search *s, scree_vec p, scree_vec q, double *x, double *t)
{
    scree_vec a = s->rod.end[0], u = scree_less(s->rod.end[1], 1.0, a), v = scree_less(q, 1.0, p);
    scree_vec w = scree_less(a, 1.0, p);
    double uu = scree_dot(u, u), vv = scree_dot(v, v), uv = scree_dot(u, v);
    double uw = scree_dot(u, w), vw = scree_dot(v, w), square = uu * vv - uv * uv;
    *x = square > 1e-12 * uu * vv ? rod_clamp((uv * vw - vv * uw) / square)
                                  : 0.5 * (rod_clamp(-uw / uu) + rod_clamp((uv - uw) / uu));
    *t = vv > 0.0 ? (uv * *x + vw) / vv : 0.0;
    if (*t < 0.0 || *t > 1.0 || !(vv > 0.0)) {
        *t = rod_clamp(*t);
        *x = rod_clamp((uv * *t - uw) / uu);
    }
}

static void try_ridge(search *s, uint32_t number)
{
    const ridge *r = &s->wall->ridges[number];
    scree_vec p = corner_at(s, r->from), q = corner_at(s, r->to);
    double x, t;
    if (r->flat)
        return;
    nearest(s, p, q, &x, &t);
    if (r->from != r->to && (t <= 0.0 || t >= 1.0))
        return; /* the closest point is a corner, or none */
    scree_vec from = rod_point(s->rod.end[0], s->rod.end[1], x), to = rod_point(p, q, t);
    scree_vec off = scree_less(from, 1.0, to);
    int cap = x <= 0.0 || x >= 1.0, two = r->facet[1] != SCREE_NONE;
    int over = scree_dot(off, r->inward[0]) >= 0.0;
    int over_other = two && scree_dot(off, r->inward[1]) >= 0.0;
    if (cap ? over || over_other : over && over_other)
        return;
    add(s, rod_feature(ROD_RIDGE, 0, number), from, to,
        scree_scaled(-1.0, s->wall->normal[r->facet[0]]), cap);
}

/** Tries vertex v in 3D. */
static void try_corner(search *s, uint32_t v)
{
    const wall *w = s->wall;
    scree_vec to = corner_at(s, v);
    double x, t;
    int sharp = 0;
    nearest(s, to, to, &x, &t);
    scree_vec from = rod_point(s->rod.end[0], s->rod.end[1], x), off = scree_less(from, 1.0, to);
    for (uint32_t k = w->first[v]; k < w->first[v + 1]; k++) {
        const ridge *r = &w->ridges[w->around[k]];
        scree_vec other = corner_at(s, r->from == v ? r->to : r->from);
        if (scree_dot(off, scree_less(other, 1.0, to)) > 0.0)
            return;
        sharp |= !r->flat;
    }
    if (sharp)
        add(s, rod_feature(ROD_CORNER, 0, v), from, to, scree_scaled(-1.0, w->normal[0]),
            x <= 0.0 || x >= 1.0);
}

static void try_facet(search *s, uint32_t f)
{
    const wall *w = s->wall;
    uint32_t n = count_vertices(w->mesh, f);
    try_face(s, f);
    for (uint32_t e = 0; e < n; e++) {
        uint32_t number = w->ridge_of[4 * (uint64_t)f + e];
        if (number != SCREE_NONE)
            try_ridge(s, number);
        if (n > 2)
            try_corner(s, w->mesh->facet[4 * (uint64_t)f + e]);
    }
}

static scree_vec turned(const double q[4], scree_vec v, int back)
{
    const double from[3] = {v.x, v.y, v.z};
    double to[3];
    if (back)
        scree_rotate_back(q, from, to);
    else
        scree_rotate(q, from, to);
    return rod_vec(to);
}

/** Finds the touches of pair p, in ascending order of their features, in world axes. */
static void search_pair(const resolver *self, const scree_candidates *in, uint32_t p, search *s)
{
    const scree_bodies *b = in->bodies;
    const uint32_t wall_body = in->b[p];
    const scree_vec none = {0.0, 0.0, 0.0}, d = scree_vec_at(in->d, p);
    double q[4];
    for (int k = 0; k < 4; k++)
        q[k] = b->q[k][wall_body];
    uint32_t first = in->first ? in->first[p] : p, last = in->first ? in->first[p + 1] : p + 1;
    s->wall = self->walls[b->shape[wall_body]];
    s->rod = rod_placed(self, b, in->a[p], none);
    for (int e = 0; e < 2; e++)
        s->rod.end[e] = turned(q, scree_less(s->rod.end[e], 1.0, d), 1);
    s->range = in->keep && in->keep[p] ? HUGE_VAL : in->range;
    s->scale = b->scale[wall_body];
    s->n = 0;
    for (uint32_t k = first; k < last; k++)
        try_facet(s, in->part_b ? in->part_b[k] : 0);
    for (uint32_t i = 0; i < s->n; i++) { /* sorts by insertion */
        touch t = s->touches[i];
        uint32_t at = i;
        t.from = scree_sum(d, turned(q, t.from, 0));
        t.normal = turned(q, t.normal, 0);
        for (; at > 0 && s->touches[at - 1].feature > t.feature; at--)
            s->touches[at] = s->touches[at - 1];
        s->touches[at] = t;
    }
}

int32_t rod_resolve_facets(const resolver *self, const scree_candidates *in, scree_contacts *out,
                           uint32_t *done)
{
    uint32_t c = 0, p = 0;
    search *s = self->host->scratch(self->host->ctx, in->lane, sizeof *s);
    if (!s)
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a pair");
    for (; p < in->n; p++) {
        search_pair(self, in, p, s);
        if (c + s->n > out->capacity)
            break;
        for (uint32_t k = 0; k < s->n; k++)
            rod_put(out, c++, p, &s->touches[k], s->rod.radius);
    }
    out->n = c;
    *done = p;
    return SCREE_OK;
}
