/* SPDX-License-Identifier: Apache-2.0 */
/* The entries of cells: mapping boxes, splitting and merging cells; see space.h. */
#include "space.h"

#define LEAST 8u  /* entries that a leaf has room for, at least */
#define AHEAD 4u  /* moved boxes ahead of the current one that are prefetched */
#define LOOK 8u   /* visits ahead of the current ones that are prefetched */
#define GRAIN 64u /* cells per piece of parallel work */

/* ---- corners ---- */

static int is_there(const scree_boxes *b, uint32_t i)
{
    return i < b->n && !scree_box_empty(b, i);
}

static void corners_now(const space *s, uint32_t i, double lo[3], double hi[3])
{
    for (uint32_t k = 0; k < 3; k++) {
        lo[k] = s->boxes.lo[k][i];
        hi[k] = s->boxes.hi[k][i];
    }
}

static void corners_was(const space *s, uint32_t i, double lo[3], double hi[3])
{
    for (uint32_t k = 0; k < 3; k++) {
        lo[k] = s->was[k][i];
        hi[k] = s->was[3 + k][i];
    }
}

void scree_space_entry(const space *s, const space_cell *c, uint32_t at, double lo[3], double hi[3])
{
    lo[2] = hi[2] = 0.0;
    for (uint32_t k = 0; k < s->axes; k++) {
        lo[k] = scree_space_row(s, c, k)[at];
        hi[k] = scree_space_row(s, c, s->axes + k)[at];
    }
}

/* ---- centroids ---- */

/* A box's volume over that of a child of a split, at most 1. */
static double filling(const space *s, const space_split *p, const double lo[3], const double hi[3])
{
    double share = 1.0;
    for (uint32_t k = 0; k < s->axes; k++)
        share *= (hi[k] - lo[k]) * p->inv[k];
    return share < 1.0 ? share : 1.0;
}

static void touch(space *s, uint32_t cell)
{
    if (s->n_touched < s->room[3])
        s->touched[s->n_touched++] = cell;
}

/* Adds a box to (or with `sign` -1 takes it from) the cells that its centroid lies in. */
static void count_centroid(space *s, const double lo[3], const double hi[3], int sign)
{
    double x[3];
    uint32_t cell = 0, a[3], b[3];
    int inside = 1;
    for (uint32_t k = 0; k < 3; k++)
        x[k] = 0.5 * lo[k] + 0.5 * hi[k];
    for (uint32_t k = 0; k < s->axes; k++)
        inside &= (s->lo[k] <= x[k]) & (x[k] <= s->hi[k]);
    s->outside += (uint32_t)(inside ? 0 : sign);
    while (s->cells[cell].split != SCREE_NONE) {
        const space_split *p = &s->splits[s->cells[cell].split];
        scree_space_range(s, p, x, x, a, b);
        cell = p->first + a[0] + p->n[0] * (a[1] + p->n[1] * a[2]);
        space_cell *c = &s->cells[cell];
        c->centroids += (uint32_t)sign;
        c->fill = c->centroids ? c->fill + sign * filling(s, p, lo, hi) : 0.0;
        if (s->moved && (c->split != SCREE_NONE || sign > 0))
            touch(s, cell);
    }
}

/* ---- room ---- */

static int32_t make_pool(space *s, uint64_t entries)
{
    if (!scree_grow(&s->data, &s->room[5], entries * s->width, sizeof *s->data) ||
        !scree_grow(&s->keys, &s->room[6], entries, sizeof *s->keys))
        return scree_space_no_memory(s);
    return SCREE_OK;
}

