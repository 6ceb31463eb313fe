// SPDX-License-Identifier: Apache-2.0
/*
 * Volume and moments of balls: for each ball by itself, or for their union.
 *
 * Idea     A cap of a ball, its part farther than t from the centre along a unit vector, has
 *              volume             pi int_t^r r^2 - u^2 du
 *              along its axis     pi int_t^r u (r^2 - u^2) du and pi int_t^r u^2 (r^2 - u^2) du
 *              across             pi/4 int_t^r (r^2 - u^2)^2 du
 *          The common part of two balls is a cap of each, on the two sides of the plane of their
 *          circle. If no three balls overlap each other pairwise, the union is the sum of the balls
 *          less the common parts of pairs: this is exact, for example for two balls. Other clumps
 *          are cut into slices (slices.c).
 * Cost     n^2.
 */
#include "clump.h"

/** Adds, with a sign, the part of ball i at t or more from its centre along u. */
static void add_cap(const clump_balls *b, uint32_t i, const double u[3], double t, double sign,
                    clump_moments *to)
{
    static const int row[N_MOMENTS] = {[M_YY] = 1, [M_ZZ] = 2, [M_YZ] = 1};
    static const int column[N_MOMENTS] = {
        [M_YY] = 1, [M_ZZ] = 2, [M_XY] = 1, [M_XZ] = 2, [M_YZ] = 2};
    const double r = b->r[i], h = r - t, pi = sign * CLUMP_PI;
    const double c[3] = {b->x[0][i], b->x[1][i], b->x[2][i]};
    // The sums use powers of the height h, so that a flat cap loses no digits.
    const double volume = pi * h * h * (r - h / 3.0);
    const double first = pi * h * h * (r * r - r * h + 0.25 * h * h);
    const double across = 0.25 * pi * h * h * h * (4.0 / 3.0 * r * r - r * h + 0.2 * h * h);
    // int u^2 (r^2 - u^2) = int (r - v)^2 (2 r v - v^2) dv, v = r - u
    const double along =
        pi * h * h * (r * r * r - 5.0 / 3.0 * r * r * h + r * h * h - 0.2 * h * h * h);
    double *m = to->m;
    m[M_1] += volume;
    for (int k = 0; k < 3; k++)
        m[M_X + k] += c[k] * volume + u[k] * first;
    for (int k = M_XX; k <= M_YZ; k++) {
        const int p = row[k], q = column[k];
        m[k] += c[p] * c[q] * volume + (c[p] * u[q] + c[q] * u[p]) * first +
                u[p] * u[q] * (along - across) + (p == q ? across : 0.0);
    }
}

static void add_ball(const clump_balls *b, uint32_t i, clump_moments *to)
{
    static const double u[3] = {0.0, 0.0, 1.0};
    add_cap(b, i, u, -b->r[i], 1.0, to);
}

void clump_sum_balls(const clump_balls *b, int flat, clump_moments *out)
{
    *out = (clump_moments){0};
    for (uint32_t i = 0; i < b->n; i++) {
        clump_arc none[4];
        if (flat)
            clump_add_discs(1, b->x[0] + i, b->x[1] + i, b->r + i, NULL, none, out->m);
        else
            add_ball(b, i, out);
    }
}

int clump_unite_discs(const clump_balls *b, clump_moments *out)
{
    clump_arc *arcs = clump_arcs_new(b->n);
    *out = (clump_moments){0};
    if (arcs)
        clump_add_discs(b->n, b->x[0], b->x[1], b->r, NULL, arcs, out->m);
    free(arcs);
    return arcs != NULL;
}

/** Unit vector from ball i to ball j; returns their distance. */
static double direct(const clump_balls *b, uint32_t i, uint32_t j, double u[3])
{
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        u[k] = b->x[k][j] - b->x[k][i];
        square += u[k] * u[k];
    }
    const double d = sqrt(square);
    for (int k = 0; k < 3; k++)
        u[k] = d > 0.0 ? u[k] / d : 0.0;
    return d;
}

/** Do the surfaces of two balls cross? */
static int do_cross(const clump_balls *b, uint32_t i, uint32_t j)
{
    double u[3];
    const double d = direct(b, i, j, u);
    return d < b->r[i] + b->r[j] && d > fabs(b->r[i] - b->r[j]);
}

/** Do three balls cross pairwise, or is one inside another? Then pairs are not enough. -1: no
 * memory. */
static int has_triples(const clump_balls *b)
{
    const uint32_t n = b->n;
    uint32_t *near = malloc(n * sizeof *near);
    int found = 0;
    if (!near)
        return -1;
    for (uint32_t i = 0; i < n && !found; i++) {
        uint32_t n_near = 0;
        for (uint32_t j = i + 1; j < n && !found; j++) {
            double u[3];
            found = direct(b, i, j, u) <= fabs(b->r[i] - b->r[j]);
            if (do_cross(b, i, j))
                near[n_near++] = j;
        }
        for (uint32_t p = 0; p < n_near && !found; p++)
            for (uint32_t q = p + 1; q < n_near && !found; q++)
                found = do_cross(b, near[p], near[q]);
    }
    free(near);
    return found;
}

int clump_unite_balls(const clump_balls *b, clump_moments *out)
{
    const int triples = has_triples(b);
    if (triples)
        return triples > 0 && clump_integrate(b, out);
    clump_sum_balls(b, 0, out);
    for (uint32_t i = 0; i < b->n; i++)
        for (uint32_t j = i + 1; j < b->n; j++) {
            double u[3], back[3];
            const double d = direct(b, i, j, u), ri = b->r[i], rj = b->r[j];
            if (d >= ri + rj)
                continue;
            const double t = 0.5 * (d + (ri + rj) * (ri - rj) / d);
            for (int k = 0; k < 3; k++)
                back[k] = -u[k];
            add_cap(b, i, u, t, -1.0, out);
            add_cap(b, j, back, d - t, -1.0, out);
        }
    return 1;
}
