// SPDX-License-Identifier: Apache-2.0
// Superquadrics: powers, measure against quadrature and closed forms, support, gradient, boxes, meshes.
#include "../test.h"
#include "near.h"
#include "solid/power.h"
#include "superquadric/superquadric.h"

#include <glib.h>

#define PI 3.14159265358979323846

/** Exponents m of the sections and n of the profile; half axes. */
static const struct {
    double axis[3], m, n;
} forms[] = {
    {{1.0, 1.0, 1.0}, 2.0, 2.0},  {{1.0, 0.6, 0.3}, 2.0, 2.0},  {{1.0, 0.7, 1.3}, 8.0, 2.0},
    {{0.8, 1.1, 0.5}, 2.0, 8.0},  {{1.0, 0.9, 1.2}, 20.0, 5.0}, {{1.0, 0.7, 0.5}, 1.0, 1.0},
    {{1.0, 0.8, 0.9}, 1.2, 1.5},  {{0.5, 0.5, 1.5}, 2.0, 40.0}, {{1.0, 1.0, 1.0}, 40.0, 40.0},
    {{1.0, 0.8, 0.9}, 1.4, 12.0}, {{1.0, 1e-3, 0.5}, 3.0, 3.0},
};
/** Not convex. */
static const struct {
    double axis[3], m, n;
} hollow[] = {
    {{1.0, 0.7, 0.9}, 0.8, 2.0}, {{1.0, 0.7, 0.9}, 2.0, 0.7}, {{1.0, 1.0, 1.0}, 0.67, 0.67}};

static double random_in(double lo, double hi)
{
    return g_test_rand_double_range(lo, hi);
}

static void random_direction(double d[3])
{
    double square = 0.0;
    while (!(square > 0.01 && square < 1.0)) {
        square = 0.0;
        for (int k = 0; k < 3; k++) {
            d[k] = random_in(-1.0, 1.0);
            square += d[k] * d[k];
        }
    }
    for (int k = 0; k < 3; k++)
        d[k] /= sqrt(square);
}

/** The surface point over two angles, with the powers of libm: |cos|^(2/n) and so on. */
static void surface_point(const superquadric_form *f, double up, double around, double p[3])
{
    const double across = pow(fabs(cos(up)), 2.0 / f->n);
    p[0] = copysign(f->axis[0] * across * pow(fabs(cos(around)), 2.0 / f->m), cos(around));
    p[1] = copysign(f->axis[1] * across * pow(fabs(sin(around)), 2.0 / f->m), sin(around));
    p[2] = copysign(f->axis[2] * pow(fabs(sin(up)), 2.0 / f->n), sin(up));
}

static double value_at(const superquadric_form *f, const double p[3], double g[3])
{
    double value;
    superquadric_value(f, 1, &p[0], &p[1], &p[2], &value, &g[0], &g[1], &g[2]);
    return value;
}

static void farthest_at(const superquadric_form *f, const double d[3], double p[3])
{
    superquadric_farthest(f, 1, &d[0], &d[1], &d[2], &p[0], &p[1], &p[2]);
}

/** Against libm's: an absolute error of 2.3e-16 for bases in [0, 1], a relative one that grows with
 * the logarithm else. */
TEST("/superquadric/powers-are-those-of-libm")
{
    for (int i = 0; i < 200000; i++) {
        const double x = random_in(0.0, 1.0), y = exp(random_in(log(0.02), log(100.0)));
        const double z = exp(random_in(-5.0, 5.0)), w = random_in(-40.0, 40.0);
        assert_near(solid_power(x, y), pow(x, y), 2.3e-16);
        assert_near(solid_power(z, w) / pow(z, w), 1.0, 4e-16 * (1.0 + fabs(w * log2(z))));
    }
    g_assert_cmpfloat(solid_power(0.0, 0.05), ==, 0.0);
    g_assert_cmpfloat(solid_power(0.5, 1e300), ==, 0.0);
    g_assert_cmpfloat(solid_power(1.0, 1e300), ==, 1.0);
    g_assert_cmpfloat(solid_power(1.0, -3.0), ==, 1.0);
    g_assert_cmpfloat(solid_power(4.0, 0.5), ==, 2.0);
}

