/* SPDX-License-Identifier: Apache-2.0 */
/* The host's own threads: they spin for a moment, then sleep; an atomic counter gives out
 * chunks. */
#include "base/pool.h"
#include "base/context.h"

#include "base/clock.h"
#include "base/cpu.h"
#include "base/shortage.h"

#include <glib.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/*
 * Why not OpenMP: it gives false ThreadSanitizer reports, hangs in a forked child and collapses
 * when a core is busy (measured).
 *
 * A loop is over when its chunks are done, even if some workers have not come: on a busy machine a
 * worker may wait for a CPU for milliseconds, and only one that holds a chunk is waited for. So a
 * worker may wake in a later loop than the one that asked for it. `left` counts unclaimed chunks,
 * and is 0 or less between loops. Only a worker that has claimed a chunk from it reads the job,
 * which does not change before that chunk is counted in `done`.
 *
 * Each worker sleeps on a word of its own, so that workers that are not asked sleep on.
 */
enum { SPIN = 4000, LINE = 64 };

static void (*thread_begin)(void);

typedef struct worker {
    alignas(LINE) atomic_uint ticket; /* newest loop that the worker is asked for */
    atomic_uint asleep;               /* 1: the worker waits in the kernel for another ticket */
    scree_pool *pool;
    uint32_t lane;
    pthread_t thread;
} worker;

struct scree_pool {
    uint32_t lanes, used;
    int spin;
    worker *workers;        /* [lanes]; 0 is the caller, and has no worker */
    scree_context *context; /* that of the thread that made the pool */
    pid_t owner;            /* process that made the pool; a child after fork has no workers */
    atomic_bool stop;
    unsigned ticket;
    uint64_t waited, woke; /* [ticks] */

    /* the job */
    scree_range_fn fn;
    void *user;
    uint64_t begin, end, grain, n_chunks;
    atomic_uint_fast64_t failed; /* lowest failing chunk + 1, 0: none */
    pthread_mutex_t code_mutex;
    int32_t code;

    alignas(LINE) atomic_int_fast64_t left; /* number of chunks to be claimed; 0 or less: none */
    alignas(LINE) atomic_uint_fast64_t done;
    atomic_uint_fast64_t busy; /* [ticks] that workers have spent in chunks */
    atomic_uint waiting;       /* 1: the caller sleeps until all chunks are done */
};

static _Thread_local uint32_t this_lane;
static _Thread_local bool inside;

uint32_t scree_pool_lane(void)
{
    return this_lane;
}

/** Sleeps while *word == value, at most a while; may return early. The limit is a guard: a
 * run was seen asleep for minutes at the join of its workers, without a cause in this file. */
static void futex_wait(atomic_uint *word, unsigned value)
{
    const struct timespec most = {0, 100000000};
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &most, NULL, 0);
}

