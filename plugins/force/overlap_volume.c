// SPDX-License-Identifier: Apache-2.0
/*
 * overlap_volume: the volume in which bodies in space overlap, times the cut through it; Coulomb friction.
 *
 * Sources  [1] Feng 2021, An energy-conserving contact theory for discrete element modelling of
 *              arbitrarily shaped particles: contact volume based model, Computer Methods in Applied
 *              Mechanics and Engineering 373: the gradient of a function w(V) of the volume V.
 *          [2] Cundall, Strack 1979, Geotechnique 29, 47: tangential springs, limit on the total.
 *          [3] Winkler 1867, Die Lehre von der Elasticitaet und Festigkeit: springs next to each other.
 * Idea     dV = A n·dx + T n·dr (resolver.h), so that w(V) has the force w' A on the point, and the
 *          couple w' T about the normal: exactly conservative, for any shape [1].
 *          quadratic: w = k V^2 / 2, fn = k V A. linear: w = p V, fn = p A: a pressure; a face on a face
 *          then pushes as hard at any depth, so that it has no place of rest, but corners have.
 *          bed: neither resists a face that tilts on a face, because V grows on one side by what it loses on the
 *          other. Here springs next to each other on the patch push by their own depth [3]: U = K B / 2, K: the
 *          pressure by depth, B: the bed (resolver.h), for flat faces the integral of depth^2. Force and
 *          couple are the gradient of U. Springs beyond the edge of a face do not touch, so that none pulls.
 *          Friction acts where the resultant of the springs does: elsewhere it would turn a block on a slope.
 *          ft = -kt s - ct vt, cut to |ft| <= mu |fn|, as in force/linear [2].
 * Damping  on A v·n, the growth rate of V at the point: the dashpot is gamma A^2 (`constant`), or 2
 *          zeta sqrt(m K) with K = k A^2, or p A^2 / V, or the bed's K A (`ratio`). The bed has a second
 *          dashpot: that of the normal, spread over a square of the area A, has c A / 12 against a rotation
 *          across the normal, at most fn sqrt(A) / 6, where one side of the square has no load; and that of
 *          the tangent, ct A / 6, against one about the normal, at most Coulomb's limit times the mean distance
 *          from the middle.
 * Energy   stored = w, or U, + kt s^2 / 2. lost: heat of the dashpot, by the mean of its committed and its
 *          current force, times v·n, as in force/overlap_area.
 * Cost     that of force/linear, plus one sqrt and two fields of contacts.
 * Limits   a body that is wholly inside the other has no cut, and no force. Without a twist from
 *          the resolver the twist counts as 0, which is right for balls. The energy of other bodies
 *          is not kept then. No resolver gives the bed of balls, which have no faces.
 */
#include "scree/friction_sdk.h"

enum { QUADRATIC, LINEAR, BED };
enum { NONE, RATIO, CONSTANT };

static const double ARM_OF_SQUARE =
    0.3826; // [-] mean distance from the middle of a square, in sides

typedef struct config {
    scree_reals k, pressure, bed, kt, friction, damping_ratio, damping_n, damping_t;
    int32_t form, damping, mass, sliding, cap, pull;
} config;

