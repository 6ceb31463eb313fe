/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Global contact detection by pairing: every two boxes are a candidate.
 *
 * Sources  Perkins, E. (1999): Global contact detection (DESS), thesis, MIT, section 3.2.1.
 * Idea     The full set of possibilities, each once: for each object all objects with a higher
 *          number. No geometry is looked at.
 * Steps    step_init counts the slots; pivot i owns the pairs (i, j) with j > i.
 * Cost     N (N - 1) / 2 pairs, no memory. Nothing can be less accurate: it serves to test hosts
 *          and other strategies, and scenes of a few bodies.
 * Deviations  Empty slots belong to no pair. find_objects looks at the boxes, as Perkins says.
 * Limits   The host drops the pairs whose extents are apart: a few thousand bodies at most.
 */
#include "blocks.h"

typedef struct pairing {
    const scree_host *host;
    scree_boxes boxes; /* boxes of the last step_init */
} pairing;

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    pairing *self = calloc(1, sizeof *self);
    (void)config;
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "pairing: out of memory");
    self->host = host;
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    free(instance);
}

static int32_t init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    pairing *self = instance;
    (void)flags;
    scree_boxes_keep(&self->boxes, boxes);
    return SCREE_OK;
}

static int32_t step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
    pairing *self = instance;
    (void)moved;
    (void)n_moved;
    scree_boxes_keep(&self->boxes, boxes);
    *n_pivots = boxes->n;
    return SCREE_OK;
}

static uint64_t gather(SCREE_IN lo, SCREE_IN hi, uint32_t i, uint32_t first, uint32_t last,
                       scree_pair *SCREE_RESTRICT out)
{
    uint64_t n = 0;
    for (uint32_t j = first; j < last; j++) {
        out[n] = (scree_pair){i, j};
        n += lo[j] <= hi[j];
    }
    return n;
}

/* Pairs box i with all boxes that are not empty. */
static uint64_t pair_all(const void *instance, uint32_t i, uint32_t first, uint32_t n,
                         scree_pair *out)
{
    const pairing *self = instance;
    return gather(self->boxes.lo[0], self->boxes.hi[0], i, first, first + n, out);
}

static int32_t find_neighbors(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    const pairing *self = instance;
    return pair_blocks(&self->boxes, first, last, pair_all, self, sink);
}

static int32_t find_objects(void *instance, const scree_zone *zone, scree_index_sink *sink)
{
    const pairing *self = instance;
    return scree_objects_of_all(&self->boxes, zone, sink);
}

static uint64_t bytes(void *instance)
{
    (void)instance;
    return sizeof(pairing);
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

static const scree_plugin descriptor = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_GCD,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "pairing",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "every pair of boxes is a candidate (tests, a few bodies)",
    .summary =
        "All N (N - 1) / 2 pairs, whatever the boxes: the least accurate strategy there is, and "
        "the one that cannot miss a contact.",
    .citation = "Perkins, E. (1999): thesis, MIT, section 3.2.1",
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&descriptor);
