/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of balls fixed together: memory, moments, placing and the view of plugins whose create() sets the balls. */
#ifndef TESTS_CLUMP_BALLS_H
#define TESTS_CLUMP_BALLS_H

#include "../../plugin.h"

typedef struct cluster {
    double *centre[3], *radius; // of balls.n
    scree_balls balls;
} cluster;

static inline void balls_destroy(void *instance)
{
    cluster *self = instance;
    if (self)
        free(self->radius);
    free(self);
}

/** Balls of radius 0 at the origin; NULL without memory, which the host then knows. */
static inline cluster *balls_new(const scree_host *host, uint32_t n)
{
    cluster *self = calloc(1, sizeof *self);
    if (self)
        self->radius = calloc(4 * (size_t)n, sizeof(double));
    if (!self || !self->radius) {
        balls_destroy(self);
        host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
        return NULL;
    }
    for (int k = 0; k < 3; k++)
        self->centre[k] = self->radius + (size_t)(k + 1) * n;
    self->balls = (scree_balls){.size = sizeof self->balls,
                                .n = n,
                                .centre = {self->centre[0], self->centre[1], self->centre[2]},
                                .radius = self->radius};
    return self;
}

static inline uint64_t balls_bytes(void *instance)
{
    const cluster *self = instance;
    return sizeof *self + 4 * sizeof(double) * self->balls.n;
}

/** Sums over balls, or discs, with the theorem of parallel axes. */
static inline int32_t balls_measure(void *instance, scree_measure *m)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    const cluster *self = instance;
    const double pi = 3.14159265358979323846;
    const uint32_t n = self->balls.n;
    m->flat = m->dimension == 2;
    for (uint32_t p = 0; p < n; p++) {
        const double r = self->radius[p],
                     volume = m->flat ? pi * r * r : 4.0 / 3.0 * pi * r * r * r;
        m->content += volume;
        for (int k = 0; k < 3; k++)
            m->centroid[k] += volume * self->centre[k][p];
    }
    for (int k = 0; k < 3; k++)
        m->centroid[k] /= m->content;
    for (uint32_t p = 0; p < n; p++) {
        const double r = self->radius[p],
                     volume = m->flat ? pi * r * r : 4.0 / 3.0 * pi * r * r * r;
        double d[3], square = 0.0;
        for (int k = 0; k < 3; k++) {
            d[k] = self->centre[k][p] - m->centroid[k];
            square += d[k] * d[k];
        }
        m->radius = fmax(m->radius, sqrt(square) + r);
        for (int i = 0; i < 6; i++)
            m->inertia[i] +=
                volume / m->content *
                ((i < 3 ? (m->flat ? 0.5 : 0.4) * r * r + square : 0.0) - d[row[i]] * d[column[i]]);
    }
    m->n_parts = n;
    return SCREE_OK;
}

static inline int32_t balls_place(void *instance, const scree_frame *frame)
{
    cluster *self = instance;
    for (uint32_t p = 0; p < self->balls.n; p++) {
        double at[3];
        for (int k = 0; k < 3; k++)
            at[k] = self->centre[k][p] - frame->shift[k];
        scree_rotate_back(frame->q, at, at);
        for (int k = 0; k < 3; k++)
            self->centre[k][p] = at[k];
    }
    return SCREE_OK;
}

static inline int32_t balls_view(void *instance, const char *name, double tolerance,
                                 const void **out)
{
    const cluster *self = instance;
    *out = strcmp(name, SCREE_VIEW_BALLS) == 0 ? &self->balls : NULL;
    return SCREE_OK;
}

#define BALLS_OPS                                                                                  \
    OPS(shape, create, balls_destroy), .bytes = balls_bytes, .measure = balls_measure,             \
                                       .place = balls_place, .view = balls_view

#endif
