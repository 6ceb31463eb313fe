/* SPDX-License-Identifier: Apache-2.0 */
/* The batches of a segment: candidates to contacts. */
#include "engine/batch.h"

#include <string.h>

#include "engine/batch_fill.h"
#include "engine/batch_finish.h"
#include "engine/clumps.h"
#include "engine/contact_ends.h"
#include "engine/contacts.h"
#include "engine/pair_fields.h"
#include "engine/resolve.h"

/** Processes a batch of pairs: calls the resolver, then finishes its contacts. */
static bool process_batch(const scree_evaluation *e, scree_list *list, scree_segment *s,
                          uint32_t p0, uint32_t n, bool local, uint64_t *cursor, scree_lane *lane)
{
    scree_sim *sim = e->sim;
    const double *in[SCREE_MAX_PAIR_FIELDS];
    double *out[SCREE_MAX_PAIR_FIELDS];
    scree_candidates_gather(sim, list, s, p0, n, lane);
    if (sim->plugins.contact.n_pair_fields)
        scree_pair_fields_keep(sim, list, s, p0, n);
    for (uint32_t done = 0; done < n;) {
        scree_candidates candidates;
        scree_contacts contacts;
        uint32_t finished = 0;
        scree_candidates_fill(sim, list, s, p0, done, n, lane, in, out, &candidates);
        if (!scree_resolve(e, list, &candidates, 0, &contacts, &finished, lane) ||
            !scree_batch_check(sim, list, s, &candidates, &contacts, finished, lane)) {
            scree_lane_suspect_shapes(&candidates, lane);
            return false;
        }
        if (done)
            for (uint32_t c = 0; c < contacts.n; c++)
                lane->found.pair[c] += done;
        scree_lane_book(lane, &lane->resolve_ticks);
        if (!scree_batch_finish(e, list, s, p0, p0 + done + finished, contacts.n, local, cursor,
                                lane))
            return false;
        done += finished;
    }
    return !sim->plugins.contact.n_pair_fields || scree_pair_fields_settle(sim, s, p0, n, lane);
}

bool scree_segment_process(const scree_evaluation *e, scree_list *list, scree_segment *s,
                           bool local, scree_lane *lane)
{
    scree_sim *sim = e->sim;
    uint64_t cursor = 0;
    lane->booked = scree_ticks();
    s->n_loads = s->n_ended = s->n_heats = s->n_touching = 0;
    s->table[1 - sim->contacts.committed].n = 0;
    if (!s->n_pairs)
        return true;
    if (sim->contacts.erase_hints && list->hint_bytes)
        memset(s->hints, 0,
               (size_t)(s->first ? s->first[s->n_pairs] : s->n_pairs) * list->hint_bytes);
    scree_table_reserve(sim, &s->table[1 - sim->contacts.committed], list->single, 64);
    if (scree_list_has_clumps(list))
        return scree_clumps_process(e, list, s, local, lane) &&
               (!s->n_ended || !(e->accepted || e->momentary) ||
                scree_parted_account(e, list, s, lane));
    for (uint32_t p = 0; p < s->n_pairs; p += sim->contacts.batch)
        if (!process_batch(e, list, s, p, MIN(sim->contacts.batch, s->n_pairs - p), local, &cursor,
                           lane))
            return false;
    return !s->n_ended || !(e->accepted || e->momentary) || scree_parted_account(e, list, s, lane);
}
