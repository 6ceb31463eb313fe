// SPDX-License-Identifier: Apache-2.0
// Claims about the resolvers `dfr2d` and `cyrus_beck`: areas against exact clipping, chords against slopes of
// that area, degenerate poses. usage: resolver_polygon PLUGIN.so [PLUGIN.x86-64-v3.so]; both must give the
// same bits.
#include "polygon_scene.h"

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
            if (expected > 1e-9)
                worst = fmax(worst, fabs(got - expected) / expected);
            most = fmax(most, fabs(got - expected));
        }
    }
    printf("# %u overlapping pairs: worst area %.2g of itself, %.2g m^2; missed %u, invented %u\n",
           n_overlap, worst, most, missed, invented);
    tap_ok(worst < 1e-10 * 10 && most < 1e-13 && missed == 0 && invented == 0 && finite,
           "areas of 40 000 pairs are those of exact clipping, none is missed");
}

static void test_lens(subject *s)
{
    static const uint32_t sizes[] = {20, 40, 80, 160, 320};
    static const double at[] = {0.3, 1.0, 1.7};
    double before[3] = {0}, least = 1e300, most = 0.0, last = 0.0;
    for (size_t k = 0; k < SCREE_COUNT(sizes); k++) {
        poly_circle(&polys[0], sizes[k], 0);
        if (is_dfr(s))
            poly_circle(&polys[0], sizes[k], 1);
        scene_prepare(s, 1);
        batch.in.n = 0;
        for (int i = 0; i < 3; i++)
            add_pair(0, 0.3 * i, 1.0, 0, 0.1, 1.0, at[i] * cos(0.7), at[i] * sin(0.7));
        run_batch(s, 0);
        for (uint32_t i = 0; i < 3; i++) {
            const double lens = 2 * acos(at[i] / 2) - at[i] / 2 * sqrt(4 - at[i] * at[i]);
            const double error = fabs(area_of(i) - lens) / lens;
            if (k > 0) {
                least = fmin(least, before[i] / error);
                most = fmax(most, before[i] / error);
            }
            before[i] = error;
            last = fmax(last, error * sizes[k] * sizes[k]);
        }
    }
    printf("# lens: error falls %.2f to %.2f times for twice the points, C = %.2f\n", least, most,
           last);
    if (is_dfr(s)) // equal panels: steep ends of a circle cost n^-1.5 where the lens has them
        tap_ok(least > 2.0 && last < 60.0, "polygons about circles tend to the lens");
    else
        tap_ok(least > 3.0 && most < 5.0 && last < 20.0,
               "polygons about circles tend to the lens as C/N^2");
}

/* ---- chords ---- */

/* The slopes of the area of exact clipping with b moved and turned, against chord, normal and point. */
static void test_slopes(subject *s)
{
    const double h = 1e-5;
    double worst = 0.0;
    uint32_t compared = 0;
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
            compared++;
            worst = fmax(worst, fabs(near - expected[way]));
        }
    }
    printf("# %u slopes compared, worst %.2g\n", compared, worst);
    tap_ok(compared > 1000 && worst < 1e-6,
           "moved and turned, the area changes by the chord times its normal at its middle");
}

/* Work of k area chord n on b over a closed path of two pentagons, over what is exchanged. */
static void test_loop(subject *s)
{
    enum { STEPS = 200 * PAIRS };
    static double bow[2][3];
    double work = 0.0, exchanged = 0.0, pentagon[5][2];
    for (int i = 0; i < 5; i++) {
        pentagon[i][0] = cos(2 * PI * i / 5 + 0.4);
        pentagon[i][1] = sin(2 * PI * i / 5 + 0.4);
    }
    poly_given(&polys[0], 5, pentagon);
    if (is_dfr(s))
        poly_random_strip(s, &polys[0], 10, 0.9, 12);
    scene_prepare(s, 1);
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
    (void)bow;
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
    poly_given(p, 4, corners);
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
                for (uint32_t v = 0; v < (k ? m : n) && !inside; v++) {
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
    const double c = polys[0].radius;
    int fine = 1;
    (void)c;
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

static void test_all(subject *s)
{
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
            test_all(&s);
        scene_stop(&s);
    }
    if (argc > 2)
        tap_ok(bits[0] == bits[1], "both CPU levels give the same bits");
    return tap_end();
}
