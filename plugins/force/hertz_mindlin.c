/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hertz_mindlin: Hertz's normal force, Mindlin's tangential spring with history, dashpots from the
 * restitution, Coulomb's limit. Where textbooks leave a choice open it is an option.
 *
 * Sources  [1] Hertz 1882, J. reine angew. Math. 92, 156: the normal force of two elastic balls.
 *          [2] Mindlin, Deresiewicz 1953, J. Appl. Mech. 20, 327: tangential stiffness 8 G* a.
 *          [3] Tsuji, Tanaka, Ishida 1992, Powder Technol. 71, 239: dashpot ~ depth^(1/4).
 *          [4] Antypov, Elliott 2011, Europhys. Lett. 94, 50004: its restitution, exact.
 *          [5] Elata, Berryman 1996, Mech. Mater. 24, 229: springs that make energy of nothing.
 *          [6] Schwager, Poeschel 2007, Granular Matter 9, 465: dashpots that may not pull.
 * Idea     a = sqrt(R depth), 1/R = 1/r_a + 1/r_b;   kn = 2 E* a, kt = 8 G* a (tangents),
 *          1/E* = sum (1 - nu^2) / E,   1/G* = sum (2 - nu) / G,   G = E / 2 (1 + nu);
 *          fn = 2/3 kn depth + cn v·n;  ft = -kt s - ct vt, cut to mu times fn;  f = -fn n + ft.
 * Spring   the displacement s, with the force kt s, and the radius a of the last step. At the next
 *          a the spring is g s, turned into the new contact plane, plus the slip since then:
 *            displacement            g = 1: the force follows a, up and down
 *            displacement_rescaled   g = a / a_old if a falls, else 1
 *            increments              g = a_old / a: the force stays, slip adds kt of its moment
 *            increments_rescaled     g = 1 if a falls (the force falls with a), else a_old / a
 *          The default is the first, as in the codes that Chung and Ooi 2011 compare. Only the last
 *          never makes energy [5]: the first gains it by shearing, pressing and shearing back, the
 *          third by pressing, shearing and releasing.
 * Sliding  The part of the force that the limit cuts, and s afterwards:
 *            each the force kt s + ct vt, and kt s by itself if it is also beyond the limit
 *            total    that force; kt s = -ft - ct vt with the cut ft: LAMMPS, Luding 2008
 *            spring   kt s; what slides has no dashpot, what does not has no limit: LIGGGHTS
 *          The default is the first: with `total` a fast start draws the spring the other way,
 *          which holds back the sliding as kt grows.
 * Damping  c = 2 sqrt(5/6) zeta sqrt(m k), zeta = -ln e / sqrt(pi^2 + ln^2 e): e is that of a
 *          head-on impact at any speed [4]. This is exact: with y ~ depth^(5/4) as coordinate and
 *          the speed of approach as velocity the contact is a linear oscillator. m: effective mass,
 *          at a wall the body's; or that at the contact point, by `mass`.
 * Lever    of a body: its arm to the contact point, or to its own surface, which is the radius of a
 *          ball (SCREE_IN_LEVER_RADIUS); other codes use this to avoid ratcheting by changing arms.
 * Energy   stored = 2/5 of fn depth + kt s^2 / 2; lost = heat of dashpots and of sliding, energy
 *          taken from the spring by g and the change of kt, and springs that end.
 * Cost     four sqrt and four divisions, vectorised; contacts that begin or end are computed one
 *          by one. `meson test --benchmark law-hertz_mindlin.x86-64-v3` compares with force/linear.
 * Limits   a << r; discs count as balls of their radius. With pull = false the restitution is
 *          exp(-2 zeta acos(zeta) / sqrt(1 - zeta^2)), more than e [6]. lever = "radius" does not
 *          keep angular momentum.
 */
#include "scree/friction_sdk.h"

enum { DISPLACEMENT, DISPLACEMENT_RESCALED, INCREMENTS, INCREMENTS_RESCALED };
enum { NONE, RESTITUTION };
enum { RADIUS = 3 }; // the field after the three of the spring
enum { ROW_GONE = SCREE_ROWS, ROW_SKEW, OWN_ROWS = 2 };

