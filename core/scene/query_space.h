/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies in space, and questions about them: what is in a region, is there room for another? */
#ifndef CORE_QUERY_SPACE_H
#define CORE_QUERY_SPACE_H

#include "plugin/instance_data.h"
#include "scene/scene_data.h"

typedef struct scree_space scree_space;

/** Empty. `scene` must outlive it. `resolvers`: as scree_query_asker_new. */
scree_space *scree_space_new(const scree_scene *scene, const GPtrArray *resolvers);
void scree_space_free(scree_space *space);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_space, scree_space_free)
/** From now on what is outside of a box may be left out: it matters to no question to come. The box
 * counts along axes that are not periodic. */
void scree_space_limit(scree_space *space, const double lo[3], const double hi[3]);
/** Adds a body: shape, scale, x and q count. Answers name it `id`; several may have one. */
bool scree_space_add(scree_space *space, const scree_body *body, uint64_t id, GError **error);

/** *free: a body in this pose overlaps none, nor a periodic image of one. Balls among themselves and
 * before planes by their distance, all other pairs by the resolvers of the scene (query_pair.h).
 * Touching does not count, up to 1e-12 of the size. False with an error: no resolver serves a pair. */
bool scree_space_is_free(scree_space *space, const scree_body *body, bool *free, GError **error);

/** A body in a region. */
typedef struct scree_space_hit {
    uint64_t id;
    uint64_t by_box; /* 1: its box is in the region; whether it is, the scene cannot say */
} scree_space_hit;

/** Appends the bodies (scree_space_hit) that overlap a region or touch it, ascending, each once. A ball
 * asks as a body of the scene. Where no resolver serves a pair, and of a region that is a box, the box
 * of a body decides that is neither a ball, a clump nor a plane. The region is valid
 * (scree_space_check_region). */
bool scree_space_find(scree_space *space, const scree_region *region, GArray *hits, GError **error);
/** Why a region cannot be asked about, to be freed; NULL: it can. */
char *scree_space_check_region(const scree_scene *scene, const scree_region *region);

#endif
