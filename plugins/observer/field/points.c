// SPDX-License-Identifier: Apache-2.0
// Values of observer `field` at points: what balls, paths and forces of a boundary add by the kernel.
/*
 * Points are in rows along the axis that threads share, the axis with the most points. A segment
 * sees only those points of a row that it can reach: in the plane across the row the segment is at
 * least h away from it, so that its ends see at most sqrt(reach^2 - h^2) along the row. Weights of
 * a row come first (kernel.c), then each point adds up its terms, which lie side by side: both
 * loops are plain.
 */
#include <math.h>

#include "deposit.h"

enum { ROW = 64 }; // points whose weights are in memory at once

/* Terms that the kernel spreads along a segment, or about a place when the length is 0. */
typedef struct spread {
    double from[3], branch[3], unit[3], length; // [m]
    const double *q;                            // terms
    uint32_t body;
    // adds the terms to n points `stride` apart, times the weights
    void (*add)(const field_scene *s, const struct spread *p, double *to, uint64_t stride,
                const double *w, uint32_t n);
} spread;

static void add_bodies(const field_scene *s, const spread *p, double *to, uint64_t stride,
                       const double *w, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (w[i] > 0.0)
            add_body(s, to + i * stride, p->q, p->body, w[i]);
}

static void add_paths(const field_scene *s, const spread *p, double *to, uint64_t stride,
                      const double *w, uint32_t n)
{
    (void)s;
    for (uint32_t i = 0; i < n; i++)
        if (w[i] > 0.0)
            add_path(to + i * stride, p->q, w[i]);
}

