/* SPDX-License-Identifier: Apache-2.0 */
/* The critical step of a body with as many neighbours as it has room for. */
#ifndef CORE_CRITICAL_BOUND_H
#define CORE_CRITICAL_BOUND_H

#include "critical/critical.h"
#include "critical/critical_crowd.h"
#include "critical/stiffness.h"

/** A free body of the scene. */
typedef struct scree_bound_body {
    const scree_shape *shape;
    uint64_t id;
    uint32_t material;
    double scale;
    double mass, inertia[3];
} scree_bound_body;

/** The largest step [s] with this integrator (NULL: central differences without damping) of an
 * oscillator with omega^2 = `rate` [1/s^2] and 2 zeta omega = `damping` [1/s]; *zeta: its ratio. */
double scree_bound_limit(const scree_choice_of *integrator, double rate, double damping,
                         double *zeta);
/** Sets *out to this motion of the body, and returns true, if its step is smaller. */
bool scree_bound_keep(const scree_scene *scene, const scree_bound_body *body, double rate,
                      double damping, scree_critical_step *out);
/** Finds the stiffness *k of a contact with a partner of this kind. It has the radii [m] (0: flat)
 * where both touch, the effective mass [kg], and this depth [m], or the expected speed for depth 0.
 * False with an error: a law fails. */
bool scree_bound_ask(const scree_crowd *crowd, scree_stiff *stiff, const scree_bound_body *body,
                     const scree_crowd_kind *kind, const double radius[2], double mass,
                     double depth, scree_stiffness *k, GError **error);

/**
 * Sets *out to the step of the body with its contacts, if that is smaller.
 *
 * Bound. A contact of stiffness K between a and b stores K(u_a - u_b) / 2, where u_a and u_b are
 * the displacements of its point on both. For any s > 0, K(u_a - u_b) <= (1 + s) K(u_a) + (1 + 1/s)
 * K(u_b). Let omega_i be the frequency of body i among neighbours that do not move. With
 * s = omega_b^2 / omega_a^2, body a is held by at most omega_a^2 + omega_b^2. So no motion of the
 * packing is faster than that of a body whose contacts with free bodies count twice.
 *
 * Contacts. A ball has room for a number of balls of the smallest size (Fejes Toth 1943; of its own
 * size: 12; discs: 6), and each touches it at one point. All of them together are spread evenly
 * around it; fewer hold it no better than each one by itself. A body that is not round has the
 * contacts of the ball of its volume (12 is also twice its degrees of freedom: without friction no
 * packing has more on average). They are at the corners of the box around the body; a clump has
 * them all over its balls. A solid with a support function and no exact mesh is curved and convex:
 * they are spread over its surface, by area or by direction (critical_surface.h). Another curved
 * body counts as a ball with its moments.
 * A plane takes one contact, other walls as many as the dimension; each takes the room of a quarter
 * (2D: a third) of the neighbours. A solid with flat faces touches each other body at four points
 * (2D: two), a clump with three balls (2D: two), all others at one.
 *
 * Damping. Dashpots are summed in the same way, motion by motion. The step is that of the
 * integrator at the damping ratio of the motion.
 *
 * Partners of every type and material are tried: the smallest, the largest, and one of the body's
 * own size. If nothing moves or falls, laws are asked about an overlap of 1 % of a radius.
 *
 * False with an error: a law fails.
 */
bool scree_bound_take(const scree_scene *scene, const scree_crowd *crowd, scree_stiff *stiff,
                      const scree_bound_body *body, scree_critical_step *out, GError **error);

#endif
