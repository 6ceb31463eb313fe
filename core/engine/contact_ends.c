/* SPDX-License-Identifier: Apache-2.0 */
/* Energy that contacts lose as they open, as their laws give it. */
#include "engine/contact_ends.h"

#include <float.h>
#include <math.h>

#include "base/aligned.h"
#include "engine/balls.h"
#include "engine/batch_fill.h"
#include "engine/contacts.h"
#include "engine/lane.h"
#include "engine/laws.h"
#include "engine/resolve.h"

/*
 * A contact that opens has no force, but its energy account is incomplete: the energy of its
 * tangential spring is lost, and its last force has acted for another half step. The law can
 * compute both from its committed fields and the motion of the bodies since, so it is called once
 * more (force.h, `lost`). The resolver gives the positions of the bodies, as for kept pairs. Forces
 * and fields that the law writes are ignored: no bit of the state depends on them.
 */

/** Returns the index of the contact with this feature, otherwise of the first one. */
static uint32_t find_feature(const scree_list *list, const scree_table *t, uint32_t committed,
                             uint32_t n, const scree_lane *lane)
{
    if (!list->single)
        for (uint32_t c = 0; c < n; c++)
            if (lane->found.feature[c] == t->feature[committed])
                return c;
    return 0;
}

/** Asks the resolver, with room for contacts in the lane; *n: their number. */
static bool resolve(const scree_evaluation *e, const scree_list *list,
                    const scree_candidates *candidates, scree_lane *lane, uint32_t *n)
{
    scree_contacts contacts;
    uint32_t done = 0;
    bool resolved = scree_resolve(e, list, candidates, 0, &contacts, &done, lane);
    *n = contacts.n;
    if (resolved && contacts.n <= contacts.capacity)
        return true;
    if (resolved)
        scree_lane_misbehaved(lane, list->resolver, "resolve", "more contacts than fit");
    scree_lane_suspect_shapes(candidates, lane);
    return false;
}

/** Asks about the ball of a clump that had this feature. */
static bool resolve_ball(const scree_evaluation *e, scree_list *list, scree_segment *s, uint32_t p,
                         uint64_t feature, scree_lane *lane, uint32_t *n)
{
    static const _Alignas(64) uint8_t keep[8] = {1};
    scree_candidates candidates;
    uint32_t from;
    *n = 0;
    scree_candidates_gather(e->sim, list, s, p, 1, lane);
    if (!scree_balls_collect_one(e->sim, list, s, p, feature, lane, &from))
        return true;
    scree_balls_fill(e->sim, list, s, from, lane, &candidates);
    candidates.keep = keep;
    if (!resolve(e, list, &candidates, lane, n))
        return false;
    return scree_balls_convert(e->sim->kernels, list, from, 0, *n, lane) ||
           scree_lane_misbehaved(lane, list->resolver, "resolve",
                                 "a feature that does not fit one of a clump");
}

/** Finds the contacts of pair p at any gap, in the lane; *n: their number. */
static bool resolve_pair(const scree_evaluation *e, scree_list *list, scree_segment *s, uint32_t p,
                         scree_lane *lane, uint32_t *n)
{
    static const _Alignas(64) uint8_t keep[8] = {1};
    const double *in[SCREE_MAX_PAIR_FIELDS];
    double *out[SCREE_MAX_PAIR_FIELDS];
    _Alignas(64) double unused[SCREE_MAX_PAIR_FIELDS][8];
    scree_candidates candidates;
    scree_candidates_gather(e->sim, list, s, p, 1, lane);
    scree_candidates_fill(e->sim, list, s, p, 0, 1, lane, in, out, &candidates);
    candidates.keep = keep;
    for (uint32_t f = 0; f < list->n_pair_fields; f++)
        out[f] = unused[f];
    return resolve(e, list, &candidates, lane, n);
}

/** Finds the energy [J] lost by committed contact `committed`; 0: the resolver finds no contact. */
static bool account_one(const scree_evaluation *e, scree_list *list, scree_segment *s,
                        uint32_t committed, scree_lane *lane, double *lost)
{
    const scree_sim *sim = e->sim;
    const scree_world *w = sim->world;
    const scree_table *t = &s->table[sim->contacts.committed];
    uint32_t n, p = t->pair[committed], a = s->a[p], b = s->b[p];
    *lost = 0.0;
    const bool clumps = scree_list_has_clumps(list);
    if (!(clumps ? resolve_ball(e, list, s, p, t->feature[committed], lane, &n)
                 : resolve_pair(e, list, s, p, lane, &n)))
        return false;
    if (!n)
        return true;
    const uint32_t found = find_feature(list, t, committed, n, lane);
    if (found)
        scree_lane_take(list, lane, 1, &found);
    double range = sim->plugins.contact.gap
                       ? sim->plugins.contact.gap[w->material[a] * w->n_materials + w->material[b]]
                       : 0.0;
    lane->found.depth[0] =
        fmin(lane->found.depth[0], -DBL_MIN); // also for a contact that replaced it in the pair
    lane->found.pair[0] = 0;
    sim->kernels->gather(1, lane->found.pair, s->a + p, s->b + p, (const double *const *)lane->d,
                         NULL, NULL, lane->a, lane->b, lane->gathered.d);
    lane->old[0] = committed;
    lane->fresh[0] = 0;
    scree_fields_gather(sim, list, s, p, 1, 1, lane);
    lane->by_ball = clumps;
    scree_laws_gather(e, list, 1, lane);
    lane->by_ball = false;
    return scree_laws_part(e, list, &s->table[1 - sim->contacts.committed],
                           fmax(lane->found.depth[0], 0.0 - range), lane, lost);
}

bool scree_parted_account(const scree_evaluation *e, scree_list *list, scree_segment *s,
                          scree_lane *lane)
{
    scree_table *next = &s->table[1 - e->sim->contacts.committed];
    scree_aligned_grow(&s->parted, &s->parted_capacity, s->n_ended, 0, sizeof *s->parted);
    scree_table_reserve(e->sim, next, list->single, next->n + 8);
    for (uint64_t k = 0; k < s->n_ended; k++)
        if (!account_one(e, list, s, s->ended[k], lane, &s->parted[k]))
            return false;
    scree_lane_book(lane, &lane->force_ticks);
    return true;
}