/* Gives a cell a place for `room` entries at the end of the pool, and moves its entries there. */
static int32_t take_room(space *s, uint32_t cell, uint64_t room)
{
    if (room >= UINT32_MAX)
        return scree_space_no_memory(s);
    const int32_t status = make_pool(s, s->used + room);
    if (status != SCREE_OK)
        return status;
    space_cell *c = &s->cells[cell], old = *c;
    c->start = s->used;
    c->room = (uint32_t)room;
    s->used += room;
    s->garbage += old.room;
    for (uint32_t row = 0; row < s->width && c->count; row++)
        memcpy(scree_space_row(s, c, row), scree_space_row(s, &old, row),
               c->count * sizeof(double));
    if (c->count)
        memcpy(s->keys + c->start, s->keys + old.start, c->count * sizeof *s->keys);
    return SCREE_OK;
}

static void write_entry(space *s, space_cell *c, const double lo[3], const double hi[3],
                        uint64_t key)
{
    for (uint32_t k = 0; k < s->axes; k++) {
        scree_space_row(s, c, k)[c->count] = lo[k];
        scree_space_row(s, c, s->axes + k)[c->count] = hi[k];
    }
    s->keys[c->start + c->count++] = key;
}

static int32_t add_entry(space *s, uint32_t cell, const double lo[3], const double hi[3],
                         uint64_t key)
{
    const space_cell *c = &s->cells[cell];
    const int32_t status =
        c->count < c->room ? SCREE_OK
                           : take_room(s, cell, c->room < LEAST ? LEAST : 2 * (uint64_t)c->room);
    if (status == SCREE_OK)
        write_entry(s, &s->cells[cell], lo, hi, key);
    return status;
}

static void remove_entry(space *s, space_cell *c, uint32_t id)
{
    uint64_t *keys = s->keys + c->start;
    uint32_t at = 0;
    while (at < c->count && (uint32_t)keys[at] != id)
        at++;
    if (at == c->count)
        return;
    c->count--;
    keys[at] = keys[c->count];
    for (uint32_t row = 0; row < s->width; row++) {
        double *v = scree_space_row(s, c, row);
        v[at] = v[c->count];
    }
}

/* Replaces the corners of a slot in the same leaf; a former surface may be new there. */
static int32_t replace_entry(space *s, uint32_t cell, const double lo[3], const double hi[3],
                             uint64_t key)
{
    const space_cell *c = &s->cells[cell];
    const uint64_t *keys = s->keys + c->start;
    uint32_t at = 0;
    while (at < c->count && keys[at] != key)
        at++;
    if (at == c->count)
        return add_entry(s, cell, lo, hi, key);
    for (uint32_t k = 0; k < s->axes; k++) {
        scree_space_row(s, c, k)[at] = lo[k];
        scree_space_row(s, c, s->axes + k)[at] = hi[k];
    }
    return SCREE_OK;
}

/* ---- mapping ---- */

/* Adds a visit, and makes room for it if needed. */
static int32_t add_visit(space *s, uint32_t i, uint32_t cell, uint32_t mask, uint32_t is_new)
{
    if (s->n_visits == s->room[4] &&
        !scree_grow(&s->visits, &s->room[4], s->n_visits + s->boxes.n, sizeof *s->visits))
        return scree_space_no_memory(s);
    s->visits[s->n_visits++] = (space_visit){(uint64_t)mask << 32 | i, cell, is_new};
    return SCREE_OK;
}

typedef struct caller {
    space *s;
    uint32_t slot, is_new;
} caller;

static int32_t take_visit(void *user, uint32_t leaf, uint32_t mask)
{
    const caller *v = user;
    return add_visit(v->s, v->slot, leaf, mask, v->is_new);
}

/* Adds the leaves of a window to the visits; for a surface only those that it comes near. */
static int32_t visit_leaves(space *s, uint32_t i, const double lo[3], const double hi[3],
                            uint32_t is_new)
{
    space_walk w;
    int32_t status = SCREE_OK;
    if (s->surface[i] && s->n_cells > 0) {
        caller v = {s, i, is_new};
        return scree_space_each_near(s, i, lo, hi, 0, take_visit, &v);
    }
    scree_space_enter(&w, s, lo, hi);
    while (status == SCREE_OK && scree_space_next(&w))
        status = add_visit(s, i, w.cell, w.mask, is_new);
    return status;
}

