// SPDX-License-Identifier: Apache-2.0
// Claims about the resolver `closest_feature` with walls of segments that enclose nothing, against
// clipping in long double. usage: closest_feature_walls PLUGIN.so [PLUGIN.x86-64-v3.so]
#include "wall_scene.h"

static test_pair pair;
static test_touches touches, again;
static test_polygon body;
static test_solid wall, other;

/* ---- pairs ---- */

static void set_wall(const test_solid *w)
{
    pair.shapes[1] = &w->shape;
    pair.radius[1] = 0.0;
}

/* Resolves the pair with these facets as candidates. */
static uint32_t touch_wall(subject *s, const test_solid *w, double range, const uint8_t *left_out,
                           test_touches *t)
{
    uint32_t b[MOST_FACETS], part_a[MOST_FACETS] = {0}, part_b[MOST_FACETS], first[2] = {0, 0};
    test_hint hints[MOST_FACETS] = {{0}};
    for (uint32_t f = 0; f < w->mesh.n_facets; f++) {
        if (left_out && left_out[f])
            continue;
        b[first[1]] = 1;
        part_b[first[1]++] = f;
    }
    scree_candidates in = pair_candidates(s, &pair, (const uint32_t[]){0, 1}, pair.d, range, hints);
    in.b = b;
    in.first = first;
    in.part_a = part_a;
    in.part_b = part_b;
    clear_areas(t);
    return resolve_pairs(s, &in, t);
}

static void start_pair(subject *s, const test_polygon *p, const test_solid *w)
{
    init_pair(&pair, 2);
    set_shape(&pair, 0, &p->shape);
    set_wall(w);
    prepare_pair(s, &pair);
}

/* ---- one segment ---- */

/* Area of a convex polygon beyond a segment from p to q, on its left, between its ends. */
static long double beyond(const spot *v, uint32_t n, spot p, spot q)
{
    static spot one[MOST_VERTICES], two[MOST_VERTICES];
    const spot across = {p.x - (q.y - p.y), p.y + (q.x - p.x)};
    const spot too = {q.x - (q.y - p.y), q.y + (q.x - p.x)};
    uint32_t m = clip_left(v, n, p, q, one);
    m = clip_left(one, m, across, p, two);
    m = clip_left(two, m, q, too, one);
    return m >= 3 ? area_of(one, m) : 0.0L;
}

/* Some convex polygon at the origin, and a segment in several parts near it. */
static void random_segment(subject *s, spot ends[2], uint32_t parts, int concave)
{
    fake_host *f = &s->fake;
    spot at[MOST_FACETS];
    const double angle = fake_uniform(f, 0.0, 7.0), far = fake_uniform(f, -0.45, 0.45);
    const double from = fake_uniform(f, -0.7, 0.5), to = from + fake_uniform(f, 0.05, 1.2);
    const double c = cos(angle), r = sin(angle);
    for (uint32_t k = 0; k <= parts; k++) {
        const double t = from + (to - from) * k / parts;
        at[k] = (spot){(long double)(c * t - r * far), (long double)(r * t + c * far)};
    }
    ends[0] = at[0];
    ends[1] = at[parts];
    line_wall(&wall, at, parts + 1, 0);
    if (concave)
        random_star(f, &body, 3 + random_count(f, 12.0));
    else
        random_convex(f, &body, random_count(f, 40.0), fake_uniform(f, 0.3, 1.0));
    start_pair(s, &body, &wall);
    set_turn(&pair, 0, fake_uniform(f, 0.0, 7.0));
}

static double sum_of(const test_touches *t, const double *of)
{
    double sum = 0.0;
    for (uint32_t c = 0; c < t->out.n; c++)
        sum += of[c];
    return sum;
}

