/* SPDX-License-Identifier: Apache-2.0 */
/* Fills the buffers of a lane with inputs of resolvers and laws. Inline, because each batch
 * (batch.c) and each ended contact (contact_ends.c) calls it. */
#ifndef CORE_BATCH_FILL_H
#define CORE_BATCH_FILL_H

#include <string.h>

#include "base/arrays.h"
#include "engine/lane.h"

/** Finds d for pairs across a periodic boundary: x_b - x_a + the sum of s[k] vector[k] with whole s
 * (determinism.md, S4). `tilted` is a constant, so that a brick has a loop of its own. */
static inline void scree_candidates_shift(const scree_world *w, const scree_segment *s, uint32_t p0,
                                          uint32_t n, scree_lane *lane, const bool tilted)
{
    for (uint32_t p = 0; p < n; p++) {
        uint32_t a = s->a[p0 + p], b = s->b[p0 + p];
        int32_t cells[3];
        double by[3];
        scree_shift_unpack(s->shift[p0 + p], cells); // from row to column
        int32_t sign = a <= b ? 1 : -1;
        for (int k = 0; k < 3; k++)
            cells[k] = sign * cells[k] + w->image[k][b] - w->image[k][a];
        if (tilted)
            scree_shift(&w->cell, cells, by);
        for (int k = 0; k < 3; k++)
            lane->d[k][p] += tilted ? by[k] : cells[k] * w->cell.vector[k][k];
    }
}

enum { SCREE_FIT_IN_CACHE = 4096 }; /* bodies, each with 160 bytes of mirrors and wrench */

/** Gathers distances and radii of n pairs from p0 on. */
static inline void scree_candidates_gather(const scree_sim *sim, const scree_list *list,
                                           const scree_segment *s, uint32_t p0, uint32_t n,
                                           scree_lane *lane)
{
    const scree_world *w = sim->world;
    sim->kernels->candidates(n, s->n_pairs - p0 - n, s->a + p0, s->b + p0, w->ball,
                             w->n > SCREE_FIT_IN_CACHE, lane->d, lane->radius[0], lane->radius[1]);
    lane->pair_radius[0] = lane->radius[0];
    lane->pair_radius[1] = list->is_flat ? lane->no_radius : lane->radius[1];
    if (s->shift && w->slant > 0.0)
        scree_candidates_shift(w, s, p0, n, lane, true);
    else if (s->shift)
        scree_candidates_shift(w, s, p0, n, lane, false);
}

/** Gathers the committed fields of the lane's n contacts, `matched` of which have history, after their
 * history is matched. */
static inline void scree_fields_gather(const scree_sim *sim, const scree_list *list,
                                       const scree_segment *s, uint32_t base, uint32_t n,
                                       uint32_t matched, scree_lane *lane)
{
    const scree_table *t = &s->table[sim->contacts.committed];
    uint32_t first = lane->old[0];
    // n ascending numbers span n: the batch has the contacts of the table, in the same places
    bool same = (list->one || lane->in_place) && matched == n && lane->old[n - 1] - first == n - 1;
    for (uint32_t f = 0; f < sim->plugins.contact.n_fields; f++) {
        lane->fields[f] = same ? t->field[f] + first : lane->in[f];
        if (!same && !list->one) // otherwise they are gathered already
            sim->kernels->pick_or(n, lane->old, sim->plugins.contact.initial[f], t->field[f],
                                  lane->in[f]);
    }
    for (uint32_t f = 0; f < sim->plugins.contact.n_pair_fields; f++)
        sim->kernels->pick(n, lane->found.pair, s->pair_field[sim->contacts.committed][f] + base,
                           lane->in[sim->plugins.contact.n_fields + f]);
    if (sim->plugins.contact.n_pair_fields)
        for (uint32_t c = 0; c < n; c++)
            lane->pair_fresh[c] = !s->alive[sim->contacts.committed][base + lane->found.pair[c]];
    if (sim->plugins.contact.any_keep)
        for (uint32_t c = 0; c < n; c++)
            lane->keep[c] = lane->old[c] == SCREE_NONE ? 0 : t->keep[lane->old[c]];
}

/** Marks the n pairs from p on without committed fields of the resolver, and gives them
 * `initial`. */
