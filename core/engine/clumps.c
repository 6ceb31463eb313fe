/* SPDX-License-Identifier: Apache-2.0 */
/* The batches of a segment with clumps on one side or both. */
#include "engine/clumps.h"

#include <inttypes.h>

#include "engine/balls.h"
#include "engine/batch_fill.h"
#include "engine/batch_finish.h"
#include "engine/pair_fields.h"
#include "engine/resolve.h"

/*
 * A batch is some pairs of bodies with all of their balls: balls -> candidates of the resolver, in
 * as many calls as they need -> contacts of the bodies -> scree_batch_finish.
 */

enum { LEAST_ROOM = 64 }; /* least number of contacts that fit (resolver.h) */

/** Finds contacts of the collected candidates in the lane, as far as they fit, and all of the first
 * pair. *done: number of candidates. */
static bool resolve_balls(const scree_evaluation *e, scree_list *list, scree_segment *s,
                          uint32_t *done, uint32_t *n, scree_lane *lane)
{
    scree_sim *sim = e->sim;
    bool deep = false;
    *done = *n = 0;
    while (*done < lane->balls->n) {
        if (scree_lane_room(lane) - *n < LEAST_ROOM) {
            if (lane->balls->owner[*done] || *n > SCREE_MAX_PAIR_CONTACTS)
                break;
            scree_resolve_grow(e, 2 * scree_lane_room(lane), lane);
        }
        scree_candidates candidates;
        scree_contacts contacts;
        uint32_t finished = 0;
        scree_balls_fill(sim, list, s, *done, lane, &candidates);
        if (!scree_resolve(e, list, &candidates, *n, &contacts, &finished, lane) ||
            !scree_batch_check(sim, list, s, &candidates, &contacts, finished, lane)) {
            scree_lane_suspect_shapes(&candidates, lane);
            return false;
        }
        if (!scree_balls_convert(sim->kernels, list, *done, *n, contacts.n, lane))
            return scree_lane_misbehaved(lane, list->resolver, "resolve",
                                         "a feature of a ball of a clump has bits outside "
                                         "SCREE_FEATURE_CLUMP, or a ball has a number above 2^24");
        deep |= lane->deep;
        *done += finished;
        *n += contacts.n;
    }
    lane->deep = deep;
    return true;
}

/** Processes *n pairs of a list with clumps, from p0 on, whose balls and contacts fit. */
static bool process_clumps(const scree_evaluation *e, scree_list *list, scree_segment *s,
                           uint32_t p0, uint32_t *n, bool local, uint64_t *cursor, scree_lane *lane)
{
    scree_sim *sim = e->sim;
    const uint64_t touching = s->n_touching;
    uint32_t done, n_contacts;
    scree_candidates_gather(sim, list, s, p0, *n, lane);
    *n = scree_balls_collect(sim, list, s, p0, *n, sim->contacts.batch, lane);
    if (!resolve_balls(e, list, s, &done, &n_contacts, lane))
        return false;
    if (done < lane->balls->n)
        *n = lane->balls->owner[done]; // the others follow later
    if (!*n)
        return scree_fail(scree_lane_error(lane), SCREE_EXIT_RUN,
                          "bodies %" PRIu64 " and %" PRIu64 " have more than %u contacts",
                          sim->world->id[s->a[p0]], sim->world->id[s->b[p0]],
                          SCREE_MAX_PAIR_CONTACTS);
    while (n_contacts && lane->found.pair[n_contacts - 1] >= *n)
        n_contacts--;
    s->n_touching = touching;
    for (uint32_t c = 0; c < n_contacts; c++)
        s->n_touching += lane->found.depth[c] >= 0.0;
    if (sim->plugins.contact.n_pair_fields)
        scree_pair_fields_keep(sim, list, s, p0, *n);
    scree_lane_book(lane, &lane->resolve_ticks);
    lane->by_ball = true;
    const bool finished =
        scree_batch_finish(e, list, s, p0, p0 + *n, n_contacts, local, cursor, lane) &&
        (!sim->plugins.contact.n_pair_fields || scree_pair_fields_settle(sim, s, p0, *n, lane));
    lane->by_ball = false;
    return finished;
}

bool scree_clumps_process(const scree_evaluation *e, scree_list *list, scree_segment *s, bool local,
                          scree_lane *lane)
{
    uint64_t cursor = 0;
    for (uint32_t p = 0, n; p < s->n_pairs; p += n) {
        n = MIN(e->sim->contacts.batch, s->n_pairs - p);
        if (!process_clumps(e, list, s, p, &n, local, &cursor, lane))
            return false;
    }
    return true;
}
