/* SPDX-License-Identifier: Apache-2.0 */
/* Calls in which a plugin may ask scree.query/1. */
#ifndef CORE_ASKED_H
#define CORE_ASKED_H

#include "engine/state.h"
#include "scene/query_service.h"

/** Questions of a run. */
struct scree_asked {
    scree_query_service *service;
    guint n_edits, n_inserts; // number of this step's edits that its list has
    GArray *placed;           // elements: scree_body; working memory
};

/** Begins a call in which a plugin may ask. */
void scree_asked_open(const scree_sim *sim);
/** Ends this call. False with an error: a question failed by no fault of the plugin that asked. */
bool scree_asked_close(const scree_sim *sim, GError **error);
/** To be called after bodies have moved or were replaced. */
void scree_asked_forget(const scree_sim *sim);

#endif
