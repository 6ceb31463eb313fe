/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the GCD, and keeps those of its pairs of boxes that are candidates. */
#include "engine/search.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/aligned.h"
#include "base/memory_left.h"
#include "base/random.h"
#include "base/ticks.h"
#include "engine/conformal.h"
#include "engine/lane.h"
#include "engine/tight_boxes.h"
#include "plugin/call.h"
#include "plugin/exit_guard.h"
#include "plugin/instance.h"
#include "scree/draft/suspect.h"
#include "scree/sdk.h"

typedef scree_lane_sink lane_sink;

enum {
    FIRST_ROOM = 8192, /* number of pairs that a lane may reserve before it needs more memory */
    SPARE = 4096, /* pairs beyond all possible ones: up to so many, wrong pairs are blamed one by
                          one, which is more precise */
    CHECK_PAGES = 256,           /* pages between checks of the free memory: 38 MB */
    MOST_REFUSED_PAIRS = 1000000 /* in one call: the GCD ignores the answers of commit */
};

/* ---- pages of pairs ---- */

static uint32_t *page_count(scree_raw *raw, uint32_t page)
{
    return &g_array_index(raw->counts, uint32_t, page);
}

/** Adds a page. Pages with pairs for a partial search outlive the refresh; others are scratch
 * memory. */
static void add_page(const scree_sim *sim)
{
    static const uint32_t none = 0;
    g_ptr_array_add(sim->search.raw.pages,
                    sim->extents.renew_moved
                        ? scree_aligned_new(sizeof(scree_raw_page))
                        : scree_scratch_take(sim->scratch, sizeof(scree_raw_page)));
    g_array_append_val(sim->search.raw.counts, none);
}

/** Reserves as many pages as the pairs of the last search need in any distribution over lanes:
 * allocation may not depend on timing. */
static void add_pages(const scree_sim *sim)
{
    uint64_t want = sim->search.raw.n_pages + (sim->search.raw.last_found >> SCREE_RAW_BITS) +
                    scree_pool_lanes(sim->runtime.pool);
    while (sim->search.raw.pages->len < want)
        add_page(sim);
}

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

/** Returns whether memory remains for more pages; ordering needs the same amount again. */
static bool has_room_for_pairs(const scree_raw *raw, uint64_t *left)
{
    if (raw->n_pages % CHECK_PAGES || raw->n_pages < CHECK_PAGES)
        return true;
    *left = scree_room_left();
    return *left > raw->n_pages * sizeof(scree_raw_page);
}

/** Counts the full page of a sink, and gives it an unused one, on any lane. */
static bool next_page(lane_sink *sink)
{
    scree_raw *raw = &sink->sim->search.raw;
    uint64_t left;
    pthread_mutex_lock(&raw->mutex);
    if (sink->page && !has_room_for_pairs(raw, &left)) {
        pthread_mutex_unlock(&raw->mutex);
        refuse_pairs(sink, "has committed", (uint64_t)raw->n_pages * SCREE_RAW_PAGE,
                     "memory is left for", (double)left / 1e6, " MB");
        return false;
    }
    if (sink->page)
        *page_count(raw, sink->page_number) = sink->filled;
    sink->page_number = raw->n_pages++;
    if (sink->page_number == raw->pages->len)
        add_page(sink->sim);
    sink->page = raw->pages->pdata[sink->page_number];
    sink->filled = 0;
    pthread_mutex_unlock(&raw->mutex);
    return true;
}

/** Keeps only the first n pairs. */
static void keep_first(scree_raw *raw, uint64_t n)
{
    raw->n = n;
    raw->n_pages = (uint32_t)((n + SCREE_RAW_PAGE - 1) >> SCREE_RAW_BITS);
    for (uint32_t page = 0; page < raw->n_pages; page++)
        *page_count(raw, page) =
            (uint32_t)MIN(n - ((uint64_t)page << SCREE_RAW_BITS), (uint64_t)SCREE_RAW_PAGE);
}

void scree_search_drop(scree_sim *sim)
{
    if (sim->extents.renew_moved)
        return;
    sim->search.raw.n_pages = 0;
    for (guint page = 0; page < sim->search.raw.pages->len; page++)
        scree_scratch_give(sim->scratch, sim->search.raw.pages->pdata[page]);
    g_ptr_array_set_size(sim->search.raw.pages, 0);
    g_array_set_size(sim->search.raw.counts, 0);
}

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
    if (n > sink->capacity && n > (uint64_t)CHECK_PAGES * SCREE_RAW_PAGE)
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
    sink->reserved -= n;
    sink->n += n;
    while (n) {
        if ((!sink->page || sink->filled == SCREE_RAW_PAGE) && !next_page(sink))
            return SCREE_E_INTERNAL;
        uint32_t some = (uint32_t)MIN(n, (uint64_t)(SCREE_RAW_PAGE - sink->filled));
        memcpy(sink->page->pair + sink->filled, sink->pairs + sink->committed,
               some * sizeof(scree_pair));
        sink->filled += some;
        sink->committed += some;
        n -= some;
    }
    return SCREE_OK;
}

