/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows: contact detection in rows along y, and a sweep along x in each row. It shows its rows in
 * pictures.
 *
 * Idea     N^(1/2) rows, each with as many lower ends on y. A box is entered into each row that it
 *          meets. In a row, boxes are sorted by their lower ends on x, and each is compared with
 *          those that begin before it ends. A pair that meets in several rows belongs to the one
 *          that holds the higher of the two lower ends on y.
 * Cost     Equal boxes in a plane: N log N. Boxes as long as the domain are in each row: N^(3/2)
 *          entries.
 * Layout   Extension draft.layout/1 (draft/layout.h): observers image and vtk draw the rows of
 *          `detection = { plugin = "rows"; };`.
 */
#include <scree/draft/layout.h>
#include <scree/gcd_sdk.h>

typedef struct entry {
    double lo; /* [m] lower end on x */
    uint32_t slot, row;
} entry;

typedef struct rows {
    const scree_host *host;
    const scree_boxes *boxes; /* of the last step_init */
    double *cut;              /* [n - 1] [m] lower ends of the rows but the first, on y */
    entry *entries;           /* by row, then by lower end on x */
    uint64_t *first;          /* [n + 1] first entry of each row */
    uint32_t n;
    uint64_t room[3];
} rows;

static uint32_t row_of(const rows *self, double y)
{
    uint32_t low = 0, high = self->n - 1; /* rows */
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (self->cut[middle] <= y)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int by_entry(const void *a, const void *b)
{
    const entry *p = a, *q = b;
    if (p->row != q->row)
        return p->row < q->row ? -1 : 1;
    return p->lo != q->lo ? (p->lo < q->lo ? -1 : 1) : (p->slot > q->slot) - (p->slot < q->slot);
}

/* Sets rows with as many lower ends each. */
static int make_rows(rows *self)
{
    const scree_boxes *b = self->boxes;
    uint32_t used = 0;
    if (!scree_grow(&self->cut, &self->room[0], (uint64_t)b->n + 1, sizeof *self->cut))
        return 0;
    for (uint32_t i = 0; i < b->n; i++) {
        self->cut[used] = b->lo[1][i];
        used += !scree_box_empty(b, i);
    }
    qsort(self->cut, used, sizeof *self->cut, by_value);
    self->n = (uint32_t)sqrt(used) + 1;
    for (uint32_t r = 1; r < self->n; r++) /* never behind the place that is read */
        self->cut[r - 1] = self->cut[(uint64_t)r * used / self->n];
    return 1;
}

static int enter_boxes(rows *self)
{
    const scree_boxes *b = self->boxes;
    uint64_t n = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        if (scree_box_empty(b, i))
            continue;
        const uint32_t last = row_of(self, b->hi[1][i]);
        for (uint32_t r = row_of(self, b->lo[1][i]); r <= last; r++) {
            if (!scree_grow(&self->entries, &self->room[1], n + 1, sizeof *self->entries))
                return 0;
            self->entries[n++] = (entry){b->lo[0][i], i, r};
        }
    }
    if (n)
        qsort(self->entries, n, sizeof *self->entries, by_entry);
    if (!scree_grow(&self->first, &self->room[2], (uint64_t)self->n + 1, sizeof *self->first))
        return 0;
    uint64_t at = 0;
    for (uint32_t r = 0; r <= self->n; r++) {
        while (at < n && self->entries[at].row < r)
            at++;
        self->first[r] = at;
    }
    return 1;
}

static int32_t init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    (void)instance;
    (void)boxes;
    (void)flags; /* they allow to leave pairs out, and ask for nothing */
    return SCREE_OK;
}

static int32_t step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
    rows *self = instance;
    (void)moved;
    (void)n_moved;
    self->boxes = boxes;
    self->n = 0;
    if (!make_rows(self) || !enter_boxes(self)) {
        self->n = 0;
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for rows");
    }
    *n_pivots = self->n;
    return SCREE_OK;
}

static int32_t find_neighbors(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    const rows *self = instance;
    const scree_boxes *b = self->boxes;
    scree_pairs o = {sink, NULL, 0, 0};
    int32_t status = SCREE_OK;
    for (uint64_t p = self->first[first]; p < self->first[last] && status == SCREE_OK; p++) {
        const entry *e = &self->entries[p];
        const uint32_t i = e->slot;
        const uint64_t end = self->first[e->row + 1];
        for (uint64_t q = p + 1; q < end && self->entries[q].lo <= b->hi[0][i]; q++) {
            const uint32_t j = self->entries[q].slot;
            status = scree_pairs_room(&o, 1);
            if (status != SCREE_OK)
                break;
            o.out[o.used] = (scree_pair){i, j}; /* else overwritten */
            o.used += (uint64_t)(scree_boxes_overlap(b, i, j) &&
                                 row_of(self, scree_max(b->lo[1][i], b->lo[1][j])) == e->row);
        }
    }
    return scree_pairs_finish(&o, status);
}

static int32_t find_objects(void *instance, const scree_zone *zone, scree_index_sink *sink)
{
    const rows *self = instance;
    return scree_objects_of_all(self->boxes, zone, sink);
}

static int32_t show_rows(void *instance, const scree_layout_sink *sink)
{
    const rows *self = instance;
    const int flat = self->host->dimension == 2;
    int32_t status = SCREE_OK;
    for (uint32_t r = 0; r < self->n && status == SCREE_OK; r++) {
        const scree_layout_cell c = {
            .lo = {-HUGE_VAL, r ? self->cut[r - 1] : -HUGE_VAL, flat ? 0.0 : -HUGE_VAL},
            .hi = {HUGE_VAL, r + 1 < self->n ? self->cut[r] : HUGE_VAL, flat ? 0.0 : HUGE_VAL},
            .n = self->first[r + 1] - self->first[r],
            .kind = SCREE_LAYOUT_CELL};
        status = sink->put(sink->ctx, &c, 1);
    }
    return status;
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    rows *self = calloc(1, sizeof *self);
    (void)config; /* it has no parameters */
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->host = host;
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    rows *self = instance;
    if (!self)
        return;
    free(self->cut);
    free(self->entries);
    free(self->first);
    free(self);
}

static uint64_t bytes(void *instance)
{
    const rows *self = instance;
    return sizeof *self + self->room[0] * sizeof *self->cut +
           self->room[1] * sizeof *self->entries + self->room[2] * sizeof *self->first;
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

static const scree_layout layout = {.size = sizeof(scree_layout), .cells = show_rows};

static const void *get_extension(const char *name)
{
    return strcmp(name, SCREE_DRAFT_LAYOUT) == 0 ? &layout : NULL;
}

static const scree_plugin descriptor = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_GCD,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "rows",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "rows with as many boxes each, and a sweep in each row",
    .ops = &ops,
    .get_extension = get_extension,
};

SCREE_DEFINE_MANIFEST(&descriptor);
