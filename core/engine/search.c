/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the GCD, and keeps those of its pairs of boxes that are candidates. */
#include "engine/search.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/aligned.h"
#include "base/clock.h"
#include "base/shortage.h"
#include "engine/conformal.h"
#include "engine/lane.h"
#include "engine/rank_rows.h"
#include "engine/tight_boxes.h"
#include "plugin/call.h"
#include "plugin/instance.h"
#include "scree/draft/suspect.h"
#include "scree/sdk.h"

typedef scree_lane_sink lane_sink;

enum {
    FIRST_ROOM = 8192, /* number of pairs that a lane may reserve before it needs more memory */
    SPARE = 4096, /* pairs beyond all possible ones: up to so many, wrong pairs are blamed one by
                          one, which is more precise */
    SLAB = 16,    /* chunks that a lane takes at once */
    CHECK_CHUNKS = 1 << 16,      /* chunks between checks of the free memory: 34 MB */
    CHECK_PAIRS = 1 << 22,       /* pairs that are reserved without such a check */
    MOST_REFUSED_PAIRS = 1000000 /* in one call: the GCD ignores the answers of commit */
};

/* ---- buckets ---- */

/** Reports the number of pairs with which the GCD would exhaust the host. It may ignore a few
 * refusals, but not all. */
static int32_t refuse_pairs(lane_sink *sink, const char *what, uint64_t n, const char *why,
                            double limit, const char *unit)
{
    g_autofree char *text = g_strdup_printf("it %s %" PRIu64 " pairs of %u boxes, %s %.10g%s", what,
                                            n, sink->sim->boxes.view.n, why, limit, unit);
    if (++sink->refusals > MOST_REFUSED_PAIRS)
        scree_ends_endless(text);
    scree_instance_misbehaved(sink->sim->plugins.gcd, text);
    return SCREE_E_INTERNAL;
}

/** Makes empty buckets, and reserves as many chunks as the pairs of the last search need in any
 * distribution over lanes: allocation may not depend on timing. */
static void make_buckets(const scree_sim *sim, scree_raw *raw)
{
    const uint32_t lanes = scree_pool_lanes(sim->runtime.pool), n = MAX(sim->world->n_free, 1u);
    const uint32_t blocks = MAX(sim->contacts.want_blocks, lanes);
    raw->width = sim->boxes.simple ? 1 : SCREE_ENTRY_WORDS;
    for (raw->bits = SCREE_PAGE_BITS; raw->bits > raw->least && n >> raw->bits < 8 * blocks;)
        raw->bits--;
    raw->n_pages = ((n - 1) >> raw->bits) + 1;
    const scree_rows own = scree_ranks_rows(sim);
    raw->own = (scree_row_range){own.first, own.end - own.first};
    raw->shared = scree_ranks_apart(sim);
    const uint64_t full = raw->n / (SCREE_CHUNK_WORDS / raw->width) + 1;
    raw->n_spare = full + (uint64_t)lanes * (raw->n_pages + SLAB);
    raw->spare = scree_scratch_take(sim->scratch, raw->n_spare * sizeof *raw->spare);
    raw->n = raw->n_taken = 0;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        lane_sink *sink = &sim->search.sinks[lane];
        const size_t bytes = raw->n_pages * sizeof *sink->buckets;
        sink->buckets = memset(scree_scratch_take(sim->scratch, bytes), 0, bytes);
        sink->chunk = sink->end_chunk = NULL;
        sink->n = sink->refusals = sink->kept = sink->overlapping = sink->foreign = 0;
        sink->most = (uint64_t)sim->boxes.view.n * (sim->boxes.view.n - 1) / 2 + SPARE;
        sink->fault = NULL;
    }
}

