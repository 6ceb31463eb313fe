/* SPDX-License-Identifier: Apache-2.0 */
/* Contacts for a force law without a host, by compute() on batches, for tests against its closed
 * form. `scree check` tests the promises of every law. */
#ifndef TEST_FORCE_CONTACTS_H
#define TEST_FORCE_CONTACTS_H

#include "../fake_host.h"

enum { N = 1000, ROOM = N + 8, FIELDS = 5 };

/** Everything a batch holds, as it comes from a host. */
typedef struct contacts {
    double normal[3][ROOM], depth[ROOM], v[3][ROOM], slip[3][ROOM], mass[ROOM], in[FIELDS][ROOM];
    double curvature[2][ROOM];
    uint32_t materials[ROOM];
    uint8_t fresh[ROOM], keep[ROOM];
    double out[FIELDS][ROOM], f[3][ROOM], stored[ROOM], lost[ROOM], heat[ROOM];
} contacts;

static inline void compute(const scree_plugin *plugin, void *law, contacts *c, uint32_t first,
                           uint32_t n, double since)
{
    const double *in[FIELDS];
    double *out[FIELDS];
    for (int k = 0; k < FIELDS; k++) {
        in[k] = c->in[k] + first;
        out[k] = c->out[k] + first;
    }
    scree_contact_batch b = {.size = sizeof b,
                             .n = n,
                             .accepted = 1,
                             .since = since,
                             .depth = c->depth + first,
                             .mass = c->mass + first,
                             .materials = c->materials + first,
                             .curvature = {c->curvature[0] + first, c->curvature[1] + first},
                             .fresh = c->fresh + first,
                             .keep = c->keep + first,
                             .in = in,
                             .out = out,
                             .stored = c->stored + first,
                             .lost = c->lost + first,
                             .heat = c->heat + first};
    memset(c->heat + first, 0, n * sizeof *c->heat);
    for (int k = 0; k < 3; k++) {
        b.normal[k] = c->normal[k] + first;
        b.v[k] = c->v[k] + first;
        b.slip[k] = c->slip[k] + first;
        b.f[k] = c->f[k] + first;
    }
    if (((const scree_force_ops *)plugin->ops)->compute(law, &b) != SCREE_OK)
        bail_out("compute failed");
}

static const double since = 1e-6;

/** Heat [W] of a dashpot at one of the two states of a step (force.h, lost): its force lags, so
 * that now counts by 3/4, then by 1/4; a force cut to `room` does not lag. */
static inline double dashpot_heat(double room, double c, double speed, int then)
{
    if (c * speed > room)
        return 0.5 * room * speed;
    return (then ? 0.25 : 0.75) * c * speed * speed;
}

/** Heat [W] by the trapezium rule of a spring that was h long, `turned` in the current plane, and
 * is s after the slip u, of stiffness k_then and k. */
static inline double spring_heat(double k_then, double k, const double h[3], const double turned[3],
                                 const double s[3], const double u[3])
{
    double work = 0.0, stored = 0.0;
    for (int i = 0; i < 3; i++) {
        work += 0.5 * (k_then * turned[i] + k * s[i]) * u[i];
        stored += 0.5 * k * s[i] * s[i] - 0.5 * k_then * h[i] * h[i];
    }
    return (work - stored) / since;
}

/** Deep and shallow, sticking and sliding, with and without history, a few across a gap. */
static inline void fill(fake_host *fake, contacts *c, uint32_t n_materials)
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
    for (uint32_t i = 0; i < N; i++) { // for laws that ask for curvature, and keep a contact radius
        c->curvature[0][i] = fake_uniform(fake, 200.0, 1000.0);
        c->curvature[1][i] = i % 7 == 0 ? 0.0 : fake_uniform(fake, 50.0, 1000.0);
        c->in[3][i] = i % 5 == 0 ? 0.0 : fake_uniform(fake, 0.0, 2e-4);
    }
}

static inline double off(double got, double want, double scale)
{
    return fabs(got - want) / scale;
}

/** Computes the outputs of a law with these settings for contact i, and returns its cases as bits 1, 2, 4. */
typedef int expect_fn(const void *settings, const contacts *c, uint32_t i, double f[3],
                      double out[FIELDS], double *stored, double *lost);

