// SPDX-License-Identifier: Apache-2.0
/*
 * Updates of balls that move one after the other.
 *
 * Idea: a ball moves along its increment until it touches another one, and then along that one
 * (balls.c). Those in front along the drift move first, so that the place that they leave is free
 * for those behind them: a pile sinks in a few updates, and each ball rolls into a gap.
 *
 * Order: slabs across the drift, thinner than a ball; in a slab by number. So the result is the same
 * for any contact detection and number of threads.
 */
#include "filling.h"

#include <stdlib.h>

enum { SLABS = 8 }; // slabs over the mean radius
#define LESS 0.97   // [-] of the time of a ball that has come less than half as far as it wanted

/* Sets the order in which balls move: from slab to slab against the drift, in a slab by number. */
static void order_balls(filling *f)
{
    memset(f->slab, 0, (size_t)(f->n_slabs + 1) * sizeof *f->slab);
    for (int pass = 0; pass < 2; pass++) { // count, then place
        for (uint64_t i = 0; i < f->n; i++) {
            const uint32_t at = f->place[i];
            double height = -f->low;
            if (at == WAITS)
                continue;
            for (int k = 0; k < 3; k++)
                height += f->up[k] * f->sites.x[k][at];
            height = fmin(fmax(height / f->thick, 0.0), (double)(f->n_slabs - 1));
            if (pass == 0)
                f->slab[(uint64_t)height + 1]++;
            else
                f->order[f->slab[(uint64_t)height]++] = (uint32_t)i;
        }
        if (pass == 1)
            break;
        for (uint64_t k = 0; k < f->n_slabs; k++)
            f->slab[k + 1] += f->slab[k];
    }
}

/* Is ball i free of the scene's bodies at x? `far`: about how far it moves in an update. */
static int32_t ask_room(filling *f, uint64_t i, const double x[3], double far, int *is_free)
{
    const packing *p = &f->p;
    room_question q = {.query = p->query,
                       .dimension = p->dimension,
                       .shape = p->config->body->shape,
                       .scale = f->scale[i],
                       .radius = packing_reach(p, f->scale[i]),
                       .far = far};
    for (uint32_t k = 0; k < 3; k++) {
        q.lo[k] = f->balls.wraps[k] ? -HUGE_VAL : p->min[k];
        q.hi[k] = f->balls.wraps[k] ? HUGE_VAL : p->max[k];
        q.x[k] = x[k];
        q.most = fmax(q.most, p->max[k] - p->min[k]);
    }
    return room_ask(&f->room[i], &q, is_free);
}

/* [m] Distance of two places. */
static double distance(const double a[3], const double b[3])
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static int32_t move_ball(filling *f, uint64_t i)
{
    const uint32_t at = f->place[i];
    const double r = packing_reach(&f->p, f->scale[i]);
    const double is[3] = {f->sites.x[0][at], f->sites.x[1][at], f->sites.x[2][at]};
    double step[3], lo[3], hi[3], x[3], unit = 0.0, along = 0.0;
    int is_free = 1;
    filling_step(f, i, step);
    for (uint32_t k = 0; k < 3; k++) {
        packing_range(&f->p, r, k, &lo[k], &hi[k]);
        lo[k] = f->p.spans[k] ? -HUGE_VAL : lo[k];
        hi[k] = f->p.spans[k] ? HUGE_VAL : hi[k];
        if (k >= f->p.dimension)
            lo[k] = hi[k] = 0.0;
    }
    if (!balls_walk(&f->balls, (uint32_t)i, step, lo, hi, x))
        return f->p.host->fail(f->p.host->ctx, SCREE_E_MEMORY, "out of memory");
    const double way = distance(x, is),
                 want = sqrt(step[0] * step[0] + step[1] * step[1] + step[2] * step[2]);
    for (int k = 0; k < 3; k++) {
        along += f->drift[k] * (x[k] - is[k]);
        unit += f->drift[k] * f->drift[k];
    }
    balls_wrap(&f->balls, x);
    const int32_t code = ask_room(f, i, x, way, &is_free);
    is_free = is_free && way > 0.0 && packing_holds(&f->p, x, r);
    f->share[i] = is_free && way >= 0.5 * want ? fmin(LONGER * f->share[i], 1.0)
                                               : fmax(LESS * f->share[i], f->config->shortest);
    if (code < 0 || !is_free)
        return code;
    balls_move(&f->balls, (uint32_t)i, x);
    f->advance += unit > 0.0 ? along / sqrt(unit) : 0.0;
    for (int k = 0; k < 3; k++)
        f->sites.x[k][at] = x[k];
    return SCREE_OK;
}

