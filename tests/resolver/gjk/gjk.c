// SPDX-License-Identifier: Apache-2.0
// Claims about the resolver `gjk`: distances and depths of 10 000 pairs of convex solids against all axes
// and features, or dense directions and a search. usage: gjk PLUGIN.so [PLUGIN.x86-64-v3.so]
#include "gjk_pairs.h"

enum { PAIRS = 10000 };

static test_touches again;

/* Errors of one kind of pairs, of the size of the smaller body. */
typedef struct errors {
    uint32_t n, n_over, n_inside, n_short, n_same, n_exchanged, n_lines;
    double above, below, stated, line_below, line_above;
} errors;

static const uint32_t forth[2] = {0, 1}, back[2] = {1, 0};

/* Fills a hint with numbers, or spoils some words of one that makes sense. */
static void spoil(subject *s, int how, double hint[HINT_WORDS])
{
    uint16_t *words = (uint16_t *)(void *)hint;
    if (how < 3)
        for (int i = 0; i < HINT_WORDS; i++)
            hint[i] = fake_uniform(&s->fake, -1.0, 1.0) * (how == 2 ? 1e300 : 1.0);
    else
        for (int i = 0; i < how; i++)
            words[(int)fake_uniform(&s->fake, 0.0, s->ops->hint_bytes / 2.0)] =
                (uint16_t)fake_uniform(&s->fake, 0.0, how % 2 ? 20.0 : 65535.0);
}

static int hints_change_nothing(subject *s)
{
    static double last[HINT_WORDS]; // of the pair before
    double hint[HINT_WORDS] = {0}, other[HINT_WORDS];
    int same = 1;
    for (int k = 0; k < 3; k++) {
        touch_ordered(s, &pair, forth, pair.d, 9.0, k ? hint : last, &again);
        same &= same_touches(&touches, &again);
    }
    for (int k = 0; k < 6; k++) {
        memcpy(other, hint, sizeof other);
        spoil(s, k, other);
        touch_ordered(s, &pair, forth, pair.d, 9.0, other, &again);
        same &= same_touches(&touches, &again);
    }
    memcpy(last, hint, sizeof last);
    return same;
}

/* The contact whose depth is nearest to the expected one. */
static uint32_t nearest_touch(double expected)
{
    uint32_t best = 0;
    for (uint32_t k = 1; k < touches.out.n; k++)
        if (fabs(touches.depth[k] - expected) < fabs(touches.depth[best] - expected))
            best = k;
    return best;
}

static int exchange_is_same(subject *s)
{
    const double d[3] = {-pair.d[0], -pair.d[1], -pair.d[2]};
    double sum = 0.0;
    if (solids[0].type != solids[1].type)
        return 1;
    touch_ordered(s, &pair, back, d, 9.0, NULL, &again);
    for (uint32_t k = 0; k < touches.out.n && k < again.out.n; k++) {
        uint32_t l = 0;
        while (l + 1 < again.out.n &&
               (again.depth[l] != touches.depth[k] || again.normal[0][l] != -touches.normal[0][k]))
            l++;
        sum += fabs(again.depth[l] - touches.depth[k]) +
               fabs(again.normal[0][l] + touches.normal[0][k]);
    }
    return touches.out.n == again.out.n && sum == 0.0;
}

/* Whether all contact points are in both bodies, but for half of a gap. */
static int are_inside(void)
{
    int in = 1;
    for (uint32_t k = 0; k < touches.out.n; k++) {
        double a = 0.0, b = 0.0;
        for (int i = 0; i < 3; i++) {
            const double arm = touches.arm[i][k], other = arm - pair.d[i];
            a += arm * arm;
            b += other * other;
        }
        const double more = 0.5 * fabs(touches.depth[k]) + 1e-9;
        in &= sqrt(a) <= pair.radius[0] + more && sqrt(b) <= pair.radius[1] + more;
    }
    return in;
}

/* [m] The depth that the touches of a line stand for: that of the deepest, and of the one at the
 * least overlap what is more than that; NAN: there is no line. */
static double depth_of_line(void)
{
    double most = (double)NAN, more = 0.0;
    for (uint32_t k = 0; k < touches.out.n; k++)
        if (touches.feature[k] >> 61 == 7)
            most = fmax(touches.depth[k], most);
        else
            more = touches.depth[k];
    if (isnan(most) || more < 0.0)
        return isnan(most) ? most : fmax(most, more);
    return more > 0.0 ? fmax(most, 0.0) + more : most;
}

