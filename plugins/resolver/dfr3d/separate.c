// SPDX-License-Identifier: Apache-2.0
/*
 * dfr3d: the least translation that parts two parts of surfaces that cross.
 *
 * Sources
 *   [1] R. O'Connor, A Distributed Discrete Element Modeling Environment, PhD thesis, MIT, 1996, 4.
 *   [2] S. Gottschalk, M. C. Lin, D. Manocha, OBBTree, SIGGRAPH 96, 171: separating axes.
 *
 * Idea     [1] asks for "a representative face and vertex" and has no rule. Here they belong to the
 *          least translation: a facet of one body with the deepest vertex of the other under it, if
 *          this vertex is over the facet; or two edges that cross, if the normals of their facets
 *          allow it. For convex bodies the least such depth is exactly the least translation. For
 *          others it is one way out from where their surfaces cross, because vertices are found by
 *          climbing from there, and a facet counts only if its vertex is over it.
 * Energy   The depth of convex bodies is a continuous function of the poses while the features change, and
 *          its slope is the normal: a law of depth makes no energy. Others may jump from one way out to
 *          another one.
 * Limits   Only facets of the part and next to it are tried: when bodies overlap by many cells,
 *          others may be nearer. When no facet or edge qualifies (a vertex under a concave edge),
 *          the deepest vertex and its distance to the surface count.
 */
#include "pair.h"

#define SAMPLES 256u /* vertices from which climbs start */
#define OVER 1e-9    /* part of a cell: a point so far next to a facet is over it */
#define ON_ARC 1e-12 /* a normal so near to a facet's counts as between those of an edge */

/* ---- parts ---- */

static void mark(dfr_work *w, dfr_side *s, uint32_t f)
{
    if (s->group_stamp[s->body->n_groups + f] == w->mark) // after the groups: one per facet
        return;
    s->group_stamp[s->body->n_groups + f] = w->mark;
    s->marked[s->n_marked++] = f;
}

void dfr_mark_part(dfr_work *w, int side, uint32_t root)
{
    dfr_side *s = &w->side[side];
    s->n_marked = 0;
    for (uint32_t i = 0; i < s->n_touched; i++)
        if (dfr_root(s, s->touched[i]) == root)
            mark(w, s, s->touched[i]);
    for (uint32_t i = 0, n = s->n_marked; i < n; i++)
        for (int k = 0; k < 3; k++) {
            const uint32_t e = s->body->facet_edge[s->marked[i]][k];
            if (s->body->bend[e] == DFR_CORNER)
                continue;
            mark(w, s, s->body->edge[e].facet[0]);
            mark(w, s, s->body->edge[e].facet[1]);
        }
}

uint32_t dfr_climb(const dfr_body *b, const double direction[3], uint32_t start)
{
    double most = dot(b->vertex[start], direction);
    for (;;) {
        uint32_t next = start;
        for (uint32_t i = b->ring_first[start]; i < b->ring_first[start + 1]; i++) {
            const double x = dot(b->vertex[b->ring[i]], direction);
            if (x > most) {
                most = x;
                next = b->ring[i];
            }
        }
        if (next == start)
            return start;
        start = next;
    }
}

/* The vertex of marked facets (at most SAMPLES of them) that is farthest along a direction; the
 * lowest of equal ones. */
static uint32_t farthest_marked(const dfr_side *s, const double direction[3])
{
    uint32_t best = SCREE_NONE;
    double most = -HUGE_VAL;
    for (uint32_t i = 0; i < 3 * s->n_marked; i += 1 + 3 * s->n_marked / SAMPLES) {
        const uint32_t v = s->body->facet[s->marked[i / 3]][i % 3];
        const double x = dot(s->body->vertex[v], direction);
        if (x > most || (x == most && v < best)) {
            most = x;
            best = v;
        }
    }
    return best;
}

