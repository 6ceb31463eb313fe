/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of the pairs of balls that may touch soon, within the lists of candidates.
 *
 * Candidates are those of extents, which last for many steps: in a flow five of six do not touch.
 * So each segment lists its pairs that are closer than their margins beyond the range of the laws.
 * Between new lists only listed pairs are looked at.
 *
 * Chunks of bodies have margins of their own, because a flow is slow in most places: the lists
 * serve until a ball may have used up its margin, to whose way each evaluation adds the longest way
 * in the chunk. While lists are made, the radii in the mirror are larger by the margins.
 *
 * The lists only leave out pairs that the resolver would find apart, so no bit of the state depends
 * on them, nor on the margins.
 *
 * Choice of margins. If balls move by u on average in an evaluation, those of a chunk by u_c, then
 * margins of about T u_c are used up after T evaluations, together. New lists look at all C
 * candidates of a body; N of them touch, and (C - N) 2 T u / w are listed without touching, where w
 * is the growth of both extents. The sum is least at T = sqrt(w C / (2 u (C - N))), if both look
 * alike; a listed pair costs more, and pairs are dense just beyond a touch, so NEAR_SHARE is less.
 */
#include "engine/near.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/aligned.h"
#include "engine/batch_fill.h"
#include "engine/rank_rows.h"
#include "engine/state.h"

/** [-] T^2 u / w. */
#define NEAR_SHARE 0.15
/** [-] Part of the mean way that is added to that of each chunk, because ways change. */
#define NEAR_SPARE 0.25

/** Bodies whose balls, of 32 bytes each, stay in a cache from step to step. */
enum { BALLS_IN_CACHE = 32768 };

/** Returns the mean growth [m] of the extents of some bodies. */
static double mean_growth(const scree_sim *sim)
{
    enum { SOME = 32 };
    const scree_rows own = scree_ranks_rows(sim);
    const uint32_t step = (own.end - own.first) / SOME + 1;
    double sum = 0.0;
    uint32_t asked = 0;
    for (uint32_t i = own.first; i < own.end; i += step, asked++)
        sum += sim->boxes.ref[4 * (size_t)i + 3];
    return asked ? sum / asked : 0.0;
}

/** Returns the mean way [m] of the chunks since the current lists were made; while ranks are apart,
 * of those of own rows. */
static double mean_way(const scree_sim *sim)
{
    const scree_near_rule *near = &sim->contacts.near;
    const scree_rows own = scree_ranks_rows(sim);
    const bool apart = scree_ranks_apart(sim) && own.end > own.first;
    const uint32_t first = apart ? own.first / SCREE_SLACK_BODIES : 0;
    const uint32_t end = apart ? (own.end - 1) / SCREE_SLACK_BODIES + 1 : near->n_chunks;
    double sum = 0.0;
    for (uint32_t c = first; c < end; c++)
        sum += near->way[c];
    return sum / (end - first);
}

/** Sets the margins of new lists by the ways of the chunks since the current ones were made; w [m]:
 * the growth of both extents; `way` [m]: the mean way. False: all are 0, because the lists would
 * not last. */
static bool choose_margins(scree_near_rule *near, double w, double way)
{
    const double mean = (1.0 + NEAR_SPARE) * way; // of all `served` evaluations
    const double lasts = sqrt(NEAR_SHARE * w * near->served / mean);
    const double share = lasts / near->served;
    const bool serves = 2.0 * share * mean < 0.5 * w;
    for (uint32_t c = 0; c < near->n_chunks; c++)
        near->margin[c] = serves ? share * (near->way[c] + NEAR_SPARE * way) : 0.0;
    return serves;
}

/** Makes room for n chunks, with margins of 0. */
static void set_chunks(scree_near_rule *near, uint32_t n)
{
    scree_aligned_grow(&near->way, &near->way_capacity, n, 0, sizeof *near->way);
    scree_aligned_grow(&near->margin, &near->margin_capacity, n, 0, sizeof *near->margin);
    memset(near->way, 0, n * sizeof *near->way);
    memset(near->margin, 0, n * sizeof *near->margin);
    near->n_chunks = n;
    near->served = 0;
}

