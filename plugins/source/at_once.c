// SPDX-License-Identifier: Apache-2.0
/*
 * Updates in which all bodies move at once: sites.c says which of them may.
 */
#include "filling.h"

#define SHORTER 0.95 // [-] of the time of a body that was blocked

/* Fills site 1: the poses that bodies want. The fewer wait, the more places each of them tries. */
static void want(filling *f)
{
    const uint32_t shape = f->p.config->body->shape;
    const uint64_t waiting = f->n - f->sites.n0;
    const uint64_t most = waiting ? f->n / waiting : 0, tries = most < TRIES ? most : TRIES;
    f->sites.n1 = 0;
    for (uint64_t i = 0; i < f->n; i++) {
        const int waits = f->place[i] == WAITS;
        const uint64_t n = waits ? tries : 1;
        for (uint64_t t = 0; t < n; t++) {
            double x[3] = {0.0, 0.0, 0.0}, q[4];
            int is_in;
            if (waits) {
                is_in = filling_entry(f, i, t, x, q);
            } else {
                filling_pose(f, i, x, q);
                is_in = filling_hold(f, i, x);
            }
            if (is_in)
                sites_want(&f->sites, i, shape, f->scale[i], x, q);
        }
    }
}

/* [m] How far a pose of site 1 is along the drift, from one of site 0. */
static double advance_of(const filling *f, uint32_t from, uint32_t to)
{
    double along = 0.0, drift2 = 0.0;
    for (int k = 0; k < 3; k++) {
        along += f->drift[k] * (f->sites.x[k][to] - f->sites.x[k][from]);
        drift2 += f->drift[k] * f->drift[k];
    }
    return drift2 > 0.0 ? along / sqrt(drift2) : 0.0;
}

/* Makes what is left of site 1 part of site 0. */
static void move(filling *f)
{
    sites *s = &f->sites;
    const uint32_t first = s->n0, n = s->n1;
    memset(f->moved, 0, (size_t)f->n);
    s->n1 = 0;
    for (uint32_t k = first; k < first + n; k++) {
        const uint64_t i = s->body[k];
        if (f->moved[i]) // it has entered at another place
            continue;
        f->moved[i] = 1;
        if (f->place[i] == WAITS) // its pose goes to the end of site 0, no further than it was
            f->place[i] = s->n0++;
        else
            f->advance += advance_of(f, f->place[i], k);
        sites_copy(s, k, f->place[i]);
    }
    for (uint64_t i = 0; i < f->n; i++)
        if (f->place[i] != WAITS)
            f->share[i] = f->moved[i] ? fmin(LONGER * f->share[i], 1.0)
                                      : fmax(SHORTER * f->share[i], f->config->shortest);
}

int32_t filling_update_all(filling *f)
{
    want(f);
    const int32_t code = sites_settle(&f->sites, f->p.query);
    if (code >= 0)
        move(f);
    return code;
}
