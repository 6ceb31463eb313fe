/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conformance of a GCD plugin file: usage gcd_conformance PLUGIN.so [NAME=VALUE]...
 * Everything that gcd.h requires, against brute force, on hard boxes: each pair exactly once, for
 * the whole, for pivots split at random and on several threads; with and without SCREE_GCD_SPHERES;
 * regions; lists of moved boxes. Controls show that each check can fail.
 */
#include "gcd_cases.h"
#include "gcd_sinner.h"

/* ---- what is required ---- */

static int spheres_meet(const scree_boxes *b, uint32_t i, uint32_t j)
{
    double d2 = 0.0, reach = b->radius[i] + b->radius[j];
    for (uint32_t k = 0; k < 3; k++) {
        double d = b->centre[k][i] - b->centre[k][j];
        d2 += d * d;
    }
    return d2 <= reach * reach;
}

static int required(const scree_boxes *b, uint32_t i, uint32_t j, uint32_t flags)
{
    return scree_boxes_overlap(b, i, j) && (!(flags & SCREE_GCD_SPHERES) || spheres_meet(b, i, j));
}

/* ---- runs of a plugin; every function below returns NULL or what is wrong ---- */

typedef struct bench {
    gcd *g;
    world w;
    uint32_t flags;
    pair_list pairs, part[LANES];
    index_list found;
    unsigned char *seen; // [n n]
    char why[256];
} bench;

typedef struct lane_work {
    bench *b;
    pair_list *list;
    uint64_t first, last;
    uint32_t step;
    int32_t status;
} lane_work;

static const char *check_pairs(bench *t, const unsigned char *moved)
{
    const scree_boxes *b = &t->w.view;
    const uint64_t n = b->n;
    memset(t->seen, 0, n * n);
    for (uint64_t p = 0; p < t->pairs.n; p++) {
        scree_pair v = t->pairs.v[p];
        const char *sin = v.a >= n || v.b >= n ? "a number out of range" : NULL;
        if (!sin && v.a == v.b)
            sin = "a box with itself";
        if (!sin && (scree_box_empty(b, v.a) || scree_box_empty(b, v.b)))
            sin = "an empty slot";
        if (!sin && moved && !moved[v.a] && !moved[v.b])
            sin = "a pair that did not move";
        if (!sin && t->seen[v.a < v.b ? v.a * n + v.b : v.b * n + v.a]++)
            sin = "a pair twice";
        if (sin) {
            snprintf(t->why, sizeof t->why, "emitted %s: (%u, %u)", sin, v.a, v.b);
            return t->why;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = i + 1; j < n; j++) {
            int due = !moved || moved[i] || moved[j];
            if (due && !t->seen[i * n + j] && required(b, i, j, t->flags)) {
                snprintf(t->why, sizeof t->why, "missed the pair (%u, %u)", i, j);
                return t->why;
            }
        }
    }
    return NULL;
}

/* The whole has left 1 in `seen` for its pairs; each is met once more here, and nothing else. */
static const char *same_pairs(bench *t, const pair_list *other, unsigned char mark, const char *how)
{
    const uint64_t n = t->w.n;
    for (uint64_t p = 0; p < other->n; p++) {
        scree_pair v = other->v[p];
        uint64_t key = v.a < v.b ? v.a * n + v.b : v.b * n + v.a;
        if (v.a >= n || v.b >= n || t->seen[key] != mark) {
            snprintf(t->why, sizeof t->why, "%s: (%u, %u) twice or not in the whole", how, v.a,
                     v.b);
            return t->why;
        }
        t->seen[key]++;
    }
    if (other->n == t->pairs.n)
        return NULL;
    snprintf(t->why, sizeof t->why, "%s: %llu pairs, the whole has %llu", how,
             (unsigned long long)other->n, (unsigned long long)t->pairs.n);
    return t->why;
}

