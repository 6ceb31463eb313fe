// SPDX-License-Identifier: Apache-2.0
/*
 * dfr3d: maps of offsets and run lengths, and the point test with them.
 *
 * Source   R. O'Connor, A Distributed Discrete Element Modeling Environment, PhD thesis, MIT, 1996, 3.4,
 *          (3.6), (3.7): the offset d in cells, and w - o in place of the printed d - o; an ordinate
 *          outside of a run is an external cell.
 * Point    a point of an external cell is outside, of an internal one inside. In a cell with
 *          facets, the segment to a corner, which is known to be inside or outside, crosses facets
 *          an even or odd number of times; a segment that meets an edge is tried again with the
 *          next corner. [1] gives no rule. In most cells all facets bend one way. There their
 *          planes decide, with three products instead of a parity.
 */
#include "dfr3d.h"

typedef struct runs {
    dfr_body *body;
    const int32_t *code; // [cells of the grid]
    uint64_t room_prisms, room_stencil;
} runs;

/* The run of a prism: from its first to its last cell that is not external. */
static int add_prism(runs *r, const int32_t *row)
{
    dfr_body *b = r->body;
    uint32_t first = 0, end = b->grid.n[0];
    while (first < end && row[first] == DFR_EXTERNAL)
        first++;
    while (end > first && row[end - 1] == DFR_EXTERNAL)
        end--;
    const uint32_t n = end - first;
    if (!scree_grow(&b->cells, &r->room_prisms, b->n_prisms + 1, sizeof *b->cells) ||
        !scree_grow(&b->stencil, &r->room_stencil, b->n_stencil + n + 1, sizeof *b->stencil))
        return 0;
    b->cells[b->n_prisms++] = (dfr_orl){(int32_t)first, (int32_t)n, (uint32_t)b->n_stencil};
    memcpy(b->stencil + b->n_stencil, row + first, n * sizeof *row);
    b->n_stencil += n;
    return 1;
}

static int is_empty(const int32_t *code, uint64_t n)
{
    while (n > 0 && code[n - 1] == DFR_EXTERNAL)
        n--;
    return n == 0;
}

static int add_slice(runs *r, uint32_t k, dfr_orl *slice)
{
    const uint32_t *n = r->body->grid.n;
    const int32_t *rows = r->code + (uint64_t)k * n[0] * n[1];
    uint32_t first = 0, end = n[1];
    while (first < end && is_empty(rows + (uint64_t)first * n[0], n[0]))
        first++;
    while (end > first && is_empty(rows + (uint64_t)(end - 1) * n[0], n[0]))
        end--;
    *slice = (dfr_orl){(int32_t)first, (int32_t)(end - first), (uint32_t)r->body->n_prisms};
    for (uint32_t j = first; j < end; j++)
        if (!add_prism(r, rows + (uint64_t)j * n[0]))
            return 0;
    return 1;
}

int dfr_maps_make(dfr_body *b, const int32_t *code)
{
    const uint64_t area = (uint64_t)b->grid.n[0] * b->grid.n[1];
    uint32_t first = 0, end = b->grid.n[2];
    runs r = {.body = b, .code = code};
    while (first < end && is_empty(code + first * area, area))
        first++;
    while (end > first && is_empty(code + (end - 1) * area, area))
        end--;
    b->slices = (dfr_orl){(int32_t)first, (int32_t)(end - first), 0};
    b->prisms = malloc((end - first + 1ull) * sizeof *b->prisms);
    if (!b->prisms)
        return 0;
    for (uint32_t k = first; k < end; k++)
        if (!add_slice(&r, k, &b->prisms[k - first]))
            return 0;
    return 1;
}

/* The sign of turn(), whichever facet the edge v - w is read from. */
static double side_of(const dfr_body *b, const double *p, const double *q, uint32_t v, uint32_t w)
{
    return v < w ? turn(p, q, b->vertex[v], b->vertex[w]) : -turn(p, q, b->vertex[w], b->vertex[v]);
}

