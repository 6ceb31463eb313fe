/* SPDX-License-Identifier: Apache-2.0 */
/* force/linear alone, by compute() on batches: against a scalar law of the test's own, and
 * symmetries. */
#include <math.h>

#include "fake_host.h"

enum { N = 1000, ROOM = N + 8, SETTINGS = 5 };

/** Everything a batch holds, as it comes from a host. */
typedef struct contacts {
    double normal[3][ROOM], depth[ROOM], v[3][ROOM], slip[3][ROOM], mass[ROOM], in[3][ROOM];
    uint32_t materials[ROOM];
    double out[3][ROOM], f[3][ROOM], stored[ROOM], lost[ROOM];
} contacts;

/** Parameters of the law per pair of materials, and of the instance. */
typedef struct setting {
    const char *name;
    int32_t damping; // 0 none, 1 restitution, 2 constant, 3 mass
    int32_t pull;
    uint32_t n_materials;
    double kn, kt, friction, restitution, damping_n, damping_t, gamma_n, gamma_t;
} setting;

static const setting settings[SETTINGS] = {
    {"restitution", 1, 1, 1, 1e5, (double)NAN, 0.4, 0.6, 0, 0, 0, 0},
    {"restitution, no pull, two materials", 1, 0, 2, 1e5, 3e4, 0.4, 0.3, 0, 0, 0, 0},
    {"constant", 2, 1, 1, 2e5, 1e5, 0.3, 1, 3.0, 2.0, 0, 0},
    {"mass, two materials", 3, 1, 2, 2e5, 1e5, 0.3, 1, 0, 0, 5e3, 2e3},
    {"constant, no tangential spring", 2, 1, 1, 1e5, 0.0, 0.3, 1, 3.0, 2.0, 0, 0},
};

static double table[8][4]; // [key][pair of materials]

/** Pair k of two materials is that much softer, so that a wrong index shows. */
static double softer(uint32_t k)
{
    return k == 0 ? 1.0 : k == 3 ? 0.5 : 0.7;
}

static void *make_law(const scree_plugin *plugin, const scree_host *host, const setting *s)
{
    static const char *const keys[] = {"kn",        "kt",        "friction", "restitution",
                                       "damping_n", "damping_t", "gamma_n",  "gamma_t"};
    const double values[] = {s->kn,        s->kt,        s->friction, s->restitution,
                             s->damping_n, s->damping_t, s->gamma_n,  s->gamma_t};
    static _Alignas(16) char config[1024]; // valid until the next law is made
    void *law = NULL;
    if (plugin->config_size > sizeof config) {
        printf("Bail out! a config of %d bytes\n", (int)plugin->config_size);
        exit(1);
    }
    for (uint32_t p = 0; p < plugin->n_params; p++) {
        const scree_param *param = plugin->params[p];
        for (int k = 0; k < 8; k++) {
            scree_reals reals = {(uint64_t)s->n_materials * s->n_materials, table[k]};
            if (strcmp(param->name, keys[k]) != 0)
                continue;
            for (uint32_t m = 0; m < 4; m++)
                table[k][m] = k < 2 ? values[k] * softer(s->n_materials == 2 ? m : 0) : values[k];
            memcpy(config + param->offset, &reals, sizeof reals);
        }
        if (strcmp(param->name, "damping") == 0)
            memcpy(config + param->offset, &s->damping, sizeof s->damping);
        if (strcmp(param->name, "pull") == 0)
            memcpy(config + param->offset, &s->pull, sizeof s->pull);
    }
    const scree_force_ops *ops = plugin->ops;
    if (ops->create(host, config, &law) != SCREE_OK) {
        printf("Bail out! create failed\n");
        exit(1);
    }
    return law;
}

