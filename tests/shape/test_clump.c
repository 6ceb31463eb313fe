// SPDX-License-Identifier: Apache-2.0
// Volume and moments of shape/clump: closed forms, another program, other axes.
#include "../test.h"
#include "clump/clump.h"
#include "near.h"

#include <glib.h>

enum { MOST = 16 };

/** Balls of rows x, y, z, radius. */
typedef struct fixture {
    clump_balls balls;
    double x[3][MOST], r[MOST];
} fixture;

static void set_up(fixture *f, uint32_t n, const double *rows)
{
    f->balls = (clump_balls){.n = n, .x = {f->x[0], f->x[1], f->x[2]}, .r = f->r};
    for (uint32_t i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++)
            f->x[k][i] = rows[4 * i + (uint32_t)k];
        f->r[i] = rows[4 * i + 3];
    }
}

/** Two balls of one size, h = r - d / 2: less their lens of two caps pi h^2 (r - h / 3); along the
 * axis int pi (r^2 - u^2) (d / 2 + u)^2 from the plane to the pole, twice. */
TEST("/clump/two-balls-have-the-moments-of-their-formula")
{
    const double r = 0.8, d = 1.1, h = r - 0.5 * d, pi = CLUMP_PI, e = 0.5 * d;
    const double rows[] = {-e, 0, 0, r, e, 0, 0, r};
    fixture f;
    clump_moments m;
    set_up(&f, 2, rows);
    g_assert_true(clump_unite_balls(&f.balls, &m));
    // F(u) of int (r^2 - u^2) (e + u)^2 du = r^2 (e^2 u + e u^2 + u^3/3) - e^2 u^3/3 - e u^4/2 - u^5/5
    double sum = 0.0;
    for (int side = 0; side < 2; side++) {
        const double u = side ? -e : r;
        const double at = r * r * (e * e * u + e * u * u + u * u * u / 3.0) -
                          e * e * u * u * u / 3.0 - e * pow(u, 4) / 2.0 - pow(u, 5) / 5.0;
        sum += side ? -at : at;
    }
    assert_near(m.m[M_1], 2.0 * (4.0 / 3.0 * pi * r * r * r - pi * h * h * (r - h / 3.0)), 1e-14);
    assert_near(m.m[M_XX], 2.0 * pi * sum, 1e-14);
    assert_near(m.m[M_X], 0.0, 1e-15);
    g_assert_cmpfloat(m.error, ==, 0.0);
    g_assert_true(clump_integrate(&f.balls, &m));
    assert_near(m.m[M_XX], 2.0 * pi * sum, 1e-9);
    g_assert_cmpfloat(m.error, <, CLUMP_ERROR);
}

/** Balls side by side: the sum of them, 2/5 r^2 and Steiner's term. */
TEST("/clump/balls-apart-have-the-sum")
{
    const double rows[] = {0, 0, 0, 0.5, 2, 1, 3, 0.7};
    const double a = 4.0 / 3.0 * CLUMP_PI * 0.125, b = 4.0 / 3.0 * CLUMP_PI * 0.343;
    fixture f;
    clump_moments m;
    set_up(&f, 2, rows);
    g_assert_true(clump_unite_balls(&f.balls, &m));
    assert_near(m.m[M_1], a + b, 1e-14);
    assert_near(m.m[M_YY], a * 0.05 + b * (0.2 * 0.49 + 1.0), 1e-14);
    assert_near(m.m[M_XZ], b * 6.0, 1e-13);
    clump_sum_balls(&f.balls, 0, &m);
    assert_near(m.m[M_1], a + b, 1e-14);
}

/** Random chains without triple overlaps, by formula and by slices: both to the stated error. */
TEST("/clump/slices-agree-with-formulas")
{
    double worst = 0.0;
    for (int round = 0; round < 200; round++) {
        double rows[4 * 4];
        fixture f;
        clump_moments exact, sliced;
        for (int i = 0; i < 4; i++) {
            rows[4 * i] = 1.3 * i + g_test_rand_double_range(-0.1, 0.1);
            rows[4 * i + 1] = g_test_rand_double_range(-0.3, 0.3);
            rows[4 * i + 2] = g_test_rand_double_range(-0.3, 0.3);
            rows[4 * i + 3] = g_test_rand_double_range(0.7, 0.95);
        }
        set_up(&f, 4, rows);
        g_assert_true(clump_unite_balls(&f.balls, &exact));
        g_assert_cmpfloat(exact.error, ==, 0.0);
        g_assert_true(clump_integrate(&f.balls, &sliced));
        g_assert_cmpfloat(sliced.error, <, CLUMP_ERROR);
        for (int k = 0; k < N_MOMENTS; k++)
            worst = MAX(worst, fabs(exact.m[k] - sliced.m[k]) / exact.m[k == 0 ? 0 : M_XX]);
    }
    g_test_message("slices are off by %g", worst);
    g_assert_cmpfloat(worst, <, 1e-10);
}

