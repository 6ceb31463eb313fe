/* SPDX-License-Identifier: Apache-2.0 */
/* Golden pairs of gcd/sort_update: two sorted lists, two exchanges, a reversal, slots that come and
 * go. usage: gcd_sort_update PLUGIN.so [PLUGIN.x86-64-v3.so] */
#include "../fake_host.h"

#define MOST 64u

static double lo[3][MOST], hi[3][MOST], centre[MOST], radius[MOST];
static scree_boxes view = {.size = sizeof(scree_boxes)};
static fake_host fake;
static const scree_plugin *plugin;
static const scree_gcd_ops *ops;
static scree_pair found[4096];
static uint32_t times[MOST][MOST];
static uint64_t n_found;

static void put(uint32_t i, double x0, double x1, double y0, double y1)
{
    lo[0][i] = x0;
    hi[0][i] = x1;
    lo[1][i] = y0;
    hi[1][i] = y1;
}

static void stop(const char *why)
{
    bail_out("%s", why);
}

static void *start(uint32_t n, int64_t exchanges)
{
    static int64_t config[4]; // the only parameter; one instance lives at a time
    void *instance = NULL;
    config[plugin->params[0]->offset / sizeof *config] = exchanges;
    view.dimension = 2;
    view.n = n;
    for (uint32_t k = 0; k < 3; k++) {
        view.lo[k] = lo[k];
        view.hi[k] = hi[k];
        view.centre[k] = centre;
    }
    view.radius = radius;
    if (ops->create(&fake.host, config, &instance) != SCREE_OK ||
        ops->init(instance, &view, 0) != SCREE_OK)
        stop(fake.text);
    return instance;
}

static int32_t reserve(scree_pair_sink *sink, uint64_t n, scree_pair **out)
{
    if (n > SCREE_COUNT(found))
        stop("more room than there is");
    *out = found;
    return SCREE_OK;
}

static int32_t commit(scree_pair_sink *sink, uint64_t n)
{
    for (uint64_t p = 0; p < n; p++) {
        const uint32_t i = found[p].a, j = found[p].b;
        times[i < j ? i : j][i < j ? j : i]++;
    }
    n_found += n;
    return SCREE_OK;
}

/* Pairs of a step, counted in `times`. */
static uint64_t step(void *instance, const uint32_t *moved, uint32_t n_moved)
{
    scree_pair_sink sink = {.size = sizeof sink, .reserve = reserve, .commit = commit};
    uint64_t pivots;
    memset(times, 0, sizeof times);
    n_found = 0;
    if (ops->step_init(instance, &view, moved, n_moved, &pivots) != SCREE_OK ||
        ops->find_neighbors(instance, 0, pivots, &sink) != SCREE_OK)
        stop(fake.text);
    return n_found;
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
    void *s = start(5, 1000);
    tap_ok(step(s, NULL, 0) == 1 && once(4, 5),
           "of x pairs 13, 45 and y pairs 12, 24, 34, 35, 45 one remains, 45");
    put(0, 0, 2, 3, 9);
    tap_ok(step(s, NULL, 0) == 2 && once(4, 5) && once(1, 3), "x pair 13 becomes one on y too");
    ops->destroy(s);
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
    void *s = start(n, 1000);
    tap_ok(step(s, NULL, 0) == 1 && once(1, 2), "before: (1; 2)");
    put(1, 0, 6, 0, 1);
    tap_ok(step(s, listed ? moved : NULL, (uint32_t)listed) == 2 && once(1, 2) && once(2, 3),
           "one pair added, (2; 3)");
    tap_ok(step(s, moved, 0) == 0, "nothing moved: no pair is given");
    tap_ok(step(s, NULL, 0) == 2, "but all are still known");
    put(1, 30, 31, 0, 1);
    tap_ok(step(s, listed ? moved : NULL, (uint32_t)listed) == 0,
           "a jump further than the box is wide removes both");
    put(1, -9, -8, 0, 1);
    put(0, -8, -7, 1, 2);
    tap_ok(step(s, NULL, 0) == 1 && once(1, 2), "a jump back, and two corners that touch");
    ops->destroy(s);
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
    void *s = start(n, exchanges);
    tap_ok(step(s, NULL, 0) == 0, "a row of boxes that are apart");
    lay_row(n, 0.5, 1);
    tap_ok(step(s, NULL, 0) == 0, "apart after the reversal");
    lay_row(n, 0.0, 0);
    tap_ok(step(s, NULL, 0) == n - 1, "turned back and touching: n - 1 pairs");
    for (uint32_t i = 1; i < n; i++)
        good &= once(i, i + 1);
    tap_ok(good, "those of neighbours, once each");
    ops->destroy(s);
}

/* Two overlapping boxes that are emptied together, and come again together. */
static void test_empty_slots(void)
{
    lay_row(8, 0.0, 0);
    void *s = start(8, 1000);
    tap_ok(step(s, NULL, 0) == 7, "a row that touches");
    for (uint32_t k = 0; k < 3; k++)
        for (uint32_t i = 3; i < 5; i++) {
            lo[k][i] = HUGE_VAL;
            hi[k][i] = -HUGE_VAL;
        }
    tap_ok(step(s, NULL, 0) == 4, "two are emptied: three pairs fewer");
    lay_row(8, 0.0, 0);
    for (uint32_t i = 3; i < 5; i++)
        lo[2][i] = hi[2][i] = 0.0;
    tap_ok(step(s, (uint32_t[]){3, 4}, 2) == 3 && once(4, 5), "they are back with their pairs");
    ops->destroy(s);
}

int main(int argc, char **argv)
{
    fake_init(&fake, 2);
    for (int k = 1; k < argc; k++) {
        void *file = dlopen(argv[k], RTLD_NOW | RTLD_LOCAL);
        const scree_manifest *manifest = file ? dlsym(file, "scree_plugin_v0") : NULL;
        if (!manifest)
            stop(dlerror());
        plugin = manifest->plugins[0];
        ops = plugin->ops;
        test_two_lists();
        test_two_exchanges(0);
        test_two_exchanges(1);
        test_reversal(1000);
        test_reversal(8);
        test_reversal(0);
        test_empty_slots();
    }
    return tap_end();
}
