/* SPDX-License-Identifier: Apache-2.0 */
/* Which bodies of other ranks may meet own rows, while ranks are apart. */
#ifndef CORE_VICINITY_H
#define CORE_VICINITY_H

#include "engine/state.h"

typedef struct scree_vicinity scree_vicinity;

/** Collective, before a refresh: takes places and velocities of other ranks' bodies that may be
 * near own rows. *sound: those of all ranks may be used; otherwise nothing is taken. */
bool scree_vicinity_take(scree_sim *sim, bool *sound, GError **error);
/** After extents were renewed: empties boxes of other bodies that no box of an own row can meet. */
void scree_vicinity_pick(const scree_sim *sim, const scree_box_set *set);
void scree_vicinity_free(scree_vicinity *vicinity);

#endif