typedef struct config {
    scree_reals young_modulus, poisson_ratio, friction, restitution;
    double tangential_damping;
    int32_t damping, spring, cap, pull, lever, mass, sliding, reserved;
} config;

typedef struct pair {
    double kn, kt, friction, cn, ct; // [Pa] 2 E*, 8 G*: times a; [-]; [sqrt(Pa)] times sqrt(m a)
} pair;

typedef struct law {
    const scree_host *host;
    double least, damped; // [N] lower bound of fn; share of the dashpot in the force times mu
    int32_t spring, lever, mass, sliding;
    pair pairs[]; // [n_materials^2]
} law;

/** g of the spring, grow = a_old / a; `how` is a constant of each call. */
static inline double scale_of(int how, double old, double a, double grow)
{
    double fall = old > 0.0 ? scree_min(a / old, 1.0) : 1.0;
    if (how == DISPLACEMENT)
        return 1.0;
    if (how == DISPLACEMENT_RESCALED)
        return fall;
    if (how == INCREMENTS)
        return grow;
    return scree_min(grow, 1.0);
}

/** Fills the rows: turn, see scree_turn_spring(), times g; across = turn h·n; gone: energy that g
 * and the change of a take from the spring; skew · slip: the same while it slips; both without the
 * factor kt / 2 a. Writes the radius a. This loop is separate, because the main loop cannot hide
 * the latency of roots and divisions. */
SCREE_BODY void rescale(int how, const scree_contact_batch *b, double *room)
{
    const uint64_t n = b->n;
    SCREE_INDEPENDENT
    for (uint64_t c = 0; c < n; c++) {
        scree_vec h = scree_vec_at(b->in, c), normal = scree_vec_at(b->normal, c);
        double old = b->in[RADIUS][c];
        double curve = b->curvature[0][c] + b->curvature[1][c];
        double deep = scree_max(b->depth[c], 0.0);
        double square = deep * curve;
        double root = 1.0 / sqrt(square > 0.0 ? square : 1.0);
        double a = deep * root; // sqrt(depth / curve)
        double g = scale_of(how, old, a, square > 0.0 ? old * curve * root : 1.0);
        double hn = scree_dot(h, normal);
        double h2 = scree_dot(h, h);
        double by = scree_turn_spring(hn, h2);
        double turn = by > 0.0 ? g * by : by;
        room[SCREE_ROW_TURN * n + c] = turn;
        room[SCREE_ROW_ACROSS * n + c] = scree_max(turn, 0.0) * hn;
        room[ROW_GONE * n + c] = (old - a * g * g) * h2;
        room[ROW_SKEW * n + c] = (old - a * g) * scree_max(by, 0.0);
        b->out[RADIUS][c] = a;
    }
}

SCREE_NOT_INLINED void rescale_displacement(const scree_contact_batch *b, double *room)
{
    rescale(DISPLACEMENT, b, room);
}

SCREE_NOT_INLINED void rescale_displacement_rescaled(const scree_contact_batch *b, double *room)
{
    rescale(DISPLACEMENT_RESCALED, b, room);
}

SCREE_NOT_INLINED void rescale_increments(const scree_contact_batch *b, double *room)
{
    rescale(INCREMENTS, b, room);
}

SCREE_NOT_INLINED void rescale_increments_rescaled(const scree_contact_batch *b, double *room)
{
    rescale(INCREMENTS_RESCALED, b, room);
}

