/* SPDX-License-Identifier: Apache-2.0 */
/* Plugins that keep a partition of space (cell_space, orthtree, adaptive_grid, bsp): a dense
 * swarm wanders through a gas, with lists of moved boxes, so that cells fill, are cut, and empty
 * again. */
#include "../bench/gcd_load.h"

enum { BOXES = 1200, SWARM = 150, STEPS = 300 };

static double draw(uint64_t *state, double low, double high)
{
    return low + (high - low) * scree_uniform(mix_bits((*state)++));
}

static void make_gas(world *w, uint64_t *state)
{
    resize_world(w, BOXES, 3);
    for (uint32_t i = 0; i < BOXES; i++) {
        const double x[3] = {draw(state, 0, 40), draw(state, 0, 40), draw(state, 0, 40)};
        set_box(w, i, x, (double[3]){1.0, 1.0, 1.0});
    }
}

/* The first boxes, around a place that runs through the gas and back. */
static void move_swarm(world *w, uint32_t step, uint64_t *state)
{
    const double phase = step % 200 < 100 ? step % 100 : 100 - step % 100, at = 0.4 * phase;
    for (uint32_t i = 0; i < SWARM; i++) {
        const double x[3] = {at + draw(state, 0, 3), at + draw(state, 0, 3),
                             20 + draw(state, 0, 3)};
        set_box(w, i, x, (double[3]){0.2, 0.2, 0.2});
    }
}

static uint64_t search(const gcd *g, const world *w, const uint32_t *list, uint32_t n,
                       pair_list *pairs)
{
    uint64_t n_pivots = 0;
    open_pairs(pairs, 0);
    if (g->ops->step_init(g->instance, &w->view, list, n, &n_pivots) != SCREE_OK ||
        g->ops->find_neighbors(g->instance, 0, n_pivots, &pairs->sink) != SCREE_OK)
        bail_out("%s fails", g->id);
    return n_pivots;
}

/* Overlapping pairs with a box below `n`: how many, and a sum that tells them apart. */
static void brute_force(const world *w, uint32_t n, uint64_t sum[2])
{
    sum[0] = sum[1] = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < w->n; j++)
            if (scree_boxes_overlap(&w->view, i, j)) {
                sum[0]++;
                sum[1] += mix_bits((uint64_t)i << 32 | j);
            }
}

static int is_same(const world *w, const pair_list *pairs, uint32_t n)
{
    uint64_t want[2], have[2] = {pairs->n, 0};
    brute_force(w, n, want);
    for (uint64_t p = 0; p < pairs->n; p++) {
        const scree_pair v = pairs->v[p];
        have[1] += mix_bits((uint64_t)(v.a < v.b ? v.a : v.b) << 32 | (v.a < v.b ? v.b : v.a));
    }
    return want[0] > n / 2 && have[0] == want[0] && have[1] == want[1];
}

static void try_plugin(gcd *g)
{
    uint64_t state = 20260, bytes[2] = {0, 0};
    uint32_t list[SWARM];
    pair_list pairs = {0};
    world w = {0};
    int same = 1;
    for (uint32_t i = 0; i < SWARM; i++)
        list[i] = i;
    make_gas(&w, &state);
    if (g->ops->create(&fake_host, g->config, &g->instance) != SCREE_OK ||
        g->ops->init(g->instance, &w.view, 0) != SCREE_OK)
        exit(1);
    search(g, &w, NULL, 0, &pairs);
    claim(is_same(&w, &pairs, BOXES), "%s: all pairs of the gas, each once, and no other", g->id);
    for (uint32_t step = 0; step < 2 * STEPS; step++) {
        move_swarm(&w, step, &state);
        search(g, &w, list, SWARM, &pairs);
        same &= step % 10 || is_same(&w, &pairs, SWARM);
        bytes[step / STEPS] = g->ops->bytes(g->instance);
    }
    claim(same, "%s: the pairs of the swarm wherever it is, each once, and no other", g->id);
    claim(bytes[1] <= bytes[0] + bytes[0] / 8, "%s: 300 steps more need no more memory", g->id);
    claim(search(g, &w, list, 0, &pairs) == 0 && pairs.n == 0,
          "%s: nothing moved: no pivot, no pair", g->id);
    // A box that moves untold is found where it was: the comparison above would see it.
    set_box(&w, SWARM, (double[3]){w.centre[0][0], w.centre[1][0], w.centre[2][0]},
            (double[3]){3.0, 3.0, 3.0});
    search(g, &w, list, SWARM, &pairs);
    claim(!is_same(&w, &pairs, SWARM), "%s: a box that moves untold is missed", g->id);
    g->ops->destroy(g->instance);
    free_world(&w);
    free(pairs.v);
}

int main(int argc, char **argv)
{
    for (int k = 1; k < argc; k++) {
        gcd g;
        if (!load_gcd(&g, argv[k], 0, NULL))
            return 1;
        try_plugin(&g);
    }
    return tap_end();
}
