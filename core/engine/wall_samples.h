/* SPDX-License-Identifier: Apache-2.0 */
/* Forces on groups of walls and the power that they put in, sampled over a run for its summary. */
#ifndef CORE_WALL_SAMPLES_H
#define CORE_WALL_SAMPLES_H

#include "engine/state.h"

enum { SCREE_WALL_VALUES = 4, SCREE_MOST_WALLS = 64 };

/** A group of walls over the last half of a run. */
typedef struct scree_wall_mean {
    const char *group;
    bool moves;                       /* it has kinematic bodies */
    double mean[SCREE_WALL_VALUES];   /* [N] force on it, [W] power that it puts into the bodies */
    double spread[SCREE_WALL_VALUES]; /* standard deviation of the samples */
} scree_wall_mean;

/** The state is that in which the run begins: samples are taken from now on. */
void scree_wall_samples_begin(scree_sim *sim);
/** After the account of an accepted evaluation, before it is committed: takes a sample when it is due. */
void scree_wall_samples_take(scree_sim *sim);
/** New array of scree_wall_mean, by group, and the samples that were used; NULL: there are none. */
GArray *scree_wall_samples_means(const scree_sim *sim, uint64_t *n_samples, double *from,
                                 guint *n_left_out);
/** [J] what contacts have lost, [s] how long the run has lasted, since it began. */
void scree_wall_samples_run(const scree_sim *sim, double *lost, double *duration);
void scree_wall_samples_free(scree_wall_samples *samples);

#endif
