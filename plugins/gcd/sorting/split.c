/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorts the lists of ends in pieces, on all lanes, by merge-splitting.
 *
 * Sources  O'Connor, R. M. (1996): thesis, MIT, section 7.1.1 (after Akl).
 * Steps    1. Each of P pieces is sorted.
 *          2. ceil(P / 2) double phases: pieces 0 and 1, 2 and 3, .. meet, then 1 and 2, 3 and 4,
 *             .. One of the two takes the lower ends of both, the other one the upper ends.
 *
 *             7 8 | 5 6 | 3 4 | 1 2   ->   5 6 | 7 8 | 1 2 | 3 4   ->   5 6 | 1 2 | 7 8 | 3 4  ..
 *
 *          The order of the ends is total, so the result is the same for any P.
 * Deviations  Step (d) of the source sends P(2i-1) to P(2i), which loses keys; here P(2i+1) and
 *          P(2i) meet. P and the number of ends may be any, the last pieces are shorter: as if
 *          the list were filled up with ends at infinity. Two pieces that are in order stay as they
 *          are, and when no piece has changed in a double phase the list is sorted: lists that hardly
 *          changed need one pass. Each piece is in the list or in a second array, and goes to the
 *          other one when it is merged.
 */
#include "sorting.h"

typedef struct piece {
    sorted_end *at, *other; // where it is, and where it goes when it is merged
    uint32_t n;
} piece;

static piece piece_of(const sorting *s, uint32_t axis, uint32_t p)
{
    const split_lists *t = &s->split;
    const uint64_t first = (uint64_t)p * t->size, end = first + t->size;
    const uint64_t from = first < s->n ? first : s->n, to = end < s->n ? end : s->n;
    sorted_end *list = s->list[axis] + from, *spare = t->spare[axis] + from;
    const int there = t->in_spare[axis][p];
    return (piece){there ? spare : list, there ? list : spare, (uint32_t)(to - from)};
}

static int32_t sort_pieces(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    sorting *s = user;
    split_lists *t = &s->split;
    (void)lane;
    for (uint64_t k = begin; k < end; k++) {
        const uint32_t axis = (uint32_t)k / t->n, p = (uint32_t)k % t->n;
        const uint32_t from = (uint32_t)((uint64_t)s->n_slots * p / t->n);
        const uint32_t to = (uint32_t)((uint64_t)s->n_slots * (p + 1) / t->n);
        t->in_spare[axis][p] = 0;
        const piece own = piece_of(s, axis, p);
        scree_sorting_sort(s, own.at, own.n, s->listed[axis] == 0);
        t->widest[axis][p] =
            scree_sorting_widest(to - from, s->boxes.lo[axis] + from, s->boxes.hi[axis] + from);
    }
    return SCREE_OK;
}

/* The lower ends of both, as many as `a` has. */
static void take_lower(const piece *a, const piece *b)
{
    const sorted_end *x = a->at, *y = b->at, *y_end = y + b->n;
    for (sorted_end *to = a->other; to < a->other + a->n; to++) // x never ends first
        *to = y < y_end && end_before(*y, *x) ? *y++ : *x++;
}

/* The upper ends of both, as many as `b` has. */
static void take_upper(const piece *a, const piece *b)
{
    const sorted_end *x = a->at + a->n, *y = b->at + b->n;
    for (sorted_end *to = b->other + b->n; to > b->other;)
        *--to = x > a->at && end_before(y[-1], x[-1]) ? *--x : *--y;
}

static int32_t merge_pieces(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    sorting *s = user;
    split_lists *t = &s->split;
    (void)lane;
    for (uint64_t k = begin; k < end; k++) {
        const uint32_t axis = (uint32_t)k / t->n, p = (uint32_t)k % t->n;
        const int upper = (p + t->first) % 2 != 0;
        const uint32_t partner = upper ? p - 1 : p + 1; // piece 0 has none before it: UINT32_MAX
        t->merged[axis][p] = 0;
        if (partner >= t->n)
            continue;
        const piece a = piece_of(s, axis, upper ? partner : p);
        const piece b = piece_of(s, axis, upper ? p : partner);
        if (!a.n || !b.n || !end_before(b.at[0], a.at[a.n - 1]))
            continue;
        t->merged[axis][p] = 1;
        if (upper)
            take_upper(&a, &b);
        else
            take_lower(&a, &b);
    }
    return SCREE_OK;
}

/* Notes where the pieces are after a phase; returns how many have changed. */
static uint32_t turn_over(sorting *s)
{
    split_lists *t = &s->split;
    uint32_t n = 0;
    for (uint32_t axis = 0; axis < s->axes; axis++)
        for (uint32_t p = 0; p < t->n; p++) {
            t->in_spare[axis][p] ^= t->merged[axis][p];
            n += t->merged[axis][p];
        }
    return n;
}

static int32_t bring_back(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    sorting *s = user;
    (void)lane;
    for (uint64_t k = begin; k < end; k++) {
        const uint32_t axis = (uint32_t)k / s->split.n, p = (uint32_t)k % s->split.n;
        const piece own = piece_of(s, axis, p);
        if (s->split.in_spare[axis][p])
            memcpy(own.other, own.at, own.n * sizeof *own.at);
    }
    return SCREE_OK;
}

int32_t scree_sorting_split(sorting *s)
{
    const scree_host *host = s->host;
    split_lists *t = &s->split;
    t->n = s->pieces ? s->pieces : host->lanes;
    t->size = (uint32_t)(((uint64_t)s->n + t->n - 1) / t->n);
    for (uint32_t k = 0; k < s->axes; k++)
        if (!scree_grow(&t->spare[k], &t->room[k], s->n, sizeof *t->spare[k]))
            return scree_failf(host, SCREE_E_MEMORY, "out of memory for %u boxes", s->n_slots);
    const uint64_t n = (uint64_t)s->axes * t->n;
    int32_t status = host->parallel_for(host->ctx, 0, n, 1, sort_pieces, s);
    uint32_t changed = 1;
    for (uint32_t phase = 0; phase < (t->n + 1) / 2 && changed && status == SCREE_OK; phase++) {
        changed = 0;
        for (t->first = 0; t->first < 2 && status == SCREE_OK; t->first++) {
            status = host->parallel_for(host->ctx, 0, n, 1, merge_pieces, s);
            changed += turn_over(s);
        }
    }
    for (uint32_t k = 0; k < s->axes; k++) {
        s->listed[k] = s->n;
        s->widest[k] = 0.0;
        for (uint32_t p = 0; p < t->n; p++)
            s->widest[k] = scree_max(s->widest[k], t->widest[k][p]);
    }
    return status == SCREE_OK ? host->parallel_for(host->ctx, 0, n, 1, bring_back, s) : status;
}
