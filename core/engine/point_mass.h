/* SPDX-License-Identifier: Apache-2.0 */
/* The mass that a contact point has along its normal. */
#ifndef CORE_POINT_MASS_H
#define CORE_POINT_MASS_H

#include "engine/lane.h"

/** Returns the inverse mass [1/kg] of body i at the end of `arm` along the unit vector n: 1/m +
 * (arm × n)·I^-1 (arm × n); 0: the body is not free. */
double scree_point_inverse(const scree_world *w, uint32_t i, const double arm[3],
                           const double n[3]);
/** Sets lane->point_mass of the n contacts of the lane (SCREE_IN_MASS_POINT). */
void scree_point_masses(const scree_world *w, uint32_t n, const scree_lane *lane);

#endif
