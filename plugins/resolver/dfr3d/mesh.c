// SPDX-License-Identifier: Apache-2.0
// dfr3d: what hangs together with what on the surface: edges, fans, rings, flat faces, volume.
#include "dfr3d.h"

/* Parts of the solid's size and of a unit normal: points so near to a plane count as in it. */
#define FLAT_HEIGHT 1e-9
#define FLAT_TURN 1e-7
#define CORNER_COSINE 0.86602540378443865 /* cosine of 30 degrees */

/* ---- normals, volume ---- */

static void measure(dfr_body *b)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        b->lo[k] = HUGE_VAL;
        b->hi[k] = -HUGE_VAL;
    }
    b->radius = 0.0;
    for (uint32_t v = 0; v < b->n_vertices; v++) {
        for (int k = 0; k < 3; k++) {
            b->lo[k] = scree_min(b->lo[k], b->vertex[v][k]);
            b->hi[k] = scree_max(b->hi[k], b->vertex[v][k]);
        }
        b->radius = scree_max(b->radius, dot(b->vertex[v], b->vertex[v]));
    }
    b->radius = sqrt(b->radius);
    b->size = 0.0;
    for (int k = 0; k < 3; k++)
        b->size = scree_max(b->size, b->hi[k] - b->lo[k]);
    for (uint32_t f = 0; f < b->n_facets; f++) {
        const double *p = b->vertex[b->facet[f][0]], *q = b->vertex[b->facet[f][1]];
        const double *r = b->vertex[b->facet[f][2]];
        double u[3], v[3], n[3];
        sub(q, p, u);
        sub(r, p, v);
        cross(u, v, b->normal[f]);
        normalize(b->normal[f]);
        cross(q, r, n);
        sum += dot(p, n);
    }
    b->volume = sum / 6.0;
}

/* ---- edges ---- */

/* Facets around each vertex, ascending. */
static int make_fans(dfr_body *b)
{
    b->fan_first = calloc(b->n_vertices + 2ull, sizeof *b->fan_first);
    b->fan = malloc((3ull * b->n_facets + 1) * sizeof *b->fan);
    if (!b->fan_first || !b->fan)
        return 0;
    for (uint32_t f = 0; f < b->n_facets; f++)
        for (int k = 0; k < 3; k++)
            b->fan_first[b->facet[f][k] + 2]++;
    for (uint32_t v = 0; v < b->n_vertices; v++)
        b->fan_first[v + 2] += b->fan_first[v + 1];
    for (uint32_t f = 0; f < b->n_facets; f++)
        for (int k = 0; k < 3; k++)
            b->fan[b->fan_first[b->facet[f][k] + 1]++] = f;
    return 1;
}

/* The facet across edge v - w of facet f; it goes from w to v. */
static uint32_t across(const dfr_body *b, uint32_t f, uint32_t v, uint32_t w)
{
    for (uint32_t i = b->fan_first[v]; i < b->fan_first[v + 1]; i++) {
        const uint32_t g = b->fan[i], *corner = b->facet[g];
        for (int k = 0; k < 3; k++)
            if (g != f && corner[k] == w && corner[(k + 1) % 3] == v)
                return g;
    }
    return SCREE_NONE;
}

static uint8_t bend_of(const dfr_body *b, uint32_t f, uint32_t g)
{
    double height = 0.0;
    for (int k = 0; k < 3; k++) { // height of g's corners over f
        double to[3];
        sub(b->vertex[b->facet[g][k]], b->vertex[b->facet[f][0]], to);
        const double h = dot(to, b->normal[f]);
        height = fabs(h) > fabs(height) ? h : height;
    }
    const double along = dot(b->normal[f], b->normal[g]);
    double turned[3];
    cross(b->normal[f], b->normal[g], turned);
    if (fabs(height) <= FLAT_HEIGHT * b->size && along > 0.0 && dot(turned, turned) <= FLAT_TURN)
        return DFR_FLAT;
    if (height < 0.0)
        return DFR_CONVEX;
    return along < CORNER_COSINE ? DFR_CORNER : DFR_CONCAVE;
}

