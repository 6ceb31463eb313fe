// SPDX-License-Identifier: Apache-2.0
// Outlines of shape/polygon: sums against closed forms, refusals with their place, resampling.
#include "../plane.h"
#include "../test.h"
#include "near.h"
#include "polygon/polygon.h"

#include <glib.h>

#define PI 3.14159265358979323846

/** An outline of x, y, x, y, .. */
static polygon_outline outline_of(uint32_t n, const double *xy)
{
    polygon_outline o = {0};
    g_assert_true(polygon_outline_new(&o, n));
    for (uint32_t i = 0; i < n; i++) {
        o.x[i] = xy[2 * i];
        o.y[i] = xy[2 * i + 1];
    }
    return o;
}

static polygon_outline regular(uint32_t n, double radius, double x, double y)
{
    polygon_outline o = {0};
    g_assert_true(polygon_outline_new(&o, n));
    for (uint32_t i = 0; i < n; i++) {
        o.x[i] = x + radius * cos(2.0 * PI * i / n);
        o.y[i] = y + radius * sin(2.0 * PI * i / n);
    }
    return o;
}

/** A polygon that is star-shaped about the origin: n corners at ascending angles. `least`: of the
 * radius, 1: all corners on a circle. */
static polygon_outline star(uint32_t n, double least)
{
    polygon_outline o = {0};
    g_assert_true(polygon_outline_new(&o, n));
    for (uint32_t i = 0; i < n; i++) {
        const double angle = 2.0 * PI * (i + 0.8 * g_test_rand_double()) / n;
        const double r = least + (1.0 - least) * g_test_rand_double();
        o.x[i] = r * cos(angle);
        o.y[i] = r * sin(angle);
    }
    return o;
}

/** Area, centroid and moment of n-gons in a circle: A = n r^2 sin(2 pi / n) / 2 and, per mass, r^2
 * (2 + cos(2 pi / n)) / 6. Far from the origin with as many digits as the corners have. */
TEST("/polygon/regular-ones-have-the-area-and-moment-of-the-formula")
{
    for (uint32_t n = 3; n < 2000; n = 2 * n - 1) {
        const double r = 0.7, turn = 2.0 * PI / n;
        polygon_outline o = regular(n, r, 0.0, 0.0), far = regular(n, r, 1e6, -2e6);
        const polygon_solid s = polygon_measure(n, o.x, o.y), f = polygon_measure(n, far.x, far.y);
        assert_near(s.area, 0.5 * n * r * r * sin(turn), 1e-14);
        assert_near(s.inertia, r * r * (2.0 + cos(turn)) / 6.0, 1e-14);
        assert_near(s.radius, r, 1e-14);
        assert_near(s.centroid[0], 0.0, 1e-15);
        assert_near(s.centroid[1], 0.0, 1e-15);
        assert_near(f.area, s.area, 1e-8);
        assert_near(f.inertia, s.inertia, 1e-8);
        assert_near(f.centroid[0], 1e6, 1e-9);
        polygon_outline_clear(&o);
        polygon_outline_clear(&far);
    }
}

/** An L of three unit squares: centroid (5/6, 5/6), moment by Steiner: 3 (1/6) + 2/3 + 2/3 of 3. */
TEST("/polygon/an-l-has-those-of-three-squares")
{
    static const double l[] = {0, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2};
    polygon_outline o = outline_of(6, l);
    const polygon_solid s = polygon_measure(6, o.x, o.y);
    uint32_t hull[6];
    double steiner = 0.0;
    static const double middle[3][2] = {{0.5, 0.5}, {1.5, 0.5}, {0.5, 1.5}};
    for (int i = 0; i < 3; i++)
        steiner +=
            (1.0 / 6.0 + pow(middle[i][0] - 5.0 / 6.0, 2) + pow(middle[i][1] - 5.0 / 6.0, 2)) / 3.0;
    assert_near(s.area, 3.0, 1e-15);
    assert_near(s.centroid[0], 5.0 / 6.0, 1e-15);
    assert_near(s.centroid[1], 5.0 / 6.0, 1e-15);
    assert_near(s.inertia, steiner, 1e-15);
    g_assert_cmpuint(polygon_hull(6, o.x, o.y, hull), ==, 5);
    g_assert_cmpuint(plane_turns_in(6, o.x, o.y), ==, 3);
    assert_near(plane_area(6, o.x, o.y), 3.0, 1e-15);
    polygon_outline_clear(&o);
}

