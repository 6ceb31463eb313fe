/* SPDX-License-Identifier: Apache-2.0 */
/* The contacts that observers get: kept after an accepted evaluation, listed when one looks. */
#ifndef CORE_CONTACT_LIST_H
#define CORE_CONTACT_LIST_H

#include "engine/state.h"

typedef struct scree_kept_contacts scree_kept_contacts;

/** Keeps the contacts of the last accepted evaluation, in canonical order, with what sim->records asks
 * for; `kept` NULL: makes it. */
void scree_kept_contacts_take(const scree_sim *sim, scree_kept_contacts **kept);
void scree_kept_contacts_free(scree_kept_contacts *kept);
/** The kept contacts whose bodies still exist. Arrays are valid until the next call. */
void scree_kept_contacts_list(scree_sim *sim, const scree_kept_contacts *kept,
                              scree_contact_list *list);
/** Whether a plugin uses contact or pair fields of others. */
bool scree_contact_list_is_used(const scree_instance *user);
/** Sets `used` of a copy of the list that was filled last, for one observer. Valid as long. */
void scree_kept_contacts_lend(const scree_sim *sim, const scree_kept_contacts *kept,
                              const scree_instance *user, scree_contact_list *list);
/** Bytes of a kept contact, with its record and its place in the list; with the shares of so many
 * laws (0: only the total) and so many components of fields. */
uint64_t scree_record_bytes(uint32_t n_laws, uint32_t n_fields);

#endif
