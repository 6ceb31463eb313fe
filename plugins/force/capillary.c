/* SPDX-License-Identifier: Apache-2.0 */
/*
 * capillary: liquid bridges between balls, that form at touch and hold until they rupture.
 *
 * Sources  [1] Willett, Adams, Johnson, Seville 2000, Langmuir 16, 9396: force, rupture; its
 *          eq. 12 is in half of the separation.
 *          [2] Mikami, Kamiya, Horio 1998, Chem. Eng. Sci. 53, 1927: bridges that form at touch.
 * Idea     f = -2 pi R g cos t/(1 + 1.05 s + 2.5 s^2), s = D sqrt(R/V) [1, eq. 12]; rupture at
 *          D = R (1 + t/2) (v^(1/3) + 0.1 v^(2/3)), v = V/R^3 [1, eq. 15].
 *          g: surface_tension, t: contact_angle, D: gap, 0 while they touch, V: volume of the
 *          bridge, R = 2/(1/r_a + 1/r_b), at a wall 2 r (Derjaguin's approximation).
 * Volume   the volume of a bridge is fixed when the bridge forms: bridge_volume, or liquid_content
 *          times the mean volume of the two balls (at a wall, of the one ball). It has no store
 *          of liquid.
 * Fit      [1, eq. 12] is a fit, for V below 0.001 R^3 and t up to 50 degrees. From the solution of
 *          Young and Laplace's equation it is up to 21 % off at t up to 20 degrees, 28 % at 40
 *          degrees (V of 1e-4 and 1e-3 R^3, up to 0.8 of the gap of rupture, where it is worst).
 * Energy   stored = the integral of the pull over D, a closed form with an arctangent, less the
 *          work of the constant pull while they touch. The rest at rupture is heat.
 * Cost     three sqrt, five divisions, vectorised; bridges that form or rupture one by one.
 * Limits   one bridge between two bodies; no bulk liquid, no viscous force, no weight of liquid.
 */
#include "scree/sdk.h"

enum { TILE = 128 };
#define B1 1.05 // [1, eq. 12], for the whole separation
#define B2 2.5

typedef struct config {
    scree_reals surface_tension, contact_angle, bridge_volume, liquid_content;
} config;

typedef struct pair {
    double pull, volume, content, stretch; // [N/m] 2 pi g cos t; [m^3]; [-]; [-] 1 + t / 2
} pair;

typedef struct law {
    const scree_host *host;
    pair pairs[]; // [n_materials^2]
} law;

/** arctan x, 0 <= x < 3, to 1e-13: halved twice, then its series. */
static inline double arctangent(double x)
{
    double y = x / (1.0 + sqrt(1.0 + x * x)), z = y / (1.0 + sqrt(1.0 + y * y)), q = -z * z;
    double sum = 1.0 / 25.0;
    for (int k = 23; k > 0; k -= 2)
        sum = sum * q + 1.0 / k;
    return 4.0 * z * sum;
}

/** The gap at which a bridge ruptures, and its volume, the previous one or 0. fresh > 0: a bridge
 * may form. */
static inline void hold(uint32_t n, SCREE_IN depth, SCREE_IN rupture, SCREE_IN volume,
                        SCREE_OUT rupture_now, SCREE_OUT volume_now, SCREE_OUT changes)
{
    for (uint32_t c = 0; c < n; c++) {
        double reach = scree_max(rupture[c], 0.0), holds = depth[c] >= 0.0 ? reach : 0.0;
        holds = -depth[c] < reach ? reach : holds;
        double forms = reach > 0.0 ? -1.0 : depth[c] >= 0.0 ? 1.0 : -1.0;
        rupture_now[c] = holds;
        volume_now[c] = holds > 0.0 ? volume[c] : 0.0;
        changes[c] = reach > holds ? 1.0 : forms;
    }
}

