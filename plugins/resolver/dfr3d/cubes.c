// SPDX-License-Identifier: Apache-2.0
/*
 * dfr3d: cells and facets of a solid, by marching cubes.
 *
 * Sources
 *   [1] R. O'Connor, A Distributed Discrete Element Modeling Environment, PhD thesis, MIT, 1996, 3.3.
 *   [2] W. E. Lorensen, H. E. Cline, Marching cubes, Computer Graphics 21 (1987) 163.
 *
 * Idea     Each of a cell's 8 corners is inside or outside: 256 cases. On a face of the cell, the surface
 *          separates runs of corners inside from the rest; followed from face to face, its segments close to
 *          loops. The table is computed, not listed. A loop is cut into triangles so that the surface bends as
 *          little inwards as it can: solids that are convex stay so, but for edges between cells.
 * Deviations from [1] and [2]: where two corners inside are opposite on a face, each is cut off by
 *          itself. That depends only on the face, so both its cells agree, and the surface has no hole; the
 *          table of [2] leaves some. A corner of value 0 is outside.
 */
#include "dfr3d.h"

enum { EDGES = 12, MOST_LOOPS = 4 };

/** Loops of a case: the edges of the cell that each loop goes through. */
typedef struct cube_case {
    uint8_t n;
    uint8_t length[MOST_LOOPS];
    uint8_t edge[MOST_LOOPS][EDGES];
} cube_case;

/* Edge k of a cell: along axis k / 4, from the corner whose bits on the other axes are k % 4. */
static uint32_t start_of(uint32_t edge)
{
    const uint32_t axis = edge / 4, bits = edge % 4;
    return axis == 0 ? bits << 1 : axis == 1 ? (bits & 1) | (bits & 2) << 1 : bits;
}

static uint32_t edge_of(uint32_t corner, uint32_t other)
{
    const uint32_t low = corner < other ? corner : other, axis_bit = corner ^ other;
    const uint32_t axis = axis_bit == 1 ? 0 : axis_bit == 2 ? 1 : 2;
    const uint32_t bits = axis == 0 ? low >> 1 : axis == 1 ? (low & 1) | (low & 4) >> 1 : low;
    return 4 * axis + bits;
}

/* Corners of face f, counterclockwise from outside. */
static void face_corners(int f, uint32_t corner[4])
{
    const uint32_t axis = (uint32_t)f / 2, high = (uint32_t)f % 2;
    const uint32_t u = 1u << (axis + 1) % 3, v = 1u << (axis + 2) % 3, base = high << axis;
    const uint32_t ccw[4] = {base, base | u, base | u | v, base | v};
    for (int k = 0; k < 4; k++)
        corner[k] = ccw[high ? k : 3 - k];
}

/* next[e]: the edge that the surface goes to from edge e; EDGES: e is not crossed. */
static void join_edges(uint32_t inside, uint32_t next[EDGES])
{
    for (int e = 0; e < EDGES; e++)
        next[e] = EDGES;
    for (int f = 0; f < 6; f++) {
        uint32_t c[4];
        face_corners(f, c);
        for (int k = 0; k < 4; k++) { // runs of corners inside that start at k
            int end = k;
            if (!(inside >> c[k] & 1) || (inside >> c[(k + 3) % 4] & 1))
                continue;
            while (inside >> c[(end + 1) % 4] & 1)
                end++;
            next[edge_of(c[(k + 3) % 4], c[k])] = edge_of(c[end % 4], c[(end + 1) % 4]);
        }
    }
}

static void make_case(uint32_t inside, cube_case *out)
{
    uint32_t next[EDGES], seen = 0;
    out->n = 0;
    join_edges(inside, next);
    for (uint32_t e = 0; e < EDGES; e++) {
        uint8_t n = 0;
        for (uint32_t at = e; next[at] != EDGES && !(seen >> at & 1); at = next[at]) {
            seen |= 1u << at;
            out->edge[out->n][n++] = (uint8_t)at;
        }
        if (n > 0)
            out->length[out->n++] = n;
    }
}

/* ---- the grid ---- */

typedef struct tessellation {
    dfr_body *body;
    const dfr_grid *grid;
    const dfr_field *field;
    cube_case cases[256];
    uint8_t *inside;    // [corners]
    uint32_t *crossing; // [3 corners] vertex on the edge from a corner along an axis, SCREE_NONE
    int32_t *code;      // [cells]
    uint64_t room_vertices, room_facets, room_cells, room_corners, room_at, room_facet_cell;
} tessellation;

