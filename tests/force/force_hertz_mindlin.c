/* SPDX-License-Identifier: Apache-2.0 */
/* force/hertz_mindlin without a host, by compute() on batches: against a scalar law of the test's
 * own, and the energy that its springs take or make on closed paths. */
#include "force_contacts.h"

enum { DISPLACEMENT, DISPLACEMENT_RESCALED, INCREMENTS, INCREMENTS_RESCALED, SETTINGS = 8 };

/** Parameters of the instance; the second of two materials is other[]. */
typedef struct setting {
    const char *name;
    int32_t damping, spring, cap, pull; // damping: 0 none, 1 restitution; cap: 0 whole, 1 elastic
    uint32_t n_materials;
    double young, nu, friction, restitution, tangential;
    int32_t rule; // SLIDE_*
} setting;

static const setting settings[SETTINGS] = {
    {"displacement", 1, DISPLACEMENT, 0, 1, 1, 6e8, 0.3, 0.3, 0.6, 1.0, SLIDE_EACH},
    {"displacement_rescaled, elastic cap, two materials", 1, DISPLACEMENT_RESCALED, 1, 1, 2, 6e8,
     0.1, 0.4, 0.3, 0.5, SLIDE_EACH},
    {"increments, no pull, two materials", 1, INCREMENTS, 0, 0, 2, 9e8, 0.25, 0.2, 0.4, 1.0,
     SLIDE_EACH},
    {"increments_rescaled", 1, INCREMENTS_RESCALED, 0, 1, 1, 6e8, 0.45, 0.3, 0.9, 2.0, SLIDE_EACH},
    {"increments_rescaled, no dashpot", 0, INCREMENTS_RESCALED, 0, 1, 1, 6e8, 0.0, 0.3, 0.1, 1.0,
     SLIDE_EACH},
    {"displacement, e = 0, elastic cap, no pull", 1, DISPLACEMENT, 1, 0, 1, 6e8, 0.2, 0.5, 0.0, 0.0,
     SLIDE_EACH},
    {"displacement, total, elastic cap", 1, DISPLACEMENT, 1, 1, 2, 6e8, 0.3, 0.3, 0.5, 1.0,
     SLIDE_TOTAL},
    {"increments_rescaled, spring", 1, INCREMENTS_RESCALED, 0, 1, 1, 6e8, 0.3, 0.3, 0.5, 1.0,
     SLIDE_SPRING},
};

/** E, nu per material; friction, restitution per pair of materials. */
static void fill_tables(const setting *s, double table[4][4])
{
    static const double other[2] = {0.4, 0.12}; // share of E, added to nu
    for (uint32_t m = 0; m < 2; m++) {
        table[0][m] = m ? other[0] * s->young : s->young;
        table[1][m] = m ? s->nu + other[1] : s->nu;
    }
    for (uint32_t k = 0; k < 4; k++) { // symmetric, as the host makes them
        table[2][k] = s->friction * (k == 0 ? 1.0 : k == 3 ? 0.5 : 0.7);
        table[3][k] = s->restitution * (k == 0 ? 1.0 : k == 3 ? 0.8 : 0.9);
    }
}

static void *make_law(const scree_plugin *plugin, const scree_host *host, const setting *s)
{
    double table[4][4];
    fill_tables(s, table);
    fake_value list[] = {{.name = "young_modulus"},
                         {.name = "poisson_ratio"},
                         {.name = "friction"},
                         {.name = "restitution"},
                         {"damping", {s->damping}},
                         {"spring", {s->spring}},
                         {"cap", {s->cap}},
                         {"pull", {s->pull}},
                         {"lever", {0}},
                         {"mass", {0}},
                         {"sliding", {s->rule}},
                         {"tangential_damping", {s->tangential}}};
    for (int k = 0; k < 4; k++)
        memcpy(list[k].of, table[k], (k < 2 ? 2 : 4) * sizeof *table[k]);
    void *law = fake_law(plugin, host, list, SCREE_COUNT(list));
    if (!law)
        bail_out("create failed");
    return law;
}

