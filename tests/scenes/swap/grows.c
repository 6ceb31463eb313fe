/* SPDX-License-Identifier: Apache-2.0 */
/* A modifier that inserts a body after every step, far from all others: arrays of the host grow. */
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

static int32_t after_step(void *instance, const scree_step *args)
{
    enum { EACH = 20 };
    const scree_bodies *bodies = args->bodies;
    (void)instance;
    for (uint32_t k = 0; k < EACH; k++) {
        uint64_t id;
        scree_body_spec one = {.size = sizeof one,
                               .shape = bodies->shape[0],
                               .scale = bodies->scale[0],
                               .x = {0.01 * k, 1.0 + 0.01 * (double)args->step},
                               .q = {1.0}};
        int32_t code = args->edits->insert(args->edits->ctx, &one, &id);
        if (code < 0)
            return code;
    }
    return SCREE_OK;
}

static const scree_modifier_ops ops = {.size = sizeof(scree_modifier_ops),
                                       .create = create,
                                       .destroy = destroy,
                                       .after_step = after_step};
static const scree_plugin grows = {.size = sizeof(scree_plugin),
                                   .kind = SCREE_KIND_MODIFIER,
                                   .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
                                   .id = "grows",
                                   .version = "1.0.0",
                                   .licence = "Apache-2.0",
                                   .help = "inserts bodies after every step",
                                   .ops = &ops};
SCREE_DEFINE_MANIFEST(&grows);
