/* SPDX-License-Identifier: Apache-2.0 */
/* force/plastic without a host, by compute() on batches: against a scalar law that bisects for the
 * adhesive branch, and a walk along the branches against their closed forms. */
#include "force_contacts.h"

enum { CONSTANT, DEPTH, LOAD };

typedef struct setting {
    const char *name;
    int32_t unloading;
    double k2, kc, plastic_depth, hardening, cn, ct;
} setting;

static const setting settings[] = {
    {"constant", CONSTANT, 4e4, 0.0, (double)NAN, (double)NAN, 0.0, 0.0},
    {"constant, adhesion", CONSTANT, 4e4, 2e3, (double)NAN, (double)NAN, 0.0, 0.0},
    {"constant, adhesion, an end to yielding", CONSTANT, 4e4, 2e3, 1e-3, (double)NAN, 0.0, 0.0},
    {"depth, adhesion", DEPTH, 5e4, 2e3, 5e-3, (double)NAN, 0.0, 0.0},
    {"load, adhesion", LOAD, 4e4, 2e3, (double)NAN, 5e4, 0.0, 0.0},
    {"depth, adhesion, dashpots", DEPTH, 5e4, 2e3, 5e-3, (double)NAN, 0.05, 0.02},
    {"elastic", CONSTANT, 1e4, 0.0, (double)NAN, (double)NAN, 0.0, 0.0}};
enum { SETTINGS = SCREE_COUNT(settings) };
static const double kn = 1e4, kt = 3e3, mu = 0.3;
static const double of_pair[4] = {1.0, 1.25, 1.25, 1.5}; // all stiffnesses of a pair of materials

static void *make(const scree_plugin *plugin, fake_host *fake, const setting *s)
{
    fake_value list[] = {{.name = "kn"},        {.name = "k2"},
                         {.name = "kc"},        {.name = "plastic_depth"},
                         {.name = "hardening"}, {.name = "kt"},
                         {.name = "friction"},  {.name = "damping_n"},
                         {.name = "damping_t"}, {.name = "unloading", .of = {s->unloading}}};
    const double values[] = {kn, s->k2, s->kc, s->plastic_depth, s->hardening, kt,
                             mu, s->cn, s->ct};
    for (int k = 0; k < 9; k++)
        for (int m = 0; m < 4; m++)
            list[k].of[m] = values[k] * (k < 3 || k == 5 ? of_pair[m] : 1.0);
    return fake_law(plugin, &fake->host, list, SCREE_COUNT(list));
}

/** Depth beyond which nothing yields [m]. */
static double end_of(const setting *s, double curve)
{
    return isnan(s->plastic_depth) ? HUGE_VAL
                                   : s->k2 / (s->k2 - kn) * s->plastic_depth * 2.0 / curve;
}

/** Stiffness of the way back from D, of a pair with `scale`. */
static double k2_of(const setting *s, double curve, double scale, double deepest)
{
    if (s->unloading == LOAD)
        return scale * fmin(kn * (1.0 + s->hardening * deepest), s->k2);
    if (s->unloading == DEPTH)
        return scale * (kn + (s->k2 - kn) * fmin(deepest / end_of(s, curve), 1.0));
    return scale * s->k2;
}

/** Force on the line back from D, at the depth d. */
static double line(const setting *s, double curve, double scale, double deepest, double d)
{
    return k2_of(s, curve, scale, deepest) * (d - deepest) + scale * kn * deepest;
}

/** D and force at the depth d after D was `old`. */
static double press(const setting *s, double curve, double scale, double old, double d, double *now)
{
    double top = fmin(fmax(d, old), end_of(s, curve)), pull = -scale * s->kc * d, low = d;
    *now = top;
    if (line(s, curve, scale, top, d) >= pull)
        return line(s, curve, scale, top, d);
    if (s->kc == 0.0)
        return 0.0;                 // D stays
    for (int k = 0; k < 200; k++) { // the line from D pulls the harder, the larger D is
        double middle = 0.5 * (low + top);
        *(line(s, curve, scale, middle, d) > pull ? &low : &top) = middle;
    }
    *now = low;
    return pull;
}

/** A past on the branches: a largest depth, and a force between adhesion and k1 D. */
static void fill_past(fake_host *fake, contacts *c, const setting *s)
{
    memset(c, 0, sizeof *c);
    fill(fake, c, 2);
    for (uint32_t i = 0; i < N; i++) {
        double curve = c->curvature[0][i] + c->curvature[1][i], now;
        double scale = of_pair[c->materials[i]];
        double deepest = fmin(fake_uniform(fake, 1e-6, 3e-5), end_of(s, curve));
        double before = fake_uniform(fake, 0.0, 1.0) * deepest; // committed depth
        c->fresh[i] = i % 11 == 0;
        c->in[4][i] = press(s, curve, scale, deepest, before, &now);
        c->in[3][i] = now;
        for (int k = 0; k < FIELDS && c->fresh[i]; k++)
            c->in[k][i] = 0.0;
    }
}

