// SPDX-License-Identifier: Apache-2.0
// find_pairs of scree.query/1 against brute force.
#include "../../test.h"
#include "../scene_fixture.h"
#include "scene/query_service.h"
#include "scene/scene_settings.h"
#include "scree/cell_sdk.h"
#include "scree/rotation_sdk.h"
#include "shape/shape.h"

enum { N = 400 };

typedef struct crowd {
    double x[3][N], q[4][N], scale[N];
    uint32_t shape[N];
    uint64_t instead[N];
    scree_new_bodies trials;
} crowd;

/** Random poses in a box. */
static void draw(crowd *c, uint32_t dimension, uint32_t shape, const double scale[2],
                 const double lo[3], const double hi[3])
{
    *c =
        (crowd){.trials = {.size = sizeof c->trials, .n = N, .shape = c->shape, .scale = c->scale}};
    for (uint32_t i = 0; i < N; i++) {
        const double angle = g_test_rand_double_range(0.0, 6.28);
        c->shape[i] = shape;
        c->scale[i] = g_test_rand_double_range(scale[0], scale[1]);
        c->instead[i] = i / 2; // two poses of each body
        c->q[0][i] = cos(0.5 * angle);
        c->q[dimension == 2 ? 3 : 1 + i % 3][i] = sin(0.5 * angle);
        for (uint32_t k = 0; k < dimension; k++)
            c->x[k][i] = g_test_rand_double_range(lo[k], hi[k]);
    }
    for (int k = 0; k < 3; k++)
        c->trials.x[k] = c->x[k];
    for (int k = 0; k < 4; k++)
        c->trials.q[k] = c->q[k];
}

static bool add_nothing(void *user, scree_query_add add, void *space, bool all, const double lo[3],
                        const double hi[3], GError **error)
{
    (void)user;
    (void)space;
    (void)all;
    (void)lo;
    (void)hi;
    (void)error;
    return true;
}

static scree_query_service *serve(const scree_scene *scene)
{
    scree_query_service *service =
        scree_query_service_new(&(scree_query_world){.scene = scene, .catch_up = add_nothing});
    scree_query_service_open(service, NULL);
    return service;
}

typedef bool (*meets_fn)(const scree_scene *scene, const scree_cell *cell, const crowd *c,
                         uint32_t a, uint32_t b);

static bool balls_meet(const scree_cell *cell, const double a[3], double ra, const double b[3],
                       double rb)
{
    double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    int32_t s[3];
    scree_nearest(cell, d, s);
    return d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < (ra + rb) * (ra + rb);
}

static bool round_meet(const scree_scene *scene, const scree_cell *cell, const crowd *c, uint32_t a,
                       uint32_t b)
{
    const double x[2][3] = {{c->x[0][a], c->x[1][a], c->x[2][a]},
                            {c->x[0][b], c->x[1][b], c->x[2][b]}};
    (void)scene;
    return balls_meet(cell, x[0], c->scale[a], x[1], c->scale[b]);
}

static bool clumps_meet(const scree_scene *scene, const scree_cell *cell, const crowd *c,
                        uint32_t a, uint32_t b)
{
    const scree_balls *balls = ((const scree_shape *)scene->shapes->pdata[c->shape[a]])->balls;
    const uint32_t body[2] = {a, b};
    double x[2][8][3];
    bool meet = false;
    for (int side = 0; side < 2; side++)
        for (uint32_t p = 0; p < balls->n; p++) {
            const uint32_t i = body[side];
            const double q[4] = {c->q[0][i], c->q[1][i], c->q[2][i], c->q[3][i]};
            double arm[3];
            for (int k = 0; k < 3; k++)
                arm[k] = c->scale[i] * balls->centre[k][p];
            scree_rotate(q, arm, arm);
            for (int k = 0; k < 3; k++)
                x[side][p][k] = c->x[k][i] + arm[k];
        }
    for (uint32_t p = 0; p < balls->n; p++)
        for (uint32_t r = 0; r < balls->n; r++)
            meet = meet || balls_meet(cell, x[0][p], c->scale[a] * balls->radius[p], x[1][r],
                                      c->scale[b] * balls->radius[r]);
    return meet;
}

/** Cubes along the axes of a cell that repeats along x. */
static bool cubes_meet(const scree_scene *scene, const scree_cell *cell, const crowd *c, uint32_t a,
                       uint32_t b)
{
    double d[3] = {c->x[0][b] - c->x[0][a], c->x[1][b] - c->x[1][a], c->x[2][b] - c->x[2][a]};
    int32_t s[3];
    (void)scene;
    scree_nearest(cell, d, s);
    const double side = 0.5 * (c->scale[a] + c->scale[b]); // 1 at scale 1
    return fabs(d[0]) < side && fabs(d[1]) < side && fabs(d[2]) < side;
}

/** Compares with brute force: all pairs, and those of the trials from `first` on. */
static void compare(const scree_scene *scene, crowd *c, uint32_t first, bool twins, meets_fn meets)
{
    g_autoptr(scree_query_service) service = serve(scene);
    const scree_query *query = scree_query_service_give(service, NULL);
    scree_trial_pairs found = {.size = sizeof found};
    scree_cell cell;
    uint64_t at = 0;
    scree_scene_cell(scene, &cell);
    c->trials.instead = twins ? c->instead : NULL;
    g_assert_cmpint(query->find_pairs(query->ctx, &c->trials, first, &found), ==, SCREE_OK);
    for (uint32_t b = first; b < N; b++)
        for (uint32_t a = 0; a < b; a++) {
            if ((twins && c->instead[a] == c->instead[b]) || !meets(scene, &cell, c, a, b))
                continue;
            g_assert_cmpuint(at, <, found.n);
            g_assert_cmpuint(found.pair[at].a, ==, a);
            g_assert_cmpuint(found.pair[at].b, ==, b);
            at++;
        }
    g_assert_cmpuint(at, ==, found.n);
    g_assert_cmpuint(at, >, N / 2);
}

