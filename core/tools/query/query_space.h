/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies in space: which ones are in a region, and is there room for another? */
#ifndef CORE_QUERY_SPACE_H
#define CORE_QUERY_SPACE_H

#include "tools/query/host_calls.h"

typedef struct scree_space scree_space;

/** Returns a new, empty space. `scene` outlives it. `resolvers`: as scree_query_asker_new. */
scree_space *scree_space_new(const scree_scene *scene, const GPtrArray *resolvers);
void scree_space_free(scree_space *space);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_space, scree_space_free)
/** Bodies outside of a box may be left out from now on: no later question is about them. The box
 * counts along axes that are not periodic. */
void scree_space_limit(scree_space *space, const double lo[3], const double hi[3]);
/** Adds a body: its shape, scale, x and q. Answers call it `id`; several may have the same. */
bool scree_space_add(scree_space *space, const scree_body *body, uint64_t id, GError **error);

/** Asks for room. *free: a body in this pose overlaps no body but those called `instead`
 * (SCREE_NO_BODY: no body at all), and no periodic image. Distances decide between
 * balls, and between balls and planes; the scene's resolvers decide other pairs (query_pair.h).
 * Depths up to 1e-12 of the size only touch, and do not count. False with an error: no resolver
 * serves a pair. */
bool scree_space_is_free(scree_space *space, const scree_body *body, uint64_t instead, bool *free,
                         GError **error);

/** Empties the space. */
void scree_space_clear(scree_space *space);

/** A body in a zone. */
typedef struct scree_space_hit {
    uint64_t id;
    uint64_t by_box; /* 1: only its box is known to be in the zone */
} scree_space_hit;

/** Appends the bodies (scree_space_hit) that overlap or touch a zone, ascending, each once, as
 * find() of query.h. The zone is valid (scree_zone_check). */
bool scree_space_find(scree_space *space, const scree_zone *zone, GArray *hits, GError **error);
/** Appends the bodies of the space (scree_space_hit), called `number - 1` at most, that overlap a
 * body, ascending, each once. The ids of the space are numbers; `instead` gives one value for each
 * number: those with that of `number` are left out, unless it is SCREE_NO_BODY. NULL: none is left
 * out. */
bool scree_space_meets(scree_space *space, const scree_body *body, uint64_t number,
                       const uint64_t *instead, GArray *hits, GError **error);

#endif
