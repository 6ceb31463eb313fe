/* SPDX-License-Identifier: Apache-2.0 */
/* Eccentricity of an overlap in the plane: sums along its border, and their slopes. */
#ifndef RESOLVER_OVERLAP_ECCENTRICITY_H
#define RESOLVER_OVERLAP_ECCENTRICITY_H

#include "scree/resolver.h"

/** Eccentricity of a contact and how it and the chord change, see scree/resolver.h. */
typedef struct eccentricity {
    double value, slope[2], turn;      // [-] [1/m] [1/rad]
    double chord_slope[2], chord_turn; // [-] [m/rad]
} eccentricity;

/** Writes contact c. */
static inline void eccentricity_put(const eccentricity *of, scree_contacts *out, uint32_t c)
{
    out->eccentricity[c] = of->value;
    out->eccentricity_turn[c] = of->turn;
    out->chord_turn[c] = of->chord_turn;
    for (int k = 0; k < 2; k++) {
        out->eccentricity_slope[k][c] = of->slope[k];
        out->chord_slope[k][c] = of->chord_slope[k];
    }
}

/** Sums over the border of a piece of overlap, about the origin of the caller. One body stays, the other
 * moves along x, along y, or turns about the origin: in d_* each sum has a slope for each of the three. */
typedef struct eccentricity_sums {
    double area, first[2];    // [m^2] [m^3] the piece, and the integral of the place over it
    double across[2], moment; // [m] [m^2] see overlap_arcs, of the arcs of the body that moves
    double d_area[3], d_first[3][2], d_across[3][2], d_moment[3];
    int plain; // 1: nobody asks for the eccentricity, nothing is added
} eccentricity_sums;

/** Adds a side of the border from p to q, counterclockwise about the piece, of the body that moves or
 * of the one that stays. */
void eccentricity_sum_side(eccentricity_sums *sums, int moves, const double p[2],
                           const double q[2]);
static inline void eccentricity_add_side(eccentricity_sums *sums, int moves, const double p[2],
                                         const double q[2])
{
    if (!sums->plain)
        eccentricity_sum_side(sums, moves, p, q);
}

/** Adds the crossing at p of a side of the body that stays with one of the body that moves, both given by
 * their directions, of any length. sign: 1, an arc of the body that moves ends there; -1, it starts. */
void eccentricity_sum_end(eccentricity_sums *sums, double sign, const double p[2],
                          const double stays[2], const double moves[2]);
static inline void eccentricity_add_end(eccentricity_sums *sums, double sign, const double p[2],
                                        const double stays[2], const double moves[2])
{
    if (!sums->plain)
        eccentricity_sum_end(sums, sign, p, stays, moves);
}

/** The eccentricity, when a moves; `at`: the contact point. */
eccentricity eccentricity_of(const eccentricity_sums *sums, const double at[2]);

#endif