int dfr_on_group(const dfr_body *b, uint32_t f, const double x[3])
{
    const double slack = OVER * b->grid.cell[0];
    for (uint32_t i = 0; i <= b->n_facets; i++) {
        const uint32_t *v = b->facet[f];
        double worst = slack;
        int side = -1;
        for (int k = 0; k < 3; k++) {
            double along[3], to[3], out[3];
            sub(b->vertex[v[(k + 1) % 3]], b->vertex[v[k]], along);
            sub(x, b->vertex[v[k]], to);
            cross(along, b->normal[f], out);
            normalize(out);
            const double beyond = dot(to, out);
            if (beyond > worst) {
                worst = beyond;
                side = k;
            }
        }
        if (side < 0)
            return 1;
        const dfr_edge *e = &b->edge[b->facet_edge[f][side]];
        const uint32_t next = e->facet[0] == f ? e->facet[1] : e->facet[0];
        if (b->group[next] != b->group[f])
            return 0;
        f = next;
    }
    return 0;
}

/* ---- a facet and a vertex ---- */

static void turn_by(const double (*r)[3], const double x[3], int back, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = back ? r[0][k] * x[0] + r[1][k] * x[1] + r[2][k] * x[2] : dot(r[k], x);
}

/* Is vertex v of the other body over the group of facet f? Also its depth, in the frame of f. */
static int is_under(const dfr_work *w, const dfr_pose *pose, int side, uint32_t f, uint32_t v,
                    double at_least, double *depth)
{
    const dfr_body *b = w->side[side].body;
    double x[3], to[3], over[3];
    (side ? dfr_to_b : dfr_to_a)(pose, w->side[!side].body->vertex[v], x);
    sub(x, b->vertex[b->facet[f][0]], to);
    *depth = -dot(to, b->normal[f]);
    for (int k = 0; k < 3; k++)
        over[k] = x[k] + *depth * b->normal[f][k];
    return *depth >= at_least && dfr_on_group(b, f, over);
}

/* The deepest of the marked vertices of the other body under facet f that are over its group, or SCREE_NONE. A
 * facet at a concave corner needs it: the body's deepest vertex may be behind the other wall. */
static uint32_t deepest_over(const dfr_work *w, const dfr_pose *pose, int side, uint32_t f)
{
    const dfr_side *other = &w->side[!side];
    uint32_t best = SCREE_NONE;
    double most = 0.0, depth;
    for (uint32_t i = 0; i < 3 * other->n_marked; i++) {
        const uint32_t v = other->body->facet[other->marked[i / 3]][i % 3];
        if (!is_under(w, pose, side, f, v, most, &depth) || (depth == most && v >= best))
            continue;
        most = depth;
        best = v;
    }
    return best;
}

/* Is a vertex next to v equally far along a direction? */
static int is_level(const dfr_body *b, const double *direction, uint32_t v)
{
    const double most = dot(b->vertex[v], direction) - DFR_SAME * b->size;
    for (uint32_t i = b->ring_first[v]; i < b->ring_first[v + 1]; i++)
        if (dot(b->vertex[b->ring[i]], direction) >= most)
            return 1;
    return 0;
}

/* The lowest marked vertex that is equally deep under facet f and over its group, or SCREE_NONE. */
static uint32_t level_over(const dfr_work *w, const dfr_pose *pose, int side, uint32_t f,
                           double deepest)
{
    const dfr_side *other = &w->side[!side];
    const double at_least = deepest - DFR_SAME * w->side[side].body->size;
    uint32_t best = SCREE_NONE;
    double depth;
    for (uint32_t i = 0; i < 3 * other->n_marked; i++) {
        const uint32_t v = other->body->facet[other->marked[i / 3]][i % 3];
        if (v < best && is_under(w, pose, side, f, v, at_least, &depth))
            best = v;
    }
    return best;
}

/* Tries facet f of body[side] against the other body; the rest of a contact is set once it is the
 * best. */
