/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bonded: linear parallel bonds that carry normal force, shear, bending and twist, until they
 * break.
 *
 * Sources  [1] Potyondy, Cundall 2004, Int. J. Rock Mech. Min. Sci. 41, 1329: stiffness per area,
 *              section of radius lambda min(Ra, Rb), beam criterion (eqs. 10 to 17).
 *          [2] Wang 2009, Acta Geotech. 4, 117: the strain of a bond follows from the current poses
 *              of both bodies, by quaternions, instead of sums of increments.
 *          [3] Potyondy 2011, 45th US Rock Mech. Symp. 11-120: share of the moment in the stress.
 * Idea     A bond is a short beam between two points, one fixed to each body; they coincide when
 *          the bond is made. d: their distance now; p: the rotation of b against a since. With A,
 *          I, J of the section and kn, ks per area:
 *            f = -kn A dn - ks A ds,  couple = kn I p_bend + ks J p_twist
 *            tension: kn |dn| + beta |kn I p_bend| R / I
 *            shear:   ks |ds| + beta |ks J p_twist| R / J
 *          The strain is exactly 0 after any common motion of both bodies, and no sum is kept that
 *          could drift.
 * Steps    1. a contact that the host asks to bond (scree.bonds/1) gets both points, in the axes
 *             of the bodies, and the turn of b against a: no force, however deep they overlap;
 *          2. later: d and p; the axis half-way between those of a and b; forces at the middle of
 *             both points, so that they turn nothing;
 *          3. beyond a strength the bond breaks: event bond_broken, mode tension or shear, value:
 *             the energy [J] of the bond, which is lost.
 * Section  spheres: A = pi R^2, I = pi R^4 / 4, J = pi R^4 / 2; discs: A = 2 R t, I = 2 R^3 t / 3,
 *          no twist; R = bond_radius min(Ra, Rb), only of a on a wall; t: thickness of the scene.
 * Modulus  bond_modulus E gives kn = E / (Ra + Rb), on a wall E / Ra, and ks = kn / bond_ratio:
 *          PFC's deformability method. A chain then has Young's modulus E and the section of its
 *          bonds.
 * Damping  bond_damping: share of the critical dashpot of normal spring and effective mass;
 *          dashpots of shear, bending and twist are in proportion to their springs (Kelvin, Voigt).
 * Energy   stored = sum of the four springs; lost = heat of the dashpots; heat = the energy of a
 *          breaking bond, half a step before.
 * Cost     some 150 flops per bond, contact by contact; ten numbers of memory. Contacts without a
 *          bond cost a test. The scene may have other laws (such as linear) that act on the overlap
 *          as well.
 * Limits   p is a series: off by 2e-6 at 30 degrees. Bonds do not yield, heal or creep.
 * Deviations  [1] sums increments in the frame of the contact: the same for small strains; its
 *          sums keep forces after large turns.
 */
#include "scree/force_sdk.h"

typedef struct config {
    scree_reals bond_kn, bond_ks, bond_modulus, bond_ratio, bond_tension, bond_shear, bond_radius,
        bond_damping;
    double largest_gap, moment_share, spread;
    int32_t mass, reserved;
} config;
typedef struct pair {
    double kn, ks, modulus, ratio;          // [N/m^3] [N/m^3] [Pa] [-]; kn NaN: from bond_modulus
    double tension, shear, radius, damping; // [Pa] [Pa] [-] [-]
} pair;
typedef struct law {
    const scree_host *host;
    const scree_events *events;
    double largest_gap, moment_share, spread; // [-]
    int32_t mass, reserved;                   // SCREE_MASS_*
    pair pairs[];
} law;
/** The section of one bond, from which its stiffness and strength follow. */
typedef struct section {
    double kn, ks, radius, area, bend, twist; // [N/m^3] [N/m^3] [m] [m^2] [m^4] [m^4]
} section;
enum { POINT_A, POINT_B = 3, TURN = 6, FIELDS = 10 };

