/* SPDX-License-Identifier: Apache-2.0 */
/* The pairs that gcd/bvh keeps from step to step, against all pairs, where boxes move little, jump,
 * come and go.
 * usage: gcd_bvh PLUGIN.so [PLUGIN.x86-64-v3.so] */
#include "../bench/gcd_load.h"

#define N 500u
#define STEPS 400u

/* Kinds of steps: changes of the boxes. */
enum { CREEP, JUMP, CREEP_SOME, CREEP_MANY, JUMP_SOME, REST, COME_AND_GO, KINDS, CREEP_FEW };

typedef struct trial {
    gcd g;
    world w;
    pair_list list;
    uint32_t moved[N], n_moved;
    uint8_t has_moved[N], gone[N];
    uint64_t state, pivots;
    scree_host host;
} trial;

/* Number of lists that were made: one for each search by list, one for each of all fat leaves. */
static uint32_t n_lists;

static int32_t count_lists(void *ctx, uint64_t begin, uint64_t end, uint64_t grain,
                           scree_range_fn fn, void *user)
{
    n_lists++;
    return fake_parallel_for(ctx, begin, end, grain, fn, user);
}

static uint32_t draw(trial *t, uint32_t n)
{
    return (uint32_t)(uniform(&t->state) * n);
}

/* A ball of radius 1, or the last box, which is around all others. */
static void place(trial *t, uint32_t i, double side)
{
    const int around = i == N - 1;
    const double h = around ? side : 1.0 - 0.5 * (i % 7 == 0);
    double x[3];
    for (uint32_t k = 0; k < 3; k++)
        x[k] = around ? 0.5 * side : side * uniform(&t->state);
    set_box(&t->w, i, x, (double[3]){h, h, h});
    t->gone[i] = 0;
}

static void shift(trial *t, uint32_t i, double by)
{
    for (uint32_t k = 0; k < t->w.dimension && !t->gone[i]; k++) {
        const double d = by * (2.0 * uniform(&t->state) - 1.0);
        t->w.lo[k][i] += d;
        t->w.hi[k][i] += d;
        t->w.centre[k][i] += d;
    }
}

/* Changes the boxes; false: no list of moved ones. */
static int change(trial *t, int kind, double side)
{
    const uint32_t each = kind == CREEP_MANY  ? 2
                          : kind == JUMP_SOME ? 20
                          : kind == CREEP_FEW ? 120
                                              : 60,
                   first = draw(t, each), n = t->w.view.n;
    t->n_moved = 0;
    memset(t->has_moved, 0, sizeof t->has_moved);
    if (kind == CREEP || kind == JUMP) {
        for (uint32_t i = 0; i < n; i++)
            shift(t, i, kind == CREEP ? 0.05 : 2.0);
        return 0;
    }
    for (uint32_t i = kind == REST ? n : first; i < n; i += each) {
        t->moved[t->n_moved++] = i;
        t->has_moved[i] = 1;
        if (kind == COME_AND_GO && t->gone[i]) {
            place(t, i, side);
        } else if (kind == COME_AND_GO) {
            empty_slot(&t->w, i);
            t->gone[i] = 1;
        } else {
            shift(t, i, kind == JUMP_SOME ? 3.0 : 0.05);
        }
    }
    return 1;
}

/* 1: the search gave each pair that overlaps, one of the two moved, exactly once. */
static int search(trial *t, int listed)
{
    static uint8_t seen[N][N];
    const uint32_t n = t->w.view.n;
    uint64_t wrong = 0;
    open_pairs(&t->list, 0);
    if (t->g.ops->step_init(t->g.instance, &t->w.view, listed ? t->moved : NULL, t->n_moved,
                            &t->pivots) != SCREE_OK)
        bail_out("step_init");
    for (uint64_t first = 0; first < t->pivots; first += 3) // by pieces
        if (t->g.ops->find_neighbors(t->g.instance, first,
                                     first + 3 < t->pivots ? first + 3 : t->pivots,
                                     &t->list.sink) != SCREE_OK)
            bail_out("find_neighbors");
    memset(seen, 0, sizeof seen);
    for (uint64_t k = 0; k < t->list.n; k++) {
        const uint32_t a = t->list.v[k].a, b = t->list.v[k].b;
        seen[a < b ? a : b][a < b ? b : a]++;
    }
    for (uint32_t i = 0; i < N; i++)
        for (uint32_t j = i + 1; j < N; j++) {
            const int due = j < n && !t->gone[i] && !t->gone[j] &&
                            (!listed || t->has_moved[i] || t->has_moved[j]) &&
                            scree_boxes_overlap(&t->w.view, i, j);
            wrong += seen[i][j] != due;
        }
    return wrong == 0;
}

static void begin(trial *t, const char *file, uint32_t dimension, double side, uint64_t seed)
{
    memset(t, 0, sizeof *t);
    t->state = seed;
    t->host = fake_host;
    t->host.parallel_for = count_lists;
    if (!load_gcd(&t->g, file, 0, NULL) ||
        t->g.ops->create(&t->host, t->g.config, &t->g.instance) != SCREE_OK)
        bail_out("%s cannot be made", file);
    resize_world(&t->w, N, dimension);
    for (uint32_t i = 0; i < N; i++)
        place(t, i, side);
    t->g.ops->init(t->g.instance, &t->w.view, 0);
}

