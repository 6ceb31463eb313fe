/* SPDX-License-Identifier: Apache-2.0 */
/*
 * linear: springs and dashpots, the tangential ones cut at Coulomb's limit. The exemplar: copy it.
 *
 * Sources  [1] Cundall, Strack 1979, Geotechnique 29, 47: springs, dashpots, limit on the total.
 *          [2] Luding 2008, Granular Matter 10, 235: spring turned with the plane, sliding.
 *          [3] Schwager, Poeschel 2007, Granular Matter 9, 465: restitution of spring and dashpot.
 * Idea     fn = kn depth + cn v·n;  ft = -kt s - ct vt, cut to |ft| <= mu |fn|;  f = -fn n + ft.
 * Steps    1. the committed spring s is turned into the new contact plane, its length kept;
 *          2. it grows by the tangential slip since then (from the host, never v dt);
 *          3. beyond the limit s is cut by the rule `sliding`, see scree_slide(): no memory of it.
 * Damping  `restitution`: c = 2 zeta sqrt(m k), zeta = -ln e / sqrt(pi^2 + ln^2 e) [3], with 2/7 m
 *          and kt in the plane; `constant`: c given; `mass`: c = gamma m. m: effective mass.
 * Energy   stored = kn depth^2 / 2 + kt s^2 / 2; lost = heat of dashpots, sliding, springs let go.
 * Cost     two sqrt, two divisions, vectorised; contacts that begin or slide are done once more.
 * Limits   pull = false: restitution exp(-2 zeta acos(zeta) / sqrt(1 - zeta^2)), above e [3].
 */
#include "scree/sdk.h"

enum { NONE, RESTITUTION, CONSTANT, MASS };
#define DOT(ax, ay, az, bx, by, bz) ((ax) * (bx) + (ay) * (by) + (az) * (bz))
typedef struct config {
    scree_reals kn, kt, friction, restitution, damping_n, damping_t, gamma_n, gamma_t;
    int32_t damping, pull, sliding, reserved;
} config;
typedef struct pair {
    double kn, kt, friction, cn, ct; // [N/m] [N/m] [-]; see weigh()
} pair;
typedef struct law {
    const scree_host *host;
    double least, from, is[4]; // [N] least fn; slide() gets beyond > from; 1: that damping
    int32_t sliding;           // SCREE_SLIDE_*
    pair pairs[];              // [n_materials^2]
} law;
/** w of the dashpots cn w, ct w: sqrt(m), 1 or m. A sum: gcc makes no vectors of one more `?`. */
static inline double weigh(const law *self, int rooted, double m)
{
    return rooted ? sqrt(m) : self->is[CONSTANT] + self->is[MASS] * m;
}

/** turn: see scree_turn_spring; across = turn h·n. Apart: elsewhere the root's latency shows. */
static inline void turns(uint32_t n, SCREE_IN3(n), SCREE_IN3(h), SCREE_OUT turn, SCREE_OUT across)
{
    for (uint32_t c = 0; c < n; c++) {
        double hn = DOT(hx[c], hy[c], hz[c], nx[c], ny[c], nz[c]);
        turn[c] = scree_turn_spring(hn, DOT(hx[c], hy[c], hz[c], hx[c], hy[c], hz[c]));
        across[c] = scree_max(turn[c], 0.0) * hn;
    }
}

/** All contacts as if they stuck; beyond > 0: it does not. v: velocity, u: slip, h and s: committed
 * and new spring. `one` pair of materials (no gathers) and `rooted` are constants of each call. */
