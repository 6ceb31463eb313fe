// SPDX-License-Identifier: Apache-2.0
// Sums of a sample of observer `field` in cells, or at points, on all lanes.
/*
 * Threads share the cells, not the bodies: a chunk is a range along one axis of the grid, and goes
 * through all balls and paths in their order. So each cell is summed up in one order, for any number of
 * threads.
 *
 * Periodic axes: what reaches into the grid from a neighbouring cell counts, at the place of its image.
 *
 * Signs: stress is positive in compression: contact -f_i d_j, kinetic m v'_i v'_j, of the deviation
 * v' = v - V(r, t) from the velocity of the cell in the same sample.
 */
#include <math.h>

#include "field.h"

typedef struct chunk {
    field_scene *s;
    field_room *room;
    uint32_t begin, end;
} chunk;

/* One item at one of its images. */
typedef int (*place_fn)(chunk *c, const void *item, const double shift[3]);

/* Calls `place` for all images of an item within [lo, hi] that reach the grid. 0: out of memory. */
static int over_images(chunk *c, const double lo[3], const double hi[3], const void *item,
                       place_fn place)
{
    const field_grid *g = c->s->grid;
    const scree_bodies *b = c->s->view->bodies;
    double first[3], last[3], size[3], shift[3];
    for (int k = 0; k < 3; k++) {
        size[k] = b->periodic[k] ? b->region_max[k] - b->region_min[k] : 1.0;
        first[k] = ceil((g->box_lo[k] - hi[k]) / size[k]);
        last[k] = floor((g->box_hi[k] - lo[k]) / size[k]);
        if (b->periodic[k])
            continue;
        first[k] = last[k] = 0.0;
        if (lo[k] > g->box_hi[k] || hi[k] < g->box_lo[k])
            return 1;
    }
    for (double z = first[2]; z <= last[2]; z++)
        for (double y = first[1]; y <= last[1]; y++)
            for (double x = first[0]; x <= last[0]; x++) {
                shift[0] = x * size[0];
                shift[1] = y * size[1];
                shift[2] = z * size[2];
                if (!place(c, item, shift))
                    return 0;
            }
    return 1;
}

/* Sums of a cell, NULL: it belongs to another chunk. */
static double *sums_of(const chunk *c, uint64_t cell)
{
    uint32_t index[3];
    grid_index(c->s->grid, cell, index);
    if (index[c->s->grid->cut] < c->begin || index[c->s->grid->cut] >= c->end)
        return NULL;
    return c->s->sum + cell * c->s->n_sums;
}

