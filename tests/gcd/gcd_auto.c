/* SPDX-License-Identifier: Apache-2.0 */
/* gcd/auto with a made-up clock and made-up GCDs, whose searches cost what was counted: its trials cost at most the
 * share `budget` of all searches, and it is at most 5 % behind the best single GCD. */
#include <inttypes.h>

#include "../bench/gcd_load.h"

/* A GCD that finds nothing, and moves the clock. */
typedef struct costly {
    char id[32];
    uint64_t searches, inits;
    int listed;
} costly;

static struct {
    double all, few; // [ns] a search of all boxes, of a list of few moved ones; per box
} cost[3];
static const char *const ids[] = {"grid", "hgrid", "bvh"};
static scree_plugin fakes[3];
static costly used[3];
static double clock_ns, noise;
static uint64_t dice;
static uint32_t n_boxes;

/* The clock of the plugin: the program's own function comes before that of the library. */
int clock_gettime(clockid_t which, struct timespec *to)
{
    *to = (struct timespec){(time_t)(clock_ns * 1e-9), (long)fmod(clock_ns, 1e9)};
    return 0;
}

static int32_t fake_init(void *self, const scree_boxes *boxes, uint32_t flags)
{
    ((costly *)self)->inits++;
    return SCREE_OK;
}

static int32_t fake_step(void *self, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
    costly *c = self;
    c->listed = moved != NULL;
    c->searches++;
    *n_pivots = 1;
    return SCREE_OK;
}

static int32_t fake_find(void *self, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    costly *c = self;
    const uint64_t k = (uint64_t)(c - used);
    const double ns = c->listed ? cost[k].few : cost[k].all;
    clock_ns += n_boxes * ns * (1.0 + noise * (2.0 * uniform(&dice) - 1.0));
    return SCREE_OK;
}

static void fake_destroy(void *self)
{
}

static const scree_gcd_ops fake_ops = {.size = sizeof(scree_gcd_ops),
                                       .destroy = fake_destroy,
                                       .init = fake_init,
                                       .step_init = fake_step,
                                       .find_neighbors = fake_find};

static int32_t make_costly(void *ctx, const scree_plugin_ref *ref, const scree_plugin **plugin,
                           const void **ops, void **self)
{
    for (uint32_t k = 0; k < 3; k++)
        if (strcmp(ids[k], ref->text) == 0) {
            fakes[k] = (scree_plugin){.size = sizeof fakes[k],
                                      .kind = SCREE_KIND_GCD,
                                      .flags = k == 2 ? SCREE_CAP_INCREMENTAL : 0,
                                      .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
                                      .id = ids[k]};
            *plugin = &fakes[k];
            *ops = &fake_ops;
            *self = &used[k];
            return SCREE_OK;
        }
    return fake_fail(ctx, SCREE_E_CONFIG, "no such GCD");
}

/* A run: its searches, the boxes, what searches cost. */
typedef struct workload {
    const char *name;
    uint32_t n;
    double ratio; // of the sizes
    double all[3], few[3];
    uint32_t moved; // 0: all boxes move, else a list of so many
    double growth;  // of the number of boxes in each search
} workload;

static void fill_boxes(world *w, const workload *load, uint32_t n)
{
    uint64_t state = 5;
    resize_world(w, n, 3);
    for (uint32_t i = 0; i < n; i++) {
        const double h = i % 50 ? 1.0 : load->ratio;
        double x[3];
        for (uint32_t k = 0; k < 3; k++)
            x[k] = 40.0 * uniform(&state);
        set_box(w, i, x, (double[3]){h, h, h});
    }
    n_boxes = n;
}

typedef struct outcome {
    double over;          // time over that of the best single GCD
    uint64_t searches[3]; // by each GCD
} outcome;

static void do_search(gcd *g, world *w, const uint32_t *moved, uint32_t n_moved)
{
    static pair_list list;
    uint64_t pivots;
    open_pairs(&list, 0);
    if (g->ops->step_init(g->instance, &w->view, moved, n_moved, &pivots) != SCREE_OK ||
        g->ops->find_neighbors(g->instance, 0, pivots, &list.sink) != SCREE_OK)
        bail_out("a search failed");
}

/* A run of `searches` searches; the share of time by which it is behind the best single GCD, which would work in all
 * of them. */
static outcome do_run(const char *file, const workload *load, uint32_t searches, char **words,
                      int n_words)
{
    scree_host host = fake_host;
    outcome result = {0};
    double single[3] = {0.0};
    uint32_t *moved = must(calloc(load->n, sizeof *moved));
    world w = {0};
    gcd g;
    host.make_instance = make_costly;
    host.lanes = 1;
    memset(used, 0, sizeof used);
    for (uint32_t k = 0; k < load->moved; k++)
        moved[k] = k;
    for (uint32_t k = 0; k < 3; k++) {
        cost[k].all = load->all[k];
        cost[k].few = load->few[k];
    }
    fill_boxes(&w, load, load->n);
    if (!load_gcd(&g, file, n_words, words) ||
        g.ops->create(&host, g.config, &g.instance) != SCREE_OK)
        bail_out("%s cannot be made", file);
    g.ops->init(g.instance, &w.view, 0);
    const double begin = clock_ns = 1e12;
    for (uint32_t s = 0; s < searches; s++) {
        const int listed = load->moved && s > 0;
        if (load->growth > 0.0) {
            fill_boxes(&w, load, (uint32_t)(load->n * (1.0 + load->growth * s)));
            g.ops->init(g.instance, &w.view, 0);
        }
        do_search(&g, &w, listed ? moved : NULL, listed ? load->moved : 0);
        for (uint32_t k = 0; k < 3; k++)
            single[k] += w.n * (listed && k == 2 ? load->few[k] : load->all[k]);
    }
    result.over = (clock_ns - begin) / fmin(single[0], fmin(single[1], single[2]));
    for (uint32_t k = 0; k < 3; k++)
        result.searches[k] = used[k].searches;
    g.ops->destroy(g.instance);
    free_nested();
    free_world(&w);
    free(moved);
    return result;
}

