/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of a state, of which conditions and the summary speak. */
#ifndef CORE_FIGURES_H
#define CORE_FIGURES_H

#include "engine/state.h"
#include "scene/scene_condition.h"

/*
 * coordination     [-] contacts between free bodies, twice, over their number
 * mass             [kg] of the free bodies
 * max_speed        [m/s] the highest of a free body's centre
 * solid_fraction   [-] volume of the free bodies over that of the box around their balls; along a
 *                  periodic axis the box is the cell
 * max_overlap      [-] largest depth over the smaller size (scree_world_size: a ball's radius, half a
 *                  solid's thinnest side) of two bodies in contact; of a clump its smallest ball
 * unbalanced       [-] mean resultant on a free body, gravity included, over the mean force of a
 *                  contact that overlaps
 * inertial_number  [-] g d sqrt(rho / p) (GDR MiDi, Eur. Phys. J. E 14 (2004) 341): g the shear rate
 *                  sqrt(2 D:D) of the affine field that fits the velocities best, weighed by mass,
 *                  D its symmetric part without trace; d the mean diameter, rho the mean density; p the
 *                  mean of the normal stresses sum(f x branch) / V, V the box of solid_fraction
 * wall_power       [W] that moving walls put into the bodies, in the last accepted evaluation
 *
 * NaN where a figure has no meaning: without free bodies, contacts, or pressure.
 */

/** Bodies that two figures are of; SCREE_NO_BODY: none. Those with the lowest ids where several are
 * alike. */
typedef struct scree_figure_bodies {
    uint64_t fastest, overlap[2];
} scree_figure_bodies;

/** Ids of the bodies of max_speed and max_overlap, for values of the present state. */
scree_figure_bodies scree_figures_whose(const scree_sim *sim, const double value[SCREE_QUANTITIES]);

/** Fills value[q] for each quantity q of the mask; others are not written. Figures of contacts are those of
 * the last accepted evaluation, NaN unless sim->records.figures was set before it. The state is settled. */
void scree_figures_now(const scree_sim *sim, uint64_t wanted, double value[SCREE_QUANTITIES]);

/** Offers scree.figures/1 to the observers of a sim. */
void scree_figures_offer(scree_sim *sim);

#endif
