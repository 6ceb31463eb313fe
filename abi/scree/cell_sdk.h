/* SPDX-License-Identifier: MIT */
/* How space repeats: shifts, unwrapped places, nearest images. Inline helpers, never part of the
 * ABI. */
#ifndef SCREE_CELL_SDK_H
#define SCREE_CELL_SDK_H

#include <math.h>
#include <string.h>

#include "types.h"

/** Adds up lattice vectors, s[k] times vector[k]: out = (s[0] vector[0] + s[1] vector[1]) + s[2]
 * vector[2] [m]. The host uses the same order, so that the bits agree. */
static inline void scree_shift(const scree_cell *cell, const int32_t s[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] =
            (s[0] * cell->vector[0][k] + s[1] * cell->vector[1][k]) + s[2] * cell->vector[2][k];
}

/** Writes the place [m] of body i on its path through the cells: x + the sum of image[k]
 * vector[k]. */
static inline void scree_unwrapped(const scree_bodies *b, uint32_t i, double out[3])
{
    const int32_t s[3] = {b->image[0][i], b->image[1][i], b->image[2][i]};
    scree_shift(b->cell, s, out);
    for (int k = 0; k < 3; k++)
        out[k] = b->x[k][i] + out[k];
}

/** Returns whether space repeats along vector[k]. */
static inline int scree_repeats(const scree_cell *cell, int k)
{
    return (int)(cell->repeats >> k & 1u);
}

/** Returns whether a vector has parts along other axes than its own. */
static inline int scree_is_tilted(const scree_cell *cell)
{
    const double(*v)[3] = cell->vector;
    return (v[0][1] != 0.0) | (v[0][2] != 0.0) | (v[1][0] != 0.0) | (v[1][2] != 0.0) |
           (v[2][0] != 0.0) | (v[2][1] != 0.0);
}

/** Sets s[k] to the number of lattice vectors that bring a place x [m] into the brick, lo <= x < hi
 * where space repeats: first along z, then y, then x. Sets `by` [m] to the sum of these vectors.
 * Returns 1, or 0 with by = 0 where one vector is needed `most` times or more. */
static inline int scree_wrap(const scree_cell *cell, const double x[3], int32_t most, int32_t s[3],
                             double by[3])
{
    s[0] = s[1] = s[2] = 0;
    by[0] = by[1] = by[2] = 0.0;
    for (int k = 2; k >= 0; k--) {
        const double at = x[k] + by[k], least = cell->lo[k];
        double cells;
        if (!scree_repeats(cell, k) || (at >= least && at < cell->hi[k]))
            continue;
        cells = -floor((at - least) / cell->vector[k][k]);
        if (!(fabs(cells) < most)) {
            by[0] = by[1] = by[2] = 0.0;
            return 0;
        }
        s[k] = (int32_t)cells;
        scree_shift(cell, s, by);
    }
    return 1;
}

/** Returns the volume [m^3] of the brick, which holds each place once; in 2D its area [m^2]. */
static inline double scree_cell_volume(const scree_cell *cell)
{
    const double z = cell->hi[2] - cell->lo[2];
    return (cell->hi[0] - cell->lo[0]) * (cell->hi[1] - cell->lo[1]) * (z > 0.0 ? z : 1.0);
}

/** Writes orthogonal unit vectors e[k] such that vector[k] is a sum of multiples of e[0] to e[k].
 * length[k] [m] is the part of vector[k] along e[k]; 0: space does not repeat. Returns whether a
 * vector also has parts along other e[j]. */
static inline int scree_cell_axes(const scree_cell *cell, double e[3][3], double length[3])
{
    int tilted = 0;
    for (int k = 0; k < 3; k++) {
        double square = 0.0;
        memcpy(e[k], cell->vector[k], sizeof e[k]);
        for (int j = 0; j < k; j++) {
            const double along = e[k][0] * e[j][0] + e[k][1] * e[j][1] + e[k][2] * e[j][2];
            tilted |= along != 0.0;
            for (int i = 0; i < 3; i++)
                e[k][i] -= along * e[j][i];
        }
        for (int i = 0; i < 3; i++)
            square += e[k][i] * e[k][i];
        length[k] = sqrt(square);
        for (int i = 0; i < 3; i++)
            e[k][i] = length[k] > 0.0 ? e[k][i] / length[k] : 0.0;
    }
    return tilted;
}

/** Adds t vector[k] to d, and t to s[k]. */
static inline void scree_cell_step(const scree_cell *cell, int k, double t, double d[3],
                                   double s[3])
{
    for (int i = 0; i < 3; i++)
        d[i] += t * cell->vector[k][i];
    s[k] += t;
}

/* Images of a box that meet another box. Loops over s[2], s[1] and s[0], with limits from
 * scree_images_range(), visit all of them:
 *
 *     scree_images m = scree_images_of(cell, lo, hi, in_lo, in_hi);
 *     int32_t s[3] = {0, 0, 0}, last[3];
 *     for (scree_images_range(&m, 2, s, last); s[2] <= last[2]; s[2]++)
 *         for (scree_images_range(&m, 1, s, last); s[1] <= last[1]; s[1]++)
 *             for (scree_images_range(&m, 0, s, last); s[0] <= last[0]; s[0]++) {
 *                 scree_shift(cell, s, shift);
 *                 ...
 */
typedef struct scree_images {
    const scree_cell *cell;
    double e[3][3], length[3];
    double least[3], most[3]; /* [m] limits of the shifts that bring the box to the other box */
} scree_images;

static inline scree_images scree_images_of(const scree_cell *cell, const double lo[3],
                                           const double hi[3], const double in_lo[3],
                                           const double in_hi[3])
{
    scree_images m;
    m.cell = cell;
    scree_cell_axes(cell, m.e, m.length);
    for (int k = 0; k < 3; k++) {
        m.least[k] = in_lo[k] - hi[k];
        m.most[k] = in_hi[k] - lo[k];
    }
    return m;
}

