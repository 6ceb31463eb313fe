// SPDX-License-Identifier: Apache-2.0
/*
 * Source `random`: bodies placed by the block.
 *
 * Idea: a place that is taken stays taken. So for all bodies of a block the places that they try are
 * asked about together, sorted by place: neighbours in space are asked about one after the other, and
 * what the host looks at is still in the cache. Places of a body after another, places all over the
 * region, cost an access to memory for each of the lines that the host looks at.
 *
 * Then the bodies are judged in their order. The first place that was free before the block is free,
 * unless a body of the block is near: then the host is asked again. The bodies are those that are
 * made by one after the other.
 *
 * Cost: a block is a small share of the bodies that are there (SHARE), so that few of its bodies meet.
 */
#include "scatter.h"

enum { ROUNDS = 24, EASY = 4, RADIX = 11 };

/* A place of a body of the block, by where it is. */
typedef struct place {
    uint32_t key, body;
} place;

typedef struct block {
    scatter *s;
    uint32_t n; // bodies
    seeker *seekers;
    uint8_t *found; // [n] x[at] was free before the block
    uint32_t *open; // of them, those that look for a place
    uint32_t n_open;
    // Places that are asked about.
    uint32_t n_places, room;
    place *places, *sorted;
    uint32_t *shape, *free;
    double *numbers; // scale, x, q
    // Bodies of the block that have a place, in cells of `edge`.
    double edge, reach;     // [m] reach: of the largest
    uint32_t *head, *chain; // chain: the next one in a cell + 1; 0: none
    uint32_t mask;
    uint32_t n_held; // of those in the order, the host knows
} block;

static void clear(block *b)
{
    void *all[] = {b->seekers, b->found, b->open,    b->places, b->sorted,
                   b->shape,   b->free,  b->numbers, b->head,   b->chain};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
}

static int32_t make_block(block *b, scatter *s, uint64_t first, uint32_t n)
{
    uint32_t cells = 64;
    *b = (block){.s = s, .n = n, .room = n * EASY};
    while (cells < 2 * n)
        cells *= 2;
    b->mask = cells - 1;
    b->seekers = malloc(n * sizeof *b->seekers);
    b->found = calloc(n, 1);
    b->open = malloc(n * sizeof *b->open);
    b->places = malloc(b->room * sizeof *b->places);
    b->sorted = malloc(b->room * sizeof *b->sorted);
    b->shape = malloc(b->room * sizeof *b->shape);
    b->free = malloc(b->room * sizeof *b->free);
    b->numbers = malloc(8 * (size_t)b->room * sizeof *b->numbers);
    b->head = calloc(cells, sizeof *b->head);
    b->chain = malloc(n * sizeof *b->chain);
    if (!b->seekers || !b->found || !b->open || !b->places || !b->sorted || !b->shape || !b->free ||
        !b->numbers || !b->head || !b->chain)
        return s->p.host->fail(s->p.host->ctx, SCREE_E_MEMORY, "out of memory");
    for (uint32_t i = 0; i < n; i++) {
        const double reach = packing_reach(&s->p, s->order[first + i].scale);
        seeker_begin(s, &b->seekers[i], s->order[first + i].number);
        b->reach = reach > b->reach ? reach : b->reach;
        b->open[i] = i;
    }
    b->n_open = n;
    b->edge = 2.0 * b->reach * (1.0 + 1e-6);
    return SCREE_OK;
}

/* ---- what was free before the block ---- */

/* Draws until each body that looks for a place has one to ask about, or for a while. */
static void draw(block *b)
{
    for (int again = 0, dry = 1; again < 4 && dry; again++) {
        seeker *before = NULL;
        dry = 0;
        for (uint32_t i = 0; i < b->n_open; i++) {
            seeker *w = &b->seekers[b->open[i]];
            if (w->at < w->n || !seeker_draw(b->s, w))
                continue;
            if (before)
                seeker_keep(b->s, before);
            dry |= before && before->at == before->n;
            before = w;
        }
        if (before)
            seeker_keep(b->s, before);
        dry |= before && before->at == before->n;
    }
}

/* A number of the cell, along rows, so that it grows with the place. */
static uint32_t key_of(const block *b, const double cells[3], const double x[3])
{
    const packing *p = &b->s->p;
    double key = 0.0;
    for (uint32_t k = p->dimension; k-- > 0;) {
        const double at = floor((x[k] - p->min[k]) / (p->max[k] - p->min[k]) * cells[k]);
        key = key * cells[k] + (at > 0.0 ? at < cells[k] ? at : cells[k] - 1.0 : 0.0);
    }
    return (uint32_t)key;
}

