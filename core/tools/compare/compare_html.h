/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a comparison: one file of HTML with its tables and figures. */
#ifndef CORE_COMPARE_HTML_H
#define CORE_COMPARE_HTML_H

#include "tools/compare/compare.h"

/** The page with tables and with the figures of the folder. New string. */
char *scree_comparison_html(const scree_comparison *c, const char *folder, const GPtrArray *figures,
                            GError **error);

#endif