/** Gives a lane unused chunks. False: memory is short. */
static bool take_slab(lane_sink *sink)
{
    scree_raw *raw = &sink->sim->search.raw;
    uint64_t left = UINT64_MAX;
    pthread_mutex_lock(&raw->mutex);
    const uint64_t n = raw->n_taken += SLAB, used = n * sizeof(scree_chunk);
    if (n % CHECK_CHUNKS < SLAB && n > CHECK_CHUNKS)
        left = scree_room_left();
    if (left > used && raw->n_spare < SLAB) {
        raw->spare = scree_scratch_take(sink->sim->scratch, SLAB * sizeof *raw->spare);
        raw->n_spare = SLAB;
    }
    if (left > used) { // ordering needs the same amount again
        sink->chunk = raw->spare;
        raw->spare = sink->end_chunk = sink->chunk + SLAB;
        raw->n_spare -= SLAB;
    }
    pthread_mutex_unlock(&raw->mutex);
    if (left <= used)
        refuse_pairs(sink, "has committed", sink->n, "memory is left for", (double)left / 1e6,
                     " MB");
    return left > used;
}

/** Gives a bucket another chunk, on any lane. False: memory is short. */
static bool add_chunk(lane_sink *sink, scree_bucket *bucket)
{
    const uint32_t width = sink->sim->search.raw.width;
    if (sink->chunk == sink->end_chunk && !take_slab(sink))
        return false;
    scree_chunk *chunk = sink->chunk++;
    chunk->next = bucket->first;
    bucket->first = chunk;
    bucket->at = chunk->word;
    bucket->end = chunk->word + SCREE_CHUNK_WORDS / width * width;
    return true;
}

const uint64_t *scree_chunks_next(scree_chunks *walk, uint32_t *n)
{
    const uint32_t lanes = scree_pool_lanes(walk->sim->runtime.pool);
    const uint32_t width = walk->sim->search.raw.width;
    while (!walk->next) {
        if (walk->lane == lanes)
            return NULL;
        walk->bucket = &walk->sim->search.sinks[walk->lane++].buckets[walk->page];
        walk->next = walk->bucket->first;
    }
    const scree_chunk *chunk = walk->next;
    walk->next = chunk->next;
    *n = chunk == walk->bucket->first ? (uint32_t)(walk->bucket->at - chunk->word)
                                      : SCREE_CHUNK_WORDS / width * width;
    return chunk->word;
}

uint64_t scree_search_count(const scree_sim *sim, uint32_t page)
{
    uint64_t words = 0;
    uint32_t n;
    for (scree_chunks walk = scree_search_chunks(sim, page); scree_chunks_next(&walk, &n);)
        words += n;
    return words / sim->search.raw.width;
}

/* ---- which pairs are candidates ---- */

/** Finds the tight boxes of all parts that are not balls, in scratch memory by slot; an image has
 * that of its part. *out NULL: all are balls. */
static bool find_tight(const scree_sim *sim, scree_tight **out, GError **error)
{
    const scree_box_set *set = &sim->boxes;
    const scree_world *w = sim->world;
    const uint32_t end = scree_world_first_plane(w);
    scree_tight_reader reader;
    *out = NULL;
    if (set->first_turning == end)
        return true;
    scree_tight *all = scree_scratch_take(sim->scratch, (set->view.n + 1) * sizeof *all);
    *out = all;
    scree_tight_begin(&reader, sim->runtime.pool, w, end);
    for (uint32_t i = set->first_turning; i < end; i++)
        for (uint32_t part = 0; part < scree_parts_of(w, i); part++) {
            uint32_t slot = set->simple ? i : set->slot[set->part_first[i] + part];
            if (!scree_tight_read(&reader, i, part, &all[slot], error))
                return false;
            for (uint32_t s = set->simple ? SCREE_NONE : set->next_image[slot]; s != SCREE_NONE;
                 s = set->next_image[s])
                all[s] = all[slot];
        }
    return true;
}

/** Finds the tight box of a slot. */
static void tight_slot(const scree_sim *sim, uint32_t slot, scree_tight *t)
{
    const scree_world *w = sim->world;
    const uint32_t body = scree_box_body(&sim->boxes, slot);
    if (scree_shape_is_round(w->shapes[w->shape[body]]))
        scree_tight_ball(w, body, t);
    else
        *t = sim->search.raw.tight[slot];
}