static void test_segments(subject *s)
{
    static spot v[MOST_VERTICES];
    double worst = 0.0;
    uint32_t n_met = 0, n_past = 0, n_one = 0;
    for (uint32_t i = 0; i < 20000; i++) {
        spot end[2];
        random_segment(s, end, 1 + i % 5, 0);
        const uint32_t n = spots_of(&pair, 0, v);
        const uint32_t found = touch_wall(s, &wall, 0.0, NULL, &touches);
        const long double left = beyond(v, n, end[0], end[1]), right = beyond(v, n, end[1], end[0]);
        const long double least = fminl(left, right);
        worst = fmax(worst, fabs((double)(least - sum_of(&touches, touches.area))));
        n_met += found > 0;
        n_one += found == (least > 1e-15L);
        n_past += found > 0 && fabs(touches.normal[0][0] * (double)(end[1].x - end[0].x) +
                                    touches.normal[1][0] * (double)(end[1].y - end[0].y)) > 1e-9;
    }
    printf("# %u overlap, %u of them past an end; worst area %.2g m^2\n", n_met, n_past, worst);
    tap_ok(
        n_met > 5000 && n_past > 1000 && worst < 1e-14,
        "the overlap of a convex polygon and a segment is the lesser of its parts on either side, "
        "between the ends");
    tap_ok(n_one == 20000, "a segment in parts is one contact");
}

/* ---- slopes ---- */

static void random_line(subject *s, uint32_t n)
{
    fake_host *f = &s->fake;
    spot at[MOST_FACETS];
    double angle = fake_uniform(f, 0.0, 7.0), x = -0.8 * cos(angle) - 0.2 * sin(angle),
           y = -0.8 * sin(angle) + fake_uniform(f, -0.2, 0.2) * cos(angle);
    for (uint32_t k = 0; k < n; k++) {
        const double step = fake_uniform(f, 0.1, 0.5);
        at[k] = (spot){(long double)x, (long double)y};
        x += step * cos(angle);
        y += step * sin(angle);
        angle += fake_uniform(f, -0.6, 0.6);
    }
    line_wall(&wall, at, n, (int)(n % 2));
}

/* The slope of the area along x, y, or about the centre of a: by chords, and by differences. */
static int compare_slope(subject *s, int way, double *off)
{
    const double h = 0x1p-18, keep[3] = {pair.d[0], pair.d[1], pair.q[3][0]};
    const double w = pair.q[0][0];
    double area[5], slope = 0.0;
    const uint32_t n = touch_wall(s, &wall, 0.0, NULL, &touches);
    uint32_t same = n > 0;
    for (uint32_t c = 0; c < n; c++) {
        const double nx = touches.normal[0][c], ny = touches.normal[1][c], l = touches.chord[c];
        slope += way == 0   ? l * nx
                 : way == 1 ? l * ny
                            : l * (touches.arm[0][c] * ny - touches.arm[1][c] * nx);
    }
    for (int k = 0; k < 5; k++) {
        const double by = (k - 2) * h;
        if (way < 2) {
            pair.d[way] = keep[way] - by;
        } else {
            pair.q[3][0] = keep[2] * cos(0.5 * by) + w * sin(0.5 * by);
            pair.q[0][0] = w * cos(0.5 * by) - keep[2] * sin(0.5 * by);
        }
        same &= touch_wall(s, &wall, 0.0, NULL, &again) == n;
        area[k] = sum_of(&again, again.area);
    }
    pair.d[0] = keep[0];
    pair.d[1] = keep[1];
    pair.q[3][0] = keep[2];
    pair.q[0][0] = w;
    const double near = (area[3] - area[1]) / (2.0 * h), far = (area[4] - area[0]) / (4.0 * h);
    if (!same || fabs(near - far) > 1e-6)
        return 0;
    *off = fabs(near - slope);
    return 1;
}

