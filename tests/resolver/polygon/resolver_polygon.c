// SPDX-License-Identifier: Apache-2.0
// Claims about the resolvers `dfr2d` and `cyrus_beck`: areas against exact clipping, chords against slopes of
// that area, degenerate poses. usage: resolver_polygon PLUGIN.so [PLUGIN.x86-64-v3.so]; both must give the
// same bits.
#include "strip_scene.h"

static int is_dfr(const subject *s)
{
    return strcmp(s->plugin->id, "dfr2d") == 0;
}

static int all_finite(void)
{
    int fine = 1;
    for (uint32_t c = 0; c < found.out.n; c++) {
        const double n = hypot(found.normal[0][c], found.normal[1][c]);
        fine = fine && fabs(n - 1.0) < 1e-12 && isfinite(found.depth[c]) &&
               isfinite(found.arm[0][c]) && isfinite(found.arm[1][c]) && isfinite(found.area[c]) &&
               isfinite(found.chord[c]);
    }
    return fine;
}

static double area_of(uint32_t p)
{
    double sum = 0.0;
    for (uint32_t c = 0; c < found.out.n; c++)
        sum += found.pair[c] == p ? found.area[c] : 0.0;
    return sum;
}

static uint32_t contacts_of(uint32_t p)
{
    uint32_t n = 0;
    for (uint32_t c = 0; c < found.out.n; c++)
        n += found.pair[c] == p;
    return n;
}

/* ---- areas ---- */

/* Random pairs of shapes 0 .. n_shapes, near enough to overlap. */
static void random_pairs(subject *s, uint32_t n_shapes, uint32_t n)
{
    batch.in.n = 0;
    for (uint32_t p = 0; p < n; p++) {
        const uint32_t a = (uint32_t)fake_uniform(&s->fake, 0, n_shapes);
        const uint32_t b = (uint32_t)fake_uniform(&s->fake, 0, n_shapes);
        const double by = fake_uniform(&s->fake, 0, 2 * PI), far = fake_uniform(&s->fake, 0, 2.2);
        add_pair(a, fake_uniform(&s->fake, -PI, PI), fake_uniform(&s->fake, 0.5, 1.5), b,
                 fake_uniform(&s->fake, -PI, PI), fake_uniform(&s->fake, 0.5, 1.5), far * cos(by),
                 far * sin(by));
    }
}

static void test_areas(subject *s)
{
    double worst = 0.0, most = 0.0;
    uint32_t n_overlap = 0, missed = 0, invented = 0, finite = 1;
    for (int round = 0; n_overlap < 40000; round++) {
        for (uint32_t i = 0; i < SHAPES; i++)
            poly_random_strip(s, &polys[i], 6 + 2 * (i % 8), i % 2 ? 0.1 : 0.7,
                              i % 4 < 2 ? 9 : 9 + (uint32_t)fake_uniform(&s->fake, 0, 140));
        scene_prepare(s, SHAPES);
        random_pairs(s, SHAPES, PAIRS);
        finite = run_batch(s, 0) && all_finite() && finite;
        for (uint32_t p = 0, c = 0; p < PAIRS; p++) {
            const double expected = clip_pair(p);
            const int is_found = c < found.out.n && found.pair[c] == p;
            const double got = is_found ? found.area[c++] : 0.0;
            n_overlap += expected > 0.0;
            missed += !is_found && expected > 1e-14;
            invented += is_found && got > 1e-14 && !(expected > 0.0);
            if (expected > 1e-7)
                worst = fmax(worst, fabs(got - expected) / expected);
            most = fmax(most, fabs(got - expected));
        }
    }
    printf("# %u overlapping pairs: worst area %.2g of itself where that is above 1e-7 m^2, %.2g "
           "m^2; missed %u, invented %u\n",
           n_overlap, worst, most, missed, invented);
    tap_ok(worst < (is_dfr(s) ? 1e-10 : 1e-9) && most < 1e-13 && missed == 0 && invented == 0 &&
               finite,
           "areas of 40 000 pairs are those of exact clipping, none is missed");
}

