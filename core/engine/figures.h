/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of a state, for conditions and the summary. */
#ifndef CORE_FIGURES_H
#define CORE_FIGURES_H

#include "engine/state.h"
#include "scene/figure_names.h"

/*
 * scene/figure_names.c defines them. inertial_number (GDR MiDi, Eur. Phys. J. E 14 (2004) 341) is
 * g d sqrt(rho / p): g is the shear rate sqrt(2 D:D) of the affine field that fits the velocities
 * best, weighted by mass, and D its symmetric part without trace; d is the mean diameter, rho the
 * mean density; p is the mean of the normal stresses sum(f x branch) / V, V the box of
 * solid_fraction.
 *
 * NaN: a figure has no meaning, without free bodies, contacts, or pressure.
 */

/** Fills value[k] for each figure k of the mask, and no others. Figures of contacts are those of
 * the last accepted evaluation; NaN unless sim->records.figures was set before. The state is
 * settled. */
void scree_figures_now(const scree_sim *sim, uint64_t wanted, double value[SCREE_MOST_FIGURES]);

/** Finds the ids of the bodies of figure k, for its value in the current state; the lowest ids of
 * equal ones. Returns their number, 0: none. */
uint32_t scree_figure_bodies(const scree_sim *sim, uint32_t k, double value, uint64_t id[2]);

/** Offers scree.figures/1 to the observers of a sim. */
void scree_figures_offer(scree_sim *sim);

#endif