/** The law. friction_sdk.h explains `way`, `rule`, `one` and the rows of `room`. */
SCREE_BODY void contacts(int way, int rule, int one, const law *self, const scree_contact_batch *b,
                         double *room, uint32_t from, uint32_t to)
{
    const uint64_t n = b->n;
    const double least = self->least, damped = self->damped, since = b->since;
    const uint32_t *SCREE_RESTRICT materials = b->materials;
    const pair *pairs = self->pairs, first = pairs[0];
    SCREE_INDEPENDENT
    for (uint32_t c = from; c < to; c++) {
        const pair *p = one ? &first : pairs + materials[c];
        scree_touch at = scree_touch_at(b, room, since, c);
        double a = b->out[RADIUS][c], old = b->in[RADIUS][c];
        double w = sqrt(at.mass * a), ct = p->ct * w, kt = p->kt * a;
        double vn = scree_dot(at.v, at.n); // > 0: approach
        double elastic = 2.0 / 3.0 * p->kn * a * at.depth;
        double whole = elastic + p->cn * w * vn;
        double fn = scree_max(least, whole), touch = 1.0;
        double cap = p->friction * (elastic + damped * (fn - elastic));
        double un = scree_dot(at.slip, at.n), hn = scree_dot(at.spring, at.n);
        scree_shear shear = scree_shear_of(&at, vn);
        scree_vec d = scree_scaled(ct, shear.v), s = shear.q;
        scree_vec g = scree_less(scree_scaled(-kt, s), 1.0, d);
        double hu = scree_dot(at.spring, at.slip) - hn * un, t2 = scree_dot(shear.v, shear.v);
        double of = sqrt(at.mass * old), mean = 0.75 * w + 0.25 * of; // see scree_dashpot_heat()
        double gone = room[ROW_GONE * n + c] + room[ROW_SKEW * n + c] * hu;
        double spring = 0.5 * p->kt * gone * at.rate;
        double push = mean * p->cn * vn * vn;
        double stuck = mean * p->ct * scree_lag(kt, at.mass, since) * t2;
        double end = scree_max(fn - whole, -scree_min(at.depth, at.turn));
        double lost = push + stuck + spring;
        double mark = scree_max(scree_dot(g, g) - cap * cap, end);
        if (way != SCREE_STICKS) {
            double limit = fabs(cap), inv_kt = kt > 0.0 ? 1.0 / (kt > 0.0 ? kt : 1.0) : 0.0;
            scree_cut cut = scree_cut_of(rule, limit, kt, inv_kt, ct, &shear, d, t2, g, &at);
            double from_start = old > 0.0 ? 1.0 : 0.75; // no force before the touch
            double curve = b->curvature[0][c] + b->curvature[1][c];
            double e = 2.0 / 3.0 * p->kn * old * old * old * curve;
            double slid = least - (e + p->cn * of * vn) > 0.0 ? SCREE_ENDS : SCREE_SLIDES;
            lost = push + (cut.slides ? cut.heat * from_start : stuck) + spring +
                   0.5 * kt * at.rate * cut.spring;
            mark =
                scree_max(end > 0.0 ? SCREE_ENDS : SCREE_STICKS, (cut.slides ? 1.0 : 0.0) * slid);
            s = cut.s;
            g = cut.g;
            if (way == SCREE_ENDS) {
                scree_vec u = scree_less(at.slip, un, at.n);
                double h2 = scree_dot(at.spring, at.spring);
                double swing = cut.slides ? 1.0 : scree_lag(kt, at.mass, since);
                double now = p->ct * w * t2, then = p->ct * of * t2;
                double gap = vn < 0.0 ? 0.0 : HUGE_VAL;
                touch = at.depth >= 0.0 ? 1.0 : 0.0;
                now = cut.slides && touch > 0.0 && a > 0.0 ? cut.heat : now;
                then = cut.slides && touch > 0.0 && old > 0.0 ? cut.heat : then;
                s = scree_scaled(touch, s);
                double k = p->kt * old, flat = scree_max(scree_turn_spring(hn, h2), 0.0);
                double work = k * flat * hu + kt * (scree_dot(s, u) - scree_dot(s, s)) + k * h2;
                lost = swing * (0.75 * now + 0.25 * then) + 0.5 * at.rate * work +
                       scree_dashpot_heat(elastic - least + gap, p->cn * w, fabs(vn), 0.75) +
                       scree_dashpot_heat(e - least + gap, p->cn * of, fabs(vn), 0.25);
                SCREE_NOT_VECTORISED;
            }
        }
        scree_vec f = scree_less(g, fn, at.n);
        scree_vec_put(b->out, c, s);
        scree_vec_put(b->f, c, scree_scaled(touch, f));
        b->stored[c] = touch * (0.4 * elastic * at.depth + 0.5 * kt * scree_dot(s, s));
        b->lost[c] = lost;
        room[SCREE_ROW_MARK * n + c] = mark;
    }
}

SCREE_DEFINE_KERNELS(kernels, contacts)

