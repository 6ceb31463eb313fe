/* SPDX-License-Identifier: Apache-2.0 */
/* The least overlap of two smooth bodies, by Newton's method and a proof that it is the least. */
#ifndef GJK_ROLL_H
#define GJK_ROLL_H

#include "convex.h"

enum {
    ROLL_UNKNOWN, /* no proof: another search is needed */
    ROLL_LEAST,   /* *out has the least depth of all directions */
    ROLL_FAR      /* the gap is larger than `range`; *out has an axis along which they are apart */
};

/** [m] The radius of a ball that rolls freely inside the set of differences a - b; 0: none is
 * known, or roll_span() does not serve the pair. */
double roll_radius(const convex *a, const convex *b);

/** 1: a depth is the least of all directions, up to rounding, if the points of its span miss by `off`
 * across the normal. */
int roll_proves(const convex *a, const convex *b, double depth, double off);

/** The span of the least depth. ROLL_UNKNOWN: *out is where the search ended, with a depth that is
 * infinite if it did not begin. */
int roll_span(const convex *a, const convex *b, double range, span *out);

#endif
