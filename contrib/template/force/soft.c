/* SPDX-License-Identifier: MIT */
/*
 * soft: a force law that is a spring and nothing else, f = -kn depth n.
 *
 * This is the smallest force law: copy it. plugins/force/linear.c of the sources goes on with
 * damping, friction and history, plugins/force/van_der_waals.c with a force across a gap.
 */
#include <scree/sdk.h>

/* The values of the scene. The host reads, checks and fills them by the table `params` below. */
typedef struct config {
    double kn; /* [N/m] */
} config;

/* An instance: what the law keeps from call to call. */
typedef struct law {
    double kn; /* [N/m] */
} law;

/** Makes an instance. After a failure: host->fail with the reason, and its code is returned. */
static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    law *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->kn = ((const config *)config_)->kn;
    *instance = self;
    return SCREE_OK;
}

/** Writes force on a, stored energy and lost power of n contacts. In a function of its own, because `restrict`
 * on parameters lets the compiler vectorise the loop; a choice (?:) instead of a branch does so
 * too. */
static void kernel(uint32_t n, double kn, SCREE_IN depth, SCREE_IN3(n), SCREE_OUT3(f),
                   SCREE_OUT stored, SCREE_OUT lost)
{
    for (uint32_t c = 0; c < n; c++) {
        double overlap = depth[c] > 0.0 ? depth[c] : 0.0; /* [m] 0 across a gap */
        fx[c] = -kn * overlap * nx[c];                    /* n points from a to b */
        fy[c] = -kn * overlap * ny[c];
        fz[c] = -kn * overlap * nz[c];
        stored[c] = 0.5 * kn * overlap * overlap;
        lost[c] = 0.0; /* a dashpot would write its heat [W] here */
    }
}

/** Writes every output of every contact. Several threads call it at the same time with one
 * instance: it reads the instance only. */
static int32_t compute(void *instance, const scree_contact_batch *batch)
{
    const law *self = instance;
    kernel(batch->n, self->kn, batch->depth, SCREE_XYZ(batch->normal), SCREE_XYZ(batch->f),
           batch->stored, batch->lost);
    return SCREE_OK;
}

/** The largest slopes of the force, for the critical time step. All of *out is 0 on entry. */
static int32_t stiffness(void *instance, const scree_stiffness_query *query, scree_stiffness *out)
{
    const law *self = instance;
    (void)query; /* the slope is the same for all bodies */
    out->kn = self->kn;
    return SCREE_OK;
}

/* kn: required, above 0, any unit of N/m in the scene. */
SCREE_REAL_PARAM(config, kn, "N/m", SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN, 0, 0, HUGE_VAL,
                 "normal stiffness");
static const scree_param *const params[] = {&param_kn};

/* Functions that are left out are optional ones; force.h says what that means. */
static const scree_force_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = free,
    .compute = compute,
    .stiffness = stiffness,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_FORCE,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "soft",
    .version = "0.1.0",
    .licence = "MIT",
    .help = "a normal spring without damping and friction",
    .summary = "The force on a is -kn depth n while the bodies overlap.",
    .citation = "Cundall, Strack 1979, Geotechnique 29, 47",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .provides = SCREE_OUT_STORED |
                SCREE_OUT_LOST, /* depth and normal are always there: nothing more is needed */
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