static const char *check_split(bench *t, uint64_t pivots)
{
    open_pairs(&t->part[0], 0);
    for (uint64_t first = 0; first < pivots;) {
        uint64_t most = pivots - first < 50 ? pivots - first : 50;
        uint64_t last = first + below((uint32_t)most + 1);
        int32_t status = t->g->ops->find_neighbors(t->g->instance, first, last, &t->part[0].sink);
        if (status != SCREE_OK)
            return "find_neighbors failed on a part";
        first = last;
    }
    return same_pairs(t, &t->part[0], 1, "a random split");
}

static void *run_lane(void *user)
{
    lane_work *l = user;
    const gcd *g = l->b->g;
    for (uint64_t p = l->first; p < l->last && l->status == SCREE_OK; p += l->step) {
        uint64_t end = p + l->step < l->last ? p + l->step : l->last;
        l->status = g->ops->find_neighbors(g->instance, p, end, &l->list->sink);
    }
    return NULL;
}

static const char *check_threads(bench *t, uint64_t pivots)
{
    const uint32_t lanes = t->g->flags & SCREE_SERIAL ? 1 : 2 + below(LANES - 1);
    pthread_t thread[LANES];
    lane_work work[LANES];
    int started[LANES] = {0}, status = SCREE_OK;
    for (uint32_t l = 0; l < lanes; l++) {
        open_pairs(&t->part[l], l);
        work[l] = (lane_work){.b = t,
                              .list = &t->part[l],
                              .first = pivots * l / lanes,
                              .last = pivots * (l + 1) / lanes,
                              .step = 1 + below(40)};
        started[l] = pthread_create(&thread[l], NULL, run_lane, &work[l]) == 0;
    }
    for (uint32_t l = 0; l < lanes; l++) {
        if (!started[l] || pthread_join(thread[l], NULL) != 0)
            return "a thread could not be run";
        status |= work[l].status;
    }
    for (uint32_t l = 1; l < lanes; l++) {
        scree_pair *room;
        if (reserve_pairs(&t->part[0].sink, t->part[l].n, &room) != SCREE_OK)
            return "out of memory";
        if (t->part[l].n)
            memcpy(room, t->part[l].v, t->part[l].n * sizeof *room);
        commit_pairs(&t->part[0].sink, t->part[l].n);
    }
    return status ? "find_neighbors failed on a thread" : same_pairs(t, &t->part[0], 2, "threads");
}

/* A region about as large as what lies around box i, or far larger, or a point. */
static scree_region draw_region(const scree_boxes *b)
{
    scree_region r = {.size = sizeof r, .type = 1 + below(2)};
    uint32_t i = b->n ? below(b->n) : 0;
    double at[3] = {0, 0, 0}, scale = 1.0;
    if (b->n && !scree_box_empty(b, i)) {
        scale = b->radius[i] * exp(uniform(-3.0, 6.0)) * (below(8) != 0);
        for (uint32_t k = 0; k < b->dimension; k++)
            at[k] = below(4) ? uniform(b->lo[k][i], b->hi[k][i]) : b->lo[k][i];
    }
    for (uint32_t k = 0; k < 3; k++) {
        r.centre[k] = at[k];
        r.lo[k] = k < b->dimension ? at[k] - scale * uniform(0.0, 1.0) : -1.0;
        r.hi[k] = k < b->dimension ? at[k] + scale * uniform(0.0, 1.0) : 1.0;
    }
    r.radius = scale;
    return r;
}

static const char *check_region(bench *t)
{
    const scree_boxes *b = &t->w.view;
    const scree_region region = draw_region(b);
    open_indices(&t->found);
    if (t->g->ops->find_objects(t->g->instance, &region, &t->found.sink) != SCREE_OK)
        return "find_objects failed";
    memset(t->seen, 0, b->n);
    for (uint64_t f = 0; f < t->found.n; f++) {
        uint32_t i = t->found.v[f];
        if (i >= b->n || scree_box_empty(b, i) || t->seen[i]++) {
            snprintf(t->why, sizeof t->why, "find_objects: box %u twice, empty or no box", i);
            return t->why;
        }
    }
    for (uint32_t i = 0; i < b->n; i++) {
        if (!t->seen[i] && region_meets(&region, b, i)) {
            snprintf(t->why, sizeof t->why, "find_objects missed box %u (region type %u)", i,
                     region.type);
            return t->why;
        }
    }
    return NULL;
}

