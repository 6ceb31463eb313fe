/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays for a plugin under test. */
#ifndef CORE_GUARD_PAGES_H
#define CORE_GUARD_PAGES_H

#include "tools/check/check.h"

/** An array that a plugin must not leave, 64-byte aligned if `bytes` is a multiple of 64, filled
 * with a pattern. A guard page follows its last byte in the case `inputs`; elsewhere more of the
 * pattern follows, so that each fault fails one case. */
void *scree_check_guarded(uint64_t bytes);
void scree_check_guarded_free(void *array);
/** Such arrays that are protected and freed together (g_ptr_array_unref). */
GPtrArray *scree_check_arena_new(void);
/** Adds an array of n elements of so many bytes, in whole cache lines. */
void *scree_check_arena_add(GPtrArray *arena, uint64_t n, size_t bytes);
void scree_check_arena_protect(const GPtrArray *arena, bool read_only);
/** A struct of that name with a guard page behind it, in every case. It stays. */
void *scree_check_guarded_struct(uint64_t bytes, const char *name);
/** Protects an array (true) against writes, or makes it writable again, in the case `inputs`. */
void scree_check_protect(void *array, bool read_only);
/** Sets whether arrays have guard pages, and their pattern. */
void scree_check_guards(bool on);
bool scree_check_is_guarding(void);
void scree_check_pattern(uint64_t pattern);
/** A quiet NaN that no computation gives: an element that still has it was not written. */
double scree_check_tag(void);
bool scree_check_is_tag(double value);
/** Makes a crash print the purpose of the array that it hit. */
void scree_check_explain_crashes(void);
/** Lets this process end when it, or a plugin in it, sends a signal that stops a process, or any
 * signal to process `other`. False: the kernel has no such filter. */
bool scree_check_refuse_stops(pid_t other);
/** Random numbers of the check, the same in all processes: 64 bits, and uniform in [a, b). */
uint64_t scree_check_bits(uint64_t *state);
double scree_check_uniform(uint64_t *state, double a, double b);
/** Uniform in [0, n), and the numbers of [0, n) in any order. */
uint32_t scree_check_below(uint64_t *state, uint32_t n);
void scree_check_shuffle(uint64_t *state, uint32_t *order, uint32_t n);
/** A unit quaternion; in 2D about z. */
void scree_check_random_turn(uint64_t *state, uint32_t dimension, double q[4]);

#endif