static void test_slopes(subject *s)
{
    double worst = 0.0, off;
    uint32_t n = 0;
    for (uint32_t i = 0; i < 3000; i++) {
        fake_host *f = &s->fake;
        random_line(s, 2 + i % 7);
        if (i % 2)
            random_star(f, &body, 3 + random_count(f, 12.0));
        else
            random_convex(f, &body, random_count(f, 20.0), 0.7);
        start_pair(s, &body, &wall);
        set_turn(&pair, 0, fake_uniform(f, 0.0, 7.0));
        pair.d[0] = fake_uniform(f, -0.3, 0.3);
        pair.d[1] = fake_uniform(f, -0.3, 0.3);
        for (int way = 0; way < 3; way++)
            if (compare_slope(s, way, &off)) {
                worst = fmax(worst, off);
                n++;
            }
    }
    printf("# %u slopes; worst %.2g m off\n", n, worst);
    tap_ok(n > 3000 && worst < 1e-5,
           "moved and turned, the overlap with a bent line changes by chord and normal");
}

/* ---- a floor ---- */

/* Area of a convex polygon under a floor. */
static long double under(const spot *v, uint32_t n, const spot *floor, uint32_t m)
{
    static spot one[MOST_VERTICES], two[MOST_VERTICES];
    long double sum = 0.0L;
    for (uint32_t k = 0; k + 1 < m; k++) {
        const spot p = floor[k], q = floor[k + 1], up = {0.0L, 1.0L};
        uint32_t c = clip_left(v, n, q, p, one);
        c = clip_left(one, c, (spot){p.x, p.y + up.y}, p, two);
        c = clip_left(two, c, q, (spot){q.x, q.y + up.y}, one);
        sum += c >= 3 ? area_of(one, c) : 0.0L;
    }
    return sum;
}

static void test_floor(subject *s)
{
    static spot v[MOST_VERTICES];
    fake_host *f = &s->fake;
    double worst = 0.0, worst_order = 0.0;
    uint32_t n_met = 0, n_many = 0, n_same = 0, n = 4000;
    for (uint32_t i = 0; i < n; i++) {
        spot floor[12], back[12];
        uint8_t left_out[MOST_FACETS] = {0};
        for (uint32_t k = 0; k < 12; k++)
            floor[k] = (spot){-1.1L + 0.2L * k, (long double)fake_uniform(f, -0.07, 0.07)};
        for (uint32_t k = 0; k < 12; k++)
            back[k] = floor[11 - k];
        line_wall(&wall, floor, 12, 0);
        line_wall(&other, back, 12, 1);
        random_convex(f, &body, 4 + random_count(f, 30.0), fake_uniform(f, 0.8, 1.0));
        start_pair(s, &body, &wall);
        set_turn(&pair, 0, fake_uniform(f, 0.0, 7.0));
        pair.d[0] = fake_uniform(f, -0.3, 0.3);
        pair.d[1] = fake_uniform(f, -0.45, -0.15);
        touch_wall(s, &wall, 0.0, NULL, &touches);
        for (uint32_t k = 0; k < 12; k++) {
            floor[k].x += (long double)pair.d[0];
            floor[k].y += (long double)pair.d[1];
        }
        const long double area = under(v, spots_of(&pair, 0, v), floor, 12);
        worst = fmax(worst, fabs((double)area - sum_of(&touches, touches.area)));
        n_met += touches.out.n > 0;
        n_many += touches.out.n > 1;
        for (uint32_t k = 0; k < 11; k++)
            left_out[k] =
                (double)floor[k].x > pair.radius[0] || (double)floor[k + 1].x < -pair.radius[0];
        touch_wall(s, &wall, 0.0, left_out, &again);
        n_same += same_touches(&touches, &again);
        set_wall(&other);
        if (s->ops->prepare(s->self, 1, &other.shape) != SCREE_OK)
            exit(1);
        touch_wall(s, &other, 0.0, NULL, &again);
        worst_order = fmax(worst_order, again.out.n != touches.out.n);
        for (uint32_t k = 0; k < 3; k++) {
            const double *one[] = {touches.area, touches.chord, touches.depth};
            const double *two[] = {again.area, again.chord, again.depth};
            worst_order =
                fmax(worst_order, fabs(sum_of(&touches, one[k]) - sum_of(&again, two[k])));
        }
    }
    printf("# %u overlap, %u in several pieces; worst area %.2g m^2, of the other order %.2g\n",
           n_met, n_many, worst, worst_order);
    tap_ok(n_met > 1000 && n_many > 50 && worst < 1e-14,
           "on a bent floor the overlap is what the body has under it");
    tap_ok(n_same == n, "segments out of reach change no bit");
    tap_ok(worst_order < 1e-12, "the order and the direction of segments do not matter");
}

