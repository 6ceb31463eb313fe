// SPDX-License-Identifier: Apache-2.0
// Critical steps against their formulas by hand.
#include "../../test.h"
#include "../scene_fixture.h"
#include "base/random.h"
#include "critical/critical.h"
#include "critical/stiffness.h"
#include "plugin/instance.h"
#include "scene/scene.h"

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

TEST("/critical/rayleigh-of-the-smallest")
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

TEST("/critical/spring-of-summed-laws-at-a-wall")
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

TEST("/critical/tangential-spring-with-rotation")
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
TEST("/critical/hertz-at-the-speed-to-expect")
{
    g_autoptr(scree_scene) s = fixture_scene(
        "materials = { soft = { density = 1000.0; young_modulus = 1e6; poisson_ratio = 0.25; };"
        " hard = { density = 8000.0; young_modulus = 5e7; poisson_ratio = 0.3; }; };"
        "shapes = { p = { type = \"plane\"; normal = (0, 0, 1); }; };"
        "bodies = { ball = { material = \"soft\"; radius = 0.1; position = (3, 0, 1); "
        "velocity = (0, 0, -0.5); }; floor = { shape = \"p\"; material = \"hard\"; }; };"
        "force = ( { plugin = \"hertz_mindlin\"; } );");
    scree_critical c = find(s);
    double m = 4.0 / 3.0 * G_PI, e = 1.0 / ((1 - 0.0625) / 1e6 + (1 - 0.09) / 5e7);
    double g = 1.0 / (2.0 * 1.25 * 1.75 / 1e6 + 2.0 * 1.3 * 1.7 / 5e7), v = 2.0 * 0.5;
    double depth = pow(15.0 * m * v * v / (16.0 * e * sqrt(0.1)), 0.4), a = sqrt(0.1 * depth);
    double best = 2.0 * sqrt(m / fmax(2.0 * e * a, 3.5 * 8.0 * g * a));
    assert_near(c.rayleigh.step, G_PI * 0.1 * 0.05 / 0.917375, 1e-12);
    assert_near(c.spring.step, best, 1e-12);
    assert_near(c.packing.step, c.spring.step, 1e-12); // nothing else is there but the floor
    g_assert_cmpfloat(scree_critical_dt(s, &c, NULL), ==, 0.3 * scree_critical_smallest(&c));
}

