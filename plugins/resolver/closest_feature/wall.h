/* SPDX-License-Identifier: Apache-2.0 */
/* Open walls as lines of facets, for the resolver `closest_feature`. */
#ifndef CLOSEST_FEATURE_WALL_H
#define CLOSEST_FEATURE_WALL_H

#include "outline.h"

/** A straight part of a line: facets in line with each other are one. */
typedef struct wall_bar {
    uint32_t line, edge; /* edge of that line */
    uint32_t patch;      /* lowest facet of those joined by flat edges */
    uint32_t end[2];     /* numbers of its ends within the wall */
} wall_bar;

/** A wall that encloses nothing. A line goes from end to end, or around. It has the direction of
 * its lowest facet, so that the back of that facet is to its left. */
typedef struct wall {
    uint32_t n_lines, n_bars, n_facets; /* n_lines 0: this is not an open wall */
    uint32_t reserved;
    outline *lines;   /* [n_lines] OUTLINE_LINE; `area` and `normal` are not used */
    int32_t *around;  /* [n_lines] 1: the last vertex is the first one */
    wall_bar *bars;   /* [n_bars] line by line, along it */
    uint32_t *bar_of; /* [n_facets] */
    double radius;    /* [m] radius of a ball about the origin */
} wall;

/** [config] Makes the wall of an open mesh of segments; 0: no memory. */
int wall_new(const scree_mesh *mesh, wall *out);
void wall_clear(wall *w);
uint64_t wall_bytes(const wall *w);

#endif
