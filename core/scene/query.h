/* SPDX-License-Identifier: Apache-2.0 */
/* Service scree.query/1 while a scene is read: about the bodies that it has so far. */
#ifndef CORE_QUERY_H
#define CORE_QUERY_H

#include "scene/query_service.h"

typedef struct scree_query_space scree_query_space;

/** `scene` must outlive it. Bodies that the scene gets are there from then on. */
scree_query_space *scree_query_space_new(const scree_scene *scene);
void scree_query_space_free(scree_query_space *space);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(scree_query_space, scree_query_space_free)
/** The service, for a call that begins; borrowed. */
const scree_query *scree_query_space_give(scree_query_space *space);
/** The call of the plugin has returned: the bodies that it held are dropped. False with an error:
 * a question of it failed for no fault of its own. `reshaped`: the scene's shapes have changed. */
bool scree_query_space_release(scree_query_space *space, bool reshaped, GError **error);

#endif
