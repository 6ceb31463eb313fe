/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of `scree check` that stand in files of their own. */
#ifndef CORE_CHECK_KINDS_H
#define CORE_CHECK_KINDS_H

#include "check.h"

/* check_force_cycle.c */
void scree_check_force_cycle(scree_check *check);

#endif
