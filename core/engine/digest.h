/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 of a state. */
#ifndef CORE_DIGEST_H
#define CORE_DIGEST_H

#include "engine/snapshot.h"

/** Returns the SHA-256 of the state (docs/explanation/determinism.md), hex; new string. */
char *scree_state_sha256(const scree_sim *sim);
/** Returns the hash for a caller that has the order of its contacts. */
char *scree_state_sha256_of(const scree_sim *sim, const scree_contact_order *order);
/** Returns the hash of a snapshot. */
char *scree_snapshot_sha256(const scree_snapshot *snapshot);

#endif
