/* SPDX-License-Identifier: Apache-2.0 */
/*
 * incremental_penalty: forces summed from increments, stiffness times displacement in each step.
 *
 * Sources  [1] O'Connor 1996, A Distributed Discrete Element Modeling Environment, MIT, sections
 *              4.3 and 4.4: the scheme, with one stiffness k for both directions.
 *          [2] Cundall, Strack 1979, Geotechnique 29, 47: the limit on the sums.
 * Idea     u: displacement of a's contact point against b's since the committed state.
 *            N += k u·n, never below 0;   T -= k u_t, cut to |T| <= mu N;   f = -N n + T
 *          Both sums turn with the contact plane, T with its length kept. A contact that begins has
 *          N = k depth.
 * Printed  two equations of [1] do not work as printed; `as_printed` keeps each:
 *            growth  eq. 4.4: the increment is k |u|, whatever its direction: N still grows as the
 *                    bodies part, the work is three times what was stored, a head-on impact has
 *                    restitution sqrt(3)
 *            limit eqs. 4.7, 4.8: mu |N increment| cuts the *increment* of T, not the sums: under a
 *                    steady N there is no friction, and a block slides down any slope freely
 *            both
 * Energy   stored = (N^2 + T^2) / 2 k; lost = the work of both less the stored energy: heat of
 *          sliding, and below 0 the energy that `growth` makes.
 * Deviations  [1] takes speed times step: not the same as a displacement, and of lower order with
 *          integrators of many stages. Its frames of source and destination are the turning of the
 *          sums here. Its torque is on the destination (eq. 4.9), as the host's is. Its lists and
 *          stale flags are the host's history of contacts.
 * Cost     two sqrt, three divisions per contact, vectorised, whether it slides or not.
 * Limits   no dashpot: elastic but for friction. N drifts from k depth where the normal turns fast.
 */
#include "scree/sdk.h"

enum { NOTHING, GROWTH, LIMIT, BOTH };
#define DOT(ax, ay, az, bx, by, bz) ((ax) * (bx) + (ay) * (by) + (az) * (bz))

typedef struct config {
    scree_reals kn, friction;
    int32_t as_printed, reserved;
} config;

typedef struct pair {
    double k, friction; // [N/m] [-]
} pair;

typedef struct law {
    const scree_host *host;
    int32_t as_printed, reserved;
    pair pairs[]; // [n_materials^2]
} law;

/** was, sum: N, committed and new; h, s: T, committed and new. growth, limit: 1 as printed; both
 * are constants of each call. begins: 1 where a contact begins. */
static inline void add(uint32_t n, int growth, int limit, const law *SCREE_RESTRICT self,
                       double rate, const uint32_t *SCREE_RESTRICT material,
                       const uint8_t *SCREE_RESTRICT begins, SCREE_IN depth, SCREE_IN3(n),
                       SCREE_IN3(u), SCREE_IN3(h), SCREE_IN was, SCREE_OUT3(s), SCREE_OUT sum,
                       SCREE_OUT3(f), SCREE_OUT stored, SCREE_OUT lost)
{
    for (uint32_t c = 0; c < n; c++) {
        const pair *p = self->pairs + material[c];
        double k = p->k, mu = p->friction, on = depth[c] >= 0.0 ? 1.0 : 0.0;
        double un = DOT(ux[c], uy[c], uz[c], nx[c], ny[c], nz[c]);
        double hn = DOT(hx[c], hy[c], hz[c], nx[c], ny[c], nz[c]);
        double h2 = DOT(hx[c], hy[c], hz[c], hx[c], hy[c], hz[c]);
        double by = scree_max(scree_turn_spring(hn, h2), 0.0);
        double gx = by * (hx[c] - hn * nx[c]), ax = ux[c] - un * nx[c];
        double gy = by * (hy[c] - hn * ny[c]), ay = uy[c] - un * ny[c];
        double gz = by * (hz[c] - hn * nz[c]), az = uz[c] - un * nz[c];
        double flat = sqrt(DOT(ax, ay, az, ax, ay, az));
        double way = growth ? sqrt(un * un + flat * flat) : un, step = k * way;
        int new = begins[c] | !(was[c] > 0.0); // the contact did not push before
        double push = on * (new ? k *depth[c] : scree_max(was[c] + step, 0.0));
        double turn =
            growth ? (flat > 1e-12 * way ? way / flat : 0.0) : 1.0; // |T increment| = k way
        double most = mu * fabs(step), full = k * turn * flat;
        double share = limit && full > most ? most / (full > 0.0 ? full : 1.0) : 1.0;
        double grow = -k * turn * share;
        double px = gx + grow * ax, py = gy + grow * ay, pz = gz + grow * az;
        double t2 = DOT(px, py, pz, px, py, pz), cap = mu * push;
        double cut = !limit && t2 > cap * cap ? cap / sqrt(t2 > 0.0 ? t2 : 1.0) : 1.0;
        cut *= on;
        px *= cut;
        py *= cut;
        pz *= cut;
        double gone =
            scree_max(depth[c], 0.0) - (growth ? scree_max(depth[c] - un, 0.0) : was[c] / k);
        double normal = (push + was[c]) * gone - (push * push - was[c] * was[c]) / k;
        int begun = new &((depth[c] <= un) | begins[c]), goes = !new &(push > 0.0) & !growth;
        normal = begun | goes ? 0.0 : normal; // elastic, to the last bit
        double held = DOT(px, py, pz, px, py, pz),
               work = -DOT(gx + px, gy + py, gz + pz, ax, ay, az);
        fx[c] = px - push * nx[c];
        fy[c] = py - push * ny[c];
        fz[c] = pz - push * nz[c];
        sx[c] = px;
        sy[c] = py;
        sz[c] = pz;
        sum[c] = push;
        stored[c] = 0.5 * (push * push + held) / k;
        lost[c] = 0.5 * rate * (normal + work - (held - h2) / k);
    }
}