/* A square that slides over joints: by overlap one contact, by distance one at each corner that is on the wall; the
 * same all along, on both sides. */
static void test_joints(subject *s, int overlap)
{
    static const double square[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
    const double joints[6] = {-3.0, -1.7, -0.4, 0.1, 1.3, 3.0};
    spot at[6];
    double worst[2] = {0.0, 0.0};
    int as_many = 1, name = 1;
    const double rise = overlap ? 0.25 : 0.0;
    const uint32_t n = overlap ? 1 : 2;
    for (uint32_t k = 0; k < 6; k++)
        at[k] = (spot){(long double)joints[k], (long double)(rise * joints[k])};
    line_wall(&wall, at, 6, 1);
    given_polygon(&body, 4, square);
    start_pair(s, &body, &wall);
    const double slope = atan(rise), c = cos(slope), r = sin(slope), up = 0.5 - 0x1p-10;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i <= 400; i++) {
            const double t = -2.0 + 0.01 * i, h = side ? -up : up;
            set_turn(&pair, 0, slope);
            pair.d[0] = -(c * t - r * h);
            pair.d[1] = -(r * t + c * h);
            as_many &= touch_wall(s, &wall, 0.0, NULL, &touches) == n;
            const double sign = side ? -1.0 : 1.0;
            const double off = overlap ? 0.5 - 0x1p-10 : 0.5 - 0x1p-11; // of the point, across
            double along = 0.0;
            const uint32_t judged = as_many ? n : 0;
            for (uint32_t k = 0; k < judged; k++) {
                name &= i == 0 || touches.feature[k] == again.feature[k];
                again.feature[k] = touches.feature[k];
                worst[side] = fmax(worst[side], hypot(touches.normal[0][k] - sign * r,
                                                      touches.normal[1][k] + sign * c));
                worst[side] = fmax(worst[side], fabs(touches.depth[k] - 0x1p-10));
                const double x = touches.arm[0][k] - sign * off * r;
                const double y = touches.arm[1][k] + sign * off * c;
                worst[side] = fmax(worst[side], fabs(y * c - x * r)); // off the line
                worst[side] = fmax(worst[side], fabs(hypot(x, y) - 0.5 * (n - 1)));
                along += x * c + y * r;
            }
            worst[side] = fmax(worst[side], fabs(along)); // at opposite corners
            if (overlap)
                worst[side] = fmax(worst[side], fabs(touches.area[0] - 0x1p-10));
        }
    printf("# off by %.2g above, %.2g below\n", worst[0], worst[1]);
    tap_ok(as_many && name,
           overlap ? "a square that slides over joints has one contact, with one name"
                   : "a square that slides over joints has one at each corner, with one name each");
    tap_ok(fmax(worst[0], worst[1]) < 1e-13, "and feels none of them, on either side");
}

