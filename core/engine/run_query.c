/* SPDX-License-Identifier: Apache-2.0 */
/* Service scree.query/1 in a run: the bodies as they are now, with the edits of this step. */
#include "engine/run_query.h"

#include "engine/edits.h"
#include "scene/query_service.h"

/** Returns whether a body can matter to questions about a box. */
static bool is_near(const scree_world *w, uint32_t i, const double lo[3], const double hi[3])
{
    if (scree_shape_is_wall(w->shapes[w->shape[i]]))
        return true;
    for (int k = 0; k < (int)w->dimension; k++)
        if (!scree_repeats(&w->cell, k) &&
            (w->x[k][i] + w->radius[i] < lo[k] || w->x[k][i] - w->radius[i] > hi[k]))
            return false;
    return true;
}

static uint64_t count_near(void *user, const double lo[3], const double hi[3])
{
    const scree_sim *sim = user;
    uint64_t n = 0;
    for (uint32_t i = 0; i < sim->world->n; i++)
        n += is_near(sim->world, i, lo, hi);
    return n;
}

static bool add_all(const scree_world *w, scree_query_add add, void *space, const double lo[3],
                    const double hi[3], GError **error)
{
    for (uint32_t i = 0; i < w->n; i++) {
        const scree_body body = scree_world_body(w, i);
        if (is_near(w, i, lo, hi) && !add(space, &body, w->id[i], error))
            return false;
    }
    return true;
}

static bool catch_up(void *user, scree_query_add add, void *space, bool all, const double lo[3],
                     const double hi[3], GError **error)
{
    scree_sim *sim = user;
    scree_questions *a = &sim->asked;
    if (all)
        a->n_edits = a->n_inserts = 0;
    if (all && !add_all(sim->world, add, space, lo, hi, error))
        return false;
    g_array_set_size(a->placed, 0);
    scree_edits_placed(sim, &a->n_edits, &a->n_inserts, a->placed);
    for (guint k = 0; k < a->placed->len; k++) {
        const scree_body *body = &g_array_index(a->placed, scree_body, k);
        if (!add(space, body, body->id, error))
            return false;
    }
    return true;
}

void scree_questions_begin(scree_sim *sim)
{
    const scree_query_world world = {
        .scene = sim->scene, .user = sim, .catch_up = catch_up, .count = count_near};
    sim->asked.placed = g_array_new(FALSE, FALSE, sizeof(scree_body));
    sim->asked.service = scree_query_service_new(&world);
    sim->runtime.query = scree_query_service_offer(sim->asked.service);
}

void scree_questions_end(scree_sim *sim)
{
    sim->runtime.query = NULL;
    scree_query_service_free(sim->asked.service);
    if (sim->asked.placed)
        g_array_unref(sim->asked.placed);
}
