/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies of two discs in 2D against closed forms: two discs welded together. */
#include <math.h>

#include "../physics/harness.h"
#include "engine/energy.h"

#define HEAD                                                                                       \
    "materials = { glass = { density = 2500.0; }; };" PLUGINS                                      \
    "force = ( { plugin = \"linear\"; kn = 1.0e4; restitution = 1.0; friction = 0.0; } );"
#define THICKNESS 0.02 /* [m] */

static double disc_mass(double r)
{
    return 2500.0 * G_PI * r * r * THICKNESS;
}

/* Parallel axes, by hand; the scene's position is that of the first disc, and axes are not turned. */
static void moment(void)
{
    const double r1 = 0.01, r2 = 0.006, d = 0.02, m1 = disc_mass(r1), m2 = disc_mass(r2);
    const double x = m2 * d / (m1 + m2);
    const double across = 0.5 * (m1 * r1 * r1 + m2 * r2 * r2) + m1 * x * x + m2 * (d - x) * (d - x);
    g_autoptr(scree_sim) sim =
        start_text("scene = { dimension = 2; dt = 1.0e-5; thickness = 0.02; };" HEAD
                   "shapes = { bell = { type = \"dumbbell\"; radius = 0.01; other = "
                   "0.006; distance = 0.02; }; };"
                   "bodies = { a = { shape = \"bell\"; position = (1.0, 2.0); "
                   "orientation = \"90 deg\"; }; };");
    const scree_world *w = sim->world;
    claim(fabs(w->mass[0] / (m1 + m2) - 1.0) < 1e-14, "mass-is-that-of-both-discs # %g kg",
          w->mass[0]);
    claim(fabs(w->inv_inertia[2][0] * across - 1.0) < 1e-12,
          "moment-about-z-by-parallel-axes # %g kg m^2", 1.0 / w->inv_inertia[2][0]);
    claim(fabs(w->x[0][0] - 1.0) < 1e-15 && fabs(w->x[1][0] - 2.0 - x) < 1e-14,
          "position-is-that-of-the-scene-moved-to-the-centre-of-mass # %.15g %.15g", w->x[0][0],
          w->x[1][0]);
}

/* Dropped on a line, upright on one disc or flat on both: a spring of n k for half a period. */
static void drop(int n, const char *orientation, double height)
{
    const double mass = 2.0 * disc_mass(0.01), v = 0.5, dt = 1e-6;
    const double time = G_PI * sqrt(mass / (n * 1e4));
    g_autoptr(scree_sim) sim = start_text(
        "scene = { dimension = 2; dt = 1.0e-6; thickness = 0.02; };" HEAD
        "shapes = { bell = { type = \"dumbbell\"; radius = 0.01; other = 0.01; distance = 0.02; };"
        "  floor = { type = \"plane\"; normal = (0.0, 1.0); }; };"
        "bodies = { a = { shape = \"bell\"; position = (0.0, %.17g); velocity = (0.0, -0.5);"
        "  orientation = %s; }; floor = { shape = \"floor\"; }; };",
        height, orientation);
    const scree_world *w = sim->world;
    uint64_t touching = 0, most = 0;
    for (uint64_t step = 0; step < (uint64_t)(2.0 * time / dt); step++) {
        run(sim, 1);
        touching += sim->counters.contacts > 0;
        most = MAX(most, sim->counters.contacts);
    }
    claim(most == (uint64_t)n, "%d-discs-touch # %u", n, (unsigned)most);
    claim(fabs((double)touching * dt / time - 1.0) < 1e-3,
          "for-half-a-period-of-%d-springs # %g of %g s", n, (double)touching * dt, time);
    claim(fabs(w->v[1][0] / v - 1.0) < 1e-4 && fabs(w->w[2][0]) < 1e-6,
          "and-it-leaves-as-it-came # %.8g m/s, %g rad/s", w->v[1][0], w->w[2][0]);
}

/* Off-centre, turned anyhow: momentum, angular momentum and energy before and after. */
static void collide(void)
{
    dice d = {11};
    double worst[3] = {0.0}, out_of_plane = 0.0, turned = 0.0;
    uint64_t hit = 0;
    for (int n = 0; n < 20; n++) {
        double q[5];
        for (int k = 0; k < 5; k++)
            q[k] = throw_dice(&d, -1.0, 1.0);
        g_autoptr(scree_sim) sim = start_text(
            "scene = { dimension = 2; dt = 1.0e-6; thickness = 0.02; };" HEAD
            "shapes = { bell = { type = \"dumbbell\"; radius = 0.01; other = 0.007;"
            "  distance = 0.02; }; };"
            "bodies = { a = { shape = \"bell\"; position = (-0.055, %.6f); velocity = (2.0, 0.0);"
            "  spin = %.3f; orientation = %.3f; };"
            " b = { shape = \"bell\"; position = (0.0, 0.0); velocity = (-2.0, 0.0);"
            "  spin = %.3f; orientation = %.3f; }; };",
            0.006 * q[0], 30.0 * q[1], 3.0 * q[2], 30.0 * q[3], 3.0 * q[4]);
        const scree_world *w = sim->world;
        const double spin = w->w[2][0];
        double p0[3], l0[3], p1[3], l1[3];
        scree_energy e0, e1;
        scree_momentum(sim, p0, l0);
        scree_energy_now(sim, &e0);
        for (int k = 0; k < 40; k++) {
            run(sim, 800);
            hit += sim->counters.sum_contacts > 0;
        }
        scree_momentum(sim, p1, l1);
        scree_energy_now(sim, &e1);
        for (int k = 0; k < 2; k++)
            worst[0] = fmax(worst[0], fabs(p1[k] - p0[k]) / (w->mass[0] * 2.0));
        worst[1] = fmax(worst[1], fabs(l1[2] - l0[2]) / (w->mass[0] * 2.0 * 0.01));
        worst[2] = fmax(worst[2], fabs(e1.kinetic / e0.kinetic - 1.0));
        turned = fmax(turned, fabs(w->w[2][0] - spin));
        for (uint32_t i = 0; i < 2; i++)
            out_of_plane = fmax(out_of_plane, fabs(w->v[2][i]) + fabs(w->w[0][i]) +
                                                  fabs(w->w[1][i]) + fabs(w->x[2][i]));
    }
    claim(hit > 200 && turned > 10.0, "dumbbells-have-met-and-turned-one-another # %u, %g rad/s",
          (unsigned)hit, turned);
    claim(worst[0] < 1e-12, "momentum-is-kept # to %g", worst[0]);
    claim(worst[1] < 1e-9, "angular-momentum-is-kept # to %g", worst[1]);
    claim(worst[2] < 1e-4, "energy-is-kept-without-damping # to %g", worst[2]);
    claim(out_of_plane == 0.0, "nothing-leaves-the-plane # %g", out_of_plane);
}

int main(void)
{
    moment();
    drop(1, "\"90 deg\"", 0.0100001);
    drop(2, "0.0", 0.0100001);
    collide();
    return tap_end();
}