typedef struct search_job {
    scree_sim *sim;
    lane_sink *sinks;
} search_job;

static int32_t search_chunk(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    search_job *job = user;
    lane_sink *sink = &job->sinks[lane];
    sink->owner = scree_guard_here();
    sink->reserved = 0;
    scree_call call = scree_call_begin_many(job->sim->plugins.gcd, SCREE_CALL_LANE,
                                            "find_neighbors", end - begin, "pivots");
    int32_t code = job->sim->plugins.gcd_ops->find_neighbors(job->sim->plugins.gcd->self, begin,
                                                             end, &sink->head);
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

/** Runs the GCD; adds its pairs after the kept ones. */
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
    if (!listed)
        keep_first(&sim->search.raw, 0);
    uint32_t lanes = scree_pool_lanes(sim->runtime.pool);
    if (code >= 0 && n_pivots) {
        name = "find_neighbors";
        bool serial = sim->plugins.gcd->demands.flags & SCREE_CAP_SERIAL;
        for (uint32_t lane = 0; lane < lanes; lane++) {
            sim->search.sinks[lane].n = sim->search.sinks[lane].refusals = 0;
            sim->search.sinks[lane].most = (uint64_t)set->view.n * (set->view.n - 1) / 2 + SPARE;
            sim->search.sinks[lane].page = NULL;
        }
        add_pages(sim);
        sim->search.raw.last_found = 0;
        search_job job = {sim, sim->search.sinks};
        uint64_t grain = serial || lanes == 1 ? n_pivots : MAX(n_pivots / (8 * lanes), 1);
        code = scree_pool_for(sim->runtime.pool, 0, n_pivots, grain, search_chunk, &job);
        for (uint32_t lane = 0; lane < lanes; lane++) // it may have ignored a refusal
            code = code >= 0 && sim->search.sinks[lane].refusals ? SCREE_E_INTERNAL : code;
        if (code >= 0)
            for (uint32_t lane = 0; lane < lanes; lane++) {
                const lane_sink *sink = &sim->search.sinks[lane];
                sim->counters.emitted += sink->n;
                sim->search.raw.last_found += sink->n;
                if (sink->page)
                    *page_count(&sim->search.raw, sink->page_number) = sink->filled;
            }
    }
    if (code < 0) {
        scree_call_failed(sim->plugins.gcd, name, code, error);
        name_suspects(sim, error);
    }
    sim->counters.gcd_calls++;
    return code >= 0;
}

/** Before an incremental search: drops the cached pairs of boxes that moved. */
static void drop_moved(scree_sim *sim)
{
    const uint8_t *mark = sim->boxes.mark;
    uint64_t kept = 0;
    for (uint64_t k = 0; k < sim->search.raw.n; k++) {
        scree_pair pair = *scree_raw_pair(&sim->search.raw, k);
        *scree_raw_pair(&sim->search.raw, kept) = pair;
        kept += !mark[pair.a] && !mark[pair.b];
    }
    keep_first(&sim->search.raw, kept);
}

static bool overlap(const scree_boxes *b, uint32_t i, uint32_t j, bool spheres)
{
    double dx = b->centre[0][i] - b->centre[0][j], dy = b->centre[1][i] - b->centre[1][j];
    double dz = b->centre[2][i] - b->centre[2][j], reach = b->radius[i] + b->radius[j];
    return (!spheres | (dx * dx + dy * dy + dz * dz <= reach * reach)) &
           (b->lo[0][i] <= b->hi[0][j]) & (b->lo[0][j] <= b->hi[0][i]) &
           (b->lo[1][i] <= b->hi[1][j]) & (b->lo[1][j] <= b->hi[1][i]) &
           (b->lo[2][i] <= b->hi[2][j]) & (b->lo[2][j] <= b->hi[2][i]);
}

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

/** Finds the tight box of a slot; `all`: from find_tight. */
static void tight_slot(const scree_sim *sim, const scree_tight *all, uint32_t slot, scree_tight *t)
{
    const scree_world *w = sim->world;
    const uint32_t body = scree_box_body(&sim->boxes, slot);
    if (scree_shape_is_round(w->shapes[w->shape[body]]))
        scree_tight_ball(w, body, t);
    else
        *t = all[slot];
}

