/* SPDX-License-Identifier: Apache-2.0 */
/* Service scree.query/1 of a run or a scene in the making: answers of the module scree-query.so
 * (tools/query), which the first plugin that asks for the service loads. */
#ifndef CORE_QUERY_SERVICE_H
#define CORE_QUERY_SERVICE_H

#include "scene/query_module.h"

typedef struct scree_query_service scree_query_service;

/** Returns a service that is closed. It costs nothing until a plugin asks for it. */
scree_query_service *scree_query_service_new(const scree_query_world *world);
void scree_query_service_free(scree_query_service *service);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_query_service, scree_query_service_free)
/** Returns the service as a runtime offers it; borrowed. */
scree_query_offer *scree_query_service_offer(scree_query_service *service);
/** Returns the service; borrowed. NULL with an error: the module cannot be loaded. */
const scree_query *scree_query_service_give(scree_query_service *service, GError **error);

/** Begins a call in which plugins may ask. NULL is allowed, also in the next two: no service. `resolvers`: scree_instance that outlive the service,
 * ready for all shapes of the scene; NULL: it makes its own instances when it needs them. */
void scree_query_service_open(scree_query_service *service, const GPtrArray *resolvers);
/** Ends this call, and drops its held bodies. True, with the error: a question failed by a fault of
 * a GCD or resolver (misbehaved or missing), not of the asking plugin; or the host's own question
 * was refused. */
bool scree_query_service_close(scree_query_service *service, GError **error);
/** To be called after bodies have moved. */
void scree_query_service_forget(scree_query_service *service);

#endif
