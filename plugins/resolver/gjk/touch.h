/* SPDX-License-Identifier: Apache-2.0 */
/* Resolver `gjk`: contacts of a pair before they are written. */
#ifndef GJK_TOUCH_H
#define GJK_TOUCH_H

#include "axes.h"
#include "least.h"

/* Pairs of features that touch; the name of a contact is its type, a number of a wall or of a, and one of the body or
 * of b. */
enum {
    TOUCH_ONE,
    TOUCH_CORNER,
    TOUCH_OTHER_CORNER,
    TOUCH_CROSSING,
    TOUCH_EDGE,
    TOUCH_TIP,
    TOUCH_GAP,
    TOUCH_SPREAD /* points of a line or a round face: spread.h */
};

#define FEATURE_BITS 29 /* bits of the second number */

static inline uint64_t feature_of(uint32_t type, uint64_t i, uint64_t j)
{
    return (uint64_t)type << 61 | i << FEATURE_BITS | j;
}

static inline uint32_t feature_type(uint64_t feature)
{
    return (uint32_t)(feature >> 61);
}

static inline uint32_t feature_first(uint64_t feature)
{
    return (uint32_t)(feature >> FEATURE_BITS);
}

static inline uint32_t feature_second(uint64_t feature)
{
    return (uint32_t)feature & ((1u << FEATURE_BITS) - 1);
}

typedef struct touch {
    scree_vec normal, at; /* [-] [m] */
    double depth;         /* [m] */
    uint64_t feature;
    uint32_t facet; /* facet of a wall, else 0 */
    uint32_t ahead; /* at a wall: 1 + the facet that replaces this touch, if touched; else 0 */
} touch;

typedef struct touches {
    touch *list;
    uint32_t n, capacity;
} touches;

static inline void add_touch(touches *t, scree_vec n, double depth, scree_vec at, uint64_t feature)
{
    if (t->n < t->capacity)
        t->list[t->n] = (touch){.normal = n, .depth = depth, .at = at, .feature = feature};
    t->n += t->n < t->capacity;
}

/** The contact point of a span: the middle of its two points, seen from a ball if one touches. */
static inline scree_vec span_point(const convex *a, const convex *b, const span *s)
{
    if (!a->flat && !a->view)
        return scree_less(a->centre, 0.5 * s->depth - a->radius, s->normal);
    if (!b->flat && !b->view)
        return scree_less(b->centre, b->radius - 0.5 * s->depth, s->normal);
    return middle_of(s->on_a, s->on_b);
}

/** Face `f` of a polytope on face `g` of another one that is nearly parallel to it: adds corners of
 * each over the other and crossings of their edges, with a depth of at least -range. If `best` is a
 * gap, they are gaps, too. */
void add_faces(const convex *a, const convex *b, uint32_t f, uint32_t g, double range,
               const axis *best, touches *out);

/** Drops overlaps from number `first` on, where the least depth is a gap. */
void drop_overlaps(const axis *least, uint32_t first, touches *out);

/** Adds corners of a over face g of b; corners that miss it by less than `slack` [m] count, too. */
void add_corners(const convex *a, const convex *b, uint32_t g, double range, double slack,
                 touches *out);

/** The edge of a polytope between two of its corners. */
uint32_t edge_between(const convex *c, uint32_t v, uint32_t w);

#define ALIGNED 0.965    /* cosine of 15 degrees: faces that lie on each other */
#define BESIDE_FACE 1e-7 /* part of the size: corners closer than this to an edge are on it */

/** Sorts touches by feature and keeps the deepest of equal ones. If any touch is within `range`,
 * drops those that are not; otherwise keeps only the deepest. */
void tidy(touches *t, double range);

/** Contacts of two polytopes. */
void touch_polytopes(const convex *a, const convex *b, double range, const axis *best,
                     touches *out);

#endif
