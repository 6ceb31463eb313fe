// SPDX-License-Identifier: Apache-2.0
/*
 * Marching cubes: cells and facets of a solid that is known at the corners of cells.
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
 * Cost     a value for each corner, some 15 for each vertex; memory: a byte for each corner, 4 for each cell, and
 *          two layers of the numbers of vertices.
 */
#include "cubes.h"

#include "scree/vector_sdk.h"

static double clamp(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

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
    cubes *out;
    const cubes_grid *grid;
    const cubes_field *field;
    cube_case cases[256];
    uint8_t *inside; // [corners]
    // [2 layers][3 corners] vertex on the edge from a corner along an axis, SCREE_NONE
    uint32_t *crossing;
    uint64_t room_vertices, room_facets, room_cells, room_corners, room_at, room_facet_cell;
} tessellation;

static uint64_t corner_index(const cubes_grid *g, uint32_t i, uint32_t j, uint32_t k)
{
    return i + (uint64_t)(g->n[0] + 1) * (j + (uint64_t)(g->n[1] + 1) * k);
}

void cubes_sample(const cubes_grid *grid, const cubes_field *field, uint8_t *inside,
                  uint64_t *n_inside, uint64_t *n_border)
{
    const uint32_t *n = grid->n;
    *n_inside = *n_border = 0;
    for (uint32_t k = 0; k <= n[2]; k++)
        for (uint32_t j = 0; j <= n[1]; j++) {
            uint8_t *row = inside + corner_index(grid, 0, j, k);
            const int border = j == 0 || k == 0 || j == n[1] || k == n[2];
            field->row(field->ctx, grid, j, k, row);
            for (uint32_t i = 0; i <= n[0]; i++) {
                *n_inside += row[i];
                *n_border += row[i] && (border || i == 0 || i == n[0]);
            }
        }
}

/** The vertex on edge e of cell w: made at its first use. SCREE_NONE: no memory. */
static uint32_t vertex_on(tessellation *t, const uint32_t w[3], uint32_t e)
{
    const uint32_t corner = start_of(e), axis = e / 4;
    const uint32_t at[3] = {w[0] + (corner & 1), w[1] + (corner >> 1 & 1), w[2] + (corner >> 2)};
    uint32_t *known = &t->crossing[3 * corner_index(t->grid, at[0], at[1], at[2] % 2) + axis];
    cubes *b = t->out;
    if (*known != SCREE_NONE)
        return *known;
    if (!scree_grow(&b->vertex, &t->room_vertices, b->n_vertices + 1ull, sizeof *b->vertex))
        return SCREE_NONE;
    const uint64_t index = corner_index(t->grid, at[0], at[1], at[2]);
    double along = t->field->crossing(t->field->ctx, t->grid, at, (int)axis, t->inside[index]);
    along = clamp(along, CUBES_SNAP, 1.0 - CUBES_SNAP);
    for (uint32_t k = 0; k < 3; k++)
        b->vertex[b->n_vertices][k] =
            t->grid->origin[k] + t->grid->cell[k] * (at[k] + (k == axis ? along : 0.0));
    return *known = b->n_vertices++;
}

/** Faces of the cell that an edge is on. */
static uint32_t faces_of(uint32_t edge)
{
    const uint32_t axis = edge / 4, corner = start_of(edge);
    uint32_t faces = 0;
    for (uint32_t k = 0; k < 3; k++)
        if (k != axis)
            faces |= 1u << (2 * k + (corner >> k & 1));
    return faces;
}

static scree_vec vertex_of(const cubes *b, uint32_t v)
{
    return scree_vec_of(SCREE_XYZ(b->vertex[v]));
}

/** Height of a vertex of the loop over the ear at `i`: less is more convex. An ear whose new side
 * lies on a face of the cell comes last, because the other cell may have a side there, too. */
