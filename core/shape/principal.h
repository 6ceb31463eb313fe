/* SPDX-License-Identifier: Apache-2.0 */
/* Principal moments and axes of an inertia tensor. */
#ifndef CORE_PRINCIPAL_H
#define CORE_PRINCIPAL_H

#include <stdbool.h>

/** Finds the principal moments in ascending order, and the rotation q (w, x, y, z) from the
 * principal axes to the given axes. `inertia`: xx yy zz xy xz yz. The largest component of the
 * first two axes (the first of equal ones) is positive; the third completes a right-handed frame.
 * False, with q = 1 and unsorted moments: all products are below 1e-12 of the largest moment. */
bool scree_principal(const double inertia[6], double moments[3], double q[4]);

#endif
