/* SPDX-License-Identifier: Apache-2.0 */
/* `scree check` for resolvers. */
#ifndef CORE_CHECK_RESOLVER_BENCH_H
#define CORE_CHECK_RESOLVER_BENCH_H

#include "tools/check/check_resolver_data.h"

/** Opens an instance for types a <= b. False: the plugin does not serve them, or the check has
 * failed; close it in any case. */
bool scree_resolver_open(scree_resolver_bench *t, scree_check *check, uint32_t dimension,
                         uint32_t type_a, uint32_t type_b);
void scree_resolver_close(scree_resolver_bench *t);
/** Opens a bench with an instance that others use, too. `prepared`: what was prepared in it, at
 * first 0. */
bool scree_resolver_attach(scree_resolver_bench *t, scree_check *check, scree_instance *instance,
                           uint32_t type_a, uint32_t type_b, uint64_t *prepared);
void scree_resolver_detach(scree_resolver_bench *t);
/** Poses the pairs at random: deep, touching, near, apart. */
void scree_resolver_pose(scree_resolver_bench *t, uint64_t seed);
/** Adds a shape, which becomes the last of t->shapes and belongs to it. False: prepare() failed. */
bool scree_resolver_take(scree_resolver_bench *t, scree_shape *shape);
/** Puts the contacts of all pairs into `touches`, which is emptied first. False: the check has
 * failed. */
bool scree_resolver_run(scree_resolver_bench *t, const scree_resolver_plan *plan, GArray *touches);
/** The same, all pairs at once and in their order. */
bool scree_resolver_run_plainly(scree_resolver_bench *t, GArray *touches);
/** The contact with the pair and feature of this one; NULL: none. */
const scree_touch *scree_touch_find(const GArray *touches, const scree_touch *like);
/** Does the same on all lanes of the instance at once, in any order. */
bool scree_resolver_run_on_lanes(scree_resolver_bench *t, GArray *touches);
/** Calls `work` for each pair of types and each dimension that the plugin serves, with posed
 * pairs. */
void scree_resolver_for_types(scree_check *check, void (*work)(scree_resolver_bench *t));
/** "sphere": name of a type. */
const char *scree_resolver_type_name(uint32_t type);
/** Fails the case, with the types in the message. */
void scree_resolver_fail(scree_resolver_bench *t, const char *format, ...) G_GNUC_PRINTF(2, 3);

#endif
