// SPDX-License-Identifier: Apache-2.0
/*
 * Source `random`: bodies by number or solid fraction, at random places.
 *
 * Idea: random sequential addition. Uniform positions are tried until one is free, the largest
 * bodies first (small ones find a place between large ones, but not the reverse). It ends near a
 * solid fraction of 0.38 for equal spheres and 0.54 for equal discs, in practice earlier: a denser
 * packing needs settling under gravity. Bodies lie inside the region with their whole bounding
 * ball, except along periodic axes that the region spans.
 *
 * Steps: 1. Sizes are drawn by number until `count` or `fraction` is reached.
 *        2. By descending size: places are drawn until one is free, which is then taken. Each try
 *           has its own number, so that the next places are known while memory for the first one
 *           arrives (random/seeker.c). For bodies of this source that are balls, or consist of
 *           balls, a map of taken places (random/cover.c) and then the balls around
 *           (random/taken.c) decide. The host is asked only about the remaining places, because of
 *           the other bodies of the scene. For solids it is asked about all places.
 *        3. All bodies are added in the order of their numbers.
 *
 * In a run (a modifier owns the source) bodies are placed in the order of their numbers, and those
 * before the first that finds no place are added.
 *
 * Cost: O(1) per try; during the search 48 bytes per body, 56 per ball, and above a fraction of 0.1
 * another 16 per ball for the map.
 */
#include "random/scatter.h"

typedef struct random_source {
    const scree_host *host;
    const scree_query *query; // NULL: the host does not offer it
    const scatter_config *config;
} random_source;

static int32_t make(void *instance, const scree_making *args)
{
    const random_source *self = (const random_source *)instance;
    return scatter_make(self->config, self->host, self->query, NULL, args);
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    const packing_config *c = &((const scatter_config *)config)->packing;
    if (c->count < 0 && isnan(c->fraction))
        return host->fail(host->ctx, SCREE_E_CONFIG, "count or fraction is missing");
    random_source *self = (random_source *)calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "out of memory");
    self->host = host;
    self->query = packing_query(host);
    self->config = (const scatter_config *)config;
    if (!self->query) {
        free(self);
        return SCREE_E_UNSUPPORTED;
    }
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    free(instance);
}

static uint64_t bytes(void *instance)
{
    return instance ? sizeof(random_source) : 0;
}

PACKING_PARAMS(scatter_config);
SCREE_INT_PARAM(scatter_config, tries, 0, 10000, 1, 1000000000, "places that are tried for a body");

static const scree_param *const params[] = {&param_region,   &param_body, &param_count,
                                            &param_fraction, &param_grow, &param_tries};

static const scree_source_ops ops = {.size = sizeof(scree_source_ops),
                                     .create = create,
                                     .destroy = destroy,
                                     .bytes = bytes,
                                     .make = make};

static const scree_plugin plugin = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_SOURCE,
    .flags = SCREE_CAP_USES_LIBM,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "random",
    .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "bodies by number or solid fraction, at random places",
    .summary = "Tries uniform places in a region until one is free, the largest bodies first. It "
               "ends near a solid fraction of 0.38 for equal spheres and 0.54 for equal discs. "
               "Bodies are inside the region with the whole ball that holds them, and overlap "
               "nothing that is there: a solid by its shape, a clump by its balls. Along a "
               "periodic axis that the region spans from end to end they may be anywhere. Sizes, "
               "places, turns and velocities are drawn by the number of the body from the scene's "
               "seed and the name of the group.",
    .citation = "B. Widom, Random sequential addition of hard spheres to a volume, J. Chem. Phys. "
                "44 (1966) 3888-3894",
    .config_size = sizeof(scatter_config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
