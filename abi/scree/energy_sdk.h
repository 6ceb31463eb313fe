/* SPDX-License-Identifier: MIT */
/* Inline helpers for laws that report energy: `lost`, `heat`, the ends of contacts (force.h). Only
 * for convenience, never part of the ABI. */
#ifndef SCREE_ENERGY_SDK_H
#define SCREE_ENERGY_SDK_H

#include <string.h>

#include "kernel_sdk.h"
#include "scree.h"
#include "slide_sdk.h"

/*
 * How a law reports its energy: force.h has the rules, here is an example of each.
 *
 * `stored` and `lost`: a spring and a dashpot, with vn = v · n, above 0 when the bodies approach.
 *
 *     f      = -(kn depth + cn vn) n
 *     stored = kn depth^2 / 2        [J] the spring gives this back
 *     lost   = cn vn^2               [W] the dashpot turns this into heat
 *
 * The law writes these at every contact. The host multiplies `lost` by the time since the committed
 * state. It books three quarters of the product where a contact begins, and one quarter where a
 * contact has ended.
 *
 * Ends of contacts: a law with SCREE_OUT_PARTED multiplies by these shares itself. Then the host
 * also calls it for contacts that have ended, at depth < 0 and with parted = 1.
 *
 *     double now = scree_skips_now(b, c) ? 0.0 : 0.75;     the contact exists now
 *     double then = scree_skips_then(b, c) ? 0.0 : 0.25;   it existed at the committed state
 *     double speed = fabs(vn);
 *     lost = scree_dashpot_heat(HUGE_VAL, cn, speed, now) +
 *            scree_dashpot_heat(HUGE_VAL, cn, speed, then);
 *
 * `heat`: a cord with stretch s pulls by k s; it snaps where s is above a limit.
 *
 *     if (s > limit) {
 *         f = 0;  stored = 0;  keep = 0;
 *         heat = k s^2 / 2 + k s vn since / 2;   [J]
 *     }
 *
 * The first term is the energy of the cord. The second term is the work that the pull would do in
 * the last half step, but no longer does. It is below 0, because vn is below 0 here: the heat is
 * less than the energy of the cord.
 */

/** [W] Heat of a dashpot c [N s/m] at `speed`. `share`: 0.75 for the current state, 0.25 for the
 * committed state, 0 if the dashpot did not act. A dashpot force above `room` [N] is cut to
 * `room`. */
static inline double scree_dashpot_heat(double room, double c, double speed, double share)
{
    double cut = share > 0.0 ? 0.5 * room * speed : 0.0;
    return c * speed > room ? cut : share * c * speed * speed;
}

/** Sets the tangential spring of contact c, in[0 .. 2] and out[0 .. 2], to s. Its stiffness was
 * k_then and is k [N/m]. Returns the heat [W]: the work on the spring, without the energy that it
 * stores. 0 when the contact sticks and k has not changed. */
static inline double scree_spring_heat(const scree_contact_batch *b, uint32_t c, double k_then,
                                       double k, const double s[3])
{
    double un = 0.0, hn = 0.0, h2 = 0.0, work = 0.0;
    for (int i = 0; i < 3; i++) {
        un += b->slip[i][c] * b->normal[i][c];
        hn += b->in[i][c] * b->normal[i][c];
        h2 += b->in[i][c] * b->in[i][c];
    }
    double then = k_then * scree_max(scree_turn_spring(hn, h2), 0.0);
    for (int i = 0; i < 3; i++) {
        double u = b->slip[i][c] - un * b->normal[i][c], h = b->in[i][c] - hn * b->normal[i][c];
        work += (then * h + k * s[i]) * u - k * s[i] * s[i];
        b->out[i][c] = s[i];
    }
    return b->since > 0.0 ? 0.5 * (work + k_then * h2) / b->since : 0.0;
}

/** 1 when contact c does not exist now. */
static inline int scree_skips_now(const scree_contact_batch *b, uint32_t c)
{
    return !(b->depth[c] >= 0.0);
}
/** 1 when contact c did not exist at the committed state. */
static inline int scree_skips_then(const scree_contact_batch *b, uint32_t c)
{
    return SCREE_KNOWS(b, parted) && b->parted ? 0 : b->fresh[c] || !(b->depth[c] >= 0.0);
}

/** [-] Share of c t^2 that a tangential dashpot turns into heat while the contact sticks: 1 -
 * (omega h)^2 / 4, where h is the time step, and omega^2 = k (1 + m r^2 / I) / m the squared
 * frequency of two balls. A normal dashpot needs no such share: the ends of contacts compensate for
 * it. */
static inline double scree_lag(double k, double m, double since)
{
    return 1.0 - 0.875 * k * since * since / m;
}

/** Sets mark = 1 for the contacts that begin and, with `forceless`, also for contacts without a
 * force. A law computes the heat of marked contacts one by one. */
static inline void scree_mark_ends(const scree_contact_batch *b, int forceless, double *mark)
{
    const uint8_t *end = b->fresh + b->n, *at = b->since > 0.0 ? b->fresh : end;
    for (; (at = (const uint8_t *)memchr(at, 1, (size_t)(end - at))) != NULL; at++)
        mark[at - b->fresh] = 1.0;
    if (forceless)
        for (uint32_t c = 0; c < b->n; c++)
            if (b->f[0][c] == 0.0 && b->f[1][c] == 0.0 && b->f[2][c] == 0.0)
                mark[c] = 1.0;
}

#endif
