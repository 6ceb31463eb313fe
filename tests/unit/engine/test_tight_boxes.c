/* SPDX-License-Identifier: Apache-2.0 */
/* Tight boxes of solids: asked of their plugin in batches, only when extents are renewed; judged. */
#include "../../test.h"
#include "engine/tight_boxes.h"

#include "../solid_fixture.h"
#include "base/random.h"
#include "engine/extent.h"

static const char one[] = "scene = { dimension = 3; dt = 1.0e-4; };\n" GLASS
                          "bodies = { a = { radius = 0.01; position = (1.0, 2.0, -3.0); }; };\n"
                          "extent = { eps_v = 0.0; eps_e = 0.0; eps_c = 1.0e-3;\n"
                          "  renew = \"moved\"; };\n" LINEAR;

static scree_sim *begin(const char *text, brick *self)
{
    scree_scene *scene = fixture_scene(text);
    const uint32_t shape = fixture_brick(scene, &brick_plugin, self);
    for (uint32_t i = 0; i < scene->bodies->len; i++)
        fixture_give(scene, i, shape);
    return fixture_begin(scene, &(scree_sim_options){0});
}

static double draw(uint64_t n, uint64_t k)
{
    return 2.0 * scree_random_unit(7, 0, n, k) - 1.0;
}

/** Turns body 0 by `angle` about a random axis from its first orientation, moves it by `by`. */
static void pose(scree_world *w, uint64_t n, double angle, double by)
{
    const double first[3] = {1.0, 2.0, -3.0};
    double axis[3], square = 0.0, way[3], way2 = 0.0;
    for (uint64_t k = 0; k < 3; k++) {
        axis[k] = draw(n, k);
        way[k] = draw(n, 3 + k);
        square += axis[k] * axis[k];
        way2 += way[k] * way[k];
    }
    const double sign = draw(n, 6) < 0.0 ? -1.0 : 1.0; // q and -q turn alike
    w->q[0][0] = sign * cos(0.5 * angle);
    for (int k = 0; k < 3; k++) {
        w->q[1 + k][0] = sign * sin(0.5 * angle) * axis[k] / sqrt(square);
        w->x[k][0] = first[k] + by * way[k] / sqrt(way2);
    }
}

static bool inside(const scree_sim *sim, uint32_t part, const scree_tight *t)
{
    bool in = true;
    for (int k = 0; k < 3; k++)
        in = in && t->lo[k] >= sim->boxes.lo[k][part] && t->hi[k] <= sim->boxes.hi[k][part];
    return in;
}

/* While the host says that a solid is in its extents, all its tight boxes are, too. */
TEST("/tight/a-solid-said-to-be-in-its-extents-is")
{
    brick self = {.half = {0.05, 0.01, 0.002}, .n_parts = 3};
    g_autoptr(scree_sim) sim = begin(one, &self);
    const gint calls = self.calls;
    uint32_t served = 0, missed = 0;
    g_assert_cmpuint(sim->boxes.view.n, ==, 3);
    for (uint64_t n = 0; n < 4000; n++) {
        pose(sim->world, n, 0.03 * fabs(draw(n, 7)), 1.2e-3 * fabs(draw(n, 8)));
        const bool left = scree_extent_note_left(sim, 0, 1);
        g_assert_cmpint(self.calls, ==, calls + 3 * (gint)n); // its boxes were not asked for
        bool all = true;
        for (uint32_t part = 0; part < 3; part++) {
            scree_tight t;
            g_assert_true(scree_tight_of(sim->world, 0, part, &t, NULL));
            all = all && inside(sim, part, &t);
        }
        g_assert_true(left || all);
        served += !left;
        missed += left && all;
    }
    g_assert_cmpuint(served, >, 400);
    g_assert_cmpuint(missed, <, 3200); // by corners, which no bound by a radius sees
    pose(sim->world, 1, 0.0, 0.999e-3);
    g_assert_false(scree_extent_note_left(sim, 0, 1)); // tight where it only moves
    pose(sim->world, 1, 0.0, 1.001e-3);
    g_assert_true(scree_extent_note_left(sim, 0, 1));
}

TEST("/tight/asked-in-batches-and-only-at-a-renewal")
{
    g_autoptr(GString) text =
        g_string_new("scene = { dimension = 3; dt = 1.0e-4; };\n" GLASS "bodies = {\n");
    for (int i = 0; i < 200; i++)
        g_string_append_printf(text, "b%d = { radius = 0.01; position = (%d.0, 0.0, 0.0); };\n", i,
                               i);
    g_string_append(text, "};\n" LINEAR);
    brick self = {.half = {0.05, 0.01, 0.002}, .n_parts = 1};
    g_autoptr(scree_sim) sim = begin(text->str, &self);
    g_assert_true(sim->boxes.bare); // no box is kept
    // Extents are made once; the accuracy of the first search asks again.
    g_assert_cmpint(self.calls, ==, 4);
    g_assert_cmpint(self.most, ==, SCREE_TIGHT_BATCH);
    fixture_run(sim, 20);
    g_assert_cmpint(self.calls, ==, 4);
}

/* ---- lanes ---- */

enum { LANES = 2 };
static gint inside_now, most_inside; // calls of boxes() at the same time
static void *lent[LANES];            // scratch memory by lane