static void add_forces(const field_scene *s, const spread *p, double *to, uint64_t stride,
                       const double *w, uint32_t n)
{
    (void)s;
    for (uint32_t i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            to[i * stride + SUM_BOUNDARY + k] += w[i] * p->q[k];
}

/* Points [range[0], range[1]) of an axis around [lo, hi]; per_size: 1 over the distance of
 * points. */
static inline void centres(const field_grid *g, int axis, double lo, double hi, double per_size,
                           uint32_t range[2])
{
    const double most = g->n[axis];
    const double first = (lo - g->lo[axis]) * per_size - 1.0;
    const double end = (hi - g->lo[axis]) * per_size + 1.0;
    range[0] = (uint32_t)scree_min(scree_max(first, 0.0), most);
    range[1] = (uint32_t)scree_min(scree_max(end, 0.0), most);
}

/* Square of the distance of (y, z) from the segment from 0 to (ey, ez). */
static inline double across2(double y, double z, double ey, double ez, double per_e2)
{
    const double t = scree_min(scree_max((y * ey + z * ez) * per_e2, 0.0), 1.0);
    const double dy = y - t * ey, dz = z - t * ez;
    return dy * dy + dz * dz;
}

/* Adds to a row of points; `cell` is the number of the first one, and `step` separates them. */
static void over_row(const field_chunk *c, const spread *p, field_row *row, uint64_t cell,
                     uint64_t step)
{
    const field_scene *s = c->s;
    double w[ROW];
    uint32_t end = row->first + row->n;
    for (; row->first < end; row->first += ROW) {
        double *to = s->sum + (cell + row->first * step) * s->n_sums;
        row->n = end - row->first < ROW ? end - row->first : ROW;
        kernel_row(s->kernel, row, w);
        p->add(s, p, to, step * s->n_sums, w, row->n);
    }
}

/* The grid seen along the rows: axis x along them, y and z across. */
typedef struct row_grid {
    int x, y, z;
    double size[3], per_size[3];
    uint64_t step[3];
} row_grid;
static row_grid find_rows(const field_grid *g)
{
    const int x = (int)g->cut;
    row_grid r = {.x = x, .y = (x + 1) % 3, .z = (x + 2) % 3, .step = {1, g->n[0]}};
    r.step[2] = (uint64_t)g->n[0] * g->n[1];
    for (int k = 0; k < 3; k++) {
        r.size[k] = (g->hi[k] - g->lo[k]) / g->n[k];
        r.per_size[k] = 1.0 / r.size[k];
    }
    return r;
}

/* A spread at one of its images: bounds of its segment, and the square of the remaining reach when
 * the points of the chunk are a gap away along the rows. */
typedef struct placed {
    const spread *p;
    row_grid r;
    double from[3], lo[3], hi[3]; // [m]
    double reach2, left2;         // [m^2]
} placed;

static inline double centre_of(const field_grid *g, const row_grid *r, int axis, uint32_t k)
{
    return g->lo[axis] + r->size[axis] * (k + 0.5);
}

/* Square of the gap between [lo, hi] and [a, b]. */
static inline double gap2(double lo, double hi, double a, double b)
{
    const double gap = scree_max(scree_max(lo - b, a - hi), 0.0);
    return gap * gap;
}

/* Adds to a row at dy and dz from the start of the segment; far2: square of the reach along the
 * row. */
static void place_row(const field_chunk *c, const placed *at, double dy, double dz, double far2,
                      uint64_t cell)
{
    const field_grid *g = c->s->grid;
    const row_grid *r = &at->r;
    const int x = r->x;
    const double far = sqrt(far2);
    uint32_t range[2];
    centres(g, x, at->lo[x] - far, at->hi[x] + far, r->per_size[x], range);
    range[0] = range[0] > c->begin ? range[0] : c->begin;
    range[1] = range[1] < c->end ? range[1] : c->end;
    if (range[0] >= range[1])
        return;
    field_row row = {.start = g->lo[x],
                     .size = r->size[x],
                     .from = at->from[x],
                     .across2 = dy * dy + dz * dz,
                     .foot = dy * at->p->unit[r->y] + dz * at->p->unit[r->z],
                     .unit = at->p->unit[x],
                     .length = at->p->length,
                     .first = range[0],
                     .n = range[1] - range[0]};
    over_row(c, at->p, &row, cell, r->step[x]);
}

/* Adds to the rows at place k along z. */
static void over_plane(const field_chunk *c, const placed *at, uint32_t k)
{
    const field_grid *g = c->s->grid;
    const row_grid *r = &at->r;
    const double z = centre_of(g, r, r->z, k), dz = z - at->from[r->z];
    const double ey = at->p->branch[r->y], ez = at->p->branch[r->z], e2 = ey * ey + ez * ez;
    const double per_e2 = e2 > 0.0 ? 1.0 / e2 : 0.0;
    const double left2 = at->left2 - gap2(at->lo[r->z], at->hi[r->z], z, z);
    const double left = sqrt(scree_max(left2, 0.0));
    uint32_t y[2];
    if (!(left2 > 0.0))
        return;
    centres(g, r->y, at->lo[r->y] - left, at->hi[r->y] + left, r->per_size[r->y], y);
    for (uint32_t j = y[0]; j < y[1]; j++) {
        const double dy = centre_of(g, r, r->y, j) - at->from[r->y];
        const double far2 = across2(dy, dz, ey, ez, per_e2);
        if (far2 < at->left2)
            place_row(c, at, dy, dz, at->reach2 - far2, j * r->step[r->y] + k * r->step[r->z]);
    }
}

static int at_image(field_chunk *c, const void *item, const double shift[3])
{
    const field_grid *g = c->s->grid;
    const double reach = c->s->kernel->reach;
    placed at = {.p = item, .r = find_rows(g)};
    const int x = at.r.x, z = at.r.z;
    uint32_t planes[2];
    for (int k = 0; k < 3; k++) {
        at.from[k] = at.p->from[k] + shift[k];
        at.lo[k] = scree_min(at.from[k], at.from[k] + at.p->branch[k]);
        at.hi[k] = scree_max(at.from[k], at.from[k] + at.p->branch[k]);
    }
    at.reach2 = reach * reach * (1.0 + 1e-12);
    at.left2 = at.reach2 - gap2(at.lo[x], at.hi[x], centre_of(g, &at.r, x, c->begin),
                                centre_of(g, &at.r, x, c->end - 1));
    if (!(at.left2 > 0.0))
        return 1;
    centres(g, z, at.lo[z] - reach, at.hi[z] + reach, at.r.per_size[z], planes);
    for (uint32_t k = planes[0]; k < planes[1]; k++)
        over_plane(c, &at, k);
    return 1;
}

static int over_all(field_chunk *c, const spread *p)
{
    const double reach = c->s->kernel->reach;
    double lo[3], hi[3];
    for (int k = 0; k < 3; k++) {
        const double end = p->from[k] + p->branch[k];
        lo[k] = fmin(p->from[k], end) - reach;
        hi[k] = fmax(p->from[k], end) + reach;
    }
    return over_images(c, lo, hi, p, at_image);
}

static int deposit_ball(field_chunk *c, const field_ball *ball, double basis[3][3])
{
    double q[SUM_CONTACT];
    spread p = {.q = q, .body = ball->body, .add = add_bodies};
    body_terms(c->s, ball, basis, q);
    memcpy(p.from, ball->x, sizeof p.from);
    return over_all(c, &p);
}

static int deposit_path(field_chunk *c, const field_path *path, double basis[3][3])
{
    double q[N_PATH];
    spread p = {.length = path->length, .q = q, .add = add_paths};
    spread end = {.q = path->force, .add = add_forces};
    path_terms(path, basis, q);
    memcpy(p.from, path->from, sizeof p.from);
    memcpy(p.branch, path->branch, sizeof p.branch);
    memcpy(p.unit, path->unit, sizeof p.unit);
    if (!over_all(c, &p))
        return 0;
    for (int k = 0; k < 3; k++)
        end.from[k] = path->from[k] + path->branch[k];
    return !path->boundary || over_all(c, &end);
}

int deposit_points(field_chunk *c)
{
    const field_scene *s = c->s;
    double basis[3][3];
    grid_basis(s->grid, s->grid->lo, basis);
    for (uint64_t i = 0; i < s->n_balls; i++)
        if (!deposit_ball(c, &s->balls[i], basis))
            return 0;
    for (uint64_t i = 0; i < s->n_paths; i++)
        if (!deposit_path(c, &s->paths[i], basis))
            return 0;
    return 1;
}
