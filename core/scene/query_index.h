/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of boxes in growing groups, each indexed by an instance of a GCD: what overlaps a box? */
#ifndef CORE_QUERY_INDEX_H
#define CORE_QUERY_INDEX_H

#include <stdbool.h>

#include "plugin/instance_data.h"

/** Gives the GCD plugin when it is first needed; NULL with an error. */
typedef const scree_choice_of *(*scree_query_gcd_fn)(void *user, GError **error);

typedef struct scree_query_index scree_query_index;

/** `runtime` has one lane, and outlives the index. */
scree_query_index *scree_query_index_new(scree_runtime *runtime, scree_query_gcd_fn gcd,
                                         void *user);
void scree_query_index_free(scree_query_index *index);
/** For so many rows; more are possible. */
void scree_query_index_reserve(scree_query_index *index, uint32_t n);

/** A box, and a ball that holds what is in it. */
typedef struct scree_query_row {
    double lo[3], hi[3], centre[3], radius;
} scree_query_row;

/** Adds a row; its number is that of those added before. */
void scree_query_index_add(scree_query_index *index, const scree_query_row *row);
void scree_query_index_box(const scree_query_index *index, uint32_t row, double lo[3],
                           double hi[3]);
uint32_t scree_query_index_rows(const scree_query_index *index);
/** The box around all rows; lo > hi: there is none. */
void scree_query_index_bounds(const scree_query_index *index, double lo[3], double hi[3]);

/** True: go on; false: stop. */
typedef bool (*scree_query_row_fn)(void *user, uint32_t row);
/** Calls `fn` for each row whose box overlaps the box [lo, hi], touching included, in no certain
 * order; a GCD at fault may give a row twice. False with an error: the GCD is missing, or failed. */
bool scree_query_index_each(scree_query_index *index, const double lo[3], const double hi[3],
                            scree_query_row_fn fn, void *user, GError **error);
/** Groups that are indexed, and rows that went into groups since the beginning. */
void scree_query_index_stats(const scree_query_index *index, uint32_t *n_groups,
                             uint64_t *n_indexed);

#endif
