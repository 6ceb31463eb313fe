/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies of two balls against closed forms: two spheres welded together. */
#include <math.h>
#include <string.h>

#include "../physics/harness.h"
#include "engine/energy.h"

#define GLASS "materials = { glass = { density = 2500.0; }; };"
#define SMOOTH                                                                                     \
    "force = ( { plugin = \"linear\"; kn = 1.0e4; restitution = 1.0; friction = 0.0; } );"

static double ball_mass(double r)
{
    return 2500.0 * 4.0 / 3.0 * G_PI * r * r * r;
}

/* Parallel axes, by hand; the scene's position is that of the first ball. */
static void moments(void)
{
    const double r1 = 0.01, r2 = 0.006, d = 0.02, m1 = ball_mass(r1), m2 = ball_mass(r2);
    const double x = m2 * d / (m1 + m2), along = 0.4 * (m1 * r1 * r1 + m2 * r2 * r2);
    const double across = along + m1 * x * x + m2 * (d - x) * (d - x);
    scree_sim *sim =
        start_text("scene = { dimension = 3; dt = 1.0e-5; };" GLASS PLUGINS SMOOTH
                   "shapes = { bell = { type = \"dumbbell\"; radius = 0.01; other = 0.006; "
                   "distance = 0.02; }; };"
                   "bodies = { a = { shape = \"bell\"; position = (1.0, 2.0, 3.0);"
                   "  orientation = { axis = (0.0, 0.0, 1.0); angle = \"90 deg\"; }; }; };");
    const scree_world *w = sim->world;
    claim(fabs(w->mass[0] / (m1 + m2) - 1.0) < 1e-14, "mass-is-that-of-both # %g kg", w->mass[0]);
    claim(fabs(w->inv_inertia[0][0] * along - 1.0) < 1e-12 &&
              fabs(w->inv_inertia[1][0] * across - 1.0) < 1e-12 &&
              fabs(w->inv_inertia[2][0] * across - 1.0) < 1e-12,
          "moments-by-parallel-axes # %g %g %g kg m^2", 1.0 / w->inv_inertia[0][0],
          1.0 / w->inv_inertia[1][0], 1.0 / w->inv_inertia[2][0]);
    claim(fabs(w->x[0][0] - 1.0) < 1e-15 && fabs(w->x[1][0] - 2.0 - x) < 1e-14,
          "position-is-that-of-the-scene-moved-to-the-centre-of-mass # %.15g %.15g", w->x[0][0],
          w->x[1][0]);
    scree_sim_free(sim);
}

/* Dropped on a plane, upright on one ball or flat on both: a spring of n k for half a period. */
static void drop(int n, const char *orientation, double height)
{
    const double r = 0.01, mass = 2.0 * ball_mass(r), v = 0.5, dt = 1e-7;
    const double time = G_PI * sqrt(mass / (n * 1e4));
    g_autoptr(scree_sim) sim = start_text(
        "scene = { dimension = 3; dt = 1.0e-7; };" GLASS PLUGINS SMOOTH
        "shapes = { bell = { type = \"dumbbell\"; radius = 0.01; other = 0.01; distance = 0.02; };"
        "  floor = { type = \"plane\"; normal = (0.0, 0.0, 1.0); }; };"
        "bodies = { a = { shape = \"bell\"; position = (0.0, 0.0, %.17g); velocity = (0.0, 0.0, "
        "-0.5);"
        "  orientation = %s; }; floor = { shape = \"floor\"; }; };",
        height, orientation);
    const scree_world *w = sim->world;
    uint64_t steps = 0;
    uint32_t touching = 0;
    double spin = 0.0;
    bool falls = true;
    while (falls && steps < 100000) {
        run(sim, 1);
        steps++;
        touching = MAX(touching, (uint32_t)sim->counters.contacts);
        falls = w->v[2][0] < 0.0 || sim->counters.contacts;
    }
    for (int k = 0; k < 3; k++)
        spin = fmax(spin, fabs(w->w[k][0]));
    claim(touching == (uint32_t)n, "%d-balls-touch # %u", n, touching);
    claim(fabs((double)steps * dt / time - 1.0) < 1e-3,
          "for-half-a-period-of-%d-springs # %g of %g s", n, (double)steps * dt, time);
    claim(fabs(w->v[2][0] / v - 1.0) < 1e-4 && spin < 1e-6,
          "and-it-leaves-as-it-came # %.8g m/s, %g rad/s", w->v[2][0], spin);
}

/* Off-centre, turned anyhow: momentum, angular momentum and energy before and after 20 000 steps, of
 * which each rounds the spin. */