/** Integral of g(z) over [0, 1] by the substitution of Takahasi and Mori. */
static double integrate(double (*g)(double z, double rest, const double *n), const double *n)
{
    const double h = 1.0 / 128.0;
    double sum = 0.0;
    for (int i = -600; i <= 600; i++) {
        const double t = i * h, s = 0.5 * PI * sinh(t);
        const double z = 1.0 / (1.0 + exp(-2.0 * s)), rest = 1.0 / (1.0 + exp(2.0 * s));
        sum += h * PI * cosh(t) * z * rest * g(z, rest, n);
    }
    return sum;
}

/** r^2, r^4 and z^2 r^2 of a profile r^n + z^n = 1; rest: 1 - z. */
static double radius_of(double z, double rest, double n)
{
    const double left = rest < 1e-3 ? -expm1(n * log1p(-rest)) : 1.0 - pow(z, n);
    return pow(left, 1.0 / n);
}
static double square(double z, double rest, const double *n)
{
    return pow(radius_of(z, rest, *n), 2.0);
}
static double fourth(double z, double rest, const double *n)
{
    return pow(radius_of(z, rest, *n), 4.0);
}
static double square_z2(double z, double rest, const double *n)
{
    return z * z * pow(radius_of(z, rest, *n), 2.0);
}
/** y and x^2 y of a section. */
static double width(double z, double rest, const double *n)
{
    return radius_of(z, rest, *n);
}
static double width_z2(double z, double rest, const double *n)
{
    return z * z * radius_of(z, rest, *n);
}

/** Volume and moments by slices, against the gamma functions. */
static void check_measure(const superquadric_form *f)
{
    const double *a = f->axis, area = 4.0 * integrate(width, &f->m);
    const double across = 4.0 * integrate(width_z2, &f->m), slices = 2.0 * integrate(square, &f->n);
    const double mean[2] = {across * 2.0 * integrate(fourth, &f->n) / (area * slices),
                            2.0 * integrate(square_z2, &f->n) / slices};
    const double second[3] = {mean[0] * a[0] * a[0], mean[0] * a[1] * a[1], mean[1] * a[2] * a[2]};
    double moment[3];
    superquadric_moments(f, moment);
    assert_near(superquadric_volume(f) / (a[0] * a[1] * a[2] * area * slices), 1.0, 1e-13);
    for (int k = 0; k < 3; k++)
        assert_near(moment[k] / (second[(k + 1) % 3] + second[(k + 2) % 3]), 1.0, 1e-13);
}

TEST("/superquadric/volume-and-moments-are-those-of-slices")
{
    for (size_t i = 0; i < G_N_ELEMENTS(forms); i++) {
        const superquadric_form f = superquadric_of(forms[i].axis, forms[i].m, forms[i].n);
        check_measure(&f);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(hollow); i++) {
        const superquadric_form f = superquadric_of(hollow[i].axis, hollow[i].m, hollow[i].n);
        check_measure(&f);
    }
}

/** An ellipsoid 4/3 pi abc, (b^2 + c^2) / 5; an octahedron 4/3 abc, (b^2 + c^2) / 10; towards a box
 * 8 abc, (b^2 + c^2) / 3, and a cylinder 2 pi abc. */