static void run(const void *instance, const scree_contact_batch *b, double *room)
{
    static void (*const rescales[])(const scree_contact_batch *b, double *room) = {
        [DISPLACEMENT] = rescale_displacement,
        [DISPLACEMENT_RESCALED] = rescale_displacement_rescaled,
        [INCREMENTS] = rescale_increments,
        [INCREMENTS_RESCALED] = rescale_increments_rescaled,
    };
    const law *self = instance;
    const int one = self->host->n_materials == 1;
    rescales[self->spring](b, room);
    scree_run_kernels(kernels[self->sliding][one], self, b, room,
                      self->sliding == SCREE_SLIDE_SPRING);
}

static int32_t compute(void *instance, const scree_contact_batch *b)
{
    const law *self = instance;
    return scree_run_batch(self->host, self, b, OWN_ROWS, run);
}

static int32_t narrow(void *instance, scree_demands *demands)
{
    const law *self = instance;
    scree_mass_narrow(self->mass, demands);
    if (self->lever == SCREE_LEVER_CONTACT)
        demands->needs &= ~(uint64_t)SCREE_IN_LEVER_RADIUS;
    return SCREE_OK;
}

static int32_t create(const scree_host *host, const void *config_, void **instance)
{
    const config *c = config_;
    uint32_t n = host->n_materials;
    law *self = *instance = calloc(1, sizeof *self + (size_t)n * n * sizeof *self->pairs);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the table of material pairs");
    self->host = host;
    self->least = c->pull ? -HUGE_VAL : 0.0;
    self->spring = c->spring;
    self->lever = c->lever;
    self->mass = c->mass;
    self->sliding = c->sliding;
    self->damped = c->cap == SCREE_LIMIT_WHOLE ? 1.0 : 0.0;
    for (uint32_t k = 0; k < n * n; k++) {
        double soft = 0.0, shear = 0.0;
        for (int side = 0; side < 2; side++) {
            uint32_t m = side ? k % n : k / n;
            double e = c->young_modulus.v[m], nu = c->poisson_ratio.v[m];
            soft += (1.0 - nu * nu) / e;
            shear += 2.0 * (1.0 + nu) * (2.0 - nu) / e;
        }
        double log_e = fabs(log(c->restitution.v[k])), square = M_PI * M_PI + log_e * log_e;
        double zeta = isinf(log_e) ? 1.0 : log_e / sqrt(square); // [4]
        double kn = 2.0 / soft, kt = 8.0 / shear;
        double damp = c->damping == RESTITUTION ? 2.0 * sqrt(5.0 / 6.0) * zeta : 0.0;
        self->pairs[k] = (pair){kn, kt, c->friction.v[k], damp * sqrt(kn),
                                damp * sqrt(kt) * c->tangential_damping};
    }
    return SCREE_OK;
}

/** Tangents at the depth, at the depth of the force, or at the largest depth of an elastic impact:
 * depth^(5/2) = 5 m v^2 / 4 k. */
static int32_t stiffness(void *instance, const scree_stiffness_query *q, scree_stiffness *out)
{
    const law *self = instance;
    const pair *p = &self->pairs[q->material_a * self->host->n_materials + q->material_b];
    double curve = 1.0 / q->radius_a + (q->radius_b > 0.0 ? 1.0 / q->radius_b : 0.0);
    double k = 2.0 / 3.0 * p->kn / sqrt(curve), depth = scree_max(q->depth, 0.0); // force k d^3/2
    if (q->depth == 0.0)
        depth = q->normal_force > 0.0 ? pow(q->normal_force / k, 2.0 / 3.0)
                                      : pow(1.25 * q->mass * q->speed * q->speed / k, 0.4);
    double a = sqrt(depth / curve), w = sqrt(q->mass * a);
    out->kn = p->kn * a;
    out->kt = p->kt * a;
    out->cn = p->cn * w;
    out->ct = p->ct * w;
    return SCREE_OK;
}

// Tables for the host: parameters, field, descriptor; a line each.
// clang-format off
SCREE_MATERIAL_PARAM(config, young_modulus, "Pa", SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN | SCREE_PARAM_LIVE, 0, 0,
    1e30, "Young's modulus");
SCREE_MATERIAL_PARAM(config, poisson_ratio, "-", SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN | SCREE_PARAM_LIVE, 0, -1,
    0.5, "Poisson's ratio");
