// SPDX-License-Identifier: Apache-2.0
// Kernels of observer `field`: their value at a distance and their mean along a segment, in closed form.
/*
 * Gauss: W = N exp(-r^2 / (2 w^2)) for r < c; N makes its integral 1, so that nothing is lost by the
 * cut (at c = 3 w it would be 2.9 % in 3D). Along a line at distance rho from the point it is a
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
    for (size_t j = 0; j < n_bell; j++)
        k->bell[j] = field_exp(-(double)j / BELL_STEPS);
    for (size_t j = 0; j < n_area; j++) {
        const double s = (double)j / AREA_STEPS;
        k->area[2 * j] = area_series(s);
        k->area[2 * j + 1] = field_exp(-0.5 * s * s);
    }
    return 1;
}

int kernel_make(field_kernel *k, const field_config *c, uint32_t dimension, double thickness)
{
    k->type = c->kernel;
    k->width = c->width;
    k->per_width = 1.0 / c->width;
    k->reach = c->cutoff * c->width;
    if (k->type == LUCY)
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

/* exp(-u) of 0 <= u <= cut^2 / 2. */
static double bell(const field_kernel *k, double u)
{
    const int j = (int)(u * BELL_STEPS + 0.5);
    const double d = (double)j / BELL_STEPS - u; // |d| <= 1/128
    return k->bell[j] *
           (1.0 + d * (1.0 + d * (1.0 / 2 + d * (1.0 / 6 + d * (1.0 / 24 + d * (1.0 / 120))))));
}

/* Integral of exp(-t^2 / 2) from 0 to s, |s| <= cut: Hermite's polynomials in s are the derivatives. */
static double area(const field_kernel *k, double s)
{
    const double a = fabs(s);
    const int j = (int)(a * AREA_STEPS + 0.5);
    const double t = (double)j / AREA_STEPS, d = a - t, t2 = t * t; // |d| <= 1/256
    const double more =
        d * (1.0 + d * (-t / 2 + d * ((t2 - 1.0) / 6 + d * (-t * (t2 - 3.0) / 24 +
                                                            d * ((t2 - 6.0) * t2 + 3.0) / 120))));
    const double sum = k->area[2 * j] + k->area[2 * j + 1] * more;
    return s < 0.0 ? -sum : sum;
}

double kernel_at(const field_kernel *k, double r2)
{
    double q;
    if (!(r2 < k->reach * k->reach))
        return 0.0;
    if (k->type == GAUSS)
        return k->norm * bell(k, 0.5 * r2 * k->per_width * k->per_width);
    q = sqrt(r2) / k->reach;
    return k->norm * (1.0 + 3.0 * q) * (1.0 - q) * (1.0 - q) * (1.0 - q);
}

/* Integral of 1 - 6 q^2 + 8 q^3 - 3 q^4 from 0 to s, q^2 = rho^2 + s^2, in units of the reach. */
static double lucy_integral(double rho2, double s)
{
    const double r = sqrt(rho2 + s * s), s2 = s * s;
    const double side = rho2 > 1e-60 ? field_log((fabs(s) + r) / sqrt(rho2)) : 0.0;
    const double cubes =
        s * r * (r * r / 4 + 3.0 / 8 * rho2) + 3.0 / 8 * rho2 * rho2 * (s < 0.0 ? -side : side);
    return s - 6.0 * s * (rho2 + s2 / 3) + 8.0 * cubes -
           3.0 * s * (rho2 * rho2 + rho2 * s2 * 2 / 3 + s2 * s2 / 5);
}

double kernel_along(const field_kernel *k, const double d[3], const double unit[3], double length)
{
    const double d2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], reach2 = k->reach * k->reach;
    const double foot = d[0] * unit[0] + d[1] * unit[1] + d[2] * unit[2];
    double rho2 = d2 - foot * foot, half, begin, end;
    rho2 = rho2 > 0.0 ? rho2 : 0.0;
    if (!(rho2 < reach2))
        return 0.0;
    if (!(length > 1e-12 * k->reach))
        return kernel_at(k, d2);
    half = sqrt(reach2 - rho2);
    begin = -foot > -half ? -foot : -half;
    end = length - foot < half ? length - foot : half;
    if (!(begin < end))
        return 0.0;
    if (k->type == GAUSS)
        return k->norm * bell(k, 0.5 * rho2 * k->per_width * k->per_width) * k->width / length *
               (area(k, end * k->per_width) - area(k, begin * k->per_width));
    rho2 /= reach2;
    return k->norm * k->reach / length *
           (lucy_integral(rho2, end / k->reach) - lucy_integral(rho2, begin / k->reach));
}