static void test_lens(subject *s)
{
    static const uint32_t sizes[] = {20, 40, 80, 160, 320};
    static const double at[] = {1.0, 1.4, 1.8};
    double before[3] = {0}, least = 1e300, most = 0.0, last = 0.0;
    for (size_t k = 0; k < SCREE_COUNT(sizes); k++) {
        poly_circle(&polys[0], sizes[k], is_dfr(s));
        scene_prepare(s, 1);
        batch.in.n = 0;
        for (int i = 0; i < 3; i++) // a strip's X lies across: its ends are not in the lens
            add_pair(0, 0.0, 1.0, 0, 0.0, 1.0, 0.0, at[i]);
        run_batch(s, 0);
        for (uint32_t i = 0; i < 3; i++) {
            const double lens = 2 * acos(at[i] / 2) - at[i] / 2 * sqrt(4 - at[i] * at[i]);
            const double error = fabs(area_of(i) - lens);
            if (k > 0) {
                least = fmin(least, before[i] / error);
                most = fmax(most, before[i] / error);
            }
            before[i] = error;
            last = fmax(last, error * sizes[k] * sizes[k]);
        }
    }
    printf("# lens: the error falls %.2f to %.2f times for twice the points, C = %.2f\n", least,
           most, last);
    tap_ok(least > 3.0 && most < 5.0 && last < 8.0,
           "polygons about circles tend to the lens as C/N^2");
}

/* ---- chords ---- */

/* The slopes of the area of exact clipping with b moved and turned, against chord, normal and point. */
static void test_slopes(subject *s)
{
    const double h = 1e-5;
    double worst = 0.0;
    uint32_t compared = 0, couples = 0;
    for (uint32_t i = 0; i < SHAPES; i++)
        poly_random_strip(s, &polys[i], 6 + 2 * (i % 8), i % 2 ? 0.3 : 0.8, 10 + i);
    scene_prepare(s, SHAPES);
    random_pairs(s, SHAPES, 1000);
    run_batch(s, 0);
    for (uint32_t c = 0; c < found.out.n; c++) {
        const uint32_t p = found.pair[c], b = 2 * p + 1;
        const double fx = -found.chord[c] * found.normal[0][c],
                     fy = -found.chord[c] * found.normal[1][c];
        const double rx = found.arm[0][c] - batch.d[0][p], ry = found.arm[1][c] - batch.d[1][p];
        const double expected[3] = {fx, fy, rx * fy - ry * fx};
        for (int way = 0; way < 3; way++) {
            double area[4];
            for (int k = 0; k < 4; k++) {
                const double by = (k < 2 ? k - 2 : k - 1) * h,
                             angle = 2 * atan2(world.q[3][b], world.q[0][b]);
                double keep[4] = {batch.d[0][p], batch.d[1][p], world.q[0][b], world.q[3][b]};
                if (way < 2)
                    batch.d[way][p] += by;
                else {
                    world.q[0][b] = cos(0.5 * (angle + by));
                    world.q[3][b] = sin(0.5 * (angle + by));
                }
                area[k] = clip_pair(p);
                batch.d[0][p] = keep[0];
                batch.d[1][p] = keep[1];
                world.q[0][b] = keep[2];
                world.q[3][b] = keep[3];
            }
            const double near = (area[2] - area[1]) / (2 * h), far = (area[3] - area[0]) / (4 * h);
            if (fabs(near - far) > 1e-7)
                continue; // a kink
            if (way == 2 &&
                fabs(near) > 0.6 * found.chord[c] * (batch.radius_a[p] + batch.radius_b[p])) {
                couples++;
                continue; // the line through which the normal would act passes both bodies by
            }
            compared++;
            worst = fmax(worst, fabs(near - expected[way]));
        }
    }
    printf("# %u slopes compared, worst %.2g; %u couples left out\n", compared, worst, couples);
    tap_ok(compared > 1000 && couples < 50 && worst < 1e-6,
           "moved and turned, the area changes by the chord times its normal at its middle");
}

