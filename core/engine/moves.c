/* SPDX-License-Identifier: Apache-2.0 */
/* Moves of bodies that the integrator has asked for and that wait for a pass over the bodies. */
#include "engine/moves.h"

#include "plugin/call.h"

int32_t scree_move_bodies(scree_sim *sim, uint32_t begin, uint32_t end)
{
    int32_t code = SCREE_OK;
    end = MIN(end, sim->world->n_free);
    if (begin < end)
        for (uint32_t k = 0; k < sim->moves.n && code >= 0; k++) {
            scree_call call =
                scree_call_begin(sim->plugins.body.integrator, SCREE_CALL_LANE, "move");
            code = sim->plugins.body.integrator_ops->move(sim->plugins.body.integrator->self,
                                                          &sim->moves.pending[k].motion,
                                                          sim->moves.pending[k].stage, begin, end);
            code = scree_call_end(&call, code, SCREE_OK, NULL);
        }
    return code;
}
