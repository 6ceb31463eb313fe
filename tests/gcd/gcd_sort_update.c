/* SPDX-License-Identifier: Apache-2.0 */
/* Golden pairs of gcd/sort_update: two sorted lists, two exchanges, a reversal, slots that come and
 * go. usage: gcd_sort_update PLUGIN.so [PLUGIN.x86-64-v3.so] */
#include "gcd_boxes.h"

#define MOST 64u

static subject s;
static boxes_here w;
static uint32_t times[MOST][MOST];

static void put(uint32_t i, double x0, double x1, double y0, double y1)
{
    set_box(&w, i, x0, x1, y0, y1);
}

/* An instance of n boxes. */
static void begin(uint32_t n, int64_t exchanges)
{
    memcpy((char *)s.config + s.plugin->params[0]->offset, &exchanges, sizeof exchanges);
    make(&s);
    view_boxes(&w, n);
    if (s.ops->init(s.self, &w.view, 0) != SCREE_OK)
        bail_out("%s", s.fake.text);
}

/* Pairs of a step, counted in `times`. */
static uint64_t step(const uint32_t *moved, uint32_t n_moved)
{
    memset(times, 0, sizeof times);
    begin_step(&s, &w, moved, n_moved);
    search_pivots(&s, 0, s.n_pivots);
    for (uint64_t p = 0; p < s.n_pairs; p++) {
        const uint32_t i = s.pairs[p].a, j = s.pairs[p].b;
        times[i < j ? i : j][i < j ? j : i]++;
    }
    return s.n_pairs;
}

/* Box numbers from 1, as in the papers. */
static int once(uint32_t a, uint32_t b)
{
    return times[a - 1][b - 1] == 1;
}

/* Five boxes whose ends are the places in the lists. */
static void test_two_lists(void)
{
    put(0, 0, 2, 7, 9);
    put(1, 4, 5, 5, 8);
    put(2, 1, 3, 2, 4);
    put(3, 6, 9, 1, 6);
    put(4, 7, 8, 0, 3);
    begin(5, 1000);
    tap_ok(step(NULL, 0) == 1 && once(4, 5),
           "of x pairs 13, 45 and y pairs 12, 24, 34, 35, 45 one remains, 45");
    put(0, 0, 2, 3, 9);
    tap_ok(step(NULL, 0) == 2 && once(4, 5) && once(1, 3), "x pair 13 becomes one on y too");
    s.ops->destroy(s.self);
}

/* On x b1 b2 e1 e2 b3 e3 to b2 b1 e1 b3 e2 e3, all alike on y. */
static void test_two_exchanges(int listed)
{
    static const uint32_t moved[] = {1};
    const uint32_t n = listed ? 4 : 3; // a quarter at most may move with a list
    put(0, 1, 3, 0, 1);
    put(1, 2, 4, 0, 1);
    put(2, 5, 7, 0, 1);
    put(3, 20, 21, 5, 6);
    begin(n, 1000);
    tap_ok(step(NULL, 0) == 1 && once(1, 2), "before: (1; 2)");
    put(1, 0, 6, 0, 1);
    tap_ok(step(listed ? moved : NULL, (uint32_t)listed) == 2 && once(1, 2) && once(2, 3),
           "one pair added, (2; 3)");
    tap_ok(step(moved, 0) == 0, "nothing moved: no pair is given");
    tap_ok(step(NULL, 0) == 2, "but all are still known");
    put(1, 30, 31, 0, 1);
    tap_ok(step(listed ? moved : NULL, (uint32_t)listed) == 0,
           "a jump further than the box is wide removes both");
    put(1, -9, -8, 0, 1);
    put(0, -8, -7, 1, 2);
    tap_ok(step(NULL, 0) == 1 && once(1, 2), "a jump back, and two corners that touch");
    s.ops->destroy(s.self);
}

/* n boxes in a row along x, apart by `gap`, in the opposite order when `turned`. */
static void lay_row(uint32_t n, double gap, int turned)
{
    for (uint32_t i = 0; i < n; i++) {
        const double x = turned ? n - 1 - i : i;
        put(i, x * (1 + gap), x * (1 + gap) + 1, 0, 1);
    }
}

/* 2 n (n - 1) ends pass each other: more than `exchanges` per box, or not. */
static void test_reversal(int64_t exchanges)
{
    const uint32_t n = 32;
    int good = 1;
    lay_row(n, 0.5, 0);
    begin(n, exchanges);
    tap_ok(step(NULL, 0) == 0, "a row of boxes that are apart");
    lay_row(n, 0.5, 1);
    tap_ok(step(NULL, 0) == 0, "apart after the reversal");
    lay_row(n, 0.0, 0);
    tap_ok(step(NULL, 0) == n - 1, "turned back and touching: n - 1 pairs");
    for (uint32_t i = 1; i < n; i++)
        good &= once(i, i + 1);
    tap_ok(good, "those of neighbours, once each");
    s.ops->destroy(s.self);
}

/* Two overlapping boxes that are emptied together, and come again together. */
static void test_empty_slots(void)
{
    lay_row(8, 0.0, 0);
    begin(8, 1000);
    tap_ok(step(NULL, 0) == 7, "a row that touches");
    for (uint32_t k = 0; k < 3; k++)
        for (uint32_t i = 3; i < 5; i++) {
            w.lo[k][i] = HUGE_VAL;
            w.hi[k][i] = -HUGE_VAL;
        }
    tap_ok(step(NULL, 0) == 4, "two are emptied: three pairs fewer");
    lay_row(8, 0.0, 0);
    tap_ok(step((uint32_t[]){3, 4}, 2) == 3 && once(4, 5), "they are back with their pairs");
    s.ops->destroy(s.self);
}

int main(int argc, char **argv)
{
    for (int k = 1; k < argc; k++) {
        load(&s, argv[k]);
        test_two_lists();
        test_two_exchanges(0);
        test_two_exchanges(1);
        test_reversal(1000);
        test_reversal(8);
        test_reversal(0);
        test_empty_slots();
        free(s.pairs);
        free(s.fake.scratch);
    }
    return tap_end();
}
