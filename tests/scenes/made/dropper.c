/* SPDX-License-Identifier: Apache-2.0 */
/* A modifier that inserts a unit sphere, which no recipe of its scene announces. */
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
    const scree_body_spec one = {.size = sizeof one, .scale = 0.001, .q = {1.0}};
    uint64_t id;
    (void)instance;
    return args->edits->insert(args->edits->ctx, &one, &id);
}

static const scree_modifier_ops ops = {.size = sizeof(scree_modifier_ops),
                                       .create = create,
                                       .destroy = destroy,
                                       .after_step = after_step};
static const scree_plugin dropper = {.size = sizeof(scree_plugin),
                                     .kind = SCREE_KIND_MODIFIER,
                                     .dimensions = SCREE_DIMENSION_3,
                                     .id = "dropper",
                                     .version = "1.0.0",
                                     .licence = "Apache-2.0",
                                     .help = "inserts a sphere after every step",
                                     .ops = &ops};
SCREE_DEFINE_MANIFEST(&dropper);
