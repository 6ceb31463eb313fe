/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of gcd/bvh: the tree laid out as a list, and both ways to search; see ../bvh.c. */
#include "bvh.h"

/* ---- the list ---- */

/* A run has boxes of similar sizes: a wall in it would meet everything. */
static int makes_run(const bvh *t, uint32_t at)
{
    const node *p = &t->nodes[at];
    if (!p->height)
        return 1;
    if (p->height > RUN_HEIGHT)
        return 0;
    double side[3] = {0.0, 0.0, 0.0};
    for (uint32_t k = 0; k < 3; k++) {
        side[0] += p->hi[k] - p->lo[k];
        for (uint32_t c = 0; c < 2; c++)
            side[1 + c] += t->nodes[p->child[c]].hi[k] - t->nodes[p->child[c]].lo[k];
    }
    return !(side[1] < UNEVEN * side[0]) && !(side[2] < UNEVEN * side[0]) &&
           makes_run(t, p->child[0]) && makes_run(t, p->child[1]);
}

static void add_leaves(bvh *t, uint32_t at, uint32_t *n)
{
    const node *p = &t->nodes[at];
    if (!p->height) {
        t->ids[(*n)++] = at;
        return;
    }
    add_leaves(t, p->child[0], n);
    add_leaves(t, p->child[1], n);
}

static void lay_out(bvh *t)
{
    uint32_t stack[DEEPEST], top = 0, n = 0;
    t->n_places = 0;
    if (t->root != SCREE_NONE)
        stack[top++] = t->root;
    while (top) {
        const uint32_t at = stack[--top];
        place *p = &t->places[t->n_places++];
        p->first = n;
        if (makes_run(t, at)) {
            add_leaves(t, at, &n);
        } else {
            stack[top++] = t->nodes[at].child[1];
            stack[top++] = t->nodes[at].child[0];
        }
        p->last = n;
    }
    t->changed = 0;
}

/* The runs' bounds, of the corners that were copied. */
static void bound_runs(bvh *t, uint64_t begin, uint64_t end)
{
    for (uint64_t q = begin; q < end; q++) {
        place *p = &t->places[q];
        for (uint32_t k = 0; k < 3; k++) {
            double lo = HUGE_VAL, hi = -HUGE_VAL;
            for (uint32_t j = p->first; j < p->last; j++) {
                lo = scree_min(lo, t->corner[k][j]);
                hi = scree_max(hi, t->corner[3 + k][j]);
            }
            p->lo[k] = lo;
            p->hi[k] = hi;
        }
    }
}

static int32_t copy_boxes(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    bvh *t = user;
    const scree_boxes *b = &t->boxes;
    (void)lane;
    for (uint64_t q = begin; q < end; q++)
        for (uint32_t j = t->places[q].first; j < t->places[q].last; j++)
            for (uint32_t k = 0; k < 3; k++) {
                t->corner[k][j] = b->lo[k][t->ids[j]];
                t->corner[3 + k][j] = b->hi[k][t->ids[j]];
            }
    bound_runs(t, begin, end);
    return SCREE_OK;
}

static int32_t copy_leaves(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    bvh *t = user;
    (void)lane;
    for (uint64_t q = begin; q < end; q++)
        for (uint32_t j = t->places[q].first; j < t->places[q].last; j++)
            for (uint32_t k = 0; k < 3; k++) {
                t->corner[k][j] = t->nodes[t->ids[j]].lo[k];
                t->corner[3 + k][j] = t->nodes[t->ids[j]].hi[k];
            }
    bound_runs(t, begin, end);
    return SCREE_OK;
}

int32_t scree_bvh_make_list(bvh *t, int fat)
{
    if (t->changed)
        lay_out(t);
    const int32_t status = t->host->parallel_for(t->host->ctx, 0, t->n_places, GRAIN,
                                                 fat ? copy_leaves : copy_boxes, t);
    for (uint32_t q = t->n_places; q-- > 0;) {
        place *p = &t->places[q];
        p->skip = q + 1;
        if (p->first != p->last)
            continue;
        const place *a = &t->places[q + 1], *c = &t->places[a->skip];
        p->skip = c->skip;
        for (uint32_t k = 0; k < 3; k++) {
            p->lo[k] = scree_min(a->lo[k], c->lo[k]);
            p->hi[k] = scree_max(a->hi[k], c->hi[k]);
        }
    }
    return status;
}