static double rise_over(const tessellation *t, const uint32_t *loop, const uint8_t *edge,
                        uint32_t n, uint32_t i)
{
    const int on_face = (faces_of(edge[(i + n - 1) % n]) & faces_of(edge[(i + 1) % n])) != 0;
    const double last = on_face ? 1e6 * t->grid->cell[0] : 0.0;
    const scree_vec p = vertex_of(t->out, loop[(i + n - 1) % n]), q = vertex_of(t->out, loop[i]);
    const scree_vec r = vertex_of(t->out, loop[(i + 1) % n]);
    const scree_vec across = scree_cross(scree_less(q, 1.0, p), scree_less(r, 1.0, p));
    const double length = sqrt(scree_dot(across, across));
    double most = last;
    if (!(length > 0.0))
        return HUGE_VAL;
    const scree_vec normal = scree_scaled(1.0 / length, across);
    for (uint32_t k = 0; k < n; k++) {
        const scree_vec to = scree_less(vertex_of(t->out, loop[k]), 1.0, p);
        most = scree_max(most, scree_dot(to, normal) + last);
    }
    return most;
}

static uint32_t most_convex(const tessellation *t, const uint32_t *loop, const uint8_t *edge,
                            uint32_t n)
{
    uint32_t ear = 1;
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < n; i++) {
        const double rise = rise_over(t, loop, edge, n, i);
        if (rise < least) {
            least = rise;
            ear = i;
        }
    }
    return ear;
}

