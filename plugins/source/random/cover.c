// SPDX-License-Identifier: Apache-2.0
/*
 * Places where no ball of radius `least` or more has room.
 *
 * Idea: random placement tries 54 places for a body, on average, up to a solid fraction of 0.3; all
 * but the last are taken. If all corners of a cell are within radius + least of the centre of a
 * ball, any centre in the cell is taken. One bit stores this, so that most tries cost one access to
 * a map of 16 bytes per body, instead of walks over lists.
 *
 * Exactness: a bit is set only where the exact test would give the same answer with a margin
 * (slack), so placement does not depend on the map.
 *
 * Cost: a ball marks whole rows of cells, about (4 r / edge)^2 of them. The map
 * answers 47 of the 54 tries. The cost of the rest grows with the number of bodies as the cache
 * becomes too small: places are random, so each access to the map, to the cells and to the balls
 * needs another line.
 */
#include "cover.h"

#include <math.h>
#include <stdlib.h>

#include "wide.h"

#define CELLS_A_BALL 128.0
#define MOST_CELLS 0x1p33

static double clamp(double v, double lo, double hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

int cover_init(cover *c, uint32_t dimension, double least, const double min[3], const double max[3],
               uint64_t n_balls)
{
    double size = 1.0, largest = 0.0;
    c->least = least;
    for (uint32_t k = 0; k < 3; k++) {
        size *= k < dimension ? max[k] - min[k] : 1.0;
        largest = fmax(largest, k < dimension ? fmax(fabs(min[k]), fabs(max[k])) : 0.0);
    }
    double cells = fmin(CELLS_A_BALL * (double)n_balls + 1.0, MOST_CELLS);
    double edge = pow(size / cells, 1.0 / dimension);
    for (uint32_t k = 0; k < 3; k++) {
        double length = k < dimension ? max[k] - min[k] : 1.0;
        double n = k < dimension ? clamp(floor(length / edge), 1.0, 1e6) : 1.0;
        c->min[k] = k < dimension ? min[k] : -0.5;
        c->n[k] = (uint32_t)n;
        c->edge[k] = length / n;
        c->inv_edge[k] = n / length;
    }
    c->slack = 1e-9 * (largest + edge);
    c->row = (c->n[0] + 63) / 64;
    uint64_t words = c->row * c->n[1] * c->n[2];
    c->bits = calloc(words, sizeof *c->bits);
    ask_for_large_pages(c->bits, words * sizeof *c->bits);
    return c->bits != NULL;
}

void cover_clear(cover *c)
{
    free(c->bits);
    c->bits = NULL;
}

/** The cells along axis k that are wholly in [lo, hi]; false: none. */
static int whole_cells(const cover *c, int k, double lo, double hi, uint32_t *first, uint32_t *end)
{
    double from = ceil((lo - c->min[k]) * c->inv_edge[k]);
    double to = floor((hi - c->min[k]) * c->inv_edge[k]);
    *first = (uint32_t)clamp(from, 0.0, c->n[k]);
    *end = (uint32_t)clamp(to, 0.0, c->n[k]);
    return *first < *end;
}

/** Marks the cells [first, end) of a row; `stride`: from one of its words to the next. */
static void mark(uint64_t *row, uint64_t stride, uint32_t first, uint32_t end)
{
    for (; first < end; first = (first | 63) + 1) {
        uint32_t n = 64 - first % 64;
        if (n > end - first)
            n = end - first;
        row[first / 64 * stride] |= (UINT64_MAX >> (64 - n)) << first % 64;
    }
}

/** Square of the distance from x to the farther end of a cell along axis k. */
static double far_square(const cover *c, int k, uint32_t cell, double x)
{
    double lo = c->min[k] + cell * c->edge[k] - x;
    double hi = lo + c->edge[k], d = -lo > hi ? lo : hi;
    return d * d;
}

void cover_add(cover *c, const double x[3], double radius)
{
    const int flat = c->n[2] == 1 && c->min[2] == -0.5 && c->edge[2] == 1.0;
    double reach = (radius + c->least) * (1.0 - 1e-9) - c->slack, r2 = reach * reach;
    uint32_t z0 = 0, z1 = 1, y0, y1, x0, x1;
    if (!(reach > 0.0) || !whole_cells(c, 1, x[1] - reach, x[1] + reach, &y0, &y1) ||
        (!flat && !whole_cells(c, 2, x[2] - reach, x[2] + reach, &z0, &z1)))
        return;
    for (uint32_t z = z0; z < z1; z++) {
        double dz2 = flat ? 0.0 : far_square(c, 2, z, x[2]);
        for (uint32_t y = y0; y < y1; y++) {
            double left = r2 - dz2 - far_square(c, 1, y, x[1]);
            if (left > 0.0 && whole_cells(c, 0, x[0] - sqrt(left), x[0] + sqrt(left), &x0, &x1))
                mark(c->bits + z * c->row * c->n[1] + y, c->n[1], x0, x1);
        }
    }
}
