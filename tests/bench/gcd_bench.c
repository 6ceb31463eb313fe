/* SPDX-License-Identifier: Apache-2.0 */
/* Times step_init and find_neighbors of a GCD plugin on dense packings, and in a drum, in ns per box. */
#include "gcd_load.h"

#define SOLID 0.6 // [-] solid fraction
#define GROWN 1.1 // [-] extents over tight boxes

/* Radius between 1 and `ratio` with equal volume per logarithmic class: N(r) ~ r^-4. */
static double draw_radius(double ratio, uint64_t *state)
{
    return 1.0 / cbrt(1.0 - uniform(state) * (1.0 - 1.0 / (ratio * ratio * ratio)));
}

/* Balls on a jittered lattice when equal (so that neighbours are as in a packing), else anywhere;
 * `shuffle`: numbers say nothing about the place, as after a long run without renumbering. */
static void fill(world *w, uint32_t n, double ratio, int shuffle)
{
    uint64_t state = 7;
    uint32_t side = (uint32_t)ceil(cbrt(n)), *slot = must(malloc(n * sizeof *slot));
    double *r = must(malloc(n * sizeof *r)), volume = 0.0;
    resize_world(w, n, 3);
    for (uint32_t i = 0; i < n; i++) {
        r[i] = ratio > 1.0 ? draw_radius(ratio, &state) : 1.0;
        volume += 4.0 / 3.0 * 3.14159265358979 * r[i] * r[i] * r[i];
        slot[i] = i;
    }
    if (shuffle)
        for (uint32_t i = n - 1; i > 0; i--) {
            uint32_t j = (uint32_t)(uniform(&state) * (i + 1)), t = slot[i];
            slot[i] = slot[j];
            slot[j] = t;
        }
    double step = cbrt(volume / SOLID / n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at[3] = {i % side, i / side % side, i / side / side};
        double x[3], h = GROWN * r[i];
        for (uint32_t k = 0; k < 3; k++)
            x[k] = ratio > 1.0 && !shuffle ? step * (at[k] + uniform(&state))
                   : ratio > 1.0           ? step * side * uniform(&state)
                                           : step * (at[k] + 0.5 * uniform(&state));
        set_box(w, slot[i], x, (double[3]){h, h, h});
    }
    free(slot);
    free(r);
}

/* `n` balls in a drum of long facets: the plates of their boxes all span its length, and each is on
 * the spot of half the others. Radius of the balls 1, solid fraction SOLID. */
static void fill_drum(world *w, uint32_t n, uint32_t facets)
{
    const double pi = 3.14159265358979, radius = cbrt(n / (1.5 * SOLID)); // length 2 radii
    uint64_t state = 7;
    resize_world(w, n + facets, 3);
    for (uint32_t i = 0; i < n + facets; i++) {
        const double turn = 2.0 * pi * (i < n ? uniform(&state) : (double)(i - n) / facets);
        const double off = i < n ? radius * sqrt(uniform(&state)) : radius;
        const double x[3] = {off * cos(turn), off * sin(turn),
                             i < n ? radius * (2.0 * uniform(&state) - 1.0) : 0.0};
        const double half = pi * radius / facets;
        const double plate[3] = {GROWN * half * fabs(sin(turn)) + 0.1,
                                 GROWN * half * fabs(cos(turn)) + 0.1, radius};
        set_box(w, i, x, i < n ? (double[3]){GROWN, GROWN, GROWN} : plate);
    }
}

/* Each box by `far` of its radius, always the same way. */
static void move_boxes(world *w, double far)
{
    for (uint32_t i = 0; i < w->n; i++) {
        uint64_t state = 1000003u * (uint64_t)i;
        double d[3], length = 0.0;
        for (uint32_t k = 0; k < 3; k++) {
            d[k] = k < w->dimension ? uniform(&state) - 0.5 : 0.0;
            length += d[k] * d[k];
        }
        if (length > 0.0)
            for (uint32_t k = 0; k < 3; k++) {
                double by = far * w->radius[i] * d[k] / sqrt(length);
                w->lo[k][i] += by;
                w->hi[k][i] += by;
                w->centre[k][i] += by;
            }
    }
}

/* The fastest round counts: other programs only ever add. For boxes in motion the mean counts,
 * because rounds differ. */