/* Lists in `visits`, cell by cell, the entries that come. */
static int32_t visit_all(space *s)
{
    double lo[3], hi[3];
    int32_t status = SCREE_OK;
    s->n_visits = 0;
    for (uint32_t i = 0; i < s->boxes.n && status == SCREE_OK; i++) {
        if (!is_there(&s->boxes, i))
            continue;
        corners_now(s, i, lo, hi);
        s->present++;
        if (s->method->counts && !s->surface[i])
            count_centroid(s, lo, hi, 1);
        status = visit_leaves(s, i, lo, hi, 0);
    }
    for (uint64_t v = 0; v < s->n_visits; v++)
        s->cells[s->visits[v].cell].count++;
    return status;
}

/* Writes the corners of entries that have their keys, in the order of memory. */
static int32_t fill_cells(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    space *s = user;
    (void)lane;
    for (uint64_t at = begin; at < end; at++) {
        const space_cell *c = &s->cells[at];
        const uint64_t *keys = s->keys + c->start;
        for (uint32_t k = 0; k < s->axes && c->count; k++) {
            const double *lo = s->boxes.lo[k], *hi = s->boxes.hi[k];
            double *low = scree_space_row(s, c, k), *high = scree_space_row(s, c, s->axes + k);
            for (uint32_t e = 0; e < c->count; e++) {
                low[e] = lo[(uint32_t)keys[e]];
                high[e] = hi[(uint32_t)keys[e]];
            }
        }
    }
    return SCREE_OK;
}

int32_t scree_space_map_all(space *s)
{
    for (uint32_t c = 0; c < s->n_cells; c++) {
        s->cells[c].count = s->cells[c].centroids = 0;
        s->cells[c].fill = 0.0;
    }
    s->present = s->outside = 0;
    scree_space_mark_surfaces(s);
    int32_t status = visit_all(s);
    uint64_t used = 0;
    for (uint32_t c = 0; c < s->n_cells; c++) { // room for some more entries
        space_cell *cell = &s->cells[c];
        cell->start = used;
        cell->room = cell->count ? cell->count + cell->count / 4 + 2 : 0;
        cell->count = 0;
        used += cell->room;
    }
    s->used = used;
    s->garbage = 0;
    if (status == SCREE_OK)
        status = make_pool(s, used);
    if (status == SCREE_OK)
        for (uint64_t v = 0; v < s->n_visits; v++) {
            space_cell *c = &s->cells[s->visits[v].cell];
            s->keys[c->start + c->count++] = s->visits[v].key;
        }
    if (status == SCREE_OK)
        status = s->host->parallel_for(s->host->ctx, 0, s->n_cells, GRAIN, fill_cells, s);
    for (uint32_t k = 0; k < 3 && s->boxes.n; k++) {
        memcpy(s->was[k], s->boxes.lo[k], s->boxes.n * sizeof(double));
        memcpy(s->was[3 + k], s->boxes.hi[k], s->boxes.n * sizeof(double));
    }
    return status;
}

/* Visits the leaves that a moved box was in, then those that it is in. */
static int32_t visit_box(space *s, uint32_t i)
{
    double lo[3], hi[3];
    const int was = s->was[0][i] <= s->was[3][i], is = is_there(&s->boxes, i);
    const int counts = s->method->counts;
    int32_t status = SCREE_OK;
    s->present += (uint32_t)is - (uint32_t)was;
    if (was) {
        corners_was(s, i, lo, hi);
        if (counts && !s->surface[i])
            count_centroid(s, lo, hi, -1);
        s->n_surfaces -= s->surface[i];
        s->surface[i] = 0; // its old leaves are now unknown: any leaf of its box may have it
        status = visit_leaves(s, i, lo, hi, 0);
    }
    if (s->conformal)
        scree_space_mark_surface(s, i);
    corners_now(s, i, lo, hi);
    for (uint32_t k = 0; k < 3; k++) {
        s->was[k][i] = lo[k];
        s->was[3 + k][i] = hi[k];
    }
    if (is && counts && !s->surface[i])
        count_centroid(s, lo, hi, 1);
    return is && status == SCREE_OK ? visit_leaves(s, i, lo, hi, 1) : status;
}

