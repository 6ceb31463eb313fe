/* SPDX-License-Identifier: Apache-2.0 */
/* Service scree.query/1 for plugins under test: about the bodies of their world. */
#include "tools/check/check_query.h"

#include <string.h>

#include "scene/query_service.h"
#include "tools/check/check_world.h"

struct scree_check_query {
    scree_query given;
    scree_query_service *service;
    const GArray *bodies; // elements: scree_check_body
    guint most;
    guint known;
};

static bool catch_up(void *user, scree_space *space, bool all, const double lo[3],
                     const double hi[3], GError **error)
{
    scree_check_query *q = user;
    (void)lo;
    (void)hi;
    if (all)
        q->known = 0;
    for (; q->known < q->bodies->len; q->known++) {
        const scree_check_body *b = &g_array_index(q->bodies, scree_check_body, q->known);
        scree_body body = {.shape = b->shape, .material = b->material, .scale = b->scale};
        memcpy(body.x, b->x, sizeof body.x);
        memcpy(body.q, b->q, sizeof body.q);
        if (!scree_space_add(space, &body, b->id, error))
            return false;
    }
    return true;
}

static int32_t find(void *ctx, uint32_t n, const scree_zone *const *zones, scree_hits *out)
{
    const scree_query *inner = scree_query_service_give(((scree_check_query *)ctx)->service);
    return inner->find(inner->ctx, n, zones, out);
}

static int32_t find_free(void *ctx, const scree_new_bodies *trials, uint32_t most, uint32_t *index,
                         uint32_t *n_free)
{
    const scree_check_query *q = ctx;
    const scree_query *inner = scree_query_service_give(q->service);
    int32_t code = inner->find_free(inner->ctx, trials, most, index, n_free);
    if (code >= 0 && q->bodies && q->bodies->len > q->most)
        *n_free = 0;
    return code;
}

static int32_t hold(void *ctx, const scree_new_bodies *trials)
{
    const scree_query *inner = scree_query_service_give(((scree_check_query *)ctx)->service);
    return inner->hold(inner->ctx, trials);
}

scree_check_query *scree_check_query_new(const scree_scene *scene)
{
    scree_check_query *q = g_new0(scree_check_query, 1);
    const scree_query_world world = {.scene = scene, .user = q, .catch_up = catch_up};
    q->service = scree_query_service_new(&world);
    q->given = (scree_query){
        .size = sizeof q->given, .ctx = q, .find = find, .find_free = find_free, .hold = hold};
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
    return &q->given;
}

void scree_check_query_enter(scree_check_query *q, const GArray *bodies, guint most)
{
    g_autoptr(GError) error = NULL;
    q->bodies = bodies;
    q->most = most;
    scree_query_service_forget(q->service);
    if (bodies)
        scree_query_service_open(q->service, NULL);
    else if (scree_query_service_close(q->service, &error))
        g_printerr("scree: %s\n", error->message);
}

void scree_check_query_forget(scree_check_query *q)
{
    scree_query_service_forget(q->service);
}
