/* SPDX-License-Identifier: Apache-2.0 */
/* The clock by which the host measures its own time. */
#include "base/clock.h"

#include <time.h>

double scree_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