static int same_leaves(const space_visit *u, const space_visit *v, uint64_t n)
{
    int same = 1;
    for (uint64_t k = 0; k < n && same; k++)
        same = u[k].key == v[k].key && u[k].cell == v[k].cell;
    return same;
}

/* Previous visits [a, b) and current ones [b, end) of one box: entries go, come, or stay with other
 * corners. */
static int32_t change_entries(space *s, uint64_t a, uint64_t b, uint64_t end)
{
    double lo[3], hi[3];
    int32_t status = SCREE_OK;
    corners_now(s, (uint32_t)s->visits[a].key, lo, hi);
    if (b - a == end - b && same_leaves(s->visits + a, s->visits + b, b - a)) {
        for (uint64_t v = b; v < end && status == SCREE_OK; v++)
            status = replace_entry(s, s->visits[v].cell, lo, hi, s->visits[v].key);
        return status;
    }
    for (uint64_t v = a; v < b; v++)
        remove_entry(s, &s->cells[s->visits[v].cell], (uint32_t)s->visits[v].key);
    for (uint64_t v = b; v < end && status == SCREE_OK; v++)
        status = add_entry(s, s->visits[v].cell, lo, hi, s->visits[v].key);
    return status;
}

/* Changes entries box by box; only the current visits are left, for the search. */
static int32_t change_all(space *s)
{
    const uint64_t n = s->n_visits;
    int32_t status = SCREE_OK;
    uint64_t kept = 0;
    for (uint64_t a = 0, b, end; a < n && status == SCREE_OK; a = end) {
        const uint32_t id = (uint32_t)s->visits[a].key;
        for (b = a; b < n && (uint32_t)s->visits[b].key == id && !s->visits[b].is_new;)
            b++;
        for (end = b; end < n && (uint32_t)s->visits[end].key == id;)
            end++;
        for (uint64_t v = a + LOOK; v < end + LOOK && v < n; v++)
            scree_space_fetch(s, s->visits[v].cell);
        status = change_entries(s, a, b, end);
        for (uint64_t v = b; v < end; v++)
            s->visits[kept++] = s->visits[v];
    }
    s->n_visits = kept;
    return status;
}

int32_t scree_space_map_moved(space *s)
{
    int32_t status = SCREE_OK;
    s->n_touched = 0;
    s->n_visits = 0;
    for (uint32_t m = 0; m < s->n_moved && status == SCREE_OK; m++) {
        const uint32_t ahead = s->moved[m + AHEAD < s->n_moved ? m + AHEAD : m];
        for (uint32_t k = 0; k < s->axes; k++) {
            SCREE_SPACE_FETCH(s->was[k] + ahead);
            SCREE_SPACE_FETCH(s->was[3 + k] + ahead);
            SCREE_SPACE_FETCH(s->boxes.lo[k] + ahead);
            SCREE_SPACE_FETCH(s->boxes.hi[k] + ahead);
        }
        status = visit_box(s, s->moved[m]);
    }
    return status == SCREE_OK ? change_all(s) : status;
}

/* ---- splitting and merging ---- */

int32_t scree_space_clear(space *s)
{
    if (!scree_grow(&s->cells, &s->room[0], 1, sizeof *s->cells))
        return scree_space_no_memory(s);
    s->cells[0] = (space_cell){.split = SCREE_NONE, .up = SCREE_NONE};
    s->n_cells = 1;
    s->n_splits = s->n_cuts = s->n_touched = s->dead = 0;
    s->used = s->garbage = 0;
    return SCREE_OK;
}

