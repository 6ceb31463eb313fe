/* SPDX-License-Identifier: Apache-2.0 */
/* Service scree.query/1: checks a plugin's questions, and answers them for the current bodies. */
#ifndef CORE_QUERY_SERVICE_H
#define CORE_QUERY_SERVICE_H

#include "scene/query_space.h"

typedef struct scree_query_service scree_query_service;

/** The source of the bodies. */
typedef struct scree_query_world {
    const scree_scene *scene;
    void *user;
    /** Adds all bodies (`all`), or only new ones, to the space. A body with several entries is at
     * all of these places. Bodies outside of [lo, hi] may be left out, along axes that are not
     * periodic. */
    bool (*catch_up)(void *user, scree_space *space, bool all, const double lo[3],
                     const double hi[3], GError **error);
    /** Number of bodies in a box, roughly. Set if bodies move often: only bodies near the questions
     * are then listed. NULL: always all. */
    uint64_t (*count)(void *user, const double lo[3], const double hi[3]);
} scree_query_world;

scree_query_service *scree_query_service_new(const scree_query_world *world);
void scree_query_service_free(scree_query_service *service);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_query_service, scree_query_service_free)
/** Returns the service; borrowed. */
const scree_query *scree_query_service_give(scree_query_service *service);

/** Begins a call in which plugins may ask. `resolvers`: as scree_space_new. */
void scree_query_service_open(scree_query_service *service, const GPtrArray *resolvers);
/** Ends this call, and drops its held bodies. True, with the error: a question failed by a fault of
 * a GCD or resolver (misbehaved or missing), not of the asking plugin. */
bool scree_query_service_close(scree_query_service *service, GError **error);
/** To be called after bodies have moved. */
void scree_query_service_forget(scree_query_service *service);

#endif
