/* SPDX-License-Identifier: Apache-2.0 */
/* A modifier that inserts a body after every step, far from all others: arrays of the host grow. */
#include "../../plugin.h"

static int32_t after_step(void *instance, const scree_step *args)
{
    enum { EACH = 20 };
    const scree_bodies *bodies = args->bodies;
    for (uint32_t k = 0; k < EACH; k++) {
        uint64_t id;
        scree_one_body one = {.shape = bodies->shape[0],
                              .scale = bodies->scale[0],
                              .x = {0.01 * k, 1.0 + 0.01 * (double)args->step},
                              .q = {1.0}};
        int32_t code = scree_insert_one(args->edits, &one, &id);
        if (code < 0)
            return code;
    }
    return SCREE_OK;
}

static const scree_modifier_ops ops = {OPS(modifier, plain_create, plain_destroy),
                                       .after_step = after_step};
static const scree_plugin grows = {PLUGIN(MODIFIER, "grows", "inserts bodies after every step"),
                                   .ops = &ops};
SCREE_DEFINE_MANIFEST(&grows);
