// SPDX-License-Identifier: Apache-2.0
// Kernels of observer `field`: their value at a distance and their mean along a segment, in closed form.
/*
 * Gauss: W = N exp(-r^2 / (2 w^2)) for r < c; N makes its integral 1, so that the cut loses no mass
 * (at c = 3 w it would lose 2.9 % in 3D). Along a line at distance rho from the point it is a
 * constant times the integral of exp(-t^2 / 2). Both functions come from tables and a Taylor series
 * about the nearest entry: 1e-15.
 *
 * Lucy (1977, Astronomical Journal 82, 1013): W = N (1 + 3 q) (1 - q)^3 = N (1 - 6 q^2 + 8 q^3 - 3 q^4),
 * q = r / c. Along a line with r^2 = rho^2 + s^2
 *
 *     integral of r^3 ds = s r^3 / 4 + 3/8 rho^2 s r + 3/8 rho^4 log(s + r)
 *
 * In 2D W is that of the plane over the thickness of the scene.
 */
#include <math.h>

#include "field.h"
#include "numeric.h"

enum { BELL_STEPS = 64, AREA_STEPS = 128 }; // entries per unit

static double area_series(double s)
{
    double term = s, sum = s;
    for (int n = 1; n < 400 && term > 1e-18 * sum; n++) {
        term *= s * s / (2.0 * n + 1.0);
        sum += term;
    }
    return sum * field_exp(-0.5 * s * s);
}

static double gauss_norm(double w, double cut, uint32_t dimension, double end)
{
    const double pi2 = 2.0 * FIELD_PI;
    const double at_cut = field_exp(-0.5 * cut * cut);
    if (dimension == 2)
        return 1.0 / (pi2 * w * w * (1.0 - at_cut));
    // 4 pi w^3 integral of t^2 exp(-t^2/2) = 4 pi w^3 (integral of exp(-t^2/2) - t exp(-t^2/2))
    return 1.0 / (2.0 * pi2 * w * w * w * (end - cut * at_cut));
}

static int make_tables(field_kernel *k, double cut)
{
    const size_t n_bell = (size_t)(0.5 * cut * cut * BELL_STEPS) + 3;
    const size_t n_area = (size_t)(cut * AREA_STEPS) + 3;
    k->bell = malloc(n_bell * sizeof *k->bell);
    k->area = malloc(2 * n_area * sizeof *k->area);
    if (!k->bell || !k->area)
        return 0;
    k->slope = k->area + n_area;
    for (size_t j = 0; j < n_bell; j++)
        k->bell[j] = field_exp(-(double)j / BELL_STEPS);
    for (size_t j = 0; j < n_area; j++) {
        const double s = (double)j / AREA_STEPS;
        k->area[j] = area_series(s);
        k->slope[j] = field_exp(-0.5 * s * s);
    }
    return 1;
}

/* The loops over a row have no branches and no calls, so that the compiler takes several points at once:
 * points out of reach are clamped to the border of the reach, where the integral is 0. */

/* exp(-u) for 0 <= u <= cut^2 / 2. */
static inline double bell(const double *table, double u)
{
    const int j = (int)(u * BELL_STEPS + 0.5);
    const double d = (double)j * (1.0 / BELL_STEPS) - u; // |d| <= 1/128
    return table[j] *
           (1.0 + d * (1.0 + d * (1.0 / 2 + d * (1.0 / 6 + d * (1.0 / 24 + d * (1.0 / 120))))));
}

/* Integral of exp(-t^2 / 2) from 0 to s, |s| <= cut: Hermite's polynomials in s are the derivatives. */
static inline double area(const double *table, const double *slope, double s)
{
    const double a = fabs(s);
    const int j = (int)(a * AREA_STEPS + 0.5);
    const double t = (double)j * (1.0 / AREA_STEPS), d = a - t, t2 = t * t; // |d| <= 1/256
    const double c3 = (t2 - 1.0) * (1.0 / 6), c4 = t * (3.0 - t2) * (1.0 / 24);
    const double c5 = ((t2 - 6.0) * t2 + 3.0) * (1.0 / 120);
    const double more = d * (1.0 + d * (-0.5 * t + d * (c3 + d * (c4 + d * c5))));
    return copysign(table[j] + slope[j] * more, s);
}

/* Place along the row, from the start of the segment. */
static inline double along_row(const field_row *row, uint32_t i)
{
    return row->start + row->size * ((double)(int32_t)(row->first + i) + 0.5) - row->from;
}

static void gauss_places(const field_kernel *k, const field_row *row, const double *restrict table,
                         const double *restrict areas, const double *restrict slopes,
                         double *restrict w)
{
    (void)areas;
    (void)slopes;
    const field_row r = *row;
    const double reach2 = k->reach * k->reach, by = 0.5 * k->per_width * k->per_width;
    const double norm = k->norm;
    for (uint32_t i = 0; i < r.n; i++) {
        const double d = along_row(&r, i), r2 = d * d + r.across2;
        w[i] = norm * bell(table, scree_min(r2, reach2) * by);
    }
    for (uint32_t i = 0; i < r.n; i++) { // a separate loop, so that the other has no branch
        const double d = along_row(&r, i);
        w[i] = d * d + r.across2 < reach2 ? w[i] : 0.0;
    }
}

