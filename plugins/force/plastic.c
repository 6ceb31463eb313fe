/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plastic: a contact that yields: a stiffer spring on the way back, with adhesion if wanted; with a
 * tangential spring and Coulomb's limit.
 *
 * Sources  [1] Luding 2008, Granular Matter 10, 235, section 2.2: hysteretic spring with adhesion.
 *          [2] Walton, Braun 1986, J. Rheol. 30, 949: constant k2, or one that grows with the load.
 *          [3] Cundall, Strack 1979, Geotechnique 29, 47: the tangential spring and its limit.
 * Idea     d: depth, D: the largest one so far. In normal direction
 *            f = k1 d            loading, d = D
 *            f = k2 (d - D) + k1 D   below, down to
 *            f = -kc d           where that pulls harder: D falls with d then, so that the k2 line
 *                                from there on is the one to come back on [1]
 *          Without adhesion, kc = 0, D stays: f = 0 down to d = 0, and back to the overlap
 *          (1 - k1 / k2) D that the yielding has left; the k2 line begins there [1] [2].
 *          `unloading` gives k2: constant [2]; depth: k1 + (k2 - k1) D / D*, k2 from D* on [1];
 *          load: k1 + hardening k1 D [2], at most k2. With plastic_depth p nothing yields beyond D*
 *          = k2 / (k2 - k1) p 2 R*: the k2 line goes on there [1].
 *          Constant k2 without adhesion and dashpots: restitution sqrt(k1 / k2) at any speed.
 *          ft = -kt s - ct vt, cut to mu (fn + kc d): friction feels the adhesion too [1].
 * Energy   stored = f^2 / 2 k2 + kt s^2 / 2; lost = the work of f less what is stored, at the time
 *          when it is lost, by yielding and adhesion; and the heat of dashpots and sliding.
 * Cost     two sqrt, four divisions per contact, vectorised, whether it slides or not.
 * Limits   A contact that has opened (d < 0) touches again with D = 0, as in YADE and LIGGGHTS: [1]
 * and [2] follow one contact. On the adhesive branch a variable k2 follows D down: [1] does not
 * treat this. k1 is `kn`, as in the other laws.
 */
#include "scree/sdk.h"

enum { CONSTANT, DEPTH, LOAD };
#define DOT(ax, ay, az, bx, by, bz) ((ax) * (bx) + (ay) * (by) + (az) * (bz))

typedef struct config {
    scree_reals kn, k2, kc, plastic_depth, hardening, kt, friction, damping_n, damping_t;
    int32_t unloading, reserved;
} config;

typedef struct pair {
    double k1, kc, kt, friction, cn, ct; // [N/m] [N/m] [N/m] [-] [N s/m] [N s/m]
    double least, most;                  // [N/m] k2 at D = 0, and its largest value
    double yields;                       // [-] D* over R*; HUGE_VAL: no end
    double rate;                         // [N/m] growth of k2 with D / R* (DEPTH)
    double load;                         // [N/m^2] growth of k2 with D (LOAD)
} pair;

typedef struct law {
    const scree_host *host;
    pair pairs[]; // [n_materials^2]
} law;

/** Slope of the unloading line from (D, k1 D) down. */
static inline double unload(const pair *p, double curve, double deepest)
{
    return scree_min(p->least + (p->rate * curve + p->load) * deepest, p->most);
}

/** Normal direction. deepest, force: D and elastic force, committed (old) and now. work: lost
 * energy [J]; gone: its rate. */
