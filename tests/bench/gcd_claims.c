/* SPDX-License-Identifier: Apache-2.0 */
/* Measures statements of papers about single methods: the side of a cell, the square of cells
 * around a box, a reversal of sorted boxes. Lines of: what, of which, at, value. */
#include "gcd_load.h"

typedef struct load {
    uint32_t dimension;
    double ratio, solid; // [-] largest radius by the smallest, 1; share of space
} load;

/* Equal boxes on a jittered lattice, else sizes of equal volume per logarithmic class, anywhere.
 * The volume per box. */
static double fill(world *w, const load *l)
{
    // Primes along an axis: every k-th box is anywhere, for plugins that look at samples.
    const uint32_t d = l->dimension, side = d == 2 ? 127 : 31;
    const uint32_t n = d == 2 ? side * side : side * side * side;
    double *r = must(malloc(n * sizeof *r)), volume = 0.0;
    uint64_t state = 5;
    resize_world(w, n, d);
    for (uint32_t i = 0; i < n; i++) {
        const double u = 1.0 - uniform(&state) * (1.0 - pow(l->ratio, -(double)d));
        r[i] = l->ratio > 1.0 ? pow(u, -1.0 / d) : 1.0;
        volume += (d == 2 ? 1.0 : 4.0 / 3.0) * 3.14159265358979 * pow(r[i], d) / l->solid / n;
    }
    const double step = pow(volume, 1.0 / d);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at[3] = {i % side, i / side % side, i / side / side};
        double x[3];
        for (uint32_t k = 0; k < 3; k++)
            x[k] = l->ratio > 1.0 ? step * side * uniform(&state)
                                  : step * (at[k] + 0.5 * uniform(&state));
        set_box(w, i, x, (double[3]){r[i], r[i], r[i]});
    }
    free(r);
    return volume;
}

/* Tests per box when each is compared with those of its own cell and of the later half of the cells
 * around, by lower corners. */
static double tests_of(const world *w, double cell)
{
    uint32_t dim[3] = {1, 1, 1};
    double lo[3] = {0, 0, 0}, tests = 0.0;
    for (uint32_t k = 0; k < w->dimension; k++) {
        double hi = lo[k] = w->lo[k][0];
        for (uint32_t i = 0; i < w->n; i++) {
            lo[k] = fmin(lo[k], w->lo[k][i]);
            hi = fmax(hi, w->lo[k][i]);
        }
        dim[k] = 3 + (uint32_t)((hi - lo[k]) / cell); // an empty one at each end
    }
    const uint32_t plane = dim[0] * dim[1];
    uint32_t *n = must(calloc((size_t)plane * (dim[2] + 2), sizeof *n)), *first = n + plane;
    for (uint32_t i = 0; i < w->n; i++) {
        uint32_t at[3] = {0, 0, 0};
        for (uint32_t k = 0; k < w->dimension; k++)
            at[k] = 1 + (uint32_t)((w->lo[k][i] - lo[k]) / cell);
        first[(at[2] * dim[1] + at[1]) * dim[0] + at[0]]++;
    }
    for (int64_t c = 0; c < (int64_t)plane * dim[2]; c++) {
        if (!first[c])
            continue;
        double others = 0.5 * (first[c] - 1.0);
        for (int64_t around = 14; around < 27; around++)
            others += first[c + (around / 9 - 1) * plane + (around / 3 % 3 - 1) * dim[0] +
                            around % 3 - 1];
        tests += first[c] * others;
    }
    free(n);
    return tests / w->n;
}

static void make(gcd *g, const world *w)
{
    if (g->ops->create(&fake_host, g->config, &g->instance) != SCREE_OK ||
        g->ops->init(g->instance, &w->view, 0) != SCREE_OK)
        exit(1);
}

/* [ns] per box of step_init and find_neighbors, each at its fastest; pairs per box. */
static double time_both(gcd *g, const world *w, double took[2])
{
    pair_list list = {0};
    took[0] = took[1] = HUGE_VAL;
    make(g, w);
    for (uint32_t round = 0; round < 9; round++) {
        uint64_t pivots;
        open_pairs(&list, 0);
        const double t0 = now();
        if (g->ops->step_init(g->instance, &w->view, NULL, 0, &pivots) != SCREE_OK)
            exit(1);
        const double t1 = now();
        if (g->ops->find_neighbors(g->instance, 0, pivots, &list.sink) != SCREE_OK)
            exit(1);
        took[0] = fmin(took[0], 1e9 * (t1 - t0) / w->n);
        took[1] = fmin(took[1], 1e9 * (now() - t1) / w->n);
    }
    g->ops->destroy(g->instance);
    free(list.v);
    return (double)list.n / w->n;
}