static inline void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** p q, or p times the inverse of the unit quaternion q. */
static inline void multiply(const double p[4], const double q[4], double sign, double out[4])
{
    double x = sign * q[1], y = sign * q[2], z = sign * q[3];
    out[0] = p[0] * q[0] - p[1] * x - p[2] * y - p[3] * z;
    out[1] = p[0] * x + p[1] * q[0] + p[2] * z - p[3] * y;
    out[2] = p[0] * y - p[1] * z + p[2] * q[0] + p[3] * x;
    out[3] = p[0] * z + p[1] * y - p[2] * x + p[3] * q[0];
}

/** The inverse of a unit quaternion. */
static inline void invert(const double q[4], double out[4])
{
    out[0] = q[0];
    for (int k = 1; k < 4; k++)
        out[k] = -q[k];
}

static inline void pose_of(const scree_bodies *bodies, uint32_t i, double q[4])
{
    for (int k = 0; k < 4; k++)
        q[k] = bodies->q[k][i];
}

/** rb: radius of b, 0 for a wall. */
static section section_of(const law *self, const pair *p, double ra, double rb, int flat)
{
    double least = rb > 0.0 ? scree_min(ra, rb) : ra, r = p->radius * least;
    double t = self->host->thickness, kn = isnan(p->kn) ? p->modulus / (ra + rb) : p->kn;
    section s = {.kn = kn, .ks = isnan(p->kn) ? kn / p->ratio : p->ks, .radius = r};
    s.area = flat ? 2.0 * r * t : M_PI * r * r;
    s.bend = flat ? 2.0 / 3.0 * r * r * r * t : 0.25 * M_PI * r * r * r * r;
    s.twist = flat ? 0.0 : 2.0 * s.bend;
    return s;
}

static section section_at(const law *self, const scree_contact_batch *b, uint32_t c)
{
    const scree_bodies *bodies = b->bodies;
    int flat = bodies->shapes[bodies->shape[b->a[c]]]->flat;
    return section_of(self, &self->pairs[b->materials[c]], b->radius[0][c], b->radius[1][c], flat);
}

/** No force acts, and the fields get their initial values. */
static inline void clear(const scree_contact_batch *b, uint32_t c)
{
    for (int k = 0; k < 3; k++)
        b->f[k][c] = b->couple[k][c] = 0.0;
    for (int k = 0; k < FIELDS; k++)
        b->out[k][c] = 0.0;
    b->stored[c] = b->lost[c] = 0.0;
    b->keep[c] = 0;
}

/** Step 1: the contact point, fixed to both bodies, and the orientation of b in the axes of a. */
static void begin(const scree_contact_batch *b, uint32_t c)
{
    double qa[4], qb[4], to_a[4], to_b[4], arm[3], of_b[3], point[3], relative[4];
    pose_of(b->bodies, b->a[c], qa);
    pose_of(b->bodies, b->b[c], qb);
    for (int k = 0; k < 3; k++) {
        arm[k] = b->arm[k][c];
        of_b[k] = b->arm[k][c] - b->d[k][c];
    }
    invert(qa, to_a);
    invert(qb, to_b);
    clear(b, c);
    scree_rotate_summed(to_a, arm, point);
    for (int k = 0; k < 3; k++)
        b->out[POINT_A + k][c] = point[k];
    scree_rotate_summed(to_b, of_b, point);
    for (int k = 0; k < 3; k++)
        b->out[POINT_B + k][c] = point[k];
    multiply(to_a, qb, 1.0, relative);
    for (int k = 0; k < 4; k++)
        b->out[TURN + k][c] = relative[k];
    b->keep[c] = 1;
}

/** The current strain of a bond. */
typedef struct strain {
    double axis[3], apart[3], turned[3], middle[3]; // [-] [m] [rad] [m] middle: from the arm
} strain;

