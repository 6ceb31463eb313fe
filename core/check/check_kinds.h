/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of `scree check` that stand in files of their own. */
#ifndef CORE_CHECK_KINDS_H
#define CORE_CHECK_KINDS_H

#include "check/check_cases.h"

/* check_variants.c */
/** Calls fn with instances of the plugin under test, in each of its dimensions: on its defaults;
 * with all terms at work (numbers that are 0 or at an end of their range made others); with each
 * value of each choice on top, those left out that create() refuses. Ends when the check fails.
 * `setting`: for messages. */
void scree_check_variants(scree_check *check,
                          void (*fn)(scree_check *check, scree_instance *instance,
                                     const char *setting));

/* check_stability.c */
void scree_check_stability(scree_check *check);

/* check_stiffness.c */
void scree_check_stiffness(scree_check *check);

/* check_force_cycle.c */
void scree_check_force_cycle(scree_check *check);

#endif
