/* SPDX-License-Identifier: Apache-2.0 */
/* Random sequential addition: the bodies to be placed, and the search for a place for each. */
#ifndef PLUGINS_SOURCE_SEEKER_H
#define PLUGINS_SOURCE_SEEKER_H

#include "cover.h"
#include "scatter.h"
#include "taken.h"

/* A body that has a size and, later, a place. */
typedef struct drawn {
    double scale, x[3];
} drawn;

/* The rank of a body in the order of placement. */
typedef struct rank {
    double scale;
    uint32_t number;
} rank;

typedef struct scatter {
    packing p; // first
    const scatter_config *config;
    drawn *bodies; // [n]
    rank *order;   // [n]
    uint64_t n, capacity, n_order;
    uint64_t placed;  // bodies placed so far, which will be added
    uint32_t n_balls; // balls of which a body consists; 0: it is a solid
    cover cover;      // map of the placed balls; without bits: no map
    taken taken;      // the same balls
} scatter;

/** Makes the map and the cells for bodies that are drawn. */
int32_t scatter_begin(scatter *s);
void scatter_end(scatter *s);
/** Finds the first place for a body that is free, and takes it. *found: 0 after all tries. */
int32_t scatter_find_place(scatter *s, uint32_t body, int *found);

#endif
