/* SPDX-License-Identifier: Apache-2.0 */
/* Energy that contacts lose as they open, as their laws give it. */
#include "engine/contact_ends.h"

#include <float.h>
#include <math.h>
#include <string.h>

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

/** Asks the resolver, with room for contacts in the lane; *n: their number, *done: that of the pairs
 * it has finished. */
static bool resolve(const scree_evaluation *e, const scree_list *list,
                    const scree_candidates *candidates, scree_lane *lane, uint32_t *n,
                    uint32_t *done)
{
    scree_contacts contacts;
    *done = 0;
    bool resolved = scree_resolve(e, list, candidates, 0, &contacts, done, lane);
    *n = contacts.n;
    if (resolved && contacts.n <= contacts.capacity)
        return true;
    if (resolved)
        scree_lane_misbehaved(lane, list->resolver, "resolve", "more contacts than fit");
    scree_lane_suspect_shapes(candidates, lane);
    return false;
}

/** Asks about pairs with at most one contact each. */
static bool resolve_single(const scree_evaluation *e, const scree_list *list,
                           const scree_candidates *candidates, scree_lane *lane, uint32_t *n,
                           uint32_t *done)
{
    if (!resolve(e, list, candidates, lane, n, done))
        return false;
    if (*done && *done <= candidates->n && (!*n || lane->found.pair[*n - 1] < *done) &&
        e->sim->kernels->ascends(*n, lane->found.pair))
        return true;
    return scree_lane_misbehaved(
        lane, list->resolver, "resolve",
        "of pairs with one contact each, some are out of order, or none is "
        "finished");
}

/** Asks about the ball of a clump that had this feature. */
static bool resolve_ball(const scree_evaluation *e, scree_list *list, scree_segment *s, uint32_t p,
                         uint64_t feature, scree_lane *lane, uint32_t *n)
{
    static const _Alignas(64) uint8_t keep[8] = {1};
    scree_candidates candidates;
    uint32_t from, done;
    *n = 0;
    scree_candidates_gather(e->sim, list, s, p, 1, lane);
    if (!scree_balls_collect_one(e->sim, list, s, p, feature, lane, &from))
        return true;
    scree_balls_fill(e->sim, list, s, from, lane, &candidates);
    candidates.keep = keep;
    if (!resolve(e, list, &candidates, lane, n, &done))
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
    uint32_t done;
    scree_candidates_gather(e->sim, list, s, p, 1, lane);
    scree_candidates_fill(e->sim, list, s, p, 0, 1, lane, in, out, &candidates);
    candidates.keep = keep;
    for (uint32_t f = 0; f < list->n_pair_fields; f++)
        out[f] = unused[f];
    return resolve(e, list, &candidates, lane, n, &done);
}

/** Finds the energy [J] that each of the lane's n contacts has lost. Their a, b and d and lane->old
 * are set; contact c is of pair base + lane->found.pair[c]. */
static bool ask_laws(const scree_evaluation *e, const scree_list *list, const scree_segment *s,
                     uint32_t base, uint32_t n, scree_table *out, scree_lane *lane, double *lost)
{
    const scree_sim *sim = e->sim;
    const scree_world *w = sim->world;
    const double *gap = sim->plugins.contact.gap;
    double closed[SCREE_MOST_PARTED];
    for (uint32_t c = 0; c < n; c++) {
        const uint32_t a = lane->a[c], b = lane->b[c];
        const double range = gap ? gap[w->material[a] * w->n_materials + w->material[b]] : 0.0;
        // also for a contact that replaced it in the pair
        lane->found.depth[c] = fmin(lane->found.depth[c], -DBL_MIN);
        closed[c] = fmax(lane->found.depth[c], 0.0 - range);
    }
    memset(lane->fresh, 0, n);
    const uint32_t n_picked = n > 1 ? sim->plugins.contact.n_fields : 0; // one is in its place
    for (uint32_t f = 0; f < n_picked; f++)
        sim->kernels->pick(n, lane->old, s->table[sim->contacts.committed].field[f], lane->in[f]);
    scree_fields_gather(sim, list, s, base, n, n, lane);
    lane->by_ball = scree_list_has_clumps(list);
    scree_laws_gather(e, list, n, lane);
    lane->by_ball = false;
    return scree_laws_part(e, list, out, n, closed, lane, lost);
}