static inline void stick(uint32_t n, int one, int rooted, const law *SCREE_RESTRICT self,
                         double since, const uint32_t *SCREE_RESTRICT material, SCREE_IN mass,
                         SCREE_IN depth, SCREE_IN3(n), SCREE_IN3(v), SCREE_IN3(u), SCREE_IN3(h),
                         SCREE_IN turn, SCREE_IN across, SCREE_OUT3(s), SCREE_OUT3(f),
                         SCREE_OUT stored, SCREE_OUT lost, SCREE_OUT beyond)
{
    for (uint32_t c = 0; c < n; c++) {
        const pair *p = self->pairs + (one ? 0 : material[c]);
        double m = mass[c], w = weigh(self, rooted, m), ct = p->ct * w, kt = p->kt;
        double vn = DOT(vx[c], vy[c], vz[c], nx[c], ny[c], nz[c]); // approach
        double tx = vx[c] - vn * nx[c], ty = vy[c] - vn * ny[c], tz = vz[c] - vn * nz[c];
        double elastic = p->kn * depth[c], fn = scree_max(self->least, elastic + p->cn * w * vn);
        double un = DOT(ux[c], uy[c], uz[c], nx[c], ny[c], nz[c]) + across[c];
        double by = scree_max(turn[c], 0.0), limit = p->friction * fn;
        sx[c] = by * hx[c] + ux[c] - un * nx[c], sy[c] = by * hy[c] + uy[c] - un * ny[c];
        sz[c] = by * hz[c] + uz[c] - un * nz[c]; // 1. and 2.: turn (h - h·n n) + u - u·n n
        double gx = -kt * sx[c] - ct * tx, gy = -kt * sy[c] - ct * ty, gz = -kt * sz[c] - ct * tz;
        double excess = DOT(gx, gy, gz, gx, gy, gz) - limit * limit;
        fx[c] = gx - fn * nx[c], fy[c] = gy - fn * ny[c], fz[c] = gz - fn * nz[c];
        stored[c] = 0.5 * (elastic * depth[c] + kt * DOT(sx[c], sy[c], sz[c], sx[c], sy[c], sz[c]));
        lost[c] =
            (fn - elastic) * vn + ct * scree_lag(kt, mass[c], since) * DOT(tx, ty, tz, tx, ty, tz);
        beyond[c] = scree_max(excess, -scree_min(depth[c], turn[c]));
    }
}

/** Contact c, whose new spring stands in out as if it stuck: it begins, slides or has parted. */
static void slide(const law *self, const scree_contact_batch *b, double rate, uint32_t c)
{
    const pair *p = &self->pairs[b->materials[c]];
    double w = weigh(self, self->is[RESTITUTION] > 0.0, b->mass[c]), cn = p->cn * w, ct = p->ct * w;
    double t[3], g[3], s[3], kt = p->kt, vn = 0.0, un = 0.0, t2 = 0.0, drag = 0.0, s2 = 0.0;
    double pull = 0.0, work = 0.0; // pull: of the committed spring, along the slip [W]
    for (int k = 0; k < 3; k++)
        vn += b->v[k][c] * b->normal[k][c], un += b->slip[k][c] * b->normal[k][c];
    double elastic = p->kn * b->depth[c], fn = scree_max(self->least, elastic + cn * vn);
    double limit = p->friction * fabs(fn), touch = b->depth[c] >= 0.0 ? 1.0 : 0.0;
    for (int k = 0; k < 3; k++)
        t[k] = b->v[k][c] - vn * b->normal[k][c], s[k] = b->out[k][c], t2 += t[k] * t[k];
    int cut = scree_slide(self->sliding, kt, ct, limit, t, s, g); // 3.
    for (int k = 0; k < 3; k++) {
        double n = b->normal[k][c], u = b->slip[k][c] - un * n, h = b->in[k][c];
        drag -= (g[k] + kt * s[k]) * t[k], s[k] *= touch, s2 += s[k] * s[k];
        work += (b->out[k][c] - u + s[k]) * u + h * h, pull += kt * h * t[k];
        b->f[k][c] = touch * (g[k] - fn * n), b->out[k][c] = s[k];
    }
    double now = scree_skips_now(b, c) ? 0.0 : 0.75, then = scree_skips_then(b, c) ? 0.0 : 0.25;
    double before = p->kn * (b->depth[c] - b->since * vn), speed = sqrt(t2); // elastic force then
    double most = p->friction * fabs(scree_max(self->least, before + cn * vn)); // and the limit
    double stop = vn < 0.0 ? self->least : -HUGE_VAL, heat = 0.5 * kt * (work - s2) * rate;
    drag *= cut ? 1.0 : scree_lag(kt, b->mass[c], b->since);
    double late = cut ? scree_min(drag, scree_max(most * speed - pull, 0.0)) : drag;
    heat += scree_dashpot_heat(elastic - stop, cn, fabs(vn), now);
    heat += scree_dashpot_heat(before - stop, cn, fabs(vn), then);
    heat += kt > 0.0 ? now * drag : scree_dashpot_heat(limit, ct, speed, now);
    heat += kt > 0.0 ? then * late : scree_dashpot_heat(most, ct, speed, then);
    b->stored[c] = touch * 0.5 * (elastic * b->depth[c] + kt * s2), b->lost[c] = heat;
}