static void compute(const scree_plugin *plugin, void *law, contacts *c, uint32_t first, uint32_t n,
                    double since)
{
    const double *in[3] = {c->in[0] + first, c->in[1] + first, c->in[2] + first};
    double *out[3] = {c->out[0] + first, c->out[1] + first, c->out[2] + first};
    scree_contact_batch b = {.size = sizeof b,
                             .n = n,
                             .accepted = 1,
                             .since = since,
                             .depth = c->depth + first,
                             .mass = c->mass + first,
                             .materials = c->materials + first,
                             .in = in,
                             .out = out,
                             .stored = c->stored + first,
                             .lost = c->lost + first};
    for (int k = 0; k < 3; k++) {
        b.normal[k] = c->normal[k] + first;
        b.v[k] = c->v[k] + first;
        b.slip[k] = c->slip[k] + first;
        b.f[k] = c->f[k] + first;
    }
    if (((const scree_force_ops *)plugin->ops)->compute(law, &b) != SCREE_OK) {
        printf("Bail out! compute failed\n");
        exit(1);
    }
}

static const double since = 1e-6;

/** Deep and shallow, sticking and sliding, with and without a past, a few across a gap. */
static void fill(fake_host *fake, contacts *c, uint32_t n_materials)
{
    for (uint32_t i = 0; i < N; i++) {
        double n[3], length = 0.0, h = 0.0, small = fake_uniform(fake, 0.0, 1.0) < 0.5 ? 1e-3 : 1.0;
        for (int k = 0; k < 3; k++) {
            n[k] = fake_uniform(fake, -1.0, 1.0);
            length += n[k] * n[k];
        }
        for (int k = 0; k < 3; k++) {
            c->normal[k][i] = n[k] / sqrt(length);
            c->v[k][i] = small * fake_uniform(fake, -1.0, 1.0);
            c->slip[k][i] = since * c->v[k][i];
            c->in[k][i] = i % 5 == 0 ? 0.0 : small * fake_uniform(fake, -1e-5, 1e-5);
            h += c->in[k][i] * c->normal[k][i];
        }
        for (int k = 0; k < 3; k++) // nearly in the plane, as it was turned a little since
            c->in[k][i] -= (1.0 - 1e-3) * h * c->normal[k][i];
        c->depth[i] = i % 17 == 0   ? -fake_uniform(fake, 0.0, 1e-5)
                      : i % 19 == 0 ? 0.0
                                    : fake_uniform(fake, 0.0, 2e-5);
        c->mass[i] = fake_uniform(fake, 1e-6, 1e-4);
        c->materials[i] = n_materials == 1 ? 0 : i % 4;
    }
}

/** What the law should give for contact i, written down from the equations in the essay. */
static int expect(const setting *s, const contacts *c, uint32_t i, double f[3], double spring[3],
                  double *stored, double *lost)
{
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
    double n[3], vt[3], a[3], ft[3], vn = 0.0, un = 0.0, hn = 0.0, old = 0.0, flat = 0.0, g = 0.0;
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
        a[k] = (flat > 0.0 ? a[k] * sqrt(old / flat) : 0.0) + c->slip[k][i] - un * n[k];
        ft[k] = -kt * a[k] - ct * vt[k];
        g += ft[k] * ft[k];
    }
    g = sqrt(g);
    int slides = g > s->friction * fabs(fn);
    double heat = 0.0, energy = 0.0;
    for (int k = 0; k < 3; k++) {
        if (slides) {
            ft[k] *= s->friction * fabs(fn) / g;
            a[k] = kt > 0.0 ? -(ft[k] + ct * vt[k]) / kt : 0.0;
        }
        f[k] = ft[k] - fn * n[k];
        spring[k] = a[k];
        energy += 0.5 * kt * a[k] * a[k];
        heat -= slides ? ft[k] * vt[k] : -ct * vt[k] * vt[k];
    }
    if (slides) // what friction takes and the spring does not keep
        heat -= (energy - 0.5 * kt * old) / since;
    *stored = 0.5 * kn * c->depth[i] * c->depth[i] + energy;
    *lost = (fn - kn * c->depth[i]) * vn + heat;
    if (c->depth[i] >= 0.0)
        return slides ? 2 : 1;
    f[0] = f[1] = f[2] = spring[0] = spring[1] = spring[2] = *stored = 0.0;
    *lost = 0.5 * kt * old / since; // the surfaces have parted: their spring is gone
    return 0;
}

