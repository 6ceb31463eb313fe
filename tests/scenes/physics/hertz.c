/* SPDX-License-Identifier: Apache-2.0 */
/* Impacts of force/hertz_mindlin against closed forms and against Chung, Ooi 2011. */
#include <math.h>

#include "harness.h"
#include "hertz.h"

static const double pi = 3.14159265358979323846;

static double worst_of(const outcome *got, const outcome *want)
{
    double worst = fmax(fabs(got->depth / want->depth - 1.0), fabs(got->force / want->force - 1.0));
    return fmax(worst, fmax(fabs(got->duration / want->duration - 1.0), fabs(got->e - want->e)));
}

static const material soft = {5e6, 0.45, 1200.0}, glass = {4.8e10, 0.2, 2800.0},
                      steel = {2.1e11, 0.3, 7800.0};

static void test_elastic(void)
{
    const impact cases[] = {
        {.b = {{1e-3, soft}, {1e-3, soft}}, .speed = 0.5, .e = 1.0, .pull = true},
        {.b = {{1e-3, glass}, {7e-3, soft}}, .speed = 0.1, .e = 1.0, .pull = true},
        {.b = {{2e-2, glass}, {3e-3, steel}}, .speed = 7.0, .e = 1.0, .pull = true},
        {.b = {{1e-3, soft}, {0.0, steel}}, .speed = 0.3, .wall = true, .e = 1.0, .pull = true},
        {.b = {{5e-2, steel}, {0.0, glass}}, .speed = 2.0, .wall = true, .e = 1.0, .pull = true},
    };
    double worst = 0.0, least = HUGE_VAL, order = HUGE_VAL;
    for (size_t k = 0; k < G_N_ELEMENTS(cases); k++) {
        outcome want = hertz_closed_form(&cases[k]), got = hertz_measure(&cases[k], 500.3, NULL, 0);
        outcome coarse = hertz_measure(&cases[k], 125.3, NULL, 0);
        double error = worst_of(&got, &want), before = worst_of(&coarse, &want);
        impact other = cases[k];
        other.b[0].of.nu -= 0.02;
        other.b[1].of.nu -= 0.02;
        want = hertz_closed_form(&other);
        worst = fmax(worst, error);
        order = fmin(order, log(before / error) / log(4.0));
        least = fmin(least, worst_of(&got, &want));
    }
    claim(
        worst < 5e-5 && order > 1.5,
        "elastic impacts of balls and walls of several materials: overlap, force, duration within "
        "%.1e at 500 steps, order %.1f",
        worst, order);
    claim(least > 2.0 * worst, "negative control: Poisson's ratios smaller by 0.02 show (%.1e)",
          least);
}

/* The dashpot is steep at the start and the end of an impact, so the error falls with dt. */
static void test_restitution(void)
{
    static const double es[] = {0.95, 0.8, 0.5, 0.2, 0.05}, speeds[] = {0.01, 0.6, 20.0};
    for (int pull = 1; pull >= 0; pull--) {
        double worst = 0.0, before = 0.0, pulls = 0.0, spread = 0.0;
        for (size_t k = 0; k < G_N_ELEMENTS(es); k++) {
            double first = 0.0;
            for (size_t s = 0; s < G_N_ELEMENTS(speeds); s++) {
                impact c = {.b = {{1e-3, glass}, {2e-3, steel}},
                            .speed = speeds[s],
                            .e = es[k],
                            .pull = pull,
                            .wall = s == 1};
                outcome want = hertz_closed_form(&c), got = hertz_measure(&c, 8000.0, NULL, 0);
                outcome coarse = hertz_measure(&c, 1000.0, NULL, 0);
                double error = fabs(got.e - want.e);
                worst = fmax(worst, error);
                pulls = fmax(pulls, got.pull);
                before = fmax(before, fabs(coarse.e - want.e));
                first = s ? first : got.e;
                spread = fmax(spread, fabs(got.e - first));
            }
        }
        double order = log(before / worst) / log(8.0);
        claim(
            worst < 2e-4 && order > 0.8,
            "restitution 0.95 to 0.05%s is measured in an impact within %.1e at 8000 steps, order "
            "%.2f",
            pull ? "" : ", no pull: the closed form", worst, order);
        claim(spread < 1e-9, "it is the same at 0.01, 0.6 and 20 m/s (%.1e)", spread);
        claim(pull ? pulls > 0.0 : pulls == 0.0, "pull = %s: the strongest pull is %.2g N",
              pull ? "true" : "false", pulls);
    }
}

/*
 * All the time sliding: the momentum along x is -mu times that along z, and the spin follows from
 * its lever, between r - depth / 2 and r. Without pull, so that the force has one sign.
 */
static void test_gross_sliding(void)
{
    static const char *const more[] = {"cap = \"whole\";", "cap = \"elastic\";",
                                       "cap = \"elastic\"; lever = \"radius\";"};
    for (int k = 0; k < 3; k++) {
        impact c = {.b = {{2e-3, glass}, {0.0, steel}},
                    .speed = 0.4,
                    .e = k ? 1.0 : 0.6,
                    .slide = 3.0,
                    .friction = 0.13,
                    .wall = true,
                    .more = more[k]};
        outcome got = hertz_measure(&c, 1000.0, NULL, 0);
        double lost = c.friction * (1.0 + got.e) * c.speed, r = c.b[0].r;
        double u = (c.slide - got.u) / lost - 1.0, spin = -got.spin / (2.5 * lost / r) - 1.0;
        double shorter = k < 2 ? 2.0 * hertz_closed_form(&c).depth / r : 1e-12; // the arm, than r
        claim(fabs(u) < 1e-12 && spin < 1e-12 && spin > -shorter && (k == 2 || spin < -1e-6),
              "gross sliding on a wall, %s vx' = vx - mu (1 + e) vz (%.1e), w' = 5 mu (1 + e) vz / "
              "2r "
              "(%.1e)",
              more[k], u, spin);
    }
}

