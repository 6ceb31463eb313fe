/* SPDX-License-Identifier: Apache-2.0 */
/* Case `cycle` of resolvers. */
#ifndef CORE_CHECK_RESOLVER_CYCLE_H
#define CORE_CHECK_RESOLVER_CYCLE_H

#include "tools/check/check_resolver_data.h"

/** Leads the posed pairs of a bench along closed paths. */
void scree_resolver_check_cycle(scree_resolver_bench *bench);

#endif
