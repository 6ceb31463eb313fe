// SPDX-License-Identifier: Apache-2.0
// Critical steps against their formulas by hand.
#include "critical.h"
#include "scene_fixture.h"

#define SCENE                                                                                      \
    "materials = { soft = { density = 1000.0; young_modulus = 1e6; poisson_ratio = 0.25; };"       \
    " hard = { density = 8000.0; }; };"                                                            \
    "shapes = { p = { type = \"plane\"; normal = (0, 0, 1); }; };"                                 \
    "bodies = { big = { material = \"soft\"; radius = 0.5; position = (0,0,1); };"                 \
    " small = { material = \"soft\"; radius = 0.1; position = (3,0,1); };"                         \
    " floor = { shape = \"p\"; material = \"hard\"; }; };"

/** Both steps with the laws of the scene. */
static scree_critical find(const scree_scene *s)
{
    g_autoptr(GError) error = NULL;
    const int cancelled = 0;
    scree_runtime runtime = {.pool = scree_pool_new(1),
                             .dimension = s->dimension,
                             .n_materials = s->materials.n,
                             .cancelled = &cancelled};
    GPtrArray *laws = g_ptr_array_new_with_free_func((GDestroyNotify)scree_instance_free);
    for (uint32_t i = 0; i < s->forces->len; i++) {
        g_ptr_array_add(laws, scree_instance_new(&runtime, s->forces->pdata[i], "force", &error));
        g_assert_no_error(error);
    }
    scree_critical c;
    g_assert_true(
        scree_critical_find(s, laws->len, (scree_instance *const *)laws->pdata, &c, &error));
    g_assert_no_error(error);
    g_ptr_array_free(laws, TRUE);
    scree_pool_free(runtime.pool);
    return c;
}

static void test_rayleigh(void)
{
    g_autoptr(scree_scene) s = fixture_scene(SCENE);
    scree_critical c = find(s);
    // G = 1e6 / 2.5; pi 0.1 sqrt(1000 / 4e5) / (0.1631 / 4 + 0.8766)
    assert_near(c.rayleigh.step, G_PI * 0.1 * 0.05 / 0.917375, 1e-12);
    g_assert_cmpuint(c.rayleigh.id, ==, 2);
    g_assert_cmpfloat(c.rayleigh.radius, ==, 0.1);
    g_assert_true(c.no_stiffness);
    g_assert_cmpfloat(scree_critical_dt(s, &c, NULL), ==, 0.1 * c.rayleigh.step);
}

static void test_spring(void)
{
    g_autoptr(scree_scene) s =
        fixture_scene(SCENE "material_pairs = ( { between = [\"soft\", \"hard\"]; kn = 9000.0; } );"
                            "force = ( { plugin = \"spring\"; kn = 1000.0; kt = 400.0; },"
                            " { plugin = \"spring\"; kn = 1000.0; } );");
    scree_critical c = find(s);
    double m = 4.0 / 3.0 * G_PI;
    // Between two small ones k = 2000 and m/2; at the wall k = 18000 and m: the wall sets it.
    assert_near(c.spring.step, 2.0 * sqrt(m / 18000.0), 1e-12);
    g_assert_true(c.spring.wall);
    g_assert_cmpuint(c.spring.id, ==, 2);
    g_assert_cmpuint(c.spring.partner, ==, 1);
}

static void test_tangential(void)
{
    g_autoptr(scree_scene) s =
        fixture_scene(SCENE "force = ( { plugin = \"spring\"; kn = 1000.0; kt = 1000.0; } );");
    scree_critical c = find(s);
    double m = 4.0 / 3.0 * G_PI;
    assert_near(c.spring.step, 2.0 * sqrt(0.5 * m / 3500.0), 1e-12);
    g_assert_false(c.spring.wall);
}

/** Hertz: the tangents at the overlap of an elastic impact at the speed that the scene foretells.
 */
static void test_hertz(void)
{
    g_autoptr(scree_scene) s = fixture_scene(
        "materials = { soft = { density = 1000.0; young_modulus = 1e6; poisson_ratio = 0.25; };"
        " hard = { density = 8000.0; young_modulus = 5e7; poisson_ratio = 0.3; }; };"
        "shapes = { p = { type = \"plane\"; normal = (0, 0, 1); }; };"
        "bodies = { ball = { material = \"soft\"; radius = 0.1; position = (3, 0, 1); "
        "velocity = (0, 0, -0.5); }; floor = { shape = \"p\"; material = \"hard\"; }; };"
        "force = ( { plugin = \"hertz_mindlin\"; } );");
    scree_critical c = find(s);
    double m = 4.0 / 3.0 * G_PI, best = HUGE_VAL;
    assert_near(c.rayleigh.step, G_PI * 0.1 * 0.05 / 0.917375, 1e-12);
    for (int wall = 0; wall < 2; wall++) { // against its like and against the floor
        double e = 1.0 / ((1 - 0.0625) / 1e6 + (wall ? (1 - 0.09) / 5e7 : (1 - 0.0625) / 1e6));
        double soft = 2.0 * 1.25 * 1.75 / 1e6, hard = 2.0 * 1.3 * 1.7 / 5e7, v = 2.0 * 0.5;
        double g = 1.0 / (soft + (wall ? hard : soft)), r = wall ? 0.1 : 0.05,
               eff = wall ? m : 0.5 * m;
        double depth = pow(15.0 * eff * v * v / (16.0 * e * sqrt(r)), 0.4), a = sqrt(r * depth);
        best = fmin(best, 2.0 * sqrt(eff / fmax(2.0 * e * a, 3.5 * 8.0 * g * a)));
    }
    assert_near(c.spring.step, best, 1e-12);
    g_assert_cmpfloat(scree_critical_dt(s, &c, NULL), ==, 0.1 * c.spring.step);
}

static void test_unknown(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(scree_scene) s = fixture_scene(MATERIAL BALL);
    scree_critical c = find(s);
    g_assert_cmpuint(c.no_elasticity, ==, 1);
    g_assert_true(isnan(scree_critical_dt(s, &c, &error)));
    g_assert_error(error, SCREE_ERROR, SCREE_EXIT_USAGE);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/critical/rayleigh-of-the-smallest", test_rayleigh);
    g_test_add_func("/critical/spring-of-summed-laws-at-a-wall", test_spring);
    g_test_add_func("/critical/tangential-spring-with-rotation", test_tangential);
    g_test_add_func("/critical/hertz-at-the-speed-to-expect", test_hertz);
    g_test_add_func("/critical/auto-without-a-critical-step-is-refused", test_unknown);
    return g_test_run();
}