static void must_set(gcd *g, const char *name, const char *value)
{
    char word[64];
    snprintf(word, sizeof word, "%s=%s", name, value);
    if (!set_word(g, word))
        bail_out("%s: no parameter takes %s", g->id, word);
}

/* Cells of lambda largest radii; lambda 0: as the plugin chooses. The number of tests is printed
 * if cells are wide enough to have the size that was asked for. */
static void vary_cells(gcd *g, world *w)
{
    static const load loads[] = {{3, 1, 0.05}, {3, 1, 0.1}, {3, 1, 0.2}, {3, 1, 0.4}, {3, 1, 0.6},
                                 {2, 1, 0.05}, {2, 1, 0.1}, {2, 1, 0.2}, {2, 1, 0.8}, {3, 4, 0.6}};
    static const double lambdas[] = {0, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 8};
    for (uint32_t l = 0; l < SCREE_COUNT(loads); l++) {
        const double volume = fill(w, &loads[l]);
        for (uint32_t k = 0; k < 2 * SCREE_COUNT(lambdas); k++) {
            const double lambda = lambdas[k / 2], cell = lambda * loads[l].ratio;
            const char *search = k & 1 ? "window" : "stencil";
            char value[32];
            double took[2];
            if (lambda == 1.5 && !(k & 1))
                continue;
            snprintf(value, sizeof value, "%.17g", cell * (1.0 + 1e-9));
            must_set(g, "cell", value);
            must_set(g, "search", search);
            const double pairs = time_both(g, w, took);
            char of[64];
            snprintf(of, sizeof of, "%uD %g %g %s", loads[l].dimension, loads[l].ratio,
                     loads[l].solid, search);
            printf("cells_init_ns\t%s\t%g\t%.6g\ncells_find_ns\t%s\t%g\t%.6g\n", of, lambda,
                   took[0], of, lambda, took[1]);
            if (!(k & 1) && pow(cell, loads[l].dimension) >= volume)
                printf("cells_tests\t%s\t%g\t%.6g\n", of, lambda, tests_of(w, cell));
            if (k == 0)
                printf("cells_pairs\t%s\t%g\t%.6g\n", of, lambda, pairs);
            fflush(stdout);
        }
    }
}

/* Pairs in 3 x 3 cells as wide as the largest disc, and pairs of boxes that overlap. */
static void look_at_squares(gcd *g, world *w)
{
    static const double ratios[] = {1, 2, 4, 32};
    for (uint32_t k = 0; k < SCREE_COUNT(ratios); k++) {
        double took[2];
        fill(w, &(load){2, ratios[k], 0.8});
        const double pairs = time_both(g, w, took);
        printf("square_accuracy\t%s\t%g\t%.6g\n", g->id, ratios[k],
               pairs / tests_of(w, 2.0 * ratios[k]));
    }
}

static double step(gcd *g, const world *w)
{
    uint64_t pivots;
    const double begin = now();
    if (g->ops->step_init(g->instance, &w->view, NULL, 0, &pivots) != SCREE_OK)
        exit(1);
    return now() - begin;
}

/* A tower of boxes that lie apart, upside down in every second step: a step in which they keep
 * their order, the one that reverses it, the one after. */
static void reverse(gcd *g, world *w, const char *of)
{
    static const char *const names[] = {"quiet", "reversal", "after"};
    for (uint32_t n = 500; n <= 4000; n *= 2) {
        double least[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
        resize_world(w, n, 2);
        for (uint32_t round = 0; round < 18; round++) {
            for (uint32_t i = 0; i < n; i++) {
                const double at = round / 3 % 2 == (round % 3 != 0) ? i : n - 1 - i;
                set_box(w, i, (double[3]){3.0 * at + 0.1 * (round % 3), 0.1 * (i % 7), 0.0},
                        (double[3]){1.0, 1.0, 1.0});
            }
            if (round == 0) {
                make(g, w);
                step(g, w);
            }
            const double took = step(g, w);
            least[round % 3] = fmin(least[round % 3], took);
        }
        g->ops->destroy(g->instance);
        for (uint32_t k = 0; k < 3; k++)
            printf("%s_s\t%s\t%u\t%.6g\n", names[k], of, n, least[k]);
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    gcd g;
    world w = {0};
    if (argc < 3) {
        fprintf(stderr, "usage: gcd_claims cells|squares|reversal PLUGIN.so [NAME=VALUE]...\n");
        return 2;
    }
    if (!load_gcd(&g, argv[2], argc - 3, argv + 3))
        return 1;
    if (strcmp(argv[1], "cells") == 0)
        vary_cells(&g, &w);
    else if (strcmp(argv[1], "squares") == 0)
        look_at_squares(&g, &w);
    else
        reverse(&g, &w, argc > 3 ? argv[3] : "-");
    free_nested();
    free_world(&w);
    return 0;
}
