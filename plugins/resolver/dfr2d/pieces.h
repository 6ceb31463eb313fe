/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of the overlap of two strips: the arcs of b's border inside of a, and which of them belong together. */
#ifndef RESOLVER_DFR2D_PIECES_H
#define RESOLVER_DFR2D_PIECES_H

#include "dfr.h"

/** A point of b's border in the frame of a. */
typedef struct dfr_place {
    double at[2], w;     // [m], place in panels of a
    double above, below; // [m] height above a's upper half, and below its lower half
    uint32_t point;      // point of b at which its side begins
} dfr_place;

/** A part of b's border inside of a. */
typedef struct dfr_arc {
    dfr_place from, to;
    double swept; // [m^2] as seen from the origin of the walk
    uint32_t piece;
} dfr_arc;

/** The end of an arc on a's border: the side that begins at point `side`, and the place along
 * it. */
typedef struct dfr_end {
    double along;
    uint32_t side, arc;
    uint32_t is_start; // 1: it is the start of its arc
} dfr_end;

/** b's border on its way over a. */
typedef struct dfr_walk {
    const dfr_strip *a, *b;
    dfr_range range; // panels of a
    double join, closed, origin[2];
    int is_from_above, is_inside; // all of b is inside
    int is_full;                  // there were more arcs than room
    double area;
    dfr_arc *arcs; // [room]
    dfr_end *ends; // [2 room]
    uint32_t n_arcs, room;
    overlap_arcs folded; // arcs for which there was no room
} dfr_walk;

/** Finds at most `room` pieces, by ascending feature; returns their number. 0: the crossings do not
 * alternate, because of rounding where borders nearly coincide. */
uint32_t dfr_find_pieces(dfr_walk *k, const overlap_pose *pose, overlap_piece *out, uint32_t room);
/** Sets the eccentricity of the piece that has all arcs; 0 where rounding spoils their order. */
void dfr_find_off(dfr_walk *k, const overlap_pose *pose, overlap_piece *piece);

#endif
