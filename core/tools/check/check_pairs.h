/* SPDX-License-Identifier: Apache-2.0 */
/* Case `pairs` of force laws. */
#ifndef CORE_CHECK_PAIRS_H
#define CORE_CHECK_PAIRS_H

#include "tools/check/check.h"

/** Compares contacts of a world in which each pair of materials has its own values with those of
 * worlds in which all pairs have the same. */
void scree_check_pairs(scree_check *check);

#endif
