/* SPDX-License-Identifier: Apache-2.0 */
/* Resolver `gjk`: neighbours of corners, edges and faces, so that searches walk instead of testing
 * all. */
#ifndef GJK_GRAPH_H
#define GJK_GRAPH_H

#include "convex.h"

/** Polytopes with so few corners have no graph: all are tested. */
enum { GRAPH_FEW = 64 };

/** Makes the graph of a polytope; it has none for few corners, for a form that cannot be climbed,
 * or without memory. */
void graph_make(polytope *p);
void graph_free(graph *g);

/** The number of the corner that is farthest along n, the lowest of several; its height is known to the bit. */
uint32_t graph_farthest(const convex *c, scree_vec n);

/** [m] max n·x over the corners of the shape; n in its frame. */
double graph_height(const polytope *p, scree_vec n);

/** The number of the face whose normal is the nearest to n, in the frame of the shape; the lowest of several. */
uint32_t graph_facing(const polytope *p, scree_vec n);

/** All corners that may be the farthest along a direction within the angle `lean` [rad] of n, when corner `from` is the
 * farthest along n. Corner v is one if n . (corner `from` - corner v) <= `lean` |corner v - corner `from`| + `slack`.
 * `list` gets them, ascending. Returns their number, or SCREE_NONE when they are more than `most`. */
uint32_t graph_beside(const convex *c, scree_vec n, uint32_t from, double lean, double slack,
                      uint32_t *list, uint32_t most);

/** Lists corners at most `above` over the plane through q with normal n, and at most `beside` from
 * the line along n through q; rounding may add some more. Ascending. SCREE_NONE: more than
 * `most`. */
uint32_t graph_under(const convex *c, scree_vec n, scree_vec q, double above, double beside,
                     uint32_t *list, uint32_t most);

/** Inserts a number into an ascending list that does not hold it yet. Returns 0 when the list is full. */
int graph_insert(uint32_t *list, uint32_t *n, uint32_t most, uint32_t number);

#endif
