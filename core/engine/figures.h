/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of a state, of which conditions and the summary speak. */
#ifndef CORE_FIGURES_H
#define CORE_FIGURES_H

#include "engine/state.h"
#include "scene/figure_names.h"

/*
 * scene/figure_names.c says what each is. inertial_number (GDR MiDi, Eur. Phys. J. E 14 (2004) 341) is
 * g d sqrt(rho / p): g the shear rate sqrt(2 D:D) of the affine field that fits the velocities best,
 * weighed by mass, D its symmetric part without trace; d the mean diameter, rho the mean density; p the
 * mean of the normal stresses sum(f x branch) / V, V the box of solid_fraction.
 *
 * NaN where a figure has no meaning: without free bodies, contacts, or pressure.
 */

/** Fills value[k] for each figure k of the mask; others are not written. Figures of contacts are those of
 * the last accepted evaluation, NaN unless sim->records.figures was set before it. The state is settled. */
void scree_figures_now(const scree_sim *sim, uint64_t wanted, double value[SCREE_MOST_FIGURES]);

/** Ids of the bodies that figure k is of, for its value in the present state, and how many these are: the
 * lowest ids where several are alike. 0: none. */
uint32_t scree_figure_bodies(const scree_sim *sim, uint32_t k, double value, uint64_t id[2]);

/** Offers scree.figures/1 to the observers of a sim. */
void scree_figures_offer(scree_sim *sim);

#endif
