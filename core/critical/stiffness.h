/* SPDX-License-Identifier: Apache-2.0 */
/* The stiffness of a contact, given by the laws; a body held by its contacts: their stiffness as a
 * 6 x 6 matrix, and its frequencies. */
#ifndef CORE_STIFFNESS_H
#define CORE_STIFFNESS_H

#include <stdint.h>

#include "plugin/instance_data.h"
#include "scree/force.h"

typedef struct scree_stiff {
    uint32_t n_laws;
    scree_instance *const *laws;
    uint64_t points;         /* bits of laws that take point_mass [kg], where it */
    double point_mass;       /* is above 0, instead of the query's mass */
    uint32_t type_a, type_b; /* codes of the shapes in contact; SCREE_NONE: any */
    bool asked;              /* set after the first query; 0 at the start */
    bool answers;            /* some law has a stiffness */
} scree_stiff;

/** Sums the stiffness over the laws between both types. False with an error: a law fails, or its
 * stiffness is invalid. */
bool scree_stiff_sum(scree_stiff *stiff, scree_stiffness_query *query, scree_stiffness *sum,
                     GError **error);
/** Raises each member of *k to that of the other stiffness. */
void scree_stiffness_widen(scree_stiffness *k, const scree_stiffness *other);

enum { SCREE_STIFFNESS_TERMS = 21 }; /* upper triangle of a symmetric 6 x 6 matrix, row by row */

/** Stiffness summed over the contacts of a body, for displacements x y z and rotations x y z. The
 * axes are the body's principal axes; any axes in 2D, or if its moments are equal. */
typedef struct scree_body_stiffness {
    double k[SCREE_STIFFNESS_TERMS]; /* springs: [N/m] [N/rad] [N m/rad] */
    double c[SCREE_STIFFNESS_TERMS]; /* dashpots: [N s/m] [N s/rad] [N m s/rad] */
    uint32_t n;                      /* number of contacts */
} scree_body_stiffness;

/** Adds `share` of a contact: its unit normal `normal` (either sign), and `arm` [m] from the body's
 * centre to it, both in the axes of the matrix. */
void scree_body_stiffness_add(scree_body_stiffness *body, double share, const double normal[3],
                              const double arm[3], const scree_stiffness *k);
/** The largest eigenvalue of `matrix` (k [1/s^2] or c [1/s] of a body) over the body's mass and
 * principal moments of inertia. 2D: of motions in the plane. Not `exact`: a number that is not
 * smaller, the root of the sum of all squares. */
double scree_body_stiffness_rate(const double matrix[SCREE_STIFFNESS_TERMS], uint32_t dimension,
                                 double mass, const double inertia[3], bool exact);
/** The sum of these eigenvalues: at least the largest one. */
double scree_body_stiffness_sum(const double matrix[SCREE_STIFFNESS_TERMS], uint32_t dimension,
                                double mass, const double inertia[3]);

#endif