static void rotate(double basis[3][3], const double v[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = basis[k][0] * v[0] + basis[k][1] * v[1] + basis[k][2] * v[2];
}

static double body_volume(const field_scene *s, uint32_t i)
{
    const scree_bodies *b = s->view->bodies;
    const scree_shape *shape = b->shapes[b->shape[i]];
    return b->scale[i] * b->scale[i] * (shape->flat ? s->host->thickness : b->scale[i]) *
           shape->volume;
}

/* Volume, mass, momentum and m v' v' of a ball's part of its body. */
static void body_terms(const field_scene *s, const field_ball *ball, const double shift[3],
                       double q[SUM_CONTACT])
{
    const scree_bodies *b = s->view->bodies;
    const double mass = ball->weight / b->inv_mass[ball->body];
    double basis[3][3], x[3], world[3], v[3], *out = q + SUM_KINETIC;
    for (int k = 0; k < 3; k++) {
        x[k] = ball->x[k] + shift[k];
        world[k] = b->v[k][ball->body] - s->shift[k];
    }
    grid_basis(s->grid, x, basis);
    rotate(basis, world, v);
    q[SUM_VOLUME] = ball->weight * body_volume(s, ball->body);
    q[SUM_MASS] = mass;
    for (int k = 0; k < 3; k++) {
        q[SUM_MOMENTUM + k] = mass * v[k];
        for (int j = k; j < 3; j++)
            *out++ = mass * v[k] * v[j];
    }
}

static void add_body(const field_scene *s, double *to, const double q[SUM_CONTACT], uint32_t body,
                     double part)
{
    const scree_bodies *b = s->view->bodies;
    uint32_t at = SUM_FIELDS;
    for (int k = 0; k < SUM_CONTACT; k++)
        to[k] += part * q[k];
    for (uint32_t f = 0; f < b->n_used; f++)
        for (uint32_t k = 0; k < b->used[f]->components; k++)
            to[at++] += part * q[SUM_MASS] * b->used[f]->v[k][body];
}

/* Terms of a path: SUM_CONTACT and SUM_COUPLE, then SUM_NUMBER and SUM_FABRIC. */
enum { PATH_NUMBER = 18, N_PATH = 25 };
static void path_terms(const field_path *p, double basis[3][3], double q[N_PATH])
{
    double f[3], d[3], m[3], n[3], *out = q + PATH_NUMBER + 1;
    rotate(basis, p->force, f);
    rotate(basis, p->branch, d);
    rotate(basis, p->couple, m);
    rotate(basis, p->normal, n);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            q[3 * i + j] = -f[i] * d[j];
            q[9 + 3 * i + j] = -m[i] * d[j];
        }
    q[PATH_NUMBER] = p->touches ? 1.0 : 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++)
            *out++ = p->touches ? n[i] * n[j] : 0.0;
}

static void add_path(double *to, const double q[N_PATH], double part)
{
    for (int k = 0; k < PATH_NUMBER; k++)
        to[SUM_CONTACT + k] += part * q[k];
    for (int k = PATH_NUMBER; k < N_PATH; k++)
        to[SUM_NUMBER + k - PATH_NUMBER] += part * q[k];
}

/* ---- cells ---- */

static int ball_in_cells(chunk *c, const void *item, const double shift[3])
{
    const field_ball *ball = item;
    const field_grid *g = c->s->grid;
    double q[SUM_CONTACT], x[3];
    int ok;
    for (int k = 0; k < 3; k++)
        x[k] = ball->x[k] + shift[k];
    ok = g->shape == BOX ? split_ball(g, c->room, x, ball->radius, c->begin, c->end)
                         : split_ball_round(g, c->room, x, ball->radius);
    if (!ok || c->room->n == 0)
        return ok;
    body_terms(c->s, ball, shift, q);
    for (uint64_t k = 0; k < c->room->n; k++) {
        double *to = sums_of(c, c->room->shares[k].cell);
        if (to)
            add_body(c->s, to, q, ball->body, c->room->shares[k].part);
    }
    return 1;
}

static void add_boundary(double *to, const field_path *p, double basis[3][3], double part)
{
    double f[3];
    rotate(basis, p->force, f);
    for (int k = 0; k < 3; k++)
        to[SUM_BOUNDARY + k] += part * f[k];
}

static int path_in_cells(chunk *c, const void *item, const double shift[3])
{
    const field_path *p = item;
    const field_grid *g = c->s->grid;
    double from[3], end[3], basis[3][3], q[N_PATH], *to;
    uint64_t cell;
    for (int k = 0; k < 3; k++) {
        from[k] = p->from[k] + shift[k];
        end[k] = from[k] + p->branch[k];
    }
    if (!split_segment(g, c->room, from, p->branch))
        return 0;
    for (uint64_t k = 0; k < c->room->n; k++) {
        const field_share *share = &c->room->shares[k];
        to = sums_of(c, share->cell);
        if (!to)
            continue;
        grid_basis(g, share->at, basis);
        path_terms(p, basis, q);
        add_path(to, q, share->part);
    }
    cell = p->boundary ? grid_locate(g, end) : UINT64_MAX;
    to = cell == UINT64_MAX ? NULL : sums_of(c, cell);
    if (to) {
        grid_basis(g, end, basis);
        add_boundary(to, p, basis, 1.0);
    }
    return 1;
}

