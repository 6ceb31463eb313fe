// SPDX-License-Identifier: Apache-2.0
/*
 * Facets of a surface that meet outside their common vertices and edges.
 *
 * Sources  S. Gottschalk, M. C. Lin, D. Manocha, OBBTree, SIGGRAPH 1996: separating axes.
 * Idea     Two convex sets are apart if and only if they are apart along a normal of a face of their
 *          Minkowski difference. For two triangles these are their normals, the products of their
 *          edges, and, if they are in one plane, the normals of their edges in it. The test depends
 *          on the common part of two triangles:
 *            nothing   they must be apart
 *            a vertex for each triangle the side opposite to it must be apart from the other
 *                      triangle: if they meet in a point, then also in all points between it and
 *                      the vertex, and further on in one of these sides
 *            an edge   they must not fold onto each other
 *          They must be apart by more than rounding, 1e-13 of their size: facets that touch are
 *          refused, too.
 * Cost     pairs whose boxes meet along the longest axis; of a grid of n facets n^(3/2).
 */
#include "polyhedron.h"

#define ROUNDING 1e-13
#define FOLDED 1e-6 /* largest sine of the angle between two facets that counts as 0 */

/** A triangle, or with n = 2 a segment, from the first vertex of the pair as its origin. */
typedef struct piece {
    uint32_t n;
    double x[3][3];
} piece;

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Side e of a piece; returns its length. */
static void side_of(const piece *p, uint32_t e, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = p->x[(e + 1) % p->n][k] - p->x[e][k];
}

static void range_of(const piece *p, const double axis[3], double range[2])
{
    range[0] = range[1] = dot(p->x[0], axis);
    for (uint32_t i = 1; i < p->n; i++) {
        const double at = dot(p->x[i], axis);
        range[0] = scree_min(at, range[0]);
        range[1] = scree_max(at, range[1]);
    }
}

static int is_apart_along(const piece *a, const piece *b, const double axis[3], double size)
{
    double one[2], other[2];
    const double least = ROUNDING * size * sqrt(dot(axis, axis));
    range_of(a, axis, one);
    range_of(b, axis, other);
    return other[0] - one[1] > least || one[0] - other[1] > least;
}

/** Are two pieces apart? `a` is a triangle. */
static int is_apart(const piece *a, const piece *b, double size)
{
    double side[2][3][3], normal[2][3] = {{0.0}, {0.0}}, axis[3];
    const piece *const both[2] = {a, b};
    for (int p = 0; p < 2; p++) {
        for (uint32_t e = 0; e < both[p]->n; e++)
            side_of(both[p], e, side[p][e]);
        if (both[p]->n == 3) {
            cross(side[p][0], side[p][1], normal[p]);
            if (is_apart_along(a, b, normal[p], size))
                return 1;
        }
    }
    for (uint32_t i = 0; i < a->n; i++)
        for (uint32_t j = 0; j < b->n; j++) {
            cross(side[0][i], side[1][j], axis);
            if (is_apart_along(a, b, axis, size))
                return 1;
        }
    for (int p = 0; p < 2; p++)
        for (uint32_t e = 0; e < both[p]->n; e++) {
            cross(normal[p == 0 || b->n == 2 ? 0 : 1], side[p][e], axis);
            if (is_apart_along(a, b, axis, size))
                return 1;
        }
    return 0;
}

/** Sets two pieces from facets, relative to the first vertex of f; returns the largest
 * coordinate. */
static double set_pieces(const mesh_surface *s, uint32_t f, uint32_t g, piece *a, piece *b)
{
    const uint32_t *const corner[2] = {s->facet + 4 * (size_t)f, s->facet + 4 * (size_t)g};
    piece *const both[2] = {a, b};
    double size = 0.0;
    for (int p = 0; p < 2; p++) {
        both[p]->n = 3;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) {
                both[p]->x[i][k] = s->vertex[k][corner[p][i]] - s->vertex[k][corner[0][0]];
                size = scree_max(size, fabs(both[p]->x[i][k]));
            }
    }
    return size;
}

/** The side of a triangle that is opposite to corner c. */
static piece opposite(const piece *p, uint32_t c)
{
    piece side = {.n = 2};
    for (uint32_t i = 0; i < 2; i++)
        memcpy(side.x[i], p->x[(c + 1 + i) % 3], sizeof side.x[i]);
    return side;
}

