/* SPDX-License-Identifier: Apache-2.0 */
/* Tight boxes of parts as they are now: the host's of balls, those of the plugin of other shapes. */
#ifndef CORE_TIGHT_BOXES_H
#define CORE_TIGHT_BOXES_H

#include "base/pool.h"
#include "engine/world.h"

/** Current tight box, centroid and bounding radius of a part. */
typedef struct scree_tight {
    double lo[3], hi[3], centre[3], radius;
} scree_tight;

/* Boxes of a call, and boxes that are read ahead, in calls on all lanes. */
enum { SCREE_TIGHT_BATCH = 128, SCREE_TIGHT_AHEAD = 8 * SCREE_TIGHT_BATCH };

/** Reads boxes of parts, those of one shape that follow each other together. */
typedef struct scree_tight_reader {
    const scree_world *world;
    scree_pool *pool; /* NULL: calls are made by the caller's lane */
    uint32_t end;     /* bodies from this one on are not read ahead */
    uint32_t most;    /* boxes that are read ahead */
    uint32_t n, at;   /* those that were, and the next of them */
    uint32_t body[SCREE_TIGHT_AHEAD], part[SCREE_TIGHT_AHEAD];
    double x[3][SCREE_TIGHT_AHEAD], q[4][SCREE_TIGHT_AHEAD], scale[SCREE_TIGHT_AHEAD];
    double lo[3][SCREE_TIGHT_AHEAD], hi[3][SCREE_TIGHT_AHEAD], centre[3][SCREE_TIGHT_AHEAD];
    double radius[SCREE_TIGHT_AHEAD];
    GError *errors[SCREE_TIGHT_AHEAD / SCREE_TIGHT_BATCH]; /* by call */
} scree_tight_reader;

/** Boxes of a body: 1 of a round one, 0 of a plane. */
uint32_t scree_parts_of(const scree_world *world, uint32_t body);
/** The box of a round body. */
void scree_tight_ball(const scree_world *world, uint32_t body, scree_tight *tight);
/** A reader of the parts of all bodies before `end`, with the lanes of the pool (NULL: one); poses
 * stay as they are while it is used. */
void scree_tight_begin(scree_tight_reader *reader, scree_pool *pool, const scree_world *world,
                       uint32_t end);
/** The box of a part. False, with blame, when the plugin fails or gives a box that no body has. */
bool scree_tight_read(scree_tight_reader *reader, uint32_t body, uint32_t part, scree_tight *tight,
                      GError **error);
/** The box of one part, without a reader; on any lane. */
bool scree_tight_of(const scree_world *world, uint32_t body, uint32_t part, scree_tight *tight,
                    GError **error);
/** Current corners of a facet; returns how many. */
uint32_t scree_facet_corners(const scree_world *world, uint32_t body, uint32_t part,
                             double corner[4][3]);

#endif
