/* SPDX-License-Identifier: Apache-2.0 */
/* Service scree.query/1 for plugins under test: about the bodies of their scene. */
#include "tools/check/check_query.h"

#include "scene/query_service.h"

struct scree_check_query {
    const scree_scene *scene;
    scree_query_service *service;
    guint known;
};

static bool catch_up(void *user, scree_space *space, bool all, const double lo[3],
                     const double hi[3], GError **error)
{
    scree_check_query *q = user;
    (void)lo;
    (void)hi;
    for (q->known = all ? 0 : q->known; q->known < q->scene->bodies->len; q->known++)
        if (!scree_space_add(space, &g_array_index(q->scene->bodies, scree_body, q->known),
                             q->known, error))
            return false;
    return true;
}

scree_check_query *scree_check_query_new(const scree_scene *scene)
{
    scree_check_query *q = g_new0(scree_check_query, 1);
    const scree_query_world world = {.scene = scene, .user = q, .catch_up = catch_up};
    q->scene = scene;
    q->service = scree_query_service_new(&world);
    return q;
}

void scree_check_query_free(scree_check_query *q)
{
    if (q)
        scree_query_service_free(q->service);
    g_free(q);
}

const scree_query *scree_check_query_give(scree_check_query *q)
{
    return scree_query_service_give(q->service);
}

void scree_check_query_open(scree_check_query *q, bool open)
{
    g_autoptr(GError) error = NULL;
    scree_query_service_forget(q->service);
    if (open)
        scree_query_service_open(q->service, NULL);
    else if (scree_query_service_close(q->service, &error))
        g_printerr("scree: %s\n", error->message);
}
