/* SPDX-License-Identifier: Apache-2.0 */
/* A step of the integer motion: forces, velocities kept near a speed, places, walls. */
#include "motion.h"

/** Mirrors a body that is beyond a wall of the box, the lower one first. */
static void reflect(crowd *c, uint32_t i)
{
    int64_t low = c->r[i], high = c->side - c->r[i];
    for (uint32_t k = 0; k < c->dimension; k++) {
        int64_t *x = &c->x[k][i], *v = &c->v[k][i];
        if (*x < low) {
            *x = 2 * low - *x;
            *v = *v < 0 ? -*v : *v;
        }
        if (*x > high) {
            *x = 2 * high - *x;
            *v = *v > 0 ? -*v : *v;
        }
    }
}

/** Adds forces to velocities, which stay within four times v0; returns the sum of their squares. */
static int64_t accelerate(crowd *c, int64_t v0, int64_t *n_mobile)
{
    const int64_t most = 4 * v0;
    int64_t sum = 0;
    *n_mobile = 0;
    for (uint32_t s = 0; s < c->n; s++) {
        uint32_t i = c->cells.body[s];
        if (c->fixed[i])
            continue;
        ++*n_mobile;
        for (uint32_t k = 0; k < c->dimension; k++) {
            int64_t v = c->v[k][i] + c->cells.force[s].f[k] / 128;
            v = v > most ? most : v < -most ? -most : v;
            c->v[k][i] = v;
            sum += v * v;
        }
    }
    return sum;
}

void crowd_step(crowd *c, int64_t v0)
{
    int64_t n_mobile;
    cells_forces(c);
    int64_t sum = accelerate(c, v0, &n_mobile);
    double by = sum > 0 ? sqrt((double)(n_mobile * v0 * v0) / (double)sum) : 1.0;
    by = by < 0.5 ? 0.5 : by > 1.0625 ? 1.0625 : by;
    for (uint32_t i = 0; i < c->n; i++) {
        if (c->fixed[i])
            continue;
        for (uint32_t k = 0; k < c->dimension; k++) {
            c->v[k][i] = (int64_t)((double)c->v[k][i] * by);
            c->x[k][i] += c->v[k][i];
        }
        reflect(c, i);
    }
}

void crowd_relax(crowd *c)
{
    cells_forces(c);
    for (uint32_t s = 0; s < c->n; s++) {
        uint32_t i = c->cells.body[s];
        if (c->fixed[i])
            continue;
        for (uint32_t k = 0; k < c->dimension; k++)
            c->x[k][i] += c->cells.force[s].f[k] / 64;
        reflect(c, i);
    }
}