TEST("/superquadric/ellipsoid-octahedron-box-cylinder")
{
    static const double a[3] = {1.0, 0.7, 0.4};
    const double sum = a[1] * a[1] + a[2] * a[2], product = a[0] * a[1] * a[2];
    const superquadric_form ellipsoid = superquadric_of(a, 2.0, 2.0);
    const superquadric_form octahedron = superquadric_of(a, 1.0, 1.0);
    const superquadric_form box = superquadric_of(a, 4000.0, 4000.0);
    const superquadric_form cylinder = superquadric_of(a, 2.0, 4000.0);
    double moment[3];
    assert_near(superquadric_volume(&ellipsoid), 4.0 / 3.0 * PI * product, 1e-15);
    superquadric_moments(&ellipsoid, moment);
    assert_near(moment[0], sum / 5.0, 1e-15);
    assert_near(superquadric_volume(&octahedron), 4.0 / 3.0 * product, 1e-15);
    superquadric_moments(&octahedron, moment);
    assert_near(moment[0], sum / 10.0, 1e-15);
    assert_near(superquadric_volume(&box), 8.0 * product, 1e-5);
    superquadric_moments(&box, moment);
    assert_near(moment[0], sum / 3.0, 1e-5);
    assert_near(superquadric_volume(&cylinder), 2.0 * PI * product, 1e-5);
    superquadric_moments(&cylinder, moment);
    assert_near(moment[2], (a[0] * a[0] + a[1] * a[1]) / 4.0, 1e-5);
}

/** On the surface, nothing reaches farther, and the surface faces the direction there. */
static void check_support(const superquadric_form *f)
{
    double most = 0.0;
    for (int i = 0; i < 300; i++) {
        double d[3], p[3], g[3], reach, h, brute = 0.0, at[3], slope = 0.0;
        random_direction(d);
        farthest_at(f, d, p);
        superquadric_reach(f, 1, &d[0], &d[1], &d[2], &reach);
        h = d[0] * p[0] + d[1] * p[1] + d[2] * p[2];
        assert_near(reach, h, 2e-15);
        assert_near(value_at(f, p, g), 0.0, 4e-15);
        for (int k = 0; k < 3000; k++) {
            surface_point(f, random_in(-0.5, 0.5) * PI, random_in(-1.0, 1.0) * PI, at);
            brute = fmax(brute, d[0] * at[0] + d[1] * at[1] + d[2] * at[2]);
        }
        g_assert_cmpfloat(brute, <=, h + 1e-14);
        most = fmax(most, h - brute);
        for (int k = 0; k < 3; k++)
            slope += g[k] * g[k];
        if (f->m > 1.1 && f->n > 1.1 && f->m < 10.0 && f->n < 10.0) // no edges, as good as
            assert_near((g[0] * d[0] + g[1] * d[1] + g[2] * d[2]) / sqrt(slope), 1.0, 1e-9);
    }
    g_assert_cmpfloat(most, <, 0.12); // the samples come near it: it is tight
    for (int k = 0; k < 3; k++) {
        double d[3] = {0.0, 0.0, 0.0}, p[3];
        d[k] = -7.0;
        farthest_at(f, d, p);
        for (int l = 0; l < 3; l++)
            assert_near(p[l], l == k ? -f->axis[k] : 0.0, 0.0);
    }
}

TEST("/superquadric/support-against-surface-points")
{
    for (size_t i = 0; i < G_N_ELEMENTS(forms); i++) {
        const superquadric_form f = superquadric_of(forms[i].axis, forms[i].m, forms[i].n);
        g_assert_true(superquadric_is_convex(&f));
        check_support(&f);
    }
}

