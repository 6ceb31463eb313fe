// SPDX-License-Identifier: Apache-2.0
// Which share of a segment, or of a ball, is in which cells: both in closed form in a box.
/*
 * A segment is cut where it crosses a border of cells: a plane, or the wall of a ring; the middle
 * of a piece decides in which cell it is. Pieces outside the grid are left out.
 *
 * A ball in a box: first the volume beyond each corner of cells that it covers (ball.h), then the
 * differences over the 8 corners of each cell. The differences telescope: the shares of a ball that
 * is within the grid add up to 1 to rounding.
 */
#include <math.h>

#include "ball.h"
#include "field.h"
#include "numeric.h"

field_share *room_add(field_room *r)
{
    if (!scree_grow(&r->shares, &r->capacity, r->n + 1, sizeof *r->shares))
        return NULL;
    return &r->shares[r->n++];
}

/* ---- segments ---- */

static int add_cut(field_room *r, uint64_t *n, double t)
{
    if (!(t > 0.0 && t < 1.0))
        return 1;
    if (!scree_grow(&r->cuts, &r->cut_capacity, *n + 2, sizeof *r->cuts))
        return 0;
    r->cuts[(*n)++] = t;
    return 1;
}

/* Range of borders [*first, *last] of an axis between two places. */
static void borders(const field_grid *g, int axis, double a, double b, uint32_t *first,
                    uint32_t *last)
{
    const double size = (g->hi[axis] - g->lo[axis]) / g->n[axis];
    const double low = (fmin(a, b) - g->lo[axis]) / size - 1.0;
    const double high = (fmax(a, b) - g->lo[axis]) / size + 2.0;
    *first = low > 0.0 ? (low < g->n[axis] ? (uint32_t)low : g->n[axis]) : 0;
    *last = high < g->n[axis] ? (high > 0.0 ? (uint32_t)high : 0) : g->n[axis];
}

static int cut_planes(const field_grid *g, field_room *r, uint64_t *n, int axis, double from,
                      double d)
{
    uint32_t first, last;
    if (d == 0.0 || (axis == 2 && g->dimension == 2))
        return 1;
    borders(g, axis, from, from + d, &first, &last);
    for (uint32_t k = first; k <= last; k++)
        if (!add_cut(r, n, (grid_edge(g, axis, k) - from) / d))
            return 0;
    return 1;
}

/* Cuts at the walls of rings, where the distance from the axis is the radius: two roots each. */
static int cut_rings(const field_grid *g, field_room *r, uint64_t *n, const double p[3],
                     const double d[3])
{
    const double a = d[0] * d[0] + d[1] * d[1], b = p[0] * d[0] + p[1] * d[1];
    if (!(a > 0.0))
        return 1;
    for (uint32_t k = 0; k <= g->n[0]; k++) {
        const double edge = grid_edge(g, 0, k), c = p[0] * p[0] + p[1] * p[1] - edge * edge;
        const double root = b * b - a * c, far = root > 0.0 ? -(b + copysign(sqrt(root), b)) : 0.0;
        if (!(root > 0.0) || far == 0.0)
            continue;
        if (!add_cut(r, n, far / a) || !add_cut(r, n, c / far))
            return 0;
    }
    return 1;
}

/* Cuts at the half planes between sectors. */
static int cut_sectors(const field_grid *g, field_room *r, uint64_t *n, const double p[3],
                       const double d[3])
{
    if (g->n[1] == 1)
        return 1;
    for (uint32_t k = 0; k < g->n[1]; k++) {
        const double c = g->borders[2 * k], s = g->borders[2 * k + 1];
        const double across = c * d[1] - s * d[0];
        if (across != 0.0 && !add_cut(r, n, (s * p[0] - c * p[1]) / across))
            return 0;
    }
    return 1;
}

static int find_cuts(const field_grid *g, field_room *r, uint64_t *n, const double from[3],
                     const double branch[3])
{
    double p[3], d[3], end[3], q[3];
    if (g->shape == BOX) {
        for (int k = 0; k < 3; k++)
            if (!cut_planes(g, r, n, k, from[k], branch[k]))
                return 0;
        return 1;
    }
    grid_local(g, from, p);
    for (int k = 0; k < 3; k++)
        end[k] = from[k] + branch[k];
    grid_local(g, end, q);
    for (int k = 0; k < 3; k++)
        d[k] = q[k] - p[k];
    return cut_rings(g, r, n, p, d) && cut_sectors(g, r, n, p, d) &&
           cut_planes(g, r, n, 2, p[2], d[2]);
}

static void sort(double *v, uint64_t n)
{
    for (uint64_t i = 1; i < n; i++) {
        const double t = v[i];
        uint64_t j = i;
        for (; j > 0 && v[j - 1] > t; j--)
            v[j] = v[j - 1];
        v[j] = t;
    }
}

