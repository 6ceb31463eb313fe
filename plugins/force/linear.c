/* SPDX-License-Identifier: Apache-2.0 */
/*
 * linear: spring and dashpot in the normal direction, spring with history, dashpot and Coulomb's limit
 * in the tangential one.
 *
 * Sources  [1] Cundall, Strack 1979, Geotechnique 29, 47: springs, dashpots, limit on the total.
 *          [2] Luding 2008, Granular Matter 10, 235: spring turned with the contact plane, reset when
 *              sliding.
 *          [3] Schwager, Poeschel 2007, Granular Matter 9, 465: restitution of spring and dashpot.
 * Idea     fn = kn depth + cn v·n;  ft = -kt s - ct vt, cut to |ft| <= mu |fn|;  f = -fn n + ft.
 * Steps    1. the committed spring s is turned into the new contact plane, its length kept;
 *          2. it grows by the tangential slip since then (from the host, never v dt);
 *          3. when the limit is met, s is set to what the cut force needs: no memory of sliding.
 * Damping  `restitution`: c = 2 zeta sqrt(m k), zeta = -ln e / sqrt(pi^2 + ln^2 e) [3], with 2/7 m and
 *          kt in the tangential direction; `constant`: c given; `mass`: c = gamma m, m the effective
 *          mass (the body's own at a wall).
 * Energy   stored = kn depth^2 / 2 + kt s^2 / 2; lost = what dashpots and sliding turn into heat.
 * Cost     one sqrt and one division more than a frictionless law; vectorised.
 * Limits   the dashpot may pull at the end of an impact unless pull = false, as e assumes [3].
 */
#include <math.h>

#include "scree/sdk.h"

enum { NONE, RESTITUTION, CONSTANT, MASS };

typedef struct config {
    scree_reals kn, kt, friction, restitution, damping_n, damping_t, gamma_n, gamma_t;
    int32_t damping, pull;
} config;

/** c = constant + root sqrt(m) + mass m, per material pair. */
typedef struct pair {
    double kn, kt, friction; // [N/m] [N/m] [-]
    double constant_n, root_n, mass_n, constant_t, root_t, mass_t;
} pair;

typedef struct law {
    uint32_t n_materials;
    int32_t pull;
    pair *pairs; // [n_materials^2]
} law;

#define R SCREE_RESTRICT

/** `one`: a single pair of materials, so that its constants stay in registers. */
static inline void kernel(uint32_t n, int one, const pair *R table, double since, double floor_n,
                   const uint32_t *R material, const double *R mass, const double *R depth,
                   const double *R nx, const double *R ny, const double *R nz, const double *R vx,
                   const double *R vy, const double *R vz, const double *R ux, const double *R uy,
                   const double *R uz, const double *R hx, const double *R hy, const double *R hz,
                   double *R sx, double *R sy, double *R sz, double *R fx, double *R fy,
                   double *R fz, double *R stored, double *R lost)
{
    double rate = since > 0.0 ? 1.0 / since : 0.0;
    for (uint32_t c = 0; c < n; c++) {
        const pair *p = table + (one ? 0 : material[c]);
        double m = mass[c], root = sqrt(m), touch = depth[c] >= 0.0 ? 1.0 : 0.0, kt = p->kt;
        double cn = p->constant_n + p->root_n * root + p->mass_n * m;
        double ct = p->constant_t + p->root_t * root + p->mass_t * m;
        double vn = vx[c] * nx[c] + vy[c] * ny[c] + vz[c] * nz[c];
        double tx = vx[c] - vn * nx[c], ty = vy[c] - vn * ny[c], tz = vz[c] - vn * nz[c];
        double elastic = p->kn * depth[c], fn = elastic + cn * vn;
        fn = fn < floor_n ? floor_n : fn;
        // 1. the spring turns with the contact plane
        double hn = hx[c] * nx[c] + hy[c] * ny[c] + hz[c] * nz[c];
        double px = hx[c] - hn * nx[c], py = hy[c] - hn * ny[c], pz = hz[c] - hn * nz[c];
        double old2 = hx[c] * hx[c] + hy[c] * hy[c] + hz[c] * hz[c];
        double flat2 = px * px + py * py + pz * pz;
        double turn = flat2 > 0.0 ? sqrt(old2 / (flat2 > 0.0 ? flat2 : 1.0)) : 0.0;
        // 2. and grows by the slip in it
        double un = ux[c] * nx[c] + uy[c] * ny[c] + uz[c] * nz[c];
        double ax = turn * px + (ux[c] - un * nx[c]), ay = turn * py + (uy[c] - un * ny[c]);
        double az = turn * pz + (uz[c] - un * nz[c]);
        double gx = -kt * ax - ct * tx, gy = -kt * ay - ct * ty, gz = -kt * az - ct * tz;
        // 3. Coulomb's limit
        double g2 = gx * gx + gy * gy + gz * gz, limit = p->friction * fabs(fn), g = sqrt(g2);
        double cut = g > limit ? limit / (g > 0.0 ? g : 1.0) : 1.0;
        double compliance = kt > 0.0 ? 1.0 / (kt > 0.0 ? kt : 1.0) : 0.0;
        gx *= cut, gy *= cut, gz *= cut;
        int slides = cut < 1.0;
        ax = slides ? -(gx + ct * tx) * compliance : ax;
        ay = slides ? -(gy + ct * ty) * compliance : ay;
        az = slides ? -(gz + ct * tz) * compliance : az;
        sx[c] = touch * ax, sy[c] = touch * ay, sz[c] = touch * az;
        fx[c] = touch * (gx - fn * nx[c]);
        fy[c] = touch * (gy - fn * ny[c]);
        fz[c] = touch * (gz - fn * nz[c]);
        double spring = 0.5 * kt * (ax * ax + ay * ay + az * az);
        double heat = slides ? -(gx * tx + gy * ty + gz * tz) - (spring - 0.5 * kt * old2) * rate
                             : ct * (tx * tx + ty * ty + tz * tz);
        stored[c] = touch * (0.5 * elastic * depth[c] + spring);
        lost[c] = touch * ((fn - elastic) * vn + heat);
    }
}