static bool tight_overlap(const scree_sim *sim, scree_pair pair)
{
    const scree_box_set *set = &sim->boxes;
    scree_tight a, b;
    int32_t sa[3], sb[3];
    double by[3];
    tight_slot(sim, pair.a, &a);
    tight_slot(sim, pair.b, &b);
    scree_shift_unpack(scree_box_image(set, pair.a), sa);
    scree_shift_unpack(scree_box_image(set, pair.b), sb);
    for (int k = 0; k < 3; k++)
        sb[k] -= sa[k];
    scree_world_shift(sim->world, sb, by);
    for (int k = 0; k < 3; k++)
        if (a.lo[k] > b.hi[k] + by[k] || b.lo[k] + by[k] > a.hi[k])
            return false;
    return true;
}

/** Finds the whole cells from the box of body i to that of body j, unwrapped, so that a wrap keeps
 * the key. */
static inline void find_cells(const scree_sim *sim, uint32_t from, uint32_t i, uint32_t to,
                              uint32_t j, int32_t s[3])
{
    int32_t *const *image = sim->world->image;
    int32_t at[3];
    scree_shift_unpack(sim->boxes.image[from], at);
    scree_shift_unpack(sim->boxes.image[to], s);
    for (int k = 0; k < 3; k++)
        s[k] += image[k][i] - at[k] - image[k][j];
}

bool scree_search_check_cells(const scree_sim *sim, uint32_t i, uint32_t j, const int32_t s[3],
                              GError **error)
{
    return scree_shift_fits(s) ||
           scree_fail(error, SCREE_EXIT_RUN,
                      "bodies %" PRIu64 " and %" PRIu64 " are (%d, %d, %d) periodic cells apart; "
                      "expected fewer than %d along each vector",
                      sim->world->id[i], sim->world->id[j], s[0], s[1], s[2], SCREE_SHIFT_BIAS);
}

/** Checks that the cells between two bodies of a tilted cell can be counted. */
static bool check_cells(const scree_sim *sim, scree_pair pair, GError **error)
{
    const uint32_t i = sim->boxes.body[pair.a], j = sim->boxes.body[pair.b];
    int32_t s[3];
    find_cells(sim, pair.a, i, pair.b, j, s);
    return scree_search_check_cells(sim, i, j, s, error);
}

/** Translates slots to bodies. False: both are not free, or one body. */
static bool decode(const scree_sim *sim, scree_pair pair, scree_found *out)
{
    const scree_box_set *set = &sim->boxes;
    const scree_world *w = sim->world;
    uint32_t i = scree_box_body(set, pair.a), j = scree_box_body(set, pair.b);
    bool swap = i > j;
    if ((swap ? j : i) >= w->n_free)
        return false;
    out->row = swap ? j : i;
    out->col = swap ? i : j;
    out->part_row = scree_box_part(set, swap ? pair.b : pair.a);
    out->part_col = scree_box_part(set, swap ? pair.a : pair.b);
    out->shift = SCREE_SHIFT_ZERO;
    if (w->cell.repeats) {
        int32_t s[3];
        find_cells(sim, swap ? pair.b : pair.a, out->row, swap ? pair.a : pair.b, out->col, s);
        out->shift = scree_shift_pack(s);
        if (i == j && out->shift < SCREE_SHIFT_ZERO) {
            const uint32_t part = out->part_row;
            out->shift = scree_shift_negate(out->shift);
            out->part_row = out->part_col;
            out->part_col = part;
        }
    }
    return i != j || out->shift != SCREE_SHIFT_ZERO;
}

void scree_search_fault(const scree_sim *sim, uint32_t lane, scree_pair pair, const char *fault)
{
    sim->search.sinks[lane].fault = fault;
    sim->search.sinks[lane].bad = pair;
}

static const char too_far[] = "too many cells apart";

/** Returns whether the GCD may emit a pair; otherwise notes it. */
static bool check_pair(lane_sink *sink, scree_pair pair)
{
    const uint32_t n = sink->sim->boxes.view.n;
    if (pair.a < n && pair.b < n && pair.a != pair.b)
        return true;
    scree_search_fault(sink->sim, sink->head.lane, pair,
                       pair.a == pair.b ? "a box with itself" : "no such box");
    return false;
}

