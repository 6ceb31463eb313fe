/* SPDX-License-Identifier: Apache-2.0 */
/* force/incremental_penalty without a host, by compute() on batches: against a scalar law of the
 * test's own, and walks with known ends: signed, and as the thesis prints it. */
#include "force_contacts.h"

enum { NOTHING, GROWTH, LIMIT, BOTH, PRINTED };

static const char *const names[PRINTED] = {"nothing", "growth", "limit", "both"};
static const double kn = 1e5, mu = 0.3;
static const double of_pair[4] = {1.0, 1.25, 1.25, 1.5};

static void *make(const scree_plugin *plugin, fake_host *fake, int32_t as_printed)
{
    fake_value list[] = {{.name = "kn"}, {.name = "friction"}, {.name = "as_printed"}};
    for (int m = 0; m < 4; m++) {
        list[0].of[m] = kn * of_pair[m];
        list[1].of[m] = mu;
    }
    list[2].of[0] = as_printed;
    return fake_law(plugin, &fake->host, list, SCREE_COUNT(list));
}

/** Sums of forces that were there before, some of them without a push. */
static void fill_past(fake_host *fake, contacts *c)
{
    memset(c, 0, sizeof *c);
    fill(fake, c, 2);
    for (uint32_t i = 0; i < N; i++) {
        c->fresh[i] = i % 11 == 0;
        for (int k = 0; k < 3; k++)
            c->in[k][i] *= c->fresh[i] ? 0.0 : 0.05 * kn;
        c->in[3][i] = c->fresh[i] || i % 13 == 0 ? 0.0 : kn * fake_uniform(fake, 0.0, 2e-5);
        if (i % 23 == 0 && !c->fresh[i])
            c->in[3][i] = kn * fake_uniform(fake, 0.0, 2e-7); // a little, gone within a step
    }
}

typedef struct setting {
    int printed;
    double friction;
} setting;

/** Contact i by the equations of the essay. Returns bits: 1 slides, 2 new, 4 ends or parts. */
static int expect(const void *settings, const contacts *c, uint32_t i, double f[3],
                  double out[FIELDS], double *stored, double *lost)
{
    const int printed = ((const setting *)settings)->printed;
    const double friction = ((const setting *)settings)->friction;
    double k = kn * of_pair[c->materials[i]], was = c->in[3][i], d = fmax(c->depth[i], 0.0);
    double n[3], u[3], g[3], un = 0.0, hn = 0.0, h2 = 0.0, g2 = 0.0, u2 = 0.0, t2 = 0.0, work = 0.0;
    int growth = printed == GROWTH || printed == BOTH, limit = printed == LIMIT || printed == BOTH;
    for (int m = 0; m < 3; m++) {
        n[m] = c->normal[m][i];
        un += c->slip[m][i] * n[m];
        hn += c->in[m][i] * n[m];
        h2 += c->in[m][i] * c->in[m][i];
    }
    for (int m = 0; m < 3; m++) {
        g[m] = c->in[m][i] - hn * n[m];
        u[m] = c->slip[m][i] - un * n[m];
        g2 += g[m] * g[m];
        u2 += u[m] * u[m];
    }
    double way = growth ? sqrt(un * un + u2) : fabs(un), grows = growth ? way : un;
    int new = c->fresh[i] || was <= 0.0, off = c->depth[i] < 0.0, slides = 0;
    double push = off ? 0.0 : new ? k *d : fmax(was + k * grows, 0.0);
    double shear = growth ? k * way : k * sqrt(u2); // the increment of T as it is printed or signed
    if (limit && shear > friction * k * way) {
        shear = friction * k * way;
        slides = 1;
    }
    for (int m = 0; m < 3; m++) {
        g[m] *= g2 > 0.0 ? sqrt(h2 / g2) : 0.0;
        out[m] = g[m] - shear * u[m] / sqrt(u2);
        t2 += out[m] * out[m];
    }
    double cut = 1.0;
    if (!limit && sqrt(t2) > friction * push) {
        cut = friction * push / sqrt(t2);
        slides = 1;
    }
    for (int m = 0; m < 3; m++) {
        out[m] = off ? 0.0 : cut * out[m];
        f[m] = out[m] - push * n[m];
        work -= 0.5 * (g[m] + out[m]) * u[m];
    }
    t2 = out[0] * out[0] + out[1] * out[1] + out[2] * out[2];
    out[3] = push;
    *stored = (push * push + t2) / (2.0 * k);
    // the committed depth: of the sum, or with `growth` that of the bodies
    double from = growth ? fmax(c->depth[i] - un, 0.0) : was / k;
    double normal = 0.5 * (push + was) * (d - from) - (push * push - was * was) / (2.0 * k);
    int begun = new && (c->depth[i] <= un || c->fresh[i]);
    if (begun || (!new &&push > 0.0 && !growth))
        normal = 0.0;
    *lost = (normal + work - (t2 - h2) / (2.0 * k)) / since;
    return (slides ? 1 : 0) | (new ? 2 : 0) | (push == 0.0 ? 4 : 0);
}

