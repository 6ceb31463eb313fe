/* SPDX-License-Identifier: Apache-2.0 */
/* How many lanes pay, from made-up times of steps. */
#include "../../test.h"
#include "engine/lane_tuner.h"

#include <glib.h>

#include "base/random.h"

#define US 2500.0 /* [ticks] in a microsecond */

/** A machine and a scene: what a step takes with one lane, and with all. */
typedef struct machine {
    double one, all;     /* [us] of a step */
    double stall, share; /* [us] and chance of one in a step with more than one lane */
    double growth;       /* of all that in 1000 steps */
    uint64_t refresh;    /* every so many steps takes five times as long, */
    double refresh_all;  /* with all lanes so many times longer than that; 0: 1 */
    double fetch;        /* [us] more for the first step with one lane after others */
} machine;

/** [us] The next step. */
static double do_step(scree_lane_tuner *tuner, const machine *m, uint64_t n)
{
    bool refreshed = m->refresh && n % m->refresh == 0, one = scree_lane_tuner_lanes(tuner) == 1;
    const bool back = one && tuner->skip && n > 0;
    double noise = 0.95 + 0.1 * scree_random_unit(7, 0, n, 0);
    double us = (one ? m->one : m->all) * noise * (refreshed ? 5.0 : 1.0);
    if (!one && refreshed && m->refresh_all > 0.0)
        us *= m->refresh_all;
    us *= 1.0 + m->growth * (double)n / 1000.0;
    if (!one && scree_random_unit(7, 1, n, 0) < m->share)
        us += m->stall;
    us += back ? m->fetch : 0.0;
    scree_lane_tuner_note(tuner, (uint64_t)(us * US), refreshed, UINT32_MAX);
    return us;
}

/** Steps [begin, end); returns their time by that of one lane, as if nothing stalled it. */
static double do_steps(scree_lane_tuner *tuner, const machine *m, uint64_t begin, uint64_t end)
{
    double took = 0.0, alone = 0.0;
    for (uint64_t n = begin; n < end; n++) {
        bool refreshed = m->refresh && n % m->refresh == 0;
        alone += m->one * (refreshed ? 5.0 : 1.0) * (1.0 + m->growth * (double)n / 1000.0);
        took += do_step(tuner, m, n);
    }
    return took / alone;
}

TEST("/pace/nothing-is-lost-when-all-cpus-are-free")
{
    static const machine machines[] = {{.one = 20.0, .all = 12.0},
                                       {.one = 740.0, .all = 450.0, .refresh = 40},
                                       {.one = 1e5, .all = 6e4, .refresh = 1},
                                       {.one = 100.0, .all = 60.0, .refresh = 15, .growth = 1.0}};
    for (size_t i = 0; i < G_N_ELEMENTS(machines); i++) {
        scree_lane_tuner tuner;
        scree_lane_tuner_init(&tuner, 2);
        do_steps(&tuner, &machines[i], 0, 10000);
        double lanes = (double)tuner.lane_steps / (double)tuner.steps;
        g_test_message("%.0f us a step: %.4f of 2 lanes", machines[i].one, lanes);
        g_assert_cmpfloat(lanes, >, 1.99);
    }
}

TEST("/pace/lanes-that-do-not-pay-cost-at-most-1-percent")
{
    // Lanes that share no cache, cost more than they help, or are slower only in steps that refresh.
    static const machine machines[] = {
        {.one = 20.0, .all = 60.0, .refresh = 15},
        {.one = 14.0, .all = 19.0, .refresh = 15},
        {.one = 550.0, .all = 598.0, .refresh = 20},
        {.one = 120.0, .all = 128.0, .refresh = 1500},
        {.one = 120.0, .all = 123.0},
        {.one = 550.0, .all = 550.0, .refresh = 20, .refresh_all = 1.5},
        {.one = 1e5, .all = 2e5, .refresh = 10}};
    for (size_t i = 0; i < G_N_ELEMENTS(machines); i++) {
        scree_lane_tuner tuner;
        scree_lane_tuner_init(&tuner, 2);
        double ratio = do_steps(&tuner, &machines[i], 0, 10000);
        g_test_message("%.0f us a step: %.4f of the time with one lane", machines[i].one, ratio);
        g_assert_cmpfloat(ratio, <, 1.01);
    }
}