static void end(trial *t)
{
    t->g.ops->destroy(t->g.instance);
    free_world(&t->w);
    free(t->list.v);
}

/* A kind of step lasts for some steps. */
static void test_walk(const char *file, uint32_t dimension, double side)
{
    static trial t;
    uint32_t right = 0, kind = CREEP;
    const uint64_t seed = 100 * dimension + (uint64_t)side;
    begin(&t, file, dimension, side, seed);
    for (uint32_t s = 0; s < STEPS; s++) {
        const int listed = s > 0 && change(&t, (int)kind, side);
        right += (uint32_t)search(&t, listed);
        if (draw(&t, 8) == 0)
            kind = draw(&t, KINDS);
    }
    claim(right == STEPS,
          "%u dimensions, side %g, seed %llu: the pairs of %u of %u steps are right", dimension,
          side, (unsigned long long)seed, right, STEPS);
    end(&t);
}

/* Changes the number of boxes by up to 20 after a step's change; new ones are listed as moved. */
static void renumber(trial *t, double side)
{
    const uint32_t before = t->w.view.n, by = draw(t, 21);
    t->w.view.n = draw(t, 2) ? (before + by < N ? before + by : N)
                             : (before - by > N / 2 ? before - by : N / 2);
    while (t->n_moved && t->moved[t->n_moved - 1] >= t->w.view.n)
        t->n_moved--;
    for (uint32_t i = before; i < t->w.view.n; i++) {
        place(t, i, side);
        t->moved[t->n_moved++] = i;
        t->has_moved[i] = 1;
    }
}

/* Each fourth step moves all boxes: pieces of kept pairs are few pivots, runs of boxes are many. */
static void test_numbers(const char *file)
{
    static trial t;
    uint32_t right = 0, kept = 0, changes = 0;
    begin(&t, file, 3, 14.0, 11);
    for (uint32_t s = 0; s < STEPS; s++) {
        const int listed = s % 100 > 0 && change(&t, s % 4 ? CREEP_SOME : CREEP, 14.0);
        const uint32_t before = t.w.view.n;
        if (s % 8 == 7)
            renumber(&t, 14.0);
        if (s % 100 == 0)
            t.g.ops->init(t.g.instance, &t.w.view, 0);
        right += (uint32_t)search(&t, listed);
        kept += !listed && t.pivots < N / 20;
        changes += kept && t.w.view.n != before;
    }
    claim(right == STEPS && kept > STEPS / 8 && changes > STEPS / 20,
          "%u of %u steps are right while the number of boxes changes and the GCD begins again; "
          "pairs are kept in %u of %u steps that move all, and after the first the number changes "
          "%u times",
          right, STEPS, kept, STEPS / 4, changes);
    end(&t);
}

/* A crowd whose tree is built again in each third step. */
static void test_crowd(const char *file)
{
    static trial t;
    const uint32_t steps = 60;
    uint32_t right = 0;
    begin(&t, file, 3, 2.0, 13);
    n_lists = 0;
    for (uint32_t s = 0; s < steps; s++) {
        const uint32_t n_placed = s % 3 ? 0 : N;
        for (uint32_t i = 0; i < n_placed; i++)
            place(&t, i, 2.0);
        right += (uint32_t)search(&t, s % 3 && change(&t, CREEP, 2.0));
    }
    claim(right == steps && n_lists > steps && n_lists < steps + 10,
          "the pairs of a crowd are counted again %u times in %u steps", n_lists - steps, steps);
    end(&t);
}

/* Kept pairs need memory, so bytes() shows whether there are any. */
static uint64_t bytes_after(const char *file, int kind, double side, uint32_t steps)
{
    static trial t;
    begin(&t, file, 3, side, 7);
    for (uint32_t s = 0; s < steps; s++)
        search(&t, s > 0 && change(&t, kind, side));
    const uint64_t bytes = t.g.ops->bytes(t.g.instance);
    end(&t);
    return bytes;
}

int main(int argc, char **argv)
{
    for (int k = 1; k < argc; k++) {
        test_walk(argv[k], 3, 14.0);
        test_walk(argv[k], 2, 40.0);
        test_walk(argv[k], 3, 4.0); // so many pairs that none are kept
        test_numbers(argv[k]);
        test_crowd(argv[k]);
        const uint64_t jumps = bytes_after(argv[k], JUMP, 14.0, 12),
                       crowd = bytes_after(argv[k], CREEP, 2.0, 12);
        claim(bytes_after(argv[k], CREEP, 14.0, 12) > jumps + N * 8,
              "pairs are kept where boxes move little");
        claim(bytes_after(argv[k], CREEP_SOME, 14.0, 12) == jumps &&
                  bytes_after(argv[k], CREEP_SOME, 14.0, 200) > jumps + N * 8,
              "where one of 60 moves, only after many steps");
        claim(bytes_after(argv[k], CREEP_FEW, 14.0, STEPS) == jumps,
              "and never where one of 120 moves and asks the tree");
        claim(crowd < jumps + (32 * N + 3 * 4096) * 8 * 3 / 2, "at most 32 a box");
    }
    return tap_end();
}