/** Lists the pairs of balls within `range` among the n from p0 on, by their numbers from `first`
 * on. */
static uint32_t find_near(const scree_sim *sim, const scree_segment *s, uint32_t first, uint32_t p0,
                          uint32_t n, double range, scree_lane *lane, uint16_t *list)
{
    const scree_world *w = sim->world;
    const uint32_t n_near =
        sim->kernels->near_pairs(n, s->n_pairs - p0 - n, s->a + p0, s->b + p0, w->ball,
                                 w->n > SCREE_FIT_IN_CACHE, range, lane->near);
    for (uint32_t k = 0; k < n_near; k++)
        list[k] = (uint16_t)(p0 - first + lane->near[k]);
    return n_near;
}

enum { HEAD = 2 }; /* numbers before the list of a batch: of its pairs, and of those listed */

/** Makes the list of the batch that begins with pair p0, in the segment's list from `at` on. The
 * batch ends where its list is full: most pairs are not listed, and each batch has the cost of some
 * 30 listed pairs. Returns the number of its pairs. */
static uint32_t list_batch(const scree_sim *sim, scree_segment *s, uint32_t p0, uint64_t at,
                           scree_lane *lane)
{
    const uint32_t full = sim->contacts.batch, few = CLAMP(full / 8, 4, 64);
    const uint32_t most = MIN(s->n_pairs - p0, UINT16_MAX);
    uint32_t n = 0, n_near = 0;
    if (at + HEAD + full > s->near_capacity)
        scree_aligned_grow(&s->near, &s->near_capacity, (at + HEAD + full) * 9 / 8, at,
                           sizeof *s->near);
    for (uint32_t some; n < most && n_near + few <= full; n += some) {
        some = MIN(most - n, full - n_near);
        n_near += find_near(sim, s, p0, p0 + n, some, sim->contacts.near.range, lane,
                            s->near + at + HEAD + n_near);
    }
    s->near[at] = (uint16_t)n;
    s->near[at + 1] = (uint16_t)n_near;
    return n;
}

bool scree_near_may_list(const scree_sim *sim, const scree_list *list, const scree_segment *s)
{
    return list->culled && !s->shift && !s->keep && !s->first &&
           !sim->plugins.contact.n_pair_fields && !sim->plugins.contact.gap;
}

/** Makes the lists of segments. */
static int32_t list_segments(void *user, uint64_t begin, uint64_t end, uint32_t lane_number)
{
    const scree_sim *sim = user;
    const uint32_t width = sim->contacts.n_blocks + 1;
    scree_lane *lane = &sim->plugins.contact.lanes[lane_number];
    lane->booked = scree_ticks();
    for (uint64_t k = begin; k < end; k++) {
        const scree_list *list = &sim->plugins.contact.lists[scree_segment_list(sim, (uint32_t)k)];
        scree_segment *s = scree_segment_at(sim, (uint32_t)k);
        const uint32_t B = (uint32_t)(k % width), b = (uint32_t)(k / width % (width - 1));
        uint64_t at = 0;
        if (!(scree_ranks_has(sim, b) || scree_ranks_has(sim, B)) ||
            !scree_near_may_list(sim, list, s))
            continue;
        for (uint32_t p = 0; p < s->n_pairs; at += HEAD + s->near[at + 1])
            p += list_batch(sim, s, p, at, lane);
        s->near_number = sim->contacts.near.number;
    }
    scree_lane_book(lane, &lane->resolve_ticks);
    return SCREE_OK;
}

