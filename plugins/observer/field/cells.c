// SPDX-License-Identifier: Apache-2.0
// Averages of observer `field` over cells: balls and paths are cut at the borders of the cells.
#include <math.h>

#include "deposit.h"

static int ball_in_cells(field_chunk *c, const void *item, const double shift[3])
{
    const field_ball *ball = item;
    const field_grid *g = c->s->grid;
    double q[SUM_CONTACT], x[3], basis[3][3];
    int ok;
    for (int k = 0; k < 3; k++)
        x[k] = ball->x[k] + shift[k];
    ok = g->shape == BOX ? split_ball(g, c->room, x, ball->radius, c->begin, c->end)
                         : split_ball_round(g, c->room, x, ball->radius);
    if (!ok || c->room->n == 0)
        return ok;
    grid_basis(g, x, basis);
    body_terms(c->s, ball, basis, q);
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
    field_rotate(basis, p->force, f);
    for (int k = 0; k < 3; k++)
        to[SUM_BOUNDARY + k] += part * f[k];
}

static int path_in_cells(field_chunk *c, const void *item, const double shift[3])
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

int deposit_cells(field_chunk *c)
{
    const field_scene *s = c->s;
    double lo[3], hi[3];
    for (uint64_t i = 0; i < s->n_balls; i++) {
        const field_ball *ball = &s->balls[i];
        for (int k = 0; k < 3; k++) {
            lo[k] = ball->x[k] - ball->radius;
            hi[k] = ball->x[k] + ball->radius;
        }
        if (!over_images(c, lo, hi, ball, ball_in_cells))
            return 0;
    }
    for (uint64_t i = 0; i < s->n_paths; i++) {
        const field_path *p = &s->paths[i];
        for (int k = 0; k < 3; k++) {
            lo[k] = fmin(p->from[k], p->from[k] + p->branch[k]);
            hi[k] = fmax(p->from[k], p->from[k] + p->branch[k]);
        }
        if (!over_images(c, lo, hi, p, path_in_cells))
            return 0;
    }
    return 1;
}