/** Slices across x instead of z, of balls that overlap in all ways: the same body. */
TEST("/clump/slices-across-other-axes-agree")
{
    double worst = 0.0, error = 0.0;
    for (int round = 0; round < 100; round++) {
        const uint32_t n = 3 + (uint32_t)round % 6;
        double rows[4 * MOST], turned[4 * MOST];
        fixture f, g;
        clump_moments a, b;
        for (uint32_t i = 0; i < n; i++) {
            for (uint32_t k = 0; k < 3; k++)
                rows[4 * i + k] = g_test_rand_double_range(-1.0, 1.0);
            rows[4 * i + 3] = g_test_rand_double_range(0.5, 1.0);
            for (uint32_t k = 0; k < 3; k++)
                turned[4 * i + (k + 2) % 3] = rows[4 * i + k]; // x becomes z
            turned[4 * i + 3] = rows[4 * i + 3];
        }
        set_up(&f, n, rows);
        set_up(&g, n, turned);
        g_assert_true(clump_integrate(&f.balls, &a));
        g_assert_true(clump_integrate(&g.balls, &b));
        error = MAX(error, MAX(a.error, b.error));
        const double scale = a.m[M_1];
        worst = MAX(worst, fabs(a.m[M_1] - b.m[M_1]) / scale);
        worst = MAX(worst, fabs(a.m[M_X] - b.m[M_Z]) / scale);
        worst = MAX(worst, fabs(a.m[M_XX] - b.m[M_ZZ]) / scale);
        worst = MAX(worst, fabs(a.m[M_XY] - b.m[M_XZ]) / scale);
        worst = MAX(worst, fabs(a.m[M_YZ] - b.m[M_XY]) / scale);
    }
    g_test_message("across x and z: %g, stated %g", worst, error);
    g_assert_cmpfloat(worst, <, CLUMP_ERROR);
    g_assert_cmpfloat(error, <, CLUMP_ERROR);
}

/** Against a program that unites intervals along x in a grid of 1200^2 lines, good to 1e-5. */
TEST("/clump/another-program-agrees")
{
    static const double rows[] = {0.0, 0.0, 0.0,  1.0, 1.0, 0.2, 0.1,  0.8,  0.4, 0.8,
                                  0.3, 0.9, -0.7, 0.5, 0.5, 0.6, -0.5, -0.6, 0.5, 0.7};
    static const double known[N_MOMENTS] = {8.5203173, 1.3966084, 1.7570493, 1.6157750,  4.2285882,
                                            3.8432927, 2.2203897, 1.1744261, -0.1000348, 0.4813763};
    fixture f;
    clump_moments m;
    set_up(&f, 5, rows);
    g_assert_true(clump_unite_balls(&f.balls, &m));
    for (int k = 0; k < N_MOMENTS; k++)
        assert_near(m.m[k], known[k], 4e-5);
    g_assert_cmpfloat(m.error, <, CLUMP_ERROR);
}

/** Two discs: each less its segment r^2 (a - sin a cos a). Three by a program that unites intervals
 * of 400 000 lines, good to 1e-8. */
TEST("/clump/discs-are-exact")
{
    static const double pair[] = {0, 0, 0, 1, 1.2, 0, 0, 0.9};
    static const double three[] = {0, 0, 0, 1, 1.2, 0.1, 0, 0.9, 0.5, 1, 0, 0.8};
    const double d = 1.2, t = (d * d + 1.0 - 0.81) / (2.0 * d), a = acos(t),
                 b = acos((d - t) / 0.9);
    fixture f;
    clump_moments m;
    set_up(&f, 2, pair);
    g_assert_true(clump_unite_discs(&f.balls, &m));
    assert_near(m.m[M_1], CLUMP_PI * 1.81 - (a - sin(a) * cos(a)) - 0.81 * (b - sin(b) * cos(b)),
                1e-14);
    set_up(&f, 3, three);
    g_assert_true(clump_unite_discs(&f.balls, &m));
    assert_near(m.m[M_1], 6.06777191, 2e-8);
    assert_near(m.m[M_X], 3.14083224, 4e-8);
    assert_near(m.m[M_Y], 1.64322236, 4e-8);
    assert_near(m.m[M_XX], 5.08660468, 4e-8);
    assert_near(m.m[M_YY], 3.16917159, 4e-8);
    assert_near(m.m[M_XY], 1.00389692, 4e-8);
    clump_sum_balls(&f.balls, 1, &m);
    assert_near(m.m[M_1], CLUMP_PI * (1.0 + 0.81 + 0.64), 1e-14);
}

/** Equal ones and those inside others, which a slice may have, count once. */
TEST("/clump/what-is-covered-counts-once")
{
    static const double rows[] = {0, 0, 0, 1, 0, 0, 0, 1, 0.2, 0.1, 0, 0.5, 0.3, 0, 0, 0.7};
    fixture f;
    clump_moments m;
    set_up(&f, 4, rows);
    g_assert_true(clump_unite_discs(&f.balls, &m));
    assert_near(m.m[M_1], CLUMP_PI, 1e-14);
    assert_near(m.m[M_XX], 0.25 * CLUMP_PI, 1e-14);
    g_assert_true(clump_unite_balls(&f.balls, &m));
    assert_near(m.m[M_1], 4.0 / 3.0 * CLUMP_PI, 1e-9);
}

/** 1000 balls take seconds at most, and the error is stated. */
TEST("/clump/1000-balls")
{
    enum { N = 1000 };
    double *all = g_new(double, 4 * N);
    clump_balls b = {.n = N, .x = {all, all + N, all + 2 * N}, .r = all + 3 * N};
    clump_moments m;
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < 3; k++)
            b.x[k][i] = g_test_rand_double_range(-1.0, 1.0);
        b.r[i] = g_test_rand_double_range(0.1, 0.2);
    }
    g_test_timer_start();
    g_assert_true(clump_unite_balls(&b, &m));
    g_test_message("in %g s to %g", g_test_timer_elapsed(), m.error);
    g_assert_cmpfloat(m.error, <, 2e-6);
    g_assert_cmpfloat(m.m[M_1], >, 8.0 * 0.9);
    g_assert_cmpfloat(m.m[M_1], <, 2.3 * 2.3 * 2.3);
    g_free(all);
}