static bool tight_overlap(const scree_sim *sim, const scree_tight *all, scree_pair pair)
{
    const scree_box_set *set = &sim->boxes;
    scree_tight a, b;
    tight_slot(sim, all, pair.a, &a);
    tight_slot(sim, all, pair.b, &b);
    int32_t sa[3], sb[3];
    double by[3];
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

/** Finds the whole cells from the box of body i to that of body j, unwrapped, so that a wrap keeps the
 * key. */
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

/** Translates slots to bodies. False: the pair cannot be a candidate (both not free, or one
 * body). */
bool scree_search_decode(const scree_sim *sim, scree_pair pair, scree_found *out)
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
        if (i == j && out->shift < SCREE_SHIFT_ZERO)
            out->shift = scree_shift_negate(out->shift);
    }
    return i != j || out->shift != SCREE_SHIFT_ZERO;
}

void scree_search_blame(const scree_sim *sim, scree_pair pair, const char *what, GError **error)
{
    scree_call_blame(sim->plugins.gcd, "find_neighbors", SCREE_EXIT_PLUGIN, error,
                     "pair (%u, %u) of %u boxes: %s", pair.a, pair.b, sim->boxes.view.n, what);
}

/** Checks a pair. False, with blame: the GCD may not emit it. */
static bool check_pair(const scree_sim *sim, scree_pair pair, GError **error)
{
    if (pair.a < sim->boxes.view.n && pair.b < sim->boxes.view.n && pair.a != pair.b)
        return true;
    scree_search_blame(sim, pair, pair.a == pair.b ? "a box with itself" : "no such box", error);
    return false;
}

/** Returns the shape types of all bodies, in scratch memory. */
static const uint8_t *type_bodies(const scree_sim *sim)
{
    const scree_world *w = sim->world;
    uint8_t *types = scree_scratch_take(sim->scratch, w->n);
    for (uint32_t i = 0; i < w->n; i++)
        types[i] = sim->types.index[w->shape[i]];
    return types;
}

/** Drops pairs that are not candidates, and stores the list of each other pair. These move to the
 * front, behind the reading position. */
static bool filter(scree_sim *sim, const uint8_t *types, bool sample, const scree_tight *tight,
                   GError **error)
{
    const scree_box_set *set = &sim->boxes;
    scree_raw *raw = &sim->search.raw;
    uint64_t kept = 0;
    bool spheres = spheres_count(sim);
    bool surfaces = scree_conformal_offered(sim), tilted = sim->world->slant > 0.0;
    for (uint32_t at = 0; at < raw->n_pages; at++) {
        const scree_raw_page *page = raw->pages->pdata[at];
        for (uint32_t k = 0, n = *page_count(raw, at); k < n; k++) {
            scree_pair pair = page->pair[k];
            if (!check_pair(sim, pair, error))
                return false;
            uint32_t i = scree_box_body(set, pair.a), j = scree_box_body(set, pair.b);
            if (sample) {
                sim->counters.committed++;
                sim->counters.overlapping +=
                    i != SCREE_NONE && j != SCREE_NONE && tight_overlap(sim, tight, pair);
            }
            if (!overlap(&set->view, pair.a, pair.b, spheres) || MIN(i, j) >= sim->world->n_free ||
                (surfaces && scree_conformal_apart(sim, pair.a, pair.b)))
                continue;
            uint8_t list = sim->plugins.contact.list_of[types[i]][types[j]];
            if (list == UINT8_MAX)
                continue; // no resolver was needed for these types: refused at config
            if (tilted && !check_cells(sim, pair, error))
                return false;
            scree_raw_page *to = raw->pages->pdata[kept >> SCREE_RAW_BITS];
            to->pair[kept & (SCREE_RAW_PAGE - 1)] = pair;
            to->list[kept & (SCREE_RAW_PAGE - 1)] = list;
            kept++;
        }
    }
    keep_first(raw, kept);
    return true;
}

/* ---- guard.sample: some boxes, each against all others ---- */

/** Returns whether filter() would keep this pair. */
static bool is_wanted_pair(const scree_sim *sim, const uint8_t *types, uint32_t i, uint32_t j)
{
    const scree_box_set *set = &sim->boxes;
    if (i == j || scree_box_empty(&set->view, i) || scree_box_empty(&set->view, j) ||
        !overlap(&set->view, i, j, spheres_count(sim)))
        return false;
    uint32_t a = scree_box_body(set, i), b = scree_box_body(set, j);
    return MIN(a, b) < sim->world->n_free &&
           sim->plugins.contact.list_of[types[a]][types[b]] != UINT8_MAX &&
           !(scree_conformal_offered(sim) && scree_conformal_apart(sim, i, j));
}

