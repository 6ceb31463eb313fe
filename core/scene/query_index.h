/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of bodies in growing groups, each indexed by an instance of a GCD: what overlaps a box? */
#ifndef CORE_QUERY_INDEX_H
#define CORE_QUERY_INDEX_H

#include "plugin/instance_data.h"
#include "scene/scene_data.h"

typedef struct scree_query_index scree_query_index;

/** A part of a body: its box, a ball that holds it, and whose it is. */
typedef struct scree_query_row {
    double lo[3], hi[3], centre[3], radius;
    uint64_t id;            /* of the body, as it was given */
    uint32_t body;          /* SCREE_NONE: the part is that ball */
    uint32_t shape, number; /* of the part in its body */
    uint32_t row;           /* its place in the index */
} scree_query_row;

/** `runtime` has one lane. It and the scene outlive the index. */
scree_query_index *scree_query_index_new(const scree_scene *scene, scree_runtime *runtime);
void scree_query_index_free(scree_query_index *index);
void scree_query_index_add(scree_query_index *index, const scree_query_row *row);
/** The box around all rows; false: there is none. */
bool scree_query_index_bounds(const scree_query_index *index, double lo[3], double hi[3]);

/** True: go on; false: stop. The row is valid until one is added. */
typedef bool (*scree_query_row_fn)(void *user, const scree_query_row *row);
/** Calls `fn` for each row whose box overlaps the box [lo, hi], touching included, in no certain
 * order; a GCD at fault may give a row twice. False with an error: the GCD is missing, or failed. */
bool scree_query_index_each(scree_query_index *index, const double lo[3], const double hi[3],
                            scree_query_row_fn fn, void *user, GError **error);

#endif
