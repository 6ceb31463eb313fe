/* SPDX-License-Identifier: Apache-2.0 */
/* Connected pieces of the overlap of two outlines, from their crossings. */
#ifndef CLOSEST_FEATURE_OVERLAP_H
#define CLOSEST_FEATURE_OVERLAP_H

#include "outline.h"

/** Where an edge of a and one of b cross. */
typedef struct crossing {
    uint32_t edge[2]; /* of a, of b */
    int32_t in;       /* 0: a goes into b here, 1: b into a */
    uint32_t steps;   /* vertices of that outline from here to the next crossing of the piece */
    uint32_t next;    /* of the piece; in overlap_all() */
    uint32_t reserved;
    double t[2]; /* [-] place on the edges; in overlap_all() */
} crossing;

/** A connected piece of overlap. */
typedef struct piece {
    double area;   /* [m^2] */
    point push;    /* [m] d(area)/dx_a: L n, the sum of the chords turned right */
    point middle;  /* [m] of the chord, on the line of action of push */
    double across; /* [m] half of its border */
    uint64_t feature;
} piece;

/** Sums over chords of arcs of a, each pushed at its middle, at right angles. */
typedef struct chords {
    point push, weighed; /* [m] [m^2] */
    double weight;       /* [m] */
    double moment;       /* [m^2] about the origin */
    uint32_t n, reserved;
} chords;

/** Adds the chord of an arc of a, which runs counterclockwise around the piece. */
static inline void add_chord(chords *sum, point from, point to)
{
    const point chord = from_to(from, to), middle = moved(from, 0.5, chord);
    const point push = point_of(chord.y, -chord.x);
    const double length = sqrt(dot2(chord, chord));
    sum->push = moved(sum->push, 1.0, push);
    sum->weighed = moved(sum->weighed, length, middle);
    sum->weight += length;
    sum->moment += cross2(middle, push);
    sum->n++;
}

/** Where the sum of the pushes acts: of all places on that line the nearest to their mean, but within the
 * balls about both bodies, for pushes that nearly cancel act far away. `origin`: that of the sums. */
point middle_of(const chords *sum, point origin, const point centre[2], const double radius[2]);

/** The place of the crossing of edge i of a and edge j of b, and where it is on both. */
point crossing_at(const placed *a, uint32_t i, const placed *b, uint32_t j, double t[2]);

/** The piece that a cycle of n crossings bounds: from the first to the next one a is inside of b,
 * then b inside of a, and so on, counterclockwise. */
piece piece_of(const placed *a, const placed *b, const crossing *cycle, uint32_t n);

/** The crossings of two convex outlines, from one of them on around their overlap, put in an order
 * that does not depend on the first: `list` has room for 2 (n_a + n_b). Returns their number. */
uint32_t overlap_convex(const placed *a, const placed *b, uint32_t i, uint32_t j, crossing *list);

/** All pieces of any two outlines, b may be a line. `room`: bytes of memory. Returns the bytes that it needs if that
 * is not enough, else 0. */
typedef struct pieces {
    piece *list; /* ascending by feature */
    uint32_t n;
    uint32_t reserved;
} pieces;
uint64_t overlap_all(const placed *a, const placed *b, void *memory, uint64_t room, pieces *out);

#endif
