/* SPDX-License-Identifier: Apache-2.0 */
/* Contacts of a state found again only from positions, by other formulas than the plugins'. */
#ifndef TESTS_SCENES_BRUTE_H
#define TESTS_SCENES_BRUTE_H

#include "harness.h"

/** A touch: storage numbers, a the ball; cells: whole periodic cells added to x_b; depth [m]. */
typedef struct touch {
    uint32_t a, b;
    int32_t cells[3];
    double depth;
} touch;

/** All touches with depth >= 0. `cell` > 0: balls against balls by cells of that size [m] (not
 * across periodic boundaries), else each against each. New array of touch. */
GArray *brute_touches(const scree_sim *sim, double cell);
/** The run's contacts, as touches. The newest step must be from run_recorded. */
GArray *run_touches(scree_sim *sim);

/** How far the fourth corner of a quad lies off the plane of the others, at most [m]: vertices are
 * written with so many digits, and there the depth over a quad is not known better. */
double brute_warp(const scree_sim *sim);

typedef struct comparison {
    uint64_t n_run, n_brute, missed, extra;
    double depth_error; /* largest difference of depths over the ball's radius */
} comparison;
/** Sorts both. Depths within `slack` [m] of 0 may be in only one set. */
comparison compare_touches(const scree_sim *sim, GArray *run, GArray *brute, double slack);

#endif
