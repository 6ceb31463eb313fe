/* SPDX-License-Identifier: Apache-2.0 */
/* extent.renew = "auto": all extents or only those that were left, whichever takes less time; no
 * result depends on it (determinism.md, S8).
 *
 * Idea     Where all bodies move alike, all extents are nearly used up when the first one is left:
 *          renewing that one only puts off the others. Where few move, renewing all extents is a
 *          waste. So a sample of bodies shows, when all are renewed, which share of its extent each
 *          has used since the last time. If that is little, on average, renewals of single extents
 *          may pay, and are tried. The tuner of lanes judges by times (lane_tuner.c). It notes
 *          periods, not steps, because what counts is how often lists are refreshed, too.
 * Limits   Bodies turn, too: the sample looks at their places only. */
#include "engine/renewal.h"

#include <glib.h>
#include <math.h>

enum {
    SAMPLE = 128,   /* bodies */
    SHORTEST = 8,   /* steps in a period, */
    LONGEST = 1024, /* which has some two renewals of all extents */
    EVENTS = 32,    /* renewals of single extents that cost as much as one of all, about */
};
#define LITTLE 0.2 /* share of an extent */

void scree_renewal_init(scree_renewal *renewal)
{
    *renewal = (scree_renewal){.on = true};
    scree_lane_tuner_init(&renewal->tuner, 2);
}

void scree_renewal_look(scree_renewal *renewal, const scree_world *w, const scree_box_set *boxes)
{
    const uint32_t n = w->n_free, m = MIN(n, SAMPLE);
    double used = 0.0;
    for (uint32_t s = 0; s < m; s++) {
        const uint32_t i = (uint32_t)((uint64_t)s * n / m);
        const double *ref = boxes->ref + 4 * (size_t)i;
        const double x = w->x[0][i] - ref[0], y = w->x[1][i] - ref[1], z = w->x[2][i] - ref[2];
        const double share = sqrt(x * x + y * y + z * z) / ref[3];
        used += share < 1.0 ? share : 1.0; // also if it is not a number
    }
    const double mean = m ? used / m : 1.0;
    renewal->few = mean < LITTLE && MIN(mean * n, (double)renewal->since) < EVENTS;
    renewal->interval = renewal->since;
    renewal->since = 0;
}

bool scree_renewal_note(scree_renewal *renewal, uint64_t ticks)
{
    renewal->ticks += ticks;
    renewal->steps++;
    renewal->since++;
    if (renewal->steps >= CLAMP(2 * renewal->interval, SHORTEST, LONGEST)) {
        const uint64_t mean = renewal->ticks / renewal->steps;
        scree_lane_tuner_note(&renewal->tuner, MAX(mean, 1), false, renewal->few ? 2 : 1);
        renewal->ticks = renewal->steps = 0;
    }
    return scree_lane_tuner_lanes(&renewal->tuner) == 2;
}
