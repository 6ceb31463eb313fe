/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check`: kinds whose suite is not there yet: what holds for all kinds alone. */
#include "check.h"

static const scree_check_case cases[] = {{0}};
const scree_check_suite scree_check_observer = {SCREE_KIND_OBSERVER, NULL, cases};
