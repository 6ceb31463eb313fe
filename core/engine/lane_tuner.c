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
#include "engine/lane_tuner.h"

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
static uint64_t median(const scree_lane_tuner_times *times)
{
    uint64_t sorted[SCREE_LANE_TUNER_TIMES], n = MIN(times->n, SCREE_LANE_TUNER_TIMES);
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
static double ratio(const scree_lane_tuner *tuner, uint32_t a, uint32_t b)
{
    for (int kind = 0; kind < 2; kind++) {
        uint64_t ta = median(&tuner->times[a][kind]), tb = median(&tuner->times[b][kind]);
        if (ta && tb)
            return (double)ta / (double)tb;
    }
    return 0.0;
}

static void go_to(scree_lane_tuner *tuner, uint32_t level)
{
    tuner->now = level;
    tuner->skip = true;
    tuner->counted = 0;
    for (int kind = 0; kind < 2; kind++)
        tuner->reference[kind] = level ? median(&tuner->times[level - 1][kind]) : 0;
}

static void settle(scree_lane_tuner *tuner, uint32_t home)
{
    if (home != tuner->home)
        tuner->rest = tuner->pause = SOON;
    tuner->home = home;
    tuner->slow = 0.0;
    tuner->since = 0;
    go_to(tuner, home);
}

void scree_lane_tuner_init(scree_lane_tuner *tuner, uint32_t most)
{
    *tuner = (scree_lane_tuner){.credit = CREDIT / 4.0, .rest = SOON, .pause = SOON};
    uint32_t n = MAX(most, 1);
    for (uint32_t lanes = n; lanes > 1; lanes = (lanes + 1) / 2)
        tuner->top++;
    for (uint32_t level = tuner->top + 1; level-- > 0; n = (n + 1) / 2)
        tuner->lanes[level] = n;
    tuner->home = tuner->top;
    go_to(tuner, tuner->top ? tuner->top - 1 : 0); // what home has to beat
}

uint32_t scree_lane_tuner_lanes(const scree_lane_tuner *tuner)
{
    return tuner->lanes[tuner->now];
}

uint32_t scree_lane_tuner_ahead(const scree_lane_tuner *tuner)
{
    return tuner->lanes[MIN(tuner->home + 1, tuner->top)];
}

/** A trial of the level below home. */
static void note_below(scree_lane_tuner *tuner)
{
    double of_home = ratio(tuner, tuner->now, tuner->home);
    bool first = tuner->times[tuner->home][0].n + tuner->times[tuner->home][1].n == 0;
    if (tuner->counted < LEAST || (tuner->counted < TRIAL && !first && !(of_home > CLEARLY_WORSE)))
        return;
    settle(tuner, of_home > 0.0 && of_home < BETTER ? tuner->now : tuner->home);
}

/** A trial of the level above home. */
static void note_above(scree_lane_tuner *tuner)
{
    double of_home = ratio(tuner, tuner->now, tuner->home), lost = tuner->before - tuner->credit;
    if (lost < 0.25 * CREDIT && tuner->counted < TRIAL &&
        !(tuner->counted >= LEAST && of_home > CLEARLY_WORSE))
        return;
    if (of_home > 0.0 && of_home < BETTER) {
        settle(tuner, tuner->now);
        return;
    }
    tuner->debt = DEBT * MAX(lost, 0.0);
    tuner->credit = tuner->before; // of home
    tuner->rest = tuner->pause = MIN(LATER * tuner->pause, LATE);
    go_to(tuner, tuner->home);
}

static void note_home(scree_lane_tuner *tuner)
{
    bool slow = tuner->slow > 0.5 && tuner->since >= SOON;
    if (tuner->home > 0 && tuner->credit < 0.0)
        settle(tuner, tuner->home - 1);
    else if (tuner->home > 0 && (slow || tuner->since >= AGAIN))
        go_to(tuner, tuner->home - 1);
    else if (tuner->home < tuner->top && !tuner->rest && tuner->credit >= 0.0 &&
             tuner->debt <= 0.0) {
        tuner->before = tuner->credit;
        go_to(tuner, tuner->home + 1);
    }
}

/** Books the credit of a step. One step costs at most half of the credit, because a process may
 * be stopped. */
static void account(scree_lane_tuner *tuner, double ticks, double reference)
{
    double most = MAX(CREDIT, CREDIT_STEPS * reference);
    tuner->credit += ticks / DEBT;
    tuner->debt -= MIN(tuner->debt, ticks);
    if (reference > 0.0) {
        tuner->credit += MAX(reference - ticks, -0.5 * most);
        tuner->slow += ((ticks > reference) - tuner->slow) / 16.0;
    }
    tuner->credit = CLAMP(tuner->credit, -most, most);
}

void scree_lane_tuner_note(scree_lane_tuner *tuner, uint64_t ticks, bool refreshed)
{
    tuner->steps++;
    tuner->lane_steps += tuner->lanes[tuner->now];
    tuner->since++;
    tuner->rest -= tuner->rest > 0;
    account(tuner, (double)ticks, (double)tuner->reference[refreshed]);
    if (tuner->skip) {
        tuner->skip = false;
    } else {
        scree_lane_tuner_times *times = &tuner->times[tuner->now][refreshed];
        times->ticks[times->n++ % SCREE_LANE_TUNER_TIMES] = ticks;
        tuner->counted++;
    }
    if (tuner->now < tuner->home)
        note_below(tuner);
    else if (tuner->now > tuner->home)
        note_above(tuner);
    else
        note_home(tuner);
}
