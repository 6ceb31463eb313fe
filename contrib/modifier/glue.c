/* SPDX-License-Identifier: Apache-2.0 */
/* modifier/glue: in step 10, ties body 1 to its nearest neighbour and to the last body. */
/*
 * Shows    edits->bond: a pair that can be bonded, and one that is too far apart for the law, which
 *          counts as the event bond_refused.
 */
#include <scree/sdk.h>

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    (void)config;
    *instance = (void *)(uintptr_t)host;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    (void)instance;
}

/** Square of the distance of two bodies, at their nearest images. */
static double apart(const scree_bodies *b, uint32_t i, uint32_t j)
{
    double d[3] = {b->x[0][j] - b->x[0][i], b->x[1][j] - b->x[1][i], b->x[2][j] - b->x[2][i]};
    int32_t s[3];
    scree_nearest(b->cell, d, s);
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

static int32_t after_step(void *instance, const scree_step *args)
{
    const scree_bodies *b = args->bodies;
    const scree_edits *edits = args->edits;
    uint32_t first = 0, nearest = SCREE_NONE;
    (void)instance;
    if (args->step != 10)
        return SCREE_OK;
    while (first < b->n && b->id[first] != 1)
        first++;
    for (uint32_t i = 0; i < b->n && first < b->n; i++)
        if (i != first && (nearest == SCREE_NONE || apart(b, first, i) < apart(b, first, nearest)))
            nearest = i;
    if (nearest == SCREE_NONE)
        return SCREE_OK;
    const uint64_t one[2] = {b->id[nearest], 1};
    const uint64_t other[2] = {1, b->id[first == b->n - 1 ? 0 : b->n - 1]};
    const int32_t code = edits->bond(edits->ctx, 2, one, other);
    args->global_fields[0] += code == SCREE_OK;
    return code;
}

SCREE_FIELD(made, GLOBAL, 1, 1, "-", 0, "bonds asked for");
static const scree_field *const fields[] = {&field_made};
static const scree_modifier_ops ops = {
    .size = sizeof ops, .create = create, .destroy = destroy, .after_step = after_step};
static const scree_plugin glue = {
    .size = sizeof glue,
    .kind = SCREE_KIND_MODIFIER,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "glue",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "ties body 1 to its nearest neighbour in step 10",
    .n_fields = SCREE_COUNT(fields),
    .fields = fields,
    .ops = &ops,
};
SCREE_DEFINE_MANIFEST(&glue);
