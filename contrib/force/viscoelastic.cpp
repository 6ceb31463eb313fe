// SPDX-License-Identifier: Apache-2.0
/*
 * viscoelastic: spheres of a viscoelastic material, whose restitution falls with the speed of the
 * impact; Mindlin's tangential spring, Coulomb's limit. In C++17.
 *
 * Sources  [1] Kuwabara, Kono 1987, Jpn. J. Appl. Phys. 26, 1230: the dashpot. [2] Brilliantov,
 *          Spahn, Hertzsch, Poeschel 1996, Phys. Rev. E 53, 5382: the same from continuum
 *          mechanics. [3] Ramirez, Poeschel, Brilliantov, Schwager 1999, Phys. Rev. E 60, 4465: its
 *          restitution as a series. [4] Schwager, Poeschel 2008, Phys. Rev. E 78, 051304: impacts
 *          end where the force ends. [5] Mindlin, Deresiewicz 1953, J. Appl. Mech. 20, 327.
 * Idea     a = sqrt(R depth), 1/R = 1/r_a + 1/r_b;  kn = 2 E* a, kt = 8 G* a (tangents);
 *          fn = 2/3 kn depth + A kn v·n [2], ft = -kt s - A kt vt, cut to mu fn. A [s] is the
 *          dissipation time of the material; a dashpot ~ sqrt(depth) instead of Tsuji's
 *          depth^(1/4), which is hertz_mindlin's, makes e depend on the speed v:
 *              e = 1 - C1 y + C2 y^2 - ..,  y = 3/2 A (k / m)^(2/5) v^(1/5),  k = 4/3 E* sqrt(R)
 *          with C1 = 1.153449, C2 = 0.798267 [3], for impacts that end at depth 0 (pull = true).
 *          Without pull they end with the force, a little earlier, and e is larger [4].
 * Spring   s, turned into the present contact plane, plus the slip; sliding cuts the total force,
 *          and the spring's force if that also exceeds the limit.
 * Energy   stored = 2/5 of the elastic force times depth + kt s^2 / 2; lost = heat of dashpots and
 *          sliding, and the energy that a change of kt takes from the spring.
 * Cost     a plain loop, not vectorised, unlike that of force/hertz_mindlin.
 * Limits   a << r; discs count as balls of their radius. A tangential dashpot with the same A is
 *          our choice: [1] to [4] treat head-on impacts only.
 */
#include <initializer_list>

#include <scree/sdk.h>

namespace
{

struct config {
    scree_reals young_modulus, poisson_ratio, friction, dissipative_time;
    int32_t pull, reserved;
};

struct pair {
    double kn, kt, friction, time; // [Pa] 2 E*, 8 G*: times a; [-]; [s]
};

struct law {
    const scree_host *host;
    const pair *pairs; // [n_materials^2], behind the struct
    int32_t pull, reserved;
};

enum { RADIUS = 3, DASHPOT }; // fields after the three of the spring

struct vec {
    double v[3];
};

inline vec at(const double *const p[3], uint32_t c)
{
    return {{p[0][c], p[1][c], p[2][c]}};
}

inline double dot(const vec &a, const vec &b)
{
    return a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2];
}

/** a + s b */
inline vec plus(const vec &a, double s, const vec &b)
{
    return {{a.v[0] + s * b.v[0], a.v[1] + s * b.v[1], a.v[2] + s * b.v[2]}};
}

inline vec scaled(double s, const vec &a)
{
    return {{s * a.v[0], s * a.v[1], s * a.v[2]}};
}

