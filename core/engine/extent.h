/* SPDX-License-Identifier: Apache-2.0 */
/* Tight boxes, extents, periodic images. */
#ifndef CORE_EXTENT_H
#define CORE_EXTENT_H

#include "engine/state.h"

/** Returns whether the extents are invalid, or a plane has left its own. */
bool scree_extent_violated(const scree_sim *sim);
/** Makes new extents of all boxes, or (renew moved) of boxes that were left, which boxes.moved then
 * lists. *all: it was all of them; *renumbered: slots belong to other bodies. */
bool scree_extent_renew(scree_sim *sim, bool *all, bool *renumbered, GError **error);

/** Notes which bodies in [begin, end) have left their extents, for scree_extent_renew; returns
 * whether some have. */
bool scree_extent_note_left(const scree_sim *sim, uint32_t begin, uint32_t end);
/** Writes the current outward normal of a plane. */
void scree_plane_normal(const scree_world *world, uint32_t plane, double normal[3]);
/** Returns whether a slot's extent reaches the solid side of a plane, which may move meanwhile. */
bool scree_reaches_plane(const scree_sim *sim, uint32_t slot, uint32_t plane);
/** Returns whether scree_extent_renew would renew only boxes that were left. */
bool scree_extent_is_partial(const scree_sim *sim);
/** Frees boxes of a bare set: only the corners, or (all) also the bounding spheres. */
void scree_extent_drop(scree_box_set *set, scree_scratch *scratch, bool all);
/** The arrays of a set by slot, unless it is bare, and by body. */
extern const scree_arrays scree_slot_arrays, scree_extent_arrays;
void scree_extent_clear(scree_box_set *set);
/** Moves the reference of a body that jumped by whole cells, by[] [m]. */
void scree_extent_wrapped(const scree_sim *sim, uint32_t body, const double by[3]);
/** To be called after insertion or removal: new_of_old[i] is the new number of body i, or SCREE_NONE. */
void scree_extent_renumbered(scree_sim *sim, const uint32_t *new_of_old, uint32_t n_old);

#endif