void scree_search_entry(const scree_sim *sim, const scree_found *found, uint64_t slots,
                        uint64_t *entry)
{
    entry[0] = (uint64_t)found->row << 32 | found->col;
    if (sim->search.raw.width == 1)
        return;
    const bool swap = scree_column_is_a(sim, found->row, found->col);
    const uint32_t of_a = swap ? found->part_col : found->part_row;
    entry[1] = found->shift;
    entry[2] = (uint64_t)of_a << 32 | (swap ? found->part_row : found->part_col);
    entry[3] = slots;
}

/** Returns whether a pair is not counted: no body is free, or another rank counts it, that of its
 * row. */
static inline bool is_foreign(const scree_raw *raw, uint32_t row)
{
    return row - raw->own.first >= raw->own.n;
}

static bool put_entry(lane_sink *sink, const scree_found *found, uint64_t slots)
{
    scree_bucket *to = &sink->buckets[found->row >> sink->sim->search.raw.bits];
    if (to->at == to->end && !add_chunk(sink, to))
        return false;
    scree_search_entry(sink->sim, found, slots, to->at);
    to->at += sink->sim->search.raw.width;
    sink->kept++;
    return true;
}

/** Puts the candidates among n pairs into the buckets of their rows, while they are in the cache;
 * slot i is body i. */
static bool take_plain(lane_sink *sink, const scree_pair *pairs, uint64_t n)
{
    const scree_raw *raw = &sink->sim->search.raw;
    const scree_boxes boxes = sink->sim->boxes.view;
    const bool spheres = raw->spheres, corners = raw->corners;
    const uint32_t bits = raw->bits;
    const scree_row_range own = raw->own;
    const bool shared = raw->shared;
    scree_bucket *buckets = sink->buckets;
    for (uint64_t k = 0; k < n; k++) {
        const uint32_t i = pairs[k].a, j = pairs[k].b, row = MIN(i, j), col = MAX(i, j);
        if (G_UNLIKELY(col >= boxes.n || i == j)) {
            check_pair(sink, pairs[k]);
            continue;
        }
        if (shared)
            sink->foreign += row - own.first >= own.n;
        if (!scree_search_has_row(own, i, j)) {
            sink->foreign += !shared;
            continue;
        }
        scree_bucket *to = &buckets[row >> bits];
        if (to->at == to->end && !add_chunk(sink, to))
            return false;
        const bool near = scree_search_overlap(&boxes, i, j, spheres, corners);
        *to->at = (uint64_t)row << 32 | col;
        to->at += near;
        sink->kept += near;
    }
    return true;
}

/** Does the work of take_plain for any slots. */
static bool take_pairs(lane_sink *sink, const scree_pair *pairs, uint64_t n)
{
    const scree_sim *sim = sink->sim;
    const scree_raw *raw = &sim->search.raw;
    const bool surfaces = scree_conformal_offered(sim), tilted = sim->world->slant > 0.0;
    for (uint64_t k = 0; k < n; k++) {
        const scree_pair pair = pairs[k];
        scree_found found;
        if (!check_pair(sink, pair))
            continue;
        const uint32_t i = scree_box_body(&sim->boxes, pair.a);
        const uint32_t j = scree_box_body(&sim->boxes, pair.b);
        const bool foreign = is_foreign(raw, MIN(i, j));
        sink->foreign += foreign;
        if (raw->sampled && !foreign)
            sink->overlapping += i != SCREE_NONE && j != SCREE_NONE && tight_overlap(sim, pair);
        if (!scree_search_overlap(&sim->boxes.view, pair.a, pair.b, raw->spheres, raw->corners) ||
            !scree_search_has_row(raw->own, i, j) ||
            (surfaces && scree_conformal_apart(sim, pair.a, pair.b)) ||
            scree_list_of(sim, i, j) == UINT8_MAX)
            continue; // without a list: refused at config
        if (tilted && !check_cells(sim, pair, NULL))
            scree_search_fault(sink->sim, sink->head.lane, pair, too_far);
        else if (decode(sim, pair, &found) &&
                 !put_entry(sink, &found,
                            (uint64_t)MIN(pair.a, pair.b) << 32 | MAX(pair.a, pair.b)))
            return false;
    }
    return true;
}