/* Work of k area chord n on b over a closed path of two pentagons, over what is exchanged. */
static void test_loop(subject *s)
{
    enum { STEPS = 200 * PAIRS };
    double work = 0.0, exchanged = 0.0, at[5][2];
    for (int i = 0; i < 5; i++) {
        at[i][0] = cos(2 * PI * i / 5 + 0.4);
        at[i][1] = sin(2 * PI * i / 5 + 0.4);
    }
    poly_given(&polys[0], 5, at[0]);
    scene_prepare(s, 1); // dfr2d: as a strip of 100 panels
    for (uint32_t from = 0; from < STEPS; from += PAIRS) {
        batch.in.n = 0;
        for (uint32_t i = 0; i < PAIRS; i++) { // the middle of a step
            const double t = 2 * PI * (from + i + 0.5) / STEPS;
            add_pair(0, 0.0, 1.0, 0, 0.4 * sin(2 * t), 1.0, 1.3 + 0.35 * cos(t), 0.4 * sin(t));
        }
        if (!run_batch(s, 0))
            printf("# resolve failed: %s\n", s->fake.text);
        for (uint32_t c = 0; c < found.out.n; c++) {
            const double t = 2 * PI * (from + found.pair[c] + 0.5) / STEPS, dt = 2 * PI / STEPS;
            const double push = found.area[c] * found.chord[c];
            const double fx = push * found.normal[0][c], fy = push * found.normal[1][c];
            const double rx = found.arm[0][c] - batch.d[0][found.pair[c]];
            const double ry = found.arm[1][c] - batch.d[1][found.pair[c]];
            const double rate =
                fx * -0.35 * sin(t) + fy * 0.4 * cos(t) + (rx * fy - ry * fx) * 0.8 * cos(2 * t);
            work += rate * dt;
            exchanged += fabs(rate * dt);
        }
    }
    printf("# closed loop: work left %.2g of what was exchanged\n", work / exchanged);
    tap_ok(exchanged > 0.01 && fabs(work) <= 1e-9 * exchanged,
           "led round a closed path, k area chord n leaves no work");
}

/* ---- thin, crossed, degenerate ---- */

static void poly_bar(poly *p, double length, double width, uint32_t n, int resampled)
{
    const double corners[4][2] = {{-0.5 * length, -0.5 * width},
                                  {0.5 * length, -0.5 * width},
                                  {0.5 * length, 0.5 * width},
                                  {-0.5 * length, 0.5 * width}};
    poly_given(p, 4, corners[0]);
    if (!resampled)
        return;
    memset(p, 0, sizeof *p); // blunt needles: ends in a point, as a strip's are
    p->strip = (polygon_strip){.n = n, .x0 = -0.5 * length, .dx = length / n, .turn = {1.0, 0.0}};
    for (uint32_t k = 1; k < n; k++) {
        p->upper[k] = 0.5 * width;
        p->lower[k] = -0.5 * width;
    }
    poly_from_strip(p);
}

static void test_crossed(subject *s)
{
    poly_bar(&polys[0], 1.0, 0.05, 9, is_dfr(s));
    scene_prepare(s, 1);
    batch.in.n = 0;
    for (uint32_t i = 0; i < 30; i++) // between two sampled points
        add_pair(0, 0.0, 1.0, 0, PI / 2 + 0.02 * i, 1.0, 0.0005 * i, 0.0);
    int fine = run_batch(s, 0) && found.out.n == 30 && all_finite();
    double worst = 0.0;
    for (uint32_t c = 0; c < found.out.n; c++)
        worst = fmax(worst, fabs(found.area[c] - clip_pair(c)) / clip_pair(c));
    printf("# crossed bars: %u of 30 found, worst area %.2g\n", found.out.n, worst);
    tap_ok(fine && worst < 1e-12,
           "bars that cross with no point of one inside of the other are found");
}

