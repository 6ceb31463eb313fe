/* SPDX-License-Identifier: Apache-2.0 */
/*
 * overlap_area: the area in which bodies of the plane overlap, times the chord; Coulomb friction.
 *
 * Sources  [1] Schinner 1999, Granular Matter 2, 35: forces by the overlap of polygons (no formula).
 *          [2] Matuttis, Luding, Herrmann 2000, Powder Technology 109, 278: Y A / l.
 *          [3] Cundall, Strack 1979, Geotechnique 29, 47: tangential springs, limit on the total.
 *          [4] Winkler 1867, Die Lehre von der Elasticitaet und Festigkeit: springs next to each other.
 * Idea     potential (ours): U = k A^2 / 2. Since dA = L n·dx + T dr, at the chord's middle (resolver.h),
 *          fn = k A L, with the couple k A T: exactly conservative, for translation and rotation, and for
 *          any shape. T is 0 but where borders cross more than twice.
 *          matuttis [2]: fn = Y t A / l, t: thickness, l = 4 r_a r_b / (r_a + r_b), r: from the
 *          centre to the contact point (infinite for a flat body). The choice of l is ours. It is
 *          not conservative: the energy that a path leaves is in the residual of the energy
 *          account. ft = -kt s - ct vt, cut to |ft| <= mu |fn|, as in force/linear.
 *          bed, the default (ours): that point does not move while a face tilts on a face, so that nothing resists.
 *          Here springs next to each other along the chord push by their own depth h (Winkler [4]): U is the sum
 *          of k l h^2 / 2 along the chord, l: the width of the smaller body (of the ball around it). If depths
 *          change linearly, U = k l A^2 / (2 L) (1 + 12 e^2), e: the eccentricity of the overlap (resolver.h).
 *          Force and couple are the gradient of U. At |e| = 1/6, the end of the kern, one end of the chord has
 *          no load; beyond it the springs never pull: 12 e^2 stays 1/3. The law takes (L^4 + A^2)^(1/4) for
 *          L, so that U stays smooth where one body gets inside of the other. A second dashpot, that of the
 *          normal spread over the chord, acts on de/dt: 12 c d^2 with the depth d = A / L; with it the springs
 *          do not pull either.
 * Damping  on dA/dt = L v·n: the dashpot is gamma L^2 (`constant`), or 2 zeta sqrt(m K) with the
 *          stiffness K = k L^2, or Y t L / l (`ratio`). A corner begins softly, a face with its
 *          whole length.
 * Energy   stored = U + kt s^2 / 2. matuttis: U = fn A / (2 L), and what its work adds to U is lost.
 *          lost: heat of the dashpot, by the mean of its committed and its current force, times
 *          v·n. Its coefficient changes with L, and the committed L is not known here. So both
 *          forces along the normal are kept, and Coulomb's limit of the committed state with them.
 * Cost     that of force/linear, plus one sqrt and three fields of contacts.
 * Limits   a body that is wholly inside the other has no chord, and no force (bed: nearly none). bed: without an
 *          eccentricity from the resolver it is not conservative. Where a side of one comes to lie along a side
 *          of the other, both on one side of it, A is smooth but L and e jump, by the order of (d / L)^2: bodies
 *          that overlap by a tenth of their size keep their energy to some 1e-3. `potential` keeps it exactly.
 * Choice   bed holds what lies on its side, and with it corners are stiffer next to faces (k l L against k L^2): at
 *          a quarter of k the contacts in a drum of polygons store 0.6 of the energy, with steps half as long
 *          again. Its energy is off by 8e-5 J of the 0.54 J that are lost there, that of potential by 2e-5 J.
 */
#include "scree/friction_sdk.h"

enum { POTENTIAL, MATUTTIS, BED };
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
    double along_z; // [1/m] 1 / thickness
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

/** [m] The length of the bed's modulus k l: the width of the smaller of the balls around both bodies. */
static inline double bed_length(const scree_contact_batch *b, uint32_t c)
{
    const double of_a = b->radius[0][c], of_b = b->radius[1][c];
    const double at_a = of_a > 0.0 ? of_a : of_b, at_b = of_b > 0.0 ? of_b : of_a;
    return 2.0 * scree_min(at_a, at_b);
}

