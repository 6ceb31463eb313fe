/* SPDX-License-Identifier: Apache-2.0 */
/* The one contact of an overlap in space: its volume, and how that grows as a moves. */
#ifndef RESOLVER_SOLID_GROWTH_H
#define RESOLVER_SOLID_GROWTH_H

#include "manifold.h"

/** The bed of an overlap (scree/resolver.h); moving a by dx and turning it by dr about some point adds
 * slope·dx + turn·dr. */
typedef struct solid_bed {
    double value;          /* [m^4] */
    scree_vec slope, turn; /* [m^3] [m^4/rad] */
} solid_bed;

/** Volume of an overlap, about x_a: moving a by dx and turning it by dr about x_a adds gradient·dx +
 * moment·dr. */
typedef struct solid_growth {
    double volume;                        /* [m^3] */
    scree_vec gradient, moment, centroid; /* [m^2] [m^3/rad] [m] */
    solid_bed bed;                        /* about x_a; zeros if no law asks for it */
} solid_growth;

/** The contact, in the same axes. */
typedef struct solid_overlap {
    double volume, area, depth, twist; /* [m^3] [m^2] [m] [m^3/rad] */
    scree_vec normal, at;              /* [-] from a to b; [m] from x_a */
    solid_bed bed;                     /* about the contact point */
} solid_overlap;

/** [lane] 0: no volume. `d` leads to b; radius [m] of a; `reach` [m] of both. */
int solid_overlap_of(const solid_growth *of, scree_vec d, double radius, double reach,
                     solid_overlap *out);

/** Writes the contact of pair p, when contacts are those of the overlap. */
void solid_put_overlap(scree_contacts *out, uint32_t p, const solid_overlap *of);
/** Writes a gap in the same way. */
void solid_put_gap(scree_contacts *out, uint32_t p, const solid_touch *touch);

#endif
