/* SPDX-License-Identifier: Apache-2.0 */
/* At a swap of laws: contact fields that follow from those of another law. */
#ifndef CORE_CONVERT_H
#define CORE_CONVERT_H

#include "engine/contacts.h"
#include "engine/sim_plugins.h"

/** Converts fields of the previous laws to those of new laws that support it: rows of `to` from
 * rows of `from`, which are the same contacts. */
bool scree_convert_fields(const scree_sim *sim, const scree_saved_plugins *old,
                          const scree_contact_store *from, scree_contact_store *to,
                          GPtrArray *notes, GError **error);

#endif