static void lucy_places(const field_kernel *k, const field_row *row, const double *restrict table,
                        const double *restrict areas, const double *restrict slopes,
                        double *restrict w)
{
    (void)table;
    (void)areas;
    (void)slopes;
    const field_row r = *row;
    const double per_reach = 1.0 / k->reach, norm = k->norm;
    for (uint32_t i = 0; i < r.n; i++) {
        const double d = along_row(&r, i);
        const double q = scree_min(sqrt(d * d + r.across2) * per_reach, 1.0), p = 1.0 - q;
        w[i] = norm * (1.0 + 3.0 * q) * p * p * p;
    }
}

/* The part of a segment within reach of a point, from `begin` to `end`, measured from the foot of
 * the point. */
typedef struct span {
    double rho2, begin, end; // [m^2], [m]; rho: distance of the line
} span;
static inline span find_span(const field_row *r, uint32_t i, double reach2)
{
    const double d = along_row(r, i), foot = d * r->unit + r->foot;
    const double rho2 = scree_min(scree_max(d * d + r->across2 - foot * foot, 0.0), reach2);
    const double half = sqrt(reach2 - rho2), end = r->length - foot;
    return (span){rho2, scree_min(scree_max(-foot, -half), half),
                  scree_max(scree_min(end, half), -half)};
}

static void gauss_means(const field_kernel *k, const field_row *row, const double *restrict table,
                        const double *restrict areas, const double *restrict slopes,
                        double *restrict w)
{
    const field_row r = *row;
    const double reach2 = k->reach * k->reach, by = k->per_width, by2 = 0.5 * by * by;
    const double norm = k->norm * k->width / r.length;
    for (uint32_t i = 0; i < r.n; i++) {
        const span s = find_span(&r, i, reach2);
        w[i] = norm * bell(table, s.rho2 * by2) *
               (area(areas, slopes, s.end * by) - area(areas, slopes, s.begin * by));
    }
}

/* Integral of 1 - 6 q^2 + 8 q^3 - 3 q^4 without the logarithm, from 0 to s, r^2 = rho^2 + s^2; all in
 * units of the reach. */
static inline double lucy_part(double rho2, double s, double r)
{
    const double s2 = s * s;
    const double cubes = s * r * (r * r * 0.25 + 0.375 * rho2);
    return s - 6.0 * s * (rho2 + s2 * (1.0 / 3)) + 8.0 * cubes -
           3.0 * s * (rho2 * rho2 + rho2 * s2 * (2.0 / 3) + s2 * s2 * 0.2);
}

/* s| + r) / rho) has|The integral from a to b. log((|s| + r) / rho) has|s| + r) / rho) has the sign
 * of s, so that one quotient holds both ends. */
static inline double lucy_integral(double rho2, double a, double b)
{
    const double ra = sqrt(rho2 + a * a), rb = sqrt(rho2 + b * b);
    const double u = scree_max(fabs(a) + ra, 1e-30), v = scree_max(fabs(b) + rb, 1e-30);
    const double over = a >= 0.0 ? v : b <= 0.0 ? u : u * v;
    const double under = a >= 0.0 ? u : b <= 0.0 ? v : scree_max(rho2, 1e-60);
    return lucy_part(rho2, b, rb) - lucy_part(rho2, a, ra) +
           3.0 * rho2 * rho2 * field_log(over / under);
}

static void lucy_means(const field_kernel *k, const field_row *row, const double *restrict table,
                       const double *restrict areas, const double *restrict slopes,
                       double *restrict w)
{
    (void)table;
    (void)areas;
    (void)slopes;
    const field_row r = *row;
    const double reach2 = k->reach * k->reach, by = 1.0 / k->reach;
    const double norm = k->norm * k->reach / r.length;
    for (uint32_t i = 0; i < r.n; i++) {
        const span s = find_span(&r, i, reach2);
        const double sum = lucy_integral(s.rho2 * by * by, s.begin * by, s.end * by);
        w[i] = s.begin < s.end ? norm * sum : 0.0;
    }
}

void kernel_row(const field_kernel *k, const field_row *row, double *w)
{
    const row_fn weigh = row->length > 1e-12 * k->reach ? k->means : k->places;
    weigh(k, row, k->bell, k->area, k->slope, w);
}

int kernel_make(field_kernel *k, const field_config *c, uint32_t dimension, double thickness)
{
    const int gauss = c->kernel == GAUSS;
    k->places = gauss ? gauss_places : lucy_places;
    k->means = gauss ? gauss_means : lucy_means;
    k->width = c->width;
    k->per_width = 1.0 / c->width;
    k->reach = c->cutoff * c->width;
    if (!gauss)
        k->norm = dimension == 2 ? 5.0 / (FIELD_PI * k->reach * k->reach)
                                 : 105.0 / (16.0 * FIELD_PI * k->reach * k->reach * k->reach);
    else if (!make_tables(k, c->cutoff))
        return 0;
    else
        k->norm = gauss_norm(k->width, c->cutoff, dimension, area_series(c->cutoff));
    if (dimension == 2)
        k->norm /= thickness;
    return 1;
}
