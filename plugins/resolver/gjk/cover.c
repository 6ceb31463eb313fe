// SPDX-License-Identifier: Apache-2.0
// Two polytopes that overlap: the least axis out of few, with a proof that no other is less.
/*
 * Sources  [1] G. van den Bergen, Proximity queries and penetration depth computation on 3D game objects, Game
 *              Developers Conference 2001.
 * Idea     A closed surface of triangles about the origin, whose corners are points of a - b: every direction n goes
 *          through one of them, in a point of a - b, so that the depth along n is not less than the distance of the
 *          triangle's plane. Where that is more than the depth along some direction, no least axis goes through it.
 *          As in [1] the triangle that is closest to the origin gets a new support point, until the plane of the
 *          closest is as far as its support point: then all axes that can be the least are within a small angle of the
 *          normals of such triangles, and only the faces and edges there are tried, in the order and with the
 *          arithmetic of axes_least(), which tries all.
 * Proof    It rests on the triangles at the end, not on how they came about: their edges are in pairs, and the origin
 *          is on the inner side of all, so they cover all directions. The distance of a plane is that of the corner of
 *          the triangle that is the lowest along its normal, so that a bad normal makes a bound lower, not false.
 * Steps    1. a tetrahedron of support points; triangles with the origin outside come first, as the closest
 *          2. the closest triangle: a support point along its normal; bodies that this parts are apart
 *          3. a triangle whose two bounds are close is done; else those that see the point give way to a fan from it
 *          4. until no other is closer than the least depth: faces and edges next to the normals of those that are done
 * Hint     The surface of the call before, with its points where the bodies are now, in place of the tetrahedron: if it
 *          is closed it proves as much as any other, else it is left. The axes that are tried depend on it, the least
 *          one does not.
 * Cost     15 to 50 support points; a triangle is two cross products.
 * Limits   Bodies that overlap by less than 1e-9 of their size, or with room for more triangles than there is, are left
 *          to axes_least().
 */
#include "cover.h"

#include "graph.h"
#include "rim.h"

enum { MOST_POINTS = 128, MOST_TRIANGLES = 2 * MOST_POINTS, MOST_NEAR = 16, MOST_FEATURES = 64 };
_Static_assert((int)MOST_POINTS <= (int)RIM_POINTS, "numbers of corners fit in the rim");
#define CLOSE 1e-4    /* part of the least depth: bounds of a finished triangle */
#define TOUCHING 2e-9 /* part of the size */
#define ROUNDED 1e-11 /* part of the size: depths that may be equal up to rounding */
#define FLAT 1e-14    /* part of the size, squared: twice the area of a triangle without a normal */
#define SEEN 1e-13    /* part of the size: a point that is farther over a triangle sees it */
#define WIDEST 0.5    /* [-] largest angle about a normal */
#define ANGLE 1e-7    /* [-] error of normals by rounding */

typedef struct cover {
    const convex *a, *b;
    double size;
    double least; /* [m] depth along some direction */
    uint32_t n_points, n_triangles;
    uint32_t number[MOST_POINTS][2]; /* corners of a and b whose difference is a point */
    scree_vec point[MOST_POINTS];
    double x[MOST_TRIANGLES], y[MOST_TRIANGLES], z[MOST_TRIANGLES]; /* normals, 0 without an area */
    double offset[MOST_TRIANGLES];                                  /* [m] distances of planes */
    double key[MOST_TRIANGLES];      /* [m] `offset`, or infinite when the triangle is done */
    uint32_t top[MOST_TRIANGLES][2]; /* farthest corners of a and b, when the triangle is done */
    uint8_t corner[MOST_TRIANGLES][4];
    uint8_t rim[3 * MOST_TRIANGLES][2];
} cover;

/* Numbers of features that are tried. */
typedef struct features {
    uint32_t n_faces, n_edges;
    uint32_t face[MOST_FEATURES], edge[MOST_FEATURES];
} features;

uint64_t cover_bytes(void)
{
    return (sizeof(cover) + 7) / 8 * 8;
}

