// SPDX-License-Identifier: Apache-2.0
// Claims about methods as their papers print them (`as_printed`): which candidates they give, and which pairs they miss.
// usage: gcd_as_printed hashing.so spatial_sort.so dess_stripe.so
#include "gcd_boxes.h"

static boxes_here w;
static uint32_t n_boxes;

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return scree_uniform(*state);
}

static void set_disc(uint32_t i, double x, double y, double r)
{
    set_box(&w, i, x - r, x + r, y - r, y + r);
    w.centre[0][i] = x;
    w.centre[1][i] = y;
    w.radius[i] = r;
}

// Discs anywhere with radii of 0.5 to 0.5 `ratio`, as much area in each octave.
static void fill_discs(uint32_t n, double ratio)
{
    uint64_t state = 3;
    double area = 0.0;
    n_boxes = n;
    for (uint32_t i = 0; i < n; i++) {
        const double r = 0.5 / sqrt(1.0 - uniform(&state) * (1.0 - 1.0 / (ratio * ratio)));
        w.radius[i] = r;
        area += 4.0 * r * r;
    }
    const double side = sqrt(area / 0.8);
    for (uint32_t i = 0; i < n; i++)
        set_disc(i, side * uniform(&state), side * uniform(&state), w.radius[i]);
    view_boxes(&w, n);
}

// `side`^2 discs that touch, numbered along x first.
static void fill_lattice(uint32_t side)
{
    n_boxes = side * side;
    for (uint32_t i = 0; i < n_boxes; i++)
        set_disc(i, i % side, i / side, 0.5);
    view_boxes(&w, n_boxes);
}

static int has_pair(const subject *s, uint32_t i, uint32_t j)
{
    int n = 0;
    for (uint64_t p = 0; p < s->n_pairs; p++)
        n += (s->pairs[p].a == i && s->pairs[p].b == j) ||
             (s->pairs[p].a == j && s->pairs[p].b == i);
    return n;
}

static uint64_t find(subject *s, const char *as_printed)
{
    fake_choose(s->plugin, s->config, "as_printed", as_printed);
    make(s);
    place(s, &w, n_boxes);
    search_pivots(s, 0, s->n_pivots);
    s->ops->destroy(s->self);
    return s->n_pairs;
}

// How often each pair comes, [n n].
static uint8_t *count_pairs(const subject *s)
{
    uint8_t *seen = calloc((size_t)n_boxes * n_boxes, 1);
    for (uint64_t p = 0; p < s->n_pairs; p++) {
        const uint32_t a = s->pairs[p].a, b = s->pairs[p].b;
        seen[(a < b ? a : b) * (size_t)n_boxes + (a < b ? b : a)]++;
    }
    return seen;
}

/* ---- hashing ---- */

// Cells are as wide as the largest disc, from the lowest centre on: the definition, pair by pair.
static void test_cells(subject *s, double ratio)
{
    double lo[2] = {HUGE_VAL, HUGE_VAL}, side = 0.0;
    uint64_t wrong = 0, overlap = 0, near = 0;
    fill_discs(1500, ratio);
    find(s, "true");
    uint8_t *seen = count_pairs(s);
    for (uint32_t i = 0; i < n_boxes; i++) {
        side = scree_max(side, 2.0 * w.radius[i] * (1.0 + 1e-6));
        for (uint32_t k = 0; k < 2; k++)
            lo[k] = scree_min(lo[k], w.centre[k][i]);
    }
    for (uint32_t i = 0; i < n_boxes; i++)
        for (uint32_t j = i + 1; j < n_boxes; j++) {
            int adjacent = 1;
            for (uint32_t k = 0; k < 2; k++)
                adjacent &= fabs(floor((w.centre[k][i] - lo[k]) / side) -
                                 floor((w.centre[k][j] - lo[k]) / side)) <= 1.0;
            wrong += seen[i * (size_t)n_boxes + j] != adjacent;
            near += (uint64_t)adjacent;
            overlap += (uint64_t)scree_boxes_overlap(&w.view, i, j);
        }
    free(seen);
    printf("# ratio %g: %.4f of %llu candidates overlap\n", ratio, (double)overlap / (double)near,
           (unsigned long long)near);
    tap_ok(wrong == 0 && near == s->n_pairs, "hashing as printed: the candidates are the pairs in "
                                             "adjacent cells of the largest disc, each once");
    const double expected = ratio > 1.0 ? 0.08 : 0.45;
    const double accuracy = (double)overlap / (double)near;
    tap_ok(ratio > 1.0 ? accuracy < expected : accuracy > 0.3 && accuracy < expected,
           "their accuracy is 0.3 to 0.45 of equal discs, below 0.08 of sizes 1:8");
    tap_ok(find(s, "false") == overlap, "by default only boxes that overlap are given");
}

