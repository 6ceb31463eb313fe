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
 * Cost     three sqrt, two divisions, vectorised; two sqrt more where contacts slide, which makes
 *          all of it 1.5 times as dear; contacts that begin or end are computed one by one.
 * Limits   pull = false: restitution exp(-2 zeta acos(zeta) / sqrt(1 - zeta^2)), above e [3].
 */
#include "scree/force_sdk.h"

enum { NONE, RESTITUTION, CONSTANT, MASS };
enum { DISPLACEMENT, NO_SPRING };
typedef struct config {
    scree_reals kn, kt, friction, restitution, damping_n, damping_t, gamma_n, gamma_t;
    int32_t damping, spring, cap, lever, sliding, pull;
} config;
typedef struct pair {
    double kn, kt, inv_kt, friction, cn, ct; // [N/m] [N/m] [m/N] [-]; see weigh()
    double slid;                             // mark of a contact that slides
} pair;
typedef struct law {
    const scree_host *host;
    double least, elastic;     // [N] fn is no less; 1: friction multiplies only the elastic force
    double rooted;             // 1: weigh() takes the root
    int32_t rule, lever, ones; // SCREE_SLIDE_*, SCREE_LEVER_*
    pair pairs[];              // [n_materials^2]
} law;
/** w of the dashpots cn w, ct w: sqrt(m), m or (whose m is 1) 1. */
static inline double weigh(const law *self, double m)
{
    return self->rooted > 0.0 ? sqrt(m) : m;
}

/** The law. force_sdk.h names the ways and the arrays; scratch: what scree_turn_springs() gives. */
SCREE_BODY void contacts(int way, int rule, int one, const law *SCREE_RESTRICT self, SCREE_ARRAYS)
{
    const double rate = since > 0.0 ? 1.0 / since : 0.0, *turn = scratch, *across = scratch + count;
    for (uint32_t c = from; c < to; c++) {
        const pair *p = self->pairs + (one ? 0 : material[c]);
        scree_vec n = SCREE_AT(n, c), v = SCREE_AT(v, c), u = SCREE_AT(u, c), h = SCREE_AT(h, c);
        double w = weigh(self, weight[c]), kn = p->kn, kt = p->kt, cn = p->cn * w, ct = p->ct * w;
        double vn = scree_dot(v, n), un = scree_dot(u, n), by = scree_max(turn[c], 0.0);
        double elastic = kn * depth[c], whole = elastic + cn * vn; // vn: approach
        double fn = scree_max(self->least, whole), push = (fn - elastic) * vn, touch = 1.0;
        double cap = p->friction * (self->elastic > 0.0 ? elastic : fn);
        scree_vec t = scree_less(v, vn, n); // 1. and 2.: turn (h - h·n n) + u - u·n n
        scree_vec turned = scree_scaled(by, h), in_plane = scree_less(turned, across[c], n);
        scree_vec q = scree_less(scree_sum(turned, u), un + across[c], n);
        scree_vec d = scree_scaled(ct, t), g = scree_less(scree_scaled(-kt, q), 1.0, d), s = q;
        double t2 = scree_dot(t, t), end = scree_max(-scree_min(depth[c], turn[c]), fn - whole);
        if (way == SCREE_STICKS) {
            lost[c] = push + ct * scree_lag(kt, mass[c], since) * t2;
            mark[c] = scree_max(scree_dot(g, g) - cap * cap, end);
        } else { // 3.
            double limit = fabs(cap), speed = sqrt(t2), pull = kt * scree_dot(h, t);
            double most = (self->elastic > 0.0 ? elastic : whole) - kn * since * vn;
            most = p->friction * fabs(scree_max(self->least, most));
            scree_cut cut = scree_cut_of(rule, limit, kt, p->inv_kt, ct, d, t, t2, q, in_plane, g,
                                         mass[c], since);
            double slid = scree_slide_heat(rule, cut, ct, limit, most, speed, pull);
            lost[c] = push + (cut.slides ? slid : cut.drag) + 0.5 * kt * rate * cut.spring;
            s = cut.s, g = cut.g;
            mark[c] = scree_max(end > 0.0 ? 2.0 : 0.0, p->slid * (cut.slides ? 1.0 : 0.0));
            if (way == SCREE_ENDS) {
                int touches = depth[c] >= 0.0, stays = parted || (touches && !fresh[c]);
                double now = touches ? 0.75 : 0.0, then = stays ? 0.25 : 0.0;
                double room = vn < 0.0 ? elastic - self->least : HUGE_VAL;
                touch = touches ? 1.0 : 0.0, s = scree_scaled(touch, s), u = scree_less(u, un, n);
                lost[c] = scree_dashpot_heat(room, cn, fabs(vn), now) +
                          scree_dashpot_heat(room - kn * since * vn, cn, fabs(vn), then) +
                          scree_end_heat(cut, kt, ct, limit, most, speed, pull, now, then) +
                          0.5 * kt * rate * scree_spring_loss(h, q, u, s);
                SCREE_NOT_VECTORISED;
            }
        }
        scree_vec f = scree_scaled(touch, scree_less(g, fn, n));
        SCREE_PUT(s, c, s), SCREE_PUT(f, c, f);
        stored[c] = touch * 0.5 * (elastic * depth[c] + kt * scree_dot(s, s));
    }
}

SCREE_DEFINE_KERNELS(kernels, contacts)

