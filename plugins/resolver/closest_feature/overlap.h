/* SPDX-License-Identifier: Apache-2.0 */
/* Connected pieces of the overlap of two outlines, from their crossings. */
#ifndef CLOSEST_FEATURE_OVERLAP_H
#define CLOSEST_FEATURE_OVERLAP_H

#include "../overlap/eccentricity.h"
#include "outline.h"

/** Where an edge of a and one of b cross. */
typedef struct crossing {
    uint32_t edge[2]; /* edge of a, edge of b */
    int32_t in;       /* 0: a goes into b here, 1: b into a */
    uint32_t steps;   /* vertices from here to the piece's next crossing along that outline */
    uint32_t next;    /* next crossing of the piece; only in overlap_all() */
    uint32_t reserved;
    double t[2]; /* [-] place on both edges; only in overlap_all() */
} crossing;

/** A connected piece of overlap. */
typedef struct piece {
    double area;   /* [m^2] */
    point push;    /* [m] d(area)/dx_a: L n, the sum of the chords turned right; 0: they cancel */
    point middle;  /* [m] middle of the chord, on the line of action of push */
    double turn;   /* [m^2/rad] d(area) as a turns about the middle */
    double across; /* [m] half of the border's length, but no more than the reach of both bodies */
    eccentricity off;
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

/** Sets push, middle and turn of a piece. The sum of the pushes acts on a line; the middle is the point
 * of that line nearest to their mean. The point is kept within the balls about both bodies, because
 * pushes that nearly cancel act far away; turn: the moment about it that this leaves, else 0. Pushes
 * that cancel up to rounding are 0. `origin`: the origin of the sums. */
void push_piece(piece *one, const chords *sum, point origin, const point centre[2],
                const double radius[2]);

/** Where edge i of a and edge j of b cross, and the place on both edges. */
point crossing_at(const placed *a, uint32_t i, const placed *b, uint32_t j, double t[2]);

/** The piece that a counterclockwise cycle of n crossings bounds. Between the first two crossings a
 * is inside of b, then b is inside of a, and so on. */
piece piece_of(const placed *a, const placed *b, const crossing *cycle, uint32_t n);

/** Finds the crossings of two convex outlines around their overlap, starting from one crossing.
 * Their order does not depend on the start. `list` has room for 2 (n_a + n_b). Returns the number
 * of crossings. */
uint32_t overlap_convex(const placed *a, const placed *b, uint32_t i, uint32_t j, crossing *list);

/** Finds all pieces of any two outlines; b may be a line. `room`: bytes of memory. Returns the
 * bytes needed when these do not suffice, else 0. */
typedef struct pieces {
    piece *list; /* ascending by feature */
    uint32_t n;
    int32_t tangled; /* 1: along the border of a the crossings do not lead in and out in turn */
} pieces;
uint64_t overlap_all(const placed *a, const placed *b, void *memory, uint64_t room, pieces *out);

#endif
