/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Global contact detection by double-ended spatial sorting (DESS).
 *
 * Sources  Perkins, E. (1999): Global contact detection (DESS), thesis, MIT, section 5.1 and the
 *          cases of figure 3.
 * Idea     Both ends of every box are sorted on each axis. Two rank lists per axis say where a box
 *          begins and ends among the 2 N ends: boxes become boxes of whole numbers, and whether
 *          two of them overlap is decided without a look at a coordinate.
 * Steps    1. Sort the ends of each axis; a bit in each entry is the side table (lower or upper).
 *          2. Rank: pass through each list, note the place of each box's two ends.
 *          3. Each lower end on the master axis is a target. The entries up to its upper end are
 *             its matches, those that are upper ends are skipped; each is compared with the
 *             target's ranks on the other axes. In terms of figure 3 (column, row = how the match
 *             lies to the target on x, on y: 1 before, 2 over its start, 3 around it, 4 within,
 *             5 over its end, 6 after) these are the columns 4 and 5 with rows 2 to 5, the cases
 *             8B 9B 10A 11A 14B 15B 16A 17A: one of A and B of every contact, so each pair is met
 *             once.
 *          Ties: lower ends before upper ones, then by number. Boxes that touch overlap, and of
 *          two that begin together the lower number is the target.
 * Cost     Sorting: N log N (sort = heap, Perkins' DESS), near N when little moved (insertion, his
 *          DESS2; the first sort is by heap). Search: a box meets those that begin within its side
 *          on the master axis, N^(1/2) of them in 2D and N^(2/3) in 3D: N^(3/2) and N^(5/3) in
 *          all. Memory: 101 bytes per box in 2D, 149 in 3D.
 * Deviations  Ends that are upper ones are left out of the master list once per step instead of
 *          being skipped in each search, and the other ranks are copied in its order: a search
 *          reads whole numbers side by side, 32 at a time. By default the master axis is the
 *          one on which the boxes meet fewest ends, known from the ranks; `master = x` is
 *          Perkins'. Insertion that takes too many moves (teleports) goes over to the heap.
 *          find_objects begins one widest box before the zone, on the axis where that leaves
 *          the fewest ends; Perkins begins at the bottom of the list (5.1.1.4).
 * Limits   Not for large 3D scenes: a grid is linear. 2^30 boxes.
 */
#include "sorting/params.h"
#include "sorting/ranks.h"

#define MASTER_SHORTEST 0
#define MASTER_X 1

#define GRAIN 4096u

typedef struct settings {
    int32_t sort;   // SORT_*
    int32_t master; // MASTER_*
    int64_t pieces;
} settings;

typedef struct dess {
    const scree_host *host;
    const settings *config;
    sorting ends;
    uint32_t master;
    uint32_t n;           // targets: boxes that are not empty
    uint32_t *ids;        // boxes of the lower ends on the master axis, in order
    uint32_t *last;       // end of the matches of each target
    int32_t *other[2][2]; // ranks on the other axes
    uint64_t room_list[2], room_other[2][2];
} dess;

/* ---- step_init ---- */

/* Counts the ends that all boxes meet on an axis. */
static uint64_t count_met(const dess *self, uint32_t axis)
{
    const uint32_t *lower = self->ends.rank[axis][0], *upper = self->ends.rank[axis][1];
    uint64_t met = 0;
    for (uint32_t i = 0; i < self->ends.n_slots; i++)
        met += self->ends.used[i] ? upper[i] - lower[i] : 0;
    return met;
}

static uint32_t choose_master(const dess *self)
{
    uint64_t fewest = UINT64_MAX;
    uint32_t master = 0;
    for (uint32_t k = 0; k < self->ends.axes && self->config->master == MASTER_SHORTEST; k++) {
        const uint64_t met = count_met(self, k);
        master = met < fewest ? k : master;
        fewest = met < fewest ? met : fewest;
    }
    return master;
}

/* Lists the targets and the ends of their matches: at an upper end all lower ones before it are
 * known. */
static void list_targets(dess *self)
{
    const sorted_end *list = self->ends.list[self->master];
    uint32_t *place =
        self->ends.rank[self->master][0]; // place of a target among the targets, from here on
    uint32_t n = 0;
    for (uint32_t at = 0; at < self->ends.n; at++) {
        const uint32_t tag = list[at].tag, i = tag & ~UPPER_END;
        if (tag & UPPER_END) {
            self->last[place[i]] = n;
        } else {
            self->ids[n] = i;
            place[i] = n++;
        }
    }
    self->n = n;
    for (uint32_t m = 0; m + 1 < self->ends.axes; m++)
        for (uint32_t k = 0; k < WIDE; k++)
            self->other[m][0][n + k] = self->other[m][1][n + k] = 0;
}

static int32_t copy_ranks(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    dess *self = user;
    (void)lane;
    for (uint32_t m = 0; m + 1 < self->ends.axes; m++) {
        const uint32_t axis = m + (m >= self->master);
        for (uint32_t e = 0; e < 2; e++)
            for (uint64_t p = begin; p < end; p++)
                self->other[m][e][p] = (int32_t)self->ends.rank[axis][e][self->ids[p]];
    }
    return SCREE_OK;
}

