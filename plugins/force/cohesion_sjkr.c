/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cohesion_sjkr: a pull in proportion to the area of contact, added to a law that pushes.
 *
 * Sources  [1] LIGGGHTS-PUBLIC 3.8, cohesion sjkr and sjkr2 ("simplified JKR"; no derivation is
 *              published): the formulas.
 *          [2] Johnson, Kendall, Roberts 1971, Proc. R. Soc. A 324, 301: the theory that it
 *          simplifies.
 * Idea     f = k A n, k: cohesion_energy_density, A by `form`:
 *            sjkr    the circle in which two spheres meet, pi/4 depth (2 S - depth) (2 r_a - depth)
 *                    (2 r_b - depth) / d^2, S = r_a + r_b, d = S - depth; on a wall
 *                    pi depth (2 r_a - depth)
 *            sjkr2   2 pi depth 2 R*, 1/R* = 1/r_a + 1/r_b: twice the other at small depths; on a
 *                    wall 2 pi depth r_a, as the program has it (its page names no wall)
 * Energy   A depends on the place only: stored = -k times the integral of A from the touch on, in
 *          closed form; nothing is lost.
 * Refused  A grows by c R* depth, c = 2 pi, between balls with sjkr2 4 pi. With a linear spring and
 *          k c R* >= kn balls would attract each other at any depth. With Hertz they rest at depth
 *          R* (3 c k / 4 E*)^2: refused above a tenth of R*. Both where the stiffness is known.
 * Cost     two divisions per contact, vectorised.
 * Limits   no force before touch, and no neck that tears at a distance: use jkr for that. A body
 *          deep in another (depth of a diameter) is let go. The friction of the law that pushes
 *          follows its own force, as with tangential_reduce off [1].
 */
#include "scree/sdk.h"

enum { SJKR, SJKR2 };

typedef struct config {
    scree_reals cohesion_energy_density, kn, young_modulus, poisson_ratio;
    int32_t form, reserved;
} config;

typedef struct pair {
    double density; // [J/m^3]
    double kn, e;   // [N/m] [Pa] kn and E* of the law that pushes; NaN: not known
} pair;

typedef struct law {
    const scree_host *host;
    int32_t form, reserved;
    pair pairs[]; // [n_materials^2]
} law;

/** The area of the circle in which spheres meet; r_b = 0 is a wall. */
static inline void circle(uint32_t n, const law *SCREE_RESTRICT self,
                          const uint32_t *SCREE_RESTRICT material, SCREE_IN depth, SCREE_IN curve_a,
                          SCREE_IN curve_b, SCREE_IN3(n), SCREE_OUT3(f), SCREE_OUT stored)
{
    const double pi = 3.1415926535897932384626433832795;
    for (uint32_t c = 0; c < n; c++) {
        double k = self->pairs[material[c]].density, x = scree_max(depth[c], 0.0);
        double ca = curve_a[c], cb = curve_b[c], flat = cb > 0.0 ? 0.0 : 1.0;
        double ra = 1.0 / (ca > 0.0 ? ca : HUGE_VAL), rb = 1.0 / (cb > 0.0 ? cb : HUGE_VAL);
        double s = ra + rb, d = s - x, q = d > 0.0 ? d : HUGE_VAL, off = (ra - rb) * (ra - rb);
        double wide = scree_max(2.0 * ra - x, 0.0);
        double ball = 0.25 * (2.0 * s - x) * scree_max(2.0 * rb - x, 0.0) / (q * q);
        double area = pi * x * wide * (cb > 0.0 ? ball : 1.0);
        double within = 0.25 * ((2.0 * s + d) / 3.0 - off / q), on = ra - x / 3.0;
        double pull = k * area, hold = flat * on + (1.0 - flat) * within;
        fx[c] = pull * nx[c];
        fy[c] = pull * ny[c];
        fz[c] = pull * nz[c];
        stored[c] = -k * pi * x * x * hold;
    }
}

static inline void slope(uint32_t n, const law *SCREE_RESTRICT self,
                         const uint32_t *SCREE_RESTRICT material, SCREE_IN depth, SCREE_IN curve_a,
                         SCREE_IN curve_b, SCREE_IN3(n), SCREE_OUT3(f), SCREE_OUT stored)
{
    const double pi = 3.1415926535897932384626433832795;
    for (uint32_t c = 0; c < n; c++) {
        double curve = curve_a[c] + curve_b[c], x = scree_max(depth[c], 0.0);
        double k = curve_b[c] > 0.0 ? 4.0 * pi : 2.0 * pi;
        k *= self->pairs[material[c]].density / (curve > 0.0 ? curve : HUGE_VAL);
        fx[c] = k * x * nx[c];
        fy[c] = k * x * ny[c];
        fz[c] = k * x * nz[c];
        stored[c] = -0.5 * k * x * x;
    }
}

