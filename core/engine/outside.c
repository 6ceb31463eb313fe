/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies outside of a boundary that is neither open nor periodic. */
#include "engine/outside.h"

/** Returns whether all ranks treat a body beyond the border along axis k. */
static bool acts_alike(const scree_sim *sim, uint32_t k)
{
    const scree_boundary one = sim->scene->boundary[k];
    return one != SCREE_BOUNDARY_OPEN && one != SCREE_BOUNDARY_PERIODIC;
}

bool scree_boundary_open(const scree_sim *sim)
{
    bool open = true;
    for (uint32_t k = 0; k < sim->world->dimension; k++)
        open = open && sim->scene->boundary[k] == SCREE_BOUNDARY_OPEN;
    return open;
}

bool scree_boundary_closed(const scree_sim *sim)
{
    bool closed = false;
    for (uint32_t k = 0; k < sim->world->dimension; k++)
        closed = closed || acts_alike(sim, k);
    return closed;
}

bool scree_boundary_met(const scree_sim *sim, uint32_t first, uint32_t end)
{
    const scree_world *w = sim->world;
    uint64_t n = 0;
    for (uint32_t k = 0; k < w->dimension; k++)
        if (acts_alike(sim, k))
            n += sim->kernels->outside(end - first, w->x[k] + first, w->cell.lo[k], w->cell.hi[k]);
    return n > 0;
}