/** Where nothing moves or falls, a packing is asked about at 1 % of a radius, one contact at no depth. */
TEST("/critical/at-rest-a-packing-is-pressed")
{
    g_autoptr(scree_scene) s = fixture_scene(
        "materials = { soft = { density = 1000.0; young_modulus = 1e6; poisson_ratio = 0.25; }; };"
        "bodies = { a = { radius = 0.1; position = (0, 0, 0); }; b = { radius = 0.1; position = "
        "(0.2, 0, "
        "0); }; };"
        "force = ( { plugin = \"hertz_mindlin\"; damping = \"none\"; } );");
    scree_critical c = find(s);
    const double m = 4.0 / 3.0 * G_PI, a = sqrt(0.05 * 0.001), e = 0.5e6 / (1 - 0.0625);
    const double g = 1e6 / (4.0 * 1.25 * 1.75);
    assert_near(c.packing.step, 2.0 * sqrt(0.5 * m / fmax(2.0 * e * a, 3.5 * 8.0 * g * a)), 1e-9);
    g_assert_true(isinf(c.spring.step));
    assert_near(scree_critical_certain(&c), c.rayleigh.step, 1e-12);
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

/** Step of the bound in seconds for omega^2. */
static double step_of(double rate)
{
    return 2.0 / sqrt(rate);
}

/** Twelve neighbours, six in a plane, wherever they are: omega^2 = (10/3) Z kt/m of rolling; 4 (kn +
 * 2 kt)/m of all bodies against their neighbours where kt is small; of discs 2 Z kt r^2/I = 24 kt/m. */
TEST("/critical/a-crowd-counts-twelve-neighbours-wherever-they-are")
{
    const double apart[] = {1.0, 1.5};
    for (size_t k = 0; k < G_N_ELEMENTS(apart); k++) {
        g_autoptr(scree_scene) cubic = lattice(3, 3, apart[k], 1.0);
        g_autoptr(scree_scene) soft = lattice(3, 3, apart[k], 0.1);
        g_autoptr(scree_scene) flat = lattice(2, 3, apart[k], 1.0);
        scree_critical c = find(cubic);
        assert_near(c.packing.step, step_of(40.0), 1e-12);
        g_assert_cmpuint(c.packing.contacts, ==, 12);
        assert_near(scree_critical_smallest(&c), step_of(40.0), 1e-12);
        assert_near(find(soft).packing.step, step_of(8.0 * 1.2), 1e-12);
        assert_near(find(flat).packing.step, step_of(24.0), 1e-12);
        g_assert_cmpuint(find(flat).packing.contacts, ==, 6);
    }
}

#define BALLS_OF(bodies)                                                                           \
    "materials = { m = { density = 1909.8593171027440; }; };" /* 1 kg of radius 0.05 m */          \
    "shapes = { p = { type = \"plane\"; normal = (0, 0, 1); }; };"                                 \
    "force = ( { plugin = \"spring\"; kn = 1.0; kt = 1.0; } ); bodies = {" bodies " };"
#define BALL_AT(name, r, x) name " = { radius = " r "; position = (" x ", 0, 0.5); };"
#define FLOOR "floor = { shape = \"p\"; };"

/** Fewer than a crowd: one other, omega^2 = 2 kt (1 + 5/2)/m; a wall does not swing, half of that; both. */
TEST("/critical/a-wall-does-not-swing")
{
    g_autoptr(scree_scene) two =
        fixture_scene(BALLS_OF(BALL_AT("a", "0.05", "0") BALL_AT("b", "0.05", "0.3")));
    g_autoptr(scree_scene) alone = fixture_scene(BALLS_OF(BALL_AT("a", "0.05", "0") FLOOR));
    g_autoptr(scree_scene) both =
        fixture_scene(BALLS_OF(BALL_AT("a", "0.05", "0") BALL_AT("b", "0.05", "0.3") FLOOR));
    assert_near(find(two).packing.step, step_of(7.0), 1e-12);
    scree_critical c = find(alone);
    assert_near(scree_critical_smallest(&c), step_of(3.5), 1e-12);
    g_assert_cmpuint(c.packing.contacts, ==, 1);
    g_assert_true(c.packing.wall);
    c = find(both);
    assert_near(c.packing.step, step_of(10.5), 1e-12);
    g_assert_cmpuint(c.packing.contacts, ==, 2);
}

/** On a ball of three radii there is room for 56 balls: spheres at 28.96 deg, Fejes Toth's bound; its
 * mass is 27 times theirs. The small ones set the step. */
TEST("/critical/the-smallest-body-sets-the-step")
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (int k = 0; k < 60; k++)
        g_string_append_printf(text, "b%d = { radius = 0.05; position = (%d, 0, 0); };", k, k);
    g_autofree char *small = g_strdup_printf(BALLS_OF("%s"), text->str);
    g_string_append(text, "big = { radius = 0.15; position = (0, 9, 0); };");
    g_autofree char *mixed = g_strdup_printf(BALLS_OF("%s"), text->str);
    g_string_append(text, "heavy = { radius = 0.02; position = (0, 8, 0); };");
    g_autofree char *smaller = g_strdup_printf(BALLS_OF("%s"), text->str);
    g_autoptr(scree_scene) a = fixture_scene(small), b = fixture_scene(mixed);
    g_autoptr(scree_scene) c = fixture_scene(smaller);
    assert_near(find(a).packing.step, step_of(40.0), 1e-12);
    assert_near(find(b).packing.step, step_of(40.0), 1e-12);
    scree_critical of_c = find(c);
    assert_near(of_c.packing.step, step_of(40.0 / (0.4 * 0.4 * 0.4)), 1e-9);
    g_assert_cmpfloat(of_c.packing.size, ==, 0.02);
}

#define CUBES(more) CUBES_OF("1.0", more)
#define CUBES_OF(kt, more)                                                                         \
    "materials = { m = { density = 0.125; }; };"                                                   \
    "shapes = { c = { type = \"brick\"; size = (1.0, 1.0, 1.0); at = (0.0, 0.0, 0.0); };"          \
    " p = { type = \"plane\"; normal = (0, 0, 1); }; };"                                           \
    "force = ( { plugin = \"spring\"; kn = 1.0; kt = " kt "; } );"                                 \
    "bodies = { a = { shape = \"c\"; position = (0, 0, 9); };" more " };"
