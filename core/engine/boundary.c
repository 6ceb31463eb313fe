/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a step: bodies at the borders of the region. */
#include "engine/boundary.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/aligned.h"
#include "base/pool.h"
#include "engine/edits.h"
#include "engine/energy.h"
#include "engine/extent.h"
#include "engine/outside.h"
#include "engine/rank_rows.h"
#include "engine/state.h"
#include "plugin/call.h"

/** Wraps a body along all axes; the keys of its contacts count cells, so that they stay. */
static bool wrap(const scree_sim *sim, uint32_t i, GError **error)
{
    scree_world *w = sim->world;
    const double slack = 8.0 * DBL_EPSILON * w->slant, *lo = w->cell.lo, *hi = w->cell.hi;
    const int32_t most = w->slant > 0.0 ? SCREE_SHIFT_BIAS : SCREE_SHIFT_BIAS / 2;
    double by[3], was[3] = {w->x[0][i], w->x[1][i], w->x[2][i]};
    int32_t s[3];
    bool good = scree_world_wrap(w, i, s, by);
    for (int k = 0; k < 3 && good; k++) {
        const double length = w->cell.vector[k][k];
        w->x[k][i] += by[k];
        w->image[k][i] -= s[k];
        good =
            !scree_repeats(&w->cell, k) ||
            (was[k] >= lo[k] - length && was[k] <= hi[k] + length && w->x[k][i] >= lo[k] - slack &&
             w->x[k][i] <= hi[k] + slack && abs(w->image[k][i]) < most);
    }
    if (good)
        scree_extent_wrapped(sim, i, by);
    return good ||
           scree_fail(error, SCREE_EXIT_RUN,
                      "body %" PRIu64
                      " moved by more than a periodic cell in one step, or through more than "
                      "%d cells ((%g, %g, %g) m, v = (%g, %g, %g) m/s) at step %" PRIu64,
                      w->id[i], most, was[0], was[1], was[2], w->v[0][i], w->v[1][i], w->v[2][i],
                      sim->step);
}

static void reflect(scree_world *w, uint32_t i, int k)
{
    double wall = w->x[k][i] < w->cell.lo[k] ? w->cell.lo[k] : w->cell.hi[k];
    bool outward = w->x[k][i] < wall ? w->v[k][i] < 0.0 : w->v[k][i] > 0.0;
    w->x[k][i] = wall + (wall - w->x[k][i]);
    if (outward)
        w->v[k][i] = -w->v[k][i];
}

static void stop(scree_world *w, uint32_t i, int k)
{
    w->x[k][i] = fmin(fmax(w->x[k][i], w->cell.lo[k]), w->cell.hi[k]);
    for (int axis = 0; axis < 3; axis++)
        w->v[axis][i] = w->w[axis][i] = 0.0;
}

enum { FEW = 64 }; // bodies that are asked together

/** Notes which axes some of FEW bodies are outside along. */
static int32_t find_beyond(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const scree_sim *sim = user;
    const scree_world *w = sim->world;
    (void)lane;
    for (uint64_t i = begin; i < end; i += FEW) {
        const uint32_t n = (uint32_t)MIN(FEW, end - i);
        uint8_t axes = 0;
        for (int k = 0; k < (int)w->dimension; k++)
            if (sim->scene->boundary[k] != SCREE_BOUNDARY_OPEN &&
                sim->kernels->outside(n, w->x[k] + i, w->cell.lo[k], w->cell.hi[k]))
                axes |= (uint8_t)(1u << k);
        sim->boxes.beyond[i / FEW] = axes;
    }
    return SCREE_OK;
}

/** Applies the borders to the bodies that are beyond them, axis by axis. */
static bool apply(scree_sim *sim, scree_rows rows, uint8_t *beyond, GError **error)
{
    scree_world *w = sim->world;
    const scree_boundary *boundary = sim->scene->boundary;
    uint8_t *dead = NULL;
    for (int k = 0; k < (int)w->dimension; k++) {
        if (boundary[k] == SCREE_BOUNDARY_OPEN)
            continue;
        for (uint32_t i = rows.first; i < rows.end; i++) {
            if (!(beyond[i / FEW] >> k & 1)) {
                i |= FEW - 1;
                continue;
            }
            double x = w->x[k][i];
            if (x >= w->cell.lo[k] &&
                (x < w->cell.hi[k] || (x == w->cell.hi[k] && !scree_repeats(&w->cell, k))))
                continue;
            if (boundary[k] == SCREE_BOUNDARY_PERIODIC) {
                if (!wrap(sim, i, error)) {
                    g_free(dead);
                    return false;
                }
                beyond[i / FEW] = 7; // it has moved along the others
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
            scree_energy_book(&sim->account, scree_energy_body(sim, i) - before, 0.0);
        }
    }
    bool done = !dead || scree_remove_bodies(sim, dead, error);
    g_free(dead);
    return done;
}

/** While ranks are apart: checks that own rows are inside, as they were at the evaluation. */
static bool check_apart(const scree_sim *sim, GError **error)
{
    const scree_rows own = scree_ranks_rows(sim);
    return !scree_boundary_met(sim, own.first, own.end) ||
           scree_call_blame(sim->plugins.body.integrator, "move", SCREE_EXIT_PLUGIN, error,
                            "it moved a body out of the region after the evaluation at the end of "
                            "step %" PRIu64 "; expected only a change of velocities",
                            sim->step);
}

bool scree_boundary_apply(scree_sim *sim, GError **error)
{
    enum { GRAIN = 64 * FEW };
    const scree_rows rows = scree_ranks_rows(sim);
    scree_box_set *set = &sim->boxes;
    if (scree_boundary_open(sim))
        return true;
    if (scree_ranks_apart(sim) && !check_apart(sim, error))
        return false;
    scree_aligned_grow(&set->beyond, &set->beyond_capacity, rows.end / FEW + 1, 0, 1);
    scree_pool_for(sim->runtime.pool, rows.first, rows.end, GRAIN, find_beyond, sim);
    return apply(sim, rows, set->beyond, error);
}