void scree_space_compact(space *s)
{
    uint64_t used = 0;
    for (uint32_t at = 0; at < s->n_cells; at++) {
        space_cell *c = &s->cells[at];
        if (c->room && c->start > used) {
            memmove(s->data + used * s->width, s->data + c->start * s->width,
                    (uint64_t)c->room * s->width * sizeof(double));
            memmove(s->keys + used, s->keys + c->start, c->room * sizeof *s->keys);
        }
        c->start = used;
        used += c->room;
    }
    s->used = used;
    s->garbage = 0;
}

/* Makes cells for the children; the leaf becomes an inner cell. */
static int32_t make_children(space *s, uint32_t cell, const space_split *how)
{
    const uint64_t n = (uint64_t)how->n[0] * how->n[1] * how->n[2];
    if (s->n_cells + n >= SCREE_NONE ||
        !scree_grow(&s->cells, &s->room[0], s->n_cells + n, sizeof *s->cells) ||
        !scree_grow(&s->splits, &s->room[1], s->n_splits + 1ull, sizeof *s->splits))
        return scree_space_no_memory(s);
    for (uint64_t c = 0; c < n; c++)
        s->cells[s->n_cells + c] = (space_cell){
            .split = SCREE_NONE, .up = cell, .depth = s->cells[cell].depth + 1, .start = s->used};
    s->splits[s->n_splits] = *how;
    s->splits[s->n_splits].first = s->n_cells;
    s->cells[cell].split = s->n_splits++;
    s->n_cells += (uint32_t)n;
    return SCREE_OK;
}

typedef struct spread { // spreads the entries of a cell over its children
    space *s;
    const space_cell *from;
    const space_split *split;
    uint32_t cell;
    int write; // 1: entries are written; 0: counted
    double lo[3], hi[3];
    uint32_t slot; // slot of the current entry
} spread;

static int32_t spread_to(void *user, uint32_t child, uint32_t mask)
{
    const spread *d = user;
    space_cell *c = &d->s->cells[child];
    if (d->write)
        write_entry(d->s, c, d->lo, d->hi, (uint64_t)mask << 32 | d->slot);
    else
        c->room++;
    return SCREE_OK;
}

static int32_t spread_entry(spread *d, uint32_t at)
{
    const space_split *p = d->split;
    const uint64_t key = d->s->keys[d->from->start + at];
    uint32_t a[3], b[3];
    scree_space_entry(d->s, d->from, at, d->lo, d->hi);
    d->slot = (uint32_t)key;
    if (d->s->surface[d->slot])
        return scree_space_each_near(d->s, d->slot, d->lo, d->hi, d->cell, spread_to, d);
    scree_space_range(d->s, p, d->lo, d->hi, a, b);
    const uint32_t bit = p->kind == SPACE_PLANE ? d->from->depth : 0;
    for (uint32_t z = a[2]; z <= b[2]; z++)
        for (uint32_t y = a[1]; y <= b[1]; y++)
            for (uint32_t x = a[0]; x <= b[0]; x++)
                spread_to(d, p->first + x + p->n[0] * (y + p->n[1] * z),
                          (uint32_t)(key >> 32) | (uint32_t)(x > a[0]) << bit |
                              (uint32_t)(y > a[1]) << 1 | (uint32_t)(z > a[2]) << 2);
    return SCREE_OK;
}

/* Counts the centroids in the cell, for boxes that begin in it or before it. */
static void count_children(space *s, const space_cell *from, const space_split *p)
{
    double lo[3], hi[3], x[3];
    uint32_t a[3], b[3];
    for (uint32_t at = 0; at < from->count; at++) {
        scree_space_entry(s, from, at, lo, hi);
        for (uint32_t k = 0; k < 3; k++)
            x[k] = 0.5 * lo[k] + 0.5 * hi[k];
        scree_space_range(s, p, x, x, a, b);
        const uint32_t child = p->first + a[0] + p->n[0] * (a[1] + p->n[1] * a[2]);
        if (scree_space_home(s, x) != child || s->surface[(uint32_t)s->keys[from->start + at]])
            continue;
        s->cells[child].centroids++;
        s->cells[child].fill += filling(s, p, lo, hi);
    }
}