#define STICK(one, rooted)                                                                         \
    stick(b->n, one, rooted, self, b->since, b->materials, b->mass, b->depth,                      \
          SCREE_XYZ(b->normal), SCREE_XYZ(b->v), SCREE_XYZ(b->slip), SCREE_XYZ(b->in), turn,       \
          across, SCREE_XYZ(b->out), SCREE_XYZ(b->f), b->stored, b->lost, beyond)

static int32_t compute(void *instance, const scree_contact_batch *b)
{
    const law *self = instance;
    double *turn = self->host->scratch(self->host->ctx, b->lane, 3ull * b->n * sizeof *turn);
    double *across = turn + b->n, *beyond = across + b->n;
    if (!turn && b->n)
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a batch");
    turns(b->n, SCREE_XYZ(b->normal), SCREE_XYZ(b->in), turn, across);
    if (self->host->n_materials == 1)
        self->is[RESTITUTION] > 0.0 ? STICK(1, 1) : STICK(1, 0);
    else
        self->is[RESTITUTION] > 0.0 ? STICK(0, 1) : STICK(0, 0);
    scree_mark_ends(b, self->least >= 0.0, beyond);
    for (uint32_t c = 0; (c = scree_next_mark(beyond, self->from, c, b->n)) < b->n; c++)
        slide(self, b, b->since > 0.0 ? 1.0 / b->since : 0.0, c);
    return SCREE_OK;
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    const config *c = config_;
    uint64_t n = (uint64_t)host->n_materials * host->n_materials, d = (uint64_t)c->damping;
    law *self = *instance = calloc(1, sizeof *self + n * sizeof *self->pairs);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the table of material pairs");
    self->host = host, self->least = c->pull ? -HUGE_VAL : 0.0, self->is[d] = 1.0;
    self->sliding = c->sliding, self->from = c->sliding == SCREE_SLIDE_SPRING ? -HUGE_VAL : 0.0;
    for (uint64_t k = 0; k < n; k++) {
        double kn = c->kn.v[k], kt = isnan(c->kt.v[k]) ? 2.0 / 7.0 * kn : c->kt.v[k];
        double log_e = fabs(log(c->restitution.v[k])), square = M_PI * M_PI + log_e * log_e;
        double zeta = isinf(log_e) ? 1.0 : log_e / sqrt(square); // [3] eq. 7
        double cn[] = {0.0, 2.0 * zeta * sqrt(kn), c->damping_n.v[k], c->gamma_n.v[k]};
        double ct[] = {0.0, 2.0 * zeta * sqrt(2.0 / 7.0 * kt), c->damping_t.v[k], c->gamma_t.v[k]};
        self->pairs[k] = (pair){kn, kt, c->friction.v[k], cn[d], ct[d]};
    }
    return SCREE_OK;
}

static int32_t stiffness(void *instance, const scree_stiffness_query *q, scree_stiffness *out)
{
    const law *self = instance;
    const pair *p = &self->pairs[q->material_a * self->host->n_materials + q->material_b];
    double w = weigh(self, self->is[RESTITUTION] > 0.0, q->mass);
    out->kn = p->kn, out->kt = p->kt, out->cn = p->cn * w, out->ct = p->ct * w;
    return SCREE_OK;
}