/* By key: a pass for each digit (counting sort). */
static void sort_places(block *b)
{
    for (uint32_t shift = 0; shift < 32; shift += RADIX) {
        uint32_t count[1 << RADIX] = {0}, sum = 0;
        place *swap = b->places;
        for (uint32_t i = 0; i < b->n_places; i++)
            count[b->places[i].key >> shift & ((1 << RADIX) - 1)]++;
        for (uint32_t d = 0; d < 1 << RADIX; d++) {
            const uint32_t own = count[d];
            count[d] = sum;
            sum += own;
        }
        for (uint32_t i = 0; i < b->n_places; i++)
            b->sorted[count[b->places[i].key >> shift & ((1 << RADIX) - 1)]++] = b->places[i];
        b->places = b->sorted;
        b->sorted = swap;
    }
}

/* The next `most` places of each body, sorted. A body's own come one after the other, by number. */
static void collect(block *b, uint32_t most)
{
    const packing *p = &b->s->p;
    double cells[3] = {1.0, 1.0, 1.0}, limit = p->dimension == 2 ? 32768.0 : 1024.0;
    for (uint32_t k = 0; k < p->dimension; k++) {
        const double n = floor((p->max[k] - p->min[k]) / b->edge);
        cells[k] = n > 1.0 ? n < limit ? n : limit : 1.0;
    }
    b->n_places = 0;
    for (uint32_t i = 0; i < b->n_open; i++) {
        const seeker *w = &b->seekers[b->open[i]];
        for (uint32_t a = w->at; a < w->n && a - w->at < most; a++)
            b->places[b->n_places++] =
                (place){key_of(b, cells, w->x[a]), b->open[i] * LOOK_AHEAD + a};
    }
    sort_places(b);
}

static int32_t ask(block *b, uint32_t *n_free)
{
    const scree_query *query = b->s->p.query;
    double *at[8];
    for (int k = 0; k < 8; k++)
        at[k] = b->numbers + (size_t)k * b->room;
    for (uint32_t i = 0; i < b->n_places; i++) {
        const seeker *w = &b->seekers[b->places[i].body / LOOK_AHEAD];
        const double *x = w->x[b->places[i].body % LOOK_AHEAD];
        b->shape[i] = b->s->p.config->body->shape;
        at[0][i] = w->scale;
        for (int k = 0; k < 3; k++)
            at[1 + k][i] = x[k];
        for (int k = 0; k < 4; k++)
            at[4 + k][i] = w->q[k];
    }
    const scree_trials trials = {.size = sizeof trials,
                                 .n = b->n_places,
                                 .shape = b->shape,
                                 .scale = at[0],
                                 .x = {at[1], at[2], at[3]},
                                 .q = {at[4], at[5], at[6], at[7]}};
    return query->find_free(query->ctx, &trials, b->n_places, b->free, n_free);
}

/* One round: the next places of all bodies that have found none. */
static int32_t look(block *b, uint32_t most)
{
    uint32_t n_free = 0, n_open = 0;
    draw(b);
    collect(b, most);
    const int32_t code = b->n_places ? ask(b, &n_free) : SCREE_OK;
    if (code < 0)
        return code;
    for (uint32_t f = 0; f < n_free; f++) {
        const uint32_t body = b->places[b->free[f]].body / LOOK_AHEAD,
                       a = b->places[b->free[f]].body % LOOK_AHEAD;
        seeker *w = &b->seekers[body];
        if (!b->found[body] || a < w->at) // at: the first of them
            w->at = a;
        b->found[body] = 1;
    }
    for (uint32_t i = 0; i < b->n_open; i++) {
        seeker *w = &b->seekers[b->open[i]];
        if (b->found[b->open[i]])
            continue;
        w->at = w->at + most < w->n ? w->at + most : w->n;
        b->open[n_open++] = b->open[i];
    }
    b->n_open = n_open;
    return SCREE_OK;
}

/* ---- judgement ---- */

static uint32_t cell_of(const block *b, int64_t x, int64_t y, int64_t z)
{
    uint64_t h = (uint64_t)x * 0x9E3779B97F4A7C15u ^ (uint64_t)y * 0xC2B2AE3D27D4EB4Fu ^
                 (uint64_t)z * 0x165667B19E3779F9u;
    return (uint32_t)(h >> 32) & b->mask;
}

