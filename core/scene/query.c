// SPDX-License-Identifier: Apache-2.0
// Service scree.query/1 while a scene is read: about the bodies that it has so far.
#include "scene/query.h"

struct scree_query_space {
    const scree_scene *scene;
    scree_query_service *service;
    guint listed; // bodies of the scene that it knows
};

static bool catch_up_run(void *user, scree_query_service *service, bool all, const double lo[3],
                         const double hi[3], GError **error)
{
    scree_query_space *s = user;
    const GArray *bodies = s->scene->bodies;
    (void)lo;
    (void)hi;
    if (all) {
        s->listed = 0;
        scree_query_service_reserve(service, bodies->len);
    }
    for (; s->listed < bodies->len; s->listed++)
        if (!scree_query_service_add(service, &g_array_index(bodies, scree_body, s->listed),
                                     s->listed, error))
            return false;
    return true;
}

scree_query_space *scree_query_space_new(const scree_scene *scene)
{
    scree_query_space *s = g_new0(scree_query_space, 1);
    const scree_query_world world = {.scene = scene, .user = s, .catch_up = catch_up_run};
    s->scene = scene;
    s->service = scree_query_service_new(&world);
    return s;
}

void scree_query_space_free(scree_query_space *s)
{
    if (s)
        scree_query_service_free(s->service);
    g_free(s);
}

const scree_query *scree_query_space_give(scree_query_space *s)
{
    scree_query_service_open(s->service, NULL);
    return scree_query_service_give(s->service);
}

bool scree_query_space_release(scree_query_space *s, bool reshaped, GError **error)
{
    if (reshaped)
        scree_query_service_forget(s->service);
    return !scree_query_service_close(s->service, error);
}
