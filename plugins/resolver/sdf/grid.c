// SPDX-License-Identifier: Apache-2.0
/*
 * grid: signed distances at nodes, and between them.
 *
 * Sources  [1] S. F. Frisken, R. N. Perry, A. P. Rockwood, T. R. Jones, Adaptively sampled distance fields,
 *              SIGGRAPH 2000: a distance between nodes.
 * Idea     Every node has the distance d from the tree (solid/tree.c); where only bounds are needed, nodes far from the surface have a distance that is no larger. The sign is the
 *          parity of a ray, counted along each line of the grid at once: how often the surface is left minus
 *          entered on the way to x = +inf, which is the winding number for any closed surface, with holes
 *          and cavities. A tie of the ray with an edge is decided as if the ray were moved by (e, e^2). A
 *          line whose crossings do not add up to 0 gets the winding numbers of its nodes instead.
 * Between  w_i the trilinear weights of the eight nodes x_i of a cell of edge h:
 *            f = sum w_i d_i          error h^2 k 3 / 8
 *          At edges and on the medial surface, where the gradient jumps, it is off by up to about h / 2.
 * Bound    a distance changes by at most |x - y|, so f is off by at most h sqrt(3) / 2, everywhere; and no
 *          distance is less than any d_i - |x - x_i|, which is close where a node lies straight behind x.
 */
#include "sdf.h"

static scree_vec node_at(const sdf_grid *g, uint64_t node)
{
    const uint64_t nx = g->n[0], ny = g->n[1];
    return scree_vec_of(g->from[0] + g->h * (double)(node % nx),
                        g->from[1] + g->h * (double)(node / nx % ny),
                        g->from[2] + g->h * (double)(node / nx / ny));
}

/* ---- signs ---- */

/* > 0: the point (y, z) is to the left of the edge from vertex a to b, seen against x; never 0. The two
 * triangles of the edge get opposite answers, whatever the rounding. */
static int side_of(const solid_surface *s, uint32_t a, uint32_t b, double y, double z)
{
    const int swap = a > b;
    const scree_vec p = s->vertex[swap ? b : a], q = s->vertex[swap ? a : b];
    const double dy = q.y - p.y, dz = q.z - p.z;
    const double area = dy * (z - p.z) - dz * (y - p.y);
    int side = area > 0.0 ? 1 : area < 0.0 ? -1 : 0;
    if (side == 0)
        side = dz > 0.0 ? -1 : dz < 0.0 ? 1 : dy > 0.0 ? 1 : -1;
    return swap ? -side : side;
}

/* [m] Where the line (y, z) meets the plane of the triangle, limited to its vertices. */
static double crossing(const solid_surface *s, const uint32_t v[3], double y, double z)
{
    const scree_vec a = s->vertex[v[0]], b = s->vertex[v[1]], c = s->vertex[v[2]];
    const scree_vec n = scree_cross(scree_less(b, 1.0, a), scree_less(c, 1.0, a));
    const double x = a.x - (n.y * (y - a.y) + n.z * (z - a.z)) / n.x;
    const double low = scree_min(scree_min(a.x, b.x), c.x);
    const double high = scree_max(scree_max(a.x, b.x), c.x);
    return x >= low && x <= high ? x : 0.5 * (low + high);
}

typedef struct lines {
    int32_t *step; // [(n0 + 1) n1 n2] by line: the steps after node i add up to its winding number
    const sdf_grid *g;
    const solid_surface *s;
} lines;

static uint32_t line_range(const sdf_grid *g, int axis, double low, double high, uint32_t *to)
{
    const double from = ceil((low - g->from[axis]) * g->inv_h - 1e-6);
    const double last = floor((high - g->from[axis]) * g->inv_h + 1e-6);
    const double most = g->n[axis] - 1.0;
    *to = last < 0.0 ? 0 : (uint32_t)scree_min(last, most) + 1;
    return from < 0.0 ? 0 : (uint32_t)scree_min(from, most);
}