static void test_thin(subject *s)
{
    uint32_t n_overlap = 0, n_without = 0, missed = 0;
    for (uint32_t i = 0; i < SHAPES; i++)
        poly_random_strip(s, &polys[i], 8, 0.05, 9);
    scene_prepare(s, SHAPES);
    for (int round = 0; n_overlap < 5000; round++) {
        random_pairs(s, SHAPES, PAIRS);
        run_batch(s, 0);
        for (uint32_t p = 0; p < PAIRS; p++) {
            static double x[2][MOST], y[2][MOST];
            const uint32_t n = outline_of(p, 0, x[0], y[0]), m = outline_of(p, 1, x[1], y[1]);
            if (!(clip_area(n, x[0], y[0], m, x[1], y[1]) > 1e-12))
                continue;
            int inside = 0;
            for (int k = 0; k < 2; k++) // any point of one within all sides of the other
                for (uint32_t v = 0, points = k ? m : n; v < points && !inside; v++) {
                    const double *ox = x[!k], *oy = y[!k];
                    const uint32_t sides = k ? n : m;
                    uint32_t in = 0;
                    for (uint32_t e = 0; e < sides; e++) {
                        const uint32_t f = (e + 1) % sides;
                        in += (ox[f] - ox[e]) * (y[k][v] - oy[e]) -
                                  (oy[f] - oy[e]) * (x[k][v] - ox[e]) >=
                              0.0;
                    }
                    inside = in == sides;
                }
            n_overlap++;
            n_without += !inside;
            missed += contacts_of(p) == 0;
        }
    }
    printf(
        "# thin at N = 20: of %u overlapping pairs %u have no sample point inside, %u are missed\n",
        n_overlap, n_without, missed);
    tap_ok(n_without > 100 && missed == 0,
           "thin pairs without a sample point inside are not missed");
}

static void test_degenerate(subject *s)
{
    int fine = 1;
    if (is_dfr(s))
        poly_circle(&polys[0], 20, 1);
    else
        poly_circle(&polys[0], 20, 0);
    poly_bar(&polys[1], 1.0, 1.0, 10, 0);
    const double area = poly_area(polys[0].outline.n, polys[0].x, polys[0].y);
    scene_prepare(s, 2);
    add_pair(0, 0.0, 1.0, 0, 0.0, 1.0, 0.0, 0.0);      // 0 equal
    add_pair(0, 0.3, 1.0, 0, 0.3 + PI, 1.0, 0.0, 0.0); // 1 equal, turned by half
    add_pair(0, 0.0, 1.0, 0, 0.7, 0.2, 0.3, 0.1);      // 2 b inside of a
    add_pair(0, 0.0, 0.2, 0, 0.7, 1.0, 0.3, 0.1);      // 3 a inside of b
    add_pair(0, 0.0, 1.0, 0, 0.0, 1.0, 2.0, 0.0);      // 4 point to point
    add_pair(1, 0.0, 1.0, 1, 0.0, 1.0, 0.0, 1.0);      // 5 squares, side on side, area 0
    add_pair(1, 0.0, 1.0, 1, 0.0, 1.0, 0.0, 0.99);     // 6 sides in line
    add_pair(1, 0.0, 1.0, 1, PI / 2, 1.0, 0.99, 0.0);  // 7
    add_pair(1, 0.0, 1.0, 1, 0.0, 0.5, 0.25, 0.0);     // 8 b inside, a side in common
    add_pair(1, 0.0, 1.0, 1, 0.0, 1.0, 0.5, 0.5);      // 9 a quarter
    add_pair(0, 0.0, 1.0, 0, PI / 20, 1.0, 0.0, 0.0);  // 10 corners over sides, 40 crossings
    fine = run_batch(s, 0) && all_finite();
    tap_ok(fine,
           "equal, contained, touching and aligned polygons give no number that is not finite");
    tap_ok(fabs(area_of(0) - area) < 1e-13 && fabs(area_of(1) - area) < 1e-13,
           "equal polygons have their own area in common");
    tap_ok(fabs(area_of(2) - 0.04 * area) < 1e-14 && fabs(area_of(3) - 0.04 * area) < 1e-14,
           "of one inside of the other the overlap is the smaller one");
    tap_ok(area_of(4) < 1e-14 && area_of(5) < 1e-14, "touching has no area");
    fine = 1;
    const double square = is_dfr(s) ? 1e-2 : 1e-12; // a strip of a square has lost its corners
    for (uint32_t k = 0; k < found.out.n; k++) {
        const uint32_t p = found.pair[k];
        if (p == 6)
            fine = fine && fabs(found.normal[1][k] - 1.0) < 1e-9 + square * 10 &&
                   fabs(found.area[k] - 0.01) < 1e-12 + square &&
                   fabs(found.arm[1][k] - 0.495) < 1e-2;
        if (p == 7)
            fine = fine && fabs(found.normal[0][k] - 1.0) < 1e-9 + square * 10;
        if (p == 9)
            fine = fine && fabs(found.area[k] - 0.25) < 1e-12 + square;
    }
    tap_ok(fine && contacts_of(6) == 1 && contacts_of(7) == 1 && contacts_of(9) == 1 &&
               fabs(area_of(8) - 0.25) < 1e-12 + square,
           "squares in line push straight, and have the area of the rectangle");
}

