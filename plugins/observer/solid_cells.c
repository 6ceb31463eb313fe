/* SPDX-License-Identifier: Apache-2.0 */
/* The cells of the solids of a state, for observers that show them.
 *
 * The resolver is the observer's own: it prepares each shape once. Zones are those of all pairs of
 * bodies with cells whose bounding balls overlap; where space repeats, of the nearest images. */
#include "solid_cells.h"

static const char *const class_names[] = {"outside", "inside", "border"};

static int32_t no_memory(const solid_cells *c)
{
    return c->host->fail(c->host->ctx, SCREE_E_MEMORY, "no memory for `cells`");
}

static int32_t read_words(solid_cells *c, const scree_strings *words)
{
    c->shown = words->n ? 0 : 1u << SCREE_SOLID_INSIDE | 1u << SCREE_SOLID_BORDER;
    for (uint64_t k = 0; k < words->n; k++) {
        uint32_t m = 0;
        while (m < SCREE_COUNT(class_names) && strcmp(words->v[k], class_names[m]) != 0)
            m++;
        if (m == SCREE_COUNT(class_names))
            return scree_failf(c->host, SCREE_E_CONFIG,
                               "cell_classes: expected outside, inside or border, got \"%.80s\"",
                               words->v[k]);
        c->shown |= 1u << m;
    }
    return SCREE_OK;
}

static int32_t make_resolver(solid_cells *c, const scree_plugin_ref *ref)
{
    const scree_host *host = c->host;
    const scree_plugin *plugin;
    const void *ops;
    const int32_t code = host->make_instance(host->ctx, ref, &plugin, &ops, &c->self);
    if (code != SCREE_OK)
        return code;
    c->ops = ops;
    c->solid = plugin->get_extension ? plugin->get_extension(SCREE_DRAFT_SOLID) : NULL;
    if (!(plugin->dimensions & (host->dimension == 2 ? SCREE_DIMENSION_2 : SCREE_DIMENSION_3)))
        return scree_failf(host, SCREE_E_CONFIG, "cells: resolver/%s does not serve %uD",
                           plugin->id, host->dimension);
    if (!c->solid || !SCREE_HAS(c->solid, zone))
        return scree_failf(host, SCREE_E_CONFIG,
                           "cells: resolver/%s shows no cells (" SCREE_DRAFT_SOLID "); dfr3d does",
                           plugin->id);
    return SCREE_OK;
}

int32_t solid_cells_make(solid_cells **out, const scree_host *host, const scree_plugin_ref *ref,
                         const scree_strings *words)
{
    *out = NULL;
    if (!ref)
        return words->n ? host->fail(host->ctx, SCREE_E_CONFIG,
                                     "`cell_classes` goes with `cells`, a resolver")
                        : SCREE_OK;
    solid_cells *c = calloc(1, sizeof *c);
    if (!c)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for `cells`");
    c->host = host;
    int32_t code = read_words(c, words);
    code = code == SCREE_OK ? make_resolver(c, ref) : code;
    if (code == SCREE_OK)
        *out = c;
    else
        solid_cells_free(c);
    return code;
}

void solid_cells_free(solid_cells *c)
{
    if (!c)
        return;
    if (c->self)
        c->ops->destroy(c->self);
    for (uint64_t k = 0; k < c->n_shapes; k++)
        free(c->shapes[k].class);
    free(c->shapes);
    free(c->zones);
    free(c->cells);
    free(c->mask);
    free(c);
}

/* ---- shapes ---- */

static int32_t prepare(solid_cells *c, const scree_bodies *b)
{
    for (uint32_t k = (uint32_t)c->n_shapes; k < b->n_shapes; k++) {
        shape_cells made = {.n = 0};
        int32_t code = SCREE_OK;
        if (SCREE_HAS(c->ops, prepare))
            code = c->ops->prepare(c->self, k, b->shapes[k]);
        if (code != SCREE_OK)
            return code;
        if (!scree_grow(&c->shapes, &c->room[0], k + 1ull, sizeof *c->shapes))
            return no_memory(c);
        if (c->solid->grid(c->self, k, &made.grid)) {
            made.n = (uint64_t)made.grid.n[0] * made.grid.n[1] * made.grid.n[2];
            made.class = malloc(made.n);
            if (!made.class || !scree_grow(&c->mask, &c->room[1], made.n, 1)) {
                free(made.class);
                return no_memory(c);
            }
            c->solid->classes(c->self, k, made.class);
        }
        c->shapes[c->n_shapes++] = made;
    }
    return SCREE_OK;
}