static void judge_pair(subject *s, errors *e)
{
    const double size = fmin(pair.radius[0], pair.radius[1]);
    const real expected = oracle_depth(&placed_at[0], &placed_at[1]);
    touch_ordered(s, &pair, forth, pair.d, 9.0, NULL, &touches);
    const uint32_t k = nearest_touch((double)expected);
    const spot n = spot_at(touches.normal[0][k], touches.normal[1][k], touches.normal[2][k]);
    const double above = (double)((real)touches.depth[k] - expected) / size;
    const double stated =
        (double)fabsl(depth_along(&placed_at[0], &placed_at[1], n) - (real)touches.depth[k]) / size;
    const double line = depth_of_line();
    e->n++;
    e->n_inside += are_inside();
    e->n_over += expected > 0;
    e->n_same += (uint32_t)hints_change_nothing(s);
    e->n_exchanged += (uint32_t)exchange_is_same(s);
    if (!isnan(line)) {
        e->n_lines++;
        e->line_below = fmax(e->line_below, ((double)expected - line) / size);
        e->line_above = fmax(e->line_above, (line - (double)expected) / size);
        return;
    }
    e->n_short += above > 1e-6;
    e->above = fmax(e->above, above);
    e->below = fmax(e->below, -above);
    e->stated = fmax(e->stated, stated);
}

enum { KINDS = 9, CREASED = 1 };
static const int kinds[KINDS][2] = {
    {TYPE_HULL, TYPE_HULL},    {TYPE_CAPSULE, TYPE_HULL},  {TYPE_CAPSULE, TYPE_CAPSULE},
    {TYPE_BALL, TYPE_CAPSULE}, {TYPE_BALL, TYPE_HULL},     {TYPE_HULL, TYPE_SUPER},
    {TYPE_SUPER, TYPE_SUPER},  {TYPE_CAPSULE, TYPE_SUPER}, {TYPE_BALL, TYPE_SUPER}};

static int is_dense(int kind)
{
    return kinds[kind][1] == TYPE_SUPER;
}

/* The totals of kinds with or without superquadrics. */
static errors sum_up(const errors *all, int dense)
{
    errors sum = {0};
    for (int k = 0; k < KINDS; k++) {
        if (is_dense(k) != dense || k == CREASED)
            continue;
        sum.n += all[k].n;
        sum.n_over += all[k].n_over;
        sum.n_inside += all[k].n_inside;
        sum.n_same += all[k].n_same;
        sum.n_exchanged += all[k].n_exchanged;
        sum.above = fmax(sum.above, all[k].above);
        sum.below = fmax(sum.below, all[k].below);
        sum.stated = fmax(sum.stated, all[k].stated);
    }
    return sum;
}

static void test_random(subject *s)
{
    static const char *const names[] = {"ball", "capsule", "polytope", "superquadric"};
    errors all[KINDS] = {0};
    for (uint32_t i = 0; i < PAIRS; i++) {
        const int kind = (int)(i % KINDS);
        random_pair(s, kinds[kind][0], kinds[kind][1], i / KINDS);
        judge_pair(s, &all[kind]);
    }
    for (int k = 0; k < KINDS; k++)
        printf(
            "# %s - %s: %u pairs, %u overlap; more than the least found elsewhere by %.2g, less by "
            "%.2g; off that along its normal by %.2g of the size\n",
            names[kinds[k][0]], names[kinds[k][1]], all[k].n, all[k].n_over, all[k].above,
            all[k].below, all[k].stated);
    double below = 0.0, most = 0.0;
    uint32_t n_lines = 0;
    for (int k = 0; k < KINDS; k++) {
        n_lines += all[k].n_lines;
        below = fmax(below, all[k].line_below);
        most = fmax(most, all[k].line_above);
    }
    printf("# %u pairs touch along a line: less than the least by %.2g, more by %.2g of the size\n",
           n_lines, below, most);
    tap_ok(n_lines > 30 && below < 1e-12 && most < 1e-11,
           "touches along a line stand for the least overlap");
    const errors exact = sum_up(all, 0), dense = sum_up(all, 1);
    tap_ok(exact.above < 1e-13 && exact.below < 1e-13 && exact.n_over > exact.n / 5,
           "depths and gaps of polytopes, capsules and balls are those of all axes and features");
    // Minima next to each other: the arc of an edge of the one across the crease of the other.
    const errors *creased = &all[CREASED];
    tap_ok(creased->n_short * 500 < creased->n && creased->above < 1e-3 && creased->below < 1e-13,
           "of capsules in polytopes less than 1 in 500 is more than the least, by less than 1e-3");
    tap_ok(dense.above < 1e-12 && dense.n_over > dense.n / 5,
           "of superquadrics none is above what 1200 directions and a search find");
    tap_ok(exact.stated < 1e-13 && dense.stated < 1e-13 && creased->stated < 1e-13,
           "each is the one along its normal");
    tap_ok(exact.n_inside + dense.n_inside + creased->n_inside == PAIRS,
           "contact points are in both bodies");
    tap_ok(exact.n_same + dense.n_same + creased->n_same == PAIRS,
           "hints, erased, of the last call, of another pair, spoiled, or random, change no bit");
    tap_ok(exact.n_exchanged + dense.n_exchanged + creased->n_exchanged == PAIRS,
           "with a and b exchanged the same bits come out");
}

