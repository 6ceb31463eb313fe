/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of a comparison: gnuplot scripts with their data, and the SVG files that they make. */
#ifndef CORE_COMPARE_PLOTS_H
#define CORE_COMPARE_PLOTS_H

#include "tools/compare/compare.h"

/** Draws into the folder. Returns the names of the SVG files (elements: char *), or NULL with an
 * error. */
GPtrArray *scree_comparison_plot(const scree_comparison *c, const char *folder, GError **error);

#endif
