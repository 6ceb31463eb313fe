// SPDX-License-Identifier: Apache-2.0
// Cells of observer `field`: a box of nx ny nz cells, or rings, sectors and slices of a cylinder.
#include <math.h>

#include "field.h"
#include "numeric.h"

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double grid_edge(const field_grid *g, int axis, uint32_t k)
{
    return k == g->n[axis] ? g->hi[axis]
                           : g->lo[axis] + (g->hi[axis] - g->lo[axis]) * k / g->n[axis];
}

void grid_index(const field_grid *g, uint64_t cell, uint32_t index[3])
{
    index[0] = (uint32_t)(cell % g->n[0]);
    index[1] = (uint32_t)(cell / g->n[0] % g->n[1]);
    index[2] = (uint32_t)(cell / g->n[0] / g->n[1]);
}

void grid_centre(const field_grid *g, uint64_t cell, double at[3])
{
    uint32_t index[3];
    grid_index(g, cell, index);
    for (int k = 0; k < 3; k++)
        at[k] = g->lo[k] + (g->hi[k] - g->lo[k]) * (index[k] + 0.5) / g->n[k];
}

double grid_volume(const field_grid *g, uint64_t cell, double thickness)
{
    uint32_t index[3];
    double size[3], inner, outer;
    grid_index(g, cell, index);
    for (int k = 0; k < 3; k++)
        size[k] = (g->hi[k] - g->lo[k]) / g->n[k];
    if (g->dimension == 2)
        size[2] = thickness;
    if (g->shape == BOX)
        return size[0] * size[1] * size[2];
    inner = grid_edge(g, 0, index[0]);
    outer = grid_edge(g, 0, index[0] + 1);
    return 0.5 * (outer - inner) * (outer + inner) * size[1] * size[2];
}

void grid_local(const field_grid *g, const double x[3], double out[3])
{
    const double d[3] = {x[0] - g->origin[0], x[1] - g->origin[1], x[2] - g->origin[2]};
    for (int k = 0; k < 3; k++)
        out[k] = dot(g->frame[k], d);
}

void grid_place(const field_grid *g, const double at[3], double x[3])
{
    double c, s, local[3];
    if (g->shape == BOX) {
        memcpy(x, at, 3 * sizeof *x);
        return;
    }
    field_turn(at[1], &c, &s);
    local[0] = at[0] * c;
    local[1] = at[0] * s;
    local[2] = at[2];
    for (int k = 0; k < 3; k++)
        x[k] = g->origin[k] + local[0] * g->frame[0][k] + local[1] * g->frame[1][k] +
               local[2] * g->frame[2][k];
}

void grid_basis(const field_grid *g, const double x[3], double basis[3][3])
{
    double local[3], r, c = 1.0, s = 0.0;
    memset(basis, 0, 9 * sizeof(double));
    if (g->shape == BOX) {
        basis[0][0] = basis[1][1] = basis[2][2] = 1.0;
        return;
    }
    grid_local(g, x, local);
    r = sqrt(local[0] * local[0] + local[1] * local[1]);
    if (r > 0.0) {
        c = local[0] / r;
        s = local[1] / r;
    }
    for (int k = 0; k < 3; k++) {
        basis[0][k] = c * g->frame[0][k] + s * g->frame[1][k];
        basis[1][k] = c * g->frame[1][k] - s * g->frame[0][k];
        basis[2][k] = g->frame[2][k];
    }
}

/* Cell along an axis, half open; returns n outside the grid. */
static uint32_t along(const field_grid *g, int axis, double at)
{
    const double t = (at - g->lo[axis]) / (g->hi[axis] - g->lo[axis]) * g->n[axis];
    uint32_t k;
    if (!(at >= g->lo[axis] && at < g->hi[axis]))
        return g->n[axis];
    k = t < g->n[axis] ? (uint32_t)t : g->n[axis] - 1;
    while (k > 0 && at < grid_edge(g, axis, k))
        k--;
    while (k + 1 < g->n[axis] && at >= grid_edge(g, axis, k + 1))
        k++;
    return k;
}