/* All checks on the boxes as they are. */
static const char *check_all(bench *t)
{
    uint64_t pivots = 0;
    const char *why;
    if (t->g->ops->step_init(t->g->instance, &t->w.view, NULL, 0, &pivots) != SCREE_OK)
        return "step_init failed";
    open_pairs(&t->pairs, 0);
    if (t->g->ops->find_neighbors(t->g->instance, 0, pivots, &t->pairs.sink) != SCREE_OK)
        return "find_neighbors failed";
    why = check_pairs(t, NULL);
    if (!why)
        why = check_split(t, pivots);
    if (!why)
        why = check_threads(t, pivots);
    for (uint32_t k = 0; k < 8 && !why; k++)
        why = check_region(t);
    return why;
}

/* With a list of moved boxes: only their pairs; with none moved: nothing. */
static const char *check_moved(bench *t)
{
    const uint32_t n = t->w.n, share = below(4);
    unsigned char *moved = must(calloc(n + 1, 1));
    uint32_t *list = must(calloc(n + 1, sizeof *list)), n_moved = 0;
    uint64_t pivots = 0;
    const char *why = NULL;
    for (uint32_t i = 0; i < n; i++) {
        if (share == 0 || below(share * share * 4) != 0)
            continue;
        double x[3], h[3], half = exp(uniform(-4.0, 0.0));
        for (uint32_t k = 0; k < 3; k++) {
            x[k] = uniform(0.0, 10.0);
            h[k] = half;
        }
        moved[i] = 1;
        list[n_moved++] = i;
        set_box(&t->w, i, x, h);
        if (below(5) == 0)
            empty_slot(&t->w, i);
    }
    open_pairs(&t->pairs, 0);
    if (t->g->ops->step_init(t->g->instance, &t->w.view, list, n_moved, &pivots) != SCREE_OK)
        why = "step_init failed";
    else if (t->g->ops->find_neighbors(t->g->instance, 0, pivots, &t->pairs.sink) != SCREE_OK)
        why = "find_neighbors failed";
    else
        why = check_pairs(t, moved);
    free(moved);
    free(list);
    return why;
}

/* ---- running cases ---- */

/* The same boxes again need no more memory. */
static const char *check_memory(bench *t)
{
    uint64_t before = 0, pivots;
    if (!t->g->ops->bytes)
        return NULL;
    for (uint32_t round = 0; round < 3; round++) {
        uint64_t now = t->g->ops->bytes(t->g->instance);
        if (round && now != before)
            return "memory grows while the boxes stay";
        before = now;
        if (t->g->ops->step_init(t->g->instance, &t->w.view, NULL, 0, &pivots) != SCREE_OK)
            return "step_init failed";
    }
    return NULL;
}

static const char *run_case(bench *t, const test_case *c, uint32_t dimension, uint32_t flags)
{
    const char *why = NULL;
    t->flags = flags;
    for (uint32_t step = 0; step < c->steps && !why; step++) {
        c->fill(&t->w, dimension, step);
        if (step == 0 && t->g->ops->init(t->g->instance, &t->w.view, flags) != SCREE_OK)
            return "init failed";
        why = check_all(t);
    }
    return why ? why : check_memory(t);
}

static const char *run_moved(bench *t, uint32_t dimension)
{
    const char *why = NULL;
    t->flags = 0;
    gas(&t->w, dimension, 1);
    if (t->g->ops->init(t->g->instance, &t->w.view, 0) != SCREE_OK)
        return "init failed";
    why = check_all(t);
    for (uint32_t step = 0; step < 40 && !why; step++)
        why = check_moved(t);
    return why;
}