static double off(double got, double want, double scale)
{
    return fabs(got - want) / scale;
}

static void test_scalar(const scree_plugin *plugin, const scree_host *host, contacts *c,
                        const setting *s)
{
    void *law = make_law(plugin, host, s);
    double worst = 0.0, wrong = 0.0;
    int seen[3] = {0};
    compute(plugin, law, c, 0, N, since);
    for (uint32_t i = 0; i < N; i++) {
        double f[3], spring[3], stored, lost;
        seen[expect(s, c, i, f, spring, &stored, &lost)]++;
        for (int k = 0; k < 3; k++) {
            worst = fmax(worst, off(c->f[k][i], f[k], 1.0));
            worst = fmax(worst, off(c->out[k][i], spring[k], 1e-5));
        }
        worst = fmax(worst, off(c->stored[i], stored, 1e-5));
        worst = fmax(worst, off(c->lost[i], lost, 10.0));
    }
    setting other = *s;
    other.friction *= 1.001;
    for (uint32_t i = 0; i < N; i++) {
        double f[3], spring[3], stored, lost;
        expect(&other, c, i, f, spring, &stored, &lost);
        for (int k = 0; k < 3; k++)
            wrong = fmax(wrong, off(c->f[k][i], f[k], 1.0));
    }
    printf("# %s: %d across a gap, %d stick, %d slide; off by %.1e; with another friction %.1e\n",
           s->name, seen[0], seen[1], seen[2], worst, wrong);
    tap_ok(seen[0] > 20 && seen[2] > 100 && seen[1] > 100, "all cases were met");
    tap_ok(worst < 1e-12, "forces, springs and energies are those of a scalar law");
    tap_ok(wrong > 1e-5, "negative control: friction larger by 1e-3 would show");
    ((const scree_force_ops *)plugin->ops)->destroy(law);
}

