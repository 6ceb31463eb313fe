/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts N keys whole by heap or insertion, and in P pieces by merge-splitting (O'Connor 1996, tables 7.1 and 7.2), with
 * the code of gcd/spatial_sort and gcd/dess (plugins/gcd/sorting).
 *
 * Each row has the CPU time of one lane that sorts the whole list, and the time that P lanes need: of each phase the
 * CPU time of its slowest piece, summed up. So it does not depend on how many CPUs this machine has or what else runs on
 * it; starting lanes and waiting for them costs nothing. `wall` is what one and two threads take here, only of P = 2; the
 * second thread is started for each phase.
 *
 * usage: sort_bench [MOST_KEYS [REPEATS]] */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "sorting.h"

enum { MOST_LANES = 64 };

typedef struct task {
    scree_range_fn fn;
    void *user;
    uint64_t begin, end, grain;
    uint32_t lane, lanes;
    int32_t status;
} task;

static struct {
    double lanes_s; /* CPU seconds of the slowest lane of each phase */
    int threads;    /* 1: two threads */
    uint32_t lanes;
} clocks;

static double now(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Each lanes-th piece, from the lane's own on. */
static void *work(void *data)
{
    task *t = data;
    for (uint64_t at = t->begin + t->lane * t->grain; at < t->end && t->status == SCREE_OK;
         at += t->lanes * t->grain)
        t->status = t->fn(t->user, at, at + t->grain < t->end ? at + t->grain : t->end, t->lane);
    return NULL;
}

static int32_t parallel_for(void *ctx, uint64_t begin, uint64_t end, uint64_t grain,
                            scree_range_fn fn, void *user)
{
    task tasks[MOST_LANES];
    double most = 0.0;
    int32_t status = SCREE_OK;
    pthread_t other;
    (void)ctx;
    for (uint32_t lane = 0; lane < clocks.lanes; lane++)
        tasks[lane] = (task){fn, user, begin, end, grain, lane, clocks.lanes, SCREE_OK};
    if (clocks.threads && clocks.lanes > 1 && !pthread_create(&other, NULL, work, &tasks[1])) {
        work(&tasks[0]);
        pthread_join(other, NULL);
        return tasks[0].status < tasks[1].status ? tasks[0].status : tasks[1].status;
    }
    for (uint32_t lane = 0; lane < clocks.lanes; lane++) {
        const double start = now(CLOCK_THREAD_CPUTIME_ID);
        work(&tasks[lane]);
        most = scree_max(most, now(CLOCK_THREAD_CPUTIME_ID) - start);
        status = status < tasks[lane].status ? status : tasks[lane].status;
    }
    clocks.lanes_s += most;
    return status;
}

static int32_t fail(void *ctx, int32_t code, const char *text)
{
    (void)ctx;
    fprintf(stderr, "sort_bench: %s\n", text);
    return code;
}

static void print_log(void *ctx, int32_t level, const char *text)
{
    (void)ctx;
    printf("# %d: %s\n", (int)level, text);
}

typedef struct keys {
    double *lo[3], *hi[3], *zero;
    scree_boxes boxes;
    uint64_t random;
} keys;

static double draw(keys *k)
{
    k->random = k->random * 6364136223846793005u + 1442695040888963407u;
    return scree_uniform(k->random);
}

static void set(keys *k, uint32_t n, int move)
{
    for (uint32_t i = 0; i < n; i++) {
        k->lo[0][i] = move ? k->lo[0][i] + 0.5 * draw(k) : n * draw(k);
        k->hi[0][i] = k->lo[0][i] + 1.0;
    }
    k->boxes = (scree_boxes){.size = sizeof k->boxes,
                             .dimension = 1,
                             .n = n,
                             .lo = {k->lo[0], k->zero, k->zero},
                             .hi = {k->hi[0], k->zero, k->zero},
                             .centre = {k->lo[0], k->zero, k->zero},
                             .radius = k->zero};
}

static uint64_t check_order(const sorting *s, uint64_t sum)
{
    for (uint32_t k = 1; k < s->n; k++)
        if (!end_before(s->list[0][k - 1], s->list[0][k])) {
            fprintf(stderr, "sort_bench: place %" PRIu32 " of %" PRIu32 " is out of order\n", k,
                    s->n);
            exit(1);
        }
    for (uint32_t k = 0; k < s->n; k++)
        sum = (sum ^ s->list[0][k].tag) * 1099511628211u;
    return sum;
}

/* Least seconds of the repeats; `wall`: elapsed. The keys of each repeat are the same for all ways. */
static double measure(uint32_t n, uint32_t lanes, int nearly, int threads, uint32_t repeats,
                      keys *k, uint64_t *sum)
{
    scree_host host = {.size = sizeof host,
                       .lanes = lanes,
                       .fail = fail,
                       .log = print_log,
                       .parallel_for = parallel_for};
    sorting s = {.host = &host, .heap = !nearly, .pieces = lanes};
    double least = HUGE_VAL;
    k->random = 4711;
    *sum = 0;
    for (uint32_t r = 0; r < repeats; r++) {
        clocks.lanes = lanes;
        clocks.threads = threads;
        set(k, n, 0);
        scree_sorting_clear(&s);
        if (nearly && scree_sorting_update(&s, &k->boxes) != SCREE_OK)
            exit(1);
        if (nearly)
            set(k, n, 1);
        clocks.lanes_s = 0.0;
        const double start = now(CLOCK_MONOTONIC);
        if (scree_sorting_update(&s, &k->boxes) != SCREE_OK)
            exit(1);
        const double wall = now(CLOCK_MONOTONIC) - start;
        least = scree_min(threads ? wall : clocks.lanes_s, least);
        *sum = check_order(&s, *sum);
    }
    scree_sorting_free(&s);
    return least;
}

int main(int argc, char **argv)
{
    static const uint32_t lanes[] = {2, 4, 8};
    const uint32_t most = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1u << 20;
    const uint32_t repeats = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 5;
    keys k = {.zero = calloc(most + 1u, sizeof(double)),
              .lo = {malloc((most + 1u) * sizeof(double))},
              .hi = {malloc((most + 1u) * sizeof(double))}};
    if (!k.zero || !k.lo[0] || !k.hi[0])
        return 1;
    printf("keys\tlists\tlanes\tone_s\tlanes_s\twall_one_s\twall_s\n");
    for (uint32_t n = 8; n <= most; n *= n < 1024 ? 8 : 4)
        for (int nearly = 0; nearly < 2; nearly++) {
            uint64_t sum, other;
            const uint32_t times = n < 10000 ? 20 * repeats : repeats;
            const double one = measure(n, 1, nearly, 0, times, &k, &sum);
            for (uint32_t p = 0; p < 3; p++) {
                double wall[2] = {0.0, 0.0};
                const double split = measure(n, lanes[p], nearly, 0, times, &k, &other);
                for (int two = lanes[p] == 2 ? 0 : 2; two < 2; two++)
                    wall[two] = measure(n, two ? 2 : 1, nearly, 1, times, &k, &other);
                if (other != sum) {
                    fprintf(stderr, "sort_bench: another order in %u pieces\n", lanes[p]);
                    return 1;
                }
                printf("%" PRIu32 "\t%s\t%" PRIu32 "\t%.3e\t%.3e\t%.3e\t%.3e\n", n,
                       nearly ? "nearly" : "random", lanes[p], one, split, wall[0], wall[1]);
                fflush(stdout);
            }
        }
    free(k.zero);
    free(k.lo[0]);
    free(k.hi[0]);
    return 0;
}