int split_segment(const field_grid *g, field_room *r, const double from[3], const double branch[3])
{
    uint64_t n = 0;
    double before = 0.0;
    r->n = 0;
    if (!find_cuts(g, r, &n, from, branch) ||
        !scree_grow(&r->cuts, &r->cut_capacity, n + 1, sizeof *r->cuts))
        return 0;
    sort(r->cuts, n);
    r->cuts[n] = 1.0;
    for (uint64_t k = 0; k <= n; k++) {
        const double middle = 0.5 * (before + r->cuts[k]), part = r->cuts[k] - before;
        field_share share = {.part = part};
        before = r->cuts[k];
        for (int i = 0; i < 3; i++)
            share.at[i] = from[i] + middle * branch[i];
        share.cell = part > 0.0 ? grid_locate(g, share.at) : UINT64_MAX;
        if (share.cell == UINT64_MAX)
            continue;
        field_share *added = room_add(r);
        if (!added)
            return 0;
        *added = share;
    }
    return 1;
}

/* ---- balls in a box ---- */

/* Finds the cells of an axis that the ball may be in, and the borders in units of its radius. */
static void cover(const field_grid *g, int axis, double x, double radius, uint32_t range[2])
{
    uint32_t first, last;
    borders(g, axis, x - radius, x + radius, &first, &last);
    while (first < last && grid_edge(g, axis, first + 1) <= x - radius)
        first++;
    while (last > first && grid_edge(g, axis, last - 1) >= x + radius)
        last--;
    if (x + radius <= g->lo[axis] || x - radius >= g->hi[axis])
        first = last = 0;
    range[0] = first;
    range[1] = last;
}

/* Share of the ball beyond the border `k` of each axis. */
static double beyond(const field_grid *g, const double x[3], double radius, const uint32_t k[3])
{
    double c[3];
    for (int i = 0; i < 3; i++)
        c[i] = (grid_edge(g, i, k[i]) - x[i]) / radius;
    if (g->dimension == 2)
        return disc_corner(c[0], c[1]) / FIELD_PI;
    return ball_corner(c[0], c[1], c[2]) / (4.0 / 3.0 * FIELD_PI);
}

static int fill_corners(const field_grid *g, field_room *r, const double x[3], double radius,
                        uint32_t range[3][2], const uint64_t m[3])
{
    uint64_t at = 0;
    uint32_t k[3];
    if (!scree_grow(&r->corners, &r->corner_capacity, m[0] * m[1] * m[2], sizeof *r->corners))
        return 0;
    for (k[2] = range[2][0]; k[2] < range[2][0] + m[2]; k[2]++)
        for (k[1] = range[1][0]; k[1] < range[1][0] + m[1]; k[1]++)
            for (k[0] = range[0][0]; k[0] < range[0][0] + m[0]; k[0]++)
                r->corners[at++] = beyond(g, x, radius, k);
    return 1;
}

static double difference(const double *c, const uint64_t m[3], uint32_t dimension)
{
    const uint64_t up = m[0], over = m[0] * m[1];
    const double low = (c[0] - c[1]) - (c[up] - c[up + 1]);
    if (dimension == 2)
        return low;
    return low - ((c[over] - c[over + 1]) - (c[over + up] - c[over + up + 1]));
}

int split_ball(const field_grid *g, field_room *r, const double x[3], double radius, uint32_t begin,
               uint32_t end)
{
    uint32_t range[3][2];
    uint64_t m[3];
    r->n = 0;
    for (int k = 0; k < 3; k++) {
        range[k][0] = 0;
        range[k][1] = 1;
        if (k < (int)g->dimension)
            cover(g, k, x[k], radius, range[k]);
        if ((uint32_t)k == g->cut) {
            range[k][0] = range[k][0] > begin ? range[k][0] : begin;
            range[k][1] = range[k][1] < end ? range[k][1] : end;
        }
        if (range[k][0] >= range[k][1])
            return 1;
        m[k] = range[k][1] - range[k][0] + 1u;
    }
    if (g->dimension == 2)
        m[2] = 1;
    if (!fill_corners(g, r, x, radius, range, m))
        return 0;
    for (uint32_t k = range[2][0]; k < range[2][1]; k++)
        for (uint32_t j = range[1][0]; j < range[1][1]; j++)
            for (uint32_t i = range[0][0]; i < range[0][1]; i++) {
                const double *c = r->corners + (i - range[0][0]) +
                                  m[0] * ((j - range[1][0]) + m[1] * (k - range[2][0]));
                field_share *share = room_add(r);
                if (!share)
                    return 0;
                *share = (field_share){.cell = i + g->n[0] * (j + (uint64_t)g->n[1] * k),
                                       .part = difference(c, m, g->dimension)};
            }
    return 1;
}