static void compare_each(const scree_scene *scene, crowd *c, meets_fn meets)
{
    compare(scene, c, 0, false, meets);
    compare(scene, c, 0, true, meets);
    compare(scene, c, N / 3, true, meets);
}

#define TILTED                                                                                     \
    "region = { min = (0, 0, 0); max = (1, 1, 1); tilt = (0.3, 0.0, 0.0); }; boundary = "          \
    "\"periodic\"; "
#define FLAT_BALL "bodies = { ball = { radius = 0.1; position = (0.5, 0.5); }; };\n"
static const double wide[2][3] = {{-0.7, -1.6, -2.2}, {1.7, 1.4, 1.9}}; // places need wrapping

TEST("/query-pairs/balls-and-discs-in-a-periodic-cell-by-any-gcd")
{
    static const char *const gcds[] = {"grid", "bvh", "dess", "pairing", "hgrid"};
    for (size_t g = 0; g < G_N_ELEMENTS(gcds); g++)
        for (uint32_t dimension = 2; dimension <= 3; dimension++) {
            g_autofree char *text = g_strdup_printf(
                "scene = { %s };\n" MATERIAL "query = { gcd = { plugin = \"%s\"; }; };",
                dimension == 3 ? TILTED
                               : "dimension = 2; region = { min = (0, 0); max = "
                                 "(1, 1); }; boundary = \"periodic\"; ",
                gcds[g]);
            g_autofree char *whole = g_strconcat(text, dimension == 2 ? FLAT_BALL : BALL, NULL);
            g_autoptr(scree_scene) s = fixture_scene(whole);
            crowd c;
            draw(&c, dimension, dimension == 2, (double[]){0.02, dimension == 2 ? 0.05 : 0.09},
                 wide[0], wide[1]);
            compare_each(s, &c, round_meet);
        }
}

TEST("/query-pairs/clumps-are-one-pair-however-many-of-their-balls-meet")
{
    g_autoptr(scree_scene) s = fixture_scene(
        "scene = { " TILTED "};\n" MATERIAL
        "shapes = { d = { type = \"dumbbell\"; radius = 0.9; other = 0.6; distance = "
        "1.6; }; };\ngenerate = { g = { plugin = \"lattice\"; shape = \"d\"; radius = "
        "0.02; count = 1; }; };");
    crowd c;
    draw(&c, 3, 2, (double[]){0.03, 0.06}, wide[0], wide[1]);
    compare_each(s, &c, clumps_meet);
}

#define CUBES                                                                                      \
    "shapes = { c = { type = \"polyhedron\"; solid = \"cube\"; edge = 1.0; }; };\n"                \
    "generate = { g = { plugin = \"lattice\"; shape = \"c\"; scale = 0.02; count = 1; }; };"

TEST("/query-pairs/resolvers-decide-between-solids")
{
    g_autoptr(scree_scene) s = fixture_scene(
        "scene = { region = { min = (0, 0, 0); max = (1, 1, 1); }; boundary = (\"periodic\", "
        "\"open\", \"open\"); };\n" MATERIAL CUBES "resolvers = ( { plugin = \"gjk\"; } );");
    const double lo[3] = {-0.5, 0.0, 0.0}, hi[3] = {1.8, 1.0, 1.0};
    crowd c;
    draw(&c, 3, 2, (double[]){0.08, 0.16}, lo, hi);
    for (uint32_t i = 0; i < N; i++)
        for (int k = 0; k < 4; k++)
            c.q[k][i] = k == 0;
    compare_each(s, &c, cubes_meet);
}

TEST("/query-pairs/mistakes-are-refused")
{
    g_autoptr(scree_scene) s = fixture_scene(
        "scene = { region = { min = (0, 0, 0); max = (1, 1, 1); }; };\n" MATERIAL CUBES
        "resolvers = ( { plugin = \"sphere\"; } );");
    g_autoptr(scree_query_service) service = serve(s);
    const scree_query *query = scree_query_service_give(service, NULL);
    const double none[3] = {0.0}, one[3] = {1.0, 1.0, 1.0};
    scree_trial_pairs found = {.size = sizeof found}, brief = {.size = 8};
    crowd c;
    draw(&c, 3, 2, (double[]){0.1, 0.1}, none, one);
    g_assert_cmpint(query->find_pairs(query->ctx, &c.trials, 0, &brief), ==, SCREE_E_CONFIG);
    g_assert_cmpint(query->find_pairs(query->ctx, &c.trials, 0, NULL), ==, SCREE_E_CONFIG);
    g_assert_cmpint(query->find_pairs(query->ctx, &c.trials, 0, &found), ==, SCREE_E_UNSUPPORTED);
    g_assert_cmpint(query->find_pairs(query->ctx, &c.trials, N, &found), ==, SCREE_OK);
    g_assert_cmpuint(found.n, ==, 0);
    c.scale[7] = -1.0;
    g_assert_cmpint(query->find_pairs(query->ctx, &c.trials, 0, &found), ==, SCREE_E_CONFIG);
    c.scale[7] = 0.1;
    scree_query_service_close(service, NULL);
    g_assert_cmpint(query->find_pairs(query->ctx, &c.trials, 0, &found), ==, SCREE_E_UNSUPPORTED);
}
