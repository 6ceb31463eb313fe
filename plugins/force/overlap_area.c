/* SPDX-License-Identifier: Apache-2.0 */
/*
 * overlap_area: the area in which bodies of the plane overlap, times the chord; Coulomb friction.
 *
 * Sources  [1] Schinner 1999, Granular Matter 2, 35: forces by the overlap of polygons (no formula).
 *          [2] Matuttis, Luding, Herrmann 2000, Powder Technology 109, 278: Y A / l.
 *          [3] Cundall, Strack 1979, Geotechnique 29, 47: tangential springs, limit on the total.
 * Idea     potential (ours): U = k A^2 / 2. Since dA = L n·dx, at the chord's middle (resolver.h),
 *          fn = k A L: exactly conservative, for translation and rotation, and for any shape.
 *          matuttis [2]: fn = Y t A / l, t: thickness, l = 4 r_a r_b / (r_a + r_b), r: from the
 *          centre to the contact point (infinite for a flat body). The choice of l is ours. It is
 *          not conservative: the energy that a path leaves is in the residual of the energy
 *          account. ft = -kt s - ct vt, cut to |ft| <= mu |fn|, as in force/linear.
 * Damping  on dA/dt = L v·n: the dashpot is gamma L^2 (`constant`), or 2 zeta sqrt(m K) with the
 *          stiffness K = k L^2, or Y t L / l (`ratio`). A corner begins softly, a face with its
 *          whole length.
 * Energy   stored = k A^2 / 2 (matuttis: fn A / (2 L), right while L and l stay) + kt s^2 / 2.
 *          lost: heat of the dashpot, by the mean of its committed and its current force, times
 *          v·n. Its coefficient changes with L, and the committed L is not known here. So both
 *          forces along the normal are kept, and Coulomb's limit of the committed state with them.
 * Cost     that of force/linear, plus one sqrt and two fields of contacts.
 * Limits   a body that is wholly inside the other has no chord, and no force.
 */
#include "scree/friction_sdk.h"

enum { POTENTIAL, MATUTTIS };
enum { NONE, RATIO, CONSTANT };

typedef struct config {
    scree_reals k, young, kt, friction, damping_ratio, damping_n, damping_t;
    int32_t form, damping, mass, sliding, cap, pull;
} config;

typedef struct pair {
    double k;                // [N/m^3], matuttis: [N/m] Y t
    double kt, inv_kt;       // [N/m] [m/N]
    double gamma, twice, ct; // [N s/m^3] [-] 2 zeta [N s/m]
    double friction, slid;   // [-] see scree_slid_mark()
} pair;

typedef struct law {
    const scree_host *host;
    double least;   // [N] lower bound of fn
    double elastic; // 1: friction multiplies only the elastic force
    int32_t form, rule, mass, reserved;
    pair pairs[]; // [n_materials^2]
} law;

/** [1/m] 1 / l of a contact. */
static inline double inverse_length(const scree_contact_batch *b, uint32_t c)
{
    const scree_vec arm = scree_vec_at(b->arm, c);
    const scree_vec far = scree_less(scree_vec_at(b->d, c), 1.0, arm);
    const double at_a = sqrt(scree_dot(arm, arm)), at_b = sqrt(scree_dot(far, far));
    const double of_a = 1.0 / scree_max(at_a, 1e-300), of_b = 1.0 / scree_max(at_b, 1e-300);
    const double flat_a = b->radius[0][c] > 0.0 ? of_a : 0.0;
    const double flat_b = b->radius[1][c] > 0.0 ? of_b : 0.0;
    return 0.25 * (flat_a + flat_b);
}

