/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Global contact detection by sorted lists of box ends that are kept, and a set of pairs that is
 * changed where two ends change places.
 *
 * Sources  [1] Schinner, A. (1999): Granular Matter 2, 35-43, section 3.3, tables 1 to 3 (the
 *          incremental sort and update). [2] Baraff, D. (1992): thesis, Cornell University (the
 *          sorted ends of boxes, updated by insertion sort).
 * Idea     Between two steps a box's ends pass few others. Per axis one list holds the lower and
 *          upper ends of all boxes, sorted. Insertion sort on the nearly sorted list exchanges just
 *          those ends that passed each other, and only there can a pair begin or cease:
 *
 *              ... upper(a) lower(b) ...  ->  ... lower(b) upper(a) ...   may begin: test, add
 *              ... lower(b) upper(a) ...  ->  ... upper(a) lower(b) ...   ceased: remove
 *
 * Steps    1. Start: sort all lists, sweep along the axis on which the fewest pairs overlap.
 *          2. All moved: new keys, one insertion sort per axis. With a list of moved boxes: only
 *             their ends are moved to their places, the leading end first, because the other order
 *             jams on the box's own end when it jumps further than its width.
 *          3. Whether a pair begins is judged by the new boxes of both on all axes, never by
 *             half-sorted lists; adding and removing are idempotent.
 *          4. Pairs are side by side in an array, and are found by a hash table (linear probing)
 *             and, per box, by a chain. Pivots: blocks of pairs, or the moved boxes and their
 *             chains.
 *          5. Equal keys: lower ends before upper ones, as boxes are closed. An empty slot has both
 *             ends at infinity, the upper one before the lower: its box overlaps none.
 * Cost     O(N + exchanges), with a list O(moved + exchanges): nothing moved costs nothing. In a
 *          dense bed a step by one width exchanges O(N^(2/3)) in 3D, O(N^(1/2)) in 2D. Memory: 88
 *          bytes per box, 40 per box and axis, 32 to 80 per pair. The exchanges are serial, as all
 *          axes share the set; pairs are emitted by all lanes.
 * Deviations  A reversal of all boxes (figure 6 of [1]) costs N^2 exchanges; when exchanges exceed
 *          the cost of a new start (a quarter of the pairs that the last one swept) plus
 *          `exchanges` per box, the step starts again by sort and sweep, O(N log N + overlaps on
 *          one axis). Boxes come and go by way of infinity instead of rebuilding the lists.
 * Limits   Long flat beds of one height, or a wall along all boxes, have many ends side by side on
 *          one axis. find_objects looks at the boxes whose lower ends on one axis lie between the
 *          zone's upper end and one widest box before its lower end: many if one is wide.
 */
#include <scree/gcd_sdk.h>

#define DEAR 4u     /* tests of a start that cost as much as an exchange */
#define BLOCK 1024u /* pairs per pivot */

typedef struct settings {
    int64_t exchanges;
} settings;

typedef struct endpoint {
    double key;   // [m]
    uint32_t end; // 2 box + 1 for the upper end
    uint32_t unused;
} endpoint;

typedef struct box {
    double lo[3], hi[3]; // [m]
} box;

/* Pair with its places in the chains of its two boxes: a link is 2 pair + side. */
typedef struct record {
    uint32_t id[2], next[2], prev[2];
} record;

typedef struct sort_update {
    const scree_host *host;
    const settings *config;
    scree_boxes boxes;
    const uint32_t *moved; // moved boxes of the step; NULL: all
    int chains;            // 1: pivots are the moved boxes; 0: blocks of pairs
    uint32_t n, axes, n_pairs;
    int sorted, placed; // sorted: the lists hold an earlier step; placed: `place` fits the lists
    uint32_t step;      // value for `stamp` in this step
    uint64_t left;      // exchanges left until the step is given up
    uint64_t swept;     // pairs that overlap on the axis of the last start
    uint64_t room[12], slots;
    double widest[3];   // [m] width of the widest box since init
    box *box;           // [n] of this step
    endpoint *list[3];  // [2 n]
    endpoint *spare;    // [2 n] for the sort
    uint32_t *place[3]; // [2 n] place of each end in its list
    uint32_t *chain;    // [n] first link of each box
    uint32_t *stamp;    // [n] step in which it was in the list of moved boxes
    record *pairs;
    uint32_t *table; // [slots] pair + 1; 0: free
} sort_update;

