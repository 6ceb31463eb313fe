/* SPDX-License-Identifier: Apache-2.0 */
/* Moves that wait for the next pass over the bodies. */
#include "engine/settle.h"

#include "engine/pose.h"
#include "engine/rank_rows.h"
#include "plugin/call.h"

static int32_t move_chunk(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    return scree_move_bodies(user, lane, (uint32_t)begin, (uint32_t)end);
}

bool scree_sim_settle(scree_sim *sim, GError **error)
{
    enum { GRAIN = 4096 };
    if (!sim->moves.n)
        return true;
    scree_phase former = scree_sim_enter(sim, SCREE_PHASE_INTEGRATE);
    const scree_rows own = scree_ranks_rows(sim);
    int32_t code =
        sim->plugins.body.integrator->demands.flags & SCREE_CAP_SERIAL
            ? move_chunk(sim, own.first, own.end, 0)
            : scree_pool_for(sim->runtime.pool, own.first, own.end, GRAIN, move_chunk, sim);
    sim->moves.n = 0;
    scree_sim_enter(sim, former);
    return code >= 0 || scree_call_failed(sim->plugins.body.integrator, "move", code, error);
}