/* ---- search ---- */

typedef struct output {
    const bvh *tree;
    uint64_t all; // 1: pairs need no moved box
    scree_pairs pairs;
} output;

/* Nodes still to be looked at: the oldest first, so that memory has time to bring them, the latest
 * first when they are many, so that their number stays bounded. */
typedef struct agenda {
    uint32_t head, tail;
    uint32_t at[2 * (WAITING + DEEPEST)];
} agenda;

static inline uint32_t next_of(agenda *a)
{
    return a->tail - a->head < WAITING ? a->at[a->head++] : a->at[--a->tail];
}

/* Asks for the memory of the node or leaf, too. */
static inline void add_to(agenda *a, const bvh *t, uint32_t at, int fat)
{
    if (at < t->n && !fat)
        __builtin_prefetch(&t->tight[at]);
    else
        __builtin_prefetch(&t->nodes[at]);
    if (a->tail == SCREE_COUNT(a->at)) {
        a->tail -= a->head;
        memmove(a->at, a->at + a->head, a->tail * sizeof *a->at);
        a->head = 0;
    }
    a->at[a->tail++] = at;
}

/* Is the pair of box i and leaf `at` found by i? The lower one of two that ask finds the other. */
static inline uint32_t is_mine(const bvh *t, uint32_t i, uint32_t at, int fat)
{
    const int asks = fat ? t->is_dirty[at] : t->stamp[at] == t->now;
    return (at > i) | ((at != i) & !asks);
}

/* Pairs of a moved box i, or of the leaf of a dirty one, `fat`. Current boxes are compared with
 * each other, leaves with leaves. */
static inline int32_t search_box(output *o, uint32_t i, int fat)
{
    const bvh *t = o->tree;
    double lo[3], hi[3];
    agenda todo;
    int32_t status = SCREE_OK;
    for (uint32_t k = 0; k < 3; k++) {
        lo[k] = fat ? t->nodes[i].lo[k] : t->tight[i].lo[k];
        hi[k] = fat ? t->nodes[i].hi[k] : t->tight[i].hi[k];
    }
    todo.head = todo.tail = 0;
    if (t->root != SCREE_NONE && scree_bvh_here(t, i))
        add_to(&todo, t, t->root, fat);
    while (todo.head < todo.tail && status == SCREE_OK) {
        const uint32_t at = next_of(&todo);
        const node *p = &t->nodes[at];
        if (at >= t->n) {
            if (scree_bvh_are_apart(p->lo, p->hi, lo, hi))
                continue;
            add_to(&todo, t, p->child[0], fat);
            add_to(&todo, t, p->child[1], fat);
            continue;
        }
        status = scree_pairs_room(&o->pairs, 1);
        if (status != SCREE_OK)
            break;
        const tight *other = &t->tight[at];
        const int apart = fat ? scree_bvh_are_apart(p->lo, p->hi, lo, hi)
                              : scree_bvh_are_apart(other->lo, other->hi, lo, hi);
        o->pairs.out[o->pairs.used] = (scree_pair){i, at};
        o->pairs.used += (uint64_t)(is_mine(t, i, at, fat) & (uint32_t)!apart);
    }
    return status;
}

/* Boxes that a run is compared with. */
typedef struct near_boxes {
    uint32_t n;
    uint32_t ids[NEAR + RUN];
    double lo[3][NEAR + RUN], hi[3][NEAR + RUN];
} near_boxes;

static void gather_run(const bvh *t, const place *run, const place *q, near_boxes *near)
{
    const double *const *c = (const double *const *)t->corner;
    uint32_t n = near->n;
    for (uint32_t j = q->first; j < q->last; j++) {
        near->ids[n] = t->ids[j];
        near->lo[0][n] = c[0][j];
        near->lo[1][n] = c[1][j];
        near->lo[2][n] = c[2][j];
        near->hi[0][n] = c[3][j];
        near->hi[1][n] = c[4][j];
        near->hi[2][n] = c[5][j];
        n += (c[0][j] <= run->hi[0]) & (run->lo[0] <= c[3][j]) & (c[1][j] <= run->hi[1]) &
             (run->lo[1] <= c[4][j]) & (c[2][j] <= run->hi[2]) & (run->lo[2] <= c[5][j]);
    }
    near->n = n;
}