static void time_one(gcd *g, const char *name, world *w, uint32_t flags, double far)
{
    double init = far > 0.0 ? 0.0 : HUGE_VAL, find = init;
    uint32_t rounds = w->n > 50000 ? 15 : 41;
    pair_list list = {0};
    g->ops->init(g->instance, &w->view, flags);
    for (uint32_t round = 0; round < rounds; round++) {
        uint64_t pivots;
        open_pairs(&list, 0);
        double t0 = now();
        g->ops->step_init(g->instance, &w->view, NULL, 0, &pivots);
        double t1 = now();
        g->ops->find_neighbors(g->instance, 0, pivots, &list.sink);
        double t2 = now();
        if (far > 0.0) {
            init += (t1 - t0) / rounds;
            find += (t2 - t1) / rounds;
            move_boxes(w, far);
            continue;
        }
        init = init < t1 - t0 ? init : t1 - t0;
        find = find < t2 - t1 ? find : t2 - t1;
    }
    double a = 1e9 * init / w->n, b = 1e9 * find / w->n;
    printf("%-18s %-22s %-7s %7u boxes %6.2f pairs/box  init %6.1f  find %7.1f  sum %7.1f ns/box  "
           "%.0f bytes/box\n",
           g->id, name, flags ? "spheres" : "boxes", w->n, (double)list.n / w->n, a, b, a + b,
           g->ops->bytes ? (double)g->ops->bytes(g->instance) / w->n : 0.0);
    fflush(stdout);
    free(list.v);
}

/* Moves every `stride`-th box, from another one each round, by up to a hundredth of its half side,
 * and lists them; all with a stride of 1, none with 0. */
static uint32_t move_some(world *w, uint32_t stride, uint32_t round, uint64_t *state,
                          uint32_t *moved)
{
    uint32_t n = 0;
    for (uint32_t i = stride ? round % stride : w->n; i < w->n; i += stride) {
        const double r = 0.01 * w->radius[i];
        for (uint32_t k = 0; k < w->dimension; k++) {
            const double d = r * (2.0 * uniform(state) - 1.0);
            w->lo[k][i] += d;
            w->hi[k][i] += d;
            w->centre[k][i] += d;
        }
        moved[n++] = i;
    }
    return n;
}

/* Steps with a list of moved boxes, the mean of many: all, a hundredth, none of them. */
static void time_moves(gcd *g, world *w)
{
    static const uint32_t strides[] = {1, 100, 0}, rounds[] = {20, 100, 200};
    uint32_t *moved = must(malloc(w->n * sizeof *moved));
    pair_list list = {0};
    uint64_t state = 11, pivots;
    double all = 0.0;
    g->ops->init(g->instance, &w->view, 0);
    for (uint32_t s = 0; s < 3; s++) {
        double init = 0.0, find = 0.0;
        for (uint32_t round = 0; round < rounds[s]; round++) {
            const uint32_t n = move_some(w, strides[s], round * 37, &state, moved);
            open_pairs(&list, 0);
            double t0 = now();
            g->ops->step_init(g->instance, &w->view, s || round ? moved : NULL, n, &pivots);
            double t1 = now();
            g->ops->find_neighbors(g->instance, 0, pivots, &list.sink);
            if (round >= rounds[s] / 2) {
                init += t1 - t0;
                find += now() - t1;
            }
        }
        double a = 2e9 * init / rounds[s] / w->n, b = 2e9 * find / rounds[s] / w->n;
        all = s ? all : a + b;
        printf("%-18s moved 1 %% of a radius: %-12s init %8.2f  find %8.2f  sum %8.2f ns/box  %.4f "
               "of all\n",
               g->id,
               s == 0   ? "all"
               : s == 1 ? "1 in 100"
                        : "none",
               a, b, a + b, (a + b) / all);
        fflush(stdout);
    }
    free(list.v);
    free(moved);
}

int main(int argc, char **argv)
{
    gcd g;
    world w = {0};
    double far = 0.0; // [-] of the radius, per step
    if (argc > 2 && !strcmp(argv[1], "--move")) {
        far = strtod(argv[2], NULL);
        argc -= 2;
        argv += 2;
    }
    if (argc < 2) {
        fprintf(stderr, "usage: gcd_bench [--move FAR] PLUGIN.so [NAME=VALUE]...\n");
        return 2;
    }
    if (!load_gcd(&g, argv[1], argc - 2, argv + 2) ||
        g.ops->create(&fake_host, g.config, &g.instance) != SCREE_OK)
        return 1;
    for (uint32_t k = 0; k < 8; k++) {
        static const char *const names[] = {"mono", "mono, shuffled", "1:10", "1:10, shuffled"};
        fill(&w, k & 1 ? 100000 : 10000, k & 4 ? 10.0 : 1.0, (k & 2) != 0);
        time_one(&g, names[k / 2], &w, 0, far);
        if (far > 0.0)
            fill(&w, k & 1 ? 100000 : 10000, k & 4 ? 10.0 : 1.0, (k & 2) != 0);
        time_one(&g, names[k / 2], &w, SCREE_GCD_SPHERES, far);
    }
    fill_drum(&w, 5000, 288);
    time_one(&g, "drum, long facets", &w, 0, far);
    fill(&w, 100000, 1.0, 1);
    if (g.flags & SCREE_CAP_INCREMENTAL)
        time_moves(&g, &w);
    g.ops->destroy(g.instance);
    free_nested();
    free_world(&w);
    return 0;
}
