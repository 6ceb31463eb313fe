/* SPDX-License-Identifier: Apache-2.0 */
/* How stiff a contact is, of which the laws are asked; how a body is held by its contacts: their stiffness
 * as a 6 x 6 matrix, and how fast it swings. */
#ifndef CORE_STIFFNESS_H
#define CORE_STIFFNESS_H

#include <stdint.h>

#include "plugin/instance_data.h"
#include "scree/force.h"

typedef struct scree_stiff {
    uint32_t n_laws;
    scree_instance *const *laws;
    uint64_t points;         /* laws, by bit, that take point_mass [kg] instead of the query's, */
    double point_mass;       /* where that is above 0 */
    uint32_t type_a, type_b; /* codes of the shapes in contact, SCREE_NONE: any */
    bool asked;              /* once; 0 to begin with */
    bool answers;            /* some law has a stiffness */
} scree_stiff;

/** Sum over the laws that act between the two types. False with an error when one fails, or gives
 * an invalid stiffness. */
bool scree_stiff_sum(scree_stiff *stiff, scree_stiffness_query *query, scree_stiffness *sum,
                     GError **error);
/** *k becomes the larger of both, one by one. */
void scree_stiffness_widen(scree_stiffness *k, const scree_stiffness *other);

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
