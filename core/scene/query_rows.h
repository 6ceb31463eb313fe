/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a space, for query_space.c and query_find.c. */
#ifndef CORE_QUERY_ROWS_H
#define CORE_QUERY_ROWS_H

#include "scene/query_index.h"
#include "scene/query_pairs.h"
#include "scene/query_space.h"

/** A ball, or the ball that holds a solid. */
typedef struct scree_round_row {
    double x[3], r;
} scree_round_row;

typedef struct scree_half_space {
    double n[3], at;
    uint32_t wall;
} scree_half_space;

/** A row of facets. */
typedef struct scree_facet_row {
    uint32_t wall, facet;
} scree_facet_row;

struct scree_space {
    const scree_scene *scene;
    scree_runtime runtime;
    scree_query_pairs *pairs;
    scree_query_index *near, *facets;
    GArray *rounds;       // of scree_round_row, by row of `near`
    GArray *shapes;       // of uint32_t: their shape; of a clump that of its balls
    GArray *owners;       // of uint32_t: number of their body
    GArray *facet_rows;   // of scree_facet_row, by row of `facets`
    GArray *walls;        // of scree_body: facets and planes
    GArray *wall_owner;   // of uint32_t
    GArray *planes;       // of scree_half_space
    GArray *solids;       // of scree_body, by place in `near`: found by solid_of
    GHashTable *solid_of; // row to index into solids + 1
    uint32_t n_bodies;
    double length[3];    // [m] of periodic axes; 0: not periodic
    double lo[3], hi[3]; // what is beyond is left out
};

/** Whole cells by which rows are moved for a question about a box: first to last of each axis. */
typedef struct scree_space_images {
    int32_t first[3], last[3];
} scree_space_images;

static inline const scree_shape *scree_space_shape(const scree_space *s, uint32_t shape)
{
    return s->scene->shapes->pdata[shape];
}
static inline bool scree_space_is_solid(const scree_space *s, uint32_t row)
{
    return !scree_space_shape(s, g_array_index(s->shapes, uint32_t, row))->flags;
}

/** The body of a row: a ball of a clump is one of its own. */
scree_body scree_space_body(const scree_space *space, uint32_t row, const double shift[3]);
/** All cells at which rows of the index can be near; `most` < 0: however many. */
scree_space_images scree_space_cells(const scree_space *space, const scree_query_index *index,
                                     const double lo[3], const double hi[3], int32_t most);
/** Asks an index about a box and its images; `shift`: of the rows, set before fn is called. */
bool scree_space_ask(const scree_space *space, scree_query_index *index,
                     const scree_space_images *images, const double lo[3], const double hi[3],
                     double shift[3], scree_query_row_fn fn, void *user, GError **error);

#endif
