/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison for programs: one JSON object. */
#ifndef CORE_COMPARE_JSON_H
#define CORE_COMPARE_JSON_H

#include "tools/compare/compare.h"

char *scree_comparison_json(const scree_comparison *c);

#endif
