/* SPDX-License-Identifier: MIT */
/* Inline helpers for authors of GCD plugins: output of pairs, zones, boxes as floats. Only for
 * convenience, never part of the ABI. */
#ifndef SCREE_GCD_SDK_H
#define SCREE_GCD_SDK_H

#include "sdk.h"

#define SCREE_PAIRS_ROOM 4096u /* pairs per reserve, at least */
#define SCREE_OBJECTS_ROOM 1024u

/**
 * Pairs that are written one by one and committed many at a time:
 *
 *     scree_pairs o = {sink, NULL, 0, 0};
 *     ...
 *     status = scree_pairs_room(&o, n);        before each n candidates
 *     o.out[o.used] = (scree_pair){i, j};      then for each of them, without a branch
 *     o.used += overlap;
 *     ...
 *     return scree_pairs_finish(&o, status);
 */
typedef struct scree_pairs {
    scree_pair_sink *sink;
    scree_pair *out;
    uint64_t used, room;
} scree_pairs;

/** Reserves room for `n` pairs from o->out[o->used] on. */
static inline int32_t scree_pairs_room(scree_pairs *o, uint64_t n)
{
    int32_t status = SCREE_OK;
    if (o->room - o->used >= n)
        return SCREE_OK;
    if (o->used)
        status = o->sink->commit(o->sink, o->used);
    o->used = 0;
    o->room = n > SCREE_PAIRS_ROOM ? n : SCREE_PAIRS_ROOM;
    return status == SCREE_OK ? o->sink->reserve(o->sink, o->room, &o->out) : status;
}

/** Commits the remaining pairs, unless the search has failed. */
static inline int32_t scree_pairs_finish(scree_pairs *o, int32_t status)
{
    return status == SCREE_OK && o->used ? o->sink->commit(o->sink, o->used) : status;
}

/** Copies the members that every host gives; the arrays stay valid until the next step_init. A copy
 * of the whole struct would read beyond the end of an older host's struct. */
static inline void scree_boxes_keep(scree_boxes *to, const scree_boxes *from)
{
    to->size = (uint32_t)(offsetof(scree_boxes, radius) + sizeof to->radius);
    to->dimension = from->dimension;
    to->n = from->n;
    to->reserved = 0;
    for (int k = 0; k < 3; k++) {
        to->lo[k] = from->lo[k];
        to->hi[k] = from->hi[k];
        to->centre[k] = from->centre[k];
    }
    to->radius = from->radius;
}

/** A kernel for n boxes in consecutive slots: sets hit[k] to 1 if box k overlaps or touches the box
 * [low, high], else to 0. Returns whether any box does. */
static inline uint64_t scree_test_boxes(uint32_t n, SCREE_IN3(lo), SCREE_IN3(hi),
                                        const double low[3], const double high[3],
                                        uint64_t *SCREE_RESTRICT hit)
{
    const double ax = low[0], ay = low[1], az = low[2], bx = high[0], by = high[1], bz = high[2];
    uint64_t any = 0;
    for (uint32_t k = 0; k < n; k++) {
        hit[k] = (uint64_t)((lox[k] <= bx) & (ax <= hix[k]) & (loy[k] <= by) & (ay <= hiy[k]) &
                            (loz[k] <= bz) & (az <= hiz[k]));
        any |= hit[k];
    }
    return any;
}

/** Calls scree_test_boxes() for the slots [first, first + n) and box i. Empty slots overlap
 * nothing. */
static inline uint64_t scree_test_slots(const scree_boxes *b, uint32_t first, uint32_t n,
                                        uint32_t i, uint64_t *hit)
{
    const double low[3] = {b->lo[0][i], b->lo[1][i], b->lo[2][i]};
    const double high[3] = {b->hi[0][i], b->hi[1][i], b->hi[2][i]};
    return scree_test_boxes(n, b->lo[0] + first, b->lo[1] + first, b->lo[2] + first,
                            b->hi[0] + first, b->hi[1] + first, b->hi[2] + first, low, high, hit);
}

/** Emits each of the `n` slots whose box overlaps the zone. */
static inline int32_t scree_objects_of(const scree_boxes *b, const scree_zone *zone,
                                       const uint32_t *slots, uint64_t n, scree_index_sink *sink)
{
    uint32_t *out;
    uint64_t found = 0;
    int32_t status = n ? sink->reserve(sink, n, &out) : SCREE_OK;
    if (status != SCREE_OK || !n)
        return status;
    for (uint64_t k = 0; k < n; k++) {
        out[found] = slots[k];
        found += (uint64_t)scree_zone_meets_box(zone, b, slots[k]);
    }
    return sink->commit(sink, found);
}

/** find_objects of a GCD without a search structure: looks at every slot. */
static inline int32_t scree_objects_of_all(const scree_boxes *b, const scree_zone *zone,
                                           scree_index_sink *sink)
{
    int32_t status = SCREE_OK;
    for (uint64_t first = 0; first < b->n && status == SCREE_OK; first += SCREE_OBJECTS_ROOM) {
        uint32_t slots[SCREE_OBJECTS_ROOM];
        uint64_t n = b->n - first < SCREE_OBJECTS_ROOM ? b->n - first : SCREE_OBJECTS_ROOM;
        for (uint32_t k = 0; k < n; k++)
            slots[k] = (uint32_t)first + k;
        status = scree_objects_of(b, zone, slots, n, sink);
    }
    return status;
}

/** Lowest and highest coordinate of the boxes on an axis; without boxes *lo is +infinity, and *hi
 * is -infinity. */
static inline void scree_boxes_range(const scree_boxes *b, uint32_t axis, double *lo, double *hi)
{
    const double *from = b->lo[axis], *to = b->hi[axis];
    double first = HUGE_VAL, last = -HUGE_VAL;
    for (uint32_t i = 0; i < b->n; i++) {
        first = scree_min(from[i], first);
        last = scree_max(to[i], last);
    }
    *lo = first;
    *hi = last;
}

/** Returns x - origin as a float. Rounding is monotone: boxes that overlap or touch still do. The
 * result is never -0. If the origin is the lowest coordinate, sorting by the bits of the floats
 * gives the same order as sorting by the floats. */
static inline float scree_to_float(double x, double origin)
{
    const double d = x - origin;
    return (float)scree_max(scree_min(d, 3e38), -3e38) + 0.0f;
}

#endif