/* ---- the set of pairs ---- */

static uint64_t mix(uint32_t a, uint32_t b)
{
    uint64_t h = ((uint64_t)a << 32 | b) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 32;
}

/* The slot of pair a < b, or the free one where it belongs. */
static uint64_t find_slot(const sort_update *s, uint32_t a, uint32_t b)
{
    const uint64_t mask = s->slots - 1;
    uint64_t k = mix(a, b) & mask;
    for (; s->table[k]; k = (k + 1) & mask) {
        const record *r = &s->pairs[s->table[k] - 1];
        if (r->id[0] == a && r->id[1] == b)
            break;
    }
    return k;
}

static void link_pair(sort_update *s, uint32_t p)
{
    record *r = &s->pairs[p];
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t *head = &s->chain[r->id[side]], self = 2 * p + side;
        r->next[side] = *head;
        r->prev[side] = SCREE_NONE;
        if (*head != SCREE_NONE)
            s->pairs[*head / 2].prev[*head % 2] = self;
        *head = self;
    }
}

static void unlink_pair(sort_update *s, uint32_t p)
{
    const record *r = &s->pairs[p];
    for (uint32_t side = 0; side < 2; side++) {
        const uint32_t next = r->next[side], prev = r->prev[side];
        if (next != SCREE_NONE)
            s->pairs[next / 2].prev[next % 2] = prev;
        if (prev != SCREE_NONE)
            s->pairs[prev / 2].next[prev % 2] = next;
        else
            s->chain[r->id[side]] = next;
    }
}

static int32_t no_memory(const sort_update *s)
{
    return s->host->fail(s->host->ctx, SCREE_E_MEMORY, "sort_update: out of memory");
}

/* Makes room for one more pair; the table is at most half full. */
static int32_t grow_set(sort_update *s)
{
    if (s->n_pairs >= INT32_MAX - 1)
        return s->host->fail(s->host->ctx, SCREE_E_MEMORY, "sort_update: more than 2^31 pairs");
    if (!scree_grow(&s->pairs, &s->room[0], (uint64_t)s->n_pairs + 1, sizeof *s->pairs))
        return no_memory(s);
    if (2 * ((uint64_t)s->n_pairs + 1) <= s->slots)
        return SCREE_OK;
    const uint64_t slots = s->slots ? 2 * s->slots : 1024;
    uint32_t *table = calloc(slots, sizeof *table);
    if (!table)
        return no_memory(s);
    free(s->table);
    s->table = table;
    s->slots = slots;
    for (uint32_t p = 0; p < s->n_pairs; p++)
        table[find_slot(s, s->pairs[p].id[0], s->pairs[p].id[1])] = p + 1;
    return SCREE_OK;
}

static int32_t add_pair(sort_update *s, uint32_t i, uint32_t j)
{
    const uint32_t a = i < j ? i : j, b = i < j ? j : i;
    int32_t status = grow_set(s);
    if (status != SCREE_OK)
        return status;
    uint64_t k = find_slot(s, a, b);
    if (s->table[k])
        return SCREE_OK;
    s->pairs[s->n_pairs] = (record){.id = {a, b}};
    link_pair(s, s->n_pairs);
    s->table[k] = ++s->n_pairs;
    return SCREE_OK;
}