/** Sets s[k] and last[k] to the first and the last multiple of vector[k], for the given multiples
 * s[j] of the vectors j > k. Where space does not repeat both are 0, if the boxes meet there. */
static inline void scree_images_range(const scree_images *m, int k, int32_t s[3], int32_t last[3])
{
    double least = 0.0, most = 0.0, rest[3] = {0.0, 0.0, 0.0};
    for (int j = 2; j > k; j--)
        for (int i = 0; i < 3; i++)
            rest[i] += s[j] * m->cell->vector[j][i];
    for (int i = 0; i < 3; i++) {
        const double from = m->least[i] - rest[i], to = m->most[i] - rest[i];
        if (m->e[k][i] == 0.0)
            continue;
        least += m->e[k][i] * (m->e[k][i] > 0.0 ? from : to);
        most += m->e[k][i] * (m->e[k][i] > 0.0 ? to : from);
    }
    s[k] = 0;
    last[k] = 0;
    if (m->length[k] > 0.0) {
        s[k] = (int32_t)ceil(least / m->length[k]);
        last[k] = (int32_t)floor(most / m->length[k]);
    }
}

/** Writes the first and last number of steps along vector[k] that bring the part of d along e
 * within `reach` [m]. */
static inline void scree_cell_range(const double e[3], double length, const double d[3],
                                    double reach, double *first, double *last)
{
    const double along = d[0] * e[0] + d[1] * e[1] + d[2] * e[2];
    *first = length > 0.0 ? ceil((-reach - along) / length) : 0.0;
    *last = length > 0.0 ? floor((reach - along) / length) : 0.0;
}

/** Makes the part of d along e as short as whole steps along vector[k] allow. */
static inline void scree_cell_round(const scree_cell *cell, int k, const double e[3], double length,
                                    double d[3], double s[3])
{
    const double along = d[0] * e[0] + d[1] * e[1] + d[2] * e[2];
    if (length > 0.0)
        scree_cell_step(cell, k, -rint(along / length), d, s);
}

/** Finds the shortest sum of d and lattice vectors, among the sums whose parts along e[2] and e[1]
 * are not longer than d. Adds the multiples of its vectors to s. */
static inline void scree_cell_search(const scree_cell *cell, double e[3][3], const double length[3],
                                     const double d[3], double s[3])
{
    double least = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], z, z_last, y, y_last;
    const double from[3] = {s[0], s[1], s[2]}, reach = sqrt(least);
    scree_cell_range(e[2], length[2], d, reach, &z, &z_last);
    for (; z <= z_last; z += 1.0) {
        double row[3] = {d[0], d[1], d[2]}, n[3] = {from[0], from[1], from[2]};
        scree_cell_step(cell, 2, z, row, n);
        scree_cell_range(e[1], length[1], row, reach, &y, &y_last);
        for (; y <= y_last; y += 1.0) {
            double to[3] = {row[0], row[1], row[2]}, m[3] = {n[0], n[1], n[2]}, square;
            scree_cell_step(cell, 1, y, to, m);
            scree_cell_round(cell, 0, e[0], length[0], to, m);
            square = to[0] * to[0] + to[1] * to[1] + to[2] * to[2];
            if (square < least)
                memcpy(s, m, sizeof m);
            least = square < least ? square : least;
        }
    }
}

/** Adds lattice vectors to a difference d [m] of two places, so that d becomes as short as
 * possible: the nearest image. Sets s[k] to the multiple of vector[k]. Vectors may have any
 * directions: the function tries all sums that can be shorter [Agrell et al. 2002, IEEE Trans. Inf.
 * Theory 48, 2201]. */
static inline void scree_nearest(const scree_cell *cell, double d[3], int32_t s[3])
{
    double e[3][3], length[3], at[3] = {d[0], d[1], d[2]}, best[3] = {0.0, 0.0, 0.0}, shift[3];
    const int tilted = scree_cell_axes(cell, e, length);
    for (int k = 2; k >= 0; k--)
        scree_cell_round(cell, k, e[k], length[k], at, best);
    if (tilted)
        scree_cell_search(cell, e, length, at, best);
    for (int k = 0; k < 3; k++)
        s[k] = (int32_t)best[k];
    scree_shift(cell, s, shift);
    for (int k = 0; k < 3; k++)
        d[k] += shift[k];
}

/** Returns whether the brick repeats straight along axis k: the step from one side to the other is
 * a sum of lattice vectors, even if vector[k] is tilted. */
static inline int scree_is_upright(const scree_cell *cell, int k)
{
    const double length = cell->vector[k][k];
    double d[3] = {cell->vector[k][0], cell->vector[k][1], cell->vector[k][2]}, square = 0.0;
    int32_t s[3];
    d[k] = 0.0;
    scree_nearest(cell, d, s);
    for (int i = 0; i < 3; i++)
        square += d[i] * d[i];
    return square <= 1e-18 * length * length;
}

/** Returns whether a box lo..hi continues in its own image along axis k: space repeats there, and
 * the box is as wide as the brick; if the lattice is not upright along k, the box must also be as
 * wide as the brick along the axes to which vector[k] is tilted. */
static inline int scree_spans(const scree_cell *cell, const double lo[3], const double hi[3], int k)
{
    const int upright = scree_is_upright(cell, k);
    int spans = scree_repeats(cell, k);
    for (int i = 0; i < 3; i++)
        if (i == k || (!upright && cell->vector[k][i] != 0.0))
            spans &= lo[i] <= cell->lo[i] && hi[i] >= cell->hi[i];
    return spans;
}

#endif