typedef struct pair {
    double k;                // [N/m^5], linear: [Pa], bed: [N/m^3]
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

/** The push of the springs of a contact. */
typedef struct push {
    double energy;    // [J]
    double along;     // [N] along the normal, > 0 pushes apart
    double kn;        // [N/m] stiffness of the point along n
    scree_vec rest;   // [N] on a, across the normal
    scree_vec couple; // [N m] on a
} push;

static inline push push_of_volume(int form, double k, const scree_contact_batch *b, uint32_t c)
{
    const double volume = b->volume[c], area = b->area[c];
    const double slope = form == LINEAR ? k : k * volume; // [N/m^2] w'
    return (push){
        .energy = (form == LINEAR ? 1.0 : 0.5) * slope * volume,
        .along = slope * area,
        .kn = k * area * area / (form == LINEAR ? scree_max(volume, 1e-300) : 1.0),
        .couple = scree_scaled(-slope * b->twist[c], scree_vec_at(b->normal, c)),
    };
}

static inline push push_of_bed(double k, const scree_contact_batch *b, uint32_t c)
{
    const scree_vec n = scree_vec_at(b->normal, c);
    const scree_vec f = scree_scaled(-0.5 * k, scree_vec_at(b->bed_slope, c));
    const double along = -scree_dot(f, n);
    return (push){
        .energy = 0.5 * k * b->bed[c],
        .along = along,
        .kn = k * b->area[c],
        .rest = scree_less(f, -along, n),
        .couple = scree_scaled(-0.5 * k, scree_vec_at(b->bed_turn, c)),
    };
}

/** [m] From the contact point to where the springs of a bed push, across n. */
static inline scree_vec push_point(const push *springs, double area, scree_vec n)
{
    const double along = scree_max(springs->along, 1e-300);
    const scree_vec off = scree_scaled(-1.0 / along, scree_cross(n, springs->couple));
    const double square = scree_dot(off, off);
    return scree_scaled(square <= area ? 1.0 : 0.0, off);
}

/** The couple [N m] of a dashpot against a rotation, cut to `most`. */
static inline scree_vec dashpot_couple(double c, double most, scree_vec spin)
{
    const scree_vec couple = scree_scaled(-c, spin);
    const double square = scree_dot(couple, couple);
    return scree_scaled(most / sqrt(scree_max(square, most * most) + 1e-300), couple);
}

/** [N m] On a: what the dashpots cn and ct, spread over a square of this area, do against the rotation `spin` [rad/s];
 * `limit` [N]: Coulomb's. */
static inline scree_vec bed_dashpot(double area, double cn, double ct, double along, double limit,
                                    scree_vec n, scree_vec spin)
{
    const double width = sqrt(area), drill = scree_dot(spin, n);
    const scree_vec rocks = dashpot_couple(cn * area / 12.0, scree_max(along, 0.0) * width / 6.0,
                                           scree_less(spin, drill, n));
    const scree_vec drills = dashpot_couple(ct * area / 6.0, fabs(limit) * width * ARM_OF_SQUARE,
                                            scree_scaled(drill, n));
    return scree_sum(rocks, drills);
}

/** The law. friction_sdk.h explains `way`, `rule`, `one` and the rows of `room`. */
SCREE_BODY void contacts(int bed, int way, int rule, int one, const law *self,
                         const scree_contact_batch *b, double *room, uint32_t from, uint32_t to)
{
    const int form =
        self->form; // no kernel for each form of the volume: those took half of the build
    const double least = self->least, capped = self->elastic, since = b->since;
    const uint32_t *SCREE_RESTRICT materials = b->materials;
    const pair *pairs = self->pairs, first = pairs[0];
    double *mark = room + SCREE_ROW_MARK * (uint64_t)b->n;
    SCREE_INDEPENDENT
    for (uint32_t c = from; c < to; c++) {
        const pair *p = one ? &first : pairs + materials[c];
        scree_touch at = scree_touch_at(b, room, since, c);
        const push springs = bed ? push_of_bed(p->k, b, c) : push_of_volume(form, p->k, b, c);
        const double area = b->area[c], elastic = springs.along;
        const double cn = p->gamma * area * area + p->twice * sqrt(springs.kn * at.mass);
        const double vn = scree_dot(at.v, at.n); // > 0: approach
        double vn_there = vn;                    // where friction acts
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
        scree_vec about = {0.0, 0.0, 0.0}, off = {0.0, 0.0, 0.0};
        if (bed) {
            const scree_vec all = scree_vec_at(b->spin, c);
            const scree_vec then = scree_vec_of(b->in[5][c], b->in[6][c], b->in[7][c]);
            off = push_point(&springs, area, at.n);
            at.v = scree_sum(at.v, scree_cross(all, off));
            at.slip = scree_sum(at.slip, scree_cross(scree_vec_at(b->roll, c), off));
            vn_there = scree_dot(at.v, at.n);
            about = bed_dashpot(area, cn, p->ct, elastic, k.limit, at.n, all);
            k.push -= 0.5 * scree_dot(scree_sum(then, about), all);
        }
        scree_grip grip = scree_grip_of(way, rule, &at, vn_there, &k);
        scree_vec_put(b->out, c, grip.spring);
        b->out[3][c] = fn;
        b->out[4][c] = dash;
        scree_vec_put(b->out + 5, c, about);
        scree_vec f = scree_less(grip.force, fn, at.n);
        if (bed)
            f = scree_sum(f, springs.rest);
        scree_vec_put(b->f, c, scree_scaled(grip.touches, f));
        scree_vec couple = scree_sum(springs.couple, about);
        if (bed)
            couple = scree_sum(couple, scree_cross(off, grip.force));
        scree_vec_put(b->couple, c, scree_scaled(grip.touches, couple));
        const double spring = 0.5 * p->kt * scree_dot(grip.spring, grip.spring);
        b->stored[c] = grip.touches * (springs.energy + spring);
        b->lost[c] = grip.lost;
        mark[c] = grip.mark;
    }
}

SCREE_BODY void by_volume(int way, int rule, int one, const law *self, const scree_contact_batch *b,
                          double *room, uint32_t from, uint32_t to)
{
    contacts(0, way, rule, one, self, b, room, from, to);
}

SCREE_BODY void by_bed(int way, int rule, int one, const law *self, const scree_contact_batch *b,
                       double *room, uint32_t from, uint32_t to)
{
    contacts(1, way, rule, one, self, b, room, from, to);
}

SCREE_DEFINE_KERNELS(volume_kernels, by_volume)
SCREE_DEFINE_KERNELS(bed_kernels, by_bed)

static void run(const void *instance, const scree_contact_batch *b, double *room)
{
    const law *self = instance;
    const int one = self->host->n_materials == 1;
    const scree_kernel *kernels =
        self->form == BED ? bed_kernels[self->rule][one] : volume_kernels[self->rule][one];
    scree_turn_rows(b, room);
    scree_run_kernels(kernels, self, b, room, self->rule == SCREE_SLIDE_SPRING);
}

static int32_t compute(void *instance, const scree_contact_batch *b)
{
    const law *self = instance;
    return scree_run_batch(self->host, self, b, 0, run);
}

static pair pair_of(const config *c, uint64_t i)
{
    const scree_reals *of = c->form == QUADRATIC ? &c->k
                            : c->form == LINEAR  ? &c->pressure
                                                 : &c->bed;
    pair p = {
        .k = of->v[i], .kt = c->kt.v[i], .ct = c->damping_t.v[i], .friction = c->friction.v[i]};
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
                : c->form == LINEAR  ? "pressure [Pa] (form = \"linear\")"
                                     : "bed [N/m^3] (form = \"bed\")");
    }
    return SCREE_OK;
}