/* Frees a slot; entries behind it move up to their own places. */
static void free_slot(sort_update *s, uint64_t hole)
{
    const uint64_t mask = s->slots - 1;
    for (uint64_t k = (hole + 1) & mask; s->table[k]; k = (k + 1) & mask) {
        const record *r = &s->pairs[s->table[k] - 1];
        uint64_t home = mix(r->id[0], r->id[1]) & mask;
        if (((k - home) & mask) < ((k - hole) & mask))
            continue;
        s->table[hole] = s->table[k];
        hole = k;
    }
    s->table[hole] = 0;
}

static void remove_pair(sort_update *s, uint32_t i, uint32_t j)
{
    const uint32_t a = i < j ? i : j, b = i < j ? j : i;
    if (!s->n_pairs)
        return;
    const uint64_t k = find_slot(s, a, b);
    if (!s->table[k])
        return;
    const uint32_t p = s->table[k] - 1, last = s->n_pairs - 1;
    unlink_pair(s, p);
    free_slot(s, k);
    if (p != last) {
        const uint64_t slot = find_slot(s, s->pairs[last].id[0], s->pairs[last].id[1]);
        unlink_pair(s, last);
        s->pairs[p] = s->pairs[last];
        link_pair(s, p);
        s->table[slot] = p + 1;
    }
    s->n_pairs = last;
}

static void clear_set(sort_update *s)
{
    if (s->n_pairs)
        memset(s->table, 0, s->slots * sizeof *s->table);
    if (s->n)
        memset(s->chain, 0xff, s->n * sizeof *s->chain);
    s->n_pairs = 0;
}

/* ---- the lists ---- */

static int overlap(const box *a, const box *b)
{
    int hit = 1;
    for (uint32_t k = 0; k < 3; k++)
        hit &= (a->lo[k] <= b->hi[k]) & (b->lo[k] <= a->hi[k]);
    return hit;
}

static double key_of(const sort_update *s, uint32_t axis, uint32_t end)
{
    const box *b = &s->box[end / 2];
    const double hi = b->lo[axis] <= b->hi[axis] ? b->hi[axis] : HUGE_VAL;
    return end % 2 ? hi : b->lo[axis];
}

/* Closed boxes: of equal ends the lower comes first. At infinity the upper end comes first: empty
 * slots are apart there, and their ends are exchanged when two boxes appear or disappear
 * together. */
static int is_after(const endpoint *a, const endpoint *b)
{
    const uint32_t late = a->key < HUGE_VAL; // the end that comes later
    const int tie = (a->key == b->key) & (a->end % 2 == late) & (b->end % 2 != late);
    return (a->key > b->key) | tie;
}

/* End `left` has moved to the left past end `right`. */
static int32_t exchange(sort_update *s, uint32_t left, uint32_t right)
{
    const uint32_t i = left / 2, j = right / 2;
    if (left % 2 == right % 2 || i == j)
        return SCREE_OK;
    if (left % 2)
        remove_pair(s, i, j);
    else if (overlap(&s->box[i], &s->box[j]))
        return add_pair(s, i, j);
    return SCREE_OK;
}

/* Insertion sort of one list; stops when `left` is 0. */
static int32_t update_list(sort_update *s, uint32_t axis)
{
    endpoint *list = s->list[axis];
    int32_t status = SCREE_OK;
    for (uint32_t k = 0; k < 2 * s->n; k++)
        list[k].key = key_of(s, axis, list[k].end);
    for (uint32_t k = 1; k < 2 * s->n && status == SCREE_OK && s->left; k++) {
        const endpoint e = list[k];
        uint32_t to = k;
        for (; to > 0 && is_after(&list[to - 1], &e) && status == SCREE_OK && s->left; to--) {
            list[to] = list[to - 1];
            status = exchange(s, e.end, list[to].end);
            s->left--;
        }
        list[to] = e;
    }
    return status;
}

