/* SPDX-License-Identifier: Apache-2.0 */
/* Tight boxes of parts at their current places: of balls by the host, of others by plugins. */
#ifndef CORE_TIGHT_BOXES_H
#define CORE_TIGHT_BOXES_H

#include "base/pool.h"
#include "engine/state.h"

/** Current tight box, centroid and bounding radius of a part. */
typedef struct scree_tight {
    double lo[3], hi[3], centre[3], radius;
} scree_tight;

/* Boxes of one call, and boxes that are read ahead, by calls on all lanes. */
enum { SCREE_TIGHT_BATCH = 128, SCREE_TIGHT_AHEAD = 8 * SCREE_TIGHT_BATCH };

/** Reads boxes of parts; consecutive parts of one shape are read together. */
typedef struct scree_tight_reader {
    const scree_world *world;
    scree_pool *pool; /* NULL: the caller's lane makes the calls */
    uint32_t end;     /* first body that is not read ahead */
    uint32_t most;    /* most boxes that are read ahead */
    uint32_t n, at;   /* number of boxes read ahead, next one of them */
    uint32_t body[SCREE_TIGHT_AHEAD], part[SCREE_TIGHT_AHEAD];
    double x[3][SCREE_TIGHT_AHEAD], q[4][SCREE_TIGHT_AHEAD], scale[SCREE_TIGHT_AHEAD];
    double lo[3][SCREE_TIGHT_AHEAD], hi[3][SCREE_TIGHT_AHEAD], centre[3][SCREE_TIGHT_AHEAD];
    double radius[SCREE_TIGHT_AHEAD];
    GError *errors[SCREE_TIGHT_AHEAD / SCREE_TIGHT_BATCH]; /* by call */
} scree_tight_reader;

/** Returns the number of boxes of a body: 1 if it is round, 0 for a plane. */
uint32_t scree_parts_of(const scree_world *world, uint32_t body);
/** Finds the box of a round body. */
void scree_tight_ball(const scree_world *world, uint32_t body, scree_tight *tight);
/** Begins to read the parts of all bodies before `end`, with the lanes of the pool (NULL: one).
 * Poses may not change meanwhile. */
void scree_tight_begin(scree_tight_reader *reader, scree_pool *pool, const scree_world *world,
                       uint32_t end);
/** Reads the box of a part. False, with blame: the plugin fails, or its box is impossible. */
bool scree_tight_read(scree_tight_reader *reader, uint32_t body, uint32_t part, scree_tight *tight,
                      GError **error);
/** Finds the box of one part without a reader, on any lane. */
bool scree_tight_of(const scree_world *world, uint32_t body, uint32_t part, scree_tight *tight,
                    GError **error);
/** Finds the current corners of a facet; returns their number. */
uint32_t scree_facet_corners(const scree_world *world, uint32_t body, uint32_t part,
                             double corner[4][3]);

#endif