static int is_folded(const piece *a, const piece *b)
{
    double u[3], v[3], n[2][3], turn[3];
    const piece *const both[2] = {a, b};
    for (int p = 0; p < 2; p++) {
        side_of(both[p], 0, u);
        side_of(both[p], 1, v);
        cross(u, v, n[p]);
    }
    cross(n[0], n[1], turn);
    return dot(n[0], n[1]) < 0.0 &&
           dot(turn, turn) <= FOLDED * FOLDED * dot(n[0], n[0]) * dot(n[1], n[1]);
}

static int do_meet(const mesh_surface *s, uint32_t f, uint32_t g)
{
    const uint32_t *cf = s->facet + 4 * (size_t)f, *cg = s->facet + 4 * (size_t)g;
    uint32_t shared = 0, at_f = 0, at_g = 0;
    piece a, b;
    const double size = set_pieces(s, f, g, &a, &b);
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t j = 0; j < 3; j++)
            if (cf[i] == cg[j]) {
                shared++;
                at_f = i;
                at_g = j;
            }
    if (shared == 0)
        return !is_apart(&a, &b, size);
    if (shared > 1)
        return is_folded(&a, &b);
    const piece of_f = opposite(&a, at_f), of_g = opposite(&b, at_g);
    return !is_apart(&a, &of_g, size) || !is_apart(&b, &of_f, size);
}

/* ---- the sweep ---- */

typedef struct facet_box {
    double lo[3], hi[3]; // the axis of the sweep first
    uint32_t facet;
} facet_box;

static int compare_boxes(const void *pa, const void *pb)
{
    const facet_box *a = pa, *b = pb;
    if (a->lo[0] != b->lo[0])
        return a->lo[0] < b->lo[0] ? -1 : 1;
    return a->facet < b->facet ? -1 : a->facet > b->facet;
}

static int longest_axis(const mesh_surface *s)
{
    double length[3];
    for (int k = 0; k < 3; k++) {
        double lo = HUGE_VAL, hi = -HUGE_VAL;
        for (uint32_t v = 0; v < s->view.n_vertices; v++) {
            lo = scree_min(s->vertex[k][v], lo);
            hi = scree_max(s->vertex[k][v], hi);
        }
        length[k] = hi - lo;
    }
    return length[0] >= length[1] ? (length[0] >= length[2] ? 0 : 2)
                                  : (length[1] >= length[2] ? 1 : 2);
}

static void set_box(const mesh_surface *s, uint32_t facet, int axis, facet_box *b)
{
    b->facet = facet;
    for (int k = 0; k < 3; k++) {
        const double *x = s->vertex[(axis + k) % 3];
        const uint32_t *f = s->facet + 4 * (size_t)facet;
        b->lo[k] = scree_min(scree_min(x[f[0]], x[f[1]]), x[f[2]]);
        b->hi[k] = scree_max(scree_max(x[f[0]], x[f[1]]), x[f[2]]);
    }
}

int polyhedron_find_crossings(const mesh_surface *s, uint32_t most, uint32_t (*pair)[2],
                              uint64_t *n)
{
    const uint32_t count = s->view.n_facets;
    facet_box *box = malloc(((size_t)count + 1) * sizeof *box);
    const int axis = longest_axis(s);
    *n = 0;
    if (!box)
        return 0;
    for (uint32_t i = 0; i < count; i++)
        set_box(s, i, axis, box + i);
    qsort(box, count, sizeof *box, compare_boxes);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count && box[j].lo[0] <= box[i].hi[0]; j++) {
            const facet_box *a = box + i, *b = box + j;
            if (a->lo[1] > b->hi[1] || b->lo[1] > a->hi[1] || a->lo[2] > b->hi[2] ||
                b->lo[2] > a->hi[2] || !do_meet(s, a->facet, b->facet))
                continue;
            if (*n < most) {
                pair[*n][0] = a->facet < b->facet ? a->facet : b->facet;
                pair[*n][1] = a->facet < b->facet ? b->facet : a->facet;
            }
            ++*n;
        }
    free(box);
    return 1;
}
