/* SPDX-License-Identifier: Apache-2.0 */
/* Edits the lists where few bodies have moved. */
#ifndef CORE_LIST_EDIT_H
#define CORE_LIST_EDIT_H

#include "engine/state.h"

void scree_list_edit_prepare(scree_contacts_state *contacts);
/** After a partial renewal of extents: returns whether the lists can be edited in place. */
bool scree_list_edit_serves(const scree_sim *sim);
/** After a search for the boxes that moved: edits the lists. */
void scree_list_edit(scree_sim *sim);

#endif
