/* SPDX-License-Identifier: Apache-2.0 */
/* The critical step of bodies among their neighbours, as a scene begins. */
#ifndef CORE_CRITICAL_PACKING_H
#define CORE_CRITICAL_PACKING_H

#include "scene/critical.h"
#include "scene/stiffness.h"

/**
 * Finds out->packing. `of_bodies`, `of_walls`: [materials.n] such partners exist. False with an
 * error when a law fails.
 *
 * Bound. A contact of stiffness K between a and b stores K(u_a - u_b) / 2 of the displacements of
 * its point on both. For any s > 0, K(u_a - u_b) <= (1 + s) K(u_a) + (1 + 1/s) K(u_b), so that all
 * contacts together store no more than separate bodies, each held by its own contacts, with
 * those factors (1 at a wall). The fastest motion of the packing is then no faster than that of the
 * body whose 6 x 6 problem K u = omega^2 M u (3 x 3 in 2D) has the largest omega. s = 1 between
 * equal bodies; between others the one that is held softer takes the larger factor. Without damping
 * this is exact in a simple cubic lattice of equal spheres and in fcc, where neighbours roll
 * against each other: omega^2 = (10/3) Z kt / m for kt = kn.
 *
 * Damping. Dashpots are summed likewise, to 2 zeta omega; the step is that of the integrator at
 * this damping ratio, scree_critical_limit. With velocity Verlet it is a bound as well, since that
 * is stable where dt^2 K / 4 + dt C / 2 stays below M.
 *
 * Contacts are those of the start, of a clump those of its balls. Where most bodies have none, each
 * of those, and each to come, counts as one of a dense packing of its likes (assumed_contacts.h). So
 * does a solid, and what may touch one: their contacts are known in the run only.
 */
bool scree_packing_find(const scree_scene *scene, scree_stiff *stiff, double speed,
                        const bool *of_bodies, const bool *of_walls, scree_critical *out,
                        GError **error);

#endif
