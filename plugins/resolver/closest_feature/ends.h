/* SPDX-License-Identifier: Apache-2.0 */
/* Contacts by distance of two convex outlines. */
#ifndef CLOSEST_FEATURE_ENDS_H
#define CLOSEST_FEATURE_ENDS_H

#include "../overlap/eccentricity.h"
#include "penetration.h"

enum { MOST_ENDS = 4 };

/** A contact of a pair, relative to the origin of the search. */
typedef struct touch {
    point normal, at;   /* [-] [m] */
    double depth, area; /* [m] [m^2] */
    double chord, turn; /* [m] [m^2/rad] see overlap.h */
    uint64_t feature;
    eccentricity off; /* only of overlaps */
} touch;

typedef struct end_touches {
    touch list[MOST_ENDS];
    uint32_t n;
} end_touches;

/** The feature of a contact at a vertex: bit 0 is 1 if it is a vertex of b; the next 32 bits are the
 * vertex; the rest is the number of the pair of convex parts, plus 1. */
#define ENDS_BASE(pair) ((uint64_t)((pair) + 1) << 33)
static inline uint64_t ends_pair(uint64_t feature)
{
    return (feature >> 33) - 1;
}
static inline uint32_t ends_vertex(uint64_t feature)
{
    return (uint32_t)(feature >> 1);
}
static inline int ends_of_b(uint64_t feature)
{
    return (int)(feature & 1);
}

/** Finds the contacts of two outlines whose least overlap or gap is at the features of `f`. */
void ends_of(const placed *a, const placed *b, const facing *f, const gap *least, uint64_t base,
             end_touches *out);

/** Finds the contacts of two outlines across a gap: one, or both ends of sides that face each
 * other. */
void ends_across(const placed *a, const placed *b, const gap *across, uint64_t base,
                 end_touches *out);

/** Drops touches that are out of range; a kept pair keeps its deepest touch. */
void ends_keep(const scree_candidates *in, uint32_t p, end_touches *e);

#endif
