/* SPDX-License-Identifier: Apache-2.0 */
/* The thread pool: chunks, failures, nesting, fork. */
#include "../../test.h"
#include "base/clock.h"
#include "base/pool.h"

#include <glib.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BEGIN = 7, END = 1000, GRAIN = 13, MOST_LANES = 5 };

typedef struct log {
    uint64_t grain, end_of[END]; /* by chunk */
    atomic_uint times[END];      /* by element */
    atomic_uint chunks, bad_lanes;
    scree_pool *pool;
} log;

static int32_t note(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    log *to = user;
    atomic_fetch_add(&to->chunks, 1);
    atomic_fetch_add(&to->bad_lanes, lane >= scree_pool_lanes(to->pool));
    to->end_of[(begin - BEGIN) / to->grain] = end;
    for (uint64_t i = begin; i < end; i++)
        atomic_fetch_add(&to->times[i], 1);
    return SCREE_OK;
}

static log *run(uint32_t lanes, uint64_t grain)
{
    log *to = g_new0(log, 1);
    to->grain = MAX(grain, 1);
    to->pool = scree_pool_new(lanes);
    g_assert_cmpint(scree_pool_for(to->pool, BEGIN, END, grain, note, to), ==, SCREE_OK);
    g_assert_cmpuint(atomic_load(&to->bad_lanes), ==, 0);
    scree_pool_free(to->pool);
    return to;
}

TEST("/pool/chunk-edges-depend-on-the-arguments-only")
{
    for (uint32_t lanes = 1; lanes <= MOST_LANES; lanes++) {
        g_autofree log *to = run(lanes, GRAIN);
        uint64_t n = (END - BEGIN + GRAIN - 1) / GRAIN;
        g_assert_cmpuint(atomic_load(&to->chunks), ==, n);
        for (uint64_t k = 0; k < n; k++)
            g_assert_cmpuint(to->end_of[k], ==, MIN((uint64_t)END, BEGIN + (k + 1) * GRAIN));
    }
}

TEST("/pool/each-element-comes-once")
{
    static const uint64_t grains[] = {0, 1, 2, 100, 992, 993, 994, UINT64_MAX};
    for (uint32_t lanes = 1; lanes <= MOST_LANES; lanes++)
        for (size_t g = 0; g < G_N_ELEMENTS(grains); g++) {
            g_autofree log *to = run(lanes, grains[g]);
            for (uint64_t i = 0; i < END; i++)
                g_assert_cmpuint(atomic_load(&to->times[i]), ==, i >= BEGIN);
        }
}

static int32_t never(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    g_assert_not_reached();
}

TEST("/pool/an-empty-range-calls-nothing")
{
    scree_pool *pool = scree_pool_new(3);
    g_assert_cmpint(scree_pool_for(pool, 5, 5, 1, never, NULL), ==, SCREE_OK);
    g_assert_cmpint(scree_pool_for(pool, 6, 5, 1, never, NULL), ==, SCREE_OK);
    scree_pool_free(pool);
}

static int32_t count(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    atomic_fetch_add((atomic_uint_fast64_t *)user, end - begin);
    return SCREE_OK;
}

TEST("/pool/ranges-may-end-at-the-largest-number")
{
    for (uint32_t lanes = 1; lanes <= 2; lanes++) {
        atomic_uint_fast64_t n = 0;
        scree_pool *pool = scree_pool_new(lanes);
        scree_pool_for(pool, UINT64_MAX - 10, UINT64_MAX, 4, count, &n);
        g_assert_cmpuint(atomic_load(&n), ==, 10);
        scree_pool_free(pool);
    }
}

typedef struct failing {
    atomic_uint below; /* chunks under the lowest failing one that ran */
} failing;

static int32_t fail_some(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    failing *f = user;
    if (begin < 11)
        atomic_fetch_add(&f->below, 1);
    return begin == 11 || begin == 12 || begin == 30 || begin == 63 ? -(int32_t)begin : SCREE_OK;
}

