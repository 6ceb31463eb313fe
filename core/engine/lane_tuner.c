/* SPDX-License-Identifier: Apache-2.0 */
/* The number of lanes that pay, found from the times of steps; no result depends on it
 * (determinism.md, S8).
 *
 * Another process on its CPU stops a worker for milliseconds, mostly while the worker holds a
 * chunk, and the caller waits: two lanes are then slower than one. Small scenes are slower with two
 * in any case. No lane can see whether it helps, so both ways are tried.
 *
 * Idea     Levels have 1, 2, 4, ... and all lanes. Steps run at the level `home`, at first one lane.
 *          The level above is tried at once, then after pauses. Home goes up when that is clearly
 *          faster. Two things lower it:
 *          - Credit. Each step adds the time by which it was faster than a step on the level below,
 *            or takes away the time by which it was slower. Home goes down without credit. Time
 *            brings back 1 / DEBT of it; with credit the level above is tried again, and the cost
 *            of a trial is paid back in the same way. So stalls of any length cost at most
 *            1 / DEBT of a run and the first credit. A single one is free after lanes have paid.
 *          - Most steps are slower than on the level below, which is then tried again. It is also
 *            tried now and then, because scenes change. It becomes home unless it is slower.
 *          More blocks than lanes cost a little: lists get more of them only for a trial.
 *          After a trial the bodies are in the cache of another CPU. The steps that fetch them back
 *          are slower, which look like other steps to a lane, so each trial counts as AWAY at least.
 *          A trial is a few steps, and more where the two are about equally fast. Medians are
 *          compared, of steps that refreshed lists and of others, by their shares of the time.
 * Limits   A machine that changes faster than trials come is followed only on average. */
#include "engine/lane_tuner.h"

#include <glib.h>
#include <string.h>

enum {
    LEAST = 3,    /* steps for a median; a clearly worse trial ends after them */
    TRIAL = 8,    /* steps of another trial, */
    LONG = 32,    /* of one whose levels are about equally fast */
    SOON = 32,    /* steps before the next trial */
    LATER = 8,    /* times as many, after a trial without effect */
    LATE = 256,   /* most steps before a trial of the level above */
    AGAIN = 1024, /* most steps before a trial of the level below */
    DEBT = 160,
};
#define BETTER 0.95        /* share of the time on home, below which the level above is better */
#define NO_WORSE 1.01      /* the same, below which the level below is better */
#define EVEN 0.1           /* difference of the share from 1, up to which a trial is long */
#define CLEARLY_WORSE 1.25 /* ratio to the time on the other level */
#define AWAY 2.0e6         /* [ticks] some 0.8 ms: least cost of a trial without effect */
#define CREDIT 5.0e7       /* [ticks] most credit, some 20 ms, or CREDIT_STEPS steps */
#define CREDIT_STEPS 32.0

/** Returns the median of the noted times; 0: they are too few. */
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

/** Returns the time of steps on level a over that on level b; 0: unknown. */
static double ratio(const scree_lane_tuner *tuner, uint32_t a, uint32_t b)
{
    double of_a = 0.0, of_b = 0.0;
    for (int kind = 0; kind < 2; kind++) {
        const double ta = (double)median(&tuner->times[a][kind]);
        const double tb = (double)median(&tuner->times[b][kind]);
        const double n = ta > 0.0 && tb > 0.0 ? (double)tuner->times[b][kind].n : 0.0;
        of_a += n * ta;
        of_b += n * tb;
    }
    return of_b > 0.0 ? of_a / of_b : 0.0;
}

/** Returns whether a trial has enough steps. */
static bool is_over(const scree_lane_tuner *tuner, double of_home)
{
    const bool even = of_home > 1.0 - EVEN && of_home < 1.0 + EVEN;
    const uint32_t least = of_home > CLEARLY_WORSE ? LEAST : even ? LONG : TRIAL;
    return tuner->counted >= least;
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
    if (home > tuner->home)
        tuner->rest = 0;
    else
        tuner->settled = true;
    tuner->settled |= home == tuner->top;
    tuner->home = home;
    tuner->slow = 0.0;
    tuner->since = 0;
    go_to(tuner, home);
}

void scree_lane_tuner_init(scree_lane_tuner *tuner, uint32_t most)
{
    *tuner = (scree_lane_tuner){.credit = CREDIT / 4.0, .rest = LEAST + 1, .pause = SOON};
    uint32_t n = MAX(most, 1);
    for (uint32_t lanes = n; lanes > 1; lanes = (lanes + 1) / 2)
        tuner->top++;
    for (uint32_t level = tuner->top + 1; level-- > 0; n = (n + 1) / 2)
        tuner->lanes[level] = n;
    go_to(tuner, 0);
}

uint32_t scree_lane_tuner_lanes(const scree_lane_tuner *tuner)
{
    return tuner->lanes[tuner->now];
}

uint32_t scree_lane_tuner_ahead(const scree_lane_tuner *tuner)
{
    if (!tuner->settled)
        return tuner->lanes[tuner->top];
    return tuner->lanes[MIN(tuner->home + (tuner->short_of_blocks ? 1 : 0), tuner->top)];
}

/** Notes a trial of the level below home. */
static void note_below(scree_lane_tuner *tuner)
{
    const double of_home = ratio(tuner, tuner->now, tuner->home);
    if (is_over(tuner, of_home))
        settle(tuner, of_home > 0.0 && of_home < NO_WORSE ? tuner->now : tuner->home);
}

/** Notes a trial of the level above home. */
static void note_above(scree_lane_tuner *tuner)
{
    const double of_home = ratio(tuner, tuner->now, tuner->home);
    const double lost = tuner->before - tuner->credit;
    if (lost < 0.25 * CREDIT && !is_over(tuner, of_home))
        return;
    if (of_home > 0.0 && of_home < BETTER) {
        settle(tuner, tuner->now);
        return;
    }
    tuner->settled = true;
    tuner->debt = DEBT * MAX(lost, AWAY);
    tuner->credit = tuner->before; // credit of home
    tuner->rest = tuner->pause = MIN(LATER * tuner->pause, LATE);
    go_to(tuner, tuner->home);
}

static void note_home(scree_lane_tuner *tuner, uint32_t blocks)
{
    bool slow = tuner->slow > 0.5 && tuner->since >= SOON;
    if (tuner->home > 0 && tuner->credit < 0.0)
        settle(tuner, tuner->home - 1);
    else if (tuner->home > 0 && (slow || tuner->since >= AGAIN))
        go_to(tuner, tuner->home - 1);
    else if (tuner->home < tuner->top && !tuner->rest && tuner->credit >= 0.0 &&
             tuner->debt <= 0.0) {
        tuner->short_of_blocks = blocks < tuner->lanes[tuner->home + 1];
        if (tuner->short_of_blocks)
            return;
        tuner->before = tuner->credit;
        go_to(tuner, tuner->home + 1);
    }
}

/** Books the credit of a step. One step costs at most half of the credit, because the process may
 * have been stopped. */
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

void scree_lane_tuner_note(scree_lane_tuner *tuner, uint64_t ticks, bool refreshed, uint32_t blocks)
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
        note_home(tuner, blocks);
}
