/* SPDX-License-Identifier: Apache-2.0 */
/* Where the time of the lanes goes: sums, not durations, so that no busy machine fails a test. */
#include "../../test.h"
#include "engine/ledger.h"

#include <glib.h>
#include <sched.h>
#include <stdatomic.h>

#include "../near.h"
#include "base/clock.h"

static double sum_of(const scree_phase_times *times)
{
    double sum = 0.0;
    for (int p = 0; p < SCREE_PHASES; p++) {
        g_assert_cmpfloat(times->row[p], >=, 0.0);
        sum += times->row[p];
    }
    return sum;
}

/** Time passes. */
static void spend(void)
{
    for (uint64_t begin = scree_ticks(); scree_ticks() - begin < 20000;)
        ;
}

TEST("/ledger/all-rows-sum-to-the-wall-time-of-one-lane-which-never-waits")
{
    scree_pool *pool = scree_pool_new(1);
    scree_ledger ledger;
    scree_ledger_open(&ledger, pool);
    spend();
    scree_ledger_enter(&ledger, pool, SCREE_PHASE_POSE);
    spend();
    scree_phase_times times = scree_ledger_times(&ledger, pool, 3.0); // POSE has not ended
    g_assert_cmpfloat(times.total, ==, 3.0);
    g_assert_cmpfloat(times.row[SCREE_PHASE_WAIT], ==, 0.0);
    g_assert_cmpfloat(times.row[SCREE_PHASE_POSE], >, 0.0);
    g_assert_cmpfloat(times.row[SCREE_PHASE_OTHER], >, 0.0);
    assert_near(sum_of(&times), 3.0, 1e-12);
    scree_pool_free(pool);
}

TEST("/ledger/a-phase-stands-still-while-one-inside-it-runs")
{
    scree_pool *pool = scree_pool_new(1);
    scree_ledger ledger;
    scree_ledger_open(&ledger, pool);
    scree_phase outer = scree_ledger_enter(&ledger, pool, SCREE_PHASE_ORDER);
    scree_phase inner = scree_ledger_enter(&ledger, pool, SCREE_PHASE_GCD);
    g_assert_cmpint(outer, ==, SCREE_PHASE_OTHER);
    g_assert_cmpint(inner, ==, SCREE_PHASE_ORDER);
    uint64_t order = ledger.ticks[SCREE_PHASE_ORDER];
    spend();
    scree_ledger_enter(&ledger, pool, inner);
    g_assert_cmpuint(ledger.ticks[SCREE_PHASE_ORDER], ==, order);
    g_assert_cmpuint(ledger.ticks[SCREE_PHASE_GCD], >=, 20000);
    scree_ledger_enter(&ledger, pool, outer);
    scree_pool_free(pool);
}

TEST("/ledger/what-lanes-have-booked-leaves-the-rest")
{
    scree_pool *pool = scree_pool_new(1);
    scree_ledger ledger;
    scree_ledger_open(&ledger, pool);
    spend();
    scree_ledger_enter(&ledger, pool, SCREE_PHASE_SAVE);
    uint64_t other = ledger.ticks[SCREE_PHASE_OTHER];
    scree_ledger_move(&ledger, SCREE_PHASE_FORCE, other - 100);
    g_assert_cmpuint(ledger.ticks[SCREE_PHASE_OTHER], ==, 100);
    scree_ledger_move(&ledger, SCREE_PHASE_FORCE, 150); // of two clocks that differ
    g_assert_cmpuint(ledger.ticks[SCREE_PHASE_OTHER], ==, 0);
    g_assert_cmpuint(ledger.ticks[SCREE_PHASE_FORCE], ==, other);
    scree_pool_free(pool);
}

TEST("/ledger/what-is-forgotten-goes-to-the-phase-around-it")
{
    scree_pool *pool = scree_pool_new(2);
    scree_ledger ledger;
    scree_ledger_open(&ledger, pool);
    scree_ledger_enter(&ledger, pool, SCREE_PHASE_EDIT);
    const scree_ledger kept = ledger;
    scree_ledger_enter(&ledger, pool, SCREE_PHASE_FORCE);
    spend();
    scree_ledger_enter(&ledger, pool, SCREE_PHASE_EDIT);
    ledger = kept;
    scree_phase_times times = scree_ledger_times(&ledger, pool, 1.0);
    g_assert_cmpfloat(times.row[SCREE_PHASE_FORCE], ==, 0.0);
    g_assert_cmpfloat(times.row[SCREE_PHASE_EDIT], >, 0.0);
    assert_near(sum_of(&times), 2.0, 1e-12);
    scree_pool_free(pool);
}

static int32_t add_one(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    atomic_fetch_add((atomic_uint_fast64_t *)user, end - begin);
    return SCREE_OK;
}

TEST("/ledger/lanes-that-are-left-out-wait")
{
    for (uint32_t used = 1; used <= 4; used++) {
        scree_pool *pool = scree_pool_new(4);
        scree_ledger ledger;
        atomic_uint_fast64_t n = 0;
        scree_pool_use(pool, used);
        scree_ledger_open(&ledger, pool);
        scree_ledger_enter(&ledger, pool, SCREE_PHASE_SUM);
        for (int turn = 0; turn < 50; turn++)
            scree_pool_for(pool, 0, 1000, 10, add_one, &n);
        scree_phase_times times = scree_ledger_times(&ledger, pool, 1.0);
        g_assert_cmpuint(atomic_load(&n), ==, 50000);
        g_assert_cmpfloat(times.total, ==, 4.0);
        assert_near(sum_of(&times), 4.0, 1e-12);
        if (used == 1)
            assert_near(times.row[SCREE_PHASE_WAIT], 3.0, 1e-12);
        g_assert_cmpfloat(times.row[SCREE_PHASE_WAIT], >=, 4.0 - used - 1e-12);
        scree_pool_free(pool);
    }
}

/** Chunks that are worked at the same time, and what they took. */
typedef struct meeting {
    atomic_uint came;
    uint64_t ticks[2];
} meeting;

static int32_t work_together(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    meeting *m = user;
    uint64_t from = scree_ticks();
    atomic_fetch_add(&m->came, 1);
    while (atomic_load(&m->came) < 2)
        sched_yield();
    spend();
    m->ticks[begin] = scree_ticks() - from;
    return SCREE_OK;
}

TEST("/ledger/work-of-all-lanes-counts-in-their-phase")
{
    scree_pool *pool = scree_pool_new(2);
    scree_ledger ledger;
    uint64_t sum = 0;
    scree_ledger_open(&ledger, pool);
    uint64_t begin = scree_ticks();
    scree_phase former = scree_ledger_enter(&ledger, pool, SCREE_PHASE_GCD);
    for (int turn = 0; turn < 20; turn++) {
        meeting m = {0};
        g_assert_cmpint(scree_pool_for(pool, 0, 2, 1, work_together, &m), ==, SCREE_OK);
        sum += m.ticks[0] + m.ticks[1];
    }
    scree_ledger_enter(&ledger, pool, former);
    uint64_t wall = scree_ticks() - begin;
    g_assert_cmpuint(ledger.ticks[SCREE_PHASE_GCD], >=, sum); // of both lanes
    g_assert_cmpuint(ledger.ticks[SCREE_PHASE_GCD], <=, 2 * wall);
    scree_phase_times times = scree_ledger_times(&ledger, pool, 1.0);
    assert_near(sum_of(&times), 2.0, 1e-12);
    scree_pool_free(pool);
}
