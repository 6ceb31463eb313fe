/* SPDX-License-Identifier: Apache-2.0 */
/* Whether parts of two bodies overlap, as the resolvers of a scene decide it. */
#ifndef CORE_QUERY_PAIR_H
#define CORE_QUERY_PAIR_H

#include "tools/query/host_calls.h"

typedef struct scree_query_asker scree_query_asker;

/** Returns a new asker. `resolvers`: scree_instance that outlive it, ready for all shapes of the
 * scene; NULL: it makes its own instances when it needs them. */
scree_query_asker *scree_query_asker_new(const scree_scene *scene, scree_runtime *runtime,
                                         const GPtrArray *resolvers);
void scree_query_asker_free(scree_query_asker *asker);

/** Parts of two bodies; of a clump, a ball counts as a body of the round type. */
typedef struct scree_query_pair {
    scree_body body[2];
    uint32_t part[2];
    double deeper; /* [-] least depth of contacts that count, relative to both radii */
} scree_query_pair;

/** Asks whether a pair meets. *meets: it has a contact that counts. *served: a resolver of the
 * scene serves the pair. */
bool scree_query_pair_meets(scree_query_asker *asker, const scree_query_pair *pair, bool *meets,
                            bool *served, GError **error);
/** Sets the error of a pair that no resolver serves (SCREE_EXIT_USAGE). */
void scree_query_pair_unserved(const scree_query_asker *asker, const scree_query_pair *pair,
                               GError **error);

#endif
