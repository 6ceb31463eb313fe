/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the GCD and keeps, of the pairs of boxes that it emits, those that are candidates. */
#include "search.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fpenv.h"
#include "guard.h"

/** Pairs of one lane; the head is what the GCD writes to. */
typedef scree_lane_sink lane_sink;

static int32_t sink_reserve(scree_pair_sink *head, uint64_t n, scree_pair **out)
{
    lane_sink *sink = (lane_sink *)head;
    scree_aligned_grow(&sink->pairs, &sink->capacity, sink->n + n, sink->n, sizeof(scree_pair));
    sink->reserved = n;
    *out = sink->pairs + sink->n;
    return SCREE_OK;
}

static int32_t sink_commit(scree_pair_sink *head, uint64_t n)
{
    lane_sink *sink = (lane_sink *)head;
    if (n > sink->reserved)
        return SCREE_E_INTERNAL;
    sink->n += n;
    sink->reserved -= n;
    return SCREE_OK;
}

typedef struct search_job {
    scree_sim *sim;
    lane_sink *sinks;
} search_job;

static int32_t search_chunk(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    search_job *job = user;
    uint32_t control = scree_fp_control();
    scree_guard_enter(job->sim->gcd, "find_neighbors");
    int32_t code =
        job->sim->gcd_ops->find_neighbors(job->sim->gcd->self, begin, end, &job->sinks[lane].head);
    scree_guard_leave();
    return scree_instance_check_fp(job->sim->gcd, control, code);
}

/** Bounding spheres part pairs too, unless pair fields live by the boxes alone (params.h). */
static bool spheres_count(const scree_sim *sim)
{
    return sim->n_pair_fields == 0;
}

/** Runs the GCD; its pairs are appended to sim->raw from `n_raw` on. */
static bool find_pairs(scree_sim *sim, bool all, bool renumbered, GError **error)
{
    const scree_gcd_ops *ops = sim->gcd_ops;
    scree_box_set *set = &sim->boxes;
    uint64_t n_pivots = 0;
    bool listed = !all && (sim->gcd->plugin->flags & SCREE_INCREMENTAL);
    int32_t code = SCREE_OK;
    const char *call = "init";
    uint32_t control = scree_fp_control();
    scree_guard_enter(sim->gcd, call);
    if (renumbered)
        code = ops->init(sim->gcd->self, &set->view, spheres_count(sim) ? SCREE_GCD_SPHERES : 0);
    if (code >= 0) {
        call = "step_init";
        scree_guard_enter(sim->gcd, call);
        code = ops->step_init(sim->gcd->self, &set->view, listed ? set->moved : NULL,
                              listed ? (uint32_t)set->n_moved : 0, &n_pivots);
    }
    scree_guard_leave();
    code = scree_instance_check_fp(sim->gcd, control, code);
    if (!listed)
        sim->n_raw = 0;
    uint32_t lanes = scree_pool_lanes(sim->runtime.pool);
    if (code >= 0 && n_pivots) {
        call = "find_neighbors";
        bool serial = sim->gcd->plugin->flags & SCREE_SERIAL;
        for (uint32_t lane = 0; lane < lanes; lane++)
            sim->sinks[lane].n = 0;
        search_job job = {sim, sim->sinks};
        uint64_t grain = serial || lanes == 1 ? n_pivots : MAX(n_pivots / (8 * lanes), 1);
        code = scree_pool_for(sim->runtime.pool, 0, n_pivots, grain, search_chunk, &job);
        for (uint32_t lane = 0; lane < lanes && code >= 0; lane++) {
            lane_sink *sink = &sim->sinks[lane];
            scree_aligned_grow(&sim->raw, &sim->raw_capacity, sim->n_raw + sink->n, sim->n_raw,
                               sizeof *sim->raw);
            if (sink->n)
                memcpy(sim->raw + sim->n_raw, sink->pairs, sink->n * sizeof *sim->raw);
            sim->n_raw += sink->n;
            sim->n_emitted += sink->n;
        }
    }
    if (code < 0)
        scree_instance_set_error(sim->gcd, call, code, error);
    sim->gcd_calls++;
    return code >= 0;
}

