/* SPDX-License-Identifier: Apache-2.0 */
/* The turns of a comparison: the order of variants, which are left out, which reach another
 * state. */
#ifndef CORE_COMPARE_RUN_H
#define CORE_COMPARE_RUN_H

#include "tools/compare/compare.h"

void scree_comparison_run(scree_comparison *c);
/** Finds variants that should have reached the same state and did not; called before the
 * figures. */
void scree_comparison_judge(scree_comparison *c);

#endif
