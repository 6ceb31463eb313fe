// SPDX-License-Identifier: Apache-2.0
/* shape/raft: columns x rows balls side by side in a plane, the first one at the origin. */
#include "../../plugin.h"

typedef struct config {
    int64_t columns, rows;
    double radius, pitch; /* [m] */
} config;

SCREE_INT_PARAM(config, columns, 0, 8, 1, 1000, "along x");
SCREE_INT_PARAM(config, rows, 0, 8, 1, 1000, "along y");
SCREE_REAL_PARAM(config, radius, "m", SCREE_PARAM_REQUIRED, 0, 0, HUGE_VAL, "of each ball");
SCREE_REAL_PARAM(config, pitch, "m", SCREE_PARAM_REQUIRED, 0, 0, HUGE_VAL, "between centres");
static const scree_param *const params[] = {&param_columns, &param_rows, &param_radius,
                                            &param_pitch};

typedef struct raft {
    double *centre[3], *radius;
    scree_balls balls;
} raft;

static void destroy(void *instance)
{
    raft *self = instance;
    if (self)
        free(self->radius);
    free(self);
}

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    const config *c = given;
    const uint32_t n = (uint32_t)(c->columns * c->rows);
    raft *self = calloc(1, sizeof *self);
    if (self)
        self->radius = calloc(4 * (size_t)n, sizeof(double));
    if (!self || !self->radius) {
        destroy(self);
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    }
    for (int k = 0; k < 3; k++)
        self->centre[k] = self->radius + (size_t)(k + 1) * n;
    for (uint32_t p = 0; p < n; p++) {
        self->radius[p] = c->radius;
        self->centre[0][p] = c->pitch * (double)(p % c->columns);
        self->centre[1][p] = c->pitch * (double)(p / c->columns);
    }
    self->balls = (scree_balls){.size = sizeof self->balls,
                                .n = n,
                                .centre = {self->centre[0], self->centre[1], self->centre[2]},
                                .radius = self->radius};
    *instance = self;
    return SCREE_OK;
}

static uint64_t bytes(void *instance)
{
    const raft *self = instance;
    return sizeof *self + 4 * sizeof(double) * self->balls.n;
}

/* Balls of one mass, with the theorem of parallel axes. */
static int32_t measure(void *instance, scree_measure *m)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    const raft *self = instance;
    const uint32_t n = self->balls.n;
    const double r = self->radius[0];
    m->content = n * 4.0 / 3.0 * 3.14159265358979323846 * r * r * r;
    for (int k = 0; k < 3; k++)
        for (uint32_t p = 0; p < n; p++)
            m->centroid[k] += self->centre[k][p] / n;
    for (uint32_t p = 0; p < n; p++) {
        double d[3], square = 0.0;
        for (int k = 0; k < 3; k++) {
            d[k] = self->centre[k][p] - m->centroid[k];
            square += d[k] * d[k];
        }
        m->radius = sqrt(square) + r > m->radius ? sqrt(square) + r : m->radius;
        for (int i = 0; i < 6; i++)
            m->inertia[i] += ((i < 3 ? 0.4 * r * r + square : 0.0) - d[row[i]] * d[column[i]]) / n;
    }
    m->n_parts = n;
    return SCREE_OK;
}

static int32_t place(void *instance, const scree_frame *frame)
{
    raft *self = instance;
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

static int32_t view(void *instance, const char *name, double tolerance, const void **out)
{
    const raft *self = instance;
    *out = strcmp(name, SCREE_VIEW_BALLS) == 0 ? &self->balls : NULL;
    return SCREE_OK;
}

static const scree_shape_ops ops = {OPS(shape, create, destroy), .bytes = bytes, .measure = measure,
                                    .place = place, .view = view};

static const scree_plugin plugin = {
    PLUGIN_OF(SCREE_DIMENSION_3, SHAPE, "raft", "balls side by side in a plane, of the tests"),
    PLUGIN_CONFIG, .flags = SCREE_CAP_BALLS, .ops = &ops};

SCREE_DEFINE_MANIFEST(&plugin);