/** Units of errors; 0: the value is not compared. */
typedef struct scales {
    double f, out[FIELDS], stored, lost;
} scales;

/** Largest error of all outputs, each in its unit; how many contacts each case has. */
static inline double error_of(expect_fn *expect, const void *settings, const contacts *c,
                              const scales *by, int seen[3])
{
    double worst = 0.0;
    memset(seen, 0, 3 * sizeof *seen);
    for (uint32_t i = 0; i < N; i++) {
        double f[3], out[FIELDS] = {0.0}, stored, lost;
        const int state = expect(settings, c, i, f, out, &stored, &lost);
        for (int k = 0; k < 3; k++) {
            seen[k] += state >> k & 1;
            worst = fmax(worst, off(c->f[k][i], f[k], by->f));
        }
        for (int k = 0; k < FIELDS; k++)
            worst = by->out[k] > 0.0 ? fmax(worst, off(c->out[k][i], out[k], by->out[k])) : worst;
        worst = by->stored > 0.0 ? fmax(worst, off(c->stored[i], stored, by->stored)) : worst;
        worst = by->lost > 0.0 ? fmax(worst, off(c->lost[i], lost, by->lost)) : worst;
        worst = isnan(c->f[0][i] + c->lost[i]) ? HUGE_VAL : worst;
    }
    return worst;
}

enum { SLIDE_TOTAL, SLIDE_EACH, SLIDE_SPRING };

/** The tangential force f of a spring s that sticks, and both as the rule cuts them. 1: it slides.
 */
static inline int slide(int rule, double kt, double ct, double limit, const double t[3],
                        double s[3], double f[3])
{
    double whole = 0.0, spring = kt * sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    for (int k = 0; k < 3; k++) {
        f[k] = -kt * s[k] - ct * t[k];
        whole += f[k] * f[k];
    }
    whole = sqrt(whole);
    if ((rule == SLIDE_SPRING ? spring : whole) <= limit)
        return 0;
    for (int k = 0; k < 3; k++) {
        double elastic = -kt * s[k];
        if (rule == SLIDE_SPRING)
            f[k] = limit * elastic / spring;
        else
            f[k] *= limit / whole;
        if (rule == SLIDE_TOTAL)
            elastic = f[k] + ct * t[k];
        else if (spring > limit)
            elastic *= limit / spring;
        s[k] = kt > 0.0 ? -elastic / kt : 0.0;
    }
    return 1;
}

static inline int same_results(const contacts *p, const contacts *q)
{
    int same = 1;
    for (uint32_t i = 0; i < N; i++) {
        same &= p->stored[i] == q->stored[i] && p->lost[i] == q->lost[i];
        for (int k = 0; k < 3; k++)
            same &= p->f[k][i] == q->f[k][i] && p->out[k][i] == q->out[k][i];
    }
    return same;
}

/** All outputs, by bits: whether two passes, of other batches or another CPU level, are equal. */
static inline int same_bits(const contacts *p, const contacts *q)
{
    return memcmp(p->f, q->f, sizeof p->f) == 0 && memcmp(p->out, q->out, sizeof p->out) == 0 &&
           memcmp(p->stored, q->stored, sizeof p->stored) == 0 &&
           memcmp(p->lost, q->lost, sizeof p->lost) == 0;
}

/** Whether batches of 1, 3, 8 and 61 contacts give the bits of one batch of all, as `all` holds
 * them; rest is overwritten. */
static inline int same_in_batches(const scree_plugin *plugin, void *law, const contacts *all,
                                  contacts *rest)
{
    static const uint32_t sizes[] = {1, 3, 8, 61};
    int same = 1;
    for (size_t s = 0; s < SCREE_COUNT(sizes); s++) {
        *rest = *all;
        memset(rest->out, 0, sizeof rest->out);
        memset(rest->f, 0, sizeof rest->f);
        memset(rest->stored, 0, sizeof rest->stored);
        memset(rest->lost, 0, sizeof rest->lost);
        for (uint32_t c = 0; c < N; c += sizes[s])
            compute(plugin, law, rest, c, N - c < sizes[s] ? N - c : sizes[s], since);
        same &= same_bits(all, rest);
    }
    return same;
}

#endif