template <bool Pull> void contact(const law &self, const scree_contact_batch &b, uint32_t c)
{
    const pair &p = self.pairs[b.materials[c]];
    const vec n = at(b.normal, c), h = at(b.in, c), v = at(b.v, c), u = at(b.slip, c);
    const double curve = b.curvature[0][c] + b.curvature[1][c], old = b.in[RADIUS][c];
    const double deep = scree_max(b.depth[c], 0.0), a = curve > 0.0 ? sqrt(deep / curve) : 0.0;
    const bool touches = b.depth[c] >= 0.0;
    const double vn = dot(v, n);
    const double elastic = 2.0 / 3.0 * p.kn * a * deep, whole = elastic + p.time * p.kn * a * vn;
    const double fn = Pull ? whole : scree_max(whole, 0.0), dashpot = fn - elastic;

    const double kt = p.kt * a, ct = p.time * kt, hn = dot(h, n);
    const double turn = scree_max(scree_turn_spring(hn, dot(h, h)), 0.0);
    const vec t = plus(v, -vn, n), slip = plus(u, -dot(u, n), n);
    vec s = plus(scaled(turn, plus(h, -hn, n)), 1.0, slip), g{};
    const bool slides = scree_slide(SCREE_SLIDE_EACH, kt, ct, fabs(p.friction * fn), t.v, s.v, g.v);
    const double rubbed = -dot(plus(g, kt, s), t), lag = scree_lag(kt, b.mass[c], b.since);
    const double of_now = slides && a > 0.0 ? rubbed : lag * ct * dot(t, t);
    const double of_then = slides && old > 0.0 ? rubbed : lag * p.time * p.kt * old * dot(t, t);
    if (!touches)
        s = vec{};

    b.lost[c] = 0.5 * (b.in[DASHPOT][c] + dashpot) * vn + 0.75 * of_now + 0.25 * of_then +
                scree_spring_heat(&b, c, p.kt * old, kt, s.v);
    b.stored[c] = 0.4 * elastic * deep + 0.5 * kt * dot(s, s);
    b.out[RADIUS][c] = a;
    b.out[DASHPOT][c] = dashpot;
    for (int k = 0; k < 3; k++)
        b.f[k][c] = touches ? g.v[k] - fn * n.v[k] : 0.0;
}

template <bool Pull> void all_contacts(const law &self, const scree_contact_batch &b)
{
    for (uint32_t c = 0; c < b.n; c++)
        contact<Pull>(self, b, c);
}

int32_t compute(void *instance, const scree_contact_batch *b) noexcept
{
    const law &self = *static_cast<const law *>(instance);
    (self.pull ? all_contacts<true> : all_contacts<false>)(self, *b);
    return SCREE_OK;
}

pair pair_of(const config &c, uint32_t k, uint32_t n)
{
    double soft = 0.0, shear = 0.0;
    for (uint32_t m : {k / n, k % n}) {
        const double e = c.young_modulus.v[m], nu = c.poisson_ratio.v[m];
        soft += (1.0 - nu * nu) / e;
        shear += 2.0 * (1.0 + nu) * (2.0 - nu) / e;
    }
    return {2.0 / soft, 8.0 / shear, c.friction.v[k], c.dissipative_time.v[k]};
}

int32_t create(const scree_host *host, const void *given, void **instance) noexcept
{
    const config &c = *static_cast<const config *>(given);
    const uint32_t n = host->n_materials;
    auto *self = static_cast<law *>(calloc(1, sizeof(law) + size_t{n} * n * sizeof(pair)));
    if (!self)
        return host->fail(host->ctx, SCREE_E_MEMORY, "no memory for the table of material pairs");
    auto *pairs = reinterpret_cast<pair *>(self + 1);
    for (uint32_t k = 0; k < n * n; k++)
        pairs[k] = pair_of(c, k, n);
    self->host = host;
    self->pairs = pairs;
    self->pull = c.pull;
    *instance = self;
    return SCREE_OK;
}

/** Tangents at the depth, at the depth of the force, or at the largest depth of an elastic impact:
 * depth^(5/2) = 5 m v^2 / 4 k. */
