/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks that are apart: each moves its own rows, and takes only its ghosts from other ranks. */
#ifndef CORE_GHOSTS_H
#define CORE_GHOSTS_H

#include "engine/ranks.h"

/** Before bodies move: decides whether ranks move only their own ones in this evaluation. */
bool scree_ghosts_part(const scree_evaluation *e, GError **error);
/** After they have moved, while ranks are apart: exchanges ghosts. *left becomes whether a body has
 * left its extent on some rank: then this rank has the current bodies of all. If some rank reads
 * the state after this evaluation, all ranks take the whole state: *whole. */
bool scree_ghosts_meet(const scree_evaluation *e, bool *left, bool *whole, GError **error);
/** Then, and after a refresh if one was due: ranks are apart again if they were. */
bool scree_ghosts_ready(scree_sim *sim, bool refreshed, GError **error);
/** Returns why each rank moves all bodies; NULL: each moves its own. */
const char *scree_ghosts_lack(const scree_sim *sim);
void scree_ghosts_free(struct scree_ghosts *ghosts);

#endif
