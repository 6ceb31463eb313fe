/* SPDX-License-Identifier: Apache-2.0 */
/*
 * linear: spring and dashpot in the normal direction; spring with history, dashpot and Coulomb's
 * limit in the tangential one. The exemplar of a force law: copy it.
 *
 * Sources  [1] Cundall, Strack 1979, Geotechnique 29, 47: springs, dashpots, limit on the total.
 *          [2] Luding 2008, Granular Matter 10, 235: spring turned with the plane, sliding.
 *          [3] Schwager, Poeschel 2007, Granular Matter 9, 465: restitution of spring and dashpot.
 * Idea     fn = kn depth + cn v·n;  ft = -kt s - ct vt, cut to |ft| <= mu |fn|;  f = -fn n + ft.
 * Steps    1. the committed spring s is turned into the new contact plane, its length kept;
 *          2. it grows by the tangential slip since then (from the host, never v dt);
 *          3. when the limit is met, s is set to what the cut force needs: no memory of sliding.
 * Damping  `restitution`: c = 2 zeta sqrt(m k), zeta = -ln e / sqrt(pi^2 + ln^2 e) [3], with 2/7 m
 *          and kt in the tangential direction; `constant`: c given; `mass`: c = gamma m. m is the
 *          effective mass, at a wall the body's own.
 * Energy   stored = kn depth^2 / 2 + kt s^2 / 2; lost = what dashpots and sliding turn into heat,
 *          and the spring of surfaces that part.
 * Cost     two sqrt and three divisions, vectorised.
 * Limits   the dashpot pulls at the end of an impact, as e assumes. With pull = false it does not,
 *          and the restitution is exp(-2 zeta acos(zeta) / sqrt(1 - zeta^2)), more than e [3].
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
    double kn, kt, inv_kt, friction; // [N/m] [N/m] [m/N], 0 without kt [-]
    double constant_n, root_n, mass_n, constant_t, root_t, mass_t;
} pair;

typedef struct law {
    uint32_t n_materials;
    int32_t pull;
    pair pairs[]; // [n_materials^2]
} law;

// Parameters of the kernel: `restrict` here, and nowhere else, lets it vectorise (sdk.h).
#define IN const double *SCREE_RESTRICT
#define OUT double *SCREE_RESTRICT

/** v: velocity, u: slip, h: committed spring, s: new spring; fn >= least. `one`: a single pair of
 * materials, whose constants then stay in registers. */
static inline void kernel(uint32_t n, int one, const pair *SCREE_RESTRICT pairs, double since,
                          double least, const uint32_t *SCREE_RESTRICT material, IN mass, IN depth,
                          IN nx, IN ny, IN nz, IN vx, IN vy, IN vz, IN ux, IN uy, IN uz, IN hx,
                          IN hy, IN hz, OUT sx, OUT sy, OUT sz, OUT fx, OUT fy, OUT fz, OUT stored,
                          OUT lost)
{
    double rate = since > 0.0 ? 1.0 / since : 0.0;
    for (uint32_t c = 0; c < n; c++) {
        const pair *p = pairs + (one ? 0 : material[c]);
        // Read at once: a load inside a select keeps the loop from vectorising.
        double kt = p->kt, inv_kt = p->inv_kt, touch = depth[c] >= 0.0 ? 1.0 : 0.0;
        double m = mass[c], root = sqrt(m);
        double cn = p->constant_n + p->root_n * root + p->mass_n * m;
        double ct = p->constant_t + p->root_t * root + p->mass_t * m;
        double vn = vx[c] * nx[c] + vy[c] * ny[c] + vz[c] * nz[c]; // approach
        double tx = vx[c] - vn * nx[c], ty = vy[c] - vn * ny[c], tz = vz[c] - vn * nz[c];
        double elastic = p->kn * depth[c], fn = elastic + cn * vn;
        fn = fn < least ? least : fn;
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
        // 3. Coulomb's limit on the tangential force g
        double g = sqrt(gx * gx + gy * gy + gz * gz), limit = p->friction * fabs(fn);
        double cut = g > limit ? limit / (g > 0.0 ? g : 1.0) : 1.0;
        int slides = cut < 1.0;
        gx *= cut, gy *= cut, gz *= cut;
        ax = slides ? -(gx + ct * tx) * inv_kt : ax;
        ay = slides ? -(gy + ct * ty) * inv_kt : ay;
        az = slides ? -(gz + ct * tz) * inv_kt : az;
        sx[c] = touch * ax, sy[c] = touch * ay, sz[c] = touch * az;
        fx[c] = touch * (gx - fn * nx[c]);
        fy[c] = touch * (gy - fn * ny[c]);
        fz[c] = touch * (gz - fn * nz[c]);
        double was = 0.5 * kt * old2, spring = 0.5 * kt * (ax * ax + ay * ay + az * az);
        double heat = slides ? -(gx * tx + gy * ty + gz * tz) - (spring - was) * rate
                             : ct * (tx * tx + ty * ty + tz * tz);
        stored[c] = touch * (0.5 * elastic * depth[c] + spring);
        lost[c] = touch > 0.0 ? (fn - elastic) * vn + heat : was * rate;
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
    double kn = c->kn.v[k], kt = isnan(c->kt.v[k]) ? 2.0 / 7.0 * kn : c->kt.v[k];
    double log_e = log(c->restitution.v[k]);
    double zeta = isinf(log_e) ? 1.0 : -log_e / sqrt(M_PI * M_PI + log_e * log_e); // [3] eq. 7
    pair p = {
        .kn = kn, .kt = kt, .inv_kt = kt > 0.0 ? 1.0 / kt : 0.0, .friction = c->friction.v[k]};
    if (c->damping == RESTITUTION)
        p.root_n = 2.0 * zeta * sqrt(kn), p.root_t = 2.0 * zeta * sqrt(2.0 / 7.0 * kt);
    else if (c->damping == CONSTANT)
        p.constant_n = c->damping_n.v[k], p.constant_t = c->damping_t.v[k];
    else if (c->damping == MASS)
        p.mass_n = c->gamma_n.v[k], p.mass_t = c->gamma_t.v[k];
    return p;
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    uint64_t n = (uint64_t)host->n_materials * host->n_materials;
    law *self = calloc(1, sizeof *self + n * sizeof *self->pairs);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the table of material pairs");
    *self = (law){.n_materials = host->n_materials, .pull = ((const config *)config_)->pull};
    for (uint64_t k = 0; k < n; k++)
        self->pairs[k] = make_pair(config_, k);
    *instance = self;
    return SCREE_OK;
}

static void destroy(void *instance)
{
    free(instance);
}

static int32_t stiffness(void *instance, const scree_stiffness_query *q, double *kn, double *kt)
{
    const law *self = instance;
    const pair *p = &self->pairs[q->material_a * self->n_materials + q->material_b];
    *kn = p->kn, *kt = p->kt;
    return SCREE_OK;
}

// What the host reads: parameters, field, descriptor; a line each.
// clang-format off
#define PAIR(id, unit_, flags_, def, max, mix, text) static const scree_param param_##id = { \
    .size = sizeof(scree_param), .type = SCREE_PER_PAIR, .flags = (flags_) | SCREE_LIVE, \
    .mixing = SCREE_MIX_##mix, .offset = offsetof(config, id), .name = #id, .unit = unit_, \
    .help = text, .real_default = def, .real_max = max}
