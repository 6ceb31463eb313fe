/* SPDX-License-Identifier: Apache-2.0 */
/* modifier/drag and modifier/damping against closed forms; what they take and give is booked. */
#include <math.h>
#include <string.h>

#include "engine/energy.h"
#include "harness.h"

static const double pi = 3.14159265358979323846;

/** A ball of 1 mm radius and 2600 kg/m^3 at 3 m/s along x, without gravity. */
static scree_sim *start_alone(double dt, const char *gravity, const char *drag)
{
    return start_text("scene = { dt = %.17e; gravity = (%s); };"
                      "materials = { m = { density = 2600.0; }; };"
                      "bodies = { a = { radius = 0.001; position = (0.0, 0.0, 0.0); velocity = "
                      "(3.0, 0.0, 0.0); }; };"
                      "modifiers = { %s };" PLUGINS,
                      dt, gravity, drag);
}

static double mass(double r, double density)
{
    return 4.0 / 3.0 * pi * r * r * r * density;
}

/** Largest relative error of the velocity of a ball in a stream, over two relaxation times. */
static double stokes_error(double parts)
{
    double mu = 0.035, tau = mass(0.001, 2600.0) / (6.0 * pi * mu * 0.001), dt = tau / parts;
    double worst = 0.0;
    g_autoptr(scree_sim) sim =
        start_alone(dt, "0.0, 0.0, 0.0",
                    "air = { plugin = \"drag\"; law = \"stokes\"; viscosity = 0.035; "
                    "velocity = (-0.5, 0.25, 0.0); };");
    for (int k = 0; k < 4; k++) {
        run(sim, (uint64_t)(parts / 2.0));
        double left = exp(-scree_sim_time(sim) / tau);
        worst = fmax(worst, fabs(sim->world->v[0][0] - (-0.5 + 3.5 * left)) / 3.5);
        worst = fmax(worst, fabs(sim->world->v[1][0] - 0.25 * (1.0 - left)) / 3.5);
    }
    return worst;
}

static void test_stokes(void)
{
    double coarse = stokes_error(500.0), fine = stokes_error(1000.0);
    claim(fine < 1e-3 && fabs(log2(coarse / fine) - 1.0) < 0.1,
          "stokes: velocity in a stream decays as exp(-t k/m), error %.1e, order %.2f", fine,
          log2(coarse / fine));
}

static void test_quadratic(void)
{
    double rho = 4.5, cd = 0.8, m = mass(0.001, 2600.0), worst = 0.0;
    double c = 0.5 * rho * cd * pi * 1e-6 / m * 3.0; // 1/s
    g_autoptr(scree_sim) sim =
        start_alone(1e-4, "0.0, 0.0, 0.0",
                    "air = { plugin = \"drag\"; law = \"constant\"; density = 4.5; "
                    "coefficient = 0.8; };");
    for (int k = 0; k < 5; k++) {
        run(sim, 2000);
        double v = 3.0 / (1.0 + c * scree_sim_time(sim));
        worst = fmax(worst, fabs(sim->world->v[0][0] / v - 1.0));
    }
    claim(worst < 1e-3 && c > 1.0, "constant: v = v0 / (1 + c t), error %.1e at c t of %.1f", worst,
          c * scree_sim_time(sim));
}

/** Cd of a law at a Reynolds number, from the force of the first evaluation. */
static double coefficient(const char *law, double re)
{
    double rho = 1.7, r = 0.001, u = 3.0, mu = 2.0 * r * rho * u / re;
    g_autofree char *drag =
        g_strdup_printf("air = { plugin = \"drag\"; law = \"%s\"; %s viscosity = %.17e; };", law,
                        strcmp(law, "stokes") ? "density = 1.7;" : "", mu);
    g_autoptr(scree_sim) sim = start_alone(1e-6, "0.0, 0.0, 0.0", drag);
    double f = sim->world->wrench[0];
    return -f / (0.5 * rho * pi * r * r * u * u);
}

/** Standard drag of a sphere: Clift, Grace, Weber 1978, Bubbles, Drops and Particles, table 5.2,
 * correlations; its scatter among experiments is about 4 %. */
static void test_standard_drag(void)
{
    static const double re[] = {0.1, 1.0, 10.0, 100.0, 700.0},
                        cd[] = {244.0, 27.2, 4.27, 1.09, 0.5};
    double worst = 0.0, worst_dallavalle = 0.0;
    for (size_t k = 0; k < G_N_ELEMENTS(re); k++) {
        worst = fmax(worst, fabs(coefficient("schiller_naumann", re[k]) / cd[k] - 1.0));
        worst_dallavalle =
            fmax(worst_dallavalle, fabs(coefficient("dallavalle", re[k]) / cd[k] - 1.0));
    }
    claim(
        worst < 0.05 && worst_dallavalle < 0.35,
        "Cd from Re 0.1 to 700: schiller_naumann within %.1f %%, dallavalle within %.0f %% of the "
        "standard drag",
        100.0 * worst, 100.0 * worst_dallavalle);
    double newton = coefficient("schiller_naumann", 5000.0), stokes = coefficient("stokes", 5000.0);
    claim(fabs(newton / 0.44 - 1.0) < 1e-12 && fabs(stokes * 5000.0 / 24.0 - 1.0) < 1e-12,
          "beyond Re 1000 Cd is 0.44; stokes stays 24/Re");
    claim(fabs(coefficient("dallavalle", 400.0) / (0.87 * 0.87) - 1.0) < 1e-12,
          "dallavalle at Re 400 is (0.63 + 0.24)^2");
}