static void test_domain(subject *s)
{
    for (int printed = 0; printed < 2; printed++) {
        fake_choose(s->plugin, s->config, "as_printed", printed ? "true" : "false");
        make(s);
        set_disc(0, 0.0, 0.0, 0.5);
        set_disc(1, 9.0, 9.0, 0.5);
        set_disc(2, 9.5, 9.0, 0.5);
        n_boxes = 3;
        place(s, &w, 3);
        search_pivots(s, 0, s->n_pivots);
        tap_ok(s->n_pairs == 1 && has_pair(s, 1, 2),
               "a pair within the domain of the start is found");
        set_disc(1, 19.0, 9.0, 0.5);
        set_disc(2, 19.5, 9.0, 0.5);
        begin_step(s, &w, NULL, 0);
        search_pivots(s, 0, s->n_pivots);
        tap_ok(s->n_pairs == (uint64_t)!printed,
               "outside of that domain it is missed as printed, and else found");
        place(s, &w, 3); // init again
        search_pivots(s, 0, s->n_pivots);
        tap_ok(s->n_pairs == 1, "after another init that place is within the domain");
        s->ops->destroy(s->self);
    }
}

// Four cells along x and along y: the first and the last are not adjacent.
static void test_ends(subject *s)
{
    for (uint32_t axis = 0; axis < 2; axis++) {
        set_disc(0, 0.0, 0.0, 0.5);
        set_disc(1, axis ? 0.0 : 3.5, axis ? 3.5 : 0.0, 0.5);
        n_boxes = 2;
        view_boxes(&w, n_boxes);
        tap_ok(find(s, "true") == 0, "as printed a grid has ends");
    }
}

/* ---- spatial_sort ---- */

// The range of a target on y begins at the first box whose upper end is *above* its lower end: all boxes of the row
// below that only touch it are before that. Lost: the pair with the box below and one column on, for each box but those
// of the first row and the last column. (In the same column the lower box is the target.)
static void test_touching(subject *s)
{
    const uint32_t side = 8;
    fill_lattice(side);
    fake_choose(s->plugin, s->config, "method", "one_pass");
    const uint64_t all = 2 * side * (side - 1) + 2 * (side - 1) * (side - 1);
    tap_ok(find(s, "false") == all, "one_pass finds the pairs of a lattice of discs that touch");
    find(s, "true");
    uint64_t met = 0;
    int lost = 1;
    for (uint32_t i = 0; i < n_boxes; i++)
        for (uint32_t j = i + 1; j < n_boxes; j++)
            met += scree_boxes_overlap(&w.view, i, j) && has_pair(s, i, j);
    for (uint32_t i = side; i < n_boxes; i++)
        lost &= i % side == side - 1 || !has_pair(s, i, i + 1 - side);
    printf("# as printed %llu of %llu\n", (unsigned long long)met, (unsigned long long)all);
    tap_ok(lost && met == all - (side - 1) * (side - 1),
           "as printed it misses a touch per box, with the box below and one column on");
}

static void test_running_max(subject *s)
{
    fake_choose(s->plugin, s->config, "method", "running_max");
    n_boxes = 10;
    set_box(&w, 0, 1, 2, 0, 100); // the first on y, and long
    for (uint32_t i = 1; i < 9; i++)
        set_box(&w, i, 10.0 * i, 10.0 * i + 1, i, i + 0.5);
    set_box(&w, 9, 0, 3, 50, 51);
    for (uint32_t i = 0; i < n_boxes; i++)
        w.radius[i] = 0.0;
    view_boxes(&w, n_boxes);
    find(s, "false");
    const int found = has_pair(s, 0, 9);
    find(s, "true");
    tap_ok(found == 1 && has_pair(s, 0, 9) == 0, "bisection of upper ends, which are in no order, "
                                                 "misses a long box; of their maximum it does not");
}