SCREE_PAIR_PARAM(config, friction, "-", SCREE_PARAM_LIVE, 0, HUGE_VAL, MEAN, "Coulomb's friction coefficient");
SCREE_PAIR_PARAM(config, restitution, "-", SCREE_PARAM_LIVE, 1, 1, GEOMETRIC, "restitution of a head-on impact");
SCREE_CHOICE_VALUE(none, NONE, "no dashpots");
SCREE_CHOICE_VALUE(restitution, RESTITUTION, "from e, the same at any speed");
SCREE_CHOICE_PARAM(config, damping, SCREE_PARAM_LIVE, "restitution", "where the dashpots come from",
    &choice_none, &choice_restitution);
SCREE_REAL_PARAM(config, tangential_damping, "-", SCREE_PARAM_LIVE, 1, 0, HUGE_VAL,
    "share of the tangential dashpot that has the damping ratio of the normal one; 0: none");
SCREE_CHOICE_VALUE(displacement, DISPLACEMENT,
    "force = current stiffness x all displacement since touch");
SCREE_CHOICE_VALUE(displacement_rescaled, DISPLACEMENT_RESCALED,
    "the same, displacement cut with the contact radius when that falls");
SCREE_CHOICE_VALUE(increments, INCREMENTS, "force grows by current stiffness x slip");
SCREE_CHOICE_VALUE(increments_rescaled, INCREMENTS_RESCALED,
    "the same, force cut with the contact radius when that falls: never makes energy");
SCREE_CHOICE_PARAM(config, spring, SCREE_PARAM_LIVE, "displacement",
    "what a change of the normal force does to the tangential spring", &choice_displacement,
    &choice_displacement_rescaled, &choice_increments, &choice_increments_rescaled);
SCREE_LIMIT_PARAM(config, cap);
SCREE_SLIDING_PARAM(config, sliding);
SCREE_LEVER_PARAM(config, lever);
SCREE_MASS_PARAM(config, mass);
SCREE_BOOL_PARAM(config, pull, SCREE_PARAM_LIVE, 1, "the normal dashpot may pull as an impact ends");
static const scree_param *const params[] = {&param_young_modulus, &param_poisson_ratio,
    &param_friction, &param_restitution, &param_damping, &param_tangential_damping, &param_spring,
    &param_cap, &param_sliding, &param_lever, &param_mass, &param_pull};
SCREE_FIELD(shear_spring, CONTACT, 4, 2, "m", 0,
    "tangential spring, displacement of a against b; contact radius that goes with it");
static const scree_field *const fields[] = {&field_shear_spring};
static const scree_force_ops ops = {.size = sizeof ops, .create = create, .destroy = free,
    .compute = compute, .stiffness = stiffness, .narrow = narrow};
static const scree_plugin hertz_mindlin = {.size = sizeof hertz_mindlin, .kind = SCREE_KIND_FORCE,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3, .id = "hertz_mindlin", .version = "1.0.0",
    .licence = "Apache-2.0",
    .help = "Hertz's normal force, Mindlin's tangential spring with history, Coulomb friction",
    .summary = "Elastic spheres by their Young's moduli and Poisson's ratios; the damping gives the "
               "restitution of the scene at any speed. A parameter each says how the tangential "
               "spring follows the normal force, what Coulomb's limit cuts, and whether the dashpot "
               "may pull.",
    .citation = "Antypov, Elliott 2011, Europhys. Lett. 94, 50004, doi:10.1209/0295-5075/94/50004",
    .config_size = sizeof(config), .n_params = SCREE_COUNT(params), .n_fields = SCREE_COUNT(fields),
    .params = params, .fields = fields, .ops = &ops,
    .provides = SCREE_OUT_STORED | SCREE_OUT_LOST | SCREE_OUT_PARTED,
    .needs = SCREE_IN_VELOCITY | SCREE_IN_SLIP | SCREE_IN_MASS | SCREE_IN_MASS_POINT | SCREE_IN_MATERIALS |
             SCREE_IN_CURVATURE | SCREE_IN_LEVER_RADIUS};
// clang-format on
SCREE_DEFINE_MANIFEST(&hertz_mindlin);