static inline void press(uint32_t n, const law *SCREE_RESTRICT self, double rate,
                         const uint32_t *SCREE_RESTRICT material, SCREE_IN depth, SCREE_IN curve_a,
                         SCREE_IN curve_b, SCREE_IN old, SCREE_IN was, SCREE_OUT deepest,
                         SCREE_OUT force, SCREE_OUT stored, SCREE_OUT lost)
{
    for (uint32_t c = 0; c < n; c++) {
        const pair *p = self->pairs + material[c];
        double curve = curve_a[c] + curve_b[c], d = scree_max(depth[c], 0.0);
        double k1 = p->k1, kc = p->kc;
        double end = p->yields / (curve > 0.0 ? curve : 1.0);
        double top = scree_min(scree_max(d, old[c]), end), k2 = unload(p, curve, top);
        double f = k2 * (d - top) + k1 * top, grows = p->rate * curve + p->load;
        // where it would pull harder than -kc d: D of the k2 line through (d, -kc d)
        double steep = p->most > k1 ? (p->most + kc) / (p->most - k1) * d : top;
        double soft = grows > 0.0 ? 0.5 * (d + sqrt(d * d + 4.0 * (k1 + kc) * d / grows)) : steep;
        double lower = soft < end && p->least + grows * soft < p->most ? soft : steep;
        int pulls = f < -kc * d;
        top = (pulls & (kc > 0.0)) ? scree_min(lower, top) : top;
        f = pulls ? -kc * d : f;
        double now = unload(p, curve, top), then = unload(p, curve, old[c]);
        double held = 0.5 * f * f / now, kept = 0.5 * was[c] * was[c] / then;
        double before = old[c] + (was[c] - k1 * old[c]) / then; // the committed depth
        deepest[c] = depth[c] >= 0.0 ? top : 0.0;
        force[c] = depth[c] >= 0.0 ? f : 0.0;
        stored[c] = depth[c] >= 0.0 ? held : 0.0;
        double gone = 0.5 * (force[c] + was[c]) * (d - before) - stored[c] + kept;
        int yielded = (top != old[c]) & (now > k1); // otherwise it is elastic, to the last bit
        lost[c] = yielded ? gone * rate : 0.0;
    }
}

/** Tangential direction, and the dashpots. h, s: committed and new spring; fn: elastic force. late:
 * share of the dashpots in contacts that have ended. */
static inline void shear(uint32_t n, int begins, double late, const law *SCREE_RESTRICT self,
                         double rate, const uint32_t *SCREE_RESTRICT material, SCREE_IN depth,
                         SCREE_IN was, SCREE_IN fn, SCREE_IN3(n), SCREE_IN3(v), SCREE_IN3(u),
                         SCREE_IN3(h), SCREE_OUT3(s), SCREE_OUT3(f), SCREE_OUT stored,
                         SCREE_OUT lost)
{
    for (uint32_t c = 0; c < n; c++) {
        const pair *p = self->pairs + material[c];
        double on = depth[c] >= 0.0 ? 1.0 : 0.0, kt = p->kt, ct = on * p->ct, cn = on * p->cn;
        double vn = DOT(vx[c], vy[c], vz[c], nx[c], ny[c], nz[c]), push = fn[c] + cn * vn;
        double limit = on * p->friction * scree_max(push + p->kc * depth[c], 0.0);
        double hn = DOT(hx[c], hy[c], hz[c], nx[c], ny[c], nz[c]);
        double h2 = DOT(hx[c], hy[c], hz[c], hx[c], hy[c], hz[c]);
        double un = DOT(ux[c], uy[c], uz[c], nx[c], ny[c], nz[c]);
        double by = scree_max(scree_turn_spring(hn, h2), 0.0);
        double gx = by * (hx[c] - hn * nx[c]), ax = ux[c] - un * nx[c], tx = vx[c] - vn * nx[c];
        double gy = by * (hy[c] - hn * ny[c]), ay = uy[c] - un * ny[c], ty = vy[c] - vn * ny[c];
        double gz = by * (hz[c] - hn * nz[c]), az = uz[c] - un * nz[c], tz = vz[c] - vn * nz[c];
        double rx = kt * (gx + ax) + ct * tx, ry = kt * (gy + ay) + ct * ty;
        double rz = kt * (gz + az) + ct * tz, whole = DOT(rx, ry, rz, rx, ry, rz);
        int slides = whole > limit * limit;
        double cut = slides ? limit / sqrt(slides ? whole : 1.0) : on,
               soft = kt > 0.0 ? 1.0 / kt : 0.0;
        double left = slides && limit > 0.0 ? 1.0 : 0.0, lag = left * ct * (cut - 1.0) * soft;
        double px = cut * (gx + ax) + lag * tx, py = cut * (gy + ay) + lag * ty;
        double pz = cut * (gz + az) + lag * tz;
        double t2 = DOT(tx, ty, tz, tx, ty, tz), held = kt * DOT(px, py, pz, px, py, pz);
        double drag = cut * DOT(rx, ry, rz, tx, ty, tz) - kt * DOT(px, py, pz, tx, ty, tz);
        double then = was[c] + p->cn * vn + p->kc * scree_max(depth[c] - un, 0.0);
        double spare =
            p->friction * scree_max(then, 0.0) * sqrt(t2) - kt * DOT(gx, gy, gz, tx, ty, tz);
        double ended = scree_min(p->ct * t2, scree_max(spare, 0.0));
        double first = begins ? 0.75 : 1.0, rest = begins ? 0.0 : 0.25;
        drag = slides ? 0.75 * drag + rest * scree_min(drag, scree_max(spare, 0.0)) : first * drag;
        double work = kt * (DOT(gx, gy, gz, ax, ay, az) + DOT(px, py, pz, ax, ay, az) + h2) - held;
        sx[c] = px;
        sy[c] = py;
        sz[c] = pz;
        fx[c] = -on * push * nx[c] - cut * rx;
        fy[c] = -on * push * ny[c] - cut * ry;
        fz[c] = -on * push * nz[c] - cut * rz;
        stored[c] += 0.5 * held;
        lost[c] += drag + first * cn * vn * vn + 0.5 * rate * work +
                   (1.0 - on) * late * (p->cn * vn * vn + ended);
    }
}

