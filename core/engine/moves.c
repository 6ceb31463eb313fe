/* SPDX-License-Identifier: Apache-2.0 */
/* Moves of bodies that the integrator has asked for and that wait for a pass over the bodies. */
#include "engine/moves.h"

#include "plugin/call.h"

int32_t scree_move_bodies(const scree_sim *sim, uint32_t lane, uint32_t begin, uint32_t end)
{
    scree_instance *integrator = sim->plugins.body.integrator;
    const scree_integrator_ops *ops = sim->plugins.body.integrator_ops;
    scree_move_range range = {
        .size = sizeof range, .lane = lane, .begin = begin, .end = MIN(end, sim->world->n_free)};
    int32_t code = SCREE_OK;
    if (begin < range.end)
        for (uint32_t k = 0; k < sim->moves.n && code >= 0; k++) {
            range.motion = &sim->moves.pending[k].motion;
            range.stage = sim->moves.pending[k].stage;
            scree_call call = scree_call_begin(integrator, SCREE_CALL_LANE, "move");
            code = ops->move(integrator->self, &range);
            code = scree_call_end(&call, code, SCREE_OK, NULL);
        }
    return code;
}
