/* SPDX-License-Identifier: Apache-2.0 */
/* The memory budget, counted from the arrays of a run: bytes per sphere of a settled packing. */
#include <string.h>

#include "../test.h"
#include "config/config.h"
#include "config/config_set.h"
#include "engine/sim.h"
#include "engine/step.h"
#include "packing.h"
#include "plugin/registry.h"
#include "scene/scene.h"
#include "tools/look/memory_use.h"

enum { CELLS = 30, MOST = 650 /* bytes per sphere */, STEPS = 4 };

static scree_sim *start(const char *set, uint32_t m)
{
    g_autoptr(GError) error = NULL;
    static scree_registry *registry;
    if (!registry)
        registry = scree_registry_new((const char *const[]){NULL}, NULL);
    g_autofree char *text = packing_scene(m, "", "");
    scree_config *config = scree_config_parse(text, "packing.cfg", ".");
    if (set)
        g_assert_true(scree_config_set(config, set, NULL));
    scree_scene *scene = scree_scene_new(config, "packing", registry, &error);
    g_assert_no_error(error);
    packing_add(scene, m);
    scree_sim *sim = scree_sim_new(scene, &(scree_sim_options){0}, &error);
    g_assert_no_error(error);
    for (int n = 0; n < STEPS; n++) {
        sim->contacts.stale = n == STEPS / 2;
        g_assert_true(scree_sim_step(sim, &error));
    }
    return sim;
}

/** Prints the table; returns its sum [bytes per sphere]. */
static double tell(const scree_sim *sim)
{
    scree_memory_line lines[SCREE_MEMORY_LINES];
    double n = sim->world->n_free, sum = 0.0;
    scree_memory_count(sim, lines);
    g_test_message("%u spheres, %.2f list pairs and %.2f contacts each", sim->world->n_free,
                   sim->contacts.n_candidates / n, sim->counters.contacts / n);
    for (int k = 0; k < SCREE_MEMORY_LINES; k++) {
        g_test_message("%6.1f  %s", lines[k].bytes / n, lines[k].what);
        sum += lines[k].bytes / n;
    }
    g_test_message("%6.1f  bytes per sphere", sum);
    return sum;
}

TEST("/memory/a-settled-packing-keeps-its-budget")
{
    g_autoptr(scree_sim) sim = start(NULL, CELLS);
    double sum = tell(sim);
    g_assert_cmpfloat(sum, <=, MOST);
    g_assert_cmpfloat(sum, >=, 500.0); // it has counted something
    // As a settled bed has them, less at the surface.
    g_assert_cmpfloat((double)sim->contacts.n_candidates / sim->world->n_free, >=, 3.8);
    g_assert_cmpfloat((double)sim->counters.contacts / sim->world->n_free, >=, 2.5);
}

/* The count also sees memory outside that budget. */
TEST("/memory/what-else-is-kept-is-counted")
{
    scree_memory_line plain[SCREE_MEMORY_LINES], moved[SCREE_MEMORY_LINES];
    scree_sim *sim = start(NULL, CELLS / 3);
    scree_memory_count(sim, plain);
    scree_sim_free(sim);
    sim = start("extent={eps_v=0.0; eps_e=0.0; eps_c=5.0e-5; renew=\"moved\";}", CELLS / 3);
    scree_memory_count(sim, moved);
    double n = sim->world->n_free;
    g_assert_cmpstr(plain[3].what, ==, "extents");
    g_assert_cmpfloat((double)(moved[3].bytes - plain[3].bytes), >=, 109.0 * n); // the boxes stay
    g_assert_cmpuint(moved[0].bytes, ==, plain[0].bytes);
    scree_sim_free(sim);
}
