/* SPDX-License-Identifier: Apache-2.0 */
/* A clock that never goes back: for choices between GCDs and for reports, never for results. */
#ifndef SCREE_GCD_CLOCK_H
#define SCREE_GCD_CLOCK_H

#include <time.h>

/** [any] [s] */
static inline double clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
