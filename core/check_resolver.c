/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check`: the suite of resolvers. */
#include "check.h"

static const scree_check_case cases[] = {{0}};
const scree_check_suite scree_check_resolver = {SCREE_KIND_RESOLVER, NULL, cases};
