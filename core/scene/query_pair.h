/* SPDX-License-Identifier: Apache-2.0 */
/* Whether two bodies overlap, asked of the resolvers of a scene. */
#ifndef CORE_QUERY_PAIR_H
#define CORE_QUERY_PAIR_H

#include "plugin/instance_data.h"
#include "scene/scene_data.h"

typedef struct scree_query_asker scree_query_asker;

/** `resolvers`: of scree_instance, ready for all shapes of the scene, valid as long as this; NULL:
 * own instances of those of the scene, made when first needed. */
scree_query_asker *scree_query_asker_new(const scree_scene *scene, scree_runtime *runtime,
                                         const GPtrArray *resolvers);
void scree_query_asker_free(scree_query_asker *asker);

/** Two bodies, neither a clump: each of its balls is a body of the round type. */
typedef struct scree_query_pair {
    scree_body body[2]; /* the first has the lower type */
    uint32_t *part[2];  /* [n] candidates: parts of both whose boxes overlap, ascending */
    uint32_t n;
    double deeper; /* [-] of their size, the radii of both: contacts count from this depth on */
} scree_query_pair;

/** Gives the pair room for n candidates, until the next pair gets some. */
void scree_query_pair_room(scree_query_asker *asker, uint32_t n, scree_query_pair *pair);
/** *meets: a contact of the pair counts. *served: a resolver of the scene serves it; NULL: it is an
 * error (SCREE_EXIT_USAGE) when none does. */
bool scree_query_pair_meets(scree_query_asker *asker, const scree_query_pair *pair, bool *meets,
                            bool *served, GError **error);

#endif