void scree_search_put(const scree_sim *sim, const scree_found *found)
{
    if (!put_entry(&sim->search.sinks[0], found, (uint64_t)SCREE_NO_SLOT << 32))
        scree_out_of_memory(sizeof(scree_chunk), "pairs of boxes");
}

/* ---- the GCD's sink ---- */

/** Returns whether the sink is used during its own call, by its thread. */
static bool is_open_sink(const lane_sink *sink)
{
    scree_instance *caller = scree_guard_here()->now.instance;
    if (sink->owner == scree_guard_here())
        return true;
    scree_instance_misbehaved(caller ? caller : sink->sim->plugins.gcd,
                              "it used the sink of a call of find_neighbors that has returned, or "
                              "of another thread");
    return false;
}

static int32_t sink_reserve(scree_pair_sink *head, uint64_t n, scree_pair **out)
{
    lane_sink *sink = (lane_sink *)head;
    if (!is_open_sink(sink))
        return SCREE_E_INTERNAL;
    uint64_t left = UINT64_MAX;
    if (n > sink->capacity && n > CHECK_PAIRS)
        left = scree_room_left();
    if (n > left / sizeof(scree_pair))
        return refuse_pairs(sink, "asked for room for", n, "memory is left for", (double)left / 1e6,
                            " MB");
    scree_aligned_grow(&sink->pairs, &sink->capacity, n, 0, sizeof(scree_pair));
    sink->reserved = n;
    sink->committed = 0;
    *out = sink->pairs;
    return SCREE_OK;
}

static int32_t sink_commit(scree_pair_sink *head, uint64_t n)
{
    lane_sink *sink = (lane_sink *)head;
    if (!is_open_sink(sink))
        return SCREE_E_INTERNAL;
    if (n > sink->reserved) {
        g_autofree char *text = g_strdup_printf("it committed %" PRIu64 " pairs, of %" PRIu64
                                                " that it had reserved and not committed yet",
                                                n, sink->reserved);
        scree_instance_misbehaved(sink->sim->plugins.gcd, text);
        return SCREE_E_INTERNAL;
    }
    if (G_UNLIKELY(sink->n + n > sink->most))
        return refuse_pairs(sink, "committed", sink->n + n, "which have",
                            (double)(sink->most - SPARE), "");
    const scree_pair *pairs = sink->pairs + sink->committed;
    const scree_raw *raw = &sink->sim->search.raw;
    sink->reserved -= n;
    sink->committed += n;
    sink->n += n;
    const bool plain = raw->width == 1 && !raw->sampled && !scree_conformal_offered(sink->sim);
    return (plain ? take_plain(sink, pairs, n) : take_pairs(sink, pairs, n)) ? SCREE_OK
                                                                             : SCREE_E_INTERNAL;
}

static int32_t search_chunk(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const scree_sim *sim = user;
    lane_sink *sink = &sim->search.sinks[lane];
    sink->owner = scree_guard_here();
    sink->reserved = 0;
    scree_call call = scree_call_begin_many(sim->plugins.gcd, SCREE_CALL_LANE, "find_neighbors",
                                            end - begin, "pivots");
    int32_t code =
        sim->plugins.gcd_ops->find_neighbors(sim->plugins.gcd->self, begin, end, &sink->head);
    code = scree_call_end(&call, code, SCREE_OK, NULL);
    sink->owner = NULL;
    return code;
}

/** Returns whether bounding spheres separate pairs: not with pair fields, whose life depends only
 * on boxes (params.h). */
static bool spheres_count(const scree_sim *sim)
{
    return sim->plugins.contact.n_pair_fields == 0;
}

