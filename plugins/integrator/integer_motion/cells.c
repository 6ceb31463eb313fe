/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairs of the integer motion, and the forces between them.
 *
 * Idea   Bodies of like size (within a factor of two) share a level; a level has square cells as
 *        wide as its largest body. A counting sort by level and cell lays bodies that are near each
 *        other side by side, 16 bytes each; a row of cells is one stretch of them.
 * Pairs  within a level: each cell with itself and the half of its neighbours that follows it;
 *        across levels: the small body looks up the cells of the level of the larger one.
 * Sums   are of integers: no order of pairs changes them.
 */
#include <string.h>

#include "motion.h"

/** Levels by halves of the largest diameter; those without bodies are left out. */
static void find_levels(crowd *c)
{
    cells *s = &c->cells;
    uint32_t count[MOST_LEVELS] = {0}, number[MOST_LEVELS];
    int64_t largest = 0;
    for (uint32_t i = 0; i < c->n; i++)
        largest = c->r[i] > largest ? c->r[i] : largest;
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t down = 0;
        while (down + 1 < MOST_LEVELS && c->r[i] <= largest >> (down + 1))
            down++;
        s->level_of[i] = (uint8_t)down;
        count[down]++;
    }
    s->n_levels = 0;
    for (uint32_t down = MOST_LEVELS; down-- > 0;) {
        number[down] = s->n_levels;
        if (count[down])
            s->level[s->n_levels++] = (level){.n = count[down]};
    }
    for (uint32_t i = 0; i < c->n; i++) {
        level *l = &s->level[s->level_of[i] = (uint8_t)number[s->level_of[i]]];
        int32_t reach = (int32_t)(c->r[i] >> TO_FORCE);
        l->widest = reach > l->widest ? reach : l->widest;
    }
}

/** Cells of a level: at most about four per body. */
static uint32_t divide(level *l, uint32_t dimension, int64_t side)
{
    uint64_t most = 4 * (uint64_t)l->n + 64, total;
    int64_t across = (side >> TO_FORCE) / (2 * (int64_t)l->widest);
    across = across < 1 ? 1 : across;
    for (;; across--) {
        total = (uint64_t)across * (uint64_t)across * (dimension == 3 ? (uint64_t)across : 1);
        if (total <= most)
            break;
    }
    l->across = (uint32_t)across;
    l->cell = (int32_t)((side >> TO_FORCE) / across);
    l->cell = l->cell < 2 * l->widest ? 2 * l->widest : l->cell;
    return (uint32_t)total;
}

int cells_prepare(crowd *c)
{
    cells *s = &c->cells;
    find_levels(c);
    s->n_cells = 0;
    for (uint32_t k = 0; k < s->n_levels; k++) {
        s->level[k].first = s->n_cells;
        s->n_cells += divide(&s->level[k], c->dimension, c->side);
    }
    if (s->n_cells + 1 > s->room) {
        free(s->start);
        s->room = s->n_cells + 1;
        s->start = calloc(s->room, sizeof *s->start);
        s->room = s->start ? s->room : 0;
    }
    return s->start != NULL;
}

/** Number of the cell along an axis; a place outside is in the last cell. */
static inline uint32_t slot(const level *l, int32_t x)
{
    uint32_t at = x < 0 ? 0 : (uint32_t)x / (uint32_t)l->cell;
    return at < l->across ? at : l->across - 1;
}

static inline uint32_t cell_of(const level *l, const int32_t x[3], uint32_t dimension)
{
    uint32_t at = dimension == 3 ? slot(l, x[2]) : 0;
    at = at * l->across + slot(l, x[1]);
    return l->first + at * l->across + slot(l, x[0]);
}

static inline spot spot_of(const crowd *c, uint32_t i)
{
    spot p = {.reach = (int32_t)(c->r[i] >> TO_FORCE)};
    for (uint32_t k = 0; k < c->dimension; k++)
        p.x[k] = (int32_t)(c->x[k][i] >> TO_FORCE);
    return p;
}

/** The counting sort. */
static void sort(crowd *c)
{
    cells *s = &c->cells;
    memset(s->start, 0, (s->n_cells + 1) * sizeof *s->start);
    for (uint32_t i = 0; i < c->n; i++) {
        spot p = spot_of(c, i);
        s->cell_of[i] = cell_of(&s->level[s->level_of[i]], p.x, c->dimension);
        s->start[s->cell_of[i]]++;
    }
    for (uint32_t k = 0, sum = 0; k <= s->n_cells; k++) {
        sum += s->start[k];
        s->start[k] = sum; // the end of each cell, which becomes the cell's start below
    }
    for (uint32_t i = c->n; i-- > 0;) {
        uint32_t at = --s->start[s->cell_of[i]];
        s->body[at] = i;
        s->spot[at] = spot_of(c, i);
    }
}

