/* SPDX-License-Identifier: Apache-2.0 */
/* How many lanes pay: found from the times of steps, never seen in the results (determinism.md,
 * S8).
 *
 * Another process on its CPU takes a worker off it for milliseconds, mostly while the worker holds
 * a chunk, and the caller waits: two lanes are then slower than one. Small scenes are slower with
 * two in any case. No lane sees by itself whether it helps, so both ways are tried.
 *
 * Idea     Levels have 1, 2, 4, ... and all lanes. Steps run at the level `home`, at first the
 *          highest. Two things lower it:
 *          - Credit. Each step adds what it took less than a step on the level below, and takes
 *            away what it took more. Without credit home goes down. Time brings credit back,
 *            1 / DEBT of it; with credit the level above is tried again, and what a trial of it
 *            costs is paid back in the same way. So stalls, however long, cost 1 / DEBT of a run
 *            and the first credit at most. A single one costs nothing where lanes have paid.
 *          - Most of the steps are slower than on the level below, which is then tried again.
 *          A trial is a few steps. Medians are compared, of steps that refreshed lists with their
 *          like. The level below is tried now and then in any case, because scenes change.
 * Limits   A machine that changes faster than trials come is followed on average only. */
#include "engine/pace.h"

#include <glib.h>
#include <string.h>

enum {
    LEAST = 3,    /* steps that make a median; a trial that is clearly worse ends after them */
    TRIAL = 8,    /* steps of another trial */
    SOON = 32,    /* steps until the next one may come */
    LATER = 8,    /* times as many, after one that has changed nothing */
    LATE = 256,   /* at most; up */
    AGAIN = 1024, /* down */
    DEBT = 40,
};
#define BETTER 0.95        /* share of the time of the other level */
#define CLEARLY_WORSE 1.25 /* the same */
#define CREDIT 5.0e7 /* [ticks] at most, some 20 ms, or CREDIT_STEPS steps; a quarter at first */
#define CREDIT_STEPS 32.0

/** The median of the noted times, 0: there are too few. */
static uint64_t median(const scree_pace_times *times)
{
    uint64_t sorted[SCREE_PACE_TIMES], n = MIN(times->n, SCREE_PACE_TIMES);
    if (n < LEAST)
        return 0;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t k = i;
        for (; k > 0 && sorted[k - 1] > times->ticks[i]; k--)
            sorted[k] = sorted[k - 1];
        sorted[k] = times->ticks[i];
    }
    return sorted[n / 2];
}

/** Time of a step on level a by that on level b, 0: not known. */
static double ratio(const scree_pace *pace, uint32_t a, uint32_t b)
{
    for (int kind = 0; kind < 2; kind++) {
        uint64_t ta = median(&pace->times[a][kind]), tb = median(&pace->times[b][kind]);
        if (ta && tb)
            return (double)ta / (double)tb;
    }
    return 0.0;
}

static void go_to(scree_pace *pace, uint32_t level)
{
    pace->now = level;
    pace->skip = true;
    pace->counted = 0;
    for (int kind = 0; kind < 2; kind++)
        pace->reference[kind] = level ? median(&pace->times[level - 1][kind]) : 0;
}

static void settle(scree_pace *pace, uint32_t home)
{
    if (home != pace->home)
        pace->rest = pace->pause = SOON;
    pace->home = home;
    pace->slow = 0.0;
    pace->since = 0;
    go_to(pace, home);
}

void scree_pace_init(scree_pace *pace, uint32_t most)
{
    *pace = (scree_pace){.credit = CREDIT / 4.0, .rest = SOON, .pause = SOON};
    uint32_t n = MAX(most, 1);
    for (uint32_t lanes = n; lanes > 1; lanes = (lanes + 1) / 2)
        pace->top++;
    for (uint32_t level = pace->top + 1; level-- > 0; n = (n + 1) / 2)
        pace->lanes[level] = n;
    pace->home = pace->top;
    go_to(pace, pace->top ? pace->top - 1 : 0); // what home has to beat
}

uint32_t scree_pace_lanes(const scree_pace *pace)
{
    return pace->lanes[pace->now];
}

uint32_t scree_pace_ahead(const scree_pace *pace)
{
    return pace->lanes[MIN(pace->home + 1, pace->top)];
}

/** A trial of the level below home. */
static void note_below(scree_pace *pace)
{
    double of_home = ratio(pace, pace->now, pace->home);
    bool first = pace->times[pace->home][0].n + pace->times[pace->home][1].n == 0;
    if (pace->counted < LEAST || (pace->counted < TRIAL && !first && !(of_home > CLEARLY_WORSE)))
        return;
    settle(pace, of_home > 0.0 && of_home < BETTER ? pace->now : pace->home);
}

/** A trial of the level above home. */
static void note_above(scree_pace *pace)
{
    double of_home = ratio(pace, pace->now, pace->home), lost = pace->kept - pace->credit;
    if (lost < 0.25 * CREDIT && pace->counted < TRIAL &&
        !(pace->counted >= LEAST && of_home > CLEARLY_WORSE))
        return;
    if (of_home > 0.0 && of_home < BETTER) {
        settle(pace, pace->now);
        return;
    }
    pace->debt = DEBT * MAX(lost, 0.0);
    pace->credit = pace->kept; // of home
    pace->rest = pace->pause = MIN(LATER * pace->pause, LATE);
    go_to(pace, pace->home);
}

static void note_home(scree_pace *pace)
{
    bool slow = pace->slow > 0.5 && pace->since >= SOON;
    if (pace->home > 0 && pace->credit < 0.0)
        settle(pace, pace->home - 1);
    else if (pace->home > 0 && (slow || pace->since >= AGAIN))
        go_to(pace, pace->home - 1);
    else if (pace->home < pace->top && !pace->rest && pace->credit >= 0.0 && pace->debt <= 0.0) {
        pace->kept = pace->credit;
        go_to(pace, pace->home + 1);
    }
}

/** Books the credit of a step. One step costs at most half of the credit, because a process may
 * be stopped. */
static void account(scree_pace *pace, double ticks, double reference)
{
    double most = MAX(CREDIT, CREDIT_STEPS * reference);
    pace->credit += ticks / DEBT;
    pace->debt -= MIN(pace->debt, ticks);
    if (reference > 0.0) {
        pace->credit += MAX(reference - ticks, -0.5 * most);
        pace->slow += ((ticks > reference) - pace->slow) / 16.0;
    }
    pace->credit = CLAMP(pace->credit, -most, most);
}

void scree_pace_note(scree_pace *pace, uint64_t ticks, bool refreshed)
{
    pace->steps++;
    pace->lane_steps += pace->lanes[pace->now];
    pace->since++;
    pace->rest -= pace->rest > 0;
    account(pace, (double)ticks, (double)pace->reference[refreshed]);
    if (pace->skip) {
        pace->skip = false;
    } else {
        scree_pace_times *times = &pace->times[pace->now][refreshed];
        times->ticks[times->n++ % SCREE_PACE_TIMES] = ticks;
        pace->counted++;
    }
    if (pace->now < pace->home)
        note_below(pace);
    else if (pace->now > pace->home)
        note_above(pace);
    else
        note_home(pace);
}
