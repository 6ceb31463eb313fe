/* SPDX-License-Identifier: Apache-2.0 */
/* For the test of fields of others: law `stir` with a body field of three components, to whose rates it
 * adds per contact, and a field of the run, its steps; modifier `count`, which reads the steps and
 * adds them to the third component, and adds to both components of a second body field. */
#include "../plugin.h"

/* Adds (1, 2, 3) to a, -(2, 4, 6) to b. */
static int32_t compute(void *instance, const scree_contact_batch *b)
{
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
    args->global_fields[0] += 1.0;
    return SCREE_OK;
}

static int32_t forces(void *instance, const scree_forces *args)
{
    const scree_bodies *b = args->bodies;
    const scree_used_field *dust = b->used[0], *steps = b->used[1], *mix = b->used[2];
    for (uint32_t i = 0; i < b->n_free; i++) {
        mix->rate[2][i] += steps->v[0][0];
        dust->rate[0][i] += 8.0;
        dust->rate[1][i] += 16.0;
    }
    return SCREE_OK;
}

SCREE_FIELD(mix, BODY, 3, 1, "kg/m^3", 0.5, "of three substances");
SCREE_FIELD(dust, BODY, 2, 1, "kg", 0.0, "of two sizes");
SCREE_FIELD(force, BODY, 1, 1, "-", 0.25, "whose name hdf5 has itself");
SCREE_FIELD(steps, GLOBAL, 1, 1, "-", 0.0, "of the run");
static const scree_field *const fields[] = {&field_mix, &field_force, &field_steps, &field_dust};
SCREE_USE(mix, BODY, 3, SCREE_USE_ADD, "kg/m^3", "is mixed");
SCREE_USE(dust, BODY, 2, SCREE_USE_ADD, "kg", "is added");
SCREE_USE(steps, GLOBAL, 1, SCREE_USE_READ, "-", "are counted");
static const scree_use *const law_uses[] = {&use_mix};
static const scree_use *const count_uses[] = {&use_dust, &use_steps, &use_mix};
static const scree_force_ops law_ops = {OPS(force, plain_create, plain_destroy), .compute = compute,
                                        .after_step = after_step};
static const scree_modifier_ops count_ops = {OPS(modifier, plain_create, plain_destroy),
                                             .forces = forces};
static const scree_plugin stir = {PLUGIN(FORCE, "stir", "of a test"), PLUGIN_FIELDS(fields),
                                  PLUGIN_USES(law_uses), .ops = &law_ops};
static const scree_plugin count = {PLUGIN(MODIFIER, "count", "of a test"), PLUGIN_USES(count_uses),
                                   .ops = &count_ops};

SCREE_DEFINE_MANIFEST(&stir, &count);
