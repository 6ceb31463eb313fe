/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check` for GCDs: writable boxes, and scenes that a broad phase may get wrong. */
#ifndef CORE_CHECK_GCD_H
#define CORE_CHECK_GCD_H

#include "tools/check/check.h"

/** Boxes in guarded arrays, and their view for a plugin. */
typedef struct scree_check_boxes {
    scree_boxes view;
    uint32_t n, dimension;
    GPtrArray *arena; /* of these arrays; NULL: not made */
    double *lo[3], *hi[3], *centre[3], *radius;
    uint64_t random; /* state of the random numbers */
} scree_check_boxes;

/** A hard scene of boxes: `fill` sets those of step `step` from those of the previous step. */
typedef struct scree_check_scene {
    const char *name;
    void (*fill)(scree_check_boxes *w, uint32_t dimension, uint32_t step);
    uint32_t steps;
} scree_check_scene;
/** The last one has no name. */
extern const scree_check_scene scree_check_scenes[];

/** Pairs that a sink has got. */
typedef struct scree_check_list {
    GArray *found; /* committed elements */
    void *given;   /* capacity of the last reserve */
    uint64_t n_given, room;
    bool guarded;   /* each reserve gets an array with the requested end */
    bool overdrawn; /* more was committed than reserved */
} scree_check_list;

typedef struct scree_check_pairs {
    scree_pair_sink sink;
    scree_check_list list; /* elements: scree_pair */
} scree_check_pairs;

typedef struct scree_check_indices {
    scree_index_sink sink;
    scree_check_list list; /* elements: uint32_t */
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
    uint8_t *seen; /* [n * n] how often the pair (lower * n + higher) has come */
    uint64_t n_seen;
    const char *variant; /* "search=\"window\"", or NULL */
    bool may_miss;       /* as_printed = true: no missed pair counts */
    const char *scene;
    uint32_t step;
} scree_gcd_bench;

#endif
