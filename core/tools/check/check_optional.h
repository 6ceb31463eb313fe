/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of optional parameters, for plugins that need some of them. */
#ifndef CORE_CHECK_OPTIONAL_H
#define CORE_CHECK_OPTIONAL_H

#include "tools/check/check.h"

#define SCREE_CHECK_MOST_OPTIONAL 24u /* optional parameters that are chosen by a mask */
/** Writes set k of optional parameters: none, one, two, all. False: all sets are done. */
bool scree_check_choose_optional(const scree_check *check, uint32_t k, uint32_t *mask);

#endif