/** The outline is refused with these words. */
static void refused(uint32_t n, const double *xy, const char *words)
{
    polygon_outline o = outline_of(n, xy);
    mesh_lines problems = {0};
    g_assert_cmpint(polygon_check(&o, &problems), ==, 0);
    g_assert_cmpuint(problems.n, >=, 1);
    if (!strstr(problems.line[0], words))
        g_error("expected '%s', got '%s'", words, problems.line[0]);
    mesh_lines_clear(&problems);
    polygon_outline_clear(&o);
}

TEST("/polygon/bad-outlines-are-refused-with-their-place")
{
    static const double two[] = {0, 0, 1, 0}, bow[] = {0, 0, 1, 1, 1, 0, 0, 1};
    static const double line[] = {0, 0, 1, 0, 2, 0}, clockwise[] = {0, 0, 0, 1, 1, 1, 1, 0};
    static const double twice[] = {0, 0, 1, 0, 1, 0, 1, 1}, closed[] = {0, 0, 1, 0, 1, 1, 0, 0};
    static const double eight[] = {0, 0, 1, -1, 1, 1, 0, 0, -1, 1, -1, -1};
    static const double spike[] = {0, 0, 2, 0, 2, 1, 1, 1, 3, 1, 0, 2};
    static const double touch[] = {0, 0, 2, 0, 2, 2, 1, 0, 0, 2};
    refused(2, two, "expected 3 vertices or more, got 2");
    refused(4, bow,
            "crosses itself: the side from vertex 0 to vertex 1 meets the side from vertex 2 to "
            "vertex 3");
    refused(3, line, "fold back on each other at vertex 2");
    refused(4, clockwise,
            "inside out: its vertices go clockwise (area -1 m^2); list them in the "
            "reverse order");
    refused(4, twice,
            "vertex 1 and vertex 2 are in one place: the side between them has no length");
    refused(4, closed, "vertex 0 and vertex 3 are in one place: leave out the last one");
    refused(6, eight, "vertex 0 and vertex 3 are in one place: the outline touches itself there");
    refused(6, spike, "fold back on each other at vertex 3");
    refused(5, touch, "the side from vertex 0 to vertex 1 meets the side from vertex");
}

/** In a file the line is named, too. */
TEST("/polygon/lines-of-a-file-are-named")
{
    static const double bow[] = {0, 0, 1, 1, 1, 0, 0, 1};
    static const uint32_t line[] = {2, 3, 5, 6};
    polygon_outline o = outline_of(4, bow);
    mesh_lines problems = {0};
    o.file = "bow.csv";
    o.line = line;
    g_assert_cmpint(polygon_check(&o, &problems), ==, 0);
    g_assert_cmpuint(problems.n, ==, 1);
    g_assert_cmpstr(problems.line[0], ==,
                    "the outline crosses itself: the side from vertex 0 (bow.csv:2) to vertex 1 "
                    "(bow.csv:3) meets the side from vertex 2 (bow.csv:5) to vertex 3 (bow.csv:6)");
    mesh_lines_clear(&problems);
    polygon_outline_clear(&o);
}

/** Whether sides a and b have a point in common, by the parameters of both lines. */
static gboolean cross_plainly(const polygon_outline *o, uint32_t a, uint32_t b)
{
    const uint32_t c = (a + 1) % o->n, d = (b + 1) % o->n;
    const double ux = o->x[c] - o->x[a], uy = o->y[c] - o->y[a];
    const double vx = o->x[d] - o->x[b], vy = o->y[d] - o->y[b];
    const double wx = o->x[b] - o->x[a], wy = o->y[b] - o->y[a], over = ux * vy - uy * vx;
    const double s = (wx * vy - wy * vx) / over, t = (wx * uy - wy * ux) / over;
    return s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0;
}

