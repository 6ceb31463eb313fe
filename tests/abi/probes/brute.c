/* SPDX-License-Identifier: Apache-2.0 */
/* An incremental GCD: every moved box against all boxes; its own state is a mark per box. */
#include "probe.h"

typedef struct brute {
    probe_memory marks; /* 1: box moved */
    scree_boxes boxes;
    const uint32_t *moved; /* valid as long as the boxes; NULL: all */
} brute;

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    brute *self = calloc(1, sizeof *self);
    *instance = self;
    return self ? SCREE_OK : host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
}

static int32_t init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    return SCREE_OK;
}

static int32_t step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
    brute *self = instance;
    if (!scree_grow(&self->marks.data, &self->marks.capacity, boxes->n + 1ull, 1))
        return SCREE_E_MEMORY;
    memset(self->marks.data, moved == NULL, boxes->n);
    for (uint32_t k = 0; k < n_moved; k++)
        ((uint8_t *)self->marks.data)[moved[k]] = 1;
    self->boxes = *boxes;
    self->moved = moved;
    *n_pivots = moved ? n_moved : boxes->n;
    return SCREE_OK;
}

static int32_t find_neighbors(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    const brute *self = instance;
    const uint8_t *mark = self->marks.data;
    for (uint64_t pivot = first; pivot < last; pivot++) {
        uint32_t i = self->moved ? self->moved[pivot] : (uint32_t)pivot;
        uint64_t n = 0;
        scree_pair *out;
        int32_t code = sink->reserve(sink, self->boxes.n, &out);
        if (code == SCREE_OK)
            for (uint32_t j = 0; j < self->boxes.n; j++) {
                if (i == j || (mark[j] && j < i) || !scree_boxes_overlap(&self->boxes, i, j))
                    continue; // of two that moved the lower is the pivot
                out[n++] = (scree_pair){i, j};
            }
        code = code == SCREE_OK ? sink->commit(sink, n) : code;
        if (code < 0)
            return code;
    }
    return SCREE_OK;
}

static int32_t find_objects(void *instance, const scree_zone *zone, scree_index_sink *sink)
{
    const brute *self = instance;
    uint32_t *out, n = 0;
    int32_t code = sink->reserve(sink, self->boxes.n, &out);
    if (code == SCREE_OK)
        for (uint32_t i = 0; i < self->boxes.n; i++)
            if (scree_zone_meets_box(zone, &self->boxes, i))
                out[n++] = i;
    return code == SCREE_OK ? sink->commit(sink, n) : code;
}

static const scree_gcd_ops ops = {OPS(gcd, create, memory_destroy), .init = init,
                                  .step_init = step_init, .find_neighbors = find_neighbors,
                                  .find_objects = find_objects};
PROBE(GCD, "brute", .flags = SCREE_CAP_INCREMENTAL);
