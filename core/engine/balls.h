/* SPDX-License-Identifier: Apache-2.0 */
/* The balls of clumps: placed once per evaluation, given to resolvers one by one. */
#ifndef CORE_BALLS_H
#define CORE_BALLS_H

#include "engine/lane.h"

/** Returns whether some shape of the run is made of balls. */
bool scree_balls_any(const scree_world *world);
/** Places the balls of all bodies. */
void scree_balls_pose(scree_sim *sim);
void scree_balls_clear(scree_posed *posed);
/** Frees the parts of a segment's candidates, and the places of their balls. */
void scree_balls_forget(scree_segment *s);

/** Candidates of balls for a resolver, in a lane. `owner` has the pair of each candidate, counted
 * from the first pair. */
typedef struct scree_ball_batch {
    uint32_t n;
    uint64_t capacity, zero_capacity;
    uint32_t *owner, *ball[2], *a, *b, *part_a, *part_b; /* ball: places in scree_posed */
    uint32_t *first; /* [n + 1] ranges of parts of b, if candidates have parts */
    uint32_t *zero;  /* zeros, one per part */
    uint8_t *keep;
    double *d[3], *radius[2], *lever_a[3], *lever_b[3];
} scree_ball_batch;

void scree_ball_batch_free(scree_ball_batch *batch);

/** Collects at most n pairs from p0 on, up to the pair that makes more than `most` candidates,
 * which is left out unless it is the first. Returns the number of pairs, whose d and radii are in
 * the lane. */
uint32_t scree_balls_collect(const scree_sim *sim, const scree_list *list, scree_segment *s,
                             uint32_t p0, uint32_t n, uint32_t most, scree_lane *lane);
/** Collects the candidate of pair p that can find the contact with this feature; *at: its number in
 * the batch, the last. False: none can. */
bool scree_balls_collect_one(const scree_sim *sim, const scree_list *list, scree_segment *s,
                             uint32_t p, uint64_t feature, scree_lane *lane, uint32_t *at);
/** Fills the resolver's view of at most SCREE_BATCH_MAX candidates, starting at `from`. */
void scree_balls_fill(const scree_sim *sim, const scree_list *list, const scree_segment *s,
                      uint32_t from, const scree_lane *lane, scree_candidates *candidates);
/** Turns n contacts of the lane, starting at `at`, into contacts of bodies; the resolver found them
 * in candidates starting at `from`. False: a feature does not fit. */
bool scree_balls_convert(const scree_kernels *kernel, const scree_list *list, uint32_t from,
                         uint32_t at, uint32_t n, scree_lane *lane);
/** Returns whether two features belong to the same ball; restores both features of the resolver. */
bool scree_balls_features(const scree_list *list, uint64_t *feature, uint64_t *other);

#endif
