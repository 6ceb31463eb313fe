/* SPDX-License-Identifier: Apache-2.0 */
/* force/tilt: solids in the plane push each other; the push resists a tilt of one face on another. */
/*
 * Idea     The energy k A^2 (1 + s e^2) / 2 of an overlap of area A and eccentricity e. Resolvers give the slopes of A
 *          (chord, twist) and of e (resolver.h); force and couple are the gradient, so that energy is kept for any
 *          shape, but only with the slopes of e.
 * Shows    SCREE_IN_ECCENTRICITY, and SCREE_IN_TWIST in the plane, from outside the tree.
 */
#include <scree/sdk.h>

typedef struct config {
    double k, s;    /* [N/m^3] [-] */
    int32_t slopes; /* 0: without the slopes of e, to show their effect */
} config;

typedef struct law {
    config config;
    double thickness; /* [m] of the scene: twist is of a volume, area is not */
} law;

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    law *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    self->config = *(const config *)given;
    self->thickness = host->thickness;
    *instance = self;
    return SCREE_OK;
}

static int32_t compute(void *instance, const scree_contact_batch *b)
{
    const law *of = instance;
    const config *self = &of->config;
    for (uint32_t c = 0; c < b->n; c++) {
        const double area = b->area[c], e = b->eccentricity[c];
        const double by_area = self->k * area * (1.0 + self->s * e * e);
        const double by_tilt = self->slopes ? self->k * self->s * area * area * e : 0.0;
        for (int k = 0; k < 2; k++) {
            b->f[k][c] =
                -by_area * b->chord[c] * b->normal[k][c] - by_tilt * b->eccentricity_slope[k][c];
            b->couple[k][c] = 0.0;
        }
        b->f[2][c] = 0.0;
        b->couple[2][c] =
            -by_area * b->twist[c] / of->thickness - by_tilt * b->eccentricity_turn[c];
        b->stored[c] = 0.5 * by_area * area;
        b->lost[c] = 0.0;
    }
    return SCREE_OK;
}

/** A chord is at most as long as the smaller body, of which the area grows by it; e is at most 1/2. */
static int32_t stiffness(void *instance, const scree_stiffness_query *q, scree_stiffness *out)
{
    const config *self = &((const law *)instance)->config;
    const double a = q->radius_a > 0.0 ? q->radius_a : q->radius_b;
    const double b = q->radius_b > 0.0 ? q->radius_b : q->radius_a, r = scree_min(a, b);
    out->kn = self->k * 4.0 * r * r * (1.0 + self->s);
    return SCREE_OK;
}

SCREE_REAL_PARAM(config, k, "N/m^3", SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN, 0, 0, HUGE_VAL,
                 "energy k A^2 (1 + s e^2) / 2");
SCREE_REAL_PARAM(config, s, "-", 0, 12, 0, HUGE_VAL, "share of the tilt");
SCREE_BOOL_PARAM(config, slopes, 0, 1,
                 "the slopes of the eccentricity, without which energy is not kept");
static const scree_param *const params[] = {&param_k, &param_s, &param_slopes};
static const scree_force_ops ops = {.size = sizeof ops,
                                    .create = create,
                                    .destroy = free,
                                    .compute = compute,
                                    .stiffness = stiffness};
static const scree_plugin tilt = {
    .size = sizeof tilt,
    .kind = SCREE_KIND_FORCE,
    .dimensions = SCREE_DIMENSION_2,
    .id = "tilt",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "by area and eccentricity of the overlap of two solids in the plane",
    .summary = "Force and couple are the gradient of k A^2 (1 + s e^2) / 2.",
    .needs =
        SCREE_IN_AREA | SCREE_IN_CHORD | SCREE_IN_TWIST | SCREE_IN_ECCENTRICITY | SCREE_IN_OVERLAP,
    .provides = SCREE_OUT_COUPLE | SCREE_OUT_STORED | SCREE_OUT_LOST,
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};
SCREE_DEFINE_MANIFEST(&tilt);