/* Counts the crossings of a segment with the facets of a cell; -1: it meets an edge. */
static int count_crossings(const dfr_body *b, uint32_t cell, const double *p, const double *q)
{
    int n = 0;
    for (uint32_t f = b->first[cell]; f < b->first[cell + 1]; f++) {
        const uint32_t *v = b->facet[f];
        double from[3], to[3];
        sub(p, b->vertex[v[0]], from);
        sub(q, b->vertex[v[0]], to);
        const double above = dot(from, b->normal[f]), below = dot(to, b->normal[f]);
        if ((above > 0.0) == (below > 0.0))
            continue;
        const double x = side_of(b, p, q, v[0], v[1]), y = side_of(b, p, q, v[1], v[2]);
        const double z = side_of(b, p, q, v[2], v[0]);
        const int all = (x >= 0.0 && y >= 0.0 && z >= 0.0) || (x <= 0.0 && y <= 0.0 && z <= 0.0);
        if (all && (x == 0.0 || y == 0.0 || z == 0.0))
            return -1;
        n += all;
    }
    return n;
}

/* The test for cells whose facets are few and all bend one way: the same arithmetic for each cell,
 * without a branch. */
static int inside_bent(double (*p)[DFR_PLANES], const double x[3], int outward)
{
    double over[DFR_PLANES];
    for (int k = 0; k < DFR_PLANES; k++)
        over[k] = p[0][k] * x[0] + p[1][k] * x[1] + p[2][k] * x[2] - p[3][k];
    for (int k = 0; k < DFR_PLANES / 2; k++)
        over[k] = over[k] > over[k + 2] ? over[k] : over[k + 2];
    const double most = over[0] > over[1] ? over[0] : over[1];
    return ((most <= 0.0) & outward) | ((most >= 0.0) & !outward);
}

int dfr_inside_cell(const dfr_body *b, uint32_t cell, const double x[3])
{
    if (b->bent[cell])
        return inside_bent(b->planes[cell], x, b->bent[cell] == DFR_OUTWARD);
    for (uint32_t c = 0; c < 8; c++) {
        double corner[3];
        for (int k = 0; k < 3; k++)
            corner[k] = b->grid.origin[k] + b->grid.cell[k] * (b->at[cell][k] + (c >> k & 1));
        const int n = count_crossings(b, cell, x, corner);
        if (n >= 0)
            return (n & 1) ^ (b->corners[cell] >> c & 1);
    }
    return 1; // all eight segments meet an edge: x is on one
}

int dfr_inside(const dfr_body *b, const double x[3])
{
    int32_t w[3];
    for (int k = 0; k < 3; k++) {
        const double u = b->offset[k] + x[k] * b->inverse[k];
        if (!(u >= 0.0 && u < (double)b->grid.n[k]))
            return 0;
        w[k] = (int32_t)u;
    }
    const int32_t code = dfr_code(b, w);
    return code >= 0 ? dfr_inside_cell(b, (uint32_t)code, x) : code == DFR_INTERNAL;
}

uint64_t dfr_key(const dfr_body *b, uint32_t facet)
{
    const uint32_t group = b->group[facet];
    const uint32_t f = b->group_face[group] != SCREE_NONE ? b->lead[group] : facet;
    const uint32_t cell = b->facet_cell[f];
    const uint16_t *at = b->at[cell];
    return at[0] | (uint64_t)at[1] << 10 | (uint64_t)at[2] << 20 |
           (uint64_t)(f - b->first[cell]) << 30;
}

uint32_t dfr_facet_of_key(const dfr_body *b, uint64_t key)
{
    const int32_t w[3] = {(int32_t)(key & 1023), (int32_t)(key >> 10 & 1023),
                          (int32_t)(key >> 20 & 1023)};
    const int32_t code = dfr_code(b, w);
    const uint32_t local = (uint32_t)(key >> 30 & 15);
    if (code < 0 || b->first[code] + local >= b->first[code + 1])
        return SCREE_NONE;
    return b->first[code] + local;
}
