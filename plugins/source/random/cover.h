/* SPDX-License-Identifier: Apache-2.0 */
/* Source `random`: places where no ball of at least some radius has room: a map of small cells,
 * with one bit each. */
#ifndef PLUGINS_SOURCE_COVER_H
#define PLUGINS_SOURCE_COVER_H

#include <stdint.h>

typedef struct cover {
    double min[3], edge[3], inv_edge[3];
    double least;   /* [m] */
    double slack;   /* [m] rounding of the corners of a cell, and far more */
    uint32_t n[3];  /* cells */
    uint64_t *bits; /* a word has 64 cells along x; the next word has those of the next cell along
                     * y */
    uint64_t row;   /* words along x */
} cover;

/** Makes a map for about `n_balls` balls of radius `least` or more with centres in [min, max]. 0:
 * no memory. */
int cover_init(cover *map, uint32_t dimension, double least, const double min[3],
               const double max[3], uint64_t n_balls);
void cover_clear(cover *map);
/** Adds a ball: marks the cells that cannot hold a centre anywhere. */
void cover_add(cover *map, const double x[3], double radius);

#define COVER_NONE UINT64_MAX

/** The bit of a place; COVER_NONE: it is not on the map. */
static inline uint64_t cover_find(const cover *c, const double x[3])
{
    uint64_t cell[3];
    for (int k = 0; k < 3; k++) {
        double at = (x[k] - c->min[k]) * c->inv_edge[k];
        if (!(at >= 0.0 && at < c->n[k]))
            return COVER_NONE;
        cell[k] = (uint64_t)at;
    }
    return ((cell[2] * c->row + cell[0] / 64) * c->n[1] + cell[1]) * 64 + cell[0] % 64;
}

/** True: a ball of this radius there overlaps one that was added. False: not known. */
static inline int cover_hit(const cover *c, uint64_t bit, double radius)
{
    return radius >= c->least && bit != COVER_NONE && (c->bits[bit / 64] >> bit % 64 & 1);
}

#endif
