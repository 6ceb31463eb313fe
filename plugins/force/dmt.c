/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dmt: the pull of surfaces on hard, small balls (Derjaguin, Muller, Toporov), to be added to a law
 * of touch, as force/hertz_mindlin.
 *
 * Sources  [1] Derjaguin, Muller, Toporov 1975, J. Colloid Interface Sci. 53, 314: the pull.
 *          [2] Maugis 1992, J. Colloid Interface Sci. 150, 243; Johnson, Greenwood 1997, J. Colloid
 *          Interface Sci. 192, 326: when this pull is right, and when that of force/jkr.
 * Idea     f = -2 pi G R while the balls touch; G = work_of_adhesion of both surfaces (2 gamma,
 *          where LAMMPS' dmt asks for gamma), 1/R = 1/r_a + 1/r_b. With Hertz's law that is
 *          4/3 E* sqrt(R) depth^(3/2) - 2 pi G R: the balls keep Hertz's profile, the surfaces
 *          pull around it.
 * Friction is left to the other law, which multiplies its own force: mu times Hertz's force,
 *          because that presses the surfaces together. Without a load friction reaches mu 2 pi G R.
 * Energy   stored = -2 pi G R depth, so that nothing is lost: the force begins and ends at depth 0.
 *          The energy that surfaces gain before the touch is left out, as is the pull across a gap.
 * Cost     a division.
 * Limits   hard and small: mu_T = (R G^2/(E*^2 z0^3))^(1/3) below 0.1, z0 = 0.2 nm [2]; above 5 it
 *          is force/jkr. The force has a step at depth 0: the part that an integrator misses is in
 *          the residual, and decreases with the time step.
 */
#include "scree/sdk.h"

typedef struct config {
    scree_reals work_of_adhesion;
} config;

typedef struct law {
    uint32_t n_materials, reserved;
    double pull[]; // [N/m] 2 pi G, [n_materials^2]
} law;

/** `one` pair of materials (no gathers) is a constant of each call. */
static inline void attract(uint32_t n, int one, SCREE_IN pull,
                           const uint32_t *SCREE_RESTRICT material, SCREE_IN depth,
                           SCREE_IN curve_a, SCREE_IN curve_b, SCREE_IN3(n), SCREE_OUT3(f),
                           SCREE_OUT stored, SCREE_OUT lost)
{
    for (uint32_t c = 0; c < n; c++) {
        double whole = pull[one ? 0 : material[c]] / (curve_a[c] + curve_b[c]);
        double force = depth[c] >= 0.0 ? whole : 0.0;
        fx[c] = force * nx[c];
        fy[c] = force * ny[c];
        fz[c] = force * nz[c];
        stored[c] = -force * depth[c];
        lost[c] = 0.0;
    }
}

#define ATTRACT(one)                                                                               \
    attract(b->n, one, self->pull, b->materials, b->depth, b->curvature[0], b->curvature[1],       \
            SCREE_XYZ(b->normal), SCREE_XYZ(b->f), b->stored, b->lost)

static int32_t compute(void *instance, const scree_contact_batch *b)
{
    const law *self = instance;
    if (self->n_materials == 1)
        ATTRACT(1);
    else
        ATTRACT(0);
    return SCREE_OK;
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    const config *c = config_;
    uint64_t n = (uint64_t)host->n_materials * host->n_materials;
    law *self = *instance = calloc(1, sizeof *self + n * sizeof *self->pull);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the table of material pairs");
    self->n_materials = host->n_materials;
    for (uint64_t k = 0; k < n; k++)
        self->pull[k] = 2.0 * M_PI * c->work_of_adhesion.v[k];
    return SCREE_OK;
}

// Tables for the host: parameters, descriptor; a line each.
// clang-format off
SCREE_PAIR_PARAM(config, work_of_adhesion, "J/m^2", SCREE_PARAM_REQUIRED | SCREE_PARAM_LIVE, 0, HUGE_VAL, GEOMETRIC,
    "work that parts two surfaces: 2 gamma for one material with surface energy gamma");
static const scree_param *const params[] = {&param_work_of_adhesion};
static const scree_force_ops ops = {.size = sizeof ops, .create = create, .destroy = free,
    .compute = compute};
static const scree_plugin dmt = {.size = sizeof dmt, .kind = SCREE_KIND_FORCE,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3, .id = "dmt", .version = "1.0.0", .licence = "Apache-2.0",
    .help = "the pull of Derjaguin, Muller, Toporov, added to a law of touch",
    .summary = "A constant pull of 2 pi G R between bodies that touch, added to hertz_mindlin: hard "
               "and small balls that stick. Nothing is lost by it; friction is that of the other law.",
    .citation = "Derjaguin, Muller, Toporov 1975, J. Colloid Interface Sci. 53, 314, "
                "doi:10.1016/0021-9797(75)90018-1",
    .config_size = sizeof(config), .n_params = SCREE_COUNT(params), .params = params, .ops = &ops,
    .provides = SCREE_OUT_STORED | SCREE_OUT_LOST, .needs = SCREE_IN_MATERIALS | SCREE_IN_CURVATURE};
// clang-format on
SCREE_DEFINE_MANIFEST(&dmt);