int32_t scree_space_cut(space *s, uint32_t cell, const space_split *how)
{
    int32_t status = make_children(s, cell, how);
    if (status != SCREE_OK)
        return status;
    const space_cell from = s->cells[cell];
    const space_split *p = &s->splits[from.split];
    const uint32_t n = p->n[0] * p->n[1] * p->n[2];
    spread d = {.s = s, .from = &from, .split = p, .cell = cell};
    uint64_t used = s->used;
    for (uint32_t at = 0; at < from.count && status == SCREE_OK; at++)
        status = spread_entry(&d, at);
    for (uint32_t c = p->first; c < p->first + n; c++) {
        space_cell *child = &s->cells[c];
        child->room += child->room ? child->room / 4 + 2 : 0;
        child->start = used;
        used += child->room;
    }
    if (status == SCREE_OK)
        status = make_pool(s, used);
    d.write = 1;
    for (uint32_t at = 0; at < from.count && status == SCREE_OK; at++)
        status = spread_entry(&d, at);
    if (status != SCREE_OK)
        return status;
    if (s->method->counts)
        count_children(s, &from, p);
    s->used = used;
    s->garbage += from.room;
    s->cells[cell].count = s->cells[cell].room = 0;
    return SCREE_OK;
}

static int has_entry(const space *s, const space_cell *c, uint32_t id)
{
    uint32_t at = 0;
    while (at < c->count && (uint32_t)s->keys[c->start + at] != id)
        at++;
    return at < c->count;
}

/* Takes the entries of a child that no earlier child has. */
static int32_t take_first(space *s, uint32_t cell, const space_split *p, uint32_t child)
{
    const uint32_t at = child - p->first, x = at % p->n[0], y = at / p->n[0] % p->n[1],
                   z = at / p->n[0] / p->n[1];
    double lo[3], hi[3];
    uint32_t a[3], b[3];
    int32_t status = SCREE_OK;
    for (uint32_t e = 0; e < s->cells[child].count && status == SCREE_OK; e++) {
        uint64_t key = s->keys[s->cells[child].start + e];
        scree_space_entry(s, &s->cells[child], e, lo, hi);
        scree_space_range(s, p, lo, hi, a, b);
        int first = a[0] == x && a[1] == y && a[2] == z;
        if (s->surface[(uint32_t)key]) { // the child in which its box begins may not have it
            first = !has_entry(s, &s->cells[cell], (uint32_t)key);
            key = (uint64_t)scree_space_mask(s, cell, lo, hi) << 32 | (uint32_t)key;
        }
        if (first)
            status = add_entry(s, cell, lo, hi, key);
    }
    return status;
}

int32_t scree_space_merge(space *s, uint32_t cell)
{
    const space_split p = s->splits[s->cells[cell].split];
    const uint32_t last = p.first + p.n[0] * p.n[1] * p.n[2];
    int32_t status = SCREE_OK;
    for (uint32_t c = p.first; c < last && status == SCREE_OK; c++)
        if (s->cells[c].split != SCREE_NONE)
            status = scree_space_merge(s, c);
    for (uint32_t c = p.first; c < last && status == SCREE_OK; c++) {
        status = take_first(s, cell, &p, c);
        s->garbage += s->cells[c].room;
        s->dead++;
        s->cells[c].up = SCREE_NONE;
        s->cells[c].count = s->cells[c].room = s->cells[c].centroids = 0;
    }
    if (status == SCREE_OK)
        s->cells[cell].split = SCREE_NONE;
    return status;
}
