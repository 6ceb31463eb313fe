// SPDX-License-Identifier: Apache-2.0
/*
 * eccentricity: how far the centroid of an overlap is from the line on which its push acts, and slopes.
 *
 * Sources  ours. The kern of a base: E. Winkler, Die Lehre von der Elasticitaet und Festigkeit, 1867.
 * Idea     With R and S of the arcs of the body that moves (overlap.c), the push acts on the line of all m with
 *          R · m = S. The centroid c of the overlap, of area A, is off by (R · c - S) / |R| along the chord,
 *          which is |R| long: e = (R · c - S) / sqrt(|R|^4 + A^2). A trapezoid of mean depth d over a chord L,
 *          turned by t, has e = t L / (12 d), d << L: springs along the chord, compressed by their own depths,
 *          then have the energy 1 + 12 e² times that of the mean depth. A^2 matters where bodies overlap deeply:
 *          R and S go to 0 as one gets inside of the other, and e with them, smoothly.
 *          Slopes. Where the body moves with the velocity u, an integral of f over the overlap grows by that of
 *          f n·u over its arcs. A crossing goes along the side that stays, by n·u / n·g, n: normal of the
 *          side that moves, g: direction of the one that stays. All follow in closed form.
 * Limits   where sides are parallel to rounding at a crossing, its slope counts as 0.
 */
#include "eccentricity.h"

#include <math.h>

static double dot_of(const double p[2], const double q[2])
{
    return p[0] * q[0] + p[1] * q[1];
}

static double cross_of(const double p[2], const double q[2])
{
    return p[0] * q[1] - p[1] * q[0];
}

/* The flux n·u ds through a side is that of d turned right: d_y, -d_x, and -r·dr for a turn. */
void eccentricity_sum_side(eccentricity_sums *sums, int moves, const double p[2], const double q[2])
{
    const double d[2] = {q[0] - p[0], q[1] - p[1]}, twice = cross_of(p, q);
    const double along = dot_of(p, d), square = dot_of(d, d);
    sums->area += 0.5 * twice;
    for (int k = 0; k < 2; k++)
        sums->first[k] += twice * (p[k] + q[k]) / 6.0;
    if (!moves)
        return;
    sums->d_area[0] += d[1];
    sums->d_area[1] -= d[0];
    sums->d_area[2] -= along + 0.5 * square;
    for (int k = 0; k < 2; k++) {
        const double middle = p[k] + 0.5 * d[k];
        sums->d_first[0][k] += middle * d[1];
        sums->d_first[1][k] -= middle * d[0];
        sums->d_first[2][k] -= p[k] * (along + 0.5 * square) + d[k] * (0.5 * along + square / 3.0);
    }
}

void eccentricity_sum_end(eccentricity_sums *sums, double sign, const double p[2],
                          const double stays[2], const double moves[2])
{
    const double u[3][2] = {{1.0, 0.0}, {0.0, 1.0}, {-p[1], p[0]}};
    const double sine = cross_of(moves, stays), inverse = sine == 0.0 ? 0.0 : 1.0 / sine;
    sums->moment += 0.5 * sign * dot_of(p, p);
    for (int k = 0; k < 2; k++)
        sums->across[k] += sign * p[k];
    for (int m = 0; m < 3; m++) {
        const double by = sign * cross_of(moves, u[m]) * inverse;
        for (int k = 0; k < 2; k++)
            sums->d_across[m][k] += by * stays[k];
        sums->d_moment[m] += by * dot_of(p, stays);
    }
}

eccentricity eccentricity_of(const eccentricity_sums *sums, const double at[2])
{
    if (sums->plain)
        return (eccentricity){.value = 0.0};
    const double *r = sums->across, square = dot_of(r, r), area = sums->area;
    const double over = sqrt(square * square + area * area);
    const double chord = sqrt(square);
    double slope[3], lengthens[3];
    if (!(over > 0.0) || !(area > 0.0))
        return (eccentricity){.value = 0.0};
    const double c[2] = {sums->first[0] / area, sums->first[1] / area};
    const double value = (dot_of(r, c) - sums->moment) / over;
    for (int m = 0; m < 3; m++) {
        const double *d_r = sums->d_across[m], *d_first = sums->d_first[m];
        const double d_area = sums->d_area[m];
        const double d_c[2] = {(d_first[0] - c[0] * d_area) / area,
                               (d_first[1] - c[1] * d_area) / area};
        const double d_over = (2.0 * square * dot_of(r, d_r) + area * d_area) / over;
        slope[m] = (dot_of(r, d_c) + dot_of(d_r, c) - sums->d_moment[m] - value * d_over) / over;
        lengthens[m] = chord > 0.0 ? dot_of(r, d_r) / chord : 0.0;
        if (!isfinite(slope[m]) || !isfinite(lengthens[m]))
            return (eccentricity){.value = 0.0};
    }
    return (eccentricity){.value = value,
                          .slope = {slope[0], slope[1]},
                          .turn = slope[2] + slope[0] * at[1] - slope[1] * at[0],
                          .chord_slope = {lengthens[0], lengthens[1]},
                          .chord_turn = lengthens[2] + lengthens[0] * at[1] - lengthens[1] * at[0]};
}