void scree_search_blame(const scree_sim *sim, scree_pair pair, const char *what, GError **error)
{
    scree_call_blame(sim->plugins.gcd, "find_neighbors", SCREE_EXIT_PLUGIN, error,
                     "pair (%u, %u) of %u boxes: %s", pair.a, pair.b, sim->boxes.view.n, what);
}

bool scree_search_check(const scree_sim *sim, GError **error)
{
    for (uint32_t lane = 0; lane < scree_pool_lanes(sim->runtime.pool); lane++) {
        const lane_sink *sink = &sim->search.sinks[lane];
        if (sink->fault == too_far)
            return check_cells(sim, sink->bad, error);
        if (sink->fault) {
            scree_search_blame(sim, sink->bad, sink->fault, error);
            return false;
        }
    }
    return true;
}

/** After a failed call: adds the bodies of the pair of boxes that the GCD suspects
 * (draft.suspect/1). */
static void name_suspects(const scree_sim *sim, GError **error)
{
    const scree_suspect *suspect =
        scree_call_extension(sim->plugins.gcd->plugin, SCREE_DRAFT_SUSPECT);
    const scree_box_set *set = &sim->boxes;
    scree_pair pair;
    if (!error || !*error || !suspect || !SCREE_HAS(suspect, pair))
        return;
    scree_call call = scree_call_begin(sim->plugins.gcd, SCREE_CALL_STEP, "pair");
    int32_t answer = suspect->pair(sim->plugins.gcd->self, &pair);
    answer = scree_call_end(&call, answer, 1, NULL);
    if (answer != 1 || pair.a >= set->view.n || pair.b >= set->view.n)
        return;
    const uint32_t slots[] = {pair.a, pair.b};
    for (int k = 0; k < 2; k++) {
        const uint32_t body = scree_box_body(set, slots[k]);
        g_autofree char *before = g_strdup((*error)->message);
        g_autofree char *name = body == SCREE_NONE
                                    ? g_strdup("none")
                                    : g_strdup_printf("%" PRIu64 ", part %u", sim->world->id[body],
                                                      scree_box_part(set, slots[k]));
        g_free((*error)->message);
        (*error)->message = g_strdup_printf("%s; box %u is of body %s", before, slots[k], name);
    }
}

static int32_t call_init(const scree_sim *sim)
{
    uint32_t flags = (spheres_count(sim) ? SCREE_GCD_SPHERES : 0) |
                     (scree_conformal_offered(sim) ? SCREE_GCD_CONFORMAL : 0);
    scree_call call = scree_call_begin(sim->plugins.gcd, SCREE_CALL_STEP, "init");
    int32_t code = sim->plugins.gcd_ops->init(sim->plugins.gcd->self, &sim->boxes.view, flags);
    return scree_call_end(&call, code, SCREE_OK, NULL);
}

/** Runs the GCD; its pairs go to the buckets. */
static bool find_pairs(scree_sim *sim, bool all, bool renumbered, GError **error)
{
    const scree_gcd_ops *ops = sim->plugins.gcd_ops;
    scree_box_set *set = &sim->boxes;
    uint64_t n_pivots = 0;
    bool listed = !all && (sim->plugins.gcd->plugin->flags & SCREE_CAP_INCREMENTAL);
    int32_t code = SCREE_OK;
    const char *name = "init";
    uint64_t begin = scree_ticks();
    if (renumbered)
        code = call_init(sim);
    if (code >= 0) {
        name = "step_init";
        scree_call call = scree_call_begin(sim->plugins.gcd, SCREE_CALL_STEP, name);
        code = ops->step_init(sim->plugins.gcd->self, &set->view, listed ? set->moved : NULL,
                              listed ? (uint32_t)set->n_moved : 0, &n_pivots);
        code = scree_call_end(&call, code, SCREE_OK, NULL);
    }
    sim->counters.ledger.init_wall += scree_ticks() - begin;
    uint32_t lanes = scree_pool_lanes(sim->runtime.pool);
    sim->search.listed = listed;
    if (code >= 0 && n_pivots) {
        name = "find_neighbors";
        bool serial = sim->plugins.gcd->demands.flags & SCREE_CAP_SERIAL;
        uint64_t grain = serial || lanes == 1 ? n_pivots : MAX(n_pivots / (8 * lanes), 1);
        code = scree_pool_for(sim->runtime.pool, 0, n_pivots, grain, search_chunk, sim);
        for (uint32_t lane = 0; lane < lanes; lane++) // it may have ignored a refusal
            code = code >= 0 && sim->search.sinks[lane].refusals ? SCREE_E_INTERNAL : code;
    }
    if (code < 0) {
        scree_call_failed(sim->plugins.gcd, name, code, error);
        name_suspects(sim, error);
    }
    sim->counters.gcd_calls++;
    return code >= 0;
}