/** A ball that rests on a plane under gravity g; its depth and, of the spring, kt. */
static scree_sim *start_rest(double friction, double u0, double g, double dt, const char *more,
                             double *depth, double *kt)
{
    impact c = {.b = {{1e-3, soft}, {0.0, glass}}, .wall = true};
    double m = hertz_mass(&c.b[0]), soft_g = 0.0;
    for (int k = 0; k < 2; k++)
        soft_g += 2.0 * (1.0 + c.b[k].of.nu) * (2.0 - c.b[k].of.nu) / c.b[k].of.young;
    *depth = pow(m * g / (4.0 / 3.0 * hertz_modulus(&c) * sqrt(1e-3)), 2.0 / 3.0);
    *kt = 8.0 / soft_g * sqrt(1e-3 * *depth);
    return start_text(
        "scene = { dt = %.17e; gravity = (0.0, 0.0, %.17e); };"
        "materials = { one = { density = 1200.0; young_modulus = 5.0e6; poisson_ratio = 0.45; };"
        "two = { density = 1.0; young_modulus = 4.8e10; poisson_ratio = 0.2; }; };"
        "shapes = { floor = { type = \"plane\"; normal = (0.0, 0.0, 1.0); }; };"
        "bodies = { ball = { id = 1; radius = 1.0e-3; material = \"one\"; position = (0.0, 0.0, "
        "%.17e); velocity = (%.17e, 0.0, 0.0); }; floor = { shape = \"floor\"; material = \"two\"; "
        "}; }; force = ( { plugin = \"hertz_mindlin\"; friction = %.17e; restitution = 0.5; %s } "
        ");" PLUGINS,
        dt, -g, 1e-3 - *depth, u0, friction, more);
}

/*
 * A resting ball that is pushed swings on Mindlin's spring and turns: x'' = -kt s / m, s' = x' - l
 * w, w' = l kt s / I, so s swings with w0^2 = kt (1 / m + l^2 / I), l = r - depth / 2 (where the
 * host has the contact point); u0 - x' is m_eff / m = I / (I + m l^2)
 * of u0 - s'.
 */
static void test_swing(void)
{
    double depth, kt, m = 1200.0 * 4.0 / 3.0 * pi * 1e-9, u0 = 1e-5, n = 400.0, r = 1e-3;
    scree_sim_free(start_rest(1.0, u0, 9.81, 1e-6, "", &depth, &kt));
    double l = r - 0.5 * depth, w0 = sqrt(kt / m * (1.0 + 2.5 * l * l / (r * r)));
    static const char *const springs[] = {"displacement", "displacement_rescaled", "increments",
                                          "increments_rescaled"};
    for (int k = 0; k < 4; k++) {
        g_autofree char *more =
            g_strdup_printf("spring = \"%s\"; tangential_damping = 0.0;", springs[k]);
        scree_sim *sim = start_rest(1.0, u0, 9.81, 2.0 * pi / w0 / n, more, &depth, &kt);
        double worst = 0.0, share = 1.0 / (1.0 + 2.5 * l * l / (r * r)); // m_eff / m
        for (int step = 1; step <= 4 * (int)n; step++) {
            run(sim, 1);
            double t = sim->dt * step, u = sim->world->v[0][body_of(sim, 1)];
            double want = u0 - u0 * share * (1.0 - cos(w0 * t));
            worst = fmax(worst, fabs(u - want) / u0);
        }
        scree_sim_free(sim);
        claim(worst < 3e-4, "spring %s: a resting ball swings on 8 G* a for four periods (%.1e)",
              springs[k], worst);
    }
}

/* Slip to roll, as in rolling.c: the floor holds the ball at the depth of its weight. */
static void test_slip_to_roll(bool radius)
{
    double depth, kt, mu = 0.3, g = 9.81, u0 = 0.05, dt = 2e-6, late = 0.0, kept = 0.0;
    scree_sim *sim = start_rest(mu, u0, g, dt, radius ? "lever = \"radius\";" : "", &depth, &kt);
    double r = 1e-3, l = radius ? r : r - 0.5 * depth, p = l * l / (r * r),
           t = u0 / (mu * g * (1.0 + 2.5 * p));
    uint32_t i = body_of(sim, 1);
    for (double n = 1.0; n * dt < 4.0 * t; n++) {
        run(sim, 1);
        double u = sim->world->v[0][i], w = sim->world->w[1][i];
        if (n * dt < 0.98 * t)
            late = fmax(late, fabs(u - u0 + mu * g * n * dt) / (mu * g * dt));
        kept = fmax(kept, fabs((u * l + 0.4 * r * r * w) / (u0 * l) - 1.0));
    }
    double u = sim->world->v[0][i], w = sim->world->w[1][i];
    double off = fmax(fabs(u / (u0 / (1.0 + 0.4 / p)) - 1.0), fabs(w * l / u - 1.0));
    scree_sim_free(sim);
    claim(late < 1e-2, "%s: slip: u = u0 - mu g t until 2 u0 / 7 mu g (late by %.1e steps)",
          radius ? "lever radius" : "lever contact", late);
    claim(kept < 1e-9 && off < 1e-6, "roll: 5/7 u0 and w = u / r (%.1e), m u l + I w kept (%.1e)",
          off, kept);
}

int main(void)
{
    test_elastic();
    test_restitution();
    test_gross_sliding();
    test_swing();
    test_slip_to_roll(false);
    test_slip_to_roll(true);
    return tap_end();
}
