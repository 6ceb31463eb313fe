/* SPDX-License-Identifier: Apache-2.0 */
/* Times find_objects of GCD plugins over the number of boxes and the number of boxes found, and
 * checks each answer against all boxes. Lines of: strategy, boxes, N, asked, found, given, ns per
 * query, ns per box of the first step_init. Time is the thread's own: others on the machine only
 * share its caches. */
#include "gcd_load.h"

#define MOST_QUERIES 32u
#define ROUND 5e-4 // [s] at least, for a round of the same queries

typedef struct load {
    const char *name;
    uint32_t dimension;
    double ratio, solid; // [-] largest radius by the smallest, 1; share of space
    int ordered;         // boxes are numbered along the lattice, else by lot
} load;

static const load loads[] = {{"2D", 2, 1, 0.7, 0},
                             {"3D", 3, 1, 0.5, 0},
                             {"3D 1:10", 3, 10, 0.5, 0},
                             {"2D in order", 2, 1, 0.7, 1},
                             {"3D in order", 3, 1, 0.5, 1}};

/* Some regions, and the boxes that overlap each of them. */
typedef struct questions {
    uint32_t n;
    double asked, found; // boxes per region: the aim, the mean
    scree_zone region[MOST_QUERIES];
    uint32_t *answer[MOST_QUERIES];
    uint64_t count[MOST_QUERIES];
} questions;

static double cpu_time(void) // [s]
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Equal boxes on a jittered lattice, else of equal volume per logarithmic class of size, anywhere.
 * Returns the side of the whole [largest radii of equal
 * boxes]. */
static double fill(world *w, const load *l, uint32_t n)
{
    const uint32_t d = l->dimension, side = (uint32_t)ceil(pow(n, 1.0 / d) - 1e-9);
    uint32_t *slot = must(malloc(n * sizeof *slot));
    double *r = must(malloc(n * sizeof *r)), volume = 0.0;
    uint64_t state = 17;
    resize_world(w, n, d);
    for (uint32_t i = 0; i < n; i++) {
        const double u = 1.0 - uniform(&state) * (1.0 - pow(l->ratio, -(double)d));
        r[i] = l->ratio > 1.0 ? pow(u, -1.0 / d) : 1.0;
        volume += (d == 2 ? 1.0 : 4.0 / 3.0) * 3.14159265358979 * pow(r[i], d) / l->solid / n;
        slot[i] = i;
    }
    for (uint32_t i = l->ordered ? 0 : n - 1; i > 0; i--) {
        const uint32_t j = (uint32_t)(uniform(&state) * (i + 1)), t = slot[i];
        slot[i] = slot[j];
        slot[j] = t;
    }
    const double step = pow(volume, 1.0 / d);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at[3] = {i % side, i / side % side, i / side / side};
        double x[3];
        for (uint32_t k = 0; k < 3; k++)
            x[k] = l->ratio > 1.0 ? step * pow(n, 1.0 / d) * uniform(&state)
                                  : step * (at[k] + 0.5 * uniform(&state));
        set_box(w, slot[i], x, (double[3]){r[i], r[i], r[i]});
    }
    free(slot);
    free(r);
    return step * pow(n, 1.0 / d);
}

/* The plain loop over all boxes; their numbers at `out`. */
static uint64_t look_at_all(const world *w, const scree_zone *q, uint32_t *out)
{
    uint64_t found = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        int hit = 1;
        for (uint32_t k = 0; k < 3; k++)
            hit &= (w->lo[k][i] <= q->hi[k]) & (q->lo[k] <= w->hi[k][i]);
        out[found] = i;
        found += (uint64_t)hit;
    }
    return found;
}

/* Side of a region that so many boxes overlap, on average; 0 when a point has more. */
static double side_for(const world *w, double whole, double asked)
{
    const uint32_t sample = w->n < 1000 ? w->n : 1000, d = w->dimension;
    double low = 0.0, high = whole;
    for (uint32_t round = 0; round < 60; round++) {
        const double mid = 0.5 * (low + high);
        double sum = 0.0;
        for (uint32_t i = 0; i < sample; i++)
            sum += pow((mid + 2.0 * w->radius[i]) / whole, d) * w->n / sample;
        *(sum < asked ? &low : &high) = mid;
    }
    return low;
}

/* Regions within the whole; asked 0: points in the gaps. */
static void ask(questions *q, const world *w, double whole, double asked)
{
    const double side = asked > 1.0 ? side_for(w, whole, asked) : 0.0;
    const uint64_t most = asked > 0.0 ? w->n : 0;
    uint64_t state = 4711, sum = 0;
    uint32_t *room = must(malloc(((size_t)w->n + 1) * sizeof *room));
    q->asked = asked;
    q->n = asked >= 1e4 ? 4 : w->n > 50000 ? MOST_QUERIES / 4 : MOST_QUERIES;
    for (uint32_t k = 0; k < q->n; k++) {
        scree_zone *r = &q->region[k];
        *r = (scree_zone){.size = sizeof *r, .type = SCREE_ZONE_BOX};
        do {
            for (uint32_t axis = 0; axis < w->dimension; axis++) {
                r->lo[axis] = (whole - side) * uniform(&state);
                r->hi[axis] = r->lo[axis] + side;
            }
            q->count[k] = look_at_all(w, r, room);
        } while (q->count[k] > most);
        q->answer[k] = must(malloc((q->count[k] + 1) * sizeof *room));
        memcpy(q->answer[k], room, q->count[k] * sizeof *room);
        sum += q->count[k];
    }
    q->found = (double)sum / q->n;
    free(room);
}

