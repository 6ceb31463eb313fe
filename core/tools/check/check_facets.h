/* SPDX-License-Identifier: Apache-2.0 */
/* Case `patches` of resolvers. */
#ifndef CORE_CHECK_FACETS_H
#define CORE_CHECK_FACETS_H

#include "tools/check/check_resolver_data.h"

void scree_resolver_check_patches(scree_resolver_bench *t);

#endif