int solid_cells_has(const solid_cells *c, uint32_t shape)
{
    return shape < c->n_shapes && c->shapes[shape].n > 0;
}

/* ---- zones ---- */

static int32_t add_zone(solid_cells *c, uint32_t body, const int32_t lo[3], const int32_t hi[3])
{
    if (!scree_grow(&c->zones, &c->room[2], c->n_zones + 1, sizeof *c->zones))
        return no_memory(c);
    cell_zone *z = &c->zones[c->n_zones++];
    z->body = body;
    memcpy(z->lo, lo, sizeof z->lo);
    memcpy(z->hi, hi, sizeof z->hi);
    return SCREE_OK;
}

/* The zones of bodies i and j, if there are any. */
static int32_t find_zone(solid_cells *c, const scree_bodies *b, uint32_t i, uint32_t j)
{
    const uint32_t type[2] = {b->shapes[b->shape[i]]->type, b->shapes[b->shape[j]]->type};
    const uint32_t body[2] = {type[0] <= type[1] ? i : j, type[0] <= type[1] ? j : i};
    const double reach = b->radius[i] + b->radius[j];
    double d[3], square = 0.0;
    int32_t cells[3], lo[2][3], hi[2][3], code = SCREE_OK;
    for (int k = 0; k < 3; k++)
        d[k] = b->x[k][body[1]] - b->x[k][body[0]];
    scree_nearest(b->cell, d, cells);
    for (int k = 0; k < 3; k++)
        square += d[k] * d[k];
    if (square > reach * reach)
        return SCREE_OK;
    const scree_candidates pair = {.size = sizeof pair,
                                   .n = 1,
                                   .type_a = b->shapes[b->shape[body[0]]]->type,
                                   .type_b = b->shapes[b->shape[body[1]]]->type,
                                   .a = &body[0],
                                   .b = &body[1],
                                   .d = {&d[0], &d[1], &d[2]},
                                   .radius_a = &b->radius[body[0]],
                                   .radius_b = &b->radius[body[1]],
                                   .bodies = b};
    const int n = c->solid->zone(c->self, &pair, lo, hi) ? 2 : 0;
    for (int k = 0; k < n && code == SCREE_OK; k++)
        code = add_zone(c, body[k], lo[k], hi[k]);
    return code;
}

static int compare_zones(const void *x, const void *y)
{
    const cell_zone *p = x, *q = y;
    return p->body < q->body ? -1 : p->body > q->body;
}

static int32_t find_zones(solid_cells *c, const scree_bodies *b)
{
    int32_t code = SCREE_OK;
    c->n_zones = 0;
    for (uint32_t i = 0; i < b->n && code == SCREE_OK; i++) {
        const uint32_t end = solid_cells_has(c, b->shape[i]) ? b->n : 0;
        for (uint32_t j = i + 1; j < end && code == SCREE_OK; j++)
            if (solid_cells_has(c, b->shape[j]))
                code = find_zone(c, b, i, j);
    }
    if (c->n_zones)
        qsort(c->zones, c->n_zones, sizeof *c->zones, compare_zones);
    return code;
}

/* ---- cells ---- */

void solid_cells_place(const solid_cells *c, const scree_bodies *b, uint32_t body,
                       const double at[3], double x[3])
{
    const scree_solid_grid *g = &c->shapes[b->shape[body]].grid;
    double p[3];
    for (int k = 0; k < 3; k++)
        p[k] = b->scale[body] * (g->origin[k] + at[0] * g->axis[0][k] + at[1] * g->axis[1][k] +
                                 at[2] * g->axis[2][k]);
    scree_to_world(b, body, p, x);
    for (int k = 0; k < 3; k++)
        x[k] += b->x[k][body];
}

void solid_cells_corner(const solid_cells *c, const scree_bodies *b, const body_cell *cell,
                        uint32_t number, double x[3])
{
    double at[3];
    for (uint32_t k = 0; k < 3; k++)
        at[k] = cell->at[k] + (double)(number >> k & 1);
    solid_cells_place(c, b, cell->body, at, x);
}