static int make_edges(dfr_body *b)
{
    const uint64_t n = 3ull * b->n_facets / 2;
    b->edge = malloc((n + 1) * sizeof *b->edge);
    b->bend = malloc(n + 1);
    b->edge_first = malloc((b->n_facets + 1ull) * sizeof *b->edge_first);
    b->facet_edge = malloc((b->n_facets + 1ull) * sizeof *b->facet_edge);
    if (!b->edge || !b->bend || !b->edge_first || !b->facet_edge)
        return 0;
    b->convex = 1;
    for (uint32_t f = 0; f < b->n_facets; f++) {
        b->edge_first[f] = b->n_edges;
        for (int k = 0; k < 3; k++) {
            const uint32_t v = b->facet[f][k], w = b->facet[f][(k + 1) % 3];
            const uint32_t g = across(b, f, v, w);
            if (g == SCREE_NONE || g < f || b->n_edges >= n)
                continue;
            const uint32_t e = b->n_edges++;
            b->edge[e] = (dfr_edge){{v < w ? v : w, v < w ? w : v}, {f, g}};
            b->bend[e] = bend_of(b, f, g);
            b->convex &= b->bend[e] <= DFR_CONVEX;
            b->facet_edge[f][k] = e;
            for (int i = 0; i < 3; i++)
                if (b->facet[g][i] == w && b->facet[g][(i + 1) % 3] == v)
                    b->facet_edge[g][i] = e;
        }
    }
    b->edge_first[b->n_facets] = b->n_edges;
    return 1;
}

static int make_rings(dfr_body *b)
{
    b->ring_first = calloc(b->n_vertices + 2ull, sizeof *b->ring_first);
    b->ring = malloc((2ull * b->n_edges + 1) * sizeof *b->ring);
    if (!b->ring_first || !b->ring)
        return 0;
    for (uint32_t e = 0; e < b->n_edges; e++)
        for (int k = 0; k < 2; k++)
            b->ring_first[b->edge[e].vertex[k] + 2]++;
    for (uint32_t v = 0; v < b->n_vertices; v++)
        b->ring_first[v + 2] += b->ring_first[v + 1];
    for (uint32_t e = 0; e < b->n_edges; e++)
        for (int k = 0; k < 2; k++)
            b->ring[b->ring_first[b->edge[e].vertex[k] + 1]++] = b->edge[e].vertex[!k];
    return 1;
}

/* Does a corner edge continue from v nearly in line? */
static int goes_on(const dfr_body *b, uint32_t e, uint32_t v)
{
    double u[3], w[3];
    sub(b->vertex[b->edge[e].vertex[1]], b->vertex[b->edge[e].vertex[0]], u);
    for (uint32_t i = b->fan_first[v]; i < b->fan_first[v + 1]; i++)
        for (int k = 0; k < 3; k++) {
            const uint32_t other = b->facet_edge[b->fan[i]][k], *x = b->edge[other].vertex;
            if (other == e || b->bend[other] < DFR_CORNER || (x[0] != v && x[1] != v))
                continue;
            sub(b->vertex[x[1]], b->vertex[x[0]], w);
            if (dot(u, w) * dot(u, w) > 0.81 * dot(u, u) * dot(w, w))
                return 1;
        }
    return 0;
}

/* Cells cut a slanted edge into teeth: their hollows end within a cell and do not part faces. */
static void keep_corners(dfr_body *b)
{
    for (uint32_t e = 0; e < b->n_edges; e++)
        if (b->bend[e] == DFR_CORNER && !goes_on(b, e, b->edge[e].vertex[0]) &&
            !goes_on(b, e, b->edge[e].vertex[1]))
            b->bend[e] = DFR_TOOTH;
    for (uint32_t e = 0; e < b->n_edges; e++)
        b->bend[e] = b->bend[e] == DFR_TOOTH ? DFR_CONCAVE : b->bend[e];
}

/* ---- cells whose facets bend one way ---- */

/* In a cell with one sheet of facets, inside is below all planes if they bend outward, and below
 * any plane if they bend inward. */
static uint8_t bent_of(const dfr_body *b, uint32_t cell)
{
    uint32_t inner = 0, outward = 1, inward = 1;
    for (uint32_t f = b->first[cell]; f < b->first[cell + 1]; f++)
        for (int k = 0; k < 3; k++) {
            const uint32_t e = b->facet_edge[f][k], *g = b->edge[e].facet;
            if (g[0] != f || b->facet_cell[g[1]] != cell)
                continue;
            inner++;
            outward &= b->bend[e] <= DFR_CONVEX;
            inward &= b->bend[e] != DFR_CONVEX;
        }
    if (inner + 1 != b->first[cell + 1] - b->first[cell]) // several sheets
        return 0;
    return outward ? DFR_OUTWARD : inward ? DFR_INWARD : 0;
}