/** Before an incremental search: forgets the cached pairs of boxes that moved. */
static void drop_moved(scree_sim *sim)
{
    const uint8_t *mark = sim->boxes.mark;
    uint64_t kept = 0;
    for (uint64_t k = 0; k < sim->n_raw; k++)
        if (!mark[sim->raw[k].a] && !mark[sim->raw[k].b])
            sim->raw[kept++] = sim->raw[k];
    sim->n_raw = kept;
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

static bool tight_overlap(const scree_world *w, const scree_box_set *set, scree_pair pair)
{
    scree_tight a, b;
    scree_extent_tight(w, set->body[pair.a], set->part[pair.a], &a);
    scree_extent_tight(w, set->body[pair.b], set->part[pair.b], &b);
    int32_t sa[3], sb[3];
    scree_shift_unpack(set->image[pair.a], sa);
    scree_shift_unpack(set->image[pair.b], sb);
    for (int k = 0; k < 3; k++) {
        double by = (sb[k] - sa[k]) * w->length[k];
        if (a.lo[k] > b.hi[k] + by || b.lo[k] + by > a.hi[k])
            return false;
    }
    return true;
}

/** Slots to bodies; false when the pair is none of ours (both not free, or a body with itself). */
bool scree_search_decode(const scree_sim *sim, scree_pair pair, scree_found *out)
{
    const scree_box_set *set = &sim->boxes;
    const scree_world *w = sim->world;
    uint32_t i = set->body[pair.a], j = set->body[pair.b];
    bool swap = i > j;
    if ((swap ? j : i) >= w->n_free)
        return false;
    out->row = swap ? j : i;
    out->col = swap ? i : j;
    out->part_row = set->part[swap ? pair.b : pair.a];
    out->part_col = set->part[swap ? pair.a : pair.b];
    out->shift = SCREE_SHIFT_ZERO;
    if (w->any_periodic) {
        int32_t from[3], to[3], s[3];
        scree_shift_unpack(set->image[swap ? pair.b : pair.a], from);
        scree_shift_unpack(set->image[swap ? pair.a : pair.b], to);
        for (int k = 0; k < 3; k++) // in cells counted unwrapped, so that a wrap keeps the key
            s[k] = to[k] - from[k] - w->image[k][out->col] + w->image[k][out->row];
        out->shift = scree_shift_pack(s);
        if (i == j && out->shift < SCREE_SHIFT_ZERO)
            out->shift = scree_shift_negate(out->shift);
    }
    return i != j || out->shift != SCREE_SHIFT_ZERO;
}

void scree_search_blame(const scree_sim *sim, scree_pair pair, const char *what, GError **error)
{
    g_set_error(error, SCREE_ERROR, SCREE_EXIT_PLUGIN,
                "gcd/%s misbehaved in find_neighbors at step %" PRIu64
                ": pair (%u, %u) of %u boxes: %s",
                sim->gcd->plugin->id, sim->step, pair.a, pair.b, sim->boxes.view.n, what);
}

/** Drops what is no candidate; raw_list[k] gets the list of what stays. */
static bool filter(scree_sim *sim, GError **error)
{
    const scree_box_set *set = &sim->boxes;
    uint64_t kept = 0;
    bool sample = (sim->gcd_calls & 15) == 1, spheres = spheres_count(sim);
    scree_aligned_grow(&sim->raw_list, &sim->raw_list_capacity, sim->n_raw, 0, 1);
    for (uint64_t k = 0; k < sim->n_raw; k++) {
        scree_pair pair = sim->raw[k];
        if (pair.a >= set->view.n || pair.b >= set->view.n || pair.a == pair.b) {
            scree_search_blame(sim, pair, pair.a == pair.b ? "a box with itself" : "no such box",
                               error);
            return false;
        }
        if (sample) {
            sim->accuracy_committed++;
            sim->accuracy_overlapping += set->body[pair.a] != SCREE_NONE &&
                                         set->body[pair.b] != SCREE_NONE &&
                                         tight_overlap(sim->world, set, pair);
        }
        if (!overlap(&set->view, pair.a, pair.b, spheres))
            continue;
        uint32_t i = set->body[pair.a], j = set->body[pair.b];
        if (MIN(i, j) >= sim->world->n_free)
            continue;
        uint8_t list = sim->list_of[sim->body_list[i]][sim->body_list[j]];
        if (list == UINT8_MAX)
            continue; // no resolver for this type pair was asked for: refused at config
        sim->raw[kept] = pair;
        sim->raw_list[kept++] = list;
    }
    sim->n_raw = kept;
    return true;
}

static void type_bodies(scree_sim *sim)
{
    const scree_world *w = sim->world;
    scree_aligned_grow(&sim->body_list, &sim->body_list_capacity, w->n, 0, 1);
    for (uint32_t i = 0; i < w->n; i++)
        sim->body_list[i] = sim->type_index[w->shape[i]];
}

void scree_search_prepare(scree_sim *sim)
{
    uint32_t lanes = scree_pool_lanes(sim->runtime.pool);
    sim->sinks = g_new0(lane_sink, lanes);
    for (uint32_t lane = 0; lane < lanes; lane++)
        sim->sinks[lane].head = (scree_pair_sink){.size = sizeof(scree_pair_sink),
                                                  .lane = lane,
                                                  .reserve = sink_reserve,
                                                  .commit = sink_commit};
}

void scree_search_clear(scree_sim *sim)
{
    for (uint32_t lane = 0; sim->sinks && lane < scree_pool_lanes(sim->runtime.pool); lane++)
        free(sim->sinks[lane].pairs);
    g_clear_pointer(&sim->sinks, g_free);
}

bool scree_search_run(scree_sim *sim, bool all, bool renumbered, GError **error)
{
    if (!all)
        drop_moved(sim);
    type_bodies(sim);
    double begin = scree_now();
    bool found = find_pairs(sim, all, renumbered, error);
    sim->times.gcd += scree_now() - begin;
    return found && filter(sim, error);
}
