/* SPDX-License-Identifier: Apache-2.0 */
/* Resolver `gjk`: round solids with flat ends or a straight mantle, which touch along a line or a face. */
#ifndef GJK_SPREAD_H
#define GJK_SPREAD_H

#include "touch.h"

/** Where a solid of revolution about one of its axes is straight or flat, at scale 1 in the frame of
 * its shape. */
typedef struct spread {
    double half;   /* [m] half of the straight mantle's length; 0: nothing was found */
    double radius; /* [m] radius of the mantle */
    uint32_t ends; /* 1: flat, a cylinder; 0: half balls, a capsule */
    uint32_t axis; /* number of the axis, 0 to 2 */
} spread;

/** Asks the support function about the three axes. *flat: 1 when some face across an axis is flat, of
 * whatever form. */
spread spread_find(const scree_support *view, uint32_t *flat);

#define SPREAD_POINTS 8

/** Points of a body next to a flat place whose outward normal is -n, and their numbers, 0 to 7: a
 * capsule has those of its two balls, a cylinder four on the rim of each end. `level` [m]: n·x
 * there. */
uint32_t spread_points(const convex *c, scree_vec n, double level, scree_vec *points,
                       uint32_t *numbers);

/** Does the mantle lie along a face whose outward normal is -n? Also the ends of the line. */
int spread_line(const convex *c, scree_vec n, scree_vec end[2]);

/** Can two of the points follow each other in a contact? */
int spread_adjoins(uint32_t i, uint32_t j);

/** Can two bodies touch along a line or face that touch_polytopes() does not handle? */
int spread_meets(const convex *a, const convex *b);

/** Adds the touches of a line or face that a and b share; `best`: their least overlap; `turned`: the
 * axes of b, not of a, place the points of two round faces. */
void touch_spread(const convex *a, const convex *b, double range, const span *best, int turned,
                  touches *out);

#endif