/** 0 on the surface, in proportion along rays, and differences give the gradient. */
static void check_value(const superquadric_form *f)
{
    for (int i = 0; i < 2000; i++) {
        double p[3], g[3], none[3], ray[3], differences[3], length = 0.0;
        surface_point(f, random_in(-0.48, 0.48) * PI, random_in(-1.0, 1.0) * PI, p);
        assert_near(value_at(f, p, g), 0.0, 4e-15);
        const double by = random_in(0.3, 2.0), h = 1e-6 * f->least;
        for (int k = 0; k < 3; k++)
            ray[k] = by * p[k];
        assert_near(value_at(f, ray, g), f->least * (by - 1.0), 8e-15);
        // [O'Connor] eq. 8.3
        const double s =
            pow(fabs(ray[0] / f->axis[0]), f->m) + pow(fabs(ray[1] / f->axis[1]), f->m);
        const double in = pow(s, f->n / f->m) + pow(fabs(ray[2] / f->axis[2]), f->n);
        assert_near(pow(1.0 + value_at(f, ray, g) / f->least, f->n) / in, 1.0, 1e-13 * f->n);
        int smooth = 1;
        for (int k = 0; k < 3; k++) {
            const double middle = ray[k];
            ray[k] = middle + h;
            differences[k] = value_at(f, ray, none);
            ray[k] = middle - h;
            differences[k] = (differences[k] - value_at(f, ray, none)) / (2.0 * h);
            ray[k] = middle;
            length += g[k] * g[k];
            smooth &= fabs(ray[k]) > 1e-2 * f->axis[k];
        }
        const double slack = smooth ? 1e-4 * sqrt(length) : HUGE_VAL;
        for (int k = 0; k < 3; k++)
            assert_near(differences[k], g[k], slack);
    }
    const double zero[3] = {0.0, 0.0, 0.0};
    double g[3];
    assert_near(value_at(f, zero, g), -f->least, 0.0);
    g_assert_cmpfloat(g[0], >, 0.0);
}

TEST("/superquadric/gradient-against-differences")
{
    for (size_t i = 0; i < G_N_ELEMENTS(forms); i++) {
        const superquadric_form f = superquadric_of(forms[i].axis, forms[i].m, forms[i].n);
        check_value(&f);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(hollow); i++) {
        const superquadric_form f = superquadric_of(hollow[i].axis, hollow[i].m, hollow[i].n);
        g_assert_false(superquadric_is_convex(&f));
        check_value(&f);
    }
}

/** |value| is at most the distance from the surface, for m, n >= 2. */
TEST("/superquadric/value-is-at-most-the-distance")
{
    for (size_t i = 0; i < G_N_ELEMENTS(forms); i++) {
        const superquadric_form f = superquadric_of(forms[i].axis, forms[i].m, forms[i].n);
        for (int k = 0; k < 3000 && f.m >= 2.0 && f.n >= 2.0; k++) {
            double p[3], g[3], at[3], d2 = 0.0;
            for (int l = 0; l < 3; l++)
                p[l] = random_in(-1.5, 1.5) * f.axis[l];
            surface_point(&f, random_in(-0.5, 0.5) * PI, random_in(-1.0, 1.0) * PI, at);
            for (int l = 0; l < 3; l++)
                d2 += (p[l] - at[l]) * (p[l] - at[l]);
            g_assert_cmpfloat(fabs(value_at(&f, p, g)), <=, sqrt(d2) * (1.0 + 1e-12));
        }
    }
}

