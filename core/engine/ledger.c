/* SPDX-License-Identifier: Apache-2.0 */
/* The time of the lanes: each moment of each lane is in exactly one row.
 *
 * Idea     The pool's work is a clock of the working time of all lanes. It is booked to the phase
 *          of the caller, which leaves no work out and counts none twice. The rest of lanes times
 *          wall time is waiting.
 * Limits   If the system takes a thread off its CPU in a chunk, that time counts as work, because
 *          no lane can see it. */
#include "engine/ledger.h"

#include <glib.h>
#include <math.h>

#include "base/clock.h"

void scree_ledger_open(scree_ledger *ledger, const scree_pool *pool)
{
    uint64_t now = scree_ticks(), work = scree_pool_work(pool, now);
    *ledger =
        (scree_ledger){.begin = now, .begin_work = work, .booked = work, .now = SCREE_PHASE_OTHER};
}

scree_phase scree_ledger_enter(scree_ledger *ledger, const scree_pool *pool, scree_phase phase)
{
    scree_phase former = ledger->now;
    uint64_t work = MAX(scree_pool_work(pool, scree_ticks()), ledger->booked); // its CPU may change
    ledger->ticks[former] += work - ledger->booked;
    ledger->booked = work;
    ledger->now = phase;
    return former;
}

void scree_ledger_move(scree_ledger *ledger, scree_phase phase, uint64_t ticks)
{
    uint64_t *other = &ledger->ticks[SCREE_PHASE_OTHER];
    ticks = MIN(ticks, *other); // clocks of two CPUs may differ by some ticks
    *other -= ticks;
    ledger->ticks[phase] += ticks;
}

scree_phase_times scree_ledger_times(const scree_ledger *ledger, const scree_pool *pool,
                                     double wall_s)
{
    uint64_t now = scree_ticks(), wall = MAX(now - ledger->begin, 1);
    uint64_t work = MAX(scree_pool_work(pool, now), ledger->booked);
    uint64_t lanes = scree_pool_lanes(pool);
    uint64_t spent = work - ledger->begin_work;
    double second = wall_s / (double)wall; // one factor for all rows
    scree_phase_times times = {.init_wall = second * (double)ledger->init_wall,
                               .gcd_wall = second * (double)ledger->gcd_wall,
                               .observe_wall = second * (double)ledger->observe_wall,
                               .wall = wall_s,
                               .total = (double)lanes * wall_s};
    double rest = times.total;
    for (int p = 0; p < SCREE_PHASES; p++) {
        uint64_t ticks = ledger->ticks[p] + (p == (int)ledger->now ? work - ledger->booked : 0);
        if (p == SCREE_PHASE_WAIT)
            ticks = lanes * wall - MIN(spent, lanes * wall);
        if (p == SCREE_PHASE_OTHER)
            continue;
        times.row[p] = fmin(second * (double)ticks, rest);
        rest -= times.row[p];
    }
    times.row[SCREE_PHASE_OTHER] = rest;
    return times;
}

const char *scree_phase_name(scree_phase phase)
{
    static const char *const names[SCREE_PHASES] = {
        "gcd",    "order", "resolve", "gather",  "force", "sum",      "integrate", "pose",
        "modify", "edit",  "energy",  "observe", "save",  "exchange", "wait",      "other"};
    return names[phase];
}