/* ---- faces on faces ---- */

/* A box of half sides 1 on one of 2, turned about the vertical, `deep` in it. */
static uint32_t stack_boxes(subject *s, double turn, double x, double y, double deep)
{
    make_box(&solids[0], 2.0, 2.0, 1.0);
    make_box(&solids[1], 1.0, 1.0, 1.0);
    const double q[2][4] = {{1.0, 0.0, 0.0, 0.0}, {cos(0.5 * turn), 0.0, 0.0, sin(0.5 * turn)}};
    for (int k = 0; k < 2; k++) {
        pair.scale[k] = 1.0;
        for (int i = 0; i < 4; i++)
            pair.q[i][k] = q[k][i];
    }
    pair.d[0] = x;
    pair.d[1] = y;
    pair.d[2] = 2.0 - deep;
    set_pair(s);
    return touch_ordered(s, &pair, forth, pair.d, 0.0, NULL, &touches);
}

/* All as deep as they should be, upwards, in the plane in the middle; their mean in x and y. */
static int are_level(double deep, double mean[2])
{
    int good = 1;
    mean[0] = mean[1] = 0.0;
    for (uint32_t k = 0; k < touches.out.n; k++) {
        good &= fabs(touches.depth[k] - deep) < 1e-14 && fabs(touches.normal[2][k] - 1.0) < 1e-14 &&
                fabs(touches.arm[2][k] - (1.0 - 0.5 * deep)) < 1e-14;
        for (int i = 0; i < 2; i++)
            mean[i] += touches.arm[i][k] / touches.out.n;
    }
    return good;
}

static void test_faces(subject *s)
{
    const double deep = 1e-3;
    double mean[2];
    int inside = 1, out = 1;
    for (int k = 0; k < 20; k++) {
        const double x = 0.02 * k, y = -0.01 * k;
        inside &= stack_boxes(s, 0.1 * k, x, y, deep) == 4 && are_level(deep, mean) &&
                  fabs(mean[0] - x) < 1e-14 && fabs(mean[1] - y) < 1e-14;
    }
    tap_ok(inside, "a box on a larger one has a contact at each of its four corners");
    // half of it juts out over the edge at x = 2: two corners of its own, two crossings
    for (int k = 0; k < 20; k++)
        out &= stack_boxes(s, 0.0, 2.0 + 0.01 * k, 0.3, deep) == 4 && are_level(deep, mean) &&
               fabs(mean[0] - (1.5 + 0.005 * k)) < 1e-14 && fabs(mean[1] - 0.3) < 1e-14;
    tap_ok(out, "one that juts out has two at its corners and two where its sides cross the edge");
    const int level =
        stack_boxes(s, 0.25 * 3.14159265358979323846, 1.6, 1.6, deep) > 0 && are_level(deep, mean);
    tap_ok(level, "on a corner of the larger one all contacts are level");
}

static void test_aligned(subject *s)
{
    double mean[2];
    int four = 1;
    for (int k = 0; k < 200; k++) { // edges on edges, corners on corners, to the last bits
        make_box(&solids[0], 1.0, 1.0, 1.0);
        make_box(&solids[1], 1.0, 1.0, 1.0);
        for (int b = 0; b < 2; b++) {
            pair.scale[b] = 1.0;
            for (int i = 0; i < 4; i++)
                pair.q[i][b] = i == 0;
        }
        pair.q[3][1] = k % 4 ? 1e-16 * k : 0.0;
        pair.d[0] = k % 3 ? 1e-17 * (k - 100) : 0.0;
        pair.d[1] = k % 5 ? 1e-15 * (k - 100) : 0.0;
        pair.d[2] = 1.999;
        set_pair(s);
        four &= touch_ordered(s, &pair, forth, pair.d, 0.0, NULL, &touches) == 4 &&
                are_level(2.0 - 1.999, mean);
    }
    tap_ok(four, "a cube on its like, corner on corner, has four contacts");
}

int main(int argc, char **argv)
{
    for (int k = 1; k < argc; k++) {
        subject s;
        start_resolver(&s, argv[k], 3, NULL);
        test_random(&s);
        test_faces(&s);
        test_aligned(&s);
        stop_resolver(&s);
    }
    return tap_end();
}
