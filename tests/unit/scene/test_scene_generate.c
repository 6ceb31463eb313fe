// SPDX-License-Identifier: Apache-2.0
// Generated bodies against brute force: no overlap, right counts, right distributions, repeatable.
#include "../../test.h"
#include "../scene_fixture.h"
#include "base/random.h"

#define FRAME(REST) "scene = { region = { min = (0,0,0); max = (1,1,1); }; " REST " };" MATERIAL

/** Smallest gap between any two bodies, images along periodic axes included. */
static double smallest_gap(const scree_scene *s)
{
    double least = HUGE_VAL;
    for (uint32_t i = 0; i < s->bodies->len; i++)
        for (uint32_t j = 0; j < i; j++) {
            const scree_body *a = fixture_body(s, i), *b = fixture_body(s, j);
            double d2 = 0.0;
            for (int k = 0; k < 3; k++) {
                double d = fabs(a->x[k] - b->x[k]), length = s->region_max[k] - s->region_min[k];
                if (s->boundary[k] == SCREE_BOUNDARY_PERIODIC)
                    d = fmin(d, length - d);
                d2 += d * d;
            }
            least = fmin(least, sqrt(d2) - a->scale - b->scale);
        }
    return least;
}

static double solid_fraction(const scree_scene *s)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < s->bodies->len; i++)
        sum += 4.0 / 3.0 * G_PI * pow(fixture_body(s, i)->scale, 3.0);
    return sum;
}

TEST("/generate/philox-has-the-published-answers")
{
    // Known answers of Random123 1.14, philox4x32 with 10 rounds.
    static const uint32_t zero[4] = {0}, ones[4] = {~0u, ~0u, ~0u, ~0u};
    static const uint32_t from_zero[4] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
    static const uint32_t from_ones[4] = {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd};
    uint32_t out[4];
    scree_philox(zero, zero, out);
    g_assert_cmpmem(out, sizeof out, from_zero, sizeof from_zero);
    scree_philox(ones, ones, out);
    g_assert_cmpmem(out, sizeof out, from_ones, sizeof from_ones);
}

TEST("/generate/random-bodies-do-not-overlap")
{
    g_autoptr(scree_scene) s = fixture_scene(FRAME(
        "boundary = [\"periodic\", \"open\", \"open\"];") "generate = { g = { count = 300;"
                                                          " distribution = { type = \"uniform\"; "
                                                          "min = 0.02; max = 0.06; }; }; };");
    double lowest = HUGE_VAL, crossing = 0;
    g_assert_cmpuint(s->bodies->len, ==, 300);
    g_assert_cmpfloat(smallest_gap(s), >=, -1e-12);
    for (uint32_t i = 0; i < s->bodies->len; i++) {
        const scree_body *b = fixture_body(s, i);
        lowest = fmin(lowest, fmin(b->x[1] - b->scale, 1.0 - b->x[1] - b->scale));
        crossing += b->x[0] < b->scale || b->x[0] > 1.0 - b->scale;
    }
    g_assert_cmpfloat(lowest, >=, 0.0);  // whole bodies inside along y
    g_assert_cmpfloat(crossing, >, 0.0); // but not along the periodic x
}

TEST("/generate/walls-and-bodies-keep-their-place")
{
    g_autoptr(scree_scene) s = fixture_scene(FRAME(
        "") "shapes = { p = { type = \"plane\"; normal = (0, 1, 1); };"
            "m = { type = \"mesh\"; vertices = ((0,0,0.5), (1,0,0.5), (0,1,0.5), (1,1,0.5));"
            " facets = ((0,1,2), (1,3,2)); }; };"
            "bodies = { p = { shape = \"p\"; position = (0, 0, 0.4); }; m = { shape = \"m\"; };"
            " ball = { radius = 0.2; motion = \"fixed\"; position = (0.7, 0.7, 0.75); }; };"
            "generate = { g = { count = 80; radius = 0.04; }; };");
    g_assert_cmpuint(s->bodies->len, ==, 83);
    for (uint32_t i = 3; i < 83; i++) {
        const double *x = fixture_body(s, i)->x;
        double ball = sqrt((x[0] - 0.7) * (x[0] - 0.7) + (x[1] - 0.7) * (x[1] - 0.7) +
                           (x[2] - 0.75) * (x[2] - 0.75));
        g_assert_cmpfloat((x[1] + x[2] - 0.4) / sqrt(2.0), >=, 0.04 * (1.0 - 1e-11));
        g_assert_cmpfloat(fabs(x[2] - 0.5), >=, 0.04 * (1.0 - 1e-11));
        g_assert_cmpfloat(ball, >=, 0.24 * (1.0 - 1e-11));
    }
}

