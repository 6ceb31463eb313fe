/* SPDX-License-Identifier: Apache-2.0 */
/* Outlines and their poses, for the resolver `closest_feature`. */
#ifndef CLOSEST_FEATURE_OUTLINE_H
#define CLOSEST_FEATURE_OUTLINE_H

#include "exact.h"
#include "scree/sdk.h"

/* A vertex is left out when it is off the line of its neighbours by less than this part of the
 * radius. STRAIGHT exceeds the rounding of a placed outline. So a placed convex outline is convex
 * to the last bit, as the searches need. */
#define STRAIGHT 4e-15

/* Bits of outline.kind. */
#define OUTLINE_LINE 1u      /* open: no edge from last to first vertex, solid to the left */
#define OUTLINE_RAY_FIRST 2u /* the first edge of a line is not the body's, see walls.c */
#define OUTLINE_RAY_LAST 4u

/** The outline of a shape at scale 1: counterclockwise, edge k from vertex k to k + 1. */
typedef struct outline {
    uint32_t n; /* vertices; 0: not prepared */
    int32_t convex;
    double area;            /* [m^2] */
    double radius;          /* [m] radius of a ball about the origin */
    point *vertex;          /* [n] [m] */
    point *normal;          /* [n] unit normal of edge k, out of the solid */
    uint32_t *named;        /* [n] number of the vertex in the view */
    struct outline *parts;  /* [n_parts] convex parts; only by distance, and if it is not convex */
    uint32_t n_parts, kind; /* kind: OUTLINE_*, or 0 when closed */
} outline;

/** The number of convex parts; a convex outline is its own. */
static inline uint32_t parts_of(const outline *o)
{
    return o->convex ? 1 : o->n_parts;
}

/** The number of edges. */
static inline uint32_t edges_of(const outline *o)
{
    return o->kind & OUTLINE_LINE ? o->n - 1 : o->n;
}

/** [config] Makes the outline of a view; n = 0: no memory. */
outline outline_new(const scree_outline *view);
void outline_clear(outline *o);
uint64_t outline_bytes(const outline *o);
/** [config] The view of facets that are one closed border; the caller frees it. NULL: the facets are
 * not one closed border, or memory is missing. */
scree_outline *outline_of_mesh(const scree_mesh *mesh);
/** [config] 1: convex, once vertices on straight lines are left out. */
int outline_is_convex(const scree_outline *view);

/** An outline with a pose: a vertex v is at `at` + turn v, turn = (c, -s; s, c). */
typedef struct placed {
    const outline *of;
    double c, s;     /* [-] scale times cosine and sine */
    double cos, sin; /* [-] */
    point at;        /* [m] */
    double scale;    /* [-] */
    int32_t second;  /* 1: this is outline b, see side_of() */
    int32_t plain;   /* 1: nobody asks for the eccentricity of its overlaps */
} placed;

static inline uint32_t after(const placed *p, uint32_t k)
{
    return k + 1 < p->of->n ? k + 1 : 0;
}

static inline uint32_t before(const placed *p, uint32_t k)
{
    return k > 0 ? k - 1 : p->of->n - 1;
}

static inline uint32_t stepped_back(const placed *p, uint32_t k, uint32_t by)
{
    return (k + p->of->n - by % p->of->n) % p->of->n;
}

static inline point vertex_at(const placed *p, uint32_t k)
{
    point v = p->of->vertex[k];
    return (point){p->at.x + (p->c * v.x - p->s * v.y), p->at.y + (p->s * v.x + p->c * v.y)};
}

static inline point normal_at(const placed *p, uint32_t k)
{
    point v = p->of->normal[k];
    return (point){p->cos * v.x - p->sin * v.y, p->sin * v.x + p->cos * v.y};
}

/** The side of a vertex r of the other outline: 1 left, -1 right of the line from vertex k to l of
 * p. It is never 0: for a vertex on the line, b counts as moved by (h, h^2) with a small h. So all
 * answers fit together, and no outline passes exactly through a vertex of the other. */
static inline int side_of_points(point k, point l, point r, int second)
{
    int side = orient(k, l, r);
    if (side)
        return side;
    side = l.y != k.y ? (l.y > k.y ? -1 : 1) : (l.x > k.x ? 1 : -1);
    return second ? -side : side;
}

static inline int side_of(const placed *p, uint32_t k, uint32_t l, point r)
{
    return side_of_points(vertex_at(p, k), vertex_at(p, l), r, p->second);
}

/** Do edge i of a and edge j of b cross? */
static inline int edges_cross(const placed *a, uint32_t i, const placed *b, uint32_t j)
{
    point a0 = vertex_at(a, i), a1 = vertex_at(a, after(a, i));
    point b0 = vertex_at(b, j), b1 = vertex_at(b, after(b, j));
    return side_of_points(a0, a1, b0, 0) != side_of_points(a0, a1, b1, 0) &&
           side_of_points(b0, b1, a0, 1) != side_of_points(b0, b1, a1, 1);
}

/** Is a vertex r of the other outline inside a convex p? Uses a fan from vertex 0. */
int convex_holds(const placed *p, point r);
/** The same for any outline; uses the edges to the right of r. */
int outline_holds(const placed *p, point r);

/** Places body i at `at`. */
placed outline_place(const outline *o, const scree_bodies *bodies, uint32_t i, point at,
                     int second);

#endif
