/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts the ends of boxes by heap or by insertion. Insertion is linear for lists that hardly
 * changed since the last step. After a jump, or with many new boxes, it gives up and the heap
 * continues, N log N for any list (the presort that Perkins recommends, 5.1.1.1). */
#include "sorting.h"

#include "order.h"

#define MOVES_PER_END 48u /* about the cost of a heap sort */
#define BLOCK 512u

static int comes_before(const void *a, const void *b)
{
    sorted_end x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return end_before(x, y);
}

void scree_sorting_heap(sorted_end *list, uint32_t n)
{
    heap_sort(list, sizeof *list, n, comes_before);
}

int scree_sorting_insert(sorted_end *list, uint32_t n, uint64_t budget)
{
    uint64_t moves = 0;
    for (uint32_t k = 1; k < n; k++) {
        const sorted_end e = list[k];
        uint32_t at = k;
        for (; at > 0 && end_before(e, list[at - 1]); at--)
            list[at] = list[at - 1];
        list[at] = e;
        moves += k - at;
        if (moves > budget)
            return 0;
    }
    return 1;
}

/* Finds the boxes that came. */
static void find_fresh(sorting *s)
{
    const scree_boxes *b = &s->boxes;
    uint32_t n_used = 0;
    s->n_fresh = 0;
    if (b->n > s->n_slots)
        memset(s->used + s->n_slots, 0, b->n - s->n_slots);
    for (uint32_t i = 0; i < b->n; i++) {
        const uint8_t used = (uint8_t)!scree_box_empty(b, i);
        s->fresh[s->n_fresh] = i;
        s->n_fresh += (uint32_t)(used & !s->used[i]);
        s->used[i] = used;
        n_used += used;
    }
    s->n_slots = b->n;
    s->n = n_used << s->both;
}

/* Drops the ends of boxes that went, appends those that came, reads the coordinates. */
static void refresh(const sorting *s, uint32_t axis)
{
    const double *lo = s->boxes.lo[axis], *hi = s->boxes.hi[axis];
    sorted_end *list = s->list[axis];
    uint32_t n = 0;
    for (uint32_t k = 0; k < s->listed[axis]; k++) {
        const uint32_t tag = list[k].tag, i = tag & ~UPPER_END;
        if (i < s->n_slots && s->used[i])
            list[n++] = (sorted_end){sort_key(tag & UPPER_END ? hi[i] : lo[i]), tag, 0};
    }
    for (uint32_t k = 0; k < s->n_fresh; k++) {
        const uint32_t i = s->fresh[k];
        list[n++] = (sorted_end){sort_key(lo[i]), i, 0};
        if (s->both)
            list[n++] = (sorted_end){sort_key(hi[i]), i | UPPER_END, 0};
    }
}

/* Four at a time, because one maximum waits for the other. */
double scree_sorting_widest(uint32_t n, const double *SCREE_RESTRICT lo,
                            const double *SCREE_RESTRICT hi)
{
    double most[4] = {0.0, 0.0, 0.0, 0.0};
    uint32_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (uint32_t k = 0; k < 4; k++)
            most[k] = scree_max(hi[i + k] - lo[i + k], most[k]);
    for (; i < n; i++)
        most[0] = scree_max(hi[i] - lo[i], most[0]);
    const double widest = scree_max(scree_max(most[0], most[1]), scree_max(most[2], most[3]));
    return widest * (1.0 + 1e-9); // differences are rounded
}

void scree_sorting_sort(const sorting *s, sorted_end *list, uint32_t n, int fresh)
{
    if (s->heap || fresh || !scree_sorting_insert(list, n, (uint64_t)MOVES_PER_END * n))
        scree_sorting_heap(list, n);
}

static int32_t refresh_axes(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const sorting *s = user;
    (void)lane;
    for (uint64_t k = begin; k < end; k++)
        refresh(s, (uint32_t)k);
    return SCREE_OK;
}

static int32_t sort_axes(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    sorting *s = user;
    (void)lane;
    for (uint64_t k = begin; k < end; k++) {
        refresh(s, (uint32_t)k);
        scree_sorting_sort(s, s->list[k], s->n, s->listed[k] == 0);
        s->listed[k] = s->n;
        s->widest[k] = scree_sorting_widest(s->n_slots, s->boxes.lo[k], s->boxes.hi[k]);
    }
    return SCREE_OK;
}

/* Puts the boxes around bounding spheres in place of the boxes. 0: no memory. */
static int take_spheres(sorting *s)
{
    const scree_boxes b = s->boxes;
    for (uint32_t k = 0; k < s->axes; k++) {
        for (uint32_t e = 0; e < 2; e++)
            if (!scree_grow(&s->around[k][e], &s->room_around[k][e], b.n, sizeof(double)))
                return 0;
        double *lo = s->around[k][0], *hi = s->around[k][1];
        for (uint32_t i = 0; i < b.n; i++) {
            const int empty = scree_box_empty(&b, i);
            lo[i] = empty ? b.lo[k][i] : scree_min(b.lo[k][i], b.centre[k][i] - b.radius[i]);
            hi[i] = empty ? b.hi[k][i] : scree_max(b.hi[k][i], b.centre[k][i] + b.radius[i]);
        }
        s->boxes.lo[k] = lo;
        s->boxes.hi[k] = hi;
    }
    return 1;
}