PAIR(kn, "N/m", SCREE_REQUIRED | SCREE_MIN_OPEN, 0, HUGE_VAL, HARMONIC, "normal stiffness");
PAIR(kt, "N/m", SCREE_OPTIONAL, 0, HUGE_VAL, HARMONIC, "tangential stiffness; 2/7 kn if not given");
PAIR(friction, "-", 0, 0, HUGE_VAL, MEAN, "Coulomb's friction coefficient");
PAIR(restitution, "-", 0, 1, 1, GEOMETRIC, "of a head-on impact (damping = \"restitution\")");
PAIR(damping_n, "N s/m", 0, 0, HUGE_VAL, MEAN, "normal dashpot (\"constant\")");
PAIR(damping_t, "N s/m", 0, 0, HUGE_VAL, MEAN, "tangential dashpot (\"constant\")");
PAIR(gamma_n, "1/s", 0, 0, HUGE_VAL, MEAN, "normal dashpot per effective mass (\"mass\")");
PAIR(gamma_t, "1/s", 0, 0, HUGE_VAL, MEAN, "tangential dashpot per effective mass (\"mass\")");
#define CHOICE(id, value, text) static const scree_choice id = {sizeof id, value, #id, text}
CHOICE(none, NONE, "no dashpots"); CHOICE(restitution, RESTITUTION, "from e");
CHOICE(constant, CONSTANT, "given, in N s/m"); CHOICE(mass, MASS, "gamma times effective mass");
static const scree_choice *const choices[] = {&none, &restitution, &constant, &mass};
static const scree_param damping = {.size = sizeof damping, .type = SCREE_CHOICE,
    .flags = SCREE_LIVE, .offset = offsetof(config, damping), .name = "damping",
    .help = "where the dashpots come from", .string_default = "restitution", .choices = choices,
    .n_choices = SCREE_COUNT(choices)};
static const scree_param pull = {.size = sizeof pull, .type = SCREE_BOOL, .flags = SCREE_LIVE,
    .offset = offsetof(config, pull), .name = "pull", .int_default = 1, .int_max = 1,
    .help = "the normal dashpot may pull at the end of an impact"};
static const scree_param *const params[] = {&param_kn, &param_kt, &param_friction, &damping,
    &param_restitution, &param_damping_n, &param_damping_t, &param_gamma_n, &param_gamma_t, &pull};
static const scree_field spring = {.size = sizeof spring, .scope = SCREE_SCOPE_CONTACT,
    .components = 3, .revision = 1, .name = "shear_spring", .unit = "m",
    .help = "tangential spring, displacement of a against b"};
static const scree_field *const fields[] = {&spring};
static const scree_force_ops ops = {.size = sizeof ops, .create = create, .destroy = destroy,
    .compute = compute, .stiffness = stiffness};
static const scree_plugin linear = {.size = sizeof linear, .kind = SCREE_KIND_FORCE,
    .dimensions = SCREE_2D | SCREE_3D, .id = "linear", .version = "1.0.0", .licence = "Apache-2.0",
    .help = "linear spring and dashpot, tangential spring with history, Coulomb friction",
    .citation = "Cundall, Strack 1979, Geotechnique 29, 47, doi:10.1680/geot.1979.29.1.47",
    .config_size = sizeof(config), .n_params = SCREE_COUNT(params), .n_fields = SCREE_COUNT(fields),
    .params = params, .fields = fields, .ops = &ops,
    .needs = SCREE_IN_VELOCITY | SCREE_IN_SLIP | SCREE_IN_MASS | SCREE_IN_MATERIALS,
    .provides = SCREE_OUT_STORED | SCREE_OUT_LOST};
// clang-format on
SCREE_DEFINE_MANIFEST(&linear);
