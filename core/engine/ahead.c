/* SPDX-License-Identifier: Apache-2.0 */
/* Contacts between own rows, while ghosts of a rank are on their way.
 *
 * Idea     Ranks meet once in an evaluation, and each waits for the slowest one, not always the
 *          same. Contacts between own rows need no ghosts: a rank that waits begins with their
 *          batches, and looks before each of them whether all has come.
 * Sums     A body adds its lower partners first, also those of lower ranks. So the loads of these
 *          batches are stored, and evaluate.c adds them when it comes to the segment. No bit
 *          depends on how many batches were done.
 * Limits   One lane. At most one of SHARE pairs, because a stored load takes 88 bytes.
 */
#include "engine/ahead.h"

#include "engine/batch.h"
#include "engine/laws.h"
#include "engine/near.h"
#include "engine/ranks.h"
#include "plugin/call.h"
#include "plugin/events.h"

enum { SHARE = 3 };

/** A wait. */
typedef struct ahead_wait {
    const scree_ranks *ranks;
    const scree_segment *segment; /* of the next batch */
    bool done, failed;            /* all has come; the domain failed */
    GError **error;
} ahead_wait;

static bool has_enough(void *user)
{
    ahead_wait *w = user;
    if (w->segment->walk.next > w->segment->n_pairs / SHARE)
        return true;
    w->failed = !scree_ranks_exchange_test(w->ranks, &w->done, w->error);
    return w->failed || w->done;
}

/** Returns whether the current lists and mirrors are those of this evaluation. */
static bool may_begin(const scree_evaluation *e)
{
    const scree_sim *sim = e->sim;
    return SCREE_HAS(sim->ranks->ops, test) && scree_pool_lanes(sim->runtime.pool) == 1 &&
           !e->displaced && !sim->posed.any && !sim->contacts.stale &&
           scree_near_lasts(&sim->contacts.near, sim->plugins.contact.range);
}

/** Begins the segments within own blocks. */
static void begin_segments(const scree_evaluation *e, ahead_wait *w)
{
    scree_sim *sim = e->sim;
    scree_lane *lane = &sim->plugins.contact.lanes[0];
    const uint32_t n = sim->contacts.n_blocks, rank = sim->ranks->rank;
    lane->foreign = scree_events_foreign = false;
    for (uint32_t b = scree_ranks_first(sim, rank); b < scree_ranks_first(sim, rank + 1); b++)
        for (uint32_t l = 0; l < sim->plugins.contact.n_lists; l++) {
            scree_list *list = &sim->plugins.contact.lists[l];
            scree_segment *s = scree_list_segment(list, n, b, b);
            w->segment = s;
            sim->ranks->ahead_failed =
                !scree_segment_begin(e, list, s, has_enough, w, lane); // the lane has the error
            sim->ranks->work[rank].ahead += s->walk.next;
            if (w->done || w->failed || sim->ranks->ahead_failed)
                return;
        }
}

bool scree_ahead_run(const scree_evaluation *e, GError **error)
{
    scree_sim *sim = e->sim;
    ahead_wait w = {.ranks = sim->ranks, .error = error};
    if (!may_begin(e))
        return true;
    const scree_phase former = scree_sim_enter(sim, SCREE_PHASE_OTHER); // lanes book their own time
    scree_laws_prepare(e);
    begin_segments(e, &w);
    scree_sim_enter(sim, former);
    return !w.failed;
}

void scree_ahead_drop(scree_sim *sim)
{
    for (uint32_t k = 0; k < scree_segment_count(sim); k++)
        scree_segment_at(sim, k)->walk.ahead = false;
    sim->warnings.overlaps[0] = (scree_overlap){0}; // scree_ranks_share keeps none
}