/** Cd Re^2 of a sphere that falls at Re: grows with Re, so that bisection finds the one for its
 * Archimedes number. */
static double load(const char *law, double re)
{
    if (!strcmp(law, "stokes"))
        return 24.0 * re;
    if (!strcmp(law, "schiller_naumann"))
        return 24.0 * re * (1.0 + 0.15 * exp(0.687 * log(re)));
    if (!strcmp(law, "dallavalle"))
        return (0.63 * re + 4.8 * sqrt(re)) * (0.63 * re + 4.8 * sqrt(re));
    return 1.3 * re * re;
}

static double terminal(const char *law, double rho, double mu, double r)
{
    double want = 8.0 / 3.0 * 4.0 * r * r * r * rho * (2600.0 - rho) * 9.81 / (mu * mu);
    double low = 1e-6, high = 1e6;
    for (int k = 0; k < 200; k++) {
        double middle = sqrt(low * high);
        *(load(law, middle) < want ? &low : &high) = middle;
    }
    return low * mu / (rho * 2.0 * r);
}

static void test_terminal(void)
{
    static const char *const laws[] = {"stokes", "schiller_naumann", "dallavalle", "constant"};
    for (size_t k = 0; k < G_N_ELEMENTS(laws); k++) {
        bool constant = k == 3;
        double rho = 1230.0, mu = constant ? 1.0 : 0.05, v = terminal(laws[k], rho, mu, 0.001);
        g_autofree char *drag = g_strdup_printf(
            "water = { plugin = \"drag\"; law = \"%s\"; density = 1230.0; buoyancy = true; %s };",
            laws[k], constant ? "coefficient = 1.3;" : "viscosity = 0.05;");
        g_autoptr(scree_sim) sim = start_alone(1e-5, "0.0, -9.81, 0.0", drag);
        scree_energy e;
        run(sim, 50000);
        double error = fabs(-sim->world->v[1][0] / v - 1.0);
        scree_energy_now(sim, &e);
        claim(error < 1e-9,
              "%s with buoyancy: it sinks at the terminal velocity of %.4g m/s (off by "
              "%.1e)",
              laws[k], v, error);
        claim(fabs(e.residual) < 5e-3 * e.lost && e.lost > 0.0 && e.work < 0.0,
              "%s: heat %.2e J and buoyancy's work %.2e J are booked, residual %.1e J", laws[k],
              e.lost, e.work, e.residual);
    }
}

/** Residual over what a stream has done on a ball that it drags along. */
static double stream_residual(double dt)
{
    scree_energy e;
    scree_sim *sim = start_alone(dt, "0.0, 0.0, -3.0",
                                 "wind = { plugin = \"drag\"; density = 1.2; viscosity = 1.8e-5; "
                                 "velocity = (\"12 m/s\", 4.0, 1.0); };");
    run(sim, (uint64_t)(2.0 / dt + 0.5));
    scree_energy_now(sim, &e);
    double v = sim->world->v[0][0];
    scree_sim_free(sim);
    if (!(v > 4.0 && e.work > 0.0))
        bail_out("the wind does not blow: v = %g m/s, work %g J", v, e.work);
    return fabs(e.residual) / e.work;
}

static void test_stream(void)
{
    double coarse = stream_residual(2e-3), fine = stream_residual(1e-3);
    claim(fine < 1e-3 && fine < 0.6 * coarse,
          "a wind's work is booked: residual over work %.1e, then %.1e with half of dt", coarse,
          fine);
}

static void test_fall(void)
{
    scree_sim *sim =
        start_alone(1e-4, "0.0, 0.0, -9.81", "cundall = { plugin = \"damping\"; alpha = 0.35; };");
    scree_energy e;
    run(sim, 1000);
    double v = -sim->world->v[2][0] / (0.65 * 9.81 * 0.1);
    scree_energy_now(sim, &e);
    double lost = 0.35 * mass(0.001, 2600.0) * 9.81 * 0.5 * 0.65 * 9.81 * 0.01;
    claim(fabs(v - 1.0) < 1e-3 && fabs(e.lost / lost - 1.0) < 5e-3,
          "damping: a free fall is one at (1 - alpha) g (%.5f), and alpha m g h is lost (%.4f)", v,
          e.lost / lost);
    claim(sim->world->v[0][0] == 3.0, "damping: without a force along x nothing is taken there");
    scree_sim_free(sim);
}

