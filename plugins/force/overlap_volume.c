// SPDX-License-Identifier: Apache-2.0
/*
 * overlap_volume: the volume in which bodies in space overlap, times the cut through it; Coulomb friction.
 *
 * Sources  [1] Feng 2021, An energy-conserving contact theory for discrete element modelling of
 *              arbitrarily shaped particles: contact volume based model, Computer Methods in Applied
 *              Mechanics and Engineering 373: the gradient of a function w(V) of the volume V.
 *          [2] Cundall, Strack 1979, Geotechnique 29, 47: tangential springs, limit on the total.
 * Idea     dV = A n·dx + T n·dr (resolver.h), so that w(V) has the force w' A on the point, and the
 *          couple w' T about the normal: exactly conservative, for any shape [1].
 *          quadratic: w = k V^2 / 2, fn = k V A. linear: w = p V, fn = p A: a pressure; a face on a face
 *          then pushes as hard at any depth, so that it has no place of rest, but corners have.
 *          ft = -kt s - ct vt, cut to |ft| <= mu |fn|, as in force/linear [2].
 * Damping  on A v·n, the growth rate of V at the point: the dashpot is gamma A^2 (`constant`), or 2
 *          zeta sqrt(m K) with K = k A^2, or p A^2 / V (`ratio`).
 * Energy   stored = w + kt s^2 / 2. lost: heat of the dashpot, by the mean of its committed and its
 *          current force, times v·n, as in force/overlap_area.
 * Cost     that of force/linear, plus one sqrt and two fields of contacts.
 * Limits   a body that is wholly inside the other has no cut, and no force. Without a twist from
 *          the resolver the twist counts as 0, which is right for balls. The energy of other bodies
 *          is not kept then.
 */
#include "scree/friction_sdk.h"

enum { QUADRATIC, LINEAR };
enum { NONE, RATIO, CONSTANT };

typedef struct config {
    scree_reals k, pressure, kt, friction, damping_ratio, damping_n, damping_t;
    int32_t form, damping, mass, sliding, cap, pull;
} config;

typedef struct pair {
    double k;                // [N/m^5], linear: [Pa]
    double kt, inv_kt;       // [N/m] [m/N]
    double gamma, twice, ct; // [N s/m^5] [-] 2 zeta [N s/m]
    double friction, slid;   // [-] see scree_slid_mark()
} pair;

typedef struct law {
    const scree_host *host;
    double least;   // [N] lower bound of fn
    double elastic; // 1: friction multiplies only the elastic force
    int32_t form, rule, mass, reserved;
    pair pairs[]; // [n_materials^2]
} law;

/** The law. friction_sdk.h explains `way`, `rule`, `one` and the rows of `room`. */
SCREE_BODY void contacts(int way, int rule, int one, const law *self, const scree_contact_batch *b,
                         double *room, uint32_t from, uint32_t to)
{
    const int form = self->form; // no kernel for each form: those took half of the build
    const double least = self->least, capped = self->elastic, since = b->since;
    const uint32_t *SCREE_RESTRICT materials = b->materials;
    const pair *pairs = self->pairs, first = pairs[0];
    double *mark = room + SCREE_ROW_MARK * (uint64_t)b->n;
    SCREE_INDEPENDENT
    for (uint32_t c = from; c < to; c++) {
        const pair *p = one ? &first : pairs + materials[c];
        scree_touch at = scree_touch_at(b, room, since, c);
        const double volume = b->volume[c], area = b->area[c];
        const double slope = form == LINEAR ? p->k : p->k * volume; // [N/m^2] w'
        const double square = area * area;
        const double kn = // [N/m] stiffness of the point along n
            p->k * square / (form == LINEAR ? scree_max(volume, 1e-300) : 1.0);
        const double cn = p->gamma * square + p->twice * sqrt(kn * at.mass);
        const double vn = scree_dot(at.v, at.n); // > 0: approach
        const double elastic = slope * area;
        const double fn = scree_max(least, elastic + cn * vn), dash = fn - elastic;
        const double fn_then = b->in[3][c], dash_then = b->in[4][c]; // 0 when a contact begins
        scree_friction k;
        k.push = 0.5 * (dash_then + dash) * vn;
        k.kt = p->kt;
        k.inv_kt = p->inv_kt;
        k.ct = p->ct;
        k.limit = p->friction * (capped > 0.0 ? elastic : fn);
        k.limit_then = p->friction * fabs(capped > 0.0 ? fn_then - dash_then : fn_then);
        k.slid = p->slid;
        k.raised = 0.0; // `push` is right for a cut dashpot, too
        scree_grip grip = scree_grip_of(way, rule, &at, vn, &k);
        scree_vec_put(b->out, c, grip.spring);
        b->out[3][c] = fn;
        b->out[4][c] = dash;
        scree_vec f = scree_less(grip.force, fn, scree_vec_at(b->normal, c));
        scree_vec_put(b->f, c, scree_scaled(grip.touches, f));
        scree_vec_put(
            b->couple, c,
            scree_scaled(-grip.touches * slope * b->twist[c], scree_vec_at(b->normal, c)));
        const double energy = (form == LINEAR ? 1.0 : 0.5) * slope * volume;
        const double spring = 0.5 * p->kt * scree_dot(grip.spring, grip.spring);
        b->stored[c] = grip.touches * (energy + spring);
        b->lost[c] = grip.lost;
        mark[c] = grip.mark;
    }
}