static strain strain_at(const scree_contact_batch *b, uint32_t c)
{
    double qa[4], qb[4], relative[4], then[4], err[4], at_a[3], at_b[3], ra[3], rb[3], nb[3],
        n2 = 0.0;
    strain s;
    pose_of(b->bodies, b->a[c], qa);
    pose_of(b->bodies, b->b[c], qb);
    for (int k = 0; k < 3; k++) {
        at_a[k] = b->in[POINT_A + k][c];
        at_b[k] = b->in[POINT_B + k][c];
    }
    for (int k = 0; k < 4; k++)
        relative[k] = b->in[TURN + k][c];
    multiply(qb, relative, -1.0, then);
    multiply(then, qa, -1.0, err); // 1 if b has not turned against a
    scree_rotate_summed(qa, at_a, ra);
    scree_rotate_summed(qb, at_b, rb);
    scree_rotate_summed(err, ra, nb);
    double v2 = err[1] * err[1] + err[2] * err[2] + err[3] * err[3];
    double series =
        1.0 + v2 * (1.0 / 6.0 + v2 * (3.0 / 40.0 + v2 * (5.0 / 112.0 + v2 * 35.0 / 1152.0)));
    double angle = (err[0] < 0.0 ? -2.0 : 2.0) * series; // 2 asin(|v|) / |v|
    for (int k = 0; k < 3; k++) {
        s.apart[k] = ra[k] - b->d[k][c] - rb[k];
        s.middle[k] = 0.5 * (ra[k] + b->d[k][c] + rb[k]) - b->arm[k][c];
        s.turned[k] = angle * err[1 + k];
        s.axis[k] = ra[k] + nb[k];
        n2 += s.axis[k] * s.axis[k];
    }
    // At the centre of a ball, deep in a wall, the axis is undefined: it is the normal then.
    double normal[3] = {b->normal[0][c], b->normal[1][c], b->normal[2][c]};
    double by = n2 > 1e-12 * b->radius[0][c] * b->radius[0][c] ? 1.0 / sqrt(n2) : 0.0;
    by = dot(s.axis, normal) < 0.0 ? -by : by;
    for (int k = 0; k < 3; k++)
        s.axis[k] = by != 0.0 ? by * s.axis[k] : normal[k];
    return s;
}

/** Two random numbers decide the strength of a bond; they stay the same during its life. */
static double strength_of(const law *self, const scree_contact_batch *b, uint32_t c)
{
    if (!(self->spread > 0.0))
        return 1.0;
    uint64_t ia = b->bodies->id[b->a[c]], ib = b->bodies->id[b->b[c]];
    double u = scree_uniform(self->host->random(self->host->ctx, 0x626f6e64, ia, ib));
    return 1.0 + sqrt(3.0) * self->spread * (2.0 * u - 1.0);
}

static int32_t report(const law *self, const scree_contact_batch *b, uint32_t c, const strain *s,
                      const char *mode, double energy)
{
    double x[3];
    const scree_event event = {.size = sizeof event,
                               .name = "bond_broken",
                               .mode = mode,
                               .id_a = b->bodies->id[b->a[c]],
                               .id_b = b->bodies->id[b->b[c]],
                               .x = x,
                               .value = energy};
    for (int k = 0; k < 3; k++)
        x[k] = b->bodies->x[k][b->a[c]] + b->arm[k][c] + s->middle[k];
    return self->events ? self->events->report(self->events->ctx, &event) : SCREE_OK;
}

