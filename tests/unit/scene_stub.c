// SPDX-License-Identifier: Apache-2.0
// Plugins for tests of scenes, under names of their own: a law whose defaults the tests know, and
// a GCD, a resolver and a law that do not fit every scene.
#include "../plugin.h"

typedef struct config {
    scree_reals kn, kt;
    double restitution, friction;
} config;

static int32_t init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    return SCREE_OK;
}

static int32_t step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
    *n_pivots = 0;
    return SCREE_OK;
}

static int32_t find_neighbors(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    return SCREE_OK;
}

static int32_t find_objects(void *instance, const scree_zone *zone, scree_index_sink *sink)
{
    return SCREE_OK;
}

static int32_t supports(void *instance, scree_pair_support *pair)
{
    pair->contacts = SCREE_SUPPORTS_ONE;
    return SCREE_OK;
}

static int32_t resolve(void *instance, const scree_candidates *candidates, scree_contacts *contacts,
                       uint32_t *done)
{
    contacts->n = 0;
    *done = candidates->n;
    return SCREE_OK;
}

static int32_t compute(void *instance, const scree_contact_batch *batch)
{
    return SCREE_OK;
}

static int32_t stiffness(void *instance, const scree_stiffness_query *query, scree_stiffness *out)
{
    const config *c = instance;
    uint32_t n = 0;
    while ((uint64_t)n * n < c->kn.n)
        n++;
    out->kn = c->kn.v[query->material_a * n + query->material_b];
    out->kt = c->kt.v[query->material_a * n + query->material_b];
    return SCREE_OK;
}

static const scree_gcd_ops gcd_ops = {OPS(gcd, plain_create, plain_destroy), .init = init,
                                      .step_init = step_init, .find_neighbors = find_neighbors,
                                      .find_objects = find_objects};
static const scree_resolver_ops resolver_ops = {OPS(resolver, plain_create, plain_destroy),
                                                .supports = supports, .resolve = resolve};
static const scree_force_ops force_ops = {OPS(force, plain_create, plain_destroy),
                                          .compute = compute, .stiffness = stiffness};

#define REAL(NAME, TYPE, MIXING, UNIT, DEFAULT, FLAGS)                                             \
    static const scree_param param_##NAME = {.size = sizeof(scree_param),                          \
                                             .type = TYPE,                                         \
                                             .flags = FLAGS,                                       \
                                             .mixing = MIXING,                                     \
                                             .offset = offsetof(config, NAME),                     \
                                             .name = #NAME,                                        \
                                             .unit = UNIT,                                         \
                                             .help = "a number",                                   \
                                             .real_default = DEFAULT,                              \
                                             .real_min = 0.0,                                      \
                                             .real_max = 1e30}
REAL(kn, SCREE_TYPE_PER_PAIR, SCREE_MIX_HARMONIC, "N/m", 0.0, SCREE_PARAM_REQUIRED);
REAL(kt, SCREE_TYPE_PER_PAIR, SCREE_MIX_HARMONIC, "N/m", 0.0, 0);
REAL(restitution, SCREE_TYPE_REAL, 0, "-", 1.0, 0);
REAL(friction, SCREE_TYPE_REAL, 0, "-", 0.25, 0);
static const scree_param *const params[] = {&param_kn, &param_kt, &param_restitution,
                                            &param_friction};

#define STAND_IN "stands in for tests of scenes"
static const scree_plugin flat = {PLUGIN_OF(SCREE_DIMENSION_2, GCD, "flat", STAND_IN),
                                  .ops = &gcd_ops};
static const scree_plugin blunt = {PLUGIN(RESOLVER, "blunt", STAND_IN), .ops = &resolver_ops};
static const scree_plugin spring = {PLUGIN(FORCE, "spring", STAND_IN), PLUGIN_CONFIG,
                                    .ops = &force_ops};
static const scree_plugin needy = {PLUGIN(FORCE, "needy", STAND_IN), .needs = SCREE_IN_AREA,
                                   .ops = &force_ops};
static const scree_plugin even = {PLUGIN_OF(SCREE_DIMENSION_2, RESOLVER, "even", STAND_IN),
                                  .ops = &resolver_ops};
SCREE_DEFINE_MANIFEST(&flat, &blunt, &even, &spring, &needy);
