/* SPDX-License-Identifier: Apache-2.0 */
/* force/jkr without a host, by compute() on batches: contact radii against the equation that they
 * solve, over many decades of adhesion and depth, and forces against a scalar law that bisects. */
#include <float.h>

#include "force_contacts.h"

static const double young = 6e8, nu = 0.3, friction = 0.3;

static void *make_law(const scree_plugin *plugin, const scree_host *host, double adhesion,
                      double slip_limit)
{
    const fake_value list[] = {{"young_modulus", {young}},
                               {"poisson_ratio", {nu}},
                               {"work_of_adhesion", {adhesion}},
                               {"friction", {slip_limit}},
                               {"restitution", {1.0}},
                               {"damping", {0}},
                               {"tangential_damping", {0.0}},
                               {"spring", {0}},
                               {"mass", {0}},
                               {"sliding", {0}}};
    void *law = fake_law(plugin, host, list, SCREE_COUNT(list));
    if (!law)
        bail_out("create failed");
    return law;
}

/** Depth and normal force at a contact radius; curve = 1 / R. */
static double depth_at(double adhesion, double curve, double a)
{
    double e = young / (2.0 * (1.0 - nu * nu));
    return a * a * curve - sqrt(2.0 * acos(-1.0) * adhesion * a / e);
}

static double force_at(double adhesion, double curve, double a)
{
    double e = young / (2.0 * (1.0 - nu * nu));
    return 4.0 / 3.0 * e * a * a * a * curve - sqrt(8.0 * acos(-1.0) * adhesion * e * a * a * a);
}

/** Contact radius at which the neck tears. */
static double least_radius(double adhesion, double curve)
{
    double e = young / (2.0 * (1.0 - nu * nu));
    return cbrt(acos(-1.0) * adhesion / (8.0 * e * curve * curve));
}

static double solve(double adhesion, double curve, double depth)
{
    double low = least_radius(adhesion, curve), high = low + 1.0;
    for (int k = 0; k < 400; k++) {
        double middle = 0.5 * (low + high);
        *(depth_at(adhesion, curve, middle) < depth ? &low : &high) = middle;
    }
    return high;
}

/** Depths from the parting on over many decades, all with a neck. */
static void fill_depths(fake_host *fake, contacts *c, double adhesion)
{
    for (uint32_t i = 0; i < N; i++) {
        double curve = c->curvature[0][i] + c->curvature[1][i],
               least = least_radius(adhesion, curve);
        double gap = -depth_at(adhesion, curve, least);
        c->depth[i] = i % 3 == 0 ? -gap * (1.0 - pow(10.0, -fake_uniform(fake, 0.0, 12.0)))
                                 : pow(10.0, -fake_uniform(fake, 4.0, 14.0));
        c->in[3][i] = fake_uniform(fake, 1e-6, 2e-4);
    }
}

static void test_roots(const scree_plugin *plugin, fake_host *fake, contacts *c)
{
    double worst = 0.0, control = HUGE_VAL;
    int torn = 0;
    for (int decade = -14; decade <= 3; decade++) {
        double adhesion = pow(10.0, decade), wrong = 0.0;
        void *law = make_law(plugin, &fake->host, adhesion, 0.0);
        fill(fake, c, 1);
        fill_depths(fake, c, adhesion);
        compute(plugin, law, c, 0, N, since);
        for (uint32_t i = 0; i < N; i++) {
            double curve = c->curvature[0][i] + c->curvature[1][i], a = c->out[3][i];
            double size = a * a * curve + fabs(c->depth[i]);
            torn += a == 0.0;
            worst = fmax(worst, off(depth_at(adhesion, curve, a), c->depth[i], size));
            wrong = fmax(wrong, off(depth_at(1.001 * adhesion, curve, a), c->depth[i], size));
            if (a < least_radius(adhesion, curve) * (1.0 - 1e-7))
                worst = HUGE_VAL; // the other branch
        }
        control = decade > -8 ? fmin(control, wrong) : control;
        ((const scree_force_ops *)plugin->ops)->destroy(law);
    }
    printf("# depth of the radius found is off by %.1e of a^2/R, %d torn; with 1.001 G %.1e\n",
           worst, torn, control);
    tap_ok(torn == 0, "no neck tears above the depth of parting");
    tap_ok(worst < 1e-14,
           "radii solve the equation of Johnson, Kendall, Roberts to some roundings");
    tap_ok(control > 1e-7, "negative control: an adhesion larger by 1e-3 would show");
}

static void test_forces(const scree_plugin *plugin, fake_host *fake, contacts *c)
{
    const double adhesion = 0.2;
    double worst = 0.0, most = 0.0;
    int gaps = 0, slides = 0;
    void *law = make_law(plugin, &fake->host, adhesion, friction);
    fill(fake, c, 1);
    compute(plugin, law, c, 0, N, since);
    for (uint32_t i = 0; i < N; i++) {
        double curve = c->curvature[0][i] + c->curvature[1][i], fn = 0.0, f2 = 0.0, scale;
        int neck = c->in[3][i] > 0.0 &&
                   c->depth[i] >= depth_at(adhesion, curve, least_radius(adhesion, curve));
        double a = c->depth[i] >= 0.0 || neck ? solve(adhesion, curve, c->depth[i]) : 0.0;
        for (int k = 0; k < 3; k++) {
            fn -= c->f[k][i] * c->normal[k][i];
            f2 += c->f[k][i] * c->f[k][i];
        }
        scale = 1.5 * acos(-1.0) * adhesion / curve;
        gaps += a == 0.0;
        worst = fmax(worst, off(fn, a > 0.0 ? force_at(adhesion, curve, a) : 0.0, scale));
        double limit = a > 0.0 ? friction * (fn + 2.0 * scale) : 0.0;
        double tangential = sqrt(fmax(f2 - fn * fn, 0.0));
        slides += a > 0.0 && tangential > limit * (1.0 - 1e-9);
        most = fmax(most, (tangential - limit) / scale);
    }
    printf("# %d without contact, %d slide; force off by %.1e of the pull-off force, above the "
           "limit by %.1e\n",
           gaps, slides, worst, most);
    tap_ok(gaps > 5 && slides > 100 && slides < N - 100, "all cases were met");
    tap_ok(worst < 1e-9, "normal forces are those of a scalar law that bisects");
    tap_ok(most < 1e-7, "friction is mu times the force and twice the pull-off force at most");
    ((const scree_force_ops *)plugin->ops)->destroy(law);
}

static void test_plugin(const scree_plugin *plugin, fake_host *fake, int is_first)
{
    static contacts first[1], c[1];
    test_roots(plugin, fake, c);
    test_forces(plugin, fake, c);
    if (is_first)
        *first = *c;
    tap_ok(same_results(first, c),
           is_first ? "the first level is the reference" : "all CPU levels give the same bits");
    c->f[1][N / 2] = nextafter(c->f[1][N / 2], 1.0);
    tap_ok(!same_results(first, c), "negative control: a last bit would show");
}

int main(int argc, char **argv)
{
    return fake_levels(argc, argv, test_plugin);
}
