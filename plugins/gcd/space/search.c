/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs and objects from the entries of leaves; see space.h. */
#include <scree/gcd_sdk.h>

#include "space.h"

#define BLOCK 256u /* entries tested per look at the room left */
#define AHEAD 3u   /* visits ahead of the current one whose leaf is prefetched */

typedef struct output {
    const space *s;
    scree_pairs to;
} output;

/* The box that entries are compared with. `mask`, shifted like that of a key: bits that an entry
 * may not share. */
typedef struct probe {
    double lo[3], hi[3];
    uint64_t mask;
    uint32_t id;
} probe;

static void test_2d(uint32_t n, SCREE_IN lox, SCREE_IN loy, SCREE_IN hix, SCREE_IN hiy,
                    const uint64_t *SCREE_RESTRICT key, const probe *p,
                    uint64_t *SCREE_RESTRICT hit)
{
    const double ax = p->lo[0], ay = p->lo[1], bx = p->hi[0], by = p->hi[1];
    const uint64_t mask = p->mask;
    for (uint32_t k = 0; k < n; k++)
        hit[k] = (uint64_t)((lox[k] <= bx) & (ax <= hix[k]) & (loy[k] <= by) & (ay <= hiy[k]) &
                            ((key[k] & mask) == 0));
}

static void test_3d(uint32_t n, SCREE_IN3(lo), SCREE_IN3(hi), const uint64_t *SCREE_RESTRICT key,
                    const probe *p, uint64_t *SCREE_RESTRICT hit)
{
    const double ax = p->lo[0], ay = p->lo[1], az = p->lo[2];
    const double bx = p->hi[0], by = p->hi[1], bz = p->hi[2];
    const uint64_t mask = p->mask;
    for (uint32_t k = 0; k < n; k++)
        hit[k] = (uint64_t)((lox[k] <= bx) & (ax <= hix[k]) & (loy[k] <= by) & (ay <= hiy[k]) &
                            (loz[k] <= bz) & (az <= hiz[k]) & ((key[k] & mask) == 0));
}

/* Tests the entries [first, first + n) of a leaf against the probe. */
static void test_entries(const space *s, const space_cell *c, uint32_t first, uint32_t n,
                         const probe *p, uint64_t *hit)
{
    const double *row[6] = {0};
    for (uint32_t k = 0; k < s->width; k++)
        row[k] = scree_space_row(s, c, k) + first;
    const uint64_t *key = s->keys + c->start + first;
    if (s->axes == 2)
        test_2d(n, row[0], row[1], row[2], row[3], key, p, hit);
    else
        test_3d(n, row[0], row[1], row[2], row[3], row[4], row[5], key, p, hit);
}

/* Keeps only pairs from `begin` on whose second box has moved. */
static void drop_unmoved(output *o, uint64_t begin)
{
    const space *s = o->s;
    uint64_t kept = begin;
    for (uint64_t k = begin; k < o->to.used; k++) {
        o->to.out[kept] = o->to.out[k];
        kept += s->stamp[o->to.out[k].b] == s->now;
    }
    o->to.used = kept;
}

/* Drops the moved box itself, and moved boxes of a lower number, which find this one. */
static void drop_mine(output *o, uint64_t begin)
{
    const space *s = o->s;
    uint64_t kept = begin;
    for (uint64_t k = begin; k < o->to.used; k++) {
        const scree_pair v = o->to.out[k];
        o->to.out[kept] = v;
        kept += (v.b > v.a) | ((v.b != v.a) & (s->stamp[v.b] != s->now));
    }
    o->to.used = kept;
}

/* Pairs of the probe with the entries from `first` on; `asks`: the probe is a moved box. */
static int32_t pair_entries(output *o, const space_cell *c, uint32_t first, const probe *p,
                            int asks)
{
    const space *s = o->s;
    const int filtered = !asks && s->moved && s->stamp[p->id] != s->now;
    uint64_t hit[BLOCK];
    for (uint32_t end; first < c->count; first = end) {
        const uint32_t n = c->count - first < BLOCK ? c->count - first : BLOCK;
        const uint64_t *key = s->keys + c->start + first;
        const int32_t status = scree_pairs_room(&o->to, n);
        if (status != SCREE_OK)
            return status;
        end = first + n;
        test_entries(s, c, first, n, p, hit);
        const uint64_t begin = o->to.used;
        scree_pair *out = o->to.out + begin;
        uint64_t found = 0;
        for (uint32_t k = 0; k < n; k++) {
            out[found] = (scree_pair){p->id, (uint32_t)key[k]};
            found += hit[k];
        }
        o->to.used += found;
        if (asks)
            drop_mine(o, begin);
        else if (filtered)
            drop_unmoved(o, begin);
    }
    return SCREE_OK;
}