uint64_t grid_locate(const field_grid *g, const double x[3])
{
    double at[3] = {x[0], x[1], x[2]};
    uint32_t index[3];
    if (g->shape == CYLINDER) {
        double local[3];
        grid_local(g, x, local);
        at[0] = sqrt(local[0] * local[0] + local[1] * local[1]);
        at[1] = field_atan2(local[1], local[0]);
        at[1] = at[1] < 0.0 ? at[1] + 2.0 * FIELD_PI : at[1];
        at[1] = at[1] < 2.0 * FIELD_PI ? at[1] : 0.0;
        at[2] = local[2];
    }
    for (int k = 0; k < 3; k++) {
        index[k] = k == 2 && g->dimension == 2 ? 0 : along(g, k, at[k]);
        if (index[k] == g->n[k])
            return UINT64_MAX;
    }
    return index[0] + g->n[0] * (index[1] + (uint64_t)g->n[1] * index[2]);
}

/* ---- from the settings ---- */

static int32_t read_vector(const scree_host *host, const char *key, const scree_reals *from,
                           double to[3])
{
    if (from->n != 3 && from->n != host->dimension)
        return scree_failf(host, SCREE_E_CONFIG, "%s: expected %s numbers, got %" PRIu64, key,
                           host->dimension == 2 ? "2 or 3" : "3", from->n);
    for (uint64_t k = 0; k < 3; k++)
        to[k] = k < from->n ? from->v[k] : 0.0;
    return SCREE_OK;
}

static int32_t read_cells(field_grid *g, const field_config *c, const scree_host *host)
{
    const uint64_t axes = c->grid == CYLINDER ? 3 : host->dimension;
    if (c->cells.n != 3 && c->cells.n != axes)
        return scree_failf(host, SCREE_E_CONFIG,
                           "cells: expected %" PRIu64 " numbers, got %" PRIu64, axes, c->cells.n);
    g->n_cells = 1;
    for (uint64_t k = 0; k < 3; k++) {
        const int64_t n = k < c->cells.n ? c->cells.v[k] : 1;
        if (k == 2 && host->dimension == 2 && n != 1)
            return scree_failf(host, SCREE_E_CONFIG, "cells[2]: expected 1 in 2D, got %" PRId64, n);
        g->n[k] = (uint32_t)n;
        g->n_cells *= (uint64_t)n;
    }
    for (uint32_t k = 0; k < 3; k++)
        g->cut = g->n[k] > g->n[g->cut] ? k : g->cut;
    return SCREE_OK;
}

static int32_t read_box(field_grid *g, const field_config *c, const scree_host *host)
{
    int32_t status;
    if (c->point.n > 0 || c->axis.n > 0 || !isnan(c->radius) || !isnan(c->inner) ||
        !isnan(c->height))
        return host->fail(host->ctx, SCREE_E_CONFIG,
                          "point, axis, radius, inner and height go with grid = \"cylinder\"");
    status = read_vector(host, "min", &c->min, g->lo);
    if (status == SCREE_OK)
        status = read_vector(host, "max", &c->max, g->hi);
    if (host->dimension == 2) {
        g->lo[2] = -0.5 * host->thickness;
        g->hi[2] = 0.5 * host->thickness;
    }
    for (int k = 0; k < 3 && status == SCREE_OK; k++)
        if (!(g->lo[k] < g->hi[k]) || !isfinite(g->hi[k] - g->lo[k]))
            status =
                scree_failf(host, SCREE_E_CONFIG, "expected min[%d] < max[%d], got %g m and %g m",
                            k, k, g->lo[k], g->hi[k]);
    memcpy(g->box_lo, g->lo, sizeof g->lo);
    memcpy(g->box_hi, g->hi, sizeof g->hi);
    return status;
}

/* Axes of the cylinder: phi = 0 is the axis of the world that is most nearly across, made
 * orthogonal. */