static void try_facet(const dfr_work *w, const dfr_pose *pose, int side, uint32_t f, uint32_t start,
                      dfr_best *best)
{
    const dfr_body *b = w->side[side].body, *other = w->side[!side].body;
    const double *n = b->normal[f], unit = side ? pose->ratio : 1.0;
    double into[3], x[3], to[3], over[3];
    const double minus[3] = {-n[0], -n[1], -n[2]};
    turn_by(pose->r, minus, !side, into); // in the frame of the other one
    uint32_t v =
        b->hollow[b->group[f]] && start == SCREE_NONE
            ? deepest_over(w, pose, side, f)
            : dfr_climb(other, into,
                        start == SCREE_NONE ? farthest_marked(&w->side[!side], into) : start);
    if (v == SCREE_NONE)
        return;
    (side ? dfr_to_b : dfr_to_a)(pose, other->vertex[v], x);
    sub(x, b->vertex[b->facet[f][0]], to);
    double depth = -dot(to, n);
    const double least = best->contact.depth;
    if (depth * unit < -best->touch ||
        (best->kind >= 0 && !(depth * unit < least - 1e-12 * fabs(least))))
        return;
    for (int k = 0; k < 3; k++)
        over[k] = x[k] + depth * n[k];
    if (!(b->convex && other->convex) && !dfr_on_group(b, f, over)) {
        v = is_level(other, into, v) ? level_over(w, pose, side, f, depth) : SCREE_NONE;
        if (v == SCREE_NONE)
            return;
        (side ? dfr_to_b : dfr_to_a)(pose, other->vertex[v], x);
    }
    dfr_contact *c = &best->contact;
    double middle[3];
    for (int k = 0; k < 3; k++)
        middle[k] = x[k] + 0.5 * depth * n[k];
    c->depth = depth * unit;
    best->kind = side ? (int)DFR_VERTEX_OF_A : (int)DFR_VERTEX_OF_B;
    best->of_a = side ? v : f;
    best->of_b = side ? f : v;
    if (side) {
        dfr_to_a(pose, middle, c->point);
        turn_by(pose->r, minus, 0, c->normal);
    } else {
        copy(middle, c->point);
        copy(n, c->normal);
    }
}

static void try_facets(dfr_work *w, const dfr_pose *pose, int side, uint32_t start, dfr_best *best)
{
    dfr_side *s = &w->side[side];
    for (uint32_t i = 0; i < s->n_marked; i++) {
        const uint32_t group = s->body->group[s->marked[i]];
        if (s->group_stamp[group] == w->mark)
            continue;
        s->group_stamp[group] = w->mark;
        try_facet(w, pose, side, s->body->lead[group], start, best);
    }
}

/* ---- two edges ---- */

int dfr_in_arc(const double n1[3], const double n2[3], const double n[3])
{
    double all[3], first[3], second[3];
    cross(n1, n2, all);
    cross(n1, n, first);
    cross(n, n2, second);
    return dot(first, all) >= -ON_ARC && dot(second, all) >= -ON_ARC &&
           dot(n1, n) + dot(n2, n) > 0.0;
}

static void line_of(const dfr_work *w, const dfr_pose *pose, int side, uint32_t e, dfr_line *out)
{
    const dfr_body *b = w->side[side].body;
    const dfr_edge *edge = &b->edge[e];
    out->edge = e;
    for (int k = 0; k < 2; k++) {
        const double *x = b->vertex[edge->vertex[k]], *n = b->normal[edge->facet[k]];
        if (side) {
            dfr_to_a(pose, x, k ? out->q : out->p);
            turn_by(pose->r, n, 0, out->n[k]);
        } else {
            copy(x, k ? out->q : out->p);
            copy(n, out->n[k]);
        }
    }
}

static void measure_line(dfr_line *line)
{
    for (int k = 0; k < 3; k++)
        line->middle[k] = 0.5 * (line->p[k] + line->q[k]);
    line->half = 0.5 * sqrt(distance2(line->p, line->q)) * (1.0 + 1e-9);
}

/* The square of the largest depth that is less than the best. */
static double room_below(const dfr_best *best)
{
    const double depth = best->contact.depth * (1.0 - 1e-9);
    return best->kind < 0 ? HUGE_VAL : depth * depth;
}