static inline void scree_candidates_fresh(const scree_sim *sim, const scree_list *list,
                                          const scree_segment *s, uint32_t p, uint32_t n,
                                          scree_lane *lane, const double **in)
{
    const uint8_t *alive = s->alive[sim->contacts.committed] + p;
    for (uint32_t k = 0; k < n; k++)
        lane->unknown[k] = !alive[k];
    if (!sim->plugins.contact.any_unset)
        return;
    for (uint32_t f = 0; f < list->n_pair_fields; f++) {
        double *to = lane->pair_in[list->first_pair_field + f];
        for (uint32_t k = 0; k < n; k++) {
            bool unset = scree_is_unset(in[f][k]);
            to[k] =
                unset ? sim->plugins.contact.pair_initial[list->first_pair_field + f] : in[f][k];
            lane->unknown[k] |= unset;
        }
        in[f] = to;
    }
}

/** Fills the resolver's inputs for the n gathered pairs from p0 on, except the first `done`. */
static inline void scree_candidates_fill(const scree_sim *sim, const scree_list *list,
                                         const scree_segment *s, uint32_t p0, uint32_t done,
                                         uint32_t n, scree_lane *lane, const double **in,
                                         double **out, scree_candidates *candidates)
{
    uint32_t p = p0 + done;
    *candidates = (scree_candidates){
        .size = sizeof *candidates,
        .lane = (uint32_t)(lane - sim->plugins.contact.lanes),
        .n = n - done,
        .type_a = list->type_a,
        .type_b = list->type_b,
        .hint_bytes = list->hint_bytes,
        .a = s->a + p,
        .b = s->b + p,
        .d = {lane->d[0] + done, lane->d[1] + done, lane->d[2] + done},
        .radius_a = lane->pair_radius[0] + done,
        .radius_b = lane->pair_radius[1] + done,
        .first = s->first ? s->first + p : NULL,
        .part_a = s->part_a,
        .part_b = s->part_b,
        .keep = s->keep ? s->keep + p : NULL,
        .range = sim->plugins.contact.range,
        .bodies = &sim->view,
    };
    if (list->hint_bytes)
        candidates->hints = s->hints + (s->first ? 0 : (size_t)p * list->hint_bytes);
    for (uint32_t f = 0; f < list->n_pair_fields; f++) {
        in[f] = s->pair_field[sim->contacts.committed][list->first_pair_field + f] + p;
        out[f] = s->pair_field[1 - sim->contacts.committed][list->first_pair_field + f] + p;
    }
    if (list->n_pair_fields)
        scree_candidates_fresh(sim, list, s, p, n - done, lane, in);
    candidates->fresh = list->n_pair_fields ? lane->unknown : NULL;
    candidates->in = list->n_pair_fields ? in : NULL;
    candidates->out = list->n_pair_fields ? out : NULL;
}

/** Sets the arrays of quantities that plugins ask for; those that are not given are 0. */
static inline void scree_contacts_fill_asked(const scree_list *list, const scree_lane *lane,
                                             uint32_t at, scree_contacts *contacts)
{
    for (const scree_quantity *q = scree_quantities; q->by == SCREE_BY_RESOLVER; q++) {
        const uint32_t n = list->asks & q->gives ? q->n : 0;
        for (uint32_t k = 0; k < n; k++) {
            char *array = (char *)scree_quantity_array(&lane->found, q, k) + (size_t)at * q->width;
            if (list->gives & q->gives)
                scree_array_set((char *)contacts + q->at + k * sizeof(void *), array);
            else
                memset(array, 0, (size_t)contacts->capacity * q->width);
        }
    }
}

/** Sets the arrays that a resolver fills in the lane, with room for `capacity` contacts from
 * contact `at` on. */
static inline void scree_contacts_fill(const scree_list *list, scree_lane *lane, uint32_t at,
                                       uint32_t capacity, scree_contacts *contacts)
{
    *contacts = (scree_contacts){
        .size = sizeof *contacts,
        .capacity = capacity,
        .pair = lane->found.pair + at,
        .normal = {lane->found.normal[0] + at, lane->found.normal[1] + at,
                   lane->found.normal[2] + at},
        .depth = lane->found.depth + at,
        .arm = {lane->found.arm[0] + at, lane->found.arm[1] + at, lane->found.arm[2] + at},
        .feature = list->one ? NULL : lane->found.feature + at,
        .continues = list->one ? NULL : lane->found.continues + at,
    };
    if (list->asks)
        scree_contacts_fill_asked(list, lane, at, contacts);
    if (!list->one)
        for (uint32_t c = at; c < at + capacity; c++)
            lane->found.continues[c] = SCREE_FEATURE_SAME;
}

#endif