/** Mass, in units of which only ratios count. */
static inline int64_t mass(uint32_t dimension, int32_t reach)
{
    int64_t a = reach >> 10;
    return dimension == 2 ? a * a : a * a * a;
}

/** Two bodies whose boxes overlap push each other apart if they do. */
static void push(cells *s, uint32_t dimension, uint32_t a, uint32_t b)
{
    const spot *p = &s->spot[a], *o = &s->spot[b];
    int64_t d[3], sum = 0, reach = (int64_t)p->reach + o->reach;
    for (int k = 0; k < 3; k++) {
        d[k] = (int64_t)o->x[k] - p->x[k];
        sum += d[k] * d[k];
    }
    if (sum >= reach * reach)
        return;
    int64_t distance = (int64_t)sqrt((double)sum), depth = reach - distance;
    if (depth <= 0 || distance == 0)
        return;
    int64_t most = (p->reach < o->reach ? p->reach : o->reach) >> 2, share[2] = {256, 256};
    depth = depth > most ? most : depth;
    if (p->reach != o->reach) {
        int64_t m[2] = {mass(dimension, p->reach), mass(dimension, o->reach)}, both = m[0] + m[1];
        share[0] = (512 * m[1] + both / 2) / both;
        share[1] = (512 * m[0] + both / 2) / both;
    }
    for (uint32_t k = 0; k < dimension; k++) {
        int64_t q = d[k] * depth / distance;
        s->force[a].f[k] -= q * share[0];
        s->force[b].f[k] += q * share[1];
    }
}

/** Bodies whose boxes overlap that of body a, up to MOST_MET: found without a branch, because
 * mispredictions cost more than the rest. */
enum { MOST_MET = 64 };
typedef struct meeting {
    uint32_t a, n, met[MOST_MET];
} meeting;

static void push_all(cells *s, uint32_t dimension, meeting *m)
{
    for (uint32_t k = 0; k < m->n; k++)
        push(s, dimension, m->a, m->met[k]);
    m->n = 0;
}

/** Body a with all bodies of a stretch. */
static inline void meet(cells *s, uint32_t dimension, meeting *m, uint32_t begin, uint32_t end)
{
    const spot p = s->spot[m->a];
    for (uint32_t last; begin < end; begin = last) {
        if (m->n >= MOST_MET / 2)
            push_all(s, dimension, m);
        last = end - begin > MOST_MET / 2 ? begin + MOST_MET / 2 : end;
        for (uint32_t b = begin; b < last; b++) {
            const spot *o = &s->spot[b];
            int32_t reach = p.reach + o->reach;
            m->met[m->n] = b;
            m->n += (uint32_t)((abs(o->x[0] - p.x[0]) < reach) & (abs(o->x[1] - p.x[1]) < reach) &
                               (abs(o->x[2] - p.x[2]) < reach));
        }
    }
}

/** Cells of a level that a body may reach into, along an axis. */
static inline void window(const level *l, const spot *p, uint32_t k, uint32_t *low, uint32_t *high)
{
    int32_t far = p->reach + l->widest;
    *low = slot(l, p->x[k] - far);
    *high = slot(l, p->x[k] + far);
}

/** Pairs a body with those of a level of larger bodies. */
static void meet_larger(cells *s, uint32_t dimension, meeting *m, const level *l)
{
    uint32_t low[3] = {0}, high[3] = {0};
    for (uint32_t k = 0; k < dimension; k++)
        window(l, &s->spot[m->a], k, &low[k], &high[k]);
    for (uint32_t z = low[2]; z <= high[2]; z++)
        for (uint32_t y = low[1]; y <= high[1]; y++) {
            const uint32_t *row = s->start + l->first + (z * l->across + y) * l->across;
            meet(s, dimension, m, row[low[0]], row[high[0] + 1]);
        }
}

/** Stretches of the cells that follow one and touch it, row by row; returns how many. */
static uint32_t following(const cells *s, const level *l, uint32_t dimension, const uint32_t at[3],
                          uint32_t begin[4], uint32_t end[4])
{
    static const int step[4][2] = {{1, 0}, {-1, 1}, {0, 1}, {1, 1}}; // steps in y and z
    const uint32_t n_rows = dimension == 2 ? 1 : 4;
    uint32_t n = 0, last = l->across - 1;
    uint32_t low = at[0] ? at[0] - 1 : 0, high = at[0] < last ? at[0] + 1 : last;
    for (uint32_t k = 0; k < n_rows; k++) {
        int64_t y = (int64_t)at[1] + step[k][0], z = (int64_t)at[2] + step[k][1];
        if (y < 0 || y > last || (dimension == 3 && z > last))
            continue;
        const uint32_t *row =
            s->start + l->first + ((uint32_t)z * l->across + (uint32_t)y) * l->across;
        begin[n] = row[low];
        end[n++] = row[high + 1];
    }
    return n;
}