/* Depth along n, across two edges: n becomes a unit vector, and is reversed if the normals of their
 * facets demand it. -HUGE_VAL: neither direction is possible. */
static double across_edges(const dfr_line *a, const dfr_line *b, double n[3], double over,
                           double touch)
{
    double minus[3];
    normalize(n);
    for (int way = 0; way < 2; way++) {
        const int turned = (over < 0.0) != way;
        for (int k = 0; k < 3; k++)
            minus[k] = turned ? n[k] : -n[k];
        const double plus[3] = {-minus[0], -minus[1], -minus[2]};
        if (way && fabs(over) > touch)
            break;
        if (!dfr_in_arc(a->n[0], a->n[1], plus) || !dfr_in_arc(b->n[0], b->n[1], minus))
            continue;
        copy(plus, n);
        return turned ? -over : over;
    }
    return -HUGE_VAL;
}

static void try_edges(const dfr_line *a, const dfr_line *b, dfr_best *best)
{
    double u[3], v[3], n[3], between[3], s, t;
    sub(a->q, a->p, u);
    sub(b->q, b->p, v);
    cross(u, v, n);
    sub(a->p, b->p, between);
    const double n2 = dot(n, n), over = dot(between, n);
    if (!(over * over < room_below(best) * n2)) // parallel ones too
        return;
    const double size = dot(u, u) * dot(v, v);
    if (!(n2 > 1e-18 * size))
        return;
    const double depth = across_edges(a, b, n, over / sqrt(n2), best->touch);
    if (depth == -HUGE_VAL)
        return;
    const double gap2 = dfr_closest_of_segments(a->p, a->q, b->p, b->q, &s, &t);
    if (sqrt(gap2) >
        fabs(depth) * (1.0 + 1e-6) + 1e-12 * sqrt(sqrt(size))) // not within both segments
        return;
    dfr_contact *c = &best->contact;
    best->kind = (int)DFR_EDGES;
    best->of_a = a->edge;
    best->of_b = b->edge;
    c->depth = depth;
    copy(n, c->normal);
    for (int k = 0; k < 3; k++)
        c->point[k] = 0.5 * (a->p[k] + s * u[k] + b->p[k] + t * v[k]);
}

/* Lists the convex edges of the marked facets, each once. Returns their number; 0 with w->full: too
 * many. */
static uint32_t list_edges(dfr_work *w, const dfr_pose *pose, int side)
{
    const dfr_side *s = &w->side[side];
    const uint32_t *stamp = s->group_stamp + s->body->n_groups;
    uint32_t n = 0;
    for (uint32_t i = 0; i < 3 * s->n_marked; i++) {
        const uint32_t f = s->marked[i / 3], e = s->body->facet_edge[f][i % 3];
        const dfr_edge *edge = &s->body->edge[e];
        if (s->body->bend[e] != DFR_CONVEX ||
            (edge->facet[0] != f && stamp[edge->facet[0]] == w->mark))
            continue;
        if (n >= w->room) {
            w->full = 1;
            return 0;
        }
        line_of(w, pose, side, e, &w->line[side][n]);
        measure_line(&w->line[side][n++]);
    }
    return n;
}

static void try_all_edges(dfr_work *w, const dfr_pose *pose, dfr_best *best)
{
    const uint32_t n_a = list_edges(w, pose, 0), n_b = list_edges(w, pose, 1);
    for (uint32_t i = 0; i < n_a; i++)
        for (uint32_t k = 0; k < n_b; k++) {
            const dfr_line *a = &w->line[0][i], *b = &w->line[1][k];
            const double reach =
                a->half + b->half + (best->kind < 0 ? HUGE_VAL : best->contact.depth);
            if (distance2(a->middle, b->middle) <=
                reach * reach) // farther from each other than the best depth
                try_edges(a, b, best);
        }
}

/* ---- the deepest vertex ---- */