int32_t stiffness(void *instance, const scree_stiffness_query *q, scree_stiffness *out) noexcept
{
    const law &self = *static_cast<const law *>(instance);
    const pair &p = self.pairs[q->material_a * self.host->n_materials + q->material_b];
    const double curve = 1.0 / q->radius_a + (q->radius_b > 0.0 ? 1.0 / q->radius_b : 0.0);
    const double k = 2.0 / 3.0 * p.kn / sqrt(curve); // force k depth^(3/2)
    double depth = scree_max(q->depth, 0.0);
    if (q->depth == 0.0)
        depth = q->normal_force > 0.0 ? pow(q->normal_force / k, 2.0 / 3.0)
                                      : pow(1.25 * q->mass * q->speed * q->speed / k, 0.4);
    const double a = sqrt(depth / curve);
    out->kn = p.kn * a;
    out->kt = p.kt * a;
    out->cn = p.time * out->kn;
    out->ct = p.time * out->kt;
    return SCREE_OK;
}

SCREE_MATERIAL_PARAM(config, young_modulus, "Pa",
                     SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN | SCREE_PARAM_LIVE, 0, 0, HUGE_VAL,
                     "Young's modulus");
SCREE_MATERIAL_PARAM(config, poisson_ratio, "-",
                     SCREE_PARAM_REQUIRED | SCREE_PARAM_MIN_OPEN | SCREE_PARAM_LIVE, 0, -1, 0.5,
                     "Poisson's ratio");
SCREE_PAIR_PARAM(config, friction, "-", SCREE_PARAM_LIVE, 0, HUGE_VAL, MEAN,
                 "Coulomb's friction coefficient");
SCREE_PAIR_PARAM(config, dissipative_time, "s", SCREE_PARAM_REQUIRED | SCREE_PARAM_LIVE, 0,
                 HUGE_VAL, MEAN, "A: the dashpot is A times the present stiffness");
SCREE_BOOL_PARAM(config, pull, SCREE_PARAM_LIVE, 0, "the dashpot may pull as an impact ends");
const scree_param *const params[] = {&param_young_modulus, &param_poisson_ratio, &param_friction,
                                     &param_dissipative_time, &param_pull};
SCREE_FIELD(shear_spring, CONTACT, 4, 1, "m", 0,
            "tangential spring, displacement of a against b; contact radius that goes with it");
SCREE_FIELD(dashpot, CONTACT, 1, 1, "N", 0, "normal force less the elastic one, for its heat");
const scree_field *const fields[] = {&field_shear_spring, &field_dashpot};

/* C++17 has no designated initialisers: constants are filled by name in a function that the
 * compiler evaluates. */
constexpr scree_force_ops make_ops()
{
    scree_force_ops ops{};
    ops.size = sizeof ops;
    ops.create = create;
    ops.destroy = free;
    ops.compute = compute;
    ops.stiffness = stiffness;
    return ops;
}
constexpr scree_force_ops ops = make_ops();

constexpr scree_plugin make_plugin()
{
    scree_plugin p{};
    p.size = sizeof p;
    p.kind = SCREE_KIND_FORCE;
    p.dimensions = SCREE_DIMENSION_2 | SCREE_DIMENSION_3;
    p.id = "viscoelastic";
    p.version = "0.1.0";
    p.licence = "Apache-2.0";
    p.help = "viscoelastic spheres: restitution falls with the speed; friction; in C++";
    p.summary = "Hertz's force with the dashpot of Kuwabara and Kono, Mindlin's tangential spring, "
                "Coulomb's limit.";
    p.citation = "Ramirez, Poeschel, Brilliantov, Schwager 1999, Phys. Rev. E 60, 4465, "
                 "doi:10.1103/PhysRevE.60.4465";
    p.config_size = sizeof(config);
    p.n_params = SCREE_COUNT(params);
    p.params = params;
    p.n_fields = SCREE_COUNT(fields);
    p.fields = fields;
    p.needs =
        SCREE_IN_VELOCITY | SCREE_IN_SLIP | SCREE_IN_MASS | SCREE_IN_MATERIALS | SCREE_IN_CURVATURE;
    p.provides = SCREE_OUT_STORED | SCREE_OUT_LOST | SCREE_OUT_PARTED;
    p.ops = &ops;
    return p;
}
constexpr scree_plugin viscoelastic = make_plugin();

} // namespace

SCREE_DEFINE_MANIFEST(&viscoelastic);