#define KERNEL(one)                                                                                \
    kernel(b->n, one, self->pairs, b->since, self->pull ? -HUGE_VAL : 0.0, b->materials, b->mass,  \
           b->depth, b->normal[0], b->normal[1], b->normal[2], b->v[0], b->v[1], b->v[2],          \
           b->slip[0], b->slip[1], b->slip[2], b->in[0], b->in[1], b->in[2], b->out[0], b->out[1], \
           b->out[2], b->f[0], b->f[1], b->f[2], b->stored, b->lost)

static int32_t compute(void *instance, const scree_contact_batch *b)
{
    const law *self = instance;
    if (self->n_materials == 1)
        KERNEL(1);
    else
        KERNEL(0);
    return SCREE_OK;
}

static pair make_pair(const config *c, uint64_t k)
{
    pair p = {.kn = c->kn.v[k], .friction = c->friction.v[k]};
    p.kt = isnan(c->kt.v[k]) ? 2.0 / 7.0 * p.kn : c->kt.v[k];
    double log_e = log(c->restitution.v[k]);
    double zeta = isinf(log_e) ? 1.0 : -log_e / sqrt(M_PI * M_PI + log_e * log_e); // [3] eq. 7
    if (c->damping == RESTITUTION) {
        p.root_n = 2.0 * zeta * sqrt(p.kn);
        p.root_t = 2.0 * zeta * sqrt(2.0 / 7.0 * p.kt);
    } else if (c->damping == CONSTANT) {
        p.constant_n = c->damping_n.v[k];
        p.constant_t = c->damping_t.v[k];
    } else if (c->damping == MASS) {
        p.mass_n = c->gamma_n.v[k];
        p.mass_t = c->gamma_t.v[k];
    }
    return p;
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    const config *c = config_;
    uint64_t n = (uint64_t)host->n_materials * host->n_materials;
    law *self = calloc(1, sizeof *self);
    pair *pairs = calloc(n + 1, sizeof *pairs);
    if (!self || !pairs) {
        free(self);
        free(pairs);
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the table of material pairs");
    }
    for (uint64_t k = 0; k < n; k++)
        pairs[k] = make_pair(c, k);
    *self = (law){.n_materials = host->n_materials, .pull = c->pull, .pairs = pairs};
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    law *self = instance;
    if (self)
        free(self->pairs);
    free(self);
}

static int32_t stiffness(void *instance, const scree_stiffness_query *q, double *kn, double *kt)
{
    const law *self = instance;
    const pair *p = &self->pairs[q->material_a * self->n_materials + q->material_b];
    *kn = p->kn;
    *kt = p->kt;
    return SCREE_OK;
}