/* Moves one end to the place of its new key. */
static int32_t move_end(sort_update *s, uint32_t axis, uint32_t end)
{
    endpoint *list = s->list[axis];
    uint32_t *place = s->place[axis], at = place[end];
    const endpoint e = {key_of(s, axis, end), end, 0};
    int32_t status = SCREE_OK;
    for (; at > 0 && is_after(&list[at - 1], &e) && status == SCREE_OK && s->left; at--) {
        list[at] = list[at - 1];
        place[list[at].end] = at;
        status = exchange(s, end, list[at].end);
        s->left--;
    }
    for (; at + 1 < 2 * s->n && is_after(&e, &list[at + 1]) && status == SCREE_OK && s->left;
         at++) {
        list[at] = list[at + 1];
        place[list[at].end] = at;
        status = exchange(s, list[at].end, end);
        s->left--;
    }
    list[at] = e;
    place[end] = at;
    return status;
}

static int32_t move_box(sort_update *s, uint32_t i)
{
    int32_t status = SCREE_OK;
    for (uint32_t axis = 0; axis < s->axes && status == SCREE_OK; axis++) {
        const uint32_t lower = 2 * i, upper = 2 * i + 1;
        const int to_right = key_of(s, axis, upper) > s->list[axis][s->place[axis][upper]].key;
        status = move_end(s, axis, to_right ? upper : lower);
        if (status == SCREE_OK)
            status = move_end(s, axis, to_right ? lower : upper);
    }
    return status;
}

static void note_places(sort_update *s)
{
    for (uint32_t axis = 0; axis < s->axes && !s->placed; axis++)
        for (uint32_t k = 0; k < 2 * s->n; k++)
            s->place[axis][s->list[axis][k].end] = k;
    s->placed = 1;
}

/* ---- start: sort and sweep ---- */

static void merge(const endpoint *from, endpoint *to, uint64_t a, uint64_t b, uint64_t end)
{
    const uint64_t middle = b;
    for (uint64_t k = a; k < end; k++) {
        const int right = a == middle || (b < end && is_after(&from[a], &from[b]));
        to[k] = from[right ? b : a];
        b += (uint64_t)right;
        a += (uint64_t)!right;
    }
}

/* Merge sort from the order of the last step. */
static void sort_list(sort_update *s, uint32_t axis)
{
    const uint64_t n = 2 * (uint64_t)s->n;
    endpoint *from = s->list[axis], *to = s->spare;
    for (uint64_t k = 0; k < n; k++)
        from[k] = (endpoint){key_of(s, axis, (uint32_t)k), (uint32_t)k, 0};
    for (uint64_t width = 1; width < n; width *= 2) {
        for (uint64_t k = 0; k < n; k += 2 * width)
            merge(from, to, k, k + width < n ? k + width : n,
                  k + 2 * width < n ? k + 2 * width : n);
        endpoint *t = from;
        from = to;
        to = t;
    }
    if (from != s->list[axis])
        memcpy(s->list[axis], from, n * sizeof *from);
}

static uint64_t count_overlaps(const sort_update *s, uint32_t axis)
{
    uint64_t count = 0, open = 0;
    for (uint32_t k = 0; k < 2 * s->n; k++) {
        const endpoint *e = &s->list[axis][k];
        count += e->end % 2 ? 0 : open;
        open += e->end % 2 ? (uint64_t)-1 : 1;
    }
    return count;
}

/* The boxes that are open at each lower end are tested against its box. `spare` holds the open
 * boxes and `place` their positions: both arrays are free until the lists are complete. */
static int32_t sweep_list(sort_update *s, uint32_t axis)
{
    uint32_t *at = s->place[axis], n_open = 0;
    endpoint *open = s->spare;
    int32_t status = SCREE_OK;
    for (uint32_t k = 0; k < 2 * s->n && status == SCREE_OK; k++) {
        const endpoint *e = &s->list[axis][k];
        const uint32_t i = e->end / 2;
        if (e->key == HUGE_VAL)
            break;
        if (e->end % 2) {
            open[at[2 * i]] = open[--n_open];
            at[open[at[2 * i]].end] = at[2 * i];
            continue;
        }
        for (uint32_t o = 0; o < n_open && status == SCREE_OK; o++)
            if (overlap(&s->box[i], &s->box[open[o].end / 2]))
                status = add_pair(s, i, open[o].end / 2);
        at[2 * i] = n_open;
        open[n_open++] = *e;
    }
    return status;
}

