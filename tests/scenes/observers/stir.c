/* SPDX-License-Identifier: Apache-2.0 */
/* For the test of fields of others: law `stir` with a body field of three components, to whose rates it
 * adds per contact, and a field of the run, its steps; modifier `count`, which reads the steps and
 * adds them to the third component. */
#include "scree/sdk.h"

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    (void)host;
    *instance = (void *)(uintptr_t)config;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    (void)instance;
}

/* Adds (1, 2, 3) to a, -(2, 4, 6) to b. */
static int32_t compute(void *instance, const scree_contact_batch *b)
{
    (void)instance;
    for (uint32_t c = 0; c < b->n; c++)
        for (int k = 0; k < 3; k++) {
            b->f[k][c] = 0.0;
            b->add_a[k][c] = k + 1.0;
            b->add_b[k][c] = -2.0 * (k + 1.0);
        }
    return SCREE_OK;
}

static int32_t after_step(void *instance, const scree_law_step *args)
{
    (void)instance;
    args->global_fields[0] += 1.0;
    return SCREE_OK;
}

static int32_t forces(void *instance, const scree_forces *args)
{
    const scree_bodies *b = args->bodies;
    const scree_used_field *steps = b->used[0], *mix = b->used[1];
    (void)instance;
    for (uint32_t i = 0; i < b->n_free; i++)
        mix->rate[2][i] += steps->v[0][0];
    return SCREE_OK;
}

SCREE_FIELD(mix, BODY, 3, 1, "kg/m^3", 0.5, "of three substances");
SCREE_FIELD(force, BODY, 1, 1, "-", 0.25, "whose name hdf5 has itself");
SCREE_FIELD(steps, GLOBAL, 1, 1, "-", 0.0, "of the run");
static const scree_field *const fields[] = {&field_mix, &field_force, &field_steps};
SCREE_USE(mix, BODY, 3, SCREE_USE_ADD, "kg/m^3", "is mixed");
SCREE_USE(steps, GLOBAL, 1, SCREE_USE_READ, "-", "are counted");
static const scree_use *const law_uses[] = {&use_mix};
static const scree_use *const count_uses[] = {&use_steps, &use_mix};
static const scree_force_ops law_ops = {.size = sizeof law_ops,
                                        .create = create,
                                        .destroy = destroy,
                                        .compute = compute,
                                        .after_step = after_step};
static const scree_modifier_ops count_ops = {
    .size = sizeof count_ops, .create = create, .destroy = destroy, .forces = forces};
static const scree_plugin stir = {.size = sizeof stir,
                                  .kind = SCREE_KIND_FORCE,
                                  .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
                                  .id = "stir",
                                  .version = "1.0.0",
                                  .licence = "Apache-2.0",
                                  .help = "of a test",
                                  .n_fields = SCREE_COUNT(fields),
                                  .fields = fields,
                                  .ops = &law_ops,
                                  .n_uses = SCREE_COUNT(law_uses),
                                  .uses = law_uses};
static const scree_plugin count = {.size = sizeof count,
                                   .kind = SCREE_KIND_MODIFIER,
                                   .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
                                   .id = "count",
                                   .version = "1.0.0",
                                   .licence = "Apache-2.0",
                                   .help = "of a test",
                                   .ops = &count_ops,
                                   .n_uses = SCREE_COUNT(count_uses),
                                   .uses = count_uses};

SCREE_DEFINE_MANIFEST(&stir, &count);
