/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of bodies in growing groups, each indexed by an instance of a GCD: which overlap a box? */
#ifndef CORE_QUERY_INDEX_H
#define CORE_QUERY_INDEX_H

#include "scree/cell_sdk.h"
#include "tools/query/host_calls.h"

typedef struct scree_query_index scree_query_index;

/** A part of a body: its box, a ball around it, and its owner. */
typedef struct scree_query_row {
    double lo[3], hi[3], centre[3], radius;
    uint64_t id;            /* id of the body, as given */
    uint32_t body;          /* SCREE_NONE: the part is the ball itself */
    uint32_t shape, number; /* number: of the part in its body */
} scree_query_row;

/** Returns a new index. `runtime` has one lane; it and the scene outlive the index. */
scree_query_index *scree_query_index_new(const scree_scene *scene, scree_runtime *runtime);
void scree_query_index_free(scree_query_index *index);
/** Removes all rows. */
void scree_query_index_clear(scree_query_index *index);
void scree_query_index_add(scree_query_index *index, const scree_query_row *row);

/** Takes a row, valid until one is added, at the image that is moved by `shift` [m]. False:
 * stop. */
typedef bool (*scree_query_row_fn)(void *user, const scree_query_row *row, const double shift[3]);
/** Calls `fn` for each row and image whose box overlaps or touches [lo, hi], in no certain order; a
 * faulty GCD may report a row twice. `images`: of the cell. False with an error: the GCD is
 * missing, or failed. */
bool scree_query_index_each(scree_query_index *index, const scree_images *images,
                            const double lo[3], const double hi[3], scree_query_row_fn fn,
                            void *user, GError **error);

#endif