/** Contact i by the equations of the essay. Returns bits: 1 slides, 2 pulls, 4 yields. */
static int expect(const void *settings_of, const contacts *c, uint32_t i, double f[3],
                  double out[FIELDS], double *stored, double *lost)
{
    const setting *s = settings_of;
    double curve = c->curvature[0][i] + c->curvature[1][i], scale = of_pair[c->materials[i]];
    double n[3], t[3], u[3], turned[3], h[3], now, vn = 0.0, un = 0.0, hn = 0.0, h2 = 0.0, g2 = 0.0;
    double d = fmax(c->depth[i], 0.0), old = c->in[3][i], was = c->in[4][i], k = scale * kt;
    double then = k2_of(s, curve, scale, old), before = old + (was - scale * kn * old) / then;
    double fn = press(s, curve, scale, old, d, &now), back = k2_of(s, curve, scale, now);
    memset(out, 0, FIELDS * sizeof *out);
    memset(f, 0, 3 * sizeof *f);
    *stored = fn * fn / (2.0 * back);
    double gone = 0.5 * (fn + was) * (d - before) - *stored + was * was / (2.0 * then);
    *lost = now != old && back > scale * kn ? gone / since : 0.0;
    for (int m = 0; m < 3; m++) {
        n[m] = c->normal[m][i];
        h[m] = c->in[m][i];
        vn += c->v[m][i] * n[m];
        un += c->slip[m][i] * n[m];
        hn += h[m] * n[m];
        h2 += h[m] * h[m];
    }
    for (int m = 0; m < 3; m++) {
        turned[m] = h[m] - hn * n[m];
        g2 += turned[m] * turned[m];
    }
    for (int m = 0; m < 3; m++) {
        turned[m] *= g2 > 0.0 ? sqrt(h2 / g2) : 0.0;
        u[m] = c->slip[m][i] - un * n[m];
        t[m] = c->v[m][i] - vn * n[m];
        out[m] = turned[m] + u[m];
    }
    int slides = 0, off = c->depth[i] < 0.0;
    double push = off ? 0.0 : fn + s->cn * vn, limit = off ? 0.0 : mu * (push + scale * s->kc * d);
    slides = slide(SLIDE_TOTAL, k, off ? 0.0 : s->ct, fmax(limit, 0.0), t, out, f);
    if (limit <= 0.0)
        for (int m = 0; m < 3; m++)
            out[m] = 0.0; // nothing is left to spring back where nothing presses
    *lost += slides ? spring_heat(k, k, h, turned, out, u) : 0.0;
    for (int m = 0; m < 3; m++) {
        f[m] -= push * n[m];
        *stored += 0.5 * k * out[m] * out[m];
    }
    out[3] = off ? 0.0 : now;
    out[4] = off ? 0.0 : fn;
    return (slides ? 1 : 0) | (!off && fn < 0.0 ? 2 : 0) | (now > old ? 4 : 0);
}

/** One contact along a path of depths; force at its end, the sum of what is lost to *lost [J]. */
static double walk(const scree_plugin *plugin, void *law, contacts *c, const double *path, int n,
                   double *lost)
{
    double d = 0.0, most = 0.5e-6;
    memset(c, 0, sizeof *c);
    *lost = 0.0;
    c->normal[2][0] = 1.0;
    c->curvature[0][0] = c->curvature[1][0] = 200.0;
    c->fresh[0] = 1;
    for (int leg = 0; leg < n; leg++) {
        int steps = 1 + (int)(fabs(path[leg] - d) / most);
        double from = d;
        for (int s = 1; s <= steps; s++) {
            double next = from + (path[leg] - from) * s / steps;
            c->slip[2][0] = next - d;
            c->v[2][0] = c->slip[2][0] / since;
            c->depth[0] = d = next;
            compute(plugin, law, c, 0, 1, since);
            *lost += c->lost[0] * since;
            c->fresh[0] = 0;
            for (int k = 0; k < FIELDS; k++)
                c->in[k][0] = c->out[k][0];
        }
    }
    return -c->f[2][0];
}