/** Makes the radii in the mirror of some chunks larger by their margins. */
static int32_t widen_balls(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const scree_sim *sim = user;
    const scree_world *w = sim->world;
    for (uint64_t c = begin; c < end; c++) {
        const uint64_t last =
            scree_ranks_uses(sim, c) ? MIN((c + 1) * SCREE_SLACK_BODIES, w->n) : 0;
        const double margin = sim->contacts.near.margin[c];
        for (uint64_t i = c * SCREE_SLACK_BODIES; i < last; i++)
            w->ball[4 * i + 3] = w->radius[i] + margin;
    }
    return SCREE_OK;
}

/** Ends what `widen_balls` has done. */
static int32_t restore_balls(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const scree_sim *sim = user;
    const scree_world *w = sim->world;
    for (uint64_t c = begin; c < end; c++) {
        const uint64_t last =
            scree_ranks_uses(sim, c) ? MIN((c + 1) * SCREE_SLACK_BODIES, w->n) : 0;
        for (uint64_t i = c * SCREE_SLACK_BODIES; i < last; i++)
            w->ball[4 * i + 3] = w->radius[i];
    }
    return SCREE_OK;
}

/** Returns whether some segment needs lists. */
static bool any_lists(const scree_sim *sim)
{
    bool any = false;
    for (uint32_t k = 0; k < scree_segment_count(sim) && !any; k++) {
        const scree_segment *s = scree_segment_at(sim, k);
        const scree_list *list = &sim->plugins.contact.lists[scree_segment_list(sim, k)];
        any = s->n_pairs && scree_near_may_list(sim, list, s);
    }
    return any;
}

/** Makes the lists of all segments. */
static void list_all(const scree_sim *sim, bool wide)
{
    enum { GRAIN = 64 };
    scree_pool *pool = sim->runtime.pool;
    const uint32_t n = sim->contacts.near.n_chunks;
    if (wide)
        scree_pool_for(pool, 0, n, GRAIN, widen_balls, (void *)sim);
    scree_pool_for(pool, 0, scree_segment_count(sim), 1, list_segments, (void *)sim);
    if (wide)
        scree_pool_for(pool, 0, n, GRAIN, restore_balls, (void *)sim);
}

void scree_near_prepare(scree_sim *sim)
{
    enum { FEW = 2 };
    scree_near_rule *near = &sim->contacts.near;
    const double range = sim->plugins.contact.range;
    const uint32_t n = sim->world->n / SCREE_SLACK_BODIES + 1;
    near->age++;
    near->served++;
    if (scree_near_lasts(near, range))
        return;
    const bool brief = near->ended && near->age < FEW; // candidates change all the time
    near->age = near->ended ? 0 : near->age;
    if (n != near->n_chunks)
        set_chunks(near, n);
    const bool wide = choose_margins(near, brief ? 0.0 : 2.0 * mean_growth(sim), mean_way(sim));
    memset(near->way, 0, n * sizeof *near->way);
    near->served = 0;
    near->range = range;
    near->used_up = near->ended = false;
    near->number++;
    if (any_lists(sim))
        list_all(sim, wide);
}

void scree_near_clear(scree_near_rule *near)
{
    free(near->way);
    free(near->margin);
}

uint32_t scree_near_list(const scree_sim *sim, scree_segment *s, uint32_t p0, uint32_t *n,
                         scree_near_cursor *cursor, scree_lane *lane, const uint16_t **list)
{
    if (p0 < cursor->end) { // the rest of a batch that the resolver has not finished
        *n = MIN(sim->contacts.batch, cursor->end - p0);
        *list = lane->listed;
        return find_near(sim, s, p0, p0, *n, sim->contacts.near.range, lane, lane->listed);
    }
    const uint16_t *batch = s->near + cursor->at;
    *n = batch[0];
    *list = batch + HEAD;
    cursor->at += HEAD + batch[1];
    cursor->end = p0 + *n;
    if (sim->world->n > BALLS_IN_CACHE && cursor->end < s->n_pairs)
        sim->kernels->call_near(s->near[cursor->at + 1], s->near + cursor->at + HEAD,
                                s->a + cursor->end, s->b + cursor->end, sim->world->ball);
    return batch[1];
}
