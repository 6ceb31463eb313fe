/* SPDX-License-Identifier: Apache-2.0 */
/* The contacts for observers: kept after an accepted evaluation, listed when they are read. */
#ifndef CORE_CONTACT_LIST_H
#define CORE_CONTACT_LIST_H

#include "engine/state.h"

/** Keeps the contacts of the last accepted evaluation, in canonical order, with the quantities in
 * sim->records. `kept` NULL: makes it. */
void scree_contact_copy_make(const scree_sim *sim, scree_contact_copy **kept);
void scree_contact_copy_free(scree_contact_copy *kept);
/** Returns the kept contacts with bodies that are not free: rows without pointers, a new array. */
GArray *scree_contact_copy_rows(const scree_contact_copy *kept);
/** Adds the contacts of such rows of other ranks, from row `first` on, behind all. */
void scree_contact_copy_add(scree_contact_copy *kept, const GArray *rows, guint first);
/** Lists the kept contacts whose bodies still exist; drops others. Valid until the next call. */
void scree_contact_copy_list(scree_sim *sim, scree_contact_copy *kept, scree_contact_list *list);
/** Returns whether a plugin uses contact or pair fields of other plugins. */
bool scree_contact_list_is_used(const scree_instance *user);
/** Sets `used` in a copy of the list that was filled last, for one observer. Equally valid. */
void scree_contact_copy_show(const scree_sim *sim, const scree_contact_copy *kept,
                             const scree_instance *user, scree_contact_list *list);
/** Returns the bytes of a kept contact, with its record and place in the list, shares of `n_laws`
 * laws (0: only the total), and `n_fields` components of fields. */
uint64_t scree_record_bytes(uint32_t n_laws, uint32_t n_fields);

#endif
