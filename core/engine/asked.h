/* SPDX-License-Identifier: Apache-2.0 */
/* Service scree.query/1 in a run, and the calls in which a plugin may ask. */
#ifndef CORE_ASKED_H
#define CORE_ASKED_H

#include "engine/state.h"

/** Offers the service; it costs nothing until it is called. */
void scree_asked_begin(scree_sim *sim);
void scree_asked_end(scree_sim *sim);
/** Begins a call in which a plugin may ask. */
void scree_asked_open(const scree_sim *sim);
/** Ends this call. False with an error: a question failed by no fault of the plugin that asked. */
bool scree_asked_close(const scree_sim *sim, GError **error);
/** To be called after bodies have moved or were replaced. */
void scree_asked_forget(const scree_sim *sim);

#endif
