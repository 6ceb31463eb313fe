/* SPDX-License-Identifier: Apache-2.0 */
/* The host's own threads: a bounded spin, then sleep; chunks are claimed by an atomic counter. */
#include "pool.h"

#include "guard.h"
#include "shortage.h"

#include <errno.h>
#include <glib.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

/*
 * Why not OpenMP: it gives false ThreadSanitizer reports, hangs in a forked child and collapses
 * when a core is busy (measured). A job is published under the mutex by raising `generation`;
 * workers that spin see it without a system call, those that sleep are woken.
 */
enum { SPIN = 4000 };

struct scree_pool {
    uint32_t lanes;
    pthread_t *threads;
    pid_t owner; /* a child after fork has no workers */
    pthread_mutex_t mutex;
    pthread_cond_t wake, idle;
    atomic_uint generation;
    atomic_uint active; /* workers still in the present job */
    uint32_t sleeping;
    bool stop;

    /* the job */
    scree_range_fn fn;
    void *user;
    uint64_t begin, end, grain, n_chunks;
    atomic_uint_fast64_t next;
    atomic_uint_fast64_t failed; /* lowest failing chunk + 1, 0: none */
    pthread_mutex_t code_mutex;
    int32_t code;
};

struct worker {
    scree_pool *pool;
    uint32_t lane;
};

static _Thread_local uint32_t this_lane;
static _Thread_local bool inside;

uint32_t scree_pool_lane(void)
{
    return this_lane;
}

static void note_failure(scree_pool *pool, uint64_t chunk, int32_t code)
{
    pthread_mutex_lock(&pool->code_mutex);
    uint64_t before = atomic_load(&pool->failed);
    if (before == 0 || chunk + 1 < before) {
        atomic_store(&pool->failed, chunk + 1);
        pool->code = code;
    }
    pthread_mutex_unlock(&pool->code_mutex);
}

static void run_chunks(scree_pool *pool, uint32_t lane)
{
    this_lane = lane;
    inside = true;
    for (;;) {
        uint64_t chunk = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
        if (chunk >= pool->n_chunks)
            break;
        // Chunks above a failed one need not run; those below must, to find the lowest.
        uint64_t failed = atomic_load_explicit(&pool->failed, memory_order_relaxed);
        if (failed && chunk + 1 > failed)
            continue;
        uint64_t first = pool->begin + chunk * pool->grain;
        uint64_t last = first + MIN(pool->grain, pool->end - first);
        int32_t code = pool->fn(pool->user, first, last, lane);
        if (code < 0)
            note_failure(pool, chunk, code);
    }
    inside = false;
    this_lane = 0;
}

static unsigned wait_for_job(scree_pool *pool, unsigned seen)
{
    for (int i = 0; i < SPIN; i++) {
        unsigned now = atomic_load_explicit(&pool->generation, memory_order_acquire);
        if (now != seen)
            return now;
        __builtin_ia32_pause();
    }
    pthread_mutex_lock(&pool->mutex);
    pool->sleeping++;
    unsigned now;
    while ((now = atomic_load(&pool->generation)) == seen)
        pthread_cond_wait(&pool->wake, &pool->mutex);
    pool->sleeping--;
    pthread_mutex_unlock(&pool->mutex);
    return now;
}

static void *worker_main(void *user)
{
    struct worker self = *(struct worker *)user;
    g_free(user);
    unsigned seen = 0;
    scree_guard_thread();
    for (;;) {
        seen = wait_for_job(self.pool, seen);
        if (self.pool->stop)
            return NULL;
        run_chunks(self.pool, self.lane);
        if (atomic_fetch_sub_explicit(&self.pool->active, 1, memory_order_acq_rel) == 1) {
            pthread_mutex_lock(&self.pool->mutex);
            pthread_cond_signal(&self.pool->idle);
            pthread_mutex_unlock(&self.pool->mutex);
        }
    }
}

