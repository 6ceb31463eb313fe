/* SPDX-License-Identifier: Apache-2.0 */
/* State of plugins that cannot be fields (scree.state/1): saved, and handed on to new instances. */
#ifndef CORE_PLUGIN_STATE_H
#define CORE_PLUGIN_STATE_H

#include "plugin/instance_data.h"

/** The state of one instance. */
typedef struct scree_saved_state {
    char *slot, *kind, *id, *version; /* of its plugin */
    uint64_t n;
    uint8_t *bytes; /* [n] */
    bool claimed;   /* an instance goes on from it */
} scree_saved_state;

/** An empty list of scree_saved_state. */
GPtrArray *scree_saved_states_new(void);
/** An empty one, at the end of the list. */
scree_saved_state *scree_saved_states_add(GPtrArray *states);
/** Appends the state of an instance, if it has any. False when save() fails, writes too much, or
 * does not give the same bytes twice. */
bool scree_saved_states_save(GPtrArray *states, scree_instance *instance, GError **error);
/** The state of a slot, or NULL. */
scree_saved_state *scree_saved_states_find(const GPtrArray *states, const char *slot);

/** Appends what a swap has made of it: "modifiers.feed: state kept", or dropped. */
void scree_saved_state_note(const scree_saved_state *state, GPtrArray *notes);
/** A new instance goes on from the state of its slot in runtime->handed. One of another
 * version is an error, or, with runtime->handed_lax, left. */
bool scree_saved_state_load(scree_instance *instance, GError **error);

#endif
