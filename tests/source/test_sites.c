// SPDX-License-Identifier: Apache-2.0
// The parallel configuration space of source/packing, with the host's own answers about space.
#include "../test.h"
#include "../unit/scene_fixture.h"
#include "scene/query_service.h"
#include "scene/scene_settings.h"
#include "scree/cell_sdk.h"
#include "sites.h"

static bool add_bodies(void *user, scree_query_add add, void *space, bool all, const double lo[3],
                       const double hi[3], GError **error)
{
    const scree_scene *scene = user;
    (void)lo;
    (void)hi;
    const guint n = all ? scene->bodies->len : 0;
    for (guint i = 0; i < n; i++)
        if (!add(space, fixture_body(scene, i), i, error))
            return false;
    return true;
}

static scree_query_service *serve(scree_scene *scene)
{
    scree_query_service *service = scree_query_service_new(
        &(scree_query_world){.scene = scene, .user = scene, .catch_up = add_bodies});
    scree_query_service_open(service, NULL);
    return service;
}

/** Puts a disc into site 1. */
static void want(sites *s, uint64_t body, const double x[2], double radius)
{
    const double place[3] = {x[0], x[1], 0.0}, q[4] = {1.0};
    sites_want(s, body, 1, radius, place, q);
}

/** Bodies 1 to 8 of figure 8.2: where they are, and where they want to be. In site 1 body 1 meets
 * 3, and 4 meets 7; 3 also meets 1 in site 0; 8 meets 5 in site 0, although 5 moves away. */
static const double is[8][2] = {{10, 0}, {20, 0}, {30, 0}, {40, 0},
                                {50, 0}, {60, 0}, {70, 0}, {80, 0}};
static const double wants[8][2] = {{11.5, 2.6}, {21, 1}, {10.8, 1.2}, {55, 9},
                                   {50, 5},     {61, 1}, {56, 9},     {50.5, 1}};

/** The bodies that move, as bits; `turn`: listed from the last to the first. */
static uint32_t settle_figure(bool turn)
{
    g_autoptr(scree_scene) scene = fixture_scene("scene = { dimension = 2; };\n" MATERIAL
                                                 "bodies = { far = { radius = 1.0; position = "
                                                 "(0.0, -9.0); }; };");
    g_autoptr(scree_query_service) service = serve(scene);
    sites s = {0};
    uint32_t moved = 0;
    g_assert_true(sites_reserve(&s, 16));
    for (uint64_t k = 0; k < 8; k++)
        want(&s, turn ? 8 - k : 1 + k, is[turn ? 7 - k : k], 1.0);
    s.n0 = s.n1;
    s.n1 = 0;
    for (uint64_t k = 0; k < 8; k++)
        want(&s, turn ? 8 - k : 1 + k, wants[turn ? 7 - k : k], 1.0);
    g_assert_cmpint(sites_settle(&s, scree_query_service_give(service, NULL)), ==, SCREE_OK);
    for (uint32_t i = 0; i < s.n1; i++) {
        const uint64_t body = s.body[s.n0 + i];
        moved |= 1u << body;
        g_assert_cmpfloat(s.x[0][s.n0 + i], ==, wants[body - 1][0]);
        g_assert_cmpfloat(s.x[1][s.n0 + i], ==, wants[body - 1][1]);
    }
    sites_clear(&s);
    return moved;
}

TEST("/sites/figure-8-2-of-the-thesis-1-4-3-8-revert-2-5-6-7-move")
{
    const uint32_t expected = 1u << 2 | 1u << 5 | 1u << 6 | 1u << 7;
    g_assert_cmphex(settle_figure(false), ==, expected);
}

TEST("/sites/numbers-decide-and-no-order-shows")
{
    g_assert_cmphex(settle_figure(true), ==, settle_figure(false));
}

enum { N = 150 };

/** Depth of the deepest overlap [m]. */
static double deepest(const scree_cell *cell, const sites *s)
{
    double most = -HUGE_VAL;
    for (uint32_t i = 0; i < s->n0; i++)
        for (uint32_t j = 0; j < i; j++) {
            double d[3] = {s->x[0][i] - s->x[0][j], s->x[1][i] - s->x[1][j], 0.0};
            int32_t image[3];
            scree_nearest(cell, d, image);
            most = fmax(most, s->scale[i] + s->scale[j] - hypot(d[0], d[1]));
        }
    return most;
}

/** One disc is fixed; the others walk, and sink: half of the increments fail. */
TEST("/sites/no-overlap-after-any-update")
{
    g_autoptr(scree_scene) scene =
        fixture_scene("scene = { dimension = 2; region = { min = (0, 0); max = (1, 1); }; boundary "
                      "= \"periodic\"; };\n" MATERIAL
                      "bodies = { post = { shape = \"disc\"; material = \"glass\"; radius = 0.1; "
                      "position = (0.5, 0.4); motion = \"fixed\"; }; };");
    g_autoptr(scree_query_service) service = serve(scene);
    const double *post = fixture_body(scene, 0)->x;
    scree_cell cell;
    sites s = {0};
    uint32_t moves = 0, tries = 0;
    bool is_in[N] = {false};
    scree_scene_cell(scene, &cell);
    g_assert_true(sites_reserve(&s, 2 * N));
    for (int update = 0; update < 300; update++) {
        s.n1 = 0;
        for (uint32_t k = 0; k < s.n0; k++) {
            const double x[2] = {s.x[0][k] + g_test_rand_double_range(-0.03, 0.03),
                                 s.x[1][k] + g_test_rand_double_range(-0.03, 0.02)};
            want(&s, s.body[k], x, s.scale[k]);
        }
        for (uint32_t i = 0; i < N; i++) {
            const double x[2] = {g_test_rand_double_range(0.0, 1.0),
                                 g_test_rand_double_range(0.0, 1.0)};
            if (!is_in[i])
                want(&s, i, x, 0.02 + 0.02 * (i % 7) / 6);
        }
        tries += s.n1;
        g_assert_cmpint(sites_settle(&s, scree_query_service_give(service, NULL)), ==, SCREE_OK);
        moves += s.n1;
        const uint32_t first = s.n0, n = s.n1;
        s.n1 = 0;
        for (uint32_t t = first; t < first + n; t++) {
            uint32_t at = 0;
            while (at < first && s.body[at] != s.body[t])
                at++;
            is_in[s.body[t]] = true;
            sites_copy(&s, t, at < first ? at : s.n0++);
        }
        g_assert_cmpfloat(deepest(&cell, &s), <=, 1e-12);
        for (uint32_t i = 0; i < s.n0; i++) {
            double d[3] = {s.x[0][i] - post[0], s.x[1][i] - post[1], 0.0};
            int32_t image[3];
            scree_nearest(&cell, d, image);
            g_assert_cmpfloat(hypot(d[0], d[1]), >=, (0.1 + s.scale[i]) * (1.0 - 1e-12));
        }
    }
    g_assert_cmpuint(s.n0, >, N / 2);
    g_assert_cmpuint(moves, >, tries / 10);
    g_assert_cmpuint(moves, <, tries);
    sites_clear(&s);
}