/** Random closed curves: each crossing, and nothing else, is found. */
TEST("/polygon/all-crossings-are-found-and-no-others")
{
    uint32_t simple = 0;
    for (int round = 0; round < 3000; round++) {
        const uint32_t n = 4 + (uint32_t)g_test_rand_int_range(0, 6);
        polygon_outline o = star(n, 0.5);
        mesh_lines problems = {0};
        uint64_t crossings = 0;
        for (int k = 0; k < 1 + round % 3; k++) { // some corners elsewhere
            const uint32_t i = (uint32_t)g_test_rand_int_range(0, (gint32)n);
            o.x[i] = g_test_rand_double_range(-1.0, 1.0);
            o.y[i] = g_test_rand_double_range(-1.0, 1.0);
        }
        for (uint32_t a = 0; a < n; a++)
            for (uint32_t b = a + 2; b < n; b++)
                crossings += (b + 1) % n != a && cross_plainly(&o, a, b);
        const int good = polygon_check(&o, &problems);
        if (crossings) {
            g_assert_cmpint(good, ==, 0);
            g_assert_cmpuint(problems.n, ==, crossings);
        } else if (!good) { // turned over by the moved corners
            g_assert_nonnull(strstr(problems.line[0], "inside out"));
        }
        simple += !crossings;
        mesh_lines_clear(&problems);
        polygon_outline_clear(&o);
    }
    g_assert_cmpuint(simple, >, 500);
    g_assert_cmpuint(simple, <, 2500);
}

/** 10 000 corners take no time. */
TEST("/polygon/10000-corners-are-quick")
{
    polygon_outline o = star(10000, 0.5);
    mesh_lines problems = {0};
    polygon_halves h = {0};
    g_test_timer_start();
    g_assert_cmpint(polygon_check(&o, &problems), ==, 1);
    g_test_message("checked in %g s", g_test_timer_elapsed());
    g_assert_false(polygon_resample(&o, 50, &h, &problems)); // jagged all round
    g_assert_nonnull(strstr(problems.line[0], "back and forth along every direction"));
    g_test_message("searched for a direction in %g s", g_test_timer_elapsed());
    mesh_lines_clear(&problems);
    polygon_halves_clear(&h);
    polygon_outline_clear(&o);
}

/* ---- resampling ---- */

/** Height at X of the half of the outline that is above (or below) in the frame of a strip. */
static double cut(const polygon_outline *o, const polygon_strip *s, double x, gboolean above)
{
    double found = above ? -HUGE_VAL : HUGE_VAL;
    for (uint32_t i = 0; i < o->n; i++) {
        const uint32_t j = (i + 1) % o->n;
        const double ax = o->x[i] - s->shift[0], ay = o->y[i] - s->shift[1];
        const double bx = o->x[j] - s->shift[0], by = o->y[j] - s->shift[1];
        const double x0 = s->turn[0] * ax + s->turn[1] * ay, y0 = s->turn[0] * ay - s->turn[1] * ax;
        const double x1 = s->turn[0] * bx + s->turn[1] * by, y1 = s->turn[0] * by - s->turn[1] * bx;
        if ((x0 - x) * (x1 - x) > 0.0 || x0 == x1)
            continue;
        const double y = y0 + (x - x0) / (x1 - x0) * (y1 - y0);
        found = above ? MAX(found, y) : MIN(found, y);
    }
    return found;
}

/** Points of both halves are on the outline, the ends are one point each, the frame is that of the
 * centroid, and the outline of the strip is one of a solid. Returns its area. */
static double check_strip(const polygon_outline *o, uint32_t n)
{
    polygon_halves h = {0};
    polygon_outline made = {0};
    mesh_lines problems = {0};
    g_assert_true(polygon_resample(o, n, &h, &problems));
    const polygon_strip *s = &h.strip;
    g_assert_cmpuint(s->n, ==, n);
    for (uint32_t i = 1; i < n; i++) {
        const double x = s->x0 + i * s->dx;
        assert_near(s->upper[i], cut(o, s, x, TRUE), 1e-12);
        assert_near(s->lower[i], cut(o, s, x, FALSE), 1e-12);
        g_assert_cmpfloat(s->upper[i], >, s->lower[i]);
    }
    g_assert_cmpfloat(s->upper[0], ==, s->lower[0]);
    g_assert_cmpfloat(s->upper[n], ==, s->lower[n]);
    assert_near(s->turn[0] * s->turn[0] + s->turn[1] * s->turn[1], 1.0, 1e-15);
    g_assert_true(polygon_outline_new(&made, 2 * n));
    polygon_strip_outline(s, made.x, made.y);
    g_assert_cmpint(polygon_check(&made, &problems), ==, 1);
    const polygon_solid solid = polygon_measure(made.n, made.x, made.y);
    assert_near(solid.centroid[0], s->shift[0], 1e-14);
    assert_near(solid.centroid[1], s->shift[1], 1e-14);
    polygon_outline_clear(&made);
    polygon_halves_clear(&h);
    return solid.area;
}

