/* SPDX-License-Identifier: Apache-2.0 */
/* force/linear without a host, by compute() on batches: against a scalar law of the test's own. */
#include "force_contacts.h"

enum { SETTINGS = 7 };

/** Parameters of the law per pair of materials, and of the instance. */
typedef struct setting {
    const char *name;
    int32_t damping; // 0 none, 1 restitution, 2 constant, 3 mass
    int32_t pull;
    uint32_t n_materials;
    double kn, kt, friction, restitution, damping_n, damping_t, gamma_n, gamma_t;
    int32_t sliding; // 0 total, 1 each, 2 spring
} setting;

static const setting settings[SETTINGS] = {
    {"restitution", 1, 1, 1, 1e5, (double)NAN, 0.4, 0.6, 0, 0, 0, 0, 0},
    {"restitution, no pull, two materials", 1, 0, 2, 1e5, 3e4, 0.4, 0.3, 0, 0, 0, 0, 0},
    {"constant", 2, 1, 1, 2e5, 1e5, 0.3, 1, 3.0, 2.0, 0, 0, 0},
    {"mass, two materials", 3, 1, 2, 2e5, 1e5, 0.3, 1, 0, 0, 5e3, 2e3, 0},
    {"constant, no tangential spring", 2, 1, 1, 1e5, 0.0, 0.3, 1, 3.0, 2.0, 0, 0, 0},
    {"restitution, each, two materials", 1, 1, 2, 1e5, 3e4, 0.4, 0.3, 0, 0, 0, 0, SLIDE_EACH},
    {"mass, spring, two materials", 3, 1, 2, 2e5, 1e5, 0.3, 1, 0, 0, 5e3, 2e3, SLIDE_SPRING},
};

/** Pair k of two materials is that much softer, so that a wrong index shows. */
static double softer(uint32_t k)
{
    return k == 0 ? 1.0 : k == 3 ? 0.5 : 0.7;
}

static void *make_law(const scree_plugin *plugin, const scree_host *host, const setting *s)
{
    fake_value list[] = {{"kn", {s->kn}},
                         {"kt", {s->kt}},
                         {"friction", {s->friction}},
                         {"restitution", {s->restitution}},
                         {"damping_n", {s->damping_n}},
                         {"damping_t", {s->damping_t}},
                         {"gamma_n", {s->gamma_n}},
                         {"gamma_t", {s->gamma_t}},
                         {"damping", {s->damping}},
                         {"pull", {s->pull}},
                         {"sliding", {s->sliding}},
                         {"spring", {0}},
                         {"cap", {0}},
                         {"lever", {0}},
                         {"mass", {0}}};
    for (uint32_t k = 0; k < 8; k++)
        for (uint32_t m = s->n_materials == 2 ? 4 : 1; m-- > 0;)
            list[k].of[m] = list[k].of[0] * (k < 2 ? softer(m) : 1.0);
    void *law = fake_law(plugin, host, list, SCREE_COUNT(list));
    if (!law)
        bail_out("create failed");
    return law;
}

