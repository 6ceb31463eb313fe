/* SPDX-License-Identifier: Apache-2.0 */
/* Service scree.query/1 for plugins under test: about the bodies of their scene. */
#ifndef CORE_CHECK_QUERY_H
#define CORE_CHECK_QUERY_H

#include "scene/scene_data.h"
#include "tools/check/check_instance.h"

/** Makes the service; `scene` lives longer. */
scree_check_query *scree_check_query_new(const scree_scene *scene);
void scree_check_query_free(scree_check_query *query);
const scree_query *scree_check_query_give(scree_check_query *query);
/** Makes the service answer (`open`) about the bodies of the scene, to which more may be appended;
 * else it refuses. */
void scree_check_query_open(scree_check_query *query, bool open);

#endif