#define FROM(p) (p)[0] + c, (p)[1] + c, (p)[2] + c
#define SHEAR(c, n, begins)                                                                        \
    shear(n, begins, b->parted ? 0.25 : 0.0, self, rate, b->materials + (c), b->depth + (c),       \
          b->in[4] + (c), b->out[4] + (c), FROM(b->normal), FROM(b->v), FROM(b->slip),             \
          FROM(b->in), FROM(b->out), FROM(b->f), b->stored + (c), b->lost + (c))
#define PRESS(c, n)                                                                                \
    press(n, self, rate, b->materials + (c), b->depth + (c), b->curvature[0] + (c),                \
          b->curvature[1] + (c), b->in[3] + (c), b->in[4] + (c), b->out[3] + (c), b->out[4] + (c), \
          b->stored + (c), b->lost + (c))

static int32_t compute(void *instance, const scree_contact_batch *b)
{
    const law *self = instance;
    const uint8_t *fresh = b->fresh, *end = fresh + b->n;
    double rate = b->since > 0.0 ? 1.0 / b->since : 0.0;
    uint32_t c = 0;
    PRESS(0, b->n);
    SHEAR(0, b->n, 0);
    for (; (fresh = memchr(fresh, 1, (size_t)(end - fresh))) != NULL; fresh++) {
        c = (uint32_t)(fresh - b->fresh); // its dashpots have acted for half a step
        PRESS(c, 1);
        SHEAR(c, 1, 1);
    }
    return SCREE_OK;
}

/** Coefficients of a pair of materials; a message when they do not go together. */
static const char *set_pair(const config *c, uint64_t k, pair *p)
{
    double k1 = c->kn.v[k], k2 = c->k2.v[k], depth = c->plastic_depth.v[k];
    double kt = isnan(c->kt.v[k]) ? 2.0 / 7.0 * k1 : c->kt.v[k];
    *p = (pair){
        k1,       c->kc.v[k], kt, c->friction.v[k], c->damping_n.v[k], c->damping_t.v[k], k1, k2,
        HUGE_VAL, 0.0,        0.0};
    if (k2 < k1)
        return "expected k2 [N/m], of unloading, no less than kn";
    if (c->unloading == LOAD) {
        p->load = c->hardening.v[k] * k1;
        return isnan(c->hardening.v[k]) ? "unloading = \"load\" needs hardening [1/m], 0 or more"
                                        : NULL;
    }
    if (c->unloading == DEPTH && isnan(depth))
        return "unloading = \"depth\" needs plastic_depth [-], 0 < p <= 1";
    if (c->unloading == CONSTANT)
        p->least = k2;
    if (!isnan(depth) && k2 > k1)
        p->yields = 2.0 * k2 / (k2 - k1) * depth;
    if (c->unloading == DEPTH && k2 > k1)
        p->rate = (k2 - k1) / p->yields;
    return NULL;
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    const config *c = config_;
    uint64_t n = (uint64_t)host->n_materials * host->n_materials;
    law *self = malloc(sizeof *self + n * sizeof self->pairs[0]);
    if (!(*instance = self))
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the law");
    self->host = host;
    for (uint64_t k = 0; k < n; k++) {
        const char *wrong = set_pair(c, k, &self->pairs[k]);
        if (!wrong)
            continue;
        free(self);
        return scree_failf(host, SCREE_E_CONFIG, "kn = %g N/m, k2 = %g N/m: %s", c->kn.v[k],
                           c->k2.v[k], wrong);
    }
    return SCREE_OK;
}

