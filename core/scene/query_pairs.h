/* SPDX-License-Identifier: Apache-2.0 */
/* Whether two bodies overlap, asked of the resolvers of a scene: for pairs with a solid. */
#ifndef CORE_QUERY_PAIRS_H
#define CORE_QUERY_PAIRS_H

#include "plugin/instance.h"
#include "scene/scene.h"

typedef struct scree_query_pairs scree_query_pairs;

/** `resolvers`: of scree_instance, ready for all shapes of the scene, valid as long as this; NULL:
 * own instances of those of the scene, made when first needed. */
scree_query_pairs *scree_query_pairs_new(const scree_scene *scene, scree_runtime *runtime,
                                         const GPtrArray *resolvers);
void scree_query_pairs_free(scree_query_pairs *pairs);
/** *overlap: a body that looks for room and one that is there are deeper in each other than 1e-12 of
 * their size (the radii of both, as contacts see them). Neither is a clump: its balls are asked about
 * one by one (scree_query_pairs_ball). `parts`: [n_parts] ascending, the facets of `other` that count;
 * NULL: all parts. SCREE_EXIT_USAGE: no resolver of the scene serves them. */
bool scree_query_pairs_overlap(scree_query_pairs *pairs, const scree_body *trial,
                               const scree_body *other, const uint32_t *parts, uint32_t n_parts,
                               bool *overlap, GError **error);
/** A body that is a ball of its own, of the round type that resolvers get for balls of a clump. */
scree_body scree_query_pairs_ball(const scree_scene *scene, const double x[3], double radius);

#endif