/** Starts the thread of a lane; the number of an error, or 0. As much stack as the first thread
 * has, whatever the limit was when the program was started. */
static int start_worker(scree_pool *pool, uint32_t lane)
{
    enum { STACK = 8 << 20 }; // [bytes]
    struct worker *worker = g_new(struct worker, 1);
    pthread_attr_t attributes;
    *worker = (struct worker){pool, lane};
    int failed = pthread_attr_init(&attributes);
    if (!failed) {
        pthread_attr_setstacksize(&attributes, STACK);
        failed = pthread_create(&pool->threads[lane], &attributes, worker_main, worker);
        pthread_attr_destroy(&attributes);
    }
    if (failed)
        g_free(worker);
    return failed;
}

scree_pool *scree_pool_new(uint32_t lanes)
{
    scree_pool *pool = g_new0(scree_pool, 1);
    pool->lanes = MAX(lanes, 1);
    pool->owner = getpid();
    pool->threads = g_new0(pthread_t, pool->lanes);
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_mutex_init(&pool->code_mutex, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->idle, NULL);
    for (uint32_t lane = 1; lane < pool->lanes; lane++) {
        int failed = start_worker(pool, lane);
        if (failed)
            scree_short_of("a thread (fewer --threads need less)", failed);
    }
    return pool;
}

static void publish(scree_pool *pool)
{
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add_explicit(&pool->generation, 1, memory_order_release);
    if (pool->sleeping)
        pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);
}

void scree_pool_free(scree_pool *pool)
{
    if (!pool)
        return;
    // In a child after fork the workers are gone but their waits are counted: destroying a
    // condition would wait for them for ever.
    if (pool->owner == getpid()) {
        pool->stop = true;
        publish(pool);
        for (uint32_t lane = 1; lane < pool->lanes; lane++)
            pthread_join(pool->threads[lane], NULL);
        pthread_mutex_destroy(&pool->mutex);
        pthread_mutex_destroy(&pool->code_mutex);
        pthread_cond_destroy(&pool->wake);
        pthread_cond_destroy(&pool->idle);
    }
    g_free(pool->threads);
    g_free(pool);
}

uint32_t scree_pool_lanes(const scree_pool *pool)
{
    return pool->lanes;
}

static int32_t run_inline(uint64_t begin, uint64_t end, uint64_t grain, scree_range_fn fn,
                          void *user)
{
    for (uint64_t first = begin; first < end; first += MIN(grain, end - first)) {
        int32_t code = fn(user, first, first + MIN(grain, end - first), this_lane);
        if (code < 0)
            return code;
    }
    return SCREE_OK;
}

static void wait_for_workers(scree_pool *pool)
{
    for (int i = 0; i < SPIN; i++) {
        if (atomic_load_explicit(&pool->active, memory_order_acquire) == 0)
            return;
        __builtin_ia32_pause();
    }
    pthread_mutex_lock(&pool->mutex);
    while (atomic_load(&pool->active) != 0)
        pthread_cond_wait(&pool->idle, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}

int32_t scree_pool_for(scree_pool *pool, uint64_t begin, uint64_t end, uint64_t grain,
                       scree_range_fn fn, void *user)
{
    if (begin >= end)
        return SCREE_OK;
    grain = MAX(grain, 1);
    uint64_t n_chunks = (end - begin - 1) / grain + 1;
    if (pool->lanes == 1 || inside || n_chunks == 1 || pool->owner != getpid())
        return run_inline(begin, end, grain, fn, user);
    pool->fn = fn;
    pool->user = user;
    pool->begin = begin;
    pool->end = end;
    pool->grain = grain;
    pool->n_chunks = n_chunks;
    pool->code = SCREE_OK;
    atomic_store(&pool->next, 0);
    atomic_store(&pool->failed, 0);
    atomic_store(&pool->active, pool->lanes - 1);
    publish(pool);
    run_chunks(pool, 0);
    wait_for_workers(pool);
    return pool->code;
}
