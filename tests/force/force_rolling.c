/* SPDX-License-Identifier: Apache-2.0 */
/* force/rolling without a host, by compute() on batches: against a scalar law of the test's own. */
#include <math.h>

#include "../fake_host.h"

enum { N = 600, SETTINGS = 8, FIELD = 5 };
enum { CONSTANT, VISCOUS, SPRING };
enum { NORMAL, TANGENTIAL, GIVEN };
enum { TOTAL, EACH, ELASTIC };

typedef struct setting {
    const char *name;
    int32_t type, stiffness, radius, sliding; // radius: 0 reduced, 1 the smaller one
    double mu, twist, damping;
    int hertz;
} setting;

static const setting settings[SETTINGS] = {
    {"constant", CONSTANT, NORMAL, 0, EACH, 0.1, 0.05, 0.3, 0},
    {"viscous", VISCOUS, NORMAL, 0, EACH, 3.0, 1.0, 0.3, 0},
    {"spring", SPRING, NORMAL, 0, EACH, 0.2, 0.0, 0.3, 0},
    {"spring, twisting, total", SPRING, TANGENTIAL, 0, TOTAL, 0.2, 0.1, 0.2, 0},
    {"spring, twisting, limit of the spring", SPRING, GIVEN, 0, ELASTIC, 0.2, 0.1, 0.2, 0},
    {"spring, the smaller radius", SPRING, NORMAL, 1, EACH, 0.2, 0.1, 0.4, 0},
    {"spring, Hertz", SPRING, NORMAL, 0, EACH, 0.2, 0.1, 0.3, 1},
    {"spring, Hertz, tangential", SPRING, TANGENTIAL, 0, TOTAL, 0.2, 0.1, 0.0, 1},
};
static const double kn = 1e5, kt = 4e4, given[2] = {3e4, 2e4}, young = 1e9, nu = 0.3;
static const double since = 1e-5;

/** Contact i touches bodies 2 i and 2 i + 1. */
typedef struct contacts {
    double normal[3][N], depth[N], spin[3][N], roll[3][N], curvature[2][N], push[N];
    double in[FIELD][N], out[FIELD][N], f[3][N], couple[3][N], stored[N], lost[N];
    double inv_mass[2 * N];
    uint32_t a[N], b[N], materials[N];
    uint8_t fresh[N];
    scree_bodies bodies;
} contacts;

static void fill(fake_host *fake, contacts *c, const setting *s)
{
    memset(c, 0, sizeof *c);
    c->bodies = (scree_bodies){.size = sizeof c->bodies, .dimension = 3, .inv_mass = c->inv_mass};
    for (uint32_t i = 0; i < N; i++) {
        double length = 0.0, along = 0.0, far = i % 3 == 0 ? 1e-2 : 1.0;
        for (int k = 0; k < 3; k++) {
            c->normal[k][i] = fake_uniform(fake, -1.0, 1.0);
            length += pow(c->normal[k][i], 2.0);
        }
        c->fresh[i] = i % 11 == 0;
        c->a[i] = 2 * i;
        c->b[i] = 2 * i + 1;
        for (int k = 0; k < 3; k++) {
            c->normal[k][i] /= sqrt(length);
            c->spin[k][i] = fake_uniform(fake, -2.0, 2.0);
            c->roll[k][i] = since * c->spin[k][i];
            c->in[k][i] = c->fresh[i] ? 0.0 : far * fake_uniform(fake, -1e-2, 1e-2);
            along += c->in[k][i] * c->normal[k][i];
        }
        for (int k = 0; k < 3; k++)
            c->in[k][i] -= 0.99 * along * c->normal[k][i];
        c->in[3][i] = c->fresh[i] ? 0.0 : far * fake_uniform(fake, -1e-2, 1e-2);
        c->depth[i] = i % 17 == 0 ? -1e-6 : fake_uniform(fake, 1e-7, 1e-5);
        c->curvature[0][i] = fake_uniform(fake, 200.0, 1000.0);
        c->curvature[1][i] = i % 5 == 0 ? 0.0 : fake_uniform(fake, 50.0, 1000.0);
        c->inv_mass[2 * i] = fake_uniform(fake, 1e4, 1e5);
        c->inv_mass[2 * i + 1] = i % 5 == 0 ? 0.0 : fake_uniform(fake, 1e4, 1e5);
        c->push[i] = i % 17 == 0 ? 0.0 : fake_uniform(fake, -0.2, 1.0);
        double was = sqrt(1.2e-5 / (c->curvature[0][i] + c->curvature[1][i]));
        c->in[4][i] = c->fresh[i] ? 0.0 : s->hertz ? fake_uniform(fake, 0.1, 1.0) * was : 1.0;
    }
}