static int is_served(const convex *c)
{
    return c->flat && (c->flat->graph || c->flat->n_vertices <= GRAPH_FEW) && c->number;
}

int cover_serves(const convex *a, const convex *b)
{
    return is_served(a) && is_served(b);
}

/* ---- the surface ---- */

static scree_vec normal_of(const cover *s, uint32_t t)
{
    return scree_vec_of(s->x[t], s->y[t], s->z[t]);
}

static scree_vec support(const cover *s, scree_vec n, uint32_t top[2])
{
    const scree_vec p = convex_farthest(s->a, n, &top[0]);
    return scree_less(p, 1.0, convex_farthest(s->b, scree_scaled(-1.0, n), &top[1]));
}

static void add_triangle(cover *s, uint32_t i, uint32_t j, uint32_t k)
{
    const uint32_t t = s->n_triangles++;
    const scree_vec p = s->point[i], q = s->point[j], r = s->point[k];
    const scree_vec c = scree_cross(scree_less(q, 1.0, p), scree_less(r, 1.0, p));
    const double area = length_of(c);
    s->corner[t][0] = (uint8_t)i;
    s->corner[t][1] = (uint8_t)j;
    s->corner[t][2] = (uint8_t)k;
    s->x[t] = s->y[t] = s->z[t] = 0.0;
    s->offset[t] = s->key[t] = (double)INFINITY;
    if (!(area > FLAT * s->size * s->size))
        return;
    const scree_vec n = scree_scaled(1.0 / area, c);
    s->x[t] = n.x;
    s->y[t] = n.y;
    s->z[t] = n.z;
    s->offset[t] = s->key[t] =
        scree_min(scree_dot(n, p), scree_min(scree_dot(n, q), scree_dot(n, r)));
}

/* Makes the first triangles; 0: a support point shows that the bodies are apart. */
static int start(cover *s, double parted, scree_vec *apart)
{
    static const double corners[4][3] = {{1, 1, 1}, {-1, -1, 1}, {-1, 1, -1}, {1, -1, -1}};
    const scree_vec d = scree_less(s->b->centre, 1.0, s->a->centre);
    const scree_vec x = scree_dot(d, d) > 0.0 ? unit_of(d) : scree_vec_of(1.0, 0.0, 0.0);
    const scree_vec y = across(x), z = scree_cross(x, y);
    for (uint32_t k = 0; k < 4; k++) {
        scree_vec n = scree_sum(scree_scaled(corners[k][0], x), scree_scaled(corners[k][1], y));
        n = unit_of(scree_sum(n, scree_scaled(corners[k][2], z)));
        s->point[k] = support(s, n, s->number[k]);
        s->least = scree_min(s->least, scree_dot(n, s->point[k]));
        *apart = n;
        if (s->least < -parted)
            return 0;
    }
    s->n_points = 4;
    const scree_vec u = scree_less(s->point[1], 1.0, s->point[0]);
    const scree_vec v = scree_less(s->point[2], 1.0, s->point[0]);
    const scree_vec w = scree_less(s->point[3], 1.0, s->point[0]);
    const uint32_t i = scree_dot(scree_cross(u, v), w) < 0.0 ? 2 : 3, j = 5 - i;
    add_triangle(s, 0, j, 1);
    add_triangle(s, 0, i, j);
    add_triangle(s, 0, 1, i);
    add_triangle(s, 1, j, i);
    return 1;
}

static void drop_triangle(cover *s, uint32_t t)
{
    const uint32_t last = --s->n_triangles;
    s->x[t] = s->x[last];
    s->y[t] = s->y[last];
    s->z[t] = s->z[last];
    s->offset[t] = s->offset[last];
    s->key[t] = s->key[last];
    memcpy(s->top[t], s->top[last], sizeof *s->top);
    memcpy(s->corner[t], s->corner[last], sizeof *s->corner);
}

/* Removes the triangles that see p, and joins their rim to p. Returns 0 when the lists are full, or
 * when no triangle sees p. */
