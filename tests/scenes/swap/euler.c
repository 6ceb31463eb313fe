/* SPDX-License-Identifier: Apache-2.0 */
/* Symplectic Euler for round bodies, built with each flag that an integrator may have (FLAGS), and
 * with its work in stage or in move (MOVES): plugins are swapped next to every one of them. */
#include "scree/sdk.h"

#ifndef MOVES
#define MOVES 0
#endif

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    (void)host;
    (void)config;
    *instance = NULL;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    (void)instance;
}

static int32_t begin(void *instance, const scree_motion *motion)
{
    (void)instance;
    (void)motion;
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

__attribute__((unused)) static int32_t move(void *instance, const scree_move_range *range)
{
    (void)instance;
    if (range->stage == 0)
        for (uint64_t i = range->begin; i < range->end; i++)
            advance(range->motion, i);
    return SCREE_OK;
}

static int32_t stage(void *instance, const scree_motion *m, uint32_t k, scree_stage *out)
{
    (void)instance;
    if (k == 0 && !MOVES)
        for (uint64_t i = 0; i < m->n_free; i++)
            advance(m, i);
    out->action = k == 0 ? SCREE_STAGE_EVALUATE : SCREE_STAGE_DONE;
    out->accepted = 1;
    out->offset = m->dt;
    return SCREE_OK;
}

static const scree_integrator_ops ops = {.size = sizeof(scree_integrator_ops),
                                         .create = create,
                                         .destroy = destroy,
                                         .begin = begin,
#if MOVES
                                         .move = move,
#endif
                                         .stage = stage};
static const scree_plugin euler = {.size = sizeof(scree_plugin),
                                   .kind = SCREE_KIND_INTEGRATOR,
                                   .flags = FLAGS,
                                   .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
                                   .id = ID,
                                   .version = "1.0.0",
                                   .licence = "Apache-2.0",
                                   .help = "symplectic Euler with the flags under test",
                                   .ops = &ops};
SCREE_DEFINE_MANIFEST(&euler);