static void cross_triangle(const lines *l, const uint32_t v[3])
{
    const sdf_grid *g = l->g;
    const scree_vec *p = l->s->vertex;
    const double y0 = scree_min(scree_min(p[v[0]].y, p[v[1]].y), p[v[2]].y);
    const double y1 = scree_max(scree_max(p[v[0]].y, p[v[1]].y), p[v[2]].y);
    const double z0 = scree_min(scree_min(p[v[0]].z, p[v[1]].z), p[v[2]].z);
    const double z1 = scree_max(scree_max(p[v[0]].z, p[v[1]].z), p[v[2]].z);
    uint32_t to_y, to_z;
    const uint32_t from_y = line_range(g, 1, y0, y1, &to_y);
    for (uint32_t k = line_range(g, 2, z0, z1, &to_z); k < to_z; k++)
        for (uint32_t j = from_y; j < to_y; j++) {
            const double y = g->from[1] + g->h * j, z = g->from[2] + g->h * k;
            const int sum = side_of(l->s, v[0], v[1], y, z) + side_of(l->s, v[1], v[2], y, z) +
                            side_of(l->s, v[2], v[0], y, z);
            if (sum != 3 && sum != -3)
                continue;
            const double at = ceil((crossing(l->s, v, y, z) - g->from[0]) * g->inv_h);
            const uint32_t node = (uint32_t)scree_max(0.0, scree_min(at, (double)g->n[0]));
            l->step[(j + (uint64_t)g->n[1] * k) * (g->n[0] + 1ull) + node] += sum / 3;
        }
}

/* Winding numbers of the nodes of a line, from its last node to its first. */
static void sign_line(const lines *l, uint64_t line, int32_t *winding)
{
    const sdf_grid *g = l->g;
    const int32_t *step = l->step + line * (g->n[0] + 1ull);
    int32_t sum = 0;
    for (uint32_t i = g->n[0]; i > 0; i--) {
        sum += step[i];
        winding[i - 1] = sum;
    }
    if (sum + step[0] == 0)
        return;
    for (uint32_t i = 0; i < g->n[0]; i++)
        winding[i] = (int32_t)floor(solid_winding(l->s, node_at(g, line * g->n[0] + i)) + 0.5);
}

/* ---- nodes ---- */

enum { COARSE = 4 };            // every fourth node per axis is computed first
static const double BAND = 1.5; // [-] cells around the surface in which all distances are exact

typedef struct filling {
    sdf_grid *g;
    const solid_surface *s;
    int32_t all, coarse; // 1: far nodes are exact, too; 1: only coarse nodes
} filling;

static void set_node(sdf_grid *g, uint64_t k, const solid_foot *foot)
{
    g->node[k] = foot->distance;
    g->closest[k] = foot->triangle;
}

/* The coarse node that is nearest to node i of n along an axis. */
static uint64_t nearest_coarse(uint64_t i, uint64_t n)
{
    const uint64_t up = (i + COARSE / 2) / COARSE * COARSE;
    return up < n ? up : i / COARSE * COARSE;
}

/* Fills node k; its closest triangle is probably that of a nearby node. */
static void fill_node(const filling *f, uint64_t k, uint64_t near)
{
    const sdf_grid *g = f->g;
    const scree_vec x = node_at(g, k);
    const scree_vec off = scree_less(x, 1.0, node_at(g, near));
    const double least = fabs(g->node[near]) - solid_length(off);
    if (!f->all && least > BAND * g->h) { // at most its distance, with the same sign
        const solid_foot bound = {.distance = g->node[near] < 0.0 ? -least : least,
                                  .triangle = g->closest[near]};
        set_node(f->g, k, &bound);
        return;
    }
    const solid_foot foot = solid_tree_closest_of(f->s, x, HUGE_VAL, 1, &g->closest[near]);
    set_node(f->g, k, &foot);
}

static int32_t fill(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    const filling *f = user;
    const uint64_t nx = f->g->n[0], ny = f->g->n[1], nz = f->g->n[2];
    (void)lane;
    for (uint64_t k = begin; k < end; k++) {
        const uint64_t x = k % nx, y = k / nx % ny, z = k / nx / ny;
        const int coarse = x % COARSE == 0 && y % COARSE == 0 && z % COARSE == 0;
        if (coarse != f->coarse)
            continue;
        if (coarse) {
            const solid_foot foot = solid_tree_closest(f->s, node_at(f->g, k), HUGE_VAL);
            set_node(f->g, k, &foot);
        } else {
            fill_node(f, k,
                      nearest_coarse(x, nx) +
                          nx * (nearest_coarse(y, ny) + ny * nearest_coarse(z, nz)));
        }
    }
    return SCREE_OK;
}

static int32_t sign_nodes(const solid_surface *s, sdf_grid *g)
{
    const uint64_t n_lines = (uint64_t)g->n[1] * g->n[2];
    lines l = {calloc(n_lines * (g->n[0] + 1ull), sizeof *l.step), g, s};
    int32_t *winding = malloc(g->n[0] * sizeof *winding);
    if (!l.step || !winding) {
        free(l.step);
        free(winding);
        return SCREE_E_MEMORY;
    }
    for (uint32_t t = 0; t < s->n_triangles; t++)
        cross_triangle(&l, s->triangle[t]);
    for (uint64_t line = 0; line < n_lines; line++) {
        sign_line(&l, line, winding);
        for (uint32_t i = 0; i < g->n[0]; i++) {
            double *node = &g->node[line * g->n[0] + i];
            if (fabs(*node) < 1e-12 * s->size || (winding[i] > 0) == (*node < 0.0))
                continue;
            g->turned++;
            *node = -*node;
        }
    }
    free(l.step);
    free(winding);
    return SCREE_OK;
}