TEST("/pace/trials-that-leave-bodies-in-another-cache-cost-at-most-1-percent")
{
    // The trial itself costs nothing; the steps after it fetch 200 to 400 kB.
    static const machine machines[] = {{.one = 30.0, .all = 30.0, .fetch = 700.0},
                                       {.one = 60.0, .all = 59.0, .fetch = 700.0, .refresh = 30}};
    for (size_t i = 0; i < G_N_ELEMENTS(machines); i++) {
        scree_lane_tuner tuner;
        scree_lane_tuner_init(&tuner, 2);
        double ratio = do_steps(&tuner, &machines[i], 0, 20000);
        g_test_message("%.0f us a step: %.4f of the time with one lane", machines[i].one, ratio);
        g_assert_cmpfloat(ratio, <, 1.01);
    }
}

TEST("/pace/stalls-cost-at-most-2-percent-after-200-steps")
{
    // A worker that loses its CPU for some ms.
    static const machine machines[] = {{.one = 20.0, .all = 12.0, .stall = 4000.0, .share = 0.01},
                                       {.one = 740.0, .all = 450.0, .stall = 4000.0, .share = 0.3},
                                       {.one = 1e3, .all = 600.0, .stall = 9e3, .share = 0.5}};
    for (size_t i = 0; i < G_N_ELEMENTS(machines); i++) {
        scree_lane_tuner tuner;
        scree_lane_tuner_init(&tuner, 2);
        do_steps(&tuner, &machines[i], 0, 200);
        double ratio = do_steps(&tuner, &machines[i], 200, 20000);
        g_test_message("%.0f us a step: %.3f of the time with one lane", machines[i].one, ratio);
        g_assert_cmpfloat(ratio, <, 1.02);
    }
}

TEST("/pace/what-changes-is-followed")
{
    const machine open = {.one = 100.0, .all = 60.0, .refresh = 20};
    const machine busy = {.one = 100.0, .all = 150.0, .stall = 4000.0, .share = 0.05};
    scree_lane_tuner tuner;
    scree_lane_tuner_init(&tuner, 2);
    do_steps(&tuner, &open, 0, 5000);
    g_assert_cmpuint(scree_lane_tuner_lanes(&tuner), ==, 2);
    do_steps(&tuner, &busy, 5000, 5500);
    g_assert_cmpfloat(do_steps(&tuner, &busy, 5500, 20000), <, 1.1);
    do_steps(&tuner, &open, 20000, 30000); // what the trials have cost is paid back first
    g_assert_cmpfloat(do_steps(&tuner, &open, 30000, 40000), <, 0.62);
}

TEST("/pace/a-single-stall-changes-nothing")
{
    const machine open = {.one = 100.0, .all = 60.0}, stuck = {.one = 1e6, .all = 1e6};
    scree_lane_tuner tuner;
    scree_lane_tuner_init(&tuner, 2);
    do_steps(&tuner, &open, 0, 3000);
    for (int k = 0; k < 5; k++) {
        do_step(&tuner, &stuck, 3000); // the machine was away for a second
        g_assert_cmpfloat(do_steps(&tuner, &open, 3001, 6000), <, 0.62);
    }
}

TEST("/pace/any-number-of-lanes-comes-to-what-pays")
{
    static const struct {
        uint32_t most, pays;
    } cases[] = {{1, 1}, {3, 2}, {6, 3}, {8, 4}, {8, 1}, {256, 16}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        scree_lane_tuner tuner;
        uint64_t sum = 0;
        scree_lane_tuner_init(&tuner, cases[i].most);
        for (uint64_t n = 0; n < 20000; n++) {
            uint32_t lanes = scree_lane_tuner_lanes(&tuner);
            g_assert_cmpuint(lanes, >=, 1);
            g_assert_cmpuint(lanes, <=, cases[i].most);
            double us = lanes <= cases[i].pays ? 1000.0 / lanes : 1000.0 * lanes;
            scree_lane_tuner_note(&tuner, (uint64_t)(us * US), false, UINT32_MAX);
            sum += n >= 10000 && lanes == cases[i].pays;
        }
        g_assert_cmpuint(sum, >, 9000);
    }
}

TEST("/pace/lists-have-more-blocks-than-lanes-only-for-a-trial")
{
    scree_lane_tuner tuner;
    uint64_t tried = 0, more = 0;
    uint32_t blocks = 2;
    scree_lane_tuner_init(&tuner, 2);
    for (uint64_t n = 0; n < 40000; n++) {
        const uint32_t lanes = scree_lane_tuner_lanes(&tuner);
        g_assert_cmpuint(lanes, <=, blocks);
        tried += lanes == 2 && n > 1000;
        more += blocks == 2;
        scree_lane_tuner_note(&tuner, (uint64_t)((lanes == 2 ? 160.0 : 100.0) * US), n % 20 == 0,
                              blocks);
        if (n % 20 == 0)
            blocks = scree_lane_tuner_ahead(&tuner);
    }
    g_assert_cmpuint(tried, >, 0);
    g_assert_cmpuint(more, <, 4000);
}
