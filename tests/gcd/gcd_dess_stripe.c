// SPDX-License-Identifier: Apache-2.0
// Claims about gcd/dess_stripe: what the border of the paper costs, and that the corrected one does
// not. A pivot is a member of a stripe, so their number shows how many members the borders hold.
// usage: gcd_dess_stripe PLUGIN.so [PLUGIN.x86-64-v3.so]
#include "../fake_host.h"

#define MOST 6500u

typedef enum scene { EQUAL, FLOOR, MIXED } scene;

typedef struct bench {
    fake_host fake;
    const scree_plugin *plugin;
    const scree_gcd_ops *ops;
    uint64_t config[16];
    uint32_t n;
    double lo[3][MOST], hi[3][MOST], centre[3][MOST], radius[MOST];
    scree_boxes view;
    uint64_t n_pairs, reserved;
    scree_pair *pairs;
    scree_pair_sink sink;
} bench;

static int32_t give_room(scree_pair_sink *sink, uint64_t n, scree_pair **out)
{
    bench *b = sink->ctx;
    *out = b->pairs = realloc(b->pairs, n * sizeof **out);
    b->reserved = n;
    return *out || !n ? SCREE_OK : SCREE_E_MEMORY;
}

static int32_t count_pairs(scree_pair_sink *sink, uint64_t n)
{
    bench *b = sink->ctx;
    b->n_pairs += n;
    return n <= b->reserved ? SCREE_OK : SCREE_E_INTERNAL;
}

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return scree_uniform(*state);
}

static void set_box(bench *b, uint32_t i, double x, double y, double hx, double hy)
{
    const double c[2] = {x, y}, h[2] = {hx, hy};
    for (uint32_t k = 0; k < 3; k++) {
        b->centre[k][i] = k < 2 ? c[k] : 0.0;
        b->lo[k][i] = k < 2 ? c[k] - h[k] : 0.0;
        b->hi[k][i] = k < 2 ? c[k] + h[k] : 0.0;
    }
    b->radius[i] = hx + hy;
}

// side * side discs of radius 0.6 on a lattice of 1, or anywhere with radii of 0.3 to 10, or the
// first on a floor as wide as all of them.
static void fill(bench *b, uint32_t side, scene s)
{
    uint64_t state = 5;
    const double all = side;
    b->n = side * side + (s == FLOOR);
    for (uint32_t i = 0; i < side * side; i++) {
        const double r = 0.3 / sqrt(1.0 - uniform(&state) * (1.0 - 1.0 / 1024.0));
        if (s == MIXED)
            set_box(b, i, all * uniform(&state), all * uniform(&state), r, r);
        else
            set_box(b, i, i % side + 0.1 * uniform(&state), i / side + 0.1 * uniform(&state), 0.6,
                    0.6);
    }
    if (s == FLOOR)
        set_box(b, b->n - 1, 0.5 * all, -1.0, 0.5 * all + 1.0, 1.0);
    b->view = (scree_boxes){.size = sizeof b->view, .dimension = 2, .n = b->n, .radius = b->radius};
    for (uint32_t k = 0; k < 3; k++) {
        b->view.lo[k] = b->lo[k];
        b->view.hi[k] = b->hi[k];
        b->view.centre[k] = b->centre[k];
    }
}

// Members of all stripes; counts the pairs.
static double members(bench *b, const char *border)
{
    void *self = NULL;
    uint64_t n_pivots = 0;
    fake_choose(b->plugin, b->config, "border", border);
    *(double *)fake_member(b->plugin, b->config, "copies") = 1e6;
    b->n_pairs = 0;
    if (b->ops->create(&b->fake.host, b->config, &self) != SCREE_OK ||
        b->ops->init(self, &b->view, 0) != SCREE_OK ||
        b->ops->step_init(self, &b->view, NULL, 0, &n_pivots) != SCREE_OK ||
        b->ops->find_neighbors(self, 0, n_pivots, &b->sink) != SCREE_OK)
        bail_out("%s", b->fake.text);
    b->ops->destroy(self);
    return (double)n_pivots;
}

static uint64_t count_overlaps(const bench *b)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < b->n; i++)
        for (uint32_t j = i + 1; j < b->n; j++)
            n += (uint64_t)scree_boxes_overlap(&b->view, i, j);
    return n;
}

static void test_pairs(bench *b)
{
    for (scene s = EQUAL; s <= MIXED; s++) {
        fill(b, 30, s);
        const uint64_t wanted = count_overlaps(b);
        members(b, "printed");
        const uint64_t printed = b->n_pairs;
        members(b, "reach");
        tap_ok(printed == wanted && b->n_pairs == wanted && wanted > 900,
               "both borders give as many pairs as overlap");
    }
}

static void test_borders(bench *b)
{
    double plain[2], floor[2], mixed[2][2];
    static const char *const border[] = {"printed", "reach"};
    for (int k = 0; k < 2; k++) {
        fill(b, 80, EQUAL);
        plain[k] = members(b, border[k]) / b->n;
        fill(b, 80, FLOOR);
        floor[k] = members(b, border[k]) / b->n;
        for (int large = 0; large < 2; large++) {
            fill(b, large ? 80 : 20, MIXED);
            mixed[k][large] = members(b, border[k]) / b->n;
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
static void test_copies(bench *b)
{
    fill(b, 20, EQUAL);
    for (uint32_t i = 0; i < b->n; i++)
        set_box(b, i, 0.0, 2.0 * i, 100.0, 0.5);
    *(double *)fake_member(b->plugin, b->config, "copies") = 1.0;
    void *self = NULL;
    uint64_t n_pivots = 0;
    if (b->ops->create(&b->fake.host, b->config, &self) != SCREE_OK ||
        b->ops->init(self, &b->view, 0) != SCREE_OK ||
        b->ops->step_init(self, &b->view, NULL, 0, &n_pivots) != SCREE_OK)
        exit(1);
    tap_ok(n_pivots <= b->n + 1, "boxes as wide as all are in no more stripes than `copies` says");
    b->ops->destroy(self);
}

int main(int argc, char **argv)
{
    static bench b;
    if (argc < 2)
        return 2;
    for (int i = 1; i < argc; i++) {
        if (i == 2 && !__builtin_cpu_supports("avx2"))
            break;
        fake_init(&b.fake, 2);
        b.plugin = fake_load(argv[i], SCREE_KIND_GCD);
        b.ops = b.plugin->ops;
        b.sink = (scree_pair_sink){
            .size = sizeof b.sink, .ctx = &b, .reserve = give_room, .commit = count_pairs};
        fake_defaults(b.plugin, b.config);
        test_pairs(&b);
        test_borders(&b);
        test_copies(&b);
        free(b.pairs);
        b.pairs = NULL;
        free(b.fake.scratch);
    }
    return tap_end();
}
