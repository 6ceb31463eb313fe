/* SPDX-License-Identifier: Apache-2.0 */
/* The batches of a segment: candidates to contacts. */
#include "engine/batch.h"

#include <inttypes.h>
#include <string.h>

#include "engine/balls.h"
#include "engine/batch_fill.h"
#include "engine/batch_finish.h"
#include "engine/contact_ends.h"
#include "engine/contacts.h"
#include "engine/extent.h"
#include "engine/near.h"
#include "engine/resolve.h"
#include "engine/tight_boxes.h"

/*
 * Pairs of bodies become candidates of the resolver, and its contacts are finished
 * (batch_finish.c). A batch of clumps is some pairs of bodies with all of their balls, which are
 * asked about in as many calls as they need. A pair field lives from the first to the last accepted
 * state in which the tight boxes of its pair overlap.
 */

/* ---- pair fields ---- */

/** Keeps pair fields of pairs that the law does not see, and resets those whose tight boxes no
 * longer overlap. */
static void keep_pair_fields(const scree_sim *sim, const scree_list *list, scree_segment *s,
                             uint32_t p0, uint32_t n)
{
    uint32_t c = sim->contacts.committed;
    for (uint32_t p = p0; p < p0 + n; p++)
        for (uint32_t f = 0; f < sim->plugins.contact.n_pair_fields; f++)
            if (f < list->first_pair_field || f >= list->first_pair_field + list->n_pair_fields)
                s->pair_field[1 - c][f][p] = s->pair_field[c][f][p];
}

/** Returns whether the ball around a part of a reaches the solid side of a plane, which has no box;
 * d: from x_a to a point of its surface. */
static bool reaches(const scree_world *w, uint32_t body, uint32_t plane, const double d[3],
                    const scree_tight *t)
{
    double normal[3], height = 0.0;
    scree_plane_normal(w, plane, normal);
    for (int k = 0; k < 3; k++)
        height += (t->centre[k] - w->x[k][body]) * normal[k];
    return height - (d[0] * normal[0] + d[1] * normal[1] + d[2] * normal[2]) <= t->radius;
}

/** Returns whether the tight boxes of a pair overlap now: 0, 1, or -1 after a failed call; d: x_b -
 * x_a + s L. */
static int tight_pair(const scree_sim *sim, const scree_segment *s, uint32_t p, const double d[3],
                      scree_lane *lane)
{
    const scree_world *w = sim->world;
    uint32_t first = s->first ? s->first[p] : 0, last = s->first ? s->first[p + 1] : 1;
    for (uint32_t k = first; k < last; k++) {
        scree_tight a, b;
        if (!scree_tight_of(w, s->a[p], s->first ? s->part_a[k] : 0, &a, scree_lane_error(lane)))
            return -1;
        if (s->b[p] >= scree_world_first_plane(w)) {
            if (reaches(w, s->a[p], s->b[p], d, &a))
                return 1;
            continue;
        }
        if (!scree_tight_of(w, s->b[p], s->first ? s->part_b[k] : 0, &b, scree_lane_error(lane)))
            return -1;
        bool meet = true;
        for (int axis = 0; axis < 3; axis++) {
            double by = d[axis] - (w->x[axis][s->b[p]] - w->x[axis][s->a[p]]);
            meet = meet && a.lo[axis] <= b.hi[axis] + by && b.lo[axis] + by <= a.hi[axis];
        }
        if (meet)
            return 1;
    }
    return 0;
}

/** Settles pair fields. False: a call failed, and the lane has the error. */
static bool settle_pair_fields(const scree_sim *sim, scree_segment *s, uint32_t p0, uint32_t n,
                               scree_lane *lane)
{
    uint32_t next = 1 - sim->contacts.committed;
    for (uint32_t p = p0; p < p0 + n; p++) {
        double d[3] = {lane->d[0][p - p0], lane->d[1][p - p0], lane->d[2][p - p0]};
        const int alive = tight_pair(sim, s, p, d, lane);
        if (alive < 0)
            return false;
        s->alive[next][p] = (uint8_t)alive;
        if (alive)
            continue;
        for (uint32_t f = 0; f < sim->plugins.contact.n_pair_fields; f++)
            s->pair_field[next][f][p] = sim->plugins.contact.pair_initial[f];
    }
    return true;
}

/* ---- batches ---- */

/** Asks the resolver about candidates, with room in the lane from contact `at` on, and checks the
 * answers. *finished: the number of candidates that it has finished. */
static bool ask_resolver(const scree_evaluation *e, const scree_list *list, scree_segment *s,
                         const scree_candidates *in, uint32_t at, scree_contacts *found,
                         uint32_t *finished, scree_lane *lane)
{
    *finished = 0;
    if (scree_resolve(e, list, in, at, found, finished, lane) &&
        scree_batch_check(e->sim, list, s, in, found, *finished, lane))
        return true;
    scree_lane_suspect_shapes(in, lane);
    return false;
}

