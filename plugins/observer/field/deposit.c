// SPDX-License-Identifier: Apache-2.0
// Sums of a sample of observer `field` in cells, or at points, on all lanes.
/*
 * Threads share the cells, not the bodies: a chunk is a range along one axis of the grid, and goes
 * through all balls and paths in their order. So each cell is summed up in one order, for any number of
 * threads.
 *
 * Where space repeats, items whose images reach into the grid count, at the places of the images.
 *
 * Signs: stress is positive in compression: contact -f_i d_j, kinetic m v'_i v'_j, with the
 * deviation v' = v - V(r, t) from the velocity of the cell in the same sample.
 */
#include <math.h>

#include "deposit.h"

/* Does a shifted item reach the grid along the axes that do not repeat? */
static int reaches(const scree_images *m, const double shift[3])
{
    int there = 1;
    for (int k = 0; k < 3; k++)
        there &= scree_repeats(m->cell, k) || (shift[k] >= m->least[k] && shift[k] <= m->most[k]);
    return there;
}

int over_images(field_chunk *c, const double lo[3], const double hi[3], const void *item,
                place_fn place)
{
    const field_grid *g = c->s->grid;
    const scree_bodies *b = c->s->view->bodies;
    const scree_images m = scree_images_of(b->cell, lo, hi, g->box_lo, g->box_hi);
    int32_t s[3] = {0, 0, 0}, last[3];
    double shift[3];
    for (scree_images_range(&m, 2, s, last); s[2] <= last[2]; s[2]++)
        for (scree_images_range(&m, 1, s, last); s[1] <= last[1]; s[1]++)
            for (scree_images_range(&m, 0, s, last); s[0] <= last[0]; s[0]++) {
                scree_shift(b->cell, s, shift);
                if (reaches(&m, shift) && !place(c, item, shift))
                    return 0;
            }
    return 1;
}

double *sums_of(const field_chunk *c, uint64_t cell)
{
    uint32_t index[3];
    grid_index(c->s->grid, cell, index);
    if (index[c->s->grid->cut] < c->begin || index[c->s->grid->cut] >= c->end)
        return NULL;
    return c->s->sum + cell * c->s->n_sums;
}

void field_rotate(double basis[3][3], const double v[3], double out[3])
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

void body_terms(const field_scene *s, const field_ball *ball, double basis[3][3],
                double q[SUM_CONTACT])
{
    const scree_bodies *b = s->view->bodies;
    const double mass = ball->weight / b->inv_mass[ball->body];
    double world[3], v[3], *out = q + SUM_KINETIC;
    for (int k = 0; k < 3; k++)
        world[k] = b->v[k][ball->body] - s->shift[k];
    field_rotate(basis, world, v);
    q[SUM_VOLUME] = ball->weight * body_volume(s, ball->body);
    q[SUM_MASS] = mass;
    for (int k = 0; k < 3; k++) {
        q[SUM_MOMENTUM + k] = mass * v[k];
        for (int j = k; j < 3; j++)
            *out++ = mass * v[k] * v[j];
    }
}

void path_terms(const field_path *p, double basis[3][3], double q[N_PATH])
{
    double f[3], d[3], m[3], n[3], *out = q + SUM_FABRIC - SUM_CONTACT;
    field_rotate(basis, p->force, f);
    field_rotate(basis, p->branch, d);
    field_rotate(basis, p->couple, m);
    field_rotate(basis, p->normal, n);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            q[3 * i + j] = -f[i] * d[j];
            q[SUM_COUPLE - SUM_CONTACT + 3 * i + j] = -m[i] * d[j];
        }
    q[SUM_NUMBER - SUM_CONTACT] = p->touches ? 1.0 : 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++)
            *out++ = p->touches ? n[i] * n[j] : 0.0;
}

/* Turns sums into densities, and m v' v' about the shift into m v' v' about the velocity of the
 * cell. */
static void make_densities(const field_scene *s, uint64_t cell)
{
    const double volume =
        s->config->kind == POINTS ? 1.0 : grid_volume(s->grid, cell, s->host->thickness);
    double *q = s->sum + cell * s->n_sums, *kinetic = q + SUM_KINETIC;
    const double mass = q[SUM_MASS];
    for (int k = 0; k < 3; k++)
        for (int j = k; j < 3; j++, kinetic++) {
            *kinetic -= mass > 0.0 ? q[SUM_MOMENTUM + k] * q[SUM_MOMENTUM + j] / mass : 0.0;
            if (j == k && !(*kinetic > 0.0)) // only by rounding
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
    field_chunk c = {s, &s->rooms[lane], (uint32_t)begin, (uint32_t)end};
    if (!(s->config->kind == POINTS ? deposit_points(&c) : deposit_cells(&c)))
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