/** The slope of w' A, and w'' A^2 of the dashpot. A known force bounds them by 3 fn / depth, the
 * value of balls, whose V grows as depth^2; with depth = V / A the factor is 1 for flat cuts and
 * 5/3 for corners. Otherwise the smaller ball around the bodies bounds them: A <= pi r^2, dA <= 2
 * pi r, V <= 4 pi r^3 / 3. A bed under a disc of radius r resists a rotation by its second moment, kn r^2 / 4. */
static int32_t stiffness(void *instance, const scree_stiffness_query *q, scree_stiffness *out)
{
    const law *self = instance;
    const pair *p = &self->pairs[q->material_a * self->host->n_materials + q->material_b];
    const double a = q->radius_a > 0.0 ? q->radius_a : q->radius_b;
    const double b = q->radius_b > 0.0 ? q->radius_b : q->radius_a;
    const double radius = scree_min(a, b), area = 3.141592653589793 * radius * radius;
    const double by = self->form == LINEAR ? 4.0 / radius : self->form == BED ? 1.0 : 4.0 * area;
    const double most = p->k * area * by;
    const double known = q->depth > 0.0 ? 3.0 * q->normal_force / q->depth : 0.0;
    out->kn = known > 0.0 ? scree_min(known, most) : most;
    out->kt = p->kt;
    out->cn = p->gamma * area * area + p->twice * sqrt(out->kn * q->mass);
    out->ct = p->ct;
    if (self->form == BED) {
        out->kr = 0.25 * out->kn * radius * radius;
        out->cr = out->cn * area / 12.0;
        out->ctwist = p->ct * area / 6.0;
    }
    return SCREE_OK;
}

static int32_t narrow(void *instance, scree_demands *demands)
{
    const law *self = instance;
    scree_mass_narrow(self->mass, demands);
    demands->needs &= ~(uint64_t)(self->form == BED ? SCREE_IN_TWIST
                                                    : SCREE_IN_BED | SCREE_IN_SPIN | SCREE_IN_ROLL);
    return SCREE_OK;
}

