/* SPDX-License-Identifier: Apache-2.0 */
/* Service scree.query/1 for plugins under test: about the bodies of their world. */
#ifndef CORE_CHECK_QUERY_H
#define CORE_CHECK_QUERY_H

#include "scene/scene_data.h"
#include "tools/check/check_instance.h"

/** `scene` outlives it. */
scree_check_query *scree_check_query_new(const scree_scene *scene);
void scree_check_query_free(scree_check_query *query);
const scree_query *scree_check_query_give(scree_check_query *query);
/** From now on it answers about these bodies (of scree_check_body), more of which may be appended;
 * NULL: about none, and refuses. With more than `most` bodies nothing is free any more. */
void scree_check_query_enter(scree_check_query *query, const GArray *bodies, guint most);
/** The bodies have moved. */
void scree_check_query_forget(scree_check_query *query);

#endif
