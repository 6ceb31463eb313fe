/* SPDX-License-Identifier: Apache-2.0 */
/* A modifier that inserts a unit sphere, which no recipe of its scene announces. */
#include "../plugin.h"

static int32_t after_step(void *instance, const scree_step *args)
{
    const scree_one_body one = {.scale = 0.001, .q = {1.0}};
    uint64_t id;
    return scree_insert_one(args->edits, &one, &id);
}

static const scree_modifier_ops ops = {OPS(modifier, plain_create, plain_destroy),
                                       .after_step = after_step};
static const scree_plugin dropper = {
    PLUGIN_OF(SCREE_DIMENSION_3, MODIFIER, "dropper", "inserts a sphere after every step"),
    .ops = &ops};
SCREE_DEFINE_MANIFEST(&dropper);
