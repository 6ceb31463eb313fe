/* SPDX-License-Identifier: Apache-2.0 */
/* Tracking of two convex outlines: their closest features, or a crossing of their edges. */
#ifndef CLOSEST_FEATURE_TRACK_H
#define CLOSEST_FEATURE_TRACK_H

#include "outline.h"

/* How two convex outlines are to each other. */
#define TRACK_NEW 0u      /* of a hint: nothing is known */
#define TRACK_APART 1u    /* number: closest features, 2 k of vertex k, 2 k + 1 of edge k */
#define TRACK_CROSSING 2u /* number: edges that cross */
#define TRACK_A_IN_B 3u
#define TRACK_B_IN_A 4u

/** What is remembered of a pair, and what a search finds. Zeros: TRACK_NEW. */
typedef struct track {
    uint32_t state;
    uint32_t number[2]; /* of a, of b */
    uint32_t moves;     /* of the last search */
} track;

/** Closest points of outlines that are apart. */
typedef struct gap {
    double length; /* [m] */
    point normal;  /* [-] from a to b */
    point middle;  /* [m] */
} gap;

/** Looks from `t` on. What it finds does not depend on what `t` held, but for the seed of a crossing
 * and `moves`. */
void track_search(const placed *a, const placed *b, track *t);

/** The gap between features of a track that is TRACK_APART. */
gap track_gap(const placed *a, const placed *b, const track *t);

/** One search for closest features by at most `most` moves from t->number; 1: they are apart, and
 * these are the closest, 0: they overlap, touch, or the moves did not suffice. */
int track_features(const placed *a, const placed *b, track *t, uint32_t most);

#endif