/* Stores the planes of a cell side by side. The last one fills unused places; planes of facets that
 * bend inward are reversed. */
static void set_planes(dfr_body *b, uint32_t cell)
{
    const uint32_t first = b->first[cell], last = b->first[cell + 1] - 1;
    const double sign = b->bent[cell] == DFR_OUTWARD ? 1.0 : -1.0;
    for (uint32_t k = 0; k < DFR_PLANES; k++) {
        const uint32_t f = first + k < last ? first + k : last;
        for (int i = 0; i < 3; i++)
            b->planes[cell][i][k] = sign * b->normal[f][i];
        b->planes[cell][3][k] = sign * dot(b->normal[f], b->vertex[b->facet[f][0]]);
    }
}

static int make_bends(dfr_body *b)
{
    const uint64_t bytes = (b->n_cells + 1ull) * sizeof *b->planes;
    b->bent = malloc(b->n_cells + 1ull);
    b->planes = malloc(bytes);
    if (!b->bent || !b->planes)
        return 0;
    memset(b->planes, 0, bytes);
    for (uint32_t c = 0; c < b->n_cells; c++) {
        b->bent[c] = b->first[c + 1] - b->first[c] <= DFR_PLANES ? bent_of(b, c) : 0;
        if (b->bent[c])
            set_planes(b, c);
    }
    return 1;
}

/* ---- flat faces ---- */

static int make_groups(dfr_body *b, uint32_t *stack)
{
    b->group = malloc((b->n_facets + 1ull) * sizeof *b->group);
    b->lead = malloc((b->n_facets + 1ull) * sizeof *b->lead);
    if (!b->group || !b->lead)
        return 0;
    memset(b->group, 0xff, (b->n_facets + 1ull) * sizeof *b->group);
    for (uint32_t f = 0; f < b->n_facets; f++) {
        uint32_t n = 0;
        if (b->group[f] != SCREE_NONE)
            continue;
        b->lead[b->n_groups] = f;
        b->group[f] = b->n_groups;
        stack[n++] = f;
        while (n > 0) {
            const uint32_t at = stack[--n];
            for (int k = 0; k < 3; k++) {
                const dfr_edge *e = &b->edge[b->facet_edge[at][k]];
                const uint32_t next = e->facet[0] == at ? e->facet[1] : e->facet[0];
                if (b->group[next] != SCREE_NONE || bend_of(b, f, next) != DFR_FLAT)
                    continue;
                b->group[next] = b->n_groups;
                stack[n++] = next;
            }
        }
        b->n_groups++;
    }
    return 1;
}

/* Squared height of the narrowest way across a facet. */
static double height2(const dfr_body *b, uint32_t f)
{
    double longest = 0.0, u[3], v[3], n[3];
    for (int k = 0; k < 3; k++)
        longest = scree_max(
            longest, distance2(b->vertex[b->facet[f][k]], b->vertex[b->facet[f][(k + 1) % 3]]));
    sub(b->vertex[b->facet[f][1]], b->vertex[b->facet[f][0]], u);
    sub(b->vertex[b->facet[f][2]], b->vertex[b->facet[f][0]], v);
    cross(u, v, n);
    return longest > 0.0 ? dot(n, n) / longest : 0.0;
}

/* Groups at concave corners, and the narrow strips that cubes leave there. */
static int find_hollows(dfr_body *b)
{
    const double narrow = 0.01 * b->grid.cell[0];
    b->hollow = calloc(b->n_groups + 1ull, 1);
    for (uint32_t f = 0; b->hollow && f < b->n_facets; f++)
        for (int k = 0; k < 3; k++)
            if (b->bend[b->facet_edge[f][k]] == DFR_CORNER)
                b->hollow[b->group[f]] = 1;
    for (uint32_t f = 0; b->hollow && f < b->n_facets; f++)
        if (b->hollow[b->group[f]] && height2(b, f) < narrow * narrow)
            b->hollow[b->group[f]] = 2;
    return b->hollow != NULL;
}