/* ---- gaps ---- */

static void test_gaps(subject *s)
{
    int fine = 1;
    poly_circle(&polys[0], 20, is_dfr(s));
    scene_prepare(s, 1);
    for (uint32_t i = 0; i < 20; i++)
        add_pair(0, 0.0, 1.0, 0, 0.0, 1.0, 2.0 + 0.02 * (i + 1), 0.0);
    batch.in.range = 0.1001;
    fine = run_batch(s, 0) && found.out.n == 5;
    for (uint32_t c = 0; c < found.out.n; c++)
        fine = fine && fabs(found.depth[c] + 0.02 * (c + 1)) < 1e-12 && found.area[c] == 0.0 &&
               fabs(found.normal[0][c] - 1.0) < 1e-12 &&
               fabs(found.arm[0][c] - 1.0 - 0.01 * (c + 1)) < 1e-12;
    tap_ok(fine, "gaps up to the range are contacts, with the distance");
    batch.keep[19] = 1;
    batch.in.keep = batch.keep;
    fine = run_batch(s, 0) && found.out.n == 6 && fabs(found.depth[5] + 0.4) < 1e-12;
    tap_ok(fine, "a kept pair is a contact at any gap");
}

/* ---- concave ---- */

/* Panel k of a strip as a convex polygon, of body `side` of pair p; relative to x_a. */
static uint32_t panel_of(uint32_t p, int side, uint32_t k, double *x, double *y)
{
    const uint32_t i = 2 * p + (uint32_t)side;
    const poly *of = &polys[world.shape[i]];
    const polygon_strip *s = &of->strip;
    const double angle = 2.0 * atan2(world.q[3][i], world.q[0][i]) + atan2(s->turn[1], s->turn[0]);
    const double c = cos(angle), sine = sin(angle), scale = world.scale[i];
    const double at[4][2] = {{s->x0 + k * s->dx, of->lower[k]},
                             {s->x0 + (k + 1) * s->dx, of->lower[k + 1]},
                             {s->x0 + (k + 1) * s->dx, of->upper[k + 1]},
                             {s->x0 + k * s->dx, of->upper[k]}};
    for (int v = 0; v < 4; v++) {
        x[v] = scale * (c * at[v][0] - sine * at[v][1]) + (side ? batch.d[0][p] : 0.0);
        y[v] = scale * (sine * at[v][0] + c * at[v][1]) + (side ? batch.d[1][p] : 0.0);
    }
    return 4;
}

/* Area of the overlap, panel by panel. */
static double sum_panels(uint32_t p)
{
    const uint32_t n = polys[world.shape[2 * p]].strip.n, m = polys[world.shape[2 * p + 1]].strip.n;
    double sum = 0.0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < m; j++) {
            double x[2][4], y[2][4];
            panel_of(p, 0, i, x[0], y[0]);
            panel_of(p, 1, j, x[1], y[1]);
            sum += fmax(clip_area(4, x[0], y[0], 4, x[1], y[1]), 0.0);
        }
    return sum;
}

static void test_concave(subject *s)
{
    double worst = 0.0;
    uint32_t most = 0, n_overlap = 0, missed = 0, ordered = 1;
    for (uint32_t i = 0; i < SHAPES; i++)
        poly_random_concave(s, &polys[i], i % 2 ? 0.9 : 0.3, 4 + i % 16);
    const uint32_t answer = scene_prepare(s, SHAPES);
    random_pairs(s, SHAPES, PAIRS);
    int fine = run_batch(s, 1) && all_finite();
    for (uint32_t p = 0; p < PAIRS; p++) {
        const double expected = sum_panels(p);
        worst = fmax(worst, fabs(area_of(p) - expected));
        n_overlap += expected > 1e-12;
        missed += expected > 1e-12 && contacts_of(p) == 0;
        most = most > contacts_of(p) ? most : contacts_of(p);
    }
    for (uint32_t c = 1; c < found.out.n; c++)
        ordered = ordered &&
                  (found.pair[c] > found.pair[c - 1] ||
                   (found.pair[c] == found.pair[c - 1] && found.feature[c] > found.feature[c - 1]));
    printf("# %u concave pairs overlap, in up to %u pieces; worst area %.2g m^2, missed %u\n",
           n_overlap, most, worst, missed);
    tap_ok(answer == SCREE_SUPPORTS_MANY && fine && n_overlap > 500 && missed == 0 &&
               worst < 1e-13 && most > 3,
           "concave pairs have the area of their panels, in several pieces");
    tap_ok(ordered, "pieces come by ascending feature, each its own");
}