/* [ns] per box, counted in instructions (contact-detection.md: `every strategy`), those of a list of moved boxes as
 * timed there (`few moved boxes`). */
static const workload ledger[] = {
    {"discs, 1 600", 1600, 1.0, {29, 29, 79}, {29, 29, 79}, 0, 0.0},
    {"discs, 25 600", 25600, 1.0, {29, 29, 84}, {29, 29, 84}, 0, 0.0},
    {"spheres, 1 000", 1000, 1.0, {51, 51, 142}, {51, 51, 142}, 0, 0.0},
    {"spheres, 10 648", 10648, 1.0, {44, 44, 162}, {44, 44, 162}, 0, 0.0},
    {"spheres 1:10", 10000, 10.0, {107, 109, 408}, {107, 109, 408}, 0, 0.0},
    {"spheres 1:100", 10270, 100.0, {136, 123, 332}, {136, 123, 332}, 0, 0.0},
    {"few move", 20000, 1.0, {44, 44, 160}, {44, 44, 7}, 20, 0.0},
    {"one in 20 moves", 20000, 1.0, {44, 44, 160}, {44, 44, 100}, 1000, 0.0},
    {"one in 50 of 1 000 moves", 1000, 1.0, {51, 51, 142}, {51, 51, 24}, 20, 0.0},
};

static void test_ledger(const char *file)
{
    static const uint32_t lengths[] = {40, 400, 4000};
    noise = 0.05;
    for (size_t i = 0; i < SCREE_COUNT(ledger); i++)
        for (size_t l = 0; l < 3; l++) {
            if (ledger[i].moved && lengths[l] < 400)
                continue; // the first search is of all boxes, and costs as much as many others
            const outcome o = do_run(file, &ledger[i], lengths[l], NULL, 0);
            claim(o.over < 1.05,
                  "%s, %u searches: %.3f of the time of the best (%" PRIu64 ", %" PRIu64
                  ", %" PRIu64 ")",
                  ledger[i].name, lengths[l], o.over, o.searches[0], o.searches[1], o.searches[2]);
        }
}

/* Where the rule is wrong, measurements correct it; where a trial is dear, it is late, short and not repeated. */
static void test_surprises(const char *file)
{
    static const workload wrong = {"", 10000, 10.0, {100, 150, 400}, {100, 150, 400}, 0, 0.0};
    static const workload dear = {"", 10000, 10.0, {900, 100, 400}, {900, 100, 400}, 0, 0.0};
    static const workload even = {"", 10000, 10.0, {100, 101, 400}, {100, 101, 400}, 0, 0.0};
    char *generous[] = {"budget=0.5"};
    noise = 0.05;
    outcome o = do_run(file, &wrong, 4000, NULL, 0);
    claim(o.over < 1.03 && o.searches[1] < 300,
          "a wrong rule is corrected: %.3f of the time of the best", o.over);
    o = do_run(file, &dear, 200, NULL, 0);
    claim(o.searches[0] <= 1, "nine times as dear a trial ends after a search (%" PRIu64 ")",
          o.searches[0]);
    o = do_run(file, &dear, 40, NULL, 0);
    claim(o.searches[0] == 0,
          "and does not begin before 2 %% of the searches can pay for it (%" PRIu64 ")",
          o.searches[0]);
    o = do_run(file, &dear, 4000, NULL, 0);
    claim(o.over < 1.02 && o.searches[0] >= 1 && o.searches[0] <= 4,
          "it costs less than 2 %% of the searches: %.4f of the time of the best", o.over);
    o = do_run(file, &even, 4000, generous, 1);
    claim(o.searches[2] == 0 && o.searches[0] + o.searches[1] == 4000 &&
              fmin(o.searches[0], o.searches[1]) <= 9,
          "of two that are even each is tried once (%" PRIu64 ", %" PRIu64 ")", o.searches[0],
          o.searches[1]);
}

/* The number of boxes grows by half each 50 searches: a loser may be tried again, for 2 % in all. */
static void test_changes(const char *file)
{
    static const workload grows = {"", 1000, 10.0, {120, 100, 400}, {120, 100, 400}, 0, 0.01};
    char *never[] = {"change=1e6"};
    noise = 0.02;
    outcome o = do_run(file, &grows, 2000, NULL, 0);
    claim(o.searches[0] > 9 && o.over < 1.02,
          "boxes become more: tried again (%" PRIu64 " searches), %.4f", o.searches[0], o.over);
    o = do_run(file, &grows, 2000, never, 1);
    claim(o.searches[0] <= 9 && o.searches[0] > 0,
          "not below the factor `change` (%" PRIu64 " searches)", o.searches[0]);
}

/* Only the GCDs that work are given boxes. */
static void test_memory(const char *file)
{
    noise = 0.0;
    do_run(file, &ledger[3], 1000, NULL, 0);
    claim(used[0].inits == 1 && !used[1].inits && !used[2].inits,
          "GCDs that do not work hold no boxes");
}

int main(int argc, char **argv)
{
    for (int k = 1; k < argc; k++) {
        test_ledger(argv[k]);
        test_surprises(argv[k]);
        test_changes(argv[k]);
        test_memory(argv[k]);
    }
    return tap_end();
}
