/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays for a plugin under test. */
#ifndef CORE_GUARD_PAGES_H
#define CORE_GUARD_PAGES_H

#include "tools/check/check.h"

/** Arrays that a plugin must not read or write beyond, 64-byte aligned where `bytes` is a multiple
 * of 64, filled with a pattern. In the case `inputs` a guard page follows the last byte; elsewhere
 * more of the pattern follows, so that each sin fails in one place. */
void *scree_check_guarded(uint64_t bytes);
void scree_check_guarded_free(void *array);
/** From now on a write to it is a crash (true), or is not (false), in the case `inputs`: inputs are
 * to be left alone. */
void scree_check_protect(void *array, bool read_only);
/** Whether guard pages are on, and what arrays are filled with, from now on. */
void scree_check_guards(bool on);
bool scree_check_is_guarding(void);
void scree_check_pattern(uint64_t pattern);
/** A quiet NaN that no computation gives: what is still there was not written. */
double scree_check_tag(void);
bool scree_check_is_tag(double value);
/** From now on a crash says on standard error what the array was used for that was hit. */
void scree_check_explain_crashes(void);
/** Random numbers of the check, the same in every process: 64 bits, and uniform in [a, b). */
uint64_t scree_check_bits(uint64_t *state);
double scree_check_uniform(uint64_t *state, double a, double b);

#endif
