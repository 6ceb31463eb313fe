// SPDX-License-Identifier: Apache-2.0
// Claims about the resolver `gjk`: distances and depths of 10 000 pairs of convex solids against all axes
// and features, or dense directions and a search. usage: gjk PLUGIN.so [PLUGIN.x86-64-v3.so]
#include "gjk_pairs.h"

enum { PAIRS = 10000 };

static test_touches again;

/* Errors of one kind of pairs, of the size of the smaller body. */
typedef struct errors {
    uint32_t n, n_over, n_short, n_same, n_exchanged;
    double above, below, stated;
} errors;

static const uint32_t forth[2] = {0, 1}, back[2] = {1, 0};

static int hints_change_nothing(subject *s)
{
    double hint[3] = {0}, other[3];
    int same = 1;
    touch(s, forth, pair.d, 9.0, hint, &again);
    same &= same_touches(&touches, &again);
    touch(s, forth, pair.d, 9.0, hint, &again);
    same &= same_touches(&touches, &again);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++)
            other[i] = fake_uniform(&s->fake, -1.0, 1.0) * (k == 2 ? 1e300 : 1.0);
        touch(s, forth, pair.d, 9.0, other, &again);
        same &= same_touches(&touches, &again);
    }
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
    if (pair.solids[0].type != pair.solids[1].type)
        return 1;
    touch(s, back, d, 9.0, NULL, &again);
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

static void judge_pair(subject *s, errors *e)
{
    const double size = fmin(pair.radius[0], pair.radius[1]);
    const real expected = oracle_depth(&pair.at[0], &pair.at[1]);
    touch(s, forth, pair.d, 9.0, NULL, &touches);
    const uint32_t k = nearest_touch((double)expected);
    const spot n = spot_of(touches.normal[0][k], touches.normal[1][k], touches.normal[2][k]);
    const double above = (double)(touches.depth[k] - expected) / size;
    const double stated =
        (double)fabsl(depth_along(&pair.at[0], &pair.at[1], n) - touches.depth[k]) / size;
    if (getenv("GJK_VERBOSE") && (above > 1e-10 || stated > 1e-12))
        printf("# pair %u: above %.3g stated %.3g expected %.6Lg got %.6g of %u\n", e->n, above,
               stated, expected / size, touches.depth[k] / size, touches.out.n);
    e->n++;
    e->n_over += expected > 0;
    e->n_short += above > 1e-6;
    e->above = fmax(e->above, above);
    e->below = fmax(e->below, -above);
    e->stated = fmax(e->stated, stated);
    e->n_same += (uint32_t)hints_change_nothing(s);
    e->n_exchanged += (uint32_t)exchange_is_same(s);
}

static void test_random(subject *s)
{
    static const char *const names[] = {"ball", "capsule", "polytope", "superquadric"};
    static const int kinds[][2] = {
        {TYPE_HULL, TYPE_HULL},     {TYPE_HULL, TYPE_SUPER},      {TYPE_SUPER, TYPE_SUPER},
        {TYPE_BALL, TYPE_HULL},     {TYPE_BALL, TYPE_SUPER},      {TYPE_CAPSULE, TYPE_HULL},
        {TYPE_CAPSULE, TYPE_SUPER}, {TYPE_CAPSULE, TYPE_CAPSULE}, {TYPE_BALL, TYPE_CAPSULE}};
    errors all[9] = {0};
    const int only = getenv("GJK_ONLY") ? atoi(getenv("GJK_ONLY")) : -1;
    const uint32_t pairs = getenv("GJK_PAIRS") ? (uint32_t)atoi(getenv("GJK_PAIRS")) : PAIRS;
    for (uint32_t i = 0; i < pairs; i++) {
        const int kind = only >= 0 ? only : (int)(i % 9);
        random_pair(s, kinds[kind][0], kinds[kind][1], i / 9);
        judge_pair(s, &all[kind]);
    }
    for (int k = 0; k < 9; k++)
        printf("# %s - %s: %u pairs, %u overlap; above the least found elsewhere by %.2g at most, "
               "below by %.2g; "
               "off its own normal by %.2g; %u off by 1e-6; same bits %u, exchanged %u\n",
               names[kinds[k][0]], names[kinds[k][1]], all[k].n, all[k].n_over, all[k].above,
               all[k].below, all[k].stated, all[k].n_short, all[k].n_same, all[k].n_exchanged);
}

int main(int argc, char **argv)
{
    for (int k = 1; k < argc; k++) {
        subject s;
        start_subject(&s, argv[k]);
        test_random(&s);
        stop_subject(&s);
    }
    return tap_end();
}
