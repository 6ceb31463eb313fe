/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check` for GCDs. */
#ifndef CORE_CHECK_GCD_BENCH_H
#define CORE_CHECK_GCD_BENCH_H

#include "tools/check/check_gcd.h"

/** Fails the case, with the scene in the message. */
void scree_gcd_fail(scree_gcd_bench *t, const char *format, ...) G_GNUC_PRINTF(2, 3);
void scree_gcd_open_pairs(scree_check_pairs *list, uint32_t lane, bool guarded);
void scree_gcd_close_pairs(scree_check_pairs *list);
/** Sorts the pairs, each with its lower number first. */
void scree_gcd_sort(GArray *pairs);
/* Calls of the plugin; false: the check has failed. */
bool scree_gcd_init(scree_gcd_bench *t);
bool scree_gcd_step_init(scree_gcd_bench *t, const uint32_t *moved, uint32_t n_moved);
bool scree_gcd_find(scree_gcd_bench *t, uint64_t first, uint64_t last, scree_check_pairs *list);
/** Collects all pairs of the current boxes in t->pairs, and counts them in t->seen. */
bool scree_gcd_find_all(scree_gcd_bench *t, const uint32_t *moved, uint32_t n_moved);
/** Counts t->pairs in t->seen. */
void scree_gcd_count_pairs(scree_gcd_bench *t);
/** Collects box numbers in t->found, ascending. */
bool scree_gcd_find_zone(scree_gcd_bench *t, const scree_zone *zone, bool guarded);
void scree_gcd_close(scree_gcd_bench *t);
/** Adds a line for the user when the plugin has a parameter `as_printed`, which may miss pairs. */
void scree_gcd_note_printed(scree_check *check);
/** Runs `work` for each choice of a parameter and each dimension, until it fails; with two
 * `n_flags` also with SCREE_GCD_SPHERES. */
void scree_gcd_for_all(scree_check *check, uint32_t n_flags, void (*work)(scree_gcd_bench *t));
/** Runs `work` after each step of each scene, at most `most` steps, until it fails. */
void scree_gcd_for_scenes(scree_gcd_bench *t, uint32_t most, bool (*work)(scree_gcd_bench *t));

#endif