static uint32_t n_tests, n_failed;

static void report(int good, const char *id, const char *name, const char *note, uint64_t seed,
                   const char *why)
{
    n_failed += !good;
    printf("%sok %u - %s/%s%s\n", good ? "" : "not ", ++n_tests, id, name, note);
    if (why)
        printf("# %s (seed %llu)\n", why, (unsigned long long)seed);
    fflush(stdout);
}

static void run_all(bench *t, uint64_t seed)
{
    for (uint32_t k = 0; k < 4 * SCREE_COUNT(cases); k++) {
        const test_case *c = &cases[k / 4];
        const uint32_t dimension = 2 + (k & 1), flags = k & 2 ? SCREE_GCD_SPHERES : 0;
        char note[32];
        random_state = seed + 1000000000u * k;
        const char *why = run_case(t, c, dimension, flags);
        snprintf(note, sizeof note, "-%ud%s", dimension, flags ? "-spheres" : "");
        report(!why, t->g->id, c->name, note, seed, why);
    }
    for (uint32_t d = 2; d <= 3 && (t->g->flags & SCREE_INCREMENTAL); d++) {
        const char *why = run_moved(t, d);
        report(!why, t->g->id, "lists-of-moved-boxes", d == 2 ? "-2d" : "-3d", seed, why);
    }
}

/* ---- controls ---- */

static void run_controls(bench *t, uint64_t seed)
{
    static const char *const names[] = {
        "brute-force-passes",          "a-dropped-touching-pair-is-reported",
        "a-pair-twice-is-reported",    "a-box-with-itself-is-reported",
        "an-empty-slot-is-reported",   "a-pair-in-two-pivots-is-reported",
        "an-unmoved-pair-is-reported", "a-box-lost-from-a-region-is-reported"};
    static const scree_gcd_ops ops = {.size = sizeof ops,
                                      .init = sinner_init,
                                      .step_init = sinner_step,
                                      .find_neighbors = sinner_find,
                                      .find_objects = sinner_objects};
    const test_case ties = {"lattice", lattice, 1}, holes = {"empty-slots", empty_slots, 1};
    sinner *s = must(calloc(1, sizeof *s));
    gcd g = {.ops = &ops, .instance = s, .flags = SCREE_INCREMENTAL, .id = "control"},
        *tested = t->g;
    t->g = &g;
    for (uint32_t sin = NO_SIN; sin <= LOSE_REGION; sin++) {
        random_state = seed;
        s->sin = (enum sin)sin;
        const char *why = run_case(t, sin == EMPTY_SLOT ? &holes : &ties, 3, 0);
        if (!why)
            why = run_moved(t, 3);
        report((why != NULL) == (sin != NO_SIN), g.id, names[sin], "", seed, why);
    }
    t->g = tested;
    free(s);
}

int main(int argc, char **argv)
{
    gcd g;
    bench t = {.g = &g, .seen = must(calloc(MAX_BOXES, MAX_BOXES))};
    const char *text = getenv("SCREE_SEED");
    const uint64_t seed = text ? strtoull(text, NULL, 10) : 20260;
    if (argc < 2) {
        fprintf(stderr, "usage: gcd_conformance PLUGIN.so [NAME=VALUE]...\n");
        return 2;
    }
    if (!load_gcd(&g, argv[1], argc - 2, argv + 2) ||
        g.ops->create(&fake_host, g.config, &g.instance) != SCREE_OK)
        return 1;
    printf("# %s, seed %llu (SCREE_SEED sets another)\n", argv[1], (unsigned long long)seed);
    run_all(&t, seed);
    run_controls(&t, seed);
    g.ops->destroy(NULL);
    g.ops->destroy(g.instance);
    printf("1..%u\n", n_tests);
    free(t.seen);
    free(t.pairs.v);
    free(t.found.v);
    for (uint32_t l = 0; l < LANES; l++)
        free(t.part[l].v);
    free_world(&t.w);
    return n_failed != 0;
}