/** The stiffest line: that of unloading; with `load` at the depth of an elastic impact. */
static int32_t stiffness(void *instance, const scree_stiffness_query *q, scree_stiffness *out)
{
    const law *self = instance;
    const pair *p = &self->pairs[q->material_a * self->host->n_materials + q->material_b];
    double deep = q->depth > 0.0 ? q->depth : q->speed * sqrt(q->mass / p->k1);
    out->kn = p->load > 0.0 ? scree_min(p->least + p->load * deep, p->most) : p->most;
    out->kt = p->kt;
    out->cn = p->cn;
    out->ct = p->ct;
    return SCREE_OK;
}

// Tables for the host: parameters, fields, descriptor; a line each.
// clang-format off
#define PAIR(id, unit, f, ...) SCREE_PAIR_PARAM(config, id, unit, (f) | SCREE_PARAM_LIVE, __VA_ARGS__)
PAIR(kn, "N/m", SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN, 0, 1e30, HARMONIC, "stiffness of loading, k1");
PAIR(k2, "N/m", SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN, 0, 1e30, HARMONIC,
    "stiffness of unloading, at least kn; e = sqrt(kn / k2); the largest value where it grows");
PAIR(kc, "N/m", 0, 0, 1e30, HARMONIC, "stiffness of the adhesive branch; 0: none");
PAIR(plastic_depth, "-", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 1, MEAN,
    "overlap that stays behind once nothing yields, over 2 R*");
PAIR(hardening, "1/m", SCREE_PARAM_OPTIONAL, 0, HUGE_VAL, MEAN, "growth of k2 with the largest force (\"load\")");
PAIR(kt, "N/m", SCREE_PARAM_OPTIONAL, 0, 1e30, HARMONIC, "tangential stiffness; 2/7 kn if not given");
PAIR(friction, "-", 0, 0, HUGE_VAL, MEAN, "Coulomb's friction coefficient");
PAIR(damping_n, "N s/m", 0, 0, HUGE_VAL, MEAN, "normal dashpot");
PAIR(damping_t, "N s/m", 0, 0, HUGE_VAL, MEAN, "tangential dashpot");
SCREE_CHOICE_VALUE(constant, CONSTANT, "k2: Walton and Braun");
SCREE_CHOICE_VALUE(depth, DEPTH, "from kn to k2 with the largest depth: Luding");
SCREE_CHOICE_VALUE(load, LOAD, "kn + hardening times the largest force, at most k2: Walton and Braun");
SCREE_CHOICE_PARAM(config, unloading, SCREE_PARAM_LIVE, "constant", "stiffness of unloading",
    &choice_constant, &choice_depth, &choice_load);
static const scree_param *const params[] = {&param_kn, &param_k2, &param_kc, &param_unloading,
    &param_plastic_depth, &param_hardening, &param_kt, &param_friction, &param_damping_n,
    &param_damping_t};
SCREE_FIELD(shear_spring, CONTACT, 3, 1, "m", 0, "tangential spring, displacement of a against b");
SCREE_FIELD(max_depth, CONTACT, 1, 1, "m", 0, "largest depth, less what adhesion took back");
SCREE_FIELD(elastic_force, CONTACT, 1, 1, "N", 0, "normal force without dashpot, > 0 pushes apart");
static const scree_field *const fields[] = {&field_shear_spring, &field_max_depth, &field_elastic_force};
static const scree_force_ops ops = {.size = sizeof ops, .create = create, .destroy = free,
    .compute = compute, .stiffness = stiffness};
static const scree_plugin plastic = {.size = sizeof plastic, .kind = SCREE_KIND_FORCE,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3, .id = "plastic", .version = "1.0.0", .licence = "Apache-2.0",
    .help = "a contact that yields, with adhesion: Luding's hysteretic spring, Walton and Braun's",
    .summary = "Loading along kn, unloading along a stiffer k2, so that an overlap stays behind, and a "
               "pull on the way out with kc. A law of its own, with tangential spring and friction.",
    .citation = "Luding 2008, Granular Matter 10, 235, doi:10.1007/s10035-008-0099-x",
    .config_size = sizeof(config), .n_params = SCREE_COUNT(params), .n_fields = SCREE_COUNT(fields),
    .params = params, .fields = fields, .ops = &ops,
    .needs = SCREE_IN_VELOCITY | SCREE_IN_SLIP | SCREE_IN_MATERIALS |
             SCREE_IN_CURVATURE,
    .provides = SCREE_OUT_STORED | SCREE_OUT_LOST | SCREE_OUT_PARTED};
// clang-format on
SCREE_DEFINE_MANIFEST(&plastic);
