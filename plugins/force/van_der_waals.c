/* SPDX-License-Identifier: Apache-2.0 */
/*
 * van_der_waals: the attraction of balls across a gap, from a smallest gap to a cut-off.
 *
 * Sources  [1] Hamaker 1937, Physica 4, 1058: the integral over two balls; at small gaps it is that
 *          of Derjaguin's approximation.
 *          [2] Israelachvili 2011, Intermolecular and Surface Forces, 3rd ed., ch. 13: Hamaker
 *          constants.
 *          [3] Yang, Zou, Yu 2000, Phys. Rev. E 62, 3900: packings of fine balls, min_gap 1 nm.
 * Idea     f(h) = -A R/6 (1/h^2 - 1/c^2), h = max(gap, min_gap), up to the gap c.
 *          1/R = 1/r_a + 1/r_b. A: hamaker; two materials have the geometric mean [2].
 *          c = cutoff R, or ten min_gap if that is more. With the constant subtracted the force
 *          ends at 0, and the cut-off makes no energy. Closer than min_gap, and while the balls
 *          touch, the force is constant: that of a work of adhesion A / 12 pi min_gap^2 in
 *          force/dmt.
 * Energy   stored = -the integral of the pull from the gap to c: below 0, nothing is lost.
 * Cost     three divisions, vectorised; and the host must find the pairs within the range.
 * Limits   gap << R; no retardation (gaps below some 10 nm). The force falls within min_gap: a step
 *          must take less than that, dt < min_gap / 3 speed, or the residual shows it.
 */
#include "scree/sdk.h"

#define LEAST 10.0 // [-] least cut-off over min_gap

typedef struct config {
    scree_reals hamaker;
    double min_gap, cutoff;
} config;

typedef struct law {
    uint32_t n_materials, reserved;
    double min_gap, cutoff; // [m]; [-] of R
    double sixth[];         // [J] A / 6, [n_materials^2]
} law;

/** `one` pair of materials (no gathers) is a constant of each call. */
static inline void attract(uint32_t n, int one, SCREE_IN sixth, double least, double cutoff,
                           const uint32_t *SCREE_RESTRICT material, SCREE_IN depth,
                           SCREE_IN curve_a, SCREE_IN curve_b, SCREE_IN3(n), SCREE_OUT3(f),
                           SCREE_OUT stored, SCREE_OUT lost)
{
    for (uint32_t c = 0; c < n; c++) {
        double r = 1.0 / (curve_a[c] + curve_b[c]), end = scree_max(cutoff * r, LEAST * least);
        double gap = -depth[c], h = scree_max(gap, least), near = 1.0 / h, far = 1.0 / end;
        double size = gap < end ? sixth[one ? 0 : material[c]] * r : 0.0;
        double force = size * (near * near - far * far);
        // the integral of the pull from h to the end, and of the constant one before h
        double whole =
            size * (near - far - (end - h) * far * far) + force * (h - scree_min(gap, h));
        fx[c] = force * nx[c];
        fy[c] = force * ny[c];
        fz[c] = force * nz[c];
        stored[c] = -whole;
        lost[c] = 0.0;
    }
}

#define ATTRACT(one)                                                                               \
    attract(b->n, one, self->sixth, self->min_gap, self->cutoff, b->materials, b->depth,           \
            b->curvature[0], b->curvature[1], SCREE_XYZ(b->normal), SCREE_XYZ(b->f), b->stored,    \
            b->lost)

static int32_t compute(void *instance, const scree_contact_batch *b)
{
    const law *self = instance;
    if (self->n_materials == 1)
        ATTRACT(1);
    else
        ATTRACT(0);
    return SCREE_OK;
}

static double reduced(double radius_a, double radius_b)
{
    return 1.0 / (1.0 / radius_a + (radius_b > 0.0 ? 1.0 / radius_b : 0.0));
}

/** Grows with both radii. */
static int32_t range(void *instance, scree_range_query *q)
{
    const law *self = instance;
    double end = self->cutoff * reduced(q->radius_a, q->radius_b);
    q->gap = self->sixth[q->material_a * self->n_materials + q->material_b] > 0.0
                 ? scree_max(end, LEAST * self->min_gap)
                 : 0.0;
    return SCREE_OK;
}

/** The steepest: at min_gap. */
static int32_t stiffness(void *instance, const scree_stiffness_query *q, scree_stiffness *out)
{
    const law *self = instance;
    double sixth = self->sixth[q->material_a * self->n_materials + q->material_b];
    double least = self->min_gap, r = reduced(q->radius_a, q->radius_b);
    out->kn = 2.0 * sixth * r / (least * least * least);
    return SCREE_OK;
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    const config *c = config_;
    uint64_t n = (uint64_t)host->n_materials * host->n_materials;
    law *self = *instance = calloc(1, sizeof *self + n * sizeof *self->sixth);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the table of material pairs");
    self->n_materials = host->n_materials;
    self->min_gap = c->min_gap;
    self->cutoff = c->cutoff;
    for (uint64_t k = 0; k < n; k++)
        self->sixth[k] = c->hamaker.v[k] / 6.0;
    return SCREE_OK;
}

// Tables for the host: parameters, descriptor; a line each.
// clang-format off
SCREE_PAIR_PARAM(config, hamaker, "J", SCREE_PARAM_REQUIRED | SCREE_PARAM_LIVE, 0, HUGE_VAL, GEOMETRIC,
    "Hamaker constant A");
SCREE_REAL_PARAM(config, min_gap, "m", SCREE_PARAM_MIN_OPEN | SCREE_PARAM_LIVE, 1e-9, 0, HUGE_VAL,
    "smallest gap: closer, and at touch, the pull is constant");
SCREE_REAL_PARAM(config, cutoff, "-", SCREE_PARAM_MIN_OPEN | SCREE_PARAM_LIVE, 0.1, 0, HUGE_VAL,
    "gap at which the pull ends, over 1 / (1/r_a + 1/r_b); ten min_gap at least");
static const scree_param *const params[] = {&param_hamaker, &param_min_gap, &param_cutoff};
static const scree_force_ops ops = {.size = sizeof ops, .create = create, .destroy = free,
    .compute = compute, .range = range, .stiffness = stiffness};
static const scree_plugin van_der_waals = {.size = sizeof van_der_waals, .kind = SCREE_KIND_FORCE,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3, .id = "van_der_waals", .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "van der Waals' attraction across a gap, added to a law of touch",
    .summary = "A R / 6 h^2 between balls (Hamaker, Derjaguin), constant below a smallest gap and at "
               "touch, shifted to end at 0 at a cut-off; nothing is lost by it.",
    .citation = "Hamaker 1937, Physica 4, 1058, doi:10.1016/S0031-8914(37)80203-7",
    .config_size = sizeof(config), .n_params = SCREE_COUNT(params), .params = params, .ops = &ops,
    .provides = SCREE_OUT_STORED | SCREE_OUT_LOST,
    .needs = SCREE_IN_MATERIALS | SCREE_IN_CURVATURE};
// clang-format on
SCREE_DEFINE_MANIFEST(&van_der_waals);
