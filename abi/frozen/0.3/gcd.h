/* SPDX-License-Identifier: MIT */
/* Global contact detection (broad phase): boxes in, pairs out. */
#ifndef SCREE_GCD_H
#define SCREE_GCD_H

#include "host.h"
#include "types.h"

/*
 * A GCD must emit every unordered pair of boxes that overlap or touch, exactly once. (The rules
 * follow Perkins 1999, section 3.1, with additions.) Further pairs are allowed, but never a box
 * with itself or an empty slot. With SCREE_GCD_SPHERES a pair whose bounding spheres are apart may
 * be left out (touching spheres are not apart). With SCREE_GCD_CONFORMAL the service
 * draft.conformal/1 (draft/conformal.h) knows the surface in some of the boxes. A pair may be left
 * out when the service knows both boxes, or when it knows one box and the surface in that box does
 * not come within 0 of the other box. Pairs may come in any order, and so may the two boxes of a
 * pair.
 *
 * A GCD works for any finite boxes: mixed sizes, all at the same place, one around all others, 0
 * boxes or 1 box, outside any earlier domain, a count that changes from call to call, negative
 * coordinates, corners from the smallest to the largest double, where sides, distances and their
 * squares overflow. Spheres whose squared distance and squared reach are both infinite are not
 * apart.
 *
 * The host calls, per instance:
 *     create  init  { step_init  find_neighbors*  find_objects* }*  [init ...]  destroy
 */

/* Flags of init. */
#define SCREE_GCD_SPHERES (1u << 0)
/* 1u << 1 is reserved: boxes in float, relative to an origin. */
/* The host offers draft.conformal/1 for these boxes. A GCD that gives other boxes to a nested GCD
 * clears the flag for it. */
#define SCREE_GCD_CONFORMAL (1u << 2)

/** Where pairs go. Valid until find_neighbors() returns, and only on the calling thread. A plugin
 * that owns another GCD may hand it a sink of its own. */
typedef struct scree_pair_sink {
    uint32_t size;
    uint32_t lane; /* for host->scratch */
    void *ctx;
    /** [lane] Gives room for `n` pairs in *out; the room of an earlier reserve is no longer valid.
     * n may be as large as memory allows. */
    int32_t (*reserve)(struct scree_pair_sink *sink, uint64_t n, scree_pair **out);
    /** [lane] Takes the next `n` reserved pairs as results, after the pairs of earlier commits; n
     * is at most the number of reserved pairs. A plugin returns an answer below 0 to the host at
     * once: a plugin that goes on after 10^6 refusals in a call ends the run. */
    int32_t (*commit)(struct scree_pair_sink *sink, uint64_t n);
} scree_pair_sink;

/** Where box numbers of find_objects go; the functions are as in scree_pair_sink. */
typedef struct scree_index_sink {
    uint32_t size;
    uint32_t lane;
    void *ctx;
    int32_t (*reserve)(struct scree_index_sink *sink, uint64_t n, uint32_t **out);
    int32_t (*commit)(struct scree_index_sink *sink, uint64_t n);
} scree_index_sink;

typedef struct scree_gcd_ops {
    /* The head (abi.h). */
    uint32_t size;     /* sizeof(scree_gcd_ops) */
    uint32_t reserved; /* 0 */
    int32_t (*create)(const scree_host *host, const void *config, void **instance);
    void (*destroy)(void *instance);
    uint64_t (*bytes)(void *instance);
    int32_t (*narrow)(void *instance, scree_demands *demands);

    /** [step] Forgets all earlier boxes; `flags` hold until the next init. The boxes themselves may
     * still change before step_init. */
    int32_t (*init)(void *instance, const scree_boxes *boxes, uint32_t flags);

    /** [step] The boxes as they are now; types.h says how long they are valid. `moved` = NULL: all
     * may have changed, and so may their number. Else it lists the slots that changed since the
     * last step_init, ascending, `n_moved` of them (0: nothing moved), including slots that are now
     * empty or newly used; only plugins with SCREE_CAP_INCREMENTAL are given a list. With a list
     * the number of slots may have grown, because boxes near a periodic boundary get images; it has
     * not shrunk. Each new slot that holds a box is in the list. The list is valid as long as the
     * boxes are. *n_pivots: number of pieces into which the work of find_neighbors may be split. */
    int32_t (*step_init)(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots);

    /** [lane] Emits the pairs that belong to the pivots [first, last), in the plugin's own
     * numbering: each pair belongs to exactly one pivot. After a step_init with a list, it emits
     * only pairs with at least one moved box; the host has dropped the cached pairs of moved
     * boxes. */
    int32_t (*find_neighbors)(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink);

    /** [lane] Emits once each box of the last step_init that overlaps the zone (params.h), also
     * boxes around the whole zone. Further boxes are allowed: a GCD may take the box zone->lo to
     * zone->hi for a zone of any type (or use scree_zone_meets_box of sdk.h). `zone` and `sink` are
     * valid until it returns. */
    int32_t (*find_objects)(void *instance, const scree_zone *zone, scree_index_sink *sink);
} scree_gcd_ops;

#endif