/* Across a gap a square has the contacts, with the names, that it has where it touches; tilted, each at its depth. */
static void test_gap_ends(subject *s)
{
    static const double square[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
    const spot at[3] = {{-3.0L, 0.0L}, {0.25L, 0.0L}, {3.0L, 0.0L}};
    int good = 1;
    line_wall(&wall, at, 3, 0);
    given_polygon(&body, 4, square);
    start_pair(s, &body, &wall);
    for (int i = 0; i <= 60; i++)
        for (int side = 0; side < 2; side++)
            for (int tilt = -1; tilt <= 1; tilt++) {
                const double turn = 1e-3 * tilt, h = 0.5 + 0x1p-6;
                set_turn(&pair, 0, turn);
                pair.d[0] = -(-1.2 + 0.04 * i);
                pair.d[1] = side ? -h + 0x1p-5 : -h; // it overlaps, or not
                good &= touch_wall(s, &wall, 0.1, NULL, &touches) == 2;
                for (uint32_t c = 0; good && c < 2; c++) { // corners below, from the left
                    const double x = (c ? 0.5 : -0.5) * cos(turn) + 0.5 * sin(turn);
                    const double y = (c ? 0.5 : -0.5) * sin(turn) - 0.5 * cos(turn);
                    const double depth = pair.d[1] - y;
                    const uint32_t k = touches.arm[0][0] < touches.arm[0][1] ? c : 1 - c;
                    good &= fabs(touches.depth[k] - depth) < 1e-14 &&
                            fabs(touches.arm[0][k] - x) < 1e-14 &&
                            fabs(touches.arm[1][k] - (y + 0.5 * depth)) < 1e-14 &&
                            touches.normal[1][k] == -1.0;
                }
                for (uint32_t k = 0; k < 2; k++) {
                    good &= i + side + tilt < 0 || touches.feature[k] == again.feature[k];
                    again.feature[k] = touches.feature[k];
                }
            }
    tap_ok(
        good,
        "a square near a wall has a contact at each corner, of one name whether it touches or not");
}

/* ---- as discs ---- */

/* Which of a disc's contacts the touches are, as bits. Up to three corners are on a face, or on that at whose end the
 * wheel is, within 18.2 degrees of its normal. *best, *far: how far the nearest and the farthest are off. */
static uint32_t match(uint32_t want, const double *depth, const double *nx, const double *ny,
                      double *best, double *far)
{
    uint32_t met = 0;
    *best = 9.0;
    for (uint32_t k = 0; k < touches.out.n; k++) {
        double least = 9.0;
        uint32_t which = 0;
        for (uint32_t c = 0; c < want; c++) {
            const double off = fabs(touches.depth[k] - depth[c]) +
                               hypot(touches.normal[0][k] - nx[c], touches.normal[1][k] - ny[c]);
            which = off < least ? c : which;
            least = fmin(least, off);
        }
        *best = fmin(*best, least);
        *far = fmax(*far, least);
        met |= 1u << which;
    }
    return met;
}

/* A polygon of many corners has the contacts that a disc has: face, end, ridge, corner. */
static void test_as_disc(subject *s)
{
    enum { SIDES = 1000 };
    const spot at[5] = {{-0.6L, 0.0L}, {0.0L, 0.0L}, {0.4L, -0.4L}, {0.8L, 0.0L}, {0.8L, 0.5L}};
    double worst = 0.0, worst_turn = 0.0;
    uint32_t n_good = 0, n = 0, n_end = 0, n_two = 0;
    for (uint32_t k = 0; k < SIDES; k++) {
        body.x[k] = 0.3 * cos(2.0 * M_PI * (k + 0.3) / SIDES);
        body.y[k] = 0.3 * sin(2.0 * M_PI * (k + 0.3) / SIDES);
    }
    finish_polygon(&body, SIDES);
    line_wall(&wall, at, 5, 1);
    start_pair(s, &body, &wall);
    for (uint32_t i = 0; i < 3000; i++) {
        const double x = fake_uniform(&s->fake, -1.0, 1.2), y = fake_uniform(&s->fake, -0.8, 0.8);
        double depth[8], nx[8], ny[8];
        uint32_t want = 0, ends = 0;
        for (uint32_t k = 0; k < 5; k++) { // [resolver/sphere] faces, then ends that no face is at
            const double ax = (double)at[k].x, ay = (double)at[k].y;
            int nearest = 1;
            for (uint32_t f = k ? k - 1 : 0; f <= k && f < 4; f++) {
                const double fx = (double)at[f].x, fy = (double)at[f].y;
                const double ux = (double)at[f + 1].x - fx, uy = (double)at[f + 1].y - fy;
                const double t = ((x - fx) * ux + (y - fy) * uy) / (ux * ux + uy * uy);
                const double h = ((x - fx) * uy - (y - fy) * ux) / hypot(ux, uy);
                nearest &= f == k ? t <= 0.0 : t >= 1.0;
                if (f != k || !(t > 0.0 && t < 1.0) || fabs(h) > 0.3)
                    continue;
                depth[want] = 0.3 - fabs(h);
                nx[want] = (h > 0.0 ? -uy : uy) / hypot(ux, uy);
                ny[want++] = (h > 0.0 ? ux : -ux) / hypot(ux, uy);
            }
            const double far = hypot(ax - x, ay - y);
            if (!nearest || far > 0.3)
                continue;
            depth[want] = 0.3 - far;
            nx[want] = (ax - x) / far;
            ny[want++] = (ay - y) / far;
            ends++;
        }
        int clear = want > 0;
        for (uint32_t k = 0; k < want; k++)
            clear &= depth[k] > 0.003 && depth[k] < 0.2;
        if (!clear)
            continue;
        pair.d[0] = -x;
        pair.d[1] = -y;
        touch_wall(s, &wall, 0.0, NULL, &touches);
        n++;
        n_end += ends > 0;
        n_two += want > 1;
        double best;
        const uint32_t met = match(want, depth, nx, ny, &best, &worst_turn);
        worst = fmax(worst, best);
        n_good += met == (1u << want) - 1;
    }
    printf("# %u places, %u at ends, %u with several; %u with others; worst %.2g\n", n, n_end,
           n_two, n - n_good, worst);
    tap_ok(n > 300 && n_end > 30 && n_two > 30 && n_good == n && worst < 4e-3 &&
               worst_turn < 0.316 + 4e-3,
           "a polygon of 1000 corners meets faces, ends, ridges and corners as a disc does");
}

/* ---- hooks, ends ---- */

static void test_hook(subject *s)
{
    static const double hook[8][2] = {{0.0, -0.5}, {0.5, -0.5}, {0.5, 0.5},   {0.0, 0.5},
                                      {0.0, 0.25}, {0.3, 0.25}, {0.3, -0.25}, {0.0, -0.25}};
    const spot at[2] = {{-1.0L, 0.0L}, {0.125L, 0.0L}};
    line_wall(&wall, at, 2, 0);
    given_polygon(&body, 8, hook);
    start_pair(s, &body, &wall);
    tap_ok(touch_wall(s, &wall, 0.0, NULL, &touches) == 0,
           "a hook around the end of a segment, which it does not touch, has no contact");
    pair.d[0] = 0.25; // the end is at 0.375, in the back of the hook
    const uint32_t n = touch_wall(s, &wall, 0.0, NULL, &touches);
    printf("# in its back: %u contacts, area %.4g m^2, normal (%.3g, %.3g)\n", n, touches.area[0],
           touches.normal[0][0], touches.normal[1][0]);
    tap_ok(n == 1 && touches.normal[0][0] < -0.9 && touches.area[0] > 0.0,
           "one into which the end goes is pushed off it");
}

/* ---- lines that a bar crosses twice ---- */

static void random_bar(subject *s, const spot *at, uint32_t n)
{
    const double half = fake_uniform(&s->fake, 0.02, 0.2);
    const double bar[4][2] = {{-1.0, -half}, {1.0, -half}, {1.0, half}, {-1.0, half}};
    given_polygon(&body, 4, bar);
    line_wall(&wall, at, n, 0);
    start_pair(s, &body, &wall);
}

/* A bar at a corner whose legs are longer than the bar: what lies between the legs, or else the rest. That holds too
 * where the corner has gone through the bar, and both legs cross it. */
static void test_pierced(subject *s)
{
    static spot v[MOST_VERTICES], one[MOST_VERTICES], two[MOST_VERTICES];
    double worst = 0.0;
    uint32_t n_met = 0, n_through = 0;
    for (uint32_t i = 0; i < 4000; i++) {
        const double open = fake_uniform(&s->fake, 0.3, 1.3);
        const spot at[3] = {{-5.0L * cosl(open), -5.0L * sinl(open)},
                            {0.0L, 0.0L},
                            {5.0L * cosl(open), -5.0L * sinl(open)}};
        random_bar(s, at, 3);
        set_turn(&pair, 0, fake_uniform(&s->fake, 0.0, 7.0));
        pair.d[0] = fake_uniform(&s->fake, -0.6, 0.6);
        pair.d[1] = fake_uniform(&s->fake, -0.6, 0.6);
        const uint32_t n = spots_of(&pair, 0, v);
        spot leg[3];
        for (int k = 0; k < 3; k++) { // as the resolver got them
            leg[k].x = (long double)pair.d[0] + (long double)(double)at[k].x;
            leg[k].y = (long double)pair.d[1] + (long double)(double)at[k].y;
        }
        uint32_t m = clip_left(v, n, leg[1], leg[0], one);
        m = clip_left(one, m, leg[2], leg[1], two);
        const long double between = m >= 3 ? area_of(two, m) : 0.0L, all = area_of(v, n);
        const uint32_t found = touch_wall(s, &wall, 0.0, NULL, &touches);
        n_met += found > 0;
        n_through += found > 0 && pair.d[1] > 0.0 && between < 0.5L * all && between > 0.0L;
        worst = fmax(
            worst, fabs((double)(fminl(between, all - between) - sum_of(&touches, touches.area))));
    }
    printf("# %u of 4000 bars at a corner overlap, %u of them lightly from outside; worst area "
           "%.2g m^2\n",
           n_met, n_through, worst);
    tap_ok(n_met > 2000 && n_through > 200 && worst < 1e-14,
           "a bar that a corner goes through overlaps what is between the legs");
}

/* Two turns of a spiral cross a bar the same way: no side of the line is the same for both. */
static void test_spiral(subject *s)
{
    static const spot at[6] = {{0.3L, -0.5L},  {0.3L, 0.5L},  {-1.5L, 0.5L},
                               {-1.5L, -0.7L}, {0.6L, -0.7L}, {0.6L, 0.6L}};
    random_bar(s, at, 6);
    const double wide = 2.0 * body.y[2];
    const uint32_t n = touch_wall(s, &wall, 0.0, NULL, &touches);
    tap_ok(n == 2 && fabs(touches.area[0] - 0.7 * wide) < 1e-15 &&
               fabs(touches.area[1] - 0.4 * wide) < 1e-15,
           "turns of a spiral that cross a bar each have the lesser part of it");
}

/* A square led round over the end of a segment and back: k A^2 / 2 is a potential. */
static void test_loop(subject *s)
{
    static const double square[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
    const spot at[4] = {{-2.0L, 0.0L}, {-0.9L, 0.0L}, {-0.2L, -0.1L}, {0.3L, 0.0L}};
    double work = 0.0, turned = 0.0, was[3] = {0}, last[3] = {0};
    uint32_t n_past = 0;
    line_wall(&wall, at, 4, 0);
    given_polygon(&body, 4, square);
    start_pair(s, &body, &wall);
    for (uint32_t i = 0; i <= 200000; i++) {
        const double t = 2.0 * M_PI * i / 200000;
        const double to[3] = {0.2 + 0.5 * sin(t), 0.42 + 0.12 * cos(t), 0.3 * sin(t + 1.0)};
        double push[3] = {0};
        set_turn(&pair, 0, to[2]);
        pair.d[0] = -to[0];
        pair.d[1] = -to[1];
        const uint32_t n = touch_wall(s, &wall, 0.0, NULL, &touches);
        for (uint32_t c = 0; c < n; c++) {
            const double f = touches.area[c] * touches.chord[c];
            const double x = -f * touches.normal[0][c], y = -f * touches.normal[1][c];
            push[0] += x;
            push[1] += y;
            push[2] += touches.arm[0][c] * y - touches.arm[1][c] * x;
            n_past += fabs(touches.normal[0][c]) > 0.2;
        }
        const int n_ways = i > 0 ? 3 : 0;
        for (int k = 0; k < n_ways; k++) {
            const double d = 0.5 * (push[k] + was[k]) * (to[k] - last[k]);
            work += d;
            turned += fabs(d);
        }
        memcpy(was, push, sizeof was);
        memcpy(last, to, sizeof last);
    }
    printf("# work left over work exchanged %.2g, %u places past the end\n", fabs(work) / turned,
           n_past);
    tap_ok(n_past > 100 && fabs(work) < 1e-8 * turned,
           "led round over the bends and the end of a line, a square makes no energy");
}

/* ---- gaps, levels ---- */

static void test_gaps(subject *s, int overlap)
{
    static spot v[MOST_VERTICES];
    double worst = 0.0;
    uint32_t n_gap = 0, n_bad = 0;
    for (uint32_t i = 0; i < 3000; i++) {
        spot end[2];
        random_segment(s, end, 1 + i % 3, (int)(i % 2));
        const uint32_t n = spots_of(&pair, 0, v);
        if (touch_wall(s, &wall, 0.0, NULL, &touches) > 0 && touches.depth[0] >= 0.0)
            continue;
        const long double gap = fminl(vertex_distance(v, n, end, 2), vertex_distance(end, 2, v, n));
        const uint32_t found = touch_wall(s, &wall, 9.0, NULL, &touches);
        double deepest = -HUGE_VAL;
        for (uint32_t c = 0; c < found; c++)
            deepest = fmax(deepest, touches.depth[c]);
        n_bad += found < 1 || found > (overlap ? 1 : 4);
        worst = fmax(worst, fabs((double)gap + deepest));
        n_gap++;
    }
    tap_ok(n_gap > 300 && n_bad == 0 && worst < 1e-14,
           "gaps are the least distance from the segments");
}

static uint64_t bits_of_all(subject *s)
{
    uint64_t sum = 1469598103934665603ull;
    for (uint32_t i = 0; i < 2000; i++) {
        random_line(s, 2 + i % 7);
        random_star(&s->fake, &body, 3 + random_count(&s->fake, 12.0));
        start_pair(s, &body, &wall);
        set_turn(&pair, 0, fake_uniform(&s->fake, 0.0, 7.0));
        pair.d[1] = fake_uniform(&s->fake, -0.3, 0.3);
        touch_wall(s, &wall, 0.5, NULL, &touches);
        const double *all[] = {touches.depth,  touches.normal[0], touches.normal[1], touches.arm[0],
                               touches.arm[1], touches.area,      touches.chord};
        for (size_t k = 0; k < SCREE_COUNT(all); k++)
            for (uint32_t c = 0; c < touches.out.n; c++) {
                uint64_t bits;
                memcpy(&bits, &all[k][c], sizeof bits);
                sum = (sum ^ bits) * 1099511628211ull;
            }
    }
    return sum;
}

int main(int argc, char **argv)
{
    for (int overlap = 1; overlap >= 0; overlap--) {
        uint64_t bits[2] = {0};
        for (int k = 1; k < argc && k < 3; k++) {
            subject s;
            start_polygons(&s, argv[k], overlap ? "overlap" : "distance");
            bits[k - 1] = bits_of_all(&s);
            if (k == 1 && overlap) {
                test_segments(&s);
                test_slopes(&s);
                test_floor(&s);
                test_hook(&s);
                test_pierced(&s);
                test_spiral(&s);
                test_loop(&s);
            } else if (k == 1) {
                test_as_disc(&s);
                test_gap_ends(&s);
            }
            if (k == 1) {
                test_joints(&s, overlap);
                test_gaps(&s, overlap);
            }
            stop_resolver(&s);
        }
        if (argc > 2)
            tap_ok(bits[0] == bits[1], "both CPU levels give the same bits");
    }
    return tap_end();
}