/* ---- points ---- */

/* Points of an axis within [lo, hi]: the centres of the cells. */
static void centres(const chunk *c, int axis, double lo, double hi, uint32_t range[2])
{
    const field_grid *g = c->s->grid;
    const double size = (g->hi[axis] - g->lo[axis]) / g->n[axis];
    const double first = floor((lo - g->lo[axis]) / size - 0.5);
    const double last = ceil((hi - g->lo[axis]) / size - 0.5);
    range[0] = first > 0.0 ? (first < g->n[axis] ? (uint32_t)first : g->n[axis]) : 0;
    range[1] = last < 0.0 ? 0 : last < g->n[axis] - 1.0 ? (uint32_t)last + 1 : g->n[axis];
    if ((uint32_t)axis != g->cut)
        return;
    range[0] = range[0] > c->begin ? range[0] : c->begin;
    range[1] = range[1] < c->end ? range[1] : c->end;
}

/* Adds an item to the sums of a point at `d` from it. */
typedef void (*point_fn)(chunk *c, const void *item, const double d[3], const double *q,
                         double *to);

static void over_points(chunk *c, const double lo[3], const double hi[3], const double from[3],
                        const void *item, const double *q, point_fn add)
{
    const field_grid *g = c->s->grid;
    uint32_t range[3][2];
    double size[3], d[3];
    for (int k = 0; k < 3; k++) {
        centres(c, k, lo[k], hi[k], range[k]);
        size[k] = (g->hi[k] - g->lo[k]) / g->n[k];
    }
    for (uint32_t k = range[2][0]; k < range[2][1]; k++)
        for (uint32_t j = range[1][0]; j < range[1][1]; j++) {
            d[1] = g->lo[1] + size[1] * (j + 0.5) - from[1];
            d[2] = g->lo[2] + size[2] * (k + 0.5) - from[2];
            for (uint32_t i = range[0][0]; i < range[0][1]; i++) {
                const uint64_t cell = i + g->n[0] * (j + (uint64_t)g->n[1] * k);
                d[0] = g->lo[0] + size[0] * (i + 0.5) - from[0];
                add(c, item, d, q, c->s->sum + cell * c->s->n_sums);
            }
        }
}

static double norm2(const double d[3])
{
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
}

static void body_at_point(chunk *c, const void *item, const double d[3], const double *q,
                          double *to)
{
    const field_ball *ball = item;
    const double w = kernel_at(c->s->kernel, norm2(d));
    if (w > 0.0)
        add_body(c->s, to, q, ball->body, w);
}

static int ball_at_points(chunk *c, const void *item, const double shift[3])
{
    const field_ball *ball = item;
    const double reach = c->s->kernel->reach;
    double q[SUM_CONTACT], x[3], lo[3], hi[3];
    for (int k = 0; k < 3; k++) {
        x[k] = ball->x[k] + shift[k];
        lo[k] = x[k] - reach;
        hi[k] = x[k] + reach;
    }
    body_terms(c->s, ball, shift, q);
    over_points(c, lo, hi, x, item, q, body_at_point);
    return 1;
}

static void path_at_point(chunk *c, const void *item, const double d[3], const double *q,
                          double *to)
{
    const field_path *p = item;
    const double w = kernel_along(c->s->kernel, d, p->unit, p->length);
    if (w > 0.0)
        add_path(to, q, w);
}

static void force_at_point(chunk *c, const void *item, const double d[3], const double *q,
                           double *to)
{
    const double w = kernel_at(c->s->kernel, norm2(d));
    (void)item;
    for (int k = 0; k < 3; k++)
        to[SUM_BOUNDARY + k] += w * q[k];
}