static void collide(void)
{
    dice d = {7};
    double worst[3] = {0.0};
    uint32_t hit = 0;
    for (int n = 0; n < 20; n++) {
        double q[12];
        for (int k = 0; k < 12; k++)
            q[k] = throw_dice(&d, -1.0, 1.0);
        g_autoptr(scree_sim) sim = start_text(
            "scene = { dimension = 3; dt = 1.0e-6; };" GLASS PLUGINS SMOOTH
            "shapes = { bell = { type = \"dumbbell\"; radius = 0.01; other = 0.007; distance = "
            "0.02; }; };"
            "bodies = {"
            " a = { shape = \"bell\"; position = (-0.04, %.6f, %.6f); velocity = (2.0, 0.0, 0.0);"
            "  spin = (%.3f, 20.0, -10.0); orientation = { axis = (1.0, %.3f, %.3f); angle = %.3f; "
            "}; };"
            " b = { shape = \"bell\"; position = (0.0, 0.0, 0.0); velocity = (-2.0, 0.0, 0.0);"
            "  spin = (10.0, %.3f, 30.0); orientation = { axis = (%.3f, 1.0, %.3f); angle = %.3f; "
            "}; }; };",
            0.006 * q[0], 0.006 * q[1], 30.0 * q[2], q[3], q[4], 3.0 * q[5], 30.0 * q[6], q[7],
            q[8], 3.0 * q[9]);
        double p0[3], l0[3], p1[3], l1[3], scale = 0.0;
        scree_energy e0, e1;
        scree_momentum(sim, p0, l0);
        scree_energy_now(sim, &e0);
        for (int k = 0; k < 40; k++) {
            run(sim, 500);
            hit += k == 0 ? 0 : sim->counters.sum_contacts > 0;
        }
        scree_momentum(sim, p1, l1);
        scree_energy_now(sim, &e1);
        for (int k = 0; k < 3; k++) {
            scale = fmax(scale, fabs(l0[k]));
            worst[0] = fmax(worst[0], fabs(p1[k] - p0[k]) / (sim->world->mass[0] * 2.0));
        }
        for (int k = 0; k < 3; k++)
            worst[1] = fmax(worst[1], fabs(l1[k] - l0[k]) / scale);
        worst[2] = fmax(worst[2], fabs(e1.kinetic / e0.kinetic - 1.0));
    }
    claim(hit > 200, "dumbbells-have-met # %u", hit);
    claim(worst[0] < 1e-12, "momentum-is-kept # to %g", worst[0]);
    claim(worst[1] < 1e-9, "angular-momentum-is-kept # to %g", worst[1]);
    claim(worst[2] < 1e-4, "energy-is-kept-without-damping # to %g", worst[2]);
}

/** The only contact of a scene of two bodies. */
static scree_record touch(const char *bodies)
{
    scree_sim *sim =
        start_text("scene = { dimension = 3; dt = 1.0e-9; };" GLASS PLUGINS SMOOTH
                   "shapes = { bell = { type = \"dumbbell\"; radius = 0.25; other = 0.25;"
                   "  distance = 8.0; }; };"
                   "bodies = { %s };",
                   bodies);
    scree_contact_list list;
    scree_record one = {0};
    run_recorded(sim, 1);
    contacts_of(sim, &list);
    if (list.n != 1)
        bail_out("expected one contact, got %u", (unsigned)list.n);
    one.depth = list.depth[0];
    for (int k = 0; k < 3; k++) {
        one.normal[k] = list.normal[k][0];
        one.arm[k] = list.arm[k][0];
        one.all.f[k] = list.f[k][0];
    }
    scree_sim_free(sim);
    return one;
}

/* Numbers that are exact in binary: a ball that touches gives the bits of a sphere there. */
static void bits(void)
{
    const scree_record sphere = touch("a = { radius = 0.25; position = (0.0, 0.0, 0.0); };"
                                      "b = { radius = 0.25; position = (-0.25, 0.375, 0.125); };");
    const scree_record bell =
        touch("a = { shape = \"bell\"; position = (0.0, 0.0, 0.0); };"
              "b = { shape = \"bell\"; position = (-0.25, 0.375, 0.125);"
              "  orientation = { axis = (0.0, 0.0, 1.0); angle = \"180 deg\"; }; };");
    const double *f = sphere.all.f, *g = bell.all.f;
    claim(fabs(bell.depth - sphere.depth) < 1e-15 && fabs(f[0] - g[0]) < 1e-9 * fabs(f[0]),
          "turned-to-the-other-side-it-touches-alike # %.17g %.17g m", sphere.depth, bell.depth);
    const scree_record mixed = touch("a = { radius = 0.25; position = (-0.25, 0.375, 0.125); };"
                                     "b = { shape = \"bell\"; position = (0.0, 0.0, 0.0); };");
    const scree_record spheres = touch("a = { radius = 0.25; position = (-0.25, 0.375, 0.125); };"
                                       "b = { radius = 0.25; position = (0.0, 0.0, 0.0); };");
    claim(!memcmp(&mixed.depth, &spheres.depth, sizeof(double)) &&
              !memcmp(mixed.normal, spheres.normal, sizeof mixed.normal) &&
              !memcmp(mixed.arm, spheres.arm, sizeof mixed.arm) &&
              !memcmp(mixed.all.f, spheres.all.f, sizeof mixed.all.f),
          "a-ball-of-a-clump-gives-the-bits-of-a-sphere # depth %.17g m", mixed.depth);
}

int main(void)
{
    moments();
    drop(1, "{ axis = (0.0, 1.0, 0.0); angle = \"90 deg\"; }", 0.0300001);
    drop(2, "{ axis = (0.0, 1.0, 0.0); angle = 0.0; }", 0.0100001);
    collide();
    bits();
    return tap_end();
}
