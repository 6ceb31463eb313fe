/* SPDX-License-Identifier: Apache-2.0 */
/* A call of make() of the source `packing`, and its updates. */
#ifndef PLUGINS_SOURCE_FILLING_H
#define PLUGINS_SOURCE_FILLING_H

#include "balls.h"
#include "packing.h"
#include "room.h"
#include "sites.h"

enum { TRIES = 16 };     /* most places where a body tries to enter in an update */
#define LONGER 1.25      /* [-] of the time of a body that has moved */
#define WAITS SCREE_NONE /* place of a body that has not entered */

typedef struct packing_source_config {
    packing_config packing; // first
    const scree_zone *entry;
    scree_reals diffusion, bias; // [m^2/s], [1/m]; empty: by the size of the bodies
    double turning, tau;         // [1/s], NaN: by the size of the bodies; [s]
    double shortest, rest;
    int64_t updates;
    int32_t as_printed, unused;
} packing_source_config;

/* One call of make(). */
typedef struct filling {
    packing p; // first
    const packing_source_config *config;
    sites sites;
    uint64_t n, update;
    double *scale, *share; // [n] [-] scales; times of updates over tau
    uint32_t *place;       // [n] place in site 0, or WAITS
    uint8_t *moved;        // [n] 1: moved in this update
    int one_by_one;        // 1: balls that move one after the other; these have:
    ball_grid balls;
    room *room;             // [n]
    uint32_t *order, *slab; // [n] places in the order of moves, the ends of slabs
    uint64_t n_slabs;
    double up[3], low, thick; // direction of the order; [m] lower end, thickness of a slab
    double drift[3];          // [m] of an update
    double spread[3];         // [m] standard deviation of an update
    double spin;              // [rad] the same for turns
    double size;              // [m] mean radius of the balls of equal volume
    double most;              // [-] longest increment over the scale
    double advance;           // [m] along the drift, summed over bodies, in the present window
} filling;

/** Sets the increment of body i in this update. */
void filling_step(const filling *f, uint64_t i, double step[3]);
/** Sets x and q to the pose that a body wants, from its pose of site 0. */
void filling_pose(const filling *f, uint64_t i, double x[3], double q[4]);
/** Sets x and q to a random pose where a body may enter, in its try t of this update; 0: it is
 * outside. */
int filling_entry(const filling *f, uint64_t i, uint64_t t, double x[3], double q[4]);
/** Brings a pose into the region; 0: it is outside. */
int filling_hold(const filling *f, uint64_t i, double x[3]);
/** An update in which all bodies move at once. */
int32_t filling_update_all(filling *f);
/** Can balls move one after the other? */
int filling_rolls(const filling *f);
/** Makes what moves one after the other need; an error has been reported. */
int32_t filling_begin_balls(filling *f);
/** An update in which balls move one after the other. */
int32_t filling_update_balls(filling *f);
/** Says what has been reached. `solid` [m^3], in 2D [m^2]: volume of the bodies. */
void filling_report(const filling *f, double solid);

#endif
