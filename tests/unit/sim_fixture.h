/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of scenes from strings, with plugins of the build or of the test program itself. */
#ifndef TESTS_UNIT_SIM_FIXTURE_H
#define TESTS_UNIT_SIM_FIXTURE_H

#include "../plugin.h"
#include "engine/evaluate.h"
#include "engine/sim.h"
#include "engine/step.h"
#include "scene_fixture.h"

#define GLASS "materials = { glass = { density = 2500.0; }; };\n"
#define LINEAR                                                                                     \
    "force = ( { plugin = \"linear\"; kn = 1.0e4; restitution = 0.6; friction = 0.4; } );\n"

/** 30 discs of mixed sizes in a trough of segments on a plane; they touch from step 200 or so. */
#define PILE                                                                                       \
    "scene = { dimension = 2; dt = 1.0e-5; gravity = (0.0, -2000.0); thickness = 0.01; };\n" GLASS \
    "shapes = { floor = { type = \"plane\"; normal = (0.0, 1.0); };\n"                             \
    "  trough = { type = \"segments\"; vertices = ((0.0, 0.1), (0.02, 0.0), (0.08, 0.0), (0.1, "   \
    "0.1));\n"                                                                                     \
    "             segments = ((0, 1), (1, 2), (2, 3)); }; };\n"                                    \
    "bodies = { trough = { shape = \"trough\"; position = (0.0, -0.001); };\n"                     \
    "           floor = { shape = \"floor\"; }; };\n"                                              \
    "generate = { discs = { shape = \"disc\"; count = 30;\n"                                       \
    "  distribution = { type = \"uniform\"; min = 0.003; max = 0.007; };\n"                        \
    "  region = { min = (0.022, 0.002); max = (0.078, 0.1); }; }; };\n" LINEAR

/** 60 spheres with random velocities in a periodic cube; some meet within 100 steps. */
#define GAS                                                                                        \
    "scene = { dimension = 3; dt = 2.0e-5; region = { min = (0.0, 0.0, 0.0);\n"                    \
    "  max = (0.05, 0.05, 0.05); }; boundary = \"periodic\"; };\n" GLASS                           \
    "generate = { balls = { shape = \"sphere\"; count = 60; radius = 0.004;\n"                     \
    "  velocity_random = 5.0; }; };\n" LINEAR

/** The scene's choice becomes a plugin without parameters of the test program. */
static inline void fixture_plug(scree_choice_of *choice, const scree_plugin *plugin)
{
    g_assert_cmpuint(plugin->n_params, ==, 0);
    choice->plugin = plugin;
    choice->file = NULL;
}

static inline scree_sim *fixture_begin(scree_scene *scene, const scree_sim_options *options)
{
    g_autoptr(GError) error = NULL;
    scree_sim *sim = scree_sim_new(scene, options, &error);
    g_assert_no_error(error);
    return sim;
}

static inline scree_sim *fixture_sim(const char *text)
{
    return fixture_begin(fixture_scene(text), &(scree_sim_options){0});
}

static inline void fixture_run(scree_sim *sim, int n)
{
    g_autoptr(GError) error = NULL;
    while (n-- > 0) {
        scree_sim_step(sim, &error);
        g_assert_no_error(error);
    }
}

/** Has the forces of the state as it is, without a step. */
static inline void fixture_evaluate(scree_sim *sim)
{
    g_autoptr(GError) error = NULL;
    scree_evaluate(sim, 0.0, 0.0, true, &error);
    g_assert_no_error(error);
}

#endif
