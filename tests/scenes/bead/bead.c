// SPDX-License-Identifier: Apache-2.0
/* shape/bead: a ball with a core of another density: round, but of its own
 * moment; the density of the material is the mean. shape/lopsided:
 * the same, and says that one moment differs. */
#include "../../plugin.h"

typedef struct config {
    double radius, core; /* [m] */
    double factor;       /* [-] */
} config;

SCREE_REAL_PARAM(config, radius, "m", SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN, 0, 0, HUGE_VAL,
                 "of the bead");
SCREE_REAL_PARAM(config, core, "m", 0, 0, 0, HUGE_VAL, "radius of the core");
SCREE_REAL_PARAM(config, factor, NULL, SCREE_PARAM_MIN_OPEN, 1, 0, 1e6,
                 "density of the core over that of the rest");
static const scree_param *const params[] = {&param_radius, &param_core, &param_factor};

typedef struct bead {
    config c;
    int lopsided;
} bead;

static int32_t make(const scree_host *host, const config *c, int lopsided, void **instance)
{
    bead *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory");
    if (c->core > c->radius) {
        free(self);
        return host->fail(host->ctx, SCREE_E_CONFIG, "core: expected at most the radius");
    }
    self->c = *c;
    self->lopsided = lopsided;
    *instance = self;
    return SCREE_OK;
}

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    return make(host, given, 0, instance);
}

static int32_t create_lopsided(const scree_host *host, const void *given, void **instance)
{
    return make(host, given, 1, instance);
}

static uint64_t bytes(void *instance)
{
    return sizeof(bead);
}

/* Two balls about one centre, the inner one of the density above 1. */
static int32_t measure(void *instance, scree_measure *m)
{
    const bead *self = instance;
    const double pi = 3.1415926535897932384626433832795, r = self->c.radius, c = self->c.core;
    const double outer = 4.0 / 3.0 * pi * r * r * r;
    const double inner = (self->c.factor - 1.0) * (4.0 / 3.0 * pi * c * c * c);
    m->n_parts = 1;
    m->content = outer;
    m->radius = r;
    for (int k = 0; k < 3; k++)
        m->inertia[k] =
            inner == 0.0 ? 0.4 * r * r : 0.4 * (outer * r * r + inner * c * c) / (outer + inner);
    if (self->lopsided)
        m->inertia[1] *= 1.01;
    return SCREE_OK;
}

static const scree_shape_ops ops = {OPS(shape, create, free), .bytes = bytes, .measure = measure};
static const scree_shape_ops lopsided_ops = {OPS(shape, create_lopsided, free), .bytes = bytes,
                                             .measure = measure};

static const scree_plugin plugin = {PLUGIN(SHAPE, "bead", "a ball with a core, of the tests"),
                                    PLUGIN_CONFIG, .flags = SCREE_CAP_ROUND, .ops = &ops};
static const scree_plugin lopsided = {PLUGIN(SHAPE, "lopsided", "a bead that is not round"),
                                      PLUGIN_CONFIG, .flags = SCREE_CAP_ROUND,
                                      .ops = &lopsided_ops};

SCREE_DEFINE_MANIFEST(&plugin, &lopsided);
