/* SPDX-License-Identifier: Apache-2.0 */
/* The parallel configuration space of balls and discs: sites_settle() without questions about
 * pairs. */
#ifndef PLUGINS_SOURCE_BALLS_H
#define PLUGINS_SOURCE_BALLS_H

#include "near.h"
#include "sites.h"

/** A ball at both sites, and what an update finds out about it. */
typedef struct ball_poses {
    double is[3], wants[3], radius; /* [m] */
    uint32_t pose;                  /* its pose of site 1; SCREE_NONE: it has none */
    uint8_t blocked, walls, enters; /* 1: it must not move; is free of walls; is not in site 0 */
    uint8_t reserved;
} ball_poses;

/** A ball is free of walls up to the distance `clear` [m] from a place. */
typedef struct ball_room {
    double at[3], clear, next; /* next: the distance to ask about */
} ball_room;

typedef struct balls {
    double radius; /* [m] of a ball of scale 1 */
    near_lists near;
    ball_poses *ball; /* [site 0, then those that enter] */
    ball_room *walls; /* [site 0] */
    uint32_t n, n0, listed;
    uint64_t built; /* entries of lists after the last near_build() */
    scree_pair *pair;
    uint64_t n_pairs, room_pairs; /* ball a gives way to b */
    sites ask;                    /* questions to the host */
} balls;

/** Returns whether this file serves bodies of a shape: balls, in a cell that repeats straight, if
 * at all, and is wide enough. */
int balls_serve(const scree_bodies *bodies, const scree_shape *shape, double max_scale);
/** Makes room for n bodies in a box, and as many that enter; 0: out of memory. */
int balls_begin(balls *b, const scree_bodies *bodies, const scree_shape *shape, const double min[3],
                const double max[3], uint64_t n);
/** Does what sites_settle() does. */
int32_t balls_settle(balls *b, sites *s, const scree_query *query);
void balls_clear(balls *b);

#endif