static int add_point(cover *s, scree_vec p, const uint32_t number[2])
{
    uint32_t n_rim = 0;
    const double slack = SEEN * s->size;
    if (s->n_points == MOST_POINTS)
        return 0;
    for (uint32_t t = s->n_triangles; t-- > 0;) {
        if (!(s->x[t] * p.x + s->y[t] * p.y + s->z[t] * p.z > s->offset[t] + slack))
            continue;
        for (uint32_t k = 0; k < 3; k++)
            n_rim = rim_turn(s->rim, n_rim, s->corner[t][k], s->corner[t][k < 2 ? k + 1 : 0]);
        drop_triangle(s, t);
    }
    if (n_rim == 0 || s->n_triangles + n_rim > MOST_TRIANGLES)
        return 0;
    memcpy(s->number[s->n_points], number, sizeof *s->number);
    s->point[s->n_points++] = p;
    for (uint32_t r = 0; r < n_rim; r++)
        add_triangle(s, s->rim[r][0], s->rim[r][1], s->n_points - 1);
    return 1;
}

static uint32_t closest(const cover *s)
{
    uint32_t best = 0;
    for (uint32_t t = 1; t < s->n_triangles; t++)
        best = s->key[t] < s->key[best] ? t : best;
    return best;
}

/* Lets the surface grow until each triangle is farther than the least depth, or done. */
static int grow(cover *s, double parted, double same, scree_vec *apart)
{
    for (;;) {
        const uint32_t t = closest(s);
        const scree_vec n = normal_of(s, t);
        if (s->key[t] > s->least + same)
            return COVER_LEAST;
        uint32_t top[2];
        const scree_vec p = support(s, n, top);
        const double depth = scree_dot(n, p);
        *apart = n;
        if (depth < -parted)
            return COVER_APART;
        s->least = scree_min(s->least, depth);
        if (!(s->least > TOUCHING * s->size))
            return COVER_UNKNOWN;
        if (depth - s->offset[t] <= CLOSE * s->least) {
            s->key[t] = (double)INFINITY;
            memcpy(s->top[t], top, sizeof top);
        } else if (!add_point(s, p, top)) {
            return COVER_UNKNOWN;
        }
    }
}

/* ---- the surface of the call before ---- */

/* Is each edge of a triangle, reversed, an edge of another one? Then the surface is closed. */
static int is_closed(const surface *of)
{
    uint32_t to[SURFACE_POINTS] = {0};
    for (uint32_t t = 0; t < of->n_triangles; t++)
        for (int k = 0; k < 3; k++) {
            const uint32_t from = of->triangle[t] >> 5 * k & 31u,
                           next = of->triangle[t] >> 5 * (k < 2 ? k + 1 : 0) & 31u;
            if (from >= of->n_points || next >= of->n_points || from == next ||
                to[from] >> next & 1u)
                return 0;
            to[from] |= 1u << next;
        }
    for (uint32_t i = 0; i < of->n_points; i++)
        for (uint32_t j = 0; j < i; j++)
            if ((to[i] >> j & 1u) != (to[j] >> i & 1u))
                return 0;
    return 1;
}

/* Takes a surface as the first one; 0: it cannot be one. */
static int load_surface(cover *s, const surface *of)
{
    if (of->n_points < 4 || of->n_points > SURFACE_POINTS ||
        of->n_triangles != 2 * of->n_points - 4)
        return 0;
    for (uint32_t i = 0; i < of->n_points; i++)
        if (of->corner[i][0] >= s->a->flat->n_vertices ||
            of->corner[i][1] >= s->b->flat->n_vertices)
            return 0;
    if (!is_closed(of))
        return 0;
    for (uint32_t i = 0; i < of->n_points; i++) {
        const uint32_t v = of->corner[i][0], w = of->corner[i][1];
        s->number[i][0] = v;
        s->number[i][1] = w;
        s->point[i] = scree_less(corner(s->a, v), 1.0, corner(s->b, w));
    }
    s->n_points = of->n_points;
    for (uint32_t t = 0; t < of->n_triangles; t++)
        add_triangle(s, of->triangle[t] & 31u, of->triangle[t] >> 5 & 31u,
                     of->triangle[t] >> 10 & 31u);
    return 1;
}