#define ADD(growth, limit)                                                                         \
    add(b->n, growth, limit, self, b->since > 0.0 ? 1.0 / b->since : 0.0, b->materials, b->fresh,  \
        b->depth, SCREE_XYZ(b->normal), SCREE_XYZ(b->slip), SCREE_XYZ(b->in), b->in[3],            \
        SCREE_XYZ(b->out), b->out[3], SCREE_XYZ(b->f), b->stored, b->lost)

static int32_t compute(void *instance, const scree_contact_batch *b)
{
    const law *self = instance;
    if (self->as_printed == NOTHING)
        ADD(0, 0);
    else if (self->as_printed == GROWTH)
        ADD(1, 0);
    else if (self->as_printed == LIMIT)
        ADD(0, 1);
    else
        ADD(1, 1);
    return SCREE_OK;
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    const config *c = config_;
    uint64_t n = (uint64_t)host->n_materials * host->n_materials;
    law *self = malloc(sizeof *self + n * sizeof self->pairs[0]);
    if (!(*instance = self))
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the law");
    *self = (law){.host = host, .as_printed = c->as_printed};
    for (uint64_t k = 0; k < n; k++)
        self->pairs[k] = (pair){c->kn.v[k], c->friction.v[k]};
    return SCREE_OK;
}

static int32_t stiffness(void *instance, const scree_stiffness_query *q, scree_stiffness *out)
{
    const law *self = instance;
    out->kn = self->pairs[q->material_a * self->host->n_materials + q->material_b].k;
    out->kt = out->kn;
    return SCREE_OK;
}

// Tables for the host: parameters, fields, descriptor; a line each.
// clang-format off
SCREE_PAIR_PARAM(config, kn, "N/m", SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN | SCREE_PARAM_LIVE, 0, 1e30, HARMONIC,
    "stiffness k, normal and tangential");
SCREE_PAIR_PARAM(config, friction, "-", SCREE_PARAM_LIVE, 0, HUGE_VAL, MEAN, "Coulomb's friction coefficient");
SCREE_CHOICE_VALUE(nothing, NOTHING, "signed increments, friction on the sums");
SCREE_CHOICE_VALUE(growth, GROWTH, "eq. 4.4: increments without sign; restitution sqrt(3)");
SCREE_CHOICE_VALUE(limit, LIMIT, "eqs. 4.7, 4.8: friction on the increments; nothing holds on a slope");
SCREE_CHOICE_VALUE(both, BOTH, "both");
SCREE_CHOICE_PARAM(config, as_printed, SCREE_PARAM_LIVE, "nothing",
    "equations of the thesis that are taken as printed",
    &choice_nothing, &choice_growth, &choice_limit, &choice_both);
static const scree_param *const params[] = {&param_kn, &param_friction, &param_as_printed};
SCREE_FIELD(shear_force, CONTACT, 3, 1, "N", 0, "sum of the tangential increments, on a");
SCREE_FIELD(push, CONTACT, 1, 1, "N", 0, "sum of the normal increments, > 0 pushes apart");
static const scree_field *const fields[] = {&field_shear_force, &field_push};
static const scree_force_ops ops = {.size = sizeof ops, .create = create, .destroy = free,
    .compute = compute, .stiffness = stiffness};
static const scree_plugin incremental_penalty = {.size = sizeof incremental_penalty,
    .kind = SCREE_KIND_FORCE, .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3, .id = "incremental_penalty",
    .version = "1.0.0", .licence = "Apache-2.0",
    .help = "O'Connor's penalty forces, summed from increments",
    .summary = "Normal and tangential force grow by stiffness times displacement, Coulomb's limit is on "
               "the sums. Two equations of the thesis that do not work are there as options.",
    .citation = "R. O'Connor, A Distributed Discrete Element Modeling Environment, MIT 1996",
    .config_size = sizeof(config), .n_params = SCREE_COUNT(params), .n_fields = SCREE_COUNT(fields),
    .params = params, .fields = fields, .ops = &ops,
    .needs = SCREE_IN_SLIP | SCREE_IN_MATERIALS,
    .provides = SCREE_OUT_STORED | SCREE_OUT_LOST | SCREE_OUT_PARTED};
// clang-format on
SCREE_DEFINE_MANIFEST(&incremental_penalty);
