/* SPDX-License-Identifier: Apache-2.0 */
/* Tight boxes of parts as they are now: the host's of balls, those of the plugin of other shapes. */
#ifndef CORE_TIGHT_H
#define CORE_TIGHT_H

#include "engine/world.h"

/** Current tight box, centroid and bounding radius of a part. */
typedef struct scree_tight {
    double lo[3], hi[3], centre[3], radius;
} scree_tight;

enum { SCREE_TIGHT_BATCH = 128 };

/** Reads boxes of parts, those of one shape that follow each other in one call of its plugin. */
typedef struct scree_tight_reader {
    const scree_world *world;
    uint32_t end;   /* bodies from this one on are not read ahead */
    uint32_t most;  /* boxes of a call */
    uint32_t n, at; /* those of the last call, and the next of them */
    uint32_t body[SCREE_TIGHT_BATCH], part[SCREE_TIGHT_BATCH];
    double x[3][SCREE_TIGHT_BATCH], q[4][SCREE_TIGHT_BATCH], scale[SCREE_TIGHT_BATCH];
    double lo[3][SCREE_TIGHT_BATCH], hi[3][SCREE_TIGHT_BATCH], centre[3][SCREE_TIGHT_BATCH];
    double radius[SCREE_TIGHT_BATCH];
} scree_tight_reader;

/** Boxes of a body: 1 of a round one, 0 of a plane. */
uint32_t scree_parts_of(const scree_world *world, uint32_t body);
/** The box of a round body. */
void scree_tight_ball(const scree_world *world, uint32_t body, scree_tight *tight);
/** A reader of the parts of all bodies before `end`; poses stay as they are while it is used. */
void scree_tight_begin(scree_tight_reader *reader, const scree_world *world, uint32_t end);
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
