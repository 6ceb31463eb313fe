/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a comparison: one per task, growth of times, different states, the fastest variant.
 */
#ifndef CORE_COMPARE_TABLE_H
#define CORE_COMPARE_TABLE_H

#include "tools/compare/compare.h"

void scree_comparison_print(const scree_comparison *c, FILE *out);

#endif
