/* SPDX-License-Identifier: Apache-2.0 */
/* From samples to figures: the fastest variant, the growth of times with a varied number. */
#ifndef CORE_COMPARE_FIGURES_H
#define CORE_COMPARE_FIGURES_H

#include "tools/compare/compare.h"

/** Finds the fastest of each group. */
void scree_comparison_rank(scree_comparison *c);
/** Returns the median of the fastest sound variant of a group; NaN: no variant is sound. */
double scree_group_best(const scree_comparison *c, guint group, scree_metric metric);
/** Numbers of a group's variants, the fastest first, those without a time last. New array. */
GArray *scree_group_order(const scree_comparison *c, guint group);
/** Whether a variant has times, and its state agrees with the others. */
bool scree_variant_is_sound(const scree_variant *v);
void scree_series_free(scree_series *series);
/** Series with at least two points, of all variants and the three compared times: GPtrArray of
 * scree_series. */
GPtrArray *scree_comparison_series(const scree_comparison *c);
scree_fastest scree_comparison_fastest(const scree_comparison *c);

#endif