static void test_complete(subject *s, const char *method)
{
    uint64_t missed = 0, twice = 0;
    fill_discs(700, 4.0);
    fake_choose(s->plugin, s->config, "method", method);
    find(s, "true");
    const uint64_t printed = s->n_pairs;
    uint8_t *seen = count_pairs(s);
    for (uint32_t i = 0; i < n_boxes; i++)
        for (uint32_t j = i + 1; j < n_boxes; j++) {
            missed += scree_boxes_overlap(&w.view, i, j) && !seen[i * (size_t)n_boxes + j];
            twice += seen[i * (size_t)n_boxes + j] > 1;
        }
    tap_ok(!missed && !twice, "as printed, lists and ranges miss nothing and give nothing twice");
    fake_choose(s->plugin, s->config, "exact", "false");
    find(s, "false");
    uint8_t *plain = count_pairs(s);
    fake_choose(s->plugin, s->config, "exact", "true");
    tap_ok(s->n_pairs == printed && memcmp(seen, plain, (size_t)n_boxes * n_boxes) == 0,
           "their candidates are those that are not tested as boxes");
    free(seen);
    free(plain);
}

// Two long boxes side by side: the spheres around them overlap.
static void test_spheres(subject *s)
{
    n_boxes = 2;
    set_box(&w, 0, 0.0, 0.1, 0.0, 10.0);
    set_box(&w, 1, 3.0, 3.1, 0.0, 10.0);
    w.radius[0] = w.radius[1] = 5.01;
    view_boxes(&w, n_boxes);
    tap_ok(find(s, "false") == 0 && find(s, "true") == 1,
           "as printed bounding spheres are compared, not boxes");
}

/* ---- dess_stripe ---- */

static int compare_ends(const void *a, const void *b)
{
    const uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    return w.lo[0][i] < w.lo[0][j] ? -1 : w.lo[0][i] > w.lo[0][j];
}

// Members by the text of 5.2: natives, and all later boxes that begin below the highest upper end of a native.
static void test_stripes(subject *s)
{
    const uint32_t natives = 64;
    uint32_t order[MOST_BOXES_HERE];
    uint64_t members = 0, overlap = 0;
    fill_discs(natives * natives, 6.0);
    *(double *)fake_member(s->plugin, s->config, "width") = 1.0;
    *(double *)fake_member(s->plugin, s->config, "copies") = 1e6;
    for (uint32_t i = 0; i < n_boxes; i++)
        order[i] = i;
    qsort(order, n_boxes, sizeof *order, compare_ends);
    for (uint32_t first = 0; first < n_boxes; first += natives) {
        double highest = -HUGE_VAL;
        for (uint32_t p = first; p < first + natives; p++)
            highest = scree_max(highest, w.hi[0][order[p]]);
        for (uint32_t p = first; p < n_boxes; p++)
            members += p < first + natives || w.lo[0][order[p]] <= highest;
    }
    for (uint32_t i = 0; i < n_boxes; i++)
        for (uint32_t j = i + 1; j < n_boxes; j++)
            overlap += (uint64_t)scree_boxes_overlap(&w.view, i, j);
    const uint64_t found = find(s, "true");
    printf("# %llu members of stripes, expected %llu\n", (unsigned long long)s->n_pivots,
           (unsigned long long)members);
    tap_ok(s->n_pivots == members,
           "dess_stripe as printed: stripes of N^(1/2) boxes, and the printed border");
    tap_ok(found == overlap && overlap > n_boxes / 2, "it misses nothing");
}

int main(int argc, char **argv)
{
    static const char *const complete[] = {"lists", "ranges"};
    subject s;
    if (argc < 4)
        return 2;
    load(&s, argv[1]);
    test_cells(&s, 1.0);
    test_cells(&s, 8.0);
    test_domain(&s);
    test_ends(&s);
    free(s.pairs);
    free(s.fake.scratch);
    load(&s, argv[2]);
    test_touching(&s);
    test_running_max(&s);
    for (uint32_t k = 0; k < 2; k++) {
        test_complete(&s, complete[k]);
        test_spheres(&s);
    }
    free(s.pairs);
    free(s.fake.scratch);
    load(&s, argv[3]);
    test_stripes(&s);
    test_spheres(&s);
    free(s.pairs);
    free(s.fake.scratch);
    return tap_end();
}
