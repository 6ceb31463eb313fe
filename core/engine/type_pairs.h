/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of shape types that can meet: the resolver and the laws of each. */
#ifndef CORE_TYPE_PAIRS_H
#define CORE_TYPE_PAIRS_H

#include "engine/state.h"

/** Lists the types of the scene that bodies have or may get. */
void scree_type_pairs_types(scree_sim *sim);
/** Makes the lists of candidates from the resolvers and laws. False: no resolver, or no law, serves
 * a pair. */
bool scree_type_pairs_make(scree_sim *sim, GError **error);
/** Returns whether a body may have this shape: its type meets all others as it must. */
bool scree_type_pairs_serve(const scree_sim *sim, uint32_t shape);

#endif
