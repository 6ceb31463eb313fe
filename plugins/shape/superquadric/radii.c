// SPDX-License-Identifier: Apache-2.0
/*
 * Superquadrics in their own axes: radii of curvature.
 *
 * Sources  [1] W. Blaschke, Kreis und Kugel, 1916, 24: a ball rolls freely inside a convex surface if
 *              no radius of curvature is less than its own.
 * Radii    the second derivative of the support function. The dual norm r = |(u, v)|_m' with the
 *          slopes U, V (form.c) has (m' - 1) U V / (r u v) times the square of (v, -u); the outer
 *          norm adds the same with r and w, and U, V chain the two.
 * Roll     With X = |x/a|, Y, Z alike, r^m = X^m + Y^m, the surface is F = r^n + Z^n = 1, and no
 *          normal curvature exceeds the largest eigenvalue of the second derivative of F over the
 *          length of its first. For m, n >= 2, because (X/r)^m + (Y/r)^m = 1 bounds the mixed terms,
 *          that second derivative is at most the diagonal n (k r^(n-2) (X/r)^(m-2) / a^2, the same
 *          with Y and b, (n - 1) Z^(n-2) / c^2), k = max(m, n) - 1. Over each cell of a grid of (X/r)^m and r^n the
 *          largest of these and the least first derivative follow from the cell's corners.
 *          The ellipsoid has c^2 / a, with c the shortest and a the longest half axis.
 * Limits   0 for m or n below 2, where the tips are sharp. Below the true least radius: with half axes
 *          of 1 : 0.8 : 0.5 and equal exponents up to 8 by at most 38 %, with unequal ones by 63 %.
 */
#include "superquadric.h"

#include "../solid/power.h"

enum { CELLS = 128 };
#define LARGEST 1e8 /* part of the longest half axis: radii of curvature of flat places */
#define STEEPEST 1e60
#define ROUNDED 1e-9 /* part of the roll */

/* ---- roll ---- */

/** x^(1 - 2/m) and x^(2 - 2/m) at x = i / CELLS. */
static void make_powers(double m, double low[CELLS + 1], double high[CELLS + 1])
{
    for (uint32_t i = 0; i <= CELLS; i++) {
        const double x = (double)i / CELLS;
        low[i] = m > 2.0 ? solid_power(x, 1.0 - 2.0 / m) : 1.0;
        high[i] = x * low[i];
    }
}

/** The square of a bound of the normal curvatures. */
static double most_curved(const superquadric_form *f)
{
    double low_m[CELLS + 1], high_m[CELLS + 1], low_n[CELLS + 1], high_n[CELLS + 1], most = 0.0;
    const double a = 1.0 / (f->axis[0] * f->axis[0]), b = 1.0 / (f->axis[1] * f->axis[1]),
                 c = 1.0 / (f->axis[2] * f->axis[2]), k = scree_max(f->m, f->n) - 1.0;
    make_powers(f->m, low_m, high_m);
    make_powers(f->n, low_n, high_n);
    for (uint32_t i = 0; i < CELLS; i++)       // r^n from i to i + 1
        for (uint32_t j = 0; j < CELLS; j++) { // (X/r)^m from j to j + 1
            const double across = scree_max(low_m[j + 1] * a, low_m[CELLS - j] * b);
            const double second =
                scree_max(k * low_n[i + 1] * across, (f->n - 1.0) * low_n[CELLS - i] * c);
            const double first2 =
                high_n[i] * (high_m[j] * a + high_m[CELLS - j - 1] * b) + high_n[CELLS - i - 1] * c;
            most = scree_max(most, second * second / first2);
        }
    return most;
}

double superquadric_roll(const void *self)
{
    const superquadric_form *f = self;
    if (f->m < 2.0 || f->n < 2.0)
        return f->m > 1.0 && f->n > 1.0 ? 0.0 : -1.0;
    if (f->m > 2.0 || f->n > 2.0)
        return (1.0 - ROUNDED) / sqrt(most_curved(f));
    const double most = scree_max(scree_max(f->axis[0], f->axis[1]), f->axis[2]);
    return (1.0 - ROUNDED) * f->least * f->least / most;
}