static void *make(const scree_plugin *plugin, const scree_host *host, const setting *s)
{
    const fake_value list[] = {{"rolling_friction", {s->mu}},
                               {"twisting_friction", {s->twist}},
                               {"rolling_viscosity", {s->mu}},
                               {"twisting_viscosity", {s->twist}},
                               {"rolling_stiffness", {given[0]}},
                               {"twisting_stiffness", {given[1]}},
                               {"kn", {s->hertz ? (double)NAN : kn}},
                               {"kt", {s->hertz ? (double)NAN : kt}},
                               {"young_modulus", {young}},
                               {"poisson_ratio", {nu}},
                               {"rolling_damping", {s->damping}},
                               {"stiffness_factor", {(double)NAN}},
                               {"type", {s->type}},
                               {"stiffness", {s->stiffness}},
                               {"radius", {s->radius}},
                               {"sliding", {s->sliding}}};
    void *law = fake_law(plugin, host, list, SCREE_COUNT(list));
    if (!law)
        bail_out("create failed");
    return law;
}

static void compute(const scree_plugin *plugin, void *law, contacts *c)
{
    const double *in[FIELD];
    double *out[FIELD];
    for (int k = 0; k < FIELD; k++) {
        in[k] = c->in[k];
        out[k] = c->out[k];
    }
    scree_contact_batch b = {.size = sizeof b,
                             .n = N,
                             .accepted = 1,
                             .since = since,
                             .a = c->a,
                             .b = c->b,
                             .bodies = &c->bodies,
                             .depth = c->depth,
                             .materials = c->materials,
                             .curvature = {c->curvature[0], c->curvature[1]},
                             .normal_force = c->push,
                             .fresh = c->fresh,
                             .in = in,
                             .out = out,
                             .stored = c->stored,
                             .lost = c->lost};
    for (int k = 0; k < 3; k++) {
        b.normal[k] = c->normal[k];
        b.spin[k] = c->spin[k];
        b.roll[k] = c->roll[k];
        b.f[k] = c->f[k];
        b.couple[k] = c->couple[k];
    }
    if (((const scree_force_ops *)plugin->ops)->compute(law, &b) != SCREE_OK)
        bail_out("compute failed");
}

/** Couple [N m] of dimension `n` from spring and dashpot, cut to the limit; the spring afterwards.
 * Returns 1 when it slides. */
static int resist(int rule, int n, double k, double c, double limit, const double w[3], double s[3],
                  double m[3])
{
    double whole = 0.0, elastic = 0.0;
    for (int i = 0; i < n; i++) {
        m[i] = -k * s[i] - c * w[i];
        whole += m[i] * m[i];
        elastic += k * k * s[i] * s[i];
    }
    whole = sqrt(whole);
    elastic = sqrt(elastic);
    double by = whole > limit ? limit / whole : 1.0, held = elastic > limit ? limit / elastic : 1.0;
    for (int i = 0; i < n; i++) {
        if (rule == ELASTIC)
            m[i] = held < 1.0 || limit == 0.0 ? -k * held * s[i] : m[i];
        else
            m[i] *= by;
        if (rule == TOTAL)
            s[i] = by < 1.0 && limit > 0.0 ? -(m[i] + c * w[i]) / k : limit > 0.0 ? s[i] : 0.0;
        else
            s[i] *= limit > 0.0 ? held : 0.0;
    }
    return by < 1.0;
}