/* A saw of five teeth whose tips reach 0.05 into a bar above. */
static void test_teeth(subject *s)
{
    poly *saw = &polys[0];
    int fine = 1;
    memset(saw, 0, sizeof *saw);
    saw->strip = (polygon_strip){.n = 12, .x0 = -0.6, .dx = 0.1, .turn = {1.0, 0.0}};
    for (uint32_t k = 1; k < 12; k++) {
        saw->upper[k] = k % 2 ? 0.1 : 0.2;
        saw->lower[k] = -0.1;
    }
    poly_from_strip(saw);
    poly_bar(&polys[1], 4.0, 1.0, 40, 1);
    scene_prepare(s, 2);
    add_pair(0, 0.0, 1.0, 1, 0.0, 1.0, 0.0, 0.65);
    add_pair(1, 0.0, 1.0, 0, PI, 1.0, 0.0, 0.65); // the other way round
    fine = run_batch(s, 1) && found.out.n == 10;
    for (uint32_t c = 0; c < found.out.n; c++) {
        fine = fine && fabs(found.area[c] - 0.0025) < 1e-14 && fabs(found.chord[c] - 0.1) < 1e-13 &&
               fabs(found.normal[1][c] - 1.0) < 1e-12 && fabs(found.depth[c] - 0.025) < 1e-13;
    }
    double middle[2] = {0.0, 0.0}; // of the five tips of each pair
    for (uint32_t c = 0; c < found.out.n; c++)
        middle[found.pair[c]] += found.arm[0][c];
    fine = fine && fabs(middle[0]) < 1e-12 && fabs(middle[1]) < 1e-12 &&
           fabs(found.arm[0][0] + found.arm[0][4]) < 1e-12;
    tap_ok(fine, "five teeth are five contacts, each with its own triangle");
    add_pair(0, 0.0, 1.0, 1, 0.0, 1.0, 0.0, 0.55); // up to below the notches
    fine = run_batch(s, 1) && contacts_of(2) == 1 && fabs(area_of(2) - sum_panels(2)) < 1e-14;
    tap_ok(fine, "deeper in, they are one");
}

/* ---- outlines as they are ---- */

static void test_refusals(subject *s)
{
    static const double spiral[12][2] = {{0, 0}, {4, 0}, {4, 4}, {1, 4},   {1, 2},   {2, 2},
                                         {2, 3}, {3, 3}, {3, 1}, {0.5, 1}, {0.5, 5}, {0, 5}};
    static const double dart[4][2] = {{0, 0}, {2, 0}, {0.5, 0.5}, {0, 2}};
    poly_given(&polys[0], 12, spiral[0]);
    const int32_t status = s->ops->prepare(s->self, 0, &polys[0].shape);
    printf("# %s\n", s->fake.text);
    tap_ok(status == SCREE_E_CONFIG && strstr(s->fake.text, is_dfr(s) ? "12 vertices" : "vertex 6"),
           "a spiral is refused, and the message says what was found");
    poly_given(&polys[0], 4, dart[0]);
    const int32_t other = s->ops->prepare(s->self, 0, &polys[0].shape);
    tap_ok(is_dfr(s) ? other == SCREE_OK
                     : other == SCREE_E_CONFIG && strstr(s->fake.text, "vertex 2, (0.5, 0.5) m"),
           is_dfr(s) ? "a dart has single-valued halves"
                     : "a dart is refused, with the vertex that turns in");
}