int32_t scree_sorting_update(sorting *s, const scree_boxes *boxes)
{
    const uint64_t n_ends = (uint64_t)boxes->n << s->both;
    if (boxes->n > MOST_BOXES)
        return scree_failf(s->host, SCREE_E_CAPACITY, "%u boxes: at most %u can be sorted",
                           boxes->n, MOST_BOXES);
    scree_boxes_keep(&s->boxes, boxes);
    s->axes = boxes->dimension;
    int room = scree_grow(&s->fresh, &s->room[3], (uint64_t)boxes->n + 1, sizeof *s->fresh) &&
               scree_grow(&s->used, &s->room[4], boxes->n, sizeof *s->used);
    for (uint32_t k = 0; k < s->axes; k++)
        room = room && scree_grow(&s->list[k], &s->room[k], n_ends, sizeof *s->list[k]);
    if (!room || (s->spheres && !take_spheres(s)))
        return scree_failf(s->host, SCREE_E_MEMORY, "out of memory for %u boxes", boxes->n);
    find_fresh(s);
    const int whole = (s->pieces ? s->pieces : s->host->lanes) < 2;
    const int32_t status =
        s->host->parallel_for(s->host->ctx, 0, s->axes, 1, whole ? sort_axes : refresh_axes, s);
    return whole || status != SCREE_OK ? status : scree_sorting_split(s);
}

static int32_t rank_axes(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    sorting *s = user;
    (void)lane;
    for (uint64_t k = begin; k < end; k++)
        for (uint32_t at = 0; at < s->n; at++) {
            const uint32_t tag = s->list[k][at].tag;
            s->rank[k][tag >> 31][tag & ~UPPER_END] = at;
        }
    return SCREE_OK;
}

int32_t scree_sorting_rank(sorting *s)
{
    int room = 1;
    for (uint32_t r = 0; r < 2 * s->axes; r++)
        room = room && scree_grow(&s->rank[r / 2][r % 2], &s->room_rank[r / 2][r % 2], s->n_slots,
                                  sizeof(uint32_t));
    if (!room)
        return scree_failf(s->host, SCREE_E_MEMORY, "out of memory for %u boxes", s->n_slots);
    return s->host->parallel_for(s->host->ctx, 0, s->axes, 1, rank_axes, s);
}

void scree_sorting_clear(sorting *s)
{
    s->n = s->n_slots = s->n_fresh = 0;
    for (uint32_t k = 0; k < 3; k++)
        s->listed[k] = 0;
}

void scree_sorting_free(sorting *s)
{
    for (uint32_t k = 0; k < 3; k++) {
        free(s->list[k]);
        free(s->split.spare[k]);
    }
    for (uint32_t r = 0; r < 6; r++) {
        free(s->rank[r / 2][r % 2]);
        free(s->around[r / 2][r % 2]);
    }
    free(s->fresh);
    free(s->used);
}

uint64_t scree_sorting_bytes(const sorting *s)
{
    uint64_t n_ends = 0;
    for (uint32_t k = 0; k < 3; k++)
        n_ends += s->room[k] + s->split.room[k];
    uint64_t words = s->room[3];
    for (uint32_t r = 0; r < 6; r++)
        words += s->room_rank[r / 2][r % 2] + 2 * s->room_around[r / 2][r % 2];
    return n_ends * sizeof(sorted_end) + words * sizeof(uint32_t) + s->room[4];
}

uint32_t scree_sorting_upto(const sorting *s, uint32_t axis, uint32_t first, double x)
{
    const uint64_t key = sort_key(x);
    const sorted_end *list = s->list[axis];
    uint32_t last = s->n;
    while (first < last) {
        uint32_t mid = first + (last - first) / 2;
        if (list[mid].key <= key)
            first = mid + 1;
        else
            last = mid;
    }
    return first;
}

uint32_t scree_sorting_before(const sorting *s, uint32_t axis, double x)
{
    const uint64_t key = sort_key(x);
    const sorted_end *list = s->list[axis];
    uint32_t first = 0, last = s->n;
    while (first < last) {
        const uint32_t mid = first + (last - first) / 2;
        if (list[mid].key < key)
            first = mid + 1;
        else
            last = mid;
    }
    return first;
}

int32_t scree_sorting_objects(const sorting *s, const scree_zone *zone, scree_index_sink *sink)
{
    const sorted_end *list = s->list[0];
    uint32_t first = 0, n = s->n;
    for (uint32_t k = 0; k < s->axes; k++) {
        const double lowest = zone->lo[k] - s->widest[k]; // not a number if both are infinite
        const uint32_t before = lowest > -HUGE_VAL ? scree_sorting_before(s, k, lowest) : 0;
        const uint32_t upto = scree_sorting_upto(s, k, before, zone->hi[k]);
        if (upto - before < n - first) {
            list = s->list[k];
            first = before;
            n = upto;
        }
    }
    for (uint32_t from = first; from < n; from += BLOCK) {
        const uint32_t end = n - from < BLOCK ? n : from + BLOCK;
        uint32_t lower[BLOCK], n_lower = 0;
        for (uint32_t p = from; p < end; p++) {
            lower[n_lower] = list[p].tag;
            n_lower += !(list[p].tag & UPPER_END);
        }
        const int32_t status = scree_objects_of(&s->boxes, zone, lower, n_lower, sink);
        if (status != SCREE_OK)
            return status;
    }
    return SCREE_OK;
}
