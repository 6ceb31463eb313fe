/* SPDX-License-Identifier: Apache-2.0 */
/* Symplectic Euler for round bodies, once with each flag that an integrator may have, and with its
 * work in stage or in move: plugins are swapped next to every one of them. */
#include "scree/sdk.h"

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

static int32_t move(void *instance, const scree_move_range *range)
{
    (void)instance;
    if (range->stage == 0)
        for (uint64_t i = range->begin; i < range->end; i++)
            advance(range->motion, i);
    return SCREE_OK;
}

static int32_t stage_only(void *instance, const scree_motion *m, uint32_t k, scree_stage *out)
{
    (void)instance;
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

static const scree_integrator_ops in_stage = {.size = sizeof(scree_integrator_ops),
                                              .create = create,
                                              .destroy = destroy,
                                              .begin = begin,
                                              .stage = stage};
static const scree_integrator_ops in_move = {.size = sizeof(scree_integrator_ops),
                                             .create = create,
                                             .destroy = destroy,
                                             .begin = begin,
                                             .move = move,
                                             .stage = stage_only};
#define EULER(ID, FLAGS, OPS)                                                                      \
    &(const scree_plugin)                                                                          \
    {                                                                                              \
        .size = sizeof(scree_plugin), .kind = SCREE_KIND_INTEGRATOR, .flags = FLAGS,               \
        .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3, .id = ID, .version = "1.0.0",         \
        .licence = "Apache-2.0", .help = "symplectic Euler with the flags under test", .ops = OPS  \
    }
#define BOTH(ID, FLAGS) EULER(ID, FLAGS, &in_stage), EULER(ID "_moves", FLAGS, &in_move)
SCREE_DEFINE_MANIFEST(BOTH("euler_plain", 0), BOTH("euler_serial", SCREE_CAP_SERIAL),
                      BOTH("euler_displacement", SCREE_CAP_DISPLACEMENT),
                      BOTH("euler_displacement_serial", SCREE_CAP_DISPLACEMENT | SCREE_CAP_SERIAL));
