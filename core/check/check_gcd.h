/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check` for GCDs: boxes that a check may write, and the scenes that a broad phase gets
 * wrong. */
#ifndef CORE_CHECK_GCD_H
#define CORE_CHECK_GCD_H

#include "check/check_cases.h"

/** Boxes in guarded arrays, and the view of them that a plugin gets. */
typedef struct scree_check_boxes {
    scree_boxes view;
    uint32_t n, dimension;
    bool allocated;
    double *lo[3], *hi[3], *centre[3], *radius;
    uint64_t random; /* state of the scene's random numbers */
} scree_check_boxes;

/** Room for n boxes; what was in it is lost when n changes. */
void scree_check_boxes_resize(scree_check_boxes *w, uint32_t n, uint32_t dimension);
/** More slots, the new ones empty; the others keep their boxes. */
void scree_check_boxes_grow(scree_check_boxes *w, uint32_t n);
void scree_check_boxes_clear(scree_check_boxes *w);
/** A box around x with half sides h; its sphere is that of a ball when all half sides are equal,
 * else around the corners. */
void scree_check_boxes_set(scree_check_boxes *w, uint32_t i, const double x[3], const double h[3]);
/** A box whose corners are any finite numbers, denormal ones and the largest among them; `small`:
 * hardly larger than a point. */
void scree_check_boxes_wild(scree_check_boxes *w, uint32_t i, bool small);
void scree_check_boxes_empty(scree_check_boxes *w, uint32_t i);
/** Inputs are to be left alone (true), or may be written again. */
void scree_check_boxes_protect(scree_check_boxes *w, bool read_only);
double scree_check_boxes_uniform(scree_check_boxes *w, double a, double b);
uint32_t scree_check_boxes_below(scree_check_boxes *w, uint32_t n);
/** n boxes anywhere in [0, 10]^3, half sides 0.3 to `ratio` times that. */
void scree_check_boxes_gas(scree_check_boxes *w, uint32_t n, uint32_t dimension, double ratio);

/** One hard case of boxes: `fill` sets those of step `step`, on top of those of the step before. */
typedef struct scree_check_scene {
    const char *name;
    void (*fill)(scree_check_boxes *w, uint32_t dimension, uint32_t step);
    uint32_t steps;
} scree_check_scene;
/** Ended by one without a name. */
extern const scree_check_scene scree_check_scenes[];

/** What a sink was given. */
typedef struct scree_check_pairs {
    scree_pair_sink sink;
    GArray *pairs;     /* of scree_pair */
    scree_pair *given; /* by the last reserve */
    uint64_t n_given, room;
    bool guarded;   /* each reserve is an array of its own, which ends where it has to end */
    bool overdrawn; /* committed more than was reserved */
} scree_check_pairs;

typedef struct scree_check_indices {
    scree_index_sink sink;
    GArray *indices; /* of uint32_t */
    uint32_t *given;
    uint64_t n_given, room;
    bool guarded, overdrawn;
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

/** Fails the case, naming where. */
void scree_gcd_fail(scree_gcd_bench *t, const char *format, ...) G_GNUC_PRINTF(2, 3);
void scree_gcd_open_pairs(scree_check_pairs *list, uint32_t lane, bool guarded);
void scree_gcd_close_pairs(scree_check_pairs *list);
/** Lower number first in each, ascending. */
void scree_gcd_sort(GArray *pairs);

/* Calls; false when the check has failed. */
bool scree_gcd_init(scree_gcd_bench *t);
bool scree_gcd_step_init(scree_gcd_bench *t, const uint32_t *moved, uint32_t n_moved);
bool scree_gcd_find(scree_gcd_bench *t, uint64_t first, uint64_t last, scree_check_pairs *list);
/** All pairs of the boxes as they are into t->pairs, and counted into t->seen. */
bool scree_gcd_find_all(scree_gcd_bench *t, const uint32_t *moved, uint32_t n_moved);
/** Box numbers into t->found, ascending. */
bool scree_gcd_find_region(scree_gcd_bench *t, const scree_region *region, bool guarded);

void scree_gcd_close(scree_gcd_bench *t);
/** Runs `work` for each choice of a parameter and each dimension, and with two `n_flags` with
 * SCREE_GCD_SPHERES too, until it fails. */
void scree_gcd_for_all(scree_check *check, uint32_t n_flags, void (*work)(scree_gcd_bench *t));
/** Runs `work` after each step of each scene, at most `most` of it, until it fails. */
void scree_gcd_for_scenes(scree_gcd_bench *t, uint32_t most, bool (*work)(scree_gcd_bench *t));
/** The case about scree.conformal/1 (check_gcd_surfaces.c). */
void scree_gcd_check_surfaces(scree_check *check);

#endif