static int32_t compute(void *instance, const scree_contact_batch *b)
{
    const law *self = instance;
    memset(b->lost, 0, b->n * sizeof *b->lost);
    if (self->form == SJKR)
        circle(b->n, self, b->materials, b->depth, b->curvature[0], b->curvature[1],
               SCREE_XYZ(b->normal), SCREE_XYZ(b->f), b->stored);
    else
        slope(b->n, self, b->materials, b->depth, b->curvature[0], b->curvature[1],
              SCREE_XYZ(b->normal), SCREE_XYZ(b->f), b->stored);
    return SCREE_OK;
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    const config *c = config_;
    uint32_t n = host->n_materials;
    law *self = malloc(sizeof *self + (uint64_t)n * n * sizeof self->pairs[0]);
    if (!(*instance = self))
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the law");
    *self = (law){.host = host, .form = c->form};
    for (uint32_t k = 0; k < n * n; k++) {
        double soft = 0.0;
        for (int side = 0; side < 2; side++) {
            uint32_t m = side ? k % n : k / n;
            soft += (1.0 - c->poisson_ratio.v[m] * c->poisson_ratio.v[m]) / c->young_modulus.v[m];
        }
        self->pairs[k] = (pair){c->cohesion_energy_density.v[k], c->kn.v[k], 1.0 / soft};
    }
    return SCREE_OK;
}

/** [m] Growth of the area with the depth at touch: c R*. */
static double growth(const law *self, double radius_a, double radius_b, double *c)
{
    double curve = 1.0 / radius_a + (radius_b > 0.0 ? 1.0 / radius_b : 0.0);
    *c = self->form == SJKR || radius_b == 0.0 ? 2.0 * M_PI : 4.0 * M_PI;
    return *c / curve;
}

/** The host calls this for every pair of materials and sizes before a run. Values that would draw
 * bodies into each other are refused here. */
static int32_t range(void *instance, scree_range_query *q)
{
    const law *self = instance;
    const pair *p = &self->pairs[q->material_a * self->host->n_materials + q->material_b];
    double c, grows = growth(self, q->radius_a, q->radius_b, &c), most = HUGE_VAL;
    const char *why = "kn of the law that pushes over that";
    if (!isnan(p->kn))
        most = p->kn / grows;
    else if (!isnan(p->e)) // (3 c k / 4 E*)^2 < 0.1
    {
        most = sqrt(0.1) * 4.0 / 3.0 * p->e / c;
        why = "which lets balls rest a tenth of R* deep";
    }
    q->gap = 0.0;
    if (p->density < most)
        return SCREE_OK;
    return scree_failf(self->host, SCREE_E_CONFIG,
                       "cohesion_energy_density = %g J/m^3 is stiffer than what pushes: between "
                       "radii of %g and %g m its pull grows by %g N/m with the overlap; allowed: "
                       "< %g J/m^3, %s",
                       p->density, q->radius_a, q->radius_b, p->density * grows, most, why);
}

static int32_t stiffness(void *instance, const scree_stiffness_query *q, scree_stiffness *out)
{
    const law *self = instance;
    const pair *p = &self->pairs[q->material_a * self->host->n_materials + q->material_b];
    double c;
    out->kn = p->density * growth(self, q->radius_a, q->radius_b, &c);
    return SCREE_OK;
}

// Tables for the host: parameters, descriptor; a line each.
// clang-format off
SCREE_PAIR_PARAM(config, cohesion_energy_density, "J/m^3", SCREE_PARAM_REQUIRED | SCREE_PARAM_LIVE, 0, HUGE_VAL, MEAN,
    "pull per area of contact");
SCREE_PAIR_PARAM(config, kn, "N/m", SCREE_PARAM_OPTIONAL | SCREE_PARAM_LIVE, 0, 1e30, HARMONIC,
    "stiffness of the law that pushes: the pull must grow less");
SCREE_MATERIAL_PARAM(config, young_modulus, "Pa", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN | SCREE_PARAM_LIVE, 0, 0,
    1e30, "Young's modulus of a Hertz law that pushes, without kn");
SCREE_MATERIAL_PARAM(config, poisson_ratio, "-", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN | SCREE_PARAM_LIVE, 0, -1,
    0.5, "without kn");
SCREE_CHOICE_VALUE(sjkr, SJKR, "the circle in which the spheres meet");
SCREE_CHOICE_VALUE(sjkr2, SJKR2, "2 pi depth 2 R*");
SCREE_CHOICE_PARAM(config, form, SCREE_PARAM_LIVE, "sjkr", "the area of contact, by LIGGGHTS' name",
    &choice_sjkr, &choice_sjkr2);
static const scree_param *const params[] = {&param_cohesion_energy_density, &param_form, &param_kn,
    &param_young_modulus, &param_poisson_ratio};
static const scree_force_ops ops = {.size = sizeof ops, .create = create, .destroy = free,
    .compute = compute, .range = range, .stiffness = stiffness};
static const scree_plugin cohesion_sjkr = {.size = sizeof cohesion_sjkr, .kind = SCREE_KIND_FORCE,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3, .id = "cohesion_sjkr", .version = "1.0.0",
    .licence = "Apache-2.0", .help = "a pull in proportion to the area of contact, as LIGGGHTS' sjkr",
    .summary = "Simplified cohesion for a law that pushes: cohesion_energy_density times the area. "
               "It ends with the contact; for necks that tear at a distance there is jkr.",
    .citation = "Kloss, Goniva, Hager, Amberger, Pirker 2012, Prog. Comput. Fluid Dyn. 12, 140, "
                "doi:10.1504/PCFD.2012.047457",
    .config_size = sizeof(config), .n_params = SCREE_COUNT(params), .params = params, .ops = &ops,
    .needs = SCREE_IN_MATERIALS | SCREE_IN_CURVATURE, .provides = SCREE_OUT_STORED | SCREE_OUT_LOST};
// clang-format on
SCREE_DEFINE_MANIFEST(&cohesion_sjkr);
