/* SPDX-License-Identifier: Apache-2.0 */
/* Cases `middle` and `missed` of resolvers, by the views of solids. */
#ifndef CORE_CHECK_WITNESS_H
#define CORE_CHECK_WITNESS_H

#include "tools/check/check_resolver_bench.h"

/** Whether half a depth along the normal before and behind a contact point are the surfaces of the
 * solids of the pair. Fails the case. `touches`: elements scree_touch, contacts by distance. */
bool scree_check_witnesses(scree_resolver_bench *t, const GArray *touches);
/** Fails the case if a pair has no contact and a point of one body is clearly inside the other. */
void scree_check_missed(scree_resolver_bench *t);

#endif
