/* SPDX-License-Identifier: Apache-2.0 */
/* Owns a GCD: makes it, steps it, gathers its pairs. */
#include "inner.h"

int32_t scree_inner_make(inner *in, const scree_host *host, const scree_plugin_ref *ref)
{
    const void *ops = NULL;
    *in = (inner){.host = host};
    const int32_t status = host->make_instance(host->ctx, ref, &in->plugin, &ops, &in->self);
    if (status != SCREE_OK)
        return status;
    in->ops = ops;
    if (in->plugin->dimensions & (host->dimension == 2 ? SCREE_DIMENSION_2 : SCREE_DIMENSION_3))
        return SCREE_OK;
    return scree_failf(host, SCREE_E_CONFIG, "gcd/%s does not serve %u dimensions", in->plugin->id,
                       host->dimension);
}

void scree_inner_free(inner *in)
{
    if (in->ops)
        in->ops->destroy(in->self);
    *in = (inner){.self = NULL};
}

int32_t scree_inner_init(inner *in, const scree_boxes *boxes, uint32_t flags)
{
    in->flags = flags;
    in->n_pivots = 0;
    in->in_step = 0;
    return in->ops->init(in->self, boxes, flags);
}

int32_t scree_inner_step(inner *in, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved)
{
    in->listed = moved && in->in_step && (in->plugin->flags & SCREE_CAP_INCREMENTAL);
    in->n_pivots = 0;
    const int32_t status = in->ops->step_init(in->self, boxes, in->listed ? moved : NULL,
                                              in->listed ? n_moved : 0, &in->n_pivots);
    in->in_step = status == SCREE_OK;
    return status;
}

uint64_t scree_inner_bytes(const inner *in)
{
    return in->ops && SCREE_HAS(in->ops, bytes) ? in->ops->bytes(in->self) : 0;
}

int32_t scree_inner_cells(const inner *in, const scree_layout_sink *sink)
{
    const void *(*extension)(const char *) = in->plugin->get_extension;
    const scree_layout *layout = extension ? extension(SCREE_DRAFT_LAYOUT) : NULL;
    return layout && SCREE_HAS(layout, cells) ? layout->cells(in->self, sink) : SCREE_OK;
}

/* ---- what was found ---- */

#define OVERDREW 1u
#define GAVE_NONE 2u

static int32_t lane_reserve(scree_pair_sink *sink, uint64_t n, scree_pair **out)
{
    found_by_lane *lane = sink->ctx;
    if (n > UINT64_MAX - lane->n || !scree_grow(&lane->v, &lane->room, lane->n + n, sizeof **out))
        return SCREE_E_MEMORY;
    lane->reserved = n;
    *out = lane->v + lane->n;
    return SCREE_OK;
}

static int32_t lane_commit(scree_pair_sink *sink, uint64_t n)
{
    found_by_lane *lane = sink->ctx;
    if (n > lane->reserved) {
        lane->wrong = OVERDREW;
        return SCREE_E_INTERNAL;
    }
    for (const scree_pair *p = lane->v + lane->n, *end = p + n; p < end; p++) {
        if (!pair_is_none(*p, lane->n_boxes))
            continue;
        lane->bad = *p;
        lane->wrong = GAVE_NONE;
        return SCREE_E_INTERNAL;
    }
    lane->reserved -= n;
    lane->n += n;
    return SCREE_OK;
}

int32_t scree_found_make(found_pairs *found, const scree_host *host)
{
    found->n = 0;
    found->n_lanes = 0;
    found->lane = calloc(host->lanes, sizeof *found->lane);
    if (!found->lane)
        return host->fail(host->ctx, SCREE_E_MEMORY, "out of memory");
    found->n_lanes = host->lanes;
    for (uint32_t k = 0; k < host->lanes; k++)
        found->lane[k].sink = (scree_pair_sink){.size = sizeof(scree_pair_sink),
                                                .lane = k,
                                                .ctx = &found->lane[k],
                                                .reserve = lane_reserve,
                                                .commit = lane_commit};
    return SCREE_OK;
}

void scree_found_free(found_pairs *found)
{
    for (uint32_t k = 0; k < found->n_lanes; k++)
        free(found->lane[k].v);
    free(found->lane);
    *found = (found_pairs){.lane = NULL};
}

uint64_t scree_found_bytes(const found_pairs *found)
{
    uint64_t sum = found->n_lanes * sizeof *found->lane;
    for (uint32_t k = 0; k < found->n_lanes; k++)
        sum += found->lane[k].room * sizeof(scree_pair);
    return sum;
}

typedef struct find_job {
    const inner *in;
    found_pairs *found;
} find_job;

static int32_t find_chunk(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const find_job *job = user;
    return job->in->ops->find_neighbors(job->in->self, begin, end, &job->found->lane[lane].sink);
}