/** Width along X is the longest diagonal of a convex outline. */
TEST("/polygon/halves-of-a-strip-are-on-the-outline")
{
    for (int round = 0; round < 300; round++) {
        const uint32_t n = 5 + (uint32_t)g_test_rand_int_range(0, 16);
        polygon_outline o = star(n, 1.0);
        polygon_halves h = {0};
        mesh_lines problems = {0};
        double longest = 0.0;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                longest = MAX(longest, hypot(o.x[i] - o.x[j], o.y[i] - o.y[j]));
        check_strip(&o, 2 + (uint32_t)round % 60);
        g_assert_true(polygon_resample(&o, 9, &h, &problems));
        assert_near(9.0 * h.strip.dx, longest, 1e-14);
        polygon_halves_clear(&h);
        polygon_outline_clear(&o);
    }
}

/** [-] Mean share of the area that N = 2 (n + 1) points lose, of irregular convex outlines of 5 to 20
 * corners. */
static double mean_loss(uint32_t points)
{
    double sum = 0.0;
    enum { ROUNDS = 400 };
    for (int round = 0; round < ROUNDS; round++) {
        polygon_outline o = star(5 + (uint32_t)round % 16, 1.0);
        const double area = polygon_measure(o.n, o.x, o.y).area;
        sum += 1.0 - check_strip(&o, points / 2 - 1) / area;
        polygon_outline_clear(&o);
    }
    return sum / ROUNDS;
}

/** Area of order 2 in dx: 1.9 to 2.9 % are lost with 20 points, 0.3 to 0.5 % with 50, 0.1 % with 100,
 * 0.01 to 0.02 % with 300 (prototype in another language, other outlines: bounds are wider). */
TEST("/polygon/resampling-loses-area-of-order-two")
{
    const double loss[] = {mean_loss(20), mean_loss(50), mean_loss(100), mean_loss(300)};
    g_test_message("lost: %.3g, %.3g, %.3g, %.3g", loss[0], loss[1], loss[2], loss[3]);
    g_assert_cmpfloat(loss[0], >, 0.012);
    g_assert_cmpfloat(loss[0], <, 0.032);
    g_assert_cmpfloat(loss[1], >, 0.002);
    g_assert_cmpfloat(loss[1], <, 0.0055);
    g_assert_cmpfloat(loss[2], >, 0.0005);
    g_assert_cmpfloat(loss[2], <, 0.0014);
    g_assert_cmpfloat(loss[3], >, 0.00005);
    g_assert_cmpfloat(loss[3], <, 0.0002);
    const double order = log(loss[1] / loss[3]) / log(149.0 / 24.0); // of dx
    g_assert_cmpfloat(order, >, 1.8);
    g_assert_cmpfloat(order, <, 2.2);
}

/** A comb: along its longest diagonal the teeth are cut several times, across it they are not. */
TEST("/polygon/another-direction-serves-or-none")
{
    static const double comb[] = {0, 0, 10, 0, 10, 1, 7, 0.5, 7.2, 2, 4, 0.5, 3, 1, 0, 0.5};
    static const double z[] = {0, 0, 4, 0, 4, 3, 3.9, 3, 3.9, 0.1, 0, 0.1};
    static const double s[] = {0, 0, 4,   0, 4,   3,   1,   3,   1,   4,   4, 4,
                               4, 5, 0.5, 5, 0.5, 2.5, 3.5, 2.5, 3.5, 0.5, 0, 0.5};
    polygon_outline o = outline_of(8, comb);
    polygon_halves h = {0};
    mesh_lines problems = {0};
    g_assert_cmpint(polygon_check(&o, &problems), ==, 1);
    check_strip(&o, 40);
    polygon_outline_clear(&o);
    o = outline_of(6, z);
    check_strip(&o, 100);
    polygon_outline_clear(&o);
    o = outline_of(12, s);
    g_assert_cmpint(polygon_check(&o, &problems), ==, 1);
    g_assert_false(polygon_resample(&o, 10, &h, &problems));
    g_assert_nonnull(strstr(problems.line[0], "back and forth along every direction"));
    mesh_lines_clear(&problems);
    polygon_halves_clear(&h);
    polygon_outline_clear(&o);
}
