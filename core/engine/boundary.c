/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a step: bodies at the borders of the region. */
#include "engine/boundary.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "engine/edits.h"
#include "engine/energy.h"
#include "engine/extent.h"
#include "engine/state.h"

/** Wraps a body along one axis; the keys of its contacts count cells, so that they stay. */
static bool wrap(const scree_sim *sim, uint32_t i, int k, GError **error)
{
    scree_world *w = sim->world;
    double by = 0.0;
    if (w->x[k][i] < w->region_min[k])
        by = w->length[k];
    else if (w->x[k][i] >= w->region_max[k])
        by = -w->length[k];
    if (by == 0.0)
        return true;
    w->x[k][i] += by;
    w->image[k][i] += by > 0.0 ? -1 : 1;
    scree_extent_wrapped(sim, i, k, by);
    if (w->x[k][i] >= w->region_min[k] && w->x[k][i] <= w->region_max[k] &&
        abs(w->image[k][i]) < SCREE_SHIFT_BIAS / 2)
        return true;
    return scree_fail(error, SCREE_EXIT_RUN,
                      "body %" PRIu64
                      " moved by more than a periodic cell in one step, or through more than "
                      "%d cells (x[%d] = %g m, v = %g m/s) at step %" PRIu64,
                      w->id[i], SCREE_SHIFT_BIAS / 2, k, w->x[k][i], w->v[k][i], sim->step);
}

static void reflect(scree_world *w, uint32_t i, int k)
{
    double wall = w->x[k][i] < w->region_min[k] ? w->region_min[k] : w->region_max[k];
    bool outward = w->x[k][i] < wall ? w->v[k][i] < 0.0 : w->v[k][i] > 0.0;
    w->x[k][i] = wall + (wall - w->x[k][i]);
    if (outward)
        w->v[k][i] = -w->v[k][i];
}

static void stop(scree_world *w, uint32_t i, int k)
{
    w->x[k][i] = fmin(fmax(w->x[k][i], w->region_min[k]), w->region_max[k]);
    for (int axis = 0; axis < 3; axis++)
        w->v[axis][i] = w->w[axis][i] = 0.0;
}

bool scree_boundary_apply(scree_sim *sim, GError **error)
{
    scree_world *w = sim->world;
    const scree_boundary *boundary = sim->scene->boundary;
    uint8_t *dead = NULL;
    for (int k = 0; k < (int)w->dimension; k++) {
        if (boundary[k] == SCREE_BOUNDARY_OPEN)
            continue;
        for (uint32_t i = 0; i < w->n_free; i++) {
            double x = w->x[k][i];
            if (x >= w->region_min[k] &&
                (x < w->region_max[k] || (x == w->region_max[k] && !w->periodic[k])))
                continue;
            if (boundary[k] == SCREE_BOUNDARY_PERIODIC) {
                if (!wrap(sim, i, k, error)) {
                    g_free(dead);
                    return false;
                }
                continue;
            }
            double before = scree_energy_body(sim, i);
            if (boundary[k] == SCREE_BOUNDARY_DESTROY) {
                if (!dead)
                    dead = g_new0(uint8_t, w->n + 1);
                sim->counters.destroyed += !dead[i];
                dead[i] = 1;
            } else if (boundary[k] == SCREE_BOUNDARY_REFLECT) {
                reflect(w, i, k);
            } else {
                stop(w, i, k);
            }
            sim->account.work += scree_energy_body(sim, i) - before;
        }
    }
    bool done = !dead || scree_remove_bodies(sim, dead, error);
    g_free(dead);
    return done;
}