/** Cuts a loop into triangles, ear by ear, the most convex first. */
static void cut_loop(const tessellation *t, uint32_t *loop, uint8_t *edge, uint32_t n)
{
    cubes *b = t->out;
    for (; n >= 3; n--) {
        uint32_t ear = 1;
        if (n > 3)
            ear = most_convex(t, loop, edge, n);
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
    cubes *b = t->out;
    const cube_case *c = &t->cases[inside];
    if (b->n_facets > UINT32_MAX / 2 ||
        !scree_grow(&b->first, &t->room_cells, b->n_cells + 2ull, sizeof *b->first) ||
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
        cut_loop(t, loop, edge, c->length[l]);
    }
    b->first[++b->n_cells] = b->n_facets;
    return 1;
}

static uint32_t corners_of(const tessellation *t, const uint32_t w[3])
{
    uint32_t inside = 0;
    for (uint32_t c = 0; c < 8; c++)
        inside |= (uint32_t)t->inside[corner_index(t->grid, w[0] + (c & 1), w[1] + (c >> 1 & 1),
                                                   w[2] + (c >> 2))]
                  << c;
    return inside;
}

/** Forgets the vertices of the layer of corners k, and of the edges that start there. */
static void clear_layer(tessellation *t, uint32_t k)
{
    const uint64_t layer = 3 * corner_index(t->grid, 0, 0, 1);
    memset(t->crossing + (k % 2) * layer, 0xff, layer * sizeof *t->crossing);
}

static int march(tessellation *t)
{
    const cubes_grid *g = t->grid;
    uint32_t w[3];
    int32_t *code = t->out->code;
    clear_layer(t, 0);
    for (w[2] = 0; w[2] < g->n[2]; w[2]++) {
        clear_layer(t, w[2] + 1);
        for (w[1] = 0; w[1] < g->n[1]; w[1]++)
            for (w[0] = 0; w[0] < g->n[0]; w[0]++, code++) {
                const uint32_t inside = corners_of(t, w);
                *code = inside == 0     ? CUBES_OUTSIDE
                        : inside == 255 ? CUBES_INSIDE
                                        : (int32_t)t->out->n_cells;
                if (*code >= 0 && !add_cell(t, w, inside))
                    return 0;
            }
    }
    return 1;
}

static int32_t tessellate(tessellation *t)
{
    const cubes_grid *g = t->grid;
    t->inside = malloc(corner_index(g, 0, 0, g->n[2] + 1));
    t->crossing = malloc(6 * corner_index(g, 0, 0, 1) * sizeof *t->crossing);
    t->out->code = malloc((uint64_t)g->n[0] * g->n[1] * g->n[2] * sizeof *t->out->code);
    if (!t->inside || !t->crossing || !t->out->code)
        return SCREE_E_MEMORY;
    for (uint32_t c = 0; c < 256; c++)
        make_case(c, &t->cases[c]);
    uint64_t n_inside, n_border;
    cubes_sample(t->grid, t->field, t->inside, &n_inside, &n_border);
    if (n_inside == 0 || n_border > 0)
        return SCREE_E_CONFIG;
    return march(t) ? SCREE_OK : SCREE_E_MEMORY;
}

int32_t cubes_make(cubes *out, const cubes_grid *grid, const cubes_field *field)
{
    tessellation *t = calloc(1, sizeof *t);
    memset(out, 0, sizeof *out);
    if (!t)
        return SCREE_E_MEMORY;
    t->out = out;
    t->grid = grid;
    t->field = field;
    const int32_t status = tessellate(t);
    free(t->inside);
    free(t->crossing);
    free(t);
    if (status != SCREE_OK)
        cubes_clear(out);
    return status;
}

void cubes_clear(cubes *c)
{
    void *all[] = {c->vertex, c->facet, c->facet_cell, c->first, c->corners, c->at, c->code};
    for (size_t k = 0; k < SCREE_COUNT(all); k++)
        free(all[k]);
    memset(c, 0, sizeof *c);
}

void cubes_grid_around(cubes_grid *grid, const double lo[3], const double hi[3], uint32_t cells,
                       double cell)
{
    double longest = 0.0;
    for (int k = 0; k < 3; k++)
        longest = scree_max(longest, hi[k] - lo[k]);
    const double side = cell > 0.0 ? cell : longest / (cells - 2 + 2 * CUBES_INSET);
    for (int k = 0; k < 3; k++) {
        // one more cell on either side
        double inner = ceil((hi[k] - lo[k]) / side - 2 * CUBES_INSET - 1e-9);
        inner = clamp(inner, 1.0, CUBES_MOST - 2.0);
        grid->cell[k] = (hi[k] - lo[k]) / (inner + 2 * CUBES_INSET);
        grid->n[k] = (uint32_t)inner + 2;
        grid->origin[k] = lo[k] - (1.0 - CUBES_INSET) * grid->cell[k];
    }
}

/* ---- functions ---- */

static double value_at(const scree_implicit *view, const double x[3])
{
    const double *at[3] = {&x[0], &x[1], &x[2]};
    double value;
    view->value(view->ctx, 1, at, &value, NULL);
    return value;
}

static void corner_at(const cubes_grid *g, const uint32_t at[3], double x[3])
{
    for (int k = 0; k < 3; k++)
        x[k] = g->origin[k] + g->cell[k] * at[k];
}

static void function_row(void *ctx, const cubes_grid *g, uint32_t j, uint32_t k, uint8_t *inside)
{
    for (uint32_t i = 0; i <= g->n[0]; i++) {
        const uint32_t at[3] = {i, j, k};
        double x[3];
        corner_at(g, at, x);
        inside[i] = value_at(ctx, x) < 0.0;
    }
}

/** Halves the edge and uses false position in turn (the values have opposite signs). */
static double function_crossing(void *ctx, const cubes_grid *g, const uint32_t at[3], int axis,
                                int inside)
{
    double x[3], lo = 0.0, hi = 1.0;
    corner_at(g, at, x);
    const double start = x[axis];
    double below = value_at(ctx, x);
    x[axis] = start + g->cell[axis];
    double above = value_at(ctx, x);
    for (int k = 0; k < 100 && hi - lo > 1e-13; k++) {
        const double slope = above - below, guess = lo - below * (hi - lo) / slope;
        const double t = k % 2 || !(guess > lo && guess < hi) ? 0.5 * (lo + hi) : guess;
        x[axis] = start + t * g->cell[axis];
        const double value = value_at(ctx, x);
        if (value == 0.0)
            return t;
        if ((value < 0.0) == inside) {
            lo = t;
            below = value;
        } else {
            hi = t;
            above = value;
        }
    }
    return 0.5 * (lo + hi);
}

void cubes_field_function(cubes_field *field, const scree_implicit *view)
{
    field->row = function_row;
    field->crossing = function_crossing;
    memcpy(&field->ctx, &view, sizeof view);
}