/** Processes a batch of pairs: calls the resolver, then finishes its contacts. */
static bool process_batch(const scree_evaluation *e, scree_list *list, scree_segment *s,
                          uint32_t p0, uint32_t n, bool local, uint64_t *cursor, scree_lane *lane)
{
    scree_sim *sim = e->sim;
    const double *in[SCREE_MAX_PAIR_FIELDS];
    double *out[SCREE_MAX_PAIR_FIELDS];
    scree_candidates_gather(sim, list, s, p0, n, lane);
    if (sim->plugins.contact.n_pair_fields)
        keep_pair_fields(sim, list, s, p0, n);
    for (uint32_t done = 0; done < n;) {
        scree_candidates candidates;
        scree_contacts contacts;
        uint32_t finished;
        scree_candidates_fill(sim, list, s, p0, done, n, lane, in, out, &candidates);
        if (!ask_resolver(e, list, s, &candidates, 0, &contacts, &finished, lane))
            return false;
        if (done)
            for (uint32_t c = 0; c < contacts.n; c++)
                lane->found.pair[c] += done;
        scree_lane_book(lane, &lane->resolve_ticks);
        if (!scree_batch_finish(e, list, s, p0, p0 + done + finished, contacts.n, local, cursor,
                                lane))
            return false;
        done += finished;
    }
    return !sim->plugins.contact.n_pair_fields || settle_pair_fields(sim, s, p0, n, lane);
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
    uint32_t finished;
    const uint32_t n_near = scree_near_list(sim, s, p0, n, cursor, lane, &near);
    in.n = kernel->gather_near(n_near, near, s->a + p0, s->b + p0, w->ball, calls ? w->twist : NULL,
                               calls ? w->wrench : NULL, in.range, lane->near, lane->a, lane->b, d,
                               radius);
    if (!ask_resolver(e, list, s, &in, 0, &found, &finished, lane))
        return false;
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

/* ---- clumps ---- */

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
        uint32_t finished;
        scree_balls_fill(sim, list, s, *done, lane, &candidates);
        if (!ask_resolver(e, list, s, &candidates, *n, &contacts, &finished, lane))
            return false;
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
    for (; n_contacts && lane->found.pair[n_contacts - 1] >= *n; n_contacts--)
        s->n_touching -= lane->found.depth[n_contacts - 1] >= 0.0;
    if (sim->plugins.contact.n_pair_fields)
        keep_pair_fields(sim, list, s, p0, *n);
    scree_lane_book(lane, &lane->resolve_ticks);
    return scree_batch_finish(e, list, s, p0, p0 + *n, n_contacts, local, cursor, lane) &&
           (!sim->plugins.contact.n_pair_fields || settle_pair_fields(sim, s, p0, *n, lane));
}

/* ---- segments ---- */

/** Begins a segment. */
static void begin_segment(const scree_sim *sim, const scree_list *list, scree_segment *s)
{
    scree_table *t = &s->table[1 - sim->contacts.committed];
    s->walk = (scree_segment_walk){.next = 0};
    s->n_loads = s->n_ended = s->n_heats = s->n_touching = 0;
    t->n = 0;
    if (!s->n_pairs)
        return;
    if (sim->contacts.erase_hints && list->hint_bytes)
        memset(s->hints, 0,
               (size_t)(s->first ? s->first[s->n_pairs] : s->n_pairs) * list->hint_bytes);
    scree_table_reserve(sim, t, list->single, 64);
}

/** Processes batches up to the end of the segment, or until enough(user); NULL: up to the end. */
static bool process_batches(const scree_evaluation *e, scree_list *list, scree_segment *s,
                            bool local, bool (*enough)(void *user), void *user, scree_lane *lane)
{
    const scree_sim *sim = e->sim;
    const bool clumps = scree_list_has_clumps(list);
    const bool skips =
        s->near_number == sim->contacts.near.number && scree_near_may_list(sim, list, s);
    uint64_t *cursor = &s->walk.committed;
    bool done = true;
    lane->booked = scree_ticks();
    lane->gathered_at_once = skips;
    lane->by_ball = clumps || skips;
    for (uint32_t p = s->walk.next, n, n_contacts; p < s->n_pairs && done; s->walk.next = p += n) {
        n = MIN(sim->contacts.batch, s->n_pairs - p);
        if (enough && enough(user))
            break;
        done = clumps ? process_clumps(e, list, s, p, &n, local, cursor, lane)
               : skips
                   ? resolve_near(e, list, s, p, &s->walk.near, &n, &n_contacts, lane) &&
                         scree_batch_finish(e, list, s, p, p + n, n_contacts, local, cursor, lane)
                   : process_batch(e, list, s, p, n, local, cursor, lane);
    }
    lane->gathered_at_once = lane->by_ball = false;
    return done;
}

bool scree_segment_begin(const scree_evaluation *e, scree_list *list, scree_segment *s,
                         bool (*enough)(void *user), void *user, scree_lane *lane)
{
    begin_segment(e->sim, list, s);
    s->walk.ahead = true;
    return process_batches(e, list, s, false, enough, user, lane);
}

bool scree_segment_process(const scree_evaluation *e, scree_list *list, scree_segment *s,
                           bool local, scree_lane *lane)
{
    if (!s->walk.ahead)
        begin_segment(e->sim, list, s);
    s->walk.ahead = false;
    return process_batches(e, list, s, local, NULL, NULL, lane) &&
           (!s->n_ended || !(e->accepted || e->momentary) ||
            scree_parted_account(e, list, s, lane));
}
