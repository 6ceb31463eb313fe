/* SPDX-License-Identifier: Apache-2.0 */
/* Scenes from strings, with the plugins of the build and those of scene_stub.c. */
#ifndef TESTS_UNIT_SCENE_FIXTURE_H
#define TESTS_UNIT_SCENE_FIXTURE_H

#include <math.h>
#include <string.h>

#include "config/config.h"
#include "near.h"
#include "plugin/registry.h"
#include "scene/scene.h"

/* A frame with one of everything that a scene must have. */
#define MATERIAL "materials = { glass = { density = 1000.0; }; };\n"
#define BALL "bodies = { ball = { radius = 0.5; position = (0.0, 0.0, 0.0); }; };\n"
#define LAW "force = ( { plugin = \"spring\"; kn = 1000.0; } );\n"

static scree_registry *fixture_registry(void)
{
    static scree_registry *registry;
    if (!registry) {
        const char *const paths[] = {g_test_get_dir(G_TEST_BUILT), NULL};
        registry = scree_registry_new(paths, NULL);
    }
    return registry;
}

static inline scree_scene *fixture_load(const char *text, GError **error)
{
    scree_config *config = scree_config_parse(text, "s.cfg", g_test_get_dir(G_TEST_DIST));
    return scree_scene_new(config, "s", fixture_registry(), error);
}

static inline scree_scene *fixture_scene(const char *text)
{
    g_autoptr(GError) error = NULL;
    scree_scene *scene = fixture_load(text, &error);
    g_assert_no_error(error);
    return scene;
}

/** The scene is refused with status 2, and the message has this text. */
static inline void fixture_refuse(const char *text, const char *expected)
{
    g_autoptr(GError) error = NULL;
    scree_scene *scene = fixture_load(text, &error);
    g_assert_null(scene);
    g_assert_error(error, SCREE_ERROR, SCREE_EXIT_USAGE);
    g_assert_cmpstr(strstr(error->message, expected) ? expected : error->message, ==, expected);
}

static inline const scree_body *fixture_body(const scree_scene *scene, uint32_t i)
{
    g_assert_cmpuint(i, <, scene->bodies->len);
    return &g_array_index(scene->bodies, scree_body, i);
}

/** Equal but for the group. Not by the bytes of the struct: it has padding. */
static inline void fixture_same_body(const scree_body *a, const scree_body *b)
{
    g_assert_cmpuint(a->id, ==, b->id);
    g_assert_cmpuint(a->shape, ==, b->shape);
    g_assert_cmpuint(a->material, ==, b->material);
    g_assert_cmpuint(a->motion, ==, b->motion);
    g_assert_cmpuint(a->start, ==, b->start);
    g_assert_cmpmem(&a->scale, sizeof a->scale, &b->scale, sizeof b->scale);
    g_assert_cmpmem(a->x, sizeof a->x, b->x, sizeof b->x);
    g_assert_cmpmem(a->q, sizeof a->q, b->q, sizeof b->q);
    g_assert_cmpmem(a->v, sizeof a->v, b->v, sizeof b->v);
    g_assert_cmpmem(a->w, sizeof a->w, b->w, sizeof b->w);
    g_assert_cmpmem(&a->density, sizeof a->density, &b->density, sizeof b->density);
}

#endif