/** Finds the energy [J] lost by committed contact `committed`; 0: the resolver finds no contact. */
static bool account_one(const scree_evaluation *e, scree_list *list, scree_segment *s,
                        uint32_t committed, scree_table *out, scree_lane *lane, double *lost)
{
    const scree_table *t = &s->table[e->sim->contacts.committed];
    uint32_t n, p = t->pair[committed];
    *lost = 0.0;
    if (!(scree_list_has_clumps(list) ? resolve_ball(e, list, s, p, t->feature[committed], lane, &n)
                                      : resolve_pair(e, list, s, p, lane, &n)))
        return false;
    if (!n)
        return true;
    const uint32_t found = find_feature(list, t, committed, n, lane);
    if (found)
        scree_lane_take(list, lane, 1, &found);
    lane->found.pair[0] = 0;
    e->sim->kernels->gather(1, lane->found.pair, s->a + p, s->b + p, (const double *const *)lane->d,
                            NULL, NULL, lane->a, lane->b, lane->gathered.d);
    lane->old[0] = committed;
    return ask_laws(e, list, s, p, 1, out, lane, lost);
}

/** Does the work of account_one for *n contacts whose pairs have nothing else; *n: the number of those
 * that the resolver has finished. */
static bool account_some(const scree_evaluation *e, const scree_list *list, const scree_segment *s,
                         const uint32_t *committed, uint32_t *n, scree_table *out, scree_lane *lane,
                         double *lost)
{
    const scree_sim *sim = e->sim;
    const uint32_t *pair = s->table[sim->contacts.committed].pair;
    _Alignas(64) uint32_t a[SCREE_MOST_PARTED], b[SCREE_MOST_PARTED];
    _Alignas(64) uint8_t keep[SCREE_MOST_PARTED];
    double of_found[SCREE_MOST_PARTED];
    uint32_t n_found;
    for (uint32_t k = 0; k < *n; k++) {
        a[k] = s->a[pair[committed[k]]];
        b[k] = s->b[pair[committed[k]]];
        keep[k] = 1;
        lost[k] = 0.0;
    }
    sim->kernels->candidates(*n, 0, a, b, sim->world->ball, false, lane->d, lane->radius[0],
                             lane->radius[1]);
    const scree_candidates in = {.size = sizeof in,
                                 .lane = (uint32_t)(lane - sim->plugins.contact.lanes),
                                 .n = *n,
                                 .type_a = list->type_a,
                                 .type_b = list->type_b,
                                 .a = a,
                                 .b = b,
                                 .d = {lane->d[0], lane->d[1], lane->d[2]},
                                 .radius_a = lane->radius[0],
                                 .radius_b = list->is_flat ? lane->no_radius : lane->radius[1],
                                 .keep = keep,
                                 .range = sim->plugins.contact.range,
                                 .bodies = &sim->view};
    lane->pair_radius[0] = in.radius_a;
    lane->pair_radius[1] = in.radius_b;
    if (!resolve_single(e, list, &in, lane, &n_found, n))
        return false;
    if (!n_found)
        return true;
    sim->kernels->gather(n_found, lane->found.pair, a, b, (const double *const *)lane->d, NULL,
                         NULL, lane->a, lane->b, lane->gathered.d);
    sim->kernels->pick_u32(n_found, lane->found.pair, committed, lane->old);
    if (!ask_laws(e, list, s, 0, n_found, out, lane, of_found))
        return false;
    for (uint32_t c = 0; c < n_found; c++)
        lost[lane->found.pair[c]] = of_found[c];
    return true;
}

/** Returns how many of the contacts that ended may be computed together. */
static uint32_t most_together(const scree_sim *sim, const scree_list *list, const scree_segment *s)
{
    const bool plain = list->single && !s->first && !s->shift && !list->hint_bytes &&
                       !scree_list_has_clumps(list) && !sim->plugins.contact.n_pair_fields;
    return plain ? SCREE_MOST_PARTED : 1;
}

bool scree_parted_account(const scree_evaluation *e, scree_list *list, scree_segment *s,
                          scree_lane *lane)
{
    scree_table *next = &s->table[1 - e->sim->contacts.committed];
    const uint32_t most = most_together(e->sim, list, s);
    scree_aligned_grow(&s->parted, &s->parted_capacity, s->n_ended, 0, sizeof *s->parted);
    scree_table_reserve(e->sim, next, list->single, next->n + most + 8);
    for (uint64_t k = 0; k < s->n_ended;) {
        uint32_t n = (uint32_t)MIN(most, s->n_ended - k);
        if (!(most > 1 ? account_some(e, list, s, s->ended + k, &n, next, lane, s->parted + k)
                       : account_one(e, list, s, s->ended[k], next, lane, s->parted + k)))
            return false;
        k += n;
    }
    scree_lane_book(lane, &lane->force_ticks);
    return true;
}