/** The radius is that of the farthest of many points, and not much more. */
static void check_radius(const superquadric_form *f)
{
    double most = 0.0;
    for (int i = 0; i < 400; i++)
        for (int k = 0; k < 400; k++) {
            double p[3];
            surface_point(f, 0.5 * PI * i / 399.0, 0.5 * PI * k / 399.0, p);
            most = fmax(most, p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        }
    g_assert_cmpfloat(most, <=, f->longest2 * (1.0 + 1e-14));
    g_assert_cmpfloat(most, >=, f->longest2 * (1.0 - 1e-3));
}

TEST("/superquadric/radius-against-surface-points")
{
    for (size_t i = 0; i < G_N_ELEMENTS(forms); i++) {
        const superquadric_form f = superquadric_of(forms[i].axis, forms[i].m, forms[i].n);
        check_radius(&f);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(hollow); i++) {
        const superquadric_form f = superquadric_of(hollow[i].axis, hollow[i].m, hollow[i].n);
        check_radius(&f);
    }
}

/** Boxes of turned, moved, scaled ones in another frame hold the surface, and it comes near all
 * their faces. */
static void check_boxes(const superquadric_form *f)
{
    enum { N = 70 };
    double x[3][N], q[4][N], scale[N], lo[3][N], hi[3][N], centre[3][N], radius[N];
    uint32_t part[N] = {0};
    scree_frame asked = {
        .size = sizeof asked, .shift = {0.3, -0.2, 0.1}, .q = {0.5, 0.1, -0.7, 0.5}};
    solid_frame frame;
    solid_frame_set(&frame, &asked);
    for (uint32_t i = 0; i < N; i++) {
        double length = 0.0;
        for (int k = 0; k < 4; k++) {
            q[k][i] = random_in(-1.0, 1.0);
            length += q[k][i] * q[k][i];
        }
        for (int k = 0; k < 4; k++)
            q[k][i] /= sqrt(length);
        for (int k = 0; k < 3; k++)
            x[k][i] = random_in(-5.0, 5.0);
        scale[i] = random_in(0.5, 2.0);
    }
    const scree_shape_boxes b = {.size = sizeof b,
                                 .n = N,
                                 .dimension = 3,
                                 .x = {x[0], x[1], x[2]},
                                 .q = {q[0], q[1], q[2], q[3]},
                                 .scale = scale,
                                 .part = part,
                                 .lo = {lo[0], lo[1], lo[2]},
                                 .hi = {hi[0], hi[1], hi[2]},
                                 .centre = {centre[0], centre[1], centre[2]},
                                 .radius = radius};
    solid_boxes(&frame, superquadric_reach, f, sqrt(f->longest2), &b);
    for (uint32_t i = 0; i < N; i++) {
        double near[6] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
        const double turn[4] = {q[0][i], q[1][i], q[2][i], q[3][i]};
        for (int n = 0; n < 4000; n++) {
            double p[3], d2 = 0.0;
            surface_point(f, random_in(-0.5, 0.5) * PI, random_in(-1.0, 1.0) * PI, p);
            solid_point_out(&frame, p, p);
            scree_rotate(turn, p, p);
            for (int k = 0; k < 3; k++) {
                const double at = x[k][i] + scale[i] * p[k];
                near[k] = fmin(near[k], at - lo[k][i]);
                near[k + 3] = fmin(near[k + 3], hi[k][i] - at);
                d2 += (at - centre[k][i]) * (at - centre[k][i]);
            }
            g_assert_cmpfloat(sqrt(d2), <=, radius[i] * (1.0 + 1e-12));
        }
        for (int k = 0; k < 6; k++) {
            g_assert_cmpfloat(near[k], >=, -1e-14 * 8.0);
            g_assert_cmpfloat(near[k], <=, 0.25);
        }
    }
}

TEST("/superquadric/boxes-hold-and-touch")
{
    for (size_t i = 0; i < G_N_ELEMENTS(forms); i++) {
        const superquadric_form f = superquadric_of(forms[i].axis, forms[i].m, forms[i].n);
        check_boxes(&f);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(hollow); i++) {
        const superquadric_form f = superquadric_of(hollow[i].axis, hollow[i].m, hollow[i].n);
        check_boxes(&f);
    }
}

/** Square of the distance from p to a triangle (C. Ericson, Real-Time Collision Detection, 5.1.5). */
static double square_to(const scree_mesh *m, uint32_t facet, const double p[3])
{
    double ab[3], ac[3], ap[3], d[6] = {0.0};
    const uint32_t *c = m->facet + 4 * (size_t)facet;
    for (int k = 0; k < 3; k++) {
        ab[k] = m->vertex[k][c[1]] - m->vertex[k][c[0]];
        ac[k] = m->vertex[k][c[2]] - m->vertex[k][c[0]];
        ap[k] = p[k] - m->vertex[k][c[0]];
        d[0] += ab[k] * ap[k];
        d[1] += ac[k] * ap[k];
        d[2] += ab[k] * ab[k];
        d[3] += ab[k] * ac[k];
        d[4] += ac[k] * ac[k];
        d[5] += ap[k] * ap[k];
    }
    const double det = d[2] * d[4] - d[3] * d[3];
    double v = (d[4] * d[0] - d[3] * d[1]) / det, w = (d[2] * d[1] - d[3] * d[0]) / det;
    if (v < 0.0 || w < 0.0 || v + w > 1.0) { // on one of the sides
        double best = HUGE_VAL;
        const double along[3] = {
            CLAMP(d[0] / d[2], 0.0, 1.0), CLAMP(d[1] / d[4], 0.0, 1.0),
            CLAMP((d[1] - d[0] + d[2] - d[3]) / (d[2] - 2.0 * d[3] + d[4]), 0.0, 1.0)};
        const double at[3][2] = {{along[0], 0.0}, {0.0, along[1]}, {1.0 - along[2], along[2]}};
        for (int e = 0; e < 3; e++) {
            double sum = 0.0;
            for (int k = 0; k < 3; k++)
                sum += pow(at[e][0] * ab[k] + at[e][1] * ac[k] - ap[k], 2.0);
            best = fmin(best, sum);
        }
        return best;
    }
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        sum += pow(v * ab[k] + w * ac[k] - ap[k], 2.0);
    return sum;
}

/** Both ways: points of the surface from the mesh, and of the mesh from the surface, which for a convex
 * solid is at most as far as the tangent plane in the direction of the facet. */
static void check_mesh(const superquadric_form *f, double tolerance)
{
    const solid_frame own = solid_frame_own();
    mesh_surface *s;
    double farthest = 0.0;
    g_assert_true(superquadric_mesh(f, &own, tolerance, &s));
    g_assert_nonnull(s);
    g_assert_true(s->view.closed);
    for (int i = 0; i < 400; i++) {
        double p[3], best = HUGE_VAL;
        surface_point(f, random_in(-0.5, 0.5) * PI, random_in(-1.0, 1.0) * PI, p);
        for (uint32_t k = 0; k < s->view.n_facets; k++)
            best = fmin(best, square_to(&s->view, k, p));
        farthest = fmax(farthest, sqrt(best));
    }
    g_assert_cmpfloat(farthest, <=, tolerance);
    for (uint32_t k = 0; k < s->view.n_vertices; k++) {
        double g[3], p[3] = {s->vertex[0][k], s->vertex[1][k], s->vertex[2][k]};
        assert_near(value_at(f, p, g), 0.0, 4e-15);
    }
    for (uint32_t k = 0; k < s->view.n_facets && superquadric_is_convex(f); k++) {
        double n[3], p[3], h = 0.0, at = 0.0;
        mesh_normal(s, k, n);
        farthest_at(f, n, p);
        for (int l = 0; l < 3; l++) {
            h += n[l] * p[l];
            at += n[l] * s->vertex[l][s->facet[4 * (size_t)k]];
        }
        g_assert_cmpfloat(h - at, <=, tolerance + 1e-14);
    }
    mesh_surface_free(s);
}

TEST("/superquadric/mesh-is-within-its-tolerance")
{
    for (size_t i = 0; i < G_N_ELEMENTS(forms); i++) {
        const superquadric_form f = superquadric_of(forms[i].axis, forms[i].m, forms[i].n);
        check_mesh(&f, 0.05);
        check_mesh(&f, 0.004);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(hollow); i++) {
        const superquadric_form f = superquadric_of(hollow[i].axis, hollow[i].m, hollow[i].n);
        check_mesh(&f, 0.02);
    }
    // An octahedron has 8 facets whatever the tolerance; a mesh that would be too fine is refused.
    const superquadric_form octahedron = superquadric_of(forms[5].axis, 1.0, 1.0);
    const superquadric_form ball = superquadric_of(forms[0].axis, 2.0, 2.0);
    const solid_frame own = solid_frame_own();
    mesh_surface *s;
    g_assert_true(superquadric_mesh(&octahedron, &own, 1e-9, &s));
    g_assert_cmpuint(s->view.n_facets, ==, 8);
    mesh_surface_free(s);
    g_assert_true(superquadric_mesh(&ball, &own, 1e-9, &s));
    g_assert_null(s);
}
