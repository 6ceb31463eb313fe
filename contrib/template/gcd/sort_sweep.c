/* SPDX-License-Identifier: MIT */
/*
 * sort_sweep: contact detection by sort and sweep, which finds pairs of boxes that may touch.
 *
 * Source   Baraff 1992, Dynamic Simulation of Non-Penetrating Rigid Bodies, thesis, Cornell, 4.1.
 * Idea     Sort the boxes by their lower ends on one axis. Box i can overlap only those after it
 *          that begin before it ends: walk along them, and compare the other axes.
 * Cost     N log N for the sort. The walk takes N times the boxes within one box length on the
 *          axis: N^(5/3) in a cube of equal balls, N in a long channel.
 *
 * This is the smallest contact detection that stands up to any boxes: copy it. plugins/gcd/grid.c
 * of the sources is a faster one.
 */
#include <scree/gcd_sdk.h>

typedef struct item {
    double lo; /* [m] lower end on the axis */
    uint32_t slot;
    uint32_t unused;
} item;

typedef struct sweep {
    const scree_host *host;
    const scree_boxes *boxes; /* of the last step_init */
    item *items;              /* [n] sorted; empty slots are left out */
    uint64_t room;
    uint32_t n, axis;
} sweep;

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    sweep *self = calloc(1, sizeof *self);
    (void)config; /* it has no parameters */
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->host = host;
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    sweep *self = instance;
    if (self)
        free(self->items);
    free(self);
}

/** Forgets earlier boxes. Nothing is to do: step_init starts again each time. */
static int32_t init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    (void)instance;
    (void)boxes;
    (void)flags; /* they allow to leave pairs out, and ask for nothing */
    return SCREE_OK;
}

static int by_lower_end(const void *a, const void *b)
{
    double x = ((const item *)a)->lo, y = ((const item *)b)->lo;
    return (x > y) - (x < y);
}

/** The axis on which the boxes spread most. */
static uint32_t widest_axis(const scree_boxes *boxes)
{
    uint32_t widest = 0;
    double most = -1.0;
    for (uint32_t k = 0; k < boxes->dimension; k++) {
        double lo, hi;
        scree_boxes_range(boxes, k, &lo, &hi);
        if (hi - lo > most) {
            most = hi - lo;
            widest = k;
        }
    }
    return widest;
}

/** Sorts the boxes as they are now. `moved` is NULL: only a plugin with SCREE_CAP_INCREMENTAL gets
 * a list. A pivot is an item: find_neighbors may be called with any range of them. */
static int32_t step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
    sweep *self = instance;
    (void)moved;
    (void)n_moved;
    if (!scree_grow(&self->items, &self->room, boxes->n, sizeof *self->items))
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for boxes");
    self->boxes = boxes; /* valid until the next step_init */
    self->axis = widest_axis(boxes);
    self->n = 0;
    for (uint32_t i = 0; i < boxes->n; i++)
        if (boxes->lo[0][i] <= boxes->hi[0][i]) /* the slot is not empty */
            self->items[self->n++] = (item){boxes->lo[self->axis][i], i, 0};
    if (self->n > 1)
        qsort(self->items, self->n, sizeof *self->items, by_lower_end);
    *n_pivots = self->n;
    return SCREE_OK;
}

/** 1 when the boxes overlap or touch. */
static uint64_t overlap(const scree_boxes *b, uint32_t i, uint32_t j)
{
    int yes = 1;
    for (int k = 0; k < 3; k++)
        yes &= (b->lo[k][i] <= b->hi[k][j]) & (b->lo[k][j] <= b->hi[k][i]);
    return (uint64_t)yes;
}

/** Emits the pairs of items [first, last) with later ones. Several threads call it at the same time
 * with ranges of their own: the instance is read only. */
static int32_t find_neighbors(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    const sweep *self = instance;
    scree_pairs o = {sink, NULL, 0, 0};
    int32_t status = SCREE_OK;
    for (uint64_t p = first; p < last && status == SCREE_OK; p++) {
        uint32_t i = self->items[p].slot;
        double end = self->boxes->hi[self->axis][i];
        for (uint64_t q = p + 1; q < self->n && self->items[q].lo <= end; q++) {
            status = scree_pairs_room(&o, 1);
            if (status != SCREE_OK)
                break;
            o.out[o.used] = (scree_pair){i, self->items[q].slot};
            o.used += overlap(self->boxes, i, self->items[q].slot); /* else overwritten */
        }
    }
    return scree_pairs_finish(&o, status);
}

/** Emits the boxes that overlap a zone. Asked rarely: a look at every box will do. */
static int32_t find_objects(void *instance, const scree_zone *zone, scree_index_sink *sink)
{
    const sweep *self = instance;
    return scree_objects_of_all(self->boxes, zone, sink);
}

static uint64_t bytes(void *instance)
{
    const sweep *self = instance;
    return sizeof *self + self->room * sizeof *self->items;
}

static const scree_gcd_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = destroy,
    .init = init,
    .step_init = step_init,
    .find_neighbors = find_neighbors,
    .find_objects = find_objects,
    .bytes = bytes,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_GCD,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "sort_sweep",
    .version = "0.1.0",
    .licence = "MIT",
    .help = "sort along one axis, then sweep",
    .summary = "Sorts the boxes by their lower ends on the axis on which they spread most, in each "
               "step, and compares each with those that begin before it ends.",
    .citation = "Baraff 1992, Dynamic Simulation of Non-Penetrating Rigid Bodies, thesis, Cornell",
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
