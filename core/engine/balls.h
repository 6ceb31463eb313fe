/* SPDX-License-Identifier: Apache-2.0 */
/* The balls of clumps: posed once per evaluation, handed to resolvers one by one. */
#ifndef CORE_BALLS_H
#define CORE_BALLS_H

#include "engine/lane.h"

/** Whether bodies of some shape of the run are balls fixed together. */
bool scree_balls_any(const scree_world *world);
/** Poses the balls of all bodies. */
void scree_balls_pose(scree_sim *sim);
void scree_balls_clear(scree_posed *posed);

/** Candidates of balls for a resolver, in a lane. By candidate, `owner` counting pairs from the
 * first of them. */
typedef struct scree_ball_batch {
    uint32_t n;
    uint64_t capacity, zero_capacity;
    uint32_t *owner, *a, *b, *part_a, *part_b;
    uint32_t *first; /* [n + 1] parts of b, where candidates name them */
    uint32_t *zero;  /* zeros, for as many parts */
    uint8_t *keep;
    double *d[3], *radius[2], *lever_a[3], *lever_b[3];
} scree_ball_batch;

void scree_ball_batch_free(scree_ball_batch *batch);

/** Collects pairs from p0 on, at most n of them, and stops at the pair with which they are more than
 * `most` candidates, if it is not the first; returns how many pairs. d and radii of the pairs are in
 * the lane. */
uint32_t scree_balls_collect(const scree_sim *sim, const scree_list *list, const scree_segment *s,
                             uint32_t p0, uint32_t n, uint32_t most, scree_lane *lane);
/** Collects of pair p only what can find the contact of this feature. */
void scree_balls_collect_one(const scree_sim *sim, const scree_list *list, const scree_segment *s,
                             uint32_t p, uint64_t feature, scree_lane *lane);
/** Fills the resolver's view of the candidates from number `from` on, SCREE_BATCH_MAX at most. */
void scree_balls_fill(const scree_sim *sim, const scree_list *list, const scree_segment *s,
                      uint32_t from, const scree_lane *lane, scree_candidates *candidates);
/** Makes n contacts of the lane, from number `at` on, which the resolver found in candidates from
 * number `from` on, those of their bodies. False: a feature does not fit. */
bool scree_balls_convert(const scree_list *list, uint32_t from, uint32_t at, uint32_t n,
                         scree_lane *lane);
/** Whether two features are of the same ball, and those of the resolver; never of two balls. */
bool scree_balls_features(const scree_list *list, uint64_t *feature, uint64_t *other);

#endif
