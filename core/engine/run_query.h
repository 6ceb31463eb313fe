/* SPDX-License-Identifier: Apache-2.0 */
/* Service scree.query/1 in a run: the bodies as they are now, with the edits of this step. */
#ifndef CORE_RUN_QUERY_H
#define CORE_RUN_QUERY_H

#include "engine/state.h"

/** Offers the service; it costs nothing until it is called. */
void scree_questions_begin(scree_sim *sim);
void scree_questions_end(scree_sim *sim);

#endif