/** E* and G* of a pair of materials. */
static void moduli(const setting *s, uint32_t pair, double *e, double *g)
{
    double table[4][4], soft = 0.0, shear = 0.0;
    fill_tables(s, table);
    for (int side = 0; side < 2; side++) {
        uint32_t m = s->n_materials == 1 ? 0 : side ? pair % 2 : pair / 2;
        double nu = table[1][m], shear_modulus = table[0][m] / (2.0 * (1.0 + nu));
        soft += (1.0 - nu * nu) / table[0][m];
        shear += (2.0 - nu) / shear_modulus;
    }
    *e = 1.0 / soft;
    *g = 1.0 / shear;
}

/** Share of a spring of displacement h, left with contact radius `old`, that remains at radius a.
 */
static double carried(int32_t spring, double old, double a)
{
    if (spring == DISPLACEMENT || (a == 0.0 && spring != DISPLACEMENT_RESCALED))
        return 1.0;
    if (spring == DISPLACEMENT_RESCALED)
        return a < old ? a / old : 1.0;
    return spring == INCREMENTS ? old / a : a < old ? 1.0 : old / a;
}

/** Expected results for contact i, from the equations in its essay. */
static int expect(const void *settings_of, const contacts *c, uint32_t i, double f[3],
                  double out[FIELDS], double *stored, double *lost)
{
    const setting *s = settings_of;
    double table[4][4], e, g, pi = acos(-1.0), deep = fmax(c->depth[i], 0.0), m = c->mass[i];
    uint32_t pair = s->n_materials == 1 ? 0 : c->materials[i];
    fill_tables(s, table);
    moduli(s, pair, &e, &g);
    double a = sqrt(deep / (c->curvature[0][i] + c->curvature[1][i])), kn = 2.0 * e * a,
           kt = 8.0 * g * a;
    double log_e = log(table[3][pair]);
    double zeta = isinf(log_e) ? 1.0 : -log_e / sqrt(pi * pi + log_e * log_e);
    double share = s->damping ? 2.0 * sqrt(5.0 / 6.0) * zeta : 0.0;
    double cn = share * sqrt(m * kn), ct = s->tangential * share * sqrt(m * kt);
    double vn = 0.0, un = 0.0, hn = 0.0, h2 = 0.0, flat = 0.0, t2 = 0.0, drag = 0.0;
    double t[3], ft[3], h[3], u[3], turned[3], none[3] = {0.0};
    for (int k = 0; k < 3; k++) {
        vn += c->v[k][i] * c->normal[k][i];
        un += c->slip[k][i] * c->normal[k][i];
        hn += c->in[k][i] * c->normal[k][i];
        h2 += c->in[k][i] * c->in[k][i];
    }
    for (int k = 0; k < 3; k++)
        flat += pow(c->in[k][i] - hn * c->normal[k][i], 2.0);
    double elastic = 4.0 / 3.0 * e * a * deep, fn = elastic + cn * vn, old = c->in[3][i];
    if (!s->pull && fn < 0.0)
        fn = 0.0;
    for (int k = 0; k < 3; k++) {
        double n = c->normal[k][i];
        h[k] = c->in[k][i];
        u[k] = c->slip[k][i] - un * n;
        t[k] = c->v[k][i] - vn * n;
        turned[k] = flat > 0.0 ? (h[k] - hn * n) * sqrt(h2 / flat) : 0.0;
        out[k] = carried(s->spring, old, a) * turned[k] + u[k];
        t2 += t[k] * t[k];
    }
    double limit = table[2][pair] * fabs(s->cap ? elastic : fn), energy = 0.0;
    int slides = slide(s->rule, kt, ct, limit, t, out, ft);
    for (int k = 0; k < 3; k++) {
        f[k] = ft[k] - fn * c->normal[k][i];
        energy += 0.5 * kt * out[k] * out[k];
        drag -= (ft[k] + kt * out[k]) * t[k];
    }
    double swing = slides ? 1.0 : 1.0 - 0.875 * kt * since * since / m;
    out[3] = a;
    *stored = 8.0 / 15.0 * e * a * deep * deep + energy;
    int by_one = !s->pull && (slides || s->rule == SLIDE_SPRING || elastic + cn * vn < 0.0 ||
                              c->depth[i] < 0.0);
    *lost = spring_heat(8.0 * g * old, kt, h, turned, c->depth[i] < 0.0 ? none : out, u);
    for (int then = 0; then < 2; then++) {
        double r = then ? old : a, curve = c->curvature[0][i] + c->curvature[1][i];
        double room = vn < 0.0 && by_one ? 4.0 / 3.0 * e * r * r * r * curve : HUGE_VAL;
        double of = s->tangential * share * sqrt(m * 8.0 * g * r);
        *lost += dashpot_heat(room, share * sqrt(m * 2.0 * e * r), fabs(vn), then);
        *lost += (then ? 0.25 : 0.75) * swing *
                 (slides && r > 0.0 && c->depth[i] >= 0.0 ? drag : of * t2);
    }
    if (c->depth[i] >= 0.0)
        return slides ? 4 : 2;
    f[0] = f[1] = f[2] = out[0] = out[1] = out[2] = *stored = 0.0;
    return 1;
}

