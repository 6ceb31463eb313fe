/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check` for GCDs: boxes that a check may write, and the scenes that a broad phase gets
 * wrong. */
#ifndef CORE_CHECK_GCD_H
#define CORE_CHECK_GCD_H

#include "tools/check/check.h"

/** Boxes in guarded arrays, and the view of them that a plugin gets. */
typedef struct scree_check_boxes {
    scree_boxes view;
    uint32_t n, dimension;
    bool allocated;
    double *lo[3], *hi[3], *centre[3], *radius;
    uint64_t random; /* state of the scene's random numbers */
} scree_check_boxes;

/** One hard case of boxes: `fill` sets those of step `step`, on top of those of the step before. */
typedef struct scree_check_scene {
    const char *name;
    void (*fill)(scree_check_boxes *w, uint32_t dimension, uint32_t step);
    uint32_t steps;
} scree_check_scene;
/** Ended by one without a name. */
extern const scree_check_scene scree_check_scenes[];

/** Pairs that a sink was given. */
typedef struct scree_check_list {
    GArray *found; /* committed elements */
    void *given;   /* by the last reserve */
    uint64_t n_given, room;
    bool guarded;   /* each reserve is an array of its own, which ends where it has to end */
    bool overdrawn; /* committed more than was reserved */
} scree_check_list;

typedef struct scree_check_pairs {
    scree_pair_sink sink;
    scree_check_list list; /* of scree_pair */
} scree_check_pairs;

typedef struct scree_check_indices {
    scree_index_sink sink;
    scree_check_list list; /* of uint32_t */
} scree_check_indices;

/** An instance with its boxes. */
typedef struct scree_gcd_bench {
    scree_check *check;
    scree_instance *instance;
    const scree_gcd_ops *ops;
    scree_check_boxes boxes;
    uint32_t flags, dimension;
    uint64_t n_pivots;
    scree_check_pairs pairs, part;
    scree_check_indices found;
    uint8_t *seen; /* [n * n] how often a pair (lower * n + higher) has come */
    uint64_t n_seen;
    const char *variant; /* "search=\"window\"", or NULL */
    const char *scene;
    uint32_t step;
} scree_gcd_bench;

#endif