/* Keeps the surface, if it is small enough. */
static void save_surface(const cover *s, surface *to)
{
    uint8_t number[MOST_POINTS];
    uint32_t n = 0;
    to->n_points = to->n_triangles = 0;
    if (s->n_triangles > SURFACE_TRIANGLES || s->a->flat->n_vertices > UINT16_MAX ||
        s->b->flat->n_vertices > UINT16_MAX)
        return;
    memset(number, 0xff, sizeof number);
    for (uint32_t t = 0; t < s->n_triangles; t++) {
        uint32_t all = 0;
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t i = s->corner[t][k];
            if (number[i] == 0xff && n == SURFACE_POINTS)
                return;
            if (number[i] == 0xff) {
                to->corner[n][0] = (uint16_t)s->number[i][0];
                to->corner[n][1] = (uint16_t)s->number[i][1];
                number[i] = (uint8_t)n++;
            }
            all |= (uint32_t)number[i] << 5 * k;
        }
        to->triangle[t] = (uint16_t)all;
    }
    to->n_points = (uint16_t)n;
    to->n_triangles = (uint16_t)s->n_triangles;
}

/* ---- features next to a normal ---- */

/* A cone of directions about one; the angle is given as the distance of two unit vectors. */
typedef struct cone {
    scree_vec n;
    double lean;
    uint32_t top[2];
} cone;

static int is_near(scree_vec m, scree_vec n, double lean)
{
    const scree_vec d = scree_less(m, 1.0, n);
    const double most = lean + ANGLE;
    return scree_dot(d, d) <= most * most;
}

/* Lists the features of a polytope with few corners. */
static int list_few(const convex *c, scree_vec n, uint32_t top, double lean, double slack,
                    features *f)
{
    const polytope *p = c->flat;
    const scree_vec from = corner(c, top), way = turned_back(c, n);
    uint64_t in = 0;
    int fits = 1;
    for (uint32_t v = 0; v < p->n_vertices; v++) {
        const scree_vec d = scree_less(from, 1.0, corner(c, v));
        const double drop = scree_dot(n, d) - slack;
        if (drop <= 0.0 || drop * drop <= lean * lean * scree_dot(d, d))
            in |= 1ull << v;
    }
    for (uint32_t e = 0; e < p->n_edges; e++)
        if (in >> p->edges[e].from & in >> p->edges[e].to & 1)
            fits &= graph_insert(f->edge, &f->n_edges, MOST_FEATURES, e);
    for (uint32_t k = 0; k < p->n_faces; k++)
        if (is_near(p->normal[k], way, lean))
            fits &= graph_insert(f->face, &f->n_faces, MOST_FEATURES, k);
    return fits;
}

static int has_number(const uint32_t *list, uint32_t n, uint32_t number)
{
    for (uint32_t k = 0; k < n; k++)
        if (list[k] == number)
            return 1;
    return 0;
}

/* Lists the features of a polytope with a graph. */
static int list_near(const convex *c, scree_vec n, uint32_t top, double lean, double slack,
                     features *f)
{
    const polytope *p = c->flat;
    const graph *g = p->graph;
    const scree_vec way = turned_back(c, n);
    uint32_t list[MOST_FEATURES];
    const uint32_t count = graph_beside(c, n, top, lean, slack, list, MOST_FEATURES);
    int fits = count != SCREE_NONE;
    for (uint32_t i = 0; fits && i < count; i++)
        for (uint32_t k = g->first[list[i]]; fits && k < g->first[list[i] + 1]; k++) {
            const edge *e = &p->edges[g->edge[k]];
            if (list[i] < g->near[k] && has_number(list, count, g->near[k]))
                fits &= graph_insert(f->edge, &f->n_edges, MOST_FEATURES, g->edge[k]);
            for (int side = 0; side < 2; side++)
                if (is_near(p->normal[e->face[side]], way, lean))
                    fits &= graph_insert(f->face, &f->n_faces, MOST_FEATURES, e->face[side]);
        }
    return fits;
}