static void test_scalar(const scree_plugin *plugin, void *law, contacts *c, const setting *s)
{
    static const scales by = {1.0, {1e-5, 1e-5, 1e-5, 1e-4, 0.0}, 1e-5, 10.0};
    int seen[3], unused[3];
    compute(plugin, law, c, 0, N, since);
    double worst = error_of(expect, s, c, &by, seen), least = HUGE_VAL;
    setting others[] = {*s, *s, *s};
    others[0].friction *= 1.001;
    others[1].nu += 1e-3;
    others[2].young *= 1.001;
    for (int k = 0; k < 3; k++)
        least = fmin(least, error_of(expect, &others[k], c, &by, unused));
    printf("# %s: %d across a gap, %d stick, %d slide; off by %.1e; with other parameters %.1e\n",
           s->name, seen[0], seen[1], seen[2], worst, least);
    tap_ok(seen[0] > 20 && seen[2] > 100 && seen[1] > 100, "all cases were met");
    tap_ok(worst < 1e-12, "forces, springs and energies are those of a scalar law");
    tap_ok(least > 1e-6, "negative control: parameters larger by 1e-3 would show");
}

/** One contact led along a path without speed: the work that it is given, and its own account. */
typedef struct path {
    const scree_plugin *plugin;
    void *law;
    contacts *c;
    double work, lost, least; // [J] [J] [W]
} path;

/** `steps` steps from the current depth to `to`, by `slip` along x altogether. */
static void lead(path *p, double to, double slip, int steps)
{
    contacts *c = p->c;
    double from = c->depth[0];
    for (int n = 1; n <= steps; n++) {
        double before = c->f[0][0];
        for (int k = 0; k < 4; k++)
            c->in[k][0] = c->out[k][0];
        c->depth[0] = from + (to - from) * n / steps;
        c->slip[0][0] = slip / steps;
        compute(p->plugin, p->law, c, 0, 1, since);
        p->work -= 0.5 * (before + c->f[0][0]) * slip / steps; // exact: the force is linear in slip
        p->lost += since * c->lost[0];
        p->least = fmin(p->least, c->lost[0]);
    }
}

static path start_path(const scree_plugin *plugin, void *law, contacts *c, double depth)
{
    memset(c, 0, sizeof *c);
    c->normal[2][0] = 1.0;
    c->mass[0] = 1e-5;
    c->curvature[0][0] = 1e3;
    c->depth[0] = depth;
    path p = {plugin, law, c, 0.0, 0.0, 0.0};
    compute(plugin, law, c, 0, 1, since);
    return p;
}

