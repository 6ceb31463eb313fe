/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check` for resolvers. */
#ifndef CORE_CHECK_FACETS_H
#define CORE_CHECK_FACETS_H

#include "tools/check/check_resolver_data.h"

void scree_check_patches(scree_check *check);

#endif