/* Is q farther to the right than p, seen from `at` about n? If equally far, is q nearer? */
static int is_outer(const double *at, const double *n, const double *p, const double *q)
{
    double u[3], v[3], w[3];
    sub(p, at, u);
    sub(q, at, v);
    cross(u, v, w);
    const double right = -dot(w, n), size = dot(u, u) + dot(v, v);
    if (fabs(right) > 1e-12 * size)
        return right > 0.0;
    return dot(v, v) > dot(u, u);
}

/* Wraps the hull of the vertices of a group, without corners in line; returns the number of
 * corners. */
static uint32_t wrap(const dfr_body *b, const uint32_t *points, uint32_t n, const double *normal,
                     uint32_t *hull)
{
    uint32_t start = 0, at, n_hull = 0;
    for (uint32_t i = 1; i < n; i++) // the lowest in x, y, z
        for (int k = 0; k < 3; k++) {
            const double d = b->vertex[points[i]][k] - b->vertex[points[start]][k];
            if (fabs(d) <= FLAT_HEIGHT * b->size && k < 2)
                continue;
            start = d < 0.0 ? i : start;
            break;
        }
    at = start;
    do {
        uint32_t next = at == 0 ? 1 : 0;
        hull[n_hull++] = points[at];
        for (uint32_t i = 0; i < n; i++)
            if (i != at && i != next &&
                is_outer(b->vertex[points[at]], normal, b->vertex[points[next]],
                         b->vertex[points[i]]))
                next = i;
        at = next;
    } while (at != start && n_hull < n);
    return n_hull;
}

/* Picks 8 corners, each the farthest from those already taken, and keeps their order. */
static void pick_corners(const dfr_body *b, const uint32_t *hull, uint32_t n, dfr_face *face)
{
    uint8_t taken[4096] = {0};
    uint32_t last = 0;
    n = n < 4096 ? n : 4096;
    face->n = n < 8 ? n : 8;
    for (uint32_t m = 0; m < face->n; m++) {
        double most = -1.0;
        for (uint32_t i = 0; i < n; i++) {
            double least = HUGE_VAL;
            for (uint32_t j = 0; j < n; j++)
                if (taken[j])
                    least = scree_min(least, distance2(b->vertex[hull[i]], b->vertex[hull[j]]));
            if (!taken[i] && least > most * (1.0 + 1e-9)) {
                most = least;
                last = i;
            }
        }
        taken[last] = 1;
    }
    for (uint32_t i = 0, m = 0; i < n; i++)
        if (taken[i])
            face->vertex[m++] = hull[i];
}

/* Do all facets around v belong to one group? */
static int is_middle(const dfr_body *b, uint32_t v)
{
    for (uint32_t i = b->fan_first[v] + 1; i < b->fan_first[v + 1]; i++)
        if (b->group[b->fan[i]] != b->group[b->fan[b->fan_first[v]]])
            return 0;
    return 1;
}

static int add_face(dfr_body *b, uint32_t group, const uint32_t *facets, uint32_t n_facets,
                    uint32_t *points, uint32_t *hull, uint8_t *seen, uint64_t *room)
{
    uint32_t n = 0;
    if (!scree_grow(&b->face, room, b->n_faces + 1ull, sizeof *b->face))
        return 0;
    for (uint32_t i = 0; i < 3 * n_facets; i++) {
        const uint32_t v = b->facet[facets[i / 3]][i % 3];
        if (!seen[v])
            points[n++] = v;
        seen[v] = 1;
    }
    const uint32_t n_hull = wrap(b, points, n, b->normal[b->lead[group]], hull);
    pick_corners(b, hull, n_hull, &b->face[b->n_faces]);
    for (uint32_t i = 0; i < n; i++)
        seen[points[i]] = 0;
    if (n_hull >= 3)
        b->group_face[group] = b->n_faces++;
    return 1;
}