// Tables for the host: parameters, field, descriptor; a line each.
// clang-format off
#define PAIR(id, unit, f, ...) SCREE_PAIR_PARAM(config, id, unit, (f) | SCREE_PARAM_LIVE, __VA_ARGS__)
PAIR(k, "N/m^5", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 1e30, HARMONIC, "force per volume and area (form = \"quadratic\")");
PAIR(pressure, "Pa", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 1e30, HARMONIC, "force per area, energy per volume (form = \"linear\")");
PAIR(bed, "N/m^3", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 1e30, HARMONIC, "pressure per depth (form = \"bed\")");
PAIR(kt, "N/m", SCREE_PARAM_REQUIRED, 0, 1e30, HARMONIC, "tangential stiffness");
PAIR(friction, "-", 0, 0, HUGE_VAL, MEAN, "Coulomb's friction coefficient");
PAIR(damping_ratio, "-", 0, 0, HUGE_VAL, MEAN, "share of critical damping (damping = \"ratio\")");
PAIR(damping_n, "N s/m^5", 0, 0, HUGE_VAL, MEAN, "force per growth of the volume and area (\"constant\")");
PAIR(damping_t, "N s/m", 0, 0, HUGE_VAL, MEAN, "tangential dashpot");
SCREE_CHOICE_VALUE(quadratic, QUADRATIC, "k V A: the gradient of k V^2 / 2");
SCREE_CHOICE_VALUE(linear, LINEAR, "p A: the gradient of p V");
SCREE_CHOICE_VALUE(bed, BED, "springs next to each other on the patch, which hold a face: the gradient of the bed");
SCREE_CHOICE_PARAM(config, form, SCREE_PARAM_LIVE, "quadratic", "the elastic force", &choice_quadratic, &choice_linear, &choice_bed);
SCREE_CHOICE_VALUE(none, NONE, "no dashpot along the normal");
SCREE_CHOICE_VALUE(ratio, RATIO, "from the critical one at the area of the contact");
SCREE_CHOICE_VALUE(constant, CONSTANT, "given, in N s/m^5");
SCREE_CHOICE_PARAM(config, damping, SCREE_PARAM_LIVE, "ratio", "where the normal dashpot comes from",
    &choice_none, &choice_ratio, &choice_constant);
SCREE_MASS_PARAM(config, mass);
SCREE_LIMIT_PARAM(config, cap);
SCREE_SLIDING_PARAM(config, sliding);
SCREE_BOOL_PARAM(config, pull, SCREE_PARAM_LIVE, 1, "the normal dashpot may pull as an impact ends");
static const scree_param *const params[] = {&param_k, &param_pressure, &param_bed, &param_kt, &param_friction, &param_form,
    &param_damping, &param_damping_ratio, &param_damping_n, &param_damping_t, &param_mass,
    &param_sliding, &param_cap, &param_pull};
SCREE_FIELD(shear_spring, CONTACT, 3, 1, "m", 0, "tangential spring, displacement of a against b");
SCREE_FIELD(normal_force, CONTACT, 1, 1, "N", 0, "along the normal, > 0 pushes apart");
SCREE_FIELD(dashpot_force, CONTACT, 1, 1, "N", 0, "the part of it that the dashpot has");
SCREE_FIELD(bed_dashpot, CONTACT, 3, 1, "N m", 0, "couple on a of the bed's dashpots");
static const scree_field *const fields[] = {&field_shear_spring, &field_normal_force,
    &field_dashpot_force, &field_bed_dashpot};
static const scree_force_ops ops = {.size = sizeof ops, .create = create, .destroy = free,
    .compute = compute, .stiffness = stiffness, .narrow = narrow};
static const scree_plugin overlap_volume = {.size = sizeof overlap_volume, .kind = SCREE_KIND_FORCE,
    .dimensions = SCREE_DIMENSION_3, .id = "overlap_volume", .version = "0.1.0", .licence = "Apache-2.0",
    .help = "by the volume of the overlap, for solids; tangential spring with history, Coulomb friction",
    .summary = "The force k V A is the gradient of k V^2 / 2, for any shape; or p A, that of p V; or that of springs on the patch.",
    .citation = "Feng 2021, An energy-conserving contact theory for discrete element modelling of arbitrarily "
        "shaped particles: contact volume based model, Computer Methods in Applied Mechanics and Engineering 373",
    .config_size = sizeof(config), .n_params = SCREE_COUNT(params), .n_fields = SCREE_COUNT(fields),
    .params = params, .fields = fields, .ops = &ops,
    .needs = SCREE_IN_VELOCITY | SCREE_IN_SLIP | SCREE_IN_MASS | SCREE_IN_MASS_POINT | SCREE_IN_MATERIALS | SCREE_IN_AREA |
             SCREE_IN_VOLUME | SCREE_IN_TWIST | SCREE_IN_BED | SCREE_IN_SPIN |
             SCREE_IN_ROLL | SCREE_IN_OVERLAP,
    .provides = SCREE_OUT_COUPLE | SCREE_OUT_STORED | SCREE_OUT_LOST | SCREE_OUT_PARTED};
// clang-format on
SCREE_DEFINE_MANIFEST(&overlap_volume);