TEST("/pool/the-lowest-failing-chunk-wins")
{
    for (uint32_t lanes = 1; lanes <= 4; lanes++) {
        scree_pool *pool = scree_pool_new(lanes);
        for (int turn = 0; turn < 200; turn++) {
            failing f = {0};
            g_assert_cmpint(scree_pool_for(pool, 0, 64, 1, fail_some, &f), ==, -11);
            g_assert_cmpuint(atomic_load(&f.below), ==, 11);
        }
        atomic_uint_fast64_t n = 0; // and is forgotten by the next job
        g_assert_cmpint(scree_pool_for(pool, 0, 64, 1, count, &n), ==, SCREE_OK);
        scree_pool_free(pool);
    }
}

typedef struct outer {
    scree_pool *pool;
    pthread_t thread;
    uint32_t lane;
    uint64_t next;
    atomic_uint wrong, inner;
} outer;

static int32_t inside(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    outer *o = user;
    bool same = pthread_equal(o->thread, pthread_self()) && lane == o->lane && begin == o->next &&
                scree_pool_lane() == lane;
    atomic_fetch_add(&o->wrong, !same);
    atomic_fetch_add(&o->inner, 1);
    o->next = end;
    return SCREE_OK;
}

static int32_t outside(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    outer *o = user, mine = {.pool = o->pool, .thread = pthread_self(), .lane = lane};
    int32_t code = scree_pool_for(o->pool, 0, 9, 2, inside, &mine);
    atomic_fetch_add(&o->wrong, atomic_load(&mine.wrong) + (mine.next != 9));
    atomic_fetch_add(&o->inner, atomic_load(&mine.inner));
    return code;
}

TEST("/pool/a-nested-loop-runs-inline")
{
    for (uint32_t lanes = 1; lanes <= 3; lanes++) {
        outer o = {.pool = scree_pool_new(lanes)};
        g_assert_cmpint(scree_pool_for(o.pool, 0, 40, 1, outside, &o), ==, SCREE_OK);
        g_assert_cmpuint(atomic_load(&o.wrong), ==, 0);
        g_assert_cmpuint(atomic_load(&o.inner), ==, 40 * 5);
        scree_pool_free(o.pool);
    }
}

TEST("/pool/a-child-after-fork-runs-inline")
{
    scree_pool *pool = scree_pool_new(3);
    atomic_uint_fast64_t n = 0;
    scree_pool_for(pool, 0, 100, 1, count, &n);
    pid_t child = fork();
    g_assert_cmpint(child, >=, 0);
    if (child == 0) {
        outer o = {.pool = pool, .thread = pthread_self()};
        int32_t code = scree_pool_for(pool, 0, 9, 2, inside, &o);
        bool right = code == SCREE_OK && !atomic_load(&o.wrong) && o.next == 9;
        scree_pool_free(pool);
        _exit(right ? 0 : 1);
    }
    int status = -1;
    g_assert_cmpint(waitpid(child, &status, 0), ==, child);
    g_assert_cmpint(status, ==, 0);
    scree_pool_free(pool);
}

TEST("/pool/many-small-jobs-lose-nothing")
{
    for (uint32_t lanes = 1; lanes <= 4; lanes++) {
        scree_pool *pool = scree_pool_new(lanes);
        atomic_uint_fast64_t n = 0;
        for (uint64_t job = 1; job <= 2000; job++) {
            scree_pool_for(pool, 0, job % 9, 1, count, &n);
            if (job % 500 == 0)
                g_usleep(2000); // long enough for the workers to fall asleep
        }
        uint64_t sum = 0;
        for (uint64_t job = 1; job <= 2000; job++)
            sum += job % 9;
        g_assert_cmpuint(atomic_load(&n), ==, sum);
        scree_pool_free(pool);
    }
}

/* A worker that is stopped by a signal, as the system stops one that has lost its CPU. */
static atomic_uint held, released;

static void hold(int number)
{
    atomic_store(&held, 1);
    while (!atomic_load(&released))
        g_usleep(100);
    atomic_store(&held, 0);
}

typedef struct meeting {
    atomic_uint here;
    pthread_t thread[2]; /* by lane */
} meeting;

/** Each of two chunks waits for the other, so that both lanes have one. */
static int32_t meet(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    meeting *m = user;
    m->thread[lane] = pthread_self();
    atomic_fetch_add(&m->here, 1);
    while (atomic_load(&m->here) < 2)
        g_usleep(10);
    return SCREE_OK;
}

