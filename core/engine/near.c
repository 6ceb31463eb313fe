/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of the pairs of balls that may touch soon, within the lists of candidates.
 *
 * Candidates are those of extents, which last for many steps: in a flow five of six do not touch.
 * So each segment lists its pairs that are closer than a margin beyond the range of the laws. The
 * lists serve until the ways of two balls together may have used up the margin: each evaluation
 * adds the longest way of any ball. Between them only listed pairs are looked at.
 *
 * The lists only leave out pairs that the resolver would find apart, so no bit of the state depends on
 * them, nor on the margin.
 *
 * Choice of the margin m. New lists look at all C candidates of a body, every m / (2 u) evaluations
 * if the fastest ball moves by u; N of them touch, and (C - N) m / w are listed without touching,
 * where w is the growth of both extents. The sum is least at m = sqrt(2 u w C / (C - N)), if both look
 * alike; a listed pair costs more, and pairs are dense just beyond a touch, so NEAR_SHARE is less than that.
 */
#include "engine/near.h"

#include <math.h>
#include <string.h>

#include "base/aligned.h"
#include "engine/batch_fill.h"
#include "engine/state.h"

/** [-] m^2 / (u w). With 0.2 a hopper of 5000 spheres takes 0.8 % more instructions. */
#define NEAR_SHARE 0.6

void scree_near_note(scree_near_rule *near, double way, bool known)
{
    const double rounding = 1.0 + 1e-9;
    near->ended = near->ended || !known;
    if (!known)
        return;
    near->way = way;
    near->left -= 2.0 * way * rounding;
}

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

/** Returns the margin for new lists; 0: they would not last. */
static double choose_margin(const scree_sim *sim)
{
    const double w = 2.0 * mean_growth(sim);
    const double m = sqrt(NEAR_SHARE * sim->contacts.near.way * w);
    return m < 0.5 * w ? m : 0.0;
}

void scree_near_prepare(scree_sim *sim)
{
    enum { FEW = 2 };
    scree_near_rule *near = &sim->contacts.near;
    const double range = sim->plugins.contact.range;
    near->age++;
    if (near->number && near->left >= 0.0 && !near->ended && near->range == range)
        return;
    const bool brief = near->ended && near->age < FEW; // candidates change all the time
    near->age = near->ended ? 0 : near->age;
    near->margin = near->left = brief ? 0.0 : choose_margin(sim);
    near->range = range;
    near->ended = false;
    near->number++;
}

/** Lists the pairs of balls within `range` among the n from p0 on, by their numbers from `first` on. */
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

/** Makes the list of the batch that begins with pair p0. The batch ends where its list is full: most
 * pairs are not listed, and each batch has the cost of some 30 listed pairs. */
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
        n_near += find_near(sim, s, p0, p0 + n, some, near->range + near->margin, lane,
                            s->near + at + HEAD + n_near);
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