/* When nothing else qualifies: tries the vertex inside that is farthest from the other surface. */
static void try_vertices(const dfr_work *w, const dfr_pose *pose, int side, dfr_best *best)
{
    const dfr_side *s = &w->side[side];
    const dfr_body *target = w->side[!side].body;
    for (uint32_t i = 0; i < 3 * s->n_marked; i++) {
        const uint32_t v = s->body->facet[s->marked[i / 3]][i % 3];
        double least = HUGE_VAL, point[3], n[3], middle[3];
        uint32_t f = 0;
        if (s->vertex_stamp[v] != w->stamp || !s->inside[v] ||
            !dfr_closest(target, s->at[v], &least, point, &f))
            continue;
        const double depth = sqrt(least), unit = side ? 1.0 : pose->ratio;
        if (best->kind >= 0 && !(depth * unit > best->contact.depth))
            continue;
        sub(point, s->at[v], n);
        if (!(normalize(n) > 0.0))
            copy(target->normal[f], n);
        for (int k = 0; k < 3; k++) {
            middle[k] = 0.5 * (point[k] + s->at[v][k]);
            n[k] = side ? n[k] : -n[k];
        }
        best->kind = side ? (int)DFR_VERTEX_OF_B : (int)DFR_VERTEX_OF_A;
        best->of_a = side ? f : v;
        best->of_b = side ? v : f;
        best->contact.depth = depth * unit;
        if (side) {
            copy(middle, best->contact.point);
            copy(n, best->contact.normal);
        } else {
            dfr_to_a(pose, middle, best->contact.point);
            turn_by(pose->r, n, 0, best->contact.normal);
        }
    }
}

static void name_feature(const dfr_work *w, dfr_best *best)
{
    const uint64_t kind = (uint64_t)best->kind;
    const dfr_body *a = w->side[0].body, *b = w->side[1].body;
    uint64_t rest;
    if (kind == DFR_EDGES)
        rest = (uint64_t)best->of_a << 31 | best->of_b;
    else if (kind == DFR_VERTEX_OF_A)
        rest = (uint64_t)(best->of_a & 0xfffffff) << 34 | dfr_key(b, best->of_b);
    else
        rest = (uint64_t)(best->of_b & 0xfffffff) << 34 | dfr_key(a, best->of_a);
    best->contact.feature = kind << 62 | rest;
}

static void start_best(const dfr_work *w, const dfr_pose *pose, dfr_best *best)
{
    best->kind = -1;
    best->touch = DFR_TOUCH * scree_max(w->side[0].body->size, pose->ratio * w->side[1].body->size);
}

int dfr_separate(dfr_work *w, const dfr_pose *pose, const dfr_link *link, dfr_best *best)
{
    start_best(w, pose, best);
    w->mark++;
    for (int side = 0; side < 2; side++)
        dfr_mark_part(w, side, link->root[side]);
    for (int side = 0; side < 2; side++)
        try_facets(w, pose, side, SCREE_NONE, best);
    try_all_edges(w, pose, best);
    if (best->kind < 0)
        for (int side = 0; side < 2; side++)
            try_vertices(w, pose, side, best);
    if (best->kind < 0)
        return 0;
    name_feature(w, best);
    return 1;
}

/* Uses all facets of the body that holds the other. */
int dfr_separate_inside(dfr_work *w, const dfr_pose *pose, dfr_best *best)
{
    start_best(w, pose, best);
    for (int inner = 0; inner < 2; inner++) {
        const dfr_side *s = &w->side[inner], *outer = &w->side[!inner];
        if (s->n_touched == 0)
            continue;
        const uint32_t start = s->body->facet[s->touched[0]][0];
        for (uint32_t g = 0; g < outer->body->n_groups; g++)
            try_facet(w, pose, !inner, outer->body->lead[g], start, best);
        if (best->kind < 0) {
            w->mark++;
            dfr_mark_part(w, inner, dfr_root(&w->side[inner], s->touched[0]));
            try_vertices(w, pose, inner, best);
        }
        break;
    }
    if (best->kind < 0)
        return 0;
    name_feature(w, best);
    return 1;
}
