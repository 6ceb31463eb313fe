/* SPDX-License-Identifier: Apache-2.0 */
/* Contacts of an outline with an open wall: what both geometries share. */
#ifndef CLOSEST_FEATURE_WALLS_H
#define CLOSEST_FEATURE_WALLS_H

#include "resolver.h"

/** A pair, and the memory of its search. Places count from the centre of the body. */
typedef struct wall_work {
    const scree_candidates *in;
    const wall *w;
    placed body;
    uint32_t number;
    uint32_t n_bars;
    uint32_t *bars; /* [n_bars] bars of the candidates, ascending */
    point *line;    /* room for a line and its rays */
    touch *list;    /* [n] */
    uint32_t n, capacity;
    void *rest; /* for overlap_all() */
    uint64_t rest_bytes;
} wall_work;

/** Line k of the wall, placed. */
static inline placed line_of(const wall_work *k, uint32_t line)
{
    const scree_candidates *in = k->in;
    const point d = {in->d[0][k->number], in->d[1][k->number]};
    return outline_place(&k->w->lines[line], in->bodies, in->b[k->number], d, 1);
}

/** A bar of the wall as an outline of two vertices, forth and back. */
typedef struct wall_segment {
    outline of;
    point vertex[2], normal[2];
} wall_segment;
placed wall_segment_of(const wall_work *k, uint32_t bar, wall_segment *out);

/** Do a body and an edge of a line have a point in common? `convex`: the body is convex. */
int wall_meets(const placed *body, const placed *line, uint32_t edge);

/** Overlap: adds the contacts to the list. Returns the bytes of `rest` that are needed if it has
 * fewer, or 0. */
uint64_t wall_overlaps(wall_work *k);
/** By distance: adds the contacts of the convex parts of the body. */
void wall_penetrations(wall_work *k);
/** Adds the contacts across the least distance from the bars, for a body that overlaps none: one
 * contact, or both ends of a side on a facet for a convex body. */
void wall_gap(wall_work *k, int both_ends);

#endif