/** Steps 2 and 3. */
static int32_t hold(const law *self, const scree_contact_batch *b, uint32_t c)
{
    const pair *p = &self->pairs[b->materials[c]];
    section e = section_at(self, b, c);
    strain s = strain_at(b, c);
    double dn = dot(s.apart, s.axis), pn = dot(s.turned, s.axis), vn = 0.0, wn = 0.0, f[3], m[3];
    double ds2 = 0.0, pb2 = 0.0, rate = 0.0, heat = 0.0, moved[3];
    double beta = self->moment_share, strong = strength_of(self, b, c);
    double slow =
        p->damping > 0.0 ? 2.0 * p->damping * sqrt(b->mass[c] / (e.kn * e.area)) : 0.0; // [s]
    for (int k = 0; k < 3; k++) {
        vn += b->v[k][c] * s.axis[k];
        wn += b->spin[k][c] * s.axis[k];
    }
    for (int k = 0; k < 3; k++) {
        double ds = s.apart[k] - dn * s.axis[k], pb = s.turned[k] - pn * s.axis[k];
        f[k] = -e.area * (e.kn * dn * s.axis[k] + e.ks * ds);
        m[k] = e.kn * e.bend * pb + e.ks * e.twist * pn * s.axis[k];
        ds2 += ds * ds;
        pb2 += pb * pb;
    }
    double stored = 0.5 * (e.area * (e.kn * dn * dn + e.ks * ds2) + e.kn * e.bend * pb2 +
                           e.ks * e.twist * pn * pn);
    double tension = e.kn * (beta * sqrt(pb2) * e.radius - dn);
    double shear = e.ks * (sqrt(ds2) + (e.twist > 0.0 ? beta * fabs(pn) * e.radius : 0.0));
    double by_tension = tension / (strong * p->tension), by_shear = shear / (strong * p->shear);
    if (by_tension > 1.0 || by_shear > 1.0) {
        for (int k = 0; k < 3; k++)
            rate += f[k] * b->v[k][c] + m[k] * b->spin[k][c];
        clear(b, c);
        b->heat[c] = scree_max(stored + 0.5 * rate * b->since, 0.0);
        return report(self, b, c, &s, by_tension >= by_shear ? "tension" : "shear", stored);
    }
    cross(s.middle, f, moved);
    for (int k = 0; k < 3; k++) {
        double vt = b->v[k][c] - vn * s.axis[k], wt = b->spin[k][c] - wn * s.axis[k];
        double drag = slow * e.area * (e.kn * vn * s.axis[k] + e.ks * vt);
        double brake = slow * (e.kn * e.bend * wt + e.ks * e.twist * wn * s.axis[k]);
        heat += drag * b->v[k][c] + brake * b->spin[k][c];
        b->f[k][c] = f[k] - drag;
        b->couple[k][c] = m[k] + moved[k] - brake;
    }
    for (int k = 0; k < FIELDS; k++)
        b->out[k][c] = b->in[k][c];
    b->stored[c] = stored;
    b->lost[c] = heat;
    b->keep[c] = 1;
    return SCREE_OK;
}

static int32_t compute(void *instance, const scree_contact_batch *b)
{
    const law *self = instance;
    int32_t code = SCREE_OK;
    for (uint32_t c = 0; c < b->n && code == SCREE_OK; c++) {
        double made = fabs(b->in[TURN][c]) + fabs(b->in[TURN + 1][c]) + fabs(b->in[TURN + 2][c]) +
                      fabs(b->in[TURN + 3][c]);
        if (!b->keep[c])
            clear(b, c);
        else if (made > 0.0)
            code = hold(self, b, c);
        else
            begin(b, c);
    }
    return code;
}

/** Checks that each pair of materials has kn and ks, or a modulus and a ratio. */
static int32_t check(const scree_host *host, const config *c, uint64_t k)
{
    double kn = c->bond_kn.v[k], ks = c->bond_ks.v[k], e = c->bond_modulus.v[k];
    uint64_t a = k / host->n_materials, b = k % host->n_materials;
    if (isnan(kn) != isnan(ks) || isnan(kn) == isnan(e))
        return scree_failf(
            host, SCREE_E_CONFIG,
            "materials number %u and %u of the scene: expected bond_kn and bond_ks [N/m^3], or "
            "bond_modulus [Pa]; got%s%s%s%s",
            (unsigned)a + 1, (unsigned)b + 1, isnan(kn) ? "" : " bond_kn",
            isnan(ks) ? "" : " bond_ks", isnan(e) ? "" : " bond_modulus",
            isnan(kn) && isnan(ks) && isnan(e) ? " none of them" : "");
    return SCREE_OK;
}

