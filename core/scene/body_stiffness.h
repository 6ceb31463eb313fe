/* SPDX-License-Identifier: Apache-2.0 */
/* How a body is held by its contacts: their stiffness, as a 6 x 6 matrix, and how fast it swings.
 */
#ifndef CORE_BODY_STIFFNESS_H
#define CORE_BODY_STIFFNESS_H

#include <stdint.h>

#include "scree/force.h"

enum { SCREE_STIFFNESS_TERMS = 21 }; /* upper triangle of a symmetric 6 x 6 matrix, row by row */

/** Sum over the contacts of a body, of translations x y z and rotations x y z, in the body's
 * principal axes; in 2D, and where its moments are equal, in any. */
typedef struct scree_body_stiffness {
    double k[SCREE_STIFFNESS_TERMS]; /* springs: [N/m] [N/rad] [N m/rad] */
    double c[SCREE_STIFFNESS_TERMS]; /* dashpots: [N s/m] [N s/rad] [N m s/rad] */
    uint32_t n;                      /* contacts */
} scree_body_stiffness;

/** Adds `share` of a contact: `normal` is its unit normal (either way), `arm` [m] points from the
 * body's centre to it, both in the axes of the matrix. */
void scree_body_stiffness_add(scree_body_stiffness *body, double share, const double normal[3],
                              const double arm[3], const scree_stiffness *k);
/** Largest eigenvalue of `matrix` (k [1/s^2] or c [1/s] of a body) over the body's mass and
 * principal moments of inertia. 2D: of motion in the plane. */
double scree_body_stiffness_rate(const double matrix[SCREE_STIFFNESS_TERMS], uint32_t dimension,
                                 double mass, const double inertia[3]);
/** [1/s^2] Sum of the eigenvalues that the springs of a contact add: at least the largest one. */
double scree_body_stiffness_load(uint32_t dimension, double mass, const double inertia[3],
                                 const double normal[3], const double arm[3],
                                 const scree_stiffness *k);

#endif