/** The law. friction_sdk.h explains `way`, `rule`, `one` and the rows of `room`. */
SCREE_BODY void contacts(int form, int way, int rule, int one, const law *self,
                         const scree_contact_batch *b, double *room, uint32_t from, uint32_t to)
{
    const double least = self->least, capped = self->elastic, since = b->since;
    const uint32_t *SCREE_RESTRICT materials = b->materials;
    const pair *pairs = self->pairs, first = pairs[0];
    double *mark = room + SCREE_ROW_MARK * (uint64_t)b->n;
    SCREE_INDEPENDENT
    for (uint32_t c = from; c < to; c++) {
        const pair *p = one ? &first : pairs + materials[c];
        scree_touch at = scree_touch_at(b, room, since, c);
        const double area = b->area[c], chord = b->chord[c];
        const double per_area = p->k * (form == MATUTTIS ? inverse_length(b, c) : chord);
        const double kn = per_area * chord; // [N/m] stiffness of the point along n
        const double cn = p->gamma * chord * chord + p->twice * sqrt(kn * at.mass);
        const double vn = scree_dot(at.v, at.n); // > 0: approach
        const double elastic = per_area * area;
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
        const double normal_energy =
            form == MATUTTIS ? elastic * scree_max(at.depth, 0.0) : p->k * area * area;
        const double springs = normal_energy + p->kt * scree_dot(grip.spring, grip.spring);
        b->stored[c] = grip.touches * 0.5 * springs;
        b->lost[c] = grip.lost;
        mark[c] = grip.mark;
    }
}

SCREE_BODY void by_potential(int way, int rule, int one, const law *self,
                             const scree_contact_batch *b, double *room, uint32_t from, uint32_t to)
{
    contacts(POTENTIAL, way, rule, one, self, b, room, from, to);
}

SCREE_BODY void by_length(int way, int rule, int one, const law *self, const scree_contact_batch *b,
                          double *room, uint32_t from, uint32_t to)
{
    contacts(MATUTTIS, way, rule, one, self, b, room, from, to);
}

SCREE_DEFINE_KERNELS(potential_kernels, by_potential)
SCREE_DEFINE_KERNELS(length_kernels, by_length)

static void run(const void *instance, const scree_contact_batch *b, double *room)
{
    const law *self = instance;
    const int one = self->host->n_materials == 1;
    scree_turn_rows(b, room);
    scree_run_kernels(self->form == MATUTTIS ? length_kernels[self->rule][one]
                                             : potential_kernels[self->rule][one],
                      self, b, room, self->rule == SCREE_SLIDE_SPRING);
}

static int32_t compute(void *instance, const scree_contact_batch *b)
{
    const law *self = instance;
    return scree_run_batch(self->host, self, b, 0, run);
}

static int32_t uses(void *instance, uint64_t *needs, uint64_t *provides)
{
    const law *self = instance;
    (void)provides;
    scree_mass_uses(self->mass, needs);
    if (self->form == POTENTIAL)
        *needs &= ~(uint64_t)(SCREE_IN_ARM | SCREE_IN_RADII);
    return SCREE_OK;
}

static pair pair_of(const config *c, double thickness, uint64_t i)
{
    pair p = {.k = c->form == POTENTIAL ? c->k.v[i] : c->young.v[i] * thickness,
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
        self->pairs[i] = pair_of(c, host->thickness, i);
        if (isnan(self->pairs[i].k))
            return scree_failf(
                host, SCREE_E_CONFIG,
                "materials number %u and %u of the scene: expected %s above 0, got none",
                (unsigned)(i / host->n_materials), (unsigned)(i % host->n_materials),
                c->form == POTENTIAL ? "k [N/m^3] (form = \"potential\")"
                                     : "young [Pa] (form = \"matuttis\")");
    }
    return SCREE_OK;
}

/** A chord is at most as long as the smaller of the two bodies is wide. */
static int32_t stiffness(void *instance, const scree_stiffness_query *q, scree_stiffness *out)
{
    const law *self = instance;
    const pair *p = &self->pairs[q->material_a * self->host->n_materials + q->material_b];
    const double a = q->radius_a > 0.0 ? q->radius_a : q->radius_b;
    const double b = q->radius_b > 0.0 ? q->radius_b : q->radius_a;
    const double chord = 2.0 * scree_min(a, b);
    out->kn = self->form == MATUTTIS ? p->k : p->k * chord * chord;
    out->kt = p->kt;
    out->cn = p->gamma * chord * chord + p->twice * sqrt(out->kn * q->mass);
    out->ct = p->ct;
    return SCREE_OK;
}

