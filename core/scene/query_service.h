/* SPDX-License-Identifier: Apache-2.0 */
/* Service scree.query/1: judges the questions of a plugin, and answers them about the current bodies. */
#ifndef CORE_QUERY_SERVICE_H
#define CORE_QUERY_SERVICE_H

#include "scene/query_space.h"

typedef struct scree_query_service scree_query_service;

/** Where the bodies are. */
typedef struct scree_query_world {
    const scree_scene *scene;
    void *user;
    /** Adds all bodies (`all`), or those that have come since, to the space. A body with several
     * entries is at all of these places. Bodies outside of [lo, hi] along axes that are not periodic may
     * be left out. */
    bool (*catch_up)(void *user, scree_space *space, bool all, const double lo[3],
                     const double hi[3], GError **error);
    /** So many bodies are in a box, about. Given when bodies are forgotten often: only those near the
     * questions are then listed. NULL: always all. */
    uint64_t (*count)(void *user, const double lo[3], const double hi[3]);
} scree_query_world;

scree_query_service *scree_query_service_new(const scree_query_world *world);
void scree_query_service_free(scree_query_service *service);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_query_service, scree_query_service_free)
/** The service; borrowed. */
const scree_query *scree_query_service_give(scree_query_service *service);

/** From now on plugins may ask: a call begins that the service is for. `resolvers`: as
 * scree_space_new. */
void scree_query_service_open(scree_query_service *service, const GPtrArray *resolvers);
/** That call has returned: the bodies that it held are dropped. True when a question of it failed
 * for no fault of its own, with the error (a GCD or resolver misbehaved, or is missing). */
bool scree_query_service_close(scree_query_service *service, GError **error);
/** The bodies have moved. */
void scree_query_service_forget(scree_query_service *service);

#endif
