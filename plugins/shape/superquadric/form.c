// SPDX-License-Identifier: Apache-2.0
/*
 * Superquadrics in their own axes: measure and kernels.
 *
 * Sources  [1] R. M. O'Connor, A distributed discrete element modeling environment, 1996, eq. 8.3.
 *          [2] A. H. Barr, IEEE Computer Graphics and Applications 1 (1), 1981, 11: superquadrics.
 *          [3] A. Jaklic, A. Leonardis, F. Solina, Segmentation and Recovery of Superquadrics, 2000,
 *              2.4: volume and moments by the beta function.
 *          [4] R. T. Rockafellar, Convex Analysis, 1970, 15: gauges and their polars.
 * Idea     With the norm |(u, v)|_m = (|u|^m + |v|^m)^(1/m) the gauge consists of two nested norms:
 *            N = | |(x/a, y/b)|_m , z/c |_n
 *          For m, n >= 1 the solid is convex, and the dual norms, with 1/m + 1/m' = 1, give its
 *          reach in a direction d [4]:
 *            h(d) = | |(a dx, b dy)|_m' , c dz |_n'
 *          The farthest point is the gradient of h. If m or n < 1, the convex hull is the solid
 *          with 1 instead.
 * Numbers  powers are those of ratios in [0, 1] and of numbers in [1, 2] (solid/power.h), so that
 *          neither exponents near 1 nor large ones overflow or lose digits. No libm but sqrt.
 */
#include "superquadric.h"

#include "../solid/power.h"

#define STEEP 1e300 /* stands for 1 / (m - 1) at m = 1 */

superquadric_form superquadric_of(const double axis[3], double m, double n)
{
    superquadric_form f = {{axis[0], axis[1], axis[2]}, m, n, 0.0, 0.0};
    double square[3];
    f.least = scree_min(scree_min(axis[0], axis[1]), axis[2]);
    for (int k = 0; k < 3; k++)
        square[k] = axis[k] * axis[k];
    // The farthest point has the largest sum of square_k t_k^(2/m) with t >= 0 and sum 1.
    const double by[2] = {m, n};
    double most = square[0];
    for (int k = 0; k < 2; k++) {
        const double large = scree_max(most, square[k + 1]), small = scree_min(most, square[k + 1]);
        const double p = by[k] > 2.0 ? by[k] / (by[k] - 2.0) : HUGE_VAL;
        most = p < 1e12 ? large * solid_power(1.0 + solid_power(small / large, p), 1.0 / p) : large;
    }
    f.longest2 = most;
    return f;
}

int superquadric_is_convex(const superquadric_form *f)
{
    return f->m >= 1.0 && f->n >= 1.0;
}

/* ---- measure ---- */

static double beta(double x, double y)
{
    return tgamma(x) * tgamma(y) / tgamma(x + y);
}

/** [3] eq. 2.60, with e1 = 2 / n (north-south), e2 = 2 / m (east-west). */
double superquadric_volume(const superquadric_form *f)
{
    const double e1 = 2.0 / f->n, e2 = 2.0 / f->m;
    return 2.0 * f->axis[0] * f->axis[1] * f->axis[2] * e1 * e2 * beta(0.5 * e1 + 1.0, e1) *
           beta(0.5 * e2, 0.5 * e2);
}

/** [3] eqs. 2.73 to 2.75, each divided by the volume: means of x^2, y^2, z^2, and their sums. */
void superquadric_moments(const superquadric_form *f, double moment[3])
{
    const double e1 = 2.0 / f->n, e2 = 2.0 / f->m, *a = f->axis;
    const double volume = 2.0 * beta(0.5 * e1 + 1.0, e1) * beta(0.5 * e2, 0.5 * e2);
    const double across = 0.5 * beta(1.5 * e2, 0.5 * e2) * beta(0.5 * e1, 2.0 * e1 + 1.0) / volume;
    const double along = 2.0 * beta(0.5 * e2, 0.5 * e2 + 1.0) * beta(1.5 * e1, e1 + 1.0) / volume;
    const double mean[3] = {across * a[0] * a[0], across * a[1] * a[1], along * a[2] * a[2]};
    for (int k = 0; k < 3; k++)
        moment[k] = mean[(k + 1) % 3] + mean[(k + 2) % 3];
}

/* ---- kernels ---- */

/** Finds the point (*u, *v) of the unit ball of a norm with the largest p u + q v, p, q >= 0;
 * returns this value, the dual norm of (p, q). steep: 1 / (m - 1);
 * root: 1 / m. */