// Tables for the host: parameters, field, descriptor; a line each.
// clang-format off
#define PAIR(id, unit, f, ...) SCREE_PAIR_PARAM(config, id, unit, (f) | SCREE_PARAM_LIVE, __VA_ARGS__)
PAIR(k, "N/m^3", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 1e30, HARMONIC, "force per area and chord (form = \"potential\")");
PAIR(young, "Pa", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 1e30, HARMONIC, "modulus Y (form = \"matuttis\")");
PAIR(kt, "N/m", SCREE_PARAM_REQUIRED, 0, 1e30, HARMONIC, "tangential stiffness");
PAIR(friction, "-", 0, 0, HUGE_VAL, MEAN, "Coulomb's friction coefficient");
PAIR(damping_ratio, "-", 0, 0, HUGE_VAL, MEAN, "share of critical damping (damping = \"ratio\")");
PAIR(damping_n, "N s/m^3", 0, 0, HUGE_VAL, MEAN, "force per growth of the area and chord (\"constant\")");
PAIR(damping_t, "N s/m", 0, 0, HUGE_VAL, MEAN, "tangential dashpot");
SCREE_CHOICE_VALUE(potential, POTENTIAL, "k A L: the gradient of k A^2 / 2");
SCREE_CHOICE_VALUE(matuttis, MATUTTIS, "Y A / l; not conservative");
SCREE_CHOICE_PARAM(config, form, SCREE_PARAM_LIVE, "potential", "the elastic force", &choice_potential, &choice_matuttis);
SCREE_CHOICE_VALUE(none, NONE, "no dashpot along the normal");
SCREE_CHOICE_VALUE(ratio, RATIO, "from the critical one at the chord of the contact");
SCREE_CHOICE_VALUE(constant, CONSTANT, "given, in N s/m^3");
SCREE_CHOICE_PARAM(config, damping, SCREE_PARAM_LIVE, "ratio", "where the normal dashpot comes from",
    &choice_none, &choice_ratio, &choice_constant);
SCREE_MASS_PARAM(config, mass);
SCREE_LIMIT_PARAM(config, cap);
SCREE_SLIDING_PARAM(config, sliding);
SCREE_BOOL_PARAM(config, pull, SCREE_PARAM_LIVE, 1, "the normal dashpot may pull as an impact ends");
static const scree_param *const params[] = {&param_k, &param_young, &param_kt, &param_friction, &param_form,
    &param_damping, &param_damping_ratio, &param_damping_n, &param_damping_t, &param_mass,
    &param_sliding, &param_cap, &param_pull};
SCREE_FIELD(shear_spring, CONTACT, 3, 1, "m", 0, "tangential spring, displacement of a against b");
SCREE_FIELD(normal_force, CONTACT, 1, 1, "N", 0, "along the normal, > 0 pushes apart");
SCREE_FIELD(dashpot_force, CONTACT, 1, 1, "N", 0, "the part of it that the dashpot has");
static const scree_field *const fields[] = {&field_shear_spring, &field_normal_force,
    &field_dashpot_force};
static const scree_force_ops ops = {.size = sizeof ops, .create = create, .destroy = free,
    .compute = compute, .stiffness = stiffness, .uses = uses};
static const scree_plugin overlap_area = {.size = sizeof overlap_area, .kind = SCREE_KIND_FORCE,
    .dimensions = SCREE_DIMENSION_2, .id = "overlap_area", .version = "0.1.0", .licence = "Apache-2.0",
    .help = "by the area of the overlap, for polygons; tangential spring with history, Coulomb friction",
    .summary = "The force k A L is the gradient of k A^2 / 2, for any shape; or Matuttis' Y A / l.",
    .citation = "Matuttis, Luding, Herrmann 2000, Powder Technology 109, 278",
    .config_size = sizeof(config), .n_params = SCREE_COUNT(params), .n_fields = SCREE_COUNT(fields),
    .params = params, .fields = fields, .ops = &ops,
    .needs = SCREE_IN_VELOCITY | SCREE_IN_SLIP | SCREE_IN_MASS | SCREE_IN_MASS_POINT | SCREE_IN_MATERIALS | SCREE_IN_AREA |
             SCREE_IN_CHORD | SCREE_IN_ARM | SCREE_IN_RADII | SCREE_IN_OVERLAP,
    .provides = SCREE_OUT_STORED | SCREE_OUT_LOST | SCREE_OUT_PARTED};
// clang-format on
SCREE_DEFINE_MANIFEST(&overlap_area);
