/* SPDX-License-Identifier: Apache-2.0 */
/* Principal moments and axes of an inertia tensor. */
#ifndef CORE_PRINCIPAL_H
#define CORE_PRINCIPAL_H

#include <stdbool.h>

/** `inertia`: xx yy zz xy xz yz. Principal moments in ascending order, and the rotation q (w, x, y,
 * z) from the principal axes to the given ones. The largest component of the first two axes (the
 * first among equal ones) is positive; the third completes a right-handed frame. Where all products
 * are below 1e-12 of the largest moment nothing is turned or ordered: q = 1, and false. */
bool scree_principal(const double inertia[6], double moments[3], double q[4]);

#endif
