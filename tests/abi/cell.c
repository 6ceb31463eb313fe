/* SPDX-License-Identifier: Apache-2.0 */
/* The helpers of cell_sdk.h against brute force: cells of any tilt, turned to any direction. */
#include "../test.h"

#include <math.h>
#include <stdbool.h>

#include "scree/cell_sdk.h"

enum { CELLS = 300, MOST = 24 };

static double uniform(GRand *r, double lo, double hi)
{
    return lo + (hi - lo) * g_rand_double(r);
}

/** Makes a cell that repeats along the axes of `repeats`; tilts are up to `tilt` times a side. */
static scree_cell new_cell(GRand *r, uint32_t repeats, double tilt)
{
    scree_cell cell = {.size = sizeof cell, .repeats = repeats};
    for (int k = 0; k < 3; k++) {
        cell.lo[k] = uniform(r, -1.0, 1.0);
        cell.hi[k] = cell.lo[k] + uniform(r, 0.5, 2.0);
        if (!(repeats >> k & 1))
            continue;
        for (int i = 0; i < k; i++)
            cell.vector[k][i] = tilt * uniform(r, -1.0, 1.0);
        cell.vector[k][k] = cell.hi[k] - cell.lo[k];
    }
    return cell;
}

/** Turns the vectors about a random axis, so that none has a 0. */
static void turn(GRand *r, scree_cell *cell)
{
    for (int k = 0; k < 3; k++) {
        const double angle = uniform(r, 0.0, 6.0), c = cos(angle), s = sin(angle);
        for (int j = 0; j < 3; j++) {
            double *v = cell->vector[j], x = v[k], y = v[(k + 1) % 3];
            v[k] = c * x - s * y;
            v[(k + 1) % 3] = s * x + c * y;
        }
    }
}

