/* SPDX-License-Identifier: Apache-2.0 */
/* Instances of a plugin under test with each of its choices, and with all terms at work. */
#ifndef CORE_CHECK_VARIANTS_H
#define CORE_CHECK_VARIANTS_H

#include "tools/check/check.h"

/** Calls fn with instances of the plugin under test, in each of its dimensions: with defaults; with
 * all terms at work (numbers that are 0 or at an end of their range get others); with each value of
 * each choice on top, except what create() refuses. It ends when the check fails. `setting`: for
 * messages. */
void scree_check_variants(scree_check *check,
                          void (*fn)(scree_check *check, scree_instance *instance,
                                     const char *setting));

#endif
