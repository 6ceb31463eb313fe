/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of fat leaves of gcd/bvh, kept from step to step, and the choice between the ways to
 * search; see ../bvh.c. */
#include "bvh.h"

#define MOST_KEPT 32u /* pairs per box, above which none are kept */

/* [ns] Estimates of costs: a box in the list, a moved box that asks the tree, a kept pair, a dirty
 * box, a box of the list of leaves. */
#define LIST_COST 240.0
#define TREE_COST 2000.0
#define PAIR_COST 3.0
#define DIRTY_COST 1000.0
#define LEAF_COST 400.0

void scree_bvh_mark(bvh *t, uint32_t i)
{
    if (!t->keeps || t->is_dirty[i])
        return;
    t->is_dirty[i] = 1;
    t->dirty[t->n_dirty++] = i;
}

void scree_bvh_forget(bvh *t)
{
    for (uint32_t s = 0; s < t->n_dirty; s++)
        t->is_dirty[t->dirty[s]] = 0;
    t->n_dirty = 0;
    t->n_pairs = 0;
    t->keeps = 0;
    t->saved = scree_min(t->saved, 0.0);
}

/* ---- where kept pairs go ---- */

/* Too many pairs, or too little memory: the caller then keeps none. */
static int32_t reserve(scree_pair_sink *sink, uint64_t n, scree_pair **out)
{
    bvh *t = sink->ctx;
    const uint64_t most = MOST_KEPT * (uint64_t)t->boxes.n + 2ull * SCREE_PAIRS_ROOM;
    if (t->n_pairs + n > most ||
        !scree_grow(&t->pairs, &t->pairs_room, t->n_pairs + n, sizeof *t->pairs))
        return SCREE_E_MEMORY;
    *out = t->pairs + t->n_pairs;
    return SCREE_OK;
}

static int32_t commit(scree_pair_sink *sink, uint64_t n)
{
    ((bvh *)sink->ctx)->n_pairs += n;
    return SCREE_OK;
}

static scree_pair_sink sink_of(bvh *t)
{
    return (scree_pair_sink){
        .size = sizeof(scree_pair_sink), .ctx = t, .reserve = reserve, .commit = commit};
}

/* Keeps no pairs, and does not look for them again soon. */
static void give_up(bvh *t)
{
    scree_bvh_forget(t);
    t->saved = -10.0 * LEAF_COST * t->boxes.n;
}

static void find_all(bvh *t)
{
    scree_pair_sink sink = sink_of(t);
    scree_bvh_forget(t);
    t->keeps =
        scree_bvh_make_list(t, 1) == SCREE_OK && scree_bvh_search_leaves(t, &sink) == SCREE_OK;
    if (!t->keeps)
        give_up(t);
}

/* Replaces the pairs of dirty boxes. */
static void find_dirty(bvh *t)
{
    scree_pair_sink sink = sink_of(t);
    uint64_t kept = 0;
    for (uint64_t k = 0; k < t->n_pairs; k++) {
        const scree_pair p = t->pairs[k];
        t->pairs[kept] = p;
        kept += !(t->is_dirty[p.a] | t->is_dirty[p.b]);
    }
    t->n_pairs = kept;
    if (scree_bvh_search_dirty(t, &sink) != SCREE_OK) {
        give_up(t);
        return;
    }
    for (uint32_t s = 0; s < t->n_dirty; s++)
        t->is_dirty[t->dirty[s]] = 0;
    t->n_dirty = 0;
}

static void copy_box(bvh *t, uint32_t i)
{
    tight *c = &t->tight[i];
    for (uint32_t k = 0; k < 3; k++) {
        c->lo[k] = t->boxes.lo[k][i];
        c->hi[k] = t->boxes.hi[k][i];
    }
}

/* Current boxes for searches of the tree and of kept pairs. */
static void copy_boxes(bvh *t)
{
    const uint32_t n = t->all || t->stale ? t->boxes.n : 0, n_moved = t->all ? 0 : t->n_moved;
    if (t->all && t->way == BY_LIST) {
        t->stale = 1;
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        copy_box(t, i);
    for (uint32_t s = 0; s < n_moved; s++) {
        copy_box(t, t->moved[s]);
        t->stamp[t->moved[s]] = t->now;
    }
    t->stale = 0;
}

/* Kept pairs are found once they would have saved the cost of finding them; boxes that stay in
 * their leaves so long are likely to go on so. */
void scree_bvh_choose(bvh *t)
{
    const double n = t->boxes.n, list = LIST_COST * n;
    const double tree = t->all ? HUGE_VAL : TREE_COST * t->n_moved;
    const double plain = scree_min(list, tree), pairs = PAIR_COST * 8.0 * n;
    if (t->n_dirty > t->config->rebuild * n)
        scree_bvh_forget(t);
    if (!t->keeps && plain > pairs)
        t->saved += plain - pairs;
    if (!t->keeps && t->saved > LEAF_COST * n && n > 0.0)
        find_all(t);
    const double kept = PAIR_COST * (double)t->n_pairs + DIRTY_COST * t->n_dirty;
    if (t->keeps && kept < plain && t->n_dirty)
        find_dirty(t);
    t->way = t->keeps && kept < plain ? BY_PAIRS : tree < list ? BY_TREE : BY_LIST;
    copy_boxes(t);
}

/* ---- search ---- */

/* The pairs v that overlap. */
static uint64_t pick(const scree_pair *SCREE_RESTRICT v, uint64_t n,
                     const tight *SCREE_RESTRICT boxes, scree_pair *SCREE_RESTRICT out)
{
    uint64_t found = 0;
    for (uint64_t k = 0; k < n; k++) {
        out[found] = v[k];
        const tight *a = &boxes[v[k].a], *b = &boxes[v[k].b];
        found += (uint64_t)!scree_bvh_are_apart(a->lo, a->hi, b->lo, b->hi);
    }
    return found;
}

static uint64_t pick_moved(const bvh *t, scree_pair *v, uint64_t n)
{
    uint64_t found = 0;
    for (uint64_t k = 0; k < n; k++) {
        const scree_pair p = v[k];
        v[found] = p;
        found += (uint64_t)((t->stamp[p.a] == t->now) | (t->stamp[p.b] == t->now));
    }
    return found;
}

int32_t scree_bvh_search_kept(const bvh *t, uint64_t first, uint64_t last, scree_pair_sink *sink)
{
    scree_pairs o = {sink, NULL, 0, 0};
    const uint64_t end = last * PIECE < t->n_pairs ? last * PIECE : t->n_pairs;
    int32_t status = SCREE_OK;
    for (uint64_t k = first * PIECE; k < end; k += PIECE) {
        const uint64_t n = end - k < PIECE ? end - k : PIECE;
        status = scree_pairs_room(&o, n);
        if (status != SCREE_OK)
            break;
        uint64_t found = pick(t->pairs + k, n, t->tight, o.out + o.used);
        if (!t->all)
            found = pick_moved(t, o.out + o.used, found);
        o.used += found;
    }
    return scree_pairs_finish(&o, status);
}