/** Blames the GCD for a missing pair of box i. */
static bool blame_missed(const scree_sim *sim, const uint8_t *types, uint32_t i, GError **error)
{
    const scree_box_set *set = &sim->boxes;
    g_autofree uint8_t *found = g_new0(uint8_t, set->view.n);
    for (uint64_t k = 0; k < sim->search.raw.n; k++) {
        scree_pair pair = *scree_raw_pair(&sim->search.raw, k);
        if (pair.a == i || pair.b == i)
            found[pair.a == i ? pair.b : pair.a] = 1;
    }
    for (uint32_t j = 0; j < set->view.n; j++) {
        if (found[j] || !is_wanted_pair(sim, types, i, j))
            continue;
        const uint64_t *id = sim->world->id;
        g_autofree char *what =
            g_strdup_printf("not emitted, though the boxes of bodies %" PRIu64 " and %" PRIu64
                            " overlap (guard.sample)",
                            id[scree_box_body(set, i)], id[scree_box_body(set, j)]);
        scree_search_blame(sim, (scree_pair){MIN(i, j), MAX(i, j)}, what, error);
        return false;
    }
    return true; // one more than needed: order.c finds the second of two equal ones
}

/** Checks that all pairs with each of `n` boxes were found: other boxes in each step, the same ones
 * in a repeated step. */
static bool check_sample(const scree_sim *sim, const uint8_t *types, uint32_t n, GError **error)
{
    enum { STREAM = 0x67756172 }; // "guar"
    uint32_t n_boxes = sim->boxes.view.n;
    g_autofree uint32_t *found = g_new0(uint32_t, (size_t)n_boxes + 1);
    for (uint64_t k = 0; k < sim->search.raw.n; k++) {
        scree_pair pair = *scree_raw_pair(&sim->search.raw, k);
        found[pair.a]++;
        found[pair.b]++;
    }
    for (uint32_t k = 0; k < MIN(n, n_boxes); k++) {
        uint64_t draw = scree_random_bits(sim->runtime.seed, STREAM, k, sim->step);
        uint32_t i = n >= n_boxes ? k : (uint32_t)(draw % n_boxes), wanted = 0;
        for (uint32_t j = 0; j < n_boxes; j++)
            wanted += is_wanted_pair(sim, types, i, j);
        if (wanted != found[i] && !blame_missed(sim, types, i, error))
            return false;
    }
    return true;
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
    sim->search.raw.pages = g_ptr_array_new();
    sim->search.raw.counts = g_array_new(FALSE, FALSE, sizeof(uint32_t));
}

void scree_search_clear(scree_sim *sim)
{
    scree_conformal_clear(sim);
    for (uint32_t lane = 0; sim->search.sinks && lane < scree_pool_lanes(sim->runtime.pool); lane++)
        free(sim->search.sinks[lane].pairs);
    g_clear_pointer(&sim->search.sinks, g_free);
    if (!sim->search.raw.pages)
        return;
    for (guint page = 0; sim->extents.renew_moved && page < sim->search.raw.pages->len; page++)
        free(sim->search.raw.pages->pdata[page]);
    g_ptr_array_unref(sim->search.raw.pages);
    g_array_unref(sim->search.raw.counts);
    pthread_mutex_destroy(&sim->search.raw.mutex);
}

bool scree_search_run(scree_sim *sim, bool all, bool renumbered, GError **error)
{
    if (!all)
        drop_moved(sim);
    scree_conformal_renew(sim);
    scree_phase former = scree_sim_enter(sim, SCREE_PHASE_GCD);
    uint64_t begin = scree_ticks();
    bool found = find_pairs(sim, all, renumbered, error);
    sim->counters.ledger.gcd_wall += scree_ticks() - begin;
    scree_sim_enter(sim, former);
    if (!found)
        return false;
    const uint8_t *types = type_bodies(sim);
    const bool sample = (sim->counters.gcd_calls & 15) == 1;
    scree_tight *tight = NULL;
    bool sound =
        (!sample || find_tight(sim, &tight, error)) && filter(sim, types, sample, tight, error);
    if (tight)
        scree_scratch_give(sim->scratch, tight);
    if (sound && sim->scene->guard.sample)
        sound = check_sample(sim, types, sim->scene->guard.sample, error);
    scree_scratch_give(sim->scratch, (void *)types);
    return sound;
}