static int32_t compute(void *instance, const scree_contact_batch *b)
{
    const law *self = instance;
    scree_contact_batch longer; // arms
    uint64_t n = b->n, rooms = self->lever == SCREE_LEVER_RADIUS ? 12 : 4;
    double *room = self->host->scratch(self->host->ctx, b->lane, rooms * n * sizeof *room);
    if (!room && n)
        return self->host->fail(self->host->ctx, SCREE_E_MEMORY, "no memory for a batch");
    if (self->lever == SCREE_LEVER_RADIUS)
        longer = *b, b = &longer, scree_lever_lengthen(&longer, room + 4 * n);
    if (self->ones)
        for (uint64_t c = 0; c < n; c++)
            room[3 * n + c] = 1.0;
    scree_turn_springs(b->n, SCREE_XYZ(b->normal), SCREE_XYZ(b->in), room, room + n);
    scree_run_kernels(kernels[self->rule][self->host->n_materials == 1], self, b, room,
                      self->ones ? room + 3 * n : b->mass, room + 2 * n,
                      self->rule == SCREE_SLIDE_SPRING);
    if (self->lever == SCREE_LEVER_RADIUS)
        scree_lever_couples(b, room + 4 * n);
    return SCREE_OK;
}

static int32_t uses(void *instance, uint64_t *needs, uint64_t *provides)
{
    return scree_lever_uses(((const law *)instance)->lever, 0, needs, provides);
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    const config *c = config_;
    uint64_t n = (uint64_t)host->n_materials * host->n_materials;
    law *self = *instance = calloc(1, sizeof *self + n * sizeof *self->pairs);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the table of material pairs");
    self->host = host, self->least = c->pull ? -HUGE_VAL : 0.0, self->lever = c->lever;
    self->rule = c->spring == NO_SPRING ? SCREE_SLIDE_DASHPOT : c->sliding;
    self->rooted = c->damping == RESTITUTION ? 1.0 : 0.0, self->ones = c->damping == CONSTANT;
    self->elastic = c->cap == SCREE_CAP_ELASTIC ? 1.0 : 0.0;
    for (uint64_t k = 0; k < n; k++) {
        double kn = c->kn.v[k], kt = isnan(c->kt.v[k]) ? 2.0 / 7.0 * kn : c->kt.v[k];
        double log_e = fabs(log(c->restitution.v[k])), square = M_PI * M_PI + log_e * log_e;
        double zeta = isinf(log_e) ? 1.0 : log_e / sqrt(square); // [3] eq. 7
        double cn[] = {0.0, 2.0 * zeta * sqrt(kn), c->damping_n.v[k], c->gamma_n.v[k]};
        double ct[] = {0.0, 2.0 * zeta * sqrt(2.0 / 7.0 * kt), c->damping_t.v[k], c->gamma_t.v[k]};
        double held = c->spring == NO_SPRING ? 0.0 : kt, inv_kt = held > 0.0 ? 1.0 / held : 0.0;
        double slid = self->rule == SCREE_SLIDE_DASHPOT || held > 0.0 ? SCREE_SLIDES : SCREE_ENDS;
        self->pairs[k] =
            (pair){kn, held, inv_kt, c->friction.v[k], cn[c->damping], ct[c->damping], slid};
    }
    return SCREE_OK;
}

static int32_t stiffness(void *instance, const scree_stiffness_query *q, scree_stiffness *out)
{
    const law *self = instance;
    const pair *p = &self->pairs[q->material_a * self->host->n_materials + q->material_b];
    double w = weigh(self, self->ones ? 1.0 : q->mass);
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
SCREE_CHOICE_VALUE(displacement, DISPLACEMENT, "kt times the slip since touch");
static const scree_choice no_spring = {sizeof no_spring, NO_SPRING, "none",
    "none: a dashpot without history, cut at the limit; LAMMPS gran/hooke"};
SCREE_CHOICE_PARAM(config, spring, SCREE_LIVE, "displacement", "the tangential spring",
    &choice_displacement, &no_spring);
SCREE_CAP_PARAM(config, cap);
SCREE_SLIDING_PARAM(config, sliding, "total");
SCREE_LEVER_PARAM(config, lever);
SCREE_BOOL_PARAM(config, pull, SCREE_LIVE, 1, "the normal dashpot may pull as an impact ends");
static const scree_param *const params[] = {&param_kn, &param_kt, &param_friction, &param_damping,
    &param_restitution, &param_damping_n, &param_damping_t, &param_gamma_n, &param_gamma_t,
    &param_spring, &param_cap, &param_sliding, &param_lever, &param_pull};
SCREE_FIELD(shear_spring, CONTACT, 3, 1, "m", 0, "tangential spring, displacement of a against b");
static const scree_field *const fields[] = {&field_shear_spring};
static const scree_force_ops ops = {.size = sizeof ops, .create = create, .destroy = free,
    .compute = compute, .stiffness = stiffness, .uses = uses};
static const scree_plugin linear = {.size = sizeof linear, .kind = SCREE_KIND_FORCE,
    .dimensions = SCREE_2D | SCREE_3D, .id = "linear", .version = "1.0.0", .licence = "Apache-2.0",
    .help = "linear spring and dashpot, tangential spring with history, Coulomb friction",
    .summary = "The restitution is the same at any speed; tangential springs slide at Coulomb's limit.",
    .citation = "Cundall, Strack 1979, Geotechnique 29, 47, doi:10.1680/geot.1979.29.1.47",
    .config_size = sizeof(config), .n_params = SCREE_COUNT(params), .n_fields = SCREE_COUNT(fields),
    .params = params, .fields = fields, .ops = &ops,
    .needs = SCREE_IN_VELOCITY | SCREE_IN_SLIP | SCREE_IN_MASS | SCREE_IN_MATERIALS |
             SCREE_IN_CURVATURE | SCREE_IN_ARM,
    .provides = SCREE_OUT_STORED | SCREE_OUT_LOST | SCREE_OUT_PARTED | SCREE_OUT_COUPLE |
        SCREE_OUT_COUPLE_B};
// clang-format on
SCREE_DEFINE_MANIFEST(&linear);
