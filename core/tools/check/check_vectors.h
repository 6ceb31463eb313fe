/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors and turns, as several cases need them. */
#ifndef CORE_CHECK_VECTORS_H
#define CORE_CHECK_VECTORS_H

#include <math.h>

#include "base/rotation.h"

static inline double scree_check_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** `out` may be neither a nor b. */
static inline void scree_check_cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/** Turns q on, for `since` seconds by the spin w [rad/s]. */
static inline void scree_check_turn_on(double q[4], const double w[3], double since)
{
    const double speed = sqrt(scree_check_dot(w, w)), half = 0.5 * since;
    const double s = speed > 0.0 ? sin(half * speed) / speed : half;
    const double turn[4] = {cos(half * speed), s * w[0], s * w[1], s * w[2]};
    const double was[4] = {q[0], q[1], q[2], q[3]};
    scree_rotation_product(turn, was, q);
}

#endif