#define FOUR                                                                                       \
    "b = { shape = \"c\"; position = (0, 0, 20); }; c = { shape = \"c\"; position = (0, 20, 20); " \
    "};"                                                                                           \
    "d = { shape = \"c\"; position = (0, 40, 20); };"

/** A cube of 1 kg, half its side 1 m, I = 2/3 kg m^2. Four corners on a plane, each k (1 + 3/I): its
 * fastest motion, 8 + sqrt(40), is slower. Among others twelve contacts at its corners: it turns at 24
 * * 2/I; of softer tangential springs the mean with the normal one. */
TEST("/critical/a-solid-counts-as-the-corners-of-its-box")
{
    g_autoptr(scree_scene) lies = fixture_scene(CUBES(FLOOR));
    g_autoptr(scree_scene) many = fixture_scene(CUBES(FOUR));
    g_autoptr(scree_scene) softer = fixture_scene(CUBES_OF("0.5", FOUR));
    scree_critical c = find(lies);
    assert_near(c.packing.step, step_of(4.0 * 5.5), 1e-9);
    g_assert_cmpfloat(c.packing.step, <, step_of(8.0 + sqrt(40.0)));
    g_assert_cmpuint(c.packing.contacts, ==, 4);
    g_assert_cmpuint(c.packing.flags, ==, 0);
    assert_near(c.packing.size, 1.0, 1e-9);
    assert_near(c.spring.step, 2.0, 1e-12); // head-on
    c = find(many);
    assert_near(c.packing.step, step_of(72.0), 1e-9);
    g_assert_cmpuint(c.packing.contacts, ==, 12);
    assert_near(find(softer).packing.step, step_of(0.75 * 72.0), 1e-9);
}

/** Thirty bodies of a shape, far apart, of density 1 and springs of 1 and `kt` N/m. */
static scree_scene *thirty(const char *shapes, const char *body, double kt)
{
    g_autoptr(GString) text = g_string_new("materials = { m = { density = 1.0; }; };");
    g_string_append_printf(text,
                           "shapes = { p = { type = \"plane\"; normal = (0, 0, 1); }; %s };"
                           "force = ( { plugin = \"spring\"; kn = 1.0; kt = %g; } ); bodies = { ",
                           shapes, kt);
    for (int i = 0; i < 30; i++)
        g_string_append_printf(text, "b%d = { %s position = (0, 0, %d); };", i, body, 10 * i);
    g_string_append(text, "};");
    return fixture_scene(text->str);
}

/** A superquadric that is a ball, by the support function, has the critical step of a ball, by formulas. */
TEST("/critical/a-smooth-solid-that-is-a-ball-has-its-step")
{
    static const double kts[] = {0.0, 2.0 / 7.0, 1.0};
    for (size_t i = 0; i < G_N_ELEMENTS(kts); i++) {
        g_autoptr(scree_scene) ball = thirty("", "radius = 0.5;", kts[i]);
        g_autoptr(scree_scene) solid = thirty(
            "e = { type = \"superquadric\"; axes = (0.5, 0.5, 0.5); };", "shape = \"e\";", kts[i]);
        const scree_critical a = find(ball), b = find(solid);
        g_assert_cmpuint(b.packing.contacts, ==, 12);
        assert_near(b.packing.step / a.packing.step, 1.0, 0.01);
    }
}

/** [1/s^2] The fastest motion of an ellipsoid of half axes h and density 1 that one contact holds on average, by
 * random places: evenly over its area, or over all directions of the normal. By symmetry the matrix is diagonal. */
