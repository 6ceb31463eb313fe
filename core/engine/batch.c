/* SPDX-License-Identifier: Apache-2.0 */
/* The batches of a segment: candidates to contacts. */
#include "engine/batch.h"

#include <string.h>

#include "engine/batch_fill.h"
#include "engine/batch_finish.h"
#include "engine/clumps.h"
#include "engine/contact_ends.h"
#include "engine/contacts.h"
#include "engine/near.h"
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

/** Returns whether only those pairs of balls that are near go to the resolver. */
static bool may_skip(const scree_sim *sim, const scree_list *list, const scree_segment *s)
{
    return list->culled && !s->shift && !s->keep && !s->first &&
           !sim->plugins.contact.n_pair_fields && !sim->plugins.contact.gap;
}

/** Keeps in the lane what the n candidates `from` hold, in their order. */
static void take_some(uint32_t n, const uint32_t *from, scree_lane *lane)
{
    double *const values[] = {lane->gathered.d[0], lane->gathered.d[1], lane->gathered.d[2],
                              lane->ball_radius[0], lane->ball_radius[1]};
    for (uint32_t c = 0; c < n; c++) {
        lane->a[c] = lane->a[from[c]];
        lane->b[c] = lane->b[from[c]];
        for (size_t k = 0; k < G_N_ELEMENTS(values); k++)
            values[k][c] = values[k][from[c]];
    }
}

/** Gathers the near ones of the next pairs of balls, from p0 on, and finds their contacts. *n: the
 * number of pairs that the resolver has finished; the others follow later. */
static bool resolve_near(const scree_evaluation *e, const scree_list *list, scree_segment *s,
                         uint32_t p0, scree_near_cursor *cursor, uint32_t *n, uint32_t *n_contacts,
                         scree_lane *lane)
{
    const scree_sim *sim = e->sim;
    const scree_world *w = sim->world;
    const scree_kernels *kernel = sim->kernels;
    const bool calls = w->n > SCREE_FIT_IN_CACHE;
    double *const *d = lane->gathered.d, *const *radius = lane->ball_radius;
    scree_candidates in = {.size = sizeof in,
                           .lane = (uint32_t)(lane - sim->plugins.contact.lanes),
                           .type_a = list->type_a,
                           .type_b = list->type_b,
                           .a = lane->a,
                           .b = lane->b,
                           .d = {d[0], d[1], d[2]},
                           .radius_a = radius[0],
                           .radius_b = radius[1],
                           .range = sim->plugins.contact.range,
                           .bodies = &sim->view};
    scree_contacts found;
    const uint16_t *near;
    uint32_t finished = 0;
    const uint32_t n_near = scree_near_list(sim, s, p0, n, cursor, lane, &near);
    in.n = kernel->gather_near(n_near, near, s->a + p0, s->b + p0, w->ball, calls ? w->twist : NULL,
                               calls ? w->wrench : NULL, in.range, lane->near, lane->a, lane->b, d,
                               radius);
    if (!scree_resolve(e, list, &in, 0, &found, &finished, lane) ||
        !scree_batch_check(sim, list, s, &in, &found, finished, lane)) {
        scree_lane_suspect_shapes(&in, lane);
        return false;
    }
    if (finished < in.n)
        *n = lane->near[finished];
    if (found.n < in.n) {
        take_some(found.n, lane->found.pair, lane);
        kernel->pick_u32(found.n, lane->found.pair, lane->near, lane->old);
        memcpy(lane->found.pair, lane->old, found.n * sizeof *lane->old);
    } else {
        memcpy(lane->found.pair, lane->near, found.n * sizeof *lane->near);
    }
    *n_contacts = found.n;
    scree_lane_book(lane, &lane->resolve_ticks);
    return true;
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
    lane->gathered_at_once = lane->by_ball = may_skip(sim, list, s);
    scree_near_cursor near = {.makes = s->near_number != sim->contacts.near.number};
    bool done = true;
    for (uint32_t p = 0, n, n_contacts; p < s->n_pairs && done; p += n) {
        n = MIN(sim->contacts.batch, s->n_pairs - p);
        done = lane->by_ball
                   ? resolve_near(e, list, s, p, &near, &n, &n_contacts, lane) &&
                         scree_batch_finish(e, list, s, p, p + n, n_contacts, local, &cursor, lane)
                   : process_batch(e, list, s, p, n, local, &cursor, lane);
    }
    if (done && lane->by_ball)
        s->near_number = sim->contacts.near.number;
    lane->gathered_at_once = lane->by_ball = false;
    if (!done)
        return false;
    return !s->n_ended || !(e->accepted || e->momentary) || scree_parted_account(e, list, s, lane);
}
