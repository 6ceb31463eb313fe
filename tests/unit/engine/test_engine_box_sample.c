// SPDX-License-Identifier: Apache-2.0
// Boxes against the surface while a run is on: those of a brick and of walls that are right until the body turns.
#include "../../test.h"
#include "../solid_fixture.h"
#include "engine/step.h"

#define ALL_RENEW "extent = { eps_v = 0.0; eps_e = 0.0; eps_c = 0.0; };\n"
#define BRICKS(type, lie, bodies)                                                                  \
    "scene = { dt = 1e-3; };\n" ALL_RENEW MATERIAL "shapes = { b = { type = \"" type               \
    "\"; size = (0.01, 0.02, 0.03); turn = (1.0, 0.0, 0.0, 0.0); lie = \"" lie                     \
    "\"; }; };\nbodies = { " bodies " };\n"
#define SPINS "one = { shape = \"b\"; position = (0.0, 0.0, 0.0); spin = (0.0, 0.0, 10.0); };"
#define STANDS "one = { shape = \"b\"; position = (0.0, 0.0, 0.0); motion = \"fixed\"; };"
#define TURNED                                                                                     \
    "one = { shape = \"b\"; position = (0.0, 0.0, 0.0); motion = \"fixed\"; "                      \
    "orientation = (0.5, 0.5, 0.5, 0.5); };"

/** Steps that are done of 200; *error: what ended them. */
static uint32_t run_bricks(const char *text, char **error)
{
    scree_scene *scene = fixture_scene(text);
    g_autoptr(GError) cause = NULL;
    uint32_t steps = 0;
    fixture_plug(scene->resolvers->pdata[0], &see_plugin);
    g_autoptr(scree_sim) sim = scree_sim_new(scene, &(scree_sim_options){0}, &cause);
    if (sim)
        while (steps < 200 && scree_sim_step(sim, &cause))
            steps++;
    *error = g_strdup(cause ? cause->message : "");
    return steps;
}

TEST("/box-sample/boxes-that-become-too-small-in-a-run-are-blamed")
{
    g_autofree char *honest = NULL, *lie = NULL, *centre = NULL;
    g_assert_cmpuint(run_bricks(BRICKS("brick", "honest", SPINS), &honest), ==, 200);
    g_assert_cmpstr(honest, ==, "");
    // Its lie begins at q[0] = cos(5 t) < 0.9: t > 0.0902 s.
    g_assert_cmpuint(run_bricks(BRICKS("brick", "boxes", SPINS), &lie), ==, 90);
    g_test_message("%s", lie);
    g_assert_nonnull(strstr(lie, "shape/brick (shapes.b) misbehaved in boxes at step "));
    g_assert_nonnull(strstr(lie, "m of the surface of body 1 is in no box and ball of a part"));
    g_assert_cmpuint(run_bricks(BRICKS("brick", "centre", SPINS), &centre), ==, 0);
    g_assert_nonnull(strstr(centre, "outside its box"));
}

TEST("/box-sample/so-are-those-of-facets-of-walls")
{
    g_autofree char *honest = NULL, *straight = NULL, *lie = NULL;
    g_assert_cmpuint(run_bricks(BRICKS("walls", "honest", TURNED), &honest), ==, 200);
    g_assert_cmpuint(run_bricks(BRICKS("walls", "boxes", STANDS), &straight), ==, 200);
    g_assert_cmpuint(run_bricks(BRICKS("walls", "boxes", TURNED), &lie), <, 20);
    g_test_message("%s", lie);
    g_assert_nonnull(strstr(lie, "shape/walls (shapes.b) misbehaved in boxes at step "));
    g_assert_nonnull(strstr(lie, "outside along axis 1"));
}
