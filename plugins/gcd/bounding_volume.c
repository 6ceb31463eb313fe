/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Global contact detection by comparing the bounding volumes of every two bodies.
 *
 * Sources  Perkins, E. (1999): Global contact detection (DESS), thesis, MIT, section 3.2.2.
 * Idea     Pairing with a test in the inner loop: only pairs whose bounding volumes overlap are
 *          candidates. No strategy that sees only the volumes can be more accurate, so the
 *          others are measured against this one.
 * Steps    Pivot i owns the pairs (i, j), j > i. One kernel computes for a block of j whether the
 *          volumes overlap (vectorised: no branch, no call), a second one gathers the numbers.
 * Cost     N (N - 1) / 2 tests, no memory but the lane's block.
 * Deviations  Perkins' bounding volume is the sphere, ours by default the box, which is what the
 *          host promises to get; `volume = sphere` is his. A pair whose boxes are apart is left out
 *          then, too. Where the host needs pairs whose spheres are apart (no SCREE_GCD_SPHERES)
 *          only the box decides.
 * Limits   Quadratic: 10 000 bodies take some 50 ms.
 */
#include "blocks.h"

#define VOLUME_BOX 0
#define VOLUME_SPHERE 1

typedef struct settings {
    int32_t volume; // VOLUME_*
} settings;

typedef struct bounding_volume {
    const scree_host *host;
    const settings *config;
    int spheres;       // 1: spheres are tested as well
    scree_boxes boxes; // boxes of the last step_init
} bounding_volume;

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    bounding_volume *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "bounding_volume: out of memory");
    self->host = host;
    self->config = config;
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    free(instance);
}

static int32_t init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    bounding_volume *self = instance;
    self->spheres = self->config->volume == VOLUME_SPHERE && (flags & SCREE_GCD_SPHERES);
    scree_boxes_keep(&self->boxes, boxes);
    return SCREE_OK;
}

static int32_t step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
    bounding_volume *self = instance;
    (void)moved;
    (void)n_moved;
    scree_boxes_keep(&self->boxes, boxes);
    *n_pivots = boxes->n;
    return SCREE_OK;
}

/* Spheres that touch are not apart: the test allows for a few roundings. */
static void test_spheres(uint32_t n, SCREE_IN x, SCREE_IN y, SCREE_IN z, SCREE_IN r,
                         const double p[4], uint64_t *SCREE_RESTRICT hit)
{
    const double px = p[0], py = p[1], pz = p[2], pr = p[3];
    for (uint32_t k = 0; k < n; k++) {
        double dx = x[k] - px, dy = y[k] - py, dz = z[k] - pz, reach = r[k] + pr;
        double d2 = dx * dx + dy * dy + dz * dz;
        hit[k] &= (uint64_t)(d2 <= reach * reach * (1.0 + 1e-12));
    }
}

static uint64_t gather(uint32_t i, uint32_t first, uint32_t n, const uint64_t *SCREE_RESTRICT hit,
                       scree_pair *SCREE_RESTRICT out)
{
    uint64_t found = 0;
    for (uint32_t k = 0; k < n; k++) {
        out[found] = (scree_pair){i, first + k};
        found += hit[k];
    }
    return found;
}

/* An empty slot fails the test of the first axis. */
static uint64_t pair_overlapping(const void *instance, uint32_t i, uint32_t first, uint32_t n,
                                 scree_pair *out)
{
    const bounding_volume *self = instance;
    const scree_boxes *b = &self->boxes;
    uint64_t hit[BLOCK];
    scree_test_slots(b, first, n, i, hit);
    if (self->spheres) {
        const double p[4] = {b->centre[0][i], b->centre[1][i], b->centre[2][i], b->radius[i]};
        test_spheres(n, b->centre[0] + first, b->centre[1] + first, b->centre[2] + first,
                     b->radius + first, p, hit);
    }
    return gather(i, first, n, hit, out);
}

static int32_t find_neighbors(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    const bounding_volume *self = instance;
    return pair_blocks(&self->boxes, first, last, pair_overlapping, self, sink);
}

static int32_t find_objects(void *instance, const scree_zone *zone, scree_index_sink *sink)
{
    const bounding_volume *self = instance;
    return scree_objects_of_all(&self->boxes, zone, sink);
}

static uint64_t bytes(void *instance)
{
    (void)instance;
    return sizeof(bounding_volume);
}

static const scree_gcd_ops ops = {
    .size = sizeof(scree_gcd_ops),
    .create = create,
    .destroy = destroy,
    .init = init,
    .step_init = step_init,
    .find_neighbors = find_neighbors,
    .find_objects = find_objects,
    .bytes = bytes,
};

SCREE_CHOICE_VALUE(box, VOLUME_BOX, "axis-aligned bounding boxes");
SCREE_CHOICE_VALUE(sphere, VOLUME_SPHERE, "boxes and bounding spheres (Perkins' volume)");
SCREE_CHOICE_PARAM(settings, volume, SCREE_PARAM_LIVE, "box",
                   "what is compared: box, or sphere as well", &choice_box, &choice_sphere);
static const scree_param *const params[] = {&param_volume};

static const scree_plugin descriptor = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_GCD,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "bounding_volume",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "compares the bounding volumes of every two bodies (reference)",
    .summary =
        "All pairs whose bounding boxes, or boxes and spheres, overlap, found by testing each "
        "pair: quadratic, and as accurate as a broad phase can be.",
    .citation = "Perkins, E. (1999): thesis, MIT, section 3.2.2",
    .config_size = sizeof(settings),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&descriptor);