/* The arrays of the targets are read WIDE entries at a time, also beyond their end. */
static int32_t make_room(dess *self, uint64_t n)
{
    int room = scree_grow(&self->ids, &self->room_list[0], n, sizeof *self->ids) &&
               scree_grow(&self->last, &self->room_list[1], n, sizeof *self->last);
    for (uint32_t e = 0; e < 2; e++)
        for (uint32_t m = 0; m + 1 < self->ends.axes; m++)
            room = room && scree_grow(&self->other[m][e], &self->room_other[m][e], n + WIDE,
                                      sizeof(int32_t));
    return room ? SCREE_OK
                : self->host->fail(self->host->ctx, SCREE_E_MEMORY, "dess: out of memory");
}

static int32_t step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
    dess *self = instance;
    const scree_host *host = self->host;
    (void)moved;
    (void)n_moved;
    self->ends.heap = self->config->sort == SORT_HEAP;
    self->ends.pieces = (uint32_t)self->config->pieces;
    int32_t status = scree_sorting_update(&self->ends, boxes);
    if (status == SCREE_OK)
        status = make_room(self, boxes->n);
    if (status == SCREE_OK)
        status = scree_sorting_rank(&self->ends);
    if (status != SCREE_OK)
        return status;
    self->master = choose_master(self);
    list_targets(self);
    *n_pivots = self->n;
    return host->parallel_for(host->ctx, 0, self->n, GRAIN, copy_ranks, self);
}

/* ---- find_neighbors: no coordinate is looked at from here on ---- */

/* Searches along the other axes 0 and n; 2D has only one, and n = 0. */
static int32_t search(const dess *self, rank_hits *o, uint32_t p, uint32_t n)
{
    const int32_t *alo = self->other[0][0], *ahi = self->other[0][1];
    const int32_t *blo = self->other[n][0], *bhi = self->other[n][1];
    return search_ranks(o, p, p + 1, self->last[p], alo, ahi, blo, bhi, (ranks){alo[p], ahi[p]},
                        (ranks){blo[p], bhi[p]});
}

static int32_t find_neighbors(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    const dess *self = instance;
    rank_hits o;
    o.sink = sink;
    o.ids = self->ids;
    o.n = 0;
    int32_t status = SCREE_OK;
    for (uint64_t p = first; p < last && status == SCREE_OK; p++)
        status = search(self, &o, (uint32_t)p, self->ends.axes - 2);
    return status == SCREE_OK ? flush_hits(&o) : status;
}

static int32_t find_objects(void *instance, const scree_zone *zone, scree_index_sink *sink)
{
    const dess *self = instance;
    return scree_sorting_objects(&self->ends, zone, sink);
}

/* ---- the plugin ---- */

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    dess *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "dess: out of memory");
    self->host = self->ends.host = host;
    self->ends.both = 1;
    self->config = config;
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    dess *self = instance;
    if (!self)
        return;
    scree_sorting_free(&self->ends);
    for (uint32_t k = 0; k < 4; k++)
        free(self->other[k / 2][k % 2]);
    free(self->ids);
    free(self->last);
    free(self);
}

static int32_t init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    dess *self = instance;
    (void)boxes;
    (void)flags;
    scree_sorting_clear(&self->ends);
    self->n = 0;
    return SCREE_OK;
}

static uint64_t bytes(void *instance)
{
    const dess *self = instance;
    uint64_t sum = sizeof *self + scree_sorting_bytes(&self->ends);
    for (uint32_t e = 0; e < 2; e++) {
        for (uint32_t m = 0; m < 2; m++)
            sum += self->room_other[m][e] * sizeof(int32_t);
        sum += self->room_list[e] * sizeof(uint32_t);
    }
    return sum;
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

SCREE_CHOICE_PARAM(settings, sort, SCREE_PARAM_LIVE, "insertion",
                   "how the ends are sorted: insertion (DESS2), or heap (DESS)", &choice_insertion,
                   &choice_heap);
SCREE_CHOICE_VALUE(shortest, MASTER_SHORTEST, "on which boxes meet the fewest ends");
SCREE_CHOICE_VALUE(x, MASTER_X, "x, as Perkins does");
SCREE_CHOICE_PARAM(settings, master, SCREE_PARAM_LIVE, "shortest",
                   "the axis that is searched along: shortest, or x", &choice_shortest, &choice_x);
SORT_PIECES_PARAM;
static const scree_param *const params[] = {&param_sort, &param_master, &param_pieces};

static const scree_plugin descriptor = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_GCD,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "dess",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "double-ended spatial sorting: ranks of both ends of all boxes (Perkins)",
    .summary =
        "The lower and upper ends of all boxes are sorted on each axis; from only their ranks, "
        "whole numbers, follows which boxes overlap. Exact, of any sizes; the cost grows as "
        "N^(3/2) in 2D and N^(5/3) in 3D.",
    .citation = "Perkins, E. (1999): Global contact detection (DESS), thesis, MIT, section 5.1",
    .config_size = sizeof(settings),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&descriptor);