/** One contact: moves by (along, away) [m] in steps; sums the work that it does on the bodies. */
static double walk(const scree_plugin *plugin, void *law, contacts *c, double along, double deeper,
                   int steps)
{
    double done = 0.0;
    for (int s = 0; s < steps; s++) {
        double was[3] = {c->f[0][0], 0.0, c->f[2][0]};
        c->slip[0][0] = along / steps;
        c->slip[2][0] = deeper / steps;
        c->depth[0] += deeper / steps;
        if (fabs(c->depth[0]) < 1e-12)
            c->depth[0] = 0.0;
        compute(plugin, law, c, 0, 1, since);
        done +=
            0.5 * ((was[0] + c->f[0][0]) * c->slip[0][0] + (was[2] + c->f[2][0]) * c->slip[2][0]);
        c->fresh[0] = 0;
        for (int k = 0; k < FIELDS; k++)
            c->in[k][0] = c->out[k][0];
    }
    return done;
}

static void start(contacts *c)
{
    memset(c, 0, sizeof *c);
    c->normal[2][0] = 1.0;
    c->fresh[0] = 1;
}

/** In by D and out again: restitution, of the work on the way out over that on the way in. */
static double restitution(const scree_plugin *plugin, fake_host *fake, contacts *c, int printed)
{
    void *law = make(plugin, fake, printed);
    start(c);
    double in = walk(plugin, law, c, 0.0, 1e-5, 100), out = walk(plugin, law, c, 0.0, -1e-5, 100);
    ((const scree_force_ops *)plugin->ops)->destroy(law);
    return sqrt(-out / in);
}

/** Tangential force over the push, after a slip along under a steady push. */
static double holds(const scree_plugin *plugin, fake_host *fake, contacts *c, int printed,
                    double along)
{
    void *law = make(plugin, fake, printed);
    start(c);
    walk(plugin, law, c, 0.0, 1e-5, 100);
    walk(plugin, law, c, along, 0.0, 100);
    ((const scree_force_ops *)plugin->ops)->destroy(law);
    return -c->f[0][0] / -c->f[2][0];
}

static void test_walks(const scree_plugin *plugin, fake_host *fake, contacts *c)
{
    double one = restitution(plugin, fake, c, NOTHING);
    double root3 = restitution(plugin, fake, c, GROWTH);
    double stick = holds(plugin, fake, c, NOTHING, 1e-6),
           cut = holds(plugin, fake, c, NOTHING, 1e-5);
    double none = holds(plugin, fake, c, LIMIT, 1e-5);
    printf("# in and out: %.12g, printed %.12g; slip of 0.1 and 1 depth: T / N %.12g, %.12g; "
           "printed %.12g\n",
           one, root3, stick, cut, none);
    tap_ok(off(one, 1.0, 1.0) < 1e-9, "signed: in and out again is elastic");
    tap_ok(off(root3, sqrt(3.0), 1.0) < 1e-9,
           "growth: the speed out is sqrt(3) = 1.7321 times that in");
    tap_ok(off(stick, 0.1, 1.0) < 1e-9 && off(cut, mu, 1.0) < 1e-12,
           "signed: T = k slip, up to mu N");
    tap_ok(none == 0.0, "limit: under a steady push nothing holds");
}

static void test_level(const scree_plugin *plugin, fake_host *fake, contacts *first, contacts *c,
                       int reference)
{
    static const scales by = {2.0, {2.0, 2.0, 2.0, 2.0, 0.0}, 2e-5, 20.0};
    int equal = 1, batches = 1;
    for (int k = 0; k < PRINTED; k++) {
        const setting s = {k, mu}, other = {k, 1.001 * mu};
        int seen[3], unused[3];
        void *law = make(plugin, fake, k);
        fill_past(fake, c);
        compute(plugin, law, c, 0, N, since);
        double worst = error_of(expect, &s, c, &by, seen);
        double wrong = error_of(expect, &other, c, &by, unused);
        printf("# %s: %d slide, %d new, %d end; off by %.1e, with another friction by %.1e\n",
               names[k], seen[0], seen[1], seen[2], worst, wrong);
        tap_ok(worst < 1e-11, "forces, sums and energies are those of a scalar law");
        tap_ok(wrong > 1e-6, "negative control: a friction larger by 1e-3 would show");
        tap_ok(seen[0] > 50 && (k >= LIMIT || seen[0] < N - 50) && seen[1] > 50 && seen[2] > 20,
               "sliding, sticking, new and ending contacts were met");
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
    static contacts first[PRINTED], c[1];
    fake->host.n_materials = 2;
    test_level(plugin, fake, first, c, is_first);
    test_walks(plugin, fake, c);
}

int main(int argc, char **argv)
{
    return fake_levels(argc, argv, test_plugin);
}
