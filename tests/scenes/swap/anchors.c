/* SPDX-License-Identifier: Apache-2.0 */
/* A modifier that holds bodies by springs where they were when it came: enter() sets its field. */
#include "../../plugin.h"

static const double K = 20.0; /* [N/m] */

static int32_t enter(void *instance, const scree_entry *args)
{
    const scree_bodies *b = args->bodies;
    for (uint32_t i = 0, n = b->fresh ? b->n : 0; i < n; i++)
        for (uint32_t k = 0, m = b->fresh[i] ? 3 : 0; k < m; k++)
            args->body_fields[k][i] = b->x[k][i];
    return SCREE_OK;
}

static int32_t forces(void *instance, const scree_forces *args)
{
    const scree_bodies *b = args->bodies;
    for (uint32_t i = 0; i < b->n_free; i++)
        for (uint32_t k = 0; k < 3; k++) {
            const double d = b->x[k][i] - b->fields[k][i];
            args->wrench[8 * (uint64_t)i + k] -= K * d;
            args->wrench[8 * (uint64_t)i + 3] += 0.5 * K * d * d;
        }
    return SCREE_OK;
}

SCREE_FIELD(anchor, BODY, 3, 1, "m", 0, "where the body was");
static const scree_field *const fields[] = {&field_anchor};

static const scree_modifier_ops ops = {OPS(modifier, plain_create, plain_destroy), .forces = forces,
                                       .enter = enter};
static const scree_plugin anchors = {
    PLUGIN(MODIFIER, "anchors", "springs to the places where bodies were"), PLUGIN_FIELDS(fields),
    .ops = &ops};
SCREE_DEFINE_MANIFEST(&anchors);
