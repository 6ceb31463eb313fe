/* SPDX-License-Identifier: Apache-2.0 */
/* Rotation of vectors by unit quaternions: scree_rotate(), scree_rotate_back(). The host and the
 * plugins share one text, so that both round alike. Products of quaternions are the host's own. */
#ifndef SCREE_ROTATION_H
#define SCREE_ROTATION_H

#include "scree/rotation_sdk.h"

/** Sets `out` to the rotation b, then a: the product a b. `out` may be neither. */
static inline void scree_rotation_product(const double a[4], const double b[4], double out[4])
{
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

#endif
