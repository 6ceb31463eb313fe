/* SPDX-License-Identifier: MIT */
/* The smallest force law: f = -kn depth n. Copy it; plugins/force/linear.c shows damping, friction
 * and history. */
#include <math.h>
#include <scree/sdk.h>

typedef struct soft_config {
    double kn; /* [N/m] */
} soft_config;

static int32_t create(const scree_host *host, const void *config, void **instance)
{
    double *kn = malloc(sizeof *kn);
    if (!kn)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    *kn = ((const soft_config *)config)->kn;
    *instance = kn;
    return SCREE_OK;
}

/** Writes the force on a. In a function of its own, because `restrict` on parameters lets the
 * compiler vectorise the loop. */
static void kernel(uint32_t n, double kn, SCREE_IN depth, SCREE_IN3(n), SCREE_OUT3(f))
{
    for (uint32_t c = 0; c < n; c++) {
        double fn = depth[c] > 0.0 ? kn * depth[c] : 0.0;
        fx[c] = -fn * nx[c];
        fy[c] = -fn * ny[c];
        fz[c] = -fn * nz[c];
    }
}

static int32_t compute(void *instance, const scree_contact_batch *batch)
{
    const double *kn = instance;
    kernel(batch->n, *kn, batch->depth, SCREE_XYZ(batch->normal), SCREE_XYZ(batch->f));
    return SCREE_OK;
}

/** For the critical time step. The host has set all of *out to 0. */
static int32_t stiffness(void *instance, const scree_stiffness_query *query, scree_stiffness *out)
{
    (void)query;
    out->kn = *(const double *)instance;
    return SCREE_OK;
}

SCREE_REAL_PARAM(soft_config, kn, "N/m", SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN, 0, 0,
                 HUGE_VAL, "stiffness");
static const scree_param *const params[] = {&param_kn};

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
    .help = "a spring and nothing else",
    .config_size = sizeof(soft_config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
