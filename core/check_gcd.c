/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check`: the suite of gcds. */
#include "check.h"

static const scree_check_case cases[] = {{0}};
const scree_check_suite scree_check_gcd = {SCREE_KIND_GCD, NULL, cases};
