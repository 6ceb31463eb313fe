/* SPDX-License-Identifier: Apache-2.0 */
/* Service scree.query/1 for plugins under test: about the bodies of their world. */
#ifndef CORE_CHECK_QUERY_H
#define CORE_CHECK_QUERY_H

#include "scene/scene_data.h"
#include "tools/check/check_instance.h"

/** Makes the service; `scene` lives longer. */
scree_check_query *scree_check_query_new(const scree_scene *scene);
void scree_check_query_free(scree_check_query *query);
const scree_query *scree_check_query_give(scree_check_query *query);
/** Makes the service answer about these bodies (elements: scree_check_body), to which more may be
 * appended; NULL: it refuses. With more than `most` bodies no place is free. */
void scree_check_query_enter(scree_check_query *query, const GArray *bodies, guint most);
/** Says that the bodies have moved. */
void scree_check_query_forget(scree_check_query *query);

#endif