static inline double farthest_of(double p, double q, double steep, double root, double *u,
                                 double *v)
{
    const double large = p >= q ? p : q, small = p >= q ? q : p;
    const double t = large > 0.0 ? small / large : 0.0;
    const double low = solid_power(t, steep), sum = 1.0 + t * low;
    const double high = solid_power(sum, -root); // the coordinate of the larger weight
    *u = p >= q ? high : low * high;
    *v = p >= q ? low * high : high;
    return large * sum * high;
}

/** Sets the exponents for the kernels. */
static void set_dual(double m, double *steep, double *root)
{
    *steep = m > 1.0 ? 1.0 / (m - 1.0) : STEEP;
    *root = m > 1.0 ? 1.0 / m : 1.0;
}

static double with_sign(double size, double sign)
{
    return sign < 0.0 ? -size : size;
}

/** The case m = n = 2. */
static void farthest_of_ellipsoid(const double axis[3], uint32_t n, SCREE_IN3(d), SCREE_OUT3(p))
{
    const double a = axis[0], b = axis[1], c = axis[2];
    for (uint32_t i = 0; i < n; i++) {
        const double u = a * dx[i], v = b * dy[i], w = c * dz[i];
        const double by = 1.0 / sqrt(u * u + v * v + w * w);
        px[i] = a * (u * by);
        py[i] = b * (v * by);
        pz[i] = c * (w * by);
    }
}

static void farthest_of_norms(const superquadric_form *f, uint32_t n, SCREE_IN3(d), SCREE_OUT3(p))
{
    const double a = f->axis[0], b = f->axis[1], c = f->axis[2];
    double steep_m, root_m, steep_n, root_n;
    set_dual(f->m, &steep_m, &root_m);
    set_dual(f->n, &steep_n, &root_n);
    for (uint32_t i = 0; i < n; i++) {
        double u, v, r, w;
        const double across =
            farthest_of(a * fabs(dx[i]), b * fabs(dy[i]), steep_m, root_m, &u, &v);
        farthest_of(across, c * fabs(dz[i]), steep_n, root_n, &r, &w);
        px[i] = with_sign(a * r * u, dx[i]);
        py[i] = with_sign(b * r * v, dy[i]);
        pz[i] = with_sign(c * w, dz[i]);
    }
}

void superquadric_farthest(const void *self, uint32_t n, SCREE_IN3(d), SCREE_OUT3(p))
{
    const superquadric_form *f = self;
    if (f->m == 2.0 && f->n == 2.0)
        farthest_of_ellipsoid(f->axis, n, dx, dy, dz, px, py, pz);
    else
        farthest_of_norms(f, n, dx, dy, dz, px, py, pz);
}

static void reach_of_ellipsoid(const double axis[3], uint32_t n, SCREE_IN3(d), SCREE_OUT h)
{
    const double a = axis[0], b = axis[1], c = axis[2];
    for (uint32_t i = 0; i < n; i++) {
        const double u = a * dx[i], v = b * dy[i], w = c * dz[i];
        h[i] = sqrt(u * u + v * v + w * w);
    }
}

static void reach_of_norms(const superquadric_form *f, uint32_t n, SCREE_IN3(d), SCREE_OUT h)
{
    const double a = f->axis[0], b = f->axis[1], c = f->axis[2];
    double steep_m, root_m, steep_n, root_n;
    set_dual(f->m, &steep_m, &root_m);
    set_dual(f->n, &steep_n, &root_n);
    for (uint32_t i = 0; i < n; i++) {
        double u, v;
        const double across =
            farthest_of(a * fabs(dx[i]), b * fabs(dy[i]), steep_m, root_m, &u, &v);
        h[i] = farthest_of(across, c * fabs(dz[i]), steep_n, root_n, &u, &v);
    }
}

void superquadric_reach(const void *self, uint32_t n, SCREE_IN3(d), SCREE_OUT h)
{
    const superquadric_form *f = self;
    if (f->m == 2.0 && f->n == 2.0)
        reach_of_ellipsoid(f->axis, n, dx, dy, dz, h);
    else
        reach_of_norms(f, n, dx, dy, dz, h);
}

/** The norm of (p, q), both >= 0, and its slopes; if both are 0, the slope of p is 1. If only one
 * is 0 its slope is 0, which for m <= 1 is the mean of both sides. */