/** A pool of two lanes whose worker is held outside any chunk. */
static scree_pool *new_held(pthread_t *worker)
{
    struct sigaction action = {.sa_handler = hold};
    meeting m = {0};
    scree_pool *pool = scree_pool_new(2);
    g_assert_cmpint(scree_pool_for(pool, 0, 2, 1, meet, &m), ==, SCREE_OK);
    *worker = m.thread[1];
    atomic_store(&released, 0);
    sigaction(SIGUSR2, &action, NULL);
    g_assert_cmpint(pthread_kill(*worker, SIGUSR2), ==, 0);
    while (!atomic_load(&held))
        g_usleep(100);
    return pool;
}

static void release(void)
{
    atomic_store(&released, 1);
    while (atomic_load(&held))
        g_usleep(100);
}

TEST("/pool/a-loop-does-not-wait-for-a-worker-without-a-chunk")
{
    pthread_t worker;
    scree_pool *pool = new_held(&worker);
    uint64_t waited = scree_pool_waited(pool);
    for (uint64_t job = 1; job <= 500; job++) {
        // Gone when the loop is over: the worker must not touch it when it wakes.
        atomic_uint_fast64_t *n = g_new0(atomic_uint_fast64_t, 1);
        scree_pool_for(pool, 0, 7 + job, 1, count, n);
        g_assert_cmpuint(atomic_load(n), ==, 7 + job);
        g_free(n);
    }
    g_assert_cmpuint(scree_pool_waited(pool), ==, waited);
    release();
    for (int turn = 0; turn < 200; turn++) { // and it works again
        atomic_uint_fast64_t n = 0;
        scree_pool_for(pool, 0, 100, 1, count, &n);
        g_assert_cmpuint(atomic_load(&n), ==, 100);
    }
    meeting m = {0};
    scree_pool_for(pool, 0, 2, 1, meet, &m);
    g_assert_true(pthread_equal(m.thread[1], worker));
    scree_pool_free(pool);
}

typedef struct slow_chunk {
    meeting m;
    atomic_uint done;
    uint64_t ticks; /* of the other lane's chunk */
} slow_chunk;

static int32_t be_slow(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    slow_chunk *s = user;
    uint64_t start = scree_ticks();
    meet(&s->m, begin, end, lane);
    g_usleep(lane ? 20000 : 0);
    if (lane)
        s->ticks = scree_ticks() - start;
    atomic_fetch_add(&s->done, 1);
    return SCREE_OK;
}

TEST("/pool/a-loop-waits-for-the-chunks-of-others")
{
    scree_pool *pool = scree_pool_new(2);
    const uint64_t before = scree_pool_waited(pool);
    for (int turn = 0; turn < 5; turn++) {
        slow_chunk s = {0};
        uint64_t work = scree_pool_work(pool, scree_ticks());
        scree_pool_for(pool, 0, 2, 1, be_slow, &s);
        g_assert_cmpuint(atomic_load(&s.done), ==, 2);
        g_assert_cmpuint(scree_pool_work(pool, scree_ticks()) - work, >=,
                         s.ticks); // which the caller waited for
    }
    // In a turn in which the system gives the caller no CPU it need not wait.
    g_assert_cmpuint(scree_pool_waited(pool), >, before);
    scree_pool_free(pool);
}

TEST("/pool/only-the-lanes-in-use-are-asked")
{
    scree_pool *pool = scree_pool_new(4);
    for (uint32_t lanes = 1; lanes <= 4; lanes++) {
        outer o = {.pool = pool, .thread = pthread_self()};
        atomic_uint_fast64_t n = 0;
        scree_pool_use(pool, lanes);
        g_assert_cmpuint(scree_pool_used(pool), ==, lanes);
        scree_pool_for(pool, 0, 100, 1, count, &n);
        g_assert_cmpuint(atomic_load(&n), ==, 100);
        if (lanes > 1)
            continue;
        scree_pool_for(pool, 0, 9, 2, inside, &o);
        g_assert_cmpuint(atomic_load(&o.wrong), ==, 0); // all of it by the caller
        g_assert_cmpuint(atomic_load(&o.inner), ==, 5);
    }
    scree_pool_free(pool);
}