/** The bed under a contact. Its energy is w s, with w = k l A^2 / (2 L'), s = 1 + 12 e^2. */
typedef struct bed {
    double energy;   // [J]
    double pressure; // [N/m^2] its growth with A
    double push, dash,
        rate;      // [J] [J] [1/s] push: along the falling e, with the dashpot's part, dash; de/dt
    double couple; // [N m] on a
    scree_vec force; // [N] on a, apart from that by A
} bed;

/** `modulus` k l [N/m^2], `dashpot` [J s] on de/dt. */
static inline bed bed_of(const scree_contact_batch *b, uint32_t c, scree_vec v, double modulus,
                         double dashpot)
{
    const double area = b->area[c], chord = b->chord[c], e = b->eccentricity[c];
    const double square = chord * chord, fourth = square * square + area * area;
    const double length = sqrt(sqrt(fourth)), inverse = length > 0.0 ? 1.0 / length : 0.0; // L'
    const double w = 0.5 * modulus * area * area * inverse, most = 4.0 * w; // 24 w / 6
    const double within = fabs(e) < 1.0 / 6.0 ? 1.0 : 0.0, elastic = within * 24.0 * w * e;
    const double share = within > 0.0 ? 1.0 + 12.0 * e * e : 4.0 / 3.0;
    const double over = fourth > 0.0 ? 1.0 / fourth : 0.0;
    const double shortens = w * share * square * chord * over; // [N] the energy falls with L by it
    bed of;
    of.rate = b->eccentricity_slope[0][c] * v.x + b->eccentricity_slope[1][c] * v.y +
              b->eccentricity_turn[c] * b->spin[2][c];
    of.push = scree_max(scree_min(elastic + within * dashpot * of.rate, most), -most);
    of.dash = of.push - elastic;
    of.energy = w * share;
    of.pressure = modulus * area * inverse * share * (1.0 - 0.25 * area * area * over);
    of.couple = shortens * b->chord_turn[c] - of.push * b->eccentricity_turn[c];
    of.force =
        scree_vec_of(shortens * b->chord_slope[0][c] - of.push * b->eccentricity_slope[0][c],
                     shortens * b->chord_slope[1][c] - of.push * b->eccentricity_slope[1][c], 0.0);
    return of;
}

