/* SPDX-License-Identifier: Apache-2.0 */
/* Tracking of two convex outlines: their closest features, or a crossing of their edges. */
#ifndef CLOSEST_FEATURE_TRACK_H
#define CLOSEST_FEATURE_TRACK_H

#include "outline.h"

/* How two convex outlines are to each other. */
#define TRACK_NEW 0u      /* hint: nothing is known */
#define TRACK_APART 1u    /* number: closest features, 2 k for vertex k, 2 k + 1 for edge k */
#define TRACK_CROSSING 2u /* number: the two edges that cross */
#define TRACK_A_IN_B 3u
#define TRACK_B_IN_A 4u

/** Memory of a pair, and result of a search. Zeros: TRACK_NEW. */
typedef struct track {
    uint32_t state;
    uint32_t number[2]; /* number for a, and for b */
    uint32_t moves;     /* moves of the last search */
} track;

/** Closest points of outlines that are apart. */
typedef struct gap {
    double length; /* [m] */
    point normal;  /* [-] from a to b */
    point middle;  /* [m] */
} gap;

/** Searches from `t` on. The resulting state and features do not depend on the start; `moves` and
 * the choice among several crossings do. */
void track_search(const placed *a, const placed *b, track *t);

/** The gap between features of a track that is TRACK_APART. */
gap track_gap(const placed *a, const placed *b, const track *t);

/** Searches closest features with at most `most` moves from t->number. 1: the outlines are apart
 * and t->number has the closest features. 0: they overlap or touch, or the moves did not
 * suffice. */
int track_features(const placed *a, const placed *b, track *t, uint32_t most);

#endif
