/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and reads the state of plugins in a checkpoint. */
#ifndef CORE_STATES_FILE_H
#define CORE_STATES_FILE_H

#include "base/h5io.h"
#include "plugin/plugin_state.h"

/** Writes *states, or reads them; a file without any leaves it NULL. */
void scree_saved_states_transfer(scree_h5 *h5, GPtrArray **states);
/** Those of observers, or those of all others, of a list that was read; a new list, NULL: none. */
GPtrArray *scree_saved_states_part(const GPtrArray *states, bool observers);

#endif