// What the host reads: parameters, field, descriptor; a line each.
// clang-format off
#define PAIR(id, unit, f, ...) SCREE_PAIR_PARAM(config, id, unit, (f) | SCREE_LIVE, __VA_ARGS__)
PAIR(kn, "N/m", SCREE_REQUIRED | SCREE_MIN_OPEN, 0, HUGE_VAL, HARMONIC, "normal stiffness");
PAIR(kt, "N/m", SCREE_OPTIONAL, 0, HUGE_VAL, HARMONIC, "tangential stiffness; 2/7 kn if not given");
PAIR(friction, "-", 0, 0, HUGE_VAL, MEAN, "Coulomb's friction coefficient");
PAIR(restitution, "-", 0, 1, 1, GEOMETRIC, "of a head-on impact (damping = \"restitution\")");
PAIR(damping_n, "N s/m", 0, 0, HUGE_VAL, MEAN, "normal dashpot (\"constant\")");
PAIR(damping_t, "N s/m", 0, 0, HUGE_VAL, MEAN, "tangential dashpot (\"constant\")");
PAIR(gamma_n, "1/s", 0, 0, HUGE_VAL, MEAN, "normal dashpot per effective mass (\"mass\")");
PAIR(gamma_t, "1/s", 0, 0, HUGE_VAL, MEAN, "tangential dashpot per effective mass (\"mass\")");
SCREE_CHOICE_VALUE(none, NONE, "no dashpots");
SCREE_CHOICE_VALUE(restitution, RESTITUTION, "from e");
SCREE_CHOICE_VALUE(constant, CONSTANT, "given, in N s/m");
SCREE_CHOICE_VALUE(mass, MASS, "gamma times effective mass");
SCREE_CHOICE_PARAM(config, damping, SCREE_LIVE, "restitution", "where the dashpots come from",
    &choice_none, &choice_restitution, &choice_constant, &choice_mass);
SCREE_SLIDING_PARAM(config, sliding, "total");
SCREE_BOOL_PARAM(config, pull, SCREE_LIVE, 1, "the normal dashpot may pull as an impact ends");
static const scree_param *const params[] = {&param_kn, &param_kt, &param_friction, &param_damping,
    &param_restitution, &param_damping_n, &param_damping_t, &param_gamma_n, &param_gamma_t,
    &param_sliding, &param_pull};
SCREE_FIELD(shear_spring, CONTACT, 3, 1, "m", 0, "tangential spring, displacement of a against b");
static const scree_field *const fields[] = {&field_shear_spring};
static const scree_force_ops ops = {.size = sizeof ops, .create = create, .destroy = free,
    .compute = compute, .stiffness = stiffness};
static const scree_plugin linear = {.size = sizeof linear, .kind = SCREE_KIND_FORCE,
    .dimensions = SCREE_2D | SCREE_3D, .id = "linear", .version = "1.0.0", .licence = "Apache-2.0",
    .help = "linear spring and dashpot, tangential spring with history, Coulomb friction",
    .summary = "The restitution is the same at any speed; tangential springs slide at Coulomb's limit.",
    .citation = "Cundall, Strack 1979, Geotechnique 29, 47, doi:10.1680/geot.1979.29.1.47",
    .config_size = sizeof(config), .n_params = SCREE_COUNT(params), .n_fields = SCREE_COUNT(fields),
    .params = params, .fields = fields, .ops = &ops,
    .needs = SCREE_IN_VELOCITY | SCREE_IN_SLIP | SCREE_IN_MASS | SCREE_IN_MATERIALS,
    .provides = SCREE_OUT_STORED | SCREE_OUT_LOST | SCREE_OUT_PARTED};
// clang-format on
SCREE_DEFINE_MANIFEST(&linear);