/* Pairs of box `i` with the near boxes from `first` on. */
static int32_t pair_near(output *o, uint32_t i, const double lo[3], const double hi[3],
                         uint32_t first, const near_boxes *near)
{
    const bvh *t = o->tree;
    const uint64_t mine = o->all | (t->stamp[i] == t->now);
    const uint32_t n = near->n - first;
    uint64_t hit[NEAR + RUN];
    int32_t status = n ? scree_pairs_room(&o->pairs, n) : SCREE_OK;
    if (!n || status != SCREE_OK)
        return status;
    scree_test_boxes(n, near->lo[0] + first, near->lo[1] + first, near->lo[2] + first,
                     near->hi[0] + first, near->hi[1] + first, near->hi[2] + first, lo, hi, hit);
    scree_pair *out = o->pairs.out + o->pairs.used;
    uint64_t found = 0;
    for (uint32_t k = 0; k < n; k++) {
        out[found] = (scree_pair){i, near->ids[first + k]};
        found += hit[k];
    }
    if (!mine) {
        const uint64_t all = found;
        found = 0;
        for (uint64_t k = 0; k < all; k++) {
            out[found] = out[k];
            found += t->stamp[out[k].b] == t->now;
        }
    }
    o->pairs.used += found;
    return SCREE_OK;
}

/* `own`: the near boxes begin with the run's own. */
static int32_t pair_run(output *o, const place *run, int own, near_boxes *near)
{
    const bvh *t = o->tree;
    int32_t status = SCREE_OK;
    for (uint32_t j = run->first; j < run->last && status == SCREE_OK; j++) {
        const double lo[3] = {t->corner[0][j], t->corner[1][j], t->corner[2][j]};
        const double hi[3] = {t->corner[3][j], t->corner[4][j], t->corner[5][j]};
        status = pair_near(o, t->ids[j], lo, hi, own ? j - run->first + 1 : 0, near);
    }
    near->n = 0;
    return status;
}

static int32_t search_place(output *o, uint32_t at, near_boxes *near)
{
    const bvh *t = o->tree;
    const place *run = &t->places[at];
    int32_t status = SCREE_OK;
    int own = 1;
    if (run->first == run->last)
        return SCREE_OK;
    near->n = 0;
    gather_run(t, run, run, near);
    for (uint32_t q = at + 1; q < t->n_places && status == SCREE_OK;) {
        const place *p = &t->places[q];
        int met = 1;
        for (uint32_t k = 0; k < 3; k++)
            met &= (p->lo[k] <= run->hi[k]) & (run->lo[k] <= p->hi[k]);
        q = met ? q + 1 : p->skip;
        if (!met || p->first == p->last)
            continue;
        gather_run(t, run, p, near);
        if (near->n > NEAR) {
            status = pair_run(o, run, own, near);
            own = 0;
        }
    }
    return status == SCREE_OK ? pair_run(o, run, own, near) : status;
}

static int32_t search_places(output *o, uint64_t first, uint64_t last)
{
    int32_t status = SCREE_OK;
    near_boxes near;
    for (uint64_t q = first; q < last && status == SCREE_OK; q++)
        status = search_place(o, (uint32_t)q, &near);
    return scree_pairs_finish(&o->pairs, status);
}

int32_t scree_bvh_search_list(const bvh *t, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    output o = {t, (uint64_t)t->all, {sink, NULL, 0, 0}};
    return search_places(&o, first, last);
}

int32_t scree_bvh_search_leaves(const bvh *t, scree_pair_sink *sink)
{
    output o = {t, 1, {sink, NULL, 0, 0}};
    return search_places(&o, 0, t->n_places);
}

int32_t scree_bvh_search_tree(const bvh *t, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    output o = {t, 0, {sink, NULL, 0, 0}};
    int32_t status = SCREE_OK;
    for (uint64_t s = first; s < last && status == SCREE_OK; s++)
        status = search_box(&o, t->moved[s], 0);
    return scree_pairs_finish(&o.pairs, status);
}

int32_t scree_bvh_search_dirty(const bvh *t, scree_pair_sink *sink)
{
    output o = {t, 0, {sink, NULL, 0, 0}};
    int32_t status = SCREE_OK;
    for (uint32_t s = 0; s < t->n_dirty && status == SCREE_OK; s++)
        status = search_box(&o, t->dirty[s], 1);
    return scree_pairs_finish(&o.pairs, status);
}