#define PAIR(name_, unit_, flags_, def, low, high, mix, text)                                      \
    static const scree_param param_##name_ = {.size = sizeof(scree_param), .type = SCREE_PER_PAIR, \
        .flags = (flags_) | SCREE_LIVE, .mixing = mix, .offset = offsetof(config, name_),          \
        .name = #name_, .unit = unit_, .help = text, .real_default = def, .real_min = low,         \
        .real_max = high}
PAIR(kn, "N/m", SCREE_REQUIRED | SCREE_MIN_OPEN, 0, 0, INFINITY, SCREE_MIX_HARMONIC,
     "normal stiffness");
PAIR(kt, "N/m", SCREE_OPTIONAL, 0, 0, INFINITY, SCREE_MIX_HARMONIC,
     "tangential stiffness; 2/7 kn when not given");
PAIR(friction, "-", 0, 0, 0, INFINITY, SCREE_MIX_MEAN, "Coulomb's friction coefficient");
PAIR(restitution, "-", 0, 1, 0, 1, SCREE_MIX_GEOMETRIC,
     "normal restitution of a head-on impact (damping = \"restitution\")");
PAIR(damping_n, "N s/m", 0, 0, 0, INFINITY, SCREE_MIX_MEAN, "normal dashpot (\"constant\")");
PAIR(damping_t, "N s/m", 0, 0, 0, INFINITY, SCREE_MIX_MEAN, "tangential dashpot (\"constant\")");
PAIR(gamma_n, "1/s", 0, 0, 0, INFINITY, SCREE_MIX_MEAN, "normal dashpot per effective mass (\"mass\")");
PAIR(gamma_t, "1/s", 0, 0, 0, INFINITY, SCREE_MIX_MEAN,
     "tangential dashpot per effective mass (\"mass\")");
static const scree_choice choice_none = {sizeof(scree_choice), NONE, "none", "no dashpots"};
static const scree_choice choice_e = {sizeof(scree_choice), RESTITUTION, "restitution", "from e"};
static const scree_choice choice_c = {sizeof(scree_choice), CONSTANT, "constant", "given, in N s/m"};
static const scree_choice choice_m = {sizeof(scree_choice), MASS, "mass", "gamma times effective mass"};
static const scree_choice *const choices[] = {&choice_none, &choice_e, &choice_c, &choice_m};
static const scree_param param_damping = {.size = sizeof(scree_param), .type = SCREE_CHOICE,
    .flags = SCREE_LIVE, .offset = offsetof(config, damping), .name = "damping",
    .help = "where the dashpots come from", .string_default = "restitution", .choices = choices,
    .n_choices = SCREE_COUNT(choices)};
static const scree_param param_pull = {.size = sizeof(scree_param), .type = SCREE_BOOL,
    .flags = SCREE_LIVE, .offset = offsetof(config, pull), .name = "pull", .int_default = 1,
    .int_max = 1, .help = "the normal dashpot may pull at the end of an impact"};
static const scree_param *const params[] = {&param_kn, &param_kt, &param_friction, &param_damping,
    &param_restitution, &param_damping_n, &param_damping_t, &param_gamma_n, &param_gamma_t,
    &param_pull};
static const scree_field spring = {.size = sizeof(scree_field), .scope = SCREE_SCOPE_CONTACT,
    .components = 3, .revision = 1, .name = "shear_spring", .unit = "m",
    .help = "tangential spring, displacement of a against b"};
static const scree_field *const fields[] = {&spring};
static const scree_force_ops ops = {.size = sizeof(scree_force_ops), .create = create,
    .destroy = destroy, .compute = compute, .stiffness = stiffness};
static const scree_plugin linear = {.size = sizeof(scree_plugin), .kind = SCREE_KIND_FORCE,
    .dimensions = SCREE_2D | SCREE_3D, .id = "linear", .version = "1.0.0", .licence = "Apache-2.0",
    .help = "linear spring and dashpot, tangential spring with history, Coulomb friction",
    .citation = "Cundall, Strack 1979, Geotechnique 29, 47, doi:10.1680/geot.1979.29.1.47",
    .config_size = sizeof(config), .n_params = SCREE_COUNT(params), .n_fields = SCREE_COUNT(fields),
    .params = params, .fields = fields,
    .needs = SCREE_IN_VELOCITY | SCREE_IN_SLIP | SCREE_IN_MASS | SCREE_IN_MATERIALS,
    .provides = SCREE_OUT_STORED | SCREE_OUT_LOST, .ops = &ops};
SCREE_DEFINE_MANIFEST(&linear);
