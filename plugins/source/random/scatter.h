/* SPDX-License-Identifier: Apache-2.0 */
/* Source `random`: what its files share: the bodies to be placed, and the search for a place of each. */
#ifndef PLUGINS_SOURCE_SCATTER_H
#define PLUGINS_SOURCE_SCATTER_H

#include "../packing.h"
#include "cover.h"

enum { LOOK_AHEAD = 8 };

typedef struct random_config {
    packing_config packing; // first
    int64_t tries;
} random_config;

/* A body that has a size and, later, a place. */
typedef struct drawn {
    double scale, x[3];
} drawn;

/* Its rank among those to be placed. */
typedef struct rank {
    double scale;
    uint32_t number;
} rank;

typedef struct scatter {
    packing p; // first
    const random_config *config;
    drawn *bodies; // [n]
    rank *order;   // [n]
    uint64_t n, capacity, n_order;
    uint64_t placed; // of them, to be added
    chunk chunk;
    cover cover; // of the bodies that are placed; without bits: none
} scatter;

/* The search for a place of one body: tries are numbers, and those that the region and the map leave
 * over are asked about in this order. */
typedef struct seeker {
    double scale, q[4];
    double x[LOOK_AHEAD][3]; // places that are left, the last drawn ones
    uint64_t number;         // of the body
    uint64_t next;           // try
    uint32_t ahead;          // tries to draw at a time
    uint32_t at, n;          // places: the next one, and behind the last one
} seeker;

/** Balls that a body consists of; 0: it is a solid. */
uint32_t scatter_balls(const scatter *s);
/** A map of taken places, where there will be many. */
int32_t scatter_begin_cover(scatter *s);
/** Marks the places that a body at x takes. */
void scatter_mark(scatter *s, const seeker *w, const double x[3]);

void seeker_begin(const scatter *s, seeker *w, uint32_t body);
/** Draws places of the next tries; then those that are not in the region, or are known to be taken,
 * are left out. Between the two calls memory comes. False: all tries are used up. */
int seeker_draw(const scatter *s, seeker *w);
void seeker_keep(const scatter *s, seeker *w);
/** Goes on until a place is free: *found, it is x[at]. */
int32_t seeker_finish(scatter *s, seeker *w, int *found);

/** Places the bodies of the ranks [first, first + n), as one after the other. *done: of them; one that
 * finds no place ends it. Not for solids. */
int32_t scatter_place_block(scatter *s, uint64_t first, uint64_t n, uint64_t *done);

#endif
