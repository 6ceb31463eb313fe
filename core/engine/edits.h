/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a step: edits by modifiers, insertion, deletion, renumbering. */
#ifndef CORE_EDITS_H
#define CORE_EDITS_H

#include "engine/state.h"

/** Removes the bodies with dead[i] != 0, and books their energy. */
bool scree_remove_bodies(scree_sim *sim, const uint8_t *dead, GError **error);
bool scree_edits_apply(scree_sim *sim, GError **error);
/** Between two steps: changes `n` bodies as modifiers do, all of them or (*refused) none. The
 * state is settled; scree_boundary_apply is due next. False with an error: unless it was refused,
 * the run cannot continue. */
bool scree_edits_set(scree_sim *sim, const scree_body_change *changes, uint64_t n, bool *refused,
                     GError **error);
void scree_edits_clear(scree_edit_state *edits);
/** Appends bodies (scree_body) that edits of this step insert, from *n_inserts on, and moved bodies
 * at their new places, from edit *n_edits on; sets both to the ends. */
void scree_edits_placed(const scree_sim *sim, guint *n_edits, guint *n_inserts, GArray *bodies);
/** Sorts the storage by Morton cell (the scene's renumber.every). */
void scree_renumber(scree_sim *sim);

#endif