static inline double norm_of(double p, double q, double m, double root, double *slope_p,
                             double *slope_q)
{
    const double large = p >= q ? p : q, small = p >= q ? q : p;
    const double t = large > 0.0 ? small / large : 0.0;
    const double tm = solid_power(t, m), sum = 1.0 + tm, by = solid_power(sum, root);
    const double high = by / sum, low = t > 0.0 ? tm / t * high : 0.0;
    *slope_p = p >= q ? high : low;
    *slope_q = p >= q ? low : high;
    return large * by;
}

static void value_of_ellipsoid(const superquadric_form *f, uint32_t n, SCREE_IN3(x),
                               SCREE_OUT value, SCREE_OUT3(g))
{
    const double a = 1.0 / f->axis[0], b = 1.0 / f->axis[1], c = 1.0 / f->axis[2];
    const double least = f->least;
    for (uint32_t i = 0; i < n; i++) {
        const double u = a * xx[i], v = b * xy[i], w = c * xz[i];
        const double gauge = sqrt(u * u + v * v + w * w);
        const double by = gauge > 0.0 ? least / gauge : 0.0;
        value[i] = least * (gauge - 1.0);
        gx[i] = gauge > 0.0 ? by * a * u : least * a;
        gy[i] = by * b * v;
        gz[i] = by * c * w;
    }
}

static void value_of_norms(const superquadric_form *f, uint32_t n, SCREE_IN3(x), SCREE_OUT value,
                           SCREE_OUT3(g))
{
    const double a = 1.0 / f->axis[0], b = 1.0 / f->axis[1], c = 1.0 / f->axis[2];
    const double m = f->m, k = f->n, root_m = 1.0 / m, root_k = 1.0 / k, least = f->least;
    for (uint32_t i = 0; i < n; i++) {
        double su, sv, sr, sw;
        const double r = norm_of(a * fabs(xx[i]), b * fabs(xy[i]), m, root_m, &su, &sv);
        value[i] = least * (norm_of(r, c * fabs(xz[i]), k, root_k, &sr, &sw) - 1.0);
        gx[i] = with_sign(least * a * (sr * su), xx[i]);
        gy[i] = with_sign(least * b * (sr * sv), xy[i]);
        gz[i] = with_sign(least * c * sw, xz[i]);
    }
}

void superquadric_value(const void *self, uint32_t n, SCREE_IN3(x), SCREE_OUT value, SCREE_OUT3(g))
{
    const superquadric_form *f = self;
    if (f->m == 2.0 && f->n == 2.0)
        value_of_ellipsoid(f, n, xx, xy, xz, value, gx, gy, gz);
    else
        value_of_norms(f, n, xx, xy, xz, value, gx, gy, gz);
}

/* ---- mesh ---- */

/** Makes the profile (r, z) with r in [0, 1] from the bottom to the top. */
static int make_profile(const superquadric_form *f, double tolerance, solid_curve *profile)
{
    const double wide = scree_max(f->axis[0], f->axis[1]);
    solid_curve quarter = {0};
    int code = solid_quarter(f->n, wide, f->axis[2], 0.5 * tolerance, &quarter);
    for (uint32_t i = quarter.n; code > 0 && i-- > 0;)
        code = solid_curve_add(profile, quarter.u[i] / wide, -quarter.v[i]);
    for (uint32_t i = 1; code > 0 && i < quarter.n; i++)
        code = solid_curve_add(profile, quarter.u[i] / wide, quarter.v[i]);
    solid_curve_clear(&quarter);
    return code;
}

int superquadric_mesh(const void *self, const solid_frame *frame, double tolerance,
                      mesh_surface **surface)
{
    const superquadric_form *f = self;
    solid_curve quarter = {0}, ring = {0}, profile = {0};
    mesh_lines problems = {0};
    *surface = NULL;
    int code = solid_quarter(f->m, f->axis[0], f->axis[1], 0.5 * tolerance, &quarter);
    code = code > 0 ? make_profile(f, tolerance, &profile) : code;
    code = code > 0 ? solid_ring(&quarter, &ring) : code;
    if (code > 0 && 2.0 * ring.n * profile.n <= SOLID_MOST_FACETS) {
        *surface = solid_loft(&ring, &profile, frame, &problems);
        code = *surface != NULL;
    }
    mesh_lines_clear(&problems);
    solid_curve_clear(&quarter);
    solid_curve_clear(&ring);
    solid_curve_clear(&profile);
    return code != 0;
}
