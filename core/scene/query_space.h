/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies in space, and questions about them: what is in a region, is there room for another? */
#ifndef CORE_QUERY_SPACE_H
#define CORE_QUERY_SPACE_H

#include "plugin/instance.h"
#include "scene/scene.h"

typedef struct scree_space scree_space;

/** Empty. `scene` must outlive it. `resolvers`: as scree_query_pairs_new. */
scree_space *scree_space_new(const scree_scene *scene, const GPtrArray *resolvers);
void scree_space_free(scree_space *space);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_space, scree_space_free)
/** Bodies to come, about. */
void scree_space_reserve(scree_space *space, uint64_t n);
/** From now on what is outside of a box may be left out: it matters to no question to come. The box
 * counts along axes that are not periodic. */
void scree_space_limit(scree_space *space, const double lo[3], const double hi[3]);
/** Adds a body: shape, scale, x and q count. Its number is that of bodies added before. */
bool scree_space_add(scree_space *space, const scree_body *body, GError **error);

/** *free: a body in this pose overlaps none, nor a periodic image of one. In closed form, but for
 * pairs with a solid: those are asked of the resolvers of the scene (query_pairs.h). Touching does not
 * count, up to 1e-12 of the distance. False with an error: a pair cannot be judged. */
bool scree_space_is_free(scree_space *space, const scree_body *body, bool *free, GError **error);
/** Bytes that it holds. */
uint64_t scree_space_bytes(const scree_space *space);
/** scree_query_index_stats of balls and solids. */
void scree_space_stats(const scree_space *space, uint32_t *n_groups, uint64_t *n_indexed);

#endif
