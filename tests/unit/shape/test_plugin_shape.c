// SPDX-License-Identifier: Apache-2.0
// Shapes of plugins in scenes: the frame of a solid, poses in it, views, and lies that are blamed.
#include "../../test.h"
#include "../scene_fixture.h"
#include "base/rotation.h"
#include "plugin/process_state.h"
#include "shape/plugin_shape.h"

#define BRICK "size = (1.0, 2.0, 3.0); at = (1.0, 0.5, -0.2); turn = (0.8, 0.0, 0.36, 0.48); "
#define SCENE(keys, body)                                                                          \
    MATERIAL "shapes = { b = { type = \"brick\"; " keys " }; };\nbodies = { one = { shape = "      \
             "\"b\"; " body " }; };\n"

static const scree_shape *brick_of(const scree_scene *s)
{
    return s->shapes->pdata[s->shapes->len - 1];
}

/** Half the volume of the tetrahedra under the facets: what the mesh encloses, and its centroid. */
static double enclose(const scree_mesh *m, double centroid[3])
{
    double sum = 0.0;
    memset(centroid, 0, 3 * sizeof *centroid);
    for (uint32_t f = 0; f < m->n_facets; f++)
        for (uint32_t t = 1; t < 3; t++) {
            double x[3][3], c[3], six = 0.0;
            for (uint32_t k = 0; k < 3; k++)
                for (uint32_t i = 0; i < 3; i++)
                    x[i][k] = m->vertex[k][m->facet[4 * f + (i ? t + i - 1 : 0)]];
            for (int k = 0; k < 3; k++)
                c[k] =
                    x[1][(k + 1) % 3] * x[2][(k + 2) % 3] - x[1][(k + 2) % 3] * x[2][(k + 1) % 3];
            for (int k = 0; k < 3; k++)
                six += x[0][k] * c[k];
            sum += six / 6.0;
            for (int k = 0; k < 3; k++)
                centroid[k] += six / 24.0 * (x[0][k] + x[1][k] + x[2][k]);
        }
    for (int k = 0; k < 3; k++)
        centroid[k] /= sum;
    return sum;
}