static int32_t start_anew(sort_update *s)
{
    uint64_t best = UINT64_MAX;
    uint32_t axis = 0;
    clear_set(s);
    for (uint32_t k = 0; k < s->axes; k++) {
        sort_list(s, k);
        uint64_t count = count_overlaps(s, k);
        axis = count < best ? k : axis;
        best = count < best ? count : best;
    }
    s->sorted = 1;
    s->placed = 0;
    s->swept = best;
    return sweep_list(s, axis);
}

/* ---- the plugin ---- */

static void destroy(void *instance)
{
    sort_update *s = instance;
    if (!s)
        return;
    for (uint32_t k = 0; k < 3; k++) {
        free(s->list[k]);
        free(s->place[k]);
    }
    free(s->box);
    free(s->spare);
    free(s->chain);
    free(s->stamp);
    free(s->pairs);
    free(s->table);
    free(s);
}

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    sort_update *s = calloc(1, sizeof *s);
    if (!s)
        return host->fail(host->ctx, SCREE_E_MEMORY, "sort_update: out of memory");
    s->host = host;
    s->config = config;
    *instance = s;
    return SCREE_OK;
}

static int32_t init(void *instance, const scree_boxes *boxes, uint32_t flags)
{
    sort_update *s = instance;
    (void)flags;
    clear_set(s);
    scree_boxes_keep(&s->boxes, boxes);
    s->n = s->sorted = s->placed = 0;
    for (uint32_t k = 0; k < 3; k++)
        s->widest[k] = 0.0;
    return SCREE_OK;
}

/* Adds slots, which begin as empty ones at the end of the lists. */
static int32_t add_slots(sort_update *s, uint32_t n)
{
    int grown = n <= INT32_MAX / 2 && scree_grow(&s->box, &s->room[1], n, sizeof *s->box) &&
                scree_grow(&s->spare, &s->room[2], 2 * (uint64_t)n, sizeof *s->spare) &&
                scree_grow(&s->chain, &s->room[3], n, sizeof *s->chain) &&
                scree_grow(&s->stamp, &s->room[4], n, sizeof *s->stamp);
    for (uint32_t k = 0; k < s->axes && grown; k++)
        grown = scree_grow(&s->list[k], &s->room[5 + k], 2 * (uint64_t)n, sizeof **s->list) &&
                scree_grow(&s->place[k], &s->room[8 + k], 2 * (uint64_t)n, sizeof **s->place);
    if (!grown)
        return no_memory(s);
    for (uint32_t i = s->n; i < n; i++) {
        s->chain[i] = SCREE_NONE;
        s->stamp[i] = 0;
    }
    for (uint32_t axis = 0; axis < s->axes; axis++)
        for (uint32_t end = 2 * s->n; end < 2 * n; end++) {
            s->list[axis][end] = (endpoint){HUGE_VAL, end ^ 1u, 0};
            s->place[axis][end ^ 1u] = end;
        }
    s->n = n;
    return SCREE_OK;
}

static void read_box(sort_update *s, uint32_t i)
{
    const int there = i < s->boxes.n && !scree_box_empty(&s->boxes, i);
    for (uint32_t k = 0; k < 3; k++) {
        s->box[i].lo[k] = there ? s->boxes.lo[k][i] : HUGE_VAL;
        s->box[i].hi[k] = there ? s->boxes.hi[k][i] : -HUGE_VAL;
        s->widest[k] = scree_max(s->box[i].hi[k] - s->box[i].lo[k], s->widest[k]);
    }
}