int32_t sdf_grid_build(const scree_host *host, const solid_surface *s, double h, int all,
                       sdf_grid *out)
{
    *out = (sdf_grid){.h = h, .inv_h = 1.0 / h};
    for (int k = 0; k < 3; k++) { // two cells around the box
        out->n[k] = (uint32_t)ceil((s->hi[k] - s->lo[k]) / h - 1e-9) + 5;
        out->from[k] = 0.5 * (s->lo[k] + s->hi[k]) - 0.5 * h * (out->n[k] - 1);
    }
    const uint64_t n = (uint64_t)out->n[0] * out->n[1] * out->n[2];
    out->node = malloc(n * sizeof *out->node);
    out->closest = malloc(n * sizeof *out->closest);
    if (!out->node || !out->closest)
        return SCREE_E_MEMORY;
    filling f = {out, s, all, 1};
    int32_t status = host->parallel_for(host->ctx, 0, n, 1024, fill, &f);
    f.coarse = 0;
    if (status == SCREE_OK)
        status = host->parallel_for(host->ctx, 0, n, 1024, fill, &f);
    return status == SCREE_OK ? sign_nodes(s, out) : status;
}

/* ---- between the nodes ---- */

int sdf_grid_holds(const sdf_grid *g, scree_vec x)
{
    const double at[3] = {x.x, x.y, x.z};
    int holds = 1;
    for (int k = 0; k < 3; k++) {
        const double u = (at[k] - g->from[k]) * g->inv_h;
        holds &= u >= 0.0 && u <= g->n[k] - 1.0;
    }
    return holds;
}

/* The lower node of the cell of x, and the place in the cell. */
static void find_cell(const sdf_grid *g, scree_vec x, uint64_t base[3], double t[3])
{
    const double at[3] = {x.x, x.y, x.z};
    for (int k = 0; k < 3; k++) {
        const double u = (at[k] - g->from[k]) * g->inv_h;
        const uint64_t cell = (uint64_t)u;
        base[k] = cell < g->n[k] - 1u ? cell : g->n[k] - 2u;
        t[k] = u - (double)base[k];
    }
}

void sdf_grid_likely(const sdf_grid *g, scree_vec x, uint32_t triangle[8])
{
    uint64_t base[3];
    double t[3];
    find_cell(g, x, base, t);
    for (uint32_t c = 0; c < 8; c++)
        triangle[c] =
            g->closest[base[0] + (c & 1u) +
                       g->n[0] * (base[1] + (c >> 1 & 1u) + g->n[1] * (base[2] + (c >> 2 & 1u)))];
}

double sdf_grid_lower(const sdf_grid *g, scree_vec x)
{
    uint64_t base[3];
    double t[3], best = -HUGE_VAL;
    find_cell(g, x, base, t);
    for (uint32_t c = 0; c < 8; c++) {
        const uint64_t b[3] = {c & 1u, c >> 1 & 1u, c >> 2 & 1u};
        const double node =
            g->node[base[0] + b[0] + g->n[0] * (base[1] + b[1] + g->n[1] * (base[2] + b[2]))];
        double square = 0.0;
        for (int k = 0; k < 3; k++)
            square += (t[k] - (double)b[k]) * (t[k] - (double)b[k]);
        best = scree_max(node - g->h * sqrt(square), best);
    }
    return best;
}

double sdf_grid_at(const sdf_grid *g, scree_vec x, scree_vec *gradient)
{
    double t[3], sum = 0.0;
    scree_vec slope = {0.0, 0.0, 0.0};
    uint64_t base[3];
    find_cell(g, x, base, t);
    for (uint32_t c = 0; c < 8; c++) {
        const uint64_t b[3] = {c & 1u, c >> 1 & 1u, c >> 2 & 1u};
        const double value =
            g->node[base[0] + b[0] + g->n[0] * (base[1] + b[1] + g->n[1] * (base[2] + b[2]))];
        double w[3];
        for (int k = 0; k < 3; k++)
            w[k] = b[k] ? t[k] : 1.0 - t[k];
        sum += w[0] * w[1] * w[2] * value;
        slope.x += (b[0] ? value : -value) * w[1] * w[2];
        slope.y += (b[1] ? value : -value) * w[2] * w[0];
        slope.z += (b[2] ? value : -value) * w[0] * w[1];
    }
    if (gradient)
        *gradient = scree_scaled(g->inv_h, slope);
    return sum;
}