static uint64_t number_of(const scree_solid_grid *g, const uint32_t at[3])
{
    return at[0] + (uint64_t)g->n[0] * (at[1] + (uint64_t)g->n[1] * at[2]);
}

static void mark_zone(const solid_cells *c, const scree_solid_grid *g, const cell_zone *z)
{
    uint32_t at[3];
    for (at[2] = (uint32_t)z->lo[2]; at[2] <= (uint32_t)z->hi[2]; at[2]++)
        for (at[1] = (uint32_t)z->lo[1]; at[1] <= (uint32_t)z->hi[1]; at[1]++)
            for (at[0] = (uint32_t)z->lo[0]; at[0] <= (uint32_t)z->hi[0]; at[0]++)
                c->mask[number_of(g, at)] |= 1;
}

static void step_on(const scree_solid_grid *g, uint32_t at[3])
{
    for (int k = 0; k < 3 && ++at[k] == g->n[k] && k < 2; k++)
        at[k] = 0;
}

/* Marks the cells of a body that are shown; returns their number. */
static uint64_t mark_shown(const solid_cells *c, const scree_bodies *b, uint32_t body,
                           cell_filter filter, const void *ctx)
{
    const shape_cells *s = &c->shapes[b->shape[body]];
    uint32_t at[3] = {0, 0, 0};
    uint64_t sum = 0;
    for (uint64_t n = 0; n < s->n; n++, step_on(&s->grid, at)) {
        const double middle[3] = {at[0] + 0.5, at[1] + 0.5, at[2] + 0.5};
        double x[3];
        int shown = c->shown >> s->class[n] & 1;
        if (shown && filter) {
            solid_cells_place(c, b, body, middle, x);
            shown = filter(ctx, x);
        }
        c->mask[n] |= (uint8_t)(2 * shown);
        sum += (uint64_t)shown;
    }
    return sum;
}

/* The sides of cell n beyond which no cell is shown. A cell outside hides nothing. */
static uint8_t sides_of(const solid_cells *c, const shape_cells *s, const uint32_t at[3])
{
    uint32_t sides = 0;
    for (uint32_t k = 0; k < 6; k++) {
        uint32_t next[3] = {at[0], at[1], at[2]};
        const int out = k % 2 ? at[k / 2] + 1 == s->grid.n[k / 2] : at[k / 2] == 0;
        next[k / 2] += k % 2 ? 1u : UINT32_MAX;
        const uint64_t m = out ? 0 : number_of(&s->grid, next);
        sides |= (uint32_t)(out || !(c->mask[m] & 2) || s->class[m] == SCREE_SOLID_OUTSIDE) << k;
    }
    return (uint8_t)sides;
}

static int32_t add_body(solid_cells *c, const scree_bodies *b, uint32_t body, uint64_t *zone,
                        cell_filter filter, const void *ctx)
{
    const shape_cells *s = &c->shapes[b->shape[body]];
    uint32_t at[3] = {0, 0, 0};
    memset(c->mask, 0, s->n);
    for (; *zone < c->n_zones && c->zones[*zone].body == body; ++*zone)
        mark_zone(c, &s->grid, &c->zones[*zone]);
    const uint64_t more = mark_shown(c, b, body, filter, ctx);
    if (!scree_grow(&c->cells, &c->room[3], c->n_cells + more, sizeof *c->cells))
        return no_memory(c);
    for (uint64_t n = 0; n < s->n; n++, step_on(&s->grid, at)) {
        if (!(c->mask[n] & 2))
            continue;
        c->cells[c->n_cells++] =
            (body_cell){.body = body,
                        .in_zone = c->mask[n] & 1,
                        .at = {(uint16_t)at[0], (uint16_t)at[1], (uint16_t)at[2]},
                        .class = s->class[n],
                        .sides = sides_of(c, s, at)};
    }
    return SCREE_OK;
}

int32_t solid_cells_find(solid_cells *c, const scree_bodies *b, cell_filter filter, const void *ctx)
{
    uint64_t zone = 0;
    int32_t code = prepare(c, b);
    code = code == SCREE_OK ? find_zones(c, b) : code;
    c->n_cells = 0;
    for (uint32_t i = 0; i < b->n && code == SCREE_OK; i++)
        if (solid_cells_has(c, b->shape[i]))
            code = add_body(c, b, i, &zone, filter, ctx);
    return code;
}