/** The law. friction_sdk.h explains `way`, `rule`, `one` and the rows of `room`. */
SCREE_BODY void contacts(int form, int way, int rule, int one, const law *self,
                         const scree_contact_batch *b, double *room, uint32_t from, uint32_t to)
{
    const double least = self->least, capped = self->elastic, since = b->since;
    const double often = since > 0.0 ? 1.0 / since : 0.0; // [1/s]
    const uint32_t *SCREE_RESTRICT materials = b->materials;
    const pair *pairs = self->pairs, first = pairs[0];
    double *mark = room + SCREE_ROW_MARK * (uint64_t)b->n;
    SCREE_INDEPENDENT
    for (uint32_t c = from; c < to; c++) {
        const pair *p = one ? &first : pairs + materials[c];
        scree_touch at = scree_touch_at(b, room, since, c);
        const double area = b->area[c], chord = b->chord[c];
        const double along = form == BED ? bed_length(b, c) : chord;
        const double per_area = p->k * (form == MATUTTIS ? inverse_length(b, c) : along);
        const double kn = per_area * chord; // [N/m] stiffness of the point along n
        const double cn = p->gamma * chord * chord + p->twice * sqrt(kn * at.mass);
        const double vn = scree_dot(at.v, at.n); // > 0: approach
        bed under = {.pressure = p->k * area};
        if (form == BED)
            under = bed_of(b, c, at.v, per_area, 12.0 * cn * at.depth * at.depth);
        const double more = -scree_dot(under.force, at.n); // [N] of it along the normal
        const double elastic = form == BED ? under.pressure * chord : per_area * area;
        const double fn = scree_max(least, elastic + cn * vn), dash = fn - elastic;
        const double fn_then = b->in[3][c], dash_then = b->in[4][c]; // 0 when a contact begins
        const double normal_energy = form == MATUTTIS ? elastic * scree_max(at.depth, 0.0)
                                     : form == BED    ? 2.0 * under.energy
                                                      : p->k * area * area;
        const double kept = form == MATUTTIS ? 0.5 * normal_energy : under.dash;
        scree_friction k;
        if (form == MATUTTIS) // what the work adds to no potential is lost, or gained
            k.push = 0.5 * (fn_then + fn) * vn - (kept - b->in[5][c]) * often;
        else
            k.push = 0.5 * ((dash_then + dash) * vn + (b->in[5][c] + under.dash) * under.rate);
        k.kt = p->kt;
        k.inv_kt = p->inv_kt;
        k.ct = p->ct;
        k.limit = p->friction * (more + (capped > 0.0 ? elastic : fn));
        k.limit_then = p->friction * fabs(capped > 0.0 ? fn_then - dash_then : fn_then);
        k.slid = p->slid;
        k.raised = 0.0; // `push` is right for a cut dashpot, too
        scree_grip grip = scree_grip_of(way, rule, &at, vn, &k);
        scree_vec_put(b->out, c, grip.spring);
        b->out[3][c] = fn + more;
        b->out[4][c] = dash;
        b->out[5][c] = kept;
        scree_vec f = scree_less(grip.force, fn, scree_vec_at(b->normal, c));
        scree_vec_put(b->f, c, scree_scaled(grip.touches, scree_sum(f, under.force)));
        if (form != MATUTTIS) {
            const double about = under.pressure * self->along_z * b->twist[c];
            b->couple[0][c] = b->couple[1][c] = 0.0;
            b->couple[2][c] = grip.touches * (under.couple - about);
        }
        const double springs = normal_energy + p->kt * scree_dot(grip.spring, grip.spring);
        b->stored[c] = grip.touches * 0.5 * springs;
        b->lost[c] = grip.lost;
        mark[c] = grip.mark;
    }
}