TEST("/generate/fraction-is-met")
{
    g_autoptr(scree_scene) s =
        fixture_scene(FRAME("") "generate = { g = { fraction = 0.2; radius = 0.05; }; };");
    // 382 spheres of 5.236e-4: the nearest count
    assert_near(solid_fraction(s), 0.2, 0.5 * 5.24e-4);
    g_assert_cmpfloat(smallest_gap(s), >=, -1e-12);
}

TEST("/generate/order-of-groups-does-not-matter")
{
    static const char *const a = "a = { count = 50; radius = 0.03; region = { min = (0,0,0);"
                                 " max = (1,1,0.4); }; };";
    static const char *const b = "b = { count = 50; radius = 0.03; region = { min = (0,0,0.5);"
                                 " max = (1,1,1); }; velocity_random = 1.0; };";
    g_autofree char *ab = g_strdup_printf(FRAME("") "generate = { %s %s };", a, b);
    g_autofree char *ba = g_strdup_printf(FRAME("") "generate = { %s %s };", b, a);
    g_autofree char *other = g_strdup_printf(FRAME("seed = 2;") "generate = { %s };", a);
    g_autoptr(scree_scene) s = fixture_scene(ab);
    g_autoptr(scree_scene) t = fixture_scene(ba);
    g_autoptr(scree_scene) u = fixture_scene(other);
    for (uint32_t i = 0; i < 50; i++) {
        g_assert_cmpmem(fixture_body(s, i)->x, 24, fixture_body(t, i + 50)->x, 24);
        g_assert_cmpmem(fixture_body(s, i + 50)->v, 24, fixture_body(t, i)->v, 24);
    }
    g_assert_cmpfloat(fixture_body(s, 0)->x[0], !=, fixture_body(u, 0)->x[0]);
}

TEST("/generate/what-does-not-fit-says-how-much-did")
{
    fixture_refuse(FRAME("") "generate = { g = { fraction = 0.7; radius = 0.1; tries = 200; }; };",
                   "are placed, solid fraction 0.");
    fixture_refuse(FRAME("") "generate = { g = { count = 1; radius = 0.6; }; };",
                   "a body of radius 0.6 m does not fit into the region: expected 1.2 m or more "
                   "along x, got 1 m");
    fixture_refuse(
        FRAME("") "generate = { g = { count = 9; radius = 0.25; method = \"lattice\"; }; };",
        "has room for 8 bodies");
    fixture_refuse(FRAME("") "generate = { g = { radius = 0.6; method = \"lattice\"; }; };",
                   "a body of radius 0.6 m does not fit into the region");
    fixture_refuse(FRAME("") "generate = { g = { radius = 0.25; }; };", "count or fraction");
    fixture_refuse(FRAME("") "generate = { g = { count = 1; fraction = 0.1; radius = 0.2; }; };",
                   "expected one of count and fraction");
    fixture_refuse(MATERIAL "generate = { g = { count = 1; radius = 0.2; }; };",
                   "the scene has none");
}

TEST("/generate/lattices-fill-without-overlap")
{
    g_autoptr(scree_scene) s =
        fixture_scene(FRAME("") "generate = { g = { radius = 0.125; method = \"lattice\"; }; };");
    g_assert_cmpuint(s->bodies->len, ==, 64); // touching
    assert_near(smallest_gap(s), 0.0, 1e-12);
    g_autoptr(scree_scene) h = fixture_scene(
        FRAME("") "generate = { g = { radius = 0.04; method = \"lattice\"; lattice = \"hexagonal\";"
                  " spacing = 0.1; jitter = 1.0; }; };");
    g_assert_cmpuint(h->bodies->len, >, 900); // cubic: 1000 sites in 0.92 / 0.1 + 1 = 10 a side
    g_assert_cmpfloat(smallest_gap(h), >=, -1e-12);
    g_autoptr(scree_scene) p =
        fixture_scene(FRAME("boundary = \"periodic\";") "generate = { g = { radius = 0.05; method "
                                                        "= \"lattice\"; }; };");
    g_assert_cmpuint(p->bodies->len, ==, 1000);
    assert_near(smallest_gap(p), 0.0, 1e-12);
}

