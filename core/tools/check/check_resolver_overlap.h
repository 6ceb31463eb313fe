/* SPDX-License-Identifier: Apache-2.0 */
/* Case `overlap` of resolvers: the area and its slope. */
#ifndef CORE_CHECK_RESOLVER_OVERLAP_H
#define CORE_CHECK_RESOLVER_OVERLAP_H

#include "tools/check/check_resolver_data.h"

/** Tests that contacts of this pair of types are those of the overlap, not those of the
 * distance. */
bool scree_resolver_is_overlap(const scree_resolver_bench *bench);
/** [m^2/rad] or [m^3/rad] Component k of how fast the overlap of a contact grows as a turns, apart from the
 * moment of the push at its point. */
double scree_resolver_twist(const scree_resolver_bench *bench, const scree_touch *touch, int k);
void scree_resolver_check_overlap(scree_resolver_bench *bench);

#endif
