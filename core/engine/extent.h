/* SPDX-License-Identifier: Apache-2.0 */
/* Tight boxes, extents, periodic images. */
#ifndef CORE_EXTENT_H
#define CORE_EXTENT_H

#include "engine/sim.h"

/** True when none is valid, or a body that is not free has left its extent (free balls: the kernel
 * `left`). */
bool scree_extent_violated(scree_sim *sim);
/** New extents: of all boxes, or (renew moved) of those that left theirs, listed in boxes.moved;
 * *all says which, *renumbered that slots mean other bodies than before. */
bool scree_extent_renew(scree_sim *sim, bool *all, bool *renumbered, GError **error);

/** Tight box, centroid and bounding radius of a part, now. */
typedef struct scree_tight {
    double lo[3], hi[3], centre[3], radius;
} scree_tight;

void scree_extent_tight(const scree_world *world, uint32_t body, uint32_t part, scree_tight *tight);
/** Corners of a facet, now; returns how many. */
uint32_t scree_facet_corners(const scree_world *world, uint32_t body, uint32_t part,
                             double corner[4][3]);
/** Outward normal of a plane, now. */
void scree_plane_normal(const scree_world *world, uint32_t plane, double normal[3]);
/** Gives the boxes of a bare set back: corners alone, or (all) the bounding spheres too. */
void scree_extent_drop(scree_sim *sim, bool all);
/** [bytes] That the set holds of n bodies. */
uint64_t scree_extent_bytes(const scree_box_set *set, uint64_t n_bodies);
void scree_extent_clear(scree_sim *sim);
/** A body jumped by whole cells, `by` [m] along `axis`: its reference goes with it. */
void scree_extent_wrapped(scree_sim *sim, uint32_t body, int axis, double by);
/** Bodies were inserted or dropped: new_of_old[i] is the new number of old body i or SCREE_NONE. */
void scree_extent_renumbered(scree_sim *sim, const uint32_t *new_of_old, uint32_t n_old);
uint32_t scree_parts_of(const scree_world *world, uint32_t body);

#endif