static void futex_wake(atomic_uint *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
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

static bool claim(scree_pool *pool, uint64_t *chunk)
{
    if (atomic_load_explicit(&pool->left, memory_order_relaxed) <= 0)
        return false;
    int64_t left = atomic_fetch_sub_explicit(&pool->left, 1, memory_order_acq_rel);
    if (left <= 0)
        return false;
    *chunk = pool->n_chunks - (uint64_t)left;
    return true;
}

/** Runs chunks of the current loop, from a claimed one until none is left. Returns their number. */
static uint64_t run_chunks(scree_pool *pool, uint64_t chunk, uint32_t lane)
{
    uint64_t n = 0;
    this_lane = lane;
    inside = true;
    do {
        n++;
        // Chunks above a failed one may be left out; those below run, to find the lowest failure.
        uint64_t failed = atomic_load_explicit(&pool->failed, memory_order_relaxed);
        if (failed && chunk + 1 > failed)
            continue;
        uint64_t first = pool->begin + chunk * pool->grain;
        uint64_t last = first + MIN(pool->grain, pool->end - first);
        int32_t code = pool->fn(pool->user, first, last, lane);
        if (code < 0)
            note_failure(pool, chunk, code);
    } while (claim(pool, &chunk));
    inside = false;
    this_lane = 0;
    return n;
}

/** Takes part in a loop, which may be over already. */
static void help(scree_pool *pool, uint32_t lane)
{
    uint64_t chunk;
    if (!claim(pool, &chunk))
        return;
    uint64_t begin = scree_ticks(); // the clock starts here: the worker may have woken in a later
                                    // loop
    uint64_t n = run_chunks(pool, chunk, lane);
    uint64_t all = pool->n_chunks; // the job may change as soon as these chunks are counted
    atomic_fetch_add_explicit(&pool->busy, scree_ticks() - begin, memory_order_relaxed);
    if (atomic_fetch_add(&pool->done, n) + n == all && atomic_load(&pool->waiting) &&
        atomic_exchange(&pool->waiting, 0))
        futex_wake(&pool->waiting);
}

static unsigned wait_for_ticket(worker *self, unsigned seen)
{
    unsigned now;
    for (int i = 0; i < self->pool->spin; i++) {
        now = atomic_load_explicit(&self->ticket, memory_order_acquire);
        if (now != seen)
            return now;
        __builtin_ia32_pause();
    }
    for (;;) {
        atomic_store(&self->asleep, 1);
        now = atomic_load(&self->ticket);
        if (now != seen)
            break;
        futex_wait(&self->ticket, seen);
    }
    atomic_store(&self->asleep, 0);
    return now;
}

static void *worker_main(void *user)
{
    worker *self = user;
    unsigned seen = 0;
    scree_context_now = self->pool->context;
    if (thread_begin)
        thread_begin();
    for (;;) {
        seen = wait_for_ticket(self, seen);
        if (atomic_load(&self->pool->stop))
            return NULL;
        help(self->pool, self->lane);
    }
}

/** Starts the thread of a worker; 0 or the number of an error. Its stack has the usual size of the
 * first thread, whatever the limit was at the start. */
static int start_worker(worker *self)
{
    enum { STACK = 8 << 20 }; // [bytes]
    pthread_attr_t attributes;
    int failed = pthread_attr_init(&attributes);
    if (failed)
        return failed;
    pthread_attr_setstacksize(&attributes, STACK);
    failed = pthread_create(&self->thread, &attributes, worker_main, self);
    pthread_attr_destroy(&attributes);
    return failed;
}

/** Asks the first n workers for help. */
static void call_workers(scree_pool *pool, uint32_t n)
{
    pool->ticket++;
    for (uint32_t lane = 1; lane <= n; lane++) {
        worker *w = &pool->workers[lane];
        atomic_store(&w->ticket, pool->ticket);
        if (atomic_load(&w->asleep) && atomic_exchange(&w->asleep, 0)) {
            uint64_t begin = scree_ticks();
            futex_wake(&w->ticket);
            pool->woke += scree_ticks() - begin;
        }
    }
}

static void *new_lines(size_t size)
{
    void *memory = aligned_alloc(LINE, (size + LINE - 1) / LINE * LINE);
    if (!memory)
        scree_out_of_memory(size, "threads");
    return memset(memory, 0, size);
}

void scree_pool_on_thread(void (*begin)(void))
{
    thread_begin = begin;
}

scree_pool *scree_pool_new(uint32_t lanes)
{
    scree_pool *pool = new_lines(sizeof *pool);
    pool->lanes = pool->used = MAX(lanes, 1);
    pool->spin =
        scree_cpu_count() < pool->lanes ? 0 : SPIN; // no thread spins where another must run
    pool->context = scree_context_now;
    pool->owner = getpid();
    pool->workers = new_lines(pool->lanes * sizeof *pool->workers);
    pthread_mutex_init(&pool->code_mutex, NULL);
    for (uint32_t lane = 1; lane < pool->lanes; lane++) {
        worker *w = &pool->workers[lane];
        w->pool = pool;
        w->lane = lane;
        int failed = start_worker(w);
        if (failed)
            scree_short_of("a thread (fewer --threads need less)", failed);
    }
    return pool;
}

void scree_pool_free(scree_pool *pool)
{
    if (!pool)
        return;
    if (pool->owner == getpid()) {
        atomic_store(&pool->stop, true);
        call_workers(pool, pool->lanes - 1);
        for (uint32_t lane = 1; lane < pool->lanes; lane++)
            pthread_join(pool->workers[lane].thread, NULL);
        pthread_mutex_destroy(&pool->code_mutex);
    }
    free(pool->workers);
    free(pool);
}

uint32_t scree_pool_lanes(const scree_pool *pool)
{
    return pool->lanes;
}

void scree_pool_use(scree_pool *pool, uint32_t lanes)
{
    pool->used = CLAMP(lanes, 1, pool->lanes);
}

uint32_t scree_pool_used(const scree_pool *pool)
{
    return pool->used;
}

uint64_t scree_pool_waited(const scree_pool *pool)
{
    return pool->waited;
}

uint64_t scree_pool_work(const scree_pool *pool, uint64_t now)
{
    return now - pool->waited - pool->woke +
           atomic_load_explicit(&pool->busy, memory_order_relaxed);
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

/** Waits until the claimed chunks of workers are done. */
static void wait_for_rest(scree_pool *pool)
{
    for (int i = 0; i < pool->spin; i++) {
        if (atomic_load_explicit(&pool->done, memory_order_acquire) == pool->n_chunks)
            return;
        __builtin_ia32_pause();
    }
    for (;;) {
        atomic_store(&pool->waiting, 1);
        if (atomic_load(&pool->done) == pool->n_chunks)
            break;
        futex_wait(&pool->waiting, 1);
    }
    atomic_store(&pool->waiting, 0);
}

int32_t scree_pool_for(scree_pool *pool, uint64_t begin, uint64_t end, uint64_t grain,
                       scree_range_fn fn, void *user)
{
    if (begin >= end)
        return SCREE_OK;
    grain = MAX(grain, 1);
    uint64_t n_chunks = (end - begin - 1) / grain + 1;
    if (pool->used == 1 || inside || n_chunks == 1 || n_chunks > INT64_MAX ||
        pool->owner != getpid())
        return run_inline(begin, end, grain, fn, user);
    pool->fn = fn;
    pool->user = user;
    pool->begin = begin;
    pool->end = end;
    pool->grain = grain;
    pool->n_chunks = n_chunks;
    pool->code = SCREE_OK;
    atomic_store_explicit(&pool->failed, 0, memory_order_relaxed);
    atomic_store_explicit(&pool->done, 0, memory_order_relaxed);
    atomic_store_explicit(&pool->left, (int64_t)n_chunks, memory_order_release);
    call_workers(pool, (uint32_t)MIN(pool->used, n_chunks) - 1);
    uint64_t chunk, n = claim(pool, &chunk) ? run_chunks(pool, chunk, 0) : 0;
    if (atomic_fetch_add(&pool->done, n) + n != n_chunks) {
        uint64_t begin_wait = scree_ticks();
        wait_for_rest(pool);
        pool->waited += scree_ticks() - begin_wait;
    }
    return pool->code;
}