static void test_walks(const scree_plugin *plugin, fake_host *fake, contacts *c)
{
    const double deep = 2e-5, k2 = 4e4, kc = 2e3;
    const double rest = (1.0 - kn / k2) * deep, least = (k2 - kn) / (k2 + kc) * deep;
    const double half = 0.5 * least,
                 again = (k2 + kc) / (k2 - kn) * half; // D there, of constant k2
    void *law = make(plugin, fake, &settings[1]);
    double lost, f = walk(plugin, law, c, (double[]){deep, 0.5 * (deep + rest)}, 2, &lost);
    double yielded = 0.5 * kn * deep * deep * (1.0 - kn / k2);
    tap_ok(off(f, k2 * 0.5 * (deep - rest), 0.1) < 1e-13,
           "half of the way back is on the line of k2");
    tap_ok(off(lost, yielded, yielded) < 1e-12, "what yielding took is k1 D^2 (1 - k1/k2) / 2");
    f = walk(plugin, law, c, (double[]){deep, rest, deep}, 3, &lost);
    tap_ok(off(f, kn * deep, 0.1) < 1e-13 && off(lost, yielded, yielded) < 1e-12,
           "back to the first rest and again to D is elastic");
    f = walk(plugin, law, c, (double[]){deep, least}, 2, &lost);
    tap_ok(off(f, -kc * least, 0.1) < 1e-13, "the largest pull is kc (k2 - k1) / (k2 + kc) D");
    f = walk(plugin, law, c, (double[]){deep, half, 0.5 * (half + again)}, 3, &lost);
    tap_ok(off(f, -kc * half + k2 * 0.5 * (again - half), 0.1) < 1e-12,
           "from the adhesive branch it goes back on a line of k2 of its own");
    f = walk(plugin, law, c, (double[]){deep, half, 1.5 * deep}, 3, &lost);
    tap_ok(off(f, kn * 1.5 * deep, 0.1) < 1e-13, "beyond D it loads along k1 again");
    f = walk(plugin, law, c, (double[]){deep, 0.0}, 2, &lost);
    double whole = 0.5 * kn * deep * deep - 0.5 * k2 * pow(deep - rest, 2.0) +
                   0.5 * k2 * pow(rest - least, 2.0) + 0.5 * kc * least * least;
    tap_ok(fabs(f) < 1e-15 && off(lost, whole, whole) < 1e-3,
           "the whole way loses the area between the branches, to the steps across their corners");
    ((const scree_force_ops *)plugin->ops)->destroy(law);
    law = make(plugin, fake, &settings[0]);
    f = walk(plugin, law, c, (double[]){deep, 0.1 * rest, 0.9 * rest}, 3, &lost);
    tap_ok(f == 0.0 && off(lost, yielded, yielded) < 1e-12,
           "without adhesion nothing pushes below the overlap that yielding left, back and forth");
    f = walk(plugin, law, c, (double[]){deep, 0.0, 0.5 * (deep + rest)}, 3, &lost);
    tap_ok(off(f, k2 * 0.5 * (deep - rest), 0.1) < 1e-13 && off(lost, yielded, yielded) < 1e-12,
           "from no overlap, still in touch, it comes back on the same line of k2, elastic");
    f = walk(plugin, law, c, (double[]){deep, -1e-6, 0.5 * deep}, 3, &lost);
    tap_ok(off(f, kn * 0.5 * deep, 0.1) < 1e-13, "a contact that has opened loads along k1");
    ((const scree_force_ops *)plugin->ops)->destroy(law);
    setting soft = settings[0];
    soft.k2 = 0.5 * kn;
    tap_ok(make(plugin, fake, &soft) == NULL && strstr(fake->text, "no less than kn"),
           "a k2 below kn is refused");
}

static void test_level(const scree_plugin *plugin, fake_host *fake, contacts *first, contacts *c,
                       int reference)
{
    int equal = 1, batches = 1;
    for (int k = 0; k < SETTINGS; k++) {
        const setting *s = &settings[k];
        int seen[3], unused[3];
        // The heat of dashpots is tried by the account of runs.
        const scales by = {0.2, {2e-5, 2e-5, 2e-5, 2e-5, 0.2}, 2e-6, s->cn == 0.0 ? 2.0 : 0.0};
        void *law = make(plugin, fake, s);
        fill_past(fake, c, s);
        compute(plugin, law, c, 0, N, since);
        double worst = error_of(expect, s, c, &by, seen);
        setting other = *s;
        other.k2 *= 1.001;
        other.hardening *= 1.001;
        double wrong = error_of(expect, &other, c, &by, unused);
        printf("# %s: %d slide, %d pull, %d yield; off by %.1e, with another k2 by %.1e\n", s->name,
               seen[0], seen[1], seen[2], worst, wrong);
        tap_ok(worst < 1e-11, "forces, history, energies are those of a scalar law that bisects");
        tap_ok(wrong > 1e-6, "negative control: a k2 larger by 1e-3 would show");
        tap_ok(seen[0] > 50 && seen[2] > 50 && (s->kc == 0.0 || seen[1] > 50),
               "sliding, yielding and, where there is adhesion, pulling contacts were met");
        if (reference)
            first[k] = *c;
        equal &= same_bits(&first[k], c);
        batches &= same_in_batches(plugin, law, &first[k], c);
        ((const scree_force_ops *)plugin->ops)->destroy(law);
    }
    tap_ok(batches, "batches of 1, 3, 8, 61 contacts and of all give the same bits");
    tap_ok(equal,
           reference ? "the first level is the reference" : "all CPU levels give the same bits");
}

static void test_plugin(const scree_plugin *plugin, fake_host *fake, int is_first)
{
    static contacts first[SETTINGS], c[1];
    fake->host.n_materials = 2;
    test_level(plugin, fake, first, c, is_first);
    test_walks(plugin, fake, c);
}

int main(int argc, char **argv)
{
    return fake_levels(argc, argv, test_plugin);
}