/** The order of modifiers: forces added before the damping are part of the force that it damps. */
static void test_order(void)
{
    static const char *const drag =
        "oil = { plugin = \"drag\"; law = \"stokes\"; viscosity = 0.9; };";
    static const char *const damping = "cundall = { plugin = \"damping\"; alpha = 0.6; };";
    double v[2], stokes = mass(0.001, 2600.0) * 9.81 / (6.0 * pi * 0.9 * 0.001);
    for (int first = 0; first < 2; first++) {
        g_autofree char *both = g_strconcat(first ? damping : drag, first ? drag : damping, NULL);
        g_autoptr(scree_sim) sim = start_alone(2e-5, "0.0, 0.0, -9.81", both);
        run(sim, 10000);
        v[first] = -sim->world->v[2][0] / stokes;
    }
    claim(
        fabs(v[0] - 1.0) < 1e-6 && fabs(v[1] - 0.4) < 1e-6,
        "damping last sees no force at the terminal velocity (%.6f), first it sees gravity (%.6f)",
        v[0], v[1]);
}

/** A ball swings on an elastic floor about its rest: from turn to turn its amplitude falls by
 * sqrt((1 - alpha) / (1 + alpha)), since the spring is harder by 1 + alpha on the way out and
 * softer by 1 - alpha on the way back. */
static void test_swing(void)
{
    double alpha = 0.15, m = mass(0.01, 2600.0), kn = 2000.0, rest = 0.01 - m * 9.81 / kn;
    double amplitude = 0.8 * m * 9.81 / kn, turns[6], before;
    int n = 0;
    g_autoptr(scree_sim) sim = start_text(
        "scene = { dt = 2.0e-6; gravity = (0.0, 0.0, -9.81); };"
        "materials = { m = { density = 2600.0; }; };"
        "shapes = { floor = { type = \"plane\"; normal = (0.0, 0.0, 1.0); }; };"
        "bodies = { a = { radius = 0.01; position = (0.0, 0.0, %.17e); };"
        "floor = { shape = \"floor\"; }; };"
        "force = ( { plugin = \"linear\"; kn = 2000.0; damping = \"none\"; friction = 0.0; } );"
        "modifiers = { cundall = { plugin = \"damping\"; alpha = 0.15; }; };" PLUGINS,
        rest + amplitude);
    run(sim, 10);
    before = sim->world->v[2][0];
    while (n < 6 && sim->step < 400000) {
        run(sim, 1);
        double v = sim->world->v[2][0];
        if (v * before < 0.0)
            turns[n++] = fabs(sim->world->x[2][0] - rest);
        before = v;
    }
    double ratio = n == 6 ? pow(turns[5] / amplitude, 1.0 / 6.0) : 0.0;
    double want = sqrt((1.0 - alpha) / (1.0 + alpha));
    claim(
        fabs(ratio / want - 1.0) < 1e-3,
        "damping: each half swing leaves sqrt((1 - alpha) / (1 + alpha)) of the amplitude (%.5f of "
        "%.5f)",
        ratio, want);
}

/** A sliding ball: the couple of friction is damped too, and only in the group that is named. */
static void test_groups(void)
{
    double spin[2];
    g_autoptr(scree_sim) sim = start_text(
        "scene = { dt = 1.0e-5; gravity = (0.0, 0.0, -9.81); };"
        "materials = { m = { density = 2600.0; }; };"
        "shapes = { floor = { type = \"plane\"; normal = (0.0, 0.0, 1.0); }; };"
        "bodies = { a = { id = 0; radius = 0.01; position = (0.0, 0.0, 0.0099874); velocity = "
        "(4.0, 0.0, "
        "0.0); }; b = { id = 1; radius = 0.01; position = (0.0, 1.0, 0.0099874); velocity = (4.0, "
        "0.0, "
        "0.0); }; floor = { shape = \"floor\"; }; };"
        "force = ( { plugin = \"linear\"; kn = 8480.0; restitution = 0.3; friction = 0.25; } );"
        "modifiers = { cundall = { plugin = \"damping\"; alpha = 0.4; groups = \"a\"; }; "
        "};" PLUGINS);
    run(sim, 5000);
    for (uint64_t id = 0; id < 2; id++)
        spin[id] = sim->world->w[1][body_of(sim, id)] / (2.5 * 0.25 * 9.81 / 0.01 * 0.05);
    claim(fabs(spin[0] - 0.6) < 5e-3 && fabs(spin[1] - 1.0) < 5e-3,
          "damping: the couple on a body of the group is less by alpha (%.4f), on others it is not "
          "(%.4f)",
          spin[0], spin[1]);
}

int main(void)
{
    test_stokes();
    test_quadratic();
    test_standard_drag();
    test_terminal();
    test_stream();
    test_fall();
    test_order();
    test_swing();
    test_groups();
    return tap_end();
}