/** `one` pair of materials (no gathers) is a constant of each call. */
static inline void attract(uint32_t n, int one, const pair *SCREE_RESTRICT pairs,
                           const uint32_t *SCREE_RESTRICT material, SCREE_IN depth,
                           SCREE_IN curve_a, SCREE_IN curve_b, SCREE_IN rupture, SCREE_IN volume,
                           SCREE_IN3(n), SCREE_OUT3(f), SCREE_OUT stored, SCREE_OUT lost)
{
    const double root = sqrt(4.0 * B2 - B1 * B1);
    for (uint32_t c = 0; c < n; c++) {
        double r = 2.0 / (curve_a[c] + curve_b[c]), gap = scree_max(-depth[c], 0.0);
        double most = rupture[c] > 0.0 ? pairs[one ? 0 : material[c]].pull * r : 0.0;
        double length = sqrt((rupture[c] > 0.0 ? volume[c] : 1.0) / r), s = gap / length;
        double force = most / (1.0 + s * (B1 + B2 * s));
        double drawn = 2.0 / root * length * arctangent(root * s / (2.0 + B1 * s));
        fx[c] = force * nx[c];
        fy[c] = force * ny[c];
        fz[c] = force * nz[c];
        stored[c] = most * (drawn - scree_max(depth[c], 0.0));
        lost[c] = 0.0;
    }
}

/** [m] Gap at which a bridge of this volume ruptures [1, eq. 15]. */
static double rupture_gap(const pair *p, double r, double volume)
{
    double third = r / scree_inverse_cbrt(volume / (r * r * r)); // R v^(1/3)
    return p->stretch * third * (1.0 + 0.1 * third / r);
}

/** Reports that a bridge forms on contact c, or has ruptured. */
static void change(const law *self, const scree_contact_batch *b, uint32_t c)
{
    const pair *p = &self->pairs[b->materials[c]];
    double r = 2.0 / (b->curvature[0][c] + b->curvature[1][c]), un = 0.0, balls = 0.0, n = 0.0;
    for (int side = 0; side < 2; side++) {
        double curve = b->curvature[side][c], radius = curve > 0.0 ? 1.0 / curve : 0.0;
        balls += 4.0 / 3.0 * M_PI * radius * radius * radius;
        n += curve > 0.0 ? 1.0 : 0.0;
    }
    for (int k = 0; k < 3; k++)
        un += b->slip[k][c] * b->normal[k][c];
    if (b->in[0][c] > 0.0) { // its stored energy, and the work of its last force
        const double root = sqrt(4.0 * B2 - B1 * B1), gap = scree_max(un - b->depth[c], 0.0);
        double length = sqrt(b->in[1][c] / r), s = gap / length, most = p->pull * r;
        double drawn = 2.0 / root * length * arctangent(root * s / (2.0 + B1 * s));
        double last = most / (1.0 + s * (B1 + B2 * s));
        b->heat[c] = most * drawn - 0.5 * last * un;
        return;
    }
    double volume = isnan(p->volume) ? p->content * balls / scree_max(n, 1.0) : p->volume;
    if (!(volume > 0.0))
        return;
    b->out[0][c] = rupture_gap(p, r, volume);
    b->out[1][c] = volume;
}

#define AT(p) ((p) + at)
#define HOLD()                                                                                     \
    hold(n, AT(b->depth), AT(b->in[0]), AT(b->in[1]), AT(b->out[0]), AT(b->out[1]), changes)
#define ATTRACT(one)                                                                               \
    attract(n, one, self->pairs, AT(b->materials), AT(b->depth), AT(b->curvature[0]),              \
            AT(b->curvature[1]), AT(b->out[0]), AT(b->out[1]), AT(b->normal[0]), AT(b->normal[1]), \
            AT(b->normal[2]), AT(b->f[0]), AT(b->f[1]), AT(b->f[2]), AT(b->stored), AT(b->lost))

static int32_t compute(void *instance, const scree_contact_batch *b)
{
    const law *self = instance;
    _Alignas(64) double changes[TILE];
    for (uint32_t at = 0, n; at < b->n; at += n) {
        n = b->n - at < TILE ? b->n - at : TILE;
        HOLD();
        for (uint32_t c = 0; (c = scree_next_mark(changes, 0.0, c, n)) < n; c++)
            if (!(b->in[0][at + c] > 0.0))
                change(self, b, at + c);
        if (self->host->n_materials == 1)
            ATTRACT(1);
        else
            ATTRACT(0);
        for (uint32_t c = 0; (c = scree_next_mark(changes, 0.0, c, n)) < n; c++)
            if (b->in[0][at + c] > 0.0)
                change(self, b, at + c);
        for (uint32_t c = 0; c < n; c++)
            b->keep[at + c] = b->out[0][at + c] > 0.0;
    }
    return SCREE_OK;
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    const config *c = config_;
    uint64_t n = (uint64_t)host->n_materials * host->n_materials, wet = 0;
    law *self = *instance = calloc(1, sizeof *self + n * sizeof *self->pairs);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the table of material pairs");
    self->host = host;
    for (uint64_t k = 0; k < n; k++) {
        double angle = c->contact_angle.v[k], pull = 2.0 * M_PI * c->surface_tension.v[k];
        self->pairs[k] = (pair){pull * cos(angle), c->bridge_volume.v[k], c->liquid_content.v[k],
                                1.0 + 0.5 * angle};
        wet += c->bridge_volume.v[k] > 0.0 ||
               (isnan(c->bridge_volume.v[k]) && c->liquid_content.v[k] > 0.0);
    }
    if (!wet)
        host->log(host->ctx, SCREE_LOG_WARNING,
                  "no pair of materials has a liquid: bridge_volume and liquid_content are 0");
    return SCREE_OK;
}