static void test_own_strip(subject *s)
{
    static const double corner[5][2] = {
        {-1, -0.3}, {0.2, -0.5}, {1.1, 0.1}, {0.4, 0.6}, {-0.7, 0.5}};
    double worst = 0.0;
    poly_given(&polys[0], 5, corner[0]);
    scene_prepare(s, 1);
    random_pairs(s, 1, 500);
    run_batch(s, 0);
    for (uint32_t p = 0; p < 500; p++)
        worst = fmax(worst, fabs(area_of(p) - clip_pair(p)));
    printf("# five corners by a strip of 100 panels: worst area %.2g m^2\n", worst);
    tap_ok(worst < 2e-3 && worst > 1e-6,
           "a polygon without `resample` is met as a strip of its own, near to it");
}

/* ---- counts ---- */

static void keep_log(void *ctx, int32_t level, const char *text)
{
    fake_fail(ctx, level, text);
}

static void test_count(const char *path)
{
    subject two;
    poly_circle(&polys[0], 50, 0);
    scene_start(&two, path);
    scene_prepare(&two, 1);
    add_pair(0, 0.0, 1.0, 0, 0.3, 1.0, 0.1, 0.2);
    run_batch(&two, 0);
    two.fake.text[0] = '\0';
    two.fake.host.log = keep_log;
    stop_resolver(&two);
    printf("# two polygons of 100 sides: %s\n", two.fake.text);
    tap_ok(strcmp(two.fake.text, "20000 edge tests") == 0,
           "two polygons of 100 sides take 20 000 edge tests");
}

static void test_forms(subject *s)
{
    double most = 0.0, *got = calloc(PAIRS, sizeof *got);
    for (uint32_t i = 0; i < SHAPES; i++)
        poly_random_strip(s, &polys[i], 6 + 2 * (i % 8), i % 2 ? 0.3 : 0.8, 10 + i);
    scene_prepare(s, SHAPES);
    random_pairs(s, SHAPES, PAIRS);
    run_batch(s, 0);
    for (uint32_t p = 0; p < PAIRS; p++)
        got[p] = area_of(p);
    s->config[0] = 0; // as_printed
    run_batch(s, 0);
    for (uint32_t p = 0; p < PAIRS; p++)
        most = fmax(most, fabs(got[p] - area_of(p)));
    s->config[0] = 1;
    free(got);
    tap_ok(most < 1e-14 && most > 0.0,
           "the form as printed gives the same areas by other arithmetic");
}

/* ---- levels ---- */

static uint64_t bits_of_all(subject *s)
{
    uint64_t sum = 1469598103934665603ull;
    for (uint32_t i = 0; i < SHAPES; i++)
        poly_random_strip(s, &polys[i], 6 + 2 * (i % 8), i % 2 ? 0.3 : 0.8, 10 + i);
    scene_prepare(s, SHAPES);
    random_pairs(s, SHAPES, PAIRS);
    run_batch(s, 0);
    const double *all[] = {found.depth,  found.normal[0], found.normal[1], found.arm[0],
                           found.arm[1], found.area,      found.chord};
    for (size_t k = 0; k < SCREE_COUNT(all); k++)
        for (uint32_t c = 0; c < found.out.n; c++) {
            uint64_t bits;
            memcpy(&bits, &all[k][c], sizeof bits);
            sum = (sum ^ bits) * 1099511628211ull;
        }
    return sum;
}

static void test_all(subject *s, const char *path)
{
    if (is_dfr(s)) {
        test_concave(s);
        test_teeth(s);
        test_own_strip(s);
    } else {
        test_count(path);
        test_forms(s);
    }
    test_refusals(s);
    test_areas(s);
    test_lens(s);
    test_slopes(s);
    test_loop(s);
    test_crossed(s);
    test_thin(s);
    test_degenerate(s);
    test_gaps(s);
}

int main(int argc, char **argv)
{
    uint64_t bits[2] = {0};
    for (int k = 1; k < argc && k < 3; k++) {
        subject s;
        scene_start(&s, argv[k]);
        bits[k - 1] = bits_of_all(&s);
        if (k == 1)
            test_all(&s, argv[k]);
        stop_resolver(&s);
    }
    if (argc > 2)
        tap_ok(bits[0] == bits[1], "both CPU levels give the same bits");
    return tap_end();
}
