// SPDX-License-Identifier: Apache-2.0
// Plugins for tests of scenes, under names of their own: a law whose defaults the tests know, and
// a GCD, a resolver and a law that do not fit every scene.
#include "scree/sdk.h"

typedef struct stub_config {
    scree_reals kn, kt;
    double restitution, friction;
} stub_config;

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    (void)host;
    *instance = (void *)(uintptr_t)config; // constant; stiffness reads it
    return SCREE_OK;
}

static void destroy(void *instance)
{
    (void)instance;
}

static int32_t init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    (void)instance;
    (void)boxes;
    (void)flags;
    return SCREE_OK;
}

static int32_t step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
    (void)instance;
    (void)boxes;
    (void)moved;
    (void)n_moved;
    *n_pivots = 0;
    return SCREE_OK;
}

static int32_t find_neighbors(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    (void)instance;
    (void)first;
    (void)last;
    (void)sink;
    return SCREE_OK;
}

static int32_t find_objects(void *instance, const scree_region *region, scree_index_sink *sink)
{
    (void)instance;
    (void)region;
    (void)sink;
    return SCREE_OK;
}

static int32_t supports(void *instance, scree_pair_support *pair)
{
    (void)instance;
    pair->contacts = SCREE_SUPPORTS_ONE;
    return SCREE_OK;
}

static int32_t resolve(void *instance, const scree_candidates *candidates, scree_contacts *contacts,
                       uint32_t *done)
{
    (void)instance;
    contacts->n = 0;
    *done = candidates->n;
    return SCREE_OK;
}

static int32_t compute(void *instance, const scree_contact_batch *batch)
{
    (void)instance;
    (void)batch;
    return SCREE_OK;
}

static int32_t stiffness(void *instance, const scree_stiffness_query *query, scree_stiffness *out)
{
    const stub_config *c = instance;
    uint32_t n = 0;
    while ((uint64_t)n * n < c->kn.n)
        n++;
    out->kn = c->kn.v[query->material_a * n + query->material_b];
    out->kt = c->kt.v[query->material_a * n + query->material_b];
    return SCREE_OK;
}

static const scree_gcd_ops gcd_ops = {.size = sizeof gcd_ops,
                                      .create = create,
                                      .destroy = destroy,
                                      .init = init,
                                      .step_init = step_init,
                                      .find_neighbors = find_neighbors,
                                      .find_objects = find_objects};
static const scree_resolver_ops resolver_ops = {.size = sizeof resolver_ops,
                                                .create = create,
                                                .destroy = destroy,
                                                .supports = supports,
                                                .resolve = resolve};
static const scree_force_ops force_ops = {.size = sizeof force_ops,
                                          .create = create,
                                          .destroy = destroy,
                                          .compute = compute,
                                          .stiffness = stiffness};

#define REAL(NAME, TYPE, MIXING, UNIT, DEFAULT, FLAGS)                                             \
    static const scree_param param_##NAME = {.size = sizeof(scree_param),                          \
                                             .type = TYPE,                                         \
                                             .flags = FLAGS,                                       \
                                             .mixing = MIXING,                                     \
                                             .offset = offsetof(stub_config, NAME),                \
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
static const scree_param *const force_params[] = {&param_kn, &param_kt, &param_restitution,
                                                  &param_friction};

#define STAND_IN(NAME, KIND, ID, OPS, ...)                                                         \
    static const scree_plugin NAME = {.size = sizeof(scree_plugin),                                \
                                      .kind = KIND,                                                \
                                      .id = ID,                                                    \
                                      .version = "1.0.0",                                          \
                                      .licence = "Apache-2.0",                                     \
                                      .help = "stands in for tests of scenes",                     \
                                      .ops = OPS,                                                  \
                                      __VA_ARGS__}
STAND_IN(flat, SCREE_KIND_GCD, "flat", &gcd_ops, .dimensions = SCREE_DIMENSION_2);
STAND_IN(blunt, SCREE_KIND_RESOLVER, "blunt", &resolver_ops,
         .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3);
STAND_IN(spring, SCREE_KIND_FORCE, "spring", &force_ops,
         .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3, .config_size = sizeof(stub_config),
         .n_params = 4, .params = force_params);
STAND_IN(needy, SCREE_KIND_FORCE, "needy", &force_ops,
         .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3, .needs = SCREE_IN_AREA);
STAND_IN(even, SCREE_KIND_RESOLVER, "even", &resolver_ops, .dimensions = SCREE_DIMENSION_2);
SCREE_DEFINE_MANIFEST(&flat, &blunt, &even, &spring, &needy);