/* Faces: groups with a vertex in their middle. */
static int make_faces(dfr_body *b, uint32_t *order, uint32_t *points, uint32_t *hull, uint8_t *seen)
{
    uint64_t room = 0;
    uint32_t *start = calloc(b->n_groups + 2ull, sizeof *start);
    uint8_t *flat = calloc(b->n_groups + 1ull, 1);
    int fine = 1;
    b->group_face = malloc((b->n_groups + 1ull) * sizeof *b->group_face);
    if (!start || !flat || !b->group_face) {
        free(start);
        free(flat);
        return 0;
    }
    for (uint32_t g = 0; g < b->n_groups; g++)
        b->group_face[g] = SCREE_NONE;
    for (uint32_t f = 0; f < b->n_facets; f++)
        start[b->group[f] + 2]++;
    for (uint32_t g = 0; g < b->n_groups; g++)
        start[g + 2] += start[g + 1];
    for (uint32_t f = 0; f < b->n_facets; f++)
        order[start[b->group[f] + 1]++] = f;
    for (uint32_t v = 0; v < b->n_vertices; v++)
        if (is_middle(b, v))
            flat[b->group[b->fan[b->fan_first[v]]]] = 1;
    for (uint32_t g = 0; fine && g < b->n_groups; g++)
        if (flat[g])
            fine = add_face(b, g, order + start[g], start[g + 1] - start[g], points, hull, seen,
                            &room);
    free(start);
    free(flat);
    return fine;
}

int dfr_mesh_finish(dfr_body *b)
{
    const uint64_t n = 3ull * b->n_facets + b->n_vertices + 1;
    uint32_t *work = malloc(3 * n * sizeof *work);
    uint8_t *seen = calloc(n, 1);
    b->normal = malloc((b->n_facets + 1ull) * sizeof *b->normal);
    int fine = work && seen && b->normal;
    if (fine)
        measure(b);
    fine = fine && make_fans(b) && make_edges(b);
    if (fine)
        keep_corners(b);
    fine = fine && make_bends(b) && make_rings(b) && make_groups(b, work) && find_hollows(b) &&
           make_faces(b, work, work + n, work + 2 * n, seen);
    free(work);
    free(seen);
    return fine;
}

int32_t dfr_body_make(dfr_body *b, const cubes_grid *grid, const cubes_field *field)
{
    cubes made;
    memset(b, 0, sizeof *b);
    const int32_t status = cubes_make(&made, grid, field);
    if (status != SCREE_OK)
        return status;
    b->grid = *grid;
    for (int k = 0; k < 3; k++) {
        b->inverse[k] = 1.0 / grid->cell[k];
        b->offset[k] = -grid->origin[k] / grid->cell[k];
    }
    b->n_vertices = made.n_vertices;
    b->n_facets = made.n_facets;
    b->n_cells = made.n_cells;
    b->vertex = made.vertex;
    b->facet = made.facet;
    b->facet_cell = made.facet_cell;
    b->first = made.first;
    b->corners = made.corners;
    b->at = made.at;
    const int fine = dfr_maps_make(b, made.code) && dfr_mesh_finish(b) && dfr_tree_make(b);
    free(made.code);
    if (!fine)
        dfr_body_clear(b);
    return fine ? SCREE_OK : SCREE_E_MEMORY;
}

void dfr_body_clear(dfr_body *b)
{
    void *all[] = {b->prisms,     b->cells,     b->stencil,   b->first,      b->corners,
                   b->at,         b->vertex,    b->facet,     b->normal,     b->facet_edge,
                   b->facet_cell, b->edge,      b->bend,      b->edge_first, b->ring,
                   b->ring_first, b->fan,       b->fan_first, b->bent,       b->planes,
                   b->hollow,     b->group,     b->lead,      b->face,       b->group_face,
                   b->node,       b->tree_facet};
    for (size_t k = 0; k < SCREE_COUNT(all); k++)
        free(all[k]);
    memset(b, 0, sizeof *b);
}

uint64_t dfr_body_bytes(const dfr_body *b)
{
    return (uint64_t)b->slices.n * sizeof *b->prisms + b->n_prisms * sizeof *b->cells +
           b->n_stencil * sizeof *b->stencil + b->n_cells * (4ull + 2 + 6 + sizeof *b->planes) +
           b->n_vertices * (24ull + 8) + b->n_facets * (12ull * 2 + 24 + 4 * 8) +
           b->n_edges * (sizeof(dfr_edge) + 9ull) + b->n_groups * 9ull +
           b->n_faces * sizeof(dfr_face) + b->n_nodes * sizeof(dfr_node);
}
