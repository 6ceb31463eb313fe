// SPDX-License-Identifier: Apache-2.0
// Claims about gcd/dess_stripe: what the border of the paper costs, and that the corrected one does
// not. A pivot is a member of a stripe, so their number shows how many members the borders hold.
// usage: gcd_dess_stripe PLUGIN.so [PLUGIN.x86-64-v3.so]
#include "gcd_boxes.h"

typedef enum scene { EQUAL, FLOOR, MIXED } scene;

static boxes_here w;
static uint32_t n_boxes;

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return scree_uniform(*state);
}

static void set_around(uint32_t i, double x, double y, double hx, double hy)
{
    set_box(&w, i, x - hx, x + hx, y - hy, y + hy);
    w.centre[0][i] = x;
    w.centre[1][i] = y;
    w.radius[i] = hx + hy;
}

// side * side discs of radius 0.6 on a lattice of 1, or anywhere with radii of 0.3 to 10, or the
// first on a floor as wide as all of them.
static void fill(uint32_t side, scene s)
{
    uint64_t state = 5;
    const double all = side;
    n_boxes = side * side + (s == FLOOR);
    for (uint32_t i = 0; i < side * side; i++) {
        const double r = 0.3 / sqrt(1.0 - uniform(&state) * (1.0 - 1.0 / 1024.0));
        if (s == MIXED)
            set_around(i, all * uniform(&state), all * uniform(&state), r, r);
        else
            set_around(i, i % side + 0.1 * uniform(&state), i / side + 0.1 * uniform(&state), 0.6,
                       0.6);
    }
    if (s == FLOOR)
        set_around(n_boxes - 1, 0.5 * all, -1.0, 0.5 * all + 1.0, 1.0);
    view_boxes(&w, n_boxes);
}

// Members of all stripes; counts the pairs.
static double members(subject *b, const char *border)
{
    fake_choose(b->plugin, b->config, "border", border);
    *(double *)fake_member(b->plugin, b->config, "copies") = 1e6;
    make(b);
    place(b, &w, n_boxes);
    search_pivots(b, 0, b->n_pivots);
    b->ops->destroy(b->self);
    return (double)b->n_pivots;
}

static uint64_t count_overlaps(void)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < n_boxes; i++)
        for (uint32_t j = i + 1; j < n_boxes; j++)
            n += (uint64_t)scree_boxes_overlap(&w.view, i, j);
    return n;
}

static void test_pairs(subject *b)
{
    for (scene s = EQUAL; s <= MIXED; s++) {
        fill(30, s);
        const uint64_t wanted = count_overlaps();
        members(b, "printed");
        const uint64_t printed = b->n_pairs;
        members(b, "reach");
        tap_ok(printed == wanted && b->n_pairs == wanted && wanted > 900,
               "both borders give as many pairs as overlap");
    }
}

static void test_borders(subject *b)
{
    double plain[2], floor[2], mixed[2][2];
    static const char *const border[] = {"printed", "reach"};
    for (int k = 0; k < 2; k++) {
        fill(80, EQUAL);
        plain[k] = members(b, border[k]) / n_boxes;
        fill(80, FLOOR);
        floor[k] = members(b, border[k]) / n_boxes;
        for (int large = 0; large < 2; large++) {
            fill(large ? 80 : 20, MIXED);
            mixed[k][large] = members(b, border[k]) / n_boxes;
        }
        printf("# %s: equal %.3f, on a floor %.3f, mixed %.3f and of 16 times as many %.3f members "
               "per box\n",
               border[k], plain[k], floor[k], mixed[k][0], mixed[k][1]);
    }
    tap_ok(plain[0] < 1.05 * plain[1] && plain[1] < 1.05 * plain[0],
           "of equal discs both borders hold as many");
    tap_ok(floor[0] > plain[0] + 0.9, "one floor puts nearly all boxes into a printed border");
    tap_ok(floor[1] < plain[1] + 0.05, "and hardly any into the corrected one");
    tap_ok(mixed[0][1] > 1.3 * mixed[0][0], "of mixed sizes the printed borders grow with N");
    tap_ok(mixed[1][1] < 1.1 * mixed[1][0], "and the corrected ones do not");
}

// Boxes that all span everything: stripes become fewer rather than members many.
static void test_copies(subject *b)
{
    fill(20, EQUAL);
    for (uint32_t i = 0; i < n_boxes; i++)
        set_around(i, 0.0, 2.0 * i, 100.0, 0.5);
    *(double *)fake_member(b->plugin, b->config, "copies") = 1.0;
    make(b);
    place(b, &w, n_boxes);
    tap_ok(b->n_pivots <= n_boxes + 1,
           "boxes as wide as all are in no more stripes than `copies` says");
    b->ops->destroy(b->self);
}

int main(int argc, char **argv)
{
    static subject b;
    if (argc < 2)
        return 2;
    for (int i = 1; i < argc; i++) {
        if (i == 2 && !__builtin_cpu_supports("avx2"))
            break;
        load(&b, argv[i]);
        test_pairs(&b);
        test_borders(&b);
        test_copies(&b);
        free(b.pairs);
        free(b.fake.scratch);
    }
    return tap_end();
}