static int32_t search_leaf(output *o, const space_cell *c)
{
    const space *s = o->s;
    int32_t status = SCREE_OK;
    for (uint32_t at = 0; at + 1 < c->count && status == SCREE_OK; at++) {
        const uint64_t key = s->keys[c->start + at];
        probe p = {.mask = key >> 32 << 32, .id = (uint32_t)key};
        scree_space_entry(s, c, at, p.lo, p.hi);
        status = pair_entries(o, c, at + 1, &p, 0);
    }
    return status;
}

static int32_t search_box(output *o, uint32_t i)
{
    const space *s = o->s;
    int32_t status = SCREE_OK;
    space_walk w;
    probe p = {.id = i};
    if (scree_box_empty(&s->boxes, i))
        return SCREE_OK;
    for (uint32_t k = 0; k < 3; k++) {
        p.lo[k] = s->boxes.lo[k][i];
        p.hi[k] = s->boxes.hi[k][i];
    }
    scree_space_enter(&w, s, p.lo, p.hi);
    while (status == SCREE_OK && scree_space_next(&w)) {
        p.mask = (uint64_t)w.mask << 32;
        status = pair_entries(o, &s->cells[w.cell], 0, &p, 1);
    }
    return status;
}

/* Searches for a moved box in one of its leaves. */
static int32_t search_visit(output *o, uint64_t at)
{
    const space *s = o->s;
    const space_visit *v = &s->visits[at];
    const uint32_t i = (uint32_t)v->key;
    probe p = {.id = i, .mask = v->key >> 32 << 32};
    scree_space_fetch(s, s->visits[at + AHEAD < s->n_visits ? at + AHEAD : at].cell);
    for (uint32_t k = 0; k < 3; k++) {
        p.lo[k] = s->boxes.lo[k][i];
        p.hi[k] = s->boxes.hi[k][i];
    }
    return pair_entries(o, &s->cells[v->cell], 0, &p, 1);
}

int32_t scree_space_find_neighbors(void *instance, uint64_t first, uint64_t last,
                                   scree_pair_sink *sink)
{
    const space *s = instance;
    output o = {.s = s, .to.sink = sink};
    int32_t status = SCREE_OK;
    for (uint64_t p = first; p < last && status == SCREE_OK; p++)
        status = s->listed    ? search_leaf(&o, &s->cells[p])
                 : s->visited ? search_visit(&o, p)
                              : search_box(&o, s->moved[p]);
    return scree_pairs_finish(&o.to, status);
}

/* ---- objects ---- */

static int32_t look_at(const space *s, const scree_zone *zone, const space_cell *c, const probe *p,
                       scree_index_sink *sink)
{
    uint64_t hit[BLOCK];
    int32_t status = SCREE_OK;
    for (uint32_t first = 0; first < c->count && status == SCREE_OK; first += BLOCK) {
        const uint32_t n = c->count - first < BLOCK ? c->count - first : BLOCK;
        uint32_t *out, found = 0;
        test_entries(s, c, first, n, p, hit);
        status = sink->reserve(sink, n, &out);
        if (status != SCREE_OK)
            return status;
        for (uint32_t k = 0; k < n; k++) {
            const uint32_t i = (uint32_t)s->keys[c->start + first + k];
            out[found] = i;
            found += hit[k] && !s->surface[i] && scree_zone_meets_box(zone, &s->boxes, i);
        }
        status = sink->commit(sink, found);
    }
    return status;
}

static int32_t look_at_surfaces(const space *s, const scree_zone *zone, scree_index_sink *sink)
{
    uint32_t *out, found = 0;
    int32_t status = s->n_surfaces ? sink->reserve(sink, s->n_surfaces, &out) : SCREE_OK;
    if (status != SCREE_OK || !s->n_surfaces)
        return status;
    for (uint32_t i = 0; i < s->boxes.n; i++)
        if (s->surface[i] && scree_zone_meets_box(zone, &s->boxes, i))
            out[found++] = i;
    return sink->commit(sink, found);
}

int32_t scree_space_find_objects(void *instance, const scree_zone *zone, scree_index_sink *sink)
{
    const space *s = instance;
    int32_t status = SCREE_OK;
    space_walk w;
    probe p = {.id = SCREE_NONE};
    for (uint32_t k = 0; k < 3; k++) {
        p.lo[k] = zone->lo[k];
        p.hi[k] = zone->hi[k];
    }
    scree_space_enter(&w, s, p.lo, p.hi);
    while (status == SCREE_OK && scree_space_next(&w)) {
        p.mask = (uint64_t)w.mask << 32;
        status = look_at(s, zone, &s->cells[w.cell], &p, sink);
    }
    return status == SCREE_OK ? look_at_surfaces(s, zone, sink) : status;
}
