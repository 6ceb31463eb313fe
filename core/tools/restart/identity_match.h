/* SPDX-License-Identifier: Apache-2.0 */
/* The bodies, shapes and names of a scene, compared with those of a checkpoint. */
#ifndef CORE_IDENTITY_MATCH_H
#define CORE_IDENTITY_MATCH_H

#include "scene/identity.h"

/** Compares two identities. False with an error (SCREE_EXIT_USAGE) that lists all differences that
 * a run cannot continue with. `modifiers` and their groups may differ. */
bool scree_identity_match(const scree_identity *stored, const scree_identity *given,
                          GError **error);
/** Returns the number of the part with this name, or SCREE_NONE. */
uint32_t scree_identity_find(const GArray *parts, const char *name);

#endif
