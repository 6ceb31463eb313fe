/* SPDX-License-Identifier: Apache-2.0 */
/* force/swell: solids in space push each other; the force follows from the volume that they
 * share. */
/*
 * Idea     The energy k V^3 / 3 of the volume V of an overlap. dV = A n·dx + T n·dr (resolver.h), so that the force on a is
 *          -k V^2 A n, at the contact point, with the couple -k V^2 T n: energy is kept for any
 *          shape, but only with the couple.
 * Shows    SCREE_IN_TWIST, SCREE_IN_OVERLAP and SCREE_OUT_COUPLE, from outside the tree.
 */
#include <scree/sdk.h>

typedef struct config {
    double k;      /* [Pa/m^6] */
    int32_t twist; /* 0: without the couple, to show its effect */
} config;

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    config *self = calloc(1, sizeof *self);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for an instance");
    *self = *(const config *)given;
    *instance = self;
    return SCREE_OK;
}

static int32_t compute(void *instance, const scree_contact_batch *b)
{
    const config *self = instance;
    for (uint32_t c = 0; c < b->n; c++) {
        const double volume = b->volume[c], slope = self->k * volume * volume;
        for (int k = 0; k < 3; k++) {
            b->f[k][c] = -slope * b->area[c] * b->normal[k][c];
            b->couple[k][c] = self->twist ? -slope * b->twist[c] * b->normal[k][c] : 0.0;
        }
        b->stored[c] = slope * volume / 3.0;
        b->lost[c] = 0.0;
    }
    return SCREE_OK;
}

/** d(k V^2 A) / dx, with A <= pi r^2, dA / dx <= 2 pi r and V <= 4 pi r^3 / 3 of the smaller ball around the bodies. */
static int32_t stiffness(void *instance, const scree_stiffness_query *q, scree_stiffness *out)
{
    const double a = q->radius_a > 0.0 ? q->radius_a : q->radius_b;
    const double b = q->radius_b > 0.0 ? q->radius_b : q->radius_a, r = scree_min(a, b);
    const double area = 3.141592653589793 * r * r, volume = 4.0 / 3.0 * area * r;
    const double known = q->depth > 0.0 ? 5.0 * q->normal_force / q->depth : 0.0;
    const double most =
        ((const config *)instance)->k * volume * (2.0 * area * area + volume * 2.0 * area / r);
    out->kn = known > 0.0 ? scree_min(known, most) : most;
    return SCREE_OK;
}

SCREE_REAL_PARAM(config, k, "Pa/m^6", SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN, 0, 0, HUGE_VAL,
                 "energy k V^3 / 3");
SCREE_BOOL_PARAM(config, twist, 0, 1,
                 "the couple about the normal, without which energy is not kept");
static const scree_param *const params[] = {&param_k, &param_twist};
static const scree_force_ops ops = {.size = sizeof ops,
                                    .create = create,
                                    .destroy = free,
                                    .compute = compute,
                                    .stiffness = stiffness};
static const scree_plugin swell = {
    .size = sizeof swell,
    .kind = SCREE_KIND_FORCE,
    .dimensions = SCREE_DIMENSION_3,
    .id = "swell",
    .version = "0.1.0",
    .licence = "Apache-2.0",
    .help = "by the cube of the volume in which solids overlap",
    .summary = "The force k V^2 A and the couple k V^2 T are the gradient of k V^3 / 3.",
    .needs = SCREE_IN_AREA | SCREE_IN_VOLUME | SCREE_IN_TWIST | SCREE_IN_OVERLAP,
    .provides = SCREE_OUT_COUPLE | SCREE_OUT_STORED | SCREE_OUT_LOST,
    .config_size = sizeof(config),
    .n_params = SCREE_COUNT(params),
    .params = params,
    .ops = &ops,
};
SCREE_DEFINE_MANIFEST(&swell);
