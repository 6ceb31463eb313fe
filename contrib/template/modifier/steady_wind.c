/* SPDX-License-Identifier: MIT */
/*
 * steady_wind: the drag of a slow uniform wind on balls, by Stokes' law.
 *
 * Source   Stokes 1851, Trans. Cambridge Phil. Soc. 9, 8: F = 6 pi eta r (u - v).
 * Limits   Reynolds numbers below 1, and balls far from each other. plugins/modifier/drag.c of the
 *          sources knows larger ones, and weight in the fluid.
 *
 * This is the smallest modifier: copy it. A modifier may edit the bodies at the end of a step, too
 * (plugins/modifier/remove.c), or move walls (plugins/modifier/move.c).
 */
#include <scree/sdk.h>

/* The values of the scene. The host reads, checks and fills them by the table `params` below. */
typedef struct config {
    double viscosity; /* [Pa s] */
    scree_reals wind; /* [m/s] three components */
} config;

typedef struct modifier {
    double viscosity; /* [Pa s] */
    double wind[3];   /* [m/s] */
} modifier;

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    const config *c = config_;
    modifier *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->viscosity = c->viscosity;
    for (uint32_t k = 0; k < host->dimension; k++) /* in 2D nothing leaves the plane */
        self->wind[k] = c->wind.v[k];
    *instance = self;
    return SCREE_OK;
}

/** Adds the drag to the forces of each free body, at every evaluation. The wind works with F u on a
 * body, of which F (u - v) becomes heat: the host's account of energy needs both. */
static int32_t forces(void *instance, const scree_forces *args)
{
    const modifier *self = instance;
    const scree_bodies *b = args->bodies;
    for (uint32_t i = 0; i < b->n_free; i++) { /* free bodies have the lowest numbers */
        double *line = args->wrench + 8 * (uint64_t)i;
        double drag = 6.0 * 3.14159265358979323846 * self->viscosity * b->radius[i]; /* [N s/m] */
        for (uint32_t k = 0; k < 3; k++) {
            double relative = self->wind[k] - b->v[k][i];
            line[k] += drag * relative;                        /* [N] */
            line[7] += drag * relative * relative;             /* [W] lost */
            args->power[i] += drag * relative * self->wind[k]; /* [W] done by the wind */
        }
    }
    return SCREE_OK;
}

SCREE_REAL_PARAM(config, viscosity, "Pa s", 0, 1.8e-5, 0, HUGE_VAL,
                 "dynamic viscosity; air has this");
/* Three numbers: the host refuses another count. */
SCREE_REALS_PARAM(config, wind, 3, "m/s", SCREE_PARAM_REQUIRED, 0, -HUGE_VAL, HUGE_VAL,
                  "velocity of the air");
static const scree_param *const params[] = {&param_viscosity, &param_wind};

static const scree_modifier_ops ops = {
    .size = sizeof ops,
    .create = create,
    .destroy = free,
    .forces = forces,
};

static const scree_plugin plugin = {
    .size = sizeof plugin,
    .kind = SCREE_KIND_MODIFIER,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3,
    .id = "steady_wind",
    .version = "0.1.0",
    .licence = "MIT",
    .help = "Stokes' drag of a uniform wind",
    .summary = "Adds 6 pi viscosity radius (wind - v) to the force on each free body.",
    .citation = "Stokes 1851, Transactions of the Cambridge Philosophical Society 9, 8",
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};

SCREE_DEFINE_MANIFEST(&plugin);