SCREE_DEFINE_KERNELS(kernels, contacts)

static void run(const void *instance, const scree_contact_batch *b, double *room)
{
    const law *self = instance;
    const int one = self->host->n_materials == 1;
    scree_turn_rows(b, room);
    scree_run_kernels(kernels[self->rule][one], self, b, room, self->rule == SCREE_SLIDE_SPRING);
}

static int32_t compute(void *instance, const scree_contact_batch *b)
{
    const law *self = instance;
    return scree_run_batch(self->host, self, b, 0, run);
}

static pair pair_of(const config *c, uint64_t i)
{
    pair p = {.k = c->form == QUADRATIC ? c->k.v[i] : c->pressure.v[i],
              .kt = c->kt.v[i],
              .ct = c->damping_t.v[i],
              .friction = c->friction.v[i]};
    p.inv_kt = p.kt > 0.0 ? 1.0 / p.kt : 0.0;
    p.gamma = c->damping == CONSTANT ? c->damping_n.v[i] : 0.0;
    p.twice = c->damping == RATIO ? 2.0 * c->damping_ratio.v[i] : 0.0;
    p.slid = scree_slid_mark(c->sliding, p.kt);
    return p;
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    const config *c = config_;
    uint64_t n = (uint64_t)host->n_materials * host->n_materials;
    law *self = calloc(1, sizeof *self + n * sizeof *self->pairs);
    *instance = self;
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the table of material pairs");
    self->host = host;
    self->least = c->pull ? -HUGE_VAL : 0.0;
    self->elastic = c->cap == SCREE_LIMIT_ELASTIC ? 1.0 : 0.0;
    self->form = c->form;
    self->rule = c->sliding;
    self->mass = c->mass;
    for (uint64_t i = 0; i < n; i++) {
        self->pairs[i] = pair_of(c, i);
        if (isnan(self->pairs[i].k))
            return scree_failf(
                host, SCREE_E_CONFIG,
                "materials number %u and %u of the scene: expected %s above 0, got none",
                (unsigned)(i / host->n_materials), (unsigned)(i % host->n_materials),
                c->form == QUADRATIC ? "k [N/m^5] (form = \"quadratic\")"
                                     : "pressure [Pa] (form = \"linear\")");
    }
    return SCREE_OK;
}

/** The slope of w' A, and w'' A^2 of the dashpot. A known force bounds them by 3 fn / depth, the
 * value of balls, whose V grows as depth^2; with depth = V / A the factor is 1 for flat cuts and
 * 5/3 for corners. Otherwise the smaller ball around the bodies bounds them: A <= pi r^2, dA <= 2
 * pi r, V <= 4 pi r^3 / 3. */
static int32_t stiffness(void *instance, const scree_stiffness_query *q, scree_stiffness *out)
{
    const law *self = instance;
    const pair *p = &self->pairs[q->material_a * self->host->n_materials + q->material_b];
    const double a = q->radius_a > 0.0 ? q->radius_a : q->radius_b;
    const double b = q->radius_b > 0.0 ? q->radius_b : q->radius_a;
    const double radius = scree_min(a, b), area = 3.141592653589793 * radius * radius;
    const double most = p->k * area * (self->form == LINEAR ? 4.0 / radius : 4.0 * area);
    const double known = q->depth > 0.0 ? 3.0 * q->normal_force / q->depth : 0.0;
    out->kn = known > 0.0 ? scree_min(known, most) : most;
    out->kt = p->kt;
    out->cn = p->gamma * area * area + p->twice * sqrt(out->kn * q->mass);
    out->ct = p->ct;
    return SCREE_OK;
}

static int32_t uses(void *instance, uint64_t *needs, uint64_t *provides)
{
    (void)provides;
    scree_mass_uses(((const law *)instance)->mass, needs);
    return SCREE_OK;
}