static uint64_t corner_index(const dfr_grid *g, uint32_t i, uint32_t j, uint32_t k)
{
    return i + (uint64_t)(g->n[0] + 1) * (j + (uint64_t)(g->n[1] + 1) * k);
}

static uint64_t n_corners(const dfr_grid *g)
{
    return (uint64_t)(g->n[0] + 1) * (g->n[1] + 1) * (g->n[2] + 1);
}

static int32_t sample(tessellation *t)
{
    const dfr_grid *g = t->grid;
    uint64_t n_inside = 0, n_border = 0;
    for (uint32_t k = 0; k <= g->n[2]; k++)
        for (uint32_t j = 0; j <= g->n[1]; j++) {
            uint8_t *row = t->inside + corner_index(g, 0, j, k);
            t->field->row(t->field->ctx, g, j, k, row);
            const int border = j == 0 || k == 0 || j == g->n[1] || k == g->n[2];
            for (uint32_t i = 0; i <= g->n[0]; i++) {
                n_inside += row[i];
                n_border += row[i] && (border || i == 0 || i == g->n[0]);
            }
        }
    return n_inside == 0 || n_border > 0 ? SCREE_E_CONFIG : SCREE_OK;
}

/* The vertex on edge e of cell w: made at its first use. SCREE_NONE: no memory. */
static uint32_t vertex_on(tessellation *t, const uint32_t w[3], uint32_t e)
{
    const uint32_t corner = start_of(e), axis = e / 4;
    const uint32_t at[3] = {w[0] + (corner & 1), w[1] + (corner >> 1 & 1), w[2] + (corner >> 2)};
    const uint64_t index = corner_index(t->grid, at[0], at[1], at[2]);
    uint32_t *known = &t->crossing[3 * index + axis];
    dfr_body *b = t->body;
    if (*known != SCREE_NONE)
        return *known;
    if (!scree_grow(&b->vertex, &t->room_vertices, b->n_vertices + 1ull, sizeof *b->vertex))
        return SCREE_NONE;
    double along = t->field->crossing(t->field->ctx, t->grid, at, (int)axis, t->inside[index]);
    along = clamp(along, DFR_SNAP, 1.0 - DFR_SNAP);
    for (uint32_t k = 0; k < 3; k++)
        b->vertex[b->n_vertices][k] =
            t->grid->origin[k] + t->grid->cell[k] * (at[k] + (k == axis ? along : 0.0));
    return *known = b->n_vertices++;
}

/* Faces of the cell that an edge is on. */
static uint32_t faces_of(uint32_t edge)
{
    const uint32_t axis = edge / 4, corner = start_of(edge);
    uint32_t faces = 0;
    for (uint32_t k = 0; k < 3; k++)
        if (k != axis)
            faces |= 1u << (2 * k + (corner >> k & 1));
    return faces;
}

/* Height of a vertex of the loop over the ear at `i`: less is more convex. An ear whose new side
 * lies on a face of the cell comes last, because the other cell may have a side there, too. */
static double rise_over(const dfr_body *b, const uint32_t *loop, const uint8_t *edge, uint32_t n,
                        uint32_t i)
{
    const int on_face = (faces_of(edge[(i + n - 1) % n]) & faces_of(edge[(i + 1) % n])) != 0;
    const double *p = b->vertex[loop[(i + n - 1) % n]], *q = b->vertex[loop[i]];
    const double *r = b->vertex[loop[(i + 1) % n]];
    double u[3], v[3], normal[3], most = on_face ? 1e6 * b->grid.cell[0] : 0.0;
    sub(q, p, u);
    sub(r, p, v);
    cross(u, v, normal);
    if (!(normalize(normal) > 0.0))
        return HUGE_VAL;
    for (uint32_t k = 0; k < n; k++) {
        double to[3];
        sub(b->vertex[loop[k]], p, to);
        most = scree_max(most, dot(to, normal) + (on_face ? 1e6 * b->grid.cell[0] : 0.0));
    }
    return most;
}

static uint32_t most_convex(const dfr_body *b, const uint32_t *loop, const uint8_t *edge,
                            uint32_t n)
{
    uint32_t ear = 1;
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < n; i++) {
        const double rise = rise_over(b, loop, edge, n, i);
        if (rise < least) {
            least = rise;
            ear = i;
        }
    }
    return ear;
}

