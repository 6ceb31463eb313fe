/* SPDX-License-Identifier: Apache-2.0 */
/* How a GCD grows: discs in a square, equal, on one wide floor, or of mixed sizes, 400 to 102 400.
 */
#include "gcd_load.h"

#define SOLID 0.7 // [-] of the square
#define ROUNDS 9u

enum { EQUAL, FLOOR, MIXED, KINDS };
static const char *const kinds[KINDS] = {"equal", "equal, on a floor", "1:32"};

/* Radii of 1, or 1 to 32 with equal area per logarithmic class; the floor is the last box. */
static void fill(world *w, uint32_t n, int kind)
{
    uint64_t state = 11;
    const uint32_t side = (uint32_t)ceil(sqrt(n)), n_boxes = n + (kind == FLOOR);
    double *r = must(malloc(n * sizeof *r)), area = 0.0;
    resize_world(w, n_boxes, 2);
    for (uint32_t i = 0; i < n; i++) {
        r[i] = kind == MIXED ? 1.0 / sqrt(1.0 - uniform(&state) * (1.0 - 1.0 / 1024.0)) : 1.0;
        area += 3.14159265358979 * r[i] * r[i];
    }
    const double step = sqrt(area / SOLID / n);
    for (uint32_t i = 0; i < n; i++) {
        double x[3] = {0.0, 0.0, 0.0};
        x[0] = kind == MIXED ? step * side * uniform(&state)
                             : step * (i % side + 0.3 * uniform(&state));
        x[1] = kind == MIXED ? step * side * uniform(&state)
                             : step * (i / side + 0.3 * uniform(&state));
        set_box(w, i, x, (double[3]){r[i], r[i], r[i]});
    }
    if (kind == FLOOR)
        set_box(w, n, (double[3]){0.5 * step * side, -1.0, 0.0},
                (double[3]){0.5 * step * side + 2.0, 1.0, 0.0});
    free(r);
}

/* [s] The fastest of some rounds: others on the machine only ever add. */
static double time_one(gcd *g, const world *w, pair_list *list, uint64_t *pivots)
{
    double least = HUGE_VAL;
    g->ops->init(g->instance, &w->view, 0);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        open_pairs(list, 0);
        const double begin = now();
        if (g->ops->step_init(g->instance, &w->view, NULL, 0, pivots) != SCREE_OK ||
            g->ops->find_neighbors(g->instance, 0, *pivots, &list->sink) != SCREE_OK)
            exit(1);
        const double took = now() - begin;
        least = took < least ? took : least;
    }
    return least;
}

int main(int argc, char **argv)
{
    gcd g;
    world w = {0};
    pair_list list = {0};
    if (argc < 2) {
        fprintf(stderr, "usage: gcd_scaling PLUGIN.so [NAME=VALUE]...\n");
        return 2;
    }
    if (!load_gcd(&g, argv[1], argc - 2, argv + 2) ||
        g.ops->create(&fake_host, g.config, &g.instance) != SCREE_OK)
        return 1;
    for (int kind = 0; kind < KINDS; kind++) {
        double before = 0.0;
        for (uint32_t n = 400; n <= 102400; n *= 4) {
            uint64_t pivots;
            fill(&w, n, kind);
            const double took = time_one(&g, &w, &list, &pivots);
            printf("%-12s %-18s %6u boxes %6.2f pairs/box %6.2f pivots/box %8.1f ns/box", g.id,
                   kinds[kind], w.n, (double)list.n / w.n, (double)pivots / w.n, 1e9 * took / w.n);
            printf(before > 0.0 ? "  power %.2f\n" : "\n", log(took / before) / log(4.0));
            fflush(stdout);
            before = took;
        }
    }
    g.ops->destroy(g.instance);
    free_nested();
    free(list.v);
    free_world(&w);
    return 0;
}
