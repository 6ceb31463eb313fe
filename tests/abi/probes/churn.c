/* SPDX-License-Identifier: Apache-2.0 */
/* Inserts and removes bodies in mid-run: every so many steps the oldest free body goes, a new one
 * comes, the then oldest is kicked, and half a period later another one comes. */
#include "probe.h"

typedef struct config {
    double every; /* steps */
    double shape; /* index, -1: like the last free body */
} config;

static int32_t after_step(void *instance, const scree_step *args)
{
    const config *self = instance;
    const scree_bodies *bodies = args->bodies;
    const scree_edits *edits = args->edits;
    const uint64_t step = args->step;
    uint64_t every = (uint64_t)self->every, turn = step % every, id, oldest = 0;
    uint32_t last = bodies->n_free - 1;
    for (uint32_t i = 0; i < bodies->n_free; i++)
        oldest = i == 0 || bodies->id[i] < oldest ? bodies->id[i] : oldest;
    if (turn == 0 && bodies->n_free > 2)
        return edits->remove(edits->ctx, oldest);
    if (turn == 2) {
        double down[3] = {0.0};
        down[bodies->dimension - 1] = -1.0;
        const scree_body_change kick = {.size = sizeof kick, .id = oldest, .v = down};
        return edits->set(edits->ctx, &kick);
    }
    if (turn != 1 && turn != every / 2)
        return SCREE_OK;
    scree_one_body spec = {.shape = self->shape < 0.0 ? bodies->shape[last] : (uint32_t)self->shape,
                           .material = bodies->material[last],
                           .motion = SCREE_MOTION_FREE,
                           .scale = bodies->scale[last],
                           .q = {1.0},
                           .v = {0.3, -0.2, bodies->dimension == 2 ? 0.0 : -0.5}};
    for (uint32_t k = 0; k < bodies->dimension; k++)
        spec.x[k] = bodies->cell->lo[k] +
                    (0.2 + 0.1 * (double)(step % 7)) * (bodies->cell->hi[k] - bodies->cell->lo[k]);
    return scree_insert_one(edits, &spec, &id);
}

PROBE_REAL(every, "-", 10.0);
PROBE_REAL(shape, "-", -1.0);
static const scree_param *const params[] = {&param_every, &param_shape};
static const scree_modifier_ops ops = {OPS(modifier, plain_create, plain_destroy),
                                       .after_step = after_step};
PROBE(MODIFIER, "churn", PLUGIN_CONFIG);
