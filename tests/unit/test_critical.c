// SPDX-License-Identifier: Apache-2.0
// Critical steps against their formulas by hand.
#include "scene/critical.h"
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
    g_assert_cmpfloat(c.rayleigh.size, ==, 0.1);
    g_assert_true(c.no_stiffness);
    g_assert_cmpfloat(scree_critical_dt(s, &c, NULL), ==, 0.3 * c.rayleigh.step);
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
    g_assert_cmpfloat(c.packing.step, <, c.spring.step);
    g_assert_cmpfloat(scree_critical_dt(s, &c, NULL), ==, 0.3 * c.packing.step);
}

/** Balls of 1 kg and radius 0.5 on a lattice of n cells, or discs in a row of them; kn = 1 N/m. */
static scree_scene *lattice(uint32_t dimension, uint32_t n, double apart, double kt)
{
    double length = n * apart, density = dimension == 2 ? 4.0 / G_PI : 6.0 / G_PI;
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_printf(text,
                    "scene = { dimension = %u; region = { min = (0.0, 0.0, 0.0); max = (%.17g, "
                    "%.17g, %.17g); }; boundary = \"periodic\"; };"
                    "materials = { m = { density = %.17g; }; };"
                    "force = ( { plugin = \"spring\"; kn = 1.0; kt = %.17g; } ); bodies = {",
                    dimension, length, length, dimension == 2 ? 0.0 : length, density, kt);
    const uint32_t layers = dimension == 2 ? 1 : n;
    for (uint32_t k = 0; k < layers; k++)
        for (uint32_t j = 0; j < n; j++)
            for (uint32_t i = 0; i < n; i++)
                g_string_append_printf(text,
                                       "b%u_%u_%u = { shape = \"%s\"; radius = 0.5; position = "
                                       "(%.17g, %.17g, %.17g); };",
                                       i, j, k, dimension == 2 ? "disc" : "sphere", i * apart,
                                       j * apart, k * apart);
    g_string_append(text, "};");
    return fixture_scene(text->str);
}

/** omega^2 = (10/3) Z kt/m of rolling, Z = 6; of all bodies against their neighbours where kt is
 * small: 4 (kn + 2 kt)/m. Squares of discs: 2 Z kt r^2/I = 16 kt/m. */
static void test_lattices(void)
{
    g_autoptr(scree_scene) cubic = lattice(3, 4, 1.0, 1.0), soft = lattice(3, 4, 1.0, 2.0 / 7.0);
    g_autoptr(scree_scene) square = lattice(2, 4, 1.0, 1.0);
    scree_critical c = find(cubic);
    assert_near(c.packing.step, 2.0 / sqrt(20.0), 1e-9);
    g_assert_cmpuint(c.packing.contacts, ==, 6);
    g_assert_false(c.packing.assumed);
    assert_near(find(soft).packing.step, 2.0 / sqrt(4.0 * (1.0 + 4.0 / 7.0)), 1e-9);
    assert_near(find(square).packing.step, 2.0 / sqrt(16.0), 1e-9);
}

/** Twelve neighbours in fcc, six in a plane; in 2D discs have 2 Z kt r^2/I = 24 kt/m. */
static void test_assumed(void)
{
    g_autoptr(scree_scene) loose = lattice(3, 3, 1.5, 1.0), flat = lattice(2, 3, 1.5, 1.0);
    g_autoptr(scree_scene) pair =
        fixture_scene("materials = { m = { density = 1909.8593171027440; }; };"
                      "bodies = { a = { radius = 0.05; position = (0, 0, 0); };"
                      " b = { radius = 0.05; position = (0.3, 0, 0); }; };"
                      "force = ( { plugin = \"spring\"; kn = 1.0; kt = 1.0; } );");
    scree_critical c = find(loose);
    assert_near(c.packing.step, 2.0 / sqrt(40.0), 1e-9);
    g_assert_cmpuint(c.packing.contacts, ==, 12);
    g_assert_true(c.packing.assumed);
    assert_near(find(flat).packing.step, 2.0 / sqrt(24.0), 1e-9);
    // There is one other body only: omega^2 = 2 kt (1 + 5/2)/m
    assert_near(find(pair).packing.step, 2.0 / sqrt(7.0), 1e-9);
}