/** All pairs whose first body is in this cell. */
static void meet_cell(crowd *c, uint32_t which, const uint32_t at[3])
{
    cells *s = &c->cells;
    const level *l = &s->level[which];
    const uint32_t *row = s->start + l->first + (at[2] * l->across + at[1]) * l->across;
    uint32_t begin[4], end[4], n = 0;
    meeting m;
    m.n = 0;
    if (row[at[0]] == row[at[0] + 1])
        return;
    uint32_t beside = row[at[0] + 1 < l->across ? at[0] + 2 : at[0] + 1];
    n = following(s, l, c->dimension, at, begin, end);
    for (uint32_t a = row[at[0]]; a < row[at[0] + 1]; a++) {
        m.a = a;
        meet(s, c->dimension, &m, a + 1, beside);
        for (uint32_t k = 0; k < n; k++)
            meet(s, c->dimension, &m, begin[k], end[k]);
        for (uint32_t larger = which + 1; larger < s->n_levels; larger++)
            meet_larger(s, c->dimension, &m, &s->level[larger]);
        push_all(s, c->dimension, &m);
    }
}

void cells_forces(crowd *c)
{
    cells *s = &c->cells;
    sort(c);
    memset(s->force, 0, c->n * sizeof *s->force);
    for (uint32_t k = 0; k < s->n_levels; k++) {
        uint32_t across = s->level[k].across, deep = c->dimension == 3 ? across : 1;
        for (uint32_t z = 0; z < deep; z++)
            for (uint32_t y = 0; y < across; y++)
                for (uint32_t x = 0; x < across; x++)
                    meet_cell(c, k, (uint32_t[3]){x, y, z});
    }
}

/* ---- random places ---- */

/** Does a body overlap one of a cell? `next` chains the bodies of a cell. */
static int hits(const cells *s, const spot *p, uint32_t cell, const uint32_t *next)
{
    for (uint32_t j = s->start[cell]; j != SCREE_NONE; j = next[j]) {
        const spot *o = &s->spot[j];
        int64_t reach = (int64_t)p->reach + o->reach, sum = 0;
        for (int k = 0; k < 3; k++) {
            int64_t d = (int64_t)o->x[k] - p->x[k];
            sum += d * d;
        }
        if (sum < reach * reach)
            return 1;
    }
    return 0;
}

static int is_free(const crowd *c, const spot *p, uint32_t own, const uint32_t *next)
{
    const cells *s = &c->cells;
    for (uint32_t k = s->n_levels; k-- > own;) {
        const level *l = &s->level[k];
        uint32_t low[3] = {0}, high[3] = {0};
        for (uint32_t axis = 0; axis < c->dimension; axis++)
            window(l, p, axis, &low[axis], &high[axis]);
        for (uint32_t z = low[2]; z <= high[2]; z++)
            for (uint32_t y = low[1]; y <= high[1]; y++)
                for (uint32_t x = low[0]; x <= high[0]; x++)
                    if (hits(s, p, l->first + (z * l->across + y) * l->across + x, next))
                        return 0;
    }
    return 1;
}

/** Tries places for a body until one is free; after the last try it stays there. */
static void try_places(crowd *c, uint32_t i, uint64_t stream, uint64_t *drawn, uint32_t tries,
                       int64_t low, int64_t high)
{
    const uint64_t width = (uint64_t)(high - low - 2 * c->r[i] + 1);
    for (uint32_t t = 0; t < tries; t++) {
        for (uint32_t k = 0; k < c->dimension; k++)
            c->x[k][i] = low + c->r[i] + (int64_t)random_below(stream, (*drawn)++, width);
        c->cells.spot[i] = spot_of(c, i);
        if (is_free(c, &c->cells.spot[i], c->cells.level_of[i], c->cells.body))
            return;
    }
}

int32_t cells_place(crowd *c, uint64_t seed, uint32_t tries, int64_t low, int64_t high)
{
    cells *s = &c->cells;
    uint32_t *next = s->body; // next body of the same cell
    uint64_t drawn = 0;
    memset(s->start, 0xff, (s->n_cells + 1) * sizeof *s->start);
    for (uint32_t i = 0; i < c->n; i++) {
        if (i % 4096 == 0 && c->host->cancelled(c->host->ctx))
            return SCREE_E_CANCELLED;
        if (c->fixed[i])
            s->spot[i] = spot_of(c, i);
        else
            try_places(c, i, seed + 3, &drawn, tries, low, high);
        uint32_t cell = cell_of(&s->level[s->level_of[i]], s->spot[i].x, c->dimension);
        next[i] = s->start[cell];
        s->start[cell] = i;
    }
    return SCREE_OK;
}