static int list_features(const convex *c, double sign, const cone *at, uint32_t top, double slack,
                         features *f)
{
    const scree_vec n = scree_scaled(sign, at->n);
    return c->flat->graph ? list_near(c, n, top, at->lean, slack, f)
                          : list_few(c, n, top, at->lean, slack, f);
}

/* Lists the directions of triangles within the distance `most`; SCREE_NONE: they are many, or
 * wide. */
static uint32_t list_cones(const cover *s, double most, cone *list)
{
    uint32_t n = 0;
    for (uint32_t t = 0; t < s->n_triangles; t++) {
        if (!(s->offset[t] <= most))
            continue;
        const double square = 2.0 - 2.0 * s->offset[t] / most;
        const cone at = {
            normal_of(s, t), sqrt(scree_max(square, 0.0)) + ANGLE, {s->top[t][0], s->top[t][1]}};
        uint32_t k = 0;
        while (k < n && !is_near(at.n, list[k].n, 0.0))
            k++;
        if (n == MOST_NEAR || !(at.lean < WIDEST) || !(s->offset[t] > 0.0))
            return SCREE_NONE;
        if (k < n)
            list[k].lean = scree_max(list[k].lean, at.lean + ANGLE);
        else
            list[n++] = at;
    }
    return n;
}

static void try_features(const convex *a, const convex *b, const features *of_a,
                         const features *of_b, axis *best)
{
    best->span.depth = (double)INFINITY;
    for (uint32_t k = 0; k < of_a->n_faces; k++)
        axes_face(a, b, 0, of_a->face[k], best);
    for (uint32_t k = 0; k < of_b->n_faces; k++)
        axes_face(a, b, 1, of_b->face[k], best);
    for (uint32_t k = 0; k < of_a->n_edges; k++) {
        const edge e = edge_of(a, of_a->edge[k]);
        for (uint32_t l = 0; l < of_b->n_edges; l++)
            axes_pair(a, b, of_a->edge[k], of_b->edge[l], &e, best);
    }
}

/* Searches from the first triangles on. */
static int search(cover *s, double parted, axis *out)
{
    const convex *a = s->a, *b = s->b;
    cone near[MOST_NEAR];
    features of_a, of_b;
    const double same =
        ROUNDED * s->size + 4.0 * (a->scale * a->flat->off + b->scale * b->flat->off);
    const int state = grow(s, parted, same, &out->span.normal);
    if (state != COVER_LEAST)
        return state;
    const double most = s->least + same;
    const uint32_t n = list_cones(s, most, near);
    int fits = n != SCREE_NONE && n > 0; // one triangle has an area: then the others cover the rest
    of_a.n_faces = of_a.n_edges = of_b.n_faces = of_b.n_edges = 0;
    for (uint32_t k = 0; fits && k < n; k++)
        fits = list_features(a, 1.0, &near[k], near[k].top[0], same, &of_a) &&
               list_features(b, -1.0, &near[k], near[k].top[1], same, &of_b);
    if (!fits)
        return COVER_UNKNOWN;
    try_features(a, b, &of_a, &of_b, out);
    return out->span.depth <= most && out->span.depth >= (1.0 - 2.0 * CLOSE) * s->least - same
               ? COVER_LEAST
               : COVER_UNKNOWN;
}

int cover_least(const convex *a, const convex *b, double range, surface *known, void *room,
                axis *out)
{
    cover *s = room;
    const double parted = range + 1e-9 * (a->radius + b->radius);
    int state = COVER_UNKNOWN;
    s->a = a;
    s->b = b;
    s->size = size_of(a, b);
    s->least = (double)INFINITY;
    s->n_triangles = 0;
    if (known && known->n_points > 0 && load_surface(s, known)) {
        state = search(s, parted, out);
        if (state == COVER_LEAST && s->n_points == known->n_points)
            return state;
    }
    if (state == COVER_UNKNOWN) {
        s->least = (double)INFINITY;
        s->n_triangles = 0;
        state = start(s, parted, &out->span.normal) ? search(s, parted, out) : COVER_APART;
    }
    if (known && state == COVER_LEAST)
        save_surface(s, known);
    return state;
}