SCREE_BODY void by_bed(int way, int rule, int one, const law *self, const scree_contact_batch *b,
                       double *room, uint32_t from, uint32_t to)
{
    contacts(BED, way, rule, one, self, b, room, from, to);
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

SCREE_DEFINE_KERNELS(bed_kernels, by_bed)
SCREE_DEFINE_KERNELS(potential_kernels, by_potential)
SCREE_DEFINE_KERNELS(length_kernels, by_length)

static void run(const void *instance, const scree_contact_batch *b, double *room)
{
    const law *self = instance;
    const int one = self->host->n_materials == 1;
    const scree_kernel *kernels = self->form == BED         ? bed_kernels[self->rule][one]
                                  : self->form == POTENTIAL ? potential_kernels[self->rule][one]
                                                            : length_kernels[self->rule][one];
    scree_turn_rows(b, room);
    scree_run_kernels(kernels, self, b, room, self->rule == SCREE_SLIDE_SPRING);
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
    if (self->form != BED)
        demands->needs &= ~(uint64_t)(SCREE_IN_ECCENTRICITY | SCREE_IN_SPIN);
    if (self->form == POTENTIAL)
        demands->needs &= ~(uint64_t)SCREE_IN_RADII;
    if (self->form != MATUTTIS) {
        demands->needs &= ~(uint64_t)SCREE_IN_ARM;
    } else {
        demands->needs &= ~(uint64_t)SCREE_IN_TWIST;
        demands->provides &= ~(uint64_t)SCREE_OUT_COUPLE;
    }
    return SCREE_OK;
}

static pair pair_of(const config *c, double thickness, uint64_t i)
{
    pair p = {.k = c->form != MATUTTIS ? c->k.v[i] : c->young.v[i] * thickness,
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
    self->along_z = 1.0 / host->thickness;
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
                c->form == MATUTTIS ? "young [Pa] (form = \"matuttis\")"
                                    : "k [N/m^3] (form = \"potential\", \"bed\")");
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
    if (self->form == BED) { // the bed under the whole chord
        out->kr = out->kn * chord * chord / 12.0;
        out->cr = out->cn * chord * chord / 12.0;
    }
    return SCREE_OK;
}

// Tables for the host: parameters, field, descriptor; a line each.
// clang-format off
#define PAIR(id, unit, f, ...) SCREE_PAIR_PARAM(config, id, unit, (f) | SCREE_PARAM_LIVE, __VA_ARGS__)
PAIR(k, "N/m^3", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 1e30, HARMONIC, "force per area and chord, bed: per area and width of the smaller body");
PAIR(young, "Pa", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 1e30, HARMONIC, "modulus Y (form = \"matuttis\")");
PAIR(kt, "N/m", SCREE_PARAM_REQUIRED, 0, 1e30, HARMONIC, "tangential stiffness");
PAIR(friction, "-", 0, 0, HUGE_VAL, MEAN, "Coulomb's friction coefficient");
PAIR(damping_ratio, "-", 0, 0, HUGE_VAL, MEAN, "share of critical damping (damping = \"ratio\")");
PAIR(damping_n, "N s/m^3", 0, 0, HUGE_VAL, MEAN, "force per growth of the area and chord (\"constant\")");
PAIR(damping_t, "N s/m", 0, 0, HUGE_VAL, MEAN, "tangential dashpot");
SCREE_CHOICE_VALUE(potential, POTENTIAL, "k A L at the chord's middle: the gradient of k A^2 / 2");
SCREE_CHOICE_VALUE(bed, BED, "springs along the chord, which hold a face: the gradient of k l A^2 / (2 L) (1 + 12 e^2)");
SCREE_CHOICE_VALUE(matuttis, MATUTTIS, "Y A / l; not conservative");
SCREE_CHOICE_PARAM(config, form, SCREE_PARAM_LIVE, "bed", "the elastic force", &choice_bed, &choice_potential, &choice_matuttis);
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
SCREE_FIELD(bed_dashpot, CONTACT, 1, 1, "J", 0, "push of the bed's dashpot by eccentricity; matuttis: the stored energy");
static const scree_field *const fields[] = {&field_shear_spring, &field_normal_force,
    &field_dashpot_force, &field_bed_dashpot};
static const scree_force_ops ops = {.size = sizeof ops, .create = create, .destroy = free,
    .compute = compute, .stiffness = stiffness, .narrow = narrow};
static const scree_plugin overlap_area = {.size = sizeof overlap_area, .kind = SCREE_KIND_FORCE,
    .dimensions = SCREE_DIMENSION_2, .id = "overlap_area", .version = "0.1.0", .licence = "Apache-2.0",
    .help = "by the area of the overlap, for polygons; tangential spring with history, Coulomb friction",
    .summary = "The force is that of springs along the chord; or k A L, the gradient of k A^2 / 2; or Matuttis' Y A / l.",
    .citation = "Matuttis, Luding, Herrmann 2000, Powder Technology 109, 278",
    .config_size = sizeof(config), .n_params = SCREE_COUNT(params), .n_fields = SCREE_COUNT(fields),
    .params = params, .fields = fields, .ops = &ops,
    .needs = SCREE_IN_VELOCITY | SCREE_IN_SLIP | SCREE_IN_MASS | SCREE_IN_MASS_POINT | SCREE_IN_MATERIALS | SCREE_IN_AREA |
             SCREE_IN_CHORD | SCREE_IN_ARM | SCREE_IN_RADII | SCREE_IN_TWIST | SCREE_IN_ECCENTRICITY | SCREE_IN_SPIN | SCREE_IN_OVERLAP,
    .provides = SCREE_OUT_COUPLE | SCREE_OUT_STORED | SCREE_OUT_LOST | SCREE_OUT_PARTED};
// clang-format on
SCREE_DEFINE_MANIFEST(&overlap_area);