/* With few moved boxes each end goes to its place. */
static int32_t update_moved(sort_update *s, const uint32_t *moved, uint32_t n_moved)
{
    int32_t status = SCREE_OK;
    note_places(s);
    for (uint32_t k = 0; k < n_moved; k++)
        read_box(s, moved[k]);
    for (uint32_t k = 0; k < n_moved && status == SCREE_OK && s->left; k++)
        status = move_box(s, moved[k]);
    return status;
}

static int32_t update_all(sort_update *s)
{
    int32_t status = SCREE_OK;
    for (uint32_t i = 0; i < s->n; i++)
        read_box(s, i);
    s->placed = 0;
    for (uint32_t axis = 0; axis < s->axes && s->sorted && s->left && status == SCREE_OK; axis++)
        status = update_list(s, axis);
    return status;
}

static int32_t step_init(void *instance, const scree_boxes *boxes, const uint32_t *moved,
                         uint32_t n_moved, uint64_t *n_pivots)
{
    sort_update *s = instance;
    int32_t status = SCREE_OK;
    const int few = moved && s->sorted && boxes->n == s->boxes.n && n_moved <= boxes->n / 4;
    scree_boxes_keep(&s->boxes, boxes);
    s->axes = boxes->dimension;
    s->moved = moved;
    s->step++;
    if (boxes->n > s->n)
        status = add_slots(s, boxes->n);
    s->left = s->config->exchanges ? (uint64_t)s->config->exchanges * s->n + s->swept / DEAR : 0;
    if (moved && status == SCREE_OK)
        for (uint32_t k = 0; k < n_moved; k++)
            s->stamp[moved[k]] = s->step;
    if (status == SCREE_OK && few && n_moved)
        status = update_moved(s, moved, n_moved);
    else if (status == SCREE_OK && !few)
        status = update_all(s);
    if (status == SCREE_OK && (!s->sorted || (!s->left && !(few && !n_moved)))) {
        for (uint32_t i = 0; i < s->n; i++)
            read_box(s, i);
        status = start_anew(s);
    }
    s->chains = moved && n_moved <= boxes->n / 4;
    *n_pivots = s->chains ? n_moved : ((uint64_t)s->n_pairs + BLOCK - 1) / BLOCK;
    if (status != SCREE_OK)
        s->sorted = 0;
    return status;
}

/* Pairs of moved box i with boxes that have not moved, and with those of a higher number. */
static int32_t emit_chain(const sort_update *s, uint32_t i, scree_pair_sink *sink)
{
    uint32_t at = s->chain[i];
    while (at != SCREE_NONE) {
        scree_pair *out;
        uint64_t n = 0;
        int32_t status = sink->reserve(sink, BLOCK, &out);
        if (status != SCREE_OK)
            return status;
        for (; at != SCREE_NONE && n < BLOCK; at = s->pairs[at / 2].next[at % 2]) {
            const uint32_t j = s->pairs[at / 2].id[1 - at % 2];
            out[n] = (scree_pair){i, j};
            n += (uint64_t)((s->stamp[j] != s->step) | (i < j));
        }
        status = sink->commit(sink, n);
        if (status != SCREE_OK)
            return status;
    }
    return SCREE_OK;
}

static int32_t emit_block(const sort_update *s, uint64_t block, scree_pair_sink *sink)
{
    const uint64_t first = block * BLOCK;
    const uint64_t n = s->n_pairs - first < BLOCK ? s->n_pairs - first : BLOCK;
    scree_pair *out;
    int32_t status = sink->reserve(sink, n, &out);
    uint64_t kept = 0;
    if (status == SCREE_OK)
        for (uint64_t k = 0; k < n; k++) {
            const uint32_t *id = s->pairs[first + k].id;
            out[kept] = (scree_pair){id[0], id[1]};
            kept += !s->moved | (s->stamp[id[0]] == s->step) | (s->stamp[id[1]] == s->step);
        }
    return status == SCREE_OK ? sink->commit(sink, kept) : status;
}