/* Cuts a loop into triangles, ear by ear, the most convex first. */
static void cut_loop(dfr_body *b, uint32_t *loop, uint8_t *edge, uint32_t n)
{
    for (; n >= 3; n--) {
        uint32_t ear = 1;
        if (n > 3)
            ear = most_convex(b, loop, edge, n);
        b->facet_cell[b->n_facets] = b->n_cells;
        b->facet[b->n_facets][0] = loop[(ear + n - 1) % n];
        b->facet[b->n_facets][1] = loop[ear];
        b->facet[b->n_facets][2] = loop[(ear + 1) % n];
        b->n_facets++;
        memmove(loop + ear, loop + ear + 1, (n - 1 - ear) * sizeof *loop);
        memmove(edge + ear, edge + ear + 1, n - 1 - ear);
    }
}

static int add_cell(tessellation *t, const uint32_t w[3], uint32_t inside)
{
    dfr_body *b = t->body;
    const cube_case *c = &t->cases[inside];
    if (!scree_grow(&b->first, &t->room_cells, b->n_cells + 2ull, sizeof *b->first) ||
        !scree_grow(&b->corners, &t->room_corners, b->n_cells + 1ull, sizeof *b->corners) ||
        !scree_grow(&b->at, &t->room_at, b->n_cells + 1ull, sizeof *b->at) ||
        !scree_grow(&b->facet, &t->room_facets, b->n_facets + (uint64_t)EDGES, sizeof *b->facet) ||
        !scree_grow(&b->facet_cell, &t->room_facet_cell, b->n_facets + (uint64_t)EDGES,
                    sizeof *b->facet_cell))
        return 0;
    b->first[b->n_cells] = b->n_facets;
    b->corners[b->n_cells] = (uint8_t)inside;
    for (int k = 0; k < 3; k++)
        b->at[b->n_cells][k] = (uint16_t)w[k];
    for (uint32_t l = 0; l < c->n; l++) {
        uint32_t loop[EDGES];
        uint8_t edge[EDGES];
        memcpy(edge, c->edge[l], sizeof edge);
        for (uint32_t k = 0; k < c->length[l]; k++)
            if ((loop[k] = vertex_on(t, w, c->edge[l][k])) == SCREE_NONE)
                return 0;
        cut_loop(b, loop, edge, c->length[l]);
    }
    b->first[++b->n_cells] = b->n_facets;
    return 1;
}

static int march(tessellation *t)
{
    const dfr_grid *g = t->grid;
    uint32_t w[3];
    int32_t *code = t->code;
    for (w[2] = 0; w[2] < g->n[2]; w[2]++)
        for (w[1] = 0; w[1] < g->n[1]; w[1]++)
            for (w[0] = 0; w[0] < g->n[0]; w[0]++, code++) {
                uint32_t inside = 0;
                for (uint32_t c = 0; c < 8; c++)
                    inside |= (uint32_t)t->inside[corner_index(
                                  g, w[0] + (c & 1), w[1] + (c >> 1 & 1), w[2] + (c >> 2))]
                              << c;
                *code = inside == 0     ? DFR_EXTERNAL
                        : inside == 255 ? DFR_INTERNAL
                                        : (int32_t)t->body->n_cells;
                if (*code >= 0 && !add_cell(t, w, inside))
                    return 0;
            }
    return 1;
}

static int32_t tessellate(tessellation *t)
{
    const uint64_t corners = n_corners(t->grid);
    t->inside = malloc(corners);
    t->crossing = malloc(3 * corners * sizeof *t->crossing);
    t->code = malloc((uint64_t)t->grid->n[0] * t->grid->n[1] * t->grid->n[2] * sizeof *t->code);
    if (!t->inside || !t->crossing || !t->code)
        return SCREE_E_MEMORY;
    memset(t->crossing, 0xff, 3 * corners * sizeof *t->crossing);
    for (uint32_t c = 0; c < 256; c++)
        make_case(c, &t->cases[c]);
    const int32_t status = sample(t);
    if (status != SCREE_OK)
        return status;
    return march(t) && dfr_maps_make(t->body, t->code) && dfr_mesh_finish(t->body) &&
                   dfr_tree_make(t->body)
               ? SCREE_OK
               : SCREE_E_MEMORY;
}

int32_t dfr_body_make(dfr_body *b, const dfr_grid *grid, const dfr_field *field)
{
    tessellation *t = calloc(1, sizeof *t);
    memset(b, 0, sizeof *b);
    if (!t)
        return SCREE_E_MEMORY;
    b->grid = *grid;
    for (int k = 0; k < 3; k++) {
        b->inverse[k] = 1.0 / grid->cell[k];
        b->offset[k] = -grid->origin[k] / grid->cell[k];
    }
    t->body = b;
    t->grid = grid;
    t->field = field;
    const int32_t status = tessellate(t);
    free(t->inside);
    free(t->crossing);
    free(t->code);
    free(t);
    if (status != SCREE_OK)
        dfr_body_clear(b);
    return status;
}
