/* SPDX-License-Identifier: Apache-2.0 */
/* Locked and frozen bodies keep every bit, with every integrator. */
#include <math.h>
#include <string.h>

#include "harness.h"

enum { VALUES = 13 };

/** Balls that touch, spin and fall; those of `still` are held from step 50 on, those of `rail`
 * locked. */
static scree_sim *start_held(const char *integrator)
{
    return start_text(
        "scene = { dt = 1.0e-5; gravity = (3.0, 0.0, -100.0); region = { min = (0.0, 0.0, 0.0); "
        "max = "
        "(0.05, 0.05, 0.05); }; boundary = (\"periodic\", \"periodic\", \"reflect\"); };"
        "materials = { m = { density = 2500.0; }; };"
        "generate = { still = { count = 30; radius = 0.003; velocity_random = 3.0; spin = (50.0, "
        "70.0, "
        "-20.0); }; rail = { count = 30; radius = 0.003; velocity = (0.0, 0.0, -0.5); }; };"
        "force = ( { plugin = \"linear\"; kn = 1.0e4; restitution = 0.8; friction = 0.5; } );"
        "integrator = { plugin = \"%s\"; orientation = \"all\"; };"
        "modifiers = { stop = { plugin = \"freeze\"; groups = \"still\"; at_step = 50; };"
        "  rail = { plugin = \"lock\"; groups = \"rail\"; translation = \"xy\"; rotation = "
        "\"xyz\"; }; };",
        integrator);
}

/** x, q, v, w of body i. */
static void take(const scree_world *w, uint32_t i, double out[VALUES])
{
    for (int k = 0; k < 4; k++) {
        out[3 + k] = w->q[k][i];
        if (k < 3) {
            out[k] = w->x[k][i];
            out[7 + k] = w->v[k][i];
            out[10 + k] = w->w[k][i];
        }
    }
}

/** How many of the numbers of `mask` of a group's bodies have other bits than before. */
static unsigned count_changed(const scree_sim *sim, const double *before, uint32_t group,
                              unsigned mask)
{
    unsigned changed = 0;
    for (uint32_t i = 0; i < sim->world->n_free; i++) {
        double now[VALUES];
        take(sim->world, i, now);
        for (int k = 0; k < VALUES && sim->world->group[i] == group; k++)
            changed += (mask >> k & 1u) && memcmp(&now[k], before + VALUES * i + k, sizeof now[k]);
    }
    return changed;
}

static void test_held(const char *integrator)
{
    const unsigned all = 0x1fff, rail = all & ~(1u << 2 | 1u << 9); // but for z and its velocity
    g_autoptr(scree_sim) sim = start_held(integrator);
    run(sim, 55); // gear comes to rest within a few steps
    double *before = g_new(double, (size_t)sim->world->n_free *VALUES);
    for (uint32_t i = 0; i < sim->world->n_free; i++)
        take(sim->world, i, before + VALUES * i);
    run(sim, 400);
    unsigned frozen = count_changed(sim, before, 0, all),
             locked = count_changed(sim, before, 1, rail);
    unsigned moved = count_changed(sim, before, 1, 1u << 2);
    claim(sim->counters.contacts > 0 && moved > 0 && frozen == 0 && locked == 0,
          "%s: what is frozen or locked keeps every bit: %u and %u numbers changed, %u that may",
          integrator, frozen, locked, moved);
    g_free(before);
}

int main(void)
{
    static const char *const integrators[] = {"velocity_verlet", "symplectic_euler", "rkn4",
                                              "forest_ruth", "gear"};
    for (size_t k = 0; k < G_N_ELEMENTS(integrators); k++)
        test_held(integrators[k]);
    return tap_end();
}
