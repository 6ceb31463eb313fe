/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a comparison: one per task, growth of times, different states, the fastest variant.
 */
#ifndef CORE_COMPARE_TABLE_H
#define CORE_COMPARE_TABLE_H

#include "tools/compare/compare.h"

void scree_comparison_print(const scree_comparison *c, FILE *out);
/** The settings that the variants of a group share: "integrator.count = 400; 400 bodies". New
 * string. */
char *scree_comparison_task(const scree_comparison *c, guint group);
/** Rows of texts (GPtrArray of GPtrArray of char *); titles first. A row of two has a name and an
 * outcome. */
GPtrArray *scree_comparison_table(const scree_comparison *c, guint group);
/** Rows for the growth with an axis; none when nothing grows. */
GPtrArray *scree_comparison_growth(const scree_comparison *c, guint axis);
char *scree_disagreement_text(const scree_comparison *c, const scree_disagreement *d);
/** "fastest: ..": the last line. New string. */
char *scree_comparison_verdict(const scree_comparison *c);
/** The unit [s] that suits a time, and its name. */
double scree_time_unit(double scale, const char **unit);

#endif
