/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of the pairs of balls that may touch soon, within the lists of candidates.
 *
 * Candidates are those of extents, which last for many steps: in a flow five of six do not touch.
 * So each segment lists its pairs that are closer than their margins beyond the range of the laws.
 * Between new lists only listed pairs are looked at.
 *
 * Chunks of bodies have margins of their own, because a flow is slow in most places: the lists
 * serve until a ball may have used up its margin, to whose way each evaluation adds the longest way
 * in the chunk. A few pairs that follow one another share the largest margin of their bodies, for
 * both.
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
    const uint32_t n = sim->world->n_free, step = n / SOME + 1;
    double sum = 0.0;
    uint32_t asked = 0;
    for (uint32_t i = 0; i < n; i += step, asked++)
        sum += sim->boxes.ref[4 * (size_t)i + 3];
    return asked ? sum / asked : 0.0;
}

/** Sets the margins of new lists by the ways of the chunks since the current ones were made; w [m]:
 * the growth of both extents. All are 0 if the lists would not last. */
static void choose_margins(scree_near_rule *near, double w)
{
    double sum = 0.0;
    for (uint32_t c = 0; c < near->n_chunks; c++)
        sum += near->way[c];
    const double mean = (1.0 + NEAR_SPARE) * sum / near->n_chunks; // of all `served` evaluations
    const double lasts = sqrt(NEAR_SHARE * w * near->served / mean);
    const double share = lasts / near->served;
    const bool serves = 2.0 * share * mean < 0.5 * w;
    for (uint32_t c = 0; c < near->n_chunks; c++)
        near->margin[c] = serves ? share * (near->way[c] + NEAR_SPARE * sum / near->n_chunks) : 0.0;
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

void scree_near_prepare(scree_sim *sim)
{
    enum { FEW = 2 };
    scree_near_rule *near = &sim->contacts.near;
    const double range = sim->plugins.contact.range;
    const uint32_t n = sim->world->n / SCREE_SLACK_BODIES + 1;
    near->age++;
    near->served++;
    if (near->number && !near->used_up && !near->ended && near->range == range)
        return;
    const bool brief = near->ended && near->age < FEW; // candidates change all the time
    near->age = near->ended ? 0 : near->age;
    if (n != near->n_chunks)
        set_chunks(near, n);
    choose_margins(near, brief ? 0.0 : 2.0 * mean_growth(sim));
    memset(near->way, 0, n * sizeof *near->way);
    near->served = 0;
    near->range = range;
    near->used_up = near->ended = false;
    near->number++;
}

void scree_near_clear(scree_near_rule *near)
{
    free(near->way);
    free(near->margin);
}

/** Returns the sum of the margins of two bodies, at most, of those in the n pairs from p0 on. */
static double margin_of(const scree_near_rule *near, const scree_segment *s, uint32_t p0,
                        uint32_t n)
{
    double most = 0.0;
    for (uint32_t p = p0; p < p0 + n; p++) {
        const double a = near->margin[s->a[p] / SCREE_SLACK_BODIES];
        const double b = near->margin[s->b[p] / SCREE_SLACK_BODIES];
        most = a > most ? a : most;
        most = b > most ? b : most;
    }
    return 2.0 * most;
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

/** Makes the list of the batch that begins with pair p0. The batch ends where its list is full:
 * most pairs are not listed, and each batch has the cost of some 30 listed pairs. */
static void make_list(const scree_sim *sim, scree_segment *s, uint32_t p0, uint64_t at,
                      scree_lane *lane)
{
    const scree_near_rule *near = &sim->contacts.near;
    const uint32_t full = sim->contacts.batch, few = CLAMP(full / 8, 4, 64);
    const uint32_t most = MIN(s->n_pairs - p0, UINT16_MAX);
    uint32_t n = 0, n_near = 0;
    if (at + HEAD + full > s->near_capacity)
        scree_aligned_grow(&s->near, &s->near_capacity, (at + HEAD + full) * 9 / 8, at,
                           sizeof *s->near);
    while (n < most && n_near + few <= full) {
        const uint32_t some = MIN(most - n, few);
        const double range = near->range + margin_of(near, s, p0 + n, some);
        n_near += find_near(sim, s, p0, p0 + n, some, range, lane, s->near + at + HEAD + n_near);
        n += some;
    }
    s->near[at] = (uint16_t)n;
    s->near[at + 1] = (uint16_t)n_near;
}

uint32_t scree_near_list(const scree_sim *sim, scree_segment *s, uint32_t p0, uint32_t *n,
                         scree_near_cursor *cursor, scree_lane *lane, const uint16_t **list)
{
    if (p0 < cursor->end) { // the rest of a batch that the resolver has not finished
        *n = MIN(sim->contacts.batch, cursor->end - p0);
        *list = lane->listed;
        return find_near(sim, s, p0, p0, *n, sim->contacts.near.range, lane, lane->listed);
    }
    if (cursor->makes)
        make_list(sim, s, p0, cursor->at, lane);
    const uint16_t *batch = s->near + cursor->at;
    *n = batch[0];
    *list = batch + HEAD;
    cursor->at += HEAD + batch[1];
    cursor->end = p0 + *n;
    if (!cursor->makes && sim->world->n > BALLS_IN_CACHE && cursor->end < s->n_pairs)
        sim->kernels->call_near(s->near[cursor->at + 1], s->near + cursor->at + HEAD,
                                s->a + cursor->end, s->b + cursor->end, sim->world->ball);
    return batch[1];
}
