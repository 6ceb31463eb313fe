// SPDX-License-Identifier: Apache-2.0
/*
 * How long a step of a settled bed takes, by the times of steps with fewer contacts.
 *
 * Idea    the first steps of most scenes are free fall. Resolvers cost time per candidate pair, the
 *         laws per contact; the rest is per body, and stays.
 * Limits  a candidate that touches may cost a resolver more than one that does not. Without a
 *         contact in the timed steps the time of the laws is not known.
 */
#include "tools/look/settled_time.h"

#include <inttypes.h>
#include <stdio.h>

#include "engine/state.h"
#include "tools/look/memory_use.h"

scree_timed_from scree_settled_begin(scree_sim *sim)
{
    scree_ledger_open(&sim->counters.ledger, sim->runtime.pool);
    return (scree_timed_from){.evaluations = sim->counters.evaluations,
                              .candidates = sim->counters.sum_candidates,
                              .contacts = sim->counters.sum_contacts};
}

void scree_settled_print(const scree_sim *sim, scree_timed_from from, int n, double wall)
{
    const scree_settled_bed bed = scree_settled_bed_of(sim->scene->dimension);
    const scree_phase_times t = scree_sim_times(sim, wall);
    const double evaluations = (double)(sim->counters.evaluations - from.evaluations),
                 candidates = (double)(sim->counters.sum_candidates - from.candidates),
                 contacts = (double)(sim->counters.sum_contacts - from.contacts),
                 settled = bed.contacts * sim->world->n_free * evaluations,
                 pairs = bed.pairs * sim->world->n_free * evaluations;
    if (!(contacts < 0.5 * settled))
        return;
    printf("           with %.0f contacts on average; a settled bed of these bodies has about "
           "%.0f, and ",
           contacts / evaluations, settled / evaluations);
    if (contacts < 10.0 * n) {
        puts("its steps take longer: time those of a checkpoint, with `scree run --restart "
             "CHECKPOINT --steps 100`");
        return;
    }
    const double laws =
                     t.row[SCREE_PHASE_GATHER] + t.row[SCREE_PHASE_FORCE] + t.row[SCREE_PHASE_SUM],
                 longer = laws * (settled / contacts - 1.0) +
                          t.row[SCREE_PHASE_RESOLVE] *
                              (pairs > candidates ? pairs / candidates - 1.0 : 0.0),
                 each = (wall + longer) / n;
    printf("by the times per candidate and contact takes about %.3g s, %.3g ms a step\n",
           each * (double)sim->scene->steps, 1e3 * each);
}