static void free_answers(questions *q)
{
    for (uint32_t k = 0; k < q->n; k++)
        free(q->answer[k]);
}

static void query(const gcd *g, const questions *q, uint32_t k, index_list *list)
{
    open_indices(list);
    if (g->ops->find_objects(g->instance, &q->region[k], &list->sink) != SCREE_OK)
        exit(1);
}

/* Each box of the answer is given, and no box twice; further ones may be. The mean number. */
static double check(const gcd *g, const world *w, const questions *q, index_list *list)
{
    uint8_t *seen = must(calloc(w->n, 1));
    uint64_t given = 0;
    for (uint32_t k = 0; k < q->n; k++) {
        uint64_t wrong = 0;
        query(g, q, k, list);
        for (uint64_t i = 0; i < list->n; i++)
            wrong += list->v[i] >= w->n || seen[list->v[i]]++;
        for (uint64_t i = 0; i < q->count[k]; i++)
            wrong += !seen[q->answer[k][i]];
        if (wrong)
            bail_out("%s: %lu of %lu boxes are given twice or missing, region %u of %u, %u "
                     "boxes",
                     g->id, (unsigned long)wrong, (unsigned long)q->count[k], k, q->n, w->n);
        for (uint64_t i = 0; i < list->n; i++)
            seen[list->v[i]] = 0;
        given += list->n;
    }
    free(seen);
    return (double)given / q->n;
}

/* [s] of all queries, `times` times. */
static double time_round(const gcd *g, const world *w, const questions *q, index_list *list,
                         uint32_t times)
{
    const double begin = cpu_time();
    for (uint32_t t = 0; t < times; t++)
        for (uint32_t k = 0; k < q->n; k++)
            if (g)
                query(g, q, k, list);
            else
                list->n = look_at_all(w, &q->region[k], list->v);
    return cpu_time() - begin;
}

static double time_query(const gcd *g, const world *w, const questions *q, index_list *list)
{
    const double once = time_round(g, w, q, list, 1);
    const uint32_t times = once < ROUND ? (uint32_t)(ROUND / (once + 1e-9)) + 1 : 1;
    double least = HUGE_VAL;
    for (uint32_t round = 0; round < 3; round++)
        least = fmin(least, time_round(g, w, q, list, times) / times);
    return least / q->n;
}

/* A plugin, or "brute", with all questions about one world. */
static void measure(const char *file, const char *name, const world *w, const questions *q,
                    uint32_t n)
{
    gcd g;
    index_list list = {0};
    const int brute = strcmp(file, "brute") == 0;
    uint64_t pivots;
    double init = 0.0;
    if (!scree_grow(&list.v, &list.capacity, (uint64_t)w->n + 1, sizeof *list.v))
        exit(1);
    if (!brute) {
        if (!load_gcd(&g, file, 0, NULL) ||
            g.ops->create(&fake_host, g.config, &g.instance) != SCREE_OK ||
            g.ops->init(g.instance, &w->view, 0) != SCREE_OK)
            exit(1);
        const double begin = cpu_time();
        if (g.ops->step_init(g.instance, &w->view, NULL, 0, &pivots) != SCREE_OK)
            exit(1);
        init = cpu_time() - begin;
    }
    for (uint32_t k = 0; k < n; k++) {
        const double given = brute ? q[k].found : check(&g, w, &q[k], &list);
        printf("%s\t%s\t%u\t%g\t%.6g\t%.6g\t%.6g\t%.6g\n", brute ? "brute" : g.id, name, w->n,
               q[k].asked, q[k].found, given, 1e9 * time_query(brute ? NULL : &g, w, &q[k], &list),
               1e9 * init / w->n);
    }
    fflush(stdout);
    if (!brute)
        g.ops->destroy(g.instance);
    free_nested();
    free(list.v);
}

int main(int argc, char **argv)
{
    world w = {0};
    const uint32_t most = argc > 3 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
    const int ordered = argc > 1 && strcmp(argv[1], "ordered") == 0;
    if (most < 1000 || (!ordered && strcmp(argv[1], "shuffled") != 0)) {
        fprintf(stderr, "usage: gcd_queries shuffled|ordered BOXES (PLUGIN.so | brute)...\n");
        return 2;
    }
    for (uint32_t l = 0; l < SCREE_COUNT(loads); l++) {
        if (loads[l].ordered != ordered)
            continue;
        for (uint32_t n = 1000; n <= most; n *= 10) {
            const double whole = fill(&w, &loads[l], n);
            questions q[12];
            uint32_t n_q = 0;
            ask(&q[n_q++], &w, whole, 0.0);
            for (double asked = 1.0; asked <= 0.1 * n; asked *= 10.0)
                ask(&q[n_q++], &w, whole, asked);
            ask(&q[n_q++], &w, whole, 0.5 * n);
            for (int k = 3; k < argc; k++)
                measure(argv[k], loads[l].name, &w, q, n_q);
            for (uint32_t k = 0; k < n_q; k++)
                free_answers(&q[k]);
        }
    }
    free_world(&w);
    return 0;
}
