/* SPDX-License-Identifier: Apache-2.0 */
/* At a swap of laws: computes contact fields from those of another law. */
#ifndef CORE_CONVERT_H
#define CORE_CONVERT_H

#include "engine/contacts.h"
#include "engine/sim_plugins.h"

/** Converts fields of the previous laws for new laws that support it. Rows of `to` and of `from`
 * are the same contacts. */
bool scree_convert_fields(const scree_sim *sim, const scree_saved_plugins *old,
                          const scree_contact_store *from, scree_contact_store *to,
                          GPtrArray *notes, GError **error);

#endif
