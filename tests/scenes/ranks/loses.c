/* SPDX-License-Identifier: Apache-2.0 */
/* A GCD that loses pairs on some ranks: where the first box is empty, as it is far from their rows,
 * the last partners of the lowest boxes that are not. */
#include "../../plugin.h"
#include "scree/gcd_sdk.h"

static scree_boxes boxes;

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    *instance = (void *)(uintptr_t)host;
    return SCREE_OK;
}

static int32_t init(void *instance, const scree_boxes *b, uint32_t flags)
{
    return SCREE_OK;
}

static int32_t step_init(void *instance, const scree_boxes *b, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
    boxes = *b;
    *n_pivots = b->n;
    return SCREE_OK;
}

static int32_t find_neighbors(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    const uint32_t least = scree_box_empty(&boxes, 0) ? boxes.n / 4 : 0;
    uint32_t low = 0;
    for (uint32_t n = 0; low < boxes.n && n < least; low++)
        n += !scree_box_empty(&boxes, low);
    for (uint64_t i = first; i < last; i++) {
        uint64_t n = 0;
        scree_pair *out;
        int32_t code = sink->reserve(sink, boxes.n, &out);
        if (code < 0)
            return code;
        for (uint32_t j = (uint32_t)i + 1; j < boxes.n; j++)
            if (scree_boxes_overlap(&boxes, (uint32_t)i, j))
                out[n++] = (scree_pair){(uint32_t)i, j};
        n -= n && i < low;
        code = sink->commit(sink, n);
        if (code < 0)
            return code;
    }
    return SCREE_OK;
}

static int32_t find_objects(void *instance, const scree_zone *zone, scree_index_sink *sink)
{
    uint32_t *out, n = 0;
    const int32_t code = sink->reserve(sink, boxes.n, &out);
    if (code < 0)
        return code;
    for (uint32_t i = 0; i < boxes.n; i++)
        if (scree_zone_meets_box(zone, &boxes, i))
            out[n++] = i;
    return sink->commit(sink, n);
}

static const scree_gcd_ops ops = {OPS(gcd, create, plain_destroy), .init = init,
                                  .step_init = step_init, .find_neighbors = find_neighbors,
                                  .find_objects = find_objects};
static const scree_plugin loses = {PLUGIN(GCD, "loses", "loses pairs on some ranks"), .ops = &ops};

SCREE_DEFINE_MANIFEST(&loses);