static double held_on_average(const double h[3], double kt, bool by_area)
{
    const double m = 4.0 / 3.0 * G_PI * h[0] * h[1] * h[2];
    double hold[6] = {0.0}, all = 0.0, most = 0.0;
    for (int i = 0; i < 200000; i++) {
        const double z = 2.0 * g_test_rand_double() - 1.0, turn = 2.0 * G_PI * g_test_rand_double();
        const double u[3] = {sqrt(1.0 - z * z) * cos(turn), sqrt(1.0 - z * z) * sin(turn), z};
        double n[3], x[3], length = 0.0;
        for (int k = 0; k < 3; k++) // u: the place on a sphere that is stretched, or the normal
            length += by_area ? u[k] * u[k] / (h[k] * h[k]) : u[k] * u[k] * h[k] * h[k];
        length = sqrt(length); // of the first, the area that the place becomes
        for (int k = 0; k < 3; k++) {
            x[k] = by_area ? h[k] * u[k] : h[k] * h[k] * u[k] / length;
            n[k] = by_area ? u[k] / h[k] / length : u[k];
        }
        const double weight = by_area ? length : 1.0;
        for (int k = 0; k < 3; k++) {
            const int p = (k + 1) % 3, q = (k + 2) % 3;
            const double along = x[p] * n[q] - x[q] * n[p], arm2 = x[p] * x[p] + x[q] * x[q];
            hold[k] += weight * (kt + (1.0 - kt) * n[k] * n[k]) / m;
            hold[3 + k] += weight * (kt * arm2 + (1.0 - kt) * along * along) /
                           (0.2 * m * (h[p] * h[p] + h[q] * h[q]));
        }
        all += weight;
    }
    for (int k = 0; k < 6; k++)
        most = fmax(most, hold[k] / all);
    return most;
}

/** Twelve contacts, each counted twice, by area or by direction, whichever is faster. */
TEST("/critical/an-ellipsoid-is-held-all-over-its-surface")
{
    static const double h[3] = {1.5, 1.0, 0.75}, kts[] = {0.0, 2.0 / 7.0, 1.0};
    for (size_t i = 0; i < G_N_ELEMENTS(kts); i++) {
        g_autoptr(scree_scene) s = thirty(
            "e = { type = \"superquadric\"; axes = (1.5, 1.0, 0.75); };", "shape = \"e\";", kts[i]);
        const double most =
            fmax(held_on_average(h, kts[i], true), held_on_average(h, kts[i], false));
        const scree_critical c = find(s);
        g_assert_cmpuint(c.packing.contacts, ==, 12);
        assert_near(c.packing.step / step_of(24.0 * most), 1.0, 0.01);
    }
}

/** The root of the sum of the squares is between the largest of six eigenvalues and 6^(1/2) times it. */
TEST("/critical/a-bound-of-a-body-is-at-most-a-little-above-its-rate")
{
    static const double inertia[3] = {0.3, 0.4, 0.6};
    for (uint64_t i = 0, draws = 0; i < 200; i++) {
        scree_body_stiffness m = {.n = 0};
        for (uint64_t c = 0; c <= i % 7; c++) {
            double n[3], arm[3], length = 0.0;
            for (int k = 0; k < 3; k++) {
                n[k] = 2.0 * scree_random_unit(1, 2, 3, ++draws) - 1.0;
                length += n[k] * n[k];
            }
            for (int k = 0; k < 3; k++) {
                n[k] /= sqrt(length);
                arm[k] = n[k] + 0.1 * scree_random_unit(1, 2, 3, ++draws);
            }
            const scree_stiffness k = {.size = sizeof k, .kn = 2.0, .kt = 0.5};
            scree_body_stiffness_add(&m, 1.0 + (double)c, n, arm, &k);
        }
        const double rate = scree_body_stiffness_rate(m.k, 3, 1.5, inertia, true);
        const double bound = scree_body_stiffness_rate(m.k, 3, 1.5, inertia, false);
        g_assert_cmpfloat(rate, >, 1.0);
        g_assert_cmpfloat(bound, >=, rate);
        g_assert_cmpfloat(bound, <=, sqrt(6.001) * rate);
    }
}

TEST("/critical/auto-without-a-critical-step-is-refused")
{
    g_autoptr(GError) error = NULL;
    g_autoptr(scree_scene) s = fixture_scene(MATERIAL BALL);
    scree_critical c = find(s);
    g_assert_cmpuint(c.no_elasticity, ==, 1);
    g_assert_true(isnan(scree_critical_dt(s, &c, &error)));
    g_assert_error(error, SCREE_ERROR, SCREE_EXIT_USAGE);
}
