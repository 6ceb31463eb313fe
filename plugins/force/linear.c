/* SPDX-License-Identifier: Apache-2.0 */
/*
 * linear: springs and dashpots, the tangential ones cut at Coulomb's limit. The exemplar: copy it.
 *
 * Sources  [1] Cundall, Strack 1979, Geotechnique 29, 47: springs, dashpots, limit on the total.
 *          [2] Luding 2008, Granular Matter 10, 235: spring turned with the plane, sliding.
 *          [3] Schwager, Poeschel 2007, Granular Matter 9, 465: restitution of spring and dashpot.
 *          [4] Stronge 2000, Impact Mechanics, chapter 4: the inverse mass of a contact point.
 * Idea     fn = kn depth + cn v·n;  ft = -kt s - ct vt, cut to |ft| <= mu |fn|;  f = -fn n + ft.
 *          This file has the normal force and the limit mu |fn|; friction_sdk.h the spring s.
 * Damping  `restitution`: c = 2 zeta sqrt(m k), zeta = -ln e / sqrt(pi^2 + ln^2 e) [3], with 2/7 m
 *          and kt in the plane; `constant`: c given; `mass`: c = gamma m. m: effective mass, or by
 *          `mass` that at the contact point: then e off centre is that of head-on impacts [4].
 * Energy   stored = kn depth^2 / 2 + kt s^2 / 2; lost = heat of dashpots, of sliding, and of
 *          springs that end.
 * Cost     three sqrt and two divisions per contact, vectorised; two sqrt more where it slides.
 *          Contacts that begin or end are computed one by one.
 * Limits   pull = false: restitution exp(-2 zeta acos(zeta) / sqrt(1 - zeta^2)), above e [3].
 */
#include "scree/friction_sdk.h"

enum { NONE, RESTITUTION, CONSTANT, MASS };
enum { DISPLACEMENT, NO_SPRING };

typedef struct config {
    scree_reals kn, kt, friction, restitution, damping_n, damping_t, gamma_n, gamma_t;
    int32_t damping, spring, cap, lever, mass, sliding, pull, reserved;
} config;

typedef struct pair {
    double kn, kt, inv_kt, friction; // [N/m] [N/m] [m/N] [-]
    double cn, ct;                   // of the dashpots: factors of w, see weigh()
    double slid;                     // see scree_slid_mark()
} pair;

/** m of a dashpot lies within bounds: `constant` takes 1 for every mass. */
typedef struct weighing {
    double least, most; // [kg]
    double rooted;      // 1: w = sqrt(m), else w = m
} weighing;

typedef struct law {
    const scree_host *host;
    weighing by_mass;
    double least;                        // [N] lower bound of fn
    double elastic;                      // 1: friction multiplies only the elastic force
    int32_t rule, lever, mass, reserved; // SCREE_SLIDE_*, SCREE_LEVER_*, SCREE_MASS_*
    pair pairs[];                        // [n_materials^2]
} law;

static inline double weigh(const weighing *k, double mass)
{
    double m = scree_min(scree_max(mass, k->least), k->most);
    return k->rooted > 0.0 ? sqrt(m) : m;
}