static int path_at_points(chunk *c, const void *item, const double shift[3])
{
    const field_path *p = item;
    const double reach = c->s->kernel->reach;
    double from[3], end[3], lo[3], hi[3], basis[3][3], q[N_PATH];
    for (int k = 0; k < 3; k++) {
        from[k] = p->from[k] + shift[k];
        end[k] = from[k] + p->branch[k];
        lo[k] = fmin(from[k], end[k]) - reach;
        hi[k] = fmax(from[k], end[k]) + reach;
    }
    grid_basis(c->s->grid, from, basis);
    path_terms(p, basis, q);
    over_points(c, lo, hi, from, item, q, path_at_point);
    for (int k = 0; k < 3; k++) {
        lo[k] = end[k] - reach;
        hi[k] = end[k] + reach;
    }
    if (p->boundary)
        over_points(c, lo, hi, end, item, p->force, force_at_point);
    return 1;
}

/* ---- all of them ---- */

static int deposit_balls(chunk *c)
{
    const field_scene *s = c->s;
    const int points = s->config->kind == POINTS;
    for (uint64_t i = 0; i < s->n_balls; i++) {
        const field_ball *ball = &s->balls[i];
        const double reach = points ? s->kernel->reach : ball->radius;
        double lo[3], hi[3];
        for (int k = 0; k < 3; k++) {
            lo[k] = ball->x[k] - reach;
            hi[k] = ball->x[k] + reach;
        }
        if (!over_images(c, lo, hi, ball, points ? ball_at_points : ball_in_cells))
            return 0;
    }
    return 1;
}

static int deposit_paths(chunk *c)
{
    const field_scene *s = c->s;
    const int points = s->config->kind == POINTS;
    const double reach = points ? s->kernel->reach : 0.0;
    for (uint64_t i = 0; i < s->n_paths; i++) {
        const field_path *p = &s->paths[i];
        double lo[3], hi[3];
        for (int k = 0; k < 3; k++) {
            lo[k] = fmin(p->from[k], p->from[k] + p->branch[k]) - reach;
            hi[k] = fmax(p->from[k], p->from[k] + p->branch[k]) + reach;
        }
        if (!over_images(c, lo, hi, p, points ? path_at_points : path_in_cells))
            return 0;
    }
    return 1;
}

/* From sums to densities, and from m v' v' about the shift to that about the velocity of the cell. */
static void make_densities(const field_scene *s, uint64_t cell)
{
    const double volume =
        s->config->kind == POINTS ? 1.0 : grid_volume(s->grid, cell, s->host->thickness);
    double *q = s->sum + cell * s->n_sums, *kinetic = q + SUM_KINETIC;
    const double mass = q[SUM_MASS];
    for (int k = 0; k < 3; k++)
        for (int j = k; j < 3; j++, kinetic++) {
            *kinetic -= mass > 0.0 ? q[SUM_MOMENTUM + k] * q[SUM_MOMENTUM + j] / mass : 0.0;
            if (j == k && !(*kinetic > 0.0)) // by rounding
                *kinetic = 0.0;
        }
    for (int k = 0; k < 3; k++)
        q[SUM_MOMENTUM + k] += mass * s->shift[k];
    for (uint32_t k = 0; k < s->n_sums; k++)
        q[k] /= volume;
}

static int32_t deposit_chunk(void *user, uint64_t begin, uint64_t end, uint32_t lane)
{
    field_scene *s = user;
    chunk c = {s, &s->rooms[lane], (uint32_t)begin, (uint32_t)end};
    if (!deposit_balls(&c) || !deposit_paths(&c))
        return s->host->fail(s->host->ctx, SCREE_E_MEMORY, "no memory for a sample");
    for (uint64_t cell = 0; cell < s->grid->n_cells; cell++)
        if (sums_of(&c, cell))
            make_densities(s, cell);
    return SCREE_OK;
}

int32_t deposit(field_scene *s)
{
    const uint64_t n = s->grid->n[s->grid->cut], lanes = s->n_rooms;
    memset(s->sum, 0, s->grid->n_cells * s->n_sums * sizeof *s->sum);
    return s->host->parallel_for(s->host->ctx, 0, n, (n + lanes - 1) / lanes, deposit_chunk, s);
}
