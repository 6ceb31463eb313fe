/* SPDX-License-Identifier: Apache-2.0 */
/* A round shape of another plugin: a moment of its own, touched as a sphere is. */
#include <math.h>
#include <string.h>

#include "../physics/harness.h"

#define GLASS "materials = { glass = { density = 2500.0; }; };"
#define RUBS                                                                                       \
    PLUGINS "force = ( { plugin = \"linear\"; kn = 1.0e5; restitution = 0.5; friction = 0.4; } );"
#define FLOOR "floor = { type = \"plane\"; normal = (0.0, 0.0, 1.0); };"

/* A core of radius c, f times as dense as the rest: I = 2/5 m (R^5 + (f - 1) c^5) / (R^3 + (f - 1) c^3);
 * the density of the material is the mean. */
static void measure(void)
{
    const double r = 0.01, c = 0.006, f = 4.0, s = 1.5;
    const double mass = 4.0 / 3.0 * G_PI * 2500.0 * s * s * s * r * r * r;
    const double moment = 0.4 * mass * s * s * (pow(r, 5.0) + (f - 1.0) * pow(c, 5.0)) /
                          (pow(r, 3.0) + (f - 1.0) * pow(c, 3.0));
    g_autoptr(scree_sim) sim = start_text(
        "scene = { dimension = 3; dt = 1.0e-5; };" GLASS RUBS
        "shapes = { seed = { type = \"bead\"; radius = 0.01; core = 0.006; factor = 4.0; }; };"
        "bodies = { a = { shape = \"seed\"; scale = 1.5; position = (0.0, 0.0, 1.0); }; };");
    const scree_world *w = sim->world;
    claim(fabs(w->radius[0] - s * r) < 1e-17, "its-radius-is-scaled # %g m", w->radius[0]);
    claim(fabs(w->mass[0] / mass - 1.0) < 1e-14, "its-mass-is-that-of-its-volume # %g kg",
          w->mass[0]);
    claim(fabs(w->inv_inertia[0][0] * moment - 1.0) < 1e-13, "its-moment-has-the-core # %g kg m^2",
          1.0 / w->inv_inertia[0][0]);
    claim(w->inv_inertia[1] == w->inv_inertia[0] && w->isotropic[0],
          "it-has-one-moment-as-spheres-have");
}

static scree_sim *heap(const char *shape, const char *size)
{
    g_autoptr(GString) bodies = g_string_new(NULL);
    for (int i = 0; i < 27; i++)
        g_string_append_printf(bodies,
                               "b%d = { shape = \"%s\"; %s = %s; velocity = (%g, %g, -0.5);"
                               "  position = (%.5f, %.5f, %.5f); };",
                               i, shape, size, strcmp(size, "scale") ? "0.01" : "1.0",
                               0.1 * (i % 4), 0.1 * (i % 5), 0.0205 * (i % 3) + 0.0013 * (i % 4),
                               0.0205 * (i / 3 % 3) + 0.0011 * (i % 5), 0.011 + 0.021 * (i / 9));
    return start_text(
        "scene = { dimension = 3; dt = 2.0e-6; gravity = (0.0, 0.0, -9.81); };" GLASS RUBS
        "shapes = { seed = { type = \"bead\"; radius = 0.01; };" FLOOR "};"
        "bodies = { %s floor = { shape = \"floor\"; }; };",
        bodies->str);
}

/* Without a core it is a sphere: no bit differs. */
static void alike(void)
{
    scree_sim *beads = heap("seed", "scale"), *spheres = heap("sphere", "radius");
    const scree_world *w = beads->world, *u = spheres->world;
    const size_t size = w->n * sizeof(double);
    uint64_t touched = 0;
    bool same = true;
    for (int k = 0; k < 40; k++) {
        run(beads, 100);
        run(spheres, 100);
        touched += beads->counters.contacts;
    }
    for (int k = 0; k < 3; k++)
        same = same && !memcmp(w->x[k], u->x[k], size) && !memcmp(w->v[k], u->v[k], size) &&
               !memcmp(w->w[k], u->w[k], size);
    claim(same && touched > 100, "without-a-core-it-moves-as-a-sphere # %u contacts",
          (unsigned)touched);
    scree_sim_free(beads);
    scree_sim_free(spheres);
}

/* Thrown along a plane without spin it slides until it rolls: v = v0 / (1 + I / (m r^2)), whatever
 * the friction. */
static void roll(const char *core, double c, double f)
{
    const double r = 0.01;
    const double q = 0.4 * (pow(r, 5.0) + (f - 1.0) * pow(c, 5.0)) /
                     ((pow(r, 3.0) + (f - 1.0) * pow(c, 3.0)) * r * r);
    g_autoptr(scree_sim) sim = start_text(
        "scene = { dimension = 3; dt = 2.0e-6; gravity = (0.0, 0.0, -9.81); };" GLASS RUBS
        "shapes = { seed = { type = \"bead\"; radius = 0.01; %s };" FLOOR "};"
        "bodies = { a = { shape = \"seed\"; position = (0.0, 0.0, 0.01); velocity = (0.2, 0.0, "
        "0.0); "
        "}; floor = { shape = \"floor\"; }; };",
        core);
    double mean = 0.0;
    run(sim, 30000);
    for (int k = 0; k < 100; k++) { // over the swings of the spring
        run(sim, 50);
        mean += sim->world->v[0][0] / 100.0;
    }
    claim(fabs(mean * (1.0 + q) / 0.2 - 1.0) < 2e-3, "it-rolls-by-its-own-moment # %g of %g m/s",
          mean, 0.2 / (1.0 + q));
}

static void refused(const char *shape, const char *expected)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strdup_printf(
        "scene = { dimension = 3; dt = 1.0e-5; };" GLASS RUBS "shapes = { seed = { %s }; };"
        "bodies = { a = { shape = \"seed\"; position = (0.0, 0.0, 1.0); }; };",
        shape);
    g_autoptr(scree_sim) sim = try_text(text, &error);
    claim(!sim && strstr(error->message, expected), "refused: %s",
          error ? error->message : "accepted");
}

int main(void)
{
    measure();
    alike();
    roll("", 0.0, 1.0);
    roll("core = 0.005; factor = 20.0;", 0.005, 20.0);
    refused("type = \"bead\"; radius = 0.01; core = 0.02;", "core: expected at most the radius");
    return tap_end();
}