/** The law. friction_sdk.h explains `way`, `rule`, `one` and the rows of `room`. */
SCREE_BODY void contacts(int way, int rule, int one, const law *self, const scree_contact_batch *b,
                         double *room, uint32_t from, uint32_t to)
{
    const double least = self->least, capped = self->elastic, since = b->since;
    const weighing by_mass = self->by_mass;
    const uint32_t *SCREE_RESTRICT materials = b->materials;
    const pair *pairs = self->pairs, first = pairs[0];
    double *mark = room + SCREE_ROW_MARK * (uint64_t)b->n;
    SCREE_INDEPENDENT
    for (uint32_t c = from; c < to; c++) {
        const pair *p = one ? &first : pairs + materials[c];
        scree_touch at = scree_touch_at(b, room, since, c);
        double w = weigh(&by_mass, at.mass);
        double cn = p->cn * w;
        double vn = scree_dot(at.v, at.n); // > 0: approach
        double elastic = p->kn * at.depth;
        double whole = elastic + cn * vn;
        double fn = scree_max(least, whole);
        double then = (capped > 0.0 ? elastic : whole) - p->kn * since * vn; // the force a step ago
        scree_friction k;
        k.push = (fn - elastic) * vn;
        if (way == SCREE_ENDS)
            k.push = scree_end_push(&at, vn, p->kn, cn, elastic, least);
        k.kt = p->kt;
        k.inv_kt = p->inv_kt;
        k.ct = p->ct * w;
        k.limit = p->friction * (capped > 0.0 ? elastic : fn);
        k.limit_then = p->friction * fabs(scree_max(least, then));
        k.slid = p->slid;
        k.raised = fn - whole;
        scree_grip grip = scree_grip_of(way, rule, &at, vn, &k);
        scree_vec_put(b->out, c, grip.spring);
        // The normal is read again after a write, because it would occupy three registers until
        // here.
        scree_vec f = scree_less(grip.force, fn, scree_vec_at(b->normal, c));
        scree_vec_put(b->f, c, scree_scaled(grip.touches, f));
        double springs = elastic * at.depth + p->kt * scree_dot(grip.spring, grip.spring);
        b->stored[c] = grip.touches * 0.5 * springs;
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

static int32_t narrow(void *instance, scree_demands *demands)
{
    const law *self = instance;
    scree_mass_narrow(self->mass, demands);
    if (self->lever == SCREE_LEVER_CONTACT)
        demands->needs &= ~(uint64_t)SCREE_IN_LEVER_RADIUS;
    return SCREE_OK;
}

static pair pair_of(const config *c, int rule, uint64_t k)
{
    double kn = c->kn.v[k];
    double kt = isnan(c->kt.v[k]) ? 2.0 / 7.0 * kn : c->kt.v[k];
    double log_e = fabs(log(c->restitution.v[k]));
    double zeta = isinf(log_e) ? 1.0 : log_e / sqrt(M_PI * M_PI + log_e * log_e); // [3] eq. 7
    double cn[] = {0.0, 2.0 * zeta * sqrt(kn), c->damping_n.v[k], c->gamma_n.v[k]};
    double ct[] = {0.0, 2.0 * zeta * sqrt(2.0 / 7.0 * kt), c->damping_t.v[k], c->gamma_t.v[k]};
    pair p = {.kn = kn, .friction = c->friction.v[k], .cn = cn[c->damping], .ct = ct[c->damping]};
    if (c->spring == DISPLACEMENT && kt > 0.0) {
        p.kt = kt;
        p.inv_kt = 1.0 / kt;
    }
    p.slid = scree_slid_mark(rule, p.kt);
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
    self->by_mass.most = HUGE_VAL;
    if (c->damping == RESTITUTION)
        self->by_mass.rooted = 1.0;
    if (c->damping == CONSTANT)
        self->by_mass.least = self->by_mass.most = 1.0;
    self->rule = c->spring == NO_SPRING ? SCREE_SLIDE_DASHPOT : c->sliding;
    self->lever = c->lever;
    self->mass = c->mass;
    for (uint64_t k = 0; k < n; k++)
        self->pairs[k] = pair_of(c, self->rule, k);
    return SCREE_OK;
}

static int32_t stiffness(void *instance, const scree_stiffness_query *q, scree_stiffness *out)
{
    const law *self = instance;
    const pair *p = &self->pairs[q->material_a * self->host->n_materials + q->material_b];
    double w = weigh(&self->by_mass, q->mass);
    out->kn = p->kn;
    out->kt = p->kt;
    out->cn = p->cn * w;
    out->ct = p->ct * w;
    return SCREE_OK;
}

// Tables for the host: parameters, field, descriptor; a line each.
// clang-format off
#define PAIR(id, unit, f, ...) SCREE_PAIR_PARAM(config, id, unit, (f) | SCREE_PARAM_LIVE, __VA_ARGS__)
PAIR(kn, "N/m", SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN, 0, 1e30, HARMONIC, "normal stiffness");
PAIR(kt, "N/m", SCREE_PARAM_OPTIONAL, 0, 1e30, HARMONIC, "tangential stiffness; 2/7 kn if not given");
PAIR(friction, "-", 0, 0, HUGE_VAL, MEAN, "Coulomb's friction coefficient");
PAIR(restitution, "-", 0, 1, 1, GEOMETRIC, "restitution of a head-on impact (damping = \"restitution\")");
PAIR(damping_n, "N s/m", 0, 0, HUGE_VAL, MEAN, "normal dashpot (\"constant\")");
PAIR(damping_t, "N s/m", 0, 0, HUGE_VAL, MEAN, "tangential dashpot (\"constant\")");
PAIR(gamma_n, "1/s", 0, 0, HUGE_VAL, MEAN, "normal dashpot per effective mass (\"mass\")");
PAIR(gamma_t, "1/s", 0, 0, HUGE_VAL, MEAN, "tangential dashpot per effective mass (\"mass\")");
SCREE_CHOICE_VALUE(none, NONE, "no dashpots");
SCREE_CHOICE_VALUE(restitution, RESTITUTION, "from e");
SCREE_CHOICE_VALUE(constant, CONSTANT, "given, in N s/m");
SCREE_CHOICE_VALUE(mass, MASS, "gamma times effective mass");
SCREE_CHOICE_PARAM(config, damping, SCREE_PARAM_LIVE, "restitution", "where the dashpots come from",
    &choice_none, &choice_restitution, &choice_constant, &choice_mass);
SCREE_CHOICE_VALUE(displacement, DISPLACEMENT, "kt times the slip since touch");
static const scree_choice no_spring = {sizeof no_spring, NO_SPRING, "none",
    "a dashpot without history, cut at the limit; LAMMPS gran/hooke"};
SCREE_CHOICE_PARAM(config, spring, SCREE_PARAM_LIVE, "displacement", "the tangential spring",
    &choice_displacement, &no_spring);
SCREE_LIMIT_PARAM(config, cap);
SCREE_SLIDING_PARAM(config, sliding);
SCREE_LEVER_PARAM(config, lever);
SCREE_MASS_PARAM(config, mass);
SCREE_BOOL_PARAM(config, pull, SCREE_PARAM_LIVE, 1, "the normal dashpot may pull as an impact ends");
static const scree_param *const params[] = {&param_kn, &param_kt, &param_friction, &param_damping,
    &param_restitution, &param_damping_n, &param_damping_t, &param_gamma_n, &param_gamma_t,
    &param_spring, &param_cap, &param_sliding, &param_lever, &param_mass, &param_pull};
SCREE_FIELD(shear_spring, CONTACT, 3, 1, "m", 0, "tangential spring, displacement of a against b");
static const scree_field *const fields[] = {&field_shear_spring};
static const scree_force_ops ops = {.size = sizeof ops, .create = create, .destroy = free,
    .compute = compute, .stiffness = stiffness, .narrow = narrow};
static const scree_plugin linear = {.size = sizeof linear, .kind = SCREE_KIND_FORCE,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3, .id = "linear", .version = "1.0.0", .licence = "Apache-2.0",
    .help = "linear spring and dashpot, tangential spring with history, Coulomb friction",
    .summary = "The restitution is the same at any speed; tangential springs slide at Coulomb's limit.",
    .citation = "Cundall, Strack 1979, Geotechnique 29, 47, doi:10.1680/geot.1979.29.1.47",
    .config_size = sizeof(config), .n_params = SCREE_COUNT(params), .n_fields = SCREE_COUNT(fields),
    .params = params, .fields = fields, .ops = &ops,
    .needs = SCREE_IN_VELOCITY | SCREE_IN_SLIP | SCREE_IN_MASS | SCREE_IN_MASS_POINT | SCREE_IN_MATERIALS |
             SCREE_IN_LEVER_RADIUS,
    .provides = SCREE_OUT_STORED | SCREE_OUT_LOST | SCREE_OUT_PARTED};
// clang-format on
SCREE_DEFINE_MANIFEST(&linear);
