/* SPDX-License-Identifier: Apache-2.0 */
/* Case `extras` of resolvers: volume, parts, principal curvatures. */
#ifndef CORE_CHECK_RESOLVER_EXTRAS_H
#define CORE_CHECK_RESOLVER_EXTRAS_H

#include "tools/check/check_resolver_data.h"

void scree_resolver_check_extras(scree_resolver_bench *bench);

#endif