TEST("/plugin-shape/solids-are-moved-to-their-principal-frame")
{
    g_autoptr(scree_scene) s = fixture_scene(SCENE(BRICK, "position = (0.0, 0.0, 0.0);"));
    const scree_shape *b = brick_of(s);
    // A brick of half sides 1, 2, 3: (2^2 + 3^2) / 3 and so on, ascending.
    static const double moments[3] = {5.0 / 3.0, 10.0 / 3.0, 13.0 / 3.0};
    double centroid[3], volume = enclose(b->mesh, centroid);
    g_assert_cmpuint(b->flags, ==, 0);
    assert_near(b->volume, 48.0, 1e-14);
    assert_near(volume, 48.0, 1e-12);
    for (int k = 0; k < 3; k++) {
        assert_near(b->inertia[k], moments[k], 1e-14);
        assert_near(centroid[k], 0.0, 1e-14);
    }
    double half[3];
    scree_shape_sides(b, half);
    assert_near(scree_shape_size(b), 1.0, 1e-12); // half its thinnest side
    assert_near(scree_shape_equal_radius(b), cbrt(36.0 / G_PI), 1e-14);
    for (int k = 0; k < 3; k++)
        assert_near(half[k], 3.0 - k, 1e-12);
    // In the principal frame its sides are along the axes, the longest along x.
    for (uint32_t i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            assert_near(fabs(b->mesh->vertex[k][i]), 3.0 - k, 1e-14);
}

/** Where a vertex of the mesh is in the world, of the scene's only body. */
static void world_of(const scree_scene *s, uint32_t vertex, double out[3])
{
    const scree_body *body = fixture_body(s, 0);
    const scree_mesh *m = brick_of(s)->mesh;
    for (int k = 0; k < 3; k++)
        out[k] = body->scale * m->vertex[k][vertex];
    scree_rotate(body->q, out, out);
    for (int k = 0; k < 3; k++)
        out[k] += body->x[k];
}

TEST("/plugin-shape/poses-are-given-in-the-users-frame")
{
    // The user's frame: corners of the brick at `at` turned by `turn`, then the body's own pose.
    g_autoptr(scree_scene) s = fixture_scene(SCENE(
        BRICK, "position = (10.0, 20.0, 30.0); scale = 2.0; orientation = (0.5, 0.5, 0.5, 0.5);"));
    static const double turn[4] = {0.8, 0.0, 0.36, 0.48}, q[4] = {0.5, 0.5, 0.5, 0.5};
    for (uint32_t i = 0; i < 8; i++) {
        double x[3] = {i & 1 ? 1.0 : -1.0, i & 2 ? 2.0 : -2.0, i & 4 ? 3.0 : -3.0}, found[3];
        static const double at[3] = {1.0, 0.5, -0.2}, place[3] = {10.0, 20.0, 30.0};
        scree_rotate(turn, x, x);
        for (int k = 0; k < 3; k++)
            x[k] = 2.0 * (x[k] + at[k]);
        scree_rotate(q, x, x);
        world_of(s, i, found);
        for (int k = 0; k < 3; k++)
            assert_near(found[k], x[k] + place[k], 1e-13);
    }
}

TEST("/plugin-shape/upright-ones-keep-their-axes")
{
    // A brick that is not turned keeps its axes, whatever their moments.
    g_autoptr(scree_scene) s = fixture_scene(SCENE(
        "size = (1.0, 2.0, 3.0); turn = (1.0, 0.0, 0.0, 0.0); ", "position = (1.0, 2.0, 3.0);"));
    const scree_shape *b = brick_of(s);
    g_assert_cmpfloat(b->mesh->vertex[0][7], ==, 1.0);
    g_assert_cmpfloat(b->mesh->vertex[2][7], ==, 3.0);
    g_assert_cmpfloat(fixture_body(s, 0)->q[0], ==, 1.0);
    g_assert_cmpfloat(fixture_body(s, 0)->x[2], ==, 3.0);
    // Views are one per name and tolerance, and there is none of another name.
    g_assert_true(b->view(b, SCREE_VIEW_MESH, 0.0) == b->mesh);
    g_assert_true(b->view(b, SCREE_VIEW_MESH, 0.1) == b->view(b, SCREE_VIEW_MESH, 0.1));
    g_assert_null(b->view(b, SCREE_VIEW_SUPPORT, 0.0));
    g_assert_cmpuint(scree_shape_bytes(b), >, 500);
}

TEST("/plugin-shape/false-answers-are-blamed-by-name")
{
    static const char *const lies[][2] = {
        {"volume", "misbehaved in measure: content: expected > 0, got -48 m^3"},
        {"parts", "misbehaved in measure: n_parts: expected 1 to 536870912, got 0"},
        {"nan", "misbehaved in measure: centroid: expected a finite number, got nan"},
        {"view", "misbehaved in view: scree.mesh/1: facet 1 names vertex 7 of 7"},
        {"support", "misbehaved in view: scree.support/1: the function farthest is missing"},
        {"folder", "misbehaved in boxes: it changed the current folder"}};
    scree_process_own(); // otherwise the folder is not looked at
    for (size_t i = 0; i < G_N_ELEMENTS(lies); i++) {
        g_autofree char *text =
            g_strdup_printf(SCENE(BRICK "lie = \"%s\";", "position = (0, 0, 0);"), lies[i][0]);
        g_autofree char *expected = g_strdup_printf("shape/brick (shapes.b) %s", lies[i][1]);
        g_autoptr(GError) error = NULL;
        g_assert_null(fixture_load(text, &error));
        g_assert_error(error, SCREE_ERROR, SCREE_EXIT_PLUGIN);
        g_assert_cmpstr(strstr(error->message, expected) ? expected : error->message, ==, expected);
    }
}

TEST("/plugin-shape/a-radius-that-is-not-positive-is-blamed-after-a-resolver-has-failed")
{
    static const double radii[] = {0.0, -1.0, (double)NAN, HUGE_VAL};
    g_autoptr(scree_scene) s = fixture_scene(SCENE(BRICK, "position = (0.0, 0.0, 0.0);"));
    scree_shape *b = (scree_shape *)brick_of(s);
    g_assert_true(scree_shape_check_answers(b, NULL));
    for (size_t i = 0; i < G_N_ELEMENTS(radii); i++) {
        g_autoptr(GError) error = NULL;
        b->radius = radii[i];
        g_assert_false(scree_shape_check_answers(b, &error));
        g_assert_nonnull(strstr(error->message, "misbehaved in measure: radius: expected > 0"));
    }
    b->flags |= SCREE_CAP_INFINITE;
    b->radius = 0.0;
    g_assert_true(scree_shape_check_answers(b, NULL));
}

/** Facets are parts: a resolver asks for them by number. */
TEST("/plugin-shape/parts-of-walls-are-their-facets")
{
    static const char *const lies[][2] = {
        {"more", "expected the 7 facets that measure() counts as parts, got 6"},
        {"no_mesh", "expected the 6 facets that measure() counts as parts, got 0"}};
    for (size_t i = 0; i < G_N_ELEMENTS(lies); i++) {
        g_autofree char *text = g_strdup_printf(
            MATERIAL "shapes = { w = { type = \"walls\"; lie = \"%s\"; }; };\n", lies[i][0]);
        g_autoptr(GError) error = NULL;
        g_assert_null(fixture_load(text, &error));
        g_assert_error(error, SCREE_ERROR, SCREE_EXIT_PLUGIN);
        g_assert_nonnull(strstr(error->message, "shape/walls (shapes.w) misbehaved in view: "));
        g_assert_cmpstr(strstr(error->message, lies[i][1]) ? lies[i][1] : error->message, ==,
                        lies[i][1]);
    }
    g_autoptr(scree_scene) s =
        fixture_scene(MATERIAL "shapes = { w = { type = \"walls\"; }; };\n" BALL);
    g_assert_cmpuint(brick_of(s)->mesh->n_facets, ==, 6);
}

TEST("/plugin-shape/wrong-words-are-refused")
{
    fixture_refuse(SCENE(BRICK "lie = \"mute\";", ""),
                   "s.cfg:2: shapes.b: shape/brick (shapes.b) failed in create: no reason given");
    fixture_refuse(SCENE("size = (1.0, 2.0);", ""), "shapes.b.size: expected a list of 3");
    fixture_refuse(SCENE("seize = (1.0, 2.0, 3.0);", ""), "did you mean \"size\"?");
    fixture_refuse(MATERIAL "shapes = { b = { type = \"birck\"; }; };\n",
                   "no plugin shape/birck; did you mean \"brick\"?; installed: ");
    fixture_refuse("scene = { dimension = 2; };\n" SCENE(BRICK, "position = (0, 0);"),
                   "shape/brick does not serve 2D");
}