/** Expected results for contact i, from the equations in its essay. */
static int expect(const setting *s, const contacts *c, uint32_t i, double couple[3],
                  double out[FIELD], double *stored)
{
    double ra = 1.0 / c->curvature[0][i], rb = 1.0 / c->curvature[1][i], hn = 0.0, h2 = 0.0;
    double r = isinf(rb) ? ra : s->radius ? fmin(ra, rb) : ra * rb / (ra + rb);
    double shared = isinf(rb) ? ra : ra * rb / (ra + rb);
    double j = 1.0 / (c->inv_mass[2 * i] / (1.4 * ra * ra) +
                      (isinf(rb) ? 0.0 : c->inv_mass[2 * i + 1] / (1.4 * rb * rb)));
    double push = c->depth[i] >= 0.0 ? fabs(c->push[i]) * r : 0.0, wn = 0.0, un = 0.0;
    double w[3], u[3], h[3], n[3], flat = 0.0, a = 1.0, m[3] = {0.0}, mt[3] = {0.0};
    for (int k = 0; k < 3; k++) {
        n[k] = c->normal[k][i];
        wn += n[k] * c->spin[k][i];
        un += n[k] * c->roll[k][i];
        hn += n[k] * c->in[k][i];
        h2 += c->in[k][i] * c->in[k][i];
    }
    for (int k = 0; k < 3; k++) {
        w[k] = c->spin[k][i] - wn * n[k];
        u[k] = c->roll[k][i] - un * n[k];
        h[k] = c->in[k][i] - hn * n[k];
        flat += h[k] * h[k];
    }
    int slides = 1;
    *stored = 0.0;
    memset(out, 0, FIELD * sizeof *out);
    if (s->type != SPRING) {
        double speed = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
        for (int k = 0; k < 3; k++)
            couple[k] = s->type == CONSTANT
                            ? -push * (s->mu * w[k] / speed + s->twist * copysign(n[k], n[k] * wn))
                            : -push * r * (s->mu * w[k] + s->twist * wn * n[k]);
        return slides;
    }
    double base[2] = {2.25 * kn * s->mu * s->mu, 2.25 * kn * s->twist * s->twist}, grow = 1.0;
    if (s->hertz) {
        double e = young / (2.0 * (1.0 - nu * nu));
        double g = young / (4.0 * (1.0 + nu) * (2.0 - nu));
        a = sqrt(fmax(c->depth[i], 0.0) * shared);
        grow = fmin(1.0, c->in[4][i] / a);
        base[0] *= 2.0 * e / kn;
        base[1] *= 2.0 * e / kn;
        if (s->stiffness == TANGENTIAL)
            base[0] = base[1] = 8.0 * g;
        if (a == 0.0)
            grow = 1.0;
    } else if (s->stiffness != NORMAL) {
        base[0] = s->stiffness == GIVEN ? given[0] : kt;
        base[1] = s->stiffness == GIVEN ? given[1] : kt;
    }
    double k0 = base[0] * r * r * a, k1 = base[1] * r * r * a;
    double twist[3] = {grow * c->in[3][i] + un}, spin[3] = {wn};
    for (int k = 0; k < 3; k++)
        out[k] = (flat > 0.0 ? grow * h[k] * sqrt(h2 / flat) : 0.0) + u[k];
    slides = resist(s->sliding, 3, k0, 2.0 * s->damping * sqrt(j * k0), s->mu * push, w, out, m);
    if (s->twist > 0.0)
        resist(s->sliding, 1, k1, 2.0 * s->damping * sqrt(j * k1 / 3.5), s->twist * push, spin,
               twist, mt);
    out[3] = s->twist > 0.0 ? twist[0] : 0.0;
    out[4] = a;
    for (int k = 0; k < 3; k++) {
        couple[k] = m[k] + mt[0] * n[k];
        *stored += 0.5 * k0 * out[k] * out[k];
    }
    *stored += 0.5 * k1 * out[3] * out[3];
    return slides;
}

/** Largest error of all outputs, each of its scale; how many stick and slide. */
static double error_of(const setting *s, const contacts *c, int seen[2])
{
    double worst = 0.0;
    for (uint32_t i = 0; i < N; i++) {
        double couple[3], out[FIELD], stored;
        seen[expect(s, c, i, couple, out, &stored)]++;
        for (int k = 0; k < 3; k++) {
            worst = fmax(worst, fabs(c->couple[k][i] - couple[k]) / 1e-4);
            worst = fmax(worst, fabs(c->f[k][i]) + (isnan(c->couple[k][i]) ? HUGE_VAL : 0.0));
        }
        for (int k = 0; k < FIELD; k++)
            worst = fmax(worst, fabs(c->out[k][i] - out[k]) / 1e-2);
        worst = fmax(worst, fabs(c->stored[i] - stored) / 1e-6);
    }
    return worst;
}

static void test_level(const scree_plugin *plugin, fake_host *fake, contacts *first, contacts *c,
                       int reference)
{
    int equal = 1;
    for (int k = 0; k < SETTINGS; k++) {
        int seen[2] = {0}, unused[2] = {0};
        void *law = make(plugin, &fake->host, &settings[k]);
        fill(fake, c, &settings[k]);
        compute(plugin, law, c);
        double worst = error_of(&settings[k], c, seen);
        setting other = settings[k];
        other.mu *= 1.001;
        double wrong = error_of(&other, c, unused);
        printf("# %s: %d stick, %d slide; off by %.1e, with another coefficient by %.1e\n",
               settings[k].name, seen[0], seen[1], worst, wrong);
        tap_ok(worst < 1e-11, "couples, angles and stored energies are those of a scalar law");
        tap_ok(wrong > 1e-6, "negative control: a coefficient larger by 1e-3 would show");
        tap_ok(settings[k].type != SPRING || (seen[0] > 50 && seen[1] > 50), "both cases were met");
        if (reference)
            first[k] = *c;
        for (int m = 0; m < 3; m++)
            equal &= memcmp(first[k].couple[m], c->couple[m], sizeof c->couple[m]) == 0;
        equal &= memcmp(first[k].lost, c->lost, sizeof c->lost) == 0 &&
                 memcmp(first[k].stored, c->stored, sizeof c->stored) == 0 &&
                 memcmp(first[k].out, c->out, sizeof c->out) == 0;
        ((const scree_force_ops *)plugin->ops)->destroy(law);
    }
    tap_ok(equal,
           reference ? "the first level is the reference" : "all CPU levels give the same bits");
}

static void test_plugin(const scree_plugin *plugin, fake_host *fake, int is_first)
{
    static contacts first[SETTINGS], c[1];
    test_level(plugin, fake, first, c, is_first);
}

int main(int argc, char **argv)
{
    return fake_levels(argc, argv, test_plugin);
}
