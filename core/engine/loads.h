/* SPDX-License-Identifier: Apache-2.0 */
/* Loads of contacts on walls, for modifiers, observers and the summary of a run. */
#ifndef CORE_LOADS_H
#define CORE_LOADS_H

#include "engine/state.h"

/** Keeps the loads of an accepted evaluation, if a modifier or sim->records wants them. */
void scree_loads_take(scree_sim *sim);
/** Finds the load on body i, as of the last accepted evaluation, in a struct that may end before
 * `stiffness`; of a free body without contacts and stiffness. False with an error: the struct is
 * shorter, a law fails. */
bool scree_loads_of(const scree_sim *sim, uint32_t i, scree_load *out, GError **error);
void scree_loads_free(scree_loads *loads);

enum { SCREE_WALL_VALUES = 5, SCREE_MOST_WALLS = 64 };

/** Means of a group of walls over the last half of a run. */
typedef struct scree_wall_mean {
    const char *group;
    bool moves; /* it has kinematic bodies */
    /* [N] force on the group, [W] power on the bodies, [N m] torque that turns it about its axis */
    double mean[SCREE_WALL_VALUES];
    double spread[SCREE_WALL_VALUES]; /* standard deviations of the samples */
} scree_wall_mean;

/** Begins to take samples; the run is at its start. */
void scree_wall_samples_begin(scree_sim *sim);
/** After the account of an accepted evaluation, before its commit: takes a sample if it is due. */
void scree_wall_samples_take(scree_sim *sim);
/** New array of scree_wall_mean, by group, and the number of samples used; NULL: none. */
GArray *scree_wall_samples_means(const scree_sim *sim, uint64_t *n_samples, double *from,
                                 guint *n_left_out);
/** Writes losses of contacts [J] and duration [s] since the start of the run. */
void scree_wall_samples_run(const scree_sim *sim, double *lost, double *duration);
/** Drops the samples that are later than the state, which was put in. */
void scree_wall_samples_back(const scree_sim *sim);
void scree_wall_samples_free(scree_wall_samples *samples);

#endif
