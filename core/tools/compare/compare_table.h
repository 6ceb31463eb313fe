/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a comparison: one per task, growth of times, different states, the fastest variant.
 */
#ifndef CORE_COMPARE_TABLE_H
#define CORE_COMPARE_TABLE_H

#include "tools/compare/compare.h"

void scree_comparison_print(const scree_comparison *c, FILE *out);
/** The settings that the variants of a group share: "integrator.count = 400; 400 bodies". */
char *scree_comparison_task(const scree_comparison *c, guint group);
/** Rows of texts (GPtrArray of GPtrArray of char *), the first with titles; a row of two has a name
 * and the outcome. */
GPtrArray *scree_comparison_table(const scree_comparison *c, guint group);
/** The same for growth with an axis; no rows when nothing grows. */
GPtrArray *scree_comparison_growth(const scree_comparison *c, guint axis);
char *scree_disagreement_text(const scree_comparison *c, const scree_disagreement *d);
/** "fastest: ..": the last line. */
char *scree_comparison_verdict(const scree_comparison *c);
/** The unit [s] that suits a time, and its name. */
double scree_time_unit(double scale, const char **unit);

#endif