static void find_cell(const block *b, const double x[3], int64_t cell[3])
{
    for (uint32_t k = 0; k < 3; k++)
        cell[k] = k < b->s->p.dimension ? (int64_t)floor((x[k] - b->s->p.min[k]) / b->edge) : 0;
}

/* Whether the ball around a body at x may meet that of a body of the block in a cell. */
static int meets_in(const block *b, uint32_t cell, const double x[3], double reach)
{
    for (uint32_t i = b->head[cell]; i; i = b->chain[i - 1]) {
        const seeker *w = &b->seekers[i - 1];
        const double *y = w->x[w->at], sum = reach + packing_reach(&b->s->p, w->scale);
        const double dx = x[0] - y[0], dy = x[1] - y[1], dz = x[2] - y[2];
        if (dx * dx + dy * dy + dz * dz < sum * sum * (1.0 + 1e-6))
            return 1;
    }
    return 0;
}

/* The same of all of them; at a periodic seam they may be anywhere. */
static int may_meet(const block *b, const seeker *w)
{
    const packing *p = &b->s->p;
    const scree_bodies *all = p->args->bodies;
    const double *x = w->x[w->at], reach = packing_reach(p, w->scale);
    const int64_t deep = p->dimension == 3;
    int64_t c[3];
    int meets = 0;
    for (uint32_t k = 0; k < p->dimension; k++)
        if (all->periodic[k] &&
            (x[k] - all->region_min[k] < b->edge || all->region_max[k] - x[k] < b->edge))
            return 1;
    find_cell(b, x, c);
    for (int64_t dz = -deep; dz <= deep; dz++)
        for (int64_t dy = -1; dy <= 1; dy++)
            for (int64_t dx = -1; dx <= 1 && !meets; dx++)
                meets = meets_in(b, cell_of(b, c[0] + dx, c[1] + dy, c[2] + dz), x, reach);
    return meets;
}

/* Holds the bodies [n_held, end) of the block. */
static int32_t hold(block *b, uint32_t end)
{
    const packing *p = &b->s->p;
    chunk *c = &b->s->chunk;
    trial_arrays arrays;
    int32_t code = SCREE_OK;
    while (b->n_held < end && code >= 0) {
        for (c->n = 0; c->n < CHUNK && b->n_held < end; c->n++, b->n_held++) {
            const seeker *w = &b->seekers[b->n_held];
            c->shape[c->n] = p->config->body->shape;
            c->scale[c->n] = w->scale;
            for (int k = 0; k < 3; k++)
                c->x[k][c->n] = w->x[w->at][k];
            for (int k = 0; k < 4; k++)
                c->q[k][c->n] = w->q[k];
        }
        code = p->query->hold(p->query->ctx, packing_trials(c, 0, c->n, &arrays));
    }
    return code;
}

/* Gives body i its place; *found: 0 if it has none. */
static int32_t judge(block *b, uint64_t first, uint32_t i, int *found)
{
    scatter *s = b->s;
    seeker *w = &b->seekers[i];
    int64_t cell[3];
    *found = 1;
    if (!b->found[i] || may_meet(b, w)) {
        int32_t code = hold(b, i);
        if (code >= 0)
            code = seeker_finish(s, w, found);
        if (code < 0 || !*found)
            return code;
    }
    memcpy(s->bodies[s->order[first + i].number].x, w->x[w->at], sizeof w->x[w->at]);
    scatter_mark(s, w, w->x[w->at]);
    find_cell(b, w->x[w->at], cell);
    uint32_t *head = &b->head[cell_of(b, cell[0], cell[1], cell[2])];
    b->chain[i] = *head;
    *head = i + 1;
    return SCREE_OK;
}

int32_t scatter_place_block(scatter *s, uint64_t first, uint64_t n, uint64_t *done)
{
    block b;
    int found = 1;
    *done = 0;
    int32_t code = make_block(&b, s, first, (uint32_t)n);
    for (uint32_t round = 0; round < ROUNDS && code >= 0 && b.n_open > n / 32; round++)
        code = look(&b, round < EASY ? 1 : EASY);
    while (*done < n && code >= 0 && found) {
        code = judge(&b, first, (uint32_t)*done, &found);
        *done += code >= 0 && found;
    }
    if (code >= 0)
        code = hold(&b, (uint32_t)*done);
    clear(&b);
    return code;
}