// Tables for the host: parameters, field, descriptor; a line each.
// clang-format off
#define PAIR(id, unit, f, ...) SCREE_PAIR_PARAM(config, id, unit, (f) | SCREE_PARAM_LIVE, __VA_ARGS__)
PAIR(k, "N/m^5", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 1e30, HARMONIC, "force per volume and area (form = \"quadratic\")");
PAIR(pressure, "Pa", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 1e30, HARMONIC, "force per area, energy per volume (form = \"linear\")");
PAIR(kt, "N/m", SCREE_PARAM_REQUIRED, 0, 1e30, HARMONIC, "tangential stiffness");
PAIR(friction, "-", 0, 0, HUGE_VAL, MEAN, "Coulomb's friction coefficient");
PAIR(damping_ratio, "-", 0, 0, HUGE_VAL, MEAN, "share of critical damping (damping = \"ratio\")");
PAIR(damping_n, "N s/m^5", 0, 0, HUGE_VAL, MEAN, "force per growth of the volume and area (\"constant\")");
PAIR(damping_t, "N s/m", 0, 0, HUGE_VAL, MEAN, "tangential dashpot");
SCREE_CHOICE_VALUE(quadratic, QUADRATIC, "k V A: the gradient of k V^2 / 2");
SCREE_CHOICE_VALUE(linear, LINEAR, "p A: the gradient of p V");
SCREE_CHOICE_PARAM(config, form, SCREE_PARAM_LIVE, "quadratic", "the elastic force", &choice_quadratic, &choice_linear);
SCREE_CHOICE_VALUE(none, NONE, "no dashpot along the normal");
SCREE_CHOICE_VALUE(ratio, RATIO, "from the critical one at the area of the contact");
SCREE_CHOICE_VALUE(constant, CONSTANT, "given, in N s/m^5");
SCREE_CHOICE_PARAM(config, damping, SCREE_PARAM_LIVE, "ratio", "where the normal dashpot comes from",
    &choice_none, &choice_ratio, &choice_constant);
SCREE_MASS_PARAM(config, mass);
SCREE_LIMIT_PARAM(config, cap);
SCREE_SLIDING_PARAM(config, sliding);
SCREE_BOOL_PARAM(config, pull, SCREE_PARAM_LIVE, 1, "the normal dashpot may pull as an impact ends");
static const scree_param *const params[] = {&param_k, &param_pressure, &param_kt, &param_friction, &param_form,
    &param_damping, &param_damping_ratio, &param_damping_n, &param_damping_t, &param_mass,
    &param_sliding, &param_cap, &param_pull};
SCREE_FIELD(shear_spring, CONTACT, 3, 1, "m", 0, "tangential spring, displacement of a against b");
SCREE_FIELD(normal_force, CONTACT, 1, 1, "N", 0, "along the normal, > 0 pushes apart");
SCREE_FIELD(dashpot_force, CONTACT, 1, 1, "N", 0, "the part of it that the dashpot has");
static const scree_field *const fields[] = {&field_shear_spring, &field_normal_force,
    &field_dashpot_force};
static const scree_force_ops ops = {.size = sizeof ops, .create = create, .destroy = free,
    .compute = compute, .stiffness = stiffness, .uses = uses};
static const scree_plugin overlap_volume = {.size = sizeof overlap_volume, .kind = SCREE_KIND_FORCE,
    .dimensions = SCREE_DIMENSION_3, .id = "overlap_volume", .version = "0.1.0", .licence = "Apache-2.0",
    .help = "by the volume of the overlap, for solids; tangential spring with history, Coulomb friction",
    .summary = "The force k V A is the gradient of k V^2 / 2, for any shape; or p A, that of p V.",
    .citation = "Feng 2021, An energy-conserving contact theory for discrete element modelling of arbitrarily "
        "shaped particles: contact volume based model, Computer Methods in Applied Mechanics and Engineering 373",
    .config_size = sizeof(config), .n_params = SCREE_COUNT(params), .n_fields = SCREE_COUNT(fields),
    .params = params, .fields = fields, .ops = &ops,
    .needs = SCREE_IN_VELOCITY | SCREE_IN_SLIP | SCREE_IN_MASS | SCREE_IN_MASS_POINT | SCREE_IN_MATERIALS | SCREE_IN_AREA |
             SCREE_IN_VOLUME | SCREE_IN_TWIST | SCREE_IN_OVERLAP,
    .provides = SCREE_OUT_COUPLE | SCREE_OUT_STORED | SCREE_OUT_LOST | SCREE_OUT_PARTED};
// clang-format on
SCREE_DEFINE_MANIFEST(&overlap_volume);