static double square(const double d[3])
{
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

/** The shortest square of d + the sum of s[k] vector[k] by trying MOST^3 s about the one that is given. */
static double shortest(const scree_cell *cell, const double d[3], const int32_t about[3])
{
    double least = HUGE_VAL;
    int32_t s[3], most[3];
    for (int k = 0; k < 3; k++)
        most[k] = scree_repeats(cell, k) ? MOST / 2 : 0;
    for (s[0] = about[0] - most[0]; s[0] <= about[0] + most[0]; s[0]++)
        for (s[1] = about[1] - most[1]; s[1] <= about[1] + most[1]; s[1]++)
            for (s[2] = about[2] - most[2]; s[2] <= about[2] + most[2]; s[2]++) {
                double to[3];
                scree_shift(cell, s, to);
                for (int k = 0; k < 3; k++)
                    to[k] += d[k];
                least = MIN(least, square(to));
            }
    return least;
}

static void look_for_nearest(double tilt, bool turned)
{
    g_autoptr(GRand) r = g_rand_new_with_seed(7);
    for (int c = 0; c < CELLS; c++) {
        scree_cell cell = new_cell(r, 1u + (uint32_t)c % 7u, tilt);
        double d[3], from[3], shift[3];
        int32_t s[3];
        if (turned)
            turn(r, &cell);
        for (int k = 0; k < 3; k++)
            d[k] = from[k] = uniform(r, -3.0, 3.0);
        scree_nearest(&cell, d, s);
        scree_shift(&cell, s, shift);
        for (int k = 0; k < 3; k++) {
            g_assert_cmpfloat(d[k], ==, from[k] + shift[k]);
            g_assert_true(scree_repeats(&cell, k) || s[k] == 0);
        }
        g_assert_cmpfloat(square(d), <=, shortest(&cell, from, s) * (1.0 + 1e-12));
    }
}

TEST("/cell/nearest-image-of-an-orthogonal-cell")
{
    look_for_nearest(0.0, false);
}

TEST("/cell/nearest-image-of-a-tilted-cell")
{
    look_for_nearest(0.6, false);
    look_for_nearest(3.0, false);
}

TEST("/cell/nearest-image-of-a-turned-cell")
{
    look_for_nearest(0.6, true);
}

/* Two steps along vector[1] lead to the nearest image: the 26 neighbours are not enough. */
TEST("/cell/nearest-image-is-two-rows-away")
{
    const scree_cell cell = {.size = sizeof cell,
                             .repeats = 3,
                             .hi = {10.0, 1.0},
                             .vector = {{10.0, 0.0, 0.0}, {1.25, 1.0, 0.0}}};
    double d[3] = {4.9, 0.1, 0.0};
    int32_t s[3];
    scree_nearest(&cell, d, s);
    g_assert_cmpint(s[0], ==, 0);
    g_assert_cmpint(s[1], ==, -2);
    g_assert_true(fabs(d[0] - 2.4) <= 1e-12);
    g_assert_true(fabs(d[1] - -1.9) <= 1e-12);
}

/* A lattice with xy + Lx is the same lattice: the nearest image has the same d, and s[0] - s[1] for s[0]. */
TEST("/cell/one-lattice-in-two-texts")
{
    g_autoptr(GRand) r = g_rand_new_with_seed(11);
    for (int c = 0; c < CELLS; c++) {
        const scree_cell cell = new_cell(r, 7, 0.4);
        scree_cell other = cell;
        other.vector[1][0] += cell.vector[0][0];
        double d[3], e[3];
        int32_t s[3], t[3];
        for (int k = 0; k < 3; k++)
            d[k] = e[k] = uniform(r, -3.0, 3.0);
        scree_nearest(&cell, d, s);
        scree_nearest(&other, e, t);
        g_assert_cmpint(t[0] + t[1], ==, s[0]);
        g_assert_cmpint(t[1], ==, s[1]);
        g_assert_cmpint(t[2], ==, s[2]);
        for (int k = 0; k < 3; k++)
            g_assert_true(fabs(d[k] - e[k]) <= 1e-13);
    }
}

/* Bits of an orthogonal cell: the sum is s L, without a minus zero where s is 0. */
TEST("/cell/shift-of-an-orthogonal-cell-has-the-bits-of-a-product")
{
    g_autoptr(GRand) r = g_rand_new_with_seed(3);
    for (int c = 0; c < CELLS; c++) {
        const scree_cell cell = new_cell(r, (uint32_t)c % 8u, 0.0);
        double out[3];
        int32_t s[3];
        for (int k = 0; k < 3; k++)
            s[k] = scree_repeats(&cell, k) ? g_rand_int_range(r, -3, 4) : 0;
        scree_shift(&cell, s, out);
        for (int k = 0; k < 3; k++) {
            const double product = s[k] * cell.vector[k][k];
            g_assert_cmpmem(&out[k], sizeof *out, &product, sizeof product);
        }
    }
}

TEST("/cell/unwrapped-place-and-volume")
{
    const scree_cell cell = {.size = sizeof cell,
                             .repeats = 7,
                             .hi = {2.0, 3.0, 4.0},
                             .vector = {{2.0, 0.0, 0.0}, {0.5, 3.0, 0.0}, {-0.25, 0.75, 4.0}}};
    const double x[3][2] = {{0.0, 1.0}, {0.0, 2.0}, {0.0, 3.0}};
    const int32_t image[3][2] = {{0, 2}, {0, -1}, {0, 1}};
    const scree_bodies bodies = {
        .cell = &cell, .x = {x[0], x[1], x[2]}, .image = {image[0], image[1], image[2]}};
    double out[3];
    scree_unwrapped(&bodies, 1, out);
    g_assert_cmpfloat(out[0], ==, 1.0 + 4.0 - 0.5 - 0.25);
    g_assert_cmpfloat(out[1], ==, 2.0 - 3.0 + 0.75);
    g_assert_cmpfloat(out[2], ==, 3.0 + 4.0);
    g_assert_cmpfloat(scree_cell_volume(&cell), ==, 24.0);
    const scree_cell flat = {.size = sizeof flat, .hi = {2.0, 3.0}};
    g_assert_cmpfloat(scree_cell_volume(&flat), ==, 6.0);
}