int32_t scree_inner_blame(const inner *in, scree_pair pair, uint32_t n_boxes)
{
    return scree_failf(in->host, SCREE_E_INTERNAL, "gcd/%s gave pair (%u, %u) of %u boxes: %s",
                       in->plugin->id, pair.a, pair.b, n_boxes,
                       pair.a == pair.b ? "a box with itself" : "no such box");
}

/* Reports faults that lanes could not report to the host. */
static int32_t judge(const inner *in, const found_pairs *found, uint32_t n_boxes, int32_t status)
{
    for (uint32_t k = 0; k < found->n_lanes; k++) {
        const found_by_lane *lane = &found->lane[k];
        if (!lane->wrong)
            continue;
        if (lane->wrong == GAVE_NONE)
            return scree_inner_blame(in, lane->bad, n_boxes);
        return scree_failf(in->host, SCREE_E_INTERNAL,
                           "gcd/%s committed more pairs than it had reserved", in->plugin->id);
    }
    if (status == SCREE_E_MEMORY)
        return scree_failf(in->host, status, "out of memory for the pairs of gcd/%s",
                           in->plugin->id);
    return status;
}

int32_t scree_inner_find(inner *in, found_pairs *found, uint32_t n_boxes)
{
    const scree_host *host = in->host;
    const int alone = host->lanes == 1 || (in->plugin->flags & SCREE_CAP_SERIAL);
    const uint64_t share = in->n_pivots / (8 * (uint64_t)host->lanes);
    find_job job = {in, found};
    int32_t status = SCREE_OK;
    for (uint32_t k = 0; k < found->n_lanes; k++) {
        found->lane[k].n = found->lane[k].reserved = 0;
        found->lane[k].n_boxes = n_boxes;
        found->lane[k].wrong = 0;
    }
    if (in->n_pivots)
        status = host->parallel_for(host->ctx, 0, in->n_pivots,
                                    alone || !share ? in->n_pivots : share, find_chunk, &job);
    found->n = 0;
    for (uint32_t k = 0; k < found->n_lanes; k++)
        found->n += found->lane[k].n;
    return judge(in, found, n_boxes, status);
}

static uint64_t pieces_of(const found_by_lane *lane)
{
    return (lane->n + FOUND_PIECE - 1) / FOUND_PIECE;
}

uint64_t scree_found_pieces(const found_pairs *found)
{
    uint64_t sum = 0;
    for (uint32_t k = 0; k < found->n_lanes; k++)
        sum += pieces_of(&found->lane[k]);
    return sum;
}

int32_t scree_found_each(const found_pairs *found, uint64_t first, uint64_t last, piece_fn fn,
                         const void *owner, scree_pair_sink *sink)
{
    int32_t status = SCREE_OK;
    uint64_t before = 0; // pieces of the earlier lanes
    for (uint32_t k = 0; k < found->n_lanes && before < last; k++) {
        const found_by_lane *lane = &found->lane[k];
        const uint64_t pieces = pieces_of(lane);
        uint64_t p = first > before ? first - before : 0;
        for (; p < pieces && before + p < last && status == SCREE_OK; p++) {
            const uint64_t from = p * FOUND_PIECE, rest = lane->n - from;
            status = fn(owner, lane->v + from, rest < FOUND_PIECE ? rest : FOUND_PIECE, sink);
        }
        before += pieces;
    }
    return status;
}

/* ---- regions ---- */

typedef struct object_filter {
    const scree_boxes *boxes;
    const scree_zone *zone;
    scree_index_sink *to;
    uint32_t *given;
} object_filter;

static int32_t reserve_through(scree_index_sink *sink, uint64_t n, uint32_t **out)
{
    object_filter *f = sink->ctx;
    const int32_t status = f->to->reserve(f->to, n, out);
    f->given = *out;
    return status;
}

static int32_t commit_some(scree_index_sink *sink, uint64_t n)
{
    object_filter *f = sink->ctx;
    uint64_t kept = 0;
    for (uint64_t k = 0; k < n; k++) {
        const uint32_t i = f->given[k];
        f->given[kept] = i;
        kept += (uint64_t)scree_zone_meets_box(f->zone, f->boxes, i);
    }
    return f->to->commit(f->to, kept);
}

int32_t scree_inner_objects(const inner *in, const scree_boxes *boxes, const scree_zone *zone,
                            scree_index_sink *sink)
{
    object_filter filter = {boxes, zone, sink, NULL};
    scree_index_sink between = {.size = sizeof between,
                                .lane = sink->lane,
                                .ctx = &filter,
                                .reserve = reserve_through,
                                .commit = commit_some};
    return in->ops->find_objects(in->self, zone, &between);
}
