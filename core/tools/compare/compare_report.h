/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of `scree compare --report`: samples, facts of the machine, figures, a page. */
#ifndef CORE_COMPARE_REPORT_H
#define CORE_COMPARE_REPORT_H

#include "tools/compare/compare.h"

/** Writes all files, each under another name first. A missing gnuplot is a warning: the report
 * then has no figures. */
bool scree_comparison_report(scree_comparison *c, const char *folder, GError **error);

#endif
