/* SPDX-License-Identifier: Apache-2.0 */
/* Surfaces of facets at rest: the service draft.conformal/1. */
#ifndef CORE_CONFORMAL_H
#define CORE_CONFORMAL_H

#include "engine/state.h"

/** Sets up draft.conformal/1 for the plugins of this sim. */
void scree_conformal_offer(scree_sim *sim);
void scree_conformal_clear(scree_search *search);
/** Updates the surfaces in the boxes, if their bodies have changed. */
void scree_conformal_renew(const scree_sim *sim);
/** Returns whether surfaces at rest may drop pairs: not with pair fields, whose life depends only
 * on boxes. */
bool scree_conformal_offered(const scree_sim *sim);
/** Returns whether one of two overlapping slots has a surface at rest that does not reach the box
 * of the other; only if offered. */
bool scree_conformal_apart(const scree_sim *sim, uint32_t i, uint32_t j);

#endif