/* Lets a ball enter at the first of some random places where it overlaps nothing. */
static int32_t enter_ball(filling *f, uint64_t i)
{
    int32_t code = SCREE_OK;
    for (uint64_t t = 0; t < TRIES && f->place[i] == WAITS && code >= 0; t++) {
        double x[3] = {0.0, 0.0, 0.0}, q[4];
        int is_free = 0;
        if (!filling_entry(f, i, t, x, q))
            continue;
        balls_wrap(&f->balls, x);
        const int meets = balls_meet(&f->balls, x, packing_reach(&f->p, f->scale[i]));
        if (meets < 0)
            return f->p.host->fail(f->p.host->ctx, SCREE_E_MEMORY, "out of memory");
        code = meets ? SCREE_OK : ask_room(f, i, x, f->size, &is_free);
        if (code < 0 || !is_free)
            continue;
        balls_put(&f->balls, (uint32_t)i, x);
        sites_want(&f->sites, i, f->p.config->body->shape, f->scale[i], x, q);
        f->sites.n1 = 0;
        f->place[i] = f->sites.n0++;
    }
    return code;
}

int32_t filling_update_balls(filling *f)
{
    const uint32_t in = f->sites.n0;
    int32_t code = SCREE_OK;
    order_balls(f);
    for (uint32_t k = 0; k < in && code >= 0; k++)
        code = move_ball(f, f->order[k]);
    for (uint64_t i = 0; i < f->n && code >= 0 && f->sites.n0 < f->n; i++)
        if (f->place[i] == WAITS)
            code = enter_ball(f, i);
    return code;
}

int filling_rolls(const filling *f)
{
    const packing *p = &f->p;
    const scree_cell *cell = p->args->bodies->cell;
    int good = !f->config->as_printed && p->shape->flags & SCREE_CAP_ROUND &&
               balls_suit(cell, packing_reach(p, p->max_scale));
    for (uint32_t k = 0; good && k < p->dimension; k++) // no place is brought out of the region
        good = !scree_repeats(cell, (int)k) || p->spans[k] ||
               (p->min[k] >= cell->lo[k] && p->max[k] <= cell->lo[k] + cell->vector[k][k]);
    return good;
}

/* Sets the direction and the slabs of the order. */
static void set_order(filling *f)
{
    const packing *p = &f->p;
    double length = 0.0, high = 0.0;
    for (int k = 0; k < 3; k++)
        length += f->drift[k] * f->drift[k];
    for (int k = 0; k < 3; k++) {
        f->up[k] = length > 0.0 ? -f->drift[k] / sqrt(length) : 0.0;
        f->low += f->up[k] * (f->up[k] > 0.0 ? p->min[k] : p->max[k]);
        high += f->up[k] * (f->up[k] > 0.0 ? p->max[k] : p->min[k]);
    }
    f->n_slabs = 1 + (uint64_t)fmin(SLABS * (high - f->low) / f->size, 8.0 * (double)f->n);
    f->thick = length > 0.0 ? (high - f->low) / (double)f->n_slabs : 1.0;
}

int32_t filling_begin_balls(filling *f)
{
    const packing *p = &f->p;
    const scree_bodies *b = p->args->bodies;
    set_order(f);
    f->room = (room *)calloc((size_t)f->n + 1, sizeof *f->room);
    f->order = (uint32_t *)calloc((size_t)f->n + 1, sizeof *f->order);
    f->slab = (uint32_t *)calloc((size_t)f->n_slabs + 1, sizeof *f->slab);
    double *radius = (double *)calloc((size_t)f->n + 1, sizeof *radius);
    int good = radius && f->room && f->order && f->slab;
    if (good) {
        for (uint64_t i = 0; i < f->n; i++)
            radius[i] = packing_reach(p, f->scale[i]);
        good = balls_begin(&f->balls, b->cell, p->dimension, p->min, p->max, f->n, radius);
    }
    free(radius);
    return good ? SCREE_OK : p->host->fail(p->host->ctx, SCREE_E_MEMORY, "out of memory");
}