static int32_t read_axis(field_grid *g, const field_config *c, const scree_host *host)
{
    double axis[3] = {0.0, 0.0, 1.0}, length, along_axis;
    int first = 0;
    int32_t status = c->axis.n > 0 ? read_vector(host, "axis", &c->axis, axis) : SCREE_OK;
    if (status != SCREE_OK)
        return status;
    length = sqrt(dot(axis, axis));
    if (!(length > 0.0) || !isfinite(length) ||
        (host->dimension == 2 && (axis[0] != 0.0 || axis[1] != 0.0)))
        return scree_failf(host, SCREE_E_CONFIG, "axis: expected a direction%s, got (%g, %g, %g)",
                           host->dimension == 2 ? " along z in 2D" : "", axis[0], axis[1], axis[2]);
    for (int k = 0; k < 3; k++) {
        g->frame[2][k] = axis[k] / length;
        first = fabs(axis[k]) < fabs(axis[first]) ? k : first;
    }
    along_axis = g->frame[2][first];
    length = sqrt(1.0 - along_axis * along_axis);
    for (int k = 0; k < 3; k++)
        g->frame[0][k] = ((k == first) - along_axis * g->frame[2][k]) / length;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        g->frame[1][k] = g->frame[2][i] * g->frame[0][j] - g->frame[2][j] * g->frame[0][i];
    }
    return SCREE_OK;
}

static int32_t read_cylinder(field_grid *g, const field_config *c, const scree_host *host)
{
    const int flat = host->dimension == 2;
    int32_t status;
    if (c->min.n > 0 || c->max.n > 0)
        return host->fail(host->ctx, SCREE_E_CONFIG, "min and max go with grid = \"box\"");
    if (c->kind != CELLS)
        return host->fail(host->ctx, SCREE_E_CONFIG,
                          "kind: expected \"cells\" with grid = \"cylinder\"");
    if (isnan(c->radius) || (!flat && isnan(c->height)))
        return host->fail(host->ctx, SCREE_E_CONFIG, "grid = \"cylinder\" needs radius and height");
    status = c->point.n > 0 ? read_vector(host, "point", &c->point, g->origin) : SCREE_OK;
    if (status == SCREE_OK)
        status = read_axis(g, c, host);
    g->lo[0] = isnan(c->inner) ? 0.0 : c->inner;
    g->hi[0] = c->radius;
    g->hi[1] = 2.0 * FIELD_PI;
    g->lo[2] = flat ? -0.5 * host->thickness : 0.0;
    g->hi[2] = flat ? 0.5 * host->thickness : c->height;
    if (status == SCREE_OK && !(g->lo[0] < g->hi[0]))
        return scree_failf(host, SCREE_E_CONFIG, "expected inner < radius, got %g m and %g m",
                           g->lo[0], g->hi[0]);
    for (int k = 0; k < 3; k++) {
        const double reach =
            c->radius * sqrt(fmax(1.0 - g->frame[2][k] * g->frame[2][k], 0.0)) * (1.0 + 1e-12);
        const double end = g->origin[k] + g->hi[2] * g->frame[2][k];
        const double begin = g->origin[k] + g->lo[2] * g->frame[2][k];
        g->box_lo[k] = fmin(begin, end) - reach;
        g->box_hi[k] = fmax(begin, end) + reach;
    }
    return status;
}

/* The rules of Gauss and Legendre in t, mapped by 3 t^2 - 2 t^3 to [0, 1]. */
static void make_rules(field_grid *g)
{
    for (int n = LEAST_NODES; n <= MOST_NODES; n++) {
        field_gauss(n, g->node[n], g->weight[n]);
        for (int k = 0; k < n; k++) {
            const double t = 0.5 + 0.5 * g->node[n][k];
            g->node[n][k] = t * t * (3.0 - 2.0 * t);
            g->weight[n][k] *= 3.0 * t * (1.0 - t);
        }
    }
}

static int32_t make_borders(field_grid *g, const scree_host *host)
{
    g->borders = malloc((g->n[1] + 1ull) * 2 * sizeof *g->borders);
    if (!g->borders)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the sectors");
    for (uint32_t k = 0; k <= g->n[1]; k++)
        field_turn(grid_edge(g, 1, k), g->borders + 2 * k, g->borders + 2 * k + 1);
    return SCREE_OK;
}

int32_t grid_make(field_grid *g, const field_config *c, const scree_host *host)
{
    int32_t status;
    g->shape = c->grid;
    g->kind = c->kind;
    g->dimension = host->dimension;
    make_rules(g);
    status = read_cells(g, c, host);
    if (status != SCREE_OK)
        return status;
    if (c->grid == BOX)
        return read_box(g, c, host);
    status = read_cylinder(g, c, host);
    return status == SCREE_OK ? make_borders(g, host) : status;
}
