// SPDX-License-Identifier: Apache-2.0
// Shared by the files that add up a sample of observer `field`: cells.c, points.c, deposit.c.
#ifndef OBSERVER_FIELD_DEPOSIT_H
#define OBSERVER_FIELD_DEPOSIT_H

#include "field.h"

/** The cells [begin, end) along the axis `cut` of the grid, and the room of the lane that sums them up. */
typedef struct field_chunk {
    field_scene *s;
    field_room *room;
    uint32_t begin, end;
} field_chunk;

/** Terms of a path, in the order of the sums from SUM_CONTACT on. */
enum { N_PATH = SUM_BOUNDARY - SUM_CONTACT };

/** Places one item at one of its images. 0: out of memory. */
typedef int (*place_fn)(field_chunk *c, const void *item, const double shift[3]);
/** Calls `place` for all images of an item within [lo, hi] that reach the grid. 0: out of memory. */
int over_images(field_chunk *c, const double lo[3], const double hi[3], const void *item,
                place_fn place);
void field_rotate(double basis[3][3], const double v[3], double out[3]);
/** Volume, mass, momentum and m v' v' of the part of a body that one ball stands for, in the axes
 * of a place. */
void body_terms(const field_scene *s, const field_ball *ball, double basis[3][3],
                double q[SUM_CONTACT]);
void path_terms(const field_path *p, double basis[3][3], double q[N_PATH]);
/** Adds a body's terms and its body fields, times `part`. */
static inline void add_body(const field_scene *s, double *restrict to,
                            const double q[restrict SUM_CONTACT], uint32_t body, double part)
{
    const scree_bodies *b = s->view->bodies;
    uint32_t at = SUM_FIELDS;
    for (int k = 0; k < SUM_CONTACT; k++)
        to[k] += part * q[k];
    for (uint32_t f = 0; f < b->n_used; f++)
        for (uint32_t k = 0; k < b->used[f]->components; k++)
            to[at++] += part * q[SUM_MASS] * b->used[f]->v[k][body];
}
static inline void add_path(double *restrict to, const double q[restrict N_PATH], double part)
{
    for (int k = 0; k < N_PATH; k++)
        to[SUM_CONTACT + k] += part * q[k];
}

/** cells.c, points.c: all balls and paths of a sample. 0: out of memory. */
int deposit_cells(field_chunk *c);
int deposit_points(field_chunk *c);
/** Sums of a cell; NULL: it belongs to another chunk. */
double *sums_of(const field_chunk *c, uint64_t cell);

#endif