static int32_t create(const scree_host *host, const void *given, void **instance)
{
    const config *c = given;
    uint64_t n = (uint64_t)host->n_materials * host->n_materials;
    for (uint64_t k = 0; k < n; k++)
        if (check(host, c, k) != SCREE_OK)
            return SCREE_E_CONFIG;
    law *self = calloc(1, sizeof *self + n * sizeof *self->pairs);
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the table of material pairs");
    self->host = host;
    self->events = host->get_service(host->ctx, SCREE_SERVICE_EVENTS);
    self->largest_gap = c->largest_gap;
    self->moment_share = c->moment_share;
    self->spread = c->spread;
    self->mass = c->mass;
    for (uint64_t k = 0; k < n; k++) {
        double tension = c->bond_tension.v[k], shear = c->bond_shear.v[k];
        self->pairs[k] = (pair){.kn = c->bond_kn.v[k],
                                .ks = c->bond_ks.v[k],
                                .modulus = c->bond_modulus.v[k],
                                .ratio = c->bond_ratio.v[k],
                                .tension = isnan(tension) ? HUGE_VAL : tension,
                                .shear = isnan(shear) ? HUGE_VAL : shear,
                                .radius = c->bond_radius.v[k],
                                .damping = c->bond_damping.v[k]};
    }
    *instance = self;
    return SCREE_OK;
}

static int32_t stiffness(void *instance, const scree_stiffness_query *q, scree_stiffness *out)
{
    const law *self = instance;
    const pair *p = &self->pairs[q->material_a * self->host->n_materials + q->material_b];
    section e = section_of(self, p, q->radius_a, q->radius_b, self->host->dimension == 2);
    double kn = e.kn * e.area, slow = kn > 0.0 ? 2.0 * p->damping * sqrt(q->mass / kn) : 0.0;
    out->kn = kn;
    out->kt = e.ks * e.area;
    out->kr = e.kn * e.bend;
    out->ktwist = e.ks * e.twist;
    out->cn = slow * kn;
    out->ct = slow * out->kt;
    out->cr = slow * out->kr;
    out->ctwist = slow * out->ktwist;
    return SCREE_OK;
}

static int32_t narrow(void *instance, scree_demands *demands)
{
    scree_mass_narrow(((const law *)instance)->mass, demands);
    return SCREE_OK;
}

static int32_t reach(void *instance, scree_range_query *q)
{
    double least = q->radius_b > 0.0 ? scree_min(q->radius_a, q->radius_b) : q->radius_a;
    q->gap = ((const law *)instance)->largest_gap * least;
    return SCREE_OK;
}

static const void *get_extension(const char *name)
{
    static const scree_bonds bonds = {.size = sizeof bonds, .reach = reach};
    return strcmp(name, SCREE_EXTENSION_BONDS) == 0 ? &bonds : NULL;
}