/** The steepest slope, when bodies part. */
static int32_t stiffness(void *instance, const scree_stiffness_query *q, scree_stiffness *out)
{
    const law *self = instance;
    const pair *p = &self->pairs[q->material_a * self->host->n_materials + q->material_b];
    double wall = q->radius_b > 0.0 ? 0.0 : 1.0, other = wall > 0.0 ? HUGE_VAL : q->radius_b;
    double r = 2.0 / (1.0 / q->radius_a + 1.0 / other),
           cubes = q->radius_a * q->radius_a * q->radius_a;
    double mean = wall > 0.0 ? cubes : 0.5 * (cubes + other * other * other);
    double volume = isnan(p->volume) ? p->content * 4.0 / 3.0 * M_PI * mean : p->volume;
    out->kn = volume > 0.0 ? B1 * p->pull * r * sqrt(r / volume) : 0.0;
    return SCREE_OK;
}

// Tables for the host: parameters, fields, descriptor; a line each.
// clang-format off
SCREE_PAIR_PARAM(config, surface_tension, "N/m", SCREE_PARAM_REQUIRED | SCREE_PARAM_LIVE, 0, HUGE_VAL, MEAN,
    "surface tension of the liquid");
SCREE_PAIR_PARAM(config, contact_angle, "rad", SCREE_PARAM_LIVE, 0, M_PI / 2.0, MEAN,
    "angle between liquid and ball; the fit holds up to 50 deg");
SCREE_PAIR_PARAM(config, bridge_volume, "m^3", SCREE_PARAM_OPTIONAL | SCREE_PARAM_LIVE, 0, HUGE_VAL, MEAN,
    "volume of each new bridge; if not given it follows from liquid_content");
SCREE_PAIR_PARAM(config, liquid_content, "-", SCREE_PARAM_LIVE, 0, 1, MEAN,
    "volume of a bridge over the mean volume of its balls (of the one at a wall); 0: dry");
static const scree_param *const params[] = {&param_surface_tension, &param_contact_angle,
    &param_bridge_volume, &param_liquid_content};
SCREE_FIELD(rupture_gap, CONTACT, 1, 1, "m", 0, "gap at which the bridge ruptures; 0: none");
SCREE_FIELD(bridge_volume, CONTACT, 1, 1, "m^3", 0, "liquid in the bridge");
static const scree_field *const fields[] = {&field_rupture_gap, &field_bridge_volume};
static const scree_force_ops ops = {.size = sizeof ops, .create = create, .destroy = free,
    .compute = compute, .stiffness = stiffness};
static const scree_plugin capillary = {.size = sizeof capillary, .kind = SCREE_KIND_FORCE,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3, .id = "capillary", .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "liquid bridges that form at touch and rupture at a gap, added to a law of touch",
    .summary = "The pull of a pendular bridge by the fit of Willett and others, from touch to the gap "
               "at which it ruptures; the volume of a bridge is given, or a share of the balls'.",
    .citation = "Willett, Adams, Johnson, Seville 2000, Langmuir 16, 9396, doi:10.1021/la000657y",
    .config_size = sizeof(config), .n_params = SCREE_COUNT(params), .n_fields = SCREE_COUNT(fields),
    .params = params, .fields = fields, .ops = &ops,
    .provides = SCREE_OUT_STORED | SCREE_OUT_LOST | SCREE_OUT_HEAT | SCREE_OUT_PARTED |
        SCREE_OUT_KEEP,
    .needs = SCREE_IN_SLIP | SCREE_IN_MATERIALS | SCREE_IN_CURVATURE};
// clang-format on
SCREE_DEFINE_MANIFEST(&capillary);
