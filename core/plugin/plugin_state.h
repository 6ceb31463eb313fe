/* SPDX-License-Identifier: Apache-2.0 */
/* State of plugins that fields cannot hold (scree.state/1): saved, and given to new instances. */
#ifndef CORE_PLUGIN_STATE_H
#define CORE_PLUGIN_STATE_H

#include "plugin/instance_data.h"

/** The state of one instance. */
typedef struct scree_saved_state {
    char *slot, *kind, *id, *version; /* slot of the instance; kind, id and version of its plugin */
    uint64_t n;
    uint8_t *bytes; /* [n] */
    bool claimed;   /* a new instance has loaded it */
} scree_saved_state;

/** A new list of scree_saved_state, empty. */
GPtrArray *scree_saved_states_new(void);
/** Appends an empty state to the list. */
scree_saved_state *scree_saved_states_add(GPtrArray *states);
/** Appends the state of an instance, if it has any. False: save() fails, or writes too much. */
bool scree_saved_states_save(GPtrArray *states, scree_instance *instance, GError **error);
/** The state saved for a slot; NULL: none. */
scree_saved_state *scree_saved_states_find(const GPtrArray *states, const char *slot);

/** Appends what a swap did with the state: "modifiers.feed: state of .. kept", or dropped. */
void scree_saved_state_note(const scree_saved_state *state, GPtrArray *notes);
/** Loads the state of its slot in runtime->handed into a new instance. A state from another version
 * of the plugin is an error, or is passed over with runtime->handed_lax. */
bool scree_saved_state_load(scree_instance *instance, GError **error);

#endif