static int32_t find_neighbors(void *instance, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    const sort_update *s = instance;
    int32_t status = SCREE_OK;
    for (uint64_t k = first; k < last && status == SCREE_OK; k++)
        status = s->chains ? emit_chain(s, s->moved[k], sink) : emit_block(s, k, sink);
    return status;
}

/* Number of ends of an axis before x, or, with `closed`, up to x. */
static uint32_t ends_before(const sort_update *s, uint32_t axis, double x, int closed)
{
    const endpoint *list = s->list[axis];
    uint32_t first = 0, last = 2 * s->n;
    while (first < last) {
        const uint32_t mid = first + (last - first) / 2;
        if (list[mid].key < x || (closed && list[mid].key == x))
            first = mid + 1;
        else
            last = mid;
    }
    return first;
}

/* Looks at the lower ends from the place where a box as wide as the widest one would end at the
 * zone. */
static int32_t find_objects(void *instance, const scree_zone *zone, scree_index_sink *sink)
{
    const sort_update *s = instance;
    const endpoint *list = s->list[0];
    uint32_t first = 0, last = 2 * s->n;
    int32_t status = SCREE_OK;
    for (uint32_t k = 0; k < s->axes; k++) {
        const double lowest = zone->lo[k] - s->widest[k] * (1.0 + 1e-9); // differences are rounded
        const uint32_t from = lowest > -HUGE_VAL ? ends_before(s, k, lowest, 0) : 0;
        const uint32_t to =
            ends_before(s, k, zone->hi[k], zone->hi[k] < HUGE_VAL); // there empty slots are
        if (to - from < last - first) {
            list = s->list[k];
            first = from;
            last = to;
        }
    }
    while (first < last && status == SCREE_OK) {
        uint32_t ids[BLOCK], n = 0;
        for (; first < last && n < BLOCK; first++) {
            ids[n] = list[first].end / 2;
            n += !(list[first].end % 2);
        }
        status = scree_objects_of(&s->boxes, zone, ids, n, sink);
    }
    return status;
}

static uint64_t bytes(void *instance)
{
    const sort_update *s = instance;
    const size_t each[11] = {sizeof(record),   sizeof(box),      sizeof(endpoint), sizeof(uint32_t),
                             sizeof(uint32_t), sizeof(endpoint), sizeof(endpoint), sizeof(endpoint),
                             sizeof(uint32_t), sizeof(uint32_t), sizeof(uint32_t)};
    uint64_t sum = sizeof *s + s->slots * sizeof *s->table;
    for (uint32_t k = 0; k < 11; k++)
        sum += s->room[k] * each[k];
    return sum;
}

static const scree_gcd_ops ops = {
    .size = sizeof(scree_gcd_ops),
    .create = create,
    .destroy = destroy,
    .init = init,
    .step_init = step_init,
    .find_neighbors = find_neighbors,
    .find_objects = find_objects,
    .bytes = bytes,
};

SCREE_INT_PARAM(
    settings, exchanges, SCREE_PARAM_LIVE, 64, 0, 1000000000,
    "exchanges per box and step that are always worth while; beyond them and the cost of "
    "sorting again, the lists are; 0: in each step");
static const scree_param *const params[] = {&param_exchanges};

static const scree_plugin descriptor = {
    .size = sizeof(scree_plugin),
    .kind = SCREE_KIND_GCD,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .flags = SCREE_CAP_INCREMENTAL,
    .id = "sort_update",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "sorted lists of box ends, updated by exchanges (incremental)",
    .summary =
        "Lower and upper ends of all boxes are kept sorted on each axis; two ends that change "
        "places add or remove a pair. The cost follows the motion: boxes at rest cost nothing.",
    .citation = "Schinner, A. (1999): Granular Matter 2, 35-43",
    .config_size = sizeof(settings),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&descriptor);
