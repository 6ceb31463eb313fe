/* SPDX-License-Identifier: Apache-2.0 */
/* After a swap of resolvers: matches previous contacts with new ones. */
#ifndef CORE_CONTACT_MATCH_H
#define CORE_CONTACT_MATCH_H

#include "engine/contacts.h"

/** Positions of the current contacts, by key; NULL with an error. */
GArray *scree_nearest_points(scree_sim *sim, GError **error);
/** Replaces the features of the previous resolver by those of the new one, by the positions of
 * contacts that both find. *carried: number of matched rows. Returns the number of rows that were
 * dropped. */
uint64_t scree_nearest_match(scree_contact_store *store, uint32_t n_fields, uint32_t n_pair_fields,
                             const GArray *before, const GArray *now, uint64_t *carried);

#endif
