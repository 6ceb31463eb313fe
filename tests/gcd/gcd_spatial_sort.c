// SPDX-License-Identifier: Apache-2.0
// Claims about gcd/spatial_sort: O'Connor's example (tables 2.1 and 2.2), and that unequal boxes
// are not missed. usage: gcd_spatial_sort PLUGIN.so [PLUGIN.x86-64-v3.so]
#include "gcd_boxes.h"

#define N 11u

// Table 2.2: the boxes by their lower ends.
static const uint32_t x_id[N] = {4, 5, 0, 1, 6, 10, 3, 2, 7, 9, 8};
static const uint32_t y_id[N] = {2, 10, 5, 9, 1, 3, 4, 0, 8, 7, 6};
static const char *const methods[] = {"lists", "ranges", "one_pass", "running_max"};

// Boxes with the lower ends of the table, so long on y that all overlap there.
static void fill(boxes_here *w, double length)
{
    for (uint32_t at = 0; at < N; at++) {
        uint32_t y = 0;
        while (y_id[y] != x_id[at])
            y++;
        set_box(w, x_id[at], at, at + length, y, y + 20.0);
    }
}

static void test_order(subject *s, const char *method)
{
    static boxes_here w;
    int in_order = 1;
    fake_choose(s->plugin, s->config, "method", method);
    fill(&w, 1.0); // each touches the next along x
    place(s, &w, N);
    for (uint32_t at = 0; at < N; at++) {
        search_pivots(s, at, at + 1);
        const int wanted = at + 1 < N;
        in_order &= s->n_pairs == (uint32_t)wanted &&
                    (!wanted || (s->pairs[0].a == x_id[at] && s->pairs[0].b == x_id[at + 1]));
    }
    tap_ok(in_order && s->n_pivots == N, "pivots come in the order of table 2.2");
}

static void test_example(subject *s, const char *method)
{
    static boxes_here w;
    uint32_t met = 0;
    fake_choose(s->plugin, s->config, "method", method);
    fill(&w, 0.5);
    w.hi[0][1] = 6.5; // body 1 reaches over indices 4 to 6
    place(s, &w, N);
    search_pivots(s, 3, 4);
    for (uint32_t p = 0; p < s->n_pairs; p++)
        met |= s->pairs[p].a == 1 ? 1u << s->pairs[p].b : 0;
    tap_ok(s->n_pairs == 3 && met == (1u << 6 | 1u << 10 | 1u << 3),
           "the candidates of body 1 are 6, 10, 3");
}

// Upper ends are not sorted if sizes differ: the long box is first by lower end on y, and short
// ones that end before the target are in between.
static void test_unequal(subject *s, const char *method, const char *exact)
{
    static boxes_here w;
    fake_choose(s->plugin, s->config, "method", method);
    fake_choose(s->plugin, s->config, "exact", exact);
    set_box(&w, 0, 1, 2, 0, 100); // long on y, after box 9 on x
    for (uint32_t i = 1; i < 9; i++)
        set_box(&w, i, 10.0 * i, 10.0 * i + 1, i, i + 0.5);
    set_box(&w, 9, 0, 3, 50, 51);
    place(s, &w, 10);
    uint32_t n = search_pivots(s, 0, s->n_pivots);
    int met = 0;
    for (uint32_t p = 0; p < n; p++)
        met += s->pairs[p].a + s->pairs[p].b == 9 && s->pairs[p].a * s->pairs[p].b == 0;
    tap_ok(met == 1 && (n == 1 || strcmp(exact, "false") == 0),
           "a long box that begins far before the target is its candidate, once");
}

static void run_all(const char *path, const char *sort)
{
    subject s;
    start(&s, path);
    fake_choose(s.plugin, s.config, "sort", sort);
    for (uint32_t m = 0; m < 4; m++) {
        printf("# %s, %s\n", methods[m], sort);
        fake_choose(s.plugin, s.config, "exact", "true");
        if (m >= 2) { // with the others the smaller number is the target
            test_order(&s, methods[m]);
            test_example(&s, methods[m]);
        }
        test_unequal(&s, methods[m], "true");
        test_unequal(&s, methods[m], "false");
    }
    stop(&s);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    for (int i = 1; i < argc; i++) {
        if (i == 2 && !__builtin_cpu_supports("avx2"))
            break;
        run_all(argv[i], "heap");
        run_all(argv[i], "insertion");
    }
    return tap_end();
}