// Tables for the host: parameters, fields, descriptor; a line each.
// clang-format off
#define PAIR(id, unit, f, ...) SCREE_PAIR_PARAM(config, id, unit, (f) | SCREE_PARAM_LIVE, __VA_ARGS__)
PAIR(bond_kn, "N/m^3", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 1e30, HARMONIC, "normal stiffness per area");
PAIR(bond_ks, "N/m^3", SCREE_PARAM_OPTIONAL, 0, 1e30, HARMONIC, "shear stiffness per area");
PAIR(bond_modulus, "Pa", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, 1e30, HARMONIC, "Young's modulus instead: kn = E / (Ra + Rb)");
PAIR(bond_ratio, "-", SCREE_PARAM_MIN_OPEN, 2.5, HUGE_VAL, MEAN, "kn / ks, with bond_modulus");
PAIR(bond_tension, "Pa", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, HUGE_VAL, MIN, "tensile strength; without it no bond breaks by tension");
PAIR(bond_shear, "Pa", SCREE_PARAM_OPTIONAL | SCREE_PARAM_MIN_OPEN, 0, HUGE_VAL, MIN, "shear strength; without it no bond breaks by shear");
PAIR(bond_radius, "-", SCREE_PARAM_MIN_OPEN, 1, HUGE_VAL, MIN, "radius of a bond, as a share of the smaller body's radius");
PAIR(bond_damping, "-", 0, 0, HUGE_VAL, MEAN, "share of the critical dashpot");
SCREE_REAL_PARAM(config, largest_gap, "-", SCREE_PARAM_LIVE, 1, 0, HUGE_VAL, "largest gap that can be bonded, as a share of the smaller radius");
SCREE_REAL_PARAM(config, moment_share, "-", SCREE_PARAM_LIVE, 1, 0, 1, "beta: share of the moments that counts in the stress");
SCREE_REAL_PARAM(config, spread, "-", 0, 0, 0, 0.57, "standard deviation of the strengths over their mean, evenly spread, by the ids of both bodies");
SCREE_MASS_PARAM(config, mass);
static const scree_param *const params[] = {&param_bond_kn, &param_bond_ks, &param_bond_modulus,
    &param_bond_ratio, &param_bond_tension, &param_bond_shear, &param_bond_radius,
    &param_bond_damping, &param_largest_gap, &param_moment_share, &param_spread, &param_mass};
SCREE_FIELD(bond_a, CONTACT, 3, 1, "m", 0, "point of the bond, in the axes of a");
SCREE_FIELD(bond_b, CONTACT, 3, 1, "m", 0, "point of the bond, in the axes of b");
SCREE_FIELD(bond_turn, CONTACT, 4, 1, "-", 0, "quaternion of b in the axes of a when it was made; 0: no bond");
static const scree_field *const fields[] = {&field_bond_a, &field_bond_b, &field_bond_turn};
static const scree_force_ops ops = {.size = sizeof ops, .create = create, .destroy = free,
    .compute = compute, .stiffness = stiffness, .narrow = narrow};
static const scree_plugin bonded = {.size = sizeof bonded, .kind = SCREE_KIND_FORCE,
    .dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3, .id = "bonded", .version = "1.0.0", .licence = "Apache-2.0",
    .help = "parallel bonds: normal, shear, bending and twist, with strengths",
    .summary = "`bonds` in the group of this law says which bodies are bonded: ( { list = \"pairs.csv\"; }, { gap = \"1 um\"; }, { touch = true; } ). "
        "Reports bond_broken, mode tension or shear, with the energy [J] that the bond held.",
    .citation = "Potyondy, Cundall 2004, Int. J. Rock Mech. Min. Sci. 41, 1329, doi:10.1016/j.ijrmms.2004.09.011\n"
        "Wang 2009, Acta Geotech. 4, 117, doi:10.1007/s11440-008-0072-1",
    .config_size = sizeof(config), .n_params = SCREE_COUNT(params), .n_fields = SCREE_COUNT(fields),
    .params = params, .fields = fields, .get_extension = get_extension, .ops = &ops,
    .needs = SCREE_IN_VELOCITY | SCREE_IN_SPIN | SCREE_IN_MASS | SCREE_IN_MASS_POINT |
        SCREE_IN_MATERIALS | SCREE_IN_RADII | SCREE_IN_ARM | SCREE_IN_ORIENTATION,
    .provides = SCREE_OUT_COUPLE | SCREE_OUT_STORED | SCREE_OUT_LOST | SCREE_OUT_HEAT | SCREE_OUT_KEEP};
// clang-format on
SCREE_DEFINE_MANIFEST(&bonded);