/** Mean of r^power over the bodies. */
static double moment(const scree_scene *s, double power)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < s->bodies->len; i++)
        sum += pow(fixture_body(s, i)->scale, power);
    return sum / s->bodies->len;
}

static scree_scene *sized(const char *distribution)
{
    g_autofree char *text =
        g_strdup_printf("scene = { region = { min = (0,0,0); max = (1000,1000,1000); }; };" MATERIAL
                        "generate = { g = { count = 4000; distribution = { %s }; }; };",
                        distribution);
    return fixture_scene(text);
}

TEST("/generate/sizes-follow-their-distribution")
{
    // 4000 draws: five standard errors of the mean
    g_autoptr(scree_scene) u = sized("type = \"uniform\"; min = 1; max = 3;");
    assert_near(moment(u, 1), 2.0, 5 * 0.58 / 63.0);
    // By volume, evenly from 1 to 3: number density ~ r^-3, mean (1 - 1/3) / ((1 - 1/9) / 2) = 1.5
    g_autoptr(scree_scene) v = sized("type = \"uniform\"; min = 1; max = 3; by = \"volume\";");
    assert_near(moment(v, 1), 1.5, 5 * 0.47 / 63.0);
    g_autoptr(scree_scene) n = sized("type = \"normal\"; mean = 2; deviation = 0.2;");
    assert_near(moment(n, 1), 2.0, 5 * 0.2 / 63.0);
    assert_near(moment(n, 2) - pow(moment(n, 1), 2), 0.04, 0.006);
    g_autoptr(scree_scene) l = sized("type = \"lognormal\"; median = 2; sigma = 0.3;");
    double below = 0;
    for (uint32_t i = 0; i < l->bodies->len; i++)
        below += fixture_body(l, i)->scale < 2.0;
    assert_near(below, 2000.0, 5 * 32.0);
    // Equal mass in sizes 1 and 2: eight small for one large
    g_autoptr(scree_scene) d =
        sized("type = \"discrete\"; values = [1, 2]; weights = [1, 1]; by = \"mass\";");
    assert_near(moment(d, 1), 1.0 + 1.0 / 9.0, 5 * 0.31 / 63.0);
    g_autoptr(scree_scene) t = sized("type = \"table\"; of = \"diameter\"; values = [2, 4, 6];"
                                     " cumulative = [0, 50, 100];");
    assert_near(moment(t, 1), 2.0, 5 * 0.58 / 63.0);
}

TEST("/generate/bad-distributions-are-refused")
{
#define SIZED(D) FRAME("") "generate = { g = { count = 1; distribution = { " D " }; }; };"
    fixture_refuse(SIZED("type = \"uniform\"; min = 0.2; max = 0.1;"), "0 < min < max");
    fixture_refuse(SIZED("type = \"normal\"; mean = 0.1; deviation = 0.05;"), "give `min`");
    fixture_refuse(SIZED("type = \"table\"; values = [0.1, 0.2]; cumulative = [0.5, 1.0];"),
                   "a share of 0.5 lies below the smallest size; `min` says where");
    fixture_refuse(SIZED("type = \"discrete\"; values = [0.1]; weights = [0.0];"),
                   "sum up to nothing");
    fixture_refuse(SIZED("type = \"unifrm\"; min = 0.1; max = 0.2;"), "uniform");
}

TEST("/generate/velocities-have-the-spread-asked-for")
{
    g_autoptr(scree_scene) s =
        fixture_scene("scene = { region = { min = (0,0,0); max = (1000,1000,1000); }; };" MATERIAL
                      "generate = { g = { count = 4000; radius = 1; velocity = (1, 0, 0);"
                      " velocity_random = 0.5; }; };");
    double sum[3] = {0}, square[3] = {0};
    for (uint32_t i = 0; i < 4000; i++)
        for (int k = 0; k < 3; k++) {
            sum[k] += fixture_body(s, i)->v[k] / 4000;
            square[k] += pow(fixture_body(s, i)->v[k] - (k == 0), 2.0) / 4000;
        }
    for (int k = 0; k < 3; k++) {
        assert_near(sum[k], k == 0, 5 * 0.5 / 63.0);
        assert_near(square[k], 0.25, 5 * 0.25 * sqrt(2.0) / 63.0);
    }
}