/** Expected results for contact i, from the equations in the essay. */
static int expect(const void *settings_of, const contacts *c, uint32_t i, double f[3],
                  double spring[FIELDS], double *stored, double *lost)
{
    const setting *s = settings_of;
    double soft = s->n_materials == 2 ? softer(c->materials[i]) : 1.0, m = c->mass[i];
    double kn = s->kn * soft, kt = isnan(s->kt) ? 2.0 / 7.0 * kn : s->kt * soft;
    double log_e = log(s->restitution), pi = acos(-1.0);
    double zeta = -log_e / sqrt(pi * pi + log_e * log_e);
    double cn = s->damping == 1   ? 2.0 * zeta * sqrt(m * kn)
                : s->damping == 2 ? s->damping_n
                : s->damping == 3 ? s->gamma_n * m
                                  : 0.0;
    double ct = s->damping == 1   ? 2.0 * zeta * sqrt(2.0 / 7.0 * m * kt)
                : s->damping == 2 ? s->damping_t
                : s->damping == 3 ? s->gamma_t * m
                                  : 0.0;
    double n[3], vt[3], a[3], ft[3], u[3], h[3], turned[3], none[3] = {0.0};
    double vn = 0.0, un = 0.0, hn = 0.0, old = 0.0, flat = 0.0, t2 = 0.0, drag = 0.0;
    for (int k = 0; k < 3; k++) {
        n[k] = c->normal[k][i];
        vn += c->v[k][i] * n[k];
        un += c->slip[k][i] * n[k];
        hn += c->in[k][i] * n[k];
        old += c->in[k][i] * c->in[k][i];
    }
    for (int k = 0; k < 3; k++) {
        a[k] = c->in[k][i] - hn * n[k];
        flat += a[k] * a[k];
    }
    double fn = kn * c->depth[i] + cn * vn;
    if (!s->pull && fn < 0.0)
        fn = 0.0;
    for (int k = 0; k < 3; k++) {
        vt[k] = c->v[k][i] - vn * n[k];
        u[k] = c->slip[k][i] - un * n[k];
        h[k] = c->in[k][i];
        turned[k] = flat > 0.0 ? a[k] * sqrt(old / flat) : 0.0;
        a[k] = turned[k] + u[k];
        t2 += vt[k] * vt[k];
    }
    int slides = slide(s->sliding, kt, ct, s->friction * fabs(fn), vt, a, ft);
    double energy = 0.0;
    for (int k = 0; k < 3; k++) {
        f[k] = ft[k] - fn * n[k];
        spring[k] = a[k];
        energy += 0.5 * kt * a[k] * a[k];
        drag -= (ft[k] + kt * a[k]) * vt[k]; // of what is not the spring's
    }
    *stored = 0.5 * kn * c->depth[i] * c->depth[i] + energy;
    *lost = (fn - kn * c->depth[i]) * vn + ct * t2 * (1.0 - 0.875 * kt * since * since / m);
    if (slides || s->sliding == SLIDE_SPRING || fn == 0.0) {
        *lost = spring_heat(kt, kt, h, turned, a, u);
        double swing = slides ? 1.0 : 1.0 - 0.875 * kt * since * since / m, pull = 0.0;
        for (int k = 0; k < 3; k++)
            pull += kt * h[k] * vt[k];
        for (int then = 0; then < 2; then++) {
            double e = kn * (c->depth[i] - then * since * vn), fe = e + cn * vn;
            double most = s->friction * fabs(s->pull ? fe : fmax(fe, 0.0));
            *lost += dashpot_heat(vn < 0.0 && !s->pull ? e : HUGE_VAL, cn, fabs(vn), then);
            double spare = then && slides ? fmax(most * sqrt(t2) - pull, 0.0) : HUGE_VAL;
            *lost += kt > 0.0 ? (then ? 0.25 : 0.75) * fmin(swing * drag, spare)
                              : dashpot_heat(most, ct, sqrt(t2), then);
        }
    }
    if (c->depth[i] >= 0.0)
        return slides ? 4 : 2;
    f[0] = f[1] = f[2] = spring[0] = spring[1] = spring[2] = *stored = 0.0;
    *lost = spring_heat(kt, kt, h, turned, none, u); // the surfaces have parted: it is gone
    return 1;
}

static void test_scalar(const scree_plugin *plugin, const scree_host *host, contacts *c,
                        const setting *s)
{
    void *law = make_law(plugin, host, s);
    static const scales by = {1.0, {1e-5, 1e-5, 1e-5, 0.0, 0.0}, 1e-5, 10.0};
    int seen[3], unused[3];
    compute(plugin, law, c, 0, N, since);
    const double worst = error_of(expect, s, c, &by, seen);
    setting other = *s;
    other.friction *= 1.001;
    const double wrong = error_of(expect, &other, c, &(scales){.f = 1.0}, unused);
    printf("# %s: %d across a gap, %d stick, %d slide; off by %.1e; with another friction %.1e\n",
           s->name, seen[0], seen[1], seen[2], worst, wrong);
    tap_ok(seen[0] > 20 && seen[2] > 100 && seen[1] > 100, "all cases were met");
    tap_ok(worst < 1e-12, "forces, springs and energies are those of a scalar law");
    tap_ok(wrong > 1e-5, "negative control: friction larger by 1e-3 would show");
    ((const scree_force_ops *)plugin->ops)->destroy(law);
}

static void test_plugin(const scree_plugin *plugin, fake_host *fake, int is_first)
{
    static contacts first[SETTINGS], c[1];
    int equal = 1;
    for (int k = 0; k < SETTINGS; k++) {
        fake->host.n_materials = settings[k].n_materials;
        fill(fake, c, settings[k].n_materials);
        test_scalar(plugin, &fake->host, c, &settings[k]);
        if (is_first)
            first[k] = *c;
        equal &= same_results(&first[k], c);
    }
    tap_ok(equal,
           is_first ? "the first level is the reference" : "all CPU levels give the same bits");
    c->f[1][N / 2] = nextafter(c->f[1][N / 2], 1.0);
    tap_ok(!same_results(&first[SETTINGS - 1], c), "negative control: a last bit would show");
}

int main(int argc, char **argv)
{
    return fake_levels(argc, argv, test_plugin);
}