/** Waits, a second at most, until another lane is in boxes(), too; uses scratch memory meanwhile. */
static int32_t meet(void *instance, const scree_shape_boxes *b)
{
    const brick *self = instance;
    // A serial plugin; and the forecast of contacts, which asks for single bodies on one lane.
    const bool alone = self->fault == BRICK_FAILS || b->n == 1;
    const gint64 end = alone ? 0 : g_get_monotonic_time() + G_USEC_PER_SEC;
    const gint now = g_atomic_int_add(&inside_now, 1) + 1;
    uint32_t *mine = self->host->scratch(self->host->ctx, b->lane, 4096);
    if (now > g_atomic_int_get(&most_inside))
        g_atomic_int_set(&most_inside, now);
    lent[b->lane] = mine;
    *mine = b->part[0] + b->n * (b->lane + 1);
    while (g_atomic_int_get(&most_inside) < LANES && g_get_monotonic_time() < end)
        g_thread_yield();
    for (uint32_t i = 0; i < b->n; i++)
        brick_box(self, b, i);
    const bool kept = *mine == b->part[0] + b->n * (b->lane + 1);
    g_atomic_int_add(&inside_now, -1);
    return kept ? SCREE_OK : SCREE_E_CONFIG;
}

static const scree_shape_ops meet_ops = {OPS(shape, plain_create, plain_destroy), .boxes = meet};
static const scree_plugin meet_plugin = {PLUGIN(SHAPE, "brick", "of a test"), .ops = &meet_ops};
static const scree_plugin serial_plugin = {PLUGIN(SHAPE, "brick", "of a test"), .ops = &meet_ops,
                                           .flags = SCREE_CAP_SERIAL};

/** A run of 600 bricks of that plugin; its boxes along x are written to `hi`. */
static void box_many(const scree_plugin *plugin, uint32_t threads, double hi[600])
{
    g_autoptr(GString) text =
        g_string_new("scene = { dimension = 3; dt = 1.0e-4; };\n" GLASS "bodies = {\n");
    for (int i = 0; i < 600; i++)
        g_string_append_printf(text,
                               "b%d = { radius = 0.01; position = (%d.0, 0.0, 0.0);"
                               "  orientation = { axis = (1.0, 2.0, 3.0); angle = %d.0; }; };\n",
                               i, i, i);
    g_string_append(text, "};\nextent = { renew = \"moved\"; };\n" LINEAR); // boxes are kept
    brick self = {.half = {0.05, 0.01, 0.002}, .n_parts = 1};
    self.fault = plugin == &serial_plugin ? BRICK_FAILS : 0;
    scree_scene *scene = fixture_scene(text->str);
    const uint32_t shape = fixture_brick(scene, plugin, &self);
    for (uint32_t i = 0; i < scene->bodies->len; i++)
        fixture_give(scene, i, shape);
    lent[0] = lent[1] = NULL;
    most_inside = 0;
    scree_sim *sim =
        fixture_begin(scene, &(scree_sim_options){.threads = threads, .all_lanes = true});
    memcpy(hi, sim->boxes.hi[0], 600 * sizeof *hi);
    scree_sim_free(sim);
}

TEST("/tight/lanes-ask-at-the-same-time-unless-the-plugin-is-serial")
{
    double one_lane[600], two_lanes[600], in_turn[600];
    box_many(&brick_plugin, 1, one_lane);
    box_many(&meet_plugin, LANES, two_lanes);
    g_assert_cmpint(most_inside, ==, LANES);
    g_assert_nonnull(lent[0]);
    g_assert_nonnull(lent[1]);
    g_assert_true(lent[0] != lent[1]);
    box_many(&serial_plugin, LANES, in_turn);
    g_assert_cmpint(most_inside, ==, 1);
    g_assert_cmpmem(two_lanes, sizeof two_lanes, one_lane, sizeof one_lane);
    g_assert_cmpmem(in_turn, sizeof in_turn, one_lane, sizeof one_lane);
}

TEST("/tight/a-box-that-no-body-has-is-blamed")
{
    static const struct {
        int fault;
        const char *text;
    } cases[] = {{BRICK_NAN, "misbehaved in boxes"},
                 {BRICK_TWISTED, "of body 1, part 1 it gave"},
                 {BRICK_CENTRE, "outside its box"},
                 {BRICK_LARGE, "of a body that is at most"},
                 {BRICK_FAILS, "failed in boxes"}};
    for (size_t k = 0; k < G_N_ELEMENTS(cases); k++) {
        brick self = {.half = {0.05, 0.01, 0.002}, .n_parts = 2, .fault = cases[k].fault};
        g_autoptr(GError) error = NULL;
        scree_scene *scene = fixture_scene(one);
        fixture_give(scene, 0, fixture_brick(scene, &brick_plugin, &self));
        g_assert_null(scree_sim_new(scene, &(scree_sim_options){0}, &error));
        g_assert_nonnull(error);
        g_test_message("%s", error->message);
        g_assert_nonnull(strstr(error->message, "shape/brick (shapes.brick)"));
        g_assert_nonnull(strstr(error->message, cases[k].text));
    }
}

/** Kinetic energy of rotation, angular momentum and inverse moments of a brick. */
TEST("/tight/three-moments-of-a-brick")
{
    brick self = {.half = {0.05, 0.01, 0.002}, .n_parts = 1};
    g_autoptr(scree_sim) sim = begin(one, &self);
    const scree_world *w = sim->world;
    const double mass = 2500.0 * 8.0 * 0.05 * 0.01 * 0.002;
    const double moment[3] = {mass / 3.0 * (1e-4 + 4e-6), mass / 3.0 * (25e-4 + 4e-6),
                              mass / 3.0 * (25e-4 + 1e-4)};
    assert_near(w->mass[0], mass, 1e-15);
    for (int k = 0; k < 3; k++)
        assert_near(w->inv_inertia[k][0] * moment[k], 1.0, 1e-12);
    g_assert_cmpuint(w->isotropic[0], ==, 0);
}
