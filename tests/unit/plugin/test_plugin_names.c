/* SPDX-License-Identifier: Apache-2.0 */
/* The service scree.names/1: materials, shapes, groups by name and by index, while a scene is built
 * and in a run. */
#include "../../test.h"
#include "../sim_fixture.h"
#include "engine/sim.h"
#include "plugin/instance.h"
#include "plugin/services.h"
#include "scene/scene.h"

static const scree_modifier_ops ops = {OPS(modifier, plain_create, plain_destroy)};
static const scree_plugin plugin = {PLUGIN(MODIFIER, "subject", "of a test"), .ops = &ops};
static const scree_choice_of choice = {.plugin = &plugin};

#define NAMED                                                                                      \
    "materials = { glass = { density = 2500.0; }; steel = { density = 7800.0; }; };\n"             \
    "shapes = { floor = { type = \"plane\"; normal = (0.0, 0.0, 1.0); };\n"                        \
    "           pebble = { type = \"sphere\"; radius = 0.25; }; };\n"                              \
    "bodies = { ground = { shape = \"floor\"; material = \"steel\"; };\n"                          \
    "  ball = { radius = 0.5; material = \"glass\"; position = (0.0, 0.0, 1.0); }; };\n" LINEAR

static const scree_names *names_of(scree_instance *instance)
{
    return instance->host.get_service(instance, SCREE_SERVICE_NAMES);
}

static void check_names(const scree_names *names)
{
    g_assert_nonnull(names);
    g_assert_cmpuint(names->size, ==, sizeof *names);
    g_assert_cmpuint(names->material(names->ctx, "steel"), ==, 1);
    g_assert_cmpuint(names->material(names->ctx, "brass"), ==, SCREE_NONE);
    g_assert_cmpuint(names->material(names->ctx, NULL), ==, SCREE_NONE);
    g_assert_cmpstr(names->material_name(names->ctx, 0), ==, "glass");
    g_assert_null(names->material_name(names->ctx, 2));
    g_assert_cmpuint(names->group(names->ctx, "ball"), ==, 1);
    g_assert_cmpuint(names->group(names->ctx, "sphere"), ==, SCREE_NONE);
    g_assert_cmpuint(names->group(names->ctx, NULL), ==, SCREE_NONE);
    g_assert_cmpstr(names->group_name(names->ctx, 0), ==, "ground");
    g_assert_null(names->group_name(names->ctx, 2));
    g_assert_cmpuint(names->shape(names->ctx, "disc"), ==, 1);
    g_assert_cmpuint(names->shape(names->ctx, "floor"), ==, 2);
    g_assert_cmpuint(names->shape(names->ctx, "pebble"), ==, 0); // the sphere, with a size
    g_assert_cmpuint(names->shape(names->ctx, "ball"), ==, SCREE_NONE);
    g_assert_cmpuint(names->shape(names->ctx, NULL), ==, SCREE_NONE);
    g_assert_cmpstr(names->shape_name(names->ctx, 0), ==, "sphere");
    g_assert_cmpstr(names->shape_name(names->ctx, 2), ==, "floor");
    g_assert_null(names->shape_name(names->ctx, 3));
    g_assert_cmpfloat(names->shape_scale(names->ctx, "pebble"), ==, 0.25);
    g_assert_cmpfloat(names->shape_scale(names->ctx, "floor"), ==, 1.0);
    g_assert_true(isnan(names->shape_scale(names->ctx, "sphere")));
    g_assert_true(isnan(names->shape_scale(names->ctx, "ball")));
}

TEST("/names/while-a-scene-is-built")
{
    g_autoptr(GError) error = NULL;
    g_autoptr(scree_scene) scene = fixture_scene(NAMED);
    // Shapes are made while the scene is read, and live with it.
    scree_instance *in = scree_instance_new(scene->shape_runtime, &choice, "shapes.x", &error);
    g_assert_no_error(error);
    check_names(names_of(in));
    scree_instance_free(in);
}

TEST("/names/in-a-run")
{
    g_autoptr(GError) error = NULL;
    scree_scene *scene = fixture_scene("scene = { dt = 1.0e-6; };\n" NAMED);
    g_autoptr(scree_sim) sim = fixture_begin(scene, &(scree_sim_options){0});
    scree_instance *in = scree_instance_new(&sim->runtime, &choice, "modifiers.x", &error);
    g_assert_no_error(error);
    check_names(names_of(in));
    scree_instance_free(in);
}

/** A service that is withheld, and a runtime that belongs to no scene. */
TEST("/names/none-where-they-are-withheld-or-there-is-no-scene")
{
    g_autoptr(GError) error = NULL;
    g_autoptr(scree_scene) scene = fixture_scene(NAMED);
    scree_runtime *runtime = scene->shape_runtime, bare = {.pool = runtime->pool, .dimension = 3};
    scree_instance *in = scree_instance_new(runtime, &choice, "modifiers.x", &error);
    g_assert_no_error(error);
    runtime->withheld = SCREE_SERVICE_NAMES;
    g_assert_null(names_of(in));
    runtime->withheld = SCREE_SERVICE_FILES;
    check_names(names_of(in));
    runtime->withheld = NULL;
    scree_instance_free(in);
    in = scree_instance_new(&bare, &choice, "modifiers.x", &error);
    g_assert_no_error(error);
    g_assert_null(names_of(in));
    scree_instance_free(in);
}
