/* SPDX-License-Identifier: Apache-2.0 */
/* Modifier `insert`: what is due by a rate that may change in the run. */
#ifndef PLUGINS_INSERT_RATE_H
#define PLUGINS_INSERT_RATE_H

#include <math.h>

/** A count, as global fields hold it: enter() may set those, and a swap that fails restores them. */
typedef struct rate_count {
    double rate, start; /* [kg/s] or [1/s] NaN: none; [s] */
    double since;       /* [s] the rate counts from here */
    double owed;        /* [kg] or [-] due until then */
    int by_mass;        /* 1: the rate is by mass */
} rate_count;

static inline rate_count rate_begin(double mass_rate, double number_rate, double start)
{
    const int by_mass = !isnan(mass_rate);
    rate_count c = {.rate = by_mass ? mass_rate : number_rate};
    c.start = c.since = start;
    c.by_mass = by_mass;
    return c;
}

/** Amount that has become due; none does after `stop` (NaN: never). */
static inline double rate_due(const rate_count *c, double time, double stop)
{
    const double since = (time > stop ? stop : time) - c->since;
    return c->owed + c->rate * (since > 0.0 ? since : 0.0);
}

/** Continues the count with another rate, unless it is of another kind or start. */
static inline void rate_change(rate_count *c, rate_count now, double time, double stop)
{
    const int goes_on = now.by_mass == c->by_mass && now.start == c->start && c->rate > 0.0;
    if (isnan(now.rate) || (goes_on && now.rate == c->rate))
        return;
    if (goes_on && time > now.start) {
        now.owed = rate_due(c, time, stop);
        now.since = time;
    }
    *c = now;
}

#endif