/*
 * Shear by s at depth 1, press to depth 2, shear back, let go to depth 1; and from depth 2 the same
 * with pressing and letting go exchanged. half[k] = k s^2 / 2 of the two stiffnesses. Displacement:
 * given at one, taken back at the other. Increments: the force is k s before and after the press,
 * so 2 half - half of the other are taken back. Displacement cut with the radius 2 : 1: s / 2 is
 * left at depth 1, of which the way back takes nothing on balance. Rescaled increments: up as
 * increments, down as displacement.
 */
static void test_closed_paths(const scree_plugin *plugin, const scree_host *host, contacts *c)
{
    static const char *const names[] = {"displacement", "displacement_rescaled", "increments",
                                        "increments_rescaled"};
    double depth[2] = {1e-6, 4e-6}, s = 2e-8, e, g;
    for (int32_t spring = 0; spring < 4; spring++) {
        setting no_slip = {"", 1, spring, 0, 1, 1, 6e8, 0.3, 1e9, 0.6, 1.0, SLIDE_EACH};
        double half[2], gain, worst = 0.0, balance = 0.0, least = 0.0;
        moduli(&no_slip, 0, &e, &g);
        for (int k = 0; k < 2; k++)
            half[k] = 0.5 * 8.0 * g * sqrt(depth[k] / 1e3) * s * s;
        gain = half[1] - half[0];
        const double work[4][2] = {{-gain, gain}, {-gain, half[1]}, {gain, -gain}, {gain, gain}};
        for (int k = 0; k < 2; k++) {
            void *law = make_law(plugin, host, &no_slip);
            path p = start_path(plugin, law, c, depth[k]);
            double start = c->stored[0];
            lead(&p, depth[k], s, 50);
            lead(&p, depth[1 - k], 0.0, 50);
            lead(&p, depth[1 - k], -s, 50);
            lead(&p, depth[k], 0.0, 50);
            worst = fmax(worst, off(p.work, work[spring][k], gain));
            balance = fmax(balance, off(p.work, p.lost + c->stored[0] - start, gain));
            least = fmin(least, p.least * since / gain);
            ((const scree_force_ops *)plugin->ops)->destroy(law);
        }
        printf("# %s: work off by %.1e, account by %.1e, least lost %.1e\n", names[spring], worst,
               balance, least);
        tap_ok(worst < 1e-9,
               "two closed paths of shear and pressure take the work of the closed form");
        tap_ok(balance < 1e-9, "all of it is stored or reported as lost");
        tap_ok(spring == INCREMENTS_RESCALED ? least > -1e-12 : least < -1e-3,
               spring == INCREMENTS_RESCALED ? "increments_rescaled makes no energy"
                                             : "the other springs make energy, and report it");
    }
}

static void test_plugin(const scree_plugin *plugin, fake_host *fake, int is_first)
{
    static contacts first[SETTINGS], c[1];
    int equal = 1;
    for (int k = 0; k < SETTINGS; k++) {
        fake->host.n_materials = settings[k].n_materials;
        void *law = make_law(plugin, &fake->host, &settings[k]);
        fill(fake, c, settings[k].n_materials);
        test_scalar(plugin, law, c, &settings[k]);
        ((const scree_force_ops *)plugin->ops)->destroy(law);
        if (is_first)
            first[k] = *c;
        equal &= same_results(&first[k], c);
    }
    tap_ok(equal,
           is_first ? "the first level is the reference" : "all CPU levels give the same bits");
    c->f[1][N / 2] = nextafter(c->f[1][N / 2], 1.0);
    tap_ok(!same_results(&first[SETTINGS - 1], c), "negative control: a last bit would show");
    fake->host.n_materials = 1;
    test_closed_paths(plugin, &fake->host, c);
}

int main(int argc, char **argv)
{
    return fake_levels(argc, argv, test_plugin);
}