/* ---- radii ---- */

/** Finds the point (*u, *v) of farthest_of() in form.c bit by bit, and the second derivative of the
 * dual norm, *bend times the square of the vector `across`. */
static double farthest_bent(double p, double q, double steep, double root, double *u, double *v,
                            double *bend, double across[2])
{
    const double large = p >= q ? p : q, small = p >= q ? q : p;
    const double t = large > 0.0 ? small / large : 0.0;
    const double low = solid_power(t, steep), sum = 1.0 + t * low;
    const double high = solid_power(sum, -root);
    const double norm = large * sum * high;
    const double flat = steep < 1.0 ? STEEPEST : steep > 1.0 ? 0.0 : 1.0; // low / t at t = 0
    const double rate = t > 1.0 / STEEPEST ? low / t : flat;
    *u = p >= q ? high : low * high;
    *v = p >= q ? low * high : high;
    *bend = norm > 0.0 ? steep * rate * high * high / norm : 0.0;
    across[0] = p >= q ? t : 1.0;
    across[1] = p >= q ? -1.0 : -t;
    return norm;
}

static double product(const double x[3], const double y[3])
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

/** Keeps radii finite. */
static void limit_radii(double most, double radii[3])
{
    const double sum = radii[0] + radii[1], by = sum > most ? most / sum : 1.0;
    for (int k = 0; k < 3; k++)
        radii[k] *= by;
}

static void bend_ellipsoid(const double axis[3], const double way[3][3], double p[3],
                           double radii[3])
{
    double n[3], t[3], u[3];
    for (int k = 0; k < 3; k++) {
        n[k] = axis[k] * way[0][k];
        t[k] = axis[k] * way[1][k];
        u[k] = axis[k] * way[2][k];
    }
    const double by = 1.0 / sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3; k++) {
        n[k] *= by;
        p[k] = axis[k] * n[k];
    }
    const double nt = product(n, t), nu = product(n, u);
    radii[0] = by * (product(t, t) - nt * nt);
    radii[1] = by * (product(u, u) - nu * nu);
    radii[2] = by * (product(t, u) - nt * nu);
}

static void bend_norms(const superquadric_form *f, const double way[3][3], double p[3],
                       double radii[3])
{
    const double *d = way[0];
    double scale[3], u, v, r, w, bend[2], inner[2], outer[2], e[2], g[2];
    for (int k = 0; k < 3; k++)
        scale[k] = d[k] < 0.0 ? -f->axis[k] : f->axis[k];
    const double across = farthest_bent(f->axis[0] * fabs(d[0]), f->axis[1] * fabs(d[1]),
                                        1.0 / (f->m - 1.0), 1.0 / f->m, &u, &v, &bend[0], inner);
    farthest_bent(across, f->axis[2] * fabs(d[2]), 1.0 / (f->n - 1.0), 1.0 / f->n, &r, &w, &bend[1],
                  outer);
    p[0] = scale[0] * r * u;
    p[1] = scale[1] * r * v;
    p[2] = scale[2] * w;
    for (int k = 0; k < 2; k++) {
        const double *t = way[1 + k], x = scale[0] * t[0], y = scale[1] * t[1];
        e[k] = inner[0] * x + inner[1] * y;
        g[k] = outer[0] * (u * x + v * y) + outer[1] * (scale[2] * t[2]);
    }
    const double of_r = r * bend[0];
    radii[0] = bend[1] * g[0] * g[0] + of_r * e[0] * e[0];
    radii[1] = bend[1] * g[1] * g[1] + of_r * e[1] * e[1];
    radii[2] = bend[1] * g[0] * g[1] + of_r * e[0] * e[1];
}

void superquadric_radii(const void *self, const double way[3][3], double p[3], double radii[3])
{
    const superquadric_form *f = self;
    if (f->m == 2.0 && f->n == 2.0)
        bend_ellipsoid(f->axis, way, p, radii);
    else
        bend_norms(f, way, p, radii);
    limit_radii(LARGEST * sqrt(f->longest2), radii);
}