/** One contact with a wall that does not move: omega^2 = kt (1 + 5/2)/m, without the factor 2. */
static void test_floor(void)
{
    g_autoptr(scree_scene) s = fixture_scene(
        "materials = { m = { density = 1909.8593171027440; }; };" // 1 kg
        "shapes = { p = { type = \"plane\"; normal = (0, 0, 1); }; };"
        "bodies = { ball = { material = \"m\"; radius = 0.05; position = (0, 0, 0.05); };"
        " floor = { shape = \"p\"; material = \"m\"; }; };"
        "force = ( { plugin = \"spring\"; kn = 1.0; kt = 1.0; } );");
    scree_critical c = find(s);
    assert_near(c.packing.step, 2.0 / sqrt(3.5), 1e-9);
    g_assert_cmpuint(c.packing.contacts, ==, 1);
}

#define CUBES(more, wall) CUBES_OF("1.0", more, wall)
#define CUBES_OF(kt, more, wall)                                                                   \
    "materials = { m = { density = 0.125; }; };"                                                   \
    "shapes = { c = { type = \"brick\"; size = (1.0, 1.0, 1.0); at = (0.0, 0.0, 0.0); };"          \
    " p = { type = \"plane\"; normal = (0, 0, 1); }; };"                                           \
    "force = ( { plugin = \"spring\"; kn = 1.0; kt = " kt "; } );"                                 \
    "bodies = { a = { shape = \"c\"; position = (0, 0, 9); };" more wall " };"

/** A cube of 1 kg, half its side 1 m, I = 2/3 kg m^2. On a face, springs at its corners: swaying and
 * rocking are omega^2 = 8 + sqrt(40) by the quadratic of the two. Among others, twelve times 2 k
 * spread over its corners: it turns at 24 * 2 / I. */
static void test_solids(void)
{
    g_autoptr(scree_scene) lies = fixture_scene(CUBES("", "floor = { shape = \"p\"; };"));
    g_autoptr(scree_scene) many =
        fixture_scene(CUBES("b = { shape = \"c\"; position = (0, 0, 20); };"
                            "c = { shape = \"c\"; position = (0, 20, 20); };"
                            "d = { shape = \"c\"; position = (0, 40, 20); };",
                            ""));
    scree_critical c = find(lies);
    assert_near(c.packing.step, 2.0 / sqrt(8.0 + sqrt(40.0)), 1e-9);
    g_assert_cmpuint(c.packing.contacts, ==, 4);
    g_assert_true(c.packing.assumed);
    g_assert_cmpuint(c.packing.flags, ==, 0);
    assert_near(c.packing.size, 1.0, 1e-9);
    assert_near(c.spring.step, 2.0 / sqrt(2.0), 1e-12); // head-on, against its like
    c = find(many);
    assert_near(c.packing.step, 2.0 / sqrt(72.0), 1e-9);
    g_assert_cmpuint(c.packing.contacts, ==, 12);
    // of softer tangential springs the mean with the normal one
    g_autoptr(scree_scene) softer =
        fixture_scene(CUBES_OF("0.5",
                               "b = { shape = \"c\"; position = (0, 0, 20); };"
                               "c = { shape = \"c\"; position = (0, 20, 20); };"
                               "d = { shape = \"c\"; position = (0, 40, 20); };",
                               ""));
    assert_near(find(softer).packing.step, 2.0 / sqrt(0.75 * 72.0), 1e-9);
}

/** A ball that may touch a solid counts as one of a dense packing: where it does is not known yet. */
static void test_near_a_solid(void)
{
    g_autoptr(scree_scene) s = fixture_scene(
        CUBES("b = { radius = 0.5; position = (0, 0, 10.6); };", "floor = { shape = \"p\"; };"));
    g_autoptr(scree_scene) apart = fixture_scene(
        CUBES("b = { radius = 0.5; position = (0, 0, 90.6); };", "floor = { shape = \"p\"; };"));
    // one other body and a wall, 2 + 1 springs
    assert_near(find(s).packing.step, find(apart).packing.step, 1e-12);
    g_assert_cmpuint(find(s).packing.contacts, ==, 2);
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
    g_test_add_func("/critical/lattices-are-exact", test_lattices);
    g_test_add_func("/critical/without-contacts-a-dense-packing-is-assumed", test_assumed);
    g_test_add_func("/critical/a-wall-does-not-swing", test_floor);
    g_test_add_func("/critical/a-solid-counts-as-the-corners-of-its-box", test_solids);
    g_test_add_func("/critical/a-ball-near-a-solid-is-not-loose", test_near_a_solid);
    g_test_add_func("/critical/auto-without-a-critical-step-is-refused", test_unknown);
    return g_test_run();
}