/** The contacts with a and b exchanged: normal, velocity, slip and spring change their sign. */
static void test_symmetries(const scree_plugin *plugin, const scree_host *host, const contacts *c,
                            const setting *s)
{
    // a rotation by 1 rad about (1, 2, 3)
    const double u[3] = {1.0 / sqrt(14.0), 2.0 / sqrt(14.0), 3.0 / sqrt(14.0)}, co = cos(1.0),
                 si = sin(1.0);
    double m[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m[i][j] = (i == j ? co : 0.0) + (1.0 - co) * u[i] * u[j];
    m[0][1] -= si * u[2], m[1][0] += si * u[2];
    m[0][2] += si * u[1], m[2][0] -= si * u[1];
    m[1][2] -= si * u[0], m[2][1] += si * u[0];
    contacts *back = malloc(sizeof *back), *turned = malloc(sizeof *turned);
    *back = *c;
    *turned = *c;
    for (uint32_t i = 0; i < N; i++) {
        if (s->n_materials == 2 && (c->materials[i] == 1 || c->materials[i] == 2))
            back->materials[i] = 3 - c->materials[i];
        for (int k = 0; k < 3; k++) {
            back->normal[k][i] = -c->normal[k][i];
            back->v[k][i] = -c->v[k][i];
            back->slip[k][i] = -c->slip[k][i];
            back->in[k][i] = -c->in[k][i];
            turned->normal[k][i] = turned->v[k][i] = turned->slip[k][i] = turned->in[k][i] = 0.0;
            for (int j = 0; j < 3; j++) {
                turned->normal[k][i] += m[k][j] * c->normal[j][i];
                turned->v[k][i] += m[k][j] * c->v[j][i];
                turned->slip[k][i] += m[k][j] * c->slip[j][i];
                turned->in[k][i] += m[k][j] * c->in[j][i];
            }
        }
    }
    void *law = make_law(plugin, host, s);
    compute(plugin, law, back, 0, N, since);
    compute(plugin, law, turned, 0, N, since);
    int third = 1;
    double worst = 0.0;
    for (uint32_t i = 0; i < N; i++) {
        third &= back->stored[i] == c->stored[i] && back->lost[i] == c->lost[i];
        worst = fmax(worst, off(turned->stored[i], c->stored[i], 1e-5));
        worst = fmax(worst, off(turned->lost[i], c->lost[i], 10.0));
        for (int k = 0; k < 3; k++) {
            double f = 0.0, spring = 0.0;
            third &= back->f[k][i] == -c->f[k][i] && back->out[k][i] == -c->out[k][i];
            for (int j = 0; j < 3; j++) {
                f += m[k][j] * c->f[j][i];
                spring += m[k][j] * c->out[j][i];
            }
            worst = fmax(worst, off(turned->f[k][i], f, 1.0));
            worst = fmax(worst, off(turned->out[k][i], spring, 1e-5));
        }
    }
    tap_ok(third, "exchange of a and b turns the force round, to the last bit");
    printf("# %s: turned by 1 rad, off by %.1e\n", s->name, worst);
    tap_ok(worst < 1e-12, "forces and springs turn with the frame");
    ((const scree_force_ops *)plugin->ops)->destroy(law);
    free(back);
    free(turned);
}

static int same_results(const contacts *p, const contacts *q)
{
    int same = 1;
    for (uint32_t i = 0; i < N; i++) {
        same &= p->stored[i] == q->stored[i] && p->lost[i] == q->lost[i];
        for (int k = 0; k < 3; k++)
            same &= p->f[k][i] == q->f[k][i] && p->out[k][i] == q->out[k][i];
    }
    return same;
}

static void test_split(const scree_plugin *plugin, const scree_host *host, const contacts *c,
                       const setting *s)
{
    contacts *split = malloc(sizeof *split);
    void *law = make_law(plugin, host, s);
    *split = *c;
    for (uint32_t first = 0, n = 1; first < N; first += n, n = n % 61 + 1) {
        n = n < N - first ? n : N - first;
        compute(plugin, law, split, first, n, since);
    }
    tap_ok(same_results(split, c), "batches of any length give the same bits");
    split->f[1][N / 2] = nextafter(split->f[1][N / 2], 1.0);
    tap_ok(!same_results(split, c), "negative control: a last bit changed would show");
    ((const scree_force_ops *)plugin->ops)->destroy(law);
    free(split);
}

/** Arguments: the plugin's files, of all CPU levels (those this CPU lacks are left out). */
int main(int argc, char **argv)
{
    contacts *first = calloc(SETTINGS, sizeof *first), *c = calloc(1, sizeof *c);
    for (int a = 1; a < argc; a++) {
        fake_host fake;
        int equal = 1;
        if (strstr(argv[a], "x86-64-v3") && !__builtin_cpu_supports("avx2")) {
            tap_ok(1, "all CPU levels give the same bits # SKIP this CPU lacks x86-64-v3");
            continue;
        }
        const scree_plugin *plugin = fake_load(argv[a], SCREE_KIND_FORCE);
        fake_init(&fake, 3);
        for (int k = 0; k < SETTINGS; k++) {
            fake.host.n_materials = settings[k].n_materials;
            fill(&fake, c, settings[k].n_materials);
            test_scalar(plugin, &fake.host, c, &settings[k]);
            test_symmetries(plugin, &fake.host, c, &settings[k]);
            test_split(plugin, &fake.host, c, &settings[k]);
            if (a == 1)
                first[k] = *c;
            equal &= same_results(&first[k], c);
        }
        tap_ok(equal,
               a == 1 ? "the first level is the reference" : "all CPU levels give the same bits");
        free(fake.scratch);
    }
    free(first);
    free(c);
    return tap_end();
}