void scree_search_type(scree_sim *sim)
{
    const scree_world *w = sim->world;
    uint8_t *types = scree_scratch_take(sim->scratch, w->n);
    for (uint32_t i = 0; i < w->n; i++)
        types[i] = scree_body_type(sim, i);
    sim->search.raw.types = types;
}

void scree_search_prepare(scree_sim *sim)
{
    uint32_t lanes = scree_pool_lanes(sim->runtime.pool);
    scree_conformal_offer(sim);
    sim->search.sinks = g_new0(lane_sink, lanes);
    for (uint32_t lane = 0; lane < lanes; lane++) {
        sim->search.sinks[lane].sim = sim;
        scree_aligned_grow(&sim->search.sinks[lane].pairs, &sim->search.sinks[lane].capacity,
                           FIRST_ROOM, 0, sizeof(scree_pair));
        sim->search.sinks[lane].head = (scree_pair_sink){.size = sizeof(scree_pair_sink),
                                                         .lane = lane,
                                                         .reserve = sink_reserve,
                                                         .commit = sink_commit};
    }
    pthread_mutex_init(&sim->search.raw.mutex, NULL);
}

void scree_search_clear(scree_sim *sim)
{
    scree_conformal_clear(&sim->search);
    for (uint32_t lane = 0; sim->search.sinks && lane < scree_pool_lanes(sim->runtime.pool); lane++)
        free(sim->search.sinks[lane].pairs);
    g_clear_pointer(&sim->search.sinks, g_free);
    pthread_mutex_destroy(&sim->search.raw.mutex);
}

/** Makes ready what the sinks need, in scratch memory. */
static bool ready_sinks(scree_sim *sim, GError **error)
{
    scree_raw *raw = &sim->search.raw;
    raw->spheres = spheres_count(sim);
    // The sphere of a ball is in its box.
    raw->corners = !raw->spheres || !sim->boxes.simple ||
                   sim->boxes.first_turning < scree_world_first_plane(sim->world);
    raw->sampled = (sim->counters.gcd_calls & 15) == 0;
    make_buckets(sim, raw);
    scree_tight *tight = NULL;
    const bool made = !raw->sampled || find_tight(sim, &tight, error);
    raw->tight = tight;
    return made;
}

bool scree_search_run(scree_sim *sim, bool all, bool renumbered, GError **error)
{
    scree_raw *raw = &sim->search.raw;
    scree_conformal_renew(sim);
    if (!ready_sinks(sim, error))
        return false;
    scree_phase former = scree_sim_enter(sim, SCREE_PHASE_GCD);
    uint64_t begin = scree_ticks();
    bool found = find_pairs(sim, all, renumbered, error);
    sim->counters.ledger.gcd_wall += scree_ticks() - begin;
    scree_sim_enter(sim, former);
    for (uint32_t lane = 0; lane < scree_pool_lanes(sim->runtime.pool); lane++) {
        const lane_sink *sink = &sim->search.sinks[lane];
        raw->n += sink->kept;
        sim->counters.emitted += found ? sink->n - sink->foreign : 0;
        sim->counters.committed += raw->sampled ? sink->n - sink->foreign : 0;
        sim->counters.overlapping += sink->overlapping;
    }
    scree_scratch_give(sim->scratch, (void *)raw->tight);
    return found && scree_search_check(sim, error);
}
