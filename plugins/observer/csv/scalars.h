// SPDX-License-Identifier: Apache-2.0
// Scalars of observer `csv`: figures of the state, and the force on each group of walls.
#ifndef OBSERVER_CSV_SCALARS_H
#define OBSERVER_CSV_SCALARS_H

#include "scree/sdk.h"

typedef struct csv_scalars {
    const scree_figures *figures; // NULL: the host does not offer figures
    uint32_t n, n_groups;         // values; groups of the scene, whose forces are the last values
    int32_t contacts;             // figures of contacts are among them
    int32_t reserved;
    scree_scalar *all;  // [n]
    char *names;        // names of the forces
    double *value;      // [n]
    uint8_t *has_walls; // [n_groups] 1: the group has walls in the state read last
} csv_scalars;

/** Lists them; 0: out of memory. `names` NULL: without groups. */
int csv_scalars_list(csv_scalars *s, const scree_names *names, const scree_figures *figures,
                     int32_t contacts);
void csv_scalars_free(csv_scalars *s);
/** Fills value[n]; NaN for forces on groups without walls. */
int32_t csv_scalars_read(csv_scalars *s, const scree_view *view);

#endif
