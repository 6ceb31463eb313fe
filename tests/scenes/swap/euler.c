/* SPDX-License-Identifier: Apache-2.0 */
/* Symplectic Euler for round bodies, once with each flag that an integrator may have, and with its
 * work in stage or in move: plugins are swapped next to every one of them. */
#include "../../plugin.h"

static int32_t begin(void *instance, const scree_motion *motion)
{
    return SCREE_OK;
}

/** v += dt a, x += dt v of a body, which starts from where the last evaluation was. */
static void advance(const scree_motion *m, uint64_t i)
{
    for (uint32_t k = 0; k < 3; k++) {
        m->v[k][i] += m->dt * m->inv_mass[i] * m->wrench[8 * i + k];
        m->w[k][i] += m->dt * m->inv_inertia[k][i] * m->wrench[8 * i + 4 + k];
        m->x[k][i] += m->dt * m->v[k][i];
        if (!m->displacement[k])
            continue;
        m->displacement[k][i] = m->dt * m->v[k][i];
        m->rotation[k][i] = m->dt * m->w[k][i];
    }
}

static int32_t move(void *instance, const scree_move_range *range)
{
    if (range->stage == 0)
        for (uint64_t i = range->begin; i < range->end; i++)
            advance(range->motion, i);
    return SCREE_OK;
}

static int32_t stage_only(void *instance, const scree_motion *m, uint32_t k, scree_stage *out)
{
    out->action = k == 0 ? SCREE_STAGE_EVALUATE : SCREE_STAGE_DONE;
    out->accepted = 1;
    out->offset = m->dt;
    return SCREE_OK;
}

static int32_t stage(void *instance, const scree_motion *m, uint32_t k, scree_stage *out)
{
    if (k == 0)
        for (uint64_t i = 0; i < m->n_free; i++)
            advance(m, i);
    return stage_only(instance, m, k, out);
}

static const scree_integrator_ops in_stage = {OPS(integrator, plain_create, plain_destroy),
                                              .begin = begin, .stage = stage};
static const scree_integrator_ops in_move = {OPS(integrator, plain_create, plain_destroy),
                                             .begin = begin, .move = move, .stage = stage_only};
#define EULER(ID, FLAGS, VTABLE)                                                                   \
    &(const scree_plugin)                                                                          \
    {                                                                                              \
        PLUGIN(INTEGRATOR, ID, "symplectic Euler with the flags under test"), .flags = FLAGS,      \
                                                                              .ops = VTABLE        \
    }
#define BOTH(ID, FLAGS) EULER(ID, FLAGS, &in_stage), EULER(ID "_moves", FLAGS, &in_move)
SCREE_DEFINE_MANIFEST(BOTH("euler_plain", 0), BOTH("euler_serial", SCREE_CAP_SERIAL),
                      BOTH("euler_displacement", SCREE_CAP_DISPLACEMENT),
                      BOTH("euler_displacement_serial", SCREE_CAP_DISPLACEMENT | SCREE_CAP_SERIAL));
