/* SPDX-License-Identifier: Apache-2.0 */
/* Takes boxes that are far from all own rows out of contact detection. */
#ifndef CORE_VICINITY_H
#define CORE_VICINITY_H

#include "engine/state.h"

/** While ranks are apart, after extents were renewed: empties boxes of other bodies that no box of
 * an own row can meet. */
void scree_vicinity_pick(const scree_sim *sim, scree_box_set *set);

#endif
