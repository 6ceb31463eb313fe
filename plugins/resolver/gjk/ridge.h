/* SPDX-License-Identifier: Apache-2.0 */
/* Minima of the overlap in a crease of the support functions, as of a straight bar or a flat end. */
#ifndef GJK_RIDGE_H
#define GJK_RIDGE_H

#include "convex.h"

/** Two bodies, of which one may have faces; then only one corner of it counts. */
typedef struct pair {
    const convex *a, *b;
    const convex *faces; /* the body with faces, a or b; NULL: neither has */
    double sign;         /* sign of the outward normals of `faces` along n */
    double size;         /* [m] */
    scree_vec fixed;     /* [m] the corner that counts, if it has faces */
} pair;

/** w(n) [m]: from b's farthest point along -n to a's along n. */
static inline scree_vec difference(const pair *p, scree_vec n)
{
    const scree_vec on_a = p->faces == p->a ? p->fixed : convex_farthest(p->a, n, NULL);
    const scree_vec back = scree_scaled(-1.0, n);
    return scree_less(on_a, 1.0, p->faces == p->b ? p->fixed : convex_farthest(p->b, back, NULL));
}

/** The zero of the slope on the arc from n1 to n2, which are not opposite, where it goes from below 0
 * to above; 0: it does not. */
int ridge_arc(const pair *p, scree_vec n1, scree_vec n2, scree_vec *n);

/** Goes on to a minimum from where Newton's method ended: at one already, or in a crease. */
scree_vec ridge_descend(const pair *p, scree_vec n);

/** The points of a span, whose middle is the contact point. When a body has several farthest
 * points, those opposite each other are chosen. Returns the distance [m] by which they miss: 0 at a
 * minimum. */
double ridge_points(const convex *a, const convex *b, span *s);

/** The same with directions ever farther from the normal, until the points miss by at most `enough`
 * [m]. */
void ridge_points_wide(const convex *a, const convex *b, double enough, span *s);

#endif
